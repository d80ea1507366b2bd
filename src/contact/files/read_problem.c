// SPDX-License-Identifier: Apache-2.0
// Opens contact problem files and finds out what they hold: HDF5 by its first bytes, text by its
// name where the content agrees, else by its content. A global problem is tried before a local one,
// because a local reader may take the header of H for numbers, but hardly ever the other way round;
// an LCP before an MLCP for the same reason.
#include "base/need.h"
#include "contact/files/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[CAROM_N_FILE_KIND] = {
    NULL, "local", "global", "lcp", "mlcp", "mixed",
};
static const char *const storage_names[CAROM_N_FILE_STORAGE] = {
    NULL, "dense", "blocks", "csc", "csr", "triplet",
};
static const carom_file_format *const formats[] = {
    &carom_file_mixed, &carom_file_global, &carom_file_local, &carom_file_lcp, &carom_file_mlcp,
};
enum { N_FORMAT = sizeof formats / sizeof *formats };

const char *carom_file_kind_name(carom_file_kind kind)
{
    return kind > CAROM_FILE_ANY && kind < CAROM_N_FILE_KIND ? kind_names[kind] : NULL;
}

const char *carom_file_storage_name(carom_file_storage storage)
{
    return storage > CAROM_STORAGE_ANY && storage < CAROM_N_FILE_STORAGE ? storage_names[storage]
                                                                         : NULL;
}

bool carom_file_kind_find(const char *name, carom_file_kind *kind)
{
    for (int i = 1; name && kind && i < CAROM_N_FILE_KIND; i++)
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (carom_file_kind)i;
            return true;
        }
    return false;
}

bool carom_file_storage_find(const char *name, carom_file_storage *storage)
{
    for (int i = 1; name && storage && i < CAROM_N_FILE_STORAGE; i++)
        if (strcmp(name, storage_names[i]) == 0) {
            *storage = (carom_file_storage)i;
            return true;
        }
    return false;
}

// what the name says, if it says anything
static carom_file_kind named_kind(const char *path)
{
    char name[64];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    for (char *c = name; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    if (strstr(name, "mlcp")) return CAROM_FILE_MLCP;
    if (strncmp(name, "lcp", 3) == 0) return CAROM_FILE_LCP;
    if (strncmp(name, "gfc", 3) == 0 || strncmp(name, "global", 6) == 0) return CAROM_FILE_GLOBAL;
    return CAROM_FILE_ANY;
}

static carom_contact_file *make(void)
{
    carom_arena *arena = carom_arena_new();
    carom_contact_file *file = arena ? CAROM_TAKE(arena, carom_contact_file, 1) : NULL;
    if (file)
        file->memory = arena;
    else
        carom_arena_free(arena);
    return file;
}

void carom_contact_file_free(carom_contact_file *file)
{
    if (file) carom_arena_free(file->memory);
}

typedef struct text {
    const char *name, *start;
    size_t size;
    const carom_limits *limits;
} text;

// reads as one kind; *reached is how far it came
static carom_status try_kind(const text *from, const carom_file_format *format, size_t *reached,
                             carom_contact_file **file, carom_error *error)
{
    carom_tokens tokens = carom_tokens_of(from->name, from->start, from->size, from->limits, error);
    carom_contact_file *made = make();
    *file = NULL;
    if (!made) return carom_file_no_memory(error);
    const carom_status status = format->read(&tokens, made);
    made->kind = format->kind;
    *reached = (size_t)(tokens.at - from->start);
    if (status == CAROM_OK)
        *file = made;
    else
        carom_contact_file_free(made);
    return status;
}

static const carom_file_format *find_format(carom_file_kind kind)
{
    for (int i = 0; i < N_FORMAT; i++)
        if (formats[i]->kind == kind) return formats[i];
    return NULL;
}

// tries all kinds, the likely one first; the error is that of the likely one (the name counts for
// something) unless another came clearly further
static carom_status guess_kind(const text *from, carom_contact_file **file, carom_error *error)
{
    const carom_file_format *named = find_format(named_kind(from->name));
    const carom_file_format *likely = named ? named : &carom_file_local;
    carom_error best = {0};
    size_t furthest = 0, reached = 0;
    for (int i = named ? -1 : 0; i < N_FORMAT; i++) {
        const carom_file_format *format = i < 0 ? named : formats[i];
        carom_error own = {0};
        if (i >= 0 && format->looks &&
            !format->looks(
                carom_tokens_of(from->name, from->start, from->size, from->limits, NULL)))
            continue;
        if (format == &carom_file_mixed || (i >= 0 && format == named)) continue;
        if (try_kind(from, format, &reached, file, &own) == CAROM_OK) return CAROM_OK;
        if (own.status == CAROM_NO_MEMORY) return carom_fail(error, own.status, "%s", own.message);
        const size_t ahead = format == likely ? 64 : 0;
        if (best.status == CAROM_OK || reached + ahead > furthest) {
            best = own;
            furthest = reached + ahead;
        }
    }
    return carom_fail(error, best.status, "%s", best.message);
}

carom_status carom_contact_file_parse_with(const char *name, const char *start, size_t size,
                                           carom_file_reading how, carom_contact_file **file,
                                           carom_error *error)
{
    CAROM_NEED(error, file);
    *file = NULL;
    CAROM_NEED(error, name);
    CAROM_NEED_THAT(error, start || size == 0, "text is NULL");
    const text from = {name, start, size, carom_limits_or_default(how.limits)};
    carom_file_kind kind = how.kind;
    size_t reached;
    carom_tokens first = carom_tokens_of(name, start, size, from.limits, NULL);
    if (kind == CAROM_FILE_ANY && carom_tokens_starts(&first, "carom-contact"))
        kind = CAROM_FILE_MIXED;
    if (kind == CAROM_FILE_ANY) return guess_kind(&from, file, error);
    const carom_file_format *format = find_format(kind);
    CAROM_NEED_THAT(error, format, "there is no kind %d", (int)kind);
    return try_kind(&from, format, &reached, file, error);
}

static carom_status fail_io(const char *path, carom_error *error)
{
    return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path,
                      errno ? strerror(errno) : "read error");
}

// the whole of a stream, which may be a pipe
static carom_status load(FILE *stream, const char *path, const carom_limits *limits, char **content,
                         size_t *size, carom_error *error)
{
    size_t room = 1 << 16;
    *content = malloc(room);
    *size = 0;
    while (*content) {
        *size += fread(*content + *size, 1, room - *size, stream);
        if ((double)*size > limits->problem_bytes)
            return carom_limit_fail(error, (carom_place){.file = path}, "the file has",
                                    "problem_bytes", limits->problem_bytes);
        if (*size < room) break;
        char *larger = realloc(*content, room *= 2);
        if (!larger) free(*content);
        *content = larger;
    }
    if (!*content) return carom_file_no_memory(error);
    return ferror(stream) ? fail_io(path, error) : CAROM_OK;
}

static carom_status read_hdf5(const char *path, carom_file_reading how, carom_contact_file **file,
                              carom_error *error)
{
    carom_contact_file *made = make();
    if (!made) return carom_file_no_memory(error);
    carom_status status = carom_fclib_read(path, how.limits, made, error);
    if (status == CAROM_OK && how.kind != CAROM_FILE_ANY && how.kind != made->kind)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s: holds a %s problem, not %s", path,
                            carom_file_kind_name(made->kind), carom_file_kind_name(how.kind));
    if (status == CAROM_OK)
        *file = made;
    else
        carom_contact_file_free(made);
    return status;
}

carom_status carom_contact_file_read_with(const char *path, carom_file_reading how,
                                          carom_contact_file **file, carom_error *error)
{
    CAROM_NEED(error, file);
    *file = NULL;
    CAROM_NEED(error, path);
    CAROM_NEED_THAT(error, (unsigned)how.kind < CAROM_N_FILE_KIND, "there is no kind %d",
                    (int)how.kind);
    how.limits = carom_limits_or_default(how.limits);
    static const char signature[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    char *content = NULL;
    size_t size = 0;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return fail_io(path, error);
    carom_status status = load(stream, path, how.limits, &content, &size, error);
    fclose(stream);
    if (status == CAROM_OK) {
        const bool is_hdf5 = size >= 8 && memcmp(content, signature, 8) == 0;
        status = is_hdf5 ? read_hdf5(path, how, file, error)
                         : carom_contact_file_parse_with(path, content, size, how, file, error);
    }
    free(content);
    return status;
}

carom_status carom_contact_file_parse(const char *name, const char *start, size_t size,
                                      carom_file_kind kind, carom_contact_file **file,
                                      carom_error *error)
{
    return carom_contact_file_parse_with(name, start, size, (carom_file_reading){kind, NULL}, file,
                                         error);
}

carom_status carom_contact_file_read(const char *path, carom_file_kind kind,
                                     carom_contact_file **file, carom_error *error)
{
    return carom_contact_file_read_with(path, (carom_file_reading){kind, NULL}, file, error);
}
