// SPDX-License-Identifier: Apache-2.0
// A contact problem as one of self-dual cones. Row scaling may differ from contact to contact but
// not within its cone, save for mu: with S = sigma (mu, 1, 1) the cone |P_T| <= mu P_N and its dual
// become { x_0 >= |x_T| }, and x.y = P.u~ whatever sigma is.
#include "contact/problem/cone_form.h"

#include "math/cone.h"

void carom_cone_project_block(const carom_block *block, double radius, double *x)
{
    const int dim = carom_cone_dim(block);
    if (carom_block_is_disc(block)) carom_cone_disc(radius, block->dim, x);
    if (dim > 1) carom_cone_project(block->mu, dim, x);
    if (dim == 1 && x[0] < 0) x[0] = 0;
    for (int i = dim; i < block->dim && dim > 0; i++) x[i] = 0;
}

double carom_cone_scaling(const carom_problem *problem, bool keeps_friction, double *scale)
{
    double sum = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        double *s = scale + block->first, trace = 0;
        for (int i = 0; i < block->dim; i++) {
            s[i] = carom_matrix_size(&problem->G, block->first + i);
            trace += s[i];
        }
        for (int i = 0; i < block->dim; i++)
            s[i] = sqrt(carom_block_is_equality(block) ? s[i] : trace / block->dim);
        if (carom_cone_dim(block) > 1 && !keeps_friction) s[0] *= block->mu;
    }
    for (int i = 0; i < problem->n_row; i++) {
        const double b = problem->b[i] / scale[i];
        sum += b * b;
    }
    return sum > 0 ? sqrt(sum) : 1;
}
