// SPDX-License-Identifier: Apache-2.0
// counts allocations: the mixed event-capturing scheme. Its order between impacts and through them,
// with fixed steps; closed forms of a bouncing ball, a release and a forced ball; the slider-crank
// against the independent reference; tolerances, restarts, what it refuses.
#include "count_allocations.h"
#include "model/model_rig.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// a pendulum with a drag that hits a stop: nothing about it is linear
static const char hammer[] = "carom: 1\ncoordinates: {phi: {start: 1.2}}\nkinetic: der(phi)^2/2\n"
                             "potential: -9.81*cos(phi)\n"
                             "forces: [{coordinate: phi, force: -0.02*der(phi)^3 + 0.3*cos(3*t)}]\n"
                             "contacts: [{name: stop, gap: sin(phi) + 0.3, restitution: 0.8}]\n";

typedef struct asked {
    const char *scheme, *smooth, *nonsmooth;
    double step, tolerance, end;
} asked;

static carom_sim *make(const carom_model *model, asked how)
{
    carom_error error = {0};
    carom_sim *sim;
    const carom_setting setting[] = {
        {.name = text_of("smooth"), .value = text_of(how.smooth ? how.smooth : "phem56")},
        {.name = text_of("nonsmooth"), .value = text_of(how.nonsmooth ? how.nonsmooth : "1")}};
    carom_sim_options options = carom_sim_default();
    options.scheme = how.scheme ? how.scheme : "event_capturing";
    options.step = how.step;
    options.tolerance = how.tolerance;
    options.end = how.end;
    options.setting = setting;
    options.n_setting = how.scheme ? 1 : 2;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static double end_of(const carom_model *model, asked how)
{
    carom_sim *sim = make(model, how);
    run_to_end(sim);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    const double q = carom_sim_state(sim)->q[0];
    carom_sim_free(sim);
    return q;
}

static double exact_end(const carom_model *model, double end)
{
    return end_of(model, (asked){.scheme = "event_driven", .tolerance = 1e-13, .end = end});
}

// from a step to a quarter of it; chance is in the length of the step that is cut
static double order_of(const carom_model *model, const char *smooth, double end, double h)
{
    const double exact = exact_end(model, end);
    const double coarse = end_of(model, (asked){.smooth = smooth, .step = h, .end = end});
    const double fine = end_of(model, (asked){.smooth = smooth, .step = h / 4, .end = end});
    return 0.5 * log2(fabs(coarse - exact) / fabs(fine - exact));
}

// 0.35 s: before the first impact; 0.9 s: between the second and the third; 3 s: behind all
static void the_order_is_that_of_the_smooth_solver_through_impacts_too(void **state)
{
    (void)state;
    static const double end[] = {0.35, 0.9, 3};
    carom_model *model = model_from_text(hammer);
    for (int i = 0; i < 3; i++) {
        const double five = order_of(model, "phem56", end[i], 0.02),
                     four = order_of(model, "rkf45", end[i], 0.02);
        if (!(five >= 4.5) || !(four >= 3.5))
            fail_msg("to %g s: order %.2f with phem56, %.2f with rkf45", end[i], five, four);
    }
    carom_model_free(model);
}

// the error of an event is what the option asks for: 1e4 times as much is seen
static void nonsmooth_steps_cost_what_they_may(void **state)
{
    (void)state;
    carom_model *model = model_from_text(hammer);
    const double exact = exact_end(model, 3);
    asked how = {.tolerance = 1e-9, .end = 3};
    const double as_it_is = fabs(end_of(model, how) - exact);
    how.nonsmooth = "1e4";
    const double longer = fabs(end_of(model, how) - exact);
    assert_true(as_it_is < 1e-8 && longer > 10 * as_it_is && longer < 1e-4);
    carom_model_free(model);
}

static void the_error_follows_the_tolerance(void **state)
{
    (void)state;
    static const char *const smooth[] = {"phem56", "hem5", "rkf45", "mexx"};
    carom_model *model = model_from_text(hammer);
    const double exact = exact_end(model, 3);
    for (int i = 0; i < 4; i++)
        for (int k = 5; k <= 11; k++) {
            const double tolerance = pow(10, -k);
            const double off =
                fabs(end_of(model, (asked){.smooth = smooth[i], .tolerance = tolerance, .end = 3}) -
                     exact);
            if (!(off <= 50 * tolerance)) fail_msg("%s at %g: %g", smooth[i], tolerance, off);
        }
    carom_model_free(model);
}

// flights of 2 e^n t1; at rest behind t1 (1 + e)/(1 - e)
static void a_ball_bounces_as_it_should_and_comes_to_rest(void **state)
{
    (void)state;
    const double g = 9.81, e = 0.9, t1 = sqrt(2 / g), v1 = g * t1;
    carom_model *model = shipped_model("bouncing-ball", NULL, NULL);
    double t = t1;
    for (int n = 1; n <= 12; n++) { // the top of each flight
        const double rise = pow(e, n) * v1, top = t + rise / g;
        const double z = end_of(model, (asked){.tolerance = 1e-10, .end = top});
        near("top", z, rise * rise / (2 * g), 1e-9);
        t += 2 * rise / g;
    }
    carom_sim *sim = make(model, (asked){.tolerance = 1e-9, .end = 10});
    carom_audit audit;
    carom_error error = {0};
    run_to_end(sim);
    must(carom_sim_audit(sim, &audit, NULL, &error), &error);
    near("at rest", carom_sim_state(sim)->q[0], 0, 1e-14);
    near("its force", carom_sim_state(sim)->la[0], g, 1e-12);
    near("energy", audit.energy_error, 0, 1e-8);
    assert_true(audit.min_gap >= -1e-14 && carom_sim_counts(sim).steps < 400);
    carom_sim_free(sim);
    carom_model_free(model);
}

// leaves the dome where cos(phi) = 2/3 cos(0.1), then falls freely
static void a_contact_lets_go_where_its_force_vanishes(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = shipped_model("dome", NULL, NULL);
    carom_sim *sim = make(model, (asked){.tolerance = 1e-11, .end = 1.5});
    double phi = 0;
    while (carom_sim_state(sim)->t < 1.5) {
        must(carom_sim_step(sim, &error), &error);
        const carom_state *now = carom_sim_state(sim);
        if (now->is_active[0]) phi = atan2(now->q[0], now->q[1]);
    }
    near("angle", phi, 0.8455282018568607, 1e-8);
    near("end", carom_sim_state(sim)->q[0],
         end_of(model, (asked){.scheme = "event_driven", .tolerance = 1e-12, .end = 1.5}), 1e-9);
    carom_sim_free(sim);
    carom_model_free(model);
}

// two corners hit at once; rates behind the impacts of the independent reference
static void the_slider_crank_hits_with_the_reference(void **state)
{
    (void)state;
    static const double t[] = {0.0026925027520212216, 0.005607797868070916, 0.007465635169560769,
                               0.008409252749070652, 0.008831642160548932};
    static const double u[][2] = {{108.79372856053436, -52.87518787462287},
                                  {81.52450238368775, -34.828484877714914},
                                  {73.44688479569702, -28.190228860472565},
                                  {70.72528355254845, -25.474714897441295},
                                  {69.72806829405671, -24.35375131448914}};
    carom_error error = {0};
    carom_model *model = shipped_model("slider-crank", "mu", "0");
    carom_sim *sim = make(model, (asked){.tolerance = 1e-11, .end = 0.009});
    int n = 0;
    while (n < 5) {
        must(carom_sim_step(sim, &error), &error);
        const carom_state *now = carom_sim_state(sim);
        const double *P = now->P;
        if (!(P[0] > 1e-6 && P[2] > 1e-6)) continue;
        near("time", now->t, t[n], 1e-9);
        near("crank", now->u[0], u[n][0], 1e-6);
        near("rod", now->u[1], u[n][1], 1e-6);
        n++;
    }
    carom_sim_free(sim);
    carom_model_free(model);
}

static void steps_take_no_memory_and_restarts_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const smooth[] = {"phem56", "mexx"};
    carom_error error = {0};
    char path[] = "/tmp/carom-capturing-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    carom_model *model = shipped_model("rocking-block", NULL, NULL);
    for (int i = 0; i < 2; i++) {
        const asked how = {.smooth = smooth[i], .tolerance = 1e-8, .end = 3};
        carom_sim *whole = make(model, how), *part = make(model, how);
        const long before = n_allocation;
        for (int k = 0; k < 21; k++) must(carom_sim_step(whole, &error), &error);
        assert_int_equal(n_allocation, before);
        must(carom_sim_checkpoint(whole, path, &error), &error);
        must(carom_sim_restart(part, path, &error), &error);
        run_to_end(whole);
        run_to_end(part);
        const carom_state *x = carom_sim_state(whole), *y = carom_sim_state(part);
        assert_memory_equal(x->q, y->q, sizeof(double) * 3);
        assert_memory_equal(x->u, y->u, sizeof(double) * 3);
        assert_int_equal(carom_sim_counts(whole).steps, carom_sim_counts(part).steps);
        carom_sim_free(whole);
        carom_sim_free(part);
    }
    unlink(path);
    carom_model_free(model);
}

static void what_it_cannot_do_is_refused_by_name(void **state)
{
    (void)state;
    static const char shapes[] =
        "carom: 1\nname: t\nspace: plane\nbodies:\n"
        "  ball: {density: 1000, at: [0, 2], shape: {disk: [0, 0], radius: 0.1}, material: m}\n"
        "  box: {density: 1000, at: [0, 1], shape: {box: [1, 1]}, material: m}\n"
        "materials: [{between: [m, m], restitution: 0.5}]\ndetection: {lasting: 0}\n";
    static const char stronge[] =
        "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
        "contacts: [{name: floor, gap: y, restitution: 0.5, law: stronge}]\n";
    static const struct {
        const char *model, *text, *why;
    } wrong[] = {{"block-on-belt", NULL, "cannot do friction"},
                 {"plane-parabola", NULL, "is one: a patch of a surface"},
                 {NULL, shapes, "is one of shapes"},
                 {NULL, stronge, "takes no impact law stronge at contact 'floor'"},
                 {"circuit-breaker", NULL, "has no forces of limited strength"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        carom_error error = {0};
        carom_sim *sim = NULL;
        carom_model *model = wrong[i].text ? model_from_text(wrong[i].text)
                                           : shipped_model(wrong[i].model, NULL, NULL);
        carom_sim_options options = carom_sim_default();
        options.scheme = "event_capturing";
        options.tolerance = 1e-6;
        options.end = 1;
        assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
        if (!strstr(error.message, wrong[i].why)) fail_msg("%s", error.message);
        assert_non_null(strstr(error.message, "event_capturing"));
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_the_smooth_solver_through_impacts_too),
        cmocka_unit_test(nonsmooth_steps_cost_what_they_may),
        cmocka_unit_test(the_error_follows_the_tolerance),
        cmocka_unit_test(a_ball_bounces_as_it_should_and_comes_to_rest),
        cmocka_unit_test(a_contact_lets_go_where_its_force_vanishes),
        cmocka_unit_test(the_slider_crank_hits_with_the_reference),
        cmocka_unit_test(steps_take_no_memory_and_restarts_have_the_same_bits),
        cmocka_unit_test(what_it_cannot_do_is_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
