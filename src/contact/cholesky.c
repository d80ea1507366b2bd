// SPDX-License-Identifier: Apache-2.0
// Factors of a sparse symmetric positive definite matrix by CHOLMOD: half the work of an LU, and
// solves at half the price, for the many right-hand sides of one matrix.
// Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, Algorithm 887: CHOLMOD, 2008.
#include "contact/cholesky.h"

#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct carom_cholesky {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *b, *x, *y, *e; // right-hand side, answer, CHOLMOD's workspace
    int n;
};

carom_cholesky *carom_cholesky_new(int n, int *start, int *index, double *value)
{
    carom_cholesky *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->n = n;
    cholmod_start(&c->common);
    c->common.print = 0;
    cholmod_sparse A = {.nrow = (size_t)n, .ncol = (size_t)n, .nzmax = (size_t)start[n]};
    A.p = start;
    A.i = index;
    A.x = value;
    A.stype = 1; // the upper triangle
    A.itype = CHOLMOD_INT;
    A.xtype = CHOLMOD_REAL;
    A.dtype = CHOLMOD_DOUBLE;
    A.sorted = A.packed = 1;
    c->factor = cholmod_analyze(&A, &c->common);
    if (c->factor) cholmod_factorize(&A, c->factor, &c->common);
    c->b = cholmod_allocate_dense((size_t)n, 1, (size_t)n, CHOLMOD_REAL, &c->common);
    if (c->factor && c->b && c->common.status == CHOLMOD_OK) return c;
    carom_cholesky_free(c);
    return NULL;
}

void carom_cholesky_free(carom_cholesky *c)
{
    if (!c) return;
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_free_dense(&c->b, &c->common);
    cholmod_free_dense(&c->x, &c->common);
    cholmod_free_dense(&c->y, &c->common);
    cholmod_free_dense(&c->e, &c->common);
    cholmod_finish(&c->common);
    free(c);
}

bool carom_cholesky_solve(carom_cholesky *c, double *x)
{
    memcpy(c->b->x, x, sizeof *x * (size_t)c->n);
    if (!cholmod_solve2(CHOLMOD_A, c->factor, c->b, NULL, &c->x, NULL, &c->y, &c->e, &c->common))
        return false;
    memcpy(x, c->x->x, sizeof *x * (size_t)c->n);
    return true;
}
