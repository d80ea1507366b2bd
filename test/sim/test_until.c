// SPDX-License-Identifier: Apache-2.0
// Runs that start from any state and are stopped on their way: at times, at events with the states
// on both sides, where a record entry goes through zero.
#include "sim/live_rig.h"

#include <math.h>
#include <string.h>

static void near(double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance)) fail_msg("%.17g is not %.17g", is, should);
}

static const double PI = 3.14159265358979323846;

// a mass on a spring with a stop on the far side, and a ball: x = cos t, free
static const char swing[] = "carom: 1\n"
                            "name: swing\n"
                            "parameters: {e: 0.5, d: 5, w: 1, g: 10}\n"
                            "coordinates: {x: {start: 1}, y: {start: 5}}\n"
                            "kinetic: 0.5*der(x)^2 + 0.5*der(y)^2\n"
                            "potential: 0.5*w^2*x^2 + g*y\n"
                            "forces: [{coordinate: x, force: 0*sin(7*t)}]\n"
                            "contacts: [{name: stop, gap: d - x, restitution: e},\n"
                            "           {name: floor, gap: y, restitution: e}]\n"
                            "record: {zero: x, slow: der(x), push: floor.normal + x}\n";

static carom_status try_make(const carom_model *model, const char *scheme, const char *section,
                             double step, carom_sim **sim, carom_error *error)
{
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.section = section;
    options.step = step;
    options.tolerance = step > 0 ? 0 : 1e-11;
    options.end = 20;
    return carom_sim_new(model, &options, sim, error);
}

static carom_sim *make(const char *scheme, const char *section, double step)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_model *model = live_from_text(swing, "", &error);
    if (!model || try_make(model, scheme, section, step, &sim, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    carom_model_free(model);
    return sim;
}

static carom_reached run(carom_sim *sim, carom_stop stop)
{
    carom_error error = {0};
    carom_reached reached = CAROM_REACHED_END;
    if (carom_sim_run_until(sim, &stop, &reached, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return reached;
}

static carom_stop crossing(int direction)
{
    carom_stop stop = carom_stop_default();
    stop.crossing = direction;
    return stop;
}

static void zeros_are_found_to_rounding(void **state)
{
    (void)state;
    carom_sim *sim = make("event_driven", "zero", 0);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run(sim, crossing(2)), CAROM_REACHED_CROSSING);
        near(carom_sim_state(sim)->t, (k + 0.5) * PI, 1e-9);
        near(carom_sim_state(sim)->q[0], 0, 1e-13);
        assert_int_equal(carom_sim_crossing(sim), k % 2 ? 1 : -1);
    }
    assert_int_equal(run(sim, crossing(1)), CAROM_REACHED_CROSSING);
    near(carom_sim_state(sim)->t, 5.5 * PI, 1e-8);
    carom_sim_free(sim);
}

// starting with der(x) = 0 is no crossing: the first is at pi
static void a_start_on_the_section_is_no_crossing(void **state)
{
    (void)state;
    carom_sim *sim = make("event_driven", "slow", 0);
    assert_int_equal(run(sim, crossing(2)), CAROM_REACHED_CROSSING);
    near(carom_sim_state(sim)->t, PI, 1e-9);
    assert_int_equal(carom_sim_crossing(sim), 1);
    carom_sim_free(sim);
    sim = make("moreau_midpoint", "slow", 1e-3);
    assert_int_equal(run(sim, crossing(2)), CAROM_REACHED_CROSSING);
    near(carom_sim_state(sim)->t, PI, 1e-3);
    assert_true(carom_sim_before(sim)->t < PI && carom_sim_state(sim)->t >= PI - 1e-6);
    carom_sim_free(sim);
}

// the ball falls 5 m in 1 s, meets the floor with 10 m/s and leaves it with 5 m/s
static void events_have_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double step, tolerance;
    } way[] = {{"event_driven", 0, 1e-10}, {"moreau_midpoint", 1e-4, 2e-3}};
    for (int i = 0; i < 2; i++) {
        carom_sim *sim = make(way[i].scheme, NULL, way[i].step);
        carom_stop stop = carom_stop_default();
        stop.events = 1u << CAROM_IMPACT;
        stop.contact = 1;
        assert_int_equal(run(sim, stop), CAROM_REACHED_EVENT);
        near(carom_sim_state(sim)->t, 1, way[i].tolerance);
        near(carom_sim_before(sim)->u[1], -10, way[i].tolerance);
        near(carom_sim_state(sim)->u[1], 5, way[i].tolerance);
        stop.contact = 0; // that one is never met
        assert_int_equal(run(sim, stop), CAROM_REACHED_END);
        carom_sim_free(sim);
    }
}

static void times_are_met_exactly(void **state)
{
    (void)state;
    carom_sim *sim = make("event_driven", NULL, 0);
    carom_stop stop = carom_stop_default();
    for (int k = 1; k < 4; k++) {
        stop.t = 0.3 * k;
        assert_int_equal(run(sim, stop), CAROM_REACHED_TIME);
        assert_true(carom_sim_state(sim)->t == stop.t);
        near(carom_sim_state(sim)->q[0], cos(stop.t), 1e-9);
    }
    assert_int_equal(run(sim, stop), CAROM_REACHED_TIME); // it is there already
    carom_sim_free(sim);
}

// from a state at t = 7 with another stiffness: x = cos(2 (t - 7)); then farther than the end
static void a_run_starts_anywhere_and_goes_on(void **state)
{
    (void)state;
    const double q[] = {1, 100}, u[] = {0, 0};
    const carom_moment from = {7, q, u};
    const carom_parameter w = {"w", 2};
    static const char *const scheme[] = {"event_driven", "moreau_midpoint"};
    for (int i = 0; i < 2; i++) {
        carom_error error = {0};
        carom_sim *sim = make(scheme[i], NULL, i ? 1e-3 : 0);
        carom_stop stop = carom_stop_default();
        assert_int_equal(carom_sim_start_from(sim, &from, &w, 1, &error), CAROM_OK);
        assert_true(carom_sim_state(sim)->t == 7);
        stop.t = 9;
        assert_int_equal(run(sim, stop), CAROM_REACHED_TIME);
        near(carom_sim_state(sim)->q[0], cos(2 * (carom_sim_state(sim)->t - 7)), 1e-5);
        assert_int_equal(run(sim, carom_stop_default()), CAROM_REACHED_END);
        near(carom_sim_state(sim)->t, 20, 1e-12);
        assert_int_equal(carom_sim_set_end(sim, 25, &error), CAROM_OK);
        assert_int_equal(run(sim, carom_stop_default()), CAROM_REACHED_END);
        near(carom_sim_state(sim)->t, 25, 1e-12);
        near(carom_sim_state(sim)->q[0], cos(36), 1e-4);
        assert_int_equal(carom_sim_reset(sim, &error), CAROM_OK);
        assert_true(carom_sim_state(sim)->t == 0 && carom_sim_state(sim)->q[1] == 5);
        carom_sim_free(sim);
    }
}

// what comes from a state is the same again, and the same as in a new simulation
static void a_start_from_a_state_forgets_what_was(void **state)
{
    (void)state;
    const double q[] = {0.3, 2}, u[] = {1, -1};
    const carom_moment from = {0.25, q, u};
    carom_error error = {0};
    double end[3];
    carom_sim *sim = make("event_driven", "zero", 0);
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            carom_sim_free(sim);
            sim = make("event_driven", "zero", 0);
        }
        assert_int_equal(carom_sim_start_from(sim, &from, NULL, 0, &error), CAROM_OK);
        while (run(sim, crossing(2)) == CAROM_REACHED_CROSSING)
            ;
        end[i] = carom_sim_state(sim)->q[1];
    }
    assert_true(end[0] == end[1] && end[1] == end[2]);
    carom_sim_free(sim);
}

static void wrong_asks_are_refused(void **state)
{
    (void)state;
    carom_error error = {0}, deep = {0}, late = {0}, none = {0}, felt = {0}, past = {0};
    carom_model *model = live_from_text(swing, "", &error);
    carom_sim *sim = NULL;
    assert_int_equal(try_make(model, "event_driven", "zer", 0, &sim, &none), CAROM_BAD_INPUT);
    assert_non_null(strstr(none.message, "did you mean 'zero'"));
    assert_int_equal(try_make(model, "event_driven", "push", 0, &sim, &felt), CAROM_BAD_INPUT);
    assert_non_null(strstr(felt.message, "forces or accelerations"));
    carom_model_free(model);
    sim = make("event_driven", NULL, 0);
    const double under[] = {1, -3}, still[] = {0, 0}, good[] = {1, 1};
    const carom_moment a = {0, under, still}, b = {20, good, still};
    assert_int_equal(carom_sim_start_from(sim, &a, NULL, 0, &deep), CAROM_BAD_INPUT);
    assert_non_null(strstr(deep.message, "'floor' is 3 m deep"));
    assert_int_equal(carom_sim_start_from(sim, &b, NULL, 0, &late), CAROM_BAD_INPUT);
    assert_non_null(strstr(late.message, "not before the end"));
    assert_true(carom_sim_state(sim)->q[1] == 5); // as it was
    carom_reached reached;
    const carom_stop stop = crossing(1);
    assert_int_equal(carom_sim_run_until(sim, &stop, &reached, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_sim_set_end(sim, 0, &past), CAROM_BAD_INPUT);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_found_to_rounding),
        cmocka_unit_test(a_start_on_the_section_is_no_crossing),
        cmocka_unit_test(events_have_both_sides),
        cmocka_unit_test(times_are_met_exactly),
        cmocka_unit_test(a_run_starts_anywhere_and_goes_on),
        cmocka_unit_test(a_start_from_a_state_forgets_what_was),
        cmocka_unit_test(wrong_asks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
