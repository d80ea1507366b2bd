// SPDX-License-Identifier: Apache-2.0
// Energies, forces, constraints, contacts, records and drawings: from texts to the given part of a
// lagrange system.
#include "expr/rotation_nodes.h"
#include "model/bodies/body_drawing.h"
#include "model/elastic/elastic_making.h"
#include "model/matter/matter.h"

#include <stdio.h>
#include <string.h>

static const carom_allowed ANYTHING = {0}, WITH_FORCES = {.has_forces = true};

static bool add_row(carom_making *making, carom_row_given given)
{
    carom_row_given *row = CAROM_LIST_ADD(making->model->arena, &making->lagrange->row);
    if (row) *row = given;
    return row != NULL;
}

static carom_status kinetic_term(carom_making *making, const void *item)
{
    carom_ref ref;
    CAROM_TRY(carom_making_node(making, ((const carom_named_text *)item)->value, ANYTHING, &ref));
    return carom_refs_add(making->arena, &making->lagrange->kinetic, ref)
               ? CAROM_OK
               : carom_making_no_memory(making);
}

static carom_status potential_term(carom_making *making, const void *item)
{
    static const carom_allowed positions = {.no_rates =
                                                "a potential depends on positions and time only; "
                                                "give what depends on rates under 'forces'"};
    carom_ref ref;
    CAROM_TRY(carom_making_node(making, ((const carom_named_text *)item)->value, positions, &ref));
    return carom_refs_add(making->arena, &making->lagrange->potential, ref)
               ? CAROM_OK
               : carom_making_no_memory(making);
}

static carom_status energies(carom_making *making)
{
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->kinetic.n; i++)
        CAROM_TRY(carom_making_each(making, &b->kinetic.item[i].family, (carom_text){0},
                                    kinetic_term, &b->kinetic.item[i]));
    for (int i = 0; i < b->potential.n; i++)
        CAROM_TRY(carom_making_each(making, &b->potential.item[i].family, (carom_text){0},
                                    potential_term, &b->potential.item[i]));
    if (!b->kinetic.n && b->body.n) making->model->places.energies = b->body.item[0].place;
    if (!b->kinetic.n) return CAROM_OK;
    making->model->places.potential =
        b->potential.n ? b->potential.item[0].value.place : (carom_place){0};
    making->model->places.potential.file =
        carom_arena_string(making->model->arena, making->model->places.potential.file);
    making->model->places.energies = b->kinetic.item[0].value.place;
    making->model->places.energies.file =
        carom_arena_string(making->model->arena, making->model->places.energies.file);
    return CAROM_OK;
}

// a force on one coordinate
static carom_status coordinate_force(carom_making *making, const carom_force_text *force)
{
    const char *name;
    char why[256];
    CAROM_TRY(carom_making_name(making, force->coordinate, &name));
    const carom_entry *entry = carom_scope_find(making->scope, name);
    const bool is_spin = entry && entry->meaning == CAROM_MEANS_VELOCITY;
    if (!entry || (entry->meaning != CAROM_MEANS_COORDINATE && !is_spin))
        return carom_fail_at(making->error, force->coordinate.place, CAROM_BAD_INPUT, "%s%s",
                             entry
                                 ? "a force needs the name of a coordinate, not of something else: "
                                 : carom_scope_explain(making->scope, name, why, sizeof why),
                             entry ? name : "");
    carom_ref ref;
    CAROM_TRY(carom_making_node(making, force->force[0], ANYTHING, &ref));
    const int u = is_spin ? entry->number : carom_graph_velocity_of(making->graph, entry->number);
    carom_ref *applied = &making->lagrange->applied[u];
    *applied = carom_graph_add(making->graph, *applied, ref);
    return CAROM_OK;
}

// a force at a point: Q_j = sum of F_k d(at_k)/dq_j
static carom_status point_force(carom_making *making, const carom_force_text *force)
{
    static const carom_allowed positions = {.no_rates =
                                                "a point depends on positions and time only"};
    const bool is_vector = force->n > 1 && !force->at[1].text;
    carom_ref at[3];
    if (is_vector) CAROM_TRY(carom_making_vector(making, force->at[0], positions, at));
    for (int k = 0; k < force->n; k++) {
        carom_ref ref;
        carom_gradient gradient;
        if (!is_vector) CAROM_TRY(carom_making_node(making, force->at[k], positions, &at[k]));
        CAROM_TRY(carom_making_node(making, force->force[k], ANYTHING, &ref));
        if (carom_graph_gradient(making->graph, at[k], CAROM_Q, &gradient) != CAROM_OK)
            return carom_making_no_memory(making);
        for (int j = 0; j < gradient.n; j++) {
            carom_ref *applied = &making->lagrange->applied[gradient.index[j]];
            *applied = carom_graph_add(making->graph, *applied,
                                       carom_graph_mul(making->graph, ref, gradient.ref[j]));
        }
    }
    return CAROM_OK;
}

static carom_status add_force(carom_making *making, const void *item)
{
    const carom_force_text *force = item;
    return force->coordinate.text ? coordinate_force(making, force) : point_force(making, force);
}

static carom_status refuse_twin(carom_making *making, carom_place place, const char *name,
                                const carom_entry *other)
{
    char where[CAROM_PLACE_ROOM];
    return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                         "there are two called '%s'; rename one (the other is %s)", name,
                         carom_scope_where(other->place, place, where, sizeof where));
}

carom_status carom_making_put_name(carom_making *making, carom_name_list *list, carom_text text,
                                   const char *name)
{
    const carom_entry *other = carom_scope_find(list->seen, name);
    if (other) return refuse_twin(making, text.place, name, other);
    const carom_entry entry = {.name = name, .place = text.place};
    CAROM_TRY(carom_scope_add(list->seen, &entry, making->error));
    const char **item = CAROM_LIST_ADD(making->model->arena, &list->all);
    if (!item) return carom_making_no_memory(making);
    *item = name;
    return CAROM_OK;
}

static carom_status add_name(carom_making *making, carom_name_list *list, carom_text text)
{
    const char *name;
    CAROM_TRY(carom_making_name(making, text, &name));
    return carom_making_put_name(making, list, text, name);
}

typedef struct named_member {
    const carom_named_text *text;
    carom_name_list *list;
} named_member;

static carom_status refuse_still(carom_making *making, carom_text text, const char *name,
                                 const char *what)
{
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "the constraint '%s' contains no %s, so it constrains nothing", name,
                         what);
}

// on velocity level only
static carom_status add_rate(carom_making *making, const carom_named_text *text)
{
    static const carom_allowed rates = {.no_condition =
                                            "a rate is what is kept at zero: write left - right"};
    carom_ref ref;
    CAROM_TRY(carom_making_node(making, text->rate, rates, &ref));
    CAROM_TRY(carom_making_affine(making, ref, text->rate.place, "the rate of a constraint"));
    if (!(carom_graph_kinds(making->graph, ref) & (1u << CAROM_U)))
        return refuse_still(making, text->rate, text->name.text, "rate");
    return add_row(making, (carom_row_given){.value = ref, .is_rate = true})
               ? CAROM_OK
               : carom_making_no_memory(making);
}

static carom_status add_constraint(carom_making *making, const void *item)
{
    static const carom_allowed positions = {
        .no_rates = "an equation is one of positions and time; give one of rates under 'rate'",
        .no_condition = "an equation is what is kept at zero: write left - right"};
    const named_member *member = item;
    carom_ref ref;
    CAROM_TRY(add_name(making, member->list, member->text->name));
    if (member->text->rate.text) return add_rate(making, member->text);
    CAROM_TRY(carom_making_node(making, member->text->value, positions, &ref));
    if (!(carom_graph_kinds(making->graph, ref) & (1u << CAROM_Q)))
        return refuse_still(making, member->text->value, member->text->name.text, "coordinate");
    return add_row(making, (carom_row_given){.value = ref}) ? CAROM_OK
                                                            : carom_making_no_memory(making);
}

static carom_status add_record(carom_making *making, const void *item)
{
    const named_member *member = item;
    carom_ref ref;
    CAROM_TRY(add_name(making, member->list, member->text->name));
    CAROM_TRY(carom_making_node(making, member->text->value, WITH_FORCES, &ref));
    return carom_refs_add(making->arena, &making->lagrange->record, ref)
               ? CAROM_OK
               : carom_making_no_memory(making);
}

typedef struct contact_list {
    const carom_contact_text *text;
    carom_name_list names;
    carom_facts_list all;
    carom_scope *surface; ///< the surfaces by name; an entry's number is that of the surface
    int n_surface;
    bool is_named; ///< the name is the full one: joint.lower, box.ground.1
} contact_list;

// one contact as the model gets it: a plain one, a patch, or a smooth piece of one of them
typedef struct contact_piece {
    carom_piece *nodes;
    int number;    // among the pieces of the contact, from 1; 0 = it is whole
    bool is_patch; // it is not everywhere
} contact_piece;

// the surface that a patch or piece is part of, 0 where it is everywhere; its first one makes it
static carom_status find_surface(carom_making *making, contact_list *list, const char *name,
                                 const contact_piece *piece, int *surface)
{
    const carom_entry *known = carom_scope_find(list->surface, name);
    if (known && (list->text->patch > 1 || piece->number > 1)) {
        *surface = known->number;
        return CAROM_OK;
    }
    // a plain contact of this name was there before
    if (!known) known = carom_scope_find(list->names.seen, name);
    if (known) return refuse_twin(making, list->text->name.place, name, known);
    *surface = piece->is_patch ? ++list->n_surface : 0;
    const carom_entry entry = {.name = name, .place = list->text->name.place, .number = *surface};
    return carom_scope_add(list->surface, &entry, making->error);
}

// "floor", of a patch "floor.2", of their pieces "floor.1", "floor.2.1"
static carom_status name_contact(carom_making *making, contact_list *list,
                                 const contact_piece *piece, carom_contact_facts *facts)
{
    const carom_contact_text *text = list->text;
    const char *name = carom_arena_string(making->model->arena, text->name.text);
    if (!list->is_named) CAROM_TRY(carom_making_name(making, text->name, &name));
    if (text->patch > 0 || piece->number > 0) {
        char full[CAROM_LONGEST_NAME + 32];
        CAROM_TRY(find_surface(making, list, name, piece, &facts->surface));
        int used = snprintf(full, sizeof full, "%s", name);
        if (text->patch > 0)
            used += snprintf(full + used, sizeof full - (size_t)used, ".%d", text->patch);
        if (piece->number > 0)
            snprintf(full + used, sizeof full - (size_t)used, ".%d", piece->number);
        name = carom_arena_string(making->model->arena, full);
        if (!name) return carom_making_no_memory(making);
    } else {
        const carom_entry *other = carom_scope_find(list->surface, name);
        if (other) return refuse_twin(making, text->name.place, name, other);
    }
    CAROM_TRY(carom_making_put_name(making, &list->names, text->name, name));
    facts->name = name;
    return CAROM_OK;
}

// where the patch is
static carom_status add_domain(carom_making *making, const contact_piece *piece)
{
    carom_domain_given *domain = CAROM_LIST_ADD(making->model->arena, &making->lagrange->domain);
    if (!domain) return carom_making_no_memory(making);
    *domain = (carom_domain_given){-1, -1};
    if (!piece->is_patch) return CAROM_OK;
    domain->where = piece->nodes->where;
    domain->margin = carom_graph_margin(making->graph, domain->where);
    return domain->margin >= 0 ? CAROM_OK : carom_making_no_memory(making);
}

// slips are displacements, or rates that are affine in u
static carom_status read_slip(carom_making *making, const carom_contact_text *text, int k,
                              carom_ref *ref)
{
    static const carom_allowed positions = {
        .no_rates = "slip is a displacement; give a sliding velocity under 'slip_rate'"};
    CAROM_TRY(
        carom_making_node(making, text->slip[k], text->slip_is_rate ? ANYTHING : positions, ref));
    if (!text->slip_is_rate) return CAROM_OK;
    return carom_making_affine(making, *ref, text->slip[k].place, "slip_rate");
}

static carom_status add_piece(carom_making *making, contact_list *list, const contact_piece *piece)
{
    const carom_contact_text *text = list->text;
    carom_contact_facts *facts = CAROM_LIST_ADD(making->model->arena, &list->all);
    if (!facts) return carom_making_no_memory(making);
    CAROM_TRY(name_contact(making, list, piece, facts));
    CAROM_TRY(add_domain(making, piece));
    facts->row = making->lagrange->row.n;
    CAROM_TRY(carom_making_coefficients(making, text, list->all.n - 1, facts));
    for (int k = 0; k < 1 + text->n_slip; k++) {
        const carom_ref root = k == 2 ? carom_making_across(making, piece->nodes->root[k], facts)
                                      : piece->nodes->root[k];
        const carom_row_given row = {root, k > 0 && text->slip_is_rate, piece->is_patch};
        if (!add_row(making, row)) return carom_making_no_memory(making);
    }
    return CAROM_OK;
}

// the pieces count where the patch is
static carom_status add_pieces(carom_making *making, contact_list *list, carom_pieces *pieces)
{
    static const carom_allowed positions = {.no_rates =
                                                "where a patch is depends on positions and time "
                                                "only"};
    carom_ref where = carom_graph_number(making->graph, 1);
    bool is_patch = list->text->patch > 0;
    double value;
    if (is_patch) CAROM_TRY(carom_making_condition(making, list->text->where, positions, &where));
    for (int i = 0; i < pieces->n; i++) {
        carom_ref *own = &pieces->item[i].where;
        *own = carom_graph_make(making->graph, CAROM_OP_AND, where, *own, -1);
        is_patch |= !carom_graph_is_number(making->graph, *own, &value);
    }
    for (int i = 0; i < pieces->n; i++) {
        const contact_piece piece = {&pieces->item[i], pieces->n > 1 ? i + 1 : 0, is_patch};
        CAROM_TRY(add_piece(making, list, &piece));
    }
    return CAROM_OK;
}

static carom_status refuse_still_gap(carom_making *making, const carom_contact_text *text)
{
    const char *name;
    char patch[16] = "";
    CAROM_TRY(carom_making_name(making, text->name, &name));
    if (text->patch > 0) snprintf(patch, sizeof patch, ".%d", text->patch);
    return carom_fail_at(making->error, text->gap.place, CAROM_BAD_INPUT,
                         "the gap of contact '%s%s' contains no coordinate", name, patch);
}

static carom_status add_contact(carom_making *making, const void *item)
{
    static const carom_allowed positions = {
        .no_rates = "a gap depends on positions and time only",
        .no_condition = "a gap is a distance, positive where it is open, and not a condition: "
                        "write left - right for left >= right"};
    contact_list *list = *(contact_list *const *)item;
    const carom_contact_text *text = list->text;
    carom_ref root[CAROM_PIECE_ROOTS];
    carom_pieces pieces;
    CAROM_TRY(carom_making_node(making, text->gap, positions, &root[0]));
    if (!(carom_graph_kinds(making->graph, root[0]) & (1u << CAROM_Q)))
        return refuse_still_gap(making, text);
    for (int k = 0; k < text->n_slip; k++) CAROM_TRY(read_slip(making, text, k, &root[1 + k]));
    CAROM_TRY(carom_making_pieces(making, text->gap, root, 1 + text->n_slip, &pieces));
    return add_pieces(making, list, &pieces);
}

// a contact that a joint brings; its nodes are smooth
static carom_status add_joint_contact(carom_making *making, contact_list *list,
                                      const carom_joint_contact *contact)
{
    carom_piece nodes = {.where = carom_graph_number(making->graph, 1)};
    const contact_piece piece = {&nodes, 0, false};
    for (int k = 0; k < 1 + contact->text.n_slip; k++) nodes.root[k] = contact->root[k];
    list->text = &contact->text;
    list->is_named = true;
    making->n_index = 0;
    CAROM_TRY(add_piece(making, list, &piece));
    carom_contact_facts *facts = &list->all.item[list->all.n - 1];
    facts->is_of_shapes = contact->is_of_shapes;
    memcpy(facts->body, contact->body, sizeof facts->body);
    facts->place = contact->place;
    return CAROM_OK;
}

typedef struct drawing_list {
    const carom_drawing_text *text;
    carom_drawings all;
} drawing_list;

static carom_status add_drawing(carom_making *making, const void *item)
{
    drawing_list *list = *(drawing_list *const *)item;
    const carom_drawing_text *text = list->text;
    carom_refs *draw = &making->lagrange->draw;
    carom_drawing *drawing = CAROM_LIST_ADD(making->model->arena, &list->all);
    if (!drawing) return carom_making_no_memory(making);
    *drawing = (carom_drawing){carom_arena_string(making->model->arena, text->kind.text),
                               text->n_point,
                               draw->n,
                               text->size.text != NULL,
                               NULL,
                               2};
    for (int i = 0; i < 2 * text->n_point + drawing->has_size; i++) {
        carom_ref ref;
        const carom_text number = i < 2 * text->n_point ? text->xy[i] : text->size;
        CAROM_TRY(carom_making_node(making, number, ANYTHING, &ref));
        if (!carom_refs_add(making->arena, draw, ref)) return carom_making_no_memory(making);
    }
    return CAROM_OK;
}

// where each of the names stands, for messages about the start
static carom_place *name_places(carom_making *making, const carom_name_list *names)
{
    carom_place *place = CAROM_TAKE(making->model->arena, carom_place, names->all.n);
    for (int i = 0; place && i < names->all.n; i++) {
        place[i] = carom_scope_find(names->seen, names->all.item[i])->place;
        place[i].file = carom_arena_string(making->model->arena, place[i].file);
    }
    return place;
}

// which constraints are of rates alone
static carom_status note_rates(carom_making *making)
{
    carom_model *model = making->model;
    const int n = model->size.n_constraint;
    unsigned char *is_rate = CAROM_TAKE(model->arena, unsigned char, n);
    if (!is_rate) return carom_making_no_memory(making);
    for (int k = 0; k < n; k++) {
        is_rate[k] = making->lagrange->row.item[k].is_rate;
        if (is_rate[k]) model->layout.is_rate = is_rate;
    }
    return CAROM_OK;
}

static carom_status constraints(carom_making *making)
{
    carom_name_list names = {.seen = carom_scope_new(making->arena)};
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->constraint.n; i++) {
        const named_member member = {&b->constraint.item[i], &names};
        CAROM_TRY(carom_making_each(making, &member.text->family, member.text->name, add_constraint,
                                    &member));
    }
    if (making->bodies) making->bodies->first_row = making->lagrange->row.n;
    for (int i = 0; making->bodies && i < making->bodies->row.n; i++) {
        const carom_joint_row *row = &making->bodies->row.item[i];
        const carom_text name = {row->name, row->place};
        CAROM_TRY(carom_making_put_name(making, &names, name, row->name));
        if (!add_row(making, (carom_row_given){.value = row->value, .is_rate = row->is_rate}))
            return carom_making_no_memory(making);
    }
    making->model->size.n_constraint = names.all.n;
    CAROM_TRY(note_rates(making));
    making->model->names.constraint = names.all.item;
    making->model->places.constraint = name_places(making, &names);
    return making->model->places.constraint ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status contacts(carom_making *making)
{
    contact_list list = {.names.seen = carom_scope_new(making->arena),
                         .surface = carom_scope_new(making->arena)},
                 *address = &list;
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->contact.n; i++) {
        list.text = &b->contact.item[i];
        CAROM_TRY(
            carom_making_each(making, &list.text->family, list.text->name, add_contact, &address));
    }
    CAROM_TRY(carom_matter_touch(making));
    const int n_written = list.all.n;
    for (int i = 0; making->bodies && i < making->bodies->contact.n; i++)
        CAROM_TRY(add_joint_contact(making, &list, &making->bodies->contact.item[i]));
    making->n_index = 0;
    carom_disc_list behind = {&list.names, &list.all, n_written};
    CAROM_TRY(carom_matter_make_slots(making, &behind));
    CAROM_TRY(carom_making_discs(making, &behind));
    making->model->size.n_contact = list.all.n;
    making->model->contact = list.all.item;
    making->model->size.n_surface = list.n_surface;
    making->model->size.n_row = making->lagrange->row.n;
    making->model->places.contact = name_places(making, &list.names);
    return making->model->places.contact ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status records(carom_making *making)
{
    carom_name_list names = {.seen = carom_scope_new(making->arena)};
    const carom_builder *b = making->builder;
    CAROM_TRY(carom_making_sensors(making));
    for (int i = 0; i < b->record.n; i++) {
        const named_member member = {&b->record.item[i], &names};
        CAROM_TRY(carom_making_each(making, &member.text->family, member.text->name, add_record,
                                    &member));
    }
    making->model->size.n_record = names.all.n;
    making->model->names.record = names.all.item;
    return carom_making_felt(making);
}

static carom_status drawings(carom_making *making)
{
    drawing_list list = {0}, *address = &list;
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->drawing.n; i++) {
        list.text = &b->drawing.item[i];
        CAROM_TRY(
            carom_making_each(making, &list.text->family, (carom_text){0}, add_drawing, &address));
    }
    if (b->drawing.n == 0) CAROM_TRY(carom_bodies_draw(making, &list.all));
    if (b->drawing.n == 0) CAROM_TRY(carom_elastics_draw(making, &list.all));
    making->model->size.n_drawing = list.all.n;
    making->model->drawing = list.all.item;
    making->model->layout.draw.n = making->lagrange->draw.n;
    return CAROM_OK;
}

carom_status carom_making_equations(carom_making *making)
{
    const int n = making->model->size.nu;
    carom_lagrange *l = making->lagrange;
    l->applied = CAROM_TAKE(making->model->arena, carom_ref, n);
    if (!l->applied) return carom_making_no_memory(making);
    for (int i = 0; i < n; i++) l->applied[i] = carom_graph_number(making->graph, 0);
    CAROM_TRY(energies(making));
    const carom_builder *b = making->builder;
    for (int i = 0; i < b->force.n; i++)
        CAROM_TRY(carom_making_each(making, &b->force.item[i].family, (carom_text){0}, add_force,
                                    &b->force.item[i]));
    CAROM_TRY(carom_bodies_load(making));
    CAROM_TRY(carom_elastics_load(making));
    CAROM_TRY(constraints(making));
    CAROM_TRY(contacts(making));
    CAROM_TRY(carom_bodies_describe(making));
    CAROM_TRY(carom_matter_show(making));
    CAROM_TRY(records(making));
    return drawings(making);
}
