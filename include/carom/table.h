// SPDX-License-Identifier: Apache-2.0
// A function given by points.
#ifndef CAROM_TABLE_H
#define CAROM_TABLE_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function given by points. period > 0 makes it periodic (first and last
/// ordinate must then agree).
typedef struct carom_table_points {
    int n;
    const double *x, *y; ///< (n) strictly increasing abscissae, ordinates; copied
    bool is_cubic;       ///< twice continuously differentiable spline; false: piecewise linear
    double period;       ///< 0 = not periodic
} carom_table_points;

#ifdef __cplusplus
}
#endif
#endif
