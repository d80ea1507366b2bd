// SPDX-License-Identifier: Apache-2.0
// Components become parts of the model: nodes are copied, with names and parameters replaced.
#include "modelfile/parts/components.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LEVELS = 16, MOST_USES = 100000 };

// one use while it is made
typedef struct using
{
    carom_arena *arena;
    const carom_sections *sections;
    const carom_node *component, *given; // the component, and the values of its parameters
    const char *name;                    // of the use
    carom_error *error;
}
using;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading components");
}

static const carom_node *child_of(const carom_node *node, const char *key)
{
    for (const carom_node *entry = node ? node->first : NULL; entry; entry = entry->next)
        if (entry->key && strcmp(entry->key->text, key) == 0) return entry;
    return NULL;
}

// whether the entries of a section are things with names of their own
static bool names_things(const char *section)
{
    static const char *const named[] = {"bodies",         "joints",      "motors",
                                        "force elements", "coordinates", "define",
                                        "record",         "tables",      "use"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(section, named[i]) == 0) return true;
    return false;
}

// "wheel", or "d" of "d[i]"
static bool is_name(const char *key, const char *name, size_t length)
{
    return strncmp(key, name, length) == 0 && (key[length] == 0 || key[length] == '[');
}

static bool is_own_name(const using *it, const char *name, size_t length)
{
    for (const carom_node *section = it->component->first; section; section = section->next) {
        if (!names_things(section->key->text) || section->kind != CAROM_NODE_MAPPING) continue;
        for (const carom_node *entry = section->first; entry; entry = entry->next)
            if (is_name(entry->key->text, name, length)) return true;
    }
    return false;
}

// what stands for a parameter: what is given, else its own value; NULL where it is none
static const carom_node *value_of(const using *it, const char *name, size_t length)
{
    const carom_node *parameters = child_of(it->component, "parameters");
    for (const carom_node *entry = parameters ? parameters->first : NULL; entry;
         entry = entry->next) {
        if (strlen(entry->key->text) != length || strncmp(entry->key->text, name, length) != 0)
            continue;
        const carom_node *given = child_of(it->given, entry->key->text);
        return given ? given : entry;
    }
    return NULL;
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

// the component of a point that is given as a list: at.x
static const char *component_of(const using *it, const carom_node *value, const char *rest,
                                size_t *used)
{
    const int which = rest[0] == '.' && rest[1] ? (int)(strchr("xyz", rest[1]) - "xyz") : -1;
    const carom_node *entry = value->first;
    if (rest[0] != '.' || !rest[1] || !strchr("xyz", rest[1]) || name_length(rest + 1) != 1)
        return NULL;
    for (int i = 0; entry && i < which; i++) entry = entry->next;
    *used = 2;
    return entry ? carom_arena_format(it->arena, "(%s)", entry->text) : NULL;
}

// what one name in a text becomes; used: how many letters behind it belong to it
static const char *replace_name(const using *it, const char *name, size_t length, size_t *used)
{
    const carom_node *value = value_of(it, name, length);
    *used = 0;
    if (value && value->kind == CAROM_NODE_LIST)
        return component_of(it, value, name + length, used);
    if (value && is_plain_name(value->text)) return value->text;
    if (value) return carom_arena_format(it->arena, "(%s)", value->text);
    const char *own = is_own_name(it, name, length) ? it->name : NULL;
    return own ? carom_arena_format(it->arena, "%s.%.*s", own, (int)length, name)
               : carom_arena_format(it->arena, "%.*s", (int)length, name);
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
        to->room = 2 * (to->n + length + 1);
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

static carom_status replace_text(const using *it, const carom_node *from, const char **text)
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
        if (!append(it->arena, &made, piece, is_a_name ? strlen(piece) : length))
            return no_memory(it->error);
        i += length + used;
    }
    *text = made.text;
    return CAROM_OK;
}

static carom_status copy_node(const using *it, const carom_node *from, bool is_named,
                              carom_node **to);

static carom_status copy_children(const using *it, const carom_node *from, bool are_named,
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
static carom_status name_key(const using *it, carom_node *node)
{
    carom_node *key = CAROM_TAKE(it->arena, carom_node, 1);
    if (!key) return no_memory(it->error);
    *key = *node->key;
    key->text = key->written = carom_arena_format(it->arena, "%s.%s", it->name, node->key->text);
    node->key = key;
    return key->text ? CAROM_OK : no_memory(it->error);
}

// whether the text says nothing but the name of a parameter: what is given takes its place
static const carom_node *whole_value(const using *it, const carom_node *from)
{
    const size_t length = from->kind == CAROM_NODE_TEXT ? name_length(from->text) : 0;
    return length > 0 && from->text[length] == 0 ? value_of(it, from->text, length) : NULL;
}

static carom_status copy_node(const using *it, const carom_node *from, bool is_named,
                              carom_node **to)
{
    carom_node *copy = *to = CAROM_TAKE(it->arena, carom_node, 1);
    const carom_node *value = whole_value(it, from);
    const bool is_name_of_row = from->key && strcmp(from->key->text, "name") == 0;
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
static carom_status check_value(const using *it, const carom_node *parameter)
{
    const carom_node *given = child_of(it->given, parameter->key->text);
    const char *kind = parameter->kind == CAROM_NODE_TEXT ? parameter->text : "";
    if (!given && is_kind(kind))
        return carom_fail_at(it->error, it->given->place, CAROM_BAD_INPUT,
                             "'%.60s' needs '%.60s' (a %s)", it->name, parameter->key->text, kind);
    if (!given) return CAROM_OK;
    const bool is_text = given->kind == CAROM_NODE_TEXT && !given->is_missing;
    const bool is_wrong =
        strcmp(kind, "point") == 0
            ? !(given->kind == CAROM_NODE_LIST || (is_text && is_plain_name(given->text)))
        : strcmp(kind, "body") == 0 || strcmp(kind, "joint") == 0
            ? !(is_text && (is_plain_name(given->text) || strchr(given->text, '[')))
            : given->kind == CAROM_NODE_MAPPING || (strcmp(kind, "number") == 0 && !is_text);
    if (!is_wrong) return CAROM_OK;
    return carom_fail_at(it->error, given->place, CAROM_BAD_INPUT, "'%.60s' of '%.60s' is %s",
                         parameter->key->text, it->name,
                         strcmp(kind, "point") == 0    ? "a point: [x, y], [x, y, z] or a name"
                         : strcmp(kind, "number") == 0 ? "a number or an expression"
                                                       : "the name of a body or joint");
}

static carom_status check_values(const using *it)
{
    const carom_node *parameters = child_of(it->component, "parameters");
    if (it->given->kind != CAROM_NODE_MAPPING && !it->given->is_missing)
        return carom_fail_at(it->error, it->given->place, CAROM_BAD_INPUT,
                             "the values of a component are a mapping (write {beam: left})");
    for (const carom_node *entry = parameters ? parameters->first : NULL; entry;
         entry = entry->next)
        CAROM_TRY(check_value(it, entry));
    for (const carom_node *given = it->given->first; given; given = given->next) {
        carom_nearest nearest = carom_nearest_to(given->key->text);
        char hint[160];
        if (child_of(parameters, given->key->text)) continue;
        for (const carom_node *entry = parameters ? parameters->first : NULL; entry;
             entry = entry->next)
            carom_nearest_try(&nearest, entry->key->text);
        return carom_fail_at(it->error, given->key->place, CAROM_BAD_INPUT,
                             "the component has no parameter '%.60s'%s", given->key->text,
                             carom_nearest_hint(&nearest, hint, sizeof hint));
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

static carom_status fill_part(const using *it, carom_part *part)
{
    for (const carom_node *section = it->component->first; section; section = section->next) {
        const char *key = section->key->text;
        int i = 0;
        if (strcmp(key, "parameters") == 0) continue;
        while (i < it->sections->n && strcmp(it->sections->field[i].key, key) != 0) i++;
        if (i == it->sections->n || is_of_model(key))
            return carom_fail_at(it->error, section->key->place, CAROM_BAD_INPUT,
                                 "a component cannot have '%.60s' (it has parameters, bodies, "
                                 "joints, motors, contacts, ...)",
                                 key);
        carom_node *copy;
        CAROM_TRY(copy_node(it, section, false, &copy));
        if (names_things(key) && section->kind == CAROM_NODE_MAPPING)
            CAROM_TRY(copy_children(it, section, true, copy));
        part->section[i] = copy;
    }
    return CAROM_OK;
}

// the component of that name, in whichever file it stands
static const carom_node *find_component(const carom_sections *sections, const carom_part *first,
                                        const char *name, carom_nearest *nearest,
                                        const carom_part **owner)
{
    for (*owner = first; *owner; *owner = (*owner)->next) {
        const carom_node *all = (*owner)->section[sections->components];
        const carom_node *found = child_of(all, name);
        if (found) return found;
        for (const carom_node *entry = all ? all->first : NULL; entry; entry = entry->next)
            carom_nearest_try(nearest, entry->key->text);
    }
    return NULL;
}

static carom_status add_use(using *it, const carom_part *first, carom_part *user,
                            const carom_node *use)
{
    const carom_node *choice = use->kind == CAROM_NODE_MAPPING ? use->first : NULL;
    carom_part *part = CAROM_TAKE(it->arena, carom_part, 1);
    const carom_part *owner;
    char hint[160];
    if (!part) return no_memory(it->error);
    if (!choice || choice->next)
        return carom_fail_at(it->error, use->place, CAROM_BAD_INPUT,
                             "'%.60s' uses one component (write %.60s: {drive: {beam: left}})",
                             use->key->text, use->key->text);
    carom_nearest nearest = carom_nearest_to(choice->key->text);
    it->name = use->key->text;
    it->given = choice;
    it->component = find_component(it->sections, first, choice->key->text, &nearest, &owner);
    if (!it->component)
        return carom_fail_at(it->error, choice->key->place, CAROM_BAD_INPUT,
                             "there is no component '%.60s'%s", choice->key->text,
                             carom_nearest_hint(&nearest, hint, sizeof hint));
    CAROM_TRY(carom_fields_kind(it->component, CAROM_NODE_MAPPING,
                                "drive: {parameters: {at: point}, bodies: {wheel: {mass: 1}}}",
                                it->error));
    if (!is_plain_name(it->name))
        return carom_fail_at(it->error, use->key->place, CAROM_BAD_INPUT,
                             "'%.60s' cannot be the name of a use: it has letters, digits and _",
                             it->name);
    CAROM_TRY(check_values(it));
    part->origin = owner->origin;
    part->includer = user;
    part->level = user->level + 1;
    if (part->level > MOST_LEVELS)
        return carom_fail_at(it->error, use->key->place, CAROM_BAD_INPUT,
                             "components use each other more than %d levels deep", MOST_LEVELS);
    CAROM_TRY(fill_part(it, part));
    part->next = user->next;
    user->next = part;
    return CAROM_OK;
}

carom_status carom_components_expand(carom_arena *arena, const carom_sections *sections,
                                     carom_part *first, carom_error *error)
{
    int n_use = 0;
    for (carom_part *part = first; part; part = part->next) {
        const carom_node *uses = part->section[sections->use];
        carom_part *last = part;
        if (!uses || uses->is_missing) continue;
        CAROM_TRY(
            carom_fields_kind(uses, CAROM_NODE_MAPPING, "use: {lf: {drive: {beam: left}}}", error));
        for (const carom_node *use = uses->first; use; use = use->next) {
            using it = {.arena = arena, .sections = sections, .error = error};
            if (++n_use > MOST_USES)
                return carom_fail_at(error, use->key->place, CAROM_BAD_INPUT,
                                     "components are used more than %d times", MOST_USES);
            CAROM_TRY(add_use(&it, first, last, use));
            last = last->next;
        }
    }
    return CAROM_OK;
}
