// SPDX-License-Identifier: Apache-2.0
// What can be said of a contact problem without solving it. The rank and the condition come from
// the singular values of G with its rows and columns scaled to a unit diagonal, so that they do not
// depend on units; values below n eps times the largest count as 0.
#include "base/arena.h"
#include "base/need.h"
#include "carom/contact_file.h"
#include "contact/problem/problem.h"
#include "math/singular.h"

#include <float.h>
#include <limits.h>

enum { LARGEST = 400 };

typedef struct look {
    const carom_problem *problem;
    carom_arena *arena;
    double *unit, *column, *row_sum, *dense;
    double *band, *work; // singular values (2 n)
    bool is_small;
} look;

// columns of G one by one: entries, the largest, dead rows; the whole matrix where it is small
static void count_entries(look *l, carom_problem_facts *facts)
{
    const size_t n = (size_t)l->problem->n_row;
    for (size_t j = 0; j < n; j++) {
        l->unit[j] = 1;
        carom_matrix_product(&l->problem->G, l->unit, l->column);
        l->unit[j] = 0;
        for (size_t i = 0; i < n; i++) {
            const double x = l->column[i];
            facts->n_entry += x != 0;
            facts->largest = carom_larger(facts->largest, fabs(x));
            l->row_sum[i] += fabs(x);
            if (l->is_small) l->dense[j * n + i] = x;
        }
    }
    for (size_t i = 0; i < n; i++) facts->n_dead += l->row_sum[i] == 0;
}

static void measure_asymmetry(const look *l, carom_problem_facts *facts)
{
    const carom_matrix *G = &l->problem->G;
    double far = 0;
    for (int i = 0; i < G->n; i++) {
        const bool is_sparse = carom_matrix_is_sparse(G);
        const int first = is_sparse ? G->start[i] : 0, end = is_sparse ? G->start[i + 1] : G->n;
        for (int k = first; k < end; k++) {
            const int j = is_sparse ? G->index[k] : k;
            far = carom_larger(far, fabs(carom_matrix_at(G, i, j) - carom_matrix_at(G, j, i)));
        }
    }
    facts->asymmetry = facts->largest > 0 ? far / facts->largest : 0;
}

static void measure_friction(const carom_problem *problem, carom_problem_facts *facts)
{
    double sum = 0;
    bool is_first = true;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        facts->n_disc += carom_block_is_disc(block);
        facts->n_lower += !block->is_bilateral && block->lower != 0;
        if (block->is_bilateral || block->dim < 2) continue;
        if (is_first || block->mu < facts->mu_low) facts->mu_low = block->mu;
        if (is_first || block->mu > facts->mu_high) facts->mu_high = block->mu;
        is_first = false;
    }
    for (int i = 0; i < problem->n_row; i++) sum += problem->b[i] * problem->b[i];
    facts->norm_b = sqrt(sum);
}

static void measure_rank(look *l, carom_problem_facts *facts)
{
    const int n = l->problem->n_row;
    double *scale = l->unit;
    for (int i = 0; i < n; i++) scale[i] = 1 / sqrt(carom_matrix_size(&l->problem->G, i));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) l->dense[j * n + i] *= scale[i] * scale[j];
    carom_bidiagonal(n, l->dense, l->band, l->work);
    const double largest = carom_singular_value(n, l->band, 0);
    if (isnan(largest)) return;
    facts->rank = carom_singular_above(n, l->band, n * DBL_EPSILON * largest);
    facts->condition =
        facts->rank > 0 ? largest / carom_singular_value(n, l->band, facts->rank - 1) : 1;
}

carom_status carom_problem_look(const carom_problem *problem, carom_problem_facts *facts,
                                carom_error *error)
{
    CAROM_NEED(error, problem);
    CAROM_NEED(error, facts);
    CAROM_TRY(carom_problem_check(problem, INT_MAX / 2, error));
    const int n = problem->n_row;
    look l = {.problem = problem, .arena = carom_arena_new(), .is_small = n <= LARGEST};
    *facts = (carom_problem_facts){.rank = -1, .condition = NAN};
    if (l.arena) {
        l.unit = CAROM_TAKE(l.arena, double, n);
        l.column = CAROM_TAKE(l.arena, double, n);
        l.row_sum = CAROM_TAKE(l.arena, double, n);
        l.dense = CAROM_TAKE(l.arena, double, l.is_small ? n *n : 0);
        l.band = CAROM_TAKE(l.arena, double, 2 * n);
        l.work = CAROM_TAKE(l.arena, double, 2 * n);
    }
    if (!l.arena || !l.unit || !l.column || !l.row_sum || !l.dense || !l.band || !l.work) {
        carom_arena_free(l.arena);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to look at a contact problem");
    }
    measure_friction(problem, facts);
    if (n > 0) {
        count_entries(&l, facts);
        measure_asymmetry(&l, facts);
        if (l.is_small) measure_rank(&l, facts);
    }
    carom_arena_free(l.arena);
    return CAROM_OK;
}
