// SPDX-License-Identifier: Apache-2.0
// Where a model is asked.
#ifndef CAROM_POINT_H
#define CAROM_POINT_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where to evaluate. a and P only where the flags ask for them (else NULL). u = NULL where it is
/// not known yet: then the answers that depend on t and q only are given.
typedef struct carom_point {
    double t;
    const double *q; ///< (nq)
    const double *u; ///< (nu)
    const double *a; ///< (nu) for CAROM_D_MASS, CAROM_D_CURVATURE, CAROM_D_PARAMETER, CAROM_D_TIME
    const double *P; ///< (n_row) for CAROM_D_ROWS, CAROM_D_PARAMETER, CAROM_D_TIME
    const unsigned char *holds; ///< (n_contact) which patches count; NULL: those whose domain
                                ///< contains the point. The others have a gap of +infinity
} carom_point;

#ifdef __cplusplus
}
#endif
#endif
