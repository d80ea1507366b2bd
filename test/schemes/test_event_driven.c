// SPDX-License-Identifier: Apache-2.0
// The event-driven scheme on its models, against closed forms and the independent reference
// of the slider-crank.
#include "schemes/event_driven_rig.h"

#include <unistd.h>

static const double PI = 3.14159265358979323846;

// t_1 = sqrt(2 z/g), then flights of 2 e^k t_1; the sum ends at t_1 (1 + 2e/(1 - e))
static void ball_bounces_on_time_until_it_rests(void **state)
{
    (void)state;
    static const char *const solver[] = {"phem56", "hem5", "rkf45", "gen_alpha"};
    for (int i = 0; i < 4; i++) {
        run r;
        const double e = 0.9, t1 = sqrt(2 / 9.81);
        go(&r,
           &(plan){.file = "bouncing-ball", .smooth = solver[i], .tolerance = 1e-10, .end = 10});
        double t = t1;
        for (int k = 0; k < 44; k++) {
            is_near(find(&r, CAROM_IMPACT, k)->t, t, 1e-12 * t);
            t += 2 * pow(e, k + 1) * t1;
        }
        // down to v_acc: e^n <= 1e-8
        assert_int_equal(count(&r, CAROM_IMPACT), (int)ceil(log(1e-8) / log(e)));
        assert_int_equal(count(&r, CAROM_ACCUMULATED), 1);
        is_near(find(&r, CAROM_ACCUMULATED, 0)->t, t1 * (1 + 2 * e / (1 - e)), 1e-12 * 9);
        const carom_state *now = carom_sim_state(r.sim);
        is_near(now->q[0], 0, 1e-14);
        is_near(now->la[0], 9.81, 1e-12);
        is_near(audit(&r).energy_error, 0, 1e-12 * 9.81);
        end(&r);
    }
}

// x = -c + (1 + c) cos wt up to the first impact, then flights of 2/w atan(v w/g). What the
// tolerance leaves of 80 fast flights stretches the slow ones behind them: the end is off by 40
// tolerances (in s) with phem56, 0.3 with hem5. The first tolerance is that of the model's file.
static void oscillator_with_a_stop_ends_its_impacts_on_time(void **state)
{
    (void)state;
    static const struct {
        const char *smooth;
        double tolerance;
    } with[] = {{"phem56", 1e-11}, {"phem56", 1e-12}, {"hem5", 1e-9}};
    for (int i = 0; i < 3; i++) {
        run r;
        const double w = sqrt(100 / 1e-3), c = 9.81 / (w * w), v = w * sqrt(1 + 2 * c);
        go(&r, &(plan){.file = "oscillator-with-stop-2d",
                       .smooth = with[i].smooth,
                       .tolerance = with[i].tolerance,
                       .end = 0.9});
        double t = acos(c / (1 + c)) / w;
        is_near(find(&r, CAROM_IMPACT, 0)->t, t, 1e-12);
        for (int n = 1; n < 2000; n++) t += 2 / w * atan(pow(0.9, n) * v * w / 9.81);
        is_near(find(&r, CAROM_ACCUMULATED, 0)->t, t, 1e-9);
        assert_int_equal(count(&r, CAROM_IMPACT), 175);
        end(&r);
    }
}

// a ball that carries another one on a string over a pulley: it falls with g/3 where nothing else
// holds it. In the last bounces the string still does.
static void bounces_end_with_the_acceleration_that_constraints_allow(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ncoordinates: {y: {start: 1}, z: {start: -1}}\n"
                               "kinetic: (2*der(y)^2 + der(z)^2)/2\n"
                               "potential: 9.81*(2*y + z)\n"
                               "constraints: [{name: string, equation: y + z}]\n"
                               "contacts: [{name: floor, gap: y, restitution: 0.5}]\n";
    const double t1 = sqrt(2 / (9.81 / 3));
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 4});
    is_near(find(&r, CAROM_IMPACT, 0)->t, t1, 1e-12);
    is_near(find(&r, CAROM_IMPACT, 1)->t, 2 * t1, 1e-12);
    assert_int_equal(count(&r, CAROM_IMPACT), (int)ceil(log(1e-8) / log(0.5)));
    is_near(find(&r, CAROM_ACCUMULATED, 0)->t, 3 * t1, 1e-12);
    is_near(carom_sim_state(r.sim)->la[0], 9.81, 1e-11); // carries the other ball
    is_near(carom_sim_state(r.sim)->la[1], 9.81, 1e-11); // half of this one
    end(&r);
}

// leaves where cos(phi) = 2/3 cos(0.1)
static void mass_leaves_the_dome_where_it_should(void **state)
{
    (void)state;
    run r;
    carom_error error = {0};
    begin(&r, &(plan){.file = "dome", .tolerance = 1e-12, .end = 1.5});
    while (count(&r, CAROM_OPEN) == 0) must(carom_sim_step(r.sim, &error), &error);
    const carom_state *now = carom_sim_state(r.sim);
    is_near(atan2(now->q[0], now->q[1]), 0.8455282018568607, 1e-10);
    is_near(now->t, find(&r, CAROM_OPEN, 0)->t, 0);
    must(carom_sim_run(r.sim, &error), &error);
    assert_int_equal(r.log->n, 2);
    is_near(audit(&r).energy_error, 0, 1e-10);
    end(&r);
}

// rests until 20 sin 2t = 9.81
static void forced_ball_leaves_with_the_force_and_keeps_its_energy_balance(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "forced-ball", .tolerance = 1e-11, .end = 200});
    is_near(find(&r, CAROM_OPEN, 0)->t, asin(9.81 / 20) / 2, 1e-14);
    assert_true(count(&r, CAROM_IMPACT) > 100 && count(&r, CAROM_ACCUMULATED) >= 2);
    // each accumulation is followed by one release at most
    assert_true(
        abs(count(&r, CAROM_OPEN) - count(&r, CAROM_ACCUMULATED) - count(&r, CAROM_CLOSE)) <= 1);
    for (int k = 0; k < r.log->n; k++) {
        const carom_event *event = &r.log->event[k];
        if (event->kind == CAROM_IMPACT)
            is_near(event->rate_after, -0.5 * event->rate_before, 1e-12 * 40);
    }
    const carom_audit it = audit(&r);
    is_near(it.energy_error, 0, 1e-9 * it.work);
    assert_true(it.min_gap >= -1e-12);
    end(&r);
}

// two corners hit at once; times, rates and sums of impulses of the independent reference, which
// stops before rest
static void slider_crank_hits_with_the_reference(void **state)
{
    (void)state;
    static const double t[] = {0.0026925027520212216, 0.005607797868070916, 0.007465635169560769,
                               0.008409252749070652,  0.008831642160548932, 0.009009132575406904,
                               0.009081604612358971,  0.00911083746613147};
    run r;
    go(&r, &(plan){.file = "slider-crank",
                   .tolerance = 1e-12,
                   .end = 0.02,
                   .change = (const char *const[]){"mu=0", NULL}});
    for (int k = 0; k < 8; k++) {
        const carom_event *first = find(&r, CAROM_IMPACT, 2 * k),
                          *second = find(&r, CAROM_IMPACT, 2 * k + 1);
        is_near(first->t, t[k], 1e-10);
        assert_true(first->t == second->t && first->contact == 0 && second->contact == 1);
        is_near(first->rate_after, -0.4 * first->rate_before, 1e-12);
    }
    is_near(find(&r, CAROM_IMPACT, 0)->rate_before, -0.8416123220328924, 1e-10);
    is_near(find(&r, CAROM_IMPACT, 0)->P + find(&r, CAROM_IMPACT, 1)->P, 0.11079002976605404,
            1e-11);
    is_near(find(&r, CAROM_IMPACT, 14)->rate_before, -0.0007527952724695197, 1e-9);
    is_near(find(&r, CAROM_IMPACT, 14)->P + find(&r, CAROM_IMPACT, 15)->P, 0.00010161976285696402,
            1e-10);
    assert_int_equal(count(&r, CAROM_ACCUMULATED), 2);
    assert_int_equal(count(&r, CAROM_OPEN), 2);
    is_near(audit(&r).energy_error, 0, 1e-10);
    end(&r);
}

static void block_on_incline_sticks_or_slides_exactly(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "block-on-incline", .tolerance = 1e-9, .end = 1});
    assert_true(carom_sim_state(r.sim)->q[0] == 0 && carom_sim_state(r.sim)->u[0] == 0);
    is_near(carom_sim_state(r.sim)->la[1], -9.81 * sin(PI / 6), 1e-14 * 9.81);
    end(&r);
    go(&r, &(plan){.file = "block-on-incline",
                   .tolerance = 1e-9,
                   .end = 1,
                   .change = (const char *const[]){"mu=0.3", NULL}});
    const double a = 9.81 * (sin(PI / 6) - 0.3 * cos(PI / 6));
    is_near(carom_sim_state(r.sim)->u[0], a, 1e-14 * 9.81);
    is_near(carom_sim_state(r.sim)->q[0], a / 2, 1e-14 * 9.81);
    is_near(audit(&r).energy_error, 0, 1e-13);
    end(&r);
    // thrown upward it stops and slides back, or stays: v0/(g (sin + mu cos)) later
    go(&r, &(plan){.file = "block-on-incline",
                   .tolerance = 1e-9,
                   .end = 1,
                   .change = (const char *const[]){"v0=-2", NULL}});
    const double brake = 9.81 * (sin(PI / 6) + 0.6 * cos(PI / 6));
    is_near(find(&r, CAROM_STICK, 0)->t, 2 / brake, 1e-14);
    is_near(carom_sim_state(r.sim)->q[0], -2 / brake, 1e-14);
    end(&r);
}

// x = 1 - cos t up to x_dot = 1/2; with the belt up to x = 1; then x = 1 + sin(t - t2)/2, which
// just does not stick
static void block_on_belt_sticks_and_tears_off_on_time(void **state)
{
    (void)state;
    run r;
    const double t1 = PI / 6, t2 = t1 + 2 * cos(t1);
    go(&r, &(plan){.file = "block-on-belt", .tolerance = 1e-12, .end = 8});
    is_near(find(&r, CAROM_STICK, 0)->t, t1, 1e-8);
    is_near(find(&r, CAROM_SLIP, 1)->t, t2, 1e-8);
    is_near(carom_sim_state(r.sim)->q[0], 1 + 0.5 * sin(8 - t2), 1e-8);
    is_near(audit(&r).energy_error, 0, 1e-9);
    end(&r);
}

// a force F sin t on the belt's block at rest, F > limit: the slip starts and ends once in each
// half period, always alike
static const char driven[] = "carom: 1\nname: driven\n"
                             "coordinates:\n  x: {start: 0}\n  y: {start: 0}\n"
                             "kinetic: 1/2*(der(x)^2 + der(y)^2)\npotential: 10*y\n"
                             "forces:\n  - {coordinate: x, force: 3*sin(t)}\n"
                             "contacts:\n  - {name: floor, gap: y, slip: x, friction: 0.2}\n";

// slip starts where 3 sin t = 2; it ends where 3 (cos ts - cos t) = 2 (t - ts)
static void stick_slip_repeats_with_the_period_of_the_force(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = driven, .tolerance = 1e-11, .end = 40});
    const double ts = asin(2. / 3);
    double a = 2, b = 4;
    for (int k = 0; k < 100; k++) {
        const double t = 0.5 * (a + b);
        if (3 * (cos(ts) - cos(t)) - 2 * (t - ts) > 0)
            a = t;
        else
            b = t;
    }
    for (int k = 0; k < 12; k++) {
        is_near(find(&r, CAROM_SLIP, k)->t, ts + k * PI, 1e-8);
        is_near(find(&r, CAROM_STICK, k + 1)->t, a + k * PI, 1e-8);
    }
    assert_int_equal(count(&r, CAROM_SLIP), 13);
    end(&r);
}

// no force can keep the tip on the floor: an impulse of 0.3 N s without a collision stops it
static void painleve_rod_jams_with_a_finite_impulse(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "painleve-rod", .tolerance = 1e-9, .end = 0.2});
    const carom_event *jam = find(&r, CAROM_IMPACT, 0);
    assert_true(jam->t == 0 && fabs(jam->rate_before) <= 1e-15);
    is_near(jam->P, 0.3, 1e-12);
    is_near(jam->energy_lost, 0.2, 1e-12);
    assert_int_equal(count(&r, CAROM_STICK), 1);
    is_near(audit(&r).energy_error, 0, 1e-9);
    end(&r);
}

// each impact keeps r = 1 - 3/2 sin(alpha)^2 of the spin, so that the rocking ends; the block
// stands then
static void slender_block_rocks_from_corner_to_corner_until_it_stands(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "slender-rocking-block", .tolerance = 1e-10, .end = 10});
    const double s = sin(atan(0.2)), keep = 1 - 1.5 * s * s;
    for (int k = 0; k < 60; k++) {
        const carom_event *hit = find(&r, CAROM_IMPACT, k), *next = find(&r, CAROM_IMPACT, k + 1);
        assert_true(hit->contact != next->contact);
        is_near(next->rate_before / hit->rate_before, keep, 1e-7);
    }
    const carom_state *now = carom_sim_state(r.sim);
    is_near(now->q[2], 0, 1e-12);
    assert_true(now->is_active[0] && now->is_active[1]);
    for (int i = 0; i < 3; i++) is_near(now->u[i], 0, 1e-14);
    is_near(audit(&r).energy_error, 0, 1e-8);
    end(&r);
}

// ball in a groove, no forcing: the energy never rises, and every contact that
// closes is told of once
static void ball_in_a_groove_comes_to_rest_on_both_sides(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "two-contact-ball", .tolerance = 1e-10, .end = 30});
    for (int k = 0; k < r.log->n; k++) assert_true(r.log->event[k].energy_lost >= -1e-18);
    const carom_state *now = carom_sim_state(r.sim);
    is_near(now->q[0], 0, 1e-14);
    is_near(now->q[1], 0.1 / cos(PI / 6), 1e-14);
    assert_int_equal(count(&r, CAROM_ACCUMULATED) + count(&r, CAROM_CLOSE) - count(&r, CAROM_OPEN),
                     2);
    is_near(audit(&r).energy_error, 0, 1e-9 * 9.81);
    end(&r);
}

static const char table[] =
    "carom: 1\nname: table\nparameters: {A: 0.01, w: 40, e: 0.7}\n"
    "coordinates:\n  y: {start: 0.1}\nkinetic: 1/2*der(y)^2\npotential: 9.81*y\n"
    "contacts:\n  - {name: table, gap: y - A*sin(w*t), restitution: e}\n";

// the state, the active set and the memory are all that a continuation needs
static void a_restart_gives_the_same_bits(void **state)
{
    (void)state;
    run a, b;
    carom_error error = {0};
    char path[128];
    snprintf(path, sizeof path, "/tmp/carom-event-driven-%ld.checkpoint", (long)getpid());
    const plan p = {.text = table, .tolerance = 1e-9, .end = 5};
    begin(&a, &p);
    begin(&b, &p);
    for (int k = 0; k < 40; k++) must(carom_sim_step(a.sim, &error), &error);
    must(carom_sim_checkpoint(a.sim, path, &error), &error);
    must(carom_sim_restart(b.sim, path, &error), &error);
    must(carom_sim_run(a.sim, &error), &error);
    must(carom_sim_run(b.sim, &error), &error);
    remove(path);
    assert_true(carom_sim_state(a.sim)->q[0] == carom_sim_state(b.sim)->q[0]);
    assert_true(carom_sim_state(a.sim)->u[0] == carom_sim_state(b.sim)->u[0]);
    assert_int_equal(carom_sim_counts(a.sim).events, carom_sim_counts(b.sim).events);
    end(&a);
    end(&b);
}

// the feet of a block share the friction: it moves when both have reached their limit, not before
static const char feet[] =
    "carom: 1\nname: feet\nparameters: {l: 0.2, h: 1, J: (l^2 + h^2)/12, mu: 0.1}\n"
    "coordinates:\n  x: {start: 0}\n  z: {start: h/2}\n  th: {start: 0}\n"
    "kinetic: 1/2*(der(x)^2 + der(z)^2) + J/2*der(th)^2\npotential: 9.81*z\n"
    "forces:\n  - {coordinate: x, force: 1.2*sin(t)}\n"
    "contacts:\n"
    "  - {name: left, gap: z - l/2*sin(th) - h/2*cos(th), slip: x - l/2*cos(th) + h/2*sin(th), "
    "friction: mu}\n"
    "  - {name: right, gap: z + l/2*sin(th) - h/2*cos(th), slip: x + l/2*cos(th) + h/2*sin(th), "
    "friction: mu}\n";

static void block_on_two_feet_moves_when_both_are_at_their_limit(void **state)
{
    (void)state;
    run r;
    carom_error error = {0};
    const double start = asin(0.981 / 1.2);
    begin(&r, &(plan){.text = feet, .tolerance = 1e-10, .end = 20});
    while (carom_sim_state(r.sim)->t < start) must(carom_sim_step(r.sim, &error), &error);
    is_near(carom_sim_state(r.sim)->q[0], 0, 1e-15);
    must(carom_sim_run(r.sim, &error), &error);
    const carom_audit it = audit(&r);
    assert_true(it.work > 1);
    is_near(it.friction_loss, it.work - (it.energy_end - it.energy_start), 1e-9);
    assert_true(r.log->n < 40);
    end(&r);
}

// in space: friction opposes the motion, which stops along a line
static const char puck[] =
    "carom: 1\nname: puck\n"
    "coordinates:\n  x: {start: 0, rate: 1}\n  y: {start: 0, rate: 0.5}\n  z: {start: 0}\n"
    "kinetic: 1/2*(der(x)^2 + der(y)^2 + der(z)^2)\npotential: 9.81*z\n"
    "contacts:\n  - {name: floor, gap: z, slip: [x, y], friction: 0.2}\n";

static void puck_stops_after_v_over_mu_g(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.text = puck, .tolerance = 1e-10, .end = 1});
    const double v = hypot(1, 0.5), a = 0.2 * 9.81;
    is_near(find(&r, CAROM_STICK, 0)->t, v / a, 1e-12);
    is_near(hypot(carom_sim_state(r.sim)->q[0], carom_sim_state(r.sim)->q[1]), v * v / (2 * a),
            1e-9);
    is_near(carom_sim_state(r.sim)->u[0], 0, 1e-15);
    end(&r);
}

// Two masses on a spring without stress hit a wall: at that instant there is neither force nor
// acceleration. The first one stays at the wall for half a period of the second, pi/w.
static void a_body_without_stress_that_hits_is_held_at_once(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ncoordinates: {a: {start: 0, rate: -1}, b: {start: 0.25, rate: -1}}\n"
        "kinetic: (der(a)^2 + der(b)^2)/2\npotential: 5000*(b - a - 0.25)^2\n"
        "contacts: [{name: wall, gap: a, restitution: 0}]\n";
    static const struct {
        double step, tolerance, time, energy;
    } with[] = {{1e-5, 0, 1e-12, 1e-13}, {0, 1e-6, 1e-7, 1e-5}, {0, 1e-10, 1e-11, 1e-8}};
    for (int i = 0; i < 3; i++) {
        run r;
        go(&r,
           &(plan){
               .text = text, .step = with[i].step, .tolerance = with[i].tolerance, .end = 0.04});
        assert_int_equal(count(&r, CAROM_IMPACT), 1);
        is_near(find(&r, CAROM_IMPACT, 0)->energy_lost, 0.5, 1e-15);
        is_near(find(&r, CAROM_OPEN, 0)->t, acos(-1) / 100, with[i].time);
        is_near(audit(&r).min_gap, 0, 1e-15);
        is_near(audit(&r).energy_error, 0, with[i].energy);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_on_time_until_it_rests),
        cmocka_unit_test(bounces_end_with_the_acceleration_that_constraints_allow),
        cmocka_unit_test(oscillator_with_a_stop_ends_its_impacts_on_time),
        cmocka_unit_test(mass_leaves_the_dome_where_it_should),
        cmocka_unit_test(forced_ball_leaves_with_the_force_and_keeps_its_energy_balance),
        cmocka_unit_test(slider_crank_hits_with_the_reference),
        cmocka_unit_test(block_on_incline_sticks_or_slides_exactly),
        cmocka_unit_test(block_on_belt_sticks_and_tears_off_on_time),
        cmocka_unit_test(stick_slip_repeats_with_the_period_of_the_force),
        cmocka_unit_test(painleve_rod_jams_with_a_finite_impulse),
        cmocka_unit_test(slender_block_rocks_from_corner_to_corner_until_it_stands),
        cmocka_unit_test(ball_in_a_groove_comes_to_rest_on_both_sides),
        cmocka_unit_test(a_restart_gives_the_same_bits),
        cmocka_unit_test(block_on_two_feet_moves_when_both_are_at_their_limit),
        cmocka_unit_test(puck_stops_after_v_over_mu_g),
        cmocka_unit_test(a_body_without_stress_that_hits_is_held_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
