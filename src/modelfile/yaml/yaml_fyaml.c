// SPDX-License-Identifier: Apache-2.0
// Events of libfyaml. Reading events, not libfyaml's own documents, keeps the reader in charge:
// aliases are refused when met (no expansion that explodes).
// Reference: YAML 1.2.2, https://yaml.org/spec/1.2.2
#include "modelfile/yaml/yaml.h"

#include <libfyaml.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct carom_yaml {
    carom_arena *arena;
    struct fy_diag *diag;
    struct fy_parser *parser;
};

void carom_yaml_free(carom_yaml *yaml)
{
    if (!yaml) return;
    if (yaml->parser) fy_parser_destroy(yaml->parser);
    if (yaml->diag) fy_diag_destroy(yaml->diag);
    free(yaml);
}

carom_yaml *carom_yaml_new(carom_arena *arena, const carom_source *source)
{
    carom_yaml *yaml = calloc(1, sizeof *yaml);
    if (!yaml) return NULL;
    yaml->arena = arena;
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.colorize = false;
    yaml->diag = fy_diag_create(&quiet);
    if (yaml->diag) {
        fy_diag_set_collect_errors(yaml->diag, true);
        const struct fy_parse_cfg options = {
            .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE, .diag = yaml->diag};
        yaml->parser = fy_parser_create(&options);
    }
    if (yaml->parser && fy_parser_set_string(yaml->parser, source->text, source->length) == 0)
        return yaml;
    carom_yaml_free(yaml);
    return NULL;
}

// the parser stopped: its first error
static void set_wrong(const carom_yaml *yaml, carom_yaml_event *event)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(yaml->diag, &iterator);
    event->kind = CAROM_YAML_WRONG;
    if (!first || !first->msg) return;
    event->text = carom_arena_string(yaml->arena, first->msg);
    event->line = first->line;
    event->column = first->column;
}

static void set_place(const struct fy_mark *mark, carom_yaml_event *event)
{
    event->has_place = mark != NULL;
    if (!mark) return;
    event->start = mark->input_pos;
    event->line = mark->line + 1;
    event->column = mark->column + 1;
}

// the text of a token, piece by piece (fy_token_get_text leaks on texts of many pieces)
static bool copy_text(const carom_yaml *yaml, struct fy_token *token, carom_yaml_event *event)
{
    const size_t length = fy_token_get_text_length(token);
    char *text = length < SIZE_MAX / 4 ? carom_arena_take(yaml->arena, length + 1) : NULL;
    struct fy_token_iter *pieces = text ? fy_token_iter_create(token) : NULL;
    if (!pieces) return false;
    size_t used = 0;
    const struct fy_iter_chunk *piece = NULL;
    while ((piece = fy_token_iter_chunk_next(pieces, piece, NULL)) && piece->len <= length - used) {
        memcpy(text + used, piece->str, piece->len);
        used += piece->len;
    }
    fy_token_iter_destroy(pieces);
    if (used != length) event->kind = CAROM_YAML_WRONG;
    event->text = used == length ? text : "this text cannot be read";
    event->length = length;
    return true;
}

static bool set_scalar(const carom_yaml *yaml, struct fy_token *token, carom_yaml_event *event)
{
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    const struct fy_mark *end = fy_token_end_mark(token);
    event->style = style == FYSS_PLAIN                             ? CAROM_YAML_PLAIN
                   : style == FYSS_LITERAL || style == FYSS_FOLDED ? CAROM_YAML_BLOCK
                                                                   : CAROM_YAML_QUOTED;
    event->end = end ? end->input_pos : 0;
    return copy_text(yaml, token, event);
}

static bool set_mark(struct fy_token *token, carom_yaml_event *event)
{
    event->kind = CAROM_YAML_MARK;
    set_place(fy_token_start_mark(token), event);
    return true;
}

static carom_yaml_kind kind_of(enum fy_event_type type)
{
    switch ((int)type) {
    case FYET_STREAM_END:
        return CAROM_YAML_STREAM_END;
    case FYET_SCALAR:
        return CAROM_YAML_TEXT;
    case FYET_SEQUENCE_START:
        return CAROM_YAML_LIST;
    case FYET_MAPPING_START:
        return CAROM_YAML_MAPPING;
    case FYET_SEQUENCE_END:
        return CAROM_YAML_LIST_END;
    case FYET_MAPPING_END:
        return CAROM_YAML_MAPPING_END;
    default:
        return CAROM_YAML_OTHER;
    }
}

static bool copy_event(const carom_yaml *yaml, struct fy_event *from, carom_yaml_event *event)
{
    event->kind = kind_of(from->type);
    set_place(fy_event_start_mark(from), event);
    if (from->type == FYET_ALIAS) return set_mark(from->alias.anchor, event);
    struct fy_token *anchor = NULL, *tag = NULL;
    if (from->type == FYET_SCALAR || from->type == FYET_SEQUENCE_START ||
        from->type == FYET_MAPPING_START) {
        anchor = fy_event_get_anchor_token(from);
        tag = fy_event_get_tag_token(from);
        event->is_flow = fy_event_get_node_style(from) == FYNS_FLOW;
    }
    if (anchor || tag) return set_mark(anchor ? anchor : tag, event);
    if (from->type != FYET_SCALAR || !from->scalar.value) return true;
    return set_scalar(yaml, from->scalar.value, event);
}

bool carom_yaml_next(carom_yaml *yaml, carom_yaml_event *event)
{
    *event = (carom_yaml_event){0};
    struct fy_event *from = fy_parser_parse(yaml->parser);
    if (!from) {
        set_wrong(yaml, event);
        return true;
    }
    const bool is_done = copy_event(yaml, from, event);
    fy_parser_event_free(yaml->parser, from);
    return is_done;
}
