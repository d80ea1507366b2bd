// SPDX-License-Identifier: Apache-2.0
// New values for the live parameters of a plan. They are tried first: where one of them, or what
// follows from them, is not within its limits, the plan is as it was.
#include "model/live.h"

#include "base/need.h"
#include "base/text.h"
#include "math/blockmass.h"
#include "model/assemble.h"
#include "model/plan.h"

#include <math.h>
#include <string.h>

static const double MOST_FRICTION = 1e100; // contact problems are not asked to be more

bool carom_values_make(carom_plan *plan)
{
    const carom_model *model = plan->model;
    const carom_live *live = model->live;
    plan->n_contact = model->size.n_contact;
    plan->contact = model->contact;
    plan->q0 = model->q0;
    plan->u0 = model->u0;
    plan->clock = model->clock;
    if (!live) return true;
    carom_values *v = CAROM_TAKE(plan->arena, carom_values, 1);
    if (!v) return false;
    v->parameter = CAROM_TAKE(plan->arena, double, live->n);
    v->is_given = CAROM_TAKE(plan->arena, unsigned char, live->n);
    v->before = CAROM_TAKE(plan->arena, double, live->n);
    v->was_given = CAROM_TAKE(plan->arena, unsigned char, live->n);
    v->firm = CAROM_TAKE(plan->arena, double, live->firm.n);
    v->contact = CAROM_TAKE(plan->arena, carom_contact_facts, model->size.n_contact);
    v->q0 = CAROM_TAKE(plan->arena, double, model->size.nq);
    v->u0 = CAROM_TAKE(plan->arena, double, model->size.nu);
    if (!v->parameter || !v->is_given || !v->before || !v->was_given || !v->firm || !v->contact ||
        !v->q0 || !v->u0 || !carom_clock_copy(&live->clock, plan->arena, &v->clock))
        return false;
    for (int c = 0; c < model->size.n_contact; c++) v->contact[c] = model->contact[c];
    plan->values = v;
    plan->contact = v->contact;
    plan->q0 = v->q0;
    plan->u0 = v->u0;
    plan->clock = &v->clock;
    carom_firm_run(&live->firm, v->is_given, v->parameter, v->firm);
    carom_live_read(model, v->firm, v->contact, v->q0, v->u0);
    carom_live_take_start(plan);
    v->clock_has_changed = carom_clock_settle(&v->clock, v->firm);
    return true;
}

void carom_live_take_start(carom_plan *plan)
{
    const carom_model *model = plan->model;
    if (!plan->values || model->assembly.what == 0) return;
    memcpy(plan->values->q0, model->q0, sizeof(double) * (size_t)model->size.nq);
    memcpy(plan->values->u0, model->u0, sizeof(double) * (size_t)model->size.nu);
}

void carom_live_read(const carom_model *model, const double *firm, carom_contact_facts *contact,
                     double *q0, double *u0)
{
    const carom_live *live = model->live;
    for (int i = 0; i < model->size.nq; i++) q0[i] = firm[live->q0[i]];
    for (int i = 0; i < model->size.nu; i++) u0[i] = firm[live->u0[i]];
    for (int c = 0; c < model->size.n_contact; c++) {
        const int *factor = live->factor + 3 * c;
        contact[c].e = factor[0] < 0 ? 0 : firm[factor[0]];
        contact[c].e_t = factor[1] < 0 ? 0 : firm[factor[1]];
        contact[c].mu = factor[2] < 0 ? 0 : firm[factor[2]];
    }
}

static carom_status check_contact(const carom_model *model, int c, const carom_contact_facts *facts,
                                  carom_error *error)
{
    const carom_place place = model->places.contact ? model->places.contact[c] : (carom_place){0};
    const char *what = !(facts->e >= 0 && facts->e <= 1)       ? "restitution"
                       : !(facts->e_t >= 0 && facts->e_t <= 1) ? "tangential restitution"
                                                               : NULL;
    if (what)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "the %s of contact '%s' must be between 0 and 1, it is %g", what,
                             facts->name, facts->e >= 0 && facts->e <= 1 ? facts->e_t : facts->e);
    if (!(facts->mu >= 0 && facts->mu <= MOST_FRICTION))
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "the friction of contact '%s' must be 0 or more and finite, it is %g",
                             facts->name, facts->mu);
    if (facts->mu > 0 && facts->n_slip == 0)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "contact '%s' has friction but no slip; add 'slip' (the tangential "
                             "displacement) or 'slip_rate'",
                             facts->name);
    return CAROM_OK;
}

carom_status carom_live_check(const carom_model *model, const double *parameter,
                              const carom_contact_facts *contact, const double *q0,
                              const double *u0, carom_error *error)
{
    for (int i = 0; i < model->live->n; i++)
        if (!isfinite(parameter[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the parameter '%s' is not a finite number (%g)",
                              model->live->name[i], parameter[i]);
    for (int c = 0; c < model->size.n_contact; c++)
        CAROM_TRY(check_contact(model, c, &contact[c], error));
    for (int i = 0; i < model->size.nq; i++)
        if (!isfinite(q0[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the start of '%s' is not a finite number (%g)",
                              model->names.coordinate[i], q0[i]);
    for (int i = 0; i < model->size.nu; i++)
        if (!isfinite(u0[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the start of '%s' is not a finite number (%g)",
                              model->names.velocity[i], u0[i]);
    return CAROM_OK;
}

unsigned long long carom_live_fingerprint(const carom_model *model, const double *parameter,
                                          const carom_contact_facts *contact, const double *q0,
                                          const double *u0)
{
    const unsigned long long hash =
        carom_fingerprint_mix_start(model->live->structure, model->size, contact, q0, u0);
    return carom_fingerprint_mix(hash, parameter, sizeof(double) * (size_t)model->live->n);
}

unsigned long long carom_live_started_fingerprint(const carom_model *model)
{
    const carom_live *live = model->live;
    return live ? carom_live_fingerprint(model, live->value, model->contact, model->q0, model->u0)
                : carom_fingerprint_mix_start(model->fingerprint, model->size, model->contact,
                                              model->q0, model->u0);
}

unsigned long long carom_plan_fingerprint(const carom_plan *plan)
{
    const carom_values *v = plan->values;
    if (!v) return plan->model->fingerprint;
    return carom_live_fingerprint(plan->model, v->parameter, v->contact, v->q0, v->u0);
}

// ---- new values ----

static carom_status refuse_name(const carom_live *live, const char *name, carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(name);
    char hint[128];
    for (int i = 0; i < live->n_fixed; i++)
        if (strcmp(live->fixed[i], name) == 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the parameter '%s' cannot be live: it decides %s, which must be "
                              "known when equations are derived",
                              name, live->why[i]);
    for (int i = 0; i < live->n; i++) carom_nearest_try(&nearest, live->name[i]);
    return carom_fail(error, CAROM_BAD_INPUT, "there is no live parameter '%s'%s", name,
                      carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status take_one(carom_plan *plan, const carom_parameter *one, carom_error *error)
{
    const carom_live *live = plan->model->live;
    int i = 0;
    while (i < live->n && strcmp(live->name[i], one->name) != 0) i++;
    if (i == live->n) return refuse_name(live, one->name, error);
    plan->values->parameter[i] = one->value;
    plan->values->is_given[i] = 1;
    return CAROM_OK;
}

static carom_status try_values(carom_plan *plan, carom_error *error)
{
    const carom_model *model = plan->model;
    carom_values *v = plan->values;
    carom_firm_run(&model->live->firm, v->is_given, v->parameter, v->firm);
    carom_live_read(model, v->firm, v->contact, v->q0, v->u0);
    return carom_live_check(model, v->parameter, v->contact, v->q0, v->u0, error);
}

// programs and answers that were given
static void hand_on_values(carom_plan *plan)
{
    carom_values *v = plan->values;
    v->clock_has_changed |= carom_clock_settle(&v->clock, v->firm);
    plan->model->kind->settle(plan);
    for (carom_full_eval *full = plan->evals; full; full = full->next) {
        full->held = NULL;
        full->mass_is_ready = false;
        carom_mass_forget(full->eval.mass);
        plan->model->kind->constants(plan, &full->eval);
    }
    carom_plan_find_ways(plan);
}

// the start that follows from the values, where it is to be assembled
static carom_status assemble_again(carom_plan *plan, carom_error *error)
{
    carom_values *v = plan->values;
    if (!plan->assembler) return CAROM_OK;
    return carom_assemble(plan->assembler, v->q0, v->u0, &plan->assembled, error);
}

static void note_values(const carom_plan *plan)
{
    const carom_values *v = plan->values;
    const size_t n = (size_t)plan->model->live->n;
    memcpy(v->before, v->parameter, n * sizeof(double));
    memcpy(v->was_given, v->is_given, n);
}

static void go_back(carom_plan *plan)
{
    const carom_values *v = plan->values;
    const size_t n = (size_t)plan->model->live->n;
    memcpy(v->parameter, v->before, n * sizeof(double));
    memcpy(v->is_given, v->was_given, n);
    (void)try_values(plan, NULL); // they were good
}

carom_status carom_plan_set(carom_plan *plan, const carom_parameter *value, int n,
                            carom_error *error)
{
    CAROM_NEED(error, plan);
    CAROM_NEED_ARRAY(error, value, n);
    for (int i = 0; i < n; i++) CAROM_NEED(error, value[i].name);
    if (!plan->values)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has no live parameters (carom_builder_live, before it is "
                          "made)");
    carom_status status = CAROM_OK;
    note_values(plan);
    for (int i = 0; i < n && status == CAROM_OK; i++) status = take_one(plan, &value[i], error);
    if (status == CAROM_OK) status = try_values(plan, error);
    if (status != CAROM_OK) {
        go_back(plan);
        return status;
    }
    hand_on_values(plan);
    status = assemble_again(plan, error);
    if (status != CAROM_OK) carom_plan_unset(plan);
    return status;
}

void carom_plan_unset(carom_plan *plan)
{
    go_back(plan);
    hand_on_values(plan);
    (void)assemble_again(plan, NULL); // that went well before
}

void carom_plan_set_like(carom_plan *plan, const carom_plan *like)
{
    const size_t n = plan->values ? (size_t)plan->model->live->n : 0;
    if (n == 0) return;
    memcpy(plan->values->parameter, like->values->parameter, n * sizeof(double));
    memcpy(plan->values->is_given, like->values->is_given, n);
    (void)try_values(plan, NULL); // they are good
    hand_on_values(plan);
    if (!plan->assembler) return;
    memcpy(plan->values->q0, like->values->q0, sizeof(double) * (size_t)plan->model->size.nq);
    memcpy(plan->values->u0, like->values->u0, sizeof(double) * (size_t)plan->model->size.nu);
    plan->assembled = like->assembled;
}

bool carom_plan_clock_is_new(carom_plan *plan)
{
    const bool is_new = plan->values && plan->values->clock_has_changed;
    if (plan->values) plan->values->clock_has_changed = false;
    return is_new;
}

// ---- what can be asked ----

const carom_contact_facts *carom_plan_contact(const carom_plan *plan, int contact)
{
    return plan && contact >= 0 && contact < plan->n_contact ? &plan->contact[contact] : NULL;
}

const double *carom_plan_start_q(const carom_plan *plan)
{
    return plan ? plan->q0 : NULL;
}

const double *carom_plan_start_u(const carom_plan *plan)
{
    return plan ? plan->u0 : NULL;
}

carom_assembled carom_plan_assembled(const carom_plan *plan)
{
    return plan ? plan->assembled : (carom_assembled){.moved = "", .changed = ""};
}

double carom_plan_parameter(const carom_plan *plan, const char *name)
{
    const carom_live *live = plan ? plan->model->live : NULL;
    for (int i = 0; live && name && i < live->n; i++)
        if (strcmp(live->name[i], name) == 0) return plan->values->parameter[i];
    return NAN;
}

int carom_model_n_live(const carom_model *model)
{
    return model && model->live ? model->live->n : 0;
}

carom_parameter carom_model_live(const carom_model *model, int i)
{
    if (i < 0 || i >= carom_model_n_live(model)) return (carom_parameter){NULL, NAN};
    return (carom_parameter){model->live->name[i], model->live->value[i]};
}
