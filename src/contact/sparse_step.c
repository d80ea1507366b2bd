// SPDX-License-Identifier: Apache-2.0
// One Newton step of a large contact problem: F' is assembled by rows and factorised by UMFPACK (as
// the transpose by columns). Where it is singular, delta I is added to the rows that carry G:
// Newton repeated with that matrix is a proximal point iteration and converges to one of the
// answers.
#include "contact/sparse_step.h"

#include <stdlib.h>
#include <umfpack.h>

typedef struct csr {
    int n;
    int *start, *index;
    double *value;
} csr;

static const double DELTA = 1e-10;

static size_t count_entries(const carom_natural *a)
{
    const carom_matrix *G = &a->problem->G;
    size_t n = 0;
    for (int i = 0; i < G->n; i++) {
        const carom_natural_row *row = &a->row[i];
        n += (size_t)row->dim + 1;
        for (int k = row->first; k < row->first + row->dim && !row->is_identity; k++)
            n += G->dense ? (size_t)G->n : (size_t)(G->start[k + 1] - G->start[k]);
    }
    return n;
}

static void add(csr *J, int i, int j, double x, int *last)
{
    // last[j]: where column j stands in this row
    if (last[j] < J->start[i]) {
        last[j] = J->start[i + 1]++;
        J->index[last[j]] = j;
        J->value[last[j]] = 0;
    }
    J->value[last[j]] += x;
}

static void add_row(const carom_natural *a, csr *J, int i, double delta, int *last)
{
    const carom_matrix *G = &a->problem->G;
    const carom_natural_row *row = &a->row[i];
    add(J, i, i, row->is_identity ? 0 : delta, last);
    for (int k = 0; k < row->dim; k++) {
        const int r = row->first + k;
        add(J, i, r, row->own[k], last);
        if (row->rate[k] == 0) continue;
        if (G->dense)
            for (int j = 0; j < G->n; j++)
                add(J, i, j, row->rate[k] * carom_matrix_at(G, r, j), last);
        else
            for (int p = G->start[r]; p < G->start[r + 1]; p++)
                add(J, i, G->index[p], row->rate[k] * G->value[p], last);
    }
}

static void assemble(const carom_natural *a, csr *J, double delta, int *last)
{
    J->start[0] = 0;
    for (int j = 0; j < J->n; j++) last[j] = -1;
    for (int i = 0; i < J->n; i++) {
        J->start[i + 1] = J->start[i];
        add_row(a, J, i, delta, last);
    }
}

// the rows of J are the columns of its transpose; UMFPACK wants them sorted
static void sort_row(csr *J, int i)
{
    for (int p = J->start[i] + 1; p < J->start[i + 1]; p++) {
        const int column = J->index[p];
        const double x = J->value[p];
        int q = p;
        for (; q > J->start[i] && J->index[q - 1] > column; q--) {
            J->index[q] = J->index[q - 1];
            J->value[q] = J->value[q - 1];
        }
        J->index[q] = column;
        J->value[q] = x;
    }
}

static bool factor_and_solve(const csr *J, const double *F, double *step)
{
    void *symbolic = NULL, *numeric = NULL;
    double info[UMFPACK_INFO];
    bool is_good = false;
    if (umfpack_di_symbolic(J->n, J->n, J->start, J->index, J->value, &symbolic, NULL, NULL) ==
        UMFPACK_OK) {
        const int status =
            umfpack_di_numeric(J->start, J->index, J->value, symbolic, &numeric, NULL, info);
        is_good = status == UMFPACK_OK && info[UMFPACK_RCOND] > 1e-13 &&
                  umfpack_di_solve(UMFPACK_Aat, J->start, J->index, J->value, step, F, numeric,
                                   NULL, NULL) == UMFPACK_OK;
    }
    if (numeric) umfpack_di_free_numeric(&numeric);
    if (symbolic) umfpack_di_free_symbolic(&symbolic);
    return is_good;
}

static bool try_step(const carom_natural *a, csr *J, double delta, int *last, double *step)
{
    assemble(a, J, delta, last);
    for (int i = 0; i < J->n; i++) sort_row(J, i);
    if (!factor_and_solve(J, a->F, step)) return false;
    for (int i = 0; i < J->n; i++) step[i] = -step[i];
    return true;
}

bool carom_sparse_step(const carom_natural *a, double *step)
{
    const size_t n = (size_t)a->problem->n_row, room = count_entries(a) + n;
    csr J = {a->problem->n_row, malloc((n + 1) * sizeof(int)), malloc(room * sizeof(int)),
             malloc(room * sizeof(double))};
    int *last = malloc(n * sizeof(int));
    bool is_good = J.start && J.index && J.value && last && room < (size_t)1 << 30;
    is_good = is_good && (try_step(a, &J, 0, last, step) || try_step(a, &J, DELTA, last, step) ||
                          try_step(a, &J, 1e3 * DELTA, last, step));
    free(J.start);
    free(J.index);
    free(J.value);
    free(last);
    return is_good;
}
