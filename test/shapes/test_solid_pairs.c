// SPDX-License-Identifier: Apache-2.0
// Convex bodies in space against exact references: the smallest gap found is the signed distance
// to 4 ulp of the size, for swapped and turned arguments too, over sizes 1e-6 to 1e6, any poses and
// aligned ones, apart, touching and overlapping. CAROM_PAIRS=1000000 asks for more pairs, and
// CAROM_KINDS=box,cylinder for as many of two kinds alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"
#include "shapes/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef enum kind { SPHERE, CAPSULE, BOX, ROUND_BOX, HULL, PRISM, CONE_PRISM, PLANE, N_KIND } kind;
static const char *const kind_names[N_KIND] = {"sphere", "capsule",  "box",  "rounded box",
                                               "hull",   "cylinder", "cone", "plane"};
/// Pairs of every 100 or so: exact answers for hulls and prisms take most of the time.
static const int share[N_KIND] = {20, 20, 30, 20, 6, 2, 2, 10};

typedef struct thing {
    carom_shape *shape;
    exact_body body;  // in axes of the body
    exact_body outer; // of a wheel: the prism around it; else the same
    double reach;
    bool is_plane; // body: a point of it, and one above
} thing;

static carom_arena *arena;

typedef struct making {
    uint64_t *seed;
    double scale, size[3];
    bool is_aligned;
    double point[3 * 10];
    carom_shape_given given;
} making;

static void make_round(making *m, bool is_capsule, exact_body *body)
{
    m->given.kind = is_capsule ? "capsule" : "sphere";
    m->given.radius[0] = 0.25 * m->size[0];
    body->radius = m->given.radius[0];
    m->given.n_point = body->n_point = is_capsule ? 2 : 1;
    body->n_segment = is_capsule;
    body->segment[0][1] = 1;
    for (int i = 0; i < 3; i++) {
        const bool is_along = !m->is_aligned || i == 2;
        m->point[i] = is_along ? -0.5 * m->size[i] : 0;
        m->point[3 + i] = is_along ? m->size[i] : 0;
    }
}

/// Any points, or some of a lattice (with planes and lines full of them).
static void make_hull(making *m, exact_body *body)
{
    m->given.kind = "hull";
    m->given.n_point = body->n_point = 5 + scene_choice(m->seed, 6);
    for (int i = 0; i < 3 * body->n_point; i++)
        m->point[i] = m->is_aligned ? 0.25 * m->scale * (scene_choice(m->seed, 4) - 2)
                                    : m->scale * scene_between(m->seed, -0.5, 0.5);
    static const double corner[12] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, -0.5, -0.5, -0.5};
    for (int i = 0; i < 12; i++) m->point[i] = corner[i] * m->scale;
    for (int i = 0; i < body->n_point; i++)
        for (int k = 0; k < 3; k++) body->point[i][k] = m->point[3 * i + k];
    scene_all_parts(body);
}

static void make_prism(making *m, bool is_cone, exact_body *body, exact_body *outer)
{
    m->given.kind = is_cone ? "cone" : "cylinder";
    m->given.normal[2] = 1;
    m->given.length = m->size[2];
    m->given.radius[0] = m->size[0];
    m->given.radius[1] = is_cone ? m->size[1] : m->size[0];
    scene_prism(m->given.radius, m->size[2], body);
    const double bulge = 1 / cos(acos(-1) / 32);
    const double rim[2] = {bulge * m->given.radius[0], bulge * m->given.radius[1]};
    scene_prism(rim, m->size[2], outer);
}

static void make_plane(making *m, exact_body *body)
{
    double *n = m->given.normal, length = 0;
    m->given.kind = "plane";
    m->given.n_point = 1;
    body->n_point = 2;
    for (int k = 0; k < 3; k++) {
        n[k] = m->is_aligned ? k == 2 : scene_between(m->seed, -1, 1);
        length += n[k] * n[k];
        m->point[k] = m->is_aligned ? 0.5 * m->size[k] : m->size[k] * scene_between(m->seed, -1, 1);
    }
    for (int k = 0; k < 3; k++) {
        n[k] /= sqrt(length);
        body->point[1][k] = n[k]; // a direction, and no point
    }
}

static void make(uint64_t *seed, kind k, double scale, bool is_aligned, thing *t)
{
    making m = {.seed = seed, .scale = scale, .is_aligned = is_aligned};
    m.given = (carom_shape_given){.dim = 3, .place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    m.given.point = m.point;
    for (int i = 0; i < 3; i++)
        m.size[i] = is_aligned ? scale * (1 + scene_choice(seed, 3)) * 0.25
                               : scale * scene_between(seed, 0.1, 1);
    exact_clear(&t->body);
    t->is_plane = k == PLANE;
    switch (k) {
    case PLANE:
        make_plane(&m, &t->body);
        break;
    case SPHERE:
    case CAPSULE:
        make_round(&m, k == CAPSULE, &t->body);
        break;
    case HULL:
        make_hull(&m, &t->body);
        break;
    case PRISM:
    case CONE_PRISM:
        make_prism(&m, k == CONE_PRISM, &t->body, &t->outer);
        break;
    default:
        m.given.kind = "box";
        m.given.rounding = k == BOX ? 0 : 0.02 * scale;
        memcpy(m.given.size, m.size, sizeof m.size);
        scene_box(m.size, m.given.rounding, &t->body);
    }
    for (int i = 0; i < m.given.n_point; i++)
        for (int l = 0; l < 3; l++) t->body.point[i][l] = m.point[3 * i + l];
    if (k < PRISM || k == PLANE) exact_copy(&t->body, &t->outer);
    carom_error error = {0};
    if (carom_shape_new(arena, &m.given, &t->shape, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    t->reach = k == PLANE ? 0.5 * scale : carom_shape_reach(t->shape);
}

/// The lowest point of a body over a plane.
static real find_height(const exact_body *body, const exact_body *plane, const carom_placement *at)
{
    real n[3], p[3], d[3], least = INFINITY;
    for (int k = 0; k < 3; k++) {
        n[k] = 0;
        p[k] = at->r[k];
        for (int l = 0; l < 3; l++) {
            n[k] += (real)at->R[3 * k + l] * plane->point[1][l];
            p[k] += (real)at->R[3 * k + l] * plane->point[0][l];
        }
    }
    for (int i = 0; i < body->n_point; i++) {
        exact_minus(body->point[i], p, d);
        least = exact_less(least, exact_dot(n, d));
    }
    return least / sqrtl(exact_dot(n, n)) - body->radius;
}

/// What rounding is a part of: both bodies, and how far a plane's point is away.
static double find_size(const thing *t, const carom_placement *at)
{
    double size = t[0].reach + t[1].reach;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3 && t[i].is_plane; k++)
            size += fabs(at[0].r[k] - at[1].r[k]) + (double)fabsl(t[i].body.point[0][k]);
    return size;
}

static real find_gap(const thing *t, const carom_placement *at, bool is_outer)
{
    static exact_body p, q;
    exact_copy(is_outer ? &t[0].outer : &t[0].body, &p);
    exact_copy(is_outer ? &t[1].outer : &t[1].body, &q);
    if (!t[0].is_plane) scene_place(&p, at);
    if (!t[1].is_plane) scene_place(&q, at + 1);
    return t[0].is_plane   ? find_height(&q, &p, at)
           : t[1].is_plane ? find_height(&p, &q, at + 1)
                           : exact_gap(&p, &q);
}

/// The gap that a feature's formula gives, in long double.
static real read_gap(const carom_feature *f, const carom_placement *at_1,
                     const carom_placement *at_2)
{
    real p1[3], d1[3], p2[3], d2[3], d[3], n[3];
    for (int k = 0; k < 3; k++) {
        p1[k] = at_1->r[k];
        p2[k] = at_2->r[k];
        d1[k] = d2[k] = 0;
        for (int l = 0; l < 3; l++) {
            p1[k] += (real)at_1->R[3 * k + l] * f->p1[l];
            d1[k] += (real)at_1->R[3 * k + l] * f->d1[l];
            p2[k] += (real)at_2->R[3 * k + l] * f->p2[l];
            d2[k] += (real)at_2->R[3 * k + l] * f->d2[l];
        }
    }
    exact_minus(p1, p2, d);
    const real along = exact_dot(d, d2);
    exact_cross(d1, d2, n);
    switch (f->primitive) {
    case CAROM_POINT_PLANE:
        return along - f->radius;
    case CAROM_POINT_LINE:
        for (int k = 0; k < 3; k++) d[k] -= along * d2[k];
        return f->side * (sqrtl(exact_dot(d, d)) - f->radius);
    case CAROM_POINT_POINT:
        return f->side * (sqrtl(exact_dot(d, d)) - f->radius);
    case CAROM_RIM_PLANE:
        exact_cross(d1, d2, n);
        return along - f->rim * sqrtl(exact_dot(n, n)) - f->radius;
    case CAROM_EDGE_EDGE:
        return f->side * exact_dot(n, d) / sqrtl(exact_dot(n, n)) - f->radius;
    default:
        return NAN;
    }
}

static real find_least(const carom_feature *f, int n)
{
    real least = INFINITY;
    for (int i = 0; i < n; i++) least = fminl(least, f[i].gap);
    return least;
}

static bool is_same(const carom_feature *f, const carom_feature *g, double tolerance)
{
    const bool is_symmetric = f->feature[0] == g->feature[1] && f->feature[1] == g->feature[0] &&
                              f->shape[0] == g->shape[0];
    const bool is_equal = f->feature[0] == g->feature[0] && f->feature[1] == g->feature[1] &&
                          f->shape[0] != g->shape[0];
    return (is_equal || is_symmetric) && f->primitive == g->primitive &&
           fabs(f->gap - g->gap) <= tolerance;
}

typedef struct tally {
    real worst;
    int n_pair, n_overlap, n_feature;
    int n_primitive[CAROM_N_PRIMITIVE];
} tally;

enum { ROOM = 64 };

static void judge(const thing *t, const carom_placement *at, const char *what, tally *score)
{
    const bool is_wheel = t[0].body.n_point == 64 || t[1].body.n_point == 64;
    const double size = find_size(t, at);
    real exact = find_gap(t, at, false);
    if (exact > size) return;
    carom_feature f[ROOM], g[ROOM];
    const double alert = (double)fmaxl(exact, 0) + 0.05 * size;
    const int n = carom_shapes_meet((carom_posed){t[0].shape, at},
                                    (carom_posed){t[1].shape, at + 1}, alert, f, ROOM);
    const int m = carom_shapes_meet((carom_posed){t[1].shape, at + 1},
                                    (carom_posed){t[0].shape, at}, alert, g, ROOM);
    const real least = find_least(f, n);
    real error = fabsl(least - exact) / size;
    if (least < exact && is_wheel) // round: between the prisms inside and around
        error = fmaxl(0, find_gap(t, at, true) - least) / size;
    if (!(error <= 4 * (real)DBL_EPSILON))
        fail_msg("%s: %d features, gap %.17Lg instead of %.17Lg, error %.2Lg ulp of the size", what,
                 n, find_least(f, n), exact, error / DBL_EPSILON);
    if (n > ROOM || n != m) fail_msg("%s: %d features, %d where swapped", what, n, m);
    for (int i = 0; i < n; i++) {
        const int one = f[i].shape[0];
        bool is_there = false;
        for (int k = 0; k < m; k++) is_there = is_there || is_same(f + i, g + k, 4e-16 * size);
        if (!is_there) fail_msg("%s: feature %d is not there for swapped arguments", what, i);
        const real own = read_gap(f + i, at + one, at + 1 - one);
        if (!(fabsl(own - f[i].gap) <= 4 * DBL_EPSILON * size))
            fail_msg("%s: feature %d (%d) says %.17g, its formula %.17Lg", what, i, f[i].primitive,
                     f[i].gap, own);
        score->n_primitive[f[i].primitive]++;
    }
    score->worst = fmaxl(score->worst, error);
    score->n_pair++;
    score->n_feature += n;
    score->n_overlap += exact < 0;
}

/// Moves b along the line of centres until the gap is about what is wanted.
static void bring_together(const thing *t, carom_placement *at, double wanted)
{
    double d[3], length = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = at[1].r[k] - at[0].r[k];
        length += d[k] * d[k];
    }
    length = sqrt(length);
    for (int pass = 0; pass < 2; pass++) {
        const real gap = find_gap(t, at, false);
        for (int k = 0; k < 3; k++) at[1].r[k] -= (double)(gap - wanted) * d[k] / length;
    }
}

static void try_pair(uint64_t *seed, kind a, kind b, tally *score)
{
    const double scale = pow(10, scene_between(seed, -6, 6)),
                 other = pow(10, scene_between(seed, -1, 1));
    const int how = scene_choice(seed, 5);
    const bool is_aligned = how >= 3, is_tilted = how == 4;
    thing t[2];
    make(seed, a, scale, is_aligned, t);
    make(seed, b, is_aligned ? scale : scale * other, is_aligned, t + 1);
    const double size = t[0].reach + t[1].reach;
    carom_placement at[2];
    for (int i = 0; i < 2; i++) {
        scene_rotation(seed, is_aligned, at[i].R);
        if (is_tilted) scene_tilt(seed, at[i].R);
        for (int k = 0; k < 3; k++)
            at[i].r[k] = is_aligned ? scale * 0.125 * scene_choice(seed, 12)
                                    : 0.6 * size * scene_between(seed, -1, 1);
    }
    static const double near[4] = {0, 1e-3, 1e-9, -1e-9};
    if (how >= 1 && !is_aligned) bring_together(t, at, size * near[scene_choice(seed, 4)]);
    char what[200];
    snprintf(what, sizeof what, "%s and %s of scale %g%s", kind_names[a], kind_names[b], scale,
             is_aligned ? ", aligned" : "");
    judge(t, at, what, score);
    carom_arena_clear(arena);
}

/// An edge of one box over an edge of the other, turned against each other by 1e-3 .. 1e-17.
static void cross_two_edges(uint64_t *seed, tally *score)
{
    const double scale = pow(10, scene_between(seed, -6, 6)), half = sqrt(0.5);
    const double angle = pow(10, scene_between(seed, -17, -3));
    const double apart = pow(10, scene_between(seed, -16, -1)) * (scene_choice(seed, 4) ? 1 : -1);
    thing t[2];
    for (int i = 0; i < 2; i++) {
        making m = {.size = {scale * scene_between(seed, 0.5, 2), scale, scale}};
        m.given = (carom_shape_given){
            .kind = "box", .dim = 3, .place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
        memcpy(m.given.size, m.size, sizeof m.size);
        exact_clear(&t[i].body);
        scene_box(m.size, 0, &t[i].body);
        exact_copy(&t[i].body, &t[i].outer);
        t[i].is_plane = false;
        carom_error error = {0};
        if (carom_shape_new(arena, &m.given, &t[i].shape, &error) != CAROM_OK)
            fail_msg("%s", error.message);
        t[i].reach = carom_shape_reach(t[i].shape);
    }
    const double c = cos(angle), s = sin(angle), h = half;
    const carom_placement at[2] = {
        {.R = {1, 0, 0, 0, h, -h, 0, h, h}},
        {.r = {scale * scene_between(seed, -0.5, 0.5), scale * angle * scene_between(seed, -1, 1),
               scale * (sqrt(2) + apart)},
         .R = {c, -s * h, s * h, s, c * h, -c * h, 0, h, h}}};
    judge(t, at, "edges that are nearly parallel", score);
    carom_arena_clear(arena);
}

static int count_pairs(void)
{
    const char *asked = getenv("CAROM_PAIRS");
    return asked ? atoi(asked) : SAMPLES(SAMPLES(20000));
}

static bool is_asked(kind a, kind b)
{
    const char *asked = getenv("CAROM_KINDS");
    char both[64];
    snprintf(both, sizeof both, "%s,%s", kind_names[a], kind_names[b]);
    return !asked || strcmp(asked, both) == 0;
}

static void gaps_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int sum = 0;
    for (kind k = SPHERE; k < N_KIND; k++) sum += share[k];
    for (kind a = SPHERE; a < N_KIND; a++)
        for (kind b = SPHERE; b < N_KIND; b++) {
            if (!is_asked(a, b)) continue;
            const bool is_sphere_on_wheel = (a == SPHERE && (b == PRISM || b == CONE_PRISM)) ||
                                            (b == SPHERE && (a == PRISM || a == CONE_PRISM));
            const bool is_wheel_on_plane = (a >= PRISM && b == PLANE) || (a == PLANE && b >= PRISM);
            if (is_sphere_on_wheel || is_wheel_on_plane) continue; // no prism: test_solid_kinds.c
            tally score = {0};
            const double part = getenv("CAROM_KINDS") ? 1 : (double)share[a] * share[b] / sum / sum;
            const int n = (int)(count_pairs() * part) + 1;
            for (int i = 0; i < n; i++) try_pair(&seed, a, b, &score);
            printf("%11s %-11s %7d pairs, %6d overlap, %.2f features, worst %.2Lf ulp of the size; "
                   "plane %d point %d line %d edges %d\n",
                   kind_names[a], kind_names[b], score.n_pair, score.n_overlap,
                   (double)score.n_feature / score.n_pair, score.worst / DBL_EPSILON,
                   score.n_primitive[0], score.n_primitive[1], score.n_primitive[2],
                   score.n_primitive[3]);
        }
}

static void edges_may_be_nearly_parallel(void **state)
{
    (void)state;
    uint64_t seed = 362436069362436069u;
    tally score = {0};
    for (int i = 0; i < count_pairs() / 4; i++) cross_two_edges(&seed, &score);
    assert_true(score.n_primitive[CAROM_EDGE_EDGE] > score.n_pair / 2);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaps_are_exact),
                                       cmocka_unit_test(edges_may_be_nearly_parallel)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
