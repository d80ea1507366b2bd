// SPDX-License-Identifier: Apache-2.0
// What a YAML parser tells (yaml.h) made into a tree of nodes: aliases are refused when met,
// nesting and the number of nodes are limited, and every node keeps its exact place.
// Reference: YAML 1.2.2, https://yaml.org/spec/1.2.2
#include "modelfile/document.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/traps.h"
#include "modelfile/yaml/yaml.h"

enum { DEEPEST = 32, MOST_NODES = 2000000 };

/// An event with what else is told about it.
typedef struct happening {
    carom_yaml_kind kind;
    carom_place place;
    const char *source; // the file from there on
    const char *text;   // of a text, NULL where nothing was written
    const char *written;
    bool is_plain, is_flow;
} happening;

typedef struct reading {
    carom_arena *arena;
    const carom_source *source;
    carom_yaml *yaml;
    carom_error *error;
    carom_place place; // of the last thing met
    carom_cut last;    // the last plain text inside { } or [ ], for errors right after it
    int n_node;
} reading;

static carom_status no_memory(reading *r)
{
    return carom_fail(r->error, CAROM_NO_MEMORY, "memory ran out while reading %s",
                      r->source->name);
}

// the parser stopped: its first error, explained
static carom_status explain_stop(reading *r, const carom_yaml_event *event)
{
    if (!event->text)
        return carom_fail_at(r->error, r->place, CAROM_BAD_INPUT, "not valid YAML after this");
    // a text that was cut at a bracket, as x in {gap: x[i]}
    if (r->last.text && r->last.source[strlen(r->last.text)] == '[' &&
        strstr(event->text, "missing comma in flow"))
        return carom_trap_cut(&r->last, r->error);
    const carom_place place = {r->source->name, event->line, event->column};
    return carom_trap_syntax(r->source, place, event->text, r->error);
}

static void set_place(reading *r, const carom_yaml_event *event, happening *h)
{
    h->place = r->place;
    h->source = r->source->text + r->source->length;
    if (!event->has_place || event->start > r->source->length) return;
    h->source = r->source->text + event->start;
    h->place.line = event->line;
    h->place.column = event->column;
    r->place = h->place;
}

// a block text (| or >) is placed at its first line's start: go on to its first character
static void skip_blank(happening *h)
{
    h->text += strspn(h->text, " \r\n");
    for (; *h->source == ' ' || *h->source == '\r' || *h->source == '\n'; h->source++) {
        h->place.column++;
        if (*h->source != '\n') continue;
        h->place.line++;
        h->place.column = 1;
    }
}

// the text as it stands in the file, unless quotes or escapes make it another one
static carom_status set_written(reading *r, size_t end, happening *h)
{
    const char *stop = end > 0 ? r->source->text + end : h->source;
    h->written = h->text;
    if (stop <= h->source || stop > r->source->text + r->source->length) return CAROM_OK;
    size_t length = (size_t)(stop - h->source);
    if (!memchr(h->source, '\n', length)) return CAROM_OK;
    if (!h->is_plain && (memchr(h->source, '\\', length) || memchr(h->source, '\'', length)))
        return CAROM_OK;
    while (length > 0 && strchr(" \r\n", h->source[length - 1])) length--;
    h->written = carom_arena_copy(r->arena, h->source, length);
    return h->written ? CAROM_OK : no_memory(r);
}

static carom_status set_text(reading *r, const carom_yaml_event *event, happening *h)
{
    h->is_plain = event->style == CAROM_YAML_PLAIN;
    h->text = event->text;
    if (memchr(event->text, 0, event->length))
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT, "a text contains \\0");
    if (event->style == CAROM_YAML_BLOCK) skip_blank(h);
    return set_written(r, event->end, h);
}

// aliases, anchors and tags: none of them has a meaning here
static carom_status refuse_mark(reading *r, happening *h)
{
    if (h->source > r->source->text && !strchr("*&!", *h->source)) {
        h->source--;
        h->place.column--;
    }
    return carom_trap_mark(h->place, h->source, r->error);
}

static carom_status next_event(reading *r, happening *h)
{
    carom_yaml_event event;
    *h = (happening){.kind = CAROM_YAML_OTHER};
    if (!carom_yaml_next(r->yaml, &event)) return no_memory(r);
    h->kind = event.kind;
    h->is_flow = event.is_flow;
    if (event.kind == CAROM_YAML_WRONG) return explain_stop(r, &event);
    set_place(r, &event, h);
    if (event.kind == CAROM_YAML_MARK) return refuse_mark(r, h);
    return event.kind == CAROM_YAML_TEXT && event.text ? set_text(r, &event, h) : CAROM_OK;
}

static carom_status read_node(reading *r, const happening *h, const carom_node *parent,
                              const carom_node *key, carom_node **result, int depth);

static int compare_keys(const void *a, const void *b)
{
    const carom_node *const *x = a, *const *y = b;
    const int order = strcmp((*x)->key->text, (*y)->key->text);
    if (order != 0) return order;
    const carom_place p = (*x)->key->place, q = (*y)->key->place;
    return p.line != q.line ? (p.line > q.line) - (p.line < q.line)
                            : (p.column > q.column) - (p.column < q.column);
}

static carom_status check_keys(reading *r, const carom_node *mapping)
{
    const carom_node **entry = malloc(sizeof *entry * (size_t)(mapping->n + 1));
    if (!entry) return no_memory(r);
    int n = 0;
    for (const carom_node *child = mapping->first; child; child = child->next) entry[n++] = child;
    qsort(entry, (size_t)n, sizeof *entry, compare_keys);
    carom_status status = CAROM_OK;
    for (int i = 1; i < n && status == CAROM_OK; i++)
        if (strcmp(entry[i - 1]->key->text, entry[i]->key->text) == 0)
            status = carom_fail_at(r->error, entry[i]->key->place, CAROM_BAD_INPUT,
                                   "'%.80s' is given twice (first in line %d)", entry[i]->key->text,
                                   entry[i - 1]->key->place.line);
    free(entry);
    return status;
}

static carom_status read_key(reading *r, const happening *h, const carom_node *mapping,
                             const carom_node **key, int depth)
{
    if (h->kind != CAROM_YAML_TEXT)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT,
                             "a key must be a text (write 'key: value')");
    carom_node *node;
    CAROM_TRY(read_node(r, h, mapping, NULL, &node, depth));
    if (strcmp(node->text, "<<") == 0 && h->is_plain)
        return carom_fail_at(r->error, node->place, CAROM_BAD_INPUT,
                             "merge keys ('<<') are not supported in model files");
    *key = node;
    if (!node->is_missing) return CAROM_OK;
    happening value;
    CAROM_TRY(next_event(r, &value));
    return carom_fail_at(r->error, value.place, CAROM_BAD_INPUT, "a key is missing before ':'");
}

// lists and mappings: children until the end event
static carom_status read_children(reading *r, carom_node *node, int depth)
{
    const bool is_mapping = node->kind == CAROM_NODE_MAPPING;
    const carom_yaml_kind end = is_mapping ? CAROM_YAML_MAPPING_END : CAROM_YAML_LIST_END;
    carom_node **last = &node->first;
    for (;;) {
        happening h;
        CAROM_TRY(next_event(r, &h));
        if (h.kind == end) break;
        const carom_node *key = NULL;
        if (is_mapping) {
            CAROM_TRY(read_key(r, &h, node, &key, depth));
            CAROM_TRY(next_event(r, &h));
        }
        CAROM_TRY(read_node(r, &h, node, key, last, depth));
        last = &(*last)->next;
        node->n++;
    }
    return is_mapping ? check_keys(r, node) : CAROM_OK;
}

static carom_status check_cut(reading *r, const happening *h, const carom_node *parent,
                              const carom_node *node)
{
    if (!h->text) return CAROM_OK;
    r->last = (carom_cut){0};
    if (!h->is_plain || !node->is_flow) return CAROM_OK;
    r->last = (carom_cut){.place = h->place,
                          .text = h->text,
                          .source = h->source,
                          .key = node->key ? node->key->text : NULL,
                          .is_list = parent && parent->kind == CAROM_NODE_LIST};
    return carom_trap_is_cut(h->text) ? carom_trap_cut(&r->last, r->error) : CAROM_OK;
}

static carom_status read_node(reading *r, const happening *h, const carom_node *parent,
                              const carom_node *key, carom_node **result, int depth)
{
    carom_node *node = CAROM_TAKE(r->arena, carom_node, 1);
    if (!node) return no_memory(r);
    *result = node;
    node->place = h->place;
    node->key = key;
    node->is_flow = h->is_flow || (parent && parent->is_flow);
    if (++r->n_node > MOST_NODES)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT,
                             "the file has more than %d entries", MOST_NODES);
    if (depth > DEEPEST)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT,
                             "lists and mappings are nested more than %d deep", DEEPEST);
    if (h->kind == CAROM_YAML_TEXT) {
        node->kind = CAROM_NODE_TEXT;
        node->is_missing = !h->text;
        node->text = h->text ? h->text : "";
        node->written = h->text ? h->written : "";
        return check_cut(r, h, parent, node);
    }
    if (h->kind != CAROM_YAML_MAPPING && h->kind != CAROM_YAML_LIST)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT, "not valid YAML here");
    node->kind = h->kind == CAROM_YAML_MAPPING ? CAROM_NODE_MAPPING : CAROM_NODE_LIST;
    return read_children(r, node, depth + 1);
}

// stream: exactly one document
static carom_status read_stream(reading *r, const carom_node **root)
{
    happening h;
    CAROM_TRY(next_event(r, &h));
    CAROM_TRY(next_event(r, &h));
    if (h.kind == CAROM_YAML_STREAM_END) return CAROM_OK;
    CAROM_TRY(next_event(r, &h));
    carom_node *node = NULL;
    CAROM_TRY(read_node(r, &h, NULL, NULL, &node, 0));
    CAROM_TRY(next_event(r, &h));
    CAROM_TRY(next_event(r, &h));
    if (h.kind != CAROM_YAML_STREAM_END)
        return carom_fail_at(r->error, h.place, CAROM_BAD_INPUT,
                             "a second document starts here; a model file holds one");
    *root = node;
    return CAROM_OK;
}

carom_status carom_document_parse(carom_arena *arena, const carom_source *source,
                                  const carom_node **root, carom_error *error)
{
    *root = NULL;
    CAROM_TRY(carom_source_check(source, error));
    CAROM_TRY(carom_trap_tabs(source, error));
    // an empty text would make libfyaml take its length from elsewhere
    if (source->length == 0) return CAROM_OK;
    reading r = {.arena = arena, .source = source, .error = error, .place = {source->name, 1, 1}};
    r.yaml = carom_yaml_new(arena, source);
    const carom_status status = r.yaml ? read_stream(&r, root) : no_memory(&r);
    if (status != CAROM_OK) *root = NULL;
    carom_yaml_free(r.yaml);
    return status;
}
