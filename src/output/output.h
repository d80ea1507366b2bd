// SPDX-License-Identifier: Apache-2.0
// What all output files share: a part beside the target, a recorder, and how the file is finished.
#ifndef CAROM_OUTPUT_OUTPUT_H
#define CAROM_OUTPUT_OUTPUT_H

#include "base/arena.h"
#include "carom/output.h"

/// How a run ended, for the tail of the file.
typedef struct carom_closing {
    const carom_audit *audit;   ///< may be NULL
    const carom_counts *counts; ///< may be NULL
    bool is_whole;
} carom_closing;

struct carom_output {
    carom_arena *arena;
    const char *path; ///< the target
    const char *part; ///< where it is written until it is closed
    const char *side; ///< what stands beside a CSV file, at first beside its part; NULL = nothing
    carom_output_head head; ///< own texts, as far as CSV files have them
    const char *reason;     ///< why the run was cut off, or NULL
    carom_recorder recorder;
    void *self; ///< of the format
    /// Writes the tail and closes the part; gives back all that is not in the arena, also on
    /// failure.
    carom_status (*finish)(carom_output *output, const carom_closing *closing, carom_error *error);
};

/// "cannot write 'path': reason", from errno.
carom_status carom_output_fail(const carom_output *output, carom_error *error);

// one for each format: sets recorder, self and finish
carom_status carom_csv_open(carom_output *output, const carom_sim *sim, carom_error *error);
carom_status carom_events_csv_open(carom_output *output, const carom_sim *sim, carom_error *error);
carom_status carom_hdf5_open(carom_output *output, const carom_sim *sim,
                             const carom_output_head *head, carom_error *error);

#endif
