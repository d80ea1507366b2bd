// SPDX-License-Identifier: Apache-2.0
// Rotations in expressions. The nine entries of a rotation matrix R are symbols (CAROM_R); its
// columns R1, R2, R3 turn along the three components of the spin w (in axes of the body):
//
//     D_1 R = (0, R3, -R2),   D_2 R = (-R3, 0, R1),   D_3 R = (R2, -R1, 0),   R' = sum of w_i D_i R
//
// so that the derivative of an entry is another one, with a sign, or 0. Before programs are made
// the symbols are spelt out by the quaternion p = (p0, p1, p2, p3) among the positions, with
// 2/(p.p) in place of 2: a p that is not quite of unit length is harmless.
//
// A turn is a position whose rate is a sum of velocities with constant factors: the angle between
// two bodies about an axis of both, turns counted (model/chart.h).
#ifndef CAROM_EXPR_ROTATION_NODES_H
#define CAROM_EXPR_ROTATION_NODES_H

#include "expr/graph.h"

/// A rotation with its quaternion at positions q .. q+3 and its spin at velocities u .. u+2;
/// returns its number, or -1 where memory runs out.
int carom_graph_rotation(carom_graph *graph, int q, int u);
int carom_graph_n_rotation(const carom_graph *graph);
/// The first of the four positions of a rotation.
int carom_graph_quaternion_of(const carom_graph *graph, int rotation);
/// The nine entries (by rows) of the rotation that p is.
void carom_graph_matrix_of(carom_graph *graph, const carom_ref p[4], carom_ref R[9]);
/// The first of the three velocities of a rotation.
int carom_graph_spin_of(const carom_graph *graph, int rotation);
/// The velocity of a plain position, and its position.
int carom_graph_velocity_of(const carom_graph *graph, int position);
int carom_graph_position_of(const carom_graph *graph, int velocity);
/// Says that a plain position moves with a velocity of another number; false where memory runs out.
bool carom_graph_moves_with(carom_graph *graph, int position, int velocity);
enum { CAROM_MOST_TURNING = 6 };
/// Rate of a turn: factor[0] u[velocity[0]] + ...
typedef struct carom_turn_rate {
    int n;
    int velocity[CAROM_MOST_TURNING];
    double factor[CAROM_MOST_TURNING];
} carom_turn_rate;
/// Says that a position is a turn; false where memory runs out.
bool carom_graph_turns_with(carom_graph *graph, int position, const carom_turn_rate *rate);
/// The entry (row, column), each 0, 1 or 2, of a rotation.
carom_ref carom_graph_entry(carom_graph *graph, int rotation, int row, int column);
/// Replaces each of the nodes by one without CAROM_R symbols; false where memory runs out.
bool carom_graph_spell_out(carom_graph *graph, carom_ref *const *node, int n);

#endif
