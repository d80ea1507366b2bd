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

static carom_status refuse(carom_text named, const char *path, const char *own, carom_error *error)
{
    const char *slash = strrchr(path, '/');
    const int length = slash > path ? (int)(slash - path) : 1;
    return carom_fail_at(
        error, named.place, CAROM_BAD_INPUT,
        "'%.200s' lies outside '%.200s', and a model reads no files from elsewhere "
        "(allow it with --allow-path %.*s)",
        named.text, own, length < 200 ? length : 200, path);
}

// a file that is looked for
typedef struct search {
    carom_arena *arena;
    const carom_access *access;
    carom_text named;
    const char *own; // the folder that needs no permission
} search;

// resolves and compares
static carom_status check(const search *s, const char *full, const char **path, carom_error *error)
{
    if (!s->own || !full) return no_memory(error);
    char *real = realpath(full, NULL);
    if (!real)
        return carom_fail_at(error, s->named.place, CAROM_BAD_INPUT, "%.300s: cannot be opened: %s",
                             full, strerror(errno));
    const bool may = is_allowed(s->access, s->own, real);
    *path = carom_arena_string(s->arena, real);
    free(real);
    if (!*path) return no_memory(error);
    return may ? CAROM_OK : refuse(s->named, *path, s->own, error);
}

// what is installed vouches for itself alone
static carom_status find_part(carom_arena *arena, const char *parts, carom_text named,
                              const char **path, carom_error *error)
{
    const carom_access none = {0};
    const search s = {arena, &none, named, parts};
    if (!parts)
        return carom_fail_at(error, named.place, CAROM_BAD_INPUT,
                             "'%.200s': no folder of parts is installed", named.text);
    return check(&s, carom_arena_format(arena, "%s/%s", parts, named.text + sizeof prefix - 1),
                 path, error);
}

carom_status carom_allowed_path(carom_arena *arena, const carom_access *access, const char *model,
                                carom_text named, const char **path, carom_error *error)
{
    const char *slash = strrchr(model, '/');
    const size_t length = slash ? (size_t)(slash - model) : 0;
    if (access->no_files)
        return carom_fail_at(error, named.place, CAROM_BAD_INPUT,
                             "'%.200s' is not read: %s is gone, or no longer the file it was",
                             named.text, model);
    if (strncmp(named.text, prefix, sizeof prefix - 1) == 0)
        return find_part(arena, access->parts, named, path, error);
    const char *own = !slash ? "." : length ? carom_arena_copy(arena, model, length) : "/";
    const char *full = *named.text == '/' || !slash
                           ? named.text
                           : carom_arena_format(arena, "%.*s/%s", (int)length, model, named.text);
    const search s = {arena, access, named, own};
    return check(&s, full, path, error);
}
