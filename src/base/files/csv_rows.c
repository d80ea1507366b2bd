// SPDX-License-Identifier: Apache-2.0
// A comma-separated file, row by row. Lines that start with '#' are comments; names and cells may
// be quoted ("" inside quotes is one quote).
#define _POSIX_C_SOURCE 200809L // getc_unlocked
#include "base/files/csv_rows.h"

#include "base/files/beside.h"
#include "base/files/plainfile.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 1 << 27 }; // characters; a row of a million columns has 2e7

static carom_status fail_here(const carom_csv_rows *t, carom_error *error, const char *what)
{
    const carom_place place = {t->path, t->number, t->number ? 1 : 0};
    return carom_fail_at(error, place, CAROM_IO, "%s", what);
}

// ends the cell that starts at text, takes its quotes away, and moves on behind its comma (NULL:
// the line ends)
static char *split_cell(char *text, char **next)
{
    if (*text != '"') {
        char *comma = strchr(text, ',');
        if (comma) *comma = 0;
        *next = comma ? comma + 1 : NULL;
        return text;
    }
    char *to = text, *from = text + 1;
    while (*from && !(from[0] == '"' && from[1] != '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    if (*from == '"') from++;
    *next = *from == ',' ? from + 1 : NULL;
    *to = 0;
    return text;
}

static carom_status add_cell(carom_csv_rows *t, char *cell, carom_error *error)
{
    if (t->n_cell == t->cell_room) {
        const int room = 2 * t->cell_room + 16;
        char **cells = realloc(t->cell, sizeof *cells * (size_t)room);
        if (!cells) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
        t->cell = cells;
        t->cell_room = room;
    }
    t->cell[t->n_cell++] = cell;
    return CAROM_OK;
}

// One line with its end, length = 0 at the end of the file. A file of zeros, or one without any
// lines, is refused early: it need not take place on a disk, but would in memory.
static carom_status read_line(carom_csv_rows *t, size_t *length, carom_error *error)
{
    int c = 0;
    *length = 0;
    t->number++;
    while (c != '\n' && (c = getc_unlocked(t->file)) != EOF) {
        if (c == 0) return fail_here(t, error, "not a CSV file: it holds zero bytes");
        if (*length + 2 > t->room) {
            const size_t room = 2 * t->room + 256;
            char *line = room <= MOST_LINE ? realloc(t->line, room) : NULL;
            if (!line && room <= MOST_LINE)
                return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
            if (!line) return fail_here(t, error, "not a CSV file: its lines have no end");
            t->line = line;
            t->room = room;
        }
        t->line[(*length)++] = (char)c;
    }
    if (ferror(t->file)) return fail_here(t, error, errno ? strerror(errno) : "cannot be read");
    if (*length > 0) t->line[*length] = 0;
    if (*length == 0) t->number--;
    return CAROM_OK;
}

carom_status carom_csv_rows_next(carom_csv_rows *t, carom_error *error)
{
    t->n_cell = 0;
    for (;;) {
        size_t length;
        CAROM_TRY(read_line(t, &length, error));
        if (length == 0) return CAROM_OK;
        t->is_cut = t->needs_end && t->line[length - 1] != '\n';
        if (t->is_cut) return CAROM_OK;
        t->line[strcspn(t->line, "\r\n")] = 0;
        if (t->line[0] == '#' && t->comment) t->comment(t->self, t->line);
        if (t->line[0] != '#' && t->line[0]) break;
    }
    for (char *next = t->line; next;) {
        char *cell = split_cell(next, &next);
        CAROM_TRY(add_cell(t, cell, error));
    }
    return CAROM_OK;
}

// tables of other programs may end without a newline; in our own something is missing then
static bool is_of_carom(const char *path)
{
    char side[4096 + 16];
    snprintf(side, sizeof side, "%.4096s.json", path);
    return carom_beside_target(path, "part") > 0 || access(side, F_OK) == 0;
}

carom_status carom_csv_rows_open(carom_csv_rows *t, const char *path, carom_error *error)
{
    t->path = path;
    t->needs_end = is_of_carom(path);
    CAROM_TRY(carom_plainfile_open(path, t->limits, &t->file, error));
    CAROM_TRY(carom_csv_rows_next(t, error));
    return t->n_cell ? CAROM_OK : fail_here(t, error, "holds no line with column names");
}

void carom_csv_rows_close(carom_csv_rows *t)
{
    if (t->file) fclose(t->file);
    free(t->line);
    free(t->cell);
}

bool carom_csv_number(const char *text, double *value)
{
    char *end;
    *value = carom_text_strtod(text, &end);
    return end != text && *end == 0;
}

carom_status carom_csv_rows_number(const carom_csv_rows *t, int i, double *value,
                                   carom_error *error)
{
    char what[96];
    *value = NAN;
    if (!t->cell[i][strspn(t->cell[i], " \t")]) return CAROM_OK;
    if (carom_csv_number(t->cell[i], value)) return CAROM_OK;
    snprintf(what, sizeof what, "'%.40s' in cell %d is no number", t->cell[i], i + 1);
    return fail_here(t, error, what);
}

carom_status carom_csv_rows_check(const carom_csv_rows *t, int n, carom_error *error)
{
    char what[96];
    if (t->n_cell == n) return CAROM_OK;
    snprintf(what, sizeof what, "%d cells in a table of %d columns", t->n_cell, n);
    return fail_here(t, error, what);
}
