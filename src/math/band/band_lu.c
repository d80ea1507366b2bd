// SPDX-License-Identifier: Apache-2.0
// General bands: column by column, the largest of the rows that still reach it becomes the pivot's.
// Exchanged rows bring entries up to 2 width above the diagonal. Rows are divided by their largest
// entries first, so that units of equations do not choose the pivots.
//
// E. Anderson et al., LAPACK users' guide, 1999 (dgbtf2).
#include "math/band/band_lu.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// column j, moved so that [i] is row i
static double *column_of(const carom_band_lu *m, int j)
{
    return m->value + (ptrdiff_t)j * (3 * m->width + 1) + 2 * m->width - j;
}

static void scale_rows(const carom_band_lu *m)
{
    const int n = m->n, width = m->width;
    for (int i = 0; i < n; i++) m->scale[i] = 0;
    for (int j = 0; j < n; j++) {
        const double *column = column_of(m, j);
        for (int i = j < width ? 0 : j - width, end = smaller(n, j + width + 1); i < end; i++)
            m->scale[i] = fmax(m->scale[i], fabs(column[i]));
    }
    for (int i = 0; i < n; i++) m->scale[i] = m->scale[i] > 0 ? 1 / m->scale[i] : 1;
    for (int j = 0; j < n; j++) {
        double *column = column_of(m, j);
        for (int i = j < width ? 0 : j - width, end = smaller(n, j + width + 1); i < end; i++)
            column[i] *= m->scale[i];
    }
}

static void exchange(const carom_band_lu *m, int i, int k, int first, int end)
{
    for (int j = first; j < end; j++) {
        double *column = column_of(m, j);
        const double kept = column[i];
        column[i] = column[k];
        column[k] = kept;
    }
}

int carom_band_lu_factor(const carom_band_lu *m)
{
    const int n = m->n, width = m->width;
    int reach = 0; // columns that the pivot's row has entries in end here
    scale_rows(m);
    for (int k = 0; k < n; k++) {
        double *pivots = column_of(m, k);
        const int last = smaller(n - 1, k + width);
        int p = k;
        for (int i = k + 1; i <= last; i++)
            if (fabs(pivots[i]) > fabs(pivots[p])) p = i;
        m->swap[k] = p;
        if (!(fabs(pivots[p]) > 0) || !(fabs(pivots[p]) <= DBL_MAX)) return k;
        if (smaller(n, p + width + 1) > reach) reach = smaller(n, p + width + 1);
        if (p != k) exchange(m, k, p, k, reach);
        const double inverse = 1 / pivots[k];
        for (int i = k + 1; i <= last; i++) pivots[i] *= inverse;
        pivots[k] = inverse; // divisions would wait for each other in a solution
        for (int j = k + 1; j < reach; j++) {
            double *column = column_of(m, j);
            const double u = column[k];
            for (int i = k + 1; u != 0 && i <= last; i++) column[i] -= pivots[i] * u;
        }
    }
    return -1;
}

void carom_band_lu_solve(const carom_band_lu *m, int first, int end, double *x)
{
    const int width = m->width;
    for (int i = first; i < end; i++) x[i] *= m->scale[i];
    for (int k = first; k < end; k++) {
        const double *column = column_of(m, k), pivot = x[m->swap[k]];
        x[m->swap[k]] = x[k];
        x[k] = pivot;
        for (int i = k + 1, last = smaller(end - 1, k + width); i <= last; i++)
            x[i] -= column[i] * pivot;
    }
    for (int k = end - 1; k >= first; k--) {
        const double *column = column_of(m, k);
        const double now = x[k] *= column[k];
        for (int i = k - 2 * width < first ? first : k - 2 * width; i < k; i++)
            x[i] -= column[i] * now;
    }
}
