// SPDX-License-Identifier: Apache-2.0
// Meshes and height fields: a mesh of a box is the box, seams of flat ground are not felt,
// distances to rough ground are exact, and what is not a body is refused by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/scene.h"

#include <stdio.h>
#include <stdlib.h>

static const carom_placement origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
static carom_arena *arena;

enum { ROOM = 256 };

static carom_status try_make(carom_shape_given given, carom_shape **shape, carom_error *error)
{
    given.dim = 3;
    given.place = origin;
    return carom_shape_new(arena, &given, shape, error);
}

static carom_shape *make(carom_shape_given given)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    if (try_make(given, &shape, &error) != CAROM_OK) fail_msg("%s", error.message);
    return shape;
}

static carom_shape *make_sphere(double r)
{
    return make((carom_shape_given){
        .kind = "sphere", .radius = {r}, .n_point = 1, .point = (double[]){0, 0, 0}});
}

static carom_shape *make_box(double x, double y, double z)
{
    return make((carom_shape_given){.kind = "box", .size = {x, y, z}});
}

static const int box_face[36] = {1, 3, 7, 1, 7, 5, 0, 4, 6, 0, 6, 2, 2, 6, 7, 2, 7, 3,
                                 0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1};

static carom_shape_given give_box_mesh(const double *size, double *point)
{
    for (int i = 0; i < 24; i++) point[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * size[i % 3];
    return (carom_shape_given){
        .kind = "mesh", .n_point = 8, .point = point, .n_face = 12, .face = box_face};
}

static int meet(const carom_shape *a, const carom_placement *at_a, const carom_shape *b,
                const carom_placement *at_b, double alert, carom_feature *f)
{
    const int n = carom_shapes_meet((carom_posed){a, at_a}, (carom_posed){b, at_b}, alert, f, ROOM);
    assert_true(n <= ROOM);
    return n;
}

static double find_least(const carom_feature *f, int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) least = fmin(least, f[i].gap);
    return least;
}

/// Boxes, balls and hulls on a box and on a mesh of the same box: the same least gap, and not more
/// contacts.
static void mesh_of_a_box_is_the_box(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    int n_overlap = 0;
    for (int i = 0; i < 4000; i++) {
        double size[3], own[3], point[24], corner[18];
        const bool is_aligned = i % 4 == 3;
        for (int k = 0; k < 3; k++) {
            size[k] = is_aligned ? 1 : scene_between(&seed, 0.5, 1);
            own[k] = is_aligned ? 0.5 : scene_between(&seed, 0.2, 1);
        }
        for (int k = 0; k < 18; k++) corner[k] = scene_between(&seed, -0.5, 0.5);
        carom_shape *mesh = make(give_box_mesh(size, point));
        carom_shape *box = make_box(size[0], size[1], size[2]);
        carom_shape *other =
            i % 3 == 0   ? make_box(own[0], own[1], own[2])
            : i % 3 == 1 ? make_sphere(0.3 * own[0])
                         : make((carom_shape_given){.kind = "hull", .n_point = 6, .point = corner});
        carom_placement at[2];
        for (int k = 0; k < 2; k++) {
            scene_rotation(&seed, is_aligned, at[k].R);
            for (int l = 0; l < 3; l++)
                at[k].r[l] =
                    is_aligned ? 0.25 * scene_choice(&seed, 5) : scene_between(&seed, -0.7, 0.7);
        }
        carom_feature f[ROOM], g[ROOM];
        const int n = meet(box, at, other, at + 1, 0.05, f);
        const double gap = find_least(f, n);
        if (n > 0 && gap < -0.04) continue; // deep inside triangles do not know of each other
        const int m = meet(mesh, at, other, at + 1, 0.05, g);
        if (!(n == 0 && m == 0) && !(fabs(find_least(g, m) - gap) < 2e-15))
            fail_msg("pair %d: gap %.17g on the box (%d), %.17g on its mesh (%d)", i, gap, n,
                     find_least(g, m), m);
        n_overlap += n > 0 && gap < 0;
        carom_arena_clear(arena);
    }
    assert_true(n_overlap > 100);
}

/// Ground of n x n cells; height NULL: flat.
static carom_shape *make_ground(int n, double size, double *height)
{
    static double flat[64 * 64];
    return make((carom_shape_given){.kind = "height_field",
                                    .size = {size, size},
                                    .n_row = n + 1,
                                    .n_column = n + 1,
                                    .n_point = (n + 1) * (n + 1),
                                    .point = height ? height : flat});
}

static void seams_are_not_felt(void **state)
{
    (void)state;
    const carom_shape *ground = make_ground(16, 4, NULL), *ball = make_sphere(0.2);
    const carom_shape *box = make_box(0.7, 0.5, 0.3);
    carom_feature f[ROOM];
    for (int i = 0; i < 2000; i++) {
        const double x = -1.3 + 0.00125 * i, y = i % 2 ? 0.25 : 0.3 * x;
        const carom_placement at = {.r = {x, y, 0.2 - 1e-3}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        assert_int_equal(meet(ball, &at, ground, &origin, 0.01, f), 1);
        assert_true(fabs(f[0].gap + 1e-3) < 1e-15 && f[0].primitive == CAROM_POINT_PLANE);
        assert_int_equal(f[0].feature[1], 0); // one plane, wherever the ball is
        const double a = 1e-3 * i, depth = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 0 : -1e-3;
        const carom_placement on = {.r = {x, y, 0.15 - depth},
                                    .R = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1}};
        const int n = meet(box, &on, ground, &origin, 0.01, f);
        if (n != 4) fail_msg("the box at %g, %g touches %d times", x, y, n);
        for (int k = 0; k < n; k++) {
            assert_int_equal(f[k].primitive, CAROM_POINT_PLANE);
            assert_int_equal(f[k].shape[0], 0);
            assert_true(fabs(f[k].gap + depth) < 1e-15);
            assert_true(f[k].d2[2] == 1);
        }
    }
}

/// The distance of a body from every triangle of a grid.
static real find_distance(const exact_body *body, int n, double size, const double *height)
{
    real least = INFINITY;
    for (int cell = 0; cell < 2 * n * n; cell++) {
        const int row = cell / 2 / n, column = cell / 2 % n, i = row * (n + 1) + column;
        const int v[2][3] = {{i, i + 1, i + n + 2}, {i, i + n + 2, i + n + 1}};
        static exact_body t;
        t = (exact_body){.n_point = 3,
                         .n_triangle = 1,
                         .triangle = {{0, 1, 2}},
                         .n_segment = 3,
                         .segment = {{0, 1}, {1, 2}, {2, 0}}};
        for (int k = 0; k < 3; k++) {
            const int p = v[cell % 2][k];
            t.point[k][0] = size * ((double)(p % (n + 1)) / n - 0.5);
            t.point[k][1] = size * ((double)(p / (n + 1)) / n - 0.5);
            t.point[k][2] = height[p];
        }
        least = fminl(least, exact_gap(&t, body));
    }
    return least;
}

static void distance_to_rough_ground_is_exact(void **state)
{
    (void)state;
    enum { N = 6 };
    uint64_t seed = 99;
    real worst = 0;
    for (int i = 0; i < 600; i++) {
        double height[(N + 1) * (N + 1)];
        for (int k = 0; k < (N + 1) * (N + 1); k++) height[k] = scene_between(&seed, 0, 0.3);
        const carom_shape *ground = make_ground(N, 2, height);
        static exact_body body;
        const double size[3] = {0.3, 0.4, 0.2};
        carom_placement at = {.r = {scene_between(&seed, -0.5, 0.5),
                                    scene_between(&seed, -0.5, 0.5),
                                    scene_between(&seed, 0.45, 0.7)}};
        scene_rotation(&seed, 0, at.R);
        const bool is_ball = i % 2;
        const carom_shape *shape = is_ball ? make_sphere(0.2) : make_box(size[0], size[1], size[2]);
        if (is_ball)
            body = (exact_body){.n_point = 1, .radius = 0.2};
        else
            scene_box(size, 0, &body);
        scene_place(&body, &at);
        const real exact = find_distance(&body, N, 2, height);
        if (exact < (is_ball ? -0.15L : 1e-3L)) continue; // it has come through
        carom_feature f[ROOM];
        const int n = meet(shape, &at, ground, &origin, 1, f);
        const real error = fabsl(find_least(f, n) - exact);
        if (!(error < 4e-16L * 4))
            fail_msg("%s %d: %.17g instead of %.17Lg (%d)", is_ball ? "ball" : "box", i,
                     find_least(f, n), exact, n);
        worst = fmaxl(worst, error);
        carom_arena_clear(arena);
    }
    printf("rough ground: worst %.2Lg\n", worst);
}

/// One face less, one face turned, everything turned.
static void open_and_twisted_meshes_are_refused(void **state)
{
    (void)state;
    const double size[3] = {1, 1, 1};
    double point[24];
    int face[36];
    carom_shape *shape;
    carom_shape_given given = give_box_mesh(size, point);
    const struct {
        int n_face;
        bool is_one_turned, is_all_turned;
        const char *expected;
    } wrong[] = {{11, false, false, "has one triangle: the surface is open there"},
                 {12, true, false, "two triangles that are turned against each other"},
                 {12, false, true, "turned inside out"}};
    for (int i = 0; i < 3; i++) {
        memcpy(face, box_face, sizeof face);
        for (int t = 0; t < 12; t++)
            if (wrong[i].is_all_turned || (wrong[i].is_one_turned && t == 5)) {
                face[3 * t] = box_face[3 * t + 1];
                face[3 * t + 1] = box_face[3 * t];
            }
        given.face = face;
        given.n_face = wrong[i].n_face;
        carom_error error = {0};
        assert_int_equal(try_make(given, &shape, &error), CAROM_BAD_INPUT);
        if (!strstr(error.message, wrong[i].expected)) fail_msg("%s", error.message);
        assert_true(i == 2 || strstr(error.message, "the edge from (") != NULL);
    }
}

static void pairs_without_answer_are_refused(void **state)
{
    (void)state;
    const double size[3] = {1, 1, 1};
    double point[24];
    const carom_shape *mesh = make(give_box_mesh(size, point)), *ground = make_ground(2, 1, NULL);
    assert_string_equal(carom_shapes_refuse(mesh, mesh),
                        "mesh and mesh do not meet (make one of them of hulls or boxes)");
    assert_non_null(strstr(carom_shapes_refuse(ground, mesh), "mesh and height_field"));
    assert_non_null(strstr(carom_shapes_refuse(ground, ground), "height_field and height_field"));
    assert_null(carom_shapes_refuse(ground, make_box(1, 1, 1)));
}

static void mesh_weighs_what_the_box_does(void **state)
{
    (void)state;
    const double size[3] = {1, 2, 3};
    double point[24];
    carom_shape_mass m;
    assert_true(carom_shape_weigh(make(give_box_mesh(size, point)), 2, &m));
    assert_true(fabs(m.mass - 12) < 1e-14 && fabs(m.inertia[0] - 13) < 1e-13);
    assert_true(fabs(m.inertia[1] - 10) < 1e-13 && fabs(m.inertia[2] - 5) < 1e-13);
}

/// A tip is a corner of a mesh however sharp it is; it is the first vertex here, and the last.
static void a_needle_stands_on_its_tip(void **state)
{
    (void)state;
    static const int face[12] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3},
                     turned[12] = {3, 1, 0, 3, 2, 1, 3, 0, 2, 0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (double width = 0.01; width < 20; width *= 10) {
            double point[12] = {0}, *base = point + (i == 0 ? 3 : 0), tip[3] = {0, 0, 0.001};
            for (int k = 0; k < 3; k++) {
                base[3 * k] = width * cos(2.1 * k);
                base[3 * k + 1] = width * sin(2.1 * k);
                base[3 * k + 2] = 1;
            }
            carom_shape *needle = make((carom_shape_given){.kind = "mesh",
                                                           .n_point = 4,
                                                           .point = point,
                                                           .n_face = 4,
                                                           .face = i == 0 ? face : turned});
            carom_shape *plane = make((carom_shape_given){
                .kind = "plane", .normal = {0, 0, 1}, .n_point = 1, .point = (double[]){0, 0, 0}});
            carom_placement at = origin;
            memcpy(at.r, tip, sizeof tip);
            carom_feature f[ROOM];
            assert_int_equal(meet(needle, &at, plane, &origin, 0.01, f), 1);
            assert_true(fabs(f[0].gap - 0.001) < 1e-15);
            carom_arena_clear(arena);
        }
}

/// Where the contacts are, in space.
static void find_places(const carom_feature *f, int n, const carom_placement *const at[2],
                        double *place)
{
    for (int i = 0; i < n; i++) {
        const carom_placement *of = at[f[i].shape[0]];
        for (int k = 0; k < 3; k++) {
            place[3 * i + k] = of->r[k];
            for (int l = 0; l < 3; l++) place[3 * i + k] += of->R[3 * k + l] * f[i].p1[l];
        }
    }
}

/// A plank across each face of a box, both ways: it lies on two edges and touches each twice.
static void a_plank_lies_on_the_edges_of_a_mesh(void **state)
{
    (void)state;
    const double size[3] = {1, 1, 1}, depth = 1e-3;
    double point[24];
    const carom_shape *mesh = make(give_box_mesh(size, point)), *box = make_box(1, 1, 1);
    for (int way = 0; way < 12; way++) {
        const int up = way % 3, along = (up + 1 + way / 6) % 3;
        double own[3] = {0.3, 0.3, 0.3};
        own[up] = 0.1;
        own[along] = 3;
        carom_placement at = origin;
        at.r[up] = (way / 3 % 2 ? 1 : -1) * (0.5 + 0.05 - depth);
        carom_feature f[ROOM], g[ROOM];
        double here[3 * ROOM], there[3 * ROOM];
        const carom_shape *plank = make_box(own[0], own[1], own[2]);
        const carom_placement *const both[2] = {&origin, &at};
        const int n = meet(box, &origin, plank, &at, 0.01, f);
        const int m = meet(mesh, &origin, plank, &at, 0.01, g);
        find_places(f, n, both, here);
        find_places(g, m, both, there);
        if (n != 4 || m != 4) fail_msg("way %d: %d contacts, %d with the mesh", way, n, m);
        for (int i = 0; i < n; i++) {
            double least = INFINITY;
            for (int k = 0; k < m; k++)
                least = fmin(least, hypot(here[3 * i] - there[3 * k],
                                          hypot(here[3 * i + 1] - there[3 * k + 1],
                                                here[3 * i + 2] - there[3 * k + 2])));
            if (!(least < 2 * depth)) fail_msg("way %d: contact %d is %g off", way, i, least);
        }
    }
}

/// A cylinder is round between the edges of its prism: its side is seen as early as it is.
static void a_cylinder_is_met_as_soon_as_its_prism_is_not(void **state)
{
    (void)state;
    const double size[3] = {4, 4, 1}, gap = 0.0499, alert = 0.05;
    double point[24];
    const carom_shape *mesh = make(give_box_mesh(size, point));
    const carom_shape *cylinder = make((carom_shape_given){.kind = "cylinder",
                                                           .normal = {0, 0, 1},
                                                           .length = 1,
                                                           .radius = {1, 1},
                                                           .n_point = 1,
                                                           .point = (double[]){0, 0, -0.5}});
    for (int i = 0; i < 40; i++) {
        const double a = acos(-1) / 32 / 10 * i;
        // its axis along y, turned about it
        const carom_placement at = {.r = {0.1, 0.2, 1.5 + gap},
                                    .R = {cos(a), -sin(a), 0, 0, 0, 1, -sin(a), -cos(a), 0}};
        carom_feature f[ROOM];
        const int n = meet(cylinder, &at, mesh, &origin, alert, f);
        if (n == 0) fail_msg("turned by %g it is not seen", a);
        if (!(fabs(find_least(f, n) - gap) < 1e-12))
            fail_msg("turned by %g its gap is %.17g", a, find_least(f, n));
    }
}

/// Boxes beside a mesh of a box, in any pose or aligned but for 1e-2 .. 1e-16: none is missed, and
/// none is nearer than it is.
static void boxes_beside_a_mesh_are_as_far_as_they_are(void **state)
{
    (void)state;
    uint64_t seed = 521288629;
    for (int t = 0; t < 20000; t++) {
        const bool is_aligned = t % 4 != 0;
        double size[2][3], point[24];
        carom_placement at[2];
        exact_body body[2];
        for (int i = 0; i < 2; i++) {
            scene_rotation(&seed, is_aligned, at[i].R);
            if (is_aligned && scene_choice(&seed, 3)) scene_tilt(&seed, at[i].R);
            for (int k = 0; k < 3; k++) {
                size[i][k] = 0.25 * (1 + scene_choice(&seed, 4));
                at[i].r[k] =
                    is_aligned ? 0.125 * scene_choice(&seed, 9) : scene_between(&seed, -1, 1);
            }
            scene_box(size[i], 0, body + i);
            scene_place(body + i, at + i);
        }
        carom_arena_clear(arena);
        const carom_shape *mesh = make(give_box_mesh(size[0], point)),
                          *box = make_box(size[1][0], size[1][1], size[1][2]);
        const double exact = (double)exact_gap(body, body + 1);
        if (!(exact > 1e-9) || exact > 0.5) continue;
        carom_feature f[ROOM];
        const double found = find_least(f, meet(mesh, at, box, at + 1, exact + 0.05, f));
        if (!(fabs(found - exact) <= 4e-15))
            fail_msg("pair %d: %.17g instead of %.17g", t, found, exact);
    }
}

static int set_up(void **state)
{
    (void)state;
    arena = carom_arena_new();
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    carom_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_of_a_box_is_the_box),
        cmocka_unit_test(seams_are_not_felt),
        cmocka_unit_test(distance_to_rough_ground_is_exact),
        cmocka_unit_test(open_and_twisted_meshes_are_refused),
        cmocka_unit_test(pairs_without_answer_are_refused),
        cmocka_unit_test(mesh_weighs_what_the_box_does),
        cmocka_unit_test(boxes_beside_a_mesh_are_as_far_as_they_are),
        cmocka_unit_test(a_needle_stands_on_its_tip),
        cmocka_unit_test(a_plank_lies_on_the_edges_of_a_mesh),
        cmocka_unit_test(a_cylinder_is_met_as_soon_as_its_prism_is_not),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
