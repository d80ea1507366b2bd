// SPDX-License-Identifier: Apache-2.0
// Plans (what a model will be asked) and the memory of evaluations (its answers at one point).
#include "model/plan.h"

#include "base/need.h"
#include "math/blockmass.h"
#include "model/assemble.h"
#include "model/laws/coefficients.h"
#include "model/live.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to evaluate the model");
}

// what must be finite stands side by side: factors of the mass, forces, gaps, constraints. Factors
// that never change are looked at once.
static void watch_finite(const carom_model *model, carom_question *ask)
{
    const carom_layout *at = &model->layout;
    const bool has_mass = ask->mask & CAROM_MASS && !model->mass_is_constant && at->n_factor > 0;
    const bool has_forces = ask->mask & CAROM_FORCES, has_gaps = ask->mask & CAROM_GAPS;
    if (!has_mass && !has_forces && !has_gaps) return;
    ask->watched = has_mass ? at->factor : has_forces ? at->f : at->gap;
    const int end = has_gaps     ? at->constraint + model->size.n_constraint
                    : has_forces ? at->f + model->size.nu
                                 : at->factor + at->n_factor;
    ask->n_watched = end - ask->watched;
}

enum { N_PAGE = 1 << (CAROM_N_FLAG - CAROM_PAGE_BITS) };

// the empty page also stands behind all others
static bool make_pages(carom_plan *plan)
{
    plan->page = CAROM_TAKE(plan->arena, carom_question **, N_PAGE + 1);
    carom_question **empty = CAROM_TAKE(plan->arena, carom_question *, CAROM_PAGE);
    if (!plan->page || !empty) return false;
    for (int i = 0; i <= N_PAGE; i++) plan->page[i] = empty;
    return true;
}

static carom_status enter_question(carom_plan *plan, carom_question *ask, carom_error *error)
{
    carom_question ***page = &plan->page[ask->mask >> CAROM_PAGE_BITS];
    if (*page == plan->page[N_PAGE]) {
        carom_question **own = CAROM_TAKE(plan->arena, carom_question *, CAROM_PAGE);
        if (!own) return no_memory(error);
        *page = own;
    }
    (*page)[ask->mask % CAROM_PAGE] = ask;
    return CAROM_OK;
}

static carom_status add_question(carom_plan *plan, unsigned mask, carom_error *error)
{
    const bool is_kept = mask & CAROM_KEEP;
    mask &= ~(unsigned)CAROM_KEEP;
    if ((mask & CAROM_GAP_RATES && !(mask & CAROM_ROWS)) ||
        (mask & CAROM_ACCELERATION && ~mask & (CAROM_MASS | CAROM_FORCES)))
        return carom_fail(error, CAROM_BUG, "the mask %#x lacks a flag that another one needs",
                          mask);
    if (mask >> CAROM_N_FLAG)
        return carom_fail(error, CAROM_BUG, "the mask %#x has unknown flags", mask);
    if (mask == 0) return CAROM_OK;
    carom_question *known = carom_plan_question(plan, mask);
    if (known) {
        known->is_kept |= is_kept;
        return CAROM_OK;
    }
    carom_question *ask = &plan->question[plan->n_mask++];
    ask->mask = mask;
    ask->is_kept = is_kept;
    ask->is_common =
        !(mask & (CAROM_D_ROWS | CAROM_D_PARAMETER | CAROM_D_TIME | CAROM_ENERGY | CAROM_POWER)) &&
        plan->model->size.n_surface == 0 && plan->model->size.n_disc == 0;
    ask->is_of_u = !(mask & (CAROM_D_MASS | CAROM_D_ROWS | CAROM_D_CURVATURE | CAROM_D_PARAMETER |
                             CAROM_D_TIME | CAROM_RECORD | CAROM_COEFFICIENTS));
    ask->needs_solve = mask & CAROM_ACCELERATION && !plan->model->layout.has_acceleration;
    watch_finite(plan->model, ask);
    return enter_question(plan, ask, error);
}

// new values of live parameters give a new start, which must be assembled
static bool assembles(const carom_model *model)
{
    return model->live && model->assembly.what != 0 && model->size.n_constraint > 0;
}

static carom_status add_assembler(carom_plan *plan, carom_error *error)
{
    plan->assembled = plan->model->assembly.done;
    if (!plan->assembled.moved) plan->assembled.moved = plan->assembled.changed = "";
    if (!assembles(plan->model)) return CAROM_OK;
    plan->assembler = carom_assembler_new(plan, CAROM_ASSEMBLE_MASK, plan->model->assembly.is_kept);
    return plan->assembler ? CAROM_OK : no_memory(error);
}

static bool make_unknown(carom_plan *plan)
{
    const carom_sizes *size = &plan->model->size;
    const int n = size->nu > size->n_row ? size->nu : size->n_row;
    plan->unknown = CAROM_TAKE(plan->arena, double, n);
    for (int i = 0; plan->unknown && i < n; i++) plan->unknown[i] = NAN;
    return plan->unknown != NULL;
}

static carom_status fill_plan(carom_plan *plan, const unsigned *mask, int n_mask,
                              carom_error *error)
{
    plan->arena = carom_arena_new();
    if (!plan->arena) return no_memory(error);
    plan->question = CAROM_TAKE(plan->arena, carom_question, n_mask + 2);
    if (!plan->question || !make_pages(plan) || !carom_values_make(plan) || !carom_slots_make(plan))
        return no_memory(error);
    if (plan->model->felt.has_forces && !make_unknown(plan)) return no_memory(error);
    for (int i = 0; i < n_mask; i++) CAROM_TRY(add_question(plan, mask[i], error));
    if (assembles(plan->model)) CAROM_TRY(add_question(plan, CAROM_ASSEMBLE_MASK, error));
    if (carom_coefficients_vary(plan->model))
        CAROM_TRY(add_question(plan, CAROM_COEFFICIENTS, error));
    CAROM_TRY(plan->model->kind->prepare(plan, error));
    carom_plan_find_ways(plan);
    CAROM_TRY(add_assembler(plan, error));
    if (!carom_coefficients_make(plan)) return no_memory(error);
    const carom_point start = {.q = plan->q0, .u = plan->u0};
    return carom_plan_refresh(plan, &start, 0, NULL, error);
}

carom_status carom_plan_new(const carom_model *model, const unsigned *mask, int n_mask,
                            carom_plan **plan, carom_error *error)
{
    CAROM_NEED(error, plan);
    *plan = NULL;
    CAROM_NEED(error, model);
    CAROM_NEED_ARRAY(error, mask, n_mask);
    carom_plan *made = calloc(1, sizeof *made);
    if (!made) return no_memory(error);
    made->model = carom_model_hold(model);
    made->from = -INFINITY;
    made->to = INFINITY;
    const carom_status status = fill_plan(made, mask, n_mask, error);
    if (status != CAROM_OK) {
        carom_plan_free(made);
        return status;
    }
    *plan = made;
    return CAROM_OK;
}

carom_status carom_plan_compile(carom_plan *plan, carom_error *error)
{
    CAROM_NEED(error, plan);
    return plan->model->kind->compile ? plan->model->kind->compile(plan, error) : CAROM_OK;
}

carom_status carom_plan_share(carom_plan *plan, struct carom_team *team, carom_error *error)
{
    plan->team = team;
    return plan->model->kind->share ? plan->model->kind->share(plan, error) : CAROM_OK;
}

carom_status carom_plan_hold(carom_plan *plan, carom_error *error)
{
    const carom_sizes *size = &plan->model->size;
    if (size->n_switch == 0 || plan->push) return CAROM_OK;
    plan->push = CAROM_TAKE(plan->arena, double, size->n_row + size->n_switch);
    if (!plan->push) return no_memory(error);
    plan->is_bounded = true;
    carom_plan_forget(plan);
    plan->model->kind->release(plan);
    CAROM_TRY(plan->model->kind->prepare(plan, error));
    carom_plan_find_ways(plan);
    return CAROM_OK;
}

double *carom_plan_sides(const carom_plan *plan)
{
    return plan->push ? plan->push + plan->model->size.n_row : NULL;
}

void carom_plan_between(carom_plan *plan, double from, double to)
{
    if (plan->from == from && plan->to == to) return;
    plan->from = from;
    plan->to = to;
    plan->is_bounded = plan->push || from > -INFINITY || to < INFINITY;
    carom_plan_forget(plan); // what they hold is of other bounds
    carom_plan_find_ways(plan);
}

void carom_plan_free(carom_plan *plan)
{
    if (!plan) return;
    carom_assembler_free(plan->assembler);
    if (plan->question) plan->model->kind->release(plan);
    carom_arena_free(plan->arena);
    carom_model_free((carom_model *)(uintptr_t)plan->model);
    free(plan);
}

static carom_sparse view(const carom_pattern *pattern, double *block)
{
    return (carom_sparse){pattern->n_row, pattern->n_column, pattern->start, pattern->index,
                          block + pattern->offset};
}

static void lay_out(carom_eval *ev, const carom_layout *at, double *block)
{
    ev->f = block + at->f;
    ev->gaps.constraint = block + at->constraint;
    ev->gaps.value = block + at->gap;
    ev->gaps.rate = block + at->gap_rate;
    ev->acceleration = block + at->acceleration;
    if (ev->model->size.n_surface > 0) {
        ev->gaps.inside = block + at->seldom.inside;
        ev->gaps.margin = block + at->seldom.margin;
    }
    if (ev->model->size.n_disc > 0) ev->rows.limit = block + at->seldom.limit;
    if (at->coefficients.mu_q.start)
        ev->coefficients = (carom_eval_coefficients){
            block + at->coefficients.e, block + at->coefficients.mu, block + at->coefficients.grip,
            block + at->coefficients.slope, view(&at->coefficients.mu_q, block)};
    ev->rows.w0 = block + at->w0;
    ev->rows.curvature = block + at->curvature;
    ev->momentum.p = block + at->momentum.p;
    ev->momentum.T_q = block + at->momentum.T_q;
    ev->momentum.f_plain = block + at->momentum.f_plain;
    ev->record = block + at->record;
    ev->switches = block + at->switches;
    ev->draw = block + at->draw.first;
    ev->pose = block + at->draw.pose;
    ev->place = block + at->draw.place;
    ev->reaction = view(&at->reaction, block);
    ev->rows.W = view(&at->W, block);
    ev->derivatives.df_dq = view(&at->df_dq, block);
    ev->derivatives.df_du = view(&at->df_du, block);
    ev->derivatives.dMa_dq = view(&at->dMa_dq, block);
    ev->derivatives.dWP_dq = view(&at->dWP_dq, block);
    ev->derivatives.dgamma_dq = view(&at->dgamma_dq, block);
    ev->momentum.dp_dq = view(&at->momentum.dp_dq, block);
    ev->momentum.dTq_dq = view(&at->momentum.dTq_dq, block);
    ev->momentum.dTq_du = view(&at->momentum.dTq_du, block);
    ev->momentum.dplain_dq = view(&at->momentum.dplain_dq, block);
    ev->momentum.dplain_du = view(&at->momentum.dplain_du, block);
}

static void lay_out_variation(carom_eval_variation *to, const carom_layout_variation *at,
                              double *block)
{
    const struct {
        carom_sparse *to;
        const carom_pattern *at;
    } part[] = {{&to->acceleration_q, &at->acceleration_q},
                {&to->acceleration_u, &at->acceleration_u},
                {&to->acceleration_p, &at->acceleration_p},
                {&to->acceleration_t, &at->acceleration_t},
                {&to->force_p, &at->force_p},
                {&to->force_t, &at->force_t},
                {&to->push_p, &at->push_p},
                {&to->push_t, &at->push_t},
                {&to->rate_p, &at->rate_p},
                {&to->rate_t, &at->rate_t},
                {&to->gap_p, &at->gap_p},
                {&to->given_p, &at->given_p},
                {&to->record_q, &at->record_q},
                {&to->record_u, &at->record_u},
                {&to->record_p, &at->record_p},
                {&to->record_t, &at->record_t},
                {&to->switch_q, &at->switch_q},
                {&to->switch_u, &at->switch_u},
                {&to->switch_p, &at->switch_p},
                {&to->switch_t, &at->switch_t}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i].to = view(part[i].at, block);
}

// models whose rows change their pattern get their own copy of it
static bool own_rows(const carom_plan *plan, carom_eval *ev)
{
    const carom_pattern *W = &plan->model->layout.W;
    const int n_entry = W->start[W->n_row];
    int *start = CAROM_TAKE(plan->arena, int, W->n_row + 1),
        *index = CAROM_TAKE(plan->arena, int, n_entry);
    if (!start || !index) return false;
    ev->rows.W.start = start;
    ev->rows.W.index = index;
    return true;
}

carom_eval *carom_plan_eval(carom_plan *plan)
{
    if (!plan) return NULL;
    const carom_model *model = plan->model;
    carom_full_eval *full = CAROM_TAKE(plan->arena, carom_full_eval, 1);
    if (!full) return NULL;
    full->block = CAROM_TAKE(plan->arena, double, model->layout.size);
    full->nq = model->size.nq;
    full->nu = model->size.nu;
    full->n = full->nq + full->nu;
    full->q = CAROM_TAKE(plan->arena, double, full->n);
    const carom_pattern *mass = &model->layout.mass;
    carom_eval *ev = &full->eval;
    ev->mass = carom_mass_new(plan->arena, mass->n_row, mass->start, mass->index);
    if (!full->block || !full->q || !ev->mass) return NULL;
    full->u = full->q + full->nq;
    ev->model = model;
    full->plan = plan;
    lay_out(ev, &model->layout, full->block);
    if (model->layout.variation.is_there)
        lay_out_variation(&ev->variation, &model->layout.variation, full->block);
    if (model->rows_change_pattern && !own_rows(plan, ev)) return NULL;
    carom_mass_use_values(ev->mass, full->block + mass->offset);
    if (model->layout.n_factor > 0)
        carom_mass_use_small(ev->mass, full->block + model->layout.factor);
    if (model->mass_entry_is_constant)
        carom_mass_mark_constant(ev->mass, model->mass_entry_is_constant);
    model->kind->constants(plan, ev);
    full->next = plan->evals;
    plan->evals = full;
    return ev;
}

bool carom_plan_needs_t(const carom_plan *plan, unsigned mask)
{
    const carom_question *ask = carom_plan_question(plan, mask);
    return !ask || ask->needs_t;
}

bool carom_plan_is_constant(const carom_plan *plan, unsigned mask)
{
    const carom_question *ask = carom_plan_question(plan, mask);
    return ask && ask->is_constant;
}
