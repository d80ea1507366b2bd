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
    if (!at->q || !at->u) return carom_misuse(error, function, "at->q or at->u is NULL");
    if (plan_of(eval) != plan)
        return carom_misuse(error, function, "eval is not one of the plan's (carom_plan_eval)");
    if ((mask & CAROM_D_MASS && !at->a) ||
        (mask & CAROM_D_ROWS && !at->P && plan->model->size.n_row > 0))
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

carom_status carom_model_eval_keep(carom_plan *plan, const carom_point *at, unsigned mask,
                                   carom_eval *eval, carom_error *error)
{
    CAROM_TRY(check_question(plan, at, mask, eval, error));
    return carom_plan_ask_keep(plan, at, mask, eval, error);
}

carom_status carom_model_eval_ahead(carom_plan *plan, const carom_point *at, unsigned mask,
                                    carom_eval *eval, carom_error *error)
{
    CAROM_TRY(check_question(plan, at, mask, eval, error));
    return carom_plan_ask_ahead(plan, at, mask, eval, error);
}

carom_status carom_model_eval_again(carom_plan *plan, const carom_point *at, unsigned mask,
                                    carom_eval *eval, carom_error *error)
{
    CAROM_TRY(check_question(plan, at, mask, eval, error));
    return carom_plan_ask_again(plan, at, mask, eval, error);
}

void carom_model_move(const carom_model *model, const double *q, const double *u, double h,
                      double *q_out)
{
    if (model && q && u && q_out) carom_model_moved(model, q, u, h, q_out);
}
