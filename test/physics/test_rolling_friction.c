// SPDX-License-Identifier: Apache-2.0
// Rolling and spinning friction of a ball or a disk on a plane against closed forms: held on an
// incline below tan(alpha) = delta/R, rolling down above, brought to rest by either. Whatever the
// scheme, the direction of the plane and the units, and the energy never rises.
#include "physics/last_row.h"

static const char *const schemes[] = {"moreau_midpoint",
                                      "moreau_jean",
                                      "moreau_jean_explicit",
                                      "moreau_direct_projection",
                                      "moreau_combined_projection",
                                      "tdg_velocity",
                                      "tdg_velocity_adaptive",
                                      "variational",
                                      "nonsmooth_gen_alpha"};
enum { N_SCHEME = sizeof schemes / sizeof *schemes };

// the plane is level, gravity leans: the start touches to the last bit
static const char ball_text[] =
    "carom: 1\n"
    "gravity: [9.81*sin(%.17g), 0, -9.81*cos(%.17g)]\n"
    "bodies:\n"
    "  ball: {mass: 2, at: [0, 0, 0.1], velocity: [%s], spin: [%s],\n"
    "         shape: {sphere: [0, 0, 0], radius: 0.1}, material: steel}\n"
    "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}, material: rubber}\n"
    "materials:\n"
    "  - {between: [steel, rubber], friction: 0.5, rolling_friction: 0.004, spinning_friction: "
    "0.002}\n"
    "record:\n"
    "  turn: sqrt(ball.wx^2 + ball.wy^2 + ball.wz^2)\n";
static char text[1024];

static const char *on_incline(double alpha, const char *velocity, const char *spin)
{
    snprintf(text, sizeof text, ball_text, alpha, alpha, velocity, spin);
    return text;
}

static const double g = 9.81, R = 0.1, delta = 0.004;

static void a_ball_is_held_below_the_angle_of_rolling_friction(void **state)
{
    (void)state;
    for (int i = 0; i < N_SCHEME; i++)
        for (int k = 0; k < 2; k++) {
            last_row last;
            const double alpha = k == 0 ? 0.0399 : -0.03; // tan(alpha) < 0.04
            run_text(&last, on_incline(alpha, "0, 0, 0", "0, 0, 0"), (how){schemes[i], 1, 1e-3, 0});
            near(schemes[i], column(&last, "der_ball_x"), 0, 1e-14);
            near(schemes[i], column(&last, "turn"), 0, 1e-12);
            free_row(&last);
        }
}

static void a_ball_rolls_down_a_steeper_one(void **state)
{
    (void)state;
    for (int i = 0; i < N_SCHEME; i++) {
        const double alpha = 0.1, a = (g * sin(alpha) - delta / R * g * cos(alpha)) / 1.4;
        // variational velocities belong to the middle of a step
        const double late = strcmp(schemes[i], "variational") == 0 ? 0.5e-3 : 0;
        last_row last;
        run_text(&last, on_incline(alpha, "0, 0, 0", "0, 0, 0"), (how){schemes[i], 1, 1e-3, 0});
        near(schemes[i], column(&last, "der_ball_x"), a * (1 - late), 1e-9);
        near(schemes[i], column(&last, "turn"), a * (1 - late) / R, 1e-8);
        free_row(&last);
    }
}

// it stops, stays, and has gone v^2/(2 a), to O(h)
static void a_rolling_ball_stops(void **state)
{
    (void)state;
    const double v = 0.5, a = delta / R * g / 1.4;
    for (int i = 0; i < N_SCHEME; i++) {
        last_row last;
        run_text(&last, on_incline(0, "0.5, 0, 0", "0, 5, 0"), (how){schemes[i], 2.5, 1e-3, 0});
        near(schemes[i], column(&last, "der_ball_x"), 0, 1e-13);
        near(schemes[i], column(&last, "turn"), 0, 1e-12);
        near(schemes[i], column(&last, "ball_x"), v * v / (2 * a), 1e-3);
        free_row(&last);
    }
}

// a ball that spins on the spot: I w' = -delta_s N, to 0 and not further
static void spin_dies_linearly(void **state)
{
    (void)state;
    const double I = 0.4 * 2 * R * R, rate = 0.002 * 2 * g / I;
    for (int i = 0; i < N_SCHEME; i++) {
        const double late = strcmp(schemes[i], "variational") == 0 ? 0.5e-3 : 0;
        last_row last;
        run_text(&last, on_incline(0, "0, 0, 0", "0, 0, 3"), (how){schemes[i], 0.5, 1e-3, 0});
        near(schemes[i], column(&last, "ball_wz"), 3 - rate * (0.5 - late), 1e-9);
        free_row(&last);
        run_text(&last, on_incline(0, "0, 0, 0", "0, 0, 3"), (how){schemes[i], 0.7, 1e-3, 0});
        near(schemes[i], column(&last, "ball_wz"), 0, 1e-12);
        free_row(&last);
    }
}

// all three at once: slides, rolls and spins to rest without ever gaining energy, and in the same
// way on a wall that gravity is turned with
static void energy_never_rises_and_directions_do_not_matter(void **state)
{
    (void)state;
    static const char turned[] =
        "carom: 1\n"
        "gravity: [-9.81*2/3, -9.81*2/3, -9.81/3]\n"
        "bodies:\n"
        "  ball: {mass: 2, at: [0.1*2/3, 0.1*2/3, 0.1/3], velocity: [0.8/3, -1.6/3, 1.6/3], spin: "
        "[30*2/3, 30*2/3, 30/3],\n"
        "         shape: {sphere: [0, 0, 0], radius: 0.1}, material: steel}\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [2/3, 2/3, 1/3]}, material: rubber}\n"
        "materials:\n"
        "  - {between: [steel, rubber], friction: 0.5, rolling_friction: 0.004, spinning_friction: "
        "0.002}\n"
        "record:\n"
        "  fast: sqrt(der(ball.x)^2 + der(ball.y)^2 + der(ball.z)^2)\n"
        "  turn: sqrt(ball.wx^2 + ball.wy^2 + ball.wz^2)\n"
        "  way: sqrt(ball.x^2 + ball.y^2 + ball.z^2)\n";
    static const char flat[] =
        "carom: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ball: {mass: 2, at: [0, 0, 0.1], velocity: [0.8, 0, 0], spin: [0, 0, 30],\n"
        "         shape: {sphere: [0, 0, 0], radius: 0.1}, material: steel}\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}, material: rubber}\n"
        "materials:\n"
        "  - {between: [steel, rubber], friction: 0.5, rolling_friction: 0.004, spinning_friction: "
        "0.002}\n"
        "record:\n"
        "  fast: sqrt(der(ball.x)^2 + der(ball.y)^2 + der(ball.z)^2)\n"
        "  turn: sqrt(ball.wx^2 + ball.wy^2 + ball.wz^2)\n"
        "  way: sqrt(ball.x^2 + ball.y^2 + ball.z^2)\n";
    double before = INFINITY;
    for (int k = 1; k <= 12; k++) {
        last_row is, was;
        run_text(&is, turned, (how){"moreau_combined_projection", 0.6 * k, 2e-3, 0});
        run_text(&was, flat, (how){"moreau_combined_projection", 0.6 * k, 2e-3, 0});
        near("speed", column(&is, "fast"), column(&was, "fast"), 1e-9);
        near("spin", column(&is, "turn"), column(&was, "turn"), 1e-8);
        near("way", column(&is, "way"), column(&was, "way"), 1e-9);
        const double energy = column(&is, "energy");
        assert_true(energy <= before + 1e-12);
        before = energy;
        free_row(&is);
        free_row(&was);
    }
}

static void a_disk_in_the_plane_rolls_down(void **state)
{
    (void)state;
    static const char disk[] =
        "carom: 1\n"
        "space: plane\n"
        "parameters: {alpha: 0.1}\n"
        "gravity: [9.81*sin(alpha), -9.81*cos(alpha)]\n"
        "bodies:\n"
        "  ball: {mass: 2, at: [0, 0.1], shape: {disk: [0, 0], radius: 0.1}, material: steel}\n"
        "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}, material: rubber}\n"
        "materials:\n"
        "  - {between: [steel, rubber], friction: 0.5, rolling_friction: 0.004}\n";
    const double a = (g * sin(0.1) - delta / R * g * cos(0.1)) / 1.5;
    for (int i = 0; i < N_SCHEME; i++) {
        const double late = strcmp(schemes[i], "variational") == 0 ? 0.5e-3 : 0;
        last_row last;
        run_text(&last, disk, (how){schemes[i], 1, 1e-3, 0});
        near(schemes[i], column(&last, "der_ball_x"), a * (1 - late), 1e-9);
        near(schemes[i], column(&last, "der_ball_angle"), -a * (1 - late) / R, 1e-8);
        free_row(&last);
    }
}

// event_driven has the closed forms themselves: rolling down, the place where a ball stops, and the
// instant at which a spin ends
static void event_driven_is_exact(void **state)
{
    (void)state;
    const double v = 0.5, a = delta / R * g / 1.4, alpha = 0.1,
                 down = (g * sin(alpha) - delta / R * g * cos(alpha)) / 1.4;
    const how it = {"event_driven", 1, 0, 1e-11}, until_rest = {"event_driven", 2.5, 0, 1e-11};
    last_row last;
    run_text(&last, on_incline(alpha, "0, 0, 0", "0, 0, 0"), it);
    near("speed downhill", column(&last, "der_ball_x"), down, 1e-12);
    near("way downhill", column(&last, "ball_x"), 0.5 * down, 1e-12);
    free_row(&last);
    run_text(&last, on_incline(0.0399, "0, 0, 0", "0, 0, 0"), it);
    near("held", column(&last, "ball_x"), 0, 1e-15);
    free_row(&last);
    run_text(&last, on_incline(0, "0.5, 0, 0", "0, 5, 0"), until_rest);
    near("at rest", column(&last, "der_ball_x"), 0, 1e-15);
    near("way to rest", column(&last, "ball_x"), v * v / (2 * a), 1e-11);
    free_row(&last);
    // I = 0.008, torque 0.002 m g: at rest after 3 I/(0.002 m g) = 0.6116 s
    run_text(&last, on_incline(0, "0, 0, 0", "0, 0, 3"), (how){"event_driven", 0.611, 0, 1e-11});
    near("spin", column(&last, "ball_wz"), 3 - 0.611 * 0.004 * g / 0.008, 1e-11);
    free_row(&last);
    run_text(&last, on_incline(0, "0, 0, 0", "0, 0, 3"), (how){"event_driven", 0.612, 0, 1e-11});
    near("spin has ended", column(&last, "ball_wz"), 0, 1e-15);
    free_row(&last);
}

// bounces, slides, rolls and spins: two ways of seeing it agree
static void bounces_end_at_the_same_place(void **state)
{
    (void)state;
    static const char bounce[] =
        "carom: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  ball: {mass: 2, at: [0, 0, 0.2], velocity: [0.5, 0.2, 0], spin: [3, 8, 10], shape: "
        "{sphere: [0, 0, 0], radius: 0.1}, material: steel}\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}, material: rubber}\n"
        "materials:\n"
        "  - {between: [steel, rubber], restitution: 0.3, friction: 0.2, rolling_friction: 0.006, "
        "spinning_friction: 0.003}\n";
    last_row exact, stepped;
    run_text(&exact, bounce, (how){"event_driven", 1.5, 0, 1e-10});
    run_text(&stepped, bounce, (how){"moreau_midpoint", 1.5, 1e-4, 0});
    near("x", column(&stepped, "ball_x"), column(&exact, "ball_x"), 1e-4);
    near("y", column(&stepped, "ball_y"), column(&exact, "ball_y"), 1e-4);
    near("attitude", column(&stepped, "ball_p0"), column(&exact, "ball_p0"), 1e-4);
    near("rest", column(&exact, "der_ball_x"), 0, 1e-15);
    assert_true(exact.drift < 1e-10);
    free_row(&exact);
    free_row(&stepped);
}

// the same contact as one that comes and goes: in slots, with the same rows, to the last bit
static void contacts_that_come_and_go_roll_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"der_ball_x", "der_ball_y", "ball_wx", "ball_wz", "ball_y"};
    char near_text[1200];
    for (int i = 0; i < N_SCHEME; i++) {
        last_row lasting, slots;
        const how it = {schemes[i], 0.5, 1e-3, 0};
        const char *plain = on_incline(0.02, "0.3, 0.4, 0", "-4, 3, 20");
        snprintf(near_text, sizeof near_text, "%sdetection: {lasting: 0}\n", plain);
        run_text(&lasting, plain, it);
        run_text(&slots, near_text, it);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            near(schemes[i], column(&slots, names[k]), column(&lasting, names[k]), 1e-13);
        free_row(&lasting);
        free_row(&slots);
    }
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    carom_model *model = model_from_text(near_text);
    options.scheme = "event_driven";
    options.end = 1;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "that come and go"));
    carom_model_free(model);
}

// a dozen balls fall on each other, bounce and come to rest: laws and energy all the way
static void a_heap_comes_to_rest(void **state)
{
    (void)state;
    char heap[4000];
    int n = snprintf(heap, sizeof heap, "carom: 1\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < 12; i++)
        n += snprintf(heap + n, sizeof heap - (size_t)n,
                      "  b%d: {density: 2000, at: [%g, %g, %g], spin: [0, 0, %d], shape: {sphere: "
                      "[0, 0, 0], radius: 0.05}, material: s}\n",
                      i, 0.11 * (i % 2) + 0.003 * i, 0.11 * (i / 2 % 2) - 0.002 * i,
                      0.06 + 0.12 * (i / 4), 10 - 2 * i);
    snprintf(heap + n, sizeof heap - (size_t)n,
             "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}, material: s}\n"
             "detection: {lasting: 0}\n"
             "materials:\n"
             "  - {between: [s, s], friction: 0.4, restitution: 0.2, rolling_friction: 0.005, "
             "spinning_friction: 0.002}\n");
    double before = INFINITY;
    for (int k = 1; k <= 3; k++) {
        last_row last;
        carom_audit audit;
        carom_error error = {0};
        run_text(&last, heap, (how){"moreau_midpoint", 0.5 * k, 1e-3, 0});
        must(carom_sim_audit(last.sim, &audit, NULL, &error), &error);
        assert_true(audit.residual <= 1e-9);
        assert_true(fabs(audit.energy_error) <= 1e-9 * audit.energy_start);
        assert_true(column(&last, "energy") <= before + 1e-12);
        before = column(&last, "energy");
        if (k == 3) near("kinetic energy at rest", column(&last, "kinetic"), 0, 1e-3);
        free_row(&last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_held_below_the_angle_of_rolling_friction),
        cmocka_unit_test(a_ball_rolls_down_a_steeper_one),
        cmocka_unit_test(a_rolling_ball_stops),
        cmocka_unit_test(spin_dies_linearly),
        cmocka_unit_test(energy_never_rises_and_directions_do_not_matter),
        cmocka_unit_test(a_disk_in_the_plane_rolls_down),
        cmocka_unit_test(event_driven_is_exact),
        cmocka_unit_test(bounces_end_at_the_same_place),
        cmocka_unit_test(contacts_that_come_and_go_roll_alike),
        cmocka_unit_test(a_heap_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
