// SPDX-License-Identifier: Apache-2.0
// counts allocations
// The Gear-Gupta-Leimkuhler schemes beyond the reference rows (test_reference_rows.c): order,
// drift, redundant and moving contacts, large systems, small units, restart, memory.
#include "count_allocations.h"
#include "physics/rig.h"

#include "same_audit.h"

#include <stdlib.h>
#include <unistd.h>

static const carom_setting printed = {{.text = "rows"}, {.text = "printed"}};

// every member of the family; those with gaps keep positions, those that are tight
// keep them to rounding
typedef struct member {
    const char *scheme;
    bool is_printed_option, has_gaps, is_tight, is_implicit;
} member;
static const member family[] = {{"ggl_decoupled", false, true, true, false},
                                {"ggl_unified_printed", false, true, false, true},
                                {"ggl_unified", false, true, true, true},
                                {"ggl_reference", false, false, false, true},
                                {"ggl_reference", true, false, false, true}};
enum { N_MEMBER = sizeof family / sizeof *family };

static rig_plan plan_of(const member *m, const char *model, double step, double end,
                        const char *const *change)
{
    return (rig_plan){.model = model,
                      .scheme = m->scheme,
                      .step = step,
                      .end = end,
                      .change = change,
                      .setting = m->is_printed_option ? &printed : NULL,
                      .n_setting = m->is_printed_option};
}

// a model written here instead of one of the folder
static void open_text(rig *r, const rig_plan *plan, const char *text)
{
    memset(r, 0, sizeof *r);
    rig_must(r, carom_modelfile_read_text(text, strlen(text), "test.yaml", &r->file, &r->error));
    rig_build(r, plan);
}

static double end_angle(const member *m, const char *model, double step, double end)
{
    static const char *const change[] = {"mu=0", NULL};
    const rig_plan plan =
        plan_of(m, model, step, end, strcmp(model, "slider-crank") == 0 ? change : NULL);
    rig r;
    rig_open(&r, &plan);
    rig_run(&r);
    const double q = rig_state(&r)->q[0];
    rig_close(&r);
    return q;
}

// before the first impact; Richardson: with order p the differences of h, h/2,
// h/4 have the ratio 2^p
static void free_flight_is_of_second_order(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_MEMBER; i++) {
        const member *m = &family[i];
        // the explicit one is of second order for forces that do not depend on the velocity
        const char *model = m->is_implicit ? "slider-crank" : "oscillator-with-stop";
        const double end = m->is_implicit ? 0.002 : 1, h = end / 20;
        const double a = end_angle(m, model, h, end), b = end_angle(m, model, h / 2, end),
                     c = end_angle(m, model, h / 4, end);
        rig_near(log2(fabs((a - b) / (b - c))), 2, 0.1);
    }
}

static void constraints_do_not_drift_with_gap_rows(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        double step, end;
    } task[] = {{"slider-crank-bilateral", 1e-4, 0.5}, {"pendulum", 1e-3, 2}};
    for (int i = 0; i < N_MEMBER; i++)
        for (int k = 0; k < 2; k++) {
            const rig_plan plan =
                plan_of(&family[i], task[k].model, task[k].step, task[k].end, NULL);
            rig r;
            rig_open(&r, &plan);
            rig_run(&r);
            const double drift = rig_audit(&r).max_drift;
            // positions are of the order 1 m and up to 40 rad: a few hundred roundings
            if (family[i].is_tight) rig_below(drift, 1e-13);
            // linearised about the midpoint: h^3/24 g''' u^3 with g''' < l1 + l2 and u < 160 rad/s
            if (family[i].has_gaps) rig_below(drift, 0.5 * pow(160 * task[k].step, 3) / 24);
            if (!family[i].has_gaps) assert_true(drift > 1e-9);
            rig_close(&r);
        }
}

// index 2 with the row of the end: about 1e-5 m in a second at h = 1e-4, four times less with half
// the step
static void constraints_drift_linearly_without_gap_rows(void **unused)
{
    (void)unused;
    double drift[3];
    const double step[] = {1e-4, 1e-4, 5e-5}, end[] = {0.25, 0.5, 0.5};
    for (int k = 0; k < 3; k++) {
        const rig_plan plan = plan_of(&family[3], "slider-crank-bilateral", step[k], end[k], NULL);
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        drift[k] = rig_audit(&r).max_drift;
        rig_close(&r);
    }
    assert_true(drift[1] > 0 && drift[1] < 2e-5);
    rig_near(drift[1] / drift[2], 4, 0.4);
    assert_true(drift[0] <= drift[1]);
}

// without clearance all four corners touch: rank 2 of 4
static void a_slider_without_clearance_is_no_failure(void **unused)
{
    (void)unused;
    static const char *const clearance[] = {"c=0", "c=1e-15", "c=1e-9"};
    for (int i = 0; i < N_MEMBER; i++)
        for (int k = 0; k < 3; k++) {
            const char *const change[] = {"mu=0", clearance[k], NULL};
            const rig_plan plan = plan_of(&family[i], "slider-crank", 1e-4, 0.02, change);
            rig r;
            rig_open(&r, &plan);
            rig_run(&r);
            const carom_audit audit = rig_audit(&r);
            rig_below(audit.residual, 1e-12);
            if (family[i].is_tight) rig_below(-audit.min_gap, 1e-14);
            rig_close(&r);
        }
}

#define STACK(contacts)                                                                            \
    "carom: 1\nname: stack\nparameters: {e: 0.5}\n"                                                \
    "coordinates: {a: {start: 0.2}, b: {start: 0.5}}\n"                                            \
    "kinetic: der(a)^2/2 + der(b)^2\npotential: 9.81*(a + 2*b)\ncontacts:\n"                       \
    "  - {name: floor, gap: a, restitution: e}\n"                                                  \
    "  - {name: pair, gap: b - a - 0.1, restitution: e}\n" contacts

// the same contacts again, one of them in other units: the motion is the one without them
static void redundant_contacts_do_not_change_the_motion(void **unused)
{
    (void)unused;
    static const char *const once = STACK(""),
                             *const again =
                                 STACK("  - {name: floor2, gap: 3*a, restitution: e}\n"
                                       "  - {name: pair2, gap: b - a - 0.1, restitution: e}\n");
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], NULL, 1e-3, 0.8, NULL);
        rig single, twice;
        open_text(&single, &plan, once);
        open_text(&twice, &plan, again);
        rig_run(&single);
        rig_run(&twice);
        for (int k = 0; k < 2; k++) {
            rig_near(rig_state(&twice)->q[k], rig_state(&single)->q[k], 1e-10);
            rig_near(rig_state(&twice)->u[k], rig_state(&single)->u[k], 1e-10);
        }
        assert_true(carom_sim_counts(single.sim).impact_steps > 2);
        rig_close(&single);
        rig_close(&twice);
    }
}

static void redundant_constraints_do_not_change_the_motion(void **unused)
{
    (void)unused;
#define SWING                                                                                      \
    "carom: 1\nname: swing\ncoordinates: {x: {start: 1}, y: {start: 0}}\n"                         \
    "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\nconstraints:\n"                          \
    "  - {name: rod, equation: x^2 + y^2 - 1}\n"
    static const char *const once = SWING, *const again = SWING
                                           "  - {name: rod2, equation: 5*(x^2 + y^2 - 1)}\n";
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], NULL, 1e-3, 0.5, NULL);
        rig single, twice;
        open_text(&single, &plan, once);
        open_text(&twice, &plan, again);
        rig_run(&single);
        rig_run(&twice);
        for (int k = 0; k < 2; k++)
            rig_near(rig_state(&twice)->u[k], rig_state(&single)->u[k], 1e-9);
        rig_close(&single);
        rig_close(&twice);
    }
}

// w0 in rates and gaps: a ball with e = 0 that rests on a slowly moving plane goes with it
static void a_resting_ball_follows_a_moving_plane(void **unused)
{
    (void)unused;
    static const char *const change[] = {"e=0", "start y=0", "start der(y)=0.02*2*pi",
                                         "frequency=1", NULL};
    const double h = 1e-3, end = 0.3, omega = 2 * acos(-1.0), a = 0.02 * omega * omega;
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], "ball-on-moving-plane", h, end, change);
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        const double plane = 0.02 * sin(omega * end), rate = 0.02 * omega * cos(omega * end);
        // the law of the end is exact; the others know the plane's rate to a
        // step of its acceleration
        const bool is_exact = i == 2 || i == 3;
        // contacts may open by rounding for a step, in which gravity acts
        rig_near(rig_state(&r)->u[0], rate, is_exact ? 9.81 * h + 1e-12 : (9.81 + 2 * a) * h);
        rig_near(rig_state(&r)->q[0], plane, (9.81 + a) * h * (family[i].has_gaps ? h : end));
        if (family[i].is_tight) rig_below(-rig_audit(&r).min_gap, 1e-15);
        rig_close(&r);
    }
}

static void impacts_obey_the_law_of_restitution(void **unused)
{
    (void)unused;
    static const char *const change[] = {"e=0.7", NULL};
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], "bouncing-ball", 1e-3, 1.2, change);
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        assert_true(r.n_impact >= 2);
        for (int k = 0; k < 2; k++) rig_near(r.impact[k].after, -0.7 * r.impact[k].before, 1e-12);
        rig_close(&r);
    }
}

// (1 - e^2) v^2/2 of a ball that falls from rest, v^2 = 2 g y, known to the step of the impact
static void impact_loss_is_what_the_restitution_takes(void **unused)
{
    (void)unused;
    static const char *const text =
        "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\npotential: 10*y\n"
        "contacts: [{name: floor, gap: y, restitution: 0.6}]\n";
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], NULL, 1e-5, 0.6, NULL);
        rig r;
        open_text(&r, &plan, text);
        rig_run(&r);
        const carom_audit audit = rig_audit(&r);
        rig_near(audit.impact_loss, (1 - 0.36) * 10, 1e-2);
        rig_below(fabs(audit.energy_error), 1e-2);
        rig_close(&r);
    }
}

// tolerances follow the model: with lengths 2^30 times smaller every bit is the same
static void the_unit_of_length_does_not_matter(void **unused)
{
    (void)unused;
    static const char *const large[] = {"gravity=10", "start y=1", NULL};
    static const char *const small[] = {"gravity=10*2^(-30)", "start y=2^(-30)", NULL};
    static const char *const text =
        "carom: 1\nname: ball\nparameters: {gravity: 10}\ncoordinates: {y: {start: 1}}\n"
        "kinetic: der(y)^2/2\npotential: gravity*y\n"
        "contacts:\n  - {name: floor, gap: y, restitution: 0.5}\n";
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], NULL, 1e-3, 1.7, large),
                       scaled = plan_of(&family[i], NULL, 1e-3, 1.7, small);
        rig a, b;
        open_text(&a, &plan, text);
        open_text(&b, &scaled, text);
        rig_run(&a);
        rig_run(&b);
        rig_near(ldexp(rig_state(&b)->q[0], 30), rig_state(&a)->q[0], 0);
        rig_near(ldexp(rig_state(&b)->u[0], 30), rig_state(&a)->u[0], 0);
        rig_close(&a);
        rig_close(&b);
    }
}

// two hundred beads, some hundred of them in contact: sparse matrices
static void a_column_of_two_hundred_beads_runs(void **unused)
{
    (void)unused;
    static const char *const change[] = {"n=200", "height=0.11", "pitch=0.2 + 1e-5", "e=0", NULL};
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], "column-of-beads", 1e-3, 0.06, change);
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        assert_true(carom_sim_counts(r.sim).contact_steps > 5);
        if (family[i].is_tight) rig_below(-rig_audit(&r).min_gap, 1e-13);
        rig_close(&r);
    }
}

// exact derivatives: Newton's method needs few passes also where forces and
// rows are strongly curved
static void newton_needs_few_passes_at_large_steps(void **unused)
{
    (void)unused;
    static const char *const text =
        "carom: 1\nname: track\ncoordinates: {x: {start: 1, rate: 0}, y: {start: 0, rate: 2}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 40*x^4 + 9.81*y\n"
        "forces:\n  - {coordinate: y, force: -0.5*der(y)^3}\n"
        "constraints:\n  - {name: track, equation: (x^2 + y^2 - 1)/2}\n";
    for (int i = 0; i < N_MEMBER; i++) {
        if (!family[i].is_implicit) continue;
        const rig_plan plan = plan_of(&family[i], NULL, 0.05, 2, NULL);
        rig r;
        open_text(&r, &plan, text);
        rig_run(&r);
        const carom_counts counts = carom_sim_counts(r.sim);
        // quadratic from the forecast's error: 1e-1, 1e-2, 1e-4, 1e-8, 1e-16
        rig_below((double)counts.solver_iterations / (double)counts.steps, 5);
        rig_close(&r);
    }
}

static void a_restart_gives_the_same_bits(void **unused)
{
    (void)unused;
    static const char *const change[] = {"mu=0", "start th3=0.017", NULL};
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/carom-%ld-ggl.chk", folder ? folder : "/tmp", (long)getpid());
    for (int i = 0; i < N_MEMBER; i++) {
        const rig_plan plan = plan_of(&family[i], "slider-crank", 1e-4, 0.04, change);
        rig whole, second;
        rig_open(&whole, &plan);
        rig_open(&second, &plan);
        rig_step(&whole, 177);
        rig_must(&whole, carom_sim_checkpoint(whole.sim, path, &whole.error));
        rig_must(&second, carom_sim_restart(second.sim, path, &second.error));
        rig_run(&whole);
        rig_run(&second);
        const carom_state *a = rig_state(&whole), *b = rig_state(&second);
        assert_memory_equal(a->q, b->q, 3 * sizeof(double));
        assert_memory_equal(a->u, b->u, 3 * sizeof(double));
        assert_memory_equal(a->P, b->P,
                            sizeof(double) * (size_t)carom_model_sizes(whole.model).n_row);
        const carom_audit x = rig_audit(&whole), y = rig_audit(&second);
        expect_same_audit(&x, &y);
        unlink(path);
        rig_close(&whole);
        rig_close(&second);
    }
}

static void a_step_allocates_nothing(void **unused)
{
    (void)unused;
    static const char *const change[] = {"mu=0", "c=1e-9", NULL};
    static const char *const models[] = {"slider-crank", "slider-crank-bilateral"};
    for (int i = 0; i < N_MEMBER; i++)
        for (int k = 0; k < 2; k++) {
            const rig_plan plan =
                plan_of(&family[i], models[k], 1e-4, 0.02, k == 0 ? change : NULL);
            rig r;
            rig_open(&r, &plan);
            const long before = n_allocation;
            assert_true(before > 0);
            rig_step(&r, 150);
            assert_int_equal(n_allocation, before);
            rig_close(&r);
        }
}

// ggl_unified takes it: test_ggl_friction.c
static void friction_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_MEMBER; i++) {
        rig r = {0};
        if (strcmp(family[i].scheme, "ggl_unified") == 0) continue;
        carom_sim_options options = carom_sim_default();
        rig_must(&r, carom_modelfile_read(CAROM_SOURCE_DIR "/models/slider-crank.yaml", &r.file,
                                          &r.error));
        rig_must(&r, carom_builder_finish(carom_modelfile_builder(r.file), &r.model, &r.error));
        options.scheme = family[i].scheme;
        options.step = 1e-4;
        options.end = 1;
        assert_int_equal(carom_sim_new(r.model, &options, &r.sim, &r.error), CAROM_BAD_INPUT);
        assert_non_null(strstr(r.error.message, "moreau_midpoint"));
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_is_of_second_order),
        cmocka_unit_test(constraints_do_not_drift_with_gap_rows),
        cmocka_unit_test(constraints_drift_linearly_without_gap_rows),
        cmocka_unit_test(a_slider_without_clearance_is_no_failure),
        cmocka_unit_test(redundant_contacts_do_not_change_the_motion),
        cmocka_unit_test(redundant_constraints_do_not_change_the_motion),
        cmocka_unit_test(a_resting_ball_follows_a_moving_plane),
        cmocka_unit_test(impacts_obey_the_law_of_restitution),
        cmocka_unit_test(impact_loss_is_what_the_restitution_takes),
        cmocka_unit_test(the_unit_of_length_does_not_matter),
        cmocka_unit_test(a_column_of_two_hundred_beads_runs),
        cmocka_unit_test(newton_needs_few_passes_at_large_steps),
        cmocka_unit_test(a_restart_gives_the_same_bits),
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(friction_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
