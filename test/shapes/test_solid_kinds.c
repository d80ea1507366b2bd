// SPDX-License-Identifier: Apache-2.0
// Kinds of space by themselves: boxes around them, hulls of awkward points, cylinders and cones on
// planes and with balls against exact answers, lists that hold for all poses, and what is refused.
#include "shapes/solid_rig.h"

static real find_rim_gap(const carom_placement *at, const double *rim, double length,
                         const double *n, real height)
{
    real least = INFINITY, axis = 0;
    for (int k = 0; k < 3; k++) axis += (real)at->R[3 * k + 2] * n[k];
    real sine = 0; // |n x axis|, exactly also where it is small
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const real c = (real)at->R[3 * i + 2] * n[j] - (real)at->R[3 * j + 2] * n[i];
        sine += c * c;
    }
    for (int k = 0; k < 2; k++)
        least = fminl(least, height + (k ? 0.5L : -0.5L) * length * axis - rim[k] * sqrtl(sine));
    return least;
}

static void wheels_stand_and_lie_on_planes(void **state)
{
    (void)state;
    uint64_t seed = 31;
    real worst = 0;
    for (int i = 0; i < 3000; i++) {
        const double scale = pow(10, scene_between(&seed, -6, 6));
        const double rim[2] = {scale * scene_between(&seed, 0.1, 1),
                               i % 2 ? 0 : scale * scene_between(&seed, 0, 1)};
        const double length = scale * scene_between(&seed, 0.1, 1);
        carom_shape *wheel = make_wheel(rim[0], rim[1], length, 0);
        carom_placement at;
        scene_rotation(&seed, i % 5 == 0, at.R);
        if (i % 5 == 1) { // nearly upright
            const double a = pow(10, scene_between(&seed, -12, -3));
            const double tilted[9] = {cos(a), 0, sin(a), 0, 1, 0, -sin(a), 0, cos(a)};
            memcpy(at.R, tilted, sizeof tilted);
        }
        for (int k = 0; k < 3; k++) at.r[k] = scale * scene_between(&seed, -1, 1);
        carom_shape *plane = make(
            (carom_shape_given){.kind = "plane", .normal = {0, 0, 1}, .n_point = 1, .point = zero});
        carom_feature f[20];
        const int n = carom_shapes_meet((carom_posed){wheel, &at}, (carom_posed){plane, &origin},
                                        10 * scale, f, 20);
        double least = INFINITY;
        for (int k = 0; k < n; k++) least = fmin(least, f[k].gap);
        const double up[3] = {0, 0, 1};
        const real exact = find_rim_gap(&at, rim, length, up, at.r[2]);
        const real error = fabsl(least - exact) / (carom_shape_reach(wheel) + fabs(at.r[2]));
        if (!(error <= 4 * (real)DBL_EPSILON))
            fail_msg("wheel %d: %.17g instead of %.17Lg", i, least, exact);
        worst = fmaxl(worst, error);
        assert_int_equal(carom_shapes_always(wheel, plane, f, 20), 2);
        assert_true(f[0].primitive == CAROM_RIM_PLANE);
        carom_arena_clear(arena);
    }
    printf("wheels on planes: worst %.2Lf ulp of the size\n", worst / DBL_EPSILON);
}

/// A wheel that rolls on a box, and on ground of triangles, touches with its two rims as on a
/// plane, whatever its angle; across an edge it touches with its side.
static void wheels_roll_without_corners(void **state)
{
    (void)state;
    static const double flat[9 * 9];
    const carom_shape *wheel = make_wheel(0.5, 0.5, 0.2, 0),
                      *rounded = make_wheel(0.5, 0.5, 0.2, 0.02);
    const carom_shape *floors[2] = {
        make((carom_shape_given){
            .kind = "box", .size = {4, 4, 1}, .n_point = 1, .point = (double[]){0, 0, -0.5}}),
        make((carom_shape_given){.kind = "height_field",
                                 .size = {4, 4},
                                 .n_row = 9,
                                 .n_column = 9,
                                 .n_point = 81,
                                 .point = flat})};
    for (int i = 0; i < 500; i++) {
        const double roll = 0.02 * i, tilt = 1e-3 * (i % 7 - 3), c = cos(tilt), s = sin(tilt);
        // axis z -> y, tilted; then rolled about itself
        const double u[3] = {cos(roll), -s * sin(roll), c * sin(roll)},
                     v[3] = {-sin(roll), -s * cos(roll), c * cos(roll)}, a[3] = {0, -c, -s};
        carom_placement at = {.r = {-1 + 0.004 * i, 0.1, 0.505}};
        for (int k = 0; k < 3; k++) {
            at.R[3 * k] = u[k];
            at.R[3 * k + 1] = v[k];
            at.R[3 * k + 2] = a[k];
        }
        for (int k = 0; k < 4; k++) {
            carom_feature f[20];
            const int n = carom_shapes_meet((carom_posed){k / 2 ? rounded : wheel, &at},
                                            (carom_posed){floors[k % 2], &origin}, 0.05, f, 20);
            assert_int_equal(n, 2);
            for (int m = 0; m < 2; m++) {
                const double z = at.r[2] + (k / 2 ? 0.08 : 0.1) * (m ? -s : s);
                const double gap = z - (k / 2 ? 0.48 * c + 0.02 : 0.5 * c);
                assert_int_equal(f[m].primitive, CAROM_RIM_PLANE);
                assert_int_equal(f[m].feature[0], 1002 + m);
                if (!(fabs(f[m].gap - gap) < 4e-16))
                    fail_msg("angle %g, tilt %g: gap %.17g instead of %.17g", roll, tilt, f[m].gap,
                             gap);
            }
        }
        // over the edge of the box at x = 2: nearest to (2, z = 0)
        at.r[0] = 2 + 0.3 + 1e-4 * i;
        at.r[2] = 0.42;
        carom_feature f[20];
        const int n = carom_shapes_meet((carom_posed){wheel, &at},
                                        (carom_posed){floors[0], &origin}, 0.05, f, 20);
        if (tilt == 0) {
            double least = INFINITY;
            for (int m = 0; m < n; m++) least = fmin(least, f[m].gap);
            assert_true(fabs(least - (hypot(at.r[0] - 2, 0.42) - 0.5)) < 0.5 * 0.005);
        }
    }
}

/// Distance of (z, rho) from the profile, negative inside.
static real find_profile_gap(const double *rim, double length, real z, real rho)
{
    const real corner[4][2] = {
        {-0.5L * length, 0}, {-0.5L * length, rim[0]}, {0.5L * length, rim[1]}, {0.5L * length, 0}};
    real least = INFINITY;
    int is_inside = 1;
    for (int k = 0; k < 3; k++) {
        const real p[3] = {corner[k][0], corner[k][1], 0},
                   q[3] = {corner[k + 1][0], corner[k + 1][1], 0}, x[3] = {z, rho, 0};
        if ((q[0] - p[0]) * (rho - p[1]) - (q[1] - p[1]) * (z - p[0]) > 0) is_inside = 0;
        least = fminl(least, exact_point_segment(x, p, q));
    }
    return is_inside ? -least : least;
}

static void balls_meet_wheels_as_they_are(void **state)
{
    (void)state;
    uint64_t seed = 77;
    real worst = 0;
    for (int i = 0; i < 5000; i++) {
        const double rim[2] = {scene_between(&seed, 0.1, 1),
                               i % 3 == 0 ? 0 : scene_between(&seed, 0, 1)};
        const double length = scene_between(&seed, 0.1, 2), r = scene_between(&seed, 0.1, 0.5);
        const double both[2] = {rim[0], i % 3 == 1 ? rim[0] : rim[1]};
        carom_shape *wheel = make_wheel(both[0], both[1], length, 0);
        carom_shape *ball =
            make((carom_shape_given){.kind = "sphere", .radius = {r}, .n_point = 1, .point = zero});
        carom_placement at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        for (int k = 0; k < 3; k++) at.r[k] = scene_between(&seed, -1.2, 1.2);
        const real exact = find_profile_gap(both, length, at.r[2], hypotl(at.r[0], at.r[1])) - r;
        carom_feature f[4];
        const int n =
            carom_shapes_meet((carom_posed){wheel, &origin}, (carom_posed){ball, &at}, 5, f, 4);
        assert_int_equal(n, 1);
        const real error = fabsl(f[0].gap - exact) / (3 + r);
        if (!(error <= 4 * (real)DBL_EPSILON))
            fail_msg("ball %d: %.17g instead of %.17Lg", i, f[0].gap, exact);
        worst = fmaxl(worst, error);
        carom_arena_clear(arena);
    }
    printf("balls and wheels: worst %.2Lf ulp of the size\n", worst / DBL_EPSILON);
}

/// The gap of the torus and that of the ellipsoid agree to second order: turned by t they part by
/// less than a constant times t^3.
static void ellipsoids_touch_planes_like_their_torus(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int i = 0; i < 300; i++) {
        const double a[3] = {scene_between(&seed, 0.3, 1), scene_between(&seed, 0.3, 1),
                             i % 5 ? scene_between(&seed, 0.3, 1) : 0.5};
        carom_shape_given given = {.kind = "ellipsoid",
                                   .size = {a[0], i % 5 ? a[1] : a[0], a[2]},
                                   .n_point = 1,
                                   .point = (double[]){0.1, 0.2, 0.3}};
        scene_rotation(&seed, 0, given.place.R);
        carom_shape *shape = make(given),
                    *plane = make((carom_shape_given){
                        .kind = "plane", .normal = {0, 0, 1}, .n_point = 1, .point = zero});
        carom_placement at = {.r = {0.5, 0.5, 1}};
        scene_rotation(&seed, i % 7 == 0, at.R);
        carom_feature f, g;
        assert_int_equal(
            carom_shapes_meet((carom_posed){shape, &at}, (carom_posed){plane, &origin}, 9, &f, 1),
            1);
        double lower[3], upper[3];
        carom_shape_box(shape, &at, lower, upper);
        assert_true(fabs(lower[2] - f.gap) < 1e-15);
        for (int k = 0; k < 3; k++) { // turned about each axis of space by a small angle
            double error[2];
            for (int l = 0; l < 2; l++) {
                const double t = l ? 5e-4 : 1e-3, c = cos(t), s = sin(t);
                carom_placement turned = at;
                for (int m = 0; m < 3; m++) {
                    const int p = (k + 1) % 3, q = (k + 2) % 3;
                    turned.R[3 * p + m] = c * at.R[3 * p + m] - s * at.R[3 * q + m];
                    turned.R[3 * q + m] = s * at.R[3 * p + m] + c * at.R[3 * q + m];
                }
                carom_shapes_meet((carom_posed){shape, &turned}, (carom_posed){plane, &origin}, 9,
                                  &g, 1);
                double axis = 0, height = turned.r[2];
                for (int m = 0; m < 3; m++) {
                    axis += turned.R[6 + m] * f.d1[m];
                    height += turned.R[6 + m] * f.p1[m];
                }
                error[l] = fabs(height - f.rim * sqrt(1 - axis * axis) - f.radius - g.gap);
            }
            assert_true(error[0] < 2e-8 && (error[1] < 0.2 * error[0] || error[1] < 1e-12));
        }
        carom_arena_clear(arena);
    }
}

static void boxes_around_are_tight(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 200; i++) {
        carom_shape *shapes[3] = {
            make_wheel(0.5, 0.5, 1, 0.1), make_wheel(0.5, 0.2, 1, 0),
            make((carom_shape_given){.kind = "box", .size = {1, 2, 3}, .rounding = 0.3})};
        carom_placement at = {.r = {1, 2, 3}};
        scene_rotation(&seed, i % 4 == 0, at.R);
        for (int s = 0; s < 3; s++) {
            double lower[3], upper[3];
            carom_shape_box(shapes[s], &at, lower, upper);
            for (int k = 0; k < 6; k++) { // a plane there touches
                const double sign = k < 3 ? 1 : -1,
                             normal[3] = {k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0,
                                          k % 3 == 2 ? sign : 0};
                double point[3] = {0};
                point[k % 3] = k < 3 ? lower[k % 3] : upper[k % 3];
                carom_shape *plane =
                    make((carom_shape_given){.kind = "plane",
                                             .normal = {normal[0], normal[1], normal[2]},
                                             .n_point = 1,
                                             .point = point});
                carom_feature f[20];
                const int n = carom_shapes_meet((carom_posed){shapes[s], &at},
                                                (carom_posed){plane, &origin}, 5, f, 20);
                double least = INFINITY;
                for (int m = 0; m < n; m++) least = fmin(least, f[m].gap);
                assert_true(fabs(least) < 1e-14);
            }
        }
        carom_arena_clear(arena);
    }
}

/// A cube on an equal one, apart, touching or overlapping by rounding and beside it by rounding:
/// four corners at least, as boxes and as hulls.
static void resting_faces_keep_their_corners(void **state)
{
    (void)state;
    double point[24];
    for (int i = 0; i < 24; i++) point[i] = i / 3 >> i % 3 & 1 ? 0.5 : -0.5;
    const carom_shape *cubes[2] = {
        make((carom_shape_given){.kind = "box", .size = {1, 1, 1}}),
        make((carom_shape_given){.kind = "hull", .n_point = 8, .point = point})};
    static const double small[7] = {0, 1e-16, -1e-16, 3e-15, -3e-15, 1e-11, -1e-11};
    static const double gaps[7] = {0, 2e-16, -2e-16, 3e-15, -3e-15, 1e-12, 1e-9};
    for (int i = 0; i < 7 * 7 * 7 * 2; i++) {
        const carom_shape *cube = cubes[i / 343];
        const double turn = small[i % 7], gap = gaps[i / 7 % 7], beside = small[i / 49 % 7];
        const carom_placement at = {.r = {beside, -turn, 1 + gap},
                                    .R = {1, -turn, 0, turn, 1, 0, 0, 0, 1}};
        carom_feature f[20];
        const int n =
            carom_shapes_meet((carom_posed){cube, &origin}, (carom_posed){cube, &at}, 1e-3, f, 20);
        if (n < 4 || n > 12) fail_msg("%d corners at gap %g, beside %g", n, gap, beside);
        for (int k = 0; k < n; k++)
            if (!(fabs(f[k].gap - gap) < 1e-10 && f[k].gap > gap - 1e-15))
                fail_msg("gap %g instead of %g", f[k].gap, gap);
    }
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    static const double flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const double line[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    const struct {
        carom_shape_given given;
        const char *expected;
    } wrong[] = {
        {{.kind = "sphere", .n_point = 1, .point = zero}, "the radius of a sphere is 0"},
        {{.kind = "box", .size = {1, 0, 1}}, "the size of a box along y is 0"},
        {{.kind = "box", .size = {1, 1, 1}, .rounding = 0.5}, "cannot be rounded by 0.5"},
        {{.kind = "capsule", .radius = {1}, .n_point = 2, .point = flat + 6}, NULL},
        {{.kind = "capsule", .radius = {1}, .length = 2, .normal = {1}}, "two ends that differ"},
        {{.kind = "cylinder", .radius = {1}, .normal = {1}}, "the length of a cylinder is 0"},
        {{.kind = "cylinder", .radius = {1}, .length = 1}, "the axis of a cylinder is 0"},
        {{.kind = "cylinder", .radius = {1}, .length = 1, .normal = {1}, .rounding = 0.6},
         "cannot be rounded"},
        {{.kind = "cone", .length = 1, .normal = {1}}, "not both 0"},
        {{.kind = "plane", .n_point = 1, .point = zero}, "the normal of a plane is 0"},
        {{.kind = "hull", .n_point = 4, .point = flat}, "lie in a plane"},
        {{.kind = "hull", .n_point = 4, .point = line}, "lie on a line"},
        {{.kind = "hull", .n_point = 3, .point = flat}, "a hull of 3 points"},
        {{.kind = "height_field",
          .size = {1, 1},
          .n_row = 1,
          .n_column = 2,
          .n_point = 2,
          .point = flat},
         "1 rows and 2 columns"},
        {{.kind = "height_field",
          .size = {0, 1},
          .n_row = 2,
          .n_column = 2,
          .n_point = 4,
          .point = flat},
         "is 0 x 1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        carom_shape *shape;
        carom_error error = {0};
        carom_shape_given given = wrong[i].given;
        given.dim = 3;
        given.place = origin;
        const carom_status status = carom_shape_new(arena, &given, &shape, &error);
        if (!wrong[i].expected) {
            assert_int_equal(status, CAROM_OK);
            continue;
        }
        assert_int_equal(status, CAROM_BAD_INPUT);
        if (!strstr(error.message, wrong[i].expected)) fail_msg("%s", error.message);
    }
}

/// Edges of two boxes side by side, turned against each other by so little that only their ends
/// tell: whichever edge of the box it is, the contacts are the same.
static void every_edge_of_a_box_meets_alike(void **state)
{
    (void)state;
    uint64_t seed = 12;
    const double d = 0.01 / sqrt(2), turned[] = {0, 1e-8, 1e-7, 1e-3, 0.1};
    carom_shape *box = make((carom_shape_given){.kind = "box", .size = {1, 1, 1}});
    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++) {
        const double c = cos(turned[i]), s = sin(turned[i]) / sqrt(2), h = 0.5 * (1 - c);
        const carom_placement other = {.r = {1 + d, 0.1, 1 + d},
                                       .R = {c + h, -s, h, s, c, -s, h, s, c + h}};
        carom_placement at = origin;
        carom_feature f[20];
        int first = 0;
        for (int k = 0; k < 60; k++) {
            const int n =
                carom_shapes_meet((carom_posed){box, &at}, (carom_posed){box, &other}, 0.02, f, 20);
            if (k == 0) first = n;
            if (n != first || n == 0)
                fail_msg("turned by %g: %d contacts instead of %d", turned[i], n, first);
            scene_rotation(&seed, 1, at.R);
        }
    }
    carom_arena_clear(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_edge_of_a_box_meets_alike),
        cmocka_unit_test(wheels_stand_and_lie_on_planes),
        cmocka_unit_test(wheels_roll_without_corners),
        cmocka_unit_test(balls_meet_wheels_as_they_are),
        cmocka_unit_test(ellipsoids_touch_planes_like_their_torus),
        cmocka_unit_test(boxes_around_are_tight),
        cmocka_unit_test(resting_faces_keep_their_corners),
        cmocka_unit_test(wrong_numbers_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
