// SPDX-License-Identifier: Apache-2.0
// What a model file says of elastic bodies. Keys are checked here, where they stand; what they mean
// is known to the model (model/elastic).
#include "modelfile/parts/elastic_section.h"

#include "base/list.h"
#include "modelfile/body_words.h"

#include <string.h>

typedef struct reading {
    carom_modelfile *file;
    carom_error *error;
    CAROM_LIST(carom_word_text) word;
} reading;

static carom_status no_memory(const reading *r)
{
    return carom_fail(r->error, CAROM_NO_MEMORY, "memory ran out while reading an elastic body");
}

// one more word with its values: a text, or a list of them
static carom_status add_word(reading *r, const char *key, const carom_node *node)
{
    carom_word_text *word = CAROM_LIST_ADD(r->file->arena, &r->word);
    const int most = node->kind == CAROM_NODE_LIST ? node->n : 1;
    carom_text *value = CAROM_TAKE(r->file->arena, carom_text, most);
    if (!word || !value || !key) return no_memory(r);
    *word = (carom_word_text){.key = {key, node->key ? node->key->place : node->place},
                              .is_list = node->kind == CAROM_NODE_LIST,
                              .value = value};
    if (most == 0)
        return carom_fail_at(r->error, node->place, CAROM_BAD_INPUT, "this list is empty");
    return carom_fields_texts(node, most, value, &word->n, r->error);
}

// the entries of a mapping that are in the table, under head.key
static carom_status add_words(reading *r, const char *head, const carom_node *node,
                              const carom_field *field, const char *owner)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(carom_fields_read(node, owner, field, value, r->error));
    for (int i = 0; field[i].key; i++)
        if (value[i])
            CAROM_TRY(add_word(r, carom_arena_format(r->file->arena, "%s.%s", head, field[i].key),
                               value[i]));
    return CAROM_OK;
}

static const carom_field section_field[] = {
    {"radius", CAROM_FIELD_TEXT, false, "radius: 0.005"},
    {"box", CAROM_FIELD_TEXTS, false, "box: [0.02, 0.01]"},
    {"area", CAROM_FIELD_TEXT, false, "area: 1e-4"},
    {"inertia", CAROM_FIELD_TEXTS, false, "inertia: 8e-10"},
    {"torsion", CAROM_FIELD_TEXT, false, "torsion: 1.4e-9"},
    {"shear", CAROM_FIELD_TEXT, false, "shear: 5/6"},
    {.kind = CAROM_FIELD_END},
};
static const carom_field elasticity_field[] = {
    {"E", CAROM_FIELD_TEXT, true, "E: 2.1e11"},
    {"density", CAROM_FIELD_TEXT, true, "density: 7800"},
    {"nu", CAROM_FIELD_TEXT, false, "nu: 0.3"},
    {"G", CAROM_FIELD_TEXT, false, "G: 8e10"},
    {.kind = CAROM_FIELD_END},
};
static const carom_field damping_field[] = {
    {"stiffness", CAROM_FIELD_TEXT, false, "stiffness: 1e-8"},
    {"mass", CAROM_FIELD_TEXT, false, "mass: 0.1"},
    {"twist", CAROM_FIELD_TEXT, false, "twist: 1e-6"},
    {.kind = CAROM_FIELD_END},
};
static const carom_field reduce_field[] = {
    {"modes", CAROM_FIELD_TEXT, true, "modes: 10"},
    {"keep", CAROM_FIELD_TEXTS, false, "keep: [1, 2, 3]"},
    {.kind = CAROM_FIELD_END},
};
static const carom_field point_field[] = {
    {"at", CAROM_FIELD_TEXT, false, "at: 0.18"},
    {"mass", CAROM_FIELD_TEXT, false, "mass: 5"},
    {"inertia", CAROM_FIELD_TEXTS, false, "inertia: [0.01, 0.005]"},
    {"nodes", CAROM_FIELD_TEXTS, false, "nodes: [4, 5, 6]"},
    {.kind = CAROM_FIELD_END},
};

static const carom_field stop_field[] = {
    {"node", CAROM_FIELD_TEXT, true, "node: 0"},
    {"normal", CAROM_FIELD_TEXTS, true, "normal: [1, 0]"},
    {"gap", CAROM_FIELD_TEXT, true, "gap: 5e-5"},
    {.kind = CAROM_FIELD_END},
};

static carom_status add_stops(reading *r, const carom_node *node)
{
    for (const carom_node *stop = node->first; stop; stop = stop->next) {
        const char *head = carom_arena_format(r->file->arena, "stops.%s", stop->key->text);
        if (!head) return no_memory(r);
        CAROM_TRY(carom_fields_kind(stop, CAROM_NODE_MAPPING,
                                    "wall: {node: 0, normal: [1, 0], gap: 5e-5}", r->error));
        if (strpbrk(stop->key->text, ".[] "))
            return carom_fail_at(r->error, stop->key->place, CAROM_BAD_INPUT,
                                 "a stop has a plain name, not '%.60s'", stop->key->text);
        CAROM_TRY(add_words(r, head, stop, stop_field, "a stop of an elastic body"));
    }
    return CAROM_OK;
}

static carom_status add_points(reading *r, const carom_node *node)
{
    for (const carom_node *point = node->first; point; point = point->next) {
        const char *head = carom_arena_format(r->file->arena, "points.%s", point->key->text);
        if (!head) return no_memory(r);
        CAROM_TRY(carom_fields_kind(point, CAROM_NODE_MAPPING, "tip: {at: 0.5}", r->error));
        if (strpbrk(point->key->text, ".[] "))
            return carom_fail_at(r->error, point->key->place, CAROM_BAD_INPUT,
                                 "a point has a plain name, not '%.60s'", point->key->text);
        CAROM_TRY(add_words(r, head, point, point_field, "a point of an elastic body"));
    }
    return CAROM_OK;
}

static const carom_field field[] = {
    {"kind", CAROM_FIELD_TEXT, false, "kind: bar"},
    {"from", CAROM_FIELD_LIST, false, "from: [0, 0]"},
    {"to", CAROM_FIELD_LIST, false, "to: [1, 0]"},
    {"elements", CAROM_FIELD_TEXT, false, "elements: 100"},
    {"section", CAROM_FIELD_MAPPING, false, "section: {radius: 0.005}"},
    {"elasticity", CAROM_FIELD_MAPPING, false, "elasticity: {E: 2.1e11, density: 7800}"},
    {"lumping", CAROM_FIELD_TEXT, false, "lumping: consistent"},
    {"motions", CAROM_FIELD_LIST, false, "motions: [bending, twist]"},
    {"ends", CAROM_FIELD_LIST, false, "ends: [fixed, free]"},
    {"section_y", CAROM_FIELD_LIST, false, "section_y: [0, 1, 0]"},
    {"velocity", CAROM_FIELD_LIST, false, "velocity: [-0.1, 0]"},
    {"damping", CAROM_FIELD_MAPPING, false, "damping: {stiffness: 1e-8}"},
    {"points", CAROM_FIELD_MAPPING, false, "points: {tip: {at: 0.5}}"},
    {"reduce", CAROM_FIELD_MAPPING, false, "reduce: {keep: [0], modes: 10}"},
    {"stops", CAROM_FIELD_MAPPING, false, "stops: {wall: {node: 0, normal: [1, 0], gap: 5e-5}}"},
    {"magnify", CAROM_FIELD_TEXT, false, "magnify: 100"},
    {"files", CAROM_FIELD_MAPPING, false,
     "files: {mass: part.mtx, stiffness: part_k.mtx, nodes: part.csv}"},
    {"fixed", CAROM_FIELD_TEXTS, false, "fixed: [1, 2, 3]"},
    {.kind = CAROM_FIELD_END},
};
enum {
    KIND,
    ELEMENTS = 3,
    SECTION,
    ELASTICITY,
    DAMPING = 11,
    POINTS,
    REDUCE,
    STOPS,
    MAGNIFY,
    FILES,
    FIXED
};

// what goes with files, and what with a line
static carom_status check_kind(const reading *r, const carom_node *node,
                               const carom_node *const *value)
{
    if (!value[KIND] == !value[FILES])
        return carom_fail_at(r->error, node->key->place, CAROM_BAD_INPUT,
                             "an elastic body needs either 'kind' (bar or beam) or 'files'");
    for (int i = 0; field[i].key; i++) {
        const bool is_of_lines = (i > KIND && i < 10), is_of_files = i >= FILES;
        if (value[i] && (value[FILES] ? is_of_lines : is_of_files))
            return carom_fail_at(r->error, value[i]->key->place, CAROM_BAD_INPUT,
                                 "'%s' means nothing for an elastic body of %s (leave it out)",
                                 field[i].key, value[FILES] ? "files" : "a built-in kind");
    }
    for (int i = ELEMENTS; !value[FILES] && i <= ELASTICITY; i++)
        if (!value[i])
            return carom_fail_at(r->error, node->key->place, CAROM_BAD_INPUT,
                                 "an elastic body needs '%s' (write %s)", field[i].key,
                                 field[i].example);
    return CAROM_OK;
}

static carom_status read_body(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    reading r = {.file = file, .error = error};
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_elastic_matrices matrices;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING,
                                "bar: {kind: bar, from: [0, 0], to: [1, 0], ...}", error));
    CAROM_TRY(carom_fields_read(node, "an elastic body", field, value, error));
    CAROM_TRY(check_kind(&r, node, value));
    for (int i = 0; field[i].key; i++)
        if (value[i] && field[i].kind != CAROM_FIELD_MAPPING)
            CAROM_TRY(add_word(&r, field[i].key, value[i]));
    if (value[SECTION])
        CAROM_TRY(add_words(&r, "section", value[SECTION], section_field, "a section"));
    if (value[ELASTICITY])
        CAROM_TRY(add_words(&r, "elasticity", value[ELASTICITY], elasticity_field, "'elasticity'"));
    if (value[DAMPING])
        CAROM_TRY(add_words(&r, "damping", value[DAMPING], damping_field, "'damping'"));
    if (value[REDUCE]) CAROM_TRY(add_words(&r, "reduce", value[REDUCE], reduce_field, "'reduce'"));
    if (value[STOPS]) CAROM_TRY(add_stops(&r, value[STOPS]));
    if (value[POINTS]) CAROM_TRY(add_points(&r, value[POINTS]));
    if (value[FILES]) CAROM_TRY(carom_elastic_files_read(file, value[FILES], &matrices, error));
    const carom_elastic_text text = {.place = node->key->place,
                                     .name = carom_fields_key(node),
                                     .n_word = r.word.n,
                                     .word = r.word.item,
                                     .matrices = value[FILES] ? &matrices : NULL};
    return carom_builder_elastic(file->builder, &text, error);
}

carom_status carom_read_elastic(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING,
                                "elastic: {bar: {kind: bar, from: [0, 0], to: [1, 0], ...}}",
                                error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_body(file, entry, error));
    return CAROM_OK;
}
