// SPDX-License-Identifier: Apache-2.0
// Checkpoints that were made up: any bytes changed, with the right checksum again.
#ifndef CAROM_TEST_CHECKPOINT_RIG_H
#define CAROM_TEST_CHECKPOINT_RIG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// FNV-1a of all but the last eight bytes, which receive it.
static inline void checkpoint_seal(unsigned char *data, size_t n)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i + 8 < n; i++) hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++) data[n - 8 + (size_t)i] = (unsigned char)(hash >> (8 * i));
}

/// Where the numbers begin: after the head and the texts that must be those of the run. Each text
/// is preceded by its length; n_text of them.
static inline size_t checkpoint_numbers(const unsigned char *data, int n_text)
{
    size_t at = 24;
    for (int i = 0; i < n_text; i++) {
        uint64_t length = 0;
        for (int k = 0; k < 8; k++) length |= (uint64_t)data[at + (size_t)k] << (8 * k);
        at += 8 + (size_t)length;
    }
    return at;
}

static inline unsigned char *checkpoint_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = file ? malloc(1 << 20) : NULL;
    *n = data ? fread(data, 1, 1 << 20, file) : 0;
    if (file) fclose(file);
    return data;
}

static inline void checkpoint_write(const char *path, const unsigned char *data, size_t n)
{
    FILE *file = fopen(path, "r+b"); // in place: as long as before
    if (!file || fwrite(data, 1, n, file) != n || fclose(file) != 0) abort();
}

#endif
