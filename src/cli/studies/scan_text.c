// SPDX-License-Identifier: Apache-2.0
// What is asked of a study, written down. Its identity is all that changes numbers, one line each,
// in the order of the command's options; who works, where results go and what the model says itself
// are no part of it.
#include "studies/scan_text.h"

#include "terminal/message.h"
#include "written.h"

#include <stdlib.h>
#include <string.h>

// options that change no number
static bool is_of_work(const char *name)
{
    static const char *const known[] = {"threads", "part",  "output",      "fresh", "json",
                                        "strict",  "quiet", "write-study", "limit", "allow-path"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0) return true;
    return false;
}

char *carom_scan_identity(const carom_job *job)
{
    char *text = NULL;
    size_t n = 0;
    const carom_arguments *a = job->arguments;
    const carom_sim_options *o = &job->options;
    FILE *out = open_memstream(&text, &n);
    if (!out) return NULL;
    for (const carom_argument *row = a->row; row->name; row++) {
        int position = 0;
        const char *value;
        while (!is_of_work(row->name) && (value = carom_arguments_next(a, row->name, &position)))
            fprintf(out, "%s %s\n", row->name, value);
    }
    fprintf(out, "run by %s, solver %s, step %.17g, tolerance %.17g, end %.17g%s%s\n", o->scheme,
            o->solver ? o->solver : "auto", o->step, o->tolerance, o->end,
            o->is_auto_step ? ", step control" : "", o->is_native ? ", compiled" : "");
    for (int i = 0; i < o->n_setting; i++)
        fprintf(out, "option %s %s\n", o->setting[i].name.text, o->setting[i].value.text);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

// ---- as a file ----

static void put_quoted(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\') fputc('\\', out);
        fputc(text[i], out);
    }
    fputc('"', out);
}

// name: value, or of a repeated option a list
static void put_option(FILE *out, const carom_arguments *a, const carom_argument *row,
                       const char *key, const char *indent)
{
    const char *value = carom_arguments_value(a, row->name);
    int position = 0;
    if (!value) return;
    fprintf(out, "%s%s: ", indent, key);
    if (!row->is_repeated) {
        if (row->value)
            put_quoted(out, value, strlen(value));
        else
            fputs("true", out);
    }
    for (int i = 0; row->is_repeated && (value = carom_arguments_next(a, row->name, &position));
         i++) {
        fputs(i ? ", " : "[", out);
        put_quoted(out, value, strlen(value));
    }
    fputs(row->is_repeated ? "]\n" : "\n", out);
}

// NAME=VALUE entries as a mapping
static void put_mapping(FILE *out, const carom_arguments *a, const char *option, const char *key)
{
    int position = 0;
    const char *text;
    for (int i = 0; (text = carom_arguments_next(a, option, &position)); i++) {
        const char *equals = strchr(text, '=');
        if (!equals) continue;
        if (i == 0 && key) fprintf(out, "%s:\n", key);
        fputs("  ", out);
        put_quoted(out, text, (size_t)(equals - text));
        fputs(": ", out);
        put_quoted(out, equals + 1, strlen(equals + 1));
        fputc('\n', out);
    }
}

static bool is_one_of(const char *name, const char *const *word)
{
    for (; *word; word++)
        if (strcmp(name, *word) == 0) return true;
    return false;
}

static const char *const of_run[] = {"scheme", "solver", "step", "tolerance",
                                     "end",    "native", NULL};
static const char *const as_mapping[] = {"set", "start", "vary", "option", NULL};

static void put_study(FILE *out, const carom_job *job)
{
    const carom_arguments *a = job->arguments;
    fputs("carom-study: 1\nmodel: ", out);
    put_quoted(out, job->path, strlen(job->path));
    fprintf(out, "\ndo: %s\n", a->command);
    bool has_run = carom_arguments_value(a, "option") != NULL;
    for (int i = 0; of_run[i]; i++) has_run |= carom_arguments_value(a, of_run[i]) != NULL;
    if (has_run) fputs("run:\n", out);
    for (const carom_argument *row = a->row; row->name; row++)
        if (is_one_of(row->name, of_run)) put_option(out, a, row, row->name, "  ");
    put_mapping(out, a, "option", NULL);
    for (int i = 0; i < 3; i++) put_mapping(out, a, as_mapping[i], as_mapping[i]);
    for (const carom_argument *row = a->row; row->name; row++)
        if (!is_one_of(row->name, of_run) && !is_one_of(row->name, as_mapping) &&
            !is_of_work(row->name))
            put_option(out, a, row, row->name, "");
}

bool carom_scan_write_study(const carom_job *job, const char *path)
{
    carom_written written;
    if (strcmp(path, "-") == 0) {
        put_study(stdout, job);
        return true;
    }
    if (!carom_written_open(&written, path)) return false;
    put_study(written.file, job);
    return carom_written_close(&written);
}
