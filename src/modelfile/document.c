// SPDX-License-Identifier: Apache-2.0
// YAML events of libfyaml made into a tree of nodes. Reading events, not libfyaml's own documents,
// keeps the reader in charge: aliases are refused when met (no expansion that explodes), nesting
// and the number of nodes are limited, and every node keeps its exact place.
// Reference: YAML 1.2.2, https://yaml.org/spec/1.2.2
#include "modelfile/document.h"

#include <libfyaml.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "modelfile/traps.h"

enum { DEEPEST = 32, MOST_NODES = 2000000 };

/// What is left of an event after libfyaml's own is freed.
typedef struct happening {
    enum fy_event_type type;
    carom_place place;
    const char *source; // the file from there on
    const char *text;   // of a scalar, NULL where nothing was written
    const char *written;
    bool is_plain, is_flow;
} happening;

typedef struct reading {
    carom_arena *arena;
    const carom_source *source;
    struct fy_diag *diag;
    struct fy_parser *parser;
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
static carom_status explain_stop(reading *r)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(r->diag, &iterator);
    if (!first || !first->msg)
        return carom_fail_at(r->error, r->place, CAROM_BAD_INPUT, "not valid YAML after this");
    // a text that was cut at a bracket, as x in {gap: x[i]}
    if (r->last.text && r->last.source[strlen(r->last.text)] == '[' &&
        strstr(first->msg, "missing comma in flow"))
        return carom_trap_cut(&r->last, r->error);
    const carom_place place = {r->source->name, first->line, first->column};
    return carom_trap_syntax(r->source, place, first->msg, r->error);
}

static void set_place(reading *r, const struct fy_mark *mark, happening *h)
{
    h->place = r->place;
    h->source = r->source->text + r->source->length;
    if (!mark || mark->input_pos > r->source->length) return;
    h->source = r->source->text + mark->input_pos;
    h->place.line = mark->line + 1;
    h->place.column = mark->column + 1;
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
static carom_status set_written(reading *r, const struct fy_mark *end, happening *h)
{
    const char *stop = end ? r->source->text + end->input_pos : h->source;
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

// the text of a token, piece by piece (fy_token_get_text leaks on texts of many pieces)
static carom_status copy_text(reading *r, struct fy_token *token, happening *h)
{
    const size_t length = fy_token_get_text_length(token);
    char *text = length < SIZE_MAX / 4 ? carom_arena_take(r->arena, length + 1) : NULL;
    struct fy_token_iter *pieces = text ? fy_token_iter_create(token) : NULL;
    if (!pieces) return no_memory(r);
    size_t used = 0;
    const struct fy_iter_chunk *piece = NULL;
    while ((piece = fy_token_iter_chunk_next(pieces, piece, NULL)) && piece->len <= length - used) {
        memcpy(text + used, piece->str, piece->len);
        used += piece->len;
    }
    fy_token_iter_destroy(pieces);
    if (used != length)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT, "this text cannot be read");
    h->text = text;
    if (memchr(text, 0, length))
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT, "a text contains \\0");
    return CAROM_OK;
}

static carom_status set_scalar(reading *r, struct fy_token *token, happening *h)
{
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    h->is_plain = style == FYSS_PLAIN;
    CAROM_TRY(copy_text(r, token, h));
    if (style == FYSS_LITERAL || style == FYSS_FOLDED) skip_blank(h);
    return set_written(r, fy_token_end_mark(token), h);
}

// aliases, anchors and tags: none of them has a meaning here
static carom_status refuse_mark(reading *r, struct fy_token *token)
{
    happening h;
    set_place(r, fy_token_start_mark(token), &h);
    if (h.source > r->source->text && !strchr("*&!", *h.source)) {
        h.source--;
        h.place.column--;
    }
    return carom_trap_mark(h.place, h.source, r->error);
}

static carom_status copy_event(reading *r, struct fy_event *event, happening *h)
{
    h->type = event->type;
    set_place(r, fy_event_start_mark(event), h);
    if (event->type == FYET_ALIAS) return refuse_mark(r, event->alias.anchor);
    struct fy_token *anchor = NULL, *tag = NULL;
    if (event->type == FYET_SCALAR || event->type == FYET_SEQUENCE_START ||
        event->type == FYET_MAPPING_START) {
        anchor = fy_event_get_anchor_token(event);
        tag = fy_event_get_tag_token(event);
        h->is_flow = fy_event_get_node_style(event) == FYNS_FLOW;
    }
    if (anchor || tag) return refuse_mark(r, anchor ? anchor : tag);
    if (event->type != FYET_SCALAR || !event->scalar.value) return CAROM_OK;
    return set_scalar(r, event->scalar.value, h);
}

static carom_status next_event(reading *r, happening *h)
{
    *h = (happening){.type = FYET_NONE};
    struct fy_event *event = fy_parser_parse(r->parser);
    if (!event) return explain_stop(r);
    const carom_status status = copy_event(r, event, h);
    fy_parser_event_free(r->parser, event);
    return status;
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
    if (h->type != FYET_SCALAR)
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
    const enum fy_event_type end = is_mapping ? FYET_MAPPING_END : FYET_SEQUENCE_END;
    carom_node **last = &node->first;
    for (;;) {
        happening h;
        CAROM_TRY(next_event(r, &h));
        if (h.type == end) break;
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
    if (h->type == FYET_SCALAR) {
        node->kind = CAROM_NODE_TEXT;
        node->is_missing = !h->text;
        node->text = h->text ? h->text : "";
        node->written = h->text ? h->written : "";
        return check_cut(r, h, parent, node);
    }
    if (h->type != FYET_MAPPING_START && h->type != FYET_SEQUENCE_START)
        return carom_fail_at(r->error, h->place, CAROM_BAD_INPUT, "not valid YAML here");
    node->kind = h->type == FYET_MAPPING_START ? CAROM_NODE_MAPPING : CAROM_NODE_LIST;
    return read_children(r, node, depth + 1);
}

// stream: exactly one document
static carom_status read_stream(reading *r, const carom_node **root)
{
    happening h;
    CAROM_TRY(next_event(r, &h));
    CAROM_TRY(next_event(r, &h));
    if (h.type == FYET_STREAM_END) return CAROM_OK;
    CAROM_TRY(next_event(r, &h));
    carom_node *node = NULL;
    CAROM_TRY(read_node(r, &h, NULL, NULL, &node, 0));
    CAROM_TRY(next_event(r, &h));
    CAROM_TRY(next_event(r, &h));
    if (h.type != FYET_STREAM_END)
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
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.colorize = false;
    r.diag = fy_diag_create(&quiet);
    if (!r.diag) return no_memory(&r);
    fy_diag_set_collect_errors(r.diag, true);
    const struct fy_parse_cfg options = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE, .diag = r.diag};
    r.parser = fy_parser_create(&options);
    carom_status status = CAROM_OK;
    if (!r.parser || fy_parser_set_string(r.parser, source->text, source->length) != 0)
        status = no_memory(&r);
    if (status == CAROM_OK) status = read_stream(&r, root);
    if (status != CAROM_OK) *root = NULL;
    if (r.parser) fy_parser_destroy(r.parser);
    fy_diag_destroy(r.diag);
    return status;
}
