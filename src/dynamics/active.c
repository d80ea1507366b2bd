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

bool carom_active_ahead(const carom_eval *eval, double lead, unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    const double *gap = eval->gap, *rate = eval->gap_rate;
    bool is_any = size->n_constraint > 0;
    for (int c = 0, n = size->n_contact; c < n; c++) {
        const bool is_closed = gap[c] + lead * rate[c] <= 0;
        is_active[c] = is_closed;
        is_any |= is_closed;
    }
    return is_any;
}
