// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ. What counts: "v x y z" and "f a b c ...", where each corner is a number (from 1,
// or from the end backwards: -1 is the last vertex so far), perhaps with /texture/normal behind it.
// Faces of more than three corners are cut into fans. Everything else (normals, groups, materials)
// is left out, but curved surfaces are refused, because their form would be missing.
#include "shapes/mesh/mesh.h"
#include "shapes/mesh/scan.h"

#include "base/list.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner {
    double x[3];
} corner;

typedef struct three {
    int v[3];
} three;

typedef struct reading {
    carom_scan scan;
    carom_arena *arena;
    CAROM_LIST(corner) points;
    CAROM_LIST(three) faces;
    carom_error *error;
} reading;

static carom_status read_vertex(reading *r)
{
    corner *point = CAROM_LIST_ADD(r->arena, &r->points);
    if (!point) return carom_fail(r->error, CAROM_NO_MEMORY, "out of memory");
    for (int k = 0; k < 3; k++) {
        if (!carom_scan_word(&r->scan, ""))
            return carom_fail_at(r->error, carom_scan_here(&r->scan), CAROM_BAD_INPUT,
                                 "a vertex has three coordinates (v 0 0 1)");
        CAROM_TRY(carom_scan_number(&r->scan, &point->x[k], r->error));
    }
    return CAROM_OK;
}

/// The vertex that the word at hand names: 12, 12/3, 12/3/4, 12//4, or a negative number.
static carom_status read_corner(const reading *r, int *vertex)
{
    char *end;
    const char *word = r->scan.word;
    const long number = strtol(word, &end, 10);
    const long place = number < 0 ? r->points.n + number : number - 1;
    if (end == word || (*end && *end != '/'))
        return carom_fail_at(r->error, r->scan.place, CAROM_BAD_INPUT,
                             "a corner of a face is the number of a vertex (f 1 2 3 or "
                             "f 1/1/1 2/2/1 3/3/1)");
    if (place < 0 || place >= r->points.n)
        return carom_fail_at(r->error, r->scan.place, CAROM_BAD_INPUT,
                             "a corner names vertex %ld, and there are %d before this line", number,
                             r->points.n);
    *vertex = (int)place;
    return CAROM_OK;
}

static carom_status read_face(reading *r)
{
    int first = 0, before = 0, n = 0;
    for (; carom_scan_word(&r->scan, ""); n++) {
        int vertex = 0;
        CAROM_TRY(read_corner(r, &vertex));
        if (n == 0) first = vertex;
        if (n >= 2) {
            three *face = CAROM_LIST_ADD(r->arena, &r->faces);
            if (!face) return carom_fail(r->error, CAROM_NO_MEMORY, "out of memory");
            *face = (three){{first, before, vertex}};
        }
        before = vertex;
    }
    if (n < 3)
        return carom_fail_at(r->error, carom_scan_here(&r->scan), CAROM_BAD_INPUT,
                             "a face has three corners or more (f 1 2 3)");
    return CAROM_OK;
}

static bool is_curved(const char *word)
{
    static const char *const words[] = {"cstype", "curv", "curv2", "surf", "bmat", "parm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

carom_status carom_obj_read(carom_arena *arena, const char *file, const char *text, size_t length,
                            carom_triangles *triangles, carom_error *error)
{
    reading r = {carom_scan_begin(file, text, length), arena, {0}, {0}, error};
    do {
        if (!carom_scan_word(&r.scan, "")) continue;
        if (strcmp(r.scan.word, "v") == 0)
            CAROM_TRY(read_vertex(&r));
        else if (strcmp(r.scan.word, "f") == 0)
            CAROM_TRY(read_face(&r));
        else if (is_curved(r.scan.word))
            return carom_fail_at(error, r.scan.place, CAROM_BAD_INPUT,
                                 "curved surfaces are not read (write it as triangles)");
    } while (carom_scan_line(&r.scan));
    if (r.faces.n == 0)
        return carom_fail_at(error, (carom_place){file, 0, 0}, CAROM_BAD_INPUT,
                             "there is no face in it (an OBJ file has lines v ... and f ...)");
    triangles->n_point = r.points.n;
    triangles->n_face = r.faces.n;
    triangles->point = CAROM_TAKE(arena, double, 3 * r.points.n);
    triangles->face = CAROM_TAKE(arena, int, 3 * r.faces.n);
    if (!triangles->point || !triangles->face)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < 3 * r.points.n; i++) triangles->point[i] = r.points.item[i / 3].x[i % 3];
    for (int i = 0; i < 3 * r.faces.n; i++) triangles->face[i] = r.faces.item[i / 3].v[i % 3];
    return CAROM_OK;
}
