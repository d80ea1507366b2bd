// SPDX-License-Identifier: Apache-2.0
// The trapezoidal discrete Lagrangian over one interval; equations in interval.h.
#include "integrators/interval.h"

#include "model/plan.h"

carom_status carom_interval_matrix(carom_step *s, const carom_eval *begin, carom_linear **J)
{
    const carom_sparse *const part[] = {&begin->momentum.dp_dq, &begin->momentum.dTq_du,
                                        &begin->momentum.dplain_du};
    int n_entry = 2 * carom_mass_n_entry(begin->mass);
    for (int i = 0; i < 3; i++) n_entry += part[i]->start[part[i]->n_row];
    return carom_linear_new(s->size.nu, n_entry, J, s->error);
}

carom_status carom_interval_eval(carom_step *s, const carom_point *begin, double *q_end,
                                 carom_eval *at_begin, carom_eval *at_end)
{
    carom_model_moved(s->model, begin->q, begin->u, s->h, q_end);
    const carom_point end = {.t = begin->t + s->h, .q = q_end, .u = begin->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, begin, CAROM_INTERVAL_MASK, at_begin, s->error));
    return carom_plan_ask(s->plan, &end,
                          s->size.n_constraint ? CAROM_INTERVAL_END_MASK : CAROM_INTERVAL_MASK,
                          at_end, s->error);
}

carom_status carom_interval_factor(carom_step *s, const carom_eval *begin, const carom_eval *end,
                                   carom_linear *J)
{
    carom_linear_clear(J);
    carom_linear_add_mass(J, 0, 0, begin->mass, 0.5);
    carom_linear_add_mass(J, 0, 0, end->mass, 0.5);
    carom_linear_add(J, 0, 0, &end->momentum.dp_dq, 0.5 * s->h, false);
    carom_linear_add(J, 0, 0, &begin->momentum.dTq_du, -0.5 * s->h, false);
    carom_linear_add(J, 0, 0, &begin->momentum.dplain_du, -0.5 * s->h, false);
    return carom_linear_factor(J, s->error);
}

void carom_interval_residual(const carom_step *s, const carom_eval *begin, const carom_eval *end,
                             const double *p_L, double *R)
{
    for (int i = 0; i < s->size.nu; i++)
        R[i] = -p_L[i] + 0.5 * (begin->momentum.p[i] + end->momentum.p[i]) -
               0.5 * s->h * (begin->momentum.T_q[i] + begin->momentum.f_plain[i]);
}

void carom_interval_momentum(const carom_step *s, const carom_eval *begin, const carom_eval *end,
                             double *p_L)
{
    for (int i = 0; i < s->size.nu; i++)
        p_L[i] = 0.5 * (begin->momentum.p[i] + end->momentum.p[i]) +
                 0.5 * s->h * (end->momentum.T_q[i] + end->momentum.f_plain[i]);
}

void carom_interval_aim_constraints(const carom_step *s, const carom_eval *end, const double *w_old,
                                    carom_eval *rate)
{
    carom_eval_forget(rate);
    for (int r = 0; r < s->size.n_constraint; r++) {
        if (carom_model_is_rate(s->model, r)) continue;
        rate->rows.w0[r] = end->gaps.constraint[r] / s->h;
        for (int k = end->rows.W.start[r]; k < end->rows.W.start[r + 1]; k++) {
            rate->rows.W.value[k] = end->rows.W.value[k];
            rate->rows.w0[r] -= end->rows.W.value[k] * w_old[end->rows.W.index[k]];
        }
    }
}
