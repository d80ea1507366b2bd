// SPDX-License-Identifier: Apache-2.0
// What is known about a CSV file and cannot stand in it: FILE.csv.json, a JSON object
//
//     carom, model, scheme, solver, step, end     what was run
//     run                                         a name that runs with the same rows share
//     status                                      running, whole or partial
//     cut_off                                     why it is partial
//     warnings: [...]                             what the audit warns of, once the run has ended
//     columns: [{csv, name, unit, group}, ...]    in the order of the file
#ifndef CAROM_OUTPUT_SIDEFILE_H
#define CAROM_OUTPUT_SIDEFILE_H

#include "output/output.h"
#include "output/results.h"

enum { CAROM_SIDE_NAME = 512 }; ///< room for a name as CSV files spell it

typedef struct carom_side {
    const carom_output_head *head;
    const carom_column *column;
    int n_column;
    const char *run, *status;
    const char *cut_off;  ///< NULL = not cut off
    const char *warnings; ///< one line each; NULL = not known yet
} carom_side;

/// The name of the side file of a CSV file; NULL where memory ran out.
const char *carom_side_path(carom_arena *arena, const char *path);
/// Writes the side file of path. One that is torn, because the process was killed, is no JSON.
carom_status carom_side_write(const char *path, const carom_side *side, carom_error *error);
/// Takes over what the side file says, where there is one that fits the columns of the results:
/// head, names, units, groups and whether they are whole. What it does not say stays.
carom_status carom_side_read(carom_results *results, carom_error *error);

/// Refuses columns that would have one name in a CSV file.
carom_status carom_side_check(const char *path, const carom_column *column, int n,
                              carom_error *error);

#endif
