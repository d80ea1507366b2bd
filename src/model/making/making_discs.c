// SPDX-License-Identifier: Apache-2.0
// Discs: forces along slips that are not larger than a given limit. Each is a contact slot that has
// no obstacle; its normal row is empty and stands for what the slips may bear.
#include "model/bodies/bodies.h"

carom_status carom_making_affine(carom_making *making, carom_ref rate, carom_place place,
                                 const char *what)
{
    carom_gradient gradient;
    if (carom_graph_gradient(making->graph, rate, CAROM_U, &gradient) != CAROM_OK)
        return carom_making_no_memory(making);
    for (int j = 0; j < gradient.n; j++)
        if (carom_graph_kinds(making->graph, gradient.ref[j]) & (1u << CAROM_U))
            return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                                 "%s must be affine in the rates (a sum of factors times der(...))",
                                 what);
    return CAROM_OK;
}

// what a disc is, and the rows of its normal and slips
typedef struct disc_given {
    carom_text name;
    const char *full_name;
    int n_slip;
    bool slip_is_rate;
    carom_ref slip[3], limit;
    int load, n_load;
    int of; // the contact that it belongs to, from 1
} disc_given;

static carom_status add_row(carom_making *making, carom_ref value, bool is_rate)
{
    carom_row_given *row = CAROM_LIST_ADD(making->model->arena, &making->lagrange->row);
    if (!row) return carom_making_no_memory(making);
    *row = (carom_row_given){.value = value, .is_rate = is_rate};
    return CAROM_OK;
}

// the last one belongs to a contact, whose discs follow one another
static void join_contact(const carom_facts_list *all, int contact)
{
    carom_contact_facts *owner = &all->item[contact];
    if (owner->n_disc == 0) owner->disc = all->n - 1;
    owner->n_disc++;
}

static carom_status add_disc(carom_making *making, carom_disc_list *list, const disc_given *given)
{
    carom_graph *g = making->graph;
    carom_lagrange *l = making->lagrange;
    carom_arena *arena = making->model->arena;
    CAROM_TRY(carom_making_put_name(making, list->names, given->name, given->full_name));
    carom_contact_facts *facts = CAROM_LIST_ADD(arena, list->all);
    carom_domain_given *domain = CAROM_LIST_ADD(arena, &l->domain);
    if (!facts || !domain || !carom_refs_add(arena, &l->limit, given->limit) ||
        !carom_refs_add(arena, &l->factor, -1) || !carom_refs_add(arena, &l->factor, -1) ||
        !carom_refs_add(arena, &l->factor, carom_graph_number(g, 1)))
        return carom_making_no_memory(making);
    *domain = (carom_domain_given){-1, -1};
    *facts = (carom_contact_facts){.name = given->full_name,
                                   .row = l->row.n,
                                   .n_slip = given->n_slip,
                                   .mu = 1,
                                   .law = CAROM_LAW_DISC,
                                   .load = given->load,
                                   .n_load = given->n_load,
                                   .of = given->of};
    if (given->of > 0) join_contact(list->all, given->of - 1);
    CAROM_TRY(add_row(making, carom_graph_number(g, 0), false));
    for (int k = 0; k < given->n_slip; k++)
        CAROM_TRY(add_row(making, given->slip[k], given->slip_is_rate));
    making->model->size.n_disc++;
    return CAROM_OK;
}

carom_status carom_making_empty_disc(carom_making *making, carom_disc_list *list, carom_text name,
                                     int n_slip, int contact)
{
    const carom_ref zero = carom_graph_number(making->graph, 0);
    return add_disc(making, list,
                    &(disc_given){.name = name,
                                  .full_name = name.text,
                                  .n_slip = n_slip,
                                  .slip = {zero, zero},
                                  .limit = zero,
                                  .of = contact + 1});
}

static carom_status read_slip(carom_making *making, const carom_friction_text *text, int k,
                              carom_ref *ref)
{
    static const carom_allowed positions = {
        .no_rates = "slip is a displacement; give a sliding velocity under 'slip_rate'"};
    const unsigned moving = 1u << (text->slip_is_rate ? CAROM_U : CAROM_Q);
    CAROM_TRY(carom_making_node(making, text->slip[k],
                                text->slip_is_rate ? (carom_allowed){0} : positions, ref));
    if (!(carom_graph_kinds(making->graph, *ref) & moving))
        return carom_fail_at(making->error, text->slip[k].place, CAROM_BAD_INPUT,
                             "the slip of friction '%s' contains no %s, so nothing slides",
                             text->name.text, text->slip_is_rate ? "rate" : "coordinate");
    if (!text->slip_is_rate) return CAROM_OK;
    return carom_making_affine(making, *ref, text->slip[k].place, "slip_rate");
}

carom_status carom_making_limit(carom_making *making, carom_text text, carom_ref *ref)
{
    static const carom_allowed positions = {
        .no_rates = "a limit of friction depends on positions and time only",
        .no_condition = "a limit is a force, and not a condition"};
    double value = 0;
    CAROM_TRY(carom_making_node(making, text, positions, ref));
    if (!carom_graph_is_number(making->graph, *ref, &value) || value >= 0) return CAROM_OK;
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "a limit must not be negative, it is %g", value);
}

typedef struct friction_member {
    const carom_friction_text *text;
    carom_disc_list *list;
} friction_member;

static carom_status add_friction(carom_making *making, const void *item)
{
    const friction_member *member = item;
    const carom_friction_text *text = member->text;
    disc_given given = {
        .name = text->name, .n_slip = text->n_slip, .slip_is_rate = text->slip_is_rate};
    CAROM_TRY(carom_making_name(making, text->name, &given.full_name));
    for (int k = 0; k < text->n_slip; k++) CAROM_TRY(read_slip(making, text, k, &given.slip[k]));
    CAROM_TRY(carom_making_limit(making, text->limit, &given.limit));
    return add_disc(making, member->list, &given);
}

carom_status carom_making_discs(carom_making *making, carom_disc_list *list)
{
    const carom_builder *b = making->builder;
    const carom_bodies *bodies = making->bodies;
    for (int i = 0; i < b->friction.n; i++) {
        const friction_member member = {&b->friction.item[i], list};
        CAROM_TRY(carom_making_each(making, &member.text->family, member.text->name, add_friction,
                                    &member));
    }
    for (int i = 0; bodies && i < bodies->disc.n; i++) {
        const carom_joint_disc *disc = &bodies->disc.item[i];
        const int first = making->model->size.n_constraint - bodies->row.n; // rows of joints
        disc_given given = {.name = {disc->name, disc->place},
                            .full_name = disc->name,
                            .n_slip = disc->n_slip,
                            .slip_is_rate = true,
                            .limit = disc->limit,
                            .load = first + disc->load,
                            .n_load = disc->n_load,
                            .of = disc->of > 0 ? list->n_written + disc->of : 0};
        for (int k = 0; k < disc->n_slip; k++) given.slip[k] = disc->rate[k];
        CAROM_TRY(add_disc(making, list, &given));
    }
    return CAROM_OK;
}
