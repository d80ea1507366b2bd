// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ: lines "v x y z" and "f a b c ...", corners from 1 or from the end (-1), each with
// "/texture/normal" behind it or not. Faces of more corners are split into a fan. All other lines
// (normals, groups, colours) say nothing about the shape.
#include "modelfile/geometry/geometry.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t') s++;
    return s;
}

static bool ends_line(char c)
{
    return c == 0 || c == '\n' || c == '\r' || c == '#';
}

static carom_status read_vertex(carom_geometry *geometry, const char *s, carom_error *error)
{
    double p[3];
    for (int i = 0; i < 3; i++) {
        char *end;
        s = skip_blanks(s);
        p[i] = carom_text_strtod(s, &end);
        if (end == s || !isfinite(p[i]))
            return carom_geometry_refuse(geometry, "a vertex has three numbers (v 0 0 1)", error);
        s = end;
    }
    return carom_geometry_add_point(geometry, p)
               ? CAROM_OK
               : carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
}

// one corner of a face, from 0; -1 = it is none
static int read_corner(const carom_geometry *geometry, const char **s)
{
    const int n = geometry->number.n / 3;
    char *end;
    const long k = strtol(*s, &end, 10);
    if (end == *s) return -1;
    *s = end + strcspn(end, " \t\r\n");
    if (k > 0 && k <= n) return (int)k - 1;
    return k < 0 && k >= -n ? n + (int)k : -1;
}

static carom_status read_face(carom_geometry *geometry, const char *s, carom_error *error)
{
    int corner[3] = {0}, n = 0;
    for (s = skip_blanks(s); !ends_line(*s); s = skip_blanks(s)) {
        const int k = read_corner(geometry, &s);
        if (k < 0)
            return carom_geometry_refuse(
                geometry, "a face names vertices that stand before it (f 1 2 3)", error);
        if (n < 2) {
            corner[n++] = k;
            continue;
        }
        if (n++ > 2) corner[1] = corner[2];
        corner[2] = k;
        if (!carom_geometry_add_face(geometry, corner[0], corner[1], corner[2]))
            return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
    }
    return n >= 3 ? CAROM_OK
                  : carom_geometry_refuse(geometry, "a face has three or more corners", error);
}

carom_status carom_geometry_obj(carom_geometry *geometry, carom_error *error)
{
    geometry->line = 1;
    for (const char *s = geometry->source->text; *s; geometry->line++) {
        const char *word = skip_blanks(s);
        const bool is_word = word[0] && (word[1] == ' ' || word[1] == '\t');
        if (is_word && word[0] == 'v') CAROM_TRY(read_vertex(geometry, word + 1, error));
        if (is_word && word[0] == 'f') CAROM_TRY(read_face(geometry, word + 1, error));
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    geometry->line = 1;
    if (geometry->number.n == 0) return carom_geometry_refuse(geometry, "it has no vertex", error);
    return CAROM_OK;
}
