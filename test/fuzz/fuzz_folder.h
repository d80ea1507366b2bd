// SPDX-License-Identifier: Apache-2.0
// A folder in memory for fuzz targets whose inputs have to be files.
#ifndef CAROM_TEST_FUZZ_FOLDER_H
#define CAROM_TEST_FUZZ_FOLDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_folder_name[64];

static inline void fuzz_remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", fuzz_folder_name);
    if (system(command) != 0) return;
}

/// The path of a file in it, valid until the eighth call after this.
static inline const char *fuzz_path(const char *name)
{
    static char path[8][192];
    static int next;
    if (!fuzz_folder_name[0]) {
        struct stat facts;
        snprintf(fuzz_folder_name, sizeof fuzz_folder_name, "%s/carom-fuzz-XXXXXX",
                 stat("/dev/shm", &facts) == 0 ? "/dev/shm" : "/tmp");
        if (!mkdtemp(fuzz_folder_name)) abort();
        atexit(fuzz_remove_folder);
    }
    char *to = path[next++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", fuzz_folder_name, name);
    return to;
}

static inline void fuzz_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

/// Where the first part of an input ends and the second begins: at a line "----", else at its end.
static inline size_t fuzz_cut(const char *data, size_t size, size_t *second)
{
    for (size_t i = 0; i + 5 <= size; i++)
        if (memcmp(data + i, "----\n", 5) == 0 && (i == 0 || data[i - 1] == '\n')) {
            *second = i + 5;
            return i;
        }
    *second = size;
    return size;
}

#endif
