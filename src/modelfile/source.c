// SPDX-License-Identifier: Apache-2.0
// Files as text: read whole, checked to be UTF-8 without control characters, so that binary files
// get a plain message and the YAML parser never sees them. UTF-8 as in RFC 3629.
#include "modelfile/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 1 << 16 };

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a file");
}

// the byte order mark some editors write
static void skip_mark(carom_source *source)
{
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
        source->text += 3;
        source->length -= 3;
    }
}

// how large the file may be, and what the limit is called
typedef struct most {
    double bytes;
    const char *name;
} most;

static carom_status too_large(carom_place place, most m, carom_error *error)
{
    return carom_limit_fail(error, place, "the file has", m.name, m.bytes);
}

// reads to the end, into room that doubles; one byte is kept for the closing 0
static carom_status read_all(carom_arena *arena, FILE *stream, most m, carom_source *source,
                             carom_error *error)
{
    const carom_place place = {.file = source->name};
    size_t room = FIRST_ROOM, used = 0;
    char *text = carom_arena_take(arena, room);
    while (text) {
        used += fread(text + used, 1, room - 1 - used, stream);
        if (ferror(stream))
            return carom_fail_at(error, place, CAROM_IO, "cannot be read: %s", strerror(errno));
        if ((double)used > m.bytes) return too_large(place, m, error);
        if (used < room - 1) break;
        char *larger = carom_arena_take(arena, 2 * room);
        if (larger) memcpy(larger, text, used);
        text = larger;
        room *= 2;
    }
    if (!text) return no_memory(error);
    text[used] = 0;
    source->text = text;
    source->length = used;
    return CAROM_OK;
}

// what is open is looked at, not what the path names by then
static carom_status check_kind(carom_place place, int file, bool only_regular, most m,
                               carom_error *error)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return carom_fail_at(error, place, CAROM_IO, "cannot be opened: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return carom_fail_at(error, place, CAROM_IO, "is a folder, not a file");
    if (only_regular && !S_ISREG(about.st_mode))
        return carom_fail_at(error, place, CAROM_IO, "is not an ordinary file");
    if ((double)about.st_size > m.bytes) return too_large(place, m, error);
    return CAROM_OK;
}

carom_status carom_source_load(carom_arena *arena, const char *path, carom_source_kind kind,
                               const carom_limits *limits, carom_source *source, carom_error *error)
{
    source->name = carom_arena_string(arena, path);
    if (!source->name) return no_memory(error);
    const carom_place place = {.file = source->name};
    const bool only_regular = kind != CAROM_SOURCE_MODEL;
    const most m = kind == CAROM_SOURCE_TABLE ? (most){limits->table_bytes, "table_bytes"}
                                              : (most){limits->model_bytes, "model_bytes"};
    // a pipe that is not wanted must not make us wait for its writer
    const int file = open(path, O_RDONLY | O_CLOEXEC | (only_regular ? O_NONBLOCK : 0));
    if (file < 0)
        return carom_fail_at(error, place, CAROM_IO, "cannot be opened: %s", strerror(errno));
    carom_status status = check_kind(place, file, only_regular, m, error);
    FILE *stream = status == CAROM_OK ? fdopen(file, "rb") : NULL;
    if (!stream) {
        close(file);
        return status == CAROM_OK ? no_memory(error) : status;
    }
    status = read_all(arena, stream, m, source, error);
    fclose(stream);
    if (status == CAROM_OK) skip_mark(source);
    return status;
}

carom_status carom_source_copy(carom_arena *arena, const char *text, size_t length,
                               const carom_limits *limits, carom_source *source, carom_error *error)
{
    source->name = carom_arena_string(arena, source->name ? source->name : "text");
    if (!source->name) return no_memory(error);
    if ((double)length > limits->model_bytes)
        return too_large((carom_place){.file = source->name},
                         (most){limits->model_bytes, "model_bytes"}, error);
    source->text = carom_arena_copy(arena, text, length);
    source->length = length;
    if (!source->text) return no_memory(error);
    skip_mark(source);
    return CAROM_OK;
}

// bytes of the character at s, or 0 where it is not UTF-8; the closing 0 stops every comparison
static int character_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    const int n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : 4;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    // overlong forms, surrogates and what is beyond U+10FFFF
    const bool is_wrong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
                          (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
    return is_wrong ? 0 : n;
}

carom_status carom_source_check(const carom_source *source, carom_error *error)
{
    carom_place place = {source->name, 1, 1};
    const unsigned char *s = (const unsigned char *)source->text;
    for (size_t i = 0; i < source->length;) {
        const int n = character_length(s + i);
        if (n == 0)
            return carom_fail_at(error, place, CAROM_BAD_INPUT,
                                 "byte 0x%02x is not UTF-8 (save the file as UTF-8 text)", s[i]);
        if ((s[i] < 0x20 && s[i] != '\t' && s[i] != '\n' && s[i] != '\r') || s[i] == 0x7f)
            return carom_fail_at(error, place, CAROM_BAD_INPUT,
                                 "control character 0x%02x (is this a text file?)", s[i]);
        place.column++;
        if (s[i] == '\n') {
            place.line++;
            place.column = 1;
        }
        i += (size_t)n;
    }
    return CAROM_OK;
}
