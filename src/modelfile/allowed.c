// SPDX-License-Identifier: Apache-2.0
// Which files a model may name. A model comes from anywhere, and what it reads can show in messages
// and results; so it reads below its own folder, below the folders that the user allows, and what
// is installed. Links are resolved before anything is compared: a link out of the folder is a way
// out of it.
#define _XOPEN_SOURCE 700 // realpath
#include "modelfile/allowed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "carom:";

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while a file was looked for");
}

// whether a real path lies below a folder, which may itself be given through links
static bool is_below(const char *path, const char *folder)
{
    char *real = realpath(folder, NULL);
    size_t n = real ? strlen(real) : 0;
    while (n > 0 && real[n - 1] == '/') n--; // the root
    const bool is_inside = real && strncmp(path, real, n) == 0 && path[n] == '/';
    free(real);
    return is_inside;
}

static bool is_allowed(const carom_access *access, const char *own, const char *path)
{
    if (is_below(path, own)) return true;
    for (int i = 0; i < access->n_folder; i++)
        if (is_below(path, access->folder[i])) return true;
    return false;
}

// a file that is looked for
typedef struct search {
    carom_arena *arena;
    carom_access access;
    carom_text named;
    const char *own; // the folder that needs no permission
    bool is_part;
} search;

static carom_status refuse(const search *s, const char *path, carom_error *error)
{
    const char *slash = strrchr(path, '/');
    const int length = slash > path ? (int)(slash - path) : 1;
    if (s->is_part)
        return carom_fail_at(error, s->named.place, CAROM_BAD_INPUT,
                             "'%.200s' lies outside the folder of installed parts '%.200s'",
                             s->named.text, s->own);
    return carom_fail_at(
        error, s->named.place, CAROM_BAD_INPUT,
        "'%.200s' lies outside '%.200s', and a model reads no files from elsewhere "
        "(allow it with --allow-path %.*s)",
        s->named.text, s->own, length < 200 ? length : 200, path);
}

// resolves and compares
static carom_status check(const search *s, const char *full, const char **path, carom_error *error)
{
    if (!s->own || !full) return no_memory(error);
    char *real = realpath(full, NULL);
    if (!real)
        return carom_fail_at(error, s->named.place, CAROM_BAD_INPUT, "%.300s: cannot be opened: %s",
                             full, strerror(errno));
    const bool may = is_allowed(&s->access, s->own, real);
    *path = carom_arena_string(s->arena, real);
    free(real);
    if (!*path) return no_memory(error);
    return may ? CAROM_OK : refuse(s, *path, error);
}

// what is installed vouches for itself alone
static carom_status find_part(search *s, const char *name, const char **path, carom_error *error)
{
    s->own = s->access.parts;
    s->access = (carom_access){0};
    if (!s->own)
        return carom_fail_at(error, s->named.place, CAROM_BAD_INPUT,
                             "'%.200s': no folder of parts is installed", s->named.text);
    const char *full = strncmp(name, prefix, sizeof prefix - 1) == 0
                           ? carom_arena_format(s->arena, "%s/%s", s->own, name + sizeof prefix - 1)
                           : name;
    return check(s, full, path, error);
}

// how many letters of a name are its folder: "models/" of "models/a.yaml", "carom:" of a part
static size_t folder_length(const carom_origin *from)
{
    const char *slash = strrchr(from->name, '/');
    if (slash) return (size_t)(slash - from->name) + 1;
    return from->is_part ? sizeof prefix - 1 : 0;
}

// a file is called as it is seen from where the model was
static const char *call(carom_arena *arena, const carom_origin *from, const char *named)
{
    if (*named == '/' || strncmp(named, prefix, sizeof prefix - 1) == 0) return named;
    return carom_arena_format(arena, "%.*s%s", (int)folder_length(from), from->name, named);
}

static const char *own_folder(carom_arena *arena, const char *top)
{
    const char *slash = strrchr(top, '/');
    if (!slash) return ".";
    return slash > top ? carom_arena_copy(arena, top, (size_t)(slash - top)) : "/";
}

carom_status carom_allowed_find(carom_arena *arena, const carom_access *access,
                                const carom_origin *from, carom_text named, carom_found *found,
                                carom_error *error)
{
    const bool is_part = from->is_part || strncmp(named.text, prefix, sizeof prefix - 1) == 0;
    search s = {arena, *access, named, own_folder(arena, from->top), is_part};
    if (access->no_files)
        return carom_fail_at(error, named.place, CAROM_BAD_INPUT,
                             "'%.200s' is not read: %s is gone, or no longer the file it was",
                             named.text, from->top);
    *found = (carom_found){{from->top, call(arena, from, named.text), is_part}, NULL, named};
    if (!found->origin.name) return no_memory(error);
    return is_part ? find_part(&s, found->origin.name, &found->path, error)
                   : check(&s, found->origin.name, &found->path, error);
}

carom_status carom_allowed_load(carom_arena *arena, const carom_found *found,
                                carom_source_kind kind, const carom_limits *limits,
                                carom_source *source, carom_error *error)
{
    carom_error why = {0};
    const carom_status status = carom_source_load(arena, found->path, kind, limits, source, &why);
    if (status == CAROM_OK) return CAROM_OK;
    return carom_fail_at(error, found->named.place, status == CAROM_IO ? CAROM_BAD_INPUT : status,
                         "%s", why.message);
}
