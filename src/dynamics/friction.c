// SPDX-License-Identifier: Apache-2.0
// The rates at which friction and restitution that are expressions are asked:
//
//     arrival speed   max(0, -gamma_N)
//     slip rate       |gamma_T|, of a contact that slides along d: s = d.gamma_T
//
// Within a step that comes to rest s goes on below 0, where nothing was said of mu: it goes on
// straight, mu(0) + s dmu/ds(0), so that friction has no corner before the event is found.
#include "dynamics/friction.h"

#include <math.h>

static double rate_of(const carom_eval *eval, int r, const double *u)
{
    const carom_sparse *W = &eval->rows.W;
    double sum = eval->rows.w0[r];
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += W->value[k] * u[W->index[k]];
    return sum;
}

// of contacts whose slip rate along d is below 0
static void go_on_straight(carom_plan *plan, const double *along)
{
    const double *slope = carom_plan_coefficients(plan)->slope;
    for (int c = 0; c < plan->model->size.n_contact; c++) {
        const carom_contact_facts *facts = &plan->contact[c];
        if (!(facts->varies & CAROM_VARIES_FRICTION) || facts->n_slip == 0) continue;
        const double s = along[facts->row + 1];
        if (s < 0 && isfinite(slope[c])) carom_plan_add_friction(plan, c, s * slope[c]);
    }
}

carom_status carom_friction_ask(carom_plan *plan, const carom_saddle_rows *rows,
                                const carom_eval *eval, const carom_point *at, carom_error *error)
{
    double *rate = carom_plan_law_rates(plan), *signed_rate = rate + plan->model->size.n_row;
    for (int c = 0; c < plan->model->size.n_contact; c++) {
        const carom_contact_facts *facts = &plan->contact[c];
        const int r = facts->row;
        double along = 0, squares = 0;
        if (!facts->varies) continue;
        rate[r] = fmax(0, -rate_of(eval, r, at->u));
        for (int k = r + 1; k <= r + facts->n_slip; k++) {
            const double slip = rate_of(eval, k, at->u);
            along += rows->direction[k] * slip;
            squares += slip * slip;
        }
        if (facts->n_slip == 0) continue;
        signed_rate[r + 1] = rows->is_sliding[c] ? along : sqrt(squares);
        rate[r + 1] = fmax(0, signed_rate[r + 1]);
    }
    const carom_status status = carom_plan_find_coefficients(plan, at->t, at->q, error);
    if (status == CAROM_OK) go_on_straight(plan, signed_rate);
    if (status != CAROM_BAD_INPUT) return status;
    if (error) error->status = CAROM_NOT_FINITE; // a stage of a step that is too long may say so
    return CAROM_NOT_FINITE;
}
