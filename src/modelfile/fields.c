// SPDX-License-Identifier: Apache-2.0
// Mappings with known keys: unknown keys get the nearest known one, missing keys and wrong types an
// example of what is meant.
#include "modelfile/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const kind_word[] = {"a text", "a list", "a mapping"};

carom_text carom_fields_key(const carom_node *node)
{
    return (carom_text){node->key->text, node->key->place};
}

// "name, gap, slip" for messages
static const char *list_keys(const carom_field *field, char *buffer, size_t room)
{
    size_t used = 0;
    buffer[0] = 0;
    for (; field->kind != CAROM_FIELD_END && used < room; field++) {
        if (field->kind == CAROM_FIELD_RESERVED) continue;
        used += (size_t)snprintf(buffer + used, room - used, "%s%s", used ? ", " : "", field->key);
    }
    return buffer;
}

// a key without a value is often half of something else
static const char *explain_missing(const carom_node *node)
{
    if (node->key && strchr(node->key->text, ':')) return " (write a space after ':')";
    if (node->key && node->is_flow && node->key->text[strspn(node->key->text, "0123456789")] == 0)
        return " (inside { } a comma ends a text: decimals are written with a point, 9.81)";
    if (node->key && node->is_flow)
        return " (inside { } a plain text ends at a comma: an expression with a comma needs "
               "quotes)";
    return "";
}

static carom_status no_value(const carom_node *node, const char *example, carom_error *error)
{
    if (!node->key)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a list entry holds nothing (expected: %s)", example);
    return carom_fail_at(error, node->key->place, CAROM_BAD_INPUT,
                         "'%.80s' has no value (expected: %s)%s", node->key->text, example,
                         explain_missing(node));
}

carom_status carom_fields_kind(const carom_node *node, carom_node_kind kind, const char *example,
                               carom_error *error)
{
    if (node->kind == kind && !node->is_missing) return CAROM_OK;
    if (node->is_missing) return no_value(node, example, error);
    const char *key = node->key ? node->key->text : "this entry";
    const char *quote = node->key ? "'" : "";
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                         "%s%.80s%s must be %s, not %s (expected: %s)", quote, key, quote,
                         kind_word[kind], kind_word[node->kind], example);
}

carom_status carom_fields_text(const carom_node *node, const char *example, carom_text *text,
                               carom_error *error)
{
    *text = (carom_text){0};
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_TEXT, example, error));
    if (node->text[strspn(node->text, " \t\r\n")] == 0) return no_value(node, example, error);
    *text = (carom_text){node->written, node->place};
    return CAROM_OK;
}

carom_status carom_fields_texts(const carom_node *node, int most, carom_text *text, int *n,
                                carom_error *error)
{
    const char *name = node->key ? node->key->text : "this entry";
    *n = 0;
    if (node->kind == CAROM_NODE_TEXT) {
        *n = 1;
        return carom_fields_text(node, "an expression", text, error);
    }
    if (node->kind == CAROM_NODE_MAPPING)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'%.80s' must be an expression or a list of them, not a mapping",
                             name);
    if (node->n < 1)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'%.80s' is an empty list (write what it has, or leave it out)", name);
    if (node->n > most)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'%.80s' must have 1 to %d expressions, not %d", name, most, node->n);
    for (const carom_node *child = node->first; child; child = child->next)
        CAROM_TRY(carom_fields_text(child, "an expression", &text[(*n)++], error));
    return CAROM_OK;
}

static carom_status unknown_key(const carom_node *entry, const char *owner,
                                const carom_field *field, carom_error *error)
{
    const char *key = entry->key->text;
    char hint[120], keys[600];
    carom_nearest nearest = carom_nearest_to(key);
    for (const carom_field *f = field; f->kind != CAROM_FIELD_END; f++)
        if (f->kind != CAROM_FIELD_RESERVED) carom_nearest_try(&nearest, f->key);
    return carom_fail_at(
        error, entry->key->place, CAROM_BAD_INPUT, "unknown key '%.80s' in %.60s%s; allowed: %s%s",
        key, owner, carom_nearest_hint(&nearest, hint, sizeof hint),
        list_keys(field, keys, sizeof keys), entry->is_missing ? explain_missing(entry) : "");
}

static carom_status check_field(const carom_node *node, const carom_field *field,
                                carom_error *error)
{
    carom_text text;
    switch (field->kind) {
    case CAROM_FIELD_TEXT:
        return carom_fields_text(node, field->example, &text, error);
    case CAROM_FIELD_LIST:
        return carom_fields_kind(node, CAROM_NODE_LIST, field->example, error);
    case CAROM_FIELD_MAPPING:
        return carom_fields_kind(node, CAROM_NODE_MAPPING, field->example, error);
    case CAROM_FIELD_RESERVED:
        return carom_fail_at(error, node->key->place, CAROM_BAD_INPUT, "'%s' is not yet supported",
                             field->key);
    case CAROM_FIELD_TEXTS:
        return node->is_missing ? no_value(node, field->example, error) : CAROM_OK;
    default:
        return CAROM_OK;
    }
}

carom_status carom_fields_read(const carom_node *node, const char *owner, const carom_field *field,
                               const carom_node **value, carom_error *error)
{
    for (int i = 0; field[i].kind != CAROM_FIELD_END; i++) value[i] = NULL;
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        int i = 0;
        while (field[i].kind != CAROM_FIELD_END && strcmp(field[i].key, entry->key->text) != 0) i++;
        if (field[i].kind == CAROM_FIELD_END) return unknown_key(entry, owner, field, error);
        CAROM_TRY(check_field(entry, &field[i], error));
        value[i] = entry;
    }
    for (int i = 0; field[i].kind != CAROM_FIELD_END; i++)
        if (field[i].is_required && !value[i])
            return carom_fail_at(error, node->place, CAROM_BAD_INPUT, "%s needs '%s' (write %s)",
                                 owner, field[i].key, field[i].example);
    return CAROM_OK;
}

// "1..n" into its two ends, each with its own place
static carom_status read_range(carom_arena *arena, const carom_node *node, carom_range *range,
                               carom_error *error)
{
    carom_text text;
    CAROM_TRY(carom_fields_text(node, "i: 1..n", &text, error));
    const char *dots = strstr(text.text, "..");
    const char *last = dots ? dots + 2 + strspn(dots + 2, " \t\r\n") : "";
    if (!dots || strspn(text.text, " \t\r\n") >= (size_t)(dots - text.text) || !*last)
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "'%.60s' is not a range (write 'first..last', for example 1..n)",
                             text.text);
    range->name = carom_fields_key(node);
    range->first =
        (carom_text){carom_arena_copy(arena, text.text, (size_t)(dots - text.text)), text.place};
    range->last = (carom_text){last, text.place};
    range->last.place.column += (int)(last - text.text);
    if (!range->first.text)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a range");
    return CAROM_OK;
}

carom_status carom_fields_family(carom_arena *arena, const carom_node *node, carom_family *family,
                                 carom_error *error)
{
    *family = (carom_family){0};
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "for: {i: 1..n}", error));
    if (node->n < 1 || node->n > CAROM_MAX_INDEX)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'for' needs 1 to %d index variables, not %d (write for: {i: 1..n})",
                             CAROM_MAX_INDEX, node->n);
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_range(arena, entry, &family->range[family->n++], error));
    return CAROM_OK;
}
