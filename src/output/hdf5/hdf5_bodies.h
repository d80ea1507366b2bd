// SPDX-License-Identifier: Apache-2.0
// Where bodies are at all rows, for other programs: /bodies/names, and /bodies/poses (rows x
// bodies x numbers), in space x, y, z, p0 .. p3, in the plane x, y, angle. The first body is the
// ground, and numbers of bodies in /contacts are those of this order.
//
// Quaternions have the sign that is nearest to the row before, angles count turns from there.
#ifndef CAROM_OUTPUT_HDF5_BODIES_H
#define CAROM_OUTPUT_HDF5_BODIES_H

#include "carom/extend.h"
#include "output/hdf5/hdf5_shared.h"
#include "output/results.h"

/// The program for poses of a run, with its values of live parameters; NULL where the model has no
/// bodies. It keeps the model.
carom_status carom_hdf5_pose_plan(const carom_sim *sim, carom_plan **plan, carom_error *error);

/// A file with room on the disk that is ours.
typedef struct carom_hdf5_target {
    hid_t file;
    void *self;
    bool (*reserve)(void *self, size_t bytes);
} carom_hdf5_target;

/// Writes the group, from the coordinates of all rows. False where a write fails (errno), or error
/// says why.
bool carom_hdf5_write_bodies(const carom_hdf5_target *to, carom_results *from, carom_plan *plan,
                             carom_error *error);

#endif
