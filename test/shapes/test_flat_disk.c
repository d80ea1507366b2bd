// SPDX-License-Identifier: Apache-2.0
// Disks and half planes: what they are, what they weigh, where they touch, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/shape.h"

#include <math.h>
#include <string.h>

static const carom_placement origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
static carom_arena *arena;

static carom_shape *make(carom_shape_given given)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    given.dim = 2;
    given.place = origin;
    assert_int_equal(carom_shape_new(arena, &given, &shape, &error), CAROM_OK);
    return shape;
}

static carom_shape *make_disk(double x, double y, double r)
{
    return make((carom_shape_given){
        .kind = "disk", .radius = {r}, .n_point = 1, .point = (double[]){x, y, 0}});
}

static carom_shape *make_ground(double nx, double ny)
{
    return make((carom_shape_given){
        .kind = "half_plane", .normal = {nx, ny}, .n_point = 1, .point = (double[]){0, 0, 0}});
}

static int meet(const carom_shape *a, const carom_placement *at_a, const carom_shape *b,
                carom_feature *feature)
{
    return carom_shapes_meet((carom_posed){a, at_a}, (carom_posed){b, &origin}, 10, feature, 1);
}

static void disks_touch_as_points_do(void **state)
{
    (void)state;
    const carom_shape *a = make_disk(1, 0, 2), *b = make_disk(0, 0, 0.5);
    const carom_placement at = {.r = {3, 4}, .R = {0, 1, 0, -1, 0, 0, 0, 0, 1}}; // a quarter turn
    carom_feature f;
    assert_int_equal(meet(a, &at, b, &f), 1);
    assert_int_equal(f.primitive, CAROM_POINT_POINT);
    assert_true(fabs(f.gap - (sqrt(9 + 9) - 2.5)) < 1e-15);
    assert_true(f.radius == 2.5 && f.side == 1 && f.shape[0] + f.shape[1] == 1);
    assert_true((f.shape[0] ? f.p2 : f.p1)[0] == 1 && (f.shape[0] ? f.p1 : f.p2)[0] == 0);
    assert_int_equal(carom_shapes_meet((carom_posed){a, &at}, (carom_posed){b, &origin}, 1, &f, 1),
                     0);
    assert_int_equal(carom_shapes_always(a, b, &f, 1), 1);
}

static void disk_touches_half_plane_in_both_orders(void **state)
{
    (void)state;
    const carom_shape *disk = make_disk(0, 0, 0.5), *ground = make_ground(3, 4);
    const carom_placement at = {.r = {3, 4}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    carom_feature f, g;
    assert_int_equal(meet(disk, &at, ground, &f), 1);
    assert_int_equal(f.primitive, CAROM_POINT_PLANE);
    assert_true(fabs(f.gap - 4.5) < 1e-15 && f.shape[0] == 0 && f.shape[1] == 1);
    assert_int_equal(
        carom_shapes_meet((carom_posed){ground, &origin}, (carom_posed){disk, &at}, 10, &g, 1), 1);
    assert_true(g.shape[0] == 1 && g.shape[1] == 0);
    g.shape[0] = 0;
    g.shape[1] = 1;
    assert_memory_equal(&f, &g, sizeof f);
    assert_int_equal(carom_shapes_always(ground, disk, &g, 1), 1);
    assert_non_null(carom_shapes_refuse(ground, ground));
    assert_null(carom_shapes_refuse(ground, disk));
}

static void weights_and_sizes_are_right(void **state)
{
    (void)state;
    const carom_shape *disk = make_disk(3, 4, 2), *ground = make_ground(0, 1);
    carom_shape_mass mass;
    assert_true(carom_shape_weigh(disk, 5, &mass));
    assert_true(fabs(mass.mass - 20 * acos(-1)) < 1e-13 && mass.centre[0] == 3);
    assert_true(fabs(mass.inertia[2] - 2 * mass.mass) < 1e-13);
    assert_false(carom_shape_weigh(ground, 1, &mass));
    assert_true(carom_shape_reach(disk) == 7 && carom_shape_size(disk) == 4);
    double lower[3], upper[3];
    carom_shape_box(disk, &origin, lower, upper);
    assert_true(lower[0] == 1 && upper[1] == 6 && upper[2] == 0);
    carom_shape_box(ground, &origin, lower, upper);
    assert_true(upper[1] == 0 && isinf(lower[1]) && isinf(upper[0]));
    carom_shape_look look;
    assert_true(carom_shape_show(disk, 1, 1e-3, arena, &look));
    assert_true(look.n_line == 1 && look.line[0] == look.n_point);
    for (int i = 0; i < look.n_point; i++)
        assert_true(fabs(hypot(look.point[3 * i] - 3, look.point[3 * i + 1] - 4) - 2) < 1e-14);
    const double chord = 2 * sin(acos(-1) / look.n_point) * 2;
    assert_true(2 - sqrt(4 - chord * chord / 4) <= 1e-3);
}

static void assert_refused(carom_shape_given given, const char *what)
{
    carom_shape *shape;
    carom_error error = {0};
    given.place = origin;
    if (given.dim == 0) given.dim = 2;
    assert_int_equal(carom_shape_new(arena, &given, &shape, &error), CAROM_BAD_INPUT);
    if (!strstr(error.message, what)) print_error("'%s' lacks '%s'\n", error.message, what);
    assert_non_null(strstr(error.message, what));
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    const double p[3] = {0};
    assert_refused((carom_shape_given){.kind = "circle"}, "there is no shape 'circle' (there are:");
    assert_refused((carom_shape_given){.kind = "disk", .dim = 3}, "a disk is a shape of the plane");
    assert_refused((carom_shape_given){.kind = "disk", .n_point = 1, .point = p}, "above 0");
    assert_refused((carom_shape_given){.kind = "disk", .radius = {NAN}}, "not finite");
    assert_refused((carom_shape_given){.kind = "disk", .radius = {1}}, "one centre");
    assert_refused(
        (carom_shape_given){
            .kind = "disk", .radius = {1}, .n_point = 1, .point = p, .rounding = 0.1},
        "no corners to round");
    assert_refused((carom_shape_given){.kind = "half_plane", .n_point = 1, .point = p}, "normal");
    assert_refused((carom_shape_given){.kind = "disk", .rounding = -1}, "0 or more");
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
        cmocka_unit_test(disks_touch_as_points_do),
        cmocka_unit_test(disk_touches_half_plane_in_both_orders),
        cmocka_unit_test(weights_and_sizes_are_right),
        cmocka_unit_test(wrong_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
