// SPDX-License-Identifier: Apache-2.0
// STL, text and binary. Every triangle has its own three corners; those that are equal, number for
// number, become one vertex: they are sorted by their coordinates, and numbered in the order in
// which they first appear. Normals are not read: corners say which side is out.
//
//     binary   80 bytes, count (4), then for each triangle 12 floats (normal, corners) and 2 bytes,
//              all little-endian; known by its length, because its head may say "solid" too
//     text     solid ... facet normal x y z  outer loop  vertex x y z (3)  endloop  endfacet ...
#include "shapes/mesh/mesh.h"
#include "shapes/mesh/scan.h"

#include "base/list.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 84, RECORD = 50 };

typedef struct corner {
    double x[3];
    int place; // in the file
} corner;

static int compare_corners(const void *a, const void *b)
{
    const corner *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

static bool are_equal(const corner *p, const corner *q)
{
    return p->x[0] == q->x[0] && p->x[1] == q->x[1] && p->x[2] == q->x[2];
}

/// Triangles of n corners, in the order of the file.
static carom_status join(carom_arena *arena, int n, corner *item, carom_triangles *triangles,
                         carom_error *error)
{
    int *first = CAROM_TAKE(arena, int, n), *number = CAROM_TAKE(arena, int, n);
    double *point = CAROM_TAKE(arena, double, 3 * n);
    triangles->face = CAROM_TAKE(arena, int, n);
    if (!first || !number || !point || !triangles->face)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    qsort(item, (size_t)n, sizeof *item, compare_corners);
    for (int i = 0, same = 0; i < n; i++) { // the first of equal ones stands for all
        if (!are_equal(item + i, item + same)) same = i;
        first[item[i].place] = item[same].place;
        for (int k = 0; k < 3; k++) point[3 * item[i].place + k] = item[i].x[k];
    }
    int n_point = 0;
    for (int i = 0; i < n; i++) {
        if (first[i] == i) {
            for (int k = 0; k < 3; k++) point[3 * n_point + k] = point[3 * i + k];
            number[i] = n_point++;
        }
        triangles->face[i] = number[first[i]];
    }
    triangles->n_point = n_point;
    triangles->n_face = n / 3;
    triangles->point = point;
    return CAROM_OK;
}

static uint32_t read_word(const char *text)
{
    uint32_t value = 0;
    for (int k = 3; k >= 0; k--) value = value << 8 | (unsigned char)text[k];
    return value;
}

static carom_status read_binary(carom_arena *arena, const char *file, const char *text, uint32_t n,
                                carom_triangles *triangles, carom_error *error)
{
    corner *item = CAROM_TAKE(arena, corner, 3 * (int)n);
    if (!item) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < 3 * (int)n; i++) {
        const char *record = text + HEAD + (size_t)RECORD * (size_t)(i / 3) + 12 * (i % 3 + 1);
        item[i].place = i;
        for (int k = 0; k < 3; k++) {
            const uint32_t bits = read_word(record + 4 * k);
            float value;
            memcpy(&value, &bits, sizeof value);
            if (!isfinite(value))
                return carom_fail_at(error, (carom_place){file, 0, 0}, CAROM_BAD_INPUT,
                                     "triangle %d has a coordinate that is not finite", i / 3 + 1);
            item[i].x[k] = value;
        }
    }
    return join(arena, 3 * (int)n, item, triangles, error);
}

/// The next word of the text, on whatever line.
static bool find_word(carom_scan *scan)
{
    while (!carom_scan_word(scan, ""))
        if (!carom_scan_line(scan)) return false;
    return true;
}

static carom_status expect(carom_scan *scan, const char *word, carom_error *error)
{
    if (find_word(scan) && strcmp(scan->word, word) == 0) return CAROM_OK;
    return carom_fail_at(error, scan->place, CAROM_BAD_INPUT, "'%s' is missing here", word);
}

static carom_status read_numbers(carom_scan *scan, double *x, carom_error *error)
{
    for (int k = 0; k < 3; k++) {
        if (!find_word(scan))
            return carom_fail_at(error, carom_scan_here(scan), CAROM_BAD_INPUT,
                                 "three numbers are missing here");
        CAROM_TRY(carom_scan_number(scan, x + k, error));
    }
    return CAROM_OK;
}

static carom_status read_text(carom_arena *arena, const char *file, const char *text, size_t length,
                              carom_triangles *triangles, carom_error *error)
{
    CAROM_LIST(corner) corners = {0};
    carom_scan scan = carom_scan_begin(file, text, length);
    CAROM_TRY(expect(&scan, "solid", error));
    carom_scan_line(&scan);
    while (find_word(&scan) && strcmp(scan.word, "endsolid") != 0) {
        double x[3];
        if (strcmp(scan.word, "solid") == 0) { // another part, whose name follows
            carom_scan_line(&scan);
            continue;
        }
        if (strcmp(scan.word, "facet") != 0)
            return carom_fail_at(error, scan.place, CAROM_BAD_INPUT, "'facet' is missing here");
        CAROM_TRY(expect(&scan, "normal", error));
        for (int k = 0; k < 3; k++) // some write nan for a normal they do not know
            if (!find_word(&scan)) break;
        CAROM_TRY(expect(&scan, "outer", error));
        CAROM_TRY(expect(&scan, "loop", error));
        for (int k = 0; k < 3; k++) {
            CAROM_TRY(expect(&scan, "vertex", error));
            CAROM_TRY(read_numbers(&scan, x, error));
            corner *c = CAROM_LIST_ADD(arena, &corners);
            if (!c) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
            *c = (corner){{x[0], x[1], x[2]}, corners.n - 1};
        }
        CAROM_TRY(expect(&scan, "endloop", error));
        CAROM_TRY(expect(&scan, "endfacet", error));
    }
    if (strcmp(scan.word, "endsolid") != 0)
        return carom_fail_at(error, carom_scan_here(&scan), CAROM_BAD_INPUT,
                             "the text ends without 'endsolid'");
    if (corners.n == 0)
        return carom_fail_at(error, (carom_place){file, 0, 0}, CAROM_BAD_INPUT,
                             "there is no facet in it");
    return join(arena, corners.n, corners.item, triangles, error);
}

carom_status carom_stl_read(carom_arena *arena, const char *file, const char *text, size_t length,
                            carom_triangles *triangles, carom_error *error)
{
    enum { MOST = 20 * 1000 * 1000 };
    const bool has_head = length >= HEAD;
    const uint32_t n = has_head ? read_word(text + HEAD - 4) : 0;
    if (has_head && n > 0 && n <= MOST && length == HEAD + (size_t)RECORD * n)
        return read_binary(arena, file, text, n, triangles, error);
    if (length >= 5 && memcmp(text, "solid", 5) == 0)
        return read_text(arena, file, text, length, triangles, error);
    return carom_fail_at(error, (carom_place){file, 0, 0}, CAROM_BAD_INPUT,
                         "this is no STL file: %zu bytes, neither a text that begins with 'solid' "
                         "nor binary of %u triangles (%zu bytes)",
                         length, (unsigned)n, has_head ? HEAD + (size_t)RECORD * n : 0);
}
