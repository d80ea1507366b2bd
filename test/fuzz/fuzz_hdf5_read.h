// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of HDF5 ask a file for.
#ifndef CAROM_FUZZ_HDF5_READ_H
#define CAROM_FUZZ_HDF5_READ_H

#include "fuzz/fuzz_folder.h"

#include "carom/carom.h"

// as base/files/hdf5_reader.c says it
static inline bool fuzz_is_lost(const carom_error *error)
{
    return strstr(error->message, "made to do harm") != NULL;
}

static inline carom_status fuzz_take(void *self, const double *value, long n, carom_error *error)
{
    (void)value, (void)error;
    *(long *)self += n;
    return CAROM_OK;
}

/// Opens and reads all; whether the process that reads was lost.
static inline bool fuzz_read_results(const char *path)
{
    carom_results *results = NULL;
    carom_error error = {0};
    const carom_status status = carom_results_open(path, &results, &error);
    if (status == CAROM_OK ? !results : results || error.status != status || !error.message[0])
        abort();
    if (status != CAROM_OK) return fuzz_is_lost(&error);
    const int n = carom_results_n_column(results), column[2] = {0, n - 1};
    long n_row = 0, n_event;
    const carom_logged_event *event;
    const carom_rows_visitor visitor = {.self = &n_row, .rows = fuzz_take};
    (void)carom_results_visit(results, column, n > 1 ? 2 : 1, visitor, &error);
    if (error.status == CAROM_OK) (void)carom_results_events(results, &event, &n_event, &error);
    carom_results_free(results);
    return fuzz_is_lost(&error);
}

static inline bool fuzz_read_problem(const char *path)
{
    carom_limits limits = carom_limits_default();
    limits.bytes = 1e8;
    limits.seconds = 2;
    carom_contact_file *file = NULL;
    carom_error error = {0};
    const carom_file_reading how = {CAROM_FILE_ANY, &limits};
    const carom_status status = carom_contact_file_read_with(path, how, &file, &error);
    if (status == CAROM_OK ? !file : file || error.status != status || !error.message[0]) abort();
    carom_contact_file_free(file);
    return fuzz_is_lost(&error);
}

#endif
