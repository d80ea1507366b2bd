// SPDX-License-Identifier: Apache-2.0
// A study from the command line: options become texts with their places, the library does the rest.
// What was found is written also where the study was stopped, or units of it failed.
#include "studies/scan_job.h"

#include "studies/scan_text.h"
#include "studies/study_page.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#include <carom/study.h>

#include <stdlib.h>
#include <string.h>

enum { SHOWN_FAILURES = 1 };

typedef struct session {
    carom_job job;
    carom_scan_texts texts;
    carom_setting *vary;
    carom_text *take, *show, *by;
    carom_scan_work work;
    carom_scan *scan;
    char *identity;
    carom_company company;
} session;

static carom_text option_text(session *s, const char *name)
{
    return carom_job_text(&s->job, name, carom_arguments_value(s->job.arguments, name));
}

static int take_texts(session *s, const char *name, carom_text *to)
{
    int position = 0, n = 0;
    const char *text;
    while ((text = carom_arguments_next(s->job.arguments, name, &position)))
        to[n++] = carom_job_text(&s->job, name, text);
    return n;
}

static carom_status read_vary(session *s, carom_error *error)
{
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(s->job.arguments, "vary", &position)))
        CAROM_TRY(carom_job_setting(&s->job, "vary", text, &s->vary[s->texts.n_vary++], error));
    return CAROM_OK;
}

static bool is_given(const session *s, const char *name)
{
    return carom_arguments_value(s->job.arguments, name) != NULL;
}

static carom_text word(session *s, const char *option, const char *meaning)
{
    return is_given(s, option) ? (carom_text){meaning, option_text(s, option).place}
                               : (carom_text){0};
}

static bool clash(const session *s)
{
    const carom_arguments *a = s->job.arguments;
    return carom_arguments_clash(a, "both", "down") ||
           carom_arguments_clash(a, "follow", "restart");
}

// the run section's texts, unless the command line says otherwise
static carom_text run_text(session *s, const char *option, carom_text of_file)
{
    const carom_text given = option_text(s, option);
    return given.text ? given : of_file;
}

// options that are one text each
static void read_plain(session *s)
{
    carom_scan_texts *t = &s->texts;
    const struct {
        const char *name;
        carom_text *to;
    } plain[] = {{"section", &t->section},
                 {"skip", &t->skip},
                 {is_given(s, "most") ? "most" : "points", &t->points},
                 {"within", &t->within},
                 {"match", &t->match},
                 {"harmonics", &t->harmonics},
                 {"random", &t->random},
                 {"latin", &t->latin},
                 {"sobol", &t->sobol},
                 {"seed", &t->seed},
                 {"output-step", &t->output_step},
                 {"chains", &t->chains},
                 {"shift", &t->tangent.shift},
                 {"times", &t->tangent.times},
                 {"exponents", &t->tangent.exponents},
                 {"method", &t->tangent.method},
                 {"distance", &t->tangent.distance},
                 {"arc", &t->tangent.arc},
                 {"max", &t->tangent.most},
                 {"switch", &t->tangent.turn_to}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        *plain[i].to = option_text(s, plain[i].name);
    t->tangent.difference = word(s, "difference", "true");
}

static carom_status read_texts(session *s, carom_error *error)
{
    const carom_arguments *a = s->job.arguments;
    const carom_run_texts *run = carom_modelfile_run(s->job.file);
    const size_t room = (size_t)a->n_given + 1;
    s->vary = calloc(room, sizeof *s->vary);
    s->take = calloc(room, sizeof *s->take);
    s->show = calloc(room, sizeof *s->show);
    s->by = calloc(room, sizeof *s->by);
    if (!s->vary || !s->take || !s->show || !s->by)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    carom_scan_texts *t = &s->texts;
    *t = (carom_scan_texts){.what = {.text = a->command},
                            .vary = s->vary,
                            .take = s->take,
                            .show = s->show,
                            .tangent.by = s->by};
    CAROM_TRY(read_vary(s, error));
    t->n_take = take_texts(s, "take", s->take);
    t->n_show = take_texts(s, "show", s->show);
    t->tangent.n_by = take_texts(s, "by", s->by);
    read_plain(s);
    t->direction = is_given(s, "both") ? word(s, "both", "both") : word(s, "down", "down");
    t->way = is_given(s, "follow") ? word(s, "follow", "follow") : word(s, "restart", "restart");
    if (t->direction.text && !t->way.text) t->way = (carom_text){"follow", t->direction.place};
    if (s->job.options.end > 0) t->end = run_text(s, "end", run->end);
    if (s->job.options.step > 0 && !s->job.options.is_auto_step)
        t->step = run_text(s, "step", run->step);
    return CAROM_OK;
}

static carom_status read_work(session *s, carom_error *error)
{
    const carom_arguments *a = s->job.arguments;
    const char *threads = carom_arguments_value(a, "threads"),
               *part = carom_arguments_value(a, "part");
    char *end, *rest;
    s->work.is_fresh = is_given(s, "fresh");
    if (threads) {
        const long n = strtol(threads, &end, 10);
        if (*end || n < 1 || n > 1024)
            return carom_fail_at(error, option_text(s, "threads").place, CAROM_BAD_INPUT,
                                 "must be a whole number from 1 to 1024, not '%s'", threads);
        s->work.n_thread = (int)n;
    }
    if (!part) return CAROM_OK;
    const long i = strtol(part, &end, 10), n = *end == '/' ? strtol(end + 1, &rest, 10) : 0;
    if (*end != '/' || *rest || i < 1 || n < i || n > 1000000)
        return carom_fail_at(error, option_text(s, "part").place, CAROM_BAD_INPUT,
                             "must be I/N, the I-th of N parts, as in 3/16, not '%s'", part);
    s->work.part = (int)i;
    s->work.n_part = (int)n;
    if (s->work.store) return CAROM_OK;
    return carom_fail_at(error, option_text(s, "part").place, CAROM_BAD_INPUT,
                         "a part needs a store, -o part-%ld.caromdb ('carom study merge' puts them "
                         "together)",
                         i);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

// every -o has an ending that says what it is; one of them is the store
static carom_status read_outputs(session *s, carom_error *error)
{
    static const char *const known[] = {".csv", ".json", ".h5",   ".svg",
                                        ".png", ".pdf",  ".html", ".caromdb"};
    int position = 0;
    const char *path;
    while ((path = carom_arguments_next(s->job.arguments, "output", &position))) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known |= ends_with(path, known[i]);
        if (!is_known)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "-o %s: must end with .csv, .json, .h5, .svg, .pdf, .png, .html, or .caromdb (a "
                "store)",
                path);
        if (carom_paths_are_same(path, s->job.path))
            return carom_fail(error, CAROM_BAD_INPUT, "-o %s: that is the model", path);
        const char *refusal = ends_with(path, ".html") ? carom_study_page_refusal(&s->job) : NULL;
        if (refusal) return carom_fail(error, CAROM_BAD_INPUT, "-o %s: %s", path, refusal);
        if (!ends_with(path, ".caromdb")) continue;
        if (s->work.store)
            return carom_fail(error, CAROM_BAD_INPUT, "-o %s: there is one store, '%s' already",
                              path, s->work.store);
        s->work.store = path;
    }
    return CAROM_OK;
}

static bool are_writable(const session *s)
{
    int position = 0;
    const char *path;
    while ((path = carom_arguments_next(s->job.arguments, "output", &position)))
        if (!carom_paths_is_writable(path)) return false;
    return true;
}

static int fail_with(const carom_error *error)
{
    carom_message_error("%s", error->message);
    return error->status == CAROM_NO_MEMORY || error->status == CAROM_IO ? CAROM_EXIT_AUDIT
                                                                         : CAROM_EXIT_USAGE;
}

// ---- results ----

static bool write_to_stdout(void *self, const char *text, size_t length)
{
    (void)self;
    return fwrite(text, 1, length, stdout) == length;
}

static bool write_files(const session *s)
{
    const char *json = carom_arguments_value(s->job.arguments, "json");
    const carom_text_sink out = {.write = write_to_stdout};
    bool is_good = true;
    int position = 0, n = 0;
    const char *path;
    while ((path = carom_arguments_next(s->job.arguments, "output", &position))) {
        carom_error error = {0};
        n++;
        if (ends_with(path, ".caromdb")) continue;
        if (ends_with(path, ".html")) {
            is_good = carom_study_page(&s->job, s->scan, path) && is_good;
            continue;
        }
        if (carom_scan_export(s->scan, path, &error) == CAROM_OK) continue;
        carom_message_error("%s", error.message);
        is_good = false;
    }
    if (json && strcmp(json, "-") == 0) {
        is_good = carom_scan_json(s->scan, out, NULL) == CAROM_OK && is_good;
    } else if (json) {
        carom_error error = {0};
        const bool is_written = carom_scan_export_json(s->scan, json, &error) == CAROM_OK;
        if (!is_written) carom_message_error("%s", error.message);
        is_good &= is_written;
    }
    if (n == 0 && !json && !is_given(s, "quiet"))
        is_good = carom_scan_csv(s->scan, out, NULL) == CAROM_OK && is_good;
    return is_good;
}

// attractors of a basin, one line each
static void print_findings(const session *s)
{
    const char *findings = carom_scan_findings(s->scan);
    for (const char *line = findings; *line;) {
        const size_t n = strcspn(line, "\n");
        printf("%s %.*s\n", line == findings ? "ends     " : "         ", (int)n, line);
        line += n + (line[n] != 0);
    }
}

static void print_summary(const session *s, double seconds)
{
    const carom_scan_count count = carom_scan_counted(s->scan);
    const char *json = carom_arguments_value(s->job.arguments, "json");
    const bool is_table = !is_given(s, "output") && !json;
    if (is_given(s, "quiet") || is_table || (json && strcmp(json, "-") == 0)) return;
    printf("%-9s %s\n", s->job.arguments->command, CAROM_PLAIN(carom_model_name(s->job.model)));
    printf("runs      %ld of %ld, %ld failed, %ld rows, %.3g s\n", count.done, count.units,
           count.failed, carom_scan_n_row(s->scan), seconds);
    const char *jumps = carom_scan_hysteresis(s->scan);
    const bool is_branch = strcmp(s->job.arguments->command, "continue") == 0;
    for (const char *line = jumps; *line;) {
        const size_t n = strcspn(line, "\n");
        printf("%s %.*s\n",
               line != jumps ? "         "
               : is_branch   ? "special  "
                             : "differs  ",
               (int)n, line);
        line += n + (line[n] != 0);
    }
    print_findings(s);
    int position = 0;
    const char *path;
    while ((path = carom_arguments_next(s->job.arguments, "output", &position)))
        printf("results   %s\n", path);
}

static void complain(const session *s)
{
    const carom_scan_count count = carom_scan_counted(s->scan);
    if (count.failed > 0 && count.units == 1)
        carom_message_error("the run failed: %s", carom_scan_failure(s->scan, 0));
    else if (count.failed > 0)
        carom_message_error("%ld of %ld runs failed, the first at %s", count.failed, count.units,
                            carom_scan_failure(s->scan, 0));
}

static int perform(session *s)
{
    carom_error error = {0};
    carom_progress progress;
    carom_progress_start(&progress, s->job.arguments->command, is_given(s, "quiet"));
    const long units = carom_scan_counted(s->scan).units;
    progress.n_run = units < 2000000000 ? (int)units : 2000000000;
    s->work.watch = carom_progress_watch(&progress);
    s->work.post = s->company.post;
    const double start = carom_progress_clock();
    const carom_status status = carom_scan_run(s->scan, &s->work, &error);
    const double seconds = carom_progress_clock() - start;
    carom_progress_end(&progress);
    if (status != CAROM_OK && status != CAROM_STOPPED) return fail_with(&error);
    if (s->company.is_quiet) return CAROM_EXIT_DONE; // the results are elsewhere
    if (status == CAROM_STOPPED)
        carom_message_error("%s%s%s", error.message,
                            s->work.store ? "; the same command goes on with " : "",
                            s->work.store ? s->work.store : "");
    const bool is_written = write_files(s);
    print_summary(s, seconds);
    complain(s);
    const carom_scan_count count = carom_scan_counted(s->scan);
    if (status != CAROM_OK || !is_written || count.failed > 0) return CAROM_EXIT_AUDIT;
    return carom_job_strict_code(&s->job, CAROM_EXIT_DONE);
}

static carom_status prepare(session *s, carom_error *error)
{
    CAROM_TRY(carom_job_plan(&s->job, NULL, CAROM_PLAN_PART, error));
    CAROM_TRY(read_outputs(s, error));
    CAROM_TRY(read_work(s, error));
    CAROM_TRY(read_texts(s, error));
    const carom_sim_options *o = &s->job.options;
    const carom_scheme *scheme = carom_scheme_find(o->scheme);
    if (!scheme->is_adaptive && o->step == 0 && !o->is_auto_step)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: no time step: scheme %s needs one; give "
                          "--step H, or take --scheme event_driven",
                          s->job.path, o->scheme);
    if (strcmp(s->job.arguments->command, "sweep") == 0 && o->end == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: no end time: give --end T, or end: in the "
                          "run section",
                          s->job.path);
    s->identity = carom_scan_identity(&s->job);
    if (!s->identity) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    s->work.identity = s->identity;
    return carom_scan_new(carom_modelfile_builder(s->job.file), o, &s->texts, &s->scan, error);
}

int carom_scan_job(const carom_arguments *arguments)
{
    session s = {.company = carom_company_find()};
    carom_error error = {0};
    int code = carom_job_open(&s.job, arguments);
    if (code == 0 && clash(&s)) code = CAROM_EXIT_USAGE;
    const char *study = carom_arguments_value(arguments, "write-study");
    if (code == 0 && prepare(&s, &error) != CAROM_OK) code = fail_with(&error);
    const bool is_well = code == 0 && (study || are_writable(&s));
    if (code == 0 && !is_well) code = CAROM_EXIT_USAGE;
    if (s.company.agree && !s.company.agree(is_well) && code == 0) code = CAROM_EXIT_USAGE;
    if (code == 0 && study)
        code = carom_scan_write_study(&s.job, study) ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
    else if (code == 0)
        code = perform(&s);
    carom_scan_free(s.scan);
    free(s.identity);
    free(s.vary);
    free(s.take);
    free(s.show);
    free(s.by);
    carom_job_close(&s.job);
    return code;
}
