// SPDX-License-Identifier: Apache-2.0
// Active sets: which contacts take part in a step. The tests use <= 0 without a tolerance.
#include "dynamics/active.h"

#include "model/model.h"

bool carom_active_closed(const carom_eval *eval, double level, unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    const double *gap = eval->gap;
    bool is_any = size->n_constraint > 0;
    for (int c = 0, n = size->n_contact; c < n; c++) {
        const bool is_closed = gap[c] <= level;
        is_active[c] = is_closed;
        is_any |= is_closed;
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
    const int *start = eval->W.start, *index = eval->W.index;
    const double *value = eval->W.value, *w0 = eval->w0, *gap = eval->gap;
    bool is_any = model->size.n_constraint > 0;
    for (int c = 0, n = model->size.n_contact; c < n; c++) {
        const int row = model->contact[c].row;
        double rate = w0[row];
        for (int k = start[row], last = start[row + 1]; k < last; k++)
            rate += value[k] * u[index[k]];
        const bool is_closed = gap[c] + lead * rate <= 0;
        is_active[c] = is_closed;
        is_any |= is_closed;
    }
    return is_any;
}
