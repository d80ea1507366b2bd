// SPDX-License-Identifier: Apache-2.0
// The kinds of shapes: X(name) for each file of flat/ (plane) and solid/ (space), in the order in
// which they are listed. (no include guard: read with different meanings of X)
X(disk)
X(half_plane)
X(sphere)
X(plane)
X(solid_box)
X(solid_capsule)
X(solid_hull)
X(cylinder)
X(cone)
X(solid_mesh)
X(height_field)
