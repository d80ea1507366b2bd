// SPDX-License-Identifier: Apache-2.0
// A model moves alike in every unit of length: tolerances and thresholds have none. Where the
// factor is a power of two all numbers scale exactly, and the motion is the same to the last bit.
#include "adaptive_rig.h"

#include <stdio.h>

static const char *const scheme[] = {"event_driven", "phem56", "hem5",           "rkf45",
                                     "gen_alpha",    "mexx",   "event_capturing"};

// a nonlinear oscillator of amplitude s: x/s does not depend on s
static double oscillate(const char *name, double tolerance, double s, long *steps)
{
    char text[500];
    ride r;
    snprintf(text, sizeof text,
             "carom: 1\nname: small\nparameters: {s: %.17g}\n"
             "coordinates: {x: {start: s}, y: {start: 0, rate: 0.5*s}}\n"
             "kinetic: (der(x)^2 + der(y)^2)/2\n"
             "potential: (x^2 + y^2)/2 + (x^2 + y^2)^2/(4*s^2)\n",
             s);
    const double x = go_to_end(&r, (adaptive){name, tolerance, 20, 0}, text);
    *steps = carom_sim_counts(r.sim).steps;
    dismount(&r);
    return x / s;
}

static void small_oscillators_move_like_large_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        const double tolerance = i == 4 ? 1e-5 : 1e-9;
        long steps, other;
        const double x = oscillate(scheme[i], tolerance, 1, &steps);
        is_near("of 1", x, 0.313148441, i == 4 ? 1e-2 : 1e-6);
        for (int k = -9; k <= 6; k++)
            is_near(scheme[i], oscillate(scheme[i], tolerance, pow(10, k), &other), x,
                    10 * tolerance);
        for (int k = -60; k <= 30; k += 15) {
            assert_true(oscillate(scheme[i], tolerance, ldexp(1, k), &other) == x);
            assert_int_equal(steps, other);
        }
    }
}

// a mass that starts from rest at 0, with a force that starts slowly
static void a_start_from_rest_finds_its_scale(void **state)
{
    (void)state;
    static const struct {
        const char *force;
        double end, x;
    } row[] = {{"1", 1, 0.5},
               {"t", 1, 1. / 6},
               {"t^5", 1, 1. / 42},
               {"t^9", 1, 1. / 110},
               {"1e-12*t^5", 1, 1e-12 / 42},
               {"1e6*sin(t)^6", 0.5, 59.7231675215608}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int i = 0; i < 4; i++) {
            char text[300];
            ride r;
            snprintf(text, sizeof text,
                     "carom: 1\nname: rest\ncoordinates: {x: {start: 0}}\nkinetic: der(x)^2/2\n"
                     "forces: [{coordinate: x, force: \"%s\"}]\n",
                     row[k].force);
            const double x = go_to_end(&r, (adaptive){scheme[i], 1e-8, row[k].end, 0}, text);
            is_near(row[k].force, x, row[k].x, 1e-6 * row[k].x);
            assert_true(carom_sim_counts(r.sim).steps < 1000);
            dismount(&r);
        }
}

typedef struct quantity {
    const char *name;
    double value;
    int power; // of the length in its unit
} quantity;

// a shipped model in lengths of L metres; values of its parameters that have lengths in their unit
static void run_scaled(ride *r, const char *file_name, const quantity *list, double L, double end)
{
    carom_modelfile *file = shipped_file(file_name);
    carom_builder *builder = carom_modelfile_builder(file);
    memset(r, 0, sizeof *r);
    for (const quantity *it = list; it->name; it++) {
        char value[40];
        snprintf(value, sizeof value, "%.17g", it->value * pow(L, it->power));
        if (strncmp(it->name, "der(", 4) == 0)
            must(carom_builder_start(builder, text_of(it->name), text_of(value), &r->error),
                 &r->error);
        else
            must(carom_builder_set(builder, text_of(it->name), text_of(value), &r->error),
                 &r->error);
    }
    r->model = finish_file(file);
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-9;
    options.end = end;
    must(carom_sim_new(r->model, &options, &r->sim, &r->error), &r->error);
    must(carom_sim_run(r->sim, &r->error), &r->error);
}

// is_length: of each coordinate, whether it is a length
static void check_scaled(const char *file, const quantity *list, double end, const bool *is_length,
                         int least_events)
{
    ride metre, other;
    run_scaled(&metre, file, list, 1, end);
    const carom_state *a = carom_sim_state(metre.sim);
    assert_true(carom_sim_counts(metre.sim).events >= least_events);
    for (int k = -40; k <= 20; k += 10) {
        const double L = ldexp(1, k);
        run_scaled(&other, file, list, L, end);
        const carom_state *b = carom_sim_state(other.sim);
        for (int i = 0; i < carom_model_sizes(metre.model).nq; i++) {
            const double factor = is_length[i] ? L : 1;
            if (b->q[i] != factor * a->q[i] || b->u[i] != factor * a->u[i])
                fail_msg("%s with 2^%d: %.17g, not %.17g", file, k, b->q[i] / factor, a->q[i]);
        }
        assert_int_equal(carom_sim_counts(metre.sim).events, carom_sim_counts(other.sim).events);
        dismount(&other);
    }
    dismount(&metre);
}

static void contacts_are_the_same_in_every_unit(void **state)
{
    (void)state;
    static const quantity crank[] = {{"l1", 0.153, 1},  {"l2", 0.306, 1},  {"a", 0.05, 1},
                                     {"b", 0.025, 1},   {"c", 0.001, 1},   {"gravity", 9.81, 1},
                                     {"J1", 7.4e-5, 2}, {"J2", 5.9e-4, 2}, {"J3", 2.7e-6, 2},
                                     {NULL, 0, 0}};
    static const quantity bird[] = {{"r0", 0.0025, 1}, {"rM", 0.0031, 1},    {"hM", 0.0058, 1},
                                    {"lM", 0.010, 1},  {"lG", 0.015, 1},     {"hS", 0.02, 1},
                                    {"lS", 0.0201, 1}, {"gravity", 9.81, 1}, {"JM", 5e-9, 2},
                                    {"JS", 7e-7, 2},   {"c", 0.0056, 2},     {"der(y)", -0.3411, 1},
                                    {NULL, 0, 0}};
    static const quantity ball[] = {{"gravity", 9.81, 1}, {"height", 1, 1}, {NULL, 0, 0}};
    check_scaled("bouncing-ball", ball, 12, (const bool[]){true}, 50);
    check_scaled("slider-crank", crank, 0.1, (const bool[]){false, false, false}, 100);
    check_scaled("woodpecker", bird, 0.5, (const bool[]){true, false, false}, 30);
}

// a slow swing in radians beside a fast one in metres, of size s, and a blow on the latter: x/s and
// th do not depend on s. Were they weighed alike, th at 1 rad would leave x nothing to be small by
static void move_both(adaptive a, double s, double *X, double *th)
{
    char text[500];
    ride r;
    snprintf(text, sizeof text,
             "carom: 1\nname: both\nparameters: {s: %.17g}\n"
             "coordinates: {x: {start: s}, th: {start: 1}}\n"
             "kinetic: (der(x)^2 + s^2*der(th)^2)/2\n"
             "potential: 20^2*x^2/2 + 9.81*s^2*(1 - cos(th))\n"
             "forces: [{coordinate: x, force: \"s*if(t > 0.5 and t < 0.6, 20, 0)\"}]\n",
             s);
    *X = go_to_end(&r, a, text) / s;
    *th = carom_sim_state(r.sim)->q[1];
    dismount(&r);
}

static void metres_beside_radians_have_their_own_scale(void **state)
{
    (void)state;
    static const adaptive way[] = {{"event_driven", 1e-6, 1, 0}, {"gen_alpha", 1e-3, 1, 0},
                                   {"rkf45", 1e-6, 1, 0},        {"tdg_velocity", 1e-5, 1, -1},
                                   {"moreau_jean", 1e-5, 1, -1}, {"ggl_unified", 1e-5, 1, -1}};
    const double truth = cos(20.) + 20. / 400 * (cos(20 * 0.4) - cos(20 * 0.5));
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        double X, th, other_X, other_th;
        move_both(way[i], 1, &X, &th);
        is_near(way[i].scheme, X, truth, 100 * way[i].tolerance);
        for (int k = -60; k <= 30; k += 15) {
            move_both(way[i], ldexp(1, k), &other_X, &other_th);
            if (other_X != X || other_th != th)
                fail_msg("%s with 2^%d: %.17g, not %.17g", way[i].scheme, k, other_X, X);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_oscillators_move_like_large_ones),
        cmocka_unit_test(a_start_from_rest_finds_its_scale),
        cmocka_unit_test(contacts_are_the_same_in_every_unit),
        cmocka_unit_test(metres_beside_radians_have_their_own_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
