// SPDX-License-Identifier: Apache-2.0
// What a surface of triangles knows of itself: which triangle is beside which, where it sticks out,
// and which triangles lie in one plane. Sides are sorted by their two ends; a side has a twin that
// runs the other way, else the surface is open there or its triangles are not turned alike.
#include "shapes/mesh/mesh.h"

#include "math/vec3.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
    int low, high; // its ends
    int place;     // 3 triangle + k
    bool is_up;    // runs from low to high
} side;

/// The arrays of the surface, not yet constant.
typedef struct surface {
    carom_mesh *mesh;
    double *vertex, *normal, *into;
    int *triangle, *edge, *beside, *plane, *fan_start, *fan;
    bool *is_sharp, *is_tip;
    double size;
    side *sides;
} surface;

static int compare_sides(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    if (p->is_up != q->is_up) return p->is_up ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

static carom_status refuse_side(const surface *s, const side *bad, const char *why,
                                carom_error *error)
{
    const double *p = s->vertex + 3 * bad->low, *q = s->vertex + 3 * bad->high;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the edge from (%.9g, %.9g, %.9g) to (%.9g, %.9g, %.9g), vertices %d and %d, "
                      "%s",
                      p[0], p[1], p[2], q[0], q[1], q[2], bad->low + 1, bad->high + 1, why);
}

static carom_status take_room(carom_arena *arena, const carom_triangles *given, surface *s,
                              carom_error *error)
{
    const int n = given->n_face, m = given->n_point;
    s->mesh = CAROM_TAKE(arena, carom_mesh, 1);
    s->vertex = CAROM_TAKE(arena, double, 3 * m);
    s->normal = CAROM_TAKE(arena, double, 3 * n);
    s->into = CAROM_TAKE(arena, double, 9 * n);
    s->triangle = CAROM_TAKE(arena, int, 3 * n);
    s->edge = CAROM_TAKE(arena, int, 3 * n);
    s->beside = CAROM_TAKE(arena, int, 3 * n);
    s->plane = CAROM_TAKE(arena, int, n);
    s->fan_start = CAROM_TAKE(arena, int, m + 2);
    s->fan = CAROM_TAKE(arena, int, 6 * n);
    s->is_sharp = CAROM_TAKE(arena, bool, 3 * n);
    s->is_tip = CAROM_TAKE(arena, bool, m);
    s->sides = CAROM_TAKE(arena, side, 3 * n);
    if (!s->mesh || !s->vertex || !s->normal || !s->into || !s->triangle || !s->edge ||
        !s->beside || !s->plane || !s->fan_start || !s->fan || !s->is_sharp || !s->is_tip ||
        !s->sides)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    memcpy(s->vertex, given->point, 3 * sizeof(double) * (size_t)m);
    memcpy(s->triangle, given->face, 3 * sizeof(int) * (size_t)n);
    s->mesh->n_vertex = m;
    s->mesh->n_triangle = n;
    return CAROM_OK;
}

static void measure(surface *s)
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < s->mesh->n_vertex; i++) {
            low = fmin(low, s->vertex[3 * i + k]);
            high = fmax(high, s->vertex[3 * i + k]);
        }
        s->size = fmax(s->size, high - low);
    }
}

static carom_status find_normals(surface *s, carom_error *error)
{
    for (int t = 0; t < s->mesh->n_triangle; t++) {
        const int *v = s->triangle + 3 * t;
        double d[3], e[3], *n = s->normal + 3 * t, longest = 0;
        for (int k = 0; k < 3; k++)
            if (v[k] < 0 || v[k] >= s->mesh->n_vertex)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "triangle %d names vertex %d (there are %d)", t + 1, v[k] + 1,
                                  s->mesh->n_vertex);
        carom_vec3_subtract(s->vertex + 3 * v[1], s->vertex + 3 * v[0], d);
        carom_vec3_subtract(s->vertex + 3 * v[2], s->vertex + 3 * v[0], e);
        carom_vec3_cross(d, e, n);
        longest = fmax(carom_vec3_length(d), carom_vec3_length(e));
        const double area = carom_vec3_unit(n, n);
        if (!(area > 1e-12 * longest * longest))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "triangle %d (vertices %d, %d, %d) has no area (leave it out, and "
                              "join what it was between)",
                              t + 1, v[0] + 1, v[1] + 1, v[2] + 1);
        for (int k = 0; k < 3; k++) {
            carom_vec3_subtract(s->vertex + 3 * v[(k + 1) % 3], s->vertex + 3 * v[k], d);
            carom_vec3_cross(n, d, s->into + 9 * t + 3 * k);
            carom_vec3_unit(s->into + 9 * t + 3 * k, s->into + 9 * t + 3 * k);
        }
    }
    return CAROM_OK;
}

static void list_sides(surface *s)
{
    for (int place = 0; place < 3 * s->mesh->n_triangle; place++) {
        const int t = place / 3, k = place % 3;
        const int i = s->triangle[3 * t + k], j = s->triangle[3 * t + (k + 1) % 3];
        s->sides[place] = (side){i < j ? i : j, i < j ? j : i, place, i < j};
    }
    qsort(s->sides, 3 * (size_t)s->mesh->n_triangle, sizeof(side), compare_sides);
}

/// Whether the surface sticks out at the edge between two triangles, beyond rounding.
static bool sticks_out(const surface *s, int place, int twin)
{
    return carom_vec3_dot(s->normal + 3 * (place / 3), s->into + 3 * twin) < -1e-9;
}

static carom_status join_sides(surface *s, bool is_closed, carom_error *error)
{
    const int n = 3 * s->mesh->n_triangle;
    for (int i = 0; i < n;) {
        const side *one = s->sides + i;
        int count = 1;
        while (i + count < n && one[count].low == one->low && one[count].high == one->high) count++;
        const int e = s->mesh->n_edge++;
        if (count == 1 && is_closed)
            return refuse_side(s, one,
                               "has one triangle: the surface is open there (close it; a mesh "
                               "bounds matter)",
                               error);
        if (count > 2)
            return refuse_side(s, one, "has more than two triangles (take the parts apart)", error);
        if (count == 2 && one[0].is_up == one[1].is_up)
            return refuse_side(s, one,
                               "has two triangles that are turned against each other (corners "
                               "counter-clockwise from outside)",
                               error);
        for (int k = 0; k < count; k++) s->edge[one[k].place] = e;
        s->beside[one[0].place] = count == 2 ? one[1].place / 3 : -1;
        if (count == 2) {
            s->beside[one[1].place] = one[0].place / 3;
            s->is_sharp[e] = sticks_out(s, one[0].place, one[1].place);
        }
        i += count;
    }
    return CAROM_OK;
}

/// The other ends of the edges at each vertex.
static void fill_fans(surface *s)
{
    const int n = 3 * s->mesh->n_triangle, m = s->mesh->n_vertex;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            const side *one = s->sides + i;
            if (i > 0 && one->low == one[-1].low && one->high == one[-1].high) continue;
            if (pass == 0) {
                s->fan_start[one->low + 2]++;
                s->fan_start[one->high + 2]++;
            } else {
                s->fan[s->fan_start[one->low + 1]++] = one->high;
                s->fan[s->fan_start[one->high + 1]++] = one->low;
            }
        }
        for (int i = 0; i < m && pass == 0; i++) s->fan_start[i + 2] += s->fan_start[i + 1];
    }
}

/// Whether directions n with n.e < 0 for all edges e at a vertex exist: the sum of those extreme
/// ones (across two edges) that have n.e <= 0 is one of them.
static bool is_pointed(const surface *s, int vertex)
{
    const int first = s->fan_start[vertex], n = s->fan_start[vertex + 1] - first;
    enum { MOST = 64 };
    double e[MOST][3], sum[3] = {0};
    if (n < 3 || n > MOST) return n > MOST;
    for (int i = 0; i < n; i++) {
        carom_vec3_subtract(s->vertex + 3 * s->fan[first + i], s->vertex + 3 * vertex, e[i]);
        carom_vec3_unit(e[i], e[i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double r[3], most = -1;
            carom_vec3_cross(e[i], e[j], r);
            if (!(carom_vec3_unit(r, r) > 1e-9)) continue;
            for (int k = 0; k < n; k++) most = fmax(most, carom_vec3_dot(r, e[k]));
            if (most <= 1e-9) carom_vec3_add(sum, 1, r, sum);
        }
    if (!(carom_vec3_unit(sum, sum) > 0)) return false;
    for (int k = 0; k < n; k++)
        if (carom_vec3_dot(sum, e[k]) > -1e-6) return false;
    return true;
}

/// Whether the triangle beside is in the plane of this one.
static bool is_level(const surface *s, const double *origin, const double *normal, int t)
{
    if (!(carom_vec3_dot(normal, s->normal + 3 * t) > 0)) return false;
    for (int k = 0; k < 3; k++) {
        double d[3];
        carom_vec3_subtract(s->vertex + 3 * s->triangle[3 * t + k], origin, d);
        if (fabs(carom_vec3_dot(d, normal)) > 8 * DBL_EPSILON * s->size) return false;
    }
    return true;
}

/// Numbers planes by their first triangle. stack: (n_triangle).
static void find_planes(surface *s, int *stack)
{
    for (int t = 0; t < s->mesh->n_triangle; t++) s->plane[t] = -1;
    for (int t = 0; t < s->mesh->n_triangle; t++) {
        if (s->plane[t] >= 0) continue;
        const double *normal = s->normal + 3 * t, *origin = s->vertex + 3 * s->triangle[3 * t];
        int n = 0;
        stack[n++] = t;
        s->plane[t] = t;
        while (n > 0) {
            const int at = stack[--n];
            for (int k = 0; k < 3; k++) {
                const int other = s->beside[3 * at + k];
                if (other < 0 || s->plane[other] >= 0 || !is_level(s, origin, normal, other))
                    continue;
                s->plane[other] = t;
                stack[n++] = other;
            }
        }
    }
}

static carom_bvh *build_tree(carom_arena *arena, const surface *s)
{
    carom_box *box = CAROM_TAKE(arena, carom_box, s->mesh->n_triangle);
    if (!box) return NULL;
    for (int t = 0; t < s->mesh->n_triangle; t++)
        for (int k = 0; k < 3; k++) {
            const int *v = s->triangle + 3 * t;
            const double x = s->vertex[3 * v[0] + k], y = s->vertex[3 * v[1] + k],
                         z = s->vertex[3 * v[2] + k];
            box[t].lower[k] = fmin(x, fmin(y, z));
            box[t].upper[k] = fmax(x, fmax(y, z));
        }
    return carom_bvh_new(arena, box, s->mesh->n_triangle);
}

static void publish(const surface *s)
{
    carom_mesh *mesh = s->mesh;
    mesh->vertex = s->vertex;
    mesh->triangle = s->triangle;
    mesh->edge = s->edge;
    mesh->beside = s->beside;
    mesh->plane = s->plane;
    mesh->normal = s->normal;
    mesh->into = s->into;
    mesh->is_sharp = s->is_sharp;
    mesh->is_tip = s->is_tip;
    mesh->fan_start = s->fan_start;
    mesh->fan = s->fan;
}

carom_status carom_mesh_build(carom_arena *arena, const carom_triangles *given, bool is_closed,
                              carom_mesh **mesh, carom_error *error)
{
    enum { MOST = 20 * 1000 * 1000 };
    if (given->n_face < 1 || given->n_face > MOST || given->n_point > MOST)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a mesh of %d triangles and %d vertices (at least one, at most %d)",
                          given->n_face, given->n_point, MOST);
    surface s = {0};
    CAROM_TRY(take_room(arena, given, &s, error));
    measure(&s);
    CAROM_TRY(find_normals(&s, error));
    list_sides(&s);
    CAROM_TRY(join_sides(&s, is_closed, error));
    fill_fans(&s);
    for (int i = 0; i < given->n_point; i++) s.is_tip[i] = is_pointed(&s, i);
    int *stack = CAROM_TAKE(arena, int, given->n_face);
    s.mesh->bvh = build_tree(arena, &s);
    if (!stack || !s.mesh->bvh) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    find_planes(&s, stack);
    publish(&s);
    *mesh = s.mesh;
    return CAROM_OK;
}

void carom_mesh_give(const carom_mesh *mesh, carom_shape *shape)
{
    shape->core = CAROM_CORE_MESH;
    shape->n_corner = mesh->n_vertex;
    shape->corner = mesh->vertex;
    shape->more = mesh;
    shape->size = INFINITY;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < mesh->n_vertex; i++) {
            low = fmin(low, mesh->vertex[3 * i + k]);
            high = fmax(high, mesh->vertex[3 * i + k]);
        }
        if (high > low) shape->size = fmin(shape->size, high - low);
    }
}

bool carom_mesh_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                     carom_shape_look *look)
{
    (void)extent;
    (void)tolerance;
    const carom_mesh *mesh = shape->more;
    look->point = CAROM_TAKE(arena, double, 3 * mesh->n_vertex);
    look->triangle = CAROM_TAKE(arena, int, 3 * mesh->n_triangle);
    if (!look->point || !look->triangle) return false;
    look->n_point = mesh->n_vertex;
    look->n_triangle = mesh->n_triangle;
    memcpy(look->point, mesh->vertex, 3 * sizeof(double) * (size_t)mesh->n_vertex);
    memcpy(look->triangle, mesh->triangle, 3 * sizeof(int) * (size_t)mesh->n_triangle);
    return true;
}
