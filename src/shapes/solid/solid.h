// SPDX-License-Identifier: Apache-2.0
// Convex cores in space: a point (sphere), a segment (capsule), or a body with flat faces (box,
// hull, prism). Two of them meet in three steps:
//
//     convex/nearest.c  cores apart:  the closest features and the distance
//     convex/overlap.c  cores touch or overlap:  the axis n with the largest separation
//                       s(n) = min over b of n.x - max over a of n.x,  of the normals of all faces
//                       and the cross products of those edges whose arcs of normals cross
//     convex/corners.c  all corners of the contact polygon: a's face and b's face seen along n
//
// Everything is done in axes of the first body, where the second stands at (R, t).
#ifndef CAROM_SHAPES_SOLID_H
#define CAROM_SHAPES_SOLID_H

#include "shapes/shape_kind.h"

/// Most corners of a face: what is met is laid out on the stack.
enum { CAROM_RING_ROOM = 128 };

/// A convex core. Features are numbered faces first, then edges, then vertices.
typedef struct carom_solid {
    int n_vertex, n_edge, n_face;
    const double *vertex; ///< (3 n_vertex) in axes of the body
    const int *end;       ///< (2 n_edge) vertices
    const int *side;      ///< (2 n_edge) face on the left, seen from outside, and on the right
    const double *along;  ///< (3 n_edge) unit vector from end to end
    const double *normal; ///< (3 n_face) out of the matter, of unit length
    const double *offset; ///< (n_face) normal.x of its points
    const int *start;     ///< (n_face + 1) where a face begins in ring
    const int *ring;      ///< vertices of all faces, counter-clockwise from outside
    const int *ring_edge; ///< the edge from each to the next
    const int *fan_start; ///< (n_vertex + 1)
    const int *fan;       ///< faces at each vertex
    double centre[3];     ///< a point inside
    // of a box, whose faces are +x -x +y -y +z -z and whose vertex i is at + where its bit is set
    bool is_box;
    double axis[9]; ///< unit vectors, one after the other
    double half[3];
} carom_solid;

/// Two convex cores in axes of the first.
typedef struct carom_solid_pair {
    const carom_solid *a, *b;
    double R[9], t[3]; ///< of b
    double size;       ///< what rounding is a part of
} carom_solid_pair;

typedef enum carom_way_kind {
    CAROM_WAY_FACE_A, ///< i: face of a, j: vertex of b, or -1: the one that is lowest over the face
    CAROM_WAY_FACE_B, ///< j: face of b, i: vertex of a, or -1
    CAROM_WAY_EDGES,  ///< i, j: edges
    CAROM_WAY_POINTS, ///< i, j: vertices; apart only
    CAROM_WAY_A_LINE, ///< i: vertex of a, j: edge of b; apart only
    CAROM_WAY_B_LINE  ///< i: edge of a, j: vertex of b; apart only
} carom_way_kind;

/// How far two cores are apart (s > 0) or how deep they overlap, along which n, from a to b.
typedef struct carom_way {
    carom_way_kind kind;
    int i, j;
    double s, n[3];
} carom_way;

/// Vertices and faces, laid out as in a core.
typedef struct carom_solid_faces {
    int n_vertex, n_face;
    const double *vertex;
    const int *start, *ring;
} carom_solid_faces;

/// Fills in edges and normals of a core from its vertices and faces, which are copied.
carom_status carom_solid_fill(carom_arena *arena, const carom_solid_faces *given,
                              carom_solid *solid, carom_error *error);
/// A shape whose core this is.
void carom_solid_give(const carom_solid *solid, carom_shape *shape);
/// As carom_shape_kind.show: faces, or where there is a radius a fine net of the normals' sphere.
bool carom_solid_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                      carom_shape_look *look);
/// Mass at density 1 of a box (also one without extents) of full sizes, grown by radius.
void carom_solid_weigh_box(const double size[3], double radius, const double centre[3],
                           const double R[9], carom_shape *shape);
/// Mass from second moments: moment[k] = integral of x_k^2 about the centre, in axes R of the body.
void carom_solid_give_mass(double volume, const double moment[3], const double centre[3],
                           const double R[9], carom_shape *shape);

static inline const carom_solid *carom_solid_of(const carom_shape *shape)
{
    return (const carom_solid *)shape->more;
}

/// Features by number.
static inline unsigned carom_solid_edge(const carom_solid *solid, int edge)
{
    return (unsigned)(solid->n_face + edge);
}
static inline unsigned carom_solid_vertex(const carom_solid *solid, int vertex)
{
    return (unsigned)(solid->n_face + solid->n_edge + vertex);
}

/// Two shapes whose cores are convex, at their poses.
void carom_solid_set_pair(const carom_posed *a, const carom_posed *b, carom_solid_pair *pair);
/// b's vertex j in axes of a.
void carom_solid_across(const carom_solid_pair *pair, int j, double *x);
/// The vertex furthest along n (axes of a) of a, and of b.
int carom_solid_support_a(const carom_solid_pair *pair, const double *n);
int carom_solid_support_b(const carom_solid_pair *pair, const double *n);
/// s(n) of all vertices.
double carom_solid_separation(const carom_solid_pair *pair, const double *n);

/// False where the cores touch or overlap. Where they are further apart than enough: true, and s
/// is only known to be larger.
bool carom_solid_apart(const carom_solid_pair *pair, double enough, carom_way *way);
bool carom_cuboid_apart(const carom_solid_pair *pair, carom_way *way);
/// Says whether a way counts.
typedef bool carom_way_filter(const void *context, const carom_way *way);
/// The way with the largest separation, of those that count (all where the filter is NULL).
void carom_solid_overlap(const carom_solid_pair *pair, carom_way_filter *filter,
                         const void *context, carom_way *way);
void carom_cuboid_overlap(const carom_solid_pair *pair, double enough, carom_way *way);

carom_meet carom_meet_solid_solid, carom_meet_solid_plane, carom_meet_ellipsoid_plane;
carom_always carom_always_solid_solid, carom_always_solid_plane;

#endif
