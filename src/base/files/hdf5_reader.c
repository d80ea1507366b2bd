// SPDX-License-Identifier: Apache-2.0
// Asks the process that reads an HDF5 file (hdf5_serve.c). What it answers is not trusted either:
// an answer of another length than expected is none.
#include "base/files/hdf5_reader.h"

#include "base/files/hdf5_serve.h"
#include "base/files/plainfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double seconds = 10; // of processor time for one answer

struct carom_hdf5_reader {
    carom_apart *apart;
    carom_hdf5_server *server;
    char *path;
};

// the answer, or NULL where there is none
static void *ask_process(carom_hdf5_reader *reader, const carom_hdf5_question *q, size_t *n)
{
    void *answer;
    if (carom_apart_ask(reader->apart, q, &answer, n) && *n > 0) return answer;
    free(answer);
    return NULL;
}

// false where a name is longer than any of ours
static bool word_question(carom_hdf5_question *q, const char *path, const char *name)
{
    if (strlen(path) >= sizeof q->path || (name && strlen(name) >= sizeof q->name)) return false;
    strcpy(q->path, path);
    strcpy(q->name, name ? name : "");
    return true;
}

// an answer of exactly so many bytes
static bool ask_bytes(carom_hdf5_reader *reader, const carom_hdf5_question *q, void *to,
                      size_t bytes)
{
    size_t n;
    void *answer = ask_process(reader, q, &n);
    const bool is_good = answer && n == bytes;
    if (is_good) memcpy(to, answer, bytes);
    free(answer);
    return is_good;
}

static carom_status start(carom_hdf5_reader *reader, double bytes, carom_error *error)
{
    const carom_apart_work work = {.self = reader->server,
                                   .question_bytes = sizeof(carom_hdf5_question),
                                   .answer = carom_hdf5_serve,
                                   .seconds = seconds,
                                   .bytes = bytes};
    FILE *file;
    CAROM_TRY(carom_plainfile_open(reader->path, NULL, &file, error));
    fclose(file);
    reader->apart = carom_apart_new(&work);
    if (!reader->apart)
        return carom_fail(error, CAROM_IO, "%s: a process to read it cannot be started: %s",
                          reader->path, strerror(errno));
    carom_hdf5_question q = {.what = CAROM_HDF5_OPEN};
    char yes;
    if (ask_bytes(reader, &q, &yes, 1)) return CAROM_OK;
    CAROM_TRY(carom_hdf5_reader_status(reader, error));
    return carom_fail(error, CAROM_BAD_INPUT, "%s: it is no HDF5 file, or damaged", reader->path);
}

carom_status carom_hdf5_reader_new(const char *path, double bytes, carom_hdf5_reader **reader,
                                   carom_error *error)
{
    carom_hdf5_reader *made = calloc(1, sizeof *made);
    *reader = NULL;
    if (made) made->path = strdup(path);
    if (made && made->path) made->server = carom_hdf5_server_new(made->path);
    const carom_status status = made && made->server
                                    ? start(made, bytes, error)
                                    : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK)
        *reader = made;
    else
        carom_hdf5_reader_free(made);
    return status;
}

void carom_hdf5_reader_free(carom_hdf5_reader *reader)
{
    if (!reader) return;
    carom_apart_free(reader->apart);
    carom_hdf5_server_free(reader->server);
    free(reader->path);
    free(reader);
}

carom_status carom_hdf5_reader_status(const carom_hdf5_reader *reader, carom_error *error)
{
    const char *trouble = carom_apart_trouble(reader->apart);
    if (!*trouble) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s: damaged, or made to do harm: %s", reader->path,
                      trouble);
}

bool carom_hdf5_has(carom_hdf5_reader *reader, const char *path)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_HAS};
    char yes;
    return word_question(&q, path, NULL) && ask_bytes(reader, &q, &yes, 1);
}

int carom_hdf5_shape(carom_hdf5_reader *reader, const char *path, long *n_row, long *n_column)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_SHAPE};
    int64_t told[3];
    if (!word_question(&q, path, NULL) || !ask_bytes(reader, &q, told, sizeof told)) return -1;
    if (told[0] < 0 || told[0] > 2 || told[1] < 0 || told[2] < 0) return -1;
    *n_row = (long)told[1];
    *n_column = (long)told[2];
    return (int)told[0];
}

bool carom_hdf5_texts(carom_hdf5_reader *reader, const char *path, const char *attribute, long n,
                      carom_arena *arena, const char **text)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_TEXTS, .n = n};
    size_t bytes, used = 0;
    char *answer = word_question(&q, path, attribute) ? ask_process(reader, &q, &bytes) : NULL;
    bool is_good = answer != NULL;
    for (long i = 0; is_good && i < n; i++) {
        const size_t length = used < bytes ? strnlen(answer + used, bytes - used) : 0;
        is_good = used + length < bytes; // its 0 is there
        text[i] = is_good ? carom_arena_copy(arena, answer + used, length) : NULL;
        is_good = text[i] != NULL;
        used += length + 1;
    }
    free(answer);
    return is_good;
}

const char *carom_hdf5_text(carom_hdf5_reader *reader, const char *path, const char *attribute,
                            carom_arena *arena)
{
    const char *text = NULL;
    return carom_hdf5_texts(reader, path, attribute, 1, arena, &text) ? text : NULL;
}

bool carom_hdf5_number(carom_hdf5_reader *reader, const char *path, const char *attribute,
                       double *value)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_REAL};
    return word_question(&q, path, attribute) && ask_bytes(reader, &q, value, sizeof *value);
}

bool carom_hdf5_count(carom_hdf5_reader *reader, const char *path, const char *attribute,
                      long *value)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_WHOLE};
    int64_t whole;
    if (!word_question(&q, path, attribute) || !ask_bytes(reader, &q, &whole, sizeof whole))
        return false;
    *value = (long)whole;
    return true;
}

bool carom_hdf5_rows(carom_hdf5_reader *reader, const char *path, long first, long n, long n_column,
                     double *value)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_ROWS, .first = first, .n = n};
    return word_question(&q, path, NULL) &&
           ask_bytes(reader, &q, value, sizeof *value * (size_t)n * (size_t)n_column);
}

// a whole dataset of numbers of this size, behind one byte that says that there is one
static void *ask_all(carom_hdf5_reader *reader, carom_hdf5_question *q, size_t bytes,
                     carom_arena *arena, long *n)
{
    size_t length;
    char *answer = ask_process(reader, q, &length);
    void *copy = NULL;
    *n = 0;
    if (answer && (length - 1) % bytes == 0) {
        copy = carom_arena_take(arena, length + bytes);
        if (copy) memcpy(copy, answer + 1, length - 1);
        *n = (long)((length - 1) / bytes);
    }
    free(answer);
    return copy;
}

double *carom_hdf5_doubles(carom_hdf5_reader *reader, const char *path, long most,
                           carom_arena *arena, long *n)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_DOUBLES, .n = most};
    return word_question(&q, path, NULL) ? ask_all(reader, &q, sizeof(double), arena, n) : NULL;
}

int *carom_hdf5_ints(carom_hdf5_reader *reader, const char *path, long most, carom_arena *arena,
                     long *n)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_INTS, .n = most};
    return word_question(&q, path, NULL) ? ask_all(reader, &q, sizeof(int), arena, n) : NULL;
}

bool carom_hdf5_field(carom_hdf5_reader *reader, const char *path, const char *field, long first,
                      long n, double *value)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_FIELD, .first = first, .n = n};
    return word_question(&q, path, field) &&
           ask_bytes(reader, &q, value, sizeof *value * (size_t)n);
}

bool carom_hdf5_word_field(carom_hdf5_reader *reader, const char *path, const char *field,
                           long first, long n, uint64_t *value)
{
    carom_hdf5_question q = {.what = CAROM_HDF5_WORD_FIELD, .first = first, .n = n};
    return word_question(&q, path, field) &&
           ask_bytes(reader, &q, value, sizeof *value * (size_t)n);
}

bool carom_hdf5_text_field(carom_hdf5_reader *reader, const char *path, const char *field,
                           long first, long n, char (*text)[CAROM_HDF5_FIELD_BYTES])
{
    carom_hdf5_question q = {.what = CAROM_HDF5_TEXT_FIELD, .first = first, .n = n};
    if (!word_question(&q, path, field) || !ask_bytes(reader, &q, text, sizeof *text * (size_t)n))
        return false;
    for (long i = 0; i < n; i++) text[i][CAROM_HDF5_FIELD_BYTES - 1] = 0;
    return true;
}
