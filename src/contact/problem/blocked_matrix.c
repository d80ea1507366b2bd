// SPDX-License-Identifier: Apache-2.0
// A large problem in the form solvers like: by block rows whatever its form was, bilateral groups
// cut into pieces of up to three rows, rows scaled by s = 1/sqrt|G_ii| (the tangential rows of a
// contact alike, so that a disc stays a disc; mu becomes mu s_N / s_T, a radius radius / s).
#include "contact/problem/blocked_matrix.h"

#include "base/grow.h"
#include "contact/problem/reduce.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 3 };

static bool reserve_rows(carom_blocked *a, int n)
{
    if (n <= a->room_row) return true;
    const size_t m = (size_t)n;
    const bool is_good =
        carom_grow(&a->problem.block, sizeof *a->problem.block, m) &&
        carom_grow(&a->problem.b, sizeof(double), m) && carom_grow(&a->s, sizeof(double), m) &&
        carom_grow(&a->P, sizeof(double), m) && carom_grow(&a->piece_of, sizeof(int), m) &&
        carom_grow(&a->mark, sizeof(int), m) && carom_grow(&a->row_value, sizeof(double), m) &&
        carom_grow(&a->row_index, sizeof(int), m) && carom_grow(&a->rows.row, sizeof(int), m + 1) &&
        carom_grow(&a->rows.start, sizeof(int), m + 1);
    if (is_good) a->room_row = n;
    return is_good;
}

// room for n_block blocks with n_value numbers
static bool reserve_blocks(carom_blocked *a, int n_block, int n_value)
{
    if (n_block > a->room_block) {
        const int room = 2 * n_block + 64;
        if (!carom_grow(&a->rows.index, sizeof(int), (size_t)room) ||
            !carom_grow(&a->rows.at, sizeof(int), (size_t)room))
            return false;
        a->room_block = room;
    }
    if (n_value > a->room_value) {
        const int room = 2 * n_value + 64;
        if (!carom_grow(&a->rows.value, sizeof(double), (size_t)room)) return false;
        a->room_value = room;
    }
    return true;
}

// blocks as they are, bilateral groups in pieces
static void cut_pieces(carom_blocked *a, const carom_problem *problem)
{
    int n = 0;
    for (int k = 0; k < problem->n_block; k++) {
        carom_block piece = problem->block[k];
        const int end = piece.first + piece.dim;
        while (piece.first < end) {
            piece.dim = end - piece.first < PIECE ? end - piece.first : PIECE;
            for (int i = 0; i < piece.dim; i++) a->piece_of[piece.first + i] = n;
            a->rows.row[n] = piece.first;
            a->problem.block[n++] = piece;
            piece.first += piece.dim;
        }
    }
    a->rows.row[n] = problem->n_row;
    a->rows.n_block = a->problem.n_block = n;
    a->problem.n_row = a->problem.G.n = problem->n_row;
}

static bool add_block(carom_blocked *a, int k, int c, int *n_block, int *n_value)
{
    const int dim = a->problem.block[k].dim, size = dim * a->problem.block[c].dim;
    if (a->mark[c] >= a->rows.start[k]) return true;
    if (!reserve_blocks(a, *n_block + 1, *n_value + size)) return false;
    a->mark[c] = *n_block;
    a->rows.index[*n_block] = c;
    a->rows.at[(*n_block)++] = *n_value;
    memset(a->rows.value + *n_value, 0, sizeof(double) * (size_t)size);
    *n_value += size;
    return true;
}

// sorts the blocks of a row by column; their numbers stay where they are
static void sort_blocks(const carom_block_rows *B, int k)
{
    for (int p = B->start[k] + 1; p < B->start[k + 1]; p++) {
        const int column = B->index[p], at = B->at[p];
        int q = p;
        for (; q > B->start[k] && B->index[q - 1] > column; q--) {
            B->index[q] = B->index[q - 1];
            B->at[q] = B->at[q - 1];
        }
        B->index[q] = column;
        B->at[q] = at;
    }
}

static bool is_factored(const carom_matrix *G)
{
    return !G->dense && !G->start && !G->blocks;
}

static bool collect_row(carom_blocked *a, const carom_matrix *G, int k, int *n_block, int *n_value)
{
    const carom_block *piece = &a->problem.block[k];
    if (!add_block(a, k, k, n_block, n_value)) return false;
    // the radius of a disc follows the impulse of its contact, whether G couples them or not
    if (piece->of > 0 && !add_block(a, k, a->piece_of[piece->first - piece->of], n_block, n_value))
        return false;
    for (int i = 0; i < piece->dim; i++) {
        const int row = piece->first + i;
        const int n = is_factored(G) ? carom_factor_rows_entries(&a->lists, G->factors, row,
                                                                 a->row_index, a->row_value)
                                     : carom_matrix_entries(G, row, a->row_index, a->row_value);
        for (int e = 0; e < n; e++) {
            const int j = a->row_index[e], c = a->piece_of[j];
            if (!add_block(a, k, c, n_block, n_value)) return false;
            a->rows.value[a->rows.at[a->mark[c]] + (j - a->rows.row[c]) * piece->dim + i] =
                a->row_value[e];
        }
    }
    return true;
}

static bool collect(carom_blocked *a, const carom_matrix *G)
{
    int n_block = 0, n_value = 0;
    if (is_factored(G) && !carom_factor_rows_fill(&a->lists, G->factors, G->n)) return false;
    for (int c = 0; c < a->rows.n_block; c++) a->mark[c] = -1;
    for (int k = 0; k < a->rows.n_block; k++) {
        a->rows.start[k] = n_block;
        if (!collect_row(a, G, k, &n_block, &n_value)) return false;
        a->rows.start[k + 1] = n_block;
        sort_blocks(&a->rows, k);
    }
    return true;
}

static void apply_scales(carom_blocked *a)
{
    const carom_block_rows *B = &a->rows;
    for (int k = 0; k < B->n_block; k++) {
        carom_block *piece = &a->problem.block[k];
        const double *s = a->s + piece->first;
        for (int p = B->start[k]; p < B->start[k + 1]; p++) {
            const int c = B->index[p], width = a->problem.block[c].dim;
            double *block = B->value + B->at[p];
            for (int j = 0; j < width; j++)
                for (int i = 0; i < piece->dim; i++) *block++ *= s[i] * a->s[B->row[c] + j];
        }
        if (!piece->is_bilateral && piece->dim > 1) piece->mu *= s[0] / s[1];
        if (carom_block_is_disc(piece)) piece->radius /= s[0];
        if (piece->of > 0) piece->mu *= s[-piece->of] / s[0];
    }
    for (int i = 0; i < a->problem.n_row; i++) a->problem.b[i] *= a->s[i];
}

bool carom_blocked_fill(carom_blocked *a, const carom_problem *problem, const double *P)
{
    const int n = problem->n_row;
    if (!reserve_rows(a, n)) return false;
    cut_pieces(a, problem);
    if (!collect(a, &problem->G)) return false;
    a->problem.G.blocks = &a->rows;
    memcpy(a->problem.b, problem->b, sizeof(double) * (size_t)n);
    carom_choose_scales(&a->problem, a->s);
    apply_scales(a);
    for (int i = 0; i < n; i++) a->P[i] = P[i] / a->s[i];
    return true;
}

void carom_blocked_answer(const carom_blocked *a, double *P)
{
    for (int i = 0; i < a->problem.n_row; i++) P[i] = a->s[i] * a->P[i];
}

void carom_blocked_free(carom_blocked *a)
{
    free(a->problem.block);
    free(a->problem.b);
    free(a->s);
    free(a->P);
    free(a->piece_of);
    free(a->mark);
    free(a->row_value);
    free(a->row_index);
    free(a->rows.row);
    free(a->rows.start);
    free(a->rows.index);
    free(a->rows.at);
    free(a->rows.value);
    carom_factor_rows_free(&a->lists);
    *a = (carom_blocked){0};
}
