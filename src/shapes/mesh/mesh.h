// SPDX-License-Identifier: Apache-2.0
// Surfaces of triangles: meshes (closed) and height fields (solid below). Features are numbered
// planes first (triangles that join in one plane share a number, that of the first), then edges,
// then vertices.
//
// What a convex core touches such a surface with is what it touches single triangles with, if the
// direction n is one along which the surface sticks out there (its Voronoi cone):
//
//     edge      n.w <= 0 for the directions w across it into both triangles
//     vertex    n.e <= 0 for all edges e that leave it
//
// Seams of flat regions have no such direction but the normal, which belongs to the plane: they are
// never touched.
#ifndef CAROM_SHAPES_MESH_H
#define CAROM_SHAPES_MESH_H

#include "shapes/bvh.h"
#include "shapes/shape_kind.h"

typedef struct carom_mesh {
    int n_vertex, n_edge, n_triangle;
    const double *vertex; ///< (3 n_vertex) in axes of the body
    const int *triangle;  ///< (3 n_triangle) counter-clockwise from outside
    const int *edge;      ///< (3 n_triangle) from corner k to the next
    const int *beside;    ///< (3 n_triangle) the triangle across that edge, -1 = none
    const int *plane;     ///< (n_triangle) number of its plane
    const double *normal; ///< (3 n_triangle)
    const double *into;   ///< (9 n_triangle) across each edge into the triangle, of unit length
    const bool *is_sharp; ///< (n_edge) the surface sticks out there
    const bool *is_tip;   ///< (n_vertex) and there
    const int *fan_start, *fan; ///< (n_vertex + 1) edges' other ends at each vertex
    carom_bvh *bvh;
} carom_mesh;

/// Triangles as they are given.
typedef struct carom_triangles {
    int n_point, n_face;
    double *point; ///< (3 n_point)
    int *face;     ///< (3 n_face)
} carom_triangles;

/// Points in axes of the body are copied. is_closed: an edge with one triangle is an error.
carom_status carom_mesh_build(carom_arena *arena, const carom_triangles *given, bool is_closed,
                              carom_mesh **mesh, carom_error *error);
/// What a shape whose core this is consists of.
void carom_mesh_give(const carom_mesh *mesh, carom_shape *shape);
bool carom_mesh_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                     carom_shape_look *look);

/// A grid of heights, row by row.
typedef struct carom_heights {
    int n_row, n_column;
    double *height;
} carom_heights;

/// Wavefront OBJ from memory: v and f lines (polygons are cut into fans); others say nothing about
/// the form. file names the text in errors.
carom_status carom_obj_read(carom_arena *arena, const char *file, const char *text, size_t length,
                            carom_triangles *triangles, carom_error *error);
/// STL from memory, as text or binary; equal corners are joined.
carom_status carom_stl_read(carom_arena *arena, const char *file, const char *text, size_t length,
                            carom_triangles *triangles, carom_error *error);
/// Rows of numbers with commas, semicolons or blanks between them; # begins a remark.
carom_status carom_heights_read(carom_arena *arena, const char *file, const char *text,
                                size_t length, carom_heights *heights, carom_error *error);

carom_meet carom_meet_solid_mesh, carom_meet_mesh_plane;

#endif
