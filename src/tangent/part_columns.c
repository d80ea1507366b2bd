// SPDX-License-Identifier: Apache-2.0
// Columns kept apart: all of them turn towards the fastest one, so that behind each step they are
// made orthonormal again, and the logarithms of what they had grown by are added up,
//
//     Z Q_i = Q_i+1 R_i+1,     growth_j = sum ln R_jj
//
// A column that is lost (R_jj <= 1e-12 of the largest: a contact closes or sticks) stays 0, and its
// growth is -infinity. It is looked at in each step: columns that are merely damped never come so
// near to each other in one.
#include "tangent/tangent.h"

#include <math.h>

static const double lost_share = 1e-12;

static double product(const carom_variation *v, int nu, int i, int j)
{
    double sum = 0;
    for (int r = 0; r < nu; r++)
        sum += v->q[i * nu + r] * v->q[j * nu + r] + v->u[i * nu + r] * v->u[j * nu + r];
    return sum;
}

// column j += factor column i
static void add_column(carom_variation *v, int nu, int j, double factor, int i)
{
    for (int r = 0; r < nu; r++) {
        v->q[j * nu + r] += factor * v->q[i * nu + r];
        v->u[j * nu + r] += factor * v->u[i * nu + r];
    }
}

static void scale_column(carom_variation *v, int nu, int j, double factor)
{
    for (int r = 0; r < nu; r++) {
        v->q[j * nu + r] *= factor;
        v->u[j * nu + r] *= factor;
    }
}

void carom_tangent_part(carom_tangent *t)
{
    carom_variation *v = t->v;
    const int nu = t->s->size.nu;
    double most = 0;
    for (int j = 0; j < v->n; j++) {
        const double before = sqrt(product(v, nu, j, j));
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < j; i++) add_column(v, nu, j, -product(v, nu, i, j), i);
        const double size = sqrt(product(v, nu, j, j));
        most = fmax(most, before);
        const bool is_lost = size <= lost_share * most;
        scale_column(v, nu, j, is_lost ? 0 : 1 / size);
        t->growth[j] += is_lost ? -INFINITY : log(size);
    }
}
