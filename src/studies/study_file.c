// SPDX-License-Identifier: Apache-2.0
// Study files: the options of a command, written down with their places.
//
//     carom-study: 1
//     model: oscillator.yaml               from the folder of this file
//     do: bif
//     set: {e: 0.8}                        and start: {x: 0.1}
//     run: {scheme: event_driven, tolerance: 1e-9}
//     section: {period: 2*pi/w}
//     vary: {A: {from: 0.5, to: 2.3, values: 400}}
//     show: [x, rate_stop]
//     direction: both
//
// All else is `option: value`, a list for options that may be given several times.
#include "studies/study_scan.h"

#include "base/need.h"
#include "base/text.h"
#include "modelfile/document.h"
#include "modelfile/fields.h"

#include <stdlib.h>
#include <string.h>

struct carom_study_file {
    carom_arena *arena;
    carom_text what, model;
    CAROM_LIST(carom_setting) option;
};

static carom_status add(carom_study_file *file, const char *option, const char *value,
                        carom_place place, carom_error *error)
{
    carom_setting *made = CAROM_LIST_ADD(file->arena, &file->option);
    if (!made || !value) return carom_scan_no_memory(error);
    *made = (carom_setting){{option, place}, {value, place}};
    return CAROM_OK;
}

static carom_status text_of(const carom_node *node, const char *example, const char **text,
                            carom_error *error)
{
    carom_text found;
    CAROM_TRY(carom_fields_text(node, example, &found, error));
    *text = node->text;
    return CAROM_OK;
}

// ---- sections of their own ----

// NAME: VALUE entries, each an option "NAME=VALUE"
static carom_status read_settings(carom_study_file *file, const carom_node *node,
                                  const char *option, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{e: 0.8}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        const char *value;
        CAROM_TRY(text_of(entry, "e: 0.8", &value, error));
        CAROM_TRY(add(file, option,
                      carom_arena_format(file->arena, "%s=%s", entry->key->text, value),
                      entry->place, error));
    }
    return CAROM_OK;
}

static carom_status read_run(carom_study_file *file, const carom_node *node, carom_error *error)
{
    static const char *const words[] = {"scheme", "solver", "step", "end", "tolerance", "native"};
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{scheme: event_driven}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        const char *value, *name = entry->key->text;
        bool is_word = false;
        CAROM_TRY(text_of(entry, "tolerance: 1e-9", &value, error));
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            is_word |= strcmp(words[i], name) == 0;
        CAROM_TRY(is_word
                      ? add(file, name, value, entry->place, error)
                      : add(file, "option", carom_arena_format(file->arena, "%s=%s", name, value),
                            entry->place, error));
    }
    return CAROM_OK;
}

enum { FROM, TO, VALUES, SCALE, N_VARY };
static const carom_field vary_row[] = {
    [FROM] = {"from", CAROM_FIELD_TEXT, true, "from: 0.5"},
    [TO] = {"to", CAROM_FIELD_TEXT, true, "to: 2.3"},
    [VALUES] = {"values", CAROM_FIELD_TEXT, false, "values: 400"},
    [SCALE] = {"scale", CAROM_FIELD_TEXT, false, "scale: log"},
    [N_VARY] = {.kind = CAROM_FIELD_END},
};

// a:b:n from its parts
static carom_status read_range(carom_study_file *file, const carom_node *node, const char **value,
                               carom_error *error)
{
    const carom_node *part[CAROM_MOST_FIELDS] = {NULL};
    CAROM_TRY(carom_fields_read(node, "what varies", vary_row, part, error));
    const char *text[N_VARY] = {NULL};
    for (int i = 0; i < N_VARY; i++) {
        if (i <= TO && !part[i])
            return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                                 "what varies needs '%s' (write {from: 0.5, to: 2.3, values: 400})",
                                 vary_row[i].key);
        if (part[i]) CAROM_TRY(text_of(part[i], vary_row[i].example, &text[i], error));
    }
    if (text[SCALE] && strcmp(text[SCALE], "log") != 0 && strcmp(text[SCALE], "lin") != 0)
        return carom_fail_at(error, part[SCALE]->place, CAROM_BAD_INPUT,
                             "the scale is lin or log, not '%s'", text[SCALE]);
    const bool is_log = text[SCALE] && strcmp(text[SCALE], "log") == 0;
    *value = carom_arena_format(file->arena, "%s:%s%s%s%s", text[FROM], text[TO],
                                text[VALUES] ? ":" : "", text[VALUES] ? text[VALUES] : "",
                                is_log ? ":log" : "");
    return CAROM_OK;
}

// [1, 2, 5]
static carom_status read_list(carom_study_file *file, const carom_node *node, const char **value,
                              carom_error *error)
{
    const char *text = "[", *one;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        CAROM_TRY(text_of(entry, "[1, 2, 5]", &one, error));
        text =
            carom_arena_format(file->arena, "%s%s%s", text, entry == node->first ? "" : ", ", one);
        if (!text) return carom_scan_no_memory(error);
    }
    *value = carom_arena_format(file->arena, "%s]", text);
    return CAROM_OK;
}

static carom_status read_vary(carom_study_file *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{A: {from: 0.5, to: 2.3, values: 400}}",
                                error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        const char *value = NULL;
        if (entry->kind == CAROM_NODE_MAPPING)
            CAROM_TRY(read_range(file, entry, &value, error));
        else if (entry->kind == CAROM_NODE_LIST)
            CAROM_TRY(read_list(file, entry, &value, error));
        else
            CAROM_TRY(text_of(entry, "A: 0.5:2.3:400", &value, error));
        if (!value) return carom_scan_no_memory(error);
        CAROM_TRY(add(file, "vary",
                      carom_arena_format(file->arena, "%s=%s", entry->key->text, value),
                      entry->place, error));
    }
    return CAROM_OK;
}

static carom_status read_section(carom_study_file *file, const carom_node *node, carom_error *error)
{
    const char *value, *phase = NULL, *kind = NULL;
    if (node->kind == CAROM_NODE_TEXT) {
        CAROM_TRY(text_of(node, "period=2*pi/w", &value, error));
        return add(file, "section", value, node->place, error);
    }
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "{period: 2*pi/w}", error));
    const char *what = NULL;
    carom_place place = node->place;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        CAROM_TRY(text_of(entry, "period: 2*pi/w", &value, error));
        if (strcmp(entry->key->text, "phase") == 0) {
            phase = value;
        } else if (!kind) {
            kind = entry->key->text;
            what = value;
            place = entry->place;
        } else {
            return carom_fail_at(error, entry->key->place, CAROM_BAD_INPUT,
                                 "a section is a period (with a phase), an event or what crosses "
                                 "zero, not '%s' too",
                                 entry->key->text);
        }
    }
    if (!kind)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a section needs a period, an event or what crosses zero");
    return add(file, "section",
               carom_arena_format(file->arena, "%s=%s%s%s", kind, what, phase ? ",phase=" : "",
                                  phase ? phase : ""),
               place, error);
}

// ---- options as they are ----

static carom_status read_direction(carom_study_file *file, const carom_node *node,
                                   carom_error *error)
{
    const char *value;
    CAROM_TRY(text_of(node, "direction: both", &value, error));
    if (strcmp(value, "up") == 0) return CAROM_OK;
    if (strcmp(value, "both") == 0 || strcmp(value, "down") == 0)
        return add(file, value, "true", node->place, error);
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                         "the direction is up, down or both, not '%s'", value);
}

static carom_status read_plain(carom_study_file *file, const carom_node *node, carom_error *error)
{
    const char *value;
    const carom_node *entry = node->kind == CAROM_NODE_LIST ? node->first : node;
    for (; entry; entry = node->kind == CAROM_NODE_LIST ? entry->next : NULL) {
        CAROM_TRY(text_of(entry, "points: 100", &value, error));
        CAROM_TRY(add(file, node->key->text, value, entry->place, error));
    }
    return CAROM_OK;
}

static carom_status read_entry(carom_study_file *file, const carom_node *node, carom_error *error)
{
    const char *key = node->key->text;
    if (strcmp(key, "carom-study") == 0 || strcmp(key, "do") == 0 || strcmp(key, "model") == 0)
        return CAROM_OK;
    if (strcmp(key, "set") == 0 || strcmp(key, "start") == 0)
        return read_settings(file, node, key, error);
    if (strcmp(key, "run") == 0) return read_run(file, node, error);
    if (strcmp(key, "vary") == 0) return read_vary(file, node, error);
    if (strcmp(key, "section") == 0) return read_section(file, node, error);
    if (strcmp(key, "direction") == 0) return read_direction(file, node, error);
    return read_plain(file, node, error);
}

static const carom_node *find(const carom_node *root, const char *key)
{
    for (const carom_node *node = root->first; node; node = node->next)
        if (strcmp(node->key->text, key) == 0) return node;
    return NULL;
}

// the model's path stands in the folder of the study
static carom_status read_model(carom_study_file *file, const carom_source *source,
                               const carom_node *node, carom_error *error)
{
    const char *value, *slash = strrchr(source->name, '/');
    CAROM_TRY(text_of(node, "model: oscillator.yaml", &value, error));
    const bool is_beside = slash && value[0] != '/' && carom_text_ends(value, ".yaml");
    file->model = (carom_text){is_beside ? carom_arena_format(file->arena, "%.*s%s",
                                                              (int)(slash - source->name + 1),
                                                              source->name, value)
                                         : value,
                               node->place};
    return file->model.text ? CAROM_OK : carom_scan_no_memory(error);
}

static carom_status read_root(carom_study_file *file, const carom_source *source,
                              const carom_node *root, carom_error *error)
{
    static const char *const needed[] = {"carom-study", "model", "do"};
    static const char *const example[] = {"carom-study: 1", "model: oscillator.yaml", "do: bif"};
    const carom_place top = {source->name, 1, 1};
    const char *value;
    if (!root || root->kind != CAROM_NODE_MAPPING)
        return carom_fail_at(error, root ? root->place : top, CAROM_BAD_INPUT,
                             "a study file consists of keys with values (write 'carom-study: 1' "
                             "first)");
    for (int i = 0; i < 3; i++)
        if (!find(root, needed[i]))
            return carom_fail_at(error, root->place, CAROM_BAD_INPUT,
                                 "a study needs '%s' (write %s)", needed[i], example[i]);
    CAROM_TRY(text_of(find(root, "carom-study"), example[0], &value, error));
    if (strcmp(value, "1") != 0)
        return carom_fail_at(error, find(root, "carom-study")->place, CAROM_BAD_INPUT,
                             "this carom reads 'carom-study: 1', not '%s'", value);
    CAROM_TRY(text_of(find(root, "do"), example[2], &file->what.text, error));
    file->what.place = find(root, "do")->place;
    CAROM_TRY(read_model(file, source, find(root, "model"), error));
    for (const carom_node *node = root->first; node; node = node->next)
        CAROM_TRY(read_entry(file, node, error));
    return CAROM_OK;
}

carom_status carom_study_file_read(const char *path, const carom_limits *limits,
                                   carom_study_file **file, carom_error *error)
{
    CAROM_NEED(error, file);
    *file = NULL;
    CAROM_NEED(error, path);
    carom_study_file *made = calloc(1, sizeof *made);
    if (made) made->arena = carom_arena_new();
    if (!made || !made->arena) {
        free(made);
        return carom_scan_no_memory(error);
    }
    carom_source source = {0};
    const carom_node *root = NULL;
    carom_status status = carom_source_load(made->arena, path, CAROM_SOURCE_MODEL,
                                            carom_limits_or_default(limits), &source, error);
    if (status == CAROM_OK) status = carom_document_parse(made->arena, &source, &root, error);
    if (status == CAROM_OK) status = read_root(made, &source, root, error);
    if (status == CAROM_OK)
        *file = made;
    else
        carom_study_file_free(made);
    return status;
}

void carom_study_file_free(carom_study_file *file)
{
    if (!file) return;
    carom_arena_free(file->arena);
    free(file);
}

carom_text carom_study_file_what(const carom_study_file *file)
{
    return file ? file->what : (carom_text){0};
}

carom_text carom_study_file_model(const carom_study_file *file)
{
    return file ? file->model : (carom_text){0};
}

int carom_study_file_n(const carom_study_file *file)
{
    return file ? file->option.n : 0;
}

carom_setting carom_study_file_option(const carom_study_file *file, int i)
{
    return file && i >= 0 && i < file->option.n ? file->option.item[i] : (carom_setting){{0}, {0}};
}
