// SPDX-License-Identifier: Apache-2.0
// Side files of CSV files: written as JSON, read with nothing trusted. A side file whose columns
// are not those of the CSV file belongs to another one and is left alone.
#include "output/sidefile.h"

#include "base/files/csv_names.h"
#include "base/files/plainfile.h"
#include "base/json_text.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 28 }; // of a side file

const char *carom_side_path(carom_arena *arena, const char *path)
{
    return carom_arena_format(arena, "%s.json", path);
}

static void write_text(FILE *file, const char *text)
{
    fputs(text, file); // closing tells
}

// in quotes; bytes that are no UTF-8 become question marks
static void put_text(FILE *file, const char *text)
{
    char code[8];
    write_text(file, "\"");
    for (const char *c = text ? text : ""; *c;) {
        const int n = carom_text_character(c);
        const bool is_control = (unsigned char)*c < ' ' || *c == 127;
        if (*c == '"' || *c == '\\') write_text(file, "\\");
        if (is_control) {
            snprintf(code, sizeof code, "\\u%04x", (unsigned)(unsigned char)*c);
            write_text(file, code);
        } else if (n > 0) {
            fwrite(c, 1, (size_t)n, file);
        } else {
            write_text(file, "?");
        }
        c += n > 0 ? n : 1;
    }
    write_text(file, "\"");
}

static void put_member(FILE *file, const char *key, const char *text)
{
    write_text(file, "  \"");
    write_text(file, key);
    write_text(file, "\": ");
    put_text(file, text);
    write_text(file, ",\n");
}

static void put_number(FILE *file, const char *key, double value)
{
    char number[40];
    write_text(file, "  \"");
    write_text(file, key);
    write_text(file, "\": ");
    write_text(file, isfinite(value) ? carom_number_text(value, number, sizeof number) : "null");
    write_text(file, ",\n");
}

// each line of a text
static void put_lines(FILE *file, const char *key, const char *text)
{
    char line[2048];
    write_text(file, "  \"");
    write_text(file, key);
    write_text(file, "\": [");
    for (bool is_first = true; *text; is_first = false) {
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), text);
        write_text(file, is_first ? "" : ", ");
        put_text(file, line);
        text += n + (text[n] != 0);
    }
    write_text(file, "],\n");
}

static void put_column(FILE *file, const carom_column *column, bool is_last)
{
    char csv[CAROM_SIDE_NAME];
    const char *const member[4][2] = {{"csv", carom_csv_name(column->name, csv, sizeof csv)},
                                      {"name", column->name},
                                      {"unit", column->unit},
                                      {"group", column->group}};
    write_text(file, "    {");
    for (int i = 0; i < 4; i++) {
        write_text(file, i ? ", \"" : "\"");
        write_text(file, member[i][0]);
        write_text(file, "\": ");
        put_text(file, member[i][1]);
    }
    write_text(file, is_last ? "}\n" : "},\n");
}

// the old one, if there is any, is replaced and not written over: it may be a link
static FILE *open_new(const char *name)
{
    if (unlink(name) != 0 && errno != ENOENT) return NULL;
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file && descriptor >= 0) close(descriptor);
    return file;
}

static void put_all(FILE *file, const carom_side *side)
{
    write_text(file, "{\n");
    put_member(file, "carom", side->head->version);
    put_member(file, "model", side->head->model);
    put_member(file, "scheme", side->head->scheme);
    put_member(file, "solver", side->head->solver);
    put_number(file, "step", side->head->step);
    put_number(file, "end", side->head->end);
    put_member(file, "run", side->run);
    put_member(file, "status", side->status);
    if (side->cut_off) put_member(file, "cut_off", side->cut_off);
    if (side->warnings) put_lines(file, "warnings", side->warnings);
    write_text(file, "  \"columns\": [\n");
    for (int i = 0; i < side->n_column; i++)
        put_column(file, &side->column[i], i == side->n_column - 1);
    write_text(file, "  ]\n}\n");
}

carom_status carom_side_write(const char *path, const carom_side *side, carom_error *error)
{
    char name[4096 + 16];
    snprintf(name, sizeof name, "%.4096s.json", path);
    errno = 0;
    FILE *file = open_new(name);
    bool is_good = file != NULL;
    if (file) put_all(file, side);
    if (file) is_good = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
    const int cause = errno;
    if (file && fclose(file) != 0) is_good = false;
    if (is_good) return CAROM_OK;
    return carom_fail(error, CAROM_IO, "cannot write '%s': %s", name,
                      cause ? strerror(cause) : "the write failed");
}

/// What a side file says; columns that were not named keep what the results have.
typedef struct reading {
    carom_results *results;
    carom_output_head head;
    carom_column *column;
    long n_column;
    const char *status, *run, *cut_off;
    bool is_short, is_other; ///< memory ran out; it is of another file
} reading;

static void keep_text(reading *r, const char **to, const char *text)
{
    *to = carom_arena_string(r->results->arena, text);
    r->is_short |= !*to;
}

static void take_column(reading *r, const carom_json_value *value)
{
    const long i = value->index[1];
    const char *key = value->depth == 3 ? value->key[2] : "";
    if (i >= r->results->n_column) {
        r->is_other = true;
        return;
    }
    if (i + 1 > r->n_column) r->n_column = i + 1;
    if (strcmp(key, "name") == 0) keep_text(r, &r->column[i].name, value->text);
    if (strcmp(key, "unit") == 0) keep_text(r, &r->column[i].unit, value->text);
    if (strcmp(key, "group") == 0) keep_text(r, &r->column[i].group, value->text);
}

static bool take_value(void *self, const carom_json_value *value)
{
    reading *r = self;
    const char *key = value->depth > 0 ? value->key[0] : "";
    const struct {
        const char *key;
        const char **text;
    } row[] = {{"carom", &r->head.version}, {"model", &r->head.model}, {"scheme", &r->head.scheme},
               {"solver", &r->head.solver}, {"status", &r->status},    {"run", &r->run},
               {"cut_off", &r->cut_off}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (value->depth == 1 && strcmp(key, row[i].key) == 0)
            keep_text(r, row[i].text, value->text);
    if (value->depth == 1 && strcmp(key, "step") == 0)
        r->head.step = carom_text_strtod(value->text, NULL);
    if (value->depth == 1 && strcmp(key, "end") == 0)
        r->head.end = carom_text_strtod(value->text, NULL);
    if (value->depth > 1 && strcmp(key, "columns") == 0) take_column(r, value);
    return !r->is_short && !r->is_other;
}

static bool has_same_columns(const reading *r)
{
    if (r->is_other || r->n_column != r->results->n_column) return false;
    for (int i = 0; i < r->results->n_column; i++)
        if (!carom_csv_names_match(r->column[i].name, r->results->column[i].name)) return false;
    return true;
}

// the whole file as a text, or NULL where there is none that can be read
static char *load_text(const char *path)
{
    struct stat facts;
    FILE *file;
    if (carom_plainfile_open(path, NULL, &file, NULL) != CAROM_OK) return NULL;
    const bool is_plain =
        fstat(fileno(file), &facts) == 0 && facts.st_size > 0 && facts.st_size < MOST_BYTES;
    char *text = is_plain ? malloc((size_t)facts.st_size + 1) : NULL;
    const size_t n = text ? fread(text, 1, (size_t)facts.st_size, file) : 0;
    if (text) text[n] = 0;
    fclose(file);
    return text;
}

carom_status carom_side_read(carom_results *results, carom_error *error)
{
    reading r = {.results = results, .head = results->head};
    const char *path = carom_side_path(results->arena, results->path);
    r.column = CAROM_TAKE(results->arena, carom_column, results->n_column);
    if (!path || !r.column) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    memcpy(r.column, results->column, sizeof *r.column * (size_t)results->n_column);
    char *text = load_text(path);
    if (!text) return CAROM_OK;
    const bool is_read =
        carom_json_walk(text, (carom_json_visitor){.self = &r, .value = take_value});
    free(text);
    if (r.is_short) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (!is_read || !has_same_columns(&r)) return CAROM_OK;
    results->head = r.head;
    results->column = r.column;
    if (r.status && strcmp(r.status, "whole") != 0) results->is_whole = false;
    if (r.run) results->run = r.run;
    if (!results->is_whole)
        results->cut_off = r.cut_off ? r.cut_off : "the run was killed, or is still running";
    return CAROM_OK;
}

/// A column as CSV files spell it, and its number.
typedef struct spelling {
    char csv[CAROM_SIDE_NAME];
    int column;
} spelling;

static int by_spelling(const void *a, const void *b)
{
    return strcmp(((const spelling *)a)->csv, ((const spelling *)b)->csv);
}

carom_status carom_side_check(const char *path, const carom_column *column, int n,
                              carom_error *error)
{
    spelling *all = calloc((size_t)n + 1, sizeof *all);
    carom_status status = CAROM_OK;
    if (!all) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        all[i].column = i;
        carom_csv_name(column[i].name, all[i].csv, sizeof all[i].csv);
    }
    qsort(all, (size_t)n, sizeof *all, by_spelling);
    for (int i = 1; i < n && status == CAROM_OK; i++)
        if (strcmp(all[i - 1].csv, all[i].csv) == 0)
            status = carom_fail(error, CAROM_BAD_INPUT,
                                "%s: the columns '%s' and '%s' would both be called '%.100s' in a "
                                "CSV file; rename one of the two, or write an .h5 file, which "
                                "keeps full names",
                                path, column[all[i - 1].column].name, column[all[i].column].name,
                                all[i].csv);
    free(all);
    return status;
}
