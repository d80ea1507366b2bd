// SPDX-License-Identifier: Apache-2.0
// Random pairs of all kinds of the plane against brute force in long double: apart, touching,
// overlapping, aligned, turned, swapped, at scales from 1e-6 to 1e6. CAROM_PAIRS is how many.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/flat_reference.h"

#include <float.h>
#include <stdlib.h>

enum { N_KIND = 8, ROOM = 64 };

/// One shape, its numbers, and where it is.
typedef struct actor {
    carom_shape_given given;
    double point[3 * MOST_POINTS];
    carom_shape *shape;
    carom_placement at;
} actor;

static double worst; ///< error of a gap, in ulp of the size

/// Sizes: any, or in quarters so that shapes touch and lie in line.
static double draw_length(bool is_aligned, double scale)
{
    return scale * (is_aligned ? 0.25 * (1 + (int)(8 * draw())) : draw_between(0.05, 2));
}

static void draw_polygon(actor *a, bool is_convex, double scale)
{
    const int n = 3 + (int)(8 * draw());
    double angle = draw_between(0, 6);
    a->given.kind = "polygon";
    a->given.n_point = n;
    for (int i = 0; i < n; i++) {
        const double r = scale * (is_convex ? 1 : draw_between(0.3, 1.5));
        a->point[3 * i] = r * cos(angle) * 0.9;
        a->point[3 * i + 1] = r * sin(angle);
        a->point[3 * i + 2] = 0;
        angle += 6.2831853 / n * (is_convex ? draw_between(0.7, 1) : 1);
    }
    a->given.rounding = draw() < 0.3 ? 0.02 * scale : 0;
}

static void draw_shape(carom_arena *arena, actor *a, int kind, bool is_aligned, double scale)
{
    carom_shape_given *g = &a->given;
    *g = (carom_shape_given){.dim = 2, .point = a->point};
    for (int i = 0; i < 6; i++)
        a->point[i] = i % 3 == 2 ? 0 : draw_length(is_aligned, scale) * (i < 3 ? -1 : 1);
    const double r = draw_length(is_aligned, scale);
    g->n_point = kind == 1 || kind == 2 ? 2 : 1;
    if (kind == 0 || kind == 2) g->radius[0] = kind == 0 ? r : 0.3 * r;
    g->kind = (const char *[N_KIND]){"disk", "segment", "capsule", "box",
                                     "box",  "",        "",        "half_plane"}[kind];
    if (kind == 1 && is_aligned) a->point[4] = a->point[1];
    if (kind == 3 || kind == 4) {
        g->n_point = 0;
        g->size[0] = r;
        g->size[1] = draw_length(is_aligned, scale);
        g->rounding = kind == 4 ? 0.25 * fmin(g->size[0], g->size[1]) : 0;
    }
    if (kind == 5 || kind == 6) draw_polygon(a, kind == 5, scale);
    g->normal[0] = kind == 7 ? draw_between(-1, 1) * !is_aligned : 0;
    g->normal[1] = kind == 7;
    const double x = draw(), y = draw(), angle = draw() < 0.5 ? 0 : 6 * draw();
    g->place =
        is_aligned || angle == 0 ? make_quarter(0, 0, 0) : make_pose(scale * x, scale * y, angle);
    carom_error error = {0};
    if (carom_shape_new(arena, g, &a->shape, &error) != CAROM_OK) {
        a->shape = NULL; // a random polygon may have no room for its rounding
        if (!strstr(error.message, "room for a 'rounding'")) fail_msg("%s", error.message);
    }
}

static void draw_pose(actor *a, bool is_aligned, double scale)
{
    double x = draw_between(-2, 2); // one after the other: arguments have no order
    double y = draw_between(-2, 2);
    const double angle = draw_between(0, 7);
    if (is_aligned) {
        x = 0.25 * (int)(4 * x);
        y = 0.25 * (int)(4 * y);
    }
    a->at = is_aligned ? make_quarter(scale * x, scale * y, (int)angle)
                       : make_pose(scale * x, scale * y, angle);
}

/// The largest lengths that come in, added up; of a half plane: to its point.
static double find_size(const actor *a, const actor *b)
{
    double size = hypot(a->at.r[0] - b->at.r[0], a->at.r[1] - b->at.r[1]);
    for (int i = 0; i < 2; i++) {
        const actor *one = i ? b : a;
        const double reach = carom_shape_reach(one->shape), *r = one->given.place.r;
        size += isfinite(reach) ? reach : hypot(one->point[0], one->point[1]) + hypot(r[0], r[1]);
    }
    return size;
}

static int meet(const actor *a, const actor *b, double alert, carom_feature *feature)
{
    return carom_shapes_meet((carom_posed){a->shape, &a->at}, (carom_posed){b->shape, &b->at},
                             alert, feature, ROOM);
}

/// A feature is what it says: gap, unit normal, and the margin of the corners and edges it names.
static void check_feature(const actor *a, const actor *b, const carom_feature *f)
{
    const actor *one = f->shape[0] ? b : a, *two = f->shape[0] ? a : b;
    const double ulp = DBL_EPSILON * find_size(a, b);
    assert_int_equal(f->shape[0] + f->shape[1], 1);
    const real gap = feature_gap(f, &one->at, &two->at);
    const double error = fabs((double)(gap - f->gap)) / ulp;
    if (error > worst) worst = error;
    if (!(error <= 4))
        fail_msg("%s against %s: a feature is wrong by %g ulp of the size", a->given.kind,
                 b->given.kind, error);
    if (f->primitive == CAROM_POINT_PLANE)
        assert_true(fabs(hypot(f->d2[0], f->d2[1]) - 1) <= 2 * DBL_EPSILON);
    const flat_body body[2] = {make_body(&one->given, &one->at), make_body(&two->given, &two->at)};
    const double margin = (double)feature_margin(f, body, body + 1);
    // corners are rounded numbers: the direction of a short edge is as good as it is long
    const double edge = fmin(shortest_edge(body), shortest_edge(body + 1));
    const double tolerance = 8 * ulp * fmax(1, find_size(a, b) / edge);
    assert_true(margin == f->margin || fabs(margin - f->margin) <= tolerance);
}

/// Checks each; returns the gap nearest to the reference (not a number: a depth without a closed
/// form, which may have no place within its borders).
static double check_features(const actor *a, const actor *b, const carom_feature *f, int n,
                             double reference)
{
    double nearest = INFINITY;
    for (int i = 0; i < n; i++) {
        check_feature(a, b, f + i);
        assert_true(isnan(reference) || f[i].margin >= -4 * DBL_EPSILON * find_size(a, b));
        if (fabs(f[i].gap - reference) < fabs(nearest - reference)) nearest = f[i].gap;
        for (int k = 0; k < i; k++)
            assert_false(f[i].shape[0] == f[k].shape[0] && f[i].feature[0] == f[k].feature[0] &&
                         f[i].feature[1] == f[k].feature[1]);
    }
    return nearest;
}

/// Whether two answers name the same places; of two points it does not matter whose is first.
static bool is_same(const carom_feature *f, const carom_feature *g, double tolerance)
{
    if (f->primitive != g->primitive || fabs(f->gap - g->gap) > tolerance) return false;
    const bool is_crossed = f->shape[0] == g->shape[0]; // of the swapped call: the other shape
    if (is_crossed && f->primitive != CAROM_POINT_POINT) return false;
    return f->feature[0] == g->feature[is_crossed] && f->feature[1] == g->feature[!is_crossed];
}

static void check_swapped(const actor *a, const actor *b, const carom_feature *f, int n)
{
    carom_feature g[ROOM];
    const double tolerance = 4 * DBL_EPSILON * find_size(a, b);
    const carom_shape_given *p = &a->given, *q = &b->given;
    // of twins that end at the same place either's corner may be named
    const bool is_twin = p->kind == q->kind && memcmp(p->size, q->size, sizeof p->size) == 0 &&
                         p->n_point == q->n_point &&
                         memcmp(a->point, b->point, 24 * (size_t)p->n_point) == 0;
    assert_int_equal(meet(b, a, INFINITY, g), n);
    for (int i = 0; i < n; i++) {
        bool is_there = false;
        for (int k = 0; k < n; k++)
            is_there = is_there || is_same(f + i, g + k, tolerance) ||
                       (is_twin && fabs(f[i].gap - g[k].gap) <= tolerance);
        assert_true(is_there);
    }
}

/// The same scene turned and shifted has the same gap.
static void check_turned(const actor *a, const actor *b, double reference)
{
    const carom_placement turn = make_pose(0.3, 0.5, 6 * draw());
    actor turned[2] = {*a, *b};
    for (int i = 0; i < 2; i++) {
        const carom_placement *at = i ? &b->at : &a->at;
        for (int row = 0; row < 2; row++) {
            turned[i].at.r[row] = turn.R[3 * row] * at->r[0] + turn.R[3 * row + 1] * at->r[1];
            for (int k = 0; k < 2; k++)
                turned[i].at.R[3 * row + k] =
                    turn.R[3 * row] * at->R[k] + turn.R[3 * row + 1] * at->R[3 + k];
        }
    }
    carom_feature f[ROOM];
    const int n = meet(turned, turned + 1, INFINITY, f);
    const double gap = check_features(turned, turned + 1, f, n, reference);
    assert_true(fabs(gap - reference) <= 8 * DBL_EPSILON * find_size(a, b)); // 4 of each scene
}

static void check_pair(const actor *a, const actor *b, double scale)
{
    carom_feature f[ROOM];
    if (carom_shapes_refuse(a->shape, b->shape)) return;
    const int n = meet(a, b, INFINITY, f);
    const flat_body first = make_body(&a->given, &a->at), second = make_body(&b->given, &b->at);
    const double size = find_size(a, b), tolerance = 4 * DBL_EPSILON * size;
    real gap;
    if (!reference_gap(&first, &second, &gap)) {
        check_features(a, b, f, n, NAN);
        assert_true(n > 0);
        return;
    }
    assert_true(n > 0 && n <= ROOM);
    const double error = fabs(check_features(a, b, f, n, (double)gap) - (double)gap);
    if (error / (DBL_EPSILON * size) > worst) worst = error / (DBL_EPSILON * size);
    if (!(error <= tolerance))
        fail_msg("%s against %s: gap wrong by %g of the size", a->given.kind, b->given.kind,
                 error / size);
    if (gap > 0) // nothing is nearer than it is
        for (int i = 0; i < n; i++) assert_true(f[i].gap >= (double)gap - tolerance);
    check_swapped(a, b, f, n);
    check_turned(a, b, (double)gap);
    const double alert = 0.3 * scale * draw();
    if (fabs((double)gap - alert) > tolerance && (gap > 0 || first.is_half || second.is_half))
        assert_int_equal(meet(a, b, alert, f) > 0, gap < alert);
}

static void pairs_are_those_of_brute_force(void **state)
{
    (void)state;
    const char *text = getenv("CAROM_PAIRS");
    const long n_pair = text ? strtol(text, NULL, 10) : 20000;
    carom_arena *arena = carom_arena_new();
    for (long i = 0; i < n_pair; i++) {
        actor a, b;
        const bool is_aligned = draw() < 0.3;
        const double scale =
            is_aligned ? ldexp(1, (int)draw_between(-20, 20)) : pow(10, draw_between(-6, 6));
        carom_arena_clear(arena);
        draw_shape(arena, &a, (int)(i % N_KIND), is_aligned, scale);
        draw_shape(arena, &b, (int)(i / N_KIND % N_KIND), is_aligned, scale);
        if (!a.shape || !b.shape) continue;
        draw_pose(&a, is_aligned, scale);
        draw_pose(&b, is_aligned, scale);
        check_pair(&a, &b, scale);
    }
    carom_arena_free(arena);
    print_message("worst error of a gap: %.2f ulp of the size\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_those_of_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
