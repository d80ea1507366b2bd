// SPDX-License-Identifier: Apache-2.0
// What all output files share: a lock, a part beside the target that only grows, a recorder, and
// how the file is finished.
#ifndef CAROM_OUTPUT_OUTPUT_H
#define CAROM_OUTPUT_OUTPUT_H

#include "base/arena.h"
#include "base/files/filelock.h"
#include "carom/output.h"
#include "output/partfile.h"

/// How a run ended, for the tail of the file.
typedef struct carom_closing {
    const carom_audit *audit;   ///< may be NULL
    const carom_counts *counts; ///< may be NULL
    bool is_whole;
} carom_closing;

struct carom_output {
    carom_arena *arena;
    const char *path; ///< the target
    carom_filelock lock;
    carom_partfile part; ///< where it is written until it is closed
    const char *ending;  ///< of the part's name: "copy" while it is being filled from an older one
    bool holds_rows, holds_events;
    bool is_journal; ///< the part is not the file itself, and need not last when that is made
    carom_output_head head; ///< own texts, as far as CSV files have them
    const char *run;        ///< carom_sim.run_name
    const char *reason;     ///< why the run was cut off, or NULL
    const char *left;       ///< a part that a killed run has left, or NULL
    const char *source;     ///< the part that this one was filled from, or NULL
    carom_recorder recorder;
    void *self;               ///< of the format
    struct carom_plan *poses; ///< HDF5: where bodies are, or NULL
    /// Makes the target of the part, which is whole, synced and closed.
    carom_status (*finish)(carom_output *output, const carom_closing *closing, carom_error *error);
    /// Called when the part has got another name; may be NULL.
    carom_status (*renamed)(carom_output *output, carom_error *error);
};

/// "cannot write 'path': reason", from errno, and where what was written is.
carom_status carom_output_fail(const carom_output *output, carom_error *error);
/// Makes the part; record is the size of the largest record [bytes].
carom_status carom_output_make_part(carom_output *output, size_t record, carom_error *error);
/// Ends a record of the part.
carom_status carom_output_end_record(carom_output *output, carom_error *error);

// one for each format: sets recorder, self and finish, and writes the head of the part
carom_status carom_csv_open(carom_output *output, const carom_sim *sim, carom_error *error);
carom_status carom_events_csv_open(carom_output *output, const carom_sim *sim, carom_error *error);
carom_status carom_journal_open(carom_output *output, const carom_sim *sim,
                                const carom_output_head *head, carom_error *error);

/// Sends what the run of sim has written before, up to the state it restarts from, to the output:
/// from the newest part that was left (source), or from the target. is_found = false: neither of
/// them holds it.
carom_status carom_replay(carom_output *output, carom_sim *sim, bool *is_found, carom_error *error);

#endif
