// SPDX-License-Identifier: Apache-2.0
// The slider-crank by words: carried by coordinates it has the equations of the equation model and
// moves like it in every scheme; by free bodies and pins it is the same machine, and event_driven
// finds the same 206 events.
#include "physics/rig.h"

static const char *const smooth_walls[] = {"mu=0", NULL};

static bool opens(rig *r, const char *model, const char *scheme, const char *const *change)
{
    char path[512];
    carom_sim_options options = carom_sim_default();
    memset(r, 0, sizeof *r);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, model);
    rig_must(r, carom_modelfile_read(path, &r->file, &r->error));
    rig_change(r, change);
    rig_must(r, carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error));
    options.scheme = scheme;
    options.step = 1e-5;
    options.end = 0.01;
    return carom_sim_new(r->model, &options, &r->sim, &r->error) == CAROM_OK;
}

// difference of states, relative to rates of 100 rad/s
static double apart(const carom_state *a, const carom_state *b)
{
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(a->q[i] - b->q[i]));
        worst = fmax(worst, fabs(a->u[i] - b->u[i]) / 100);
    }
    return worst;
}

// 1000 steps, some with impacts: rounding grows with the motion, not by itself
static void compare_scheme(const char *scheme, const char *const *change)
{
    rig equations, carried;
    const bool is_taken = opens(&equations, "slider-crank", scheme, change);
    assert_int_equal(opens(&carried, "slider-crank-carried", scheme, change), is_taken);
    for (int k = 1; is_taken && k <= 1000; k++) {
        const carom_status a = carom_sim_step(equations.sim, &equations.error),
                           b = carom_sim_step(carried.sim, &carried.error);
        assert_int_equal(a, b);
        if (a != CAROM_OK) break; // both are at their end
        const double far = apart(rig_state(&equations), rig_state(&carried));
        if (far > 1e-12 * k) fail_msg("%s: %g apart after %d steps", scheme, far, k);
    }
    rig_close(&equations);
    rig_close(&carried);
}

static void carried_bodies_move_like_equations_in_every_scheme(void **state)
{
    (void)state;
    for (int i = 0; i < carom_scheme_count(); i++) {
        compare_scheme(carom_scheme_at(i)->name, NULL);
        compare_scheme(carom_scheme_at(i)->name, smooth_walls);
    }
}

static void run_to_end(rig *r, const char *model)
{
    carom_sim_options options = carom_sim_default();
    char path[512];
    memset(r, 0, sizeof *r);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, model);
    rig_must(r, carom_modelfile_read(path, &r->file, &r->error));
    rig_must(r, carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error));
    options.scheme = "event_driven";
    options.tolerance = 1e-10;
    options.end = 0.1;
    rig_must(r, carom_sim_new(r->model, &options, &r->sim, &r->error));
    rig_must(r, carom_sim_run(r->sim, &r->error));
}

static void free_bodies_have_the_same_events(void **state)
{
    static const int angle[] = {2, 5, 8}; // of crank, rod and slider
    rig equations, bodies;
    (void)state;
    run_to_end(&equations, "slider-crank");
    run_to_end(&bodies, "slider-crank-bodies");
    assert_int_equal(carom_sim_counts(equations.sim).events, 206);
    assert_int_equal(carom_sim_counts(bodies.sim).events, 206);
    for (int i = 0; i < 3; i++) {
        const carom_state *a = rig_state(&equations), *b = rig_state(&bodies);
        rig_near(b->q[angle[i]], a->q[i], 2e-9);
        rig_near(b->u[angle[i]], a->u[i], 2e-9 * 100);
    }
    rig_close(&equations);
    rig_close(&bodies);
}

// crank, rod and slider: largest distance of the angles at equal times, every 1e-4 s, in one scheme
static double distance_in_steps(const char *scheme, double h)
{
    static rig equations, bodies;
    static const int angle[] = {2, 5, 8};
    rig_plan plan = {.model = "slider-crank", .scheme = scheme, .step = h, .end = 0.004};
    double far = 0;
    rig_open(&equations, &plan);
    plan.model = "slider-crank-bodies";
    rig_open(&bodies, &plan);
    for (int k = 0; k < 40; k++) {
        rig_step(&equations, lround(1e-4 / h));
        rig_step(&bodies, lround(1e-4 / h));
        for (int i = 0; i < 3; i++)
            far = fmax(far, fabs(rig_state(&equations)->q[i] - rig_state(&bodies)->q[angle[i]]));
    }
    assert_true(equations.n_impact > 0 && bodies.n_impact > 0);
    rig_close(&equations);
    rig_close(&bodies);
    return far;
}

// equations and bodies make errors of the size of h of their own: measured 0.2 to 17 h
static void free_bodies_agree_to_the_step_in_time_stepping(void **state)
{
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity",
                                         "moreau_combined_projection", "nonsmooth_gen_alpha"};
    static const double step[] = {2e-5, 5e-6, 1.25e-6};
    (void)state;
    for (int i = 0; i < 5; i++) {
        double coarser = INFINITY;
        for (int k = 0; k < 3; k++) {
            const double far = distance_in_steps(scheme[i], step[k]);
            if (!(far <= 20 * step[k] && far <= coarser / 3))
                fail_msg("%s: %g apart with steps of %g, %g with four times that", scheme[i], far,
                         step[k], coarser);
            coarser = far;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried_bodies_move_like_equations_in_every_scheme),
        cmocka_unit_test(free_bodies_have_the_same_events),
        cmocka_unit_test(free_bodies_agree_to_the_step_in_time_stepping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
