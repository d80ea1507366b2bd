// SPDX-License-Identifier: Apache-2.0
// Heights of a height field from the text of a table: a line is a row along x, the first line is
// the one with the smallest y. All rows are equally long.
#include "shapes/mesh/mesh.h"
#include "shapes/mesh/scan.h"

#include "base/list.h"

carom_status carom_heights_read(carom_arena *arena, const char *file, const char *text,
                                size_t length, carom_heights *heights, carom_error *error)
{
    enum { MOST = 8 * 1000 * 1000 };
    CAROM_LIST(double) list = {0};
    int n_row = 0, n_column = 0;
    carom_scan scan = carom_scan_begin(file, text, length);
    do {
        int n = 0;
        for (; carom_scan_word(&scan, ",;"); n++) {
            double *value = CAROM_LIST_ADD(arena, &list);
            if (!value) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
            CAROM_TRY(carom_scan_number(&scan, value, error));
            if (list.n > MOST)
                return carom_fail_at(error, scan.place, CAROM_BAD_INPUT,
                                     "there are more than %d heights (take a coarser grid)", MOST);
        }
        if (n == 0) continue;
        if (n_row > 0 && n != n_column)
            return carom_fail_at(error, scan.place, CAROM_BAD_INPUT,
                                 "a row of %d heights after rows of %d (all are equally long)", n,
                                 n_column);
        n_column = n;
        n_row++;
    } while (carom_scan_line(&scan));
    *heights = (carom_heights){n_row, n_column, list.item};
    if (n_row < 2 || n_column < 2)
        return carom_fail_at(error, (carom_place){file, 0, 0}, CAROM_BAD_INPUT,
                             "%d rows of %d heights (a height field has two rows and two columns "
                             "at least)",
                             n_row, n_column);
    return CAROM_OK;
}
