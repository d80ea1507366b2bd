// SPDX-License-Identifier: Apache-2.0
// A random contact matrix of whole numbers in all its forms: dense, by rows, by blocks, and as
// factors W M^-1 W' + diag(d).
#ifndef CAROM_TEST_MATRIX_FORMS_H
#define CAROM_TEST_MATRIX_FORMS_H

#include "contact/problem/problem.h"
#include "contact/random_problem.h"

enum { N_BLOCK = 6, N = 12, N_COLUMN = 9, N_MASS = 4, FORMS = 4 };
enum { DENSE, ROWS, BLOCKS, FACTORS };

static const int dim_of[N_BLOCK] = {3, 1, 2, 3, 1, 2}, mass_dim[N_MASS] = {1, 3, 2, 3};

typedef struct forms {
    double W[N][N_COLUMN], inverse[N_COLUMN][N_COLUMN], G[N][N], d[N], b[N];
    double dense[N * N], row_value[N * N], block_value[N * N], W_value[N * N_COLUMN];
    double M_value[N_COLUMN * N_COLUMN], scratch[2 * N_COLUMN];
    int row_start[N + 1], row_index[N * N];
    int block_row[N_BLOCK + 1], block_start[N_BLOCK + 1], block_index[N_BLOCK * N_BLOCK],
        block_at[N_BLOCK * N_BLOCK];
    int W_start[N + 1], W_index[N * N_COLUMN], mass_row[N_MASS + 1], M_at[N_MASS];
    carom_block block[N_BLOCK];
    carom_block_rows blocks;
    carom_factors factors;
    carom_problem problem[FORMS];
} forms;

static inline double whole(random_state *r)
{
    return floor(7 * draw(r));
}

// M^-1 := L L' with the lower half of M^-1, whose diagonal is made positive
static inline void square_blocks(forms *f)
{
    double L[N_COLUMN][N_COLUMN] = {{0}};
    for (int i = 0; i < N_COLUMN; i++)
        for (int j = 0; j <= i; j++)
            L[i][j] = i == j ? 1 + fabs(f->inverse[i][j]) : f->inverse[i][j];
    for (int i = 0; i < N_COLUMN; i++)
        for (int j = 0; j < N_COLUMN; j++) {
            f->inverse[i][j] = 0;
            for (int c = 0; c < N_COLUMN; c++) f->inverse[i][j] += L[i][c] * L[j][c];
        }
}

// every third row of W is nothing; of the others half. A positive definite one has no such rows,
// few entries, M^-1 = L L', and d > 0.
static inline void draw_numbers(forms *f, random_state *r, bool has_diagonal, bool is_definite)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < N; i++) {
        f->b[i] = whole(r);
        f->d[i] = has_diagonal && i % 2 ? whole(r) : 0;
        if (is_definite) f->d[i] = 1 + fabs(whole(r));
        for (int c = 0; c < N_COLUMN && (is_definite || i % 3); c++)
            f->W[i][c] = draw(r) > (is_definite ? 0.6 : 0) ? whole(r) : 0;
    }
    for (int m = 0, first = 0; m < N_MASS; first += mass_dim[m++])
        for (int i = 0; i < mass_dim[m]; i++)
            for (int j = 0; j <= i; j++)
                f->inverse[first + i][first + j] = f->inverse[first + j][first + i] = whole(r);
    if (is_definite) square_blocks(f);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            f->G[i][j] = i == j ? f->d[i] : 0;
            for (int c = 0; c < N_COLUMN; c++)
                for (int e = 0; e < N_COLUMN; e++)
                    f->G[i][j] += f->W[i][c] * f->inverse[c][e] * f->W[j][e];
        }
}

static inline void fill_rows(forms *f)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        f->row_start[i] = n;
        for (int j = 0; j < N; j++) {
            f->dense[j * N + i] = f->G[i][j];
            if (f->G[i][j] == 0 && i != j) continue;
            f->row_index[n] = j;
            f->row_value[n++] = f->G[i][j];
        }
    }
    f->row_start[N] = n;
}

static inline void fill_blocks(forms *f)
{
    int n = 0, at = 0;
    for (int k = 0; k < N_BLOCK; k++) f->block_row[k + 1] = f->block_row[k] + dim_of[k];
    for (int k = 0; k < N_BLOCK; k++) {
        f->block[k] = (carom_block){.first = f->block_row[k],
                                    .dim = dim_of[k],
                                    .is_bilateral = k % 3 == 0,
                                    .mu = 0.5,
                                    .id = k};
        f->block_start[k] = n;
        for (int c = 0; c < N_BLOCK; c++) {
            bool is_zero = k != c;
            for (int j = 0; j < dim_of[c]; j++)
                for (int i = 0; i < dim_of[k]; i++) {
                    const double x = f->G[f->block_row[k] + i][f->block_row[c] + j];
                    f->block_value[at + j * dim_of[k] + i] = x;
                    is_zero &= x == 0;
                }
            if (is_zero) continue;
            f->block_index[n] = c;
            f->block_at[n++] = at;
            at += dim_of[k] * dim_of[c];
        }
    }
    f->block_start[N_BLOCK] = n;
    f->blocks = (carom_block_rows){N_BLOCK,        f->block_row,   f->block_start,
                                   f->block_index, f->block_value, f->block_at};
}

static inline void fill_factors(forms *f, bool has_diagonal)
{
    int n = 0, at = 0;
    for (int i = 0; i < N; i++) {
        f->W_start[i] = n;
        for (int c = 0; c < N_COLUMN; c++) {
            if (f->W[i][c] == 0) continue;
            f->W_index[n] = c;
            f->W_value[n++] = f->W[i][c];
        }
    }
    f->W_start[N] = n;
    for (int m = 0; m < N_MASS; m++) {
        const int first = f->mass_row[m];
        f->mass_row[m + 1] = first + mass_dim[m];
        f->M_at[m] = at;
        for (int j = 0; j < mass_dim[m]; j++)
            for (int i = 0; i < mass_dim[m]; i++)
                f->M_value[at++] = f->inverse[first + i][first + j];
    }
    f->factors = (carom_factors){.n_column = N_COLUMN,
                                 .start = f->W_start,
                                 .index = f->W_index,
                                 .value = f->W_value,
                                 .n_mass = N_MASS,
                                 .mass_row = f->mass_row,
                                 .inverse = f->M_value,
                                 .inverse_at = f->M_at,
                                 .diagonal = has_diagonal ? f->d : NULL,
                                 .scratch = f->scratch};
}

static inline void make_forms(forms *f, random_state *r, bool has_diagonal, bool is_definite)
{
    draw_numbers(f, r, has_diagonal, is_definite);
    fill_rows(f);
    fill_blocks(f);
    fill_factors(f, has_diagonal || is_definite);
    const carom_matrix G[FORMS] = {
        [DENSE] = {.n = N, .dense = f->dense},
        [ROWS] = {.n = N, .start = f->row_start, .index = f->row_index, .value = f->row_value},
        [BLOCKS] = {.n = N, .blocks = &f->blocks},
        [FACTORS] = {.n = N, .factors = &f->factors},
    };
    for (int k = 0; k < FORMS; k++)
        f->problem[k] = (carom_problem){N, N_BLOCK, f->block, G[k], f->b};
}

#endif
