// SPDX-License-Identifier: Apache-2.0
// Two columns of numbers from a comma-separated file: a header line with the columns' names, '#'
// lines are comments. Every error has the file, line and column.
#include "modelfile/csv_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/// A cell of a line.
typedef struct cell {
    const char *start;
    size_t length;
    carom_place place;
} cell;

typedef struct lines {
    const char *next; // NULL at the end
    carom_place place;
} lines;

// the next line that holds something; false at the end
static bool next_line(lines *l, const char **start, const char **end)
{
    while (l->next && *l->next) {
        *start = l->next;
        *end = *start + strcspn(*start, "\r\n");
        l->next = *end + (**end == '\r') + ((*end)[**end == '\r'] == '\n');
        l->place.line++;
        const size_t blank = strspn(*start, " \t");
        if (*start + blank < *end && (*start)[blank] != '#') return true;
    }
    return false;
}

// the cell that starts at *s, without spaces and quotes around it; *s moves behind its comma
static cell next_cell(const char **s, const char *end, carom_place place, const char *line)
{
    const char *stop = memchr(*s, ',', (size_t)(end - *s));
    const char *a = *s, *b = stop ? stop : end;
    *s = stop ? stop + 1 : end + 1;
    while (a < b && (*a == ' ' || *a == '\t')) a++;
    while (b > a && (b[-1] == ' ' || b[-1] == '\t')) b--;
    if (b - a >= 2 && *a == '"' && b[-1] == '"') a++, b--;
    place.column = (int)(a - line) + 1;
    return (cell){a, (size_t)(b - a), place};
}

static bool is_same(cell c, const char *name)
{
    return strlen(name) == c.length && memcmp(c.start, name, c.length) == 0;
}

// where the named columns stand in the header
static carom_status find_columns(const char *line, const char *end, carom_place place,
                                 const carom_text wanted[2], int position[2], carom_error *error)
{
    char names[300] = "";
    int n = 0;
    size_t used = 0;
    position[0] = position[1] = -1;
    for (const char *s = line; s <= end; n++) {
        const cell c = next_cell(&s, end, place, line);
        for (int k = 0; k < 2; k++) {
            if (!wanted[k].text || !is_same(c, wanted[k].text)) continue;
            if (position[k] >= 0)
                return carom_fail_at(error, c.place, CAROM_BAD_INPUT, "column '%.60s' occurs twice",
                                     wanted[k].text);
            position[k] = n;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", n ? ", " : "",
                                     (int)(c.length < 60 ? c.length : 60), c.start);
    }
    for (int k = 0; k < 2; k++)
        if (wanted[k].text && position[k] < 0)
            return carom_fail_at(error, wanted[k].place, CAROM_BAD_INPUT,
                                 "%.200s has no column '%.60s'; it has: %s", place.file,
                                 wanted[k].text, names);
    if (wanted[0].text) return CAROM_OK;
    if (n != 2)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "the header has %d columns; say which two (write columns: [a, b])", n);
    position[0] = 0, position[1] = 1;
    return CAROM_OK;
}

static carom_status read_number(cell c, double *value, carom_error *error)
{
    char text[64];
    const int length = c.length < sizeof text ? (int)c.length : (int)sizeof text - 1;
    snprintf(text, sizeof text, "%.*s", length, c.start);
    if (c.length < sizeof text && carom_text_number(text, value) && isfinite(*value))
        return CAROM_OK;
    return carom_fail_at(error, c.place, CAROM_BAD_INPUT, "'%s' is not a number", text);
}

static carom_status read_row(const char *line, const char *end, carom_place place,
                             const int position[2], double value[2], carom_error *error)
{
    int n = 0;
    for (const char *s = line; s <= end; n++) {
        const cell c = next_cell(&s, end, place, line);
        for (int k = 0; k < 2; k++)
            if (position[k] == n) CAROM_TRY(read_number(c, &value[k], error));
    }
    const int last = position[0] > position[1] ? position[0] : position[1];
    if (n > last) return CAROM_OK;
    return carom_fail_at(error, place, CAROM_BAD_INPUT,
                         "this line has %d column%s, but column %d is needed", n, n == 1 ? "" : "s",
                         last + 1);
}

static int count_lines(const carom_source *source)
{
    lines all = {.next = source->text};
    const char *start, *end;
    int n = 0;
    while (next_line(&all, &start, &end)) n++;
    return n;
}

carom_status carom_csv_read(carom_arena *arena, const carom_source *source,
                            const carom_text column[2], carom_csv *csv, carom_error *error)
{
    CAROM_TRY(carom_source_check(source, error));
    const int most = count_lines(source);
    lines all = {source->text, {source->name, 0, 1}};
    const char *line, *end;
    int position[2];
    if (!next_line(&all, &line, &end))
        return carom_fail_at(error, (carom_place){source->name, 1, 1}, CAROM_BAD_INPUT,
                             "the table is empty (the first line names the columns)");
    CAROM_TRY(find_columns(line, end, all.place, column, position, error));
    csv->n = 0;
    csv->x = CAROM_TAKE(arena, double, most);
    csv->y = CAROM_TAKE(arena, double, most);
    if (!csv->x || !csv->y)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a table");
    while (next_line(&all, &line, &end)) {
        double value[2] = {0, 0};
        CAROM_TRY(read_row(line, end, all.place, position, value, error));
        csv->x[csv->n] = value[0];
        csv->y[csv->n++] = value[1];
    }
    return CAROM_OK;
}
