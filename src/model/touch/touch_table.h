// SPDX-License-Identifier: Apache-2.0
// The primitives: X(name) for each file of this folder, in the order of carom_primitive.
// (no include guard: read with different meanings of X)
X(point_plane)
X(point_point)
X(point_line)
X(edge_edge)
X(rim_plane)
