// SPDX-License-Identifier: Apache-2.0
// Factors of a sparse symmetric positive definite matrix, by CHOLMOD (heap).
#ifndef CAROM_CONTACT_CHOLESKY_H
#define CAROM_CONTACT_CHOLESKY_H

#include <stdbool.h>

typedef struct carom_cholesky carom_cholesky;

/// Factorises; both triangles are stored, only one is read. NULL where the matrix is not positive
/// definite or memory runs out.
carom_cholesky *carom_cholesky_new(int n, int *start, int *index, double *value);
void carom_cholesky_free(carom_cholesky *cholesky);
/// x := A^-1 x. False, with x as it was, without memory.
bool carom_cholesky_solve(carom_cholesky *cholesky, double *x);

#endif
