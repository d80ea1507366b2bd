// SPDX-License-Identifier: Apache-2.0
// Seals HDF5 files, and looks whether a seal is broken. The sum takes a word at a time,
//
//     h <- (h xor w) a,   h <- h xor (h >> 32),
//
// which is undone by no change of a single word.
#include "output/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char title[32] = "CAROM results, sealed\n";
enum { LENGTH_AT = 32, SUM_AT = 40, BLOCK_BYTES = 1 << 18 };

static bool read_at(int descriptor, void *to, size_t n, off_t at)
{
    for (char *next = to; n > 0;) {
        const ssize_t got = pread(descriptor, next, n, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        next += got;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static uint64_t add(uint64_t sum, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, n - i < 8 ? n - i : 8);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

static bool add_up(int descriptor, off_t size, uint64_t *sum)
{
    unsigned char *block = malloc(BLOCK_BYTES);
    bool is_good = block != NULL;
    *sum = UINT64_C(0xcbf29ce484222325);
    for (off_t at = 0; is_good && at < size; at += BLOCK_BYTES) {
        const size_t n = size - at < BLOCK_BYTES ? (size_t)(size - at) : (size_t)BLOCK_BYTES;
        is_good = read_at(descriptor, block, n, at);
        if (is_good) *sum = add(*sum, block, n);
    }
    free(block);
    return is_good;
}

// numbers in files are little-endian
static void put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(word >> (8 * i));
}

static uint64_t get_word(const unsigned char *from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word |= (uint64_t)from[i] << (8 * i);
    return word;
}

// the length of a file without its seal; whether it has one
static off_t body_of(int descriptor, unsigned char seal[CAROM_SEAL_BYTES], bool *is_sealed)
{
    struct stat facts;
    *is_sealed = false;
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
    const off_t body = facts.st_size - CAROM_SEAL_BYTES;
    *is_sealed = body >= 0 && read_at(descriptor, seal, CAROM_SEAL_BYTES, body) &&
                 memcmp(seal, title, sizeof title) == 0;
    return *is_sealed ? body : facts.st_size;
}

bool carom_seal_put(int descriptor)
{
    unsigned char seal[CAROM_SEAL_BYTES];
    bool is_sealed;
    uint64_t sum;
    const off_t body = body_of(descriptor, seal, &is_sealed);
    if (body < 0 || !add_up(descriptor, body, &sum)) return false;
    memset(seal, 0, sizeof seal);
    memcpy(seal, title, sizeof title);
    put_word(seal + LENGTH_AT, (uint64_t)body + CAROM_SEAL_BYTES);
    put_word(seal + SUM_AT, sum);
    return pwrite(descriptor, seal, sizeof seal, body) == sizeof seal;
}

static carom_status check_seal(int descriptor, const char *path, carom_error *error)
{
    unsigned char seal[CAROM_SEAL_BYTES];
    bool is_sealed;
    uint64_t sum = 0;
    const off_t body = body_of(descriptor, seal, &is_sealed);
    if (!is_sealed) return CAROM_OK;
    if (!add_up(descriptor, body, &sum))
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (sum == get_word(seal + SUM_AT) &&
        get_word(seal + LENGTH_AT) == (uint64_t)body + CAROM_SEAL_BYTES)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s: damaged: its bytes are not those that were written", path);
}

carom_status carom_seal_check(const char *path, carom_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    const carom_status status = check_seal(descriptor, path, error);
    close(descriptor);
    return status;
}
