// SPDX-License-Identifier: Apache-2.0
// Painleve's rod slides into a dynamic jam: with J = m l^2/3 and the tip moving backward
//
//     w_N M^-1 (w_N + mu w_T) = 1 + 3 cos(th) (cos(th) - mu sin(th)) = A(th)
//
// goes to zero while the tip is pressed down, and the force -b/A grows without bound. An impulse on
// the edge of the friction cone stops the tip; the run goes on.
#include "event_driven_rig.h"

static const double mu = 2;

static const char rod[] = "carom: 1\n"
                          "name: rod\n"
                          "parameters: {th0: 0.22613, spin: 2.408836}\n"
                          "coordinates:\n"
                          "  x: {start: cos(th0), rate: -10}\n"
                          "  y: {start: sin(th0), rate: spin*cos(th0)}\n"
                          "  th: {start: th0, rate: spin}\n"
                          "kinetic: (der(x)^2 + der(y)^2 + der(th)^2/3)/2\n"
                          "potential: 9.81*y\n"
                          "contacts:\n"
                          "  - name: tip\n"
                          "    gap: y - sin(th)\n"
                          "    slip: x - cos(th)\n"
                          "    friction: 2\n";

// the state at the jam, by steps: the first impact is it
static double angle_at_first_impact(run *r, const plan *p)
{
    carom_error error = {0};
    begin(r, p);
    while (count(r, CAROM_IMPACT) == 0) must(carom_sim_step(r->sim, &error), &error);
    const double th = carom_sim_state(r->sim)->q[2];
    const double *u = carom_sim_state(r->sim)->u;
    // the tip has stopped
    is_near(u[0] + u[2] * sin(th), 0, 1e-12);
    is_near(u[1] - u[2] * cos(th), 0, 1e-12);
    return th;
}

static void a_rod_that_slides_into_a_jam_is_stopped_by_an_impulse(void **state)
{
    (void)state;
    run r;
    const plan p = {.text = rod, .tolerance = 1e-8, .end = 2};
    const double th = angle_at_first_impact(&r, &p);
    is_near(1 + 3 * cos(th) * (cos(th) - mu * sin(th)), 0, 1e-6);
    const carom_event *jam = find(&r, CAROM_IMPACT, 0);
    is_near(jam->rate_before, 0, 1e-12);
    assert_true(jam->P > 0 && jam->energy_lost > 0);
    end(&r);
}

// how near to infinity the force gets, and how much of the slip it stops on the way, is the step's
// own; what comes after is not: the tip leaves from rest, and falls back at the same time
static void the_motion_after_a_jam_is_that_of_every_solver_and_tolerance(void **state)
{
    (void)state;
    static const char *const smooth[] = {"phem56", "hem5", "rkf45"};
    static const double tolerance[] = {1e-7, 1e-8, 1e-9, 1e-10};
    double t = 0, rate = 0;
    for (int i = 0; i < 12; i++) {
        run r;
        go(&r,
           &(plan){
               .text = rod, .smooth = smooth[i / 4], .tolerance = tolerance[i % 4], .end = 1.3});
        const carom_event *back = find(&r, CAROM_IMPACT, count(&r, CAROM_IMPACT) - 1);
        if (i == 0) {
            t = back->t;
            rate = back->rate_before;
        }
        is_near(find(&r, CAROM_OPEN, 0)->t, 0.1900999, 1e-6);
        is_near(back->t, t, 1e-5);
        is_near(back->rate_before, rate, 1e-4);
        end(&r);
    }
}

static void the_run_goes_on_after_the_jam(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = rod, .tolerance = 1e-8, .end = 2});
    assert_true(carom_sim_state(r.sim)->t == 2);
    assert_true(count(&r, CAROM_IMPACT) >= 2); // it comes down again
    const carom_audit a = audit(&r);
    assert_true(a.energy_end < a.energy_start && a.impact_loss + a.friction_loss > 0);
    // forces grow like 1/A: friction's work over the last steps is known to the tolerance only
    is_near(a.energy_error, 0, 1e-6 * a.energy_start);
    assert_int_equal(carom_sim_counts(r.sim).energy_rises, 0);
    end(&r);
}

// in space, with directions of slip that are turned by any angle against the rod's plane
static void a_rod_in_space_jams_as_in_its_plane(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        char text[1024];
        run r;
        snprintf(text, sizeof text,
                 "carom: 1\nparameters: {th0: 0.22613, spin: 2.408836, a: %g}\n"
                 "coordinates:\n  x: {start: cos(th0), rate: -10}\n"
                 "  y: {start: sin(th0), rate: spin*cos(th0)}\n"
                 "  th: {start: th0, rate: spin}\n  z: {}\n"
                 "kinetic: (der(x)^2 + der(y)^2 + der(th)^2/3 + der(z)^2)/2\n"
                 "potential: 9.81*y\ncontacts:\n  - name: tip\n    gap: y - sin(th)\n"
                 "    slip: [cos(a)*(x - cos(th)) + sin(a)*z, cos(a)*z - sin(a)*(x - cos(th))]\n"
                 "    friction: 2\n",
                 0.3 + 1.6 * turn);
        const plan p = {.text = text, .tolerance = 1e-8, .end = 0.5};
        const double th = angle_at_first_impact(&r, &p);
        is_near(1 + 3 * cos(th) * (cos(th) - mu * sin(th)), 0, 1e-6);
        is_near(find(&r, CAROM_IMPACT, 0)->rate_before, 0, 1e-12);
        is_near(carom_sim_state(r.sim)->u[3], 0, 1e-9); // nothing pushes it aside
        carom_error error = {0};
        must(carom_sim_run(r.sim, &error), &error);
        is_near(find(&r, CAROM_OPEN, 0)->t, 0.1900999, 1e-6);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_slides_into_a_jam_is_stopped_by_an_impulse),
        cmocka_unit_test(the_motion_after_a_jam_is_that_of_every_solver_and_tolerance),
        cmocka_unit_test(the_run_goes_on_after_the_jam),
        cmocka_unit_test(a_rod_in_space_jams_as_in_its_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
