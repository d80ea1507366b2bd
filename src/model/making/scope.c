// SPDX-License-Identifier: Apache-2.0
// What names mean while a model is made: a hash table from full names ("x", "x[3]") to their
// meaning.
#include "model/making/scope.h"

#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct carom_scope {
    carom_arena *arena;
    carom_entry *entry; // in the order they were added
    int n, room;
    int *bucket; // entry number + 1, 0 = free
    int n_bucket;
};

carom_scope *carom_scope_new(carom_arena *arena)
{
    carom_scope *scope = CAROM_TAKE(arena, carom_scope, 1);
    if (scope) scope->arena = arena;
    return scope;
}

// FNV-1a
static uint64_t hash(const char *name)
{
    uint64_t h = 1469598103934665603u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h;
}

// the bucket where a name stands or would stand
static int bucket_of(const carom_scope *scope, const char *name)
{
    int i = (int)(hash(name) % (uint64_t)scope->n_bucket);
    while (scope->bucket[i] && strcmp(scope->entry[scope->bucket[i] - 1].name, name) != 0)
        i = (i + 1) % scope->n_bucket;
    return i;
}

static bool make_room(carom_scope *scope)
{
    if (scope->n < scope->room) return true;
    const int room = scope->room ? 2 * scope->room : 64;
    carom_entry *entry = CAROM_TAKE(scope->arena, carom_entry, room);
    int *bucket = CAROM_TAKE(scope->arena, int, 2 * room);
    if (!entry || !bucket) return false;
    if (scope->n) memcpy(entry, scope->entry, sizeof *entry * (size_t)scope->n);
    scope->entry = entry;
    scope->bucket = bucket;
    scope->room = room;
    scope->n_bucket = 2 * room;
    for (int i = 0; i < scope->n; i++) bucket[bucket_of(scope, entry[i].name)] = i + 1;
    return true;
}

const carom_entry *carom_scope_find(const carom_scope *scope, const char *name)
{
    if (!scope->n_bucket) return NULL;
    const int at = scope->bucket[bucket_of(scope, name)];
    return at ? &scope->entry[at - 1] : NULL;
}

const char *carom_scope_where(carom_place place, carom_place from, char *buffer, size_t room)
{
    if (place.file && from.file && strcmp(place.file, from.file) != 0)
        snprintf(buffer, room, "in %.200s:%d:%d", place.file, place.line, place.column);
    else
        snprintf(buffer, room, "in line %d", place.line);
    return buffer;
}

carom_status carom_scope_add(carom_scope *scope, const carom_entry *entry, carom_error *error)
{
    static const char *const what[] = {"parameter", "coordinate", "definition",
                                       "table",     "velocity",   "quaternion"};
    const carom_entry *other = carom_scope_find(scope, entry->name);
    char where[CAROM_PLACE_ROOM];
    if (other)
        return carom_fail_at(error, entry->place, CAROM_BAD_INPUT,
                             "the name '%s' is already taken by a %s %s; rename one of them",
                             entry->name, what[other->meaning],
                             carom_scope_where(other->place, entry->place, where, sizeof where));
    const char *name = make_room(scope) ? carom_arena_string(scope->arena, entry->name) : NULL;
    if (!name) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model's names");
    const int at = bucket_of(scope, name);
    scope->entry[scope->n] = *entry;
    scope->entry[scope->n].name = name;
    scope->bucket[at] = ++scope->n;
    return CAROM_OK;
}

bool carom_scope_full_name(const char *name, const int *index, int n_index, char *buffer,
                           size_t room)
{
    size_t used = 0;
    int n = 0, depth = 0;
    const char *c = name;
    // the brackets that are there are filled, the other indices follow
    for (; *c && used + 1 < room; c++) {
        buffer[used++] = *c;
        depth += (*c == '[') - (*c == ']');
        if (n == n_index || !(*c == '[' || (depth > 0 && *c == ','))) continue;
        used += (size_t)snprintf(buffer + used, room - used, "%d", index[n++]);
    }
    // a name that is cut is a string all the same: messages show it
    buffer[used < room ? used : room - 1] = 0;
    if (*c) return false;
    for (bool is_first = true; n < n_index && used < room; n++, is_first = false)
        used += (size_t)snprintf(buffer + used, room - used, "%s%d%s", is_first ? "[" : ",",
                                 index[n], n + 1 == n_index ? "]" : "");
    return used < room;
}

// length of the name before its index
static size_t stem(const char *name)
{
    return strcspn(name, "[");
}

// whether two names are the same but for their index: of one family, or one of them without index
static bool are_kin(const char *a, const char *b)
{
    const size_t n = stem(a);
    if (n != stem(b) || memcmp(a, b, n) != 0) return false;
    const char *end_a = strrchr(a, ']'), *end_b = strrchr(b, ']');
    return !end_a || !end_b || strcmp(end_a, end_b) == 0;
}

const char *carom_scope_explain(const carom_scope *scope, const char *name, char *buffer,
                                size_t room)
{
    const carom_entry *entry = carom_scope_find(scope, name);
    if (entry && entry->meaning == CAROM_MEANS_QUATERNION) {
        snprintf(buffer, room, "'%s' is only for the start; use the matrix, R11 to R33", name);
        return buffer;
    }
    carom_nearest nearest = carom_nearest_to(name);
    const size_t length = stem(name);
    const char *first = NULL, *last = NULL;
    for (int i = 0; i < scope->n; i++) {
        const char *known = scope->entry[i].name;
        if (are_kin(known, name)) {
            first = first ? first : known;
            last = known;
        }
        if (scope->entry[i].meaning != CAROM_MEANS_TABLE) carom_nearest_try(&nearest, known);
    }
    char hint[160];
    if (first && !first[length] && name[length])
        snprintf(buffer, room, "'%.*s' is not a family: write it without an index", (int)length,
                 name);
    else if (first && !first[length])
        snprintf(buffer, room, "'%s' is a table: write %s(x)", name, name);
    else if (first && !name[length])
        snprintf(buffer, room, "'%s' is a family: write it with an index, %s to %s", name, first,
                 last);
    else if (first)
        snprintf(buffer, room, "there is no '%s': the family goes from %s to %s", name, first,
                 last);
    else
        snprintf(buffer, room, "unknown name '%s'%s", name,
                 carom_nearest_hint(&nearest, hint, sizeof hint));
    return buffer;
}

static bool find(void *self, const char *name, const int *index, int n_index, carom_ref *ref)
{
    char full[CAROM_LONGEST_NAME];
    if (!carom_scope_full_name(name, index, n_index, full, sizeof full)) return false;
    const carom_entry *entry = carom_scope_find(self, full);
    if (!entry || entry->ref < 0) return false;
    *ref = entry->ref;
    return true;
}

// crank.tip where there are crank.tip.x and crank.tip.y, or one of a torque's components
static bool find_vector(void *self, const char *name, const int *index, int n_index, carom_ref *ref)
{
    char full[CAROM_LONGEST_NAME], part[CAROM_LONGEST_NAME + 2];
    if (!carom_scope_full_name(name, index, n_index, full, sizeof full)) return false;
    for (int i = 0; i < 3; i++) {
        snprintf(part, sizeof part, "%s.%c", full, "xyz"[i]);
        const carom_entry *entry = carom_scope_find(self, part);
        ref[i] = entry ? entry->ref : -1;
    }
    return (ref[0] >= 0 && ref[1] >= 0) || ref[2] >= 0;
}

static int find_table(void *self, const char *name)
{
    const carom_entry *entry = carom_scope_find(self, name);
    return entry && entry->meaning == CAROM_MEANS_TABLE ? entry->number : -1;
}

static void explain(void *self, const char *name, const int *index, int n_index, char *buffer,
                    size_t room)
{
    char full[CAROM_LONGEST_NAME];
    carom_scope_full_name(name, index, n_index, full, sizeof full);
    carom_scope_explain(self, full, buffer, room);
}

carom_names carom_scope_names(carom_scope *scope)
{
    return (carom_names){.self = scope,
                         .find = find,
                         .find_vector = find_vector,
                         .find_table = find_table,
                         .explain = explain};
}
