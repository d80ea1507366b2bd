// SPDX-License-Identifier: Apache-2.0
// What a record may use besides the state: the energies, and forces as the last step has left them.
// The force of row r is the symbol CAROM_P number r, accelerations are CAROM_A; both are given with
// the point (sim/forces.c).
//
//     k.force                       of constraint k
//     c.normal, c.friction          of contact c; friction1, friction2 in space
//     j.force.x, j.torque.z         of joint j on its second body: sum of la_r (F_r, T_r)
//     b.contact.x                   of all contacts on body b: sum of la_r dg_r/d(x of b)
#include "model/bodies/bodies.h"

#include <stdio.h>
#include <string.h>

// a record may also use the energies
static carom_status name_energies(carom_making *making)
{
    carom_lagrange *l = making->lagrange;
    const carom_ref kinetic = carom_graph_sum(making->graph, l->kinetic.item, l->kinetic.n);
    const carom_ref potential = carom_graph_sum(making->graph, l->potential.item, l->potential.n);
    const carom_entry energies_known[] = {
        {.name = "kinetic", .meaning = CAROM_MEANS_DEFINE, .ref = kinetic},
        {.name = "potential", .meaning = CAROM_MEANS_DEFINE, .ref = potential},
        {.name = "energy",
         .meaning = CAROM_MEANS_DEFINE,
         .ref = carom_graph_add(making->graph, kinetic, potential)}};
    for (int i = 0; i < 3; i++)
        if (!carom_scope_find(making->scope, energies_known[i].name))
            CAROM_TRY(carom_scope_add(making->scope, &energies_known[i], making->error));
    return CAROM_OK;
}

// NAME.SUFFIX, unless the model has given this name to something else
static carom_status name_force(carom_making *making, const char *name, const char *suffix,
                               carom_ref ref)
{
    char full[CAROM_LONGEST_NAME];
    const int used = snprintf(full, sizeof full, "%s.%s", name, suffix);
    const carom_entry entry = {.name = full, .meaning = CAROM_MEANS_DEFINE, .ref = ref};
    if (ref < 0) return carom_making_no_memory(making);
    if (used < 0 || (size_t)used >= sizeof full || carom_scope_find(making->scope, full))
        return CAROM_OK;
    return carom_scope_add(making->scope, &entry, making->error);
}

static carom_status name_rows(carom_making *making)
{
    carom_graph *g = making->graph;
    const carom_model *model = making->model;
    for (int k = 0; k < model->size.n_constraint; k++)
        CAROM_TRY(name_force(making, model->names.constraint[k], "force",
                             carom_graph_symbol(g, CAROM_P, k)));
    for (int c = 0; c < model->size.n_contact; c++) {
        const carom_contact_facts *facts = &model->contact[c];
        CAROM_TRY(
            name_force(making, facts->name, "normal", carom_graph_symbol(g, CAROM_P, facts->row)));
        for (int k = 1; k <= facts->n_slip; k++) {
            const char suffix[] = {
                'f', 'r', 'i', 'c', 't', 'i', 'o', 'n', (char)(facts->n_slip > 1 ? '0' + k : 0), 0};
            CAROM_TRY(name_force(
                making, facts->name, suffix,
                k == 2 ? carom_making_across(making, carom_graph_symbol(g, CAROM_P, facts->row + k),
                                             facts)
                       : carom_graph_symbol(g, CAROM_P, facts->row + k)));
        }
    }
    return CAROM_OK;
}

static carom_status name_reaction(carom_making *making, const carom_joint_reaction *joint)
{
    static const char *const suffix[] = {"force.x",  "force.y",  "force.z",
                                         "torque.x", "torque.y", "torque.z"};
    carom_graph *g = making->graph;
    const bool is_space = carom_bodies_in_space(making);
    for (int k = 0; k < 6; k++) {
        carom_ref sum = carom_graph_number(g, 0);
        if (!is_space && k >= 2 && k <= 4) continue;
        for (int i = 0; i < joint->n; i++) {
            const carom_ref la =
                carom_graph_symbol(g, CAROM_P, making->bodies->first_row + joint->first + i);
            sum = carom_graph_add(g, sum, carom_graph_mul(g, la, joint->wrench[6 * i + k]));
        }
        CAROM_TRY(name_force(making, joint->name, suffix[k], sum));
    }
    return CAROM_OK;
}

// la_r w; the direction of a contact that is open may be undefined
static carom_ref push_of(carom_graph *g, int row, carom_ref w)
{
    const carom_ref la = carom_graph_symbol(g, CAROM_P, row), zero = carom_graph_number(g, 0);
    const carom_ref is_pushing = carom_graph_make(g, CAROM_OP_NE, la, zero, -1);
    return carom_graph_make(g, CAROM_OP_IF, is_pushing, carom_graph_mul(g, la, w), zero);
}

// what all contacts push along each velocity (nu)
static carom_ref *contact_forces(carom_making *making)
{
    carom_graph *g = making->graph;
    const carom_sizes *size = &making->model->size;
    carom_ref *force = CAROM_TAKE(making->arena, carom_ref, size->nu + 1);
    for (int i = 0; force && i < size->nu; i++) force[i] = carom_graph_number(g, 0);
    for (int r = size->n_constraint; force && r < making->lagrange->row.n; r++) {
        const carom_row_given *row = &making->lagrange->row.item[r];
        carom_gradient w;
        if (carom_graph_gradient(g, row->value, row->is_rate ? CAROM_U : CAROM_Q, &w) != CAROM_OK)
            return NULL;
        for (int k = 0; k < w.n; k++)
            force[w.index[k]] = carom_graph_add(g, force[w.index[k]], push_of(g, r, w.ref[k]));
    }
    return force;
}

// the first record with a word in its text, or NULL
static const carom_text *find_asked(const carom_making *making, const char *word)
{
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->record.n; i++)
        if (strstr(b->record.item[i].value.text, word)) return &b->record.item[i].value;
    return NULL;
}

// bodies that are carried have no coordinates that a contact could push
static carom_status refuse_carried(carom_making *making, const carom_body *body)
{
    char word[CAROM_LONGEST_NAME + 16];
    snprintf(word, sizeof word, "%s.contact", body->name);
    const carom_text *asked = find_asked(making, word);
    if (!asked) return CAROM_OK;
    return carom_fail_at(making->error, asked->place, CAROM_BAD_INPUT,
                         "the contact force on '%.60s' is not known: it is carried and has no "
                         "coordinates of its own (take those of contacts, NAME.normal)",
                         body->name);
}

static carom_status name_contact_sums(carom_making *making)
{
    const char *const suffix[] = {"contact.x", "contact.y", "contact.z"};
    const carom_ref *force = contact_forces(making);
    int velocity[6];
    if (!force) return carom_making_no_memory(making);
    for (int b = 1; b < making->bodies->body.n; b++) {
        const carom_body *body = &making->bodies->body.item[b];
        if (!carom_bodies_own_velocities(making, body, velocity)) {
            CAROM_TRY(refuse_carried(making, body));
            continue;
        }
        for (int k = 0; k < 3 && velocity[k] >= 0; k++)
            CAROM_TRY(name_force(making, body->name, suffix[k], force[velocity[k]]));
    }
    return CAROM_OK;
}

carom_status carom_making_sensors(carom_making *making)
{
    CAROM_TRY(name_energies(making));
    if (making->builder->record.n == 0) return CAROM_OK;
    CAROM_TRY(name_rows(making));
    for (int j = 0; making->bodies && j < making->bodies->reaction.n; j++)
        CAROM_TRY(name_reaction(making, &making->bodies->reaction.item[j]));
    return making->bodies && find_asked(making, ".contact") ? name_contact_sums(making) : CAROM_OK;
}

carom_status carom_making_felt(carom_making *making)
{
    carom_model *model = making->model;
    const carom_refs *record = &making->lagrange->record;
    model->felt.record_is_felt = CAROM_TAKE(model->arena, unsigned char, record->n);
    if (!model->felt.record_is_felt) return carom_making_no_memory(making);
    for (int i = 0; i < record->n; i++) {
        const unsigned kinds = carom_graph_kinds(making->graph, record->item[i]);
        model->felt.has_accelerations |= (kinds & 1u << CAROM_A) != 0;
        model->felt.record_is_felt[i] = (kinds & (1u << CAROM_A | 1u << CAROM_P)) != 0;
        model->felt.has_forces |= model->felt.record_is_felt[i] != 0;
    }
    return CAROM_OK;
}
