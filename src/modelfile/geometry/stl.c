// SPDX-License-Identifier: Apache-2.0
// STL, both forms. Text: "vertex x y z" three times for each facet; numbers count: what normals say
// is left to the order of the corners. Binary: 80 bytes, a count, 50 bytes for each facet, of which
// the second to fourth triple of floats are its corners (little-endian).
//
// Each facet has corners of its own; equal ones become one vertex, found by a table of their bits.
#include "modelfile/geometry/geometry.h"

#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 84, FACET = 50 };

// vertices by their coordinates (open addressing)
typedef struct vertices {
    carom_geometry *geometry;
    int *slot; // vertex + 1, 0 = free
    size_t room;
} vertices;

static uint64_t mix_bits(const double *p)
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        const double x = p[i] + 0.0; // -0 is 0
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    return hash;
}

// room for n corners
static bool begin_vertices(vertices *v, carom_geometry *geometry, size_t n)
{
    v->geometry = geometry;
    for (v->room = 16; v->room < 2 * n;) v->room *= 2;
    v->slot = CAROM_TAKE(geometry->arena, int, v->room);
    return v->slot != NULL;
}

// the number of the vertex at p; -1 where memory runs out
static int find_vertex(vertices *v, const double *p)
{
    size_t at = (size_t)mix_bits(p) & (v->room - 1);
    for (; v->slot[at]; at = (at + 1) & (v->room - 1)) {
        const double *known = v->geometry->number.item + 3 * (v->slot[at] - 1);
        if (known[0] == p[0] && known[1] == p[1] && known[2] == p[2]) return v->slot[at] - 1;
    }
    if (!carom_geometry_add_point(v->geometry, p)) return -1;
    v->slot[at] = v->geometry->number.n / 3;
    return v->slot[at] - 1;
}

static carom_status add_facet(vertices *v, double p[3][3], carom_error *error)
{
    int corner[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            if (!isfinite(p[i][k]))
                return carom_geometry_refuse(v->geometry, "a coordinate is not finite", error);
        corner[i] = find_vertex(v, p[i]);
        if (corner[i] < 0)
            return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
    }
    // a facet without area says nothing
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) return CAROM_OK;
    return carom_geometry_add_face(v->geometry, corner[0], corner[1], corner[2])
               ? CAROM_OK
               : carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
}

static uint32_t read_word(const unsigned char *s)
{
    return (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
}

static double read_float(const unsigned char *s)
{
    const uint32_t bits = read_word(s);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

// a file of that length cannot be text: texts of STL hold no count that fits
static bool is_binary(const carom_source *source)
{
    if (source->length < HEAD) return false;
    const uint32_t n = read_word((const unsigned char *)source->text + HEAD - 4);
    return source->length == HEAD + (size_t)FACET * n;
}

static carom_status read_binary(carom_geometry *geometry, carom_error *error)
{
    const unsigned char *s = (const unsigned char *)geometry->source->text + HEAD;
    const size_t n = (geometry->source->length - HEAD) / FACET;
    vertices v;
    if (!begin_vertices(&v, geometry, 3 * n))
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
    for (size_t i = 0; i < n; i++, s += FACET) {
        double p[3][3];
        for (int k = 0; k < 9; k++) p[k / 3][k % 3] = read_float(s + 12 + 4 * k);
        CAROM_TRY(add_facet(&v, p, error));
    }
    return CAROM_OK;
}

static carom_status read_text(carom_geometry *geometry, carom_error *error)
{
    vertices v;
    double p[3][3];
    int n = 0;
    if (!begin_vertices(&v, geometry, geometry->source->length / 10))
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
    geometry->line = 1;
    for (const char *s = geometry->source->text; *s; geometry->line++) {
        const char *word = s + strspn(s, " \t");
        if (strncmp(word, "vertex", 6) == 0) {
            for (int k = 0; k < 3; k++) {
                char *end;
                word += k == 0 ? 6 : 0;
                word += strspn(word, " \t");
                p[n][k] = carom_text_strtod(word, &end);
                if (end == word)
                    return carom_geometry_refuse(geometry, "a vertex has three numbers", error);
                word = end;
            }
            if (++n == 3) {
                CAROM_TRY(add_facet(&v, p, error));
                n = 0;
            }
        }
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    return n == 0 ? CAROM_OK : carom_geometry_refuse(geometry, "a facet lacks a vertex", error);
}

carom_status carom_geometry_stl(carom_geometry *geometry, carom_error *error)
{
    geometry->line = 1;
    CAROM_TRY(is_binary(geometry->source) ? read_binary(geometry, error)
                                          : read_text(geometry, error));
    geometry->line = 1;
    if (geometry->face.n > 0) return CAROM_OK;
    return carom_geometry_refuse(geometry, "it has no facet (is it an STL file?)", error);
}
