// SPDX-License-Identifier: Apache-2.0 Each column in turn takes the first colour that none of the
// columns has which it meets in a row. A band of width w needs 2 w + 1 colours, however long it is.
//
// A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of sparse Jacobian matrices, 1974.
#include "math/sparse/colouring.h"

// for each column the rows that it has entries in
static int *list_rows(carom_arena *arena, int n_row, int n_column, const int *start,
                      const int *index, int **first)
{
    int *row = CAROM_TAKE(arena, int, start[n_row]);
    *first = CAROM_TAKE(arena, int, n_column + 2);
    if (!row || !*first) return NULL;
    int *next = *first + 1; // counts, then ends, of the lists one further
    for (int k = 0; k < start[n_row]; k++) next[index[k] + 1]++;
    for (int j = 0; j < n_column; j++) next[j + 1] += next[j];
    for (int i = 0; i < n_row; i++)
        for (int k = start[i]; k < start[i + 1]; k++) row[next[index[k]]++] = i;
    return row;
}

int carom_pattern_colour(int n_row, int n_column, const int *start, const int *index, int *colour)
{
    carom_arena *arena = carom_arena_new();
    int *first, n_colour = -1;
    const int *row = arena ? list_rows(arena, n_row, n_column, start, index, &first) : NULL;
    int *met_by = row ? CAROM_TAKE(arena, int, n_column + 1) : NULL; // colours: column + 1
    if (met_by) n_colour = 0;
    for (int j = 0; j < n_column; j++) colour[j] = -1;
    for (int j = 0; met_by && j < n_column; j++) {
        for (int r = first[j]; r < first[j + 1]; r++)
            for (int k = start[row[r]]; k < start[row[r] + 1]; k++)
                if (colour[index[k]] >= 0) met_by[colour[index[k]]] = j + 1;
        int c = 0;
        while (met_by[c] == j + 1) c++;
        colour[j] = c;
        if (c == n_colour) n_colour++;
    }
    carom_arena_free(arena);
    return n_colour;
}
