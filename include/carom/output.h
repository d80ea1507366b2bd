// SPDX-License-Identifier: Apache-2.0
// Files that rows go to, and what is read back from them. Written beside the target, by one writer
// at a time, and moved there when closed; of a run that was cut off they are marked as partial. A
// process that is killed leaves "<path>.<process>.part", which can be read and continued.
#ifndef CAROM_OUTPUT_H
#define CAROM_OUTPUT_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is known about every output file: in HDF5 its attributes, beside CSV files in
/// FILE.csv.json. Texts may be NULL (read back: "").
typedef struct carom_output_head {
    const char *model, *scheme, *solver, *version;
    double step, end;
    // HDF5 only: all that is needed to make the model again
    const char *model_path; ///< where it was read
    const char *model_text; ///< the whole file
    const char *changes;    ///< lines "set NAME=VALUE" and "start NAME=VALUE", in their order
    const char *options;    ///< lines "NAME=VALUE" of the scheme, the solver and the step control
} carom_output_head;

typedef struct carom_output carom_output;
/// Opens path (ending .csv, .h5 or .hdf5) for the columns of sim.
CAROM_API carom_status carom_output_open(const char *path, const carom_sim *sim,
                                         const carom_output_head *head, carom_output **output,
                                         carom_error *error);
/// Events as CSV: t,contact,kind,rate_before,rate_after,P,energy_lost.
CAROM_API carom_status carom_output_open_events(const char *path, const carom_sim *sim,
                                                carom_output **output, carom_error *error);
/// The same after carom_sim_restart, for a run that goes on: what it has written up to there (to
/// path, or to a part that was left beside it) stays, what came after is dropped, and the file ends
/// as that of a run that never stopped. A file of another run is refused. Where there is no file, a
/// new one gets what comes from here on, unless it must be there.
CAROM_API carom_status carom_output_continue(const char *path, carom_sim *sim,
                                             const carom_output_head *head, bool must_be_there,
                                             carom_output **output, carom_error *error);
CAROM_API carom_status carom_output_continue_events(const char *path, carom_sim *sim,
                                                    bool must_be_there, carom_output **output,
                                                    carom_error *error);
CAROM_API carom_recorder carom_output_recorder(carom_output *output);
/// Makes all that was recorded lasting; to be called before a checkpoint is written.
CAROM_API carom_status carom_output_sync(carom_output *output, carom_error *error);
/// The newest part that a killed run has left beside the file and that is not continued, or NULL.
CAROM_API const char *carom_output_left(const carom_output *output);
/// Says why the run is being cut off, for the file that is closed as partial.
CAROM_API void carom_output_reason(carom_output *output, const char *why);
/// Closes and frees. audit and counts (may be NULL) go into HDF5 files; is_whole = false marks the
/// file as partial. Where a write failed the part "<path>.<process>.part" stays beside the target.
CAROM_API carom_status carom_output_close(carom_output *output, const carom_audit *audit,
                                          const carom_counts *counts, bool is_whole,
                                          carom_error *error);

/// A file of rows, opened for reading (.csv, .h5, .hdf5, or the .part of one).
typedef struct carom_results carom_results;
CAROM_API carom_status carom_results_open(const char *path, carom_results **results,
                                          carom_error *error);
/// The same, within other limits of bytes and rows (NULL = carom_limits_default()).
CAROM_API carom_status carom_results_open_with(const char *path, const carom_limits *limits,
                                               carom_results **results, carom_error *error);
CAROM_API void carom_results_free(carom_results *results);
CAROM_API const char *carom_results_path(const carom_results *results);
CAROM_API const carom_output_head *carom_results_head(const carom_results *results);
/// Which run wrote them: the model's fingerprint, '-', and a hash of all that makes the run;
/// "" = not known.
CAROM_API const char *carom_results_run(const carom_results *results);
/// As recorded; of CSV files as FILE.csv.json says; "" for units and groups of other tables.
CAROM_API int carom_results_n_column(const carom_results *results);
CAROM_API const carom_column *carom_results_column(const carom_results *results, int i);
/// The column called name, in full or as CSV files spell it, or -1.
CAROM_API int carom_results_find(const carom_results *results, const char *name);
CAROM_API long carom_results_n_row(const carom_results *results);
/// False for what a run that was cut off left (CSV without FILE.csv.json: unknown, true).
CAROM_API bool carom_results_is_whole(const carom_results *results);
/// Why they are not whole, as far as that is known; "" where they are.
CAROM_API const char *carom_results_cut_off(const carom_results *results);
/// NULL where the file has none (CSV, a run that was killed).
CAROM_API const carom_audit *carom_results_audit(const carom_results *results);
CAROM_API const carom_counts *carom_results_counts(const carom_results *results);

/// Sees n rows of the columns asked for; value is by rows.
typedef struct carom_rows_visitor {
    void *self;
    carom_status (*rows)(void *self, const double *value, long n, carom_error *error);
} carom_rows_visitor;
/// Reads all rows from the first to the last, block by block, of n_column columns by number. May be
/// called again. Memory does not grow with the file.
CAROM_API carom_status carom_results_visit(carom_results *results, const int *column, int n_column,
                                           carom_rows_visitor visitor, carom_error *error);

/// One line of the event log.
typedef struct carom_logged_event {
    double t;
    const char *contact, *kind; ///< owned by the results
    double rate_before, rate_after, P, energy_lost;
} carom_logged_event;
/// The event log (n events, owned by the results), read at the first call; CSV files have none.
CAROM_API carom_status carom_results_events(carom_results *results,
                                            const carom_logged_event **event, long *n,
                                            carom_error *error);

/// Sees n lines of the table of contacts.
typedef struct carom_lines_visitor {
    void *self;
    carom_status (*lines)(void *self, const carom_contact_line *line, long n, carom_error *error);
} carom_lines_visitor;
/// The table of contacts that come and go: how many lines it has (0 where contacts stay, and of CSV
/// files), and all of them from the first to the last, block by block.
CAROM_API long carom_results_n_contact_line(const carom_results *results);
CAROM_API carom_status carom_results_visit_contacts(carom_results *results,
                                                    carom_lines_visitor visitor,
                                                    carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
