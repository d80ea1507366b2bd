// SPDX-License-Identifier: Apache-2.0
// A ball hits a long row of balls that touch, under the event-driven scheme. Newton's law at all
// contacts at once: the first ball leaves with e, the others stay together,
//
//     U+ = (e v0, 0, 0, ..),   u_2 = .. = u_n = (1 + e) v0/n,   u_1 = u_2 - e v0
#include "event_driven_rig.h"

static void check_row(int n, double e)
{
    char balls[16], law[16];
    snprintf(balls, sizeof balls, "n=%d", n);
    snprintf(law, sizeof law, "e=%g", e);
    const char *const change[] = {balls, law, NULL};
    const plan p = {.file = "chain-of-balls", .tolerance = 1e-9, .end = 10, .change = change};
    run r;
    go(&r, &p);
    // one impact at every contact; all that do not leave close, and nothing happens after that
    assert_int_equal(count(&r, CAROM_IMPACT), n - 1);
    assert_int_equal(count(&r, CAROM_CLOSE), e > 0 ? n - 2 : n - 1);
    assert_int_equal(count(&r, CAROM_OPEN), 0);
    assert_int_equal(r.log->n, count(&r, CAROM_IMPACT) + count(&r, CAROM_CLOSE));
    assert_true(r.log->event[r.log->n - 1].t == 0);
    // the impulses (1 + e) v0 (n - i)/n add up over n balls, each to rounding
    const double tolerance = 1e-15 * n;
    const carom_state *s = carom_sim_state(r.sim);
    is_near(s->u[0], (1 + e) / n - e, tolerance);
    for (int i = 1; i < n; i++) is_near(s->u[i], (1 + e) / n, tolerance);
    end(&r);
}

static void touching_balls_stay_together(void **state)
{
    (void)state;
    static const int n[] = {3, 50, 100, 129, 200};
    for (int i = 0; i < 5; i++) {
        check_row(n[i], 1);
        check_row(n[i], 0.5);
        check_row(n[i], 0);
    }
}

// with gaps in between each ball hands its motion on to the next
static void balls_apart_hand_the_motion_on(void **state)
{
    (void)state;
    static const char *const change[] = {"n=100", "separation=0.01", NULL};
    const plan p = {.file = "chain-of-balls", .tolerance = 1e-9, .end = 2, .change = change};
    run r;
    go(&r, &p);
    assert_int_equal(r.log->n, 99);
    for (int k = 0; k < 99; k++) is_near(r.log->event[k].t, 0.01 * (k + 1), 1e-12);
    is_near(carom_sim_state(r.sim)->u[99], 1, 1e-13);
    end(&r);
}

// thousands of impacts at e = 0.9, then each contact carries the weight above it; a search for the
// next impact looks at gaps only, and at those that close first
static void falling_column_comes_to_rest(void **state)
{
    (void)state;
    enum { BEADS = 15 };
    static const char *const change[] = {"n=15", NULL};
    const plan p = {.file = "column-of-beads", .tolerance = 1e-9, .end = 2, .change = change};
    run r;
    go(&r, &p);
    const carom_state *s = carom_sim_state(r.sim);
    for (int i = 0; i < BEADS; i++) {
        assert_true(s->is_active[i]);
        is_near(s->q[i], 0.1 + 0.2 * i, 1e-14 * BEADS);
        is_near(s->u[i], 0, 1e-15);
        is_near(s->la[i], 9.81 * (BEADS - i), 1e-13 * BEADS);
    }
    assert_int_equal(count(&r, CAROM_ACCUMULATED) + count(&r, CAROM_CLOSE) - count(&r, CAROM_OPEN),
                     BEADS);
    is_near(audit(&r).energy_error, 0, 1e-8);
    const carom_counts n = carom_sim_counts(r.sim);
    assert_true(n.evaluations < 330 * n.steps); // 250; 441 where every look solves for forces
    end(&r);
}

// the first shower of impacts: a gap's root is known to the rounding of positions, and a search
// that goes on from there counts digits of noise
static void searches_end_at_rounding(void **state)
{
    (void)state;
    static const char *const change[] = {"n=20", NULL};
    const plan p = {.file = "column-of-beads",
                    .smooth = "hem5",
                    .tolerance = 1e-9,
                    .end = 0.8,
                    .change = change};
    run r;
    go(&r, &p);
    const carom_counts n = carom_sim_counts(r.sim);
    assert_true(n.evaluations < 210 * n.steps); // 183; 240 with searches to the last bit of time
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_balls_stay_together),
        cmocka_unit_test(balls_apart_hand_the_motion_on),
        cmocka_unit_test(falling_column_comes_to_rest),
        cmocka_unit_test(searches_end_at_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
