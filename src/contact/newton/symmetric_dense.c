// SPDX-License-Identifier: Apache-2.0
// Systems with the rows S of a symmetric matrix in a build without SuiteSparse (CAROM_SPARSE=OFF):
// G_SS is put together from its rows and factorised, dense,
//
//     G_SS = U'U
//
// for up to CAROM_MOST_DENSE rows. Above, the solvers that need it give way to others.
#include "contact/newton/symmetric.h"

#include "math/instead/capacity.h"
#include "math/small.h"

static const double SMALLEST_PIVOT = 1e-12; // of the diagonal entry

bool carom_symmetric_analyse(carom_symmetric *s)
{
    return s->n <= CAROM_MOST_DENSE && carom_symmetric_reserve(s, s->n, s->n * s->n);
}

// the rows of the set one after the other; place: where each stands, -1 = not in it
static int gather(carom_symmetric *s, const int *is_in)
{
    int m = 0;
    for (int i = 0; i < s->n; i++) s->place[i] = is_in[i] ? m++ : -1;
    for (int k = 0; k < m * m; k++) s->l_value[k] = 0;
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; is_in[i] && k < s->start[i + 1]; k++) {
            const int j = s->place[s->index[k]];
            if (j >= s->place[i]) s->l_value[s->place[i] * m + j] += s->value[k];
        }
    return m;
}

bool carom_symmetric_solve(carom_symmetric *s, const int *is_in, double *x)
{
    const int m = gather(s, is_in);
    if (carom_small_cholesky(m, s->l_value, s->D) >= 0) return false;
    for (int i = 0; i < s->n; i++) {
        if (!is_in[i]) continue;
        const double pivot = 1 / s->D[s->place[i]];
        if (!(pivot * pivot > SMALLEST_PIVOT * carom_symmetric_entry(s, i, i))) return false;
        s->x[s->place[i]] = x[i];
    }
    carom_small_cholesky_solve(m, s->l_value, s->D, s->x);
    for (int i = 0; i < s->n; i++)
        if (is_in[i]) x[i] = s->x[s->place[i]];
    return true;
}
