// SPDX-License-Identifier: Apache-2.0
// Plane shapes one by one: masses against Green's theorem on fine polygons, boxes, sizes, drawings,
// inner corners and seams of polygons that are not convex, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/flat_reference.h"

#include <float.h>
#include <stdlib.h>

static carom_arena *arena;
static const double star[] = {2,  0, 0, 0.5,  0.6,  0, 0, 2,  0, -0.5, 0.4,  0,
                              -2, 0, 0, -0.6, -0.5, 0, 0, -2, 0, 0.5,  -0.5, 0};
static const double ell[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0};
static const double triangle[] = {0, 0, 0, 3, 0, 0, 0, 4, 0};
static const double ends[] = {-1, 0.5, 0, 2, 1, 0};

static const carom_shape_given samples[] = {
    {.kind = "disk", .radius = {1.5}, .n_point = 1, .point = ends},
    {.kind = "capsule", .radius = {0.25}, .n_point = 2, .point = ends},
    {.kind = "box", .size = {3, 2}},
    {.kind = "box", .size = {3, 2}, .rounding = 0.3},
    {.kind = "polygon", .n_point = 3, .point = triangle},
    {.kind = "polygon", .n_point = 3, .point = triangle, .rounding = 0.5},
    {.kind = "polygon", .n_point = 8, .point = star},
    {.kind = "polygon", .n_point = 8, .point = star, .rounding = 0.05},
    {.kind = "polygon", .n_point = 6, .point = ell, .rounding = 0.2},
};
enum { N_SAMPLE = sizeof samples / sizeof *samples };

static carom_shape *make_shape(const carom_shape_given *numbers, carom_placement place)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    carom_shape_given given = *numbers;
    given.dim = 2;
    given.place = place;
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_OK) fail_msg("%s", error.message);
    return shape;
}

typedef struct area_sum {
    real area, x, y, polar, last[2], first[2];
    long n;
} area_sum;

static void add_edge(area_sum *sum, const real *p, const real *q)
{
    const real twice = p[0] * q[1] - p[1] * q[0];
    sum->area += twice / 2;
    sum->x += twice * (p[0] + q[0]) / 6;
    sum->y += twice * (p[1] + q[1]) / 6;
    sum->polar +=
        twice *
        (p[0] * p[0] + p[1] * p[1] + q[0] * q[0] + q[1] * q[1] + p[0] * q[0] + p[1] * q[1]) / 12;
}

static void add_point(area_sum *sum, real x, real y)
{
    const real p[2] = {x, y};
    if (sum->n++ == 0)
        memcpy(sum->first, p, sizeof p);
    else
        add_edge(sum, sum->last, p);
    memcpy(sum->last, p, sizeof p);
}

/// Goes around a body, arcs in fine chords.
static void go_around(const flat_body *b, area_sum *sum)
{
    enum { FINE = 40000 };
    const real full = 2 * acosl(-1);
    for (int i = 0; i < b->n; i++) {
        const real *p = b->p[i], *o = b->p[(i + b->n - 1) % b->n], *q = b->p[(i + 1) % b->n];
        real from = 0, turn = full;
        if (b->n > 1) {
            real m[2], n[2];
            unit_normal(o, p, m);
            unit_normal(p, q, n);
            from = atan2l(m[1], m[0]);
            turn =
                b->n == 2 ? full / 2 : atan2l(m[0] * n[1] - m[1] * n[0], m[0] * n[0] + m[1] * n[1]);
            const real dot = 1 + m[0] * n[0] + m[1] * n[1];
            if (turn <= 0)
                add_point(sum, p[0] + b->radius * (m[0] + n[0]) / dot,
                          p[1] + b->radius * (m[1] + n[1]) / dot);
        }
        for (int k = 0; turn > 0 && k <= FINE; k++)
            add_point(sum, p[0] + b->radius * cosl(from + turn * k / FINE),
                      p[1] + b->radius * sinl(from + turn * k / FINE));
    }
    add_edge(sum, sum->last, sum->first);
}

static void masses_are_those_of_fine_polygons(void **state)
{
    (void)state;
    const carom_placement place = make_pose(0.5, -0.25, 0.7);
    const carom_placement home = make_quarter(0, 0, 0);
    for (int i = 0; i < N_SAMPLE; i++) {
        carom_shape_given given = samples[i];
        given.place = place;
        const flat_body body = make_body(&given, &home);
        area_sum sum = {0};
        go_around(&body, &sum);
        const real x = sum.x / sum.area, y = sum.y / sum.area;
        const real inertia = sum.polar - sum.area * (x * x + y * y);
        carom_shape_mass mass;
        assert_true(carom_shape_weigh(make_shape(samples + i, place), 7, &mass));
        assert_true(fabs(mass.mass / (double)(7 * sum.area) - 1) < 1e-8);
        assert_true(fabs(mass.centre[0] - (double)x) < 1e-8);
        assert_true(fabs(mass.centre[1] - (double)y) < 1e-8);
        assert_true(fabs(mass.inertia[2] / (double)(7 * inertia) - 1) < 1e-8);
        assert_true(mass.inertia[0] == 0 && mass.inertia[3] == 0);
    }
}

// far from the origin nothing is lost, and closed forms are met to rounding
static void masses_keep_their_digits(void **state)
{
    (void)state;
    const carom_placement far = make_quarter(1e6, -2e6, 1);
    const double pi = acos(-1);
    carom_shape_mass mass;
    assert_true(carom_shape_weigh(make_shape(samples + 2, far), 1, &mass));
    assert_true(fabs(mass.mass - 6) < 1e-8 && fabs(mass.inertia[2] - 6 * 13.0 / 12) < 1e-8);
    const carom_placement home = make_quarter(0, 0, 0);
    assert_true(carom_shape_weigh(make_shape(samples, home), 1, &mass));
    assert_true(fabs(mass.inertia[2] / (pi * pow(1.5, 4) / 2) - 1) < 4 * DBL_EPSILON);
    // a box rounded all over is a disk; a disk at both ends and a box make a capsule
    const carom_shape_given round = {.kind = "box", .size = {2, 2}, .rounding = 1};
    assert_true(carom_shape_weigh(make_shape(&round, home), 1, &mass));
    assert_true(fabs(mass.mass - pi) < 1e-15 * 4 && fabs(mass.inertia[2] - pi / 2) < 1e-15 * 4);
    const carom_shape_given line = {.kind = "segment", .n_point = 2, .point = ends};
    assert_false(carom_shape_weigh(make_shape(&line, home), 1, &mass));
}

static void boxes_sizes_and_drawings_are_right(void **state)
{
    (void)state;
    const carom_placement place = make_pose(0.5, -0.25, 0.7), at = make_pose(3, 2, -2.1);
    const carom_placement home = make_quarter(0, 0, 0);
    static const double size[N_SAMPLE] = {3, 0.5, 2, 2, 2.4, 0, 0, 0, 2};
    for (int i = 0; i < N_SAMPLE; i++) {
        carom_shape_given given = samples[i];
        given.place = place;
        const carom_shape *shape = make_shape(samples + i, place);
        const flat_body body = make_body(&given, &at), own = make_body(&given, &home);
        double lower[3], upper[3], far = 0;
        real low = INFINITY, high = -INFINITY;
        carom_shape_box(shape, &at, lower, upper);
        for (int k = 0; k < body.n; k++) {
            low = fminl(low, body.p[k][0] - body.radius);
            high = fmaxl(high, body.p[k][1] + body.radius);
            far = fmax(far, (double)(hypotl(own.p[k][0], own.p[k][1]) + own.radius));
        }
        assert_true(fabs(lower[0] - (double)low) < 1e-14 && fabs(upper[1] - (double)high) < 1e-14);
        assert_true(lower[2] == 0 && upper[2] == 0);
        assert_true(fabs(carom_shape_reach(shape) - far) < 1e-14);
        if (size[i] > 0) assert_true(fabs(carom_shape_size(shape) - size[i]) < 1e-14);
        carom_shape_look look;
        assert_true(carom_shape_show(shape, 1, 1e-6, arena, &look));
        area_sum sum = {0};
        for (int k = 0; k < look.n_point; k++) {
            const real p[2] = {look.point[3 * k], look.point[3 * k + 1]};
            const flat_body point = {.n = 1, .p = {{p[0], p[1]}}};
            assert_true(fabs((double)(least_distance(&own, &point) - own.radius)) < 1e-14);
            add_point(&sum, p[0], p[1]);
        }
        add_edge(&sum, sum.last, sum.first);
        carom_shape_mass mass;
        carom_shape_weigh(shape, 1, &mass);
        assert_true(fabs((double)sum.area / mass.mass - 1) < 1e-5);
    }
}

static int meet_all(const carom_shape *a, carom_placement at, const carom_shape *b, double alert,
                    carom_feature *f)
{
    const carom_placement home = make_quarter(0, 0, 0);
    return carom_shapes_meet((carom_posed){a, &at}, (carom_posed){b, &home}, alert, f, 32);
}

// an L and a box in its inner corner: floor and wall, whether the box hovers or is pressed in
static void an_inner_corner_is_touched_on_both_sides(void **state)
{
    (void)state;
    const carom_placement home = make_quarter(0, 0, 0);
    const carom_shape_given numbers = {.kind = "polygon", .n_point = 6, .point = ell};
    const carom_shape_given cube = {.kind = "box", .size = {0.5, 0.5}};
    const carom_shape *shape = make_shape(&numbers, home), *box = make_shape(&cube, home);
    for (int i = 0; i < 4; i++) {
        const double dx = i & 1 ? 1e-9 : -1e-9, dy = i & 2 ? 1e-9 : -1e-9;
        carom_feature f[32];
        const int n = meet_all(box, make_quarter(1.25 + dx, 1.25 + dy, 0), shape, 0.1, f);
        assert_int_equal(n, 4);
        int n_floor = 0, n_wall = 0;
        for (int k = 0; k < n;
             k++) { // edges 2 and 3, numbered 5 and 7, or edges 0 and 3 of the box
            const bool is_floor = fabs(f[k].gap - dy) < 1e-15,
                       is_wall = fabs(f[k].gap - dx) < 1e-15;
            assert_true(is_floor || is_wall);
            n_floor += f[k].shape[0] == 0 && f[k].feature[1] == 5;
            n_wall += f[k].shape[0] == 0 && f[k].feature[1] == 7;
        }
        assert_int_equal(n_floor, 2);
        assert_int_equal(n_wall, 2);
    }
}

// a box that slides along the floor of a trough touches it with the same two corners all the way
static void seams_are_not_felt(void **state)
{
    (void)state;
    static const double trough[] = {0,   0, 0, 9,   0, 0, 9, 3, 0, 8, 3, 0, 8, 2, 0, 7, 2, 0,
                                    6.5, 1, 0, 2.5, 1, 0, 2, 2, 0, 1, 2, 0, 1, 3, 0, 0, 3, 0};
    const carom_placement home = make_quarter(0, 0, 0);
    const carom_shape_given numbers = {.kind = "polygon", .n_point = 12, .point = trough};
    const carom_shape_given cube = {.kind = "box", .size = {0.5, 0.5}};
    const carom_shape *shape = make_shape(&numbers, home), *box = make_shape(&cube, home);
    for (int i = 0; i <= 1000; i++) {
        const double x = 2.9 + 3.2e-3 * i, gap = i % 3 ? 1e-6 : -1e-6;
        carom_feature f[32];
        const int n = meet_all(box, make_quarter(x, 1.25 + gap, 0), shape, 1e-3, f);
        assert_int_equal(n, 2);
        for (int k = 0; k < 2; k++) {
            assert_true(f[k].shape[0] == 0 && f[k].feature[0] == 2u * (unsigned)k);
            assert_int_equal(f[k].feature[1], 2 * 6 + 1);
            assert_true(fabs(f[k].gap - gap) < 1e-14);
        }
    }
}

static void all_corners_of_a_shape_are_there_for_a_half_plane(void **state)
{
    (void)state;
    const carom_placement home = make_quarter(0, 0, 0), at = make_pose(0.1, 1.7, 0.4);
    const carom_shape_given ground = {
        .kind = "half_plane", .n_point = 1, .point = triangle, .normal = {0.6, 0.8}};
    const carom_shape *half = make_shape(&ground, home);
    for (int i = 0; i < N_SAMPLE; i++) {
        const carom_shape *shape = make_shape(samples + i, home);
        carom_feature always[32], f[32];
        const int n = carom_shapes_always(shape, half, always, 32);
        assert_int_equal(n, meet_all(shape, at, half, INFINITY, f));
        static const int expected[N_SAMPLE] = {1, 2, 4, 4, 3, 3, 4, 4, 5};
        assert_int_equal(n, expected[i]);
        for (int k = 0; k < n; k++) {
            const real gap = feature_gap(always + k, &at, &home);
            assert_true(fabs((double)gap - f[k].gap) < 4e-15 && f[k].margin == INFINITY);
        }
    }
    const carom_shape *box = make_shape(samples + 2, home);
    assert_int_equal(carom_shapes_always(box, box, NULL, 0), -1);
}

// what does not fit is counted
static void little_room_is_enough_to_count(void **state)
{
    (void)state;
    const carom_placement home = make_quarter(0, 0, 0);
    const carom_shape *box = make_shape(samples + 2, home);
    const carom_placement at = make_quarter(0.5, 2.1, 0);
    carom_feature f;
    assert_int_equal(
        carom_shapes_meet((carom_posed){box, &at}, (carom_posed){box, &home}, 1, &f, 1), 2);
    assert_int_equal(
        carom_shapes_meet((carom_posed){box, &at}, (carom_posed){box, &home}, 1, NULL, 0), 2);
}

static void assert_refused(carom_shape_given given, const char *what)
{
    carom_shape *shape;
    carom_error error = {0};
    given.place = make_quarter(0, 0, 0);
    given.dim = 2;
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_BAD_INPUT ||
        !strstr(error.message, what))
        fail_msg("'%s' lacks '%s'", error.message, what);
}

static void assert_polygon_refused(int n, const double *xy, double rounding, const char *what)
{
    double point[3 * 12];
    for (int i = 0; i < 3 * n; i++) point[i] = i % 3 == 2 ? 0 : xy[i / 3 * 2 + i % 3];
    assert_refused(
        (carom_shape_given){.kind = "polygon", .n_point = n, .point = point, .rounding = rounding},
        what);
}

static void wrong_polygons_are_refused(void **state)
{
    (void)state;
    assert_polygon_refused(2, (double[]){0, 0, 1, 0}, 0, "3 to 10000");
    assert_polygon_refused(4, (double[]){0, 0, 0, 1, 1, 1, 1, 0}, 0, "go clockwise (write");
    assert_polygon_refused(4, (double[]){0, 0, 1, 1, 1, 0, 0, 1}, 0, "after corners 1 and 3");
    assert_polygon_refused(4, (double[]){0, 0, 1, 0, 1, 0, 0, 1}, 0, "corners 2 and 3");
    assert_polygon_refused(4, (double[]){0, 0, 1, 0, 0, 1, 0, 0}, 0, "corners 4 and 1");
    assert_polygon_refused(3, (double[]){0, 0, 1, 1, 2, 2}, 0, "lie in line");
    assert_polygon_refused(5, (double[]){0, 0, 2, 0, 2, 2, 1, 0, 0, 2}, 0, "cross or touch");
    assert_polygon_refused(5, (double[]){0, 0, 3, 0, 2, 1e-13, 2, 2, 0, 2}, 0, "turns back");
    assert_polygon_refused(3, (double[]){0, 0, 3, 0, 0, 4}, 1, "no room for a 'rounding' of 1");
    assert_polygon_refused(3, (double[]){0, 0, NAN, 0, 0, 4}, 1, "not finite");
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    const double same[6] = {1, 2, 0, 1, 2, 0};
    assert_refused((carom_shape_given){.kind = "box", .size = {1, 0}}, "both must be above 0");
    assert_refused((carom_shape_given){.kind = "box", .size = {1, 2}, .rounding = 0.6},
                   "at most half a side: 0.5");
    assert_refused((carom_shape_given){.kind = "segment", .n_point = 1, .point = ends}, "two ends");
    assert_refused((carom_shape_given){.kind = "segment", .n_point = 2, .point = same}, "the same");
    assert_refused(
        (carom_shape_given){.kind = "segment", .n_point = 2, .point = ends, .rounding = 1},
        "a capsule has");
    assert_refused((carom_shape_given){.kind = "capsule", .n_point = 2, .point = ends}, "above 0");
    assert_refused(
        (carom_shape_given){.kind = "capsule", .n_point = 2, .point = same, .radius = {1}},
        "that is a disk");
}

static int make_arena(void **state)
{
    (void)state;
    arena = carom_arena_new();
    return arena ? 0 : -1;
}

static int free_arena(void **state)
{
    (void)state;
    carom_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_are_those_of_fine_polygons),
        cmocka_unit_test(masses_keep_their_digits),
        cmocka_unit_test(boxes_sizes_and_drawings_are_right),
        cmocka_unit_test(an_inner_corner_is_touched_on_both_sides),
        cmocka_unit_test(seams_are_not_felt),
        cmocka_unit_test(all_corners_of_a_shape_are_there_for_a_half_plane),
        cmocka_unit_test(little_room_is_enough_to_count),
        cmocka_unit_test(wrong_polygons_are_refused),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
