// SPDX-License-Identifier: Apache-2.0
// Answers that cannot be used: which number is not finite and because of which expression, or which
// coordinate has no positive mass.
#include "model/plan.h"

#include "math/blockmass.h"

#include <math.h>
#include <stdio.h>

// what was found at a point, for messages
typedef struct finding {
    const carom_plan *plan;
    const carom_question *ask;
    const carom_point *at;
} finding;

static carom_status not_finite(const finding *f, const char *what, const char *which,
                               carom_error *error)
{
    char expression[256];
    const int i = (int)(f->ask - f->plan->question);
    f->plan->model->kind->blame(f->plan, f->at, i, expression, sizeof expression);
    return carom_fail(error, CAROM_NOT_FINITE, "%s%s is not a finite number at t = %.9g%s%s", what,
                      which, f->at->t, expression[0] ? ", because of " : "", expression);
}

// forces and gaps must be finite; rows may be undefined where a contact is far from closed
static carom_status check_finite(const finding *f, const carom_eval *ev, carom_error *error)
{
    const carom_model *model = f->plan->model;
    const unsigned mask = f->ask->mask;
    const bool has_u = f->at->u != NULL; // else forces and energies were not asked for
    for (int i = 0; has_u && mask & CAROM_FORCES && i < model->size.nu; i++)
        if (!isfinite(ev->f[i]))
            return not_finite(f, "the force on ", carom_model_moved_name(model, i), error);
    for (int c = 0; mask & CAROM_GAPS && c < model->size.n_contact; c++)
        if (!(ev->gaps.value[c] > -INFINITY))
            return not_finite(f, "the gap of contact ", model->contact[c].name, error);
    for (int k = 0; mask & CAROM_GAPS && k < model->size.n_constraint; k++)
        if (!isfinite(ev->gaps.constraint[k]))
            return not_finite(f, "the constraint ", model->names.constraint[k], error);
    if (has_u && mask & CAROM_ENERGY && !isfinite(ev->energy.kinetic + ev->energy.potential))
        return not_finite(f, "the energy", "", error);
    return CAROM_OK;
}

static carom_status blame_mass(const finding *f, const carom_eval *ev, int failed,
                               carom_error *error)
{
    const carom_model *model = f->plan->model;
    const double pivot = carom_mass_entry(ev->mass, failed, failed);
    const char *name = carom_model_moved_name(model, failed);
    if (!isfinite(pivot)) return not_finite(f, "the mass of ", name, error);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the mass matrix is not positive definite at t = %.9g, first seen at "
                      "coordinate '%s' (its own entry is %.6g); check the kinetic energy and the "
                      "masses",
                      f->at->t, name, pivot);
}

carom_status carom_plan_refuse(const carom_plan *plan, const carom_question *ask,
                               const carom_point *at, carom_eval *eval, carom_error *error)
{
    const finding f = {plan, ask, at};
    CAROM_TRY(check_finite(&f, eval, error));
    if (!(ask->mask & CAROM_MASS)) return CAROM_OK;
    const int failed = carom_mass_factor_all(eval->mass);
    return failed < 0 ? CAROM_OK : blame_mass(&f, eval, failed, error);
}
