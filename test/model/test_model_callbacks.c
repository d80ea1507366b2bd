// SPDX-License-Identifier: Apache-2.0
// Models given by functions of the caller: the same motion as from equations, differences counted,
// a function that stops the run, patterns dense and sparse, wrong descriptions refused.
#include "model/model_rig.h"

// ---- the slider-crank by hand (paper 001, eqs 23-34) ----

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, half = 0.026; // half: of the notch
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6,
                    gravity = 9.81;

typedef struct crank {
    bool is_sparse; // M has no entries between th3 and the others
    int stop_after; // calls of forces until the caller stops; 0 = never
    int n_call;
} crank;

static int crank_mass(void *user, double t, const double *q, double *M)
{
    (void)t;
    const crank *c = user;
    const double M11 = J1 + (m1 / 4 + m2 + m3) * l1 * l1, M22 = J2 + (m2 / 4 + m3) * l2 * l2;
    const double M12 = (m2 / 2 + m3) * l1 * l2 * cos(q[0] - q[1]);
    const double full[] = {M11, M12, 0, M12, M22, 0, 0, 0, J3}, sparse[] = {M11, M12, M12, M22, J3};
    memcpy(M, c->is_sparse ? sparse : full, c->is_sparse ? sizeof sparse : sizeof full);
    return 0;
}

static int crank_forces(void *user, double t, const double *q, const double *u, double *f)
{
    (void)t;
    crank *c = user;
    const double k = (m2 / 2 + m3) * l1 * l2 * sin(q[0] - q[1]);
    f[0] = -k * u[1] * u[1] - gravity * l1 * cos(q[0]) * (m1 / 2 + m2 + m3);
    f[1] = k * u[0] * u[0] - gravity * l2 * cos(q[1]) * (m2 / 2 + m3);
    f[2] = 0;
    return c->stop_after && ++c->n_call > c->stop_after;
}

static int crank_gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)constraint;
    const double y = l1 * sin(q[0]) + l2 * sin(q[1]), s = a * sin(q[2]), k = b * cos(q[2]);
    gap[0] = half - y + s - k;
    gap[1] = half - y - s - k;
    gap[2] = half + y - s - k;
    gap[3] = half + y + s - k;
    return 0;
}

static int crank_rows(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t;
    const double y1 = l1 * cos(q[0]), y2 = l2 * cos(q[1]), x1 = -l1 * sin(q[0]),
                 x2 = -l2 * sin(q[1]);
    const double c = cos(q[2]), s = sin(q[2]);
    const double rows[8][3] = {{-y1, -y2, a * c + b * s},  {x1, x2, a * s - b * c},
                               {-y1, -y2, -a * c + b * s}, {x1, x2, -a * s - b * c},
                               {y1, y2, -a * c + b * s},   {x1, x2, a * s + b * c},
                               {y1, y2, a * c + b * s},    {x1, x2, -a * s + b * c}};
    memcpy(W, rows, sizeof rows);
    memset(w0, 0, 8 * sizeof *w0);
    return 0;
}

static int crank_potential(void *user, double t, const double *q, double *V)
{
    (void)user, (void)t;
    *V = gravity * (l1 * sin(q[0]) * (m1 / 2 + m2 + m3) + l2 * sin(q[1]) * (m2 / 2 + m3));
    return 0;
}

static carom_callbacks crank_callbacks(crank *user)
{
    static const double q0[3], u0[3] = {150, -75, 0};
    static const char *const names[] = {"th1", "th2", "th3"};
    static const carom_contact_facts corner[4] = {
        {.name = "c1", .n_slip = 1, .e = 0.4, .mu = 0.01},
        {.name = "c2", .n_slip = 1, .e = 0.4, .mu = 0.01},
        {.name = "c3", .n_slip = 1, .e = 0.4, .mu = 0.01},
        {.name = "c4", .n_slip = 1, .e = 0.4, .mu = 0.01}};
    static const int start[] = {0, 2, 4, 5}, index[] = {0, 1, 0, 1, 2};
    return (carom_callbacks){.user = user,
                             .name = "slider-crank by hand",
                             .n = 3,
                             .n_contact = 4,
                             .coordinate_name = names,
                             .contact = corner,
                             .q0 = q0,
                             .u0 = u0,
                             .mass_start = user->is_sparse ? start : NULL,
                             .mass_index = user->is_sparse ? index : NULL,
                             .mass = crank_mass,
                             .forces = crank_forces,
                             .gaps = crank_gaps,
                             .rows = crank_rows,
                             .potential = crank_potential};
}

static carom_model *crank_model(crank *user)
{
    carom_error error = {0};
    carom_model *model;
    const carom_callbacks given = crank_callbacks(user);
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    return model;
}

static void compare_motion(const carom_model *given, const char *scheme, double h, double end,
                           double tolerance)
{
    carom_model *equations = shipped_model("slider-crank", NULL, NULL);
    carom_sim *by_hand = sim_of(given, scheme, h, end),
              *derived = sim_of(equations, scheme, h, end);
    run_to_end(by_hand);
    run_to_end(derived);
    assert_true(carom_sim_counts(derived).contact_steps > 10);
    for (int i = 0; i < 3; i++) {
        near(scheme, carom_sim_state(by_hand)->q[i], carom_sim_state(derived)->q[i], tolerance);
        near(scheme, carom_sim_state(by_hand)->u[i], carom_sim_state(derived)->u[i],
             1e3 * tolerance);
    }
    carom_error error = {0};
    carom_audit one, other;
    must(carom_sim_audit(by_hand, &one, NULL, &error), &error);
    must(carom_sim_audit(derived, &other, NULL, &error), &error);
    near("energy", one.energy_end, other.energy_end, 1e3 * tolerance);
    near("smallest gap", one.min_gap, other.min_gap, tolerance);
    carom_sim_free(by_hand);
    carom_sim_free(derived);
    carom_model_free(equations);
}

static void functions_give_the_motion_of_the_equations(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        crank user = {.is_sparse = sparse == 1};
        carom_model *model = crank_model(&user);
        compare_motion(model, "moreau_midpoint", 1e-4, 0.03, 1e-9);
        compare_motion(model, "moreau_jean_explicit", 1e-4, 0.03, 1e-9);
        compare_motion(model, "moreau_jean", 1e-4, 0.03, 1e-6);
        carom_model_free(model);
    }
}

// df/dq, df/du, d(M a)/dq, d(W'P)/dq, d(gamma)/dq and the curvature
static void differences_are_counted(void **state)
{
    (void)state;
    crank user = {0};
    carom_error error = {0};
    carom_callbacks given = crank_callbacks(&user);
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    assert_int_equal(carom_model_n_difference(model), 4 * 9 + 8 * 3 + 8);
    carom_model_free(model);
    given.mass_is_constant = true;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    assert_int_equal(carom_model_n_difference(model), 3 * 9 + 8 * 3 + 8);
    carom_model_free(model);
    carom_model *equations = shipped_model("slider-crank", NULL, NULL);
    assert_int_equal(carom_model_n_difference(equations), 0);
    carom_model_free(equations);
}

// the answers from differences against the exact ones: good to ten digits of their scale
static void differences_are_right_to_many_digits(void **state)
{
    (void)state;
    static const unsigned mask = CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS | CAROM_CURVATURE |
                                 CAROM_ENERGY | CAROM_ROWS | CAROM_MASS | CAROM_FORCES;
    static const double q[] = {0.3, -0.2, 0.01}, u[] = {140, -60, 3}, acc[] = {1, 2, 3};
    static const double P[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const carom_point at = {.t = 0.1, .q = q, .u = u, .a = acc, .P = P};
    crank user = {0};
    carom_error error = {0};
    carom_model *model[2] = {crank_model(&user), shipped_model("slider-crank", NULL, NULL)};
    carom_plan *plan[2];
    carom_eval *ev[2];
    for (int k = 0; k < 2; k++) {
        must(carom_plan_new(model[k], &mask, 1, &plan[k], &error), &error);
        ev[k] = carom_plan_eval(plan[k]);
        must(carom_model_eval(plan[k], &at, mask, ev[k], &error), &error);
    }
    const carom_sparse *pair[][2] = {
        {&ev[0]->derivatives.df_dq, &ev[1]->derivatives.df_dq},
        {&ev[0]->derivatives.df_du, &ev[1]->derivatives.df_du},
        {&ev[0]->derivatives.dMa_dq, &ev[1]->derivatives.dMa_dq},
        {&ev[0]->derivatives.dWP_dq, &ev[1]->derivatives.dWP_dq},
        {&ev[0]->rows.W, &ev[1]->rows.W},
        {&ev[0]->derivatives.dgamma_dq, &ev[1]->derivatives.dgamma_dq}};
    for (size_t m = 0; m < sizeof pair / sizeof *pair; m++) {
        const double scale = largest_of(pair[m][1]->value, pair[m][1]->start[pair[m][1]->n_row]);
        for (int i = 0; i < pair[m][0]->n_row; i++)
            for (int j = 0; j < 3; j++)
                near("entry", sparse_entry(pair[m][0], i, j), sparse_entry(pair[m][1], i, j),
                     1e-9 * (scale + 1));
    }
    for (int r = 0; r < 8; r++)
        near("curvature", ev[0]->rows.curvature[r], ev[1]->rows.curvature[r], 1e-9 * 140 * 140);
    near("kinetic", ev[0]->energy.kinetic, ev[1]->energy.kinetic, 1e-13 * ev[1]->energy.kinetic);
    near("potential", ev[0]->energy.potential, ev[1]->energy.potential, 1e-14);
    for (int k = 0; k < 2; k++) {
        carom_plan_free(plan[k]);
        carom_model_free(model[k]);
    }
}

static void a_function_that_asks_to_stop_stops_the_run_with_the_state_intact(void **state)
{
    (void)state;
    crank user = {.stop_after = 40};
    carom_error error = {0};
    carom_model *model = crank_model(&user);
    carom_sim *sim = sim_of(model, "moreau_midpoint", 1e-4, 1);
    carom_status status = CAROM_OK;
    double q[3], u[3], t = 0;
    long n = 0;
    while (status == CAROM_OK) {
        const carom_state *now = carom_sim_state(sim);
        memcpy(q, now->q, sizeof q);
        memcpy(u, now->u, sizeof u);
        t = now->t;
        status = carom_sim_step(sim, &error);
        n += status == CAROM_OK;
    }
    assert_int_equal(status, CAROM_STOPPED);
    assert_non_null(strstr(error.message, "asked to stop"));
    assert_true(n > 30);
    const carom_state *now = carom_sim_state(sim);
    assert_memory_equal(q, now->q, sizeof q);
    assert_memory_equal(u, now->u, sizeof u);
    assert_true(t == now->t);
    assert_int_equal(carom_sim_counts(sim).steps, n);
    // and it goes on when the function allows it
    user.stop_after = 0;
    must(carom_sim_step(sim, &error), &error);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void refuse(const carom_callbacks *given, carom_status how, const char *words)
{
    carom_error error = {0};
    carom_model *model = NULL;
    assert_int_equal(carom_model_from_callbacks(given, &model, &error), how);
    assert_null(model);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static int no_mass(void *user, double t, const double *q, double *M)
{
    (void)user, (void)t, (void)q;
    memset(M, 0, 9 * sizeof *M);
    return 0;
}

static void wrong_descriptions_are_refused(void **state)
{
    (void)state;
    crank user = {0};
    const carom_callbacks good = crank_callbacks(&user);
    carom_callbacks given = good;
    given.mass = NULL;
    refuse(&given, CAROM_BUG, "mass");
    given = good;
    given.rows = NULL;
    refuse(&given, CAROM_BUG, "rows");
    given = good;
    given.contact = NULL;
    refuse(&given, CAROM_BUG, "facts");
    given = good;
    given.n = 0;
    refuse(&given, CAROM_BUG, "n >= 1");
    carom_contact_facts wrong[4];
    memcpy(wrong, good.contact, sizeof wrong);
    wrong[2].e = 1.5;
    given = good;
    given.contact = wrong;
    refuse(&given, CAROM_BAD_INPUT, "c3");
    given = good;
    given.mass = no_mass;
    refuse(&given, CAROM_BAD_INPUT, "not positive definite");
}

// who touches, and where it stands among shapes, is what Carom finds; a caller's words about it are
// not taken over
static void facts_that_are_not_the_callers_are_left_out(void **state)
{
    (void)state;
    crank user = {0};
    carom_error error = {0};
    carom_callbacks given = crank_callbacks(&user);
    carom_contact_facts facts[4];
    memcpy(facts, given.contact, sizeof facts);
    for (int c = 0; c < 4; c++) {
        facts[c].body[0] = facts[c].body[1] = facts[c].place = 70 + c;
        facts[c].is_near = facts[c].is_of_shapes = true;
        facts[c].surface = 3;
        facts[c].row = 50;
    }
    given.contact = facts;
    carom_model *model;
    must(carom_model_from_callbacks(&given, &model, &error), &error);
    for (int c = 0; c < 4; c++) {
        const carom_contact_facts *of = carom_model_contact(model, c);
        assert_true(of->body[0] == 0 && of->body[1] == 0 && of->place == 0);
        assert_true(!of->is_near && !of->is_of_shapes && of->surface == 0);
        assert_int_equal(of->row, 2 * c);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_give_the_motion_of_the_equations),
        cmocka_unit_test(differences_are_counted),
        cmocka_unit_test(differences_are_right_to_many_digits),
        cmocka_unit_test(a_function_that_asks_to_stop_stops_the_run_with_the_state_intact),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(facts_that_are_not_the_callers_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
