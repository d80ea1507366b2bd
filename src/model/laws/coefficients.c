// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, as a plan keeps them.
#include "model/laws/coefficients.h"

#include "model/live.h"
#include "model/plan.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

static const double MOST_FRICTION = 1e100; // contact problems are not asked to be more

struct carom_coefficients {
    carom_eval *ev;
    double *rate, *at_rest;     // (2 n_row), (nu) zeros: a velocity is known
    carom_contact_facts *facts; // (n_contact) the plan's
};

// the plan's facts; those of a model are copied
static carom_contact_facts *own_facts(carom_plan *plan)
{
    const int n = plan->model->size.n_contact;
    if (plan->slots) return plan->slots->facts;
    if (plan->values) return plan->values->contact;
    carom_contact_facts *facts = CAROM_TAKE(plan->arena, carom_contact_facts, n);
    if (facts) memcpy(facts, plan->contact, sizeof *facts * (size_t)n);
    return facts;
}

bool carom_coefficients_make(carom_plan *plan)
{
    const carom_sizes *size = &plan->model->size;
    if (!carom_coefficients_vary(plan->model)) return true;
    struct carom_coefficients *own = CAROM_TAKE(plan->arena, struct carom_coefficients, 1);
    if (!own) return false;
    own->ev = carom_plan_eval(plan);
    own->rate = CAROM_TAKE(plan->arena, double, 2 * size->n_row);
    own->at_rest = CAROM_TAKE(plan->arena, double, size->nu);
    own->facts = own_facts(plan);
    if (!own->ev || !own->rate || !own->at_rest || !own->facts) return false;
    plan->contact = own->facts;
    plan->coefficients = own;
    return true;
}

double *carom_plan_law_rates(const carom_plan *plan)
{
    return plan->coefficients ? plan->coefficients->rate : NULL;
}

void carom_plan_grip(carom_plan *plan, int contact)
{
    carom_contact_facts *facts = &plan->coefficients->facts[contact];
    facts->mu = fmax(facts->mu, facts->grip);
}

carom_status carom_plan_rest_coefficients(carom_plan *plan, const double *q, carom_error *error)
{
    if (!plan->coefficients) return CAROM_OK;
    memset(plan->coefficients->rate, 0, sizeof(double) * (size_t)plan->model->size.n_row);
    CAROM_TRY(carom_plan_find_coefficients(plan, 0, q, error));
    for (int c = 0; c < plan->model->size.n_contact; c++)
        if (plan->contact[c].varies) carom_plan_grip(plan, c);
    return CAROM_OK;
}

void carom_plan_add_friction(carom_plan *plan, int contact, double more)
{
    plan->coefficients->facts[contact].mu += more;
}

const carom_eval_coefficients *carom_plan_coefficients(const carom_plan *plan)
{
    return plan->coefficients ? &plan->coefficients->ev->coefficients : NULL;
}

void carom_plan_take_law_rates(const carom_plan *plan, const double *gamma)
{
    double *rate = carom_plan_law_rates(plan);
    for (int c = 0; c < plan->model->size.n_contact; c++) {
        const carom_contact_facts *facts = &plan->contact[c];
        const double *of = gamma + facts->row;
        if (!facts->varies) continue;
        rate[facts->row] = fmax(0, -of[0]);
        if (facts->n_slip > 0)
            rate[facts->row + 1] = facts->n_slip == 1 ? fabs(of[1]) : hypot(of[1], of[2]);
    }
}

static carom_status refuse(const carom_plan *plan, int c, const char *what, double value, double t,
                           carom_error *error)
{
    const carom_model *model = plan->model;
    const carom_place place = model->places.contact ? model->places.contact[c] : (carom_place){0};
    const bool is_e = strcmp(what, "restitution") == 0;
    const int row = plan->contact[c].row + !is_e;
    return carom_fail_at(error, place, CAROM_BAD_INPUT,
                         "the %s of contact '%s' is %g at t = %.9g, %s %g m/s; it must be %s", what,
                         plan->contact[c].name, value, t, is_e ? "arrival_speed" : "slip_rate",
                         plan->coefficients->rate[row], is_e ? "between 0 and 1" : "0 or more");
}

static carom_status take_values(carom_plan *plan, double t, carom_error *error)
{
    const carom_eval_coefficients *of = &plan->coefficients->ev->coefficients;
    for (int c = 0; c < plan->model->size.n_contact; c++) {
        carom_contact_facts *facts = &plan->coefficients->facts[c];
        if (facts->varies & CAROM_VARIES_RESTITUTION) facts->e = of->e[c];
        if (facts->varies & CAROM_VARIES_FRICTION) facts->mu = of->mu[c];
        if (facts->varies & CAROM_VARIES_GRIP) facts->grip = of->grip[c];
        if (!(facts->e >= 0 && facts->e <= 1))
            return refuse(plan, c, "restitution", facts->e, t, error);
        if (!(facts->mu >= 0 && facts->mu <= MOST_FRICTION))
            return refuse(plan, c, "friction", facts->mu, t, error);
        if (!(facts->grip >= 0 && facts->grip <= MOST_FRICTION))
            return refuse(plan, c, "friction_static", facts->grip, t, error);
    }
    return CAROM_OK;
}

carom_status carom_plan_find_coefficients(carom_plan *plan, double t, const double *q,
                                          carom_error *error)
{
    struct carom_coefficients *own = plan->coefficients;
    if (!own) return CAROM_OK;
    const carom_point at = {.t = t, .q = q, .u = own->at_rest, .P = own->rate};
    CAROM_TRY(carom_plan_ask(plan, &at, CAROM_COEFFICIENTS, own->ev, error));
    return take_values(plan, t, error);
}
