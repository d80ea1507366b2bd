// SPDX-License-Identifier: Apache-2.0
// A zip file of .npy pieces (NEP 1, version 1.0): the magic, the length of a header, the header as
// text that says type and shape, padded to 64 bytes, then the numbers as they lie in memory. The
// zip's pieces are stored as they are and bear the oldest date there is: same arrays, same bytes.
#include "base/files/npz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "npy files hold little-endian numbers");

enum { OLDEST = 0x21 }; // 1 January 1980

static uint32_t checksum(uint32_t sum, const void *data, size_t n)
{
    const unsigned char *byte = data;
    sum = ~sum;
    for (size_t i = 0; i < n; i++) {
        sum ^= byte[i];
        for (int k = 0; k < 8; k++) sum = (sum >> 1) ^ (0xedb88320u & -(sum & 1));
    }
    return ~sum;
}

static void put(FILE *out, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; i++) fputc((int)(value >> (8 * i) & 255), out);
}

// what the entry beside a piece and that of the directory have in common
static void put_entry(FILE *out, uint32_t sum, unsigned long size, size_t name)
{
    put(out, 20, 2); // needs version 2.0
    put(out, 0, 2);
    put(out, 0, 2); // stored
    put(out, 0, 2);
    put(out, OLDEST, 2);
    put(out, sum, 4);
    put(out, size, 4);
    put(out, size, 4);
    put(out, name, 2);
    put(out, 0, 2);
}

static bool put_piece(carom_npz *npz, const char *name, const char *type, const char *shape,
                      const void *data, size_t n_data)
{
    char file[128], text[256], head[320] = "\x93NUMPY\x01";
    const int n_file = snprintf(file, sizeof file, "%.100s.npy", name);
    const int n_text = snprintf(
        text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    const size_t whole = ((size_t)n_text + 11 + 63) / 64 * 64;
    memset(head + 8, ' ', whole - 8);
    head[7] = 0;
    head[8] = (char)(whole - 10);
    head[9] = 0;
    memcpy(head + 10, text, (size_t)n_text);
    head[whole - 1] = '\n';
    const uint32_t sum = checksum(checksum(0, head, whole), data, n_data);
    const unsigned long size = whole + n_data;
    put(npz->out, 0x04034b50, 4);
    put_entry(npz->out, sum, size, (size_t)n_file);
    fwrite(file, 1, (size_t)n_file, npz->out);
    fwrite(head, 1, whole, npz->out);
    if (n_data > 0) fwrite(data, 1, n_data, npz->out);
    put(npz->directory, 0x02014b50, 4);
    put(npz->directory, 20, 2);
    put_entry(npz->directory, sum, size, (size_t)n_file);
    put(npz->directory, 0, 6);
    put(npz->directory, 0, 4);
    put(npz->directory, npz->at, 4);
    fwrite(file, 1, (size_t)n_file, npz->directory);
    npz->at += 30 + (unsigned long)n_file + size;
    npz->n++;
    return !ferror(npz->out);
}

bool carom_npz_begin(carom_npz *npz, FILE *out)
{
    *npz = (carom_npz){.out = out};
    npz->directory = open_memstream(&npz->listed, &npz->n_listed);
    return npz->directory != NULL;
}

bool carom_npz_matrix(carom_npz *npz, const char *name, const double *value, int n_row,
                      int n_column)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%d, %d", n_row, n_column);
    return put_piece(npz, name, "<f8", shape, value,
                     sizeof *value * (size_t)n_row * (size_t)n_column);
}

// the characters of a text, of which a broken one counts as '?'; returns how many
static size_t decode(const char *text, uint32_t *to)
{
    size_t n = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; n++) {
        const int more = *c < 0x80       ? 0
                         : *c >> 5 == 6  ? 1
                         : *c >> 4 == 14 ? 2
                         : *c >> 3 == 30 ? 3
                                         : -1;
        uint32_t code = more < 0 ? '?' : more == 0 ? *c : *c & (0x3fu >> more);
        c++;
        for (int i = 0; i < more && *c >> 6 == 2; i++) code = code << 6 | (*c++ & 0x3fu);
        if (to) to[n] = code;
    }
    return n;
}

bool carom_npz_texts(carom_npz *npz, const char *name, char *const *text, int n)
{
    size_t longest = 1;
    char shape[64], type[32];
    for (int i = 0; i < n; i++) {
        const size_t length = decode(text[i], NULL);
        if (length > longest) longest = length;
    }
    uint32_t *all = calloc(longest * (size_t)n + 1, sizeof *all);
    if (!all) return false;
    for (int i = 0; i < n; i++) decode(text[i], all + longest * (size_t)i);
    snprintf(shape, sizeof shape, "%d,", n);
    snprintf(type, sizeof type, "<U%zu", longest);
    const bool is_good = put_piece(npz, name, type, shape, all, sizeof *all * longest * (size_t)n);
    free(all);
    return is_good;
}

bool carom_npz_end(carom_npz *npz)
{
    const bool is_whole = fclose(npz->directory) == 0;
    if (is_whole) {
        fwrite(npz->listed, 1, npz->n_listed, npz->out);
        put(npz->out, 0x06054b50, 4);
        put(npz->out, 0, 4);
        put(npz->out, (unsigned long)npz->n, 2);
        put(npz->out, (unsigned long)npz->n, 2);
        put(npz->out, npz->n_listed, 4);
        put(npz->out, npz->at, 4);
        put(npz->out, 0, 2);
    }
    free(npz->listed);
    return is_whole && !ferror(npz->out);
}
