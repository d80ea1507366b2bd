// SPDX-License-Identifier: Apache-2.0
// A convex core from its vertices and faces: edges where two faces meet, normals by Newell's sum
// (area vectors of all corners), which does not depend on where a face begins.
#include "shapes/solid/solid.h"

#include "math/vec3.h"

#include <string.h>

/// What is being filled; the arrays of the core, not yet constant.
typedef struct filling {
    int n_vertex, n_face, n_edge;
    double *vertex, *along, *normal, *offset;
    int *end, *side, *start, *ring, *ring_edge, *fan_start, *fan;
} filling;

static bool take_room(carom_arena *arena, int n_corner, filling *f)
{
    f->vertex = CAROM_TAKE(arena, double, 3 * f->n_vertex);
    f->along = CAROM_TAKE(arena, double, 3 * (n_corner / 2 + 1));
    f->normal = CAROM_TAKE(arena, double, 3 * f->n_face);
    f->offset = CAROM_TAKE(arena, double, f->n_face);
    f->end = CAROM_TAKE(arena, int, n_corner + 2);
    f->side = CAROM_TAKE(arena, int, n_corner + 2);
    f->start = CAROM_TAKE(arena, int, f->n_face + 1);
    f->ring = CAROM_TAKE(arena, int, n_corner);
    f->ring_edge = CAROM_TAKE(arena, int, n_corner);
    f->fan_start = CAROM_TAKE(arena, int, f->n_vertex + 1);
    f->fan = CAROM_TAKE(arena, int, n_corner);
    return f->vertex && f->along && f->normal && f->offset && f->end && f->side && f->start &&
           f->ring && f->ring_edge && f->fan_start && f->fan;
}

static void find_normal(filling *f, int face)
{
    const int first = f->start[face], n = f->start[face + 1] - first;
    const double *origin = f->vertex + 3 * f->ring[first];
    double area[3] = {0}, p[3], q[3], c[3];
    for (int k = 1; k + 1 < n; k++) {
        carom_vec3_subtract(f->vertex + 3 * f->ring[first + k], origin, p);
        carom_vec3_subtract(f->vertex + 3 * f->ring[first + k + 1], origin, q);
        carom_vec3_cross(p, q, c);
        carom_vec3_add(area, 1, c, area);
    }
    double *normal = f->normal + 3 * face, sum = 0;
    carom_vec3_unit(area, normal);
    for (int k = 0; k < n; k++) sum += carom_vec3_dot(normal, f->vertex + 3 * f->ring[first + k]);
    f->offset[face] = sum / n;
}

/// The faces at each vertex, in the order of faces.
static void fill_fans(filling *f)
{
    const int n_corner = f->start[f->n_face];
    for (int k = 0; k < n_corner; k++) f->fan_start[f->ring[k] + 1]++;
    for (int i = 0; i < f->n_vertex; i++) f->fan_start[i + 1] += f->fan_start[i];
    for (int face = f->n_face - 1; face >= 0; face--)
        for (int k = f->start[face]; k < f->start[face + 1]; k++)
            f->fan[--f->fan_start[f->ring[k] + 1]] = face;
    // each start has moved to where its own list begins, one place late
    for (int i = 0; i < f->n_vertex; i++) f->fan_start[i] = f->fan_start[i + 1];
    f->fan_start[f->n_vertex] = n_corner;
}

/// The edge from vertex i to j that a face on the other side has found, or -1.
static int find_edge(const filling *f, int i, int j, int face)
{
    for (int k = f->fan_start[i]; k < f->fan_start[i + 1]; k++) {
        const int other = f->fan[k];
        if (other >= face) break;
        for (int m = f->start[other]; m < f->start[other + 1]; m++) {
            const int e = f->ring_edge[m];
            if (f->end[2 * e] == j && f->end[2 * e + 1] == i) return e;
        }
    }
    return -1;
}

static void add_edge(filling *f, int i, int j, int face)
{
    const int e = f->n_edge++;
    f->end[2 * e] = i;
    f->end[2 * e + 1] = j;
    f->side[2 * e] = face;
    f->side[2 * e + 1] = -1;
    double d[3];
    carom_vec3_subtract(f->vertex + 3 * j, f->vertex + 3 * i, d);
    carom_vec3_unit(d, f->along + 3 * e);
}

/// False where an edge does not have two faces.
static bool fill_edges(filling *f)
{
    for (int face = 0; face < f->n_face; face++) {
        const int first = f->start[face], n = f->start[face + 1] - first;
        for (int k = 0; k < n; k++) {
            const int i = f->ring[first + k], j = f->ring[first + (k + 1) % n];
            int e = find_edge(f, i, j, face);
            if (e < 0) {
                if (2 * f->n_edge >= f->start[f->n_face]) return false;
                e = f->n_edge;
                add_edge(f, i, j, face);
            } else if (f->side[2 * e + 1] >= 0) {
                return false;
            }
            if (f->side[2 * e] != face) f->side[2 * e + 1] = face;
            f->ring_edge[first + k] = e;
        }
    }
    return 2 * f->n_edge == f->start[f->n_face];
}

static void find_centre(const filling *f, double *centre)
{
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < f->n_vertex; i++) sum += f->vertex[3 * i + k];
        centre[k] = sum / f->n_vertex;
    }
}

carom_status carom_solid_fill(carom_arena *arena, const carom_solid_faces *given,
                              carom_solid *solid, carom_error *error)
{
    const int n_vertex = given->n_vertex, n_face = given->n_face, *start = given->start;
    const int n_corner = start[n_face];
    filling f = {.n_vertex = n_vertex, .n_face = n_face};
    if (!take_room(arena, n_corner, &f)) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    memcpy(f.vertex, given->vertex, 3 * sizeof(double) * (size_t)n_vertex);
    memcpy(f.start, start, sizeof(int) * (size_t)(n_face + 1));
    memcpy(f.ring, given->ring, sizeof(int) * (size_t)n_corner);
    for (int face = 0; face < n_face; face++) {
        if (start[face + 1] - start[face] > CAROM_RING_ROOM)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a face has %d corners (at most %d; fewer points will do)",
                              start[face + 1] - start[face], CAROM_RING_ROOM);
        find_normal(&f, face);
    }
    fill_fans(&f);
    if (!fill_edges(&f))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the faces do not close (this is an error in "
                          "Carom: please report the points)");
    find_centre(&f, solid->centre);
    solid->n_vertex = n_vertex;
    solid->n_edge = f.n_edge;
    solid->n_face = n_face;
    solid->vertex = f.vertex;
    solid->end = f.end;
    solid->side = f.side;
    solid->along = f.along;
    solid->normal = f.normal;
    solid->offset = f.offset;
    solid->start = f.start;
    solid->ring = f.ring;
    solid->ring_edge = f.ring_edge;
    solid->fan_start = f.fan_start;
    solid->fan = f.fan;
    return CAROM_OK;
}

void carom_solid_give(const carom_solid *solid, carom_shape *shape)
{
    shape->core = CAROM_CORE_SOLID;
    shape->n_corner = solid->n_vertex;
    shape->corner = solid->vertex;
    shape->more = solid;
}

void carom_solid_across(const carom_solid_pair *pair, int j, double *x)
{
    const double *v = pair->b->vertex + 3 * j, *R = pair->R;
    for (int i = 0; i < 3; i++)
        x[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2] + pair->t[i];
}

static int find_furthest(const carom_solid *solid, const double *n)
{
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < solid->n_vertex; i++) {
        const double s = carom_vec3_dot(solid->vertex + 3 * i, n);
        if (s > most) {
            most = s;
            best = i;
        }
    }
    return best;
}

int carom_solid_support_a(const carom_solid_pair *pair, const double *n)
{
    return find_furthest(pair->a, n);
}

int carom_solid_support_b(const carom_solid_pair *pair, const double *n)
{
    double m[3]; // R' n
    for (int k = 0; k < 3; k++)
        m[k] = pair->R[k] * n[0] + pair->R[3 + k] * n[1] + pair->R[6 + k] * n[2];
    return find_furthest(pair->b, m);
}

double carom_solid_separation(const carom_solid_pair *pair, const double *n)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    const int i = carom_solid_support_a(pair, n), j = carom_solid_support_b(pair, back);
    double x[3];
    carom_solid_across(pair, j, x);
    carom_vec3_subtract(x, pair->a->vertex + 3 * i, x);
    return carom_vec3_dot(n, x);
}
