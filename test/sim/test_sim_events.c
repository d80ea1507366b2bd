// SPDX-License-Identifier: Apache-2.0
// The event log of time stepping, and events that a scheme finds itself.
#include "sim/sim_rig.h"

static int count(const rig_rows *rows, carom_event_kind kind)
{
    int n = 0;
    for (int i = 0; i < rows->n_event; i++) n += rows->event[i].kind == kind;
    return n;
}

static void a_resting_ball_has_impacts_only_while_it_bounces(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0");
    carom_sim *sim = rig_sim(model, 1e-3, 2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    // without restitution: one impact, closed at once and for good
    assert_int_equal(count(&rows, CAROM_IMPACT), 1);
    assert_int_equal(count(&rows, CAROM_CLOSE), 1);
    assert_int_equal(count(&rows, CAROM_OPEN), 0);
    assert_int_equal(carom_sim_counts(sim).events, rows.n_event);
    const carom_event *impact = &rows.event[1];
    assert_int_equal(rows.event[0].kind, CAROM_CLOSE);
    assert_int_equal(impact->kind, CAROM_IMPACT);
    // it falls 1 m: the first midpoint below the floor is at most a step late, the end of its step
    // half a step more; it arrives with sqrt(2 g), all of which is lost
    assert_true(impact->t >= sqrt(2 / 9.81) && impact->t <= sqrt(2 / 9.81) + 1.5e-3);
    assert_true(fabs(impact->rate_before + sqrt(2 * 9.81)) <= 9.81 * 2e-3);
    assert_true(fabs(impact->rate_after) < 1e-14);
    assert_true(fabs(impact->energy_lost - impact->P * -impact->rate_before / 2) < 1e-12);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void each_bounce_closes_hits_and_opens(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-4, 1, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    // contacts at sqrt(2/g) (1, 2, 2.5, ...): two before 1 s (0.452, 0.903)
    assert_int_equal(count(&rows, CAROM_IMPACT), 2);
    assert_int_equal(rows.n_event, 6);
    static const carom_event_kind kind[] = {CAROM_CLOSE, CAROM_IMPACT, CAROM_OPEN};
    for (int i = 0; i < 6; i++) {
        const carom_event *event = &rows.event[i];
        assert_int_equal(event->kind, kind[i % 3]);
        assert_int_equal(event->contact, 0);
        if (event->kind != CAROM_IMPACT) continue;
        assert_true(fabs(event->rate_after + 0.5 * event->rate_before) < 1e-12);
    }
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static rig_texts block_on_floor(const char *rate, const char *potential)
{
    return (rig_texts){.coordinate = {{"x", "0", rate}, {"y", "0", "0"}},
                       .kinetic = "(der(x)^2 + der(y)^2)/2",
                       .potential = potential,
                       .contact = {{.name = rig_text("floor"),
                                    .gap = rig_text("y"),
                                    .n_slip = 1,
                                    .slip = {rig_text("x")},
                                    .friction = rig_text("0.5")}}};
}

static void a_sliding_block_slips_then_sticks_once(void **state)
{
    (void)state;
    const rig_texts texts = block_on_floor("1", "9.81*y");
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 1e-3, 1, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(count(&rows, CAROM_SLIP), 1);
    assert_int_equal(count(&rows, CAROM_STICK), 1);
    assert_int_equal(count(&rows, CAROM_IMPACT), 0);
    assert_int_equal(rows.n_event, 3);
    // it stops after u/(mu g), within a step
    assert_int_equal(rows.event[2].kind, CAROM_STICK);
    assert_true(fabs(rows.event[2].t - 1 / (0.5 * 9.81)) <= 1.001e-3);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// a light body, a little below its floor, that something pulls at, and whose coordinates are
// coupled: what is left of its slip rate is rounding, and its impulses are small
static void what_sticks_from_the_start_never_slips(void **state)
{
    (void)state;
    rig_texts texts = block_on_floor("0", "0.0981*y - 0.0173*x");
    texts.coordinate[1][1] = "-1e-6";
    texts.kinetic = "0.01*(der(x)^2 + der(y)^2)/2 + 0.0023*der(x)*der(y)";
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 1e-3, 1, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(count(&rows, CAROM_STICK), 1);
    assert_int_equal(count(&rows, CAROM_SLIP), 0);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// a body that slides along a smooth floor and never bounces: rates of coordinates that
// cancel leave rounding
static void rounding_of_a_rate_is_no_impact(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "0", "0.7"}, {"y", "0", "-0.3"}},
                             .kinetic = "(der(x)^2 + der(y)^2)/2",
                             .potential = "9.81*(0.3*x + 0.7*y)",
                             .contact = {{.name = rig_text("floor"),
                                          .gap = rig_text("0.3*x + 0.7*y"),
                                          .restitution = rig_text("1")}}};
    carom_error error = {0};
    carom_model *model = rig_model(&texts);
    carom_sim_options options = carom_sim_default();
    carom_sim *sim;
    rig_rows rows = {0};
    options.scheme = "nonsmooth_gen_alpha";
    options.step = 9e-4;
    options.end = 2;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(count(&rows, CAROM_IMPACT), 0);
    assert_int_equal(count(&rows, CAROM_CLOSE), 1);
    assert_true(fabs(carom_sim_state(sim)->q[0] - 1.4) < 1e-10);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void counts_of_events_do_not_depend_on_listeners(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_sim *heard = rig_sim(model, 1e-3, 2, 1), *alone = rig_sim(model, 1e-3, 2, 1);
    rig_rows rows = {0};
    rig_listen(heard, &rows);
    rig_run(heard);
    rig_run(alone);
    assert_true(rows.n_event > 5);
    assert_int_equal(carom_sim_counts(heard).events, rows.n_event);
    assert_int_equal(carom_sim_counts(alone).events, rows.n_event);
    free(rows.value);
    carom_sim_free(heard);
    carom_sim_free(alone);
    carom_model_free(model);
}

// a scheme that finds its own events: one in the middle of every step
static carom_status find(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_event event = {.t = now->t + 0.5 * s->h, .kind = CAROM_ACCUMULATED, .P = 3};
    carom_state middle = *next;
    middle.t = event.t;
    s->sink.event(s->sink.self, &event);
    s->sink.state(s->sink.self, &middle);
    s->sink.state(s->sink.self, &middle);
    next->t = now->t + 0.4 * s->h;
    s->report.h_used = 0.4 * s->h;
    s->report.h_next = 0.25;
    return CAROM_OK;
}

static void events_and_states_a_scheme_finds_are_passed_on(void **state)
{
    (void)state;
    const carom_scheme own = {.name = "own",
                              .has_contact = true,
                              .is_adaptive = true,
                              .finds_events = true,
                              .step = find};
    carom_model *model = rig_ball("0");
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.own_scheme = &own;
    options.end = 1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    // 0.4 of the whole, then 0.1 by 0.1 as proposed
    for (int i = 0; i < 4; i++) rig_ok(carom_sim_step(sim, &error), &error);
    assert_true(fabs(carom_sim_state(sim)->t - 0.7) < 1e-15);
    assert_int_equal(rows.n_row, 1 + 4 * 3);
    assert_int_equal(rows.n_event, 4);
    assert_int_equal(carom_sim_counts(sim).events, 4);
    assert_true(rows.event[0].t == 0.5 && rows.event[0].P == 3);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// gravity is so weak that the ball, which loses all but 1e-7 of its speed, comes back within the
// run: an impact, though a slow one
static void an_impact_1e7_times_slower_than_the_first_is_one(void **state)
{
    (void)state;
    const rig_texts texts = {
        .coordinate = {{"y", "0.05", "-1"}},
        .kinetic = "der(y)^2/2",
        .potential = "1e-7*y",
        .contact = {
            {.name = rig_text("floor"), .gap = rig_text("y"), .restitution = rig_text("1e-7")}}};
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 0.1, 10, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    double before[4] = {0};
    int n = 0;
    for (int i = 0; i < rows.n_event; i++)
        if (rows.event[i].kind == CAROM_IMPACT && n < 4) before[n++] = rows.event[i].rate_before;
    assert_int_equal(n, 2);
    assert_true(fabs(before[0] + 1) < 1e-6);
    assert_true(before[1] < -0.9e-7 && before[1] > -1.3e-7);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// friction takes 0.5 g h of the slip rate in each step and leaves 1e-7 after the hundredth: that
// step still slips, the next one sticks
static void a_slip_1e7_times_slower_than_the_first_is_one(void **state)
{
    (void)state;
    const rig_texts texts = block_on_floor("100*0.5*10*1e-3 + 1e-7", "10*y");
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 1e-3, 0.2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(count(&rows, CAROM_STICK), 1);
    for (int i = 0; i < rows.n_event; i++)
        if (rows.event[i].kind == CAROM_STICK) assert_true(fabs(rows.event[i].t - 0.101) < 1e-9);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resting_ball_has_impacts_only_while_it_bounces),
        cmocka_unit_test(each_bounce_closes_hits_and_opens),
        cmocka_unit_test(a_sliding_block_slips_then_sticks_once),
        cmocka_unit_test(an_impact_1e7_times_slower_than_the_first_is_one),
        cmocka_unit_test(a_slip_1e7_times_slower_than_the_first_is_one),
        cmocka_unit_test(what_sticks_from_the_start_never_slips),
        cmocka_unit_test(rounding_of_a_rate_is_no_impact),
        cmocka_unit_test(counts_of_events_do_not_depend_on_listeners),
        cmocka_unit_test(events_and_states_a_scheme_finds_are_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
