// SPDX-License-Identifier: Apache-2.0
// Schemes that only say what a script tells them. What a simulation makes of it is known to the
// last bit: which impacts make energy, which events there are, and what work was done.
#include "sim/sim_rig.h"

enum { MOST_STEPS = 8 };

// one contact with one direction of slip: rows N, T
typedef struct telling {
    double P[2], before[2], after[2], loss, friction, work;
    bool has_work;
} telling;

static const telling *script;            // of the steps
static const carom_event (*instants)[2]; // or of the events in each step; P < 0: none

static carom_status tell(carom_step *s, const carom_state *now, carom_state *next)
{
    const telling *it = &script[lround(now->t / s->h)];
    for (int r = 0; r < 2; r++) {
        next->P[r] = it->P[r];
        s->report.rate_before[r] = it->before[r];
        s->report.rate_after[r] = it->after[r];
    }
    s->report.impact_loss = it->loss;
    s->report.friction_loss = it->friction;
    s->report.applied_work = it->work;
    s->report.has_applied_work = it->has_work;
    return CAROM_OK;
}

static carom_status send(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_event *event = instants[lround(now->t / s->h)];
    (void)next;
    for (int i = 0; i < 2; i++)
        if (event[i].P >= 0) s->sink.event(s->sink.self, &event[i]);
    return CAROM_OK;
}

static const carom_scheme teller = {
    .name = "teller", .has_contact = true, .has_friction = true, .step = tell};
static const carom_scheme finder = {.name = "finder",
                                    .has_contact = true,
                                    .has_friction = true,
                                    .finds_events = true,
                                    .step = send};

typedef struct outcome {
    carom_audit audit;
    carom_counts counts;
    rig_rows rows;
} outcome;

static const outcome *run(const carom_scheme *scheme, int n_step, const char *potential)
{
    static outcome out;
    const rig_texts texts = {.coordinate = {{"x", "0", "0"}, {"y", "0.1", "0"}},
                             .kinetic = "(der(x)^2 + der(y)^2)/2",
                             .potential = potential,
                             .contact = {{.name = rig_text("floor"),
                                          .gap = rig_text("y"),
                                          .n_slip = 1,
                                          .slip = {rig_text("x")},
                                          .friction = rig_text("0.5")}}};
    carom_model *model = rig_model(&texts);
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    out = (outcome){.rows = {.n_row = 0}};
    options.own_scheme = scheme;
    options.step = 1;
    options.end = n_step;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_listen(sim, &out.rows);
    rig_run(sim);
    out.audit = rig_audit(sim);
    out.counts = carom_sim_counts(sim);
    carom_sim_free(sim);
    carom_model_free(model);
    free(out.rows.value);
    return &out;
}

static const outcome *run_script(const telling *told, int n_step)
{
    script = told;
    return run(&teller, n_step, "y");
}

// size = (2 (3 + 1) + 1 (4 + 2))/2 times factor
static telling impact(double factor, double loss)
{
    return (telling){.P = {2 * factor, -factor}, .before = {-3, 4}, .after = {1, -2}, .loss = loss};
}

static void a_step_makes_energy_from_a_thousandth_of_its_impact_on(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        const double rise = 7e-3 * (side ? 1.01 : 0.99);
        const telling one[] = {impact(1, -rise)};
        const outcome *out = run_script(one, 1);
        assert_int_equal(out->counts.energy_rises, side);
        assert_true(out->audit.largest_rise == (side ? rise : 0));
        telling rough = impact(1, -rise - 1);
        rough.friction = 1;
        assert_int_equal(run_script(&rough, 1)->counts.energy_rises, side);
    }
}

static void small_impacts_are_measured_by_the_largest_so_far(void **state)
{
    (void)state;
    const telling small = impact(0.1, -5e-3), large = impact(1, 1), none = {.P = {0}};
    const telling before[] = {large, none, small}, after[] = {small, none, large};
    assert_int_equal(run_script(before, 3)->counts.energy_rises, 0);
    assert_int_equal(run_script(after, 3)->counts.energy_rises, 1);
    const telling many[] = {small, none, impact(0.2, -2), none, impact(0.1, -1), none, large};
    const outcome *out = run_script(many, 7);
    assert_int_equal(out->counts.energy_rises, 3);
    assert_true(out->audit.largest_rise == 2);
}

// beside an impact of size 7e16 a joule is rounding, beside 7e14 it is none
static void what_is_rounding_of_a_later_impact_is_no_rise(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        const telling both[] = {impact(0.1, -1), {.P = {0}}, impact(side ? 1e14 : 1e16, 0)};
        const outcome *out = run_script(both, 3);
        assert_int_equal(out->counts.energy_rises, side);
        assert_true(out->audit.largest_rise == side);
    }
}

static void the_position_level_cannot_be_judged(void **state)
{
    (void)state;
    carom_scheme above = teller;
    const telling one[] = {impact(1, -1)};
    script = one;
    above.level = "position";
    assert_int_equal(run(&above, 1, "y")->counts.energy_rises, 0);
    above.level = "velocity";
    assert_int_equal(run(&above, 1, "y")->counts.energy_rises, 1);
}

// P (3 + 1)/2 is 2 P
static carom_event hit(double t, double P, double lost)
{
    return (carom_event){.t = t,
                         .kind = CAROM_IMPACT,
                         .rate_before = -3,
                         .rate_after = 1,
                         .P = P,
                         .energy_lost = lost};
}

static long located_rises(carom_event first, carom_event second, const char *potential)
{
    const carom_event events[1][2] = {{first, second}};
    instants = events;
    return run(&finder, 1, potential)->counts.energy_rises;
}

static void located_impacts_of_an_instant_count_together_from_rounding_on(void **state)
{
    (void)state;
    const carom_event none = {.P = -1};
    for (int side = 0; side < 2; side++) {
        const double share = side ? 1.01e-9 : 0.99e-9;
        assert_int_equal(located_rises(hit(0.5, 1, -2 * share), none, "y"), side);
        // 2 J lost at one contact, a little more made at the other one: sizes 2 and 6
        assert_int_equal(located_rises(hit(0.5, 1, 2), hit(0.5, 3, -2 - 8 * share), "y"), side);
        // the energy itself is 1e9 J, its rounding 2.2e-7 J
        assert_int_equal(located_rises(hit(0.5, 1, side ? -2.3e-7 : -2.1e-7), none, "1e9 + 0*y"),
                         side);
    }
    assert_int_equal(located_rises(hit(0.5, 1, 2), hit(0.6, 3, -1), "y"), 1);
    assert_int_equal(located_rises(hit(0.5, 1, -2), hit(0.6, 3, -1), "y"), 2);
    carom_event other = hit(0.5, 1, -1);
    other.kind = CAROM_CLOSE;
    assert_int_equal(located_rises(other, none, "y"), 0);
}

// work that a scheme tells of some of its steps only is that of these steps
static void work_of_a_step_is_not_that_of_the_step_before(void **state)
{
    (void)state;
    const telling told[] = {{.work = 1, .has_work = true},
                            {.work = 8},
                            {.work = 2, .has_work = true},
                            {.work = 16},
                            {.work = 32}};
    assert_true(run_script(told, 5)->audit.work == 3);
}

typedef struct expected {
    double t;
    carom_event_kind kind;
    double before, after, P, lost;
} expected;

static void events_are_those_of_the_script(void **state)
{
    (void)state;
    const telling told[] = {
        {.P = {2, -1}, .before = {-3, 4}, .after = {1, 2}},       // hits and slips
        {.P = {2, -0.5}, .before = {-1e-10, 2}, .after = {0, 1}}, // inside the cone: sticks
        {.P = {2, -1}, .before = {0, 1}, .after = {0, 0}},        // at its edge, but does not move
        {.P = {2, 1}, .before = {-3, -1}, .after = {0.5, -1}},    // hits again, and slips
        {.P = {2, 1}, .before = {-3, -1}, .after = {0, -1}},      // pushed already, does not bounce
        {.P = {0, 0}},                                            // opens
        {.P = {0, 0}},
    };
    static const expected events[] = {
        {1, CAROM_CLOSE, -3, 1, 2, 5},      {1, CAROM_IMPACT, -3, 1, 2, 5},
        {1, CAROM_SLIP, -3, 1, 2, 5},       {2, CAROM_STICK, -1e-10, 0, 2, 0.75 + 1e-10},
        {4, CAROM_IMPACT, -3, 0.5, 2, 3.5}, {4, CAROM_SLIP, -3, 0.5, 2, 3.5},
        {6, CAROM_OPEN, 0, 0, 0, 0},
    };
    const outcome *out = run_script(told, 7);
    const int n = (int)(sizeof events / sizeof *events);
    assert_int_equal(out->counts.events, n);
    assert_int_equal(out->rows.n_event, n);
    for (int i = 0; i < n; i++) {
        const carom_event *event = &out->rows.event[i];
        const expected *it = &events[i];
        if (event->t != it->t || event->kind != it->kind || event->rate_before != it->before ||
            event->rate_after != it->after || event->P != it->P ||
            fabs(event->energy_lost - it->lost) > 1e-15)
            fail_msg("event %d: t %g, kind %d, rates %g %g, P %g, lost %g", i, event->t,
                     (int)event->kind, event->rate_before, event->rate_after, event->P,
                     event->energy_lost);
    }
}

static carom_status refuse_to_prepare(carom_step *s)
{
    return carom_fail(s->error, CAROM_BAD_INPUT, "not prepared");
}

static carom_status refuse_to_start(carom_step *s, carom_state *first)
{
    (void)first;
    return carom_fail(s->error, CAROM_BAD_INPUT, "not started");
}

static void a_scheme_that_refuses_says_why(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        carom_scheme unwilling = teller;
        carom_sim_options options = carom_sim_default();
        carom_error error = {0};
        carom_sim *sim;
        carom_model *model = rig_block();
        if (i == 0) unwilling.prepare = refuse_to_prepare;
        if (i == 1) unwilling.start = refuse_to_start;
        options.own_scheme = &unwilling;
        options.step = options.end = 1;
        assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, i ? "not started" : "not prepared"));
        assert_null(sim);
        carom_model_free(model);
    }
}

// 1e-15 is the least tolerance, and is one
static void a_tolerance_below_rounding_is_refused(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    for (int i = 0; i < 2; i++) {
        carom_sim_options options = carom_sim_default();
        carom_error error = {0};
        carom_sim *sim;
        options.scheme = "event_driven";
        options.end = 1;
        options.tolerance = i ? nextafter(1e-15, 0) : 1e-15;
        assert_int_equal(carom_sim_new(model, &options, &sim, &error),
                         i ? CAROM_BAD_INPUT : CAROM_OK);
        if (i) assert_non_null(strstr(error.message, "below what rounding lets any step reach"));
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_makes_energy_from_a_thousandth_of_its_impact_on),
        cmocka_unit_test(small_impacts_are_measured_by_the_largest_so_far),
        cmocka_unit_test(what_is_rounding_of_a_later_impact_is_no_rise),
        cmocka_unit_test(the_position_level_cannot_be_judged),
        cmocka_unit_test(located_impacts_of_an_instant_count_together_from_rounding_on),
        cmocka_unit_test(work_of_a_step_is_not_that_of_the_step_before),
        cmocka_unit_test(events_are_those_of_the_script),
        cmocka_unit_test(a_scheme_that_refuses_says_why),
        cmocka_unit_test(a_tolerance_below_rounding_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
