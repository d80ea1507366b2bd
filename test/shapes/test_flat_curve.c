// SPDX-License-Identifier: Apache-2.0
// Curves against a spline of the test's own in long double, looked at point by point: distances,
// what a frozen feature says of poses nearby, masses, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/flat_reference.h"

#include <float.h>

enum { NODES = 9, ROOM = 64 };

static carom_arena *arena;

/// Second derivatives of a spline by elimination in a full matrix.
typedef struct spline2 {
    int n; ///< spans
    real s[NODES + 1], x[NODES + 1][2], m[NODES + 1][2];
} spline2;

static void solve(int n, real A[NODES + 1][NODES + 3])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabsl(A[i][k]) > fabsl(A[best][k])) best = i;
        for (int j = 0; j < n + 2; j++) {
            const real keep = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = keep;
        }
        for (int i = 0; i < n; i++) {
            const real factor = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j < n + 2; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) A[i][n + j] /= A[i][i];
}

static spline2 fit(const double *point, bool is_closed)
{
    const int n = NODES + is_closed; // points
    spline2 f = {.n = n - 1};
    real A[NODES + 1][NODES + 3] = {{0}};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) f.x[i][k] = point[3 * (i % NODES) + k];
        if (i > 0)
            f.s[i] = f.s[i - 1] + hypotl(f.x[i][0] - f.x[i - 1][0], f.x[i][1] - f.x[i - 1][1]);
    }
    const int unknown = is_closed ? n - 1 : n;
    for (int i = 0; i < unknown; i++) {
        if (!is_closed && (i == 0 || i == n - 1)) {
            A[i][i] = 1;
            continue;
        }
        const int before = i > 0 ? i - 1 : n - 2;
        const real g = f.s[before + 1] - f.s[before], h = f.s[i + 1] - f.s[i];
        A[i][before] += g;
        A[i][i] += 2 * (g + h);
        A[i][(i + 1) % unknown] += h;
        for (int k = 0; k < 2; k++)
            A[i][unknown + k] =
                6 * ((f.x[i + 1][k] - f.x[i][k]) / h - (f.x[i][k] - f.x[before][k]) / g);
    }
    solve(unknown, A);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) f.m[i][k] = A[i % unknown][unknown + k];
    return f;
}

static void spline_at(const spline2 *f, int span, real t, real *x)
{
    const real h = f->s[span + 1] - f->s[span], u = 1 - t;
    for (int k = 0; k < 2; k++)
        x[k] = u * f->x[span][k] + t * f->x[span + 1][k] +
               h * h / 6 * ((u * u * u - u) * f->m[span][k] + (t * t * t - t) * f->m[span + 1][k]);
}

typedef real measure_of(const real *x, const void *of);

/// Least of a measure on a part of a span, by thirds.
static real least_near(const spline2 *f, int span, real t, measure_of *measure, const void *of)
{
    real least = INFINITY, low = fmaxl(0, t - 0.0025L), high = fminl(1, t + 0.0025L);
    for (int i = 0; i < 120; i++) {
        real x[2], y[2];
        spline_at(f, span, low + (high - low) / 3, x);
        spline_at(f, span, high - (high - low) / 3, y);
        if (measure(x, of) < measure(y, of))
            high -= (high - low) / 3;
        else
            low += (high - low) / 3;
        least = fminl(least, fminl(measure(x, of), measure(y, of)));
    }
    return least;
}

/// Least over the whole curve: on a grid, then around the best of it, also beyond a node.
static real least_over(const spline2 *f, measure_of *measure, const void *of)
{
    enum { GRID = 400 };
    real least = INFINITY, best = 0;
    int span = 0;
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k <= GRID; k++) {
            real x[2];
            spline_at(f, i, (real)k / GRID, x);
            if (!(measure(x, of) < least)) continue;
            least = measure(x, of);
            span = i;
            best = (real)k / GRID;
        }
    least = fminl(least, least_near(f, span, best, measure, of));
    if (best == 0) least = fminl(least, least_near(f, (span + f->n - 1) % f->n, 1, measure, of));
    if (best == 1) least = fminl(least, least_near(f, (span + 1) % f->n, 0, measure, of));
    return least;
}

static real from_point(const real *x, const void *of)
{
    const real *p = of;
    return hypotl(x[0] - p[0], x[1] - p[1]);
}

static real along_normal(const real *x, const void *of)
{
    const real *p = of; // point, then normal
    return (x[0] - p[0]) * p[2] + (x[1] - p[1]) * p[3];
}

static real from_body(const real *x, const void *of)
{
    const flat_body point = {.n = 1, .p = {{x[0], x[1]}}};
    return least_distance(of, &point);
}

/// Nodes around the origin, the radius as one likes.
static void draw_nodes(double *point, double scale, bool is_closed)
{
    for (int i = 0; i < NODES; i++) {
        const double angle = 6.2831853 * i / NODES * (is_closed ? 1 : 0.4);
        const double r = scale * draw_between(0.8, 1.3);
        point[3 * i] = r * cos(angle);
        point[3 * i + 1] = r * sin(angle);
        point[3 * i + 2] = 0;
    }
}

static carom_shape *make_shape(carom_shape_given given)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    given.dim = 2;
    given.place = make_quarter(0, 0, 0);
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_OK) fail_msg("%s", error.message);
    return shape;
}

static carom_shape *make_curve(const double *point, bool is_closed)
{
    return make_shape((carom_shape_given){
        .kind = "curve", .n_point = NODES, .point = point, .is_closed = is_closed});
}

static int meet_at_home(const carom_shape *a, const carom_placement *at, const carom_shape *curve,
                        carom_feature *f)
{
    const carom_placement home = make_quarter(0, 0, 0);
    return carom_shapes_meet((carom_posed){a, at}, (carom_posed){curve, &home}, INFINITY, f, ROOM);
}

/// The least gap; each is what its feature's own numbers say.
static double check_gaps(const carom_feature *f, int n, const carom_placement *at, double size)
{
    const carom_placement home = make_quarter(0, 0, 0);
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        const carom_placement *one = f[i].shape[0] ? &home : at, *two = f[i].shape[0] ? at : &home;
        const real gap = feature_gap(f + i, one, two);
        // the centre of a large circle is far away
        const double reach = size + fabs(f[i].radius);
        assert_true(fabs((double)gap - f[i].gap) <= 4 * DBL_EPSILON * reach);
        least = fmin(least, f[i].gap);
    }
    return least;
}

static void disks_are_as_far_as_the_nearest_point(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++) {
        double point[3 * NODES];
        const bool is_closed = i % 3 > 0;
        const double scale = pow(10, draw_between(-6, 6)), zero[3] = {0};
        draw_nodes(point, scale, is_closed);
        const carom_shape *curve = make_curve(point, is_closed);
        const spline2 spline = fit(point, is_closed);
        const carom_shape *disk = make_shape((carom_shape_given){
            .kind = "disk", .radius = {0.2 * scale}, .n_point = 1, .point = zero});
        const double angle = 7 * draw(), r = scale * draw_between(is_closed ? 0 : 1.5, 3);
        const carom_placement at = make_pose(r * cos(angle), r * sin(angle), 1);
        const real p[2] = {at.r[0], at.r[1]};
        carom_feature f[ROOM];
        const int n = meet_at_home(disk, &at, curve, f);
        if (n == 0 && !is_closed) continue; // behind an open one there is no outside
        const double gap = check_gaps(f, n, &at, 5 * scale);
        const double distance = (double)least_over(&spline, from_point, p);
        const double size = scale * 5, nearest = gap + 0.2 * scale;
        assert_true(fabs(fabs(nearest) - distance) <= 4 * DBL_EPSILON * size);
        if (is_closed && r > 1.6 * scale) assert_true(nearest > 0);
        if (is_closed && r < 0.3 * scale) assert_true(nearest < 0);
        carom_arena_clear(arena);
    }
}

static void half_planes_are_as_far_as_the_lowest_point(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        double point[3 * NODES];
        draw_nodes(point, 1, i % 3 > 0);
        const carom_shape *curve = make_curve(point, i % 3 > 0);
        const spline2 spline = fit(point, i % 3 > 0);
        const double angle = 7 * draw(), zero[3] = {0};
        const real of[4] = {3, 4, cosl(angle), sinl(angle)};
        const carom_shape *half = make_shape((carom_shape_given){
            .kind = "half_plane", .n_point = 1, .point = zero, .normal = {1, 0}});
        const carom_placement at = make_pose(3, 4, angle);
        carom_feature f[ROOM];
        const int n = meet_at_home(half, &at, curve, f);
        assert_true(n > 0);
        const double gap = check_gaps(f, n, &at, 10);
        assert_true(fabs(gap - (double)least_over(&spline, along_normal, of)) < 40 * DBL_EPSILON);
        carom_arena_clear(arena);
    }
}

static void polygons_are_as_far_as_the_nearest_point(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        double point[3 * NODES];
        draw_nodes(point, 1, true);
        const carom_shape *curve = make_curve(point, true);
        const spline2 spline = fit(point, true);
        carom_shape_given given = {.kind = "box", .size = {1.5, 0.8}, .rounding = i % 2 ? 0.1 : 0};
        given.place = make_quarter(0, 0, 0);
        const carom_shape *box = make_shape(given);
        const double angle = 7 * draw(), r = draw_between(2.2, 3);
        const carom_placement at = make_pose(r * cos(angle), r * sin(angle), 7 * draw());
        const flat_body body = make_body(&given, &at);
        carom_feature f[ROOM];
        const int n = meet_at_home(box, &at, curve, f);
        const double gap = check_gaps(f, n, &at, 10);
        const double distance = (double)(least_over(&spline, from_body, &body) - body.radius);
        assert_true(fabs(gap - distance) < 40 * DBL_EPSILON);
        carom_arena_clear(arena);
    }
}

// a frozen feature is right to second order: its error falls by 8 when the way is halved
static void a_frozen_feature_follows_the_curve(void **state)
{
    (void)state;
    const double zero[3] = {0};
    int n_steep = 0, n_third = 0; // where it passes a node the third derivative jumps
    for (int i = 0; i < 60; i++) {
        double point[3 * NODES], error[2];
        draw_nodes(point, 1, true);
        const carom_shape *curve = make_curve(point, true);
        const carom_shape *disk = make_shape(
            (carom_shape_given){.kind = "disk", .radius = {0.1}, .n_point = 1, .point = zero});
        const double angle = 7 * draw();
        const carom_placement at = make_pose(1.6 * cos(angle), 1.6 * sin(angle), 0);
        const carom_placement home = make_quarter(0, 0, 0);
        carom_feature f[ROOM], g[ROOM];
        int n = meet_at_home(disk, &at, curve, f), nearest = 0;
        for (int k = 1; k < n; k++)
            if (f[k].gap < f[nearest].gap) nearest = k;
        for (int half = 0; half < 2; half++) {
            const double way = half ? 5e-4 : 1e-3;
            const carom_placement moved =
                make_pose(at.r[0] + way * sin(angle), at.r[1] - way * cos(angle), 0);
            n = meet_at_home(disk, &moved, curve, g);
            const double gap = check_gaps(g, n, &moved, 5);
            const real frozen = f[nearest].shape[0] ? feature_gap(f + nearest, &home, &moved)
                                                    : feature_gap(f + nearest, &moved, &home);
            error[half] = fabs((double)frozen - gap);
        }
        assert_true(error[0] < 1e-7);
        if (error[1] < 1e-12) continue;
        n_steep++;
        n_third += error[0] / error[1] > 7 && error[0] / error[1] < 9;
        carom_arena_clear(arena);
    }
    assert_true(n_steep > 20 && n_third > 0.9 * n_steep);
}

static void a_roller_in_a_slot_touches_both_sides(void **state)
{
    (void)state;
    // a thick U: the slot between x = -0.5 and 0.5 is open above
    static const double u[3 * 16] = {-2,   2,  0, -2,   0, 0, -2,   -2, 0, 0,    -2.5, 0,
                                     2,    -2, 0, 2,    0, 0, 2,    2,  0, 1.2,  2.4,  0,
                                     0.5,  2,  0, 0.5,  1, 0, 0.5,  0,  0, 0,    -0.6, 0,
                                     -0.5, 0,  0, -0.5, 1, 0, -0.5, 2,  0, -1.2, 2.4,  0};
    const double zero[3] = {0};
    const carom_shape *curve = make_shape(
        (carom_shape_given){.kind = "curve", .n_point = 16, .point = u, .is_closed = true});
    const carom_shape *disk = make_shape(
        (carom_shape_given){.kind = "disk", .radius = {0.45}, .n_point = 1, .point = zero});
    const carom_placement home = make_quarter(0, 0, 0);
    double gap[2][2];
    for (int i = 0; i < 2; i++) {
        const carom_placement at = make_quarter(0.01 * i, 1, 0);
        carom_feature f[ROOM];
        assert_int_equal(
            carom_shapes_meet((carom_posed){disk, &at}, (carom_posed){curve, &home}, 0.2, f, ROOM),
            2);
        for (int k = 0; k < 2; k++) {
            gap[i][k] = f[k].gap;
            assert_true(f[k].gap > 0.02 && f[k].gap < 0.07);
        }
    }
    // the nodes run around counter-clockwise: the right side comes first
    assert_true(fabs(gap[1][0] - gap[0][0] + 0.01) < 3e-3);
    assert_true(fabs(gap[1][1] - gap[0][1] - 0.01) < 3e-3);
}

static void mass_is_that_of_a_fine_polygon(void **state)
{
    (void)state;
    double point[3 * NODES];
    draw_nodes(point, 1, true);
    const spline2 f = fit(point, true);
    real area = 0, x = 0, y = 0, polar = 0, p[2], q[2];
    enum { FINE = 20000 };
    for (int i = 0; i < f.n; i++)
        for (int k = 0; k < FINE; k++) {
            spline_at(&f, i, (real)k / FINE, p);
            spline_at(&f, i, (real)(k + 1) / FINE, q);
            const real twice = p[0] * q[1] - p[1] * q[0];
            area += twice / 2;
            x += twice * (p[0] + q[0]) / 6;
            y += twice * (p[1] + q[1]) / 6;
            polar += twice *
                     (p[0] * p[0] + p[1] * p[1] + q[0] * q[0] + q[1] * q[1] + p[0] * q[0] +
                      p[1] * q[1]) /
                     12;
        }
    carom_shape_mass mass;
    assert_true(carom_shape_weigh(make_curve(point, true), 3, &mass));
    const real inertia = polar - (x * x + y * y) / area;
    assert_true(fabs(mass.mass / (double)(3 * area) - 1) < 1e-8);
    assert_true(fabs(mass.centre[0] - (double)(x / area)) < 1e-8);
    assert_true(fabs(mass.inertia[2] / (double)(3 * inertia) - 1) < 1e-8);
    assert_false(carom_shape_weigh(make_curve(point, false), 3, &mass));
    carom_shape_look look;
    assert_true(carom_shape_show(make_curve(point, true), 1, 1e-4, arena, &look));
    assert_true(look.n_line == 1 && look.n_point > 50);
    for (int i = 0; i < look.n_point; i++) {
        const real at[2] = {look.point[3 * i], look.point[3 * i + 1]};
        assert_true(least_over(&f, from_point, at) < 1e-12L);
    }
}

static void assert_refused(int n, const double *xy, bool is_closed, const char *what)
{
    double point[3 * 12] = {0};
    for (int i = 0; i < 2 * n; i++) point[i / 2 * 3 + i % 2] = xy[i];
    carom_shape *shape;
    carom_error error = {0};
    const carom_shape_given given = {.kind = "curve",
                                     .dim = 2,
                                     .place = make_quarter(0, 0, 0),
                                     .n_point = n,
                                     .point = point,
                                     .is_closed = is_closed};
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_BAD_INPUT ||
        !strstr(error.message, what))
        fail_msg("'%s' lacks '%s'", error.message, what);
}

static void wrong_curves_are_refused(void **state)
{
    (void)state;
    assert_refused(2, (double[]){0, 0, 1, 0}, true, "a curve of 2 nodes");
    assert_refused(4, (double[]){0, 0, 0, 1, 1, 1, 1, 0}, true, "go clockwise");
    assert_refused(4, (double[]){0, 0, 1, 0, 1, 0, 0, 1}, true, "nodes 2 and 3");
    assert_refused(4, (double[]){0, 0, 1, 0, 1, 1, 0, 0}, true, "does not repeat its first");
    assert_refused(4, (double[]){0, 0, 1, 1, 1, 0, 0, 1}, true, "crosses itself");
    double point[3 * NODES];
    draw_nodes(point, 1, true);
    const carom_shape *curve = make_curve(point, true);
    assert_non_null(carom_shapes_refuse(curve, curve));
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
        cmocka_unit_test(disks_are_as_far_as_the_nearest_point),
        cmocka_unit_test(half_planes_are_as_far_as_the_lowest_point),
        cmocka_unit_test(polygons_are_as_far_as_the_nearest_point),
        cmocka_unit_test(a_frozen_feature_follows_the_curve),
        cmocka_unit_test(a_roller_in_a_slot_touches_both_sides),
        cmocka_unit_test(mass_is_that_of_a_fine_polygon),
        cmocka_unit_test(wrong_curves_are_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
