// SPDX-License-Identifier: Apache-2.0
// What was read becomes a carom_problem: blocks, right-hand side, and a matrix that is dense where
// it is small or nearly full, sparse by rows with all its diagonal entries otherwise. A global
// problem  M v = H r + f, u = H' v + w  is reduced column by column:
//
//     G e_j = H' (M^-1 H e_j),     b = w + H' M^-1 f      M factorised once
#include "base/need.h"
#include "contact/files/format.h"
#include "math/sparse/linear_sparse.h"

#include <math.h>
#include <string.h>

enum { SMALL = 128, LARGEST_DENSE = 4096 };

carom_status carom_file_no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY,
                      "a contact problem of this size needs more memory than there is, or than is "
                      "allowed (--limit bytes=N)");
}

void carom_file_contacts(carom_block *block, int n_contact, int dimension, int first,
                         const double *mu)
{
    for (int k = 0; k < n_contact; k++)
        block[k] = (carom_block){.first = first + k * dimension,
                                 .dim = dimension,
                                 .mu = mu && dimension > 1 ? mu[k] : 0,
                                 .id = k};
}

static bool make_dense(carom_arena *arena, const carom_file_matrix *from, carom_matrix *G)
{
    const size_t n = (size_t)from->n_row;
    G->dense = CAROM_TAKE(arena, double, n *n);
    for (size_t i = 0; G->dense && i < n; i++)
        for (int k = from->start[i]; k < from->start[i + 1]; k++)
            G->dense[(size_t)from->index[k] * n + i] = from->value[k];
    return G->dense != NULL;
}

static bool has_diagonal(const carom_file_matrix *from, int i)
{
    for (int k = from->start[i]; k < from->start[i + 1]; k++)
        if (from->index[k] == i) return true;
    return false;
}

// copies row i to the places from used on, with its diagonal entry; returns the next free place
static int copy_row(const carom_file_matrix *from, int i, carom_matrix *G, int used)
{
    bool is_missing = !has_diagonal(from, i);
    for (int k = from->start[i]; k < from->start[i + 1]; k++) {
        if (is_missing && from->index[k] > i) {
            G->index[used++] = i;
            is_missing = false;
        }
        G->index[used] = from->index[k];
        G->value[used++] = from->value[k];
    }
    if (is_missing) G->index[used++] = i;
    return used;
}

static bool make_sparse(carom_arena *arena, const carom_file_matrix *from, carom_matrix *G)
{
    const int n = from->n_row, room = from->start[n] + n;
    G->start = CAROM_TAKE(arena, int, (size_t)n + 1);
    G->index = CAROM_TAKE(arena, int, room);
    G->value = CAROM_TAKE(arena, double, room);
    if (!G->start || !G->index || !G->value) return false;
    for (int i = 0; i < n; i++) G->start[i + 1] = copy_row(from, i, G, G->start[i]);
    return true;
}

carom_status carom_file_problem(carom_contact_file *file, const carom_file_matrix *G,
                                const double *b, int n_block, carom_error *error)
{
    carom_problem *problem = &file->problem;
    const int n = G->n_row;
    const bool is_full = n <= LARGEST_DENSE && 0.4 * (double)n * n <= (double)G->start[n];
    problem->n_row = problem->G.n = n;
    problem->n_block = n_block;
    problem->b = CAROM_TAKE(file->memory, double, n);
    if (!problem->b) return carom_file_no_memory(error);
    if (n > 0) memcpy(problem->b, b, sizeof *b * (size_t)n);
    const bool is_made = n <= SMALL || is_full ? make_dense(file->memory, G, &problem->G)
                                               : make_sparse(file->memory, G, &problem->G);
    file->n_contact = file->dimension = 0;
    for (int k = 0; k < n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (block->is_bilateral) continue;
        const bool is_same = file->n_contact == 0 || file->dimension == block->dim;
        file->dimension = is_same ? block->dim : 0;
        file->n_contact++;
    }
    return is_made ? CAROM_OK : carom_file_no_memory(error);
}

static carom_status factor(const carom_file_matrix *M, carom_arena *arena,
                           carom_linear_sparse **linear, carom_error *error)
{
    CAROM_TRY(carom_linear_sparse_new(arena, M->n_row, M->start[M->n_row] + 1, linear, error));
    for (int i = 0; i < M->n_row; i++)
        for (int k = M->start[i]; k < M->start[i + 1]; k++)
            carom_linear_sparse_add(*linear, i, M->index[k], M->value[k]);
    if (carom_linear_sparse_factor(*linear, NULL) == CAROM_OK) return CAROM_OK;
    carom_linear_sparse_free(*linear);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the mass matrix M of a global problem (%d rows) is singular; it must be "
                      "invertible to reduce the problem to its contacts",
                      M->n_row);
}

// entry of H' x for contact row j, a row of the transposed H
static double row_product(const carom_file_matrix *Ht, int j, const double *x)
{
    double sum = 0;
    for (int k = Ht->start[j]; k < Ht->start[j + 1]; k++) sum += Ht->value[k] * x[Ht->index[k]];
    return sum;
}

typedef struct reduction {
    carom_arena *scratch;
    carom_linear_sparse *linear;
    carom_file_matrix Ht;
    carom_triplets list;
    double *x, *b;
    double seconds, deadline; // that it may take
} reduction;

// false where memory or time runs out
static bool multiply_out(reduction *r, const carom_contact_file *file)
{
    const int n = r->Ht.n_row, m = file->n_velocity;
    for (int j = 0; j < n; j++) {
        if (carom_deadline_is_past(r->deadline)) return false;
        memset(r->x, 0, sizeof *r->x * (size_t)m);
        for (int k = r->Ht.start[j]; k < r->Ht.start[j + 1]; k++)
            r->x[r->Ht.index[k]] = r->Ht.value[k];
        if (r->Ht.start[j] < r->Ht.start[j + 1]) carom_linear_sparse_solve(r->linear, r->x);
        for (int i = 0; i < n; i++) {
            const double g = row_product(&r->Ht, i, r->x);
            if (g != 0 && !carom_triplets_add(r->scratch, &r->list, i, j, g)) return false;
        }
    }
    memcpy(r->x, file->f, sizeof *r->x * (size_t)m);
    carom_linear_sparse_solve(r->linear, r->x);
    for (int i = 0; i < n; i++) r->b[i] = file->w[i] + row_product(&r->Ht, i, r->x);
    return true;
}

static carom_status reduce(reduction *r, carom_contact_file *file, carom_error *error)
{
    carom_file_matrix G;
    const int n = file->H.n_column, m = file->n_velocity, n_block = file->problem.n_block;
    r->x = CAROM_TAKE(r->scratch, double, m);
    r->b = CAROM_TAKE(r->scratch, double, n);
    if (!r->x || !r->b || !carom_file_matrix_transpose(r->scratch, &file->H, &r->Ht))
        return carom_file_no_memory(error);
    if (m > 0) CAROM_TRY(factor(&file->M, r->scratch, &r->linear, error));
    const bool is_done = m == 0 || multiply_out(r, file);
    if (r->linear) carom_linear_sparse_free(r->linear);
    if (!is_done && carom_deadline_is_past(r->deadline))
        return carom_limit_fail(error, (carom_place){0},
                                "to reduce a global problem to its contacts takes", "seconds",
                                r->seconds);
    if (!is_done || !carom_file_matrix_make(r->scratch, n, n, &r->list, &G))
        return carom_file_no_memory(error);
    for (int i = 0; i < G.start[n]; i++)
        if (!isfinite(G.value[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "H' M^-1 H of a global problem is not finite; check its M and H");
    return carom_file_problem(file, &G, r->b, n_block, error);
}

carom_status carom_file_reduce(carom_contact_file *file, const carom_limits *limits,
                               carom_error *error)
{
    reduction r = {.scratch = carom_arena_new(),
                   .list = {.most = limits->bytes / CAROM_TRIPLET_BYTES},
                   .seconds = limits->seconds,
                   .deadline = carom_deadline_in(limits->seconds)};
    if (!r.scratch) return carom_file_no_memory(error);
    const carom_status status = reduce(&r, file, error);
    carom_arena_free(r.scratch);
    return status;
}

static carom_status solve_velocity(const carom_contact_file *file, const double *P, double *v,
                                   carom_arena *arena, carom_error *error)
{
    carom_linear_sparse *linear = NULL;
    CAROM_TRY(factor(&file->M, arena, &linear, error));
    for (int i = 0; i < file->n_velocity; i++) v[i] = file->f[i] + row_product(&file->H, i, P);
    carom_linear_sparse_solve(linear, v);
    carom_linear_sparse_free(linear);
    return CAROM_OK;
}

carom_status carom_contact_file_velocity(const carom_contact_file *file, const double *P, double *v,
                                         carom_error *error)
{
    CAROM_NEED(error, file);
    CAROM_NEED(error, P);
    CAROM_NEED(error, v);
    if (file->n_velocity == 0) return CAROM_OK;
    carom_arena *arena = carom_arena_new();
    if (!arena) return carom_file_no_memory(error);
    const carom_status status = solve_velocity(file, P, v, arena, error);
    carom_arena_free(arena);
    return status;
}
