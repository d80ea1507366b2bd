// SPDX-License-Identifier: Apache-2.0
// Asking a model from outside: whoever leaves something out is told what. The library itself asks
// without these looks where a step is short (evaluate.c).
#include "model/plan.h"

#include "base/need.h"

static const carom_plan *plan_of(const carom_eval *eval)
{
    return ((const carom_full_eval *)eval)->plan;
}

static carom_status check_question(const carom_plan *plan, const carom_point *at, unsigned mask,
                                   const carom_eval *eval, carom_error *error)
{
    const char *function = "carom_model_eval";
    const char *missing = !plan ? "plan" : !at ? "at" : !eval ? "eval" : NULL;
    if (missing) return carom_misuse(error, function, "%s is NULL", missing);
    if (!at->q) return carom_misuse(error, function, "at->q is NULL");
    if (plan_of(eval) != plan)
        return carom_misuse(error, function, "eval is not one of the plan's (carom_plan_eval)");
    const unsigned by_a = CAROM_D_MASS | CAROM_D_CURVATURE | CAROM_D_PARAMETER | CAROM_D_TIME,
                   by_P = CAROM_D_ROWS | CAROM_D_PARAMETER | CAROM_D_TIME;
    if ((mask & by_a && !at->a) || (mask & by_P && !at->P && plan->model->size.n_row > 0))
        return carom_misuse(error, function, "at->a or at->P is NULL, which the mask %#x needs",
                            mask);
    return CAROM_OK;
}

carom_status carom_model_eval(carom_plan *plan, const carom_point *at, unsigned mask,
                              carom_eval *eval, carom_error *error)
{
    CAROM_TRY(check_question(plan, at, mask, eval, error));
    return carom_plan_ask(plan, at, mask, eval, error);
}

void carom_model_move(const carom_model *model, const double *q, const double *u, double h,
                      double *q_out)
{
    if (model && q && u && q_out) carom_model_moved(model, q, u, h, q_out);
}

void carom_model_difference(const carom_model *model, const double *q_a, const double *q_b,
                            double *x)
{
    if (!model || !q_a || !q_b || !x) return;
    if (model->n_plain < 0)
        carom_chart_difference(&model->chart, q_a, q_b, x);
    else
        for (int i = 0; i < model->n_plain; i++) x[i] = q_b[i] - q_a[i];
}

void carom_model_rates(const carom_model *model, const double *q, const double *u, double *q_dot)
{
    if (!model || !q || !u || !q_dot) return;
    if (model->n_plain < 0)
        carom_chart_rates(&model->chart, q, u, q_dot);
    else
        carom_vector_copy(model->n_plain, u, q_dot);
}

void carom_model_normalise(const carom_model *model, double *q)
{
    if (model && q && model->n_plain < 0) carom_chart_normalise(&model->chart, q);
}
