// SPDX-License-Identifier: Apache-2.0
// Surfaces made of patches under the event-driven scheme, against closed forms.
#include "schemes/event_driven_rig.h"

static const double G = 9.81;

// a point mass x, z above patches that the test gives
#define MASS(patches, start)                                                                       \
    "carom: 1\nparameters: {gravity: 9.81, v: 1, e: 0, mu: 0.3}\n"                                 \
    "coordinates: {" start "}\n"                                                                   \
    "kinetic: 1/2*(der(x)^2 + der(z)^2)\npotential: gravity*z\n"                                   \
    "contacts:\n  - name: ground\n    restitution: e\n    surface:\n" patches

// integral of sqrt((1 + 4 c^2 x^2)/(v^2 - 2 g c x^2)) dx from 0 to x, by x = A sin s where the
// denominator has roots; Simpson's rule with 2000 intervals
static double time_on_parabola(double c, double v, double x)
{
    const int n = 2000;
    const double k = 2 * G * fabs(c), A = v / sqrt(k);
    const double top = c > 0 ? asin(fmin(1, x / A)) : asinh(x / A);
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double s = top * i / n, at = c > 0 ? A * sin(s) : A * sinh(s);
        sum += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * sqrt(1 + 4 * c * c * at * at);
    }
    return sum * top / (3 * n * sqrt(k));
}

static double turning_point(double c, double v)
{
    return v / sqrt(2 * G * c);
}

static void mass_stays_on_a_parabola_that_bends_up(void **state)
{
    (void)state;
    static const char *const solver[] = {"phem56", "hem5", "rkf45", "gen_alpha"};
    const double back = 2 * time_on_parabola(1, 1, turning_point(1, 1));
    for (int i = 0; i < 4; i++) {
        run r;
        // gen_alpha has order 2
        const double tolerance = i == 3 ? 1e-7 : 1e-10, bound = i == 3 ? 1e-4 : 1e-8;
        go(&r,
           &(plan){
               .file = "plane-parabola", .smooth = solver[i], .tolerance = tolerance, .end = 1.5});
        assert_int_equal(count(&r, CAROM_EDGE), 2);
        is_near(find(&r, CAROM_EDGE, 0)->t, 0.5, 1e-13);
        is_near(find(&r, CAROM_EDGE, 1)->t, 0.5 + back, bound);
        assert_int_equal(find(&r, CAROM_EDGE, 0)->contact, 0);
        assert_int_equal(find(&r, CAROM_EDGE, 1)->contact, 1);
        // on the plane again, as fast as before
        const carom_state *now = carom_sim_state(r.sim);
        is_near(now->q[0], -(1.5 - 0.5 - back), bound);
        is_near(now->q[1], 0, 1e-14);
        is_near(now->u[0], -1, bound);
        assert_int_equal(count(&r, CAROM_IMPACT), 0);
        end(&r);
    }
}

static void slow_mass_stays_on_a_parabola_that_bends_down(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "plane-parabola",
                   .tolerance = 1e-10,
                   .end = 1.2,
                   .change = (const char *const[]){"c=-1", NULL}});
    const carom_state *now = carom_sim_state(r.sim);
    is_near(time_on_parabola(-1, 1, now->q[0]), 1.2 - 0.5, 1e-8);
    is_near(now->q[1], -now->q[0] * now->q[0], 1e-14);
    assert_true(now->la[1] > 0);
    assert_int_equal(count(&r, CAROM_EDGE), 1);
    assert_int_equal(count(&r, CAROM_IMPACT), 0);
    end(&r);
}

static void fast_mass_leaves_a_parabola_that_bends_down_at_its_edge(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "plane-parabola",
                   .tolerance = 1e-10,
                   .end = 1,
                   .change = (const char *const[]){"c=-1", "v=3", NULL}});
    const double t = 1 - 0.5 / 3;
    const carom_state *now = carom_sim_state(r.sim);
    is_near(now->q[0], 3 * t, 1e-13);
    is_near(now->q[1], -G * t * t / 2, 1e-13);
    is_near(find(&r, CAROM_OPEN, 0)->t, 0.5 / 3, 1e-14);
    assert_int_equal(count(&r, CAROM_CLOSE), 1); // at the start
    end(&r);
}

// 2 v^2 = gravity
static void two_steps_find_the_limit_of_speed_to_four_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        run r;
        char v[40];
        const char *const change[] = {"c=-1", v, NULL};
        snprintf(v, sizeof v, "v=%.17g", sqrt(G / 2) * (i == 0 ? 1 - 1e-4 : 1 + 1e-4));
        go(&r, &(plan){.file = "plane-parabola", .tolerance = 1e-10, .end = 0.5, .change = change});
        assert_int_equal(count(&r, CAROM_CLOSE), i == 0 ? 2 : 1);
        end(&r);
    }
}

// the plane goes on behind the edge where all patches count; printed in one step, the mass leaves
static void other_rules_are_right_only_where_the_surface_bends_up(void **state)
{
    (void)state;
    static const char *const rule[] = {"one_step", "lcp"};
    for (int i = 0; i < 2; i++) {
        run up, two, down;
        go(&up, &(plan){.file = "plane-parabola", .edge = rule[i], .tolerance = 1e-10, .end = 1});
        go(&two, &(plan){.file = "plane-parabola", .tolerance = 1e-10, .end = 1});
        is_near(carom_sim_state(up.sim)->q[0], carom_sim_state(two.sim)->q[0], 1e-9);
        go(&down, &(plan){.file = "plane-parabola",
                          .edge = rule[i],
                          .tolerance = 1e-10,
                          .end = 1,
                          .change = (const char *const[]){"c=-1", NULL}});
        if (i == 0) {
            // it is open between two events of the same instant
            assert_int_equal(find(&down, CAROM_OPEN, 0)->contact, 0);
            const carom_event *close = find(&down, CAROM_CLOSE, 1);
            assert_true(close == find(&down, CAROM_OPEN, 0) + 1 && close->contact == 1);
        } else {
            is_near(carom_sim_state(down.sim)->q[1], 0, 0);
        }
        end(&up);
        end(&two);
        end(&down);
    }
}

// two parabolas meet in a valley: half periods of both sides alternate
static void no_edge_is_lost_in_a_valley_crossed_many_times(void **state)
{
    (void)state;
    static const char text[] =
        MASS("      - {gap: z - 4*x^2, where: x < 0}\n      - {gap: z - x^2, where: x >= 0}\n",
             "x: {start: 0, rate: v}, z: {}");
    run r;
    const double half[] = {2 * time_on_parabola(1, 1, turning_point(1, 1)),
                           2 * time_on_parabola(4, 1, turning_point(4, 1))};
    const int n = 200;
    go(&r, &(plan){.text = text, .tolerance = 1e-11, .end = (n / 2) * (half[0] + half[1]) + 0.01});
    assert_int_equal(count(&r, CAROM_EDGE), n);
    double t = 0;
    for (int k = 0; k < n; k++) {
        t += half[k % 2];
        is_near(find(&r, CAROM_EDGE, k)->t, t, 1e-8 * (k + 1));
        assert_int_equal(find(&r, CAROM_EDGE, k)->contact, k % 2 ? 0 : 1);
    }
    assert_int_equal(count(&r, CAROM_IMPACT), 0);
    // one patch is always closed
    assert_int_equal(count(&r, CAROM_CLOSE) - count(&r, CAROM_OPEN), 1);
    is_near(audit(&r).energy_error, 0, 1e-7);
    end(&r);
}

static void order_of_patches_does_not_matter(void **state)
{
    (void)state;
    static const char *const text[] = {
        MASS("      - {gap: z - 4*x^2, where: x < 0}\n      - {gap: z - x^2, where: x >= 0}\n",
             "x: {start: -0.1, rate: v}, z: {start: 0.3}"),
        MASS("      - {gap: z - x^2, where: x >= 0}\n      - {gap: z - 4*x^2, where: x < 0}\n",
             "x: {start: -0.1, rate: v}, z: {start: 0.3}")};
    run r[2];
    for (int i = 0; i < 2; i++)
        go(&r[i], &(plan){.text = text[i],
                          .tolerance = 1e-10,
                          .end = 3,
                          .change = (const char *const[]){"e=0.5", NULL}});
    assert_true(r[0].log->n > 20);
    assert_int_equal(r[0].log->n, r[1].log->n);
    for (int k = 0; k < r[0].log->n; k++) {
        const carom_event *a = &r[0].log->event[k], *b = &r[1].log->event[k];
        is_near(a->t, b->t, 1e-12 * a->t);
        // opening and closing at an edge come in the order of the contacts
        if (a->kind == CAROM_IMPACT || a->kind == CAROM_EDGE) {
            assert_int_equal(a->kind, b->kind);
            assert_int_equal(a->contact, 1 - b->contact);
        }
    }
    for (int i = 0; i < 2; i++)
        is_near(carom_sim_state(r[0].sim)->q[i], carom_sim_state(r[1].sim)->q[i], 1e-12);
    end(&r[0]);
    end(&r[1]);
}

// z0 - g t^2/2 = x^2, x = v t - 1/2
static void edges_are_no_events_in_flight(void **state)
{
    (void)state;
    static const char text[] =
        MASS("      - {gap: z, where: x < 0}\n      - {gap: z - x^2, where: x >= 0}\n",
             "x: {start: -0.5, rate: v}, z: {start: 2.5}");
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 0.8});
    double t = 0.6;
    for (int k = 0; k < 50; k++) {
        const double x = t - 0.5;
        t -= (2.5 - G * t * t / 2 - x * x) / (-G * t - 2 * x);
    }
    assert_int_equal(find(&r, CAROM_IMPACT, 0)->contact, 1);
    is_near(find(&r, CAROM_IMPACT, 0)->t, t, 1e-13);
    assert_int_equal(r.log->event[0].kind, CAROM_IMPACT);
    assert_int_equal(count(&r, CAROM_EDGE), 0);
    end(&r);
}

static void mass_stops_where_the_rough_patch_stops_it(void **state)
{
    (void)state;
    static const char text[] = MASS("      - {gap: z, where: x < 0}\n"
                                    "      - {gap: z, where: x >= 0, slip: x, friction: mu}\n",
                                    "x: {start: -0.5, rate: v}, z: {}");
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 2});
    const carom_state *now = carom_sim_state(r.sim);
    is_near(find(&r, CAROM_SLIP, 0)->t, 0.5, 1e-13);
    is_near(find(&r, CAROM_STICK, 0)->t, 0.5 + 1 / (0.3 * G), 1e-10);
    is_near(now->q[0], 1 / (2 * 0.3 * G), 1e-12);
    is_near(audit(&r).friction_loss, 0.5, 1e-12);
    is_near(audit(&r).energy_error, 0, 1e-12);
    end(&r);
}

// slope 1: the normal part of v is lost, v/sqrt 2 goes on; back at the edge again v/2
static void kink_that_bends_up_is_an_impact(void **state)
{
    (void)state;
    static const char text[] =
        MASS("      - {gap: z, where: x < 0}\n      - {gap: (z - x)/sqrt(2), where: x >= 0}\n",
             "x: {start: -0.5, rate: v}, z: {}");
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 1});
    const double back = 2 * sqrt(0.5) / (G * sqrt(0.5));
    assert_int_equal(count(&r, CAROM_IMPACT), 2);
    is_near(find(&r, CAROM_IMPACT, 0)->t, 0.5, 1e-13);
    is_near(find(&r, CAROM_IMPACT, 0)->P, sqrt(0.5), 1e-12);
    is_near(find(&r, CAROM_IMPACT, 0)->energy_lost, 0.25, 1e-12);
    is_near(find(&r, CAROM_IMPACT, 1)->t, 0.5 + back, 1e-12);
    is_near(find(&r, CAROM_IMPACT, 1)->P, 0.5, 1e-12);
    is_near(carom_sim_state(r.sim)->u[0], -0.5, 1e-12);
    is_near(carom_sim_state(r.sim)->u[1], 0, 1e-12);
    end(&r);
}

// a hole from 0 to 1, then a plane 0.1 lower
static void mass_falls_where_no_patch_is(void **state)
{
    (void)state;
    static const char text[] =
        MASS("      - {gap: z, where: x < 0}\n      - {gap: z + 1, where: x > 1}\n",
             "x: {start: -0.5, rate: v}, z: {}");
    run r;
    go(&r, &(plan){.text = text,
                   .tolerance = 1e-10,
                   .end = 1.5,
                   .change = (const char *const[]){"v=4", NULL}});
    is_near(find(&r, CAROM_OPEN, 0)->t, 0.125, 1e-13);
    is_near(find(&r, CAROM_IMPACT, 0)->t, 0.125 + sqrt(2 / G), 1e-12);
    assert_int_equal(find(&r, CAROM_IMPACT, 0)->contact, 1);
    end(&r);
    // too slow to get over the hole: it falls for good
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 0.9});
    is_near(carom_sim_state(r.sim)->q[1], -G * 0.4 * 0.4 / 2, 1e-12);
    assert_int_equal(count(&r, CAROM_IMPACT), 0);
    end(&r);
}

static void patch_entered_from_its_side_is_an_error(void **state)
{
    (void)state;
    static const char *const start[] = {
        MASS("      - {gap: z, where: x < 0}\n      - {gap: z - 0.1, where: x >= 0}\n",
             "x: {start: -0.5, rate: v}, z: {}"),
        MASS("      - {gap: z, where: x < 0}\n      - {gap: z - 0.1, where: x >= 0}\n",
             "x: {start: -0.5, rate: 5*v}, z: {start: 0.1}")};
    for (int i = 0; i < 2; i++) {
        run r;
        carom_error error = {0};
        begin(&r, &(plan){.text = start[i], .tolerance = 1e-10, .end = 1});
        assert_int_equal(carom_sim_run(r.sim, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "'ground.2' begins with gap -0."));
        assert_non_null(strstr(error.message, "let the gaps agree at the edge"));
        end(&r);
    }
}

// both sides of a corner hold the mass where their domains overlap
static void mass_comes_to_rest_in_a_corner_of_overlapping_patches(void **state)
{
    (void)state;
    static const char text[] = MASS("      - {gap: (z + x)/sqrt(2), where: x < 0.1}\n"
                                    "      - {gap: (z - x)/sqrt(2), where: x > -0.1}\n",
                                    "x: {start: -0.5}, z: {start: 0.5}");
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 1});
    const carom_state *now = carom_sim_state(r.sim);
    is_near(find(&r, CAROM_IMPACT, 0)->t, sqrt(2 * sqrt(0.5) / (G * sqrt(0.5))), 1e-10);
    is_near(hypot(now->q[0], now->q[1]), 0, 1e-12);
    is_near(hypot(now->u[0], now->u[1]), 0, 1e-12);
    is_near(now->la[0], G / sqrt(2), 1e-9);
    is_near(now->la[1], G / sqrt(2), 1e-9);
    end(&r);
}

// the mass rests, the edge passes below it
static void edge_that_moves_hands_the_mass_over(void **state)
{
    (void)state;
    static const char text[] =
        MASS("      - {gap: z, where: x > t - 1, slip: x, friction: mu}\n"
             "      - {gap: z, where: x <= t - 1, slip: x - 2*(t - 1), friction: mu}\n",
             "x: {}, z: {}");
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 1.5});
    is_near(find(&r, CAROM_EDGE, 0)->t, 1, 1e-14);
    assert_int_equal(count(&r, CAROM_EDGE), 1);
    // the belt behind the edge pulls it along
    is_near(carom_sim_state(r.sim)->u[0], 0.3 * G * 0.5, 1e-12);
    end(&r);
}

// at rest on the edge of a plane and a slope
static void mass_at_rest_on_an_edge_starts_down_the_slope(void **state)
{
    (void)state;
    static const char *const patch[] = {
        MASS("      - {gap: z, where: x < 0}\n      - {gap: z + x^2 + x/10, where: x >= 0}\n",
             "x: {}, z: {}"),
        MASS("      - {gap: z - x/10, where: x < 0}\n      - {gap: z - x/10, where: x >= 0}\n",
             "x: {}, z: {}")};
    for (int i = 0; i < 2; i++) {
        run r;
        go(&r, &(plan){.text = patch[i], .tolerance = 1e-10, .end = 0.5});
        const carom_state *now = carom_sim_state(r.sim);
        const double a = G * 0.1 / 1.01;
        if (i == 0) assert_true(now->q[0] > 0.1 && now->la[1] > 0);
        if (i == 1) is_near(now->q[0], -a * 0.125, 1e-11);
        end(&r);
    }
}

static void families_have_surfaces_too(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {n: 2}\n"
        "coordinates:\n  x[i]: {for: {i: 1..n}, start: -0.1*i, rate: 1}\n  z[i]: {for: {i: 1..n}}\n"
        "kinetic: sum(i, 1, n, der(x[i])^2 + der(z[i])^2)/2\npotential: 9.81*sum(i, 1, n, z[i])\n"
        "contacts:\n  - name: ground[i]\n    for: {i: 1..n}\n    surface:\n"
        "      - {gap: 'z[i]', where: 'x[i] < 0'}\n"
        "      - {gap: 'z[i] - x[i]^2', where: 'x[i] >= 0'}\n";
    run r;
    go(&r, &(plan){.text = text, .tolerance = 1e-10, .end = 0.3});
    assert_int_equal(carom_model_sizes(r.model).n_surface, 2);
    assert_int_equal(count(&r, CAROM_EDGE), 2);
    for (int i = 0; i < 2; i++) {
        const carom_event *edge = find(&r, CAROM_EDGE, i);
        char name[40];
        snprintf(name, sizeof name, "ground[%d].1", i + 1);
        assert_string_equal(carom_model_contact(r.model, edge->contact)->name, name);
        is_near(edge->t, 0.1 * (i + 1), 1e-13);
    }
    end(&r);
}

// gap acceleration f/m + curvature of the cam's table at a place on the cam; positive: it leaves
static double leaving(const carom_model *model, double t)
{
    const unsigned mask = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_CURVATURE;
    carom_error error = {0};
    carom_plan *asked;
    must(carom_plan_new(model, &mask, 1, &asked, &error), &error);
    carom_eval *ev = carom_plan_eval(asked);
    double q = 0;
    const double u = 0;
    carom_point at = {.t = t, .q = &q, .u = &u};
    must(carom_model_eval(asked, &at, mask, ev, &error), &error);
    q = -ev->gaps.value[0]; // now the gap is 0
    must(carom_model_eval(asked, &at, mask, ev, &error), &error);
    const double a = ev->f[0] / carom_mass_entry(ev->mass, 0, 0) + ev->rows.curvature[0];
    carom_plan_free(asked);
    return a;
}

static void follower_leaves_a_fast_cam_where_its_spring_is_too_weak(void **state)
{
    (void)state;
    run r;
    go(&r, &(plan){.file = "cam-follower", .tolerance = 1e-10, .end = 0.09});
    assert_true(count(&r, CAROM_OPEN) >= 3);
    const double t = find(&r, CAROM_OPEN, 0)->t;
    // accelerations are of size 1e3 and change by about 1e6 in a second
    is_near(leaving(r.model, t), 0, 1e-5);
    assert_true(leaving(r.model, t - 1e-5) < -1 && leaving(r.model, t + 1e-5) > 1);
    end(&r);
    go(&r, &(plan){.file = "cam-follower",
                   .tolerance = 1e-10,
                   .end = 0.18,
                   .change = (const char *const[]){"w=100", NULL}});
    assert_int_equal(count(&r, CAROM_OPEN), 0);
    is_near(audit(&r).min_gap, 0, 1e-12);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_stays_on_a_parabola_that_bends_up),
        cmocka_unit_test(slow_mass_stays_on_a_parabola_that_bends_down),
        cmocka_unit_test(fast_mass_leaves_a_parabola_that_bends_down_at_its_edge),
        cmocka_unit_test(two_steps_find_the_limit_of_speed_to_four_digits),
        cmocka_unit_test(other_rules_are_right_only_where_the_surface_bends_up),
        cmocka_unit_test(no_edge_is_lost_in_a_valley_crossed_many_times),
        cmocka_unit_test(order_of_patches_does_not_matter),
        cmocka_unit_test(edges_are_no_events_in_flight),
        cmocka_unit_test(mass_stops_where_the_rough_patch_stops_it),
        cmocka_unit_test(kink_that_bends_up_is_an_impact),
        cmocka_unit_test(mass_falls_where_no_patch_is),
        cmocka_unit_test(patch_entered_from_its_side_is_an_error),
        cmocka_unit_test(mass_comes_to_rest_in_a_corner_of_overlapping_patches),
        cmocka_unit_test(edge_that_moves_hands_the_mass_over),
        cmocka_unit_test(mass_at_rest_on_an_edge_starts_down_the_slope),
        cmocka_unit_test(families_have_surfaces_too),
        cmocka_unit_test(follower_leaves_a_fast_cam_where_its_spring_is_too_weak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
