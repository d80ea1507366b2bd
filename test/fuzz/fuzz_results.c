// SPDX-License-Identifier: Apache-2.0
// Any bytes as results: a table of rows as CSV (with its side file behind a line "----"), or the
// journal of a run. Opened and read in full, without a crash or a hang. For libFuzzer.
#include "fuzz/fuzz_folder.h"

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static carom_status take(void *self, const double *value, long n, carom_error *error)
{
    (void)value, (void)error;
    *(long *)self += n;
    return CAROM_OK;
}

static void read_all(const char *path)
{
    carom_results *results = NULL;
    carom_error error = {0};
    const carom_status status = carom_results_open(path, &results, &error);
    if (status == CAROM_OK ? !results : results || error.status != status || !error.message[0])
        abort();
    if (status != CAROM_OK) return;
    const int n = carom_results_n_column(results);
    int *column = calloc((size_t)n + 1, sizeof *column);
    long n_row = 0, n_event;
    const carom_logged_event *event;
    for (int i = 0; i < n; i++) column[i] = i;
    const carom_rows_visitor visitor = {.self = &n_row, .rows = take};
    if (carom_results_visit(results, column, n, visitor, NULL) == CAROM_OK &&
        n_row != carom_results_n_row(results))
        abort();
    (void)carom_results_events(results, &event, &n_event, NULL);
    (void)carom_results_find(results, "t");
    free(column);
    carom_results_free(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 7 && memcmp(data, "CAROMJ0", 7) == 0) {
        const char *path = fuzz_path("rows.h5.1.part");
        fuzz_write(path, data, size);
        read_all(path);
        return 0;
    }
    size_t second;
    const size_t first = fuzz_cut((const char *)data, size, &second);
    const char *path = fuzz_path("rows.csv"), *side = fuzz_path("rows.csv.json");
    fuzz_write(path, data, first);
    if (second < size)
        fuzz_write(side, data + second, size - second);
    else
        (void)unlink(side);
    read_all(path);
    return 0;
}
