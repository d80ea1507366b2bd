// SPDX-License-Identifier: Apache-2.0
// Rows are taken in pieces that stay in the cache while one diagonal after the other goes over
// them. The loops have no indices: compilers make vectors of them.
#include "math/sparse/diagonals.h"

#include <string.h>

enum { PIECE = 256, MOST_DIAGONALS = 64 };
static const double MOST_FILL = 2; // numbers by diagonals, over entries

// marks each diagonal in use; returns how many there are
static int mark_diagonals(const carom_sparse *A, unsigned char *is_used)
{
    int n_diagonal = 0;
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            unsigned char *used = &is_used[A->index[k] - i + A->n_row];
            n_diagonal += !*used;
            *used = 1;
        }
    return n_diagonal;
}

static bool fill(carom_arena *arena, const unsigned char *is_used, carom_diagonals *made)
{
    const carom_sparse *A = &made->A;
    const int n = made->n;
    int *number = CAROM_TAKE(arena, int, 2 * n);
    made->offset = CAROM_TAKE(arena, int, made->n_diagonal);
    made->value = carom_arena_take(arena, sizeof(double) * (size_t)made->n_diagonal * (size_t)n);
    if (!number || !made->offset || !made->value) return false;
    for (int d = 0, at = 0; d < 2 * n; d++) {
        if (!is_used[d]) continue;
        made->offset[at] = d - n;
        number[d] = at++;
    }
    for (int i = 0; i < n; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            made->value[(size_t)number[A->index[k] - i + n] * (size_t)n + (size_t)i] = A->value[k];
    return true;
}

bool carom_diagonals_make(carom_arena *arena, const carom_sparse *A, carom_diagonals *made)
{
    const int n = A->n_row, n_entry = A->start[n];
    *made = (carom_diagonals){.n = n, .A = *A};
    carom_arena *scratch = carom_arena_new();
    unsigned char *is_used = scratch ? CAROM_TAKE(scratch, unsigned char, 2 * n) : NULL;
    bool is_good = is_used != NULL;
    if (is_good) {
        const int n_diagonal = mark_diagonals(A, is_used);
        if (n_diagonal <= MOST_DIAGONALS && (double)n_diagonal * n <= MOST_FILL * n_entry) {
            made->n_diagonal = n_diagonal;
            is_good = fill(arena, is_used, made);
        }
    }
    carom_arena_free(scratch);
    return is_good;
}

// the rows of a piece for which the diagonal lies in the matrix
static void clip(const carom_diagonals *A, int d, int piece, int *first, int *last)
{
    const int offset = A->offset[d], end = piece + PIECE < A->n ? piece + PIECE : A->n;
    *first = offset < 0 && -offset > piece ? -offset : piece;
    *last = offset > 0 && A->n - offset < end ? A->n - offset : end;
}

// A x of a piece into sum
static void times_piece(const carom_diagonals *A, const double *x, int piece, double *sum)
{
    memset(sum, 0, sizeof(double) * PIECE);
    for (int d = 0; d < A->n_diagonal; d++) {
        int first, last;
        clip(A, d, piece, &first, &last);
        const double *a = A->value + (size_t)d * (size_t)A->n + first;
        const double *from = x + A->offset[d] + first;
        double *restrict to = sum + (first - piece);
        for (int i = 0; i < last - first; i++) to[i] += a[i] * from[i];
    }
}

static double row_times(const carom_sparse *A, int i, const double *x)
{
    double sum = 0;
    for (int k = A->start[i]; k < A->start[i + 1]; k++) sum += A->value[k] * x[A->index[k]];
    return sum;
}

void carom_diagonals_subtract(const carom_diagonals *A, const double *x, double *y)
{
    if (A->n_diagonal == 0) {
        for (int i = 0; i < A->n; i++) y[i] -= row_times(&A->A, i, x);
        return;
    }
    double sum[PIECE];
    for (int piece = 0; piece < A->n; piece += PIECE) {
        const int n = A->n - piece < PIECE ? A->n - piece : PIECE;
        times_piece(A, x, piece, sum);
        for (int i = 0; i < n; i++) y[piece + i] -= sum[i];
    }
}

double carom_diagonals_form(const carom_diagonals *A, const double *x)
{
    double form = 0, part[4] = {0};
    if (A->n_diagonal == 0) {
        for (int i = 0; i < A->n; i++) form += x[i] * row_times(&A->A, i, x);
        return form;
    }
    double sum[PIECE];
    for (int piece = 0; piece < A->n; piece += PIECE) {
        const int n = A->n - piece < PIECE ? A->n - piece : PIECE;
        times_piece(A, x, piece, sum);
        int i = 0;
        for (; i + 4 <= n; i += 4)
            for (int j = 0; j < 4; j++) part[j] += sum[i + j] * x[piece + i + j];
        for (; i < n; i++) form += sum[i] * x[piece + i];
    }
    return form + (part[0] + part[1]) + (part[2] + part[3]);
}
