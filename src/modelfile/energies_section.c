// SPDX-License-Identifier: Apache-2.0
// What moves the system: kinetic and potential energy, and forces without potential.
#include "modelfile/reader.h"

// one term: an expression, or {for: {i: 1..n}, term: expression}
static carom_status read_term(carom_modelfile *file, const carom_node *node, carom_energy which,
                              carom_error *error)
{
    static const carom_field field[] = {
        {"term", CAROM_FIELD_TEXT, true, "term: m/2*der(x[i])^2"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS] = {node, NULL};
    carom_text text;
    carom_family family;
    if (node->kind == CAROM_NODE_MAPPING)
        CAROM_TRY(carom_fields_read(node, "a term of the energy", field, value, error));
    CAROM_TRY(carom_fields_text(value[0], "an expression, or for: {i: 1..n} and term: expression",
                                &text, error));
    CAROM_TRY(carom_fields_family(file->arena, value[1], &family, error));
    return carom_builder_energy(file->builder, which, &family, text, error);
}

static carom_status read_energy(carom_modelfile *file, const carom_node *node, carom_energy which,
                                carom_error *error)
{
    if (node->kind != CAROM_NODE_LIST) return read_term(file, node, which, error);
    if (node->n == 0)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'%s' has no terms (write an expression, or 0)", node->key->text);
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_term(file, entry, which, error));
    return CAROM_OK;
}

carom_status carom_read_kinetic(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return read_energy(file, node, CAROM_KINETIC, error);
}

carom_status carom_read_potential(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return read_energy(file, node, CAROM_POTENTIAL, error);
}

// on a coordinate, or at a point with as many components as the force
static carom_status read_target(const carom_node *coordinate, const carom_node *at,
                                carom_force_text *force, carom_error *error)
{
    if (!coordinate == !at)
        return carom_fail_at(error, force->place, CAROM_BAD_INPUT,
                             "a force needs either 'coordinate' or 'at' (write {coordinate: x, "
                             "force: f} or {at: [x, y], force: [fx, fy]})");
    if (coordinate) {
        CAROM_TRY(carom_fields_text(coordinate, "coordinate: x", &force->coordinate, error));
        if (force->n == 1) return CAROM_OK;
        return carom_fail_at(error, force->place, CAROM_BAD_INPUT,
                             "a force on a coordinate is one expression, not %d", force->n);
    }
    int n;
    CAROM_TRY(carom_fields_texts(at, 3, force->at, &n, error));
    const bool is_vector = n == 1 && at->kind == CAROM_NODE_TEXT;
    if (n == force->n || is_vector) return CAROM_OK;
    return carom_fail_at(error, at->place, CAROM_BAD_INPUT,
                         "'at' has %d components and 'force' has %d; they must be as many", n,
                         force->n);
}

static carom_status read_force(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    static const carom_field field[] = {
        {"coordinate", CAROM_FIELD_TEXT, false, "coordinate: x"},
        {"at", CAROM_FIELD_TEXTS, false, "at: [x, y]"},
        {"force", CAROM_FIELD_TEXTS, true, "force: -c*der(x)"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_force_text force = {.place = node->place};
    CAROM_TRY(carom_fields_read(node, "a force", field, value, error));
    CAROM_TRY(carom_fields_texts(value[2], 3, force.force, &force.n, error));
    CAROM_TRY(read_target(value[0], value[1], &force, error));
    CAROM_TRY(carom_fields_family(file->arena, value[3], &force.family, error));
    return carom_builder_force(file->builder, &force, error);
}

carom_status carom_read_forces(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return carom_read_each(file, node, "forces: [{coordinate: x, force: -c*der(x)}]", read_force,
                           error);
}
