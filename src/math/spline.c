// SPDX-License-Identifier: Apache-2.0
// A function given by points: piecewise linear, or a twice continuously differentiable cubic
// spline. With intervals h_i and slopes d_i = (y_i+1 - y_i)/h_i the second derivatives m_i solve
//
//     h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i m_i+1 = 6 (d_i - d_i-1)
//
// with m = 0 at both ends (natural) or wrapped around (periodic; the corner entries by the
// Sherman-Morrison formula). C. de Boor, A Practical Guide to Splines, 1978, chapter IV.
#include "math/spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Solves a tridiagonal system in place by elimination without pivoting
// (the matrix is diagonally dominant): below[i] x[i-1] + diagonal[i] x[i] + above[i] x[i+1] = x[i]
// on entry. diagonal is overwritten.
static void solve_tridiagonal(int n, const double *below, double *diagonal, const double *above,
                              double *x)
{
    for (int i = 1; i < n; i++) {
        const double factor = below[i] / diagonal[i - 1];
        diagonal[i] -= factor * above[i - 1];
        x[i] -= factor * x[i - 1];
    }
    for (int i = n - 1; i >= 0; i--)
        x[i] = (x[i] - (i < n - 1 ? above[i] * x[i + 1] : 0)) / diagonal[i];
}

static void curve_natural(int n, const double *x, const double *y, double *m, double *work)
{
    double *below = work, *diagonal = work + n, *above = work + 2 * n;
    for (int i = 1; i < n - 1; i++) {
        const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
        below[i] = before;
        diagonal[i] = 2 * (before + after);
        above[i] = after;
        m[i] = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    }
    m[0] = m[n - 1] = 0;
    if (n > 2) solve_tridiagonal(n - 2, below + 1, diagonal + 1, above + 1, m + 1);
}

static void curve_periodic(int n, const double *x, const double *y, double *m, double *work)
{
    const int last = n - 1; // unknowns m_0 .. m_last-1; m_last = m_0
    double *below = work, *diagonal = work + n, *above = work + 2 * n, *v = work + 3 * n,
           *copy = work + 4 * n;
    for (int i = 0; i < last; i++) {
        const int j = i ? i - 1 : last - 1;
        const double before = x[j + 1] - x[j], after = x[i + 1] - x[i];
        below[i] = before;
        diagonal[i] = 2 * (before + after);
        above[i] = after;
        m[i] = 6 * ((y[i + 1] - y[i]) / after - (y[j + 1] - y[j]) / before);
    }
    // A = B + u w', u = (g, 0, .., corner), w = (1, 0, .., corner/g)
    const double corner = below[0], g = -diagonal[0];
    diagonal[0] -= g;
    diagonal[last - 1] -= corner * corner / g;
    memcpy(copy, diagonal, sizeof(double) * (size_t)last);
    memset(v, 0, sizeof(double) * (size_t)last);
    v[0] = g;
    v[last - 1] = corner;
    solve_tridiagonal(last, below, copy, above, v);
    solve_tridiagonal(last, below, diagonal, above, m);
    const double factor = (m[0] + corner / g * m[last - 1]) / (1 + v[0] + corner / g * v[last - 1]);
    for (int i = 0; i < last; i++) m[i] -= factor * v[i];
    m[last] = m[0];
}

static carom_status check_points(int n, const double *x, const double *y, carom_error *error)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "point %d of the table is not a finite number", i + 1);
        if (i && !(x[i] > x[i - 1]))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "the abscissae of a table must increase, but point %d has %g after %g", i + 1, x[i],
                x[i - 1]);
    }
    return CAROM_OK;
}

static carom_status check_period(int n, const double *x, const double *y, double period,
                                 carom_error *error)
{
    if (period == 0) return CAROM_OK;
    const double span = x[n - 1] - x[0];
    double scale = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(y[i]));
    if (!(fabs(period - span) <= 1e-9 * span))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the period %g of a table must be its last minus its first abscissa, %g",
                          period, span);
    if (!(fabs(y[n - 1] - y[0]) <= 1e-9 * scale))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a periodic table must end with the value it starts with, not %g and %g",
                          y[0], y[n - 1]);
    return CAROM_OK;
}

static carom_spline *allocate(int n)
{
    carom_spline *spline = calloc(1, sizeof *spline);
    if (!spline) return NULL;
    spline->n = n;
    spline->x = calloc((size_t)n, sizeof(double));
    spline->coefficient = calloc(4 * (size_t)n, sizeof(double));
    if (spline->x && spline->coefficient) return spline;
    carom_spline_free(spline);
    return NULL;
}

static void fill_interval(const double *x, const double *y, const double *m, double *c)
{
    const double h = x[1] - x[0];
    c[0] = y[0];
    c[1] = (y[1] - y[0]) / h - h / 6 * (2 * m[0] + m[1]);
    c[2] = 0.5 * m[0];
    c[3] = (m[1] - m[0]) / (6 * h);
}

carom_status carom_spline_new(const carom_table_points *points, carom_spline **spline,
                              carom_error *error)
{
    *spline = NULL;
    const int n = points->n;
    const double *x = points->x, *y = points->y, period = points->period;
    const bool is_cubic = points->is_cubic;
    const int least = is_cubic && period != 0 ? 4 : 2;
    if (n < least)
        return carom_fail(error, CAROM_BAD_INPUT, "the table has %d points, but needs at least %d",
                          n, least);
    CAROM_TRY(check_points(n, x, y, error));
    CAROM_TRY(check_period(n, x, y, period, error));
    double *work = calloc(6 * (size_t)n, sizeof(double));
    carom_spline *made = allocate(n);
    if (!work || !made) {
        free(work);
        carom_spline_free(made);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a table of %d points", n);
    }
    double *m = work + 5 * n;
    memcpy(made->x, x, sizeof(double) * (size_t)n);
    made->period = period != 0 ? x[n - 1] - x[0] : 0;
    if (is_cubic && period != 0) curve_periodic(n, x, y, m, work);
    if (is_cubic && period == 0) curve_natural(n, x, y, m, work);
    for (int i = 0; i < n - 1; i++) fill_interval(x + i, y + i, m + i, made->coefficient + 4 * i);
    free(work);
    *spline = made;
    return CAROM_OK;
}

carom_spline *carom_spline_copy(const carom_spline *spline)
{
    carom_spline *copy = allocate(spline->n);
    if (!copy) return NULL;
    memcpy(copy->x, spline->x, sizeof(double) * (size_t)spline->n);
    memcpy(copy->coefficient, spline->coefficient, 4 * sizeof(double) * (size_t)spline->n);
    copy->period = spline->period;
    return copy;
}

void carom_spline_free(carom_spline *spline)
{
    if (!spline) return;
    free(spline->x);
    free(spline->coefficient);
    free(spline);
}

double carom_spline_at(const carom_spline *spline, double x, int order)
{
    const int last = spline->n - 1;
    if (spline->period > 0) {
        x -= spline->period * floor((x - spline->x[0]) / spline->period);
        // rounding can leave x just outside
        if (x < spline->x[0]) x = spline->x[0];
        if (x > spline->x[last]) x = spline->x[last];
    }
    if (!(x >= spline->x[0] && x <= spline->x[last])) return NAN;
    int low = 0, high = last;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(spline->x[middle] <= x ? &low : &high) = middle;
    }
    const double *c = spline->coefficient + 4 * low, s = x - spline->x[low];
    switch (order) {
    case 0:
        return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1:
        return c[1] + s * (2 * c[2] + s * 3 * c[3]);
    case 2:
        return 2 * c[2] + s * 6 * c[3];
    case 3:
        return 6 * c[3];
    default:
        return 0;
    }
}
