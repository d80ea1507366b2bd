// SPDX-License-Identifier: Apache-2.0
// Any bytes as an HDF5 file: results of a run, and a contact problem. libhdf5 may do with them what
// it likes, in its own process; here nothing crashes or hangs. For libFuzzer.
#include "fuzz/fuzz_folder.h"

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static carom_status take(void *self, const double *value, long n, carom_error *error)
{
    (void)value, (void)error;
    *(long *)self += n;
    return CAROM_OK;
}

static void read_results(const char *path)
{
    carom_results *results = NULL;
    carom_error error = {0};
    const carom_status status = carom_results_open(path, &results, &error);
    if (status == CAROM_OK ? !results : results || error.status != status || !error.message[0])
        abort();
    if (status != CAROM_OK) return;
    const int n = carom_results_n_column(results), column[2] = {0, n - 1};
    long n_row = 0, n_event;
    const carom_logged_event *event;
    const carom_rows_visitor visitor = {.self = &n_row, .rows = take};
    (void)carom_results_visit(results, column, n > 1 ? 2 : 1, visitor, NULL);
    (void)carom_results_events(results, &event, &n_event, NULL);
    carom_results_free(results);
}

static void read_problem(const char *path)
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // without its seal, which would end the reading of most inputs early
    static const char title[] = "CAROM results, sealed";
    const char *path = fuzz_path("file.h5");
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    if (size > 64 && memcmp(copy + size - 64, title, sizeof title - 1) == 0) size -= 64;
    fuzz_write(path, copy, size);
    free(copy);
    read_results(path);
    read_problem(path);
    return 0;
}
