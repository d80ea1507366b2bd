// SPDX-License-Identifier: Apache-2.0
// A function given by points: piecewise linear, or a cubic spline (natural ends, or periodic).
#ifndef CAROM_MATH_SPLINE_H
#define CAROM_MATH_SPLINE_H

#include "carom/table.h"

typedef struct carom_spline {
    int n;
    double *x;           ///< (n) increasing
    double *coefficient; ///< (4 n) of each interval, constant first, in powers of x - x[i]
    double period;       ///< 0 = none
} carom_spline;

/// Makes a spline; refuses fewer than 2 points (cubic periodic: 4), abscissae that do not increase,
/// numbers that are not finite, a period other than last - first abscissa, and a periodic table
/// whose ends differ.
carom_status carom_spline_new(const carom_table_points *points, carom_spline **spline,
                              carom_error *error);
carom_spline *carom_spline_copy(const carom_spline *spline);
void carom_spline_free(carom_spline *spline);
/// The derivative of the given order (0 = value) at x; NAN outside the range of a
/// table that is not periodic.
double carom_spline_at(const carom_spline *spline, double x, int order);

#endif
