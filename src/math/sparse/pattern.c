// SPDX-License-Identifier: Apache-2.0
// Whether a sparse pattern by rows can be one: patterns come from callers and files.
#include "math/sparse/pattern.h"

int carom_pattern_fault(carom_pattern_shape shape, const int *start, const int *index)
{
    if (start[0] != 0) return 0;
    // all counts before the first column: they say how many columns there are
    for (int i = 0; i < shape.n_row; i++)
        if (start[i + 1] < start[i] || start[i + 1] > shape.most ||
            start[i + 1] - start[i] > shape.n_column)
            return i;
    for (int i = 0; i < shape.n_row; i++)
        for (int k = start[i], last = -1; k < start[i + 1];
             last = shape.any_order ? -1 : index[k], k++)
            if (index[k] <= last || index[k] >= shape.n_column) return i;
    return -1;
}

static bool has_entry(const int *start, const int *index, int i, int j)
{
    int low = start[i], high = start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < start[i + 1] && index[low] == j;
}

int carom_pattern_unlike(int n, const int *start, const int *index)
{
    for (int i = 0; i < n; i++) {
        if (!has_entry(start, index, i, i)) return i;
        for (int k = start[i]; k < start[i + 1]; k++)
            if (!has_entry(start, index, index[k], i)) return i;
    }
    return -1;
}

void carom_pattern_mirror(const carom_sparse *lower, int *start, int *index, int *from, int *next)
{
    const int n = lower->n_row, *lower_start = lower->start, *lower_index = lower->index;
    for (int i = 0; i < n; i++)
        for (int k = lower_start[i]; k < lower_start[i + 1]; k++) {
            start[i + 1]++;
            if (lower_index[k] < i) start[lower_index[k] + 1]++;
        }
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (int i = 0; i < n; i++)
        for (int k = lower_start[i]; k < lower_start[i + 1]; k++) {
            const int to = start[i] + k - lower_start[i];
            index[to] = lower_index[k];
            from[to] = k;
        }
    // the columns after row j come from the rows below it, in increasing order
    for (int i = 0; i < n; i++) next[i] = start[i] + lower_start[i + 1] - lower_start[i];
    for (int i = 0; i < n; i++)
        for (int k = lower_start[i]; k < lower_start[i + 1]; k++) {
            const int j = lower_index[k];
            if (j == i) continue;
            index[next[j]] = i;
            from[next[j]++] = k;
        }
}
