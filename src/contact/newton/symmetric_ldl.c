// SPDX-License-Identifier: Apache-2.0
// Systems with the rows S of a sparse symmetric matrix: rows outside of S become those of the unit
// matrix, so that the pattern stays and one analysis serves all sets,
//
//     Q G_S Q' = L D L'      Q the given order, or, where that fills, approximate minimum degree
//
// T. A. Davis, Algorithm 849: a concise sparse Cholesky factorization package, 2005 (SuiteSparse
// LDL and AMD).
#include "contact/newton/symmetric.h"

#include "math/sparse/order.h"

#include <ldl.h>
#include <string.h>

static const double SMALLEST_PIVOT = 1e-12; // of the diagonal entry

// the pattern of L for the present order
static void find_pattern(carom_symmetric *s)
{
    ldl_symbolic(s->n, s->start, s->index, s->l_start, s->parent, s->count, s->flag, s->order,
                 s->place);
}

bool carom_symmetric_analyse(carom_symmetric *s)
{
    const size_t rows = sizeof(int) * (size_t)(s->n + 1),
                 entries = sizeof(int) * (size_t)s->start[s->n];
    const bool is_known = s->n == s->n_analysed && memcmp(s->start, s->known_start, rows) == 0 &&
                          memcmp(s->index, s->known_index, entries) == 0;
    if (is_known) return true;
    s->n_analysed = 0;
    // chains need no order of their own
    for (int i = 0; i < s->n; i++) s->order[i] = i;
    find_pattern(s);
    if (s->l_start[s->n] > s->start[s->n]) {
        if (!carom_order(s->n, s->start, s->index, s->order)) return false;
        find_pattern(s);
    }
    if (s->l_start[s->n] > s->room_factor &&
        !carom_symmetric_reserve(s, s->n, 2 * s->l_start[s->n]))
        return false;
    memcpy(s->known_start, s->start, rows);
    memcpy(s->known_index, s->index, entries);
    s->n_analysed = s->n;
    return true;
}

static void choose_rows(carom_symmetric *s, const int *is_in)
{
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const int j = s->index[k];
            s->chosen[k] = is_in[i] && is_in[j] ? s->value[k] : (double)(i == j);
        }
}

bool carom_symmetric_solve(carom_symmetric *s, const int *is_in, double *x)
{
    choose_rows(s, is_in);
    const int done =
        ldl_numeric(s->n, s->start, s->index, s->chosen, s->l_start, s->parent, s->count,
                    s->l_index, s->l_value, s->D, s->y, s->pattern, s->flag, s->order, s->place);
    if (done < s->n) return false;
    for (int k = 0; k < s->n; k++)
        if (is_in[s->order[k]] &&
            !(s->D[k] > SMALLEST_PIVOT * carom_symmetric_entry(s, s->order[k], s->order[k])))
            return false;
    ldl_perm(s->n, s->x, x, s->order);
    ldl_lsolve(s->n, s->x, s->l_start, s->l_index, s->l_value);
    ldl_dsolve(s->n, s->x, s->D);
    ldl_ltsolve(s->n, s->x, s->l_start, s->l_index, s->l_value);
    ldl_permt(s->n, x, s->x, s->order);
    return true;
}
