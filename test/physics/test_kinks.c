// SPDX-License-Identifier: Apache-2.0
// label: slow
// A mass point on tracks with kinks, given by linear tables, abs, min, max, if, ..., against closed
// forms: inner corners take what points into them (e = 0: v cos of the angle is left), outer
// corners let the mass fly, a floor that starts to move hits. Every scheme to its order,
// event_driven to its tolerance.
#include "model/model_rig.h"

#include <math.h>

static const double G = 9.81, ANGLE = 0.52359877559829887308; // 30 degrees

typedef struct point {
    double x, y;
} point;

// a track with its start and what is known of the end
typedef struct track {
    const char *what, *contact, *tables;
    double x, y, vx, vy;
    double end;
    point expected;
} track;

static carom_model *model_of(const track *t)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\nparameters: {s: tan(deg(30)), g: 9.81}\n%s"
             "coordinates: {x: {start: %.17g, rate: %.17g}, y: {start: %.17g, rate: %.17g}}\n"
             "kinetic: (der(x)^2 + der(y)^2)/2\npotential: g*y\n"
             "contacts:\n  - name: track\n    %s\n",
             t->tables ? t->tables : "", t->x, t->vx, t->y, t->vy, t->contact);
    return finish_file(file_from_text(text));
}

static double error_of(const carom_model *model, const char *scheme, double step, const track *t)
{
    carom_sim *sim = sim_of(model, scheme, step, t->end);
    run_to_end(sim);
    const double *q = carom_sim_state(sim)->q;
    const double error = fmax(fabs(q[0] - t->expected.x), fabs(q[1] - t->expected.y));
    carom_audit audit;
    carom_error trouble = {0};
    must(carom_sim_audit(sim, &audit, NULL, &trouble), &trouble);
    // energies are books, too: what an impact takes is on them
    if (step == 0 && !(fabs(audit.energy_error) <= 1e-6))
        fail_msg("%s, %s: energy error %g", t->what, scheme, audit.energy_error);
    carom_sim_free(sim);
    return error;
}

// first order: which step meets the kink is chance, so the constant is that of a few full steps
static void expect_end(const track *t, bool has_friction)
{
    static const double step[] = {1e-3, 3.3e-4, 1e-4, 3.3e-5};
    carom_model *model = model_of(t);
    int n_tried = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_contact || scheme->takes.only_lasting) continue;
        if (has_friction && !scheme->has_friction) continue;
        n_tried++;
        for (int k = 0; k < (scheme->finds_events ? 1 : 4); k++) {
            const double h = scheme->finds_events ? 0 : step[k],
                         error = error_of(model, scheme->name, h, t);
            const double bound = scheme->finds_events ? 1e-6 : 10 * h;
            if (!(error <= bound))
                fail_msg("%s, %s, step %g: error %g", t->what, scheme->name, h, error);
        }
    }
    assert_true(n_tried >= (has_friction ? 10 : 15));
    carom_model_free(model);
}

// along a slope of the angle, from (x, y) = 0 with speed v uphill
static point up_slope(double v, double time)
{
    const double way = v * time - 0.5 * G * sin(ANGLE) * time * time;
    return (point){way * cos(ANGLE), way * sin(ANGLE)};
}

static point flight(double vx, double vy, double time)
{
    return (point){vx * time, vy * time - 0.5 * G * time * time};
}

static void a_flat_track_goes_on_into_a_ramp_or_falls_away(void **state)
{
    (void)state;
    static const char *const table = "tables: {ramp: {points: [[-10, 0], [0, 0], [10, 10]]}}\n";
    const track up = {"a ramp up", "gap: y - s*ramp(x)",         table, -1, 0, 2, 0,
                      0.7,         up_slope(2 * cos(ANGLE), 0.2)};
    const track down = {"a ramp down", "gap: y + s*ramp(x)", table, -1, 0, 2, 0,
                        0.7,           flight(2, 0, 0.2)};
    assert_true(fabs(up.expected.x - 0.215043) < 1e-6);
    expect_end(&up, false);
    expect_end(&down, false);
}

// from rest at x = -0.5 down one slope and up the other with half the speed: the turn is 60 degrees
static void every_way_to_write_a_valley_is_one(void **state)
{
    (void)state;
    static const char *const gap[] = {"gap: y - s*abs(x)",
                                      "gap: y - max(s*x, -s*x)",
                                      "gap: min(y - s*x, y + s*x)",
                                      "gap: y - if(x < 0, -s*x, s*x)",
                                      "gap: y - s*x*(2*step(x) - 1)",
                                      "gap: y - s*sqrt(x^2)",
                                      "gap: (y - s*abs(x))*cos(x/10)"};
    const double v = sqrt(2 * G * 0.5 * tan(ANGLE)), time = v / (G * sin(ANGLE));
    for (size_t i = 0; i < sizeof gap / sizeof *gap; i++) {
        const track t = {
            gap[i], gap[i], NULL, -0.5, 0.5 * tan(ANGLE), 0, 0, time + 0.1, up_slope(0.5 * v, 0.1)};
        expect_end(&t, false);
    }
}

static void every_way_to_write_a_ridge_is_one(void **state)
{
    (void)state;
    static const char *const gap[] = {"gap: y + s*abs(x)", "gap: y - min(s*x, -s*x)",
                                      "gap: max(y - s*x, y + s*x)",
                                      "gap: y - if(x < 0, s*x, -s*x)"};
    const double v0 = 4, a = G * sin(ANGLE), v = sqrt(v0 * v0 - 2 * G * 0.5 * tan(ANGLE));
    for (size_t i = 0; i < sizeof gap / sizeof *gap; i++) {
        const track t = {gap[i],
                         gap[i],
                         NULL,
                         -0.5,
                         -0.5 * tan(ANGLE),
                         v0 * cos(ANGLE),
                         v0 * sin(ANGLE),
                         (v0 - v) / a + 0.15,
                         flight(v * cos(ANGLE), v * sin(ANGLE), 0.15)};
        expect_end(&t, false);
    }
}

static void a_start_at_the_kink_is_no_different(void **state)
{
    (void)state;
    const track valley = {
        "a start in a valley",        "gap: y - s*max(x, 0)", NULL, 0, 0, 2, 0, 0.2,
        up_slope(2 * cos(ANGLE), 0.2)};
    const track ridge = {"a start on a ridge", "gap: y + s*max(x, 0)", NULL, 0, 0, 2, 0, 0.2,
                         flight(2, 0, 0.2)};
    expect_end(&valley, false);
    expect_end(&ridge, false);
}

// 15 degrees for 1 mm, then 30: steps of 1e-3 s do not see it, shorter ones do
static void two_kinks_may_be_closer_than_a_step(void **state)
{
    (void)state;
    const double half = 0.5 * ANGLE, x = 1e-3, v = 2 * cos(half), b = G * sin(half);
    const double top = sqrt(v * v - 2 * b * x / cos(half)), after = top * cos(half);
    char table[300];
    snprintf(table, sizeof table,
             "tables: {f: {points: [[-10, 0], [0, 0], [%.17g, %.17g], [10, %.17g]]}}\n", x,
             x * tan(half), x * tan(half) + (10 - x) * tan(ANGLE));
    const point way = up_slope(after, 0.1);
    const track t = {"two kinks",
                     "gap: y - f(x)",
                     table,
                     -1,
                     0,
                     2,
                     0,
                     0.5 + (v - top) / b + 0.1,
                     {x + way.x, x * tan(half) + way.y}};
    carom_model *model = model_of(&t);
    assert_true(error_of(model, "event_driven", 0, &t) < 1e-6);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_contact || scheme->takes.only_lasting || scheme->finds_events) continue;
        // between one turn of 30 and two of 15 degrees lie 1.8 % of the speed
        const double coarse = error_of(model, scheme->name, 1e-3, &t),
                     fine = error_of(model, scheme->name, 3.3e-5, &t);
        if (!(coarse < 2e-2 && fine < 1e-3)) fail_msg("%s: %g and %g", scheme->name, coarse, fine);
    }
    carom_model_free(model);
}

// with friction: what slides into a corner loses mu times the normal impulse along the new slope
static void friction_acts_in_the_impact_at_a_kink(void **state)
{
    (void)state;
    const double mu = 0.2, v = sqrt(4 - 2 * mu * G * 0.5), time = (2 - v) / (mu * G);
    const double left = v * cos(ANGLE) - mu * v * sin(ANGLE),
                 a = G * (sin(ANGLE) + mu * cos(ANGLE)), way = left * 0.1 - 0.5 * a * 0.01;
    const track t = {"friction",
                     "gap: (y - s*max(x, 0))*if(x < 0, 1, cos(deg(30)))\n"
                     "    slip: x*if(x < 0, 1, cos(deg(30))) + y*if(x < 0, 0, sin(deg(30)))\n"
                     "    friction: 0.2",
                     NULL,
                     -0.5,
                     0,
                     2,
                     0,
                     time + 0.1,
                     {way * cos(ANGLE), way * sin(ANGLE)}};
    expect_end(&t, true);
}

// at t = 0.3 the floor starts to rise with 1 m/s: the mass leaves it with 1 + e
static void a_floor_that_starts_to_move_hits(void **state)
{
    (void)state;
    static const char *const table =
        "tables: {f: {points: [[0, 0], [0.3, 0], [0.4, 0.1], [0.5, 0.1], [2, 0.1]]}}\n";
    const track t = {"a floor that rises",
                     "gap: y - f(t)\n    restitution: 0.5",
                     table,
                     0,
                     0,
                     1,
                     0,
                     0.45,
                     {0.45, 1.5 * 0.15 - 0.5 * G * 0.15 * 0.15}};
    expect_end(&t, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_track_goes_on_into_a_ramp_or_falls_away),
        cmocka_unit_test(every_way_to_write_a_valley_is_one),
        cmocka_unit_test(every_way_to_write_a_ridge_is_one),
        cmocka_unit_test(a_start_at_the_kink_is_no_different),
        cmocka_unit_test(two_kinks_may_be_closer_than_a_step),
        cmocka_unit_test(friction_acts_in_the_impact_at_a_kink),
        cmocka_unit_test(a_floor_that_starts_to_move_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
