// SPDX-License-Identifier: Apache-2.0
// Any bytes as an HDF5 file: results of a run, and a contact problem. libhdf5 may do with them what
// it likes, in its own process; here nothing crashes or hangs. How often that process was lost is
// told at the end; some of the files are kept in $CAROM_FUZZ_LIBHDF5. For libFuzzer.
#include "fuzz/fuzz_hdf5_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_KEPT = 20 };
static long n_lost;

static void tell_lost(void)
{
    fprintf(stderr, "\nlibhdf5: %ld inputs crashed it, hung it or took its memory\n", n_lost);
}

static void count_lost(const uint8_t *data, size_t size)
{
    const char *folder = getenv("CAROM_FUZZ_LIBHDF5");
    char path[512];
    if (n_lost++ >= MOST_KEPT || !folder) return;
    snprintf(path, sizeof path, "%.400s/lost-%ld.h5", folder, n_lost);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    (void)fwrite(data, 1, size, file);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // without its seal, which would end the reading of most inputs early
    static const char title[] = "CAROM results, sealed";
    static bool has_begun;
    if (!has_begun) atexit(tell_lost);
    has_begun = true;
    const char *path = fuzz_path("file.h5");
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    if (size > 64 && memcmp(copy + size - 64, title, sizeof title - 1) == 0) size -= 64;
    fuzz_write(path, copy, size);
    const bool results_lost = fuzz_read_results(path), problem_lost = fuzz_read_problem(path);
    if (results_lost || problem_lost) count_lost(copy, size);
    free(copy);
    return 0;
}
