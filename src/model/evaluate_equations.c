// SPDX-License-Identifier: Apache-2.0
// Models from equations: one program for each question of a plan, a tape, and machine code where
// the caller asks for it (the plan's self).
#include "model/lagrange.h"

#include "model/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static carom_status prepare(carom_plan *plan, carom_error *error)
{
    for (int i = 0; i < plan->n_mask; i++)
        CAROM_TRY(make_tape(plan, i, &plan->question[i].tape, error));
    return CAROM_OK;
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
    carom_native *native;
    carom_c_function *list = CAROM_TAKE(plan->arena, carom_c_function, plan->n_mask);
    if (!list) return carom_fail(error, CAROM_NO_MEMORY, "no memory for native code");
    if (plan->self) return CAROM_OK;
    for (int i = 0; i < plan->n_mask; i++) {
        CAROM_TRY(list_targets(plan, i, &list[i], error));
        list[i].name = carom_arena_format(plan->arena, "carom_%x", plan->question[i].mask);
        list[i].skips_constants = list[i].is_apart = true;
        list[i].is_watched = list_watched(plan, &list[i]);
        if (!list[i].name || !list[i].is_watched)
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for native code");
    }
    CAROM_TRY(carom_native_new(l->graph, list, plan->n_mask, &native, error));
    plan->self = native;
    for (int i = 0; i < plan->n_mask; i++) {
        plan->question[i].kept = NULL;
        plan->question[i].native = carom_native_at(native, i);
    }
    return CAROM_OK;
}

static void release(carom_plan *plan)
{
    carom_native_free(plan->self);
    for (int i = 0; i < plan->n_mask; i++) carom_tape_free(plan->question[i].tape);
}

static void constants(const carom_plan *plan, carom_eval *eval)
{
    for (int i = 0; i < plan->n_mask; i++)
        carom_tape_constants(plan->question[i].tape, carom_eval_block(eval));
}

static void name_symbol(void *self, carom_symbol kind, int index, char *buffer, size_t room)
{
    const carom_model *model = self;
    if (kind == CAROM_Q)
        snprintf(buffer, room, "%s", model->coordinate_name[index]);
    else if (kind == CAROM_U)
        snprintf(buffer, room, "der(%s)", model->coordinate_name[index]);
    else
        snprintf(buffer, room, "%s", kind == CAROM_TIME ? "t" : kind == CAROM_A ? "a" : "P");
}

static void blame(const carom_plan *plan, const carom_point *at, int i, char *buffer, size_t room)
{
    const carom_lagrange *l = plan->model->self;
    const carom_ref ref = carom_tape_blame(plan->question[i].tape, at);
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
    if (l) carom_graph_free(l->graph);
}

const carom_model_kind carom_model_of_equations = {.prepare = prepare,
                                                   .release = release,
                                                   .constants = constants,
                                                   .blame = blame,
                                                   .free = free_graph,
                                                   .switch_text = switch_text,
                                                   .compile = compile};
