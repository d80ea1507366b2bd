// SPDX-License-Identifier: Apache-2.0
// What is inside of a shape. Whatever its kind, a shape is a core (corners, a half plane, ...) and
// a radius by which the core is grown: a disk is a point, a capsule two ends, a rounded box a
// smaller box. Pairs of shapes are pairs of cores: geometry meets cores, then takes off the radii.
//
//     shapes_table.h   a line for each kind    flat/<kind>.c, solid/<kind>.c: make (the core, the
//                                              size, the mass), and what is not as for others
//     pairs_table.h    a line for each pair    flat/meet_*.c, solid/meet_*.c
//
// Corners and all else are in axes of the body; the shape's own place is applied when it is made.
#ifndef CAROM_SHAPES_SHAPE_KIND_H
#define CAROM_SHAPES_SHAPE_KIND_H

#include "shapes/shape.h"

/// What is left of a shape without its rounding. More cores: add them before CAROM_N_CORE.
typedef enum carom_core {
    CAROM_CORE_CURVE,        ///< plane: a smooth line, matter on its left (flat/flat_curve.h)
    CAROM_CORE_FLAT,         ///< plane: convex parts of one, two or more corners (flat/flat.h)
    CAROM_CORE_HALF_PLANE,   ///< plane: corner 0 and normal
    CAROM_CORE_SOLID,        ///< space: a point, a segment or a convex body (solid/solid.h)
    CAROM_CORE_WHEEL,        ///< space: two rims about an axis (solid/wheel.h)
    CAROM_CORE_PLANE,        ///< space: corner 0 and normal
    CAROM_CORE_MESH,         ///< space: matter inside of triangles (mesh/mesh.h)
    CAROM_CORE_HEIGHT_FIELD, ///< space: matter below triangles
    CAROM_CORE_ELLIPSOID,    ///< space: solid/ellipsoid.c
    CAROM_N_CORE
} carom_core;

typedef struct carom_shape_kind carom_shape_kind;

struct carom_shape {
    const carom_shape_kind *kind;
    carom_core core;
    double radius;           ///< all points this near to the core belong to the shape
    double reach, size;      ///< as carom_shape_reach and carom_shape_size say
    int n_corner;            ///< of the core
    const double *corner;    ///< (3 n_corner)
    double normal[3];        ///< of a half plane or half space, out of the matter; else 0
    bool is_heavy;           ///< mass_1 is set
    carom_shape_mass mass_1; ///< at density 1
    const void *more;        ///< what else the core needs: known to its files alone
};

/// One kind. What is NULL is done as for most (shape.c).
struct carom_shape_kind {
    const char *word; ///< as given: disk, box, ...
    int dim;          ///< 2 or 3
    /// Fills what is 0: core, radius, size, corners, mass; kind is set, and reach is found from
    /// the corners unless set. Numbers given are finite, rounding is not negative.
    carom_status (*make)(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error);
    /// NULL: the box around the corners, grown by the radius.
    void (*box)(const carom_shape *shape, const carom_placement *at, double lower[3],
                double upper[3]);
    /// Fills look, which is 0; false where memory runs out.
    bool (*show)(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look);
};

/// A meeting of two shapes, in the order of the table of pairs, and what was found.
typedef struct carom_meeting {
    carom_posed posed[2];
    double alert;
    bool is_swapped; ///< posed[0] is what the caller calls b
    carom_feature *feature;
    int room, n; ///< n counts also those without room
} carom_meeting;

/// A cell of the table of pairs: adds what is nearer than alert.
typedef void carom_meet(carom_meeting *meeting);
/// Whether what is found with an infinite alert is all that the two can ever touch with.
typedef bool carom_always(const carom_shape *first, const carom_shape *second);

/// Adds a feature whose shape numbers (0, 1) are those of the meeting, unless one with the same
/// shapes and feature numbers is there.
void carom_meeting_add(carom_meeting *meeting, const carom_feature *feature);

/// The corners of given, in axes of the body; NULL where memory runs out.
double *carom_shape_placed(carom_arena *arena, const carom_shape_given *given);

#endif
