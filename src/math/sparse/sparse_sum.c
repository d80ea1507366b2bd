// SPDX-License-Identifier: Apache-2.0
// Sorted by columns, then by rows, each time by counting, which keeps the order of what is equal:
// after that, entries of one place stand side by side in the order in which they came.
#include "math/sparse/sparse_sum.h"

#include <string.h>

void carom_sparse_sum_add(carom_sparse_sum *sum, int row, int column, double value)
{
    if (row < 0 || column < 0) return;
    carom_sparse_part *entry = CAROM_LIST_ADD(sum->arena, &sum->entry);
    if (entry)
        *entry = (carom_sparse_part){row, column, value};
    else
        sum->is_out = true;
}

// to: the entries by increasing row, or by increasing column; count (n+1)
static void sort_by(const carom_sparse_part *from, int n_entry, bool is_by_row, int n, int *count,
                    carom_sparse_part *to)
{
    memset(count, 0, sizeof(int) * ((size_t)n + 1));
    for (int k = 0; k < n_entry; k++) count[(is_by_row ? from[k].row : from[k].column) + 1]++;
    for (int i = 0; i < n; i++) count[i + 1] += count[i];
    for (int k = 0; k < n_entry; k++)
        to[count[is_by_row ? from[k].row : from[k].column]++] = from[k];
}

static int count_places(const carom_sparse_part *entry, int n_entry)
{
    int n = n_entry > 0;
    for (int k = 1; k < n_entry; k++)
        n += entry[k].row != entry[k - 1].row || entry[k].column != entry[k - 1].column;
    return n;
}

static bool add_up(const carom_sparse_part *entry, int n_entry, int n, carom_arena *arena,
                   carom_sparse *A)
{
    const int n_place = count_places(entry, n_entry);
    int *start = CAROM_TAKE(arena, int, n + 1), *index = CAROM_TAKE(arena, int, n_place);
    *A = (carom_sparse){n, n, start, index, CAROM_TAKE(arena, double, n_place)};
    if (!start || !index || !A->value) return false;
    int k = 0, at = 0;
    for (int i = 0; i < n; i++) {
        start[i] = at;
        for (; k < n_entry && entry[k].row == i; k++) {
            if (at == start[i] || index[at - 1] != entry[k].column) index[at++] = entry[k].column;
            A->value[at - 1] += entry[k].value;
        }
    }
    start[n] = at;
    return true;
}

// all entries, and a zero for each place of the diagonal
static carom_sparse_part *copy_with_diagonal(const carom_sparse_sum *sum, int n, carom_arena *arena)
{
    const int m = sum->entry.n;
    carom_sparse_part *entry = CAROM_TAKE(arena, carom_sparse_part, m + n);
    if (!entry) return NULL;
    if (m > 0) memcpy(entry, sum->entry.item, sizeof *entry * (size_t)m);
    for (int i = 0; i < n; i++) entry[m + i] = (carom_sparse_part){i, i, 0};
    return entry;
}

bool carom_sparse_sum_finish(const carom_sparse_sum *sum, int n, carom_arena *arena,
                             carom_sparse *A)
{
    const int m = sum->entry.n + n;
    carom_arena *scratch = carom_arena_new();
    carom_sparse_part *entry = scratch ? copy_with_diagonal(sum, n, scratch) : NULL;
    carom_sparse_part *sorted = scratch ? CAROM_TAKE(scratch, carom_sparse_part, m) : NULL;
    int *count = scratch ? CAROM_TAKE(scratch, int, n + 1) : NULL;
    bool is_good = !sum->is_out && entry && sorted && count;
    if (is_good) {
        sort_by(entry, m, false, n, count, sorted);
        sort_by(sorted, m, true, n, count, entry);
        is_good = add_up(entry, m, n, arena, A);
    }
    carom_arena_free(scratch);
    return is_good;
}
