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
MEET(SOLID, SOLID, carom_meet_solid_solid, carom_always_solid_solid)
MEET(SOLID, PLANE, carom_meet_solid_plane, carom_always_solid_plane)
MEET(SOLID, WHEEL, carom_meet_solid_wheel, NULL)
MEET(WHEEL, WHEEL, carom_meet_solid_solid, NULL)
MEET(WHEEL, PLANE, carom_meet_wheel_plane, carom_always_wheel_plane)
MEET(SOLID, MESH, carom_meet_solid_mesh, NULL)
MEET(SOLID, HEIGHT_FIELD, carom_meet_solid_mesh, NULL)
MEET(WHEEL, MESH, carom_meet_solid_mesh, NULL)
MEET(WHEEL, HEIGHT_FIELD, carom_meet_solid_mesh, NULL)
MEET(MESH, PLANE, carom_meet_mesh_plane, NULL)
REFUSE(MESH, MESH, "mesh and mesh do not meet (make one of them of hulls or boxes)")
REFUSE(MESH, HEIGHT_FIELD, "mesh and height_field do not meet (make the mesh of hulls or boxes)")
REFUSE(HEIGHT_FIELD, HEIGHT_FIELD,
       "height_field and height_field do not meet (one ground is enough)")
REFUSE(HEIGHT_FIELD, PLANE, "height_field and plane do not meet (both are ground)")
MEET(ELLIPSOID, PLANE, carom_meet_ellipsoid_plane, NULL)
REFUSE(ELLIPSOID, SOLID, "an ellipsoid meets planes only (a hull of points on it meets all)")
REFUSE(ELLIPSOID, WHEEL, "an ellipsoid meets planes only (a hull of points on it meets all)")
REFUSE(ELLIPSOID, MESH, "an ellipsoid meets planes only (a hull of points on it meets all)")
REFUSE(ELLIPSOID, HEIGHT_FIELD, "an ellipsoid meets planes only (a hull of points on it meets all)")
REFUSE(ELLIPSOID, ELLIPSOID, "an ellipsoid meets planes only (a hull of points on it meets all)")
REFUSE(PLANE, PLANE, "two planes have no end (give one of them one: a box)")
