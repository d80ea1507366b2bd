// SPDX-License-Identifier: Apache-2.0
// A motion in memory and two measures. The distance of curves (t, q, u) is Hausdorff's: the largest
// distance of a point of one to the nearest point of the other, both ways; consecutive rows are
// joined by straight lines, so that a jump is a nearly vertical piece and a jump that comes a
// little late is a small error. The search goes outwards in time until time alone is farther than
// the best.
#include "analysis/kept_motion.h"

#include "math/singular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_motion carom_motion_make(int nq, int nu)
{
    return (carom_motion){.nq = nq, .nu = nu};
}

void carom_motion_free(carom_motion *motion)
{
    free(motion->value);
    motion->value = NULL;
    motion->n = motion->room = 0;
}

static size_t width(const carom_motion *motion)
{
    return 1 + (size_t)motion->nq + (size_t)motion->nu;
}

bool carom_motion_add(carom_motion *motion, double t, const double *q, const double *u)
{
    if (motion->n == motion->room) {
        const size_t room = motion->room ? 2 * motion->room : 256;
        double *more = realloc(motion->value, sizeof(double) * width(motion) * room);
        if (!more) return false;
        motion->value = more;
        motion->room = room;
    }
    double *row = motion->value + width(motion) * motion->n++;
    row[0] = t;
    memcpy(row + 1, q, sizeof(double) * (size_t)motion->nq);
    memcpy(row + 1 + motion->nq, u, sizeof(double) * (size_t)motion->nu);
    return true;
}

const double *carom_motion_row(const carom_motion *motion, size_t k)
{
    return motion->value + width(motion) * k;
}

// square of the distance of a point from the straight line between two rows, in units of scale
static double off_line(const double *point, const double *a, const double *b, const double *scale,
                       size_t n)
{
    double along = 0, length = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double side = (b[i] - a[i]) / scale[i];
        along += (point[i] - a[i]) / scale[i] * side;
        length += side * side;
    }
    const double share = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
    for (size_t i = 0; i < n; i++) {
        const double d = (point[i] - a[i] - share * (b[i] - a[i])) / scale[i];
        sum += d * d;
    }
    return sum;
}

// to the nearest point of the curve; *near is the row at or before the point's time
static double off_curve(const double *point, const carom_motion *curve, const double *scale,
                        size_t *near)
{
    const size_t n = width(curve);
    double best = INFINITY;
    while (*near + 2 < curve->n && carom_motion_row(curve, *near + 1)[0] <= point[0]) ++*near;
    for (size_t k = *near; k + 1 < curve->n; k++) {
        const double *a = carom_motion_row(curve, k), late = (a[0] - point[0]) / scale[0];
        if (late > 0 && late * late >= best) break;
        best = fmin(best, off_line(point, a, carom_motion_row(curve, k + 1), scale, n));
    }
    for (size_t k = *near; k > 0; k--) {
        const double *b = carom_motion_row(curve, k), early = (point[0] - b[0]) / scale[0];
        if (early > 0 && early * early >= best) break;
        best = fmin(best, off_line(point, carom_motion_row(curve, k - 1), b, scale, n));
    }
    return best;
}

static double off_way(const carom_motion *from, const carom_motion *to, const double *scale)
{
    double worst = 0;
    size_t near = 0;
    for (size_t k = 0; k < from->n; k++)
        worst = fmax(worst, off_curve(carom_motion_row(from, k), to, scale, &near));
    return sqrt(worst);
}

// largest values of the columns; what is rounding beside others of its kind is measured by them
static void find_scale(const carom_motion *motion, double *scale)
{
    const size_t n = width(motion), nq = (size_t)motion->nq;
    for (size_t k = 0; k < motion->n; k++)
        for (size_t i = 0; i < n; i++)
            scale[i] = fmax(scale[i], fabs(carom_motion_row(motion, k)[i]));
    double q = 0, u = 0;
    for (size_t i = 1; i < n; i++) *(i <= nq ? &q : &u) = fmax(i <= nq ? q : u, scale[i]);
    for (size_t i = 1; i < n; i++) scale[i] = fmax(scale[i], 1e-6 * (i <= nq ? q : u));
    for (size_t i = 0; i < n; i++)
        if (!(scale[i] > 0)) scale[i] = 1;
}

double carom_motion_distance(const carom_motion *a, const carom_motion *b)
{
    const size_t n = width(b);
    if (a->n < 2 || b->n < 2) return NAN;
    double *scale = calloc(n, sizeof(double));
    if (!scale) return NAN;
    find_scale(b, scale);
    const double distance = fmax(off_way(a, b, scale), off_way(b, a, scale));
    free(scale);
    return distance;
}

double carom_motion_spectral(double *gram, int n, double *work)
{
    if (n < 1) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) gram[j * n + i] = gram[i * n + j];
    // of a symmetric matrix without negative eigenvalues they are the singular values
    carom_bidiagonal(n, gram, work, work + 2 * n);
    return sqrt(carom_singular_value(n, work, 0));
}
