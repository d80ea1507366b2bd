// SPDX-License-Identifier: Apache-2.0
// The matrices of Newton's method are the derivatives of their residuals. For the variational rule
// against central differences; for the theta rule by the number of passes at large steps, where a
// wrong entry costs quadratic convergence.
#include "physics/rig.h"

#include "integrators/interval.h"

static double random_unit(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct bench {
    carom_modelfile *file;
    carom_model *model;
    carom_step s;
    carom_eval *begin, *end;
    carom_linear *J;
    carom_error error;
} bench;

static void open_bench(bench *b, const char *name)
{
    static const unsigned masks[] = {CAROM_INTERVAL_MASK, CAROM_INTERVAL_END_MASK};
    char path[512];
    memset(b, 0, sizeof *b);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    assert_int_equal(carom_modelfile_read(path, &b->file, &b->error), CAROM_OK);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(b->file), &b->model, &b->error),
                     CAROM_OK);
    b->s.model = b->model;
    b->s.size = carom_model_sizes(b->model);
    b->s.error = &b->error;
    b->s.h = 0.05;
    assert_int_equal(carom_plan_new(b->model, masks, 2, &b->s.plan, &b->error), CAROM_OK);
    b->begin = carom_plan_eval(b->s.plan);
    b->end = carom_plan_eval(b->s.plan);
    assert_int_equal(carom_interval_matrix(&b->s, b->begin, &b->J), CAROM_OK);
}

static void close_bench(bench *b)
{
    carom_linear_free(b->J);
    carom_plan_free(b->s.plan);
    carom_model_free(b->model);
    carom_modelfile_free(b->file);
}

enum { MOST = 16 };

static void residual(bench *b, const double *q, const double *w, double *R)
{
    double q_end[MOST], p_L[MOST] = {0};
    const carom_point at = {.t = 0.3, .q = q, .u = w};
    assert_int_equal(carom_interval_eval(&b->s, &at, q_end, b->begin, b->end), CAROM_OK);
    carom_interval_residual(&b->s, b->begin, b->end, p_L, R);
}

// J^-1 (R(w + x d) - R(w - x d)) / 2x must be d, to x^2 and eps/x
static void check_state(bench *b, uint64_t *seed)
{
    const int n = b->s.size.nu;
    const double x = 1e-5;
    double q[MOST], w[MOST], d[MOST], plus[MOST], minus[MOST], middle[MOST];
    for (int i = 0; i < n; i++) {
        q[i] = carom_model_start_q(b->model)[i] + 0.2 * random_unit(seed);
        w[i] = carom_model_start_u(b->model)[i] * 0.01 + random_unit(seed);
        d[i] = random_unit(seed);
    }
    for (int i = 0; i < n; i++) w[i] += x * d[i];
    residual(b, q, w, plus);
    for (int i = 0; i < n; i++) w[i] -= 2 * x * d[i];
    residual(b, q, w, minus);
    for (int i = 0; i < n; i++) w[i] += x * d[i];
    residual(b, q, w, middle); // the matrix is that of the last evaluation
    assert_int_equal(carom_interval_factor(&b->s, b->begin, b->end, b->J), CAROM_OK);
    for (int i = 0; i < n; i++) plus[i] = (plus[i] - minus[i]) / (2 * x);
    carom_linear_solve(b->J, plus);
    for (int i = 0; i < n; i++) assert_true(fabs(plus[i] - d[i]) <= 1e-6);
}

static void the_variational_matrix_is_the_derivative_of_its_residual(void **unused)
{
    (void)unused;
    static const char *const models[] = {"slider-crank",  "spring-pendulum", "woodpecker",
                                         "rocking-block", "painleve-rod",    "pendulum"};
    uint64_t seed = 20;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        bench b;
        open_bench(&b, models[k]);
        for (int i = 0; i < 20; i++) check_state(&b, &seed);
        close_bench(&b);
    }
}

// smooth motion of strongly nonlinear models at steps of a twentieth of a turn:
// five passes reach rounding
static void the_theta_rule_needs_few_passes_at_large_steps(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        double step, end;
    } run[] = {
        {"spring-pendulum", 0.02, 0.5}, {"slider-crank", 5e-4, 2.5e-3}, {"car-axis", 0.01, 0.5}};
    static const char *const schemes[] = {"moreau_jean", "variational"};
    for (size_t k = 0; k < sizeof run / sizeof *run; k++)
        for (int j = 0; j < 2; j++) {
            static rig r;
            const rig_plan plan = {.model = run[k].model,
                                   .scheme = schemes[j],
                                   .step = run[k].step,
                                   .end = run[k].end};
            rig_open(&r, &plan);
            rig_run(&r);
            const carom_counts counts = carom_sim_counts(r.sim);
            if (counts.solver_iterations > 5 * counts.steps)
                fail_msg("%s on %s: %ld passes in %ld steps", schemes[j], run[k].model,
                         counts.solver_iterations, counts.steps);
            rig_close(&r);
        }
}

// the midpoint rule of a pendulum, th1 = th0 + h (u0 + u1)/2, u1 = u0 - h sin((th0 + th1)/2),
// solved to rounding by another Newton's method
static double midpoint_rate(double th, double u, double h)
{
    double v = u;
    for (int pass = 0; pass < 60; pass++) {
        const double mid = th + h * (u + v) / 4;
        v -= (v - u + h * sin(mid)) / (1 + h * h / 4 * cos(mid));
    }
    return v;
}

// 0.5 of theta; the iteration ends only where nothing is left of its error
static void the_theta_rule_is_solved_to_rounding(void **unused)
{
    (void)unused;
    static const char *const text = "carom: 1\ncoordinates: {th: {start: 0}}\n"
                                    "kinetic: der(th)^2/2\npotential: -cos(th)\n";
    static const carom_setting half = {{.text = "theta"}, {.text = "0.5"}};
    uint64_t seed = 5;
    for (int m = 0; m < 200; m++) {
        const double th = 3 * random_unit(&seed), u = 2 * random_unit(&seed);
        const double h = 0.05 + 0.4 * (m % 5);
        char start[2][64];
        snprintf(start[0], sizeof *start, "start th=%.17g", th);
        snprintf(start[1], sizeof *start, "start der(th)=%.17g", u);
        const char *const change[] = {start[0], start[1], NULL};
        const rig_plan plan = {.scheme = "moreau_jean",
                               .step = h,
                               .end = h,
                               .change = change,
                               .setting = &half,
                               .n_setting = 1};
        rig r;
        memset(&r, 0, sizeof r);
        rig_must(&r, carom_modelfile_read_text(text, strlen(text), "t.yaml", &r.file, &r.error));
        rig_build(&r, &plan);
        rig_run(&r);
        rig_near(rig_state(&r)->u[0], midpoint_rate(th, u, h), 2e-14 * (1 + fabs(u) + h));
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_variational_matrix_is_the_derivative_of_its_residual),
        cmocka_unit_test(the_theta_rule_needs_few_passes_at_large_steps),
        cmocka_unit_test(the_theta_rule_is_solved_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
