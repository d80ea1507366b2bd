// SPDX-License-Identifier: Apache-2.0
// The kinds of shapes: X(name) for each file of flat/ (plane) and solid/ (space), in the order in
// which they are listed. (no include guard: read with different meanings of X)
X(disk)
X(flat_curve)
X(segment)
X(polygon)
X(flat_box)
X(flat_capsule)
X(half_plane)
