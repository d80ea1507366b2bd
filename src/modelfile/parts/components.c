// SPDX-License-Identifier: Apache-2.0
// Components become parts of the model: nodes are copied, with names and parameters replaced. What
// they write out together is limited like what stands in files: a few uses of uses, or of values
// that contain each other, would be more than any memory.
#include "modelfile/parts/components.h"

#include "base/dictionary.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LEVELS = 16, MOST_USES = 100000 };

// a component, wherever it stands
typedef struct component {
    const carom_node *node;
    const carom_part *owner;
    carom_dictionary parameter; // their nodes
    carom_dictionary own;       // names of its things
} component;

typedef struct expansion {
    carom_arena *arena;
    const carom_sections *sections;
    const carom_limits *limits;
    carom_error *error;
    carom_dictionary component;
    double n_byte; // of all texts that are written out
    // the use that is being made
    const component *used;
    carom_dictionary given; // values of its parameters
    const carom_node *use, *choice;
    const char *name;
} expansion;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading components");
}

// what is written out, before it is
static carom_status count_bytes(expansion *it, carom_place place, size_t n)
{
    it->n_byte += (double)n + 1;
    if (it->n_byte <= it->limits->model_bytes) return CAROM_OK;
    return carom_limit_fail(it->error, place, "what the components of the model write out has",
                            "model_bytes", it->limits->model_bytes);
}

static const carom_node *child_of(const carom_node *node, const char *key)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        if (strcmp(entry->key->text, key) == 0) return entry;
    return NULL;
}

// whether the entries of a section are things with names of their own
static bool names_things(const char *section)
{
    static const char *const named[] = {"bodies", "beams",          "elastic",     "joints",
                                        "motors", "force elements", "coordinates", "define",
                                        "record", "tables",         "use"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(section, named[i]) == 0) return true;
    return false;
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    return n;
}

static bool is_plain_name(const char *text)
{
    size_t n = name_length(text);
    while (text[n] == '.') n += 1 + name_length(text + n + 1);
    return n > 0 && text[n] == 0;
}

// what stands for a parameter: what is given, else its own value; NULL where it is none
static const carom_node *value_of(expansion *it, const char *name, size_t length)
{
    const carom_node *given = carom_dictionary_find(&it->given, name, length);
    return given ? given : carom_dictionary_find(&it->used->parameter, name, length);
}

// the component of a point that is given as a list: at.x
static const char *component_of(expansion *it, const carom_node *value, const char *rest,
                                size_t *used)
{
    const carom_node *entry = value->first;
    if (rest[0] != '.' || rest[1] < 'x' || rest[1] > 'z' || name_length(rest + 1) != 1) return NULL;
    for (char which = 'x'; entry && which < rest[1]; which++) entry = entry->next;
    *used = 2;
    return entry && entry->kind == CAROM_NODE_TEXT
               ? carom_arena_format(it->arena, "(%s)", entry->text)
               : NULL;
}

// what one name in a text becomes; used: how many letters behind it belong to it
static const char *replace_name(expansion *it, const char *name, size_t length, size_t *used)
{
    const carom_node *value = value_of(it, name, length);
    *used = 0;
    if (value && value->kind == CAROM_NODE_LIST)
        return component_of(it, value, name + length, used);
    if (value && value->kind == CAROM_NODE_MAPPING) return NULL;
    if (value && is_plain_name(value->text)) return value->text;
    if (value) return carom_arena_format(it->arena, "(%s)", value->text);
    return carom_dictionary_find(&it->used->own, name, length)
               ? carom_arena_format(it->arena, "%s.%.*s", it->name, (int)length, name)
               : carom_arena_copy(it->arena, name, length);
}

// names begin where no name, number or dot stands before them
static bool begins_name(const char *text, size_t i)
{
    return name_length(text + i) > 0 && (i == 0 || (!isalnum((unsigned char)text[i - 1]) &&
                                                    text[i - 1] != '_' && text[i - 1] != '.'));
}

// a text while it grows
typedef struct growing {
    char *text;
    size_t n, room;
} growing;

static bool append(carom_arena *arena, growing *to, const char *piece, size_t length)
{
    if (to->n + length + 1 > to->room) {
        to->room = 2 * (to->n + length) + 16;
        char *more = carom_arena_take(arena, to->room);
        if (!more) return false;
        if (to->n > 0) memcpy(more, to->text, to->n);
        to->text = more;
    }
    memcpy(to->text + to->n, piece, length);
    to->n += length;
    to->text[to->n] = 0;
    return true;
}

static carom_status replace_text(expansion *it, const carom_node *from, const char **text)
{
    const char *old = from->text;
    growing made = {0};
    if (!append(it->arena, &made, "", 0)) return no_memory(it->error);
    for (size_t i = 0; old[i];) {
        size_t length = 1, used = 0;
        const char *piece = old + i;
        const bool is_a_name = begins_name(old, i);
        if (is_a_name) {
            length = name_length(old + i);
            piece = replace_name(it, old + i, length, &used);
        } else {
            while (old[i + length] && !begins_name(old, i + length)) length++;
        }
        if (!piece)
            return carom_fail_at(it->error, from->place, CAROM_BAD_INPUT,
                                 "'%.*s' is a point: in an expression one of its components is "
                                 "wanted (write %.*s.x)",
                                 (int)length, old + i, (int)length, old + i);
        const size_t n = is_a_name ? strlen(piece) : length;
        CAROM_TRY(count_bytes(it, from->place, n));
        if (!append(it->arena, &made, piece, n)) return no_memory(it->error);
        i += length + used;
    }
    *text = made.text;
    return CAROM_OK;
}

static carom_status copy_node(expansion *it, const carom_node *from, bool is_named,
                              carom_node **to);

static carom_status copy_children(expansion *it, const carom_node *from, bool are_named,
                                  carom_node *to)
{
    carom_node **end = &to->first;
    for (const carom_node *child = from->first; child; child = child->next) {
        CAROM_TRY(copy_node(it, child, are_named, end));
        end = &(*end)->next;
    }
    return CAROM_OK;
}

// "lf.wheel"
static carom_status name_key(expansion *it, carom_node *node)
{
    carom_node *key = CAROM_TAKE(it->arena, carom_node, 1);
    if (!key) return no_memory(it->error);
    *key = *node->key;
    key->text = key->written = carom_arena_format(it->arena, "%s.%s", it->name, node->key->text);
    node->key = key;
    return key->text ? CAROM_OK : no_memory(it->error);
}

// whether the text says nothing but the name of a parameter: what is given takes its place
static const carom_node *whole_value(expansion *it, const carom_node *from)
{
    const size_t length = from->kind == CAROM_NODE_TEXT ? name_length(from->text) : 0;
    return length > 0 && from->text[length] == 0 ? value_of(it, from->text, length) : NULL;
}

static carom_status copy_node(expansion *it, const carom_node *from, bool is_named, carom_node **to)
{
    carom_node *copy = *to = CAROM_TAKE(it->arena, carom_node, 1);
    const carom_node *value = whole_value(it, from);
    const bool is_name_of_row = from->key && strcmp(from->key->text, "name") == 0;
    CAROM_TRY(count_bytes(it, from->place, from->key ? strlen(from->key->text) : 0));
    if (!copy) return no_memory(it->error);
    *copy = value ? *value : *from;
    copy->key = from->key;
    copy->place = from->place;
    copy->next = NULL;
    if (is_named) CAROM_TRY(name_key(it, copy));
    if (value) return CAROM_OK;
    copy->first = NULL;
    if (from->kind != CAROM_NODE_TEXT) return copy_children(it, from, false, copy);
    if (is_name_of_row)
        copy->text = carom_arena_format(it->arena, "%s.%s", it->name, from->text);
    else
        CAROM_TRY(replace_text(it, from, &copy->text));
    copy->written = copy->text;
    return copy->text ? CAROM_OK : no_memory(it->error);
}

static bool is_kind(const char *text)
{
    return strcmp(text, "number") == 0 || strcmp(text, "point") == 0 || strcmp(text, "body") == 0 ||
           strcmp(text, "joint") == 0;
}

// the given value is what the parameter says it is
static carom_status check_value(expansion *it, const carom_node *parameter)
{
    const char *name = parameter->key->text;
    const carom_node *given = carom_dictionary_find(&it->given, name, strlen(name));
    const char *kind = parameter->kind == CAROM_NODE_TEXT ? parameter->text : "";
    if (!given && is_kind(kind))
        return carom_fail_at(it->error, it->choice->place, CAROM_BAD_INPUT,
                             "'%.60s' needs '%.60s' (a %s)", it->name, name, kind);
    if (!given) return CAROM_OK;
    const bool is_text = given->kind == CAROM_NODE_TEXT && !given->is_missing;
    const bool is_wrong =
        strcmp(kind, "point") == 0
            ? !(given->kind == CAROM_NODE_LIST || (is_text && is_plain_name(given->text)))
        : strcmp(kind, "body") == 0 || strcmp(kind, "joint") == 0
            ? !(is_text && (is_plain_name(given->text) || strchr(given->text, '[')))
            : given->kind == CAROM_NODE_MAPPING || (strcmp(kind, "number") == 0 && !is_text);
    if (!is_wrong) return CAROM_OK;
    return carom_fail_at(it->error, given->place, CAROM_BAD_INPUT, "'%.60s' of '%.60s' is %s", name,
                         it->name,
                         strcmp(kind, "point") == 0    ? "a point: [x, y], [x, y, z] or a name"
                         : strcmp(kind, "number") == 0 ? "a number or an expression"
                                                       : "the name of a body or joint");
}

static carom_status refuse_value(expansion *it, const carom_node *parameters,
                                 const carom_node *given)
{
    carom_nearest nearest = carom_nearest_to(given->key->text);
    char hint[160];
    for (const carom_node *entry = parameters ? parameters->first : NULL; entry;
         entry = entry->next)
        carom_nearest_try(&nearest, entry->key->text);
    return carom_fail_at(it->error, given->key->place, CAROM_BAD_INPUT,
                         "the component has no parameter '%.60s'%s", given->key->text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status take_values(expansion *it)
{
    const carom_node *parameters = child_of(it->used->node, "parameters");
    if (it->choice->kind != CAROM_NODE_MAPPING && !it->choice->is_missing)
        return carom_fail_at(it->error, it->choice->place, CAROM_BAD_INPUT,
                             "the values of a component are a mapping (write {beam: left})");
    if (parameters && !parameters->is_missing)
        CAROM_TRY(carom_fields_kind(parameters, CAROM_NODE_MAPPING,
                                    "parameters: {beam: body, at: point, l: 0.5}", it->error));
    it->given = (carom_dictionary){0};
    for (const carom_node *given = it->choice->first; given; given = given->next) {
        const char *name = given->key->text;
        if (!carom_dictionary_find(&it->used->parameter, name, strlen(name)))
            return refuse_value(it, parameters, given);
        if (!carom_dictionary_put(&it->given, it->arena, name, strlen(name), given))
            return no_memory(it->error);
    }
    for (const carom_node *entry = parameters ? parameters->first : NULL; entry;
         entry = entry->next) {
        CAROM_TRY(count_bytes(it, it->use->place, strlen(entry->key->text)));
        CAROM_TRY(check_value(it, entry));
    }
    return CAROM_OK;
}

// sections that a component cannot have: they describe a whole model
static bool is_of_model(const char *key)
{
    static const char *const refused[] = {"carom",  "name", "about", "source",    "include",
                                          "tables", "run",  "space", "components"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(key, refused[i]) == 0) return true;
    return false;
}

static carom_status fill_part(expansion *it, carom_part *part)
{
    for (const carom_node *section = it->used->node->first; section; section = section->next) {
        const char *key = section->key->text;
        int i = 0;
        if (strcmp(key, "parameters") == 0) continue;
        while (i < it->sections->n && strcmp(it->sections->field[i].key, key) != 0) i++;
        if (i == it->sections->n || is_of_model(key))
            return carom_fail_at(it->error, section->key->place, CAROM_BAD_INPUT,
                                 "a component cannot have '%.60s' (it has parameters, bodies, "
                                 "joints, motors, contacts, ...)",
                                 key);
        carom_node *copy = CAROM_TAKE(it->arena, carom_node, 1);
        const bool has_names = names_things(key) && section->kind == CAROM_NODE_MAPPING;
        if (!copy) return no_memory(it->error);
        if (has_names) {
            *copy = *section;
            CAROM_TRY(copy_children(it, section, true, copy));
        } else {
            CAROM_TRY(copy_node(it, section, false, &copy));
        }
        part->section[i] = copy;
    }
    return CAROM_OK;
}

// its parameters, and what "wheel", or "d" of "d[i]", means in it
static carom_status learn_names(expansion *it, component *made)
{
    for (const carom_node *section = made->node->first; section; section = section->next) {
        const bool has_parameters = strcmp(section->key->text, "parameters") == 0;
        carom_dictionary *names = has_parameters ? &made->parameter : &made->own;
        if (section->kind != CAROM_NODE_MAPPING) continue;
        if (!has_parameters && !names_things(section->key->text)) continue;
        for (const carom_node *entry = section->first; entry; entry = entry->next) {
            const char *name = entry->key->text;
            const size_t length = has_parameters ? strlen(name) : strcspn(name, "[");
            if (!carom_dictionary_put(names, it->arena, name, length, entry))
                return no_memory(it->error);
        }
    }
    return CAROM_OK;
}

// all components by their names; where there are two of a name, the first counts
static carom_status take_components(expansion *it, const carom_part *part)
{
    for (; part; part = part->next) {
        const carom_node *all = part->section[it->sections->components];
        if (!all || all->is_missing) continue;
        CAROM_TRY(carom_fields_kind(all, CAROM_NODE_MAPPING,
                                    "components: {drive: {parameters: {at: point}}}", it->error));
        for (const carom_node *node = all->first; node; node = node->next) {
            const char *name = node->key->text;
            component *made = CAROM_TAKE(it->arena, component, 1);
            if (!made) return no_memory(it->error);
            *made = (component){.node = node, .owner = part};
            if (carom_dictionary_find(&it->component, name, strlen(name))) continue;
            if (node->kind == CAROM_NODE_MAPPING) CAROM_TRY(learn_names(it, made));
            if (!carom_dictionary_put(&it->component, it->arena, name, strlen(name), made))
                return no_memory(it->error);
        }
    }
    return CAROM_OK;
}

static carom_status refuse_component(expansion *it, const carom_part *part)
{
    carom_nearest nearest = carom_nearest_to(it->choice->key->text);
    char hint[160];
    for (; part; part = part->next) {
        const carom_node *all = part->section[it->sections->components];
        for (const carom_node *node = all ? all->first : NULL; node; node = node->next)
            carom_nearest_try(&nearest, node->key->text);
    }
    return carom_fail_at(it->error, it->choice->key->place, CAROM_BAD_INPUT,
                         "there is no component '%.60s'%s", it->choice->key->text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

// which component a use means, and under which name
static carom_status choose_component(expansion *it, const carom_part *first, const carom_node *use)
{
    it->use = use;
    it->name = use->key->text;
    it->choice = use->kind == CAROM_NODE_MAPPING ? use->first : NULL;
    if (!it->choice || it->choice->next)
        return carom_fail_at(it->error, use->place, CAROM_BAD_INPUT,
                             "'%.60s' uses one component (write %.60s: {drive: {beam: left}})",
                             it->name, it->name);
    const char *name = it->choice->key->text;
    it->used = carom_dictionary_find(&it->component, name, strlen(name));
    if (!it->used) return refuse_component(it, first);
    CAROM_TRY(carom_fields_kind(it->used->node, CAROM_NODE_MAPPING,
                                "drive: {parameters: {at: point}, bodies: {wheel: {mass: 1}}}",
                                it->error));
    if (is_plain_name(it->name)) return CAROM_OK;
    return carom_fail_at(it->error, use->key->place, CAROM_BAD_INPUT,
                         "'%.60s' cannot be the name of a use: it has letters, digits and _",
                         it->name);
}

// one more part, behind `last`, used by `user`
static carom_status add_use(expansion *it, carom_part *user, carom_part *last)
{
    carom_part *part = CAROM_TAKE(it->arena, carom_part, 1);
    if (!part) return no_memory(it->error);
    CAROM_TRY(take_values(it));
    part->origin = it->used->owner->origin;
    part->includer = user;
    part->level = user->level + 1;
    if (part->level > MOST_LEVELS)
        return carom_fail_at(it->error, it->use->key->place, CAROM_BAD_INPUT,
                             "components use each other more than %d levels deep", MOST_LEVELS);
    CAROM_TRY(fill_part(it, part));
    part->next = last->next;
    last->next = part;
    return CAROM_OK;
}

carom_status carom_components_expand(carom_arena *arena, const carom_sections *sections,
                                     const carom_limits *limits, carom_part *first,
                                     carom_error *error)
{
    expansion it = {.arena = arena, .sections = sections, .limits = limits, .error = error};
    int n_use = 0;
    CAROM_TRY(take_components(&it, first));
    for (carom_part *part = first; part; part = part->next) part->level = 0; // of uses from here on
    for (carom_part *part = first; part; part = part->next) {
        const carom_node *uses = part->section[sections->use];
        carom_part *last = part;
        if (!uses || uses->is_missing) continue;
        CAROM_TRY(
            carom_fields_kind(uses, CAROM_NODE_MAPPING, "use: {lf: {drive: {beam: left}}}", error));
        for (const carom_node *use = uses->first; use; use = use->next) {
            if (++n_use > MOST_USES)
                return carom_fail_at(error, use->key->place, CAROM_BAD_INPUT,
                                     "components are used more than %d times", MOST_USES);
            CAROM_TRY(choose_component(&it, first, use));
            CAROM_TRY(add_use(&it, part, last));
            last = last->next;
        }
    }
    return CAROM_OK;
}
