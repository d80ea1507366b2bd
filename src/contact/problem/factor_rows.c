// SPDX-License-Identifier: Apache-2.0
// Row i of W M^-1 W' + diag(d): v = M^-1 w_i on the blocks of the mass that w_i touches, then the
// rows of W that touch these blocks, each once.
#include "contact/problem/factor_rows.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(carom_factor_rows *a, int n_column, int n_entry, int n)
{
    if (n_column > a->room_column) {
        if (!carom_grow(&a->start, sizeof(int), (size_t)n_column + 1) ||
            !carom_grow(&a->v, sizeof(double), (size_t)n_column))
            return false;
        a->room_column = n_column;
    }
    if (n_entry > a->room_entry) {
        if (!carom_grow(&a->row, sizeof(int), (size_t)n_entry)) return false;
        a->room_entry = n_entry;
    }
    if (n > a->room_row) {
        if (!carom_grow(&a->mark, sizeof(int), (size_t)n)) return false;
        a->room_row = n;
    }
    return true;
}

bool carom_factor_rows_fill(carom_factor_rows *a, const carom_factors *f, int n)
{
    const int m = f->n_column;
    if (!reserve(a, m, f->start[n], n)) return false;
    memset(a->start, 0, sizeof(int) * ((size_t)m + 1));
    for (int c = 0; c < m; c++) a->v[c] = 0;
    for (int i = 0; i < n; i++) a->mark[i] = -1;
    for (int p = 0; p < f->start[n]; p++) a->start[f->index[p] + 1]++;
    for (int c = 0; c < m; c++) a->start[c + 1] += a->start[c];
    for (int i = 0; i < n; i++)
        for (int p = f->start[i]; p < f->start[i + 1]; p++) a->row[a->start[f->index[p]]++] = i;
    for (int c = m; c > 0; c--) a->start[c] = a->start[c - 1];
    a->start[0] = 0;
    return true;
}

// the block of the mass that column c lies in
static int mass_of(const carom_factors *f, int c)
{
    int low = 0, high = f->n_mass;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (f->mass_row[middle] <= c)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int carom_factor_rows_entries(carom_factor_rows *a, const carom_factors *f, int i, int *index,
                              double *value)
{
    int n = 0;
    for (int p = f->start[i], m = -1; p < f->start[i + 1]; p++) {
        const bool is_same = m >= 0 && f->index[p] < f->mass_row[m + 1];
        if (!is_same) m = mass_of(f, f->index[p]);
        const int first = f->mass_row[m], dim = f->mass_row[m + 1] - first;
        const double *column = f->inverse + f->inverse_at[m] + (f->index[p] - first) * dim;
        for (int c = 0; c < dim; c++) a->v[first + c] += column[c] * f->value[p];
        for (int c = first; c < first + dim && !is_same; c++)
            for (int q = a->start[c]; q < a->start[c + 1]; q++) {
                if (a->mark[a->row[q]] == i) continue;
                a->mark[a->row[q]] = i;
                index[n++] = a->row[q];
            }
    }
    int n_entry = 0;
    for (int k = 0; k < n; k++) {
        double sum = index[k] == i && f->diagonal ? f->diagonal[i] : 0;
        for (int p = f->start[index[k]]; p < f->start[index[k] + 1]; p++)
            sum += f->value[p] * a->v[f->index[p]];
        index[n_entry] = index[k];
        value[n_entry] = sum;
        n_entry += sum != 0;
    }
    for (int p = f->start[i], m = -1; p < f->start[i + 1]; p++) {
        if (m < 0 || f->index[p] >= f->mass_row[m + 1]) m = mass_of(f, f->index[p]);
        for (int c = f->mass_row[m]; c < f->mass_row[m + 1]; c++) a->v[c] = 0;
    }
    return n_entry;
}

void carom_factor_rows_free(carom_factor_rows *a)
{
    free(a->start);
    free(a->row);
    free(a->mark);
    free(a->v);
    *a = (carom_factor_rows){0};
}
