// SPDX-License-Identifier: Apache-2.0
// Vectors of graph nodes: what joints and elements are woven from. All have three components; in
// the plane the third is the number 0, and whatever is multiplied by it is gone before it is made.
#ifndef CAROM_MODEL_WEAVE_H
#define CAROM_MODEL_WEAVE_H

#include "expr/graph.h"

typedef struct carom_vec {
    carom_ref c[3];
} carom_vec;

/// A point and three axes: where a body is. A point s of the body is at r + s0 axis0 + ...
typedef struct carom_frame {
    carom_vec r;
    carom_vec axis[3]; ///< the columns of the rotation matrix
} carom_frame;

carom_vec carom_weave_numbers(carom_graph *g, double x, double y, double z);
bool carom_weave_is_zero(const carom_graph *g, carom_vec a);
carom_vec carom_weave_plane(carom_graph *g, carom_ref x, carom_ref y);
carom_vec carom_weave_add(carom_graph *g, carom_vec a, carom_vec b);
carom_vec carom_weave_sub(carom_graph *g, carom_vec a, carom_vec b);
carom_vec carom_weave_scale(carom_graph *g, carom_ref factor, carom_vec a);
carom_ref carom_weave_dot(carom_graph *g, carom_vec a, carom_vec b);
carom_vec carom_weave_cross(carom_graph *g, carom_vec a, carom_vec b);
/// sqrt(a.a).
carom_ref carom_weave_norm(carom_graph *g, carom_vec a);
/// a / norm(a).
carom_vec carom_weave_unit(carom_graph *g, carom_vec a);
/// The velocity of a vector.
carom_vec carom_weave_rate(carom_graph *g, carom_vec a);

/// The frame of space.
carom_frame carom_weave_ground(carom_graph *g);
/// A frame at r turned by an angle about the third axis.
carom_frame carom_weave_turned(carom_graph *g, carom_vec r, carom_ref angle);
/// A vector turned about an axis of unit length: R a = axis (axis.a) + cos (...) + sin axis x a.
carom_vec carom_weave_about(carom_graph *g, carom_vec axis, carom_ref angle, carom_vec a);
/// A frame at r with the axes of a rotation of the graph (expr/rotation_nodes.h).
carom_frame carom_weave_rotated(carom_graph *g, carom_vec r, int rotation);
/// A direction of the body in space: R s.
carom_vec carom_weave_direction(carom_graph *g, const carom_frame *frame, carom_vec s);
/// A point of the body in space: r + R s.
carom_vec carom_weave_point(carom_graph *g, const carom_frame *frame, carom_vec s);
/// A direction of space in the body: R' a.
carom_vec carom_weave_inside(carom_graph *g, const carom_frame *frame, carom_vec a);
/// A point of space in the body: R' (p - r).
carom_vec carom_weave_local(carom_graph *g, const carom_frame *frame, carom_vec p);

#endif
