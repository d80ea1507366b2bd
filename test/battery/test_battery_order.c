// SPDX-License-Identifier: Apache-2.0
// The declared order of every scheme, measured: in free motion with forces that depend on the
// velocity, and with impacts (positions of a bouncing ball before its bounces accumulate, against
// the closed form).
#include "battery/battery_rig.h"

// two coupled coordinates, mass and inertia forces depend on the state, damping and drive
static const char *const swinging =
    "carom: 1\n"
    "coordinates: {x: {start: 0.3, rate: -0.5}, a: {start: 0.8, rate: 1}}\n"
    "kinetic: der(x)^2 + (der(x) + cos(a)*der(a))^2/2 + (sin(a)*der(a))^2/2\n"
    "potential: 2*x^2 - 9.81*cos(a)\n"
    "forces:\n"
    "  - {coordinate: a, force: -0.4*der(a)}\n"
    "  - {coordinate: x, force: -0.3*der(x) + sin(3*t)}\n";
// the same kind of motion where forces and mass depend on position and time only
static const char *const sprung =
    "carom: 1\n"
    "coordinates: {x: {start: 0.3, rate: -0.5}, a: {start: 0.8, rate: 1}}\n"
    "kinetic: der(x)^2 + der(a)^2/2 + der(a)*der(x)/2\n"
    "potential: 2*x^2 - 9.81*cos(a + x) - x*sin(3*t)\n";

// these evaluate f at the old velocity, as their formula says: order 2 holds for forces of position
// and time
static bool has_lagging_velocity(const carom_scheme *scheme)
{
    static const char *const names[] = {"moreau_midpoint", "ggl_decoupled"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(scheme->name, names[i]) == 0) return true;
    return false;
}

static void end_position(const carom_model *model, const carom_scheme *scheme, double h, double *q)
{
    carom_sim *sim = accepted_sim(model, scheme, h, 1);
    assert_non_null(sim);
    run_to_end(sim);
    memcpy(q, carom_sim_state(sim)->q, 2 * sizeof *q);
    carom_sim_free(sim);
}

// Richardson: the order is log2 of |x(h) - x(h/2)| over |x(h/2) - x(h/4)|
static double measured_order(const carom_model *model, const carom_scheme *scheme, double h)
{
    double q[3][2];
    for (int k = 0; k < 3; k++) end_position(model, scheme, h / (1 << k), q[k]);
    const double coarse = hypot(q[0][0] - q[1][0], q[0][1] - q[1][1]);
    const double fine = hypot(q[1][0] - q[2][0], q[1][1] - q[2][1]);
    return log2(coarse / fine);
}

static void free_motion_converges_with_the_declared_order(void **state)
{
    (void)state;
    carom_model *model[2] = {model_from_text(swinging), model_from_text(sprung)};
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        // high orders need large steps to stay above rounding; adaptive ones are measured by their
        // own tests
        if (scheme->is_adaptive || scheme->order_free > 2) continue;
        const double order = measured_order(model[has_lagging_velocity(scheme)], scheme, 1. / 256);
        // one step of Richardson leaves an error of order h: 0.1 is ten times that
        near(scheme->name, order, scheme->order_free, 0.1);
    }
    carom_model_free(model[0]);
    carom_model_free(model[1]);
}

// between the second and the third bounce (1.26 s, 2.0 s)
static const double END = 1.625;

// height of the ball from 1 m after a number of bounces with restitution e
static double exact_height(double t, double e)
{
    double v = sqrt(2 * 9.81), at = sqrt(2 / 9.81);
    if (t <= at) return 1 - 0.5 * 9.81 * t * t;
    for (v *= e; t > at + 2 * v / 9.81; v *= e) at += 2 * v / 9.81;
    return v * (t - at) - 0.5 * 9.81 * (t - at) * (t - at);
}

// the error at a time depends on where in a step the impacts fall: the mean over neighbouring steps
// does not
static double mean_error(const carom_model *model, const carom_scheme *scheme, int n)
{
    enum { MANY = 8 };
    double sum = 0;
    for (int k = 0; k < MANY; k++) {
        carom_sim *sim = accepted_sim(model, scheme, END / (n + k * n / (2 * MANY)), END);
        assert_non_null(sim);
        run_to_end(sim);
        sum += fabs(carom_sim_state(sim)->q[0] - exact_height(END, 0.9)) / MANY;
        carom_sim_free(sim);
    }
    return sum;
}

static void impacts_converge_with_order_1(void **state)
{
    (void)state;
    carom_model *model = shipped_model("bouncing-ball", NULL, NULL);
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        if (!scheme->has_contact || scheme->is_adaptive) continue;
        const double coarse = mean_error(model, scheme, 400),
                     fine = mean_error(model, scheme, 6400);
        const double order = log2(coarse / fine) / 3;
        if (!(order >= scheme->order_contact - 0.2))
            fail_msg("%s: order %.3f with contact", scheme->name, order);
        // two impacts, each misplaced by up to two steps at twice the speed of the first
        assert_true(fine < 2 * 2 * END / 1600 * 2 * sqrt(2 * 9.81));
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motion_converges_with_the_declared_order),
        cmocka_unit_test(impacts_converge_with_order_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
