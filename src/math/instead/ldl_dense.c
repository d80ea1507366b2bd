// SPDX-License-Identifier: Apache-2.0
// The factors of ldl.h in a build without SuiteSparse (CAROM_SPARSE=OFF): dense,
//
//     A = L D L'      row by row
//
// up to CAROM_MOST_DENSE unknowns; for more there are none.
// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 4.1.
#include "math/instead/capacity.h"
#include "math/sparse/ldl.h"

#include "math/small.h"

#include <string.h>

struct carom_ldl {
    int n;
    int *start, *index; // pattern of A (n+1, entries)
    double *L, *D;      // (n*n by rows, below the diagonal), (n)
};

carom_ldl *carom_ldl_new(carom_arena *arena, int n, const int *start, const int *index)
{
    carom_ldl *m = n <= CAROM_MOST_DENSE ? CAROM_TAKE(arena, carom_ldl, 1) : NULL;
    if (!m) return NULL;
    m->n = n;
    m->start = CAROM_TAKE(arena, int, n + 1);
    m->index = CAROM_TAKE(arena, int, start[n]);
    m->L = CAROM_TAKE(arena, double, n *n);
    m->D = CAROM_TAKE(arena, double, n);
    if (!m->start || !m->index || !m->L || !m->D) return NULL;
    memcpy(m->start, start, sizeof(int) * (size_t)(n + 1));
    memcpy(m->index, index, sizeof(int) * (size_t)start[n]);
    return m;
}

double carom_ldl_count(carom_arena *arena, int n, const int *start, const int *index)
{
    (void)arena, (void)start, (void)index;
    return 0.5 * n * (n - 1.0);
}

int carom_ldl_factor(carom_ldl *m, const double *value)
{
    const int n = m->n;
    memset(m->L, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        double *row = m->L + i * n, diagonal = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            if (m->index[k] < i) row[m->index[k]] += value[k];
            if (m->index[k] == i) diagonal += value[k];
        }
        m->D[i] = diagonal;
        for (int j = 0; j < i; j++)
            row[j] -= carom_small_dot(j, row, m->L + j * n); // L_ij D_j until the row is done
        for (int j = 0; j < i; j++) {
            const double scaled = row[j];
            row[j] /= m->D[j];
            m->D[i] -= row[j] * scaled;
        }
        if (!carom_small_is_pivot(m->D[i], diagonal)) return i;
    }
    return -1;
}

void carom_ldl_solve(const carom_ldl *m, double *x)
{
    const int n = m->n;
    for (int i = 0; i < n; i++) x[i] -= carom_small_dot(i, m->L + i * n, x);
    for (int i = 0; i < n; i++) x[i] /= m->D[i];
    for (int i = n - 1; i >= 0; i--) carom_small_reduce(i, x[i], m->L + i * n, x);
}

int carom_ldl_entries(const carom_ldl *ldl)
{
    return ldl->start[ldl->n];
}
