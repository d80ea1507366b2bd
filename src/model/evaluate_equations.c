// SPDX-License-Identifier: Apache-2.0
// Models from equations: one program for each question of a plan, a tape, and machine code where
// the caller asks for it (the plan's self).
#include "model/making/lagrange.h"

#include "expr/program/native.h"
#include "model/elastic/elastic.h"
#include "model/live.h"
#include "model/plan.h"
#include "model/touch/near.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// a plan's own
typedef struct programs {
    carom_tape **tape;    // (n_mask)
    int **firm;           // (n_mask) numbers of what is firm in each tape, in the model's list
    carom_ref **firm_ref; // (n_mask) the same as nodes
    carom_native *native; // NULL = not compiled
    double *at_rest;      // (nu) for messages where u is not known
    carom_nearby *nearby; // contacts of shapes that come and go, or NULL
    carom_elastic_question *elastic; // linear bodies behind the programs, or NULL
} programs;

static carom_tape *tape_of(const carom_plan *plan, int i)
{
    const programs *own = plan->self;
    return own->tape[i];
}

// what a flag of the plan computes
static const carom_target *targets_of(const carom_plan *plan, int bit, int *n)
{
    const carom_lagrange *l = plan->model->self;
    const bool is_held = plan->push && l->held[bit].n > 0;
    *n = l->target[bit].n;
    return is_held ? l->held[bit].item : l->target[bit].item;
}

// the targets of mask i, in the plan's arena
static carom_status list_targets(const carom_plan *plan, int i, carom_c_function *list,
                                 carom_error *error)
{
    const carom_lagrange *l = plan->model->self;
    int n = 0, n_more;
    for (int bit = 0; bit < CAROM_N_FLAG; bit++)
        if (plan->question[i].mask >> bit & 1) n += l->target[bit].n;
    carom_target *target = CAROM_TAKE(plan->arena, carom_target, n);
    if (!target)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model's programs");
    n = 0;
    for (int bit = 0; bit < CAROM_N_FLAG; bit++) {
        const carom_target *more = targets_of(plan, bit, &n_more);
        for (int k = 0; plan->question[i].mask >> bit & 1 && k < n_more; k++) target[n++] = more[k];
    }
    list->target = target;
    list->n_target = n;
    return CAROM_OK;
}

static carom_status make_tape(const carom_plan *plan, int i, carom_tape **tape, carom_error *error)
{
    const carom_lagrange *l = plan->model->self;
    carom_c_function list = {0};
    CAROM_TRY(list_targets(plan, i, &list, error));
    return carom_tape_new(l->graph, list.target, list.n_target, tape, error);
}

// what is firm in a tape: where its values come from
static carom_status number_firm(const carom_plan *plan, int i, carom_error *error)
{
    programs *own = plan->self;
    const carom_tape *tape = own->tape[i];
    const int n = carom_tape_n_firm(tape);
    own->firm[i] = CAROM_TAKE(plan->arena, int, n);
    own->firm_ref[i] = CAROM_TAKE(plan->arena, carom_ref, n);
    if (!own->firm[i] || !own->firm_ref[i])
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for programs");
    for (int k = 0; k < n; k++) {
        own->firm_ref[i][k] = carom_tape_firm(tape, k);
        own->firm[i][k] = carom_firm_find(&plan->model->live->firm, own->firm_ref[i][k]);
    }
    return CAROM_OK;
}

static void settle(carom_plan *plan)
{
    const programs *own = plan->self;
    const double *value = plan->values->firm;
    for (int i = 0; i < plan->n_mask; i++) {
        carom_tape_take_firm(own->tape[i], value, own->firm[i]);
        double *v = own->native ? carom_native_at(own->native, i)->v : NULL;
        for (int k = 0; v && k < carom_tape_n_firm(own->tape[i]); k++)
            v[k] = value[own->firm[i][k]];
    }
}

// what stands behind the programs: linear bodies, then contacts that come and go
static carom_status join(carom_plan *plan, carom_error *error)
{
    programs *own = plan->self;
    const carom_lagrange *l = plan->model->self;
    if (plan->model->energies.elastic) {
        if (!own->elastic) own->elastic = carom_elastic_questions_new(plan);
        if (!own->elastic)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for elastic bodies");
        carom_elastic_join(plan, own->elastic);
    }
    if (!own->nearby && l->near) return carom_nearby_new(plan, l->near, &own->nearby, error);
    if (own->nearby) carom_nearby_join(own->nearby);
    return CAROM_OK;
}

static carom_status prepare(carom_plan *plan, carom_error *error)
{
    programs *own = CAROM_TAKE(plan->arena, programs, 1);
    carom_tape **tapes = CAROM_TAKE(plan->arena, carom_tape *, plan->n_mask);
    if (own) own->at_rest = CAROM_TAKE(plan->arena, double, plan->model->size.nu);
    if (own) own->firm = CAROM_TAKE(plan->arena, int *, plan->n_mask);
    if (own) own->firm_ref = CAROM_TAKE(plan->arena, carom_ref *, plan->n_mask);
    if (!own || !tapes || !own->at_rest || !own->firm || !own->firm_ref)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for programs");
    const carom_lagrange *l = plan->model->self;
    own->tape = tapes;
    plan->self = own;
    for (int i = 0; i < plan->n_mask; i++) {
        carom_question *ask = &plan->question[i];
        CAROM_TRY(make_tape(plan, i, &tapes[i], error));
        if (plan->values) CAROM_TRY(number_firm(plan, i, error));
        const carom_tape *tape = tapes[i];
        ask->program = tapes[i];
        ask->whole = carom_tape_run;
        ask->still = carom_tape_run_still;
        ask->rates = carom_tape_run_rates;
        ask->can_keep = ask->is_kept && plan->model->size.n_surface == 0; // patches come and go
        ask->needs_t = carom_tape_needs_t(tape);
        ask->uses_t = carom_tape_uses_t(tape);
        ask->is_constant = carom_tape_is_constant(tape);
        ask->is_still = carom_tape_is_still(tape) && !l->near;
        ask->has_numbers = true;
    }
    if (plan->values) settle(plan);
    return join(plan, error);
}

// ---- answers of machine code, which tells itself whether they are finite ----

static inline bool run_code(carom_native_function *run, const carom_point *at, double *block,
                            double *v)
{
    const double sum = run(at->t, at->q, at->u, at->a, at->P, block, v);
    return sum - sum == 0;
}

static bool code_whole(void *program, const carom_point *at, double *block)
{
    const carom_native_code *code = program;
    return run_code(code->whole, at, block, code->v);
}

static bool code_still(void *program, const carom_point *at, double *block)
{
    const carom_native_code *code = program;
    return run_code(code->still, at, block, code->v);
}

static bool code_rates(void *program, const carom_point *at, double *block)
{
    const carom_native_code *code = program;
    return run_code(code->rates, at, block, code->v);
}

// forces, gaps, constraints and factors of the mass must be finite; energies are looked at apart
static unsigned char *list_watched(const carom_plan *plan, const carom_c_function *list)
{
    const carom_layout *at = &plan->model->layout;
    const carom_sizes *size = &plan->model->size;
    const struct {
        int first, n;
    } part[] = {{at->f, size->nu},
                {at->gap, size->n_contact},
                {at->constraint, size->n_constraint},
                {at->factor, at->n_factor}};
    unsigned char *is_watched = CAROM_TAKE(plan->arena, unsigned char, list->n_target);
    for (int k = 0; is_watched && k < list->n_target; k++)
        for (int i = 0; i < 4; i++) {
            const int offset = list->target[k].offset - part[i].first;
            is_watched[k] |= offset >= 0 && offset < part[i].n;
        }
    return is_watched;
}

static carom_status compile(carom_plan *plan, carom_error *error)
{
    const carom_lagrange *l = plan->model->self;
    programs *own = plan->self;
    carom_c_function *list = CAROM_TAKE(plan->arena, carom_c_function, plan->n_mask);
    if (!list) return carom_fail(error, CAROM_NO_MEMORY, "no memory for native code");
    if (own->native) return CAROM_OK;
    for (int i = 0; i < plan->n_mask; i++) {
        CAROM_TRY(list_targets(plan, i, &list[i], error));
        list[i].name = carom_arena_format(plan->arena, "carom_%x", plan->question[i].mask);
        list[i].skips_constants = list[i].is_apart = true;
        list[i].is_watched = list_watched(plan, &list[i]);
        list[i].firm = own->firm_ref[i];
        list[i].n_firm = carom_tape_n_firm(own->tape[i]);
        if (!list[i].name || !list[i].is_watched)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for native code");
    }
    CAROM_TRY(carom_native_new(l->graph, list, plan->n_mask, &own->native, error));
    for (int i = 0; i < plan->n_mask; i++) {
        carom_question *ask = &plan->question[i];
        ask->writes_to = NULL;
        ask->program = (void *)(uintptr_t)carom_native_at(own->native, i); // it is only read
        ask->whole = code_whole;
        ask->still = code_still;
        ask->rates = code_rates;
    }
    if (plan->values) settle(plan);
    return join(plan, error);
}

static carom_status share(carom_plan *plan, carom_error *error)
{
    const programs *own = plan->self;
    return own->nearby ? carom_nearby_share(own->nearby, error) : CAROM_OK;
}

static void release(carom_plan *plan)
{
    const programs *own = plan->self;
    if (!own) return;
    carom_nearby_free(own->nearby);
    carom_native_free(own->native);
    for (int i = 0; i < plan->n_mask; i++) carom_tape_free(tape_of(plan, i));
}

static void constants(const carom_plan *plan, carom_eval *eval)
{
    if (plan->model->energies.elastic)
        carom_elastics_constants(plan->model->energies.elastic, carom_eval_block(eval));
    for (int i = 0; i < plan->n_mask; i++)
        carom_tape_constants(tape_of(plan, i), carom_eval_block(eval));
    const programs *own = plan->self;
    if (own->nearby) // each evaluation has its own
        carom_nearby_write_pattern(own->nearby, (int *)eval->rows.W.start,
                                   (int *)eval->rows.W.index);
}

static void name_symbol(void *self, carom_symbol kind, int index, char *buffer, size_t room)
{
    const carom_model *model = self;
    if (kind == CAROM_Q)
        snprintf(buffer, room, "%s", model->names.coordinate[index]);
    else if (kind == CAROM_U)
        snprintf(buffer, room, "%s", model->names.velocity[index]);
    else if (kind == CAROM_PARAMETER)
        snprintf(buffer, room, "%s", model->live ? model->live->name[index] : "parameter");
    else
        snprintf(buffer, room, "%s", kind == CAROM_TIME ? "t" : kind == CAROM_A ? "a" : "P");
}

static void blame(const carom_plan *plan, const carom_point *at, int i, char *buffer, size_t room)
{
    const carom_lagrange *l = plan->model->self;
    const programs *own = plan->self;
    carom_point known = *at;
    if (!at->u) known.u = own->at_rest;
    const carom_ref ref = carom_tape_blame(tape_of(plan, i), &known);
    buffer[0] = 0;
    if (ref < 0) return;
    carom_model *model = (carom_model *)plan->model; // the namer only reads
    carom_graph_print(l->graph, ref, name_symbol, model, buffer, room);
    if (carom_graph_op(l->graph, ref) != CAROM_OP_TABLE) return;
    const int table = carom_graph_child(l->graph, ref, 2);
    const carom_spline *spline = carom_graph_table(l->graph, table);
    const size_t used = strlen(buffer);
    snprintf(buffer + used, room - used, ": the table '%s' goes from %g to %g",
             carom_graph_table_name(l->graph, table), spline->x[0], spline->x[spline->n - 1]);
}

static void switch_text(const carom_model *model, int which, char *buffer, size_t room)
{
    const carom_lagrange *l = model->self;
    carom_model *named = (carom_model *)model; // the namer only reads
    carom_graph_print(l->graph, l->switches.item[which].value, name_symbol, named, buffer, room);
}

static void free_graph(carom_model *model)
{
    const carom_lagrange *l = model->self;
    if (!l) return;
    carom_graph_free(l->graph);
    if (l->near) carom_slot_code_free(l->near->code);
}

// ---- contacts of shapes that come and go ----

static carom_status refresh(carom_plan *plan, const carom_point *from, double h, carom_error *error)
{
    const programs *own = plan->self;
    return carom_nearby_find(own->nearby, from, h, error);
}

static carom_status check(carom_plan *plan, const carom_point *at, unsigned char *is_there,
                          bool *is_missed, carom_error *error)
{
    const programs *own = plan->self;
    return carom_nearby_check(own->nearby, at, is_there, is_missed, error);
}

static carom_status places(carom_plan *plan, const carom_point *at, const carom_places *places,
                           carom_error *error)
{
    const programs *own = plan->self;
    (void)error;
    carom_nearby_places(own->nearby, at, places);
    return CAROM_OK;
}

#define HOW_EQUATIONS_ANSWER                                                                       \
    .prepare = prepare, .release = release, .constants = constants, .settle = settle,              \
    .blame = blame, .free = free_graph, .switch_text = switch_text, .compile = compile

const carom_model_kind carom_model_of_equations = {HOW_EQUATIONS_ANSWER};
const carom_model_kind carom_model_of_near_shapes = {
    HOW_EQUATIONS_ANSWER, .refresh = refresh, .check = check, .places = places, .share = share};
