// SPDX-License-Identifier: Apache-2.0
// Masses of kinds of space: against closed forms, fine sums and thrown points, also rounded, and of
// hulls wherever they stand.
#include "shapes/solid_rig.h"

static void check_mass(const carom_shape *shape, double mass, const double *inertia, double part)
{
    carom_shape_mass m;
    assert_true(carom_shape_weigh(shape, 1, &m));
    if (!(fabs(m.mass / mass - 1) < part)) fail_msg("mass %.15g instead of %.15g", m.mass, mass);
    for (int k = 0; k < 3; k++)
        if (!(fabs(m.inertia[k] / inertia[k] - 1) < part))
            fail_msg("inertia %d is %.15g instead of %.15g", k, m.inertia[k], inertia[k]);
}

static void masses_have_closed_forms(void **state)
{
    (void)state;
    const double r = 0.7, l = 1.3, R = 0.4, m_ball = 4 * pi / 3 * r * r * r;
    carom_shape *ball =
        make((carom_shape_given){.kind = "sphere", .radius = {r}, .n_point = 1, .point = zero});
    const double i_ball = 0.4 * m_ball * r * r;
    check_mass(ball, m_ball, (const double[3]){i_ball, i_ball, i_ball}, 1e-15);
    const double ends[6] = {0, 0, 0, 0, 0, l};
    carom_shape *capsule =
        make((carom_shape_given){.kind = "capsule", .radius = {r}, .n_point = 2, .point = ends});
    const double m_rod = pi * r * r * l;
    const double across =
        m_rod * (r * r / 4 + l * l / 12) + m_ball * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
    const double along = m_rod * r * r / 2 + m_ball * 0.4 * r * r;
    check_mass(capsule, m_rod + m_ball, (const double[3]){across, across, along}, 2e-15);
    const double m = pi * r * r * l, thin = m * (3 * r * r + l * l) / 12;
    check_mass(make_wheel(r, r, l, 0), m, (const double[3]){thin, thin, m * r * r / 2}, 1e-14);
    // truncated cone about its centre
    const double V = pi * l / 3 * (r * r + r * R + R * R), five = r * r * r * r * r,
                 other = R * R * R * R * R, moment = pi * l / 10 * (five - other) / (r - R);
    const double z = l / 4 * (r * r + 2 * r * R + 3 * R * R) / (r * r + r * R + R * R);
    const double zz = pi * l * l * l / 30 * (r * r + 3 * r * R + 6 * R * R) - V * z * z;
    check_mass(make_wheel(r, R, l, 0), V,
               (const double[3]){moment / 2 + zz, moment / 2 + zz, moment}, 1e-14);
    carom_shape_mass mass;
    carom_shape_weigh(make_wheel(r, R, l, 0), 1, &mass);
    assert_true(fabs(mass.centre[2] - (z - l / 2)) < 1e-15);
}

/// Sums over a fine grid of a rounded body: how far inside of its core grown by r a point is.
static void an_ellipsoid_has_that_of_its_half_axes(void **state)
{
    (void)state;
    const double a = 0.7, b = 0.4, c = 1.1, m = 4 * pi / 3 * a * b * c;
    carom_shape *shape = make(
        (carom_shape_given){.kind = "ellipsoid", .size = {a, b, c}, .n_point = 1, .point = zero});
    const double inertia[] = {m / 5 * (b * b + c * c), m / 5 * (c * c + a * a),
                              m / 5 * (a * a + b * b)};
    check_mass(shape, m, inertia, 1e-14);
}

static void check_by_sums(const carom_shape *shape, bool is_box)
{
    enum { N = 140 };
    double mass = 0, second[3] = {0};
    const double h = 2.0 / N;
    for (int i = 0; i < N * N * N; i++) {
        const double x[3] = {-1 + h * (i % N + 0.5), -1 + h * (i / N % N + 0.5),
                             -1 + h * (i / N / N + 0.5)};
        const double half[3] = {0.9, 0.6, 0.7}, r = 0.2, rho = hypot(x[0], x[1]);
        double square = 0;
        for (int k = 0; k < 3 && is_box; k++) {
            const double beyond = fmax(0, fabs(x[k]) - half[k] + r);
            square += beyond * beyond;
        }
        if (!is_box)
            square = pow(fmax(0, rho - 0.6 + r), 2) + pow(fmax(0, fabs(x[2]) - 0.7 + r), 2);
        if (square > r * r) continue;
        mass += h * h * h;
        for (int k = 0; k < 3; k++) second[k] += h * h * h * x[k] * x[k];
    }
    check_mass(
        shape, mass,
        (const double[3]){second[1] + second[2], second[0] + second[2], second[0] + second[1]},
        2e-3);
}

static void rounding_takes_mass_from_edges(void **state)
{
    (void)state;
    check_by_sums(
        make((carom_shape_given){.kind = "box", .size = {1.8, 1.2, 1.4}, .rounding = 0.2}), true);
    check_by_sums(make_wheel(0.6, 0.6, 1.4, 0.2), false);
    // a cylinder that is all rounding is a capsule without its rod: a ball in the limit
    const double r = 0.5, m = 4 * pi / 3 * r * r * r, i = 0.4 * m * r * r;
    check_mass(make_wheel(r, r, 2 * r + 1e-9, r - 1e-9), m, (const double[3]){i, i, i}, 1e-7);
}

static void hull_weighs_by_its_faces(void **state)
{
    (void)state;
    // a turned box of 2 x 3 x 4 somewhere, with points inside, in faces and on edges, twice
    uint64_t seed = 5;
    double point[3 * 60], R[9];
    scene_rotation(&seed, 0, R);
    const double size[3] = {2, 3, 4};
    for (int i = 0; i < 60; i++) {
        double own[3];
        for (int k = 0; k < 3; k++) {
            own[k] = i < 8    ? size[k] * ((i >> k & 1) - 0.5)
                     : i < 35 ? 0.5 * size[k] *
                                    (((i - 8) / (k == 0   ? 1
                                                 : k == 1 ? 3
                                                          : 9)) %
                                         3 -
                                     1)
                              : size[k] * scene_between(&seed, -0.5, 0.5);
        }
        for (int k = 0; k < 3; k++)
            point[3 * i + k] =
                10 + R[3 * k] * own[0] + R[3 * k + 1] * own[1] + R[3 * k + 2] * own[2];
    }
    carom_shape *hull = make((carom_shape_given){.kind = "hull", .n_point = 60, .point = point});
    carom_shape_mass m;
    assert_true(carom_shape_weigh(hull, 1, &m));
    assert_true(fabs(m.mass - 24) < 1e-12);
    for (int k = 0; k < 3; k++) assert_true(fabs(m.centre[k] - 10) < 1e-13);
    assert_true(fabs(m.inertia[0] + m.inertia[1] + m.inertia[2] - 2 * 24 * 29 / 12.0) < 1e-11);
    carom_shape_look look;
    assert_true(carom_shape_show(hull, 1, 1e-3, arena, &look));
    assert_int_equal(look.n_point, 8);
    assert_int_equal(look.n_triangle, 12);
    assert_true(fabs(carom_shape_size(hull) - 2) < 1e-13);
}

static void rounded_hull_fills_its_stated_faces(void **state)
{
    (void)state;
    double point[24];
    const double size[3] = {2, 3, 4};
    for (int i = 0; i < 24; i++) point[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * size[i % 3];
    carom_shape *hull =
        make((carom_shape_given){.kind = "hull", .n_point = 8, .point = point, .rounding = 0.25});
    double lower[3], upper[3];
    carom_shape_box(hull, &origin, lower, upper);
    for (int k = 0; k < 3; k++) assert_true(fabs(upper[k] - 0.5 * size[k]) < 1e-15);
    // a rounded box, as hull and by the closed form of boxes
    carom_shape *box =
        make((carom_shape_given){.kind = "box", .size = {2, 3, 4}, .rounding = 0.25});
    carom_shape_mass m, own;
    assert_true(carom_shape_weigh(hull, 1, &m) && carom_shape_weigh(box, 1, &own));
    assert_true(fabs(m.mass - own.mass) <= 1e-14 * own.mass);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(m.inertia[k] - own.inertia[k]) <= 1e-14 * own.inertia[0]);
    for (int k = 0; k < 3; k++) assert_true(fabs(m.centre[k]) <= 1e-15);
}

/// Mass and moments of any convex body by Monte Carlo's sums over its box: its gap to a point.
static void check_by_throws(const carom_shape *shape, double part)
{
    enum { N = 40000 };
    uint64_t seed = 17;
    double lower[3], upper[3], volume = 1, sum[10] = {0}, seen[10];
    carom_shape *point =
        make((carom_shape_given){.kind = "sphere", .radius = {1e-9}, .n_point = 1, .point = zero});
    carom_shape_mass m;
    carom_shape_box(shape, &origin, lower, upper);
    for (int k = 0; k < 3; k++) volume *= upper[k] - lower[k];
    for (int i = 0; i < N; i++) {
        carom_placement at = origin;
        carom_feature f[4];
        for (int k = 0; k < 3; k++) at.r[k] = scene_between(&seed, lower[k], upper[k]);
        const int n = carom_shapes_meet((carom_posed){point, &at}, (carom_posed){shape, &origin},
                                        INFINITY, f, 4);
        if (n == 0 || !(f[0].gap < 0)) continue;
        const double *x = at.r,
                     own[10] = {1,           x[0],        x[1],        x[2],        x[0] * x[0],
                                x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2]};
        for (int k = 0; k < 10; k++) sum[k] += own[k] * volume / N;
    }
    assert_true(carom_shape_weigh(shape, 1, &m));
    const double *c = m.centre, *I = m.inertia, half = 0.5 * (I[0] + I[1] + I[2]);
    const double second[6] = {half - I[0], half - I[1], half - I[2], -I[3], -I[4], -I[5]};
    seen[0] = m.mass;
    for (int k = 0; k < 3; k++) seen[1 + k] = m.mass * c[k];
    for (int k = 0; k < 6; k++) {
        static const int i[6] = {0, 1, 2, 0, 0, 1}, j[6] = {0, 1, 2, 1, 2, 2};
        seen[4 + k] = second[k] + m.mass * c[i[k]] * c[j[k]];
    }
    for (int k = 0; k < 10; k++)
        if (!(fabs(seen[k] - sum[k]) <= part * volume))
            fail_msg("moment %d is %.6g instead of %.6g", k, seen[k], sum[k]);
}

static void masses_are_those_of_thrown_points(void **state)
{
    (void)state;
    uint64_t seed = 23;
    double point[3 * 12];
    for (int trial = 0; trial < 3; trial++) {
        for (int i = 0; i < 36; i++) point[i] = scene_between(&seed, -0.6, 1);
        for (int i = 0; i < 3; i++) { // half of it rounded off, a little, not at all
            static const double rounding[3] = {0.12, 0.02, 0};
            check_by_throws(
                make((carom_shape_given){
                    .kind = "hull", .n_point = 12, .point = point, .rounding = rounding[i]}),
                0.01);
        }
    }
    check_by_throws(
        make((carom_shape_given){.kind = "box", .size = {1, 0.7, 1.2}, .rounding = 0.2}), 0.01);
    check_by_throws(make((carom_shape_given){.kind = "capsule",
                                             .radius = {0.3},
                                             .n_point = 2,
                                             .point = (double[]){0, 0, 0, 0.5, 0.4, 0.3}}),
                    0.01);
    check_by_throws(make_wheel(0.5, 0.5, 0.8, 0.1), 0.01);
    check_by_throws(make_wheel(0.5, 0.2, 0.8, 0.05), 0.01);
}

// a hull grown by r: V + r S + r^2 M + 4/3 pi r^3, and of the same size wherever it stands
static void a_rounded_hull_is_the_same_anywhere(void **state)
{
    (void)state;
    uint64_t seed = 29;
    double point[3 * 20], moved[3 * 20], R[9];
    for (int i = 0; i < 60; i++) point[i] = scene_between(&seed, -1, 1);
    carom_shape_given given = {.kind = "hull", .n_point = 20, .point = point, .rounding = 0.1};
    carom_shape_mass m, n;
    assert_true(carom_shape_weigh(make(given), 1, &m));
    scene_rotation(&seed, 0, R);
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 3; k++) {
            moved[3 * i + k] = 3 + k;
            for (int l = 0; l < 3; l++) moved[3 * i + k] += R[3 * k + l] * point[3 * i + l];
        }
    given.point = moved;
    assert_true(carom_shape_weigh(make(given), 1, &n));
    assert_true(fabs(n.mass / m.mass - 1) < 1e-13);
    const double trace = m.inertia[0] + m.inertia[1] + m.inertia[2];
    assert_true(fabs(n.inertia[0] + n.inertia[1] + n.inertia[2] - trace) < 1e-12 * trace);
    for (int k = 0; k < 3; k++) {
        double there = 3 + k;
        for (int l = 0; l < 3; l++) there += R[3 * k + l] * m.centre[l];
        assert_true(fabs(n.centre[k] - there) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_have_closed_forms),
        cmocka_unit_test(an_ellipsoid_has_that_of_its_half_axes),
        cmocka_unit_test(rounding_takes_mass_from_edges),
        cmocka_unit_test(hull_weighs_by_its_faces),
        cmocka_unit_test(rounded_hull_fills_its_stated_faces),
        cmocka_unit_test(masses_are_those_of_thrown_points),
        cmocka_unit_test(a_rounded_hull_is_the_same_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
