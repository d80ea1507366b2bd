// SPDX-License-Identifier: Apache-2.0
// What holds and what hits: bilateral constraints, dry friction of given strength, and contacts.
#include "modelfile/reader.h"

static carom_status read_constraint(carom_modelfile *file, const carom_node *node,
                                    carom_error *error)
{
    static const carom_field field[] = {
        {"name", CAROM_FIELD_TEXT, true, "name: rod"},
        {"equation", CAROM_FIELD_TEXT, false, "equation: x^2 + y^2 - l^2"},
        {"rate", CAROM_FIELD_TEXT, false, "rate: der(x) - v"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_text name, equation, rate;
    carom_family family;
    CAROM_TRY(carom_fields_read(node, "a constraint", field, value, error));
    CAROM_TRY(carom_fields_text(value[0], field[0].example, &name, error));
    CAROM_TRY(carom_fields_text(value[1], field[1].example, &equation, error));
    CAROM_TRY(carom_fields_text(value[2], field[2].example, &rate, error));
    CAROM_TRY(carom_fields_family(file->arena, value[3], &family, error));
    if (!equation.text == !rate.text)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a constraint needs 'equation' (write %s), or 'rate' where only a "
                             "velocity is held (write %s)%s",
                             field[1].example, field[2].example, rate.text ? ", not both" : "");
    if (rate.text) return carom_builder_rate(file->builder, name, &family, rate, error);
    return carom_builder_constraint(file->builder, name, &family, equation, error);
}

static carom_status read_friction(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    static const carom_field field[] = {
        {"name", CAROM_FIELD_TEXT, true, "name: belt"},
        {"slip", CAROM_FIELD_TEXTS, false, "slip: x"},
        {"slip_rate", CAROM_FIELD_TEXTS, false, "slip_rate: der(x) - v"},
        {"limit", CAROM_FIELD_TEXT, true, "limit: mu*N"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_friction_text friction = {.place = node->place};
    CAROM_TRY(carom_fields_read(node, "friction", field, value, error));
    if (!value[1] == !value[2])
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "friction needs 'slip' (write %s) or 'slip_rate' (write %s)%s",
                             field[1].example, field[2].example, value[1] ? ", not both" : "");
    friction.slip_is_rate = value[2] != NULL;
    CAROM_TRY(carom_fields_text(value[0], field[0].example, &friction.name, error));
    CAROM_TRY(carom_fields_texts(value[1] ? value[1] : value[2], 3, friction.slip, &friction.n_slip,
                                 error));
    CAROM_TRY(carom_fields_text(value[3], field[3].example, &friction.limit, error));
    CAROM_TRY(carom_fields_family(file->arena, value[4], &friction.family, error));
    return carom_builder_friction(file->builder, &friction, error);
}

carom_status carom_read_friction(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return carom_read_each(file, node,
                           "friction: [{name: belt, slip_rate: der(x) - v, limit: mu*N}]",
                           read_friction, error);
}

carom_status carom_read_constraints(carom_modelfile *file, const carom_node *node,
                                    carom_error *error)
{
    return carom_read_each(file, node, "constraints: [{name: rod, equation: x^2 + y^2 - l^2}]",
                           read_constraint, error);
}

// what contacts and patches share comes first
enum {
    NAME,
    WHERE = NAME,
    GAP,
    SLIP,
    SLIP_RATE,
    RESTITUTION,
    TANGENTIAL_RESTITUTION,
    FRICTION,
    FRICTION_STATIC,
    LAW,
    FOR,
    SURFACE
};
// clang-format off
#define SHARED_FIELDS                                                                              \
    [SLIP] = {"slip", CAROM_FIELD_TEXTS, false, "slip: x"},                                        \
    [SLIP_RATE] = {"slip_rate", CAROM_FIELD_TEXTS, false, "slip_rate: der(x) + r*der(phi)"},       \
    [RESTITUTION] = {"restitution", CAROM_FIELD_TEXT, false, "restitution: 0.8"},                  \
    [TANGENTIAL_RESTITUTION] = {"tangential_restitution", CAROM_FIELD_TEXT, false,                 \
                                "tangential_restitution: 0"},                                      \
    [FRICTION] = {"friction", CAROM_FIELD_TEXTS, false, "friction: 0.3"},                          \
    [FRICTION_STATIC] = {"friction_static", CAROM_FIELD_TEXT, false, "friction_static: 0.4"},      \
    [LAW] = {"law", CAROM_FIELD_TEXT, false, "law: poisson"}
// clang-format on

static const carom_field contact_field[] = {
    [NAME] = {"name", CAROM_FIELD_TEXT, true, "name: floor"},
    [GAP] = {"gap", CAROM_FIELD_TEXT, false, "gap: y - r"},
    SHARED_FIELDS,
    [FOR] = {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
    [SURFACE] = {"surface", CAROM_FIELD_LIST, false,
                 "surface: [{gap: y, where: x < 0}, {gap: y - x^2, where: x >= 0}]"},
    {.kind = CAROM_FIELD_END},
};
static const carom_field patch_field[] = {
    [WHERE] = {"where", CAROM_FIELD_TEXT, true, "where: x < 0"},
    [GAP] = {"gap", CAROM_FIELD_TEXT, true, "gap: y - r"},
    SHARED_FIELDS,
    {.kind = CAROM_FIELD_END},
};

static carom_status read_slip(const carom_node *slip, const carom_node *rate,
                              carom_contact_text *contact, carom_error *error)
{
    if (slip && rate)
        return carom_fail_at(error, rate->key->place, CAROM_BAD_INPUT,
                             "a contact has either 'slip' or 'slip_rate', not both");
    if (!slip && !rate) return CAROM_OK;
    contact->slip_is_rate = rate != NULL;
    return carom_fields_texts(slip ? slip : rate, 2, contact->slip, &contact->n_slip, error);
}

// one coefficient, or those along two slips
static carom_status read_friction_of(const carom_node *node, carom_contact_text *contact,
                                     carom_error *error)
{
    carom_text text[2] = {0};
    int n;
    CAROM_TRY(carom_fields_texts(node, 2, text, &n, error));
    contact->friction = text[0];
    contact->friction_across = text[1];
    return CAROM_OK;
}

// what contacts and patches share; keys that are absent leave the contact as it is
static carom_status read_shared(const carom_node *const *value, const carom_field *field,
                                carom_contact_text *contact, carom_error *error)
{
    const struct {
        int which;
        carom_text *text;
    } plain[] = {{GAP, &contact->gap},
                 {RESTITUTION, &contact->restitution},
                 {TANGENTIAL_RESTITUTION, &contact->tangential_restitution},
                 {FRICTION_STATIC, &contact->friction_static},
                 {LAW, &contact->law}};
    CAROM_TRY(read_slip(value[SLIP], value[SLIP_RATE], contact, error));
    if (value[FRICTION]) CAROM_TRY(read_friction_of(value[FRICTION], contact, error));
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (value[plain[i].which])
            CAROM_TRY(carom_fields_text(value[plain[i].which], field[plain[i].which].example,
                                        plain[i].text, error));
    return CAROM_OK;
}

// a patch is a contact like the one that has the surface, but for what it says itself
static carom_status read_surface(carom_modelfile *file, const carom_node *node,
                                 const carom_contact_text *contact, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_contact_text *patch = CAROM_TAKE(file->arena, carom_contact_text, node->n);
    int n = 0;
    if (!patch) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a surface");
    if (node->n == 0)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'surface' has no patches (write %s)", contact_field[SURFACE].example);
    for (const carom_node *child = node->first; child; child = child->next, n++) {
        CAROM_TRY(carom_fields_kind(child, CAROM_NODE_MAPPING, "{gap: y, where: x < 0}", error));
        CAROM_TRY(carom_fields_read(child, "a patch", patch_field, value, error));
        patch[n] = *contact;
        patch[n].place = child->place;
        CAROM_TRY(read_shared(value, patch_field, &patch[n], error));
        CAROM_TRY(
            carom_fields_text(value[WHERE], patch_field[WHERE].example, &patch[n].where, error));
    }
    return carom_builder_surface(file->builder, patch, n, error);
}

static carom_status read_contact(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_contact_text contact = {.place = node->place};
    CAROM_TRY(carom_fields_read(node, "a contact", contact_field, value, error));
    if (!value[GAP] && !value[SURFACE])
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a contact needs 'gap' (write %s), or 'surface' with several patches",
                             contact_field[GAP].example);
    if (value[GAP] && value[SURFACE])
        return carom_fail_at(error, value[SURFACE]->key->place, CAROM_BAD_INPUT,
                             "a contact has either 'gap' or 'surface', not both; give each patch "
                             "its own 'gap'");
    CAROM_TRY(carom_fields_text(value[NAME], contact_field[NAME].example, &contact.name, error));
    CAROM_TRY(read_shared(value, contact_field, &contact, error));
    CAROM_TRY(carom_fields_family(file->arena, value[FOR], &contact.family, error));
    if (value[SURFACE]) return read_surface(file, value[SURFACE], &contact, error);
    return carom_builder_contact(file->builder, &contact, error);
}

carom_status carom_read_contacts(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return carom_read_each(file, node, "contacts: [{name: floor, gap: y}]", read_contact, error);
}
