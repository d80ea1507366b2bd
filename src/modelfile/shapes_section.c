// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies, and the sections `materials` and `detection`.
#include "modelfile/body_words.h"
#include "modelfile/parts/shape_file.h"

#include <string.h>

static const char shape_example[] = "shape: {box: [0.2, 0.1]}";

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading shapes");
}

static bool is_kind(const char *word)
{
    int i = 0;
    while (carom_shape_at(i) && strcmp(carom_shape_at(i)->name, word) != 0) i++;
    return carom_shape_at(i) != NULL;
}

// the key that names a kind; else the first one, which is then refused as a kind
static const carom_node *find_kind(const carom_node *node)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        if (is_kind(entry->key->text)) return entry;
    return node->first;
}

// what stands under the kind: a file, one vector, or a list of them
static carom_status read_value(carom_modelfile *file, const carom_node *node,
                               carom_shape_text *shape, carom_error *error)
{
    if (!is_kind(shape->kind.text)) return CAROM_OK;
    if (node->kind == CAROM_NODE_TEXT) {
        carom_text path;
        CAROM_TRY(carom_fields_text(node, shape_example, &path, error));
        return carom_shape_file_read(file, shape->kind, path, &shape->points, error);
    }
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_LIST, shape_example, error));
    const bool is_one = !node->first || node->first->kind != CAROM_NODE_LIST;
    const int n = is_one ? 1 : node->n;
    carom_vector_text *value = CAROM_TAKE(file->arena, carom_vector_text, n);
    if (!value) return no_memory(error);
    shape->value = value;
    shape->n_value = n;
    if (is_one) return carom_read_vector(node, value, error);
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(carom_read_vector(entry, value++, error));
    return CAROM_OK;
}

static carom_status read_shape(carom_modelfile *file, const carom_node *node,
                               carom_shape_text *shape, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, shape_example, error));
    const carom_node *kind = find_kind(node);
    carom_word_text *word = CAROM_TAKE(file->arena, carom_word_text, node->n);
    if (!word) return no_memory(error);
    if (!kind)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a shape needs a key that says what it is (write %s)", shape_example);
    *shape = (carom_shape_text){.place = kind->key->place, .kind = carom_fields_key(kind)};
    shape->word = word;
    CAROM_TRY(read_value(file, kind, shape, error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        if (entry == kind) continue;
        if (strcmp(entry->key->text, "turned") == 0)
            CAROM_TRY(carom_read_turned(entry, &shape->turned, error));
        else
            CAROM_TRY(carom_read_word(file, entry, &word[shape->n_word++], error));
    }
    return CAROM_OK;
}

carom_status carom_read_shapes(carom_modelfile *file, const carom_node *node, carom_body_text *body,
                               carom_error *error)
{
    if (!node) return CAROM_OK;
    const bool is_list = node->kind == CAROM_NODE_LIST;
    carom_shape_text *shape = CAROM_TAKE(file->arena, carom_shape_text, is_list ? node->n : 1);
    if (!shape) return no_memory(error);
    body->shape = shape;
    body->n_shape = is_list ? node->n : 1;
    if (!is_list) return read_shape(file, node, shape, error);
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_shape(file, entry, shape++, error));
    return CAROM_OK;
}

static carom_status read_material(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    enum { BETWEEN, RESTITUTION, TANGENTIAL, FRICTION, STATIC, ROLLING, SPINNING, LAW };
    static const carom_field field[] = {
        [BETWEEN] = {"between", CAROM_FIELD_LIST, true, "between: [steel, ice]"},
        [RESTITUTION] = {"restitution", CAROM_FIELD_TEXT, false, "restitution: 0.5"},
        [TANGENTIAL] = {"tangential_restitution", CAROM_FIELD_TEXT, false,
                        "tangential_restitution: 0"},
        [FRICTION] = {"friction", CAROM_FIELD_TEXT, false, "friction: 0.3"},
        [STATIC] = {"friction_static", CAROM_FIELD_TEXT, false, "friction_static: 0.4"},
        [ROLLING] = {"rolling_friction", CAROM_FIELD_TEXT, false, "rolling_friction: 1e-3"},
        [SPINNING] = {"spinning_friction", CAROM_FIELD_TEXT, false, "spinning_friction: 1e-3"},
        [LAW] = {"law", CAROM_FIELD_TEXT, false, "law: poisson"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_material_text material = {.place = node->place};
    carom_text *const to[] = {&material.restitution,
                              &material.tangential_restitution,
                              &material.friction,
                              &material.friction_static,
                              &material.rolling_friction,
                              &material.spinning_friction,
                              &material.law};
    int n;
    CAROM_TRY(carom_fields_read(node, "a pair of materials", field, value, error));
    if (value[BETWEEN]->n != 2)
        return carom_fail_at(error, value[BETWEEN]->place, CAROM_BAD_INPUT,
                             "'between' names two materials (write between: [steel, ice]; steel "
                             "against itself is [steel, steel])");
    CAROM_TRY(carom_fields_texts(value[BETWEEN], 2, material.between, &n, error));
    for (int i = RESTITUTION; i <= LAW; i++)
        CAROM_TRY(carom_fields_text(value[i], field[i].example, to[i - 1], error));
    return carom_builder_material(file->builder, &material, error);
}

carom_status carom_read_materials(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return carom_read_each(file, node, "materials: [{between: [steel, steel], friction: 0.1}]",
                           read_material, error);
}

static carom_status read_ignored(carom_modelfile *file, const carom_node *node,
                                 carom_detection_text *detection, carom_error *error)
{
    if (!node) return CAROM_OK;
    carom_text *pair = CAROM_TAKE(file->arena, carom_text, 2 * node->n);
    if (!pair) return no_memory(error);
    detection->ignored = pair;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        int n = 0;
        if (entry->kind == CAROM_NODE_LIST && entry->n == 2)
            CAROM_TRY(carom_fields_texts(entry, 2, pair, &n, error));
        if (n != 2)
            return carom_fail_at(error, entry->place, CAROM_BAD_INPUT,
                                 "'ignore' is a list of pairs of bodies (write ignore: [[crank, "
                                 "rod]])");
        pair += 2;
        detection->n_ignored++;
    }
    return CAROM_OK;
}

carom_status carom_read_detection(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    static const carom_field field[] = {
        {"ignore", CAROM_FIELD_LIST, false, "ignore: [[crank, rod]]"},
        {"joined", CAROM_FIELD_TEXT, false, "joined: yes"},
        {"points", CAROM_FIELD_TEXT, false, "points: all"},
        {"alert", CAROM_FIELD_TEXT, false, "alert: auto"},
        {"lasting", CAROM_FIELD_TEXT, false, "lasting: 256"},
        {"room", CAROM_FIELD_TEXT, false, "room: auto"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_detection_text detection = {.place = node->place};
    if (node->kind == CAROM_NODE_TEXT) {
        detection.is_off = strcmp(node->text, "none") == 0;
        if (detection.is_off) return carom_builder_detection(file->builder, &detection, error);
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'detection' is none, or what it leaves out (write detection: "
                             "{ignore: [[crank, rod]]})");
    }
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "detection: {ignore: [[crank, rod]]}", error));
    CAROM_TRY(carom_fields_read(node, "'detection'", field, value, error));
    CAROM_TRY(read_ignored(file, value[0], &detection, error));
    CAROM_TRY(carom_read_switch(value[1], "yes", &detection.finds_joined, error));
    CAROM_TRY(carom_fields_text(value[2], field[2].example, &detection.points, error));
    CAROM_TRY(carom_fields_text(value[3], field[3].example, &detection.alert, error));
    CAROM_TRY(carom_fields_text(value[4], field[4].example, &detection.lasting, error));
    CAROM_TRY(carom_fields_text(value[5], field[5].example, &detection.room, error));
    return carom_builder_detection(file->builder, &detection, error);
}
