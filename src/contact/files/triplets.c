// SPDX-License-Identifier: Apache-2.0
// Sparse matrices of any shape from entries in any order: two bucket sorts, by column and then by
// row, leave the columns of each row increasing; repeated entries are then neighbours and summed.
#include "contact/files/format.h"

#include <limits.h>
#include <string.h>

static bool grow(carom_arena *arena, carom_triplets *list)
{
    if (list->room > INT_MAX / 2 || (list->most > 0 && list->room >= list->most)) return false;
    const int room = list->room ? 2 * list->room : 256;
    const size_t n = (size_t)list->n;
    int *row = CAROM_TAKE(arena, int, room), *column = CAROM_TAKE(arena, int, room);
    double *value = CAROM_TAKE(arena, double, room);
    if (!row || !column || !value) return false;
    if (n > 0) {
        memcpy(row, list->row, sizeof *row * n);
        memcpy(column, list->column, sizeof *column * n);
        memcpy(value, list->value, sizeof *value * n);
    }
    *list = (carom_triplets){list->most, list->n, room, row, column, value};
    return true;
}

bool carom_triplets_add(carom_arena *arena, carom_triplets *list, int row, int column, double value)
{
    if (list->n == list->room && !grow(arena, list)) return false;
    list->row[list->n] = row;
    list->column[list->n] = column;
    list->value[list->n++] = value;
    return true;
}

// order (n) becomes the entries sorted by key (0 .. n_key-1), ties as in from (NULL: as they come)
static void sort(int n, int n_key, const int *key, const int *from, int *order, int *count)
{
    memset(count, 0, sizeof *count * ((size_t)n_key + 1));
    for (int k = 0; k < n; k++) count[key[k] + 1]++;
    for (int i = 0; i < n_key; i++) count[i + 1] += count[i];
    for (int i = 0; i < n; i++) {
        const int k = from ? from[i] : i;
        order[count[key[k]]++] = k;
    }
}

static void fill(const carom_triplets *list, const int *order, carom_file_matrix *sparse)
{
    int used = 0;
    for (int i = 0; i < list->n; i++) {
        const int k = order[i], row = list->row[k], column = list->column[k];
        const bool is_repeated =
            i > 0 && list->row[order[i - 1]] == row && list->column[order[i - 1]] == column;
        if (!is_repeated) {
            sparse->index[used] = column;
            sparse->start[row + 1]++;
            used++;
        }
        sparse->value[used - 1] += list->value[k];
    }
    for (int i = 0; i < sparse->n_row; i++) sparse->start[i + 1] += sparse->start[i];
}

bool carom_file_matrix_make(carom_arena *arena, int n_row, int n_column, const carom_triplets *list,
                            carom_file_matrix *sparse)
{
    const int most = n_row > n_column ? n_row : n_column;
    carom_arena *scratch = carom_arena_new();
    int *first = scratch ? CAROM_TAKE(scratch, int, list->n) : NULL;
    int *order = scratch ? CAROM_TAKE(scratch, int, list->n) : NULL;
    int *count = scratch ? CAROM_TAKE(scratch, int, (size_t)most + 1) : NULL;
    *sparse =
        (carom_file_matrix){n_row, n_column, CAROM_TAKE(arena, int, (size_t)n_row + 1),
                            CAROM_TAKE(arena, int, list->n), CAROM_TAKE(arena, double, list->n)};
    const bool is_made = first && order && count && sparse->start && sparse->index && sparse->value;
    if (is_made) {
        sort(list->n, n_column, list->column, NULL, first, count);
        sort(list->n, n_row, list->row, first, order, count);
        fill(list, order, sparse);
    }
    carom_arena_free(scratch);
    return is_made;
}

bool carom_file_matrix_transpose(carom_arena *arena, const carom_file_matrix *from,
                                 carom_file_matrix *to)
{
    const int n = from->start[from->n_row];
    *to = (carom_file_matrix){from->n_column, from->n_row,
                              CAROM_TAKE(arena, int, (size_t)from->n_column + 1),
                              CAROM_TAKE(arena, int, n), CAROM_TAKE(arena, double, n)};
    if (!to->start || !to->index || !to->value) return false;
    for (int k = 0; k < n; k++) to->start[from->index[k] + 1]++;
    for (int j = 0; j < to->n_row; j++) to->start[j + 1] += to->start[j];
    for (int i = 0; i < from->n_row; i++)
        for (int k = from->start[i]; k < from->start[i + 1]; k++) {
            const int at = to->start[from->index[k]]++;
            to->index[at] = i;
            to->value[at] = from->value[k];
        }
    // every start has moved on to its end
    for (int j = to->n_row; j > 0; j--) to->start[j] = to->start[j - 1];
    to->start[0] = 0;
    return true;
}
