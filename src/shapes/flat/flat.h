// SPDX-License-Identifier: Apache-2.0
// The pairs of plane shapes (pairs_table.h).
#ifndef CAROM_SHAPES_FLAT_H
#define CAROM_SHAPES_FLAT_H

#include "shapes/shape_kind.h"

carom_meet carom_meet_flat_flat, carom_meet_flat_half_plane;
carom_meet carom_meet_flat_curve, carom_meet_curve_half_plane;
carom_always carom_always_flat_flat, carom_always_flat_half_plane;

#endif
