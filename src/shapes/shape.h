// SPDX-License-Identifier: Apache-2.0
// Shapes: the points that a body occupies, in axes of the body, and where two of them touch or
// nearly touch. Geometry only: it knows poses and features, nothing of coordinates or laws.
//
//     given numbers  --carom_shape_new-->  shape  --carom_shape_box-->   box, for the broad phase
//                                                 --carom_shapes_meet--> features, for slots
//                                                 --carom_shape_mass-->  mass, centre, inertia
//
// A kind is one file and one line in the table of this folder. A pair of kinds is a cell of the
// table of pairs. The rounding of a shape lies inside its stated size, and there is no other
// margin: gap 0 is touching. Several shapes on one body are just several shapes. In the plane third
// components are 0, and rotations are about z.
#ifndef CAROM_SHAPES_SHAPE_H
#define CAROM_SHAPES_SHAPE_H

#include "base/arena.h"
#include "shapes/feature.h"

#include "carom/base.h"

/// What a shape is made from. Which fields count is said by its kind; what is not used is 0.
typedef struct carom_shape_given {
    const char *kind;      ///< disk, segment, polygon, ... sphere, box, ...
    int dim;               ///< 2 in the plane, 3 in space
    carom_placement place; ///< where the shape's own axes are in the body
    double size[3];        ///< full sizes of a box; semi-axes of an ellipsoid; of a height field
    double radius[2];      ///< of a disk, sphere, capsule, cylinder; both ends of a cone
    double length;         ///< of a cylinder, cone
    double normal[3];    ///< of a half_plane or plane, out of the matter; axis of a cylinder, cone
    double rounding;     ///< inside the stated size
    int n_point;         ///< ends, corners, vertices, nodes of a curve, heights
    const double *point; ///< (3 n_point); of a height field (n_point) heights
    int n_face;          ///< of a mesh
    const int *face;     ///< (3 n_face) vertices, counter-clockwise from outside
    int n_row, n_column; ///< of a height field: row = y upwards, column = x
    bool is_closed;      ///< of a curve
} carom_shape_given;

typedef struct carom_shape carom_shape;

/// Makes a shape in an arena; errors say what is wrong with the numbers (not where).
carom_status carom_shape_new(carom_arena *arena, const carom_shape_given *given,
                             carom_shape **shape, carom_error *error);

/// The smallest box around a shape at a pose; infinite where the shape is.
void carom_shape_box(const carom_shape *shape, const carom_placement *at, double lower[3],
                     double upper[3]);
/// The largest distance of its points from the body's origin; infinite where the shape is.
double carom_shape_reach(const carom_shape *shape);
/// A length that tolerances are a part of: its smallest extent that is not infinite or 0;
/// infinite where it has none.
double carom_shape_size(const carom_shape *shape);

/// Mass in the plane is that of a slice of unit depth.
typedef struct carom_shape_mass {
    double mass, centre[3];
    double inertia[6]; ///< about the centre, in axes of the body: xx, yy, zz, xy, xz, yz (matrix
                       ///< entries); in the plane zz alone
} carom_shape_mass;
/// False where a shape has no matter or no end (segments, half_planes, planes, ...).
bool carom_shape_weigh(const carom_shape *shape, double density, carom_shape_mass *mass);

/// A shape and where its body is.
typedef struct carom_posed {
    const carom_shape *shape;
    const carom_placement *at;
} carom_posed;

/// The features with which two shapes are nearer than alert, at most room of them, in a fixed
/// order (numbers of the features of a, then of b): all corners of a contact polygon, each once.
/// Returns how many there are, also where that is more than room. Swapped arguments give the same
/// features; shape numbers are left to the caller: shape[0] = 0 where body 1 is that of a, 1 where
/// it is that of b. A feature without borders has an infinite margin.
int carom_shapes_meet(carom_posed a, carom_posed b, double alert, carom_feature *feature, int room);
/// All features that two shapes can ever touch with, where these are few and true for all poses
/// (a box and a plane: corners), as above, gap and margin not set; -1 where there is no such list.
int carom_shapes_always(const carom_shape *a, const carom_shape *b, carom_feature *feature,
                        int room);
/// NULL where two kinds can meet, else the reason why not.
const char *carom_shapes_refuse(const carom_shape *a, const carom_shape *b);

/// What a shape looks like, in axes of the body: in the plane closed lines (count of points each),
/// in space triangles.
typedef struct carom_shape_look {
    int n_point;
    double *point; ///< (3 n_point)
    int n_line;
    int *line; ///< (n_line) how many points each line takes, one line after the other
    int n_triangle;
    int *triangle; ///< (3 n_triangle) counter-clockwise from outside
} carom_shape_look;
/// In the arena; infinite shapes are shown as far as `extent` from the point nearest to the origin.
/// tolerance is how far a chord may lie from a curve.
bool carom_shape_show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                      carom_shape_look *look);

#endif
