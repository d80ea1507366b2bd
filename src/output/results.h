// SPDX-License-Identifier: Apache-2.0
// What the readers of results share.
#ifndef CAROM_OUTPUT_RESULTS_H
#define CAROM_OUTPUT_RESULTS_H

#include "base/arena.h"
#include "carom/output.h"

/// Which columns a visit wants.
typedef struct carom_selection {
    const int *column; ///< (n)
    int n;
} carom_selection;

struct carom_results {
    carom_arena *arena;
    const char *path;
    carom_output_head head;
    carom_column *column; ///< (n_column)
    int n_column;
    long n_row;
    bool is_whole, has_audit, has_counts;
    const char *run;     ///< carom_sim.run_name of the run that wrote them, "" = not known
    const char *cut_off; ///< why they are not whole, "" = they are, or it is not known
    carom_audit audit;
    carom_counts counts;
    carom_logged_event *event; ///< NULL until they are read
    long n_event;
    long n_line; ///< of the table of contacts
    void *self;  ///< of the format
    carom_status (*visit)(carom_results *results, carom_selection selection,
                          carom_rows_visitor visitor, carom_error *error);
    /// Fills event and n_event, or NULL.
    carom_status (*events)(carom_results *results, carom_error *error);
    /// Goes through the table of contacts, or NULL.
    carom_status (*visit_lines)(carom_results *results, carom_lines_visitor visitor,
                                carom_error *error);
    void (*close)(carom_results *results);
};

enum { CAROM_BLOCK_NUMBERS = 1 << 16 }; ///< of a block of rows

// one for each format: fills all but arena and path
carom_status carom_results_open_csv(carom_results *results, carom_error *error);
carom_status carom_results_open_hdf5(carom_results *results, carom_error *error);
carom_status carom_results_open_journal(carom_results *results, carom_error *error);

/// Opens what a run of this user wrote, whatever its size.
carom_status carom_results_open_own(const char *path, carom_results **results, carom_error *error);
/// Opens path with one of these, whatever its ending.
typedef carom_status carom_results_opener(carom_results *results, carom_error *error);
carom_status carom_results_open_as(const char *path, carom_results_opener *opener,
                                   carom_results **results, carom_error *error);

/// The number of rows in a block of n columns.
long carom_results_block(int n);

#endif
