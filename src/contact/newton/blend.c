// SPDX-License-Identifier: Apache-2.0
// Linear systems with A = R S^-1 G S^-1 + C: dense for small problems (in the memory
// given), else sparse (heap). All rows of a contact share one pattern, the union of
// their columns, so that R only mixes values. The factors are those of the transpose, whose
// columns are the rows of A; the analysis is done once for a problem.
#include "contact/newton/blend.h"

#include "contact/solver.h"
#include "math/blocked.h"

#include <stdlib.h>

size_t carom_blend_work(int max_row)
{
    const size_t n = (size_t)max_row, m = n < CAROM_DENSE_LIMIT ? n : CAROM_DENSE_LIMIT;
    return m * m + 2 * n;
}

size_t carom_blend_index(int max_row)
{
    return 2 * (size_t)max_row;
}

// the columns of the rows of block k, increasing; mark tells which have been met
static int list_columns(const carom_blend *blend, int k, int *mark, int *column)
{
    const carom_matrix *G = &blend->problem->G;
    const carom_block *block = &blend->problem->block[k];
    int n = 0;
    for (int i = block->first; i < block->first + block->dim; i++) mark[i] = k;
    for (int i = block->first; i < block->first + block->dim; i++) {
        if (carom_matrix_is_sparse(G)) {
            for (int p = G->start[i]; p < G->start[i + 1]; p++) mark[G->index[p]] = k;
        } else if (!G->dense && G->blocks) {
            const carom_block_rows *B = G->blocks;
            for (int p = B->start[k]; p < B->start[k + 1]; p++)
                for (int j = B->row[B->index[p]]; j < B->row[B->index[p] + 1]; j++) mark[j] = k;
        } else {
            for (int j = 0; j < G->n; j++)
                if (carom_matrix_at(G, i, j) != 0) mark[j] = k;
        }
    }
    for (int j = 0; j < G->n; j++)
        if (mark[j] == k) column[n++] = j;
    return n;
}

static bool take_pattern(carom_blend *blend, int *mark, int *column)
{
    carom_blend_sparse *a = &blend->sparse;
    const carom_problem *problem = blend->problem;
    size_t room = 0;
    a->start[0] = 0;
    // first the lengths, then the entries
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < problem->n_row; i++) mark[i] = -1;
        for (int k = 0; k < problem->n_block; k++) {
            const carom_block *block = &problem->block[k];
            const int n = list_columns(blend, k, mark, column);
            room += (size_t)n * (size_t)block->dim;
            if (room > 1u << 29) return false;
            for (int i = block->first; i < block->first + block->dim; i++) {
                a->start[i + 1] = a->start[i] + n;
                for (int p = 0; p < n && pass == 1; p++) a->index[a->start[i] + p] = column[p];
            }
        }
        if (pass == 1) break;
        a->index = malloc((room + 1) * sizeof(int));
        a->base = malloc((room + 1) * sizeof(double));
        a->value = malloc((room + 1) * sizeof(double));
        if (!a->index || !a->base || !a->value) return false;
        room = 0;
    }
    return true;
}

static void fill_base(carom_blend *blend)
{
    carom_blend_sparse *a = &blend->sparse;
    const double *s = blend->s;
    const carom_matrix *G = &blend->problem->G;
    for (int i = 0; i < G->n; i++)
        for (int p = a->start[i]; p < a->start[i + 1]; p++)
            a->base[p] = carom_matrix_at(G, i, a->index[p]) / (s[i] * s[a->index[p]]);
}

static bool open_sparse(carom_blend *blend)
{
    const size_t n = (size_t)blend->problem->n_row;
    carom_blend_sparse *a = &blend->sparse;
    int *mark = calloc(n, sizeof(int)), *column = malloc(n * sizeof(int));
    a->start = malloc((n + 1) * sizeof(int));
    const bool is_good = mark && column && a->start && take_pattern(blend, mark, column);
    free(mark);
    free(column);
    if (is_good) fill_base(blend);
    return is_good;
}

static void note_blocks(carom_blend *blend)
{
    const carom_problem *problem = blend->problem;
    for (int k = 0; k < problem->n_block; k++)
        for (int i = 0; i < problem->block[k].dim; i++)
            blend->block_of[problem->block[k].first + i] = k;
}

bool carom_blend_open(carom_blend *blend, const carom_problem *problem, const double *s,
                      double *work, int *index)
{
    const size_t n = (size_t)problem->n_row;
    *blend = (carom_blend){.problem = problem, .s = s, .x = work, .pivot = index};
    blend->block_of = index + n;
    note_blocks(blend);
    if (!problem->G.dense || n > CAROM_DENSE_LIMIT) return open_sparse(blend);
    blend->A = work + 2 * n;
    return true;
}

bool carom_blend_open_bodies(carom_blend *blend, const carom_problem *problem, const double *s,
                             const carom_body_form *form, carom_body_lu *lu, int *index)
{
    *blend = (carom_blend){.problem = problem, .s = s, .block_of = index + problem->n_row};
    note_blocks(blend);
    return carom_body_blend_open(&blend->bodies, form, lu, s);
}

void carom_blend_close(carom_blend *blend)
{
    carom_body_blend_close(&blend->bodies);
    carom_blend_sparse *a = &blend->sparse;
    carom_sparse_lu_free(&a->lu);
    carom_arena_free(a->arena);
    free(a->start);
    free(a->index);
    free(a->base);
    free(a->value);
    *a = (carom_blend_sparse){0};
}

void carom_blend_product(const carom_blend *blend, const double *x, double *y)
{
    const int n = blend->problem->n_row;
    const carom_blend_sparse *a = &blend->sparse;
    if (blend->bodies.form) {
        carom_body_blend_product(&blend->bodies, x, y);
        return;
    }
    for (int i = 0; i < n && !blend->A; i++) {
        double sum = 0;
        for (int p = a->start[i]; p < a->start[i + 1]; p++) sum += a->base[p] * x[a->index[p]];
        y[i] = sum;
    }
    if (!blend->A) return;
    for (int i = 0; i < n; i++) blend->x[i] = x[i] / blend->s[i];
    carom_matrix_product(&blend->problem->G, blend->x, y);
    for (int i = 0; i < n; i++) y[i] /= blend->s[i];
}

static const carom_block *block_at(const carom_blend *blend, int i)
{
    return &blend->problem->block[blend->block_of[i]];
}

static bool factor_dense(carom_blend *blend, const double *R, const double *C)
{
    const int n = blend->problem->n_row;
    const double *G = blend->problem->G.dense, *s = blend->s;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const carom_block *block = block_at(blend, i);
            const double *g = G + (size_t)j * (size_t)n;
            double *a = blend->A + (size_t)j * (size_t)n + i;
            if (!R || carom_block_is_equality(block)) {
                *a = g[i] / (s[i] * s[j]);
                continue;
            }
            *a = 0;
            for (int k = 0; k < block->dim; k++)
                *a += R[3 * i + k] * g[block->first + k] / (s[block->first + k] * s[j]);
        }
    for (int i = 0; i < n; i++) {
        const carom_block *block = block_at(blend, i);
        double *a = blend->A + i;
        if (carom_block_is_equality(block)) a[(size_t)i * (size_t)n] += C[3 * i];
        for (int k = 0; k < block->dim && !carom_block_is_equality(block); k++)
            a[(size_t)(block->first + k) * (size_t)n] += C[3 * i + k];
    }
    return carom_blocked_lu(n, blend->A, blend->pivot) < 0;
}

static void fill_row(carom_blend *blend, int i, const double *R, const double *C)
{
    carom_blend_sparse *a = &blend->sparse;
    const carom_block *block = block_at(blend, i);
    const int first = a->start[i], n = a->start[i + 1] - first;
    for (int p = 0; p < n; p++) {
        const int own = a->index[first + p] - block->first;
        double x = a->base[first + p];
        if (R && !carom_block_is_equality(block)) {
            x = 0;
            for (int k = 0; k < block->dim; k++)
                x += R[3 * i + k] * a->base[a->start[block->first + k] + p];
        }
        if (carom_block_is_equality(block))
            x += own == i - block->first ? C[3 * i] : 0;
        else if (own >= 0 && own < block->dim)
            x += C[3 * i + own];
        a->value[first + p] = x;
    }
}

static bool factor_sparse(carom_blend *blend, const double *R, const double *C)
{
    carom_blend_sparse *a = &blend->sparse;
    const int n = blend->problem->n_row;
    for (int i = 0; i < n; i++) fill_row(blend, i, R, C);
    if (!a->lu.analysis && carom_sparse_lu_analyse(&a->lu, n, a->start, a->index) != CAROM_OK)
        return false;
    return carom_sparse_lu_factor(&a->lu, a->start, a->index, a->value) == CAROM_OK;
}

bool carom_blend_factor(carom_blend *blend, const double *R, const double *C)
{
    blend->sparse.is_ldl = false;
    if (blend->problem->n_row == 0) return true;
    if (blend->bodies.form) return carom_body_blend_factor(&blend->bodies, R, C);
    return blend->A ? factor_dense(blend, R, C) : factor_sparse(blend, R, C);
}

// whether the scaled matrix, whose diagonal is about 1, equals its transpose
static bool is_symmetric(const carom_blend *blend)
{
    const carom_blend_sparse *a = &blend->sparse;
    const double *s = blend->s;
    for (int i = 0; i < blend->problem->n_row; i++)
        for (int p = a->start[i]; p < a->start[i + 1]; p++) {
            const int j = a->index[p];
            const double other = carom_matrix_at(&blend->problem->G, j, i) / (s[i] * s[j]);
            if (!(fabs(a->base[p] - other) <= 1e-13)) return false;
        }
    return true;
}

static bool factor_symmetric(carom_blend *blend, const double *C)
{
    carom_blend_sparse *a = &blend->sparse;
    const int n = blend->problem->n_row;
    if (!a->arena && is_symmetric(blend)) {
        a->arena = carom_arena_new();
        a->ldl = a->arena ? carom_ldl_new(a->arena, n, a->start, a->index) : NULL;
    }
    if (!a->ldl) return false;
    for (int i = 0; i < n; i++) fill_row(blend, i, NULL, C);
    a->is_ldl = carom_ldl_factor(a->ldl, a->value) < 0;
    return a->is_ldl;
}

bool carom_blend_factor_once(carom_blend *blend, const double *C)
{
    const bool is_sparse = !blend->A && !blend->bodies.form;
    if (is_sparse && factor_symmetric(blend, C)) return true;
    return carom_blend_factor(blend, NULL, C);
}

void carom_blend_solve(const carom_blend *blend, double *x)
{
    const carom_blend_sparse *a = &blend->sparse;
    const int n = blend->problem->n_row;
    if (n == 0) return;
    if (blend->bodies.form)
        carom_body_blend_solve(&blend->bodies, x);
    else if (blend->A)
        carom_blocked_lu_solve(n, blend->A, blend->pivot, x);
    else if (a->is_ldl)
        carom_ldl_solve(a->ldl, x);
    else
        carom_sparse_lu_solve(&a->lu, x, true);
}
