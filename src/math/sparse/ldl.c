// SPDX-License-Identifier: Apache-2.0
// A large sparse symmetric positive definite matrix:
//
//     Q A Q' = L D L'      Q from approximate minimum degree, once, when the pattern is analysed
//
// The pattern of L is known from the analysis, so that all memory is taken then and a factorisation
// takes none. T. A. Davis, Algorithm 849: a concise sparse Cholesky factorization package, 2005
// (SuiteSparse LDL and AMD).
#include "math/sparse/ldl.h"

#include "math/small.h"

#include <amd.h>
#include <ldl.h>
#include <string.h>

struct carom_ldl {
    int n;
    int *start, *index;     // pattern of A (n+1, entries)
    int *diagonal;          // entry of each diagonal element, -1 = missing (n)
    int *order, *place;     // Q and its inverse (n)
    int *parent, *count;    // elimination tree, entries of each column of L (n)
    int *l_start, *l_index; // pattern of L (n+1, entries of L)
    int *flag, *pattern;    // workspace (n)
    double *l_value, *D;    // factors
    double *y;              // workspace, 0 between factorisations (n)
    double *x;              // workspace of solve (n)
};

static bool take_memory(carom_ldl *m, carom_arena *arena, int n, int n_entry)
{
    int **const list[] = {&m->diagonal, &m->order, &m->place,  &m->parent,
                          &m->count,    &m->flag,  &m->pattern};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        *list[i] = CAROM_TAKE(arena, int, n);
        is_whole = is_whole && *list[i];
    }
    m->n = n;
    m->start = CAROM_TAKE(arena, int, n + 1);
    m->index = CAROM_TAKE(arena, int, n_entry);
    m->l_start = CAROM_TAKE(arena, int, n + 1);
    m->D = CAROM_TAKE(arena, double, n);
    m->y = CAROM_TAKE(arena, double, n);
    m->x = CAROM_TAKE(arena, double, n);
    return is_whole && m->start && m->index && m->l_start && m->D && m->y && m->x;
}

carom_ldl *carom_ldl_new(carom_arena *arena, int n, const int *start, const int *index)
{
    carom_ldl *m = CAROM_TAKE(arena, carom_ldl, 1);
    if (!m || !take_memory(m, arena, n, start[n])) return NULL;
    memcpy(m->start, start, sizeof(int) * (size_t)(n + 1));
    memcpy(m->index, index, sizeof(int) * (size_t)start[n]);
    for (int i = 0; i < n; i++) {
        m->diagonal[i] = -1;
        for (int k = start[i]; k < start[i + 1]; k++)
            if (index[k] == i) m->diagonal[i] = k;
    }
    // any order works, this one fills little
    if (amd_order(n, m->start, m->index, m->order, NULL, NULL) < AMD_OK) return NULL;
    ldl_symbolic(n, m->start, m->index, m->l_start, m->parent, m->count, m->flag, m->order,
                 m->place);
    m->l_index = CAROM_TAKE(arena, int, m->l_start[n]);
    m->l_value = CAROM_TAKE(arena, double, m->l_start[n]);
    return m->l_index && m->l_value ? m : NULL;
}

double carom_ldl_count(carom_arena *arena, int n, const int *start, const int *index)
{
    carom_ldl m = {0};
    if (!take_memory(&m, arena, n, 0)) return 0;
    if (amd_order(n, start, index, m.order, NULL, NULL) < AMD_OK) return 0;
    // LDL reads its pattern only, but says so to no one
    ldl_symbolic(n, (int *)(size_t)start, (int *)(size_t)index, m.l_start, m.parent, m.count,
                 m.flag, m.order, m.place);
    return m.l_start[n];
}

int carom_ldl_factor(carom_ldl *m, const double *value)
{
    // LDL reads its values only, but says so to no one
    double *a = (double *)(size_t)value;
    const int done =
        ldl_numeric(m->n, m->start, m->index, a, m->l_start, m->parent, m->count, m->l_index,
                    m->l_value, m->D, m->y, m->pattern, m->flag, m->order, m->place);
    for (int k = 0; k < done; k++) {
        const int row = m->order[k];
        const double diagonal = m->diagonal[row] < 0 ? 0 : value[m->diagonal[row]];
        if (!carom_small_is_pivot(m->D[k], diagonal)) return row;
    }
    return done < m->n ? m->order[done] : -1;
}

void carom_ldl_solve(const carom_ldl *m, double *x)
{
    ldl_perm(m->n, m->x, x, m->order);
    ldl_lsolve(m->n, m->x, m->l_start, m->l_index, m->l_value);
    ldl_dsolve(m->n, m->x, m->D);
    ldl_ltsolve(m->n, m->x, m->l_start, m->l_index, m->l_value);
    ldl_permt(m->n, x, m->x, m->order);
}

int carom_ldl_entries(const carom_ldl *ldl)
{
    return ldl->start[ldl->n];
}
