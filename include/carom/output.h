// SPDX-License-Identifier: Apache-2.0
// Files that rows go to. Written beside the target and moved there when whole; a run that was cut
// off leaves the part under the target's name, marked as partial.
#ifndef CAROM_OUTPUT_H
#define CAROM_OUTPUT_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What stands in the head of every output file.
typedef struct carom_output_head {
    const char *model, *scheme, *solver, *version;
    double step, end;
} carom_output_head;

typedef struct carom_output carom_output;
/// Opens path (ending .csv, .h5 or .hdf5) for the columns of sim.
CAROM_API carom_status carom_output_open(const char *path, const carom_sim *sim,
                                         const carom_output_head *head, carom_output **output,
                                         carom_error *error);
/// Events as CSV: t,contact,kind,rate_before,rate_after,P,energy_lost.
CAROM_API carom_status carom_output_open_events(const char *path, const carom_sim *sim,
                                                carom_output **output, carom_error *error);
CAROM_API carom_recorder carom_output_recorder(carom_output *output);
/// Closes and frees. audit and counts (may be NULL) go into HDF5 files; is_whole = false marks the
/// file as partial. Where a write failed the part stays beside the target as "<path>.part".
CAROM_API carom_status carom_output_close(carom_output *output, const carom_audit *audit,
                                          const carom_counts *counts, bool is_whole,
                                          carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
