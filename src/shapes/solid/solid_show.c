// SPDX-License-Identifier: Apache-2.0
// What convex bodies look like. Without a radius: their faces as fans of triangles. With one: a net
// of directions d over the sphere, each mapped to (vertex furthest along d) + radius d.
#include "shapes/solid/solid.h"

#include "math/vec3.h"

static bool show_faces(const carom_solid *solid, carom_arena *arena, carom_shape_look *look)
{
    const int n_corner = solid->start[solid->n_face];
    look->point = CAROM_TAKE(arena, double, 3 * solid->n_vertex);
    look->triangle = CAROM_TAKE(arena, int, 3 * n_corner);
    if (!look->point || !look->triangle) return false;
    look->n_point = solid->n_vertex;
    for (int i = 0; i < 3 * solid->n_vertex; i++) look->point[i] = solid->vertex[i];
    for (int face = 0; face < solid->n_face; face++) {
        const int *ring = solid->ring + solid->start[face];
        const int n = solid->start[face + 1] - solid->start[face];
        for (int k = 1; k + 1 < n; k++) {
            int *triangle = look->triangle + 3 * look->n_triangle++;
            triangle[0] = ring[0];
            triangle[1] = ring[k];
            triangle[2] = ring[k + 1];
        }
    }
    return true;
}

/// Half as many belts as meridians.
static int count_meridians(double radius, double tolerance)
{
    const double part = 1 - tolerance / radius;
    const double n = part < 0.5 ? 12 : ceil(acos(-1) / acos(part));
    return 4 * (n < 12 ? 3 : n > 64 ? 16 : (int)(n + 3) / 4);
}

static void place_point(const carom_solid_pair *pair, double radius, const double *d,
                        carom_shape_look *look)
{
    const int i = carom_solid_support_a(pair, d);
    carom_vec3_add(pair->a->vertex + 3 * i, radius, d, look->point + 3 * look->n_point++);
}

static void add_triangle(carom_shape_look *look, int i, int j, int k)
{
    int *triangle = look->triangle + 3 * look->n_triangle++;
    triangle[0] = i;
    triangle[1] = j;
    triangle[2] = k;
}

bool carom_solid_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                      carom_shape_look *look)
{
    (void)extent;
    const carom_solid *solid = carom_solid_of(shape);
    if (shape->radius == 0 && solid->n_face > 0) return show_faces(solid, arena, look);
    const carom_solid_pair pair = {.a = solid};
    const int n = count_meridians(shape->radius, tolerance), belts = n / 2;
    const double step = acos(-1) / belts;
    look->point = CAROM_TAKE(arena, double, 3 * (2 + (belts - 1) * n));
    look->triangle = CAROM_TAKE(arena, int, 6 * n * belts);
    if (!look->point || !look->triangle) return false;
    place_point(&pair, shape->radius, (const double[3]){0, 0, 1}, look);
    for (int i = 1; i < belts; i++)
        for (int k = 0; k < n; k++) {
            const double d[3] = {sin(step * i) * cos(step * k), sin(step * i) * sin(step * k),
                                 cos(step * i)};
            place_point(&pair, shape->radius, d, look);
        }
    place_point(&pair, shape->radius, (const double[3]){0, 0, -1}, look);
    const int last = look->n_point - 1;
    for (int k = 0; k < n; k++) {
        const int next = (k + 1) % n;
        add_triangle(look, 0, 1 + k, 1 + next);
        for (int i = 0; i + 2 < belts; i++) {
            const int upper = 1 + i * n, lower = upper + n;
            add_triangle(look, upper + k, lower + k, lower + next);
            add_triangle(look, upper + k, lower + next, upper + next);
        }
        add_triangle(look, last - n + k, last, last - n + next);
    }
    return true;
}
