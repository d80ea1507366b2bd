// SPDX-License-Identifier: Apache-2.0
// Masses of shapes of space against points thrown into them.
#include "shapes/solid_rig.h"

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
        cmocka_unit_test(masses_are_those_of_thrown_points),
        cmocka_unit_test(a_rounded_hull_is_the_same_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
