// SPDX-License-Identifier: Apache-2.0
// Sparse contact problems are collected through the coordinates that rows share, so that the cost
// follows the number of entries of G that are not zero.
#include "dynamics/columns.h"

#include "base/grow.h"
#include "base/limits.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// an entry with its row, by columns and by rows, and its place
enum { ENTRY_BYTES = 32 };

bool carom_columns_reserve(carom_columns *columns, int n)
{
    if (n <= columns->room) return true;
    // twice this many can still be counted
    const double asked = columns->bytes > 0 ? columns->bytes / ENTRY_BYTES : INFINITY;
    const int most = asked < INT_MAX / 2 ? (int)asked : INT_MAX / 2;
    columns->is_full = n < 0 || n > most;
    if (columns->is_full) return false;
    const int twice = columns->room < most / 2 ? 2 * columns->room : most;
    const int room = n > twice ? n : twice;
    if (!carom_grow(&columns->index, sizeof(int), (size_t)room) ||
        !carom_grow(&columns->value, sizeof(double), (size_t)room))
        return false;
    columns->room = room;
    return true;
}

carom_status carom_columns_fail(const carom_columns *columns, carom_error *error)
{
    if (columns->is_full && columns->bytes > 0)
        return carom_limit_fail(error, (carom_place){0}, "the contact problem of a step needs",
                                "bytes", columns->bytes);
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the contact problem");
}

// walking the columns in order leaves every row sorted
bool carom_columns_turn_to_rows(carom_columns *columns, carom_matrix *G, int *room)
{
    const int n = G->n, n_entry = columns->start[n];
    if (n_entry > columns->room_place) {
        if (!carom_grow(&columns->place, sizeof(int), 2 * (size_t)n_entry)) return false;
        columns->room_place = 2 * n_entry;
    }
    if (n_entry > *room) {
        const size_t more = 2 * (size_t)n_entry;
        if (!carom_grow(&G->index, sizeof(int), more) ||
            !carom_grow(&G->value, sizeof(double), more))
            return false;
        *room = 2 * n_entry;
    }
    memset(G->start, 0, sizeof(int) * (size_t)(n + 1));
    for (int k = 0; k < n_entry; k++) G->start[columns->index[k] + 1]++;
    for (int i = 0; i < n; i++) G->start[i + 1] += G->start[i];
    for (int j = 0; j < n; j++)
        for (int k = columns->start[j]; k < columns->start[j + 1]; k++) {
            const int to = G->start[columns->index[k]]++;
            G->index[to] = j;
            G->value[to] = columns->value[k];
            columns->place[k] = to;
        }
    for (int i = n; i > 0; i--) G->start[i] = G->start[i - 1];
    G->start[0] = 0;
    return true;
}

void carom_links_clear(carom_links *links)
{
    for (int d = 0; d < links->n; d++) links->first[d] = -1;
    links->n_entry = 0;
}

bool carom_links_add(carom_links *links, int i, const carom_sparse *W, int r)
{
    const int wanted = links->n_entry + W->start[r + 1] - W->start[r];
    if (wanted > links->room) {
        if (!carom_grow(&links->next, sizeof(int), 2 * (size_t)wanted) ||
            !carom_grow(&links->row, sizeof(int), 2 * (size_t)wanted))
            return false;
        links->room = 2 * wanted;
    }
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const int at = links->n_entry++;
        links->row[at] = i;
        links->next[at] = links->first[W->index[k]];
        links->first[W->index[k]] = at;
    }
    return true;
}

bool carom_links_collect(const carom_links *links, carom_columns *columns, int j, int n_touched,
                         const int *touched)
{
    int at = columns->start[j];
    bool is_good = carom_columns_reserve(columns, at + 1);
    if (!is_good) return false;
    columns->index[at++] = j;
    links->is_in[j] = 1;
    for (int k = 0; k < n_touched && is_good; k++)
        for (int e = links->first[touched[k]]; e >= 0 && is_good; e = links->next[e]) {
            const int i = links->row[e];
            if (links->is_in[i]) continue;
            is_good = carom_columns_reserve(columns, at + 1);
            if (!is_good) break;
            links->is_in[i] = 1;
            columns->index[at++] = i;
        }
    for (int k = columns->start[j]; k < at; k++) links->is_in[columns->index[k]] = 0;
    columns->start[j + 1] = at;
    return is_good;
}
