// SPDX-License-Identifier: Apache-2.0
// Positions and velocities of a model given by the caller's functions: plain, a list of parts, or
// the caller's own manifold.
#include "model/callbacks.h"

#include "base/need.h"
#include "math/rotation.h"

#include <string.h>

static carom_status refuse_chart(carom_error *error, const char *what)
{
    return carom_misuse(error, "carom_model_from_callbacks", "%s", what);
}

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model");
}

static carom_status take_parts(carom_model *model, const carom_callbacks *given, carom_error *error)
{
    if (given->positions.n_part < 1)
        return refuse_chart(error, "part is given, but n_part is not at least 1");
    carom_chart_part *part = CAROM_TAKE(model->arena, carom_chart_part, given->positions.n_part);
    if (!part) return no_memory(error);
    memcpy(part, given->positions.part, sizeof *part * (size_t)given->positions.n_part);
    carom_chart chart;
    CAROM_TRY(carom_chart_of_parts(part, given->positions.n_part, model->size.nq, model->size.nu,
                                   &chart, error));
    carom_model_set_chart(model, &chart);
    return CAROM_OK;
}

static carom_status take_functions(carom_model *model, const carom_callbacks *given,
                                   carom_error *error)
{
    if (!given->positions.move || !given->positions.difference || !given->positions.rates)
        return refuse_chart(error, "a model with positions of its own needs move, difference and "
                                   "rates; one is NULL");
    if (!given->positions.normalise && model->size.nq != model->size.nu)
        return refuse_chart(error, "normalise is NULL, which a model with n_position != n needs");
    carom_chart_functions *own = CAROM_TAKE(model->arena, carom_chart_functions, 1);
    if (!own) return no_memory(error);
    *own = (carom_chart_functions){.user = given->user,
                                   .move = given->positions.move,
                                   .difference = given->positions.difference,
                                   .rates = given->positions.rates,
                                   .normalise = given->positions.normalise};
    const carom_chart chart = {.own = own, .nq = model->size.nq, .nu = model->size.nu};
    carom_model_set_chart(model, &chart);
    return CAROM_OK;
}

carom_status carom_callbacks_take_chart(carom_model *model, const carom_callbacks *given,
                                        carom_error *error)
{
    const bool has_functions = given->positions.move || given->positions.difference ||
                               given->positions.rates || given->positions.normalise;
    model->size.nq = given->n_position == 0 ? given->n : given->n_position;
    if (model->size.nq < model->size.nu)
        return refuse_chart(error, "n_position is below n: each velocity moves a position");
    if (given->positions.part && has_functions)
        return refuse_chart(error,
                            "parts and own functions of the positions are given: choose one");
    if (given->positions.part) return take_parts(model, given, error);
    if (has_functions) return take_functions(model, given, error);
    if (model->size.nq != model->size.nu)
        return refuse_chart(
            error, "n_position != n needs parts, or move, difference, rates and normalise");
    carom_model_set_chart(model, NULL);
    return CAROM_OK;
}

carom_status carom_callbacks_take_start(carom_model *model, const carom_callbacks *given,
                                        carom_error *error)
{
    const int nq = model->size.nq, nu = model->size.nu;
    model->q0 = CAROM_TAKE(model->arena, double, nq);
    model->u0 = CAROM_TAKE(model->arena, double, nu);
    if (!model->q0 || !model->u0) return no_memory(error);
    memcpy(model->q0, given->q0, sizeof(double) * (size_t)nq);
    memcpy(model->u0, given->u0, sizeof(double) * (size_t)nu);
    for (int i = 0; i < model->chart.n_part; i++) {
        const carom_chart_part *part = &model->chart.part[i];
        if (part->kind != CAROM_CHART_QUATERNION) continue;
        const double *p = model->q0 + part->q;
        if (!(p[0] * p[0] + carom_rotation_dot(p + 1, p + 1) > 0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the quaternion that starts with '%s' is no orientation at the start "
                              "(upright is 1, 0, 0, 0)",
                              model->names.coordinate[part->q]);
    }
    carom_model_normalise(model, model->q0);
    return CAROM_OK;
}
