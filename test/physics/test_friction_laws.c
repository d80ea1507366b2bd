// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, in event_driven: closed forms, and the limit cycle
// of Leine's oscillator against an integration of its own.
#include "model/model_rig.h"

// ---- events of a run ----

enum { MOST_EVENTS = 64 };
typedef struct history {
    carom_event event[MOST_EVENTS];
    int n;
} history;

static carom_status note_event(void *self, const carom_event *event, carom_error *error)
{
    history *to = self;
    (void)error;
    assert_true(to->n < MOST_EVENTS);
    to->event[to->n++] = *event;
    return CAROM_OK;
}

static carom_sim *run_events(const carom_model *model, const char *smooth, double tolerance,
                             double end, history *seen)
{
    carom_error error = {0};
    carom_sim_options options = carom_sim_default();
    const carom_setting setting = {text_of("smooth"), text_of(smooth)};
    carom_sim *sim;
    options.scheme = "event_driven";
    options.tolerance = tolerance;
    options.end = end;
    options.setting = &setting;
    options.n_setting = 1;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    const carom_recorder recorder = {.self = seen, .event = note_event};
    if (seen) must(carom_sim_add_recorder(sim, recorder, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    return sim;
}

// runs a text and ends it there
static void end_of(const char *text, double end, double *q, int n, history *seen)
{
    carom_model *model = model_from_text(text);
    carom_sim *sim = run_events(model, "phem56", 1e-11, end, seen);
    for (int i = 0; i < n; i++) q[i] = carom_sim_state(sim)->q[i];
    carom_sim_free(sim);
    carom_model_free(model);
}

static double time_of(const history *seen, carom_event_kind kind, int which)
{
    for (int i = 0; i < seen->n; i++)
        if (seen->event[i].kind == kind && which-- == 0) return seen->event[i].t;
    fail_msg("there is no such event");
    return NAN;
}

// ---- stick and slip on a belt ----

typedef struct slipping {
    double x, u;
} slipping;

// Leine's block that slips back: x'' = -x + 1/(1 + 3 (v - u))
static slipping rate_of(slipping at, double v)
{
    return (slipping){at.u, -at.x + 1 / (1 + 3 * (v - at.u))};
}

static slipping moved(slipping at, slipping by, double h)
{
    return (slipping){at.x + h * by.x, at.u + h * by.u};
}

static slipping step(slipping at, double v, double h)
{
    const slipping a = rate_of(at, v), b = rate_of(moved(at, a, h / 2), v),
                   c = rate_of(moved(at, b, h / 2), v), d = rate_of(moved(at, c, h), v);
    return (slipping){at.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x),
                      at.u + h / 6 * (a.u + 2 * b.u + 2 * c.u + d.u)};
}

// from where it is torn off, x = 1, to where it sticks again: how long, where, and the least x
static double slip_of(double v, double h, double *x, double *least)
{
    slipping at = step((slipping){1, v}, v, h), before = at;
    double t = h, low = 0, high = h;
    *least = 1;
    for (; at.u < v; t += h) {
        before = at;
        at = step(at, v, h);
        if (before.u < 0 && at.u >= 0) { // turns round: the parabola through both slopes
            const double share = before.u / (before.u - at.u);
            *least = step(before, v, share * h).x;
        }
    }
    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;
        *(step(before, v, middle).u < v ? &low : &high) = middle;
    }
    *x = step(before, v, low).x;
    return t - h + low;
}

static void leines_oscillator_has_its_limit_cycle(void **state)
{
    (void)state;
    static const char *const smooth[] = {"phem56", "hem5", "rkf45", "gen_alpha"};
    static const double tolerance[] = {1e-10, 1e-10, 1e-10, 1e-7};
    double x, rough, least, coarse;
    const double slip = slip_of(0.2, 1e-4, &x, &least), stick = (1 - x) / 0.2;
    near("reference", slip_of(0.2, 2e-4, &rough, &coarse), slip, 1e-11); // it is 1e-10 itself
    near("reference", rough, x, 1e-11);
    carom_model *model = shipped_model("stick-slip-oscillator", NULL, NULL);
    for (int k = 0; k < 4; k++) {
        const double allowed = 100 * tolerance[k];
        history seen = {.n = 0};
        carom_sim *sim = run_events(model, smooth[k], tolerance[k], 50, &seen);
        // two events in each period: none is seen twice
        assert_int_equal(seen.n, 10);
        for (int i = 1; i < 4; i++) {
            const double torn = time_of(&seen, CAROM_SLIP, i);
            near("slip", time_of(&seen, CAROM_STICK, i) - torn, slip, allowed);
            near("stick", time_of(&seen, CAROM_SLIP, i + 1) - time_of(&seen, CAROM_STICK, i), stick,
                 allowed);
        }
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void the_amplitude_is_that_of_the_cycle(void **state)
{
    (void)state;
    double x, least, lowest = 1;
    carom_error error = {0};
    slip_of(0.2, 1e-4, &x, &least);
    carom_model *model = shipped_model("stick-slip-oscillator", NULL, NULL);
    history seen = {.n = 0};
    carom_sim *sim = run_events(model, "phem56", 1e-10, 13, &seen);
    carom_sim_free(sim);
    const double torn = time_of(&seen, CAROM_SLIP, 1); // before the end of the run
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-10;
    options.step = 1e-3;
    options.end = torn + 4.2;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    while (!carom_sim_is_done(sim)) {
        must(carom_sim_step(sim, &error), &error);
        if (carom_sim_state(sim)->t > torn) lowest = fmin(lowest, carom_sim_state(sim)->q[0]);
    }
    near("amplitude", lowest, least, 1e-6); // x'' h^2/8 of steps of 1e-3
    carom_sim_free(sim);
    carom_model_free(model);
}

// friction 0.06, held by 0.1: a cosine about x = 0.6 from x = 1, as fast as the belt at x = 0.2
static void static_friction_holds_longer(void **state)
{
    (void)state;
    double q[2];
    history seen = {.n = 0};
    end_of(
        "carom: 1\n"
        "parameters: {v: 0.2}\n"
        "coordinates: {x: {start: 0, rate: v}, y: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "potential: x^2/2 + 10*y\n"
        "contacts: [{name: belt, gap: y, slip_rate: der(x) - v, friction: 0.06, friction_static: 0.1}]\n",
        30, q, 1, &seen);
    const double slip = acos(-1) + 2 * atan2(0.2, 0.4);
    for (int i = 0; i < 3; i++) {
        near("slip", time_of(&seen, CAROM_SLIP, i), 5 + i * (slip + 4), 1e-8);
        near("stick", time_of(&seen, CAROM_STICK, i + 1), 5 + i * (slip + 4) + slip, 1e-8);
    }
    assert_int_equal(seen.n, 9);
}

// thrown up a slope that is steeper than friction and less steep than friction_static: stays there
static void what_comes_to_rest_is_held_by_static_friction(void **state)
{
    (void)state;
    double q[2];
    history seen = {.n = 0};
    const double a = 0.3, g = 9.81, slows = g * (sin(a) + 0.25 * cos(a));
    end_of("carom: 1\n"
           "parameters: {a: 0.3, g: 9.81}\n"
           "coordinates: {x: {start: 0, rate: 2}, y: {start: 0}}\n"
           "kinetic: (der(x)^2 + der(y)^2)/2\n"
           "potential: g*(x*sin(a) + y*cos(a))\n"
           "contacts: [{name: slope, gap: y, slip: x, friction: 0.25, friction_static: 0.35}]\n",
           2, q, 1, &seen);
    near("stops", q[0], 2 / slows, 1e-9);
    near("stops", time_of(&seen, CAROM_STICK, 0), 2 / slows, 1e-9);
    assert_int_equal(seen.n, 3);
}

// ---- places and times ----

static void ice_lets_slide(void **state)
{
    (void)state;
    double q[2];
    history seen = {.n = 0};
    end_of(
        "carom: 1\n"
        "coordinates: {x: {start: 0, rate: 4}, y: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2)/2\n"
        "potential: 9.81*y\n"
        "contacts: [{name: floor, gap: y, slip: x, friction: \"if(x > 1 and x < 2, 0, 0.3)\"}]\n",
        3, q, 1, &seen);
    const double slows = 0.3 * 9.81, on_ice = sqrt(16 - 2 * slows);
    near("stops at", q[0], 2 + on_ice * on_ice / (2 * slows), 1e-10);
    near("stops", time_of(&seen, CAROM_STICK, 0),
         (4 - on_ice) / slows + 1 / on_ice + on_ice / slows, 1e-10);
}

// mu = 0.1 t, and a table of the place: mu = 0.1 + 0.2 x on 0..1
static void friction_depends_on_time_and_tables(void **state)
{
    (void)state;
    double q[2];
    history seen = {.n = 0};
    end_of("carom: 1\n"
           "coordinates: {x: {start: 0, rate: 2}, y: {start: 0}}\n"
           "kinetic: (der(x)^2 + der(y)^2)/2\n"
           "potential: 9.81*y\n"
           "contacts: [{name: floor, gap: y, slip: x, friction: 0.1*t}]\n",
           3, q, 1, &seen);
    near("stops", time_of(&seen, CAROM_STICK, 0), sqrt(2 / (0.05 * 9.81)), 1e-9);
    seen.n = 0;
    end_of("carom: 1\n"
           "tables: {mu: {points: [[-1, 0.1], [0, 0.1], [1, 0.3], [9, 0.3]]}}\n"
           "coordinates: {x: {start: 0, rate: 1}, y: {start: 0}}\n"
           "kinetic: (der(x)^2 + der(y)^2)/2\n"
           "potential: 9.81*y\n"
           "contacts: [{name: floor, gap: y, slip: x, friction: mu(x)}]\n",
           3, q, 1, &seen);
    // u^2/2 = 1/2 - g (0.1 x + 0.1 x^2)
    near("stops at", q[0], (-1 + sqrt(1 + 4 * 0.5 / (0.1 * 9.81))) / 2, 1e-9);
}

// ---- ellipses ----

// dv_y/dv_x = r^2 v_y/v_x, r = mu_2/mu_1: the slip turns to where friction is least
static void an_ellipse_turns_the_slip(void **state)
{
    (void)state;
    carom_model *model = model_from_text(
        "carom: 1\n"
        "coordinates: {x: {start: 0, rate: 1}, y: {start: 0, rate: 2}, z: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
        "potential: 9.81*z\n"
        "contacts: [{name: floor, gap: z, slip: [x, y], friction: [0.4, 0.1]}]\n");
    carom_sim *sim = run_events(model, "phem56", 1e-11, 0.25, NULL);
    const double *u = carom_sim_state(sim)->u, r = 0.25;
    near("direction", u[1], 2 * pow(u[0], r * r), 1e-9);
    assert_true(u[0] < 0.8 && u[0] > 0.1);
    // the real force along y, a_y = -(mu_2^2/mu_1) g v_y/|(v_x, r v_y)|
    const double push = -0.1 * r * 9.81 * u[1] / hypot(u[0], r * u[1]);
    const double before = u[1];
    carom_sim_free(sim);
    sim = run_events(model, "phem56", 1e-11, 0.2501, NULL);
    near("force", (carom_sim_state(sim)->u[1] - before) / 1e-4, push, 1e-3);
    carom_sim_free(sim);
    carom_model_free(model);
}

typedef struct last_row {
    double value[64];
} last_row;

static carom_status note_row(void *self, const double *value, int n, carom_error *error)
{
    (void)error;
    assert_true(n <= 64);
    memcpy(((last_row *)self)->value, value, sizeof(double) * (size_t)n);
    return CAROM_OK;
}

// columns and records show slips and forces as they are, not as they are scaled: the force that a
// pull along y asks for where it holds, and the slip rate where it does not
static void an_ellipse_shows_real_forces_and_rates(void **state)
{
    (void)state;
    static const double pull[] = {0.8, 3};
    for (int i = 0; i < 2; i++) {
        char text[512];
        carom_error error = {0};
        last_row row;
        snprintf(text, sizeof text,
                 "carom: 1\n"
                 "coordinates: {x: {start: 0}, y: {start: 0}, z: {start: 0}}\n"
                 "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
                 "potential: 9.81*z - %g*y\n"
                 "contacts: [{name: floor, gap: z, slip: [x, y], friction: [0.4, 0.1]}]\n"
                 "record: {push: floor.friction2}\n",
                 pull[i]);
        carom_model *model = model_from_text(text);
        carom_sim_options options = carom_sim_default();
        carom_sim *sim;
        options.scheme = "event_driven";
        options.tolerance = 1e-10;
        options.end = 1;
        must(carom_sim_new(model, &options, &sim, &error), &error);
        const carom_recorder recorder = {.self = &row, .row = note_row};
        must(carom_sim_add_recorder(sim, recorder, &error), &error);
        must(carom_sim_run(sim, &error), &error);
        const double push = -fmin(pull[i], 0.981);
        for (int k = 0; k < carom_sim_n_column(sim); k++) {
            const char *name = carom_sim_column(sim, k)->name;
            const double value = row.value[k];
            if (strcmp(name, "laT_floor2") == 0 || strcmp(name, "push") == 0)
                near(name, value, push, 1e-9);
            if (strcmp(name, "slip_floor2") == 0) near(name, value, pull[i] + push, 1e-9);
        }
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

// pulled along y it holds up to 0.1, along x up to 0.4
static void an_ellipse_holds_more_along_one_axis(void **state)
{
    (void)state;
    static const double force[][2] = {{3.9, 0}, {0, 0.97}, {0, 1}, {2, 0.8}, {2, 0.9}};
    for (int i = 0; i < 5; i++) {
        char text[512];
        double q[2];
        snprintf(text, sizeof text,
                 "carom: 1\n"
                 "coordinates: {x: {start: 0}, y: {start: 0}, z: {start: 0}}\n"
                 "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
                 "potential: 9.81*z - %g*x - %g*y\n"
                 "contacts: [{name: floor, gap: z, slip: [x, y], friction: [0.4, 0.1]}]\n",
                 force[i][0], force[i][1]);
        end_of(text, 1, q, 2, NULL);
        const double share = hypot(force[i][0] / (0.4 * 9.81), force[i][1] / (0.1 * 9.81));
        assert_int_equal(hypot(q[0], q[1]) < 1e-9, share < 1);
    }
}

// ---- restitution of the arrival speed ----

// e = 0.8 v^-1/5 above 1 m/s, below it stays; alone all laws are the same
static void a_ball_bounces_less_the_faster_it_arrives(void **state)
{
    (void)state;
    static const char *const law[] = {"newton", "poisson", "stronge", "sequential"};
    for (int i = 0; i < 4; i++) {
        char text[512];
        double q, v = sqrt(2 * 9.81), t = sqrt(2 / 9.81);
        history seen = {.n = 0};
        snprintf(
            text, sizeof text,
            "carom: 1\n"
            "coordinates: {y: {start: 1}}\n"
            "kinetic: der(y)^2/2\n"
            "potential: 9.81*y\n"
            "contacts: [{name: floor, gap: y, law: %s, restitution: \"if(arrival_speed > 1, 0.8*arrival_speed^(-1/5), 0)\"}]\n",
            law[i]);
        end_of(text, 3, &q, 1, &seen);
        for (int k = 0; k < 5; k++) {
            near("impact", time_of(&seen, CAROM_IMPACT, k), t, 1e-11);
            near("arrives", -seen.event[k].rate_before, v, 1e-10);
            v = v > 1 ? 0.8 * pow(v, 0.8) : 0;
            near("leaves", seen.event[k].rate_after, v, 1e-10);
            t += 2 * v / 9.81;
        }
        assert_int_equal(seen.n, 6); // and stays closed
        near("rests", q, 0, 1e-12);
    }
}

// in turn each collision has the speed at which it happens
static void collisions_in_turn_have_their_own_speed(void **state)
{
    (void)state;
    carom_model *model = model_from_text(
        "carom: 1\n"
        "coordinates: {a: {start: 0, rate: 2}, b: {start: 0}, c: {start: 0}}\n"
        "kinetic: (der(a)^2 + der(b)^2 + der(c)^2)/2\n"
        "contacts:\n"
        "  - {name: one, gap: b - a, law: sequential, restitution: 1 - arrival_speed/10}\n"
        "  - {name: two, gap: c - b, law: sequential, restitution: 1 - arrival_speed/10}\n");
    carom_sim *sim = run_events(model, "phem56", 1e-10, 0.1, NULL);
    const double first = (1 + 0.8) / 2 * 2; // of b, which then hits c
    const double second = (1 + 1 - first / 10) / 2 * first, left = first - second;
    const double *u = carom_sim_state(sim)->u;
    near("c", u[2], second, 1e-9);
    // a, at 0.2, is behind b or hits it once more
    assert_true(left < 0.2);
    const double closing = 0.2 - left, e = 1 - closing / 10;
    near("b", u[1], left + (1 + e) / 2 * closing, 1e-9);
    near("a", u[0], 0.2 - (1 + e) / 2 * closing, 1e-9);
    carom_sim_free(sim);
    carom_model_free(model);
}

// an expression of friction that falls below 0 on the way stops the run, and is named
static void friction_that_ends_stops_the_run(void **state)
{
    (void)state;
    static const char *const friction[] = {"0.3*(1 - x)", "sqrt(0.1 - x)"};
    static const char *const scheme[] = {"event_driven", "moreau_midpoint"};
    for (int i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "carom: 1\ncoordinates: {x: {start: 0, rate: 2}, y: {start: 0}}\n"
                 "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n"
                 "contacts: [{name: floor, gap: y, slip: x, friction: \"%s\"}]\n",
                 friction[i / 2]);
        carom_model *model = model_from_text(text);
        carom_error error = {0};
        carom_sim_options options = carom_sim_default();
        carom_sim *sim = NULL;
        options.scheme = scheme[i % 2];
        options.step = i % 2 ? 1e-4 : 0;
        options.tolerance = i % 2 ? 0 : 1e-9;
        options.end = 1;
        assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_OK);
        assert_int_not_equal(carom_sim_run(sim, &error), CAROM_OK);
        assert_non_null(strstr(error.message, "contact 'floor'"));
        assert_non_null(strstr(error.message, i % 2 ? "it must be 0 or more" : "below 0"));
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leines_oscillator_has_its_limit_cycle),
        cmocka_unit_test(the_amplitude_is_that_of_the_cycle),
        cmocka_unit_test(static_friction_holds_longer),
        cmocka_unit_test(what_comes_to_rest_is_held_by_static_friction),
        cmocka_unit_test(ice_lets_slide),
        cmocka_unit_test(friction_depends_on_time_and_tables),
        cmocka_unit_test(friction_that_ends_stops_the_run),
        cmocka_unit_test(an_ellipse_turns_the_slip),
        cmocka_unit_test(an_ellipse_holds_more_along_one_axis),
        cmocka_unit_test(an_ellipse_shows_real_forces_and_rates),
        cmocka_unit_test(a_ball_bounces_less_the_faster_it_arrives),
        cmocka_unit_test(collisions_in_turn_have_their_own_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
