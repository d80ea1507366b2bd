// SPDX-License-Identifier: Apache-2.0 Sums entries to compressed columns by two bucket sorts, by
// row, then by column, which leave rows increasing and repeated entries side by side. Where each
// entry went is kept: the next matrix mostly comes from the same blocks in the same order, and is
// then summed without sorting, to the same bits.
#include "math/sparse/gather.h"

#include <string.h>

bool carom_gather_take(carom_arena *arena, int n, int most, carom_gather *t)
{
    *t = (carom_gather){.n = n, .most = most};
    int **const per_entry[] = {&t->row, &t->column, &t->place, &t->by_row, &t->sorted, &t->index};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof per_entry / sizeof *per_entry; i++)
        is_whole = (*per_entry[i] = CAROM_TAKE(arena, int, most)) && is_whole;
    t->count = CAROM_TAKE(arena, int, n + 1);
    t->start = CAROM_TAKE(arena, int, n + 1);
    t->value = CAROM_TAKE(arena, double, most);
    t->entry = CAROM_TAKE(arena, double, most);
    return is_whole && t->count && t->start && t->value && t->entry;
}

void carom_gather_resize(carom_gather *t, int n)
{
    if (n != t->n) t->n_placed = 0;
    t->n = n;
}

// count[k] becomes the first place of bucket k
static void count_buckets(const carom_gather *t, const int *key, int *count)
{
    memset(count, 0, sizeof(int) * (size_t)(t->n + 1));
    for (int k = 0; k < t->n_added; k++) count[key[k] + 1]++;
    for (int i = 0; i < t->n; i++) count[i + 1] += count[i];
}

static void sort(carom_gather *t)
{
    count_buckets(t, t->row, t->count);
    for (int k = 0; k < t->n_added; k++) t->by_row[t->count[t->row[k]]++] = k;
    count_buckets(t, t->column, t->start);
    memcpy(t->count, t->start, sizeof(int) * (size_t)(t->n + 1));
    for (int i = 0; i < t->n_added; i++) {
        const int k = t->by_row[i];
        t->sorted[t->count[t->column[k]]++] = k;
    }
}

// neighbours that are the same entry have one place; start is rewritten on the way
static void find_places(carom_gather *t)
{
    int used = 0, from = 0;
    for (int j = 0; j < t->n; j++) {
        const int to = t->start[j + 1], first = used;
        for (int i = from; i < to; i++) {
            const int k = t->sorted[i];
            if (used == first || t->index[used - 1] != t->row[k]) t->index[used++] = t->row[k];
            t->place[k] = used - 1;
        }
        from = to;
        t->start[j + 1] = used;
    }
}

bool carom_gather_sum(carom_gather *t)
{
    const bool is_new = t->is_other || t->n_added != t->n_placed;
    if (is_new) {
        sort(t);
        find_places(t);
        t->n_placed = t->n_added;
    }
    memset(t->entry, 0, sizeof(double) * (size_t)t->start[t->n]);
    for (int k = 0; k < t->n_added; k++) t->entry[t->place[k]] += t->value[k];
    return is_new;
}
