// SPDX-License-Identifier: Apache-2.0
// The same scene told in another way moves in the same way: rotated, shifted, mirrored, in
// millimetres, with bodies in another order and axes of bodies turned; a plane model and its twin
// in space; a body that a joint carries and one that a joint holds.
//
//     x' = L (T x + s)        places, T orthogonal
//     R' = T R C              axes of the body, in which s' = C's, J' = L^2 C'J C, w' = det(T) C'w
#include "physics/last_row.h"

typedef double matrix3[3][3];

static void times(matrix3 A, matrix3 B, matrix3 to)
{
    matrix3 C;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
    memcpy(to, C, sizeof C);
}

static void transpose(matrix3 A, matrix3 to)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to[i][j] = A[j][i];
}

static double determinant(matrix3 A)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += A[0][i] * (A[1][j] * A[2][k] - A[1][k] * A[2][j]);
    }
    return sum;
}

// Rodrigues' formula
static void turn(double x, double y, double z, double angle, matrix3 to)
{
    const double n = sqrt(x * x + y * y + z * z), a[3] = {x / n, y / n, z / n};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 - i - j;
            const double skew = i == j ? 0 : (i + 1) % 3 == j ? -a[k] : a[k];
            to[i][j] =
                (i == j ? cos(angle) : 0) + (1 - cos(angle)) * a[i] * a[j] + sin(angle) * skew;
        }
}

// how a scene is told
typedef struct telling {
    matrix3 T, C[2]; // C of each body
    double s[3], L;
    bool is_reversed;
} telling;

static telling plainly(void)
{
    telling it = {.L = 1};
    for (int i = 0; i < 3; i++) it.T[i][i] = it.C[0][i][i] = it.C[1][i][i] = 1;
    return it;
}

// texts of vectors
typedef struct words {
    char text[6000];
    size_t n;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, format, list);
    va_end(list);
    assert_true(w->n < sizeof w->text);
}

static void say_numbers(words *w, const char *key, const double *v)
{
    say(w, "%s[%.17g, %.17g, %.17g]", key, v[0], v[1], v[2]);
}

// factor T v: a direction of space
static void say_direction(words *w, const char *key, const telling *it, double factor,
                          const double *v)
{
    double to[3];
    for (int i = 0; i < 3; i++)
        to[i] = factor * (it->T[i][0] * v[0] + it->T[i][1] * v[1] + it->T[i][2] * v[2]);
    say_numbers(w, key, to);
}

// L (T v + s): a place
static void say_place(words *w, const char *key, const telling *it, const double *v)
{
    double to[3];
    for (int i = 0; i < 3; i++)
        to[i] = it->L * (it->T[i][0] * v[0] + it->T[i][1] * v[1] + it->T[i][2] * v[2] + it->s[i]);
    say_numbers(w, key, to);
}

// factor C'v: in axes of a body
static void say_inside(words *w, const char *key, matrix3 C, double factor, const double *v)
{
    double to[3];
    for (int i = 0; i < 3; i++) to[i] = factor * (C[0][i] * v[0] + C[1][i] * v[1] + C[2][i] * v[2]);
    say_numbers(w, key, to);
}

// a body of the scene, told plainly
typedef struct plain_body {
    const char *name;
    double at[3], turned[4], J[6], spin[3], velocity[3], tip[3];
} plain_body;
static const plain_body plain[2] = {{"a",
                                     {0.3, 0.1, 0},
                                     {1, 2, 3, 0.7},
                                     {0.03, 0.04, 0.05, 0.005, -0.004, 0.003},
                                     {0},
                                     {0},
                                     {0.4, 0.1, 0.1}},
                                    {"b",
                                     {0.9, 0.3, 0.2},
                                     {0, 1, 1, -0.4},
                                     {0.02, 0.015, 0.03, 0, 0.002, 0},
                                     {0},
                                     {0},
                                     {0.3, -0.1, 0.1}}};

static void say_body(words *w, const telling *it, int k)
{
    const plain_body *b = &plain[k];
    matrix3 T, C, Ct, R,
        J = {{b->J[0], b->J[3], b->J[4]}, {b->J[3], b->J[1], b->J[5]}, {b->J[4], b->J[5], b->J[2]}};
    memcpy(T, it->T, sizeof T);
    memcpy(C, it->C[k], sizeof C);
    transpose(C, Ct);
    turn(b->turned[0], b->turned[1], b->turned[2], b->turned[3], R);
    times(T, R, R);
    times(R, C, R);
    times(Ct, J, J);
    times(J, C, J);
    const double L2 = it->L * it->L;
    say(w, "  %s: {mass: %d, inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], ", b->name, k + 1,
        L2 * J[0][0], L2 * J[1][1], L2 * J[2][2], L2 * J[0][1], L2 * J[0][2], L2 * J[1][2]);
    say_place(w, "at: ", it, b->at);
    say(w, ", turned: {x: [%.17g, %.17g, %.17g], z: [%.17g, %.17g, %.17g]}", R[0][0], R[1][0],
        R[2][0], R[0][2], R[1][2], R[2][2]);
    say_inside(w, ", spin: ", C, determinant(T), b->spin);
    say_direction(w, ", velocity: ", it, it->L, b->velocity);
    say_inside(w, ", points: {tip: ", C, it->L, b->tip);
    say(w, "}}\n");
}

// a chain of a hinge and a universal joint, a spring, gravity, and a floor that the tip hits
static void say_scene(words *w, const telling *it)
{
    static const double down[3] = {0.5, 0.3, -9.81}, hinge[3] = {0, 1, 0.2},
                        corner[3] = {0.6, 0.2, 0.1}, x1[3] = {1, 0, 0}, y2[3] = {0, 0.6, 0.8},
                        nothing[3] = {0, 0, 0}, hook[3] = {0.5, 0.5, 1};
    matrix3 T;
    double n[3], floor = 0;
    memcpy(T, it->T, sizeof T);
    w->n = 0;
    say(w, "carom: 1\n");
    say_direction(w, "gravity: ", it, it->L, down);
    say(w, "\nbodies:\n");
    say_body(w, it, it->is_reversed);
    say_body(w, it, !it->is_reversed);
    say(w, "joints:\n");
    for (int k = 0; k < 2; k++) {
        if ((k == 0) != it->is_reversed) {
            say_place(w, "  hinge: {revolute: [ground, a], at: ", it, nothing);
            say_direction(w, ", axis: ", it, 1, hinge);
        } else {
            say_place(w, "  cross: {universal: [a, b], at: ", it, corner);
            say_direction(w, ", axes: [", it, 1, x1);
            say_direction(w, ", ", it, 1, y2);
            say(w, "]");
        }
        say(w, "}\n");
    }
    say_place(w, "force elements:\n  s: {spring: [ground, b], from: ", it, hook);
    say(w, ", to: b.tip, stiffness: 20, damping: 0.5, length: %.17g}\n", 0.5 * it->L);
    for (int i = 0; i < 3; i++) {
        n[i] = T[i][2];
        floor += n[i] * it->L * it->s[i];
    }
    say(w,
        "contacts:\n  - {name: floor, gap: %.17g*b.tip.x + %.17g*b.tip.y + %.17g*b.tip.z - %.17g, "
        "restitution: 0.6}\n",
        n[0], n[1], n[2], floor - 0.45 * it->L);
    say(w, "record: {x: b.tip.x, y: b.tip.y, z: b.tip.z");
    for (int i = 0; i < 9; i++)
        say(w, ", R%d%d: b.R%d%d", i / 3 + 1, i % 3 + 1, i / 3 + 1, i % 3 + 1);
    say(w, "}\n");
}

// where the tip of b is at the end, and how b is turned
static long tell(const telling *it, const char *scheme, double *tip, matrix3 R)
{
    static words w;
    last_row last;
    say_scene(&w, it);
    const bool is_fixed = !carom_scheme_find(scheme)->is_adaptive;
    run_text(&last, w.text, (how){scheme, 0.6, is_fixed ? 1e-3 : 0, is_fixed ? 0 : 1e-11});
    const char *const name[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) tip[i] = column(&last, name[i]);
    for (int i = 0; i < 9; i++) {
        const char entry[] = {'R', (char)('1' + i / 3), (char)('1' + i % 3), 0};
        R[i / 3][i % 3] = column(&last, entry);
    }
    const long impacts = carom_sim_counts(last.sim).impact_steps;
    free_row(&last);
    return impacts;
}

static void check_telling(const char *what, telling it, const char *scheme, double allowed)
{
    telling as_it_is = plainly();
    double tip[2][3];
    matrix3 R[2];
    const long impacts = tell(&as_it_is, scheme, tip[0], R[0]);
    assert_true(impacts > 0);
    assert_int_equal(tell(&it, scheme, tip[1], R[1]), impacts);
    times(it.T, R[0], R[0]);
    times(R[0], it.C[1], R[0]);
    for (int i = 0; i < 3; i++) {
        double x = it.s[i];
        for (int k = 0; k < 3; k++) x += it.T[i][k] * tip[0][k];
        near(what, tip[1][i] / it.L, x, allowed);
        for (int k = 0; k < 3; k++) near(what, R[1][i][k], R[0][i][k], allowed);
    }
}

// roundings differ, and with them steps of an adaptive scheme
static void check_everywhere(const char *what, telling it)
{
    check_telling(what, it, "event_driven", 2e-9);
    check_telling(what, it, "moreau_midpoint", 1e-10);
    check_telling(what, it, "moreau_jean", 1e-9);
}

static void a_rotated_and_shifted_scene_moves_alike(void **state)
{
    (void)state;
    telling it = plainly();
    turn(1, -2, 0.5, 1.9, it.T);
    it.s[0] = 3;
    it.s[1] = -2;
    it.s[2] = 1;
    check_everywhere("rotated and shifted", it);
}

static void a_mirrored_scene_moves_alike(void **state)
{
    (void)state;
    telling it = plainly();
    it.T[0][0] = it.C[0][0][0] = it.C[1][0][0] = -1;
    check_everywhere("mirrored", it);
}

static void axes_of_bodies_do_not_matter(void **state)
{
    (void)state;
    telling it = plainly();
    turn(1, 2, -0.5, 1.1, it.C[0]);
    turn(-1, 0.3, 0.5, 2.5, it.C[1]);
    check_everywhere("axes of bodies turned", it);
}

static void the_order_of_bodies_does_not_matter(void **state)
{
    (void)state;
    telling it = plainly();
    it.is_reversed = true;
    check_everywhere("bodies in another order", it);
}

static void units_do_not_matter(void **state)
{
    (void)state;
    telling it = plainly();
    it.L = 1000;
    check_telling("in millimetres", it, "event_driven", 2e-9);
    check_telling("in millimetres", it, "moreau_midpoint", 1e-10);
}

// values at the end of two models, both with event_driven
static void check_twins(const char *one, const char *other, const char *const name[][2], double end,
                        double allowed)
{
    last_row a, b;
    run_text(&a, one, (how){"event_driven", end, 0, 1e-13});
    run_text(&b, other, (how){"event_driven", end, 0, 1e-13});
    for (int i = 0; name[i][0]; i++)
        near(name[i][0], column(&b, name[i][1]), column(&a, name[i][0]), allowed);
    assert_int_equal(carom_sim_counts(a.sim).impact_steps, carom_sim_counts(b.sim).impact_steps);
    free_row(&a);
    free_row(&b);
}

static void a_plane_model_equals_its_twin_in_space(void **state)
{
    (void)state;
    static const char *const name[][2] = {{"a_x", "a_x"},
                                          {"a_y", "a_y"},
                                          {"b_com_x", "b_com_x"},
                                          {"b_com_y", "b_com_y"},
                                          {"der_b_com_x", "der_b_com_x"},
                                          {"der_a_angle", "a_wz"},
                                          {"turned", "turned"},
                                          {NULL, NULL}};
    check_twins(
        "carom: 1\n"
        "space: plane\n"
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.1, at: [0.5, 0.2], points: {tip: [0.5, 0.1]}}\n"
        "  b: {mass: 0.5, inertia: 0.05, centre: [0.1, 0], at: [1.4, 0.4], angle: 0.2}\n"
        "joints:\n"
        "  pin: {revolute: [ground, a], at: [0, 0], limits: [-1.2, 0.4], restitution: 0.5}\n"
        "  knee: {revolute: [a, b], at: a.tip, damping: 0.1}\n"
        "force elements:\n"
        "  s: {spring: [ground, b], from: [1, 1], to: b, stiffness: 10, damping: 0.1}\n"
        "  k: {torsion: knee, stiffness: 0.5}\n"
        "record: {turned: knee.angle}\n",
        "carom: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.2, 0.15, 0.1], at: [0.5, 0.2, 0], points: {tip: [0.5, 0.1, 0]}}\n"
        "  b: {mass: 0.5, inertia: [0.06, 0.07, 0.05], centre: [0.1, 0, 0], at: [1.4, 0.4, 0], "
        "turned: {axis: [0, 0, 1], angle: 0.2}}\n"
        "joints:\n"
        "  pin: {revolute: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], limits: [-1.2, 0.4], "
        "restitution: 0.5}\n"
        "  knee: {revolute: [a, b], at: a.tip, axis: [0, 0, 1], damping: 0.1}\n"
        "  flat1: {planar: [ground, a], at: a, axis: [0, 0, 1]}\n"
        "  flat2: {planar: [ground, b], at: b, axis: [0, 0, 1]}\n"
        "force elements:\n"
        "  s: {spring: [ground, b], from: [1, 1, 0], to: b, stiffness: 10, damping: 0.1}\n"
        "  k: {torsion: knee, stiffness: 0.5}\n"
        "record: {turned: knee.angle}\n",
        name, 1, 1e-10);
}

static void a_carried_chain_equals_one_of_joints(void **state)
{
    (void)state;
    static const char *const name[][2] = {{"x", "x"},     {"y", "y"},         {"z", "z"},
                                          {"R11", "R11"}, {"R23", "R23"},     {"w", "w"},
                                          {"arm", "arm"}, {"slide", "slide"}, {NULL, NULL}};
#define RECORD                                                                                     \
    "record: {x: c.x, y: c.y, z: c.z, R11: c.R11, R23: c.R23, w: c.wx, arm: a.angle, slide: "      \
    "b.displacement}\n"
    check_twins(
        "carom: 1\n"
        "gravity: [0, 1, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.2, 0.15, 0.01, 0.02, 0.03], centre: [0.2, 0, 0], on: "
        "{revolute: ground, at: [0, 0, 0], axis: [0, 1, 0], rate: 2}}\n"
        "  b: {mass: 0.5, inertia: [0.1, 0.1, 0.1], on: {prismatic: a, at: [0.5, 0, 0], axis: [1, "
        "0, 0.2], rate: -0.3}}\n"
        "  c: {mass: 0.5, inertia: [0.1, 0.12, 0.13], on: {universal: b, at: [0.5, 0, 0], axis: [1, "
        "0, 0], second: [0, 1, 0], origin: [-0.3, 0, 0]}}\n"
        "force elements:\n"
        "  s: {spring: [a, b], from: a, to: b, stiffness: 40}\n" RECORD,
        "carom: 1\n"
        "gravity: [0, 1, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.1, 0.2, 0.15, 0.01, 0.02, 0.03], centre: [0.2, 0, 0], at: [0, 0, "
        "0], spin: [0, 2, 0]}\n"
        "  b: {mass: 0.5, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0], spin: [0, 2, 0], velocity: "
        "[-0.3/sqrt(1.04), 0, -1 - 0.06/sqrt(1.04)]}\n"
        "  c: {mass: 0.5, inertia: [0.1, 0.12, 0.13], at: [0.8, 0, 0], spin: [0, 2, 0], velocity: "
        "[-0.3/sqrt(1.04), 0, -1.6 - 0.06/sqrt(1.04)]}\n"
        "joints:\n"
        "  ja: {revolute: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
        "  jb: {prismatic: [a, b], at: [0.5, 0, 0], axis: [1, 0, 0.2]}\n"
        "  jc: {universal: [b, c], at: [0.5, 0, 0], axes: [[1, 0, 0], [0, 1, 0]]}\n"
        "force elements:\n"
        "  s: {spring: [a, b], from: a, to: b, stiffness: 40}\n"
        "record: {x: c.x, y: c.y, z: c.z, R11: c.R11, R23: c.R23, w: c.wx, arm: ja.angle, slide: "
        "jb.displacement}\n",
        name, 0.8, 1e-10);
#undef RECORD
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotated_and_shifted_scene_moves_alike),
        cmocka_unit_test(a_mirrored_scene_moves_alike),
        cmocka_unit_test(axes_of_bodies_do_not_matter),
        cmocka_unit_test(the_order_of_bodies_does_not_matter),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_plane_model_equals_its_twin_in_space),
        cmocka_unit_test(a_carried_chain_equals_one_of_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
