// SPDX-License-Identifier: Apache-2.0
// Active sets: which contacts take part in a step. The tests use <= 0 without a tolerance.
#include "dynamics/active.h"

#include "math/vector.h"
#include "model/model.h"

bool carom_active_closed(const carom_eval *eval, double level, unsigned char *is_active)
{
    const carom_sizes *size = &eval->model->size;
    const double *gap = eval->gap;
    bool is_any = size->n_constraint > 0;
    CAROM_EACH_SHORT(c, size->n_contact, is_any |= is_active[c] = gap[c] <= level)
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
    CAROM_EACH_SHORT(c, size->n_contact, is_any |= is_active[c] = gap[c] + lead * rate[c] <= 0)
    return is_any;
}

static inline void find_rates(const carom_eval *eval, const double *u, int first, int end,
                              double *gamma)
{
    for (int r = first; r < end; r++)
        gamma[r] = carom_sparse_row_times(&eval->W, r, u) + eval->w0[r];
}

void carom_active_rates(const carom_eval *eval, const double *u, const unsigned char *is_active,
                        double *gamma)
{
    const carom_model *model = eval->model;
    find_rates(eval, u, 0, model->size.n_constraint, gamma);
    for (int c = 0, n = model->size.n_contact; c < n; c++) {
        const int row = model->contact[c].row;
        if (is_active[c]) find_rates(eval, u, row, row + 1 + model->contact[c].n_slip, gamma);
    }
}
