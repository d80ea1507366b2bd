// SPDX-License-Identifier: Apache-2.0
// The example of a bar from C functions: finite element models of thousands of unknowns in explicit
// and implicit schemes. Patterns give the motion of dense derivatives and of differences; what is
// constant is asked for a few times in all; the first impulse and its loss have closed forms.
int bar_main(int n_argument, char **argument);
#define main bar_main
#include "../../examples/callbacks/bar.c"
#undef main
#include "model/model_rig.h"

static const char *const implicit[] = {"moreau_jean", "nonsmooth_gen_alpha", "ggl_unified",
                                       "schatzman_paoli", "tdg_velocity"};
enum { N_SCHEME = sizeof implicit / sizeof *implicit };

static carom_model *model_of(const carom_callbacks *given)
{
    carom_error error = {0};
    carom_model *model = NULL;
    must(carom_model_from_callbacks(given, &model, &error), &error);
    return model;
}

// runs to the end and gives the positions
static void ends_at(const carom_callbacks *given, const char *scheme, double h, double end,
                    double *q)
{
    carom_error error = {0};
    carom_model *model = model_of(given);
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = h;
    options.end = end;
    carom_sim *sim;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    assert_true(carom_sim_counts(sim).contact_steps > 0);
    memcpy(q, carom_sim_state(sim)->q, sizeof(double) * (size_t)given->n);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void the_program_runs(void **state)
{
    (void)state;
    char *argument[] = {"bar", "moreau_jean", "300", "1e-7", "3e-7"};
    assert_int_equal(bar_main(5, argument), 0);
    char *wrong[] = {"bar", "no_such_scheme", "20"};
    assert_int_equal(bar_main(3, wrong), 2);
    char *none[] = {"bar", "moreau_jean", "0"};
    assert_int_equal(bar_main(3, none), 2);
}

// dense derivatives and nothing constant: the same numbers but for rounding
static int d_dense(void *user, double t, const double *q, const double *u, double *df_dq,
                   double *df_du)
{
    const bar *b = user;
    double value[2][400] = {{0}};
    d_forces(user, t, q, u, value[0], value[1]);
    memset(df_dq, 0, sizeof(double) * (size_t)b->n * (size_t)b->n);
    memset(df_du, 0, sizeof(double) * (size_t)b->n * (size_t)b->n);
    for (int i = 0; i < b->n; i++)
        for (int k = b->start[i]; k < b->start[i + 1]; k++) {
            df_dq[i * b->n + b->index[k]] = value[0][k];
            df_du[i * b->n + b->index[k]] = value[1][k];
        }
    return 0;
}

static void compare_with_dense(bool is_damped)
{
    bar b;
    assert_true(make_bar(&b, 30));
    b.damping = is_damped ? 1e-7 * b.stiffness : 0;
    carom_callbacks given = bar_callbacks(&b), dense = given, guessed = given;
    dense.derivatives = (carom_derivative_facts){0};
    dense.mass_is_constant = false;
    dense.d_forces = d_dense;
    guessed.d_forces = NULL;
    for (int k = 0; k < N_SCHEME; k++) {
        double q[3][31];
        ends_at(&given, implicit[k], 2e-6, 3e-4, q[0]);
        ends_at(&dense, implicit[k], 2e-6, 3e-4, q[1]);
        ends_at(&guessed, implicit[k], 2e-6, 3e-4, q[2]);
        for (int i = 0; i < 31; i++) {
            near(implicit[k], q[0][i], q[1][i], 1e-12 * 3e-5);
            near(implicit[k], q[0][i], q[2][i], 1e-7 * 3e-5);
        }
    }
    free_bar(&b);
}

static void patterns_give_the_motion_of_dense_matrices(void **state)
{
    (void)state;
    compare_with_dense(true);
    compare_with_dense(false); // forces do not depend on velocities
}

// 5000 elements, 20 steps: mass and derivatives are asked for by each evaluation at most once
static void thousands_of_unknowns_run_in_all_schemes(void **state)
{
    (void)state;
    bar b;
    assert_true(make_bar(&b, 5000));
    const carom_callbacks given = bar_callbacks(&b);
    double *q = calloc((size_t)b.n, sizeof *q);
    for (int k = 0; k < N_SCHEME; k++) {
        b.n_mass = b.n_d = b.n_force = 0;
        ends_at(&given, implicit[k], 2e-8, 4e-7, q);
        if (b.n_mass > 12 || b.n_d > 8)
            fail_msg("%s asked %ld times for the mass, %ld times for derivatives", implicit[k],
                     b.n_mass, b.n_d);
        assert_true(b.n_force >= 20);
        near("at the wall", q[0], -b.gap, 1.1 * 2e-9);
    }
    free(q);
    free_bar(&b);
}

// v0/(M^-1)_00 = v0 rho S l/(2 sqrt 3), and half of v0 times that is lost
static void the_first_impulse_has_a_closed_form(void **state)
{
    (void)state;
    bar b;
    carom_error error = {0};
    assert_true(make_bar(&b, 5000));
    const carom_callbacks given = bar_callbacks(&b);
    carom_model *model = model_of(&given);
    carom_sim_options options = carom_sim_default();
    options.scheme = "tdg_velocity";
    options.step = 2e-8;
    options.end = 1;
    carom_sim *sim;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    double P = 0;
    for (int k = 0; k < 20 && P == 0; k++) {
        must(carom_sim_step(sim, &error), &error);
        P = carom_sim_state(sim)->P[0];
    }
    near("impulse", P, 0.1 * b.mass / (2 * sqrt(3)), 1e-12 * P);
    near("impulse of the reference", P, 1.414763504e-5, 1e-9 * P);
    carom_sim_free(sim);
    carom_model_free(model);
    free_bar(&b);
}

// ---- what is refused ----

static void refuse(const carom_callbacks *given, const char *words)
{
    carom_error error = {0};
    carom_model *model = NULL;
    assert_int_not_equal(carom_model_from_callbacks(given, &model, &error), CAROM_OK);
    assert_null(model);
    if (!strstr(error.message, words)) fail_msg("'%s' does not say '%s'", error.message, words);
}

static void wrong_patterns_are_refused(void **state)
{
    (void)state;
    bar b;
    assert_true(make_bar(&b, 5));
    b.damping = 1;
    const carom_callbacks good = bar_callbacks(&b);
    carom_callbacks given = good;
    given.derivatives.df_du_start = NULL;
    refuse(&given, "both df/dq and df/du");
    given = good;
    given.derivatives.df_dq_index = NULL;
    refuse(&given, "derivatives.df_dq_start");
    int index[20], start[8];
    memcpy(index, b.index, sizeof(int) * (size_t)b.start[b.n]);
    memcpy(start, b.start, sizeof(int) * (size_t)(b.n + 1));
    index[3] = 6; // there are 6 columns, from 0
    given = good;
    given.derivatives.df_du_index = index;
    refuse(&given, "derivatives.df_du_start and derivatives.df_du_index are no pattern: row 1");
    start[0] = 1;
    given = good;
    given.derivatives.df_dq_start = start;
    refuse(&given, "derivatives.df_dq_start");
    start[0] = 0;
    start[3] = start[2] - 1;
    refuse(&given, "derivatives.df_dq_start");
    given = good;
    given.rows = NULL;
    given.sparse_rows = (int (*)(void *, double, const double *, const carom_row_lists *))(
        void (*)(void))rows; // never called
    given.max_entries = 1;
    refuse(&given, "are not constant");
    // a pattern without entries needs no index
    const int none[7] = {0};
    given = good;
    given.derivatives.df_du_start = none;
    given.derivatives.df_du_index = NULL;
    carom_model_free(model_of(&given));
    free_bar(&b);
}

// large models say what they lack
static void large_models_say_what_is_missing(void **state)
{
    (void)state;
    bar b;
    assert_true(make_bar(&b, 300));
    const carom_callbacks good = bar_callbacks(&b);
    const char *const words[] = {"patterns of df/dq", "mass_is_constant", "rows_are_constant"};
    for (int k = 0; k < 3; k++) {
        carom_callbacks given = good;
        if (k == 0) given.derivatives = (carom_derivative_facts){.rows_are_constant = true};
        if (k == 1) given.mass_is_constant = false;
        if (k == 2) given.derivatives.rows_are_constant = false;
        carom_model *model = model_of(&given);
        carom_error error = {0};
        carom_sim_options options = carom_sim_default();
        carom_sim *sim = NULL;
        options.scheme = "nonsmooth_gen_alpha";
        options.step = 1e-7;
        options.end = 1e-6;
        carom_status status = carom_sim_new(model, &options, &sim, &error);
        if (status == CAROM_OK) status = carom_sim_run(sim, &error);
        assert_int_equal(status, CAROM_BAD_INPUT);
        if (!strstr(error.message, words[k])) fail_msg("'%s' misses '%s'", error.message, words[k]);
        carom_sim_free(sim);
        carom_model_free(model);
    }
    free_bar(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_runs),
        cmocka_unit_test(patterns_give_the_motion_of_dense_matrices),
        cmocka_unit_test(thousands_of_unknowns_run_in_all_schemes),
        cmocka_unit_test(the_first_impulse_has_a_closed_form),
        cmocka_unit_test(wrong_patterns_are_refused),
        cmocka_unit_test(large_models_say_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
