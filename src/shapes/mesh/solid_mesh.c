// SPDX-License-Identifier: Apache-2.0
// Mesh: matter inside of a closed surface of triangles. Its mass is a sum of tetrahedra.
#include "shapes/mesh/mesh.h"
#include "shapes/solid/polyhedron.h"

#include "math/vec3.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a mesh cannot be rounded (leave 'rounding' out, or take a hull)");
    double *placed = CAROM_TAKE(arena, double, 3 * given->n_point);
    int *face = CAROM_TAKE(arena, int, 3 * given->n_face);
    const double *point = carom_shape_placed(arena, given);
    if (!point || !placed || !face) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < 3 * given->n_point; i++) placed[i] = point[i];
    for (int i = 0; i < 3 * given->n_face; i++) face[i] = given->face[i];
    const carom_triangles triangles = {given->n_point, given->n_face, placed, face};
    carom_mesh *mesh;
    CAROM_TRY(carom_mesh_build(arena, &triangles, true, &mesh, error));
    carom_mesh_give(mesh, shape);
    carom_polyhedron body = {0};
    for (int i = 0; i < mesh->n_vertex; i++)
        for (int k = 0; k < 3; k++) body.origin[k] += mesh->vertex[3 * i + k] / mesh->n_vertex;
    for (int t = 0; t < mesh->n_triangle; t++) {
        const int *v = mesh->triangle + 3 * t;
        carom_polyhedron_add(&body, mesh->vertex + 3 * v[0], mesh->vertex + 3 * v[1],
                             mesh->vertex + 3 * v[2]);
    }
    if (!(body.volume > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the mesh is turned inside out: its volume is %g (turn all triangles; "
                          "corners counter-clockwise from outside)",
                          body.volume);
    carom_polyhedron_weigh(&body, shape);
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_solid_mesh = {"mesh", 3, make, NULL, carom_mesh_show};
