// SPDX-License-Identifier: Apache-2.0
// What the values of live parameters decide: all that is firm in the answers, the start, the
// contacts' factors and the clock, as one list, and its values as the model is made.
#include "model/live.h"
#include "model/making/making.h"

static bool add_targets(carom_arena *arena, carom_refs *to, const carom_target *target, int n)
{
    bool is_added = true;
    for (int i = 0; i < n; i++) is_added &= carom_refs_add(arena, to, target[i].ref);
    return is_added;
}

static bool add_refs(carom_arena *arena, carom_refs *to, const carom_refs *from)
{
    bool is_added = true;
    for (int i = 0; i < from->n; i++) is_added &= carom_refs_add(arena, to, from->item[i]);
    return is_added;
}

static bool add_clock(carom_arena *arena, carom_refs *to, const carom_clock *clock)
{
    bool is_added = true;
    for (int i = 0; i < clock->n_node; i++)
        is_added &= carom_refs_add(arena, to, clock->node[i].firm);
    for (int i = 0; i < clock->n_affine; i++)
        is_added &= carom_refs_add(arena, to, clock->affine[i].slope_node) &&
                    carom_refs_add(arena, to, clock->affine[i].offset_node);
    return is_added;
}

static bool list_roots(carom_making *making, carom_refs *root)
{
    const carom_lagrange *l = making->lagrange;
    carom_arena *arena = making->arena;
    bool is_added = add_refs(arena, root, &l->q0) && add_refs(arena, root, &l->u0) &&
                    add_refs(arena, root, &l->factor) && add_clock(arena, root, &l->clock);
    for (int bit = 0; bit < CAROM_N_FLAG; bit++)
        is_added = is_added && add_targets(arena, root, l->target[bit].item, l->target[bit].n) &&
                   add_targets(arena, root, l->held[bit].item, l->held[bit].n);
    return is_added;
}

static int *number_refs(carom_arena *arena, const carom_firm *firm, const carom_refs *refs)
{
    int *number = CAROM_TAKE(arena, int, refs->n);
    for (int i = 0; number && i < refs->n; i++) number[i] = carom_firm_find(firm, refs->item[i]);
    return number;
}

static bool name_parameters(carom_making *making, carom_live *live)
{
    const carom_builder *builder = making->builder;
    carom_arena *arena = making->model->arena;
    const int n = builder->parameter.n;
    live->n = making->own.n;
    live->name = CAROM_TAKE(arena, const char *, live->n);
    live->value = CAROM_TAKE(arena, double, live->n);
    live->fixed = CAROM_TAKE(arena, const char *, n);
    live->why = CAROM_TAKE(arena, const char *, n);
    if (!live->name || !live->value || !live->fixed || !live->why) return false;
    for (int k = 0; k < live->n; k++)
        live->name[k] = carom_arena_string(
            arena, builder->parameter.item[making->live_number.item[k]].name.text);
    for (int i = 0; i < n; i++) {
        if (!making->live->fixed[i]) continue;
        live->fixed[live->n_fixed] =
            carom_arena_string(arena, builder->parameter.item[i].name.text);
        live->why[live->n_fixed++] = making->live->fixed[i];
    }
    return true;
}

static bool number_all(carom_making *making, carom_live *live)
{
    const carom_lagrange *l = making->lagrange;
    carom_arena *arena = making->model->arena;
    live->q0 = number_refs(arena, &live->firm, &l->q0);
    live->u0 = number_refs(arena, &live->firm, &l->u0);
    live->factor = number_refs(arena, &live->firm, &l->factor);
    if (!carom_clock_copy(&l->clock, arena, &live->clock)) return false;
    carom_clock_number_firm(&live->clock, &live->firm);
    return live->q0 && live->u0 && live->factor;
}

// the values that the model is made with, and what it shows of them
static carom_status use_values(carom_making *making, carom_live *live)
{
    carom_model *model = making->model;
    unsigned char *is_given = CAROM_TAKE(making->arena, unsigned char, live->n);
    double *firm = CAROM_TAKE(making->arena, double, live->firm.n);
    if (!is_given || !firm) return carom_making_no_memory(making);
    carom_firm_run(&live->firm, is_given, live->value, firm);
    carom_live_read(model, firm, model->contact, model->q0, model->u0);
    carom_clock_settle(&live->clock, firm);
    model->clock = &live->clock;
    live->structure = model->fingerprint;
    model->fingerprint =
        carom_live_fingerprint(model, live->value, model->contact, model->q0, model->u0);
    return carom_live_check(model, live->value, model->contact, model->q0, model->u0,
                            making->error);
}

carom_status carom_making_live_values(carom_making *making)
{
    carom_model *model = making->model;
    carom_refs root = {0};
    if (making->own.n == 0 && !making->builder->wishes.is_live) return CAROM_OK;
    carom_live *live = CAROM_TAKE(model->arena, carom_live, 1);
    if (!live || !list_roots(making, &root) || !name_parameters(making, live))
        return carom_making_no_memory(making);
    const carom_firm_wanted wanted = {root.item, root.n, making->own.item, making->own.n};
    if (carom_firm_make(making->graph, &wanted, model->arena, &live->firm) != CAROM_OK ||
        !number_all(making, live))
        return carom_making_no_memory(making);
    model->live = live;
    return use_values(making, live);
}
