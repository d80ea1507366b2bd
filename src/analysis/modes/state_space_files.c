// SPDX-License-Identifier: Apache-2.0
// A linearisation as files: NAME.npz with A, B, C, D and the names, or four tables of a path
// NAME.csv, whose first line and first column are names.
#include "base/files/npz.h"
#include "base/need.h"
#include "base/text.h"
#include "carom/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_npz(const carom_state_space *s, FILE *out)
{
    carom_npz npz;
    if (!carom_npz_begin(&npz, out)) return false;
    const bool is_good = carom_npz_matrix(&npz, "A", s->A, s->n_state, s->n_state) &&
                         carom_npz_matrix(&npz, "B", s->B, s->n_state, s->n_input) &&
                         carom_npz_matrix(&npz, "C", s->C, s->n_output, s->n_state) &&
                         carom_npz_matrix(&npz, "D", s->D, s->n_output, s->n_input) &&
                         carom_npz_texts(&npz, "states", s->state, s->n_state) &&
                         carom_npz_texts(&npz, "inputs", s->input, s->n_input) &&
                         carom_npz_texts(&npz, "outputs", s->output, s->n_output);
    return carom_npz_end(&npz) && is_good;
}

static void put_name(FILE *out, const char *name)
{
    const bool is_plain = !strpbrk(name, ",\"\n");
    if (!is_plain) fputc('"', out);
    for (const char *c = name; *c; c++) {
        if (*c == '"') fputc('"', out);
        fputc(*c, out);
    }
    if (!is_plain) fputc('"', out);
}

typedef struct table {
    const char *letter;
    const double *value;
    char *const *row, *const *column;
    int n_row, n_column;
} table;

static carom_status write_table(const table *t, const char *path, carom_error *error)
{
    carom_wholefile file;
    const size_t room = strlen(path) + 8;
    char *name = malloc(room), number[40];
    if (!name) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    snprintf(name, room, "%.*s-%s.csv", (int)strlen(path) - 4, path, t->letter);
    const carom_status opened = carom_wholefile_open(&file, name, error);
    free(name);
    CAROM_TRY(opened);
    fputs(t->letter, file.stream);
    for (int j = 0; j < t->n_column; j++) {
        fputc(',', file.stream);
        put_name(file.stream, t->column[j]);
    }
    for (int i = 0; i < t->n_row; i++) {
        fputc('\n', file.stream);
        put_name(file.stream, t->row[i]);
        for (int j = 0; j < t->n_column; j++)
            fprintf(file.stream, ",%s",
                    carom_number_text(t->value[(size_t)i * (size_t)t->n_column + (size_t)j], number,
                                      sizeof number));
    }
    fputc('\n', file.stream);
    return carom_wholefile_close(&file, CAROM_OK, error);
}

carom_status carom_state_space_write(const carom_state_space *space, const char *path,
                                     carom_error *error)
{
    CAROM_NEED(error, space);
    const carom_state_space *s = space;
    CAROM_NEED(error, path);
    if (carom_text_ends(path, ".npz")) {
        carom_wholefile file;
        CAROM_TRY(carom_wholefile_open(&file, path, error));
        const bool is_good = write_npz(s, file.stream);
        const carom_status status =
            is_good ? CAROM_OK : carom_fail(error, CAROM_IO, "'%s' could not be written", path);
        return carom_wholefile_close(&file, status, error);
    }
    if (!carom_text_ends(path, ".csv"))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s' has no known ending: matrices are written as .npz or .csv", path);
    const table all[] = {{"A", s->A, s->state, s->state, s->n_state, s->n_state},
                         {"B", s->B, s->state, s->input, s->n_state, s->n_input},
                         {"C", s->C, s->output, s->state, s->n_output, s->n_state},
                         {"D", s->D, s->output, s->input, s->n_output, s->n_input}};
    for (int i = 0; i < 4; i++) CAROM_TRY(write_table(&all[i], path, error));
    return CAROM_OK;
}
