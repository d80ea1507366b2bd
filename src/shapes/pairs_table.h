// SPDX-License-Identifier: Apache-2.0
// What happens when two cores meet: MEET(first, second, function, always) where they can, each pair
// in one order; REFUSE(first, second, why not (way out)) where they cannot. A pair without a line
// is refused as one of plane and space. always: whether the features found with an infinite alert
// are all that two shapes can ever touch with, a function or NULL (never).
// (no include guard: read with different meanings)
MEET(FLAT, CURVE, carom_meet_flat_curve, NULL)
MEET(CURVE, HALF_PLANE, carom_meet_curve_half_plane, NULL)
REFUSE(CURVE, CURVE, "two curves do not meet (make one of them a polygon or disks)")
MEET(FLAT, FLAT, carom_meet_flat_flat, carom_always_flat_flat)
MEET(FLAT, HALF_PLANE, carom_meet_flat_half_plane, carom_always_flat_half_plane)
REFUSE(HALF_PLANE, HALF_PLANE, "two half_planes have no end (give one of them one: a box)")
