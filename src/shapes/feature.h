// SPDX-License-Identifier: Apache-2.0
// What two shapes touch with, frozen for a step: a pair of features and the numbers that its gap
// needs, in axes of the two bodies. All that follows from it (rows, curvature, derivatives) comes
// from the primitive's expression (model/slots), never from geometry code.
//
//     primitive     of body 1             of body 2                gap
//     point_plane   p1                    p2, normal d2            d2.(x - p2) - radius
//     point_point   p1                    p2                       side (|x - p2| - radius)
//     point_line    p1                    p2, direction d2         side (|perp(x - p2)| - radius)
//     edge_edge     p1, direction d1      p2, direction d2         side (d1 x d2)/|d1 x d2| . d
//                                                                    - radius
//     rim_plane     centre p1, axis d1    p2, normal d2            d2.(x - p2)
//                                                                    - rim sqrt(1 - (d1.d2)^2)
//                                                                    - radius
//
// x is p1 seen from body 2, d = x - p2. In the plane only the first two components count and there
// are point_plane and point_point. side is 1, or -1 inside (a ball in a socket, a journal).
#ifndef CAROM_SHAPES_FEATURE_H
#define CAROM_SHAPES_FEATURE_H

typedef enum carom_primitive {
    CAROM_POINT_PLANE,
    CAROM_POINT_POINT,
    CAROM_POINT_LINE,
    CAROM_EDGE_EDGE,
    CAROM_RIM_PLANE,
    CAROM_N_PRIMITIVE
} carom_primitive;

/// Where a body is: position of its origin and rotation matrix by rows (columns: the body's axes).
/// In the plane z is 0 and the rotation is about z.
typedef struct carom_placement {
    double r[3], R[9];
} carom_placement;

/// One contact of two shapes. Whose is body 1 is the primitive's choice, not the caller's:
/// shape[0] belongs to body 1.
typedef struct carom_feature {
    carom_primitive primitive;
    int shape[2];        ///< numbers of the shapes
    unsigned feature[2]; ///< face, edge or vertex of each, numbered by its shape
    double p1[3], d1[3]; ///< in axes of body 1
    double p2[3], d2[3]; ///< in axes of body 2
    double rim;          ///< radius of a rim
    double radius, side; ///< what is taken off for both roundings; see above
    double gap;          ///< at the poses it was found with
    double margin;       ///< how far the point is inside of its features; below 0 = outside [m]
} carom_feature;

#endif
