// SPDX-License-Identifier: Apache-2.0
// Least squares by Levenberg's and Marquardt's method: with residuals r and their derivatives J (by
// central differences) a step is
//
//     (J'J + lambda diag J'J) d = -J'r,     lambda/9 where chi2 falls, 4 lambda where it does not
//
// inside the bounds: what stands at one and pulls outwards stays. At the end the covariance of the
// values is s^2 (J'J)^-1, with s^2 = 1 where every sigma is given and chi2/(points - values) else.
#include "math/dense.h"
#include "studies/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 200, MOST_TRIES = 25 };
static const double STEP = 1e-5;    // of differences, of an axis' scale
static const double STILL = 1e-9;   // a step, of the scale
static const double ENOUGH = 1e-12; // what chi2 falls by, of itself

typedef struct squares {
    carom_fitting *f;
    int n;
    long n_data;
    double *value, *plus, *minus; // (n_data) fitted on both sides
    double *J;                    // (n n_data) by axes, weighted
    double JJ[CAROM_FIT_AXES * CAROM_FIT_AXES], Jr[CAROM_FIT_AXES];
    bool is_fixed[CAROM_FIT_AXES]; // at a bound, and pulled outwards
    double chi2, lambda;
} squares;

static double weight_of(const squares *s, long i)
{
    return isnan(s->f->fit->data.value[i]) ? 0 : s->f->weight[i % s->f->fit->data.n_column];
}

// one column of J; false where no run near it can be made
static bool differ(squares *s, int k)
{
    const carom_fit_axis *axis = &s->f->fit->axis[k];
    const double at = s->value[k], h = STEP * s->f->scale[k];
    const double high = fmin(at + h, axis->high), low = fmax(at - h, axis->low);
    double ends[2] = {high, low};
    double *to[2] = {s->plus, s->minus};
    for (int side = 0; side < 2; side++) {
        s->value[k] = ends[side];
        if (isfinite(carom_fit_cost(s->f, s->value, to[side]))) continue;
        s->value[k] = ends[side] = at; // one-sided, then
        if (!isfinite(carom_fit_cost(s->f, s->value, to[side]))) return false;
    }
    s->value[k] = at;
    const double width = ends[0] - ends[1];
    if (!(width > 0)) return false;
    for (long i = 0; i < s->n_data; i++) {
        const double slope = (s->plus[i] - s->minus[i]) / width;
        s->J[k * s->n_data + i] = weight_of(s, i) > 0 ? weight_of(s, i) * slope : 0;
    }
    return true;
}

static bool find_derivatives(squares *s)
{
    const double *measured = s->f->fit->data.value;
    for (int k = 0; k < s->n; k++)
        if (!differ(s, k)) return false;
    for (int k = 0; k < s->n; k++) {
        const double *a = s->J + k * s->n_data;
        s->Jr[k] = 0;
        for (long i = 0; i < s->n_data; i++)
            if (a[i] != 0) s->Jr[k] += a[i] * weight_of(s, i) * (s->f->fitted[i] - measured[i]);
        for (int j = 0; j <= k; j++) {
            double sum = 0;
            for (long i = 0; i < s->n_data; i++) sum += a[i] * s->J[j * s->n_data + i];
            s->JJ[k * s->n + j] = s->JJ[j * s->n + k] = sum;
        }
        const carom_fit_axis *axis = &s->f->fit->axis[k];
        s->is_fixed[k] = (s->value[k] <= axis->low && s->Jr[k] > 0) ||
                         (s->value[k] >= axis->high && s->Jr[k] < 0);
    }
    return true;
}

// d of a step; false where nothing can be told
static bool find_step(const squares *s, double *d)
{
    double A[CAROM_FIT_AXES * CAROM_FIT_AXES], size[CAROM_FIT_AXES];
    int pivot[CAROM_FIT_AXES];
    for (int k = 0; k < s->n; k++) // entries of size 1
        size[k] = s->JJ[k * s->n + k] > 0 && !s->is_fixed[k] ? sqrt(s->JJ[k * s->n + k]) : 0;
    for (int k = 0; k < s->n; k++) {
        for (int j = 0; j < s->n; j++)
            A[k * s->n + j] =
                size[k] > 0 && size[j] > 0 ? s->JJ[k * s->n + j] / (size[k] * size[j]) : 0;
        A[k * s->n + k] = size[k] > 0 ? 1 + s->lambda : 1;
        d[k] = size[k] > 0 ? -s->Jr[k] / size[k] : 0;
    }
    if (!carom_dense_lu(s->n, A, 1, d, pivot)) return false;
    for (int k = 0; k < s->n; k++) d[k] = size[k] > 0 ? d[k] / size[k] : 0;
    return true;
}

// takes a step that makes chi2 smaller; returns how long it was, of the scales; 0 = there is none
static double take_step(squares *s)
{
    double d[CAROM_FIT_AXES], tried[CAROM_FIT_AXES];
    for (int i = 0; i < MOST_TRIES; i++, s->lambda *= 4) {
        double length = 0;
        if (!find_step(s, d)) continue;
        for (int k = 0; k < s->n; k++) {
            const carom_fit_axis *axis = &s->f->fit->axis[k];
            tried[k] = fmin(axis->high, fmax(axis->low, s->value[k] + d[k]));
            length = fmax(length, fabs(tried[k] - s->value[k]) / s->f->scale[k]);
        }
        const double chi2 = carom_fit_cost(s->f, tried, s->f->tried);
        if (!(chi2 < s->chi2)) {
            if (length <= STILL) return 0;
            continue;
        }
        const double gained = (s->chi2 - chi2) / s->chi2;
        memcpy(s->value, tried, sizeof *tried * (size_t)s->n);
        memcpy(s->f->fitted, s->f->tried, sizeof(double) * (size_t)s->n_data);
        s->chi2 = chi2;
        s->lambda = fmax(1e-12, s->lambda / 9);
        return gained <= ENOUGH ? 0 : length;
    }
    return 0;
}

static bool has_all_sigmas(const carom_fit_data *d)
{
    bool has = true;
    for (int c = 0; c < d->n_column; c++) has &= d->sigma[c] > 0;
    return has;
}

// standard errors and correlations; what stands at a bound is taken as known
static void find_errors(squares *s)
{
    carom_fit *fit = s->f->fit;
    double A[CAROM_FIT_AXES * CAROM_FIT_AXES], C[CAROM_FIT_AXES * CAROM_FIT_AXES] = {0};
    double size[CAROM_FIT_AXES];
    int pivot[CAROM_FIT_AXES];
    const double spare = (double)fit->n_point - s->n;
    const double s2 = has_all_sigmas(&fit->data) ? 1 : s->chi2 / spare;
    for (int k = 0; k < s->n; k++)
        size[k] = s->JJ[k * s->n + k] > 0 && !s->is_fixed[k] ? sqrt(s->JJ[k * s->n + k]) : 0;
    for (int k = 0; k < s->n; k++) {
        for (int j = 0; j < s->n; j++)
            A[k * s->n + j] = k == j ? 1
                              : size[k] > 0 && size[j] > 0
                                  ? s->JJ[k * s->n + j] / (size[k] * size[j])
                                  : 0;
        C[k * s->n + k] = 1;
    }
    const bool is_known = carom_dense_lu(s->n, A, s->n, C, pivot);
    for (int k = 0; k < s->n; k++) {
        const double variance = C[k * s->n + k];
        fit->axis[k].is_at_bound = s->is_fixed[k];
        fit->axis[k].error = s->is_fixed[k] ? 0
                             : is_known && size[k] > 0 && variance > 0
                                 ? sqrt(s2 * variance) / size[k]
                                 : INFINITY;
        for (int j = 0; j < s->n; j++)
            fit->correlation[k * s->n + j] =
                is_known ? C[k * s->n + j] / sqrt(variance * C[j * s->n + j]) : NAN;
    }
}

static void find_residuals(const squares *s)
{
    const carom_fit_data *d = &s->f->fit->data;
    for (int c = 0; c < d->n_column; c++) {
        double sum = 0;
        long n = 0;
        for (long i = 0; i < d->n; i++) {
            const double r = s->f->fitted[i * d->n_column + c] - d->value[i * d->n_column + c];
            if (isnan(r)) continue;
            n++;
            sum += r * r;
            if (fabs(r) > fabs(s->f->fit->largest[c])) s->f->fit->largest[c] = r;
        }
        s->f->fit->rms[c] = n > 0 ? sqrt(sum / (double)n) : NAN;
    }
}

static carom_status iterate(squares *s, carom_error *error)
{
    carom_fit *fit = s->f->fit;
    s->chi2 = carom_fit_cost(s->f, s->value, s->f->fitted);
    for (fit->passes = 0; fit->passes < MOST_PASSES && !fit->has_converged; fit->passes++) {
        if (!find_derivatives(s))
            return carom_fail(error, CAROM_NOT_CONVERGED,
                              "no run near the best values can be made: %s", s->f->why.message);
        fit->has_converged = take_step(s) <= STILL;
    }
    if (!find_derivatives(s))
        return carom_fail(error, CAROM_NOT_CONVERGED, "%s", s->f->why.message);
    fit->chi2 = s->chi2;
    for (int k = 0; k < s->n; k++) fit->axis[k].value = s->value[k];
    find_errors(s);
    find_residuals(s);
    return CAROM_OK;
}

carom_status carom_fit_squares(carom_fitting *f, double *value, carom_error *error)
{
    squares *s = CAROM_TAKE(f->arena, squares, 1);
    if (!s) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    *s = (squares){.f = f,
                   .n = f->fit->n_axis,
                   .n_data = f->fit->data.n * f->fit->data.n_column,
                   .value = value,
                   .lambda = 1e-3};
    s->plus = CAROM_TAKE(f->arena, double, s->n_data);
    s->minus = CAROM_TAKE(f->arena, double, s->n_data);
    s->J = CAROM_TAKE(f->arena, double, s->n_data * s->n);
    if (!s->plus || !s->minus || !s->J) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    return iterate(s, error);
}
