// SPDX-License-Identifier: Apache-2.0
// Rows of numbers, separated by commas. Empty lines and those that start with '#' are left out; a
// first line that is no number is a header.
#include "modelfile/geometry/geometry.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

// the cells of one line; is_first: it may be a header
static carom_status read_line(carom_geometry *geometry, const char *s, bool is_first,
                              carom_error *error)
{
    int n = 0;
    for (;; s++) {
        char *end;
        const double x = carom_text_strtod(s, &end);
        const char *rest = end + strspn(end, " \t\r");
        const bool is_number = end != s && (*rest == ',' || *rest == '\n' || *rest == 0);
        if (!is_number && is_first && n == 0) return CAROM_OK;
        if (!is_number || !isfinite(x))
            return carom_geometry_refuse(geometry, "this line has something that is no number",
                                         error);
        double *number = CAROM_LIST_ADD(geometry->arena, &geometry->number);
        if (!number)
            return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
        *number = x;
        n++;
        s = rest;
        if (*s != ',') break;
    }
    if (geometry->n_row > 0 && n != geometry->n_column)
        return carom_geometry_refuse(geometry, "this line has another number of columns", error);
    geometry->n_column = n;
    geometry->n_row++;
    return CAROM_OK;
}

carom_status carom_geometry_rows(carom_geometry *geometry, carom_error *error)
{
    bool is_first = true;
    geometry->line = 1;
    for (const char *s = geometry->source->text; *s; geometry->line++) {
        const char *word = s + strspn(s, " \t\r");
        if (*word && *word != '\n' && *word != '#') {
            CAROM_TRY(read_line(geometry, word, is_first, error));
            is_first = false;
        }
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    geometry->line = 1;
    return geometry->n_row > 0 ? CAROM_OK : carom_geometry_refuse(geometry, "it has no row", error);
}
