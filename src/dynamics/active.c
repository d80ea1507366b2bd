// SPDX-License-Identifier: Apache-2.0
// Active sets: which contacts take part in a step. The tests use <= 0 without a tolerance.
#include "dynamics/active.h"

#include "model/model.h"

bool carom_active_closed(const carom_eval *eval, double level, unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    bool is_any = size->n_constraint > 0;
    for (int c = 0; c < size->n_contact; c++) {
        is_active[c] = eval->gap[c] <= level;
        is_any |= is_active[c];
    }
    return is_any;
}

bool carom_active_is_there(const carom_eval *eval, int contact)
{
    const bool is_patch = carom_model_contact(eval->model, contact)->surface > 0;
    return !is_patch || !eval->holds || eval->holds[contact];
}

bool carom_active_ahead(const carom_eval *eval, double lead, const double *u,
                        unsigned char *is_active)
{
    const carom_model *model = eval->model;
    const carom_sparse *W = &eval->W;
    bool is_any = model->size.n_constraint > 0;
    for (int c = 0; c < model->size.n_contact; c++) {
        const int row = model->contact[c].row;
        double rate = eval->w0[row];
        for (int k = W->start[row]; k < W->start[row + 1]; k++)
            rate += W->value[k] * u[W->index[k]];
        is_active[c] = eval->gap[c] + lead * rate <= 0;
        is_any |= is_active[c];
    }
    return is_any;
}

bool carom_active_predicted(const carom_eval *eval, double lead, const double *gamma,
                            unsigned char *is_active)
{
    const carom_sizes size = carom_model_sizes(eval->model);
    bool is_any = size.n_constraint > 0;
    for (int c = 0; c < size.n_contact; c++) {
        is_active[c] = eval->gap[c] + lead * gamma[carom_model_contact(eval->model, c)->row] <= 0;
        is_any |= is_active[c];
    }
    return is_any;
}
