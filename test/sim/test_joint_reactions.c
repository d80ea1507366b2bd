// SPDX-License-Identifier: Apache-2.0
// Forces and torques of joints on bodies: against closed forms (pendulum, driven slider-crank), as
// what is missing of m a with every kind of joint and every scheme, opposite where the bodies of a
// joint change places, turned with the scene, summed between rows, and as the C interface gives
// them.
#include "sim/alarm_rig.h"

// a run of a text with all its rows
typedef struct scene {
    trial t;
    rig_rows rows;
} scene;

static void play(scene *s, const char *text, const carom_sim_options *options)
{
    s->rows = (rig_rows){0};
    rig_ok(trial_make(&s->t, text, options), &s->t.error);
    rig_listen(s->t.sim, &s->rows);
    rig_ok(carom_sim_run(s->t.sim, &s->t.error), &s->t.error);
}

static void end(scene *s)
{
    free(s->rows.value);
    trial_end(&s->t);
}

static double at(const scene *s, int row, const char *column)
{
    return rig_at(&s->rows, row, rig_column(s->t.sim, column));
}

static double largest(const scene *s, const char *column)
{
    double most = 0;
    for (int i = 0; i < s->rows.n_row; i++) {
        const double x = fabs(at(s, i, column));
        most = x > most || isnan(x) ? x : most;
    }
    return most;
}

// ---- a pendulum ----

#define PENDULUM                                                                                   \
    "carom: 1\nspace: plane\ngravity: [9.81*sin(tilt), -9.81*cos(tilt)]\n"                         \
    "parameters: {l: 0.5, m: 2, J: 0.01, tilt: %s}\n"                                              \
    "bodies: {bob: {mass: m, inertia: J, at: [l*sin(1.2 + tilt), -l*cos(1.2 + tilt)], "            \
    "angle: 1.2 + tilt}}\njoints: {pin: {revolute: [ground, bob], at: [0, 0]}}\n"                  \
    "record: {x: pin.force.x, y: pin.force.y, T: pin.torque.z,"                                    \
    " along: \"pin.force.x*cos(tilt) + pin.force.y*sin(tilt)\"}\n"

// The pull along the rod is m l w^2 + m g cos, across it m g sin (1 - m l^2/I); w from the energy.
// The first interval of `variational` has half its impulse: left out.
static double error_of_pull(const scene *s)
{
    const int skipped = strcmp(carom_sim_scheme(s->t.sim), "variational") == 0 ? 1 : -1;
    const double l = 0.5, m = 2, g = 9.81, I = 0.01 + m * l * l;
    double worst = 0;
    for (int i = 0; i < s->rows.n_row; i++) {
        const double a = at(s, i, "bob.angle");
        if (i == skipped) continue;
        const double pull = m * l * (2 * m * g * l * (cos(a) - cos(1.2)) / I) + m * g * cos(a);
        const double across = m * g * sin(a) * (1 - m * l * l / I);
        const double x = across * cos(a) - pull * sin(a), y = across * sin(a) + pull * cos(a);
        worst = fmax(worst, hypot(at(s, i, "x") - x, at(s, i, "y") - y));
    }
    return worst;
}

static double pendulum_error(const char *scheme, double step)
{
    char text[1200];
    scene s;
    snprintf(text, sizeof text, PENDULUM, "0");
    carom_sim_options options = trial_options(scheme, step, 0.6);
    if (options.tolerance > 0) options.tolerance = 1e-11;
    play(&s, text, &options);
    assert_true(largest(&s, "T") == 0);
    const double error = error_of_pull(&s);
    end(&s);
    return error;
}

static void the_pin_of_a_pendulum(void **state)
{
    (void)state;
    static const char *const exact[] = {"hem5", "phem56", "event_driven"};
    for (int i = 0; i < 3; i++) assert_true(pendulum_error(exact[i], 0) < 1e-9);
    static const struct {
        const char *scheme;
        double order;
    } row[] = {{"moreau_midpoint", 1}, {"moreau_jean", 1}, {"tdg_velocity", 1},
               {"ggl_decoupled", 1},   {"variational", 1}, {"nonsmooth_gen_alpha", 2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double coarse = pendulum_error(row[i].scheme, 2e-3),
                     fine = pendulum_error(row[i].scheme, 1e-3), order = log2(coarse / fine);
        if (!(fabs(order - row[i].order) < 0.15) || !(fine < 0.4))
            fail_msg("%s: errors %g, %g, order %g", row[i].scheme, coarse, fine, order);
    }
}

// the motion of a scene that is turned as a whole is the same, its forces are turned
static void a_turned_scene(void **state)
{
    (void)state;
    char text[2][1200];
    scene s[2];
    snprintf(text[0], sizeof text[0], PENDULUM, "0");
    snprintf(text[1], sizeof text[1], PENDULUM, "0.7");
    const carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 0.3);
    for (int k = 0; k < 2; k++) play(&s[k], text[k], &options);
    assert_int_equal(s[0].rows.n_row, s[1].rows.n_row);
    for (int i = 0; i < s[0].rows.n_row; i++)
        assert_true(fabs(at(&s[0], i, "along") - at(&s[1], i, "along")) < 1e-10);
    assert_true(largest(&s[0], "along") > 5);
    for (int k = 0; k < 2; k++) end(&s[k]);
}

// columns: a scheme has its forces either in la or in P, whose sum is the change of momentum
static void columns_of_a_joint(void **state)
{
    (void)state;
    char text[1200];
    snprintf(text, sizeof text, PENDULUM, "0");
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        if (!scheme->has_bilateral) continue;
        const carom_sim_options options = trial_options(scheme->name, 1e-3, 0.3);
        scene s;
        play(&s, text, &options);
        const int last = s.rows.n_row - 1;
        const bool has_forces = at(&s, last, "la_pin_Fy") != 0;
        double sum = 0;
        for (int i = 0; i <= last; i++) {
            sum += at(&s, i, "P_pin_Fy");
            if (has_forces && scheme->separates_impact)
                assert_true(at(&s, i, "la_pin_Fx") == at(&s, i, "x"));
        }
        const double momentum =
            2 * at(&s, last, "der_bob.y") + 2 * 9.81 * at(&s, last, "t"); // from rest
        if (has_forces ? sum != 0 : !(fabs(sum - momentum) < 0.02 * momentum))
            fail_msg("%s: the sum of impulses is %g, the momentum %g", scheme->name, sum, momentum);
        assert_true(largest(&s, "la_pin_Tz") == 0 && largest(&s, "P_pin_Tz") == 0);
        end(&s);
    }
}

// ---- a driven slider-crank ----

static const char driven[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
    "parameters: {l1: 0.15, l2: 0.4, w: 20, mc: 0.3, mr: 0.5, ms: 0.8, Jr: 0.007}\n"
    "bodies:\n"
    "  crank: {mass: mc, inertia: 1e-3, at: [l1/2, 0], velocity: [0, w*l1/2], spin: w}\n"
    "  rod: {mass: mr, inertia: Jr, at: [l1 + l2/2, 0], velocity: [0, w*l1/2], spin: -w*l1/l2}\n"
    "  slider: {mass: ms, inertia: 1e-4, at: [l1 + l2, 0]}\n"
    "joints:\n"
    "  main: {revolute: [ground, crank], at: [0, 0]}\n"
    "  pin: {revolute: [crank, rod], at: [l1, 0]}\n"
    "  wrist: {revolute: [rod, slider], at: [l1 + l2, 0]}\n"
    "  guide: {prismatic: [ground, slider], at: slider}\n"
    "motors: {drive: {on: main, angle: w*t}}\n"
    "record: {torque: drive.motion.force, tip: acc(slider.x)}\n";

// what inverse dynamics says at the angle th of the crank
typedef struct inverse {
    double pin[2], wrist[2], main[2], guide, torque, slide;
} inverse;

static inverse inverse_dynamics(double th)
{
    const double l1 = 0.15, l2 = 0.4, w = 20, mc = 0.3, mr = 0.5, ms = 0.8, J = 0.007, g = 9.81;
    const double s = -l1 / l2 * sin(th), c = sqrt(1 - s * s); // of the rod
    const double d = -l1 / l2 * w * cos(th) / c;
    const double dd = (l1 / l2 * w * w * sin(th) + d * d * s) / c;
    const double tip[2] = {-l1 * w * w * cos(th), -l1 * w * w * sin(th)};
    const double half[2] = {0.5 * l2 * (-s * dd - c * d * d), 0.5 * l2 * (c * dd - s * d * d)};
    inverse f = {.slide = tip[0] + 2 * half[0]};
    f.wrist[0] = ms * f.slide;
    f.pin[0] = mr * (tip[0] + half[0]) + f.wrist[0];
    const double lift = mr * (tip[1] + half[1] + g); // pin - wrist, vertically
    // J dd = -l2/2 (c pin_y - s pin_x) - l2/2 (c wrist_y - s wrist_x)
    f.wrist[1] = (-2 * J * dd / l2 - c * lift + s * (f.pin[0] + f.wrist[0])) / (2 * c);
    f.pin[1] = lift + f.wrist[1];
    f.guide = ms * g - f.wrist[1];
    for (int k = 0; k < 2; k++) f.main[k] = mc * (0.5 * tip[k] + k * g) + f.pin[k];
    f.torque = l1 * (cos(th) * f.pin[1] - sin(th) * f.pin[0]) + mc * g * 0.5 * l1 * cos(th);
    return f;
}

static void a_driven_slider_crank(void **state)
{
    (void)state;
    static const char *const scheme[] = {"hem5", "event_driven"};
    for (int k = 0; k < 2; k++) {
        carom_sim_options options = trial_options(scheme[k], 0, 0.4);
        scene s;
        options.tolerance = 1e-11;
        play(&s, driven, &options);
        double worst = 0, most = 0;
        for (int i = 0; i < s.rows.n_row; i++) {
            const inverse f = inverse_dynamics(20 * at(&s, i, "t"));
            const double off[] = {at(&s, i, "la_pin_Fx") - f.pin[0],
                                  at(&s, i, "la_pin_Fy") - f.pin[1],
                                  at(&s, i, "la_wrist_Fx") - f.wrist[0],
                                  at(&s, i, "la_wrist_Fy") - f.wrist[1],
                                  at(&s, i, "la_main_Fx") - f.main[0],
                                  at(&s, i, "la_main_Fy") - f.main[1],
                                  at(&s, i, "la_guide_Fy") - f.guide,
                                  at(&s, i, "la_guide_Fx"),
                                  at(&s, i, "la_guide_Tz"),
                                  at(&s, i, "torque") - f.torque,
                                  at(&s, i, "tip") - f.slide};
            for (int j = 0; j < 11; j++) worst = fmax(worst, fabs(off[j]));
            most = fmax(most, fabs(f.pin[0]));
        }
        if (!(worst < 1e-8 * most)) fail_msg("%s: off by %g of %g", scheme[k], worst, most);
        assert_true(most > 50 && s.rows.n_row > 50);
        end(&s);
    }
}

// ---- every kind of joint ----

// An arm that turns about the ground, and a block that a joint j holds to it. rest and twist are
// what force and torque of j, at the point p of the second body, leave of m a and J alpha of the
// block; about is the torque about the origin.
#define ARM_AND_BLOCK                                                                              \
    "carom: 1\nspace: plane\ngravity: [0.3, -9.81]\nparameters: {s: %s}\n"                         \
    "bodies:\n  arm: {mass: 2, inertia: 0.1, %s, points: {tip: [0.5, 0.2]}}\n"                     \
    "  block: {mass: 0.7, inertia: 0.02, centre: [0.05, 0.02], at: [0.6, 0.25], "                  \
    "velocity: [-0.25*3, 0.6*3], spin: 3, angle: 0.4, points: {eye: [0.1, 0.03]}}\n"               \
    "joints:\n%s  j: {%s}\n"                                                                       \
    "define: {px: %s.x, py: %s.y}\n"                                                               \
    "record:\n"                                                                                    \
    "  rest_x: 0.7*(acc(block.com.x) - 0.3) - s*j.force.x\n"                                       \
    "  rest_y: 0.7*(acc(block.com.y) + 9.81) - s*j.force.y\n"                                      \
    "  twist: 0.02*acc(block.angle) - s*(j.torque.z + (px - block.com.x)*j.force.y - (py - "       \
    "block.com.y)*j.force.x)\n"                                                                    \
    "  size: abs(j.force.x) + abs(j.force.y) + abs(j.torque.z)\n  fx: j.force.x\n"                 \
    "  fy: j.force.y\n  about: j.torque.z + px*j.force.y - py*j.force.x\n"

static const char free_arm[] = "at: [0.5, 0], velocity: [0, 1.5], spin: 3",
                  free_pin[] = "  pin: {revolute: [ground, arm], at: [0, 0]}\n",
                  carried_arm[] = "on: {revolute: ground, at: [0, 0], origin: [-0.5, 0], rate: 3}";

static const struct {
    const char *straight, *p; // the joint with the block second, and its point of the block
    const char *swapped, *q;  // with the arm second; NULL = another point of the block is meant
} kind[] = {
    {"revolute: [arm, block], at: block.eye", "block.eye", "revolute: [block, arm], at: block.eye",
     "block.eye"},
    {"fixed: [arm, block], at: block.eye", "block.eye", "fixed: [block, arm], at: block.eye",
     "block.eye"},
    {"distance: [arm, block], from: arm.tip, to: block.eye", "block.eye",
     "distance: [block, arm], from: block.eye, to: arm.tip", "arm.tip"},
    {"prismatic: [arm, block], at: block.eye, axis: [1, 0.5]", "block.eye", NULL, NULL},
    {"point_on_line: [arm, block], at: block.eye, axis: [0.5, -1]", "block.eye", NULL, NULL},
    {"orient: [arm, block]", "block", "orient: [block, arm]", "arm"},
    {"custom: [arm, block], rows: [block.eye.x^2 + block.eye.y^2 - (0.6 + 0.1*cos(0.4) - "
     "0.03*sin(0.4))^2 - (0.25 + 0.1*sin(0.4) + 0.03*cos(0.4))^2, block.angle - arm.angle - 0.4]",
     "block", NULL, NULL},
};
enum { N_KIND = sizeof kind / sizeof kind[0] };

static void play_kind(scene *s, int k, bool is_carried, bool is_swapped, const char *scheme)
{
    char text[3000];
    const char *p = is_swapped ? kind[k].q : kind[k].p;
    snprintf(text, sizeof text, ARM_AND_BLOCK, is_swapped ? "-1" : "1",
             is_carried ? carried_arm : free_arm, is_carried ? "" : free_pin,
             is_swapped ? kind[k].swapped : kind[k].straight, p, p);
    const carom_sim_options options = trial_options(scheme, 1e-3, 0.2);
    play(s, text, &options);
}

static void forces_make_accelerations_with_every_joint(void **state)
{
    (void)state;
    static const char *const scheme[] = {"hem5", "event_driven", "moreau_midpoint", "tdg_velocity",
                                         "ggl_unified"};
    for (int k = 0; k < N_KIND; k++)
        for (int i = 0; i < 20; i++) {
            const bool is_carried = i % 2, is_swapped = i / 2 % 2;
            if (is_swapped && !kind[k].swapped) continue;
            scene s;
            play_kind(&s, k, is_carried, is_swapped, scheme[i / 4]);
            const double size = largest(&s, "size"), rest = largest(&s, "rest_x"),
                         other = largest(&s, "rest_y"), twist = largest(&s, "twist");
            if (!(fmax(rest, fmax(other, twist)) < 1e-12 * (1 + size)) || !(size > 0.01))
                fail_msg("%s, %s%s%s: rest %g %g, twist %g of %g", scheme[i / 4], kind[k].straight,
                         is_carried ? ", carried" : "", is_swapped ? ", swapped" : "", rest, other,
                         twist, size);
            end(&s);
        }
}

// force and torque about the origin are opposite where the bodies change places
static void action_is_reaction(void **state)
{
    (void)state;
    for (int k = 0; k < N_KIND; k++)
        for (int is_carried = 0; kind[k].swapped && is_carried < 2; is_carried++) {
            scene s, other;
            play_kind(&s, k, is_carried, false, "moreau_jean");
            play_kind(&other, k, is_carried, true, "moreau_jean");
            assert_int_equal(s.rows.n_row, other.rows.n_row);
            static const char *const column[] = {"fx", "fy", "about"};
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < s.rows.n_row; i++) {
                    const double sum = at(&s, i, column[c]) + at(&other, i, column[c]);
                    if (!(fabs(sum) < 1e-9 * (1 + largest(&s, "size"))))
                        fail_msg("%s: %s is %g against %g in row %d", kind[k].straight, column[c],
                                 at(&s, i, column[c]), at(&other, i, column[c]), i);
                }
            end(&s);
            end(&other);
        }
}

// ---- between rows, axes of the joint, the C interface ----

// a block in a guide on an arm that turns: directions of its forces change from step to step
static const char guided[] =
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
    "bodies:\n  arm: {mass: 2, inertia: 0.1, at: [0.5, 0], velocity: [0, 2], spin: 4}\n"
    "  block: {mass: 0.7, inertia: 0.02, at: [0.3, 0.1], velocity: [-0.4, 1.2], spin: 4}\n"
    "joints:\n  pin: {revolute: [ground, arm], at: [0, 0]}\n"
    "  j: {prismatic: [arm, block], at: block, axis: [1, 2]%s}\n"
    "record: {fx: j.force.x, fy: j.force.y, T: j.torque.z, along: j.displacement, "
    "x1: \"(arm.R11*1 + arm.R12*2)/sqrt(5)\", y1: \"(arm.R21*1 + arm.R22*2)/sqrt(5)\"}\n";

static void play_guided(scene *s, const char *word, int every)
{
    char text[2000];
    snprintf(text, sizeof text, guided, word);
    carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 0.3);
    options.every = every;
    play(s, text, &options);
}

static double sum_of(const scene *s, const char *column)
{
    double sum = 0;
    for (int i = 0; i < s->rows.n_row; i++) sum += at(s, i, column);
    return sum;
}

static void impulses_are_summed_in_their_own_directions(void **state)
{
    (void)state;
    scene s, seldom;
    play_guided(&s, "", 1);
    play_guided(&seldom, "", 7);
    assert_true(seldom.rows.n_row < s.rows.n_row / 6);
    static const char *const column[] = {"P_j_Fx", "P_j_Fy", "P_j_Tz", "P_pin_Fx"};
    for (int c = 0; c < 4; c++) {
        const double all = sum_of(&s, column[c]);
        assert_true(fabs(all) > 0.01);
        assert_true(fabs(all - sum_of(&seldom, column[c])) < 1e-12 * fabs(all));
    }
    // and that of a step is the momentum that the block gets in it
    for (int i = 1; i < s.rows.n_row; i++) {
        const double gained = 0.7 * (at(&s, i, "der_block.x") - at(&s, i - 1, "der_block.x"));
        assert_true(fabs(at(&s, i, "P_j_Fx") - gained) < 2e-3 * 0.7 * 4);
    }
    end(&s);
    end(&seldom);
}

static void axes_of_the_joint(void **state)
{
    (void)state;
    scene space, joint;
    play_guided(&space, ", frame: space", 1);
    play_guided(&joint, ", frame: joint", 1);
    assert_true(largest(&joint, "fx") == 0 || largest(&joint, "fx") < 1e-12); // it slides
    assert_true(largest(&joint, "fy") > 1);
    for (int i = 0; i < space.rows.n_row; i++) {
        const double fx = at(&space, i, "fx"), fy = at(&space, i, "fy"), x1 = at(&space, i, "x1"),
                     y1 = at(&space, i, "y1");
        assert_true(fabs(at(&joint, i, "fy") - (x1 * fy - y1 * fx)) < 1e-10);
        assert_true(fabs(at(&joint, i, "fx") - (x1 * fx + y1 * fy)) < 1e-10);
        assert_true(fabs(at(&joint, i, "T") - at(&space, i, "T")) < 1e-10);
    }
    end(&space);
    end(&joint);
}

// a run that is cut between rows and goes on has the same rows
static void a_run_that_goes_on(void **state)
{
    (void)state;
    const char *folder = getenv("TMPDIR");
    char text[2000], path[300];
    snprintf(text, sizeof text, guided, "");
    snprintf(path, sizeof path, "%s/carom-reactions-%d", folder ? folder : "/tmp", (int)getpid());
    carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 0.3);
    options.every = 7;
    scene whole;
    play(&whole, text, &options);
    scene half = {0};
    rig_ok(trial_make(&half.t, text, &options), &half.t.error);
    for (int i = 0; i < 25; i++) rig_ok(carom_sim_step(half.t.sim, &half.t.error), &half.t.error);
    rig_ok(carom_sim_checkpoint(half.t.sim, path, &half.t.error), &half.t.error);
    trial_end(&half.t);
    rig_ok(trial_make(&half.t, text, &options), &half.t.error);
    rig_ok(carom_sim_restart(half.t.sim, path, &half.t.error), &half.t.error);
    rig_listen(half.t.sim, &half.rows);
    rig_ok(carom_sim_run(half.t.sim, &half.t.error), &half.t.error);
    const int n = half.rows.n_row, first = whole.rows.n_row - n;
    assert_true(first == 4); // the rows of steps 0, 7, 14, 21
    for (int i = 0; i < n; i++)
        for (int c = 0; c < half.rows.n_column; c++)
            assert_true(rig_at(&half.rows, i, c) == rig_at(&whole.rows, first + i, c));
    remove(path);
    end(&whole);
    end(&half);
}

static void reactions_and_poses_from_c(void **state)
{
    (void)state;
    char text[2000];
    scene s;
    carom_error error = {0};
    snprintf(text, sizeof text, guided, "");
    const carom_sim_options options = trial_options("moreau_midpoint", 1e-3, 0.1);
    play(&s, text, &options);
    const int last = s.rows.n_row - 1, j = carom_model_joint(s.t.model, "j"),
              block = carom_model_body(s.t.model, "block");
    assert_true(j == 1 && block == 2 && carom_model_body(s.t.model, "ground") == 0);
    assert_int_equal(carom_model_joint(s.t.model, "block"), -1);
    assert_int_equal(carom_model_body(s.t.model, "j"), -1);
    assert_string_equal(carom_model_joint_name(s.t.model, j), "j");
    assert_string_equal(carom_model_body_name(s.t.model, block), "block");
    double wrench[6];
    rig_ok(carom_sim_reaction(s.t.sim, j, wrench, &error), &error);
    const double expected[6] = {at(&s, last, "fx"), at(&s, last, "fy"), 0, 0, 0, at(&s, last, "T")};
    for (int i = 0; i < 6; i++) assert_true(fabs(wrench[i] - expected[i]) < 1e-12);
    assert_int_equal(carom_sim_reaction(s.t.sim, 2, wrench, &error), CAROM_BUG);
    carom_pose pose;
    const carom_state *now = carom_sim_state(s.t.sim);
    rig_ok(carom_model_pose(s.t.model, now->t, now->q, block, &pose, &error), &error);
    const double a = at(&s, last, "block.angle");
    const double R[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) assert_true(fabs(pose.R[i] - R[i]) < 1e-15);
    assert_true(pose.r[0] == at(&s, last, "block.x") && pose.r[1] == at(&s, last, "block.y"));
    assert_true(pose.r[2] == 0);
    assert_int_equal(carom_model_pose(s.t.model, 0, now->q, 3, &pose, &error), CAROM_BUG);
    end(&s);
}

// the jerk of a stop goes into P, apart from the forces: P = m (v+ - v-) of the centre of mass
static void impulses_of_an_impact(void **state)
{
    (void)state;
    static const char stop[] =
        "carom: 1\nspace: plane\ngravity: [0, -9.81]\n"
        "bodies: {bob: {mass: 2, inertia: 0.01, at: [0, -0.5], velocity: [1.5, 0], spin: 3}}\n"
        "joints: {pin: {revolute: [ground, bob], at: [0, 0], limits: [-2, 0.3], restitution: 0.5}}"
        "\n";
    carom_sim_options options = trial_options("event_driven", 0, 0.4);
    scene s;
    int n = 0;
    play(&s, stop, &options);
    for (int i = 1; i < s.rows.n_row; i++) {
        const double x = 2 * (at(&s, i, "der_bob.x") - at(&s, i - 1, "der_bob.x")),
                     y = 2 * (at(&s, i, "der_bob.y") - at(&s, i - 1, "der_bob.y"));
        if (at(&s, i, "t") > at(&s, i - 1, "t")) {
            assert_true(at(&s, i, "P_pin_Fx") == 0);
            continue;
        }
        if (x == 0) continue;
        n++;
        assert_true(fabs(x) > 2 && fabs(at(&s, i, "P_pin_Fx") - x) < 1e-10);
        assert_true(fabs(at(&s, i, "P_pin_Fy") - y) < 1e-10);
        assert_true(hypot(at(&s, i, "la_pin_Fx"), at(&s, i, "la_pin_Fy")) < 60);
    }
    assert_int_equal(n, 1);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pin_of_a_pendulum),
        cmocka_unit_test(a_turned_scene),
        cmocka_unit_test(columns_of_a_joint),
        cmocka_unit_test(a_driven_slider_crank),
        cmocka_unit_test(forces_make_accelerations_with_every_joint),
        cmocka_unit_test(action_is_reaction),
        cmocka_unit_test(impulses_are_summed_in_their_own_directions),
        cmocka_unit_test(axes_of_the_joint),
        cmocka_unit_test(a_run_that_goes_on),
        cmocka_unit_test(reactions_and_poses_from_c),
        cmocka_unit_test(impulses_of_an_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
