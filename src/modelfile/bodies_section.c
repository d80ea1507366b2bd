// SPDX-License-Identifier: Apache-2.0
// Sections of bodies: space, gravity, bodies, joints, motors, force elements. What a joint or an
// element is called stands beside its words; the first key that names a kind says which it is.
#include "modelfile/body_words.h"

#include <string.h>

carom_status carom_read_space(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    const bool is_plane = strcmp(node->text, "plane") == 0;
    if (!is_plane && strcmp(node->text, "space") != 0)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'space' is plane or space, not '%.40s'", node->text);
    return carom_builder_space(file->builder, is_plane ? CAROM_PLANE : CAROM_SPACE, error);
}

// a point's name, or two or three components
carom_status carom_read_vector(const carom_node *node, carom_vector_text *vector,
                               carom_error *error)
{
    *vector = (carom_vector_text){0};
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_texts(node, 3, vector->part, &vector->n, error));
    if (node->kind == CAROM_NODE_LIST && vector->n == 1)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a vector has two components in the plane and three in space, not 1");
    return CAROM_OK;
}

carom_status carom_read_gravity(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    carom_vector_text gravity;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_LIST, "gravity: [0, -9.81]", error));
    CAROM_TRY(carom_read_vector(node, &gravity, error));
    return carom_builder_gravity(file->builder, &gravity, error);
}

static carom_status read_points(carom_modelfile *file, const carom_node *node,
                                carom_body_text *body, carom_error *error)
{
    if (!node) return CAROM_OK;
    carom_point_text *point = CAROM_TAKE(file->arena, carom_point_text, node->n);
    if (!point) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a body");
    body->point = point;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        point->name = carom_fields_key(entry);
        CAROM_TRY(carom_fields_kind(entry, CAROM_NODE_LIST, "tip: [0.1, 0]", error));
        CAROM_TRY(carom_read_vector(entry, &point->at, error));
        point++;
        body->n_point++;
    }
    return CAROM_OK;
}

// how a body is turned in space: axis and angle, a quaternion, or two directions
carom_status carom_read_turned(const carom_node *node, carom_turned_text *turned,
                               carom_error *error)
{
    static const carom_field field[] = {
        {"axis", CAROM_FIELD_TEXTS, false, "axis: [0, 0, 1]"},
        {"angle", CAROM_FIELD_TEXT, false, "angle: pi/2"},
        {"quaternion", CAROM_FIELD_LIST, false, "quaternion: [1, 0, 0, 0]"},
        {"x", CAROM_FIELD_TEXTS, false, "x: [1, 0, 0]"},
        {"y", CAROM_FIELD_TEXTS, false, "y: [0, 1, 0]"},
        {"z", CAROM_FIELD_TEXTS, false, "z: [0, 0, 1]"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_read(node, "'turned'", field, value, error));
    CAROM_TRY(carom_read_vector(value[0], &turned->axis, error));
    CAROM_TRY(carom_fields_text(value[1], field[1].example, &turned->angle, error));
    for (int i = 0; i < 3; i++)
        CAROM_TRY(carom_read_vector(value[3 + i], &turned->direction[i], error));
    if (!value[2]) return CAROM_OK;
    CAROM_TRY(carom_fields_texts(value[2], 4, turned->quaternion, &turned->n_quaternion, error));
    if (turned->n_quaternion == 4) return CAROM_OK;
    return carom_fail_at(error, value[2]->place, CAROM_BAD_INPUT,
                         "a quaternion has four numbers, w first, not %d", turned->n_quaternion);
}

static carom_status read_values(const carom_node *node, carom_values_text *values,
                                carom_error *error)
{
    return node ? carom_fields_texts(node, 3, values->value, &values->n, error) : CAROM_OK;
}

static carom_status read_carrier(const carom_node *node, carom_carrier_text *on, carom_error *error)
{
    enum { N_KIND = 7 };
    static const carom_field field[] = {
        {"revolute", CAROM_FIELD_TEXT, false, "revolute: crank"},
        {"prismatic", CAROM_FIELD_TEXT, false, "prismatic: ground"},
        {"fixed", CAROM_FIELD_TEXT, false, "fixed: crank"},
        {"cylindrical", CAROM_FIELD_TEXT, false, "cylindrical: ground"},
        {"universal", CAROM_FIELD_TEXT, false, "universal: shaft"},
        {"spherical", CAROM_FIELD_TEXT, false, "spherical: ground"},
        {"planar", CAROM_FIELD_TEXT, false, "planar: ground"},
        {"at", CAROM_FIELD_TEXTS, false, "at: crank.tip"},
        {"origin", CAROM_FIELD_TEXTS, false, "origin: [-0.1, 0]"},
        {"axis", CAROM_FIELD_TEXTS, false, "axis: [1, 0]"},
        {"second", CAROM_FIELD_TEXTS, false, "second: [0, 1, 0]"},
        {"start", CAROM_FIELD_TEXTS, false, "start: 0"},
        {"rate", CAROM_FIELD_TEXTS, false, "rate: 0"},
        {"angle", CAROM_FIELD_TEXT, false, "angle: pi/2"},
        {"turned", CAROM_FIELD_MAPPING, false, "turned: {axis: [0, 0, 1], angle: pi/2}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_read(node, "'on'", field, value, error));
    for (int i = 0; i < N_KIND; i++) {
        if (!value[i]) continue;
        if (on->kind.text)
            return carom_fail_at(error, value[i]->key->place, CAROM_BAD_INPUT,
                                 "a body is carried by one joint, not by two");
        on->kind = carom_fields_key(value[i]);
        CAROM_TRY(carom_fields_text(value[i], field[i].example, &on->parent, error));
    }
    if (!on->kind.text)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'on' needs its joint (write on: {revolute: crank, at: crank.tip})");
    const carom_node **word = value + N_KIND;
    CAROM_TRY(carom_read_vector(word[0], &on->at, error));
    CAROM_TRY(carom_read_vector(word[1], &on->origin, error));
    CAROM_TRY(carom_read_vector(word[2], &on->axis, error));
    CAROM_TRY(carom_read_vector(word[3], &on->second, error));
    CAROM_TRY(read_values(word[4], &on->start, error));
    CAROM_TRY(read_values(word[5], &on->rate, error));
    CAROM_TRY(carom_fields_text(word[6], "angle: pi/2", &on->angle, error));
    return carom_read_turned(word[7], &on->turned, error);
}

carom_status carom_read_switch(const carom_node *node, const char *on, bool *is_on,
                               carom_error *error)
{
    if (!node) return CAROM_OK;
    *is_on = strcmp(node->text, on) == 0;
    if (strcmp(node->text, "yes") == 0 || strcmp(node->text, "no") == 0) return CAROM_OK;
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT, "'%.40s' is yes or no, not '%.40s'",
                         node->key->text, node->text);
}

static carom_status read_body(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    static const carom_field field[] = {
        {"mass", CAROM_FIELD_TEXT, false, "mass: 1"},
        {"inertia", CAROM_FIELD_TEXTS, false, "inertia: 0.1"},
        {"centre", CAROM_FIELD_TEXTS, false, "centre: [0.1, 0]"},
        {"at", CAROM_FIELD_TEXTS, false, "at: [0, 1]"},
        {"angle", CAROM_FIELD_TEXT, false, "angle: 0"},
        {"velocity", CAROM_FIELD_TEXTS, false, "velocity: [1, 0]"},
        {"spin", CAROM_FIELD_TEXTS, false, "spin: 150"},
        {"points", CAROM_FIELD_MAPPING, false, "points: {tip: [0.1, 0]}"},
        {"on", CAROM_FIELD_MAPPING, false, "on: {revolute: crank, at: crank.tip}"},
        {"gravity", CAROM_FIELD_TEXT, false, "gravity: no"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {"turned", CAROM_FIELD_MAPPING, false, "turned: {axis: [0, 0, 1], angle: pi/2}"},
        {"spin_inertial", CAROM_FIELD_LIST, false, "spin_inertial: [0, 0, 1]"},
        {"shape", CAROM_FIELD_ANY, false, "shape: {box: [0.2, 0.1]}"},
        {"material", CAROM_FIELD_TEXT, false, "material: steel"},
        {"density", CAROM_FIELD_TEXT, false, "density: 7850"},
        {"colour", CAROM_FIELD_TEXT, false, "colour: \"#c62828\""},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_body_text body = {.place = node->place, .name = carom_fields_key(node)};
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "name: {mass: 1, inertia: 0.1}", error));
    CAROM_TRY(carom_fields_read(node, "a body", field, value, error));
    CAROM_TRY(carom_fields_text(value[0], field[0].example, &body.mass, error));
    if (value[1]) CAROM_TRY(carom_fields_texts(value[1], 6, body.inertia, &body.n_inertia, error));
    CAROM_TRY(carom_read_vector(value[2], &body.centre, error));
    CAROM_TRY(carom_read_vector(value[3], &body.at, error));
    CAROM_TRY(carom_fields_text(value[4], field[4].example, &body.angle, error));
    CAROM_TRY(carom_read_vector(value[5], &body.velocity, error));
    CAROM_TRY(carom_read_vector(value[6], &body.spin, error));
    CAROM_TRY(read_points(file, value[7], &body, error));
    CAROM_TRY(read_carrier(value[8], &body.on, error));
    CAROM_TRY(carom_read_switch(value[9], "no", &body.is_weightless, error));
    CAROM_TRY(carom_fields_family(file->arena, value[10], &body.family, error));
    CAROM_TRY(carom_read_turned(value[11], &body.turned, error));
    CAROM_TRY(carom_read_vector(value[12], &body.spin_inertial, error));
    CAROM_TRY(carom_read_shapes(file, value[13], &body, error));
    carom_text *const of_matter[] = {&body.material, &body.density, &body.colour};
    for (int i = 0; i < 3; i++)
        CAROM_TRY(carom_fields_text(value[14 + i], field[14 + i].example, of_matter[i], error));
    return carom_builder_body(file->builder, &body, error);
}

carom_status carom_read_bodies(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING,
                                "bodies: {crank: {mass: 1, inertia: 0.1}}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_body(file, entry, error));
    return CAROM_OK;
}

typedef const carom_fitting_facts *kind_at(int i);
typedef carom_status fitter(carom_builder *builder, const carom_fitting_text *fitting,
                            carom_error *error);

static bool is_vectors(const carom_node *node)
{
    return node->kind == CAROM_NODE_LIST && node->first && node->first->kind == CAROM_NODE_LIST;
}

// a word with all its values; of a list of vectors (axes: [[1, 0, 0], [0, 1, 0]]) one by one
carom_status carom_read_word(carom_modelfile *file, const carom_node *node, carom_word_text *word,
                             carom_error *error)
{
    const int most = node->kind == CAROM_NODE_LIST ? 3 * node->n : 1;
    carom_text *value = CAROM_TAKE(file->arena, carom_text, most);
    if (!value) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a joint");
    word->key = carom_fields_key(node);
    word->is_list = node->kind == CAROM_NODE_LIST;
    word->value = value;
    if (!is_vectors(node)) return carom_fields_texts(node, most, value, &word->n, error);
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        int n;
        CAROM_TRY(carom_fields_texts(entry, 3, value + word->n, &n, error));
        word->n += n;
    }
    return CAROM_OK;
}

// kinds come first; a word may have the name of another kind (force: text of a spring)
static const carom_node *find_kind(const carom_node *node, kind_at *at)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        if (!at) {
            if (strcmp(entry->key->text, "on") == 0) return entry;
            continue;
        }
        for (int i = 0; at(i); i++)
            if (strcmp(at(i)->name, entry->key->text) == 0) return entry;
    }
    return NULL;
}

static carom_status read_fitting(carom_modelfile *file, const carom_node *node, kind_at *at,
                                 fitter *fit, carom_error *error)
{
    const char *example = at ? at(0)->example : "on: pin, angle: 2*pi*t";
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, example, error));
    carom_fitting_text fitting = {.place = node->key->place, .name = carom_fields_key(node)};
    carom_word_text *word = CAROM_TAKE(file->arena, carom_word_text, node->n);
    const carom_node *kind = find_kind(node, at);
    if (!word) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a joint");
    if (!kind)
        return carom_fail_at(error, node->key->place, CAROM_BAD_INPUT,
                             "'%.60s' needs a key that says what it is (write %s)", node->key->text,
                             example);
    fitting.kind = carom_fields_key(kind);
    CAROM_TRY(carom_fields_texts(kind, 2, fitting.to, &fitting.n_to, error));
    fitting.word = word;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        if (entry == kind) continue;
        if (strcmp(entry->key->text, "for") == 0)
            CAROM_TRY(carom_fields_family(file->arena, entry, &fitting.family, error));
        else
            CAROM_TRY(carom_read_word(file, entry, &word[fitting.n_word++], error));
    }
    return fit(file->builder, &fitting, error);
}

static carom_status read_fittings(carom_modelfile *file, const carom_node *node, kind_at *at,
                                  fitter *fit, carom_error *error)
{
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "name: {kind: [body, body], ...}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_fitting(file, entry, at, fit, error));
    return CAROM_OK;
}

carom_status carom_read_joints(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return read_fittings(file, node, carom_joint_at, carom_builder_joint, error);
}

carom_status carom_read_elements(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return read_fittings(file, node, carom_element_at, carom_builder_element, error);
}

carom_status carom_read_motors(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return read_fittings(file, node, NULL, carom_builder_motor, error);
}
