// SPDX-License-Identifier: Apache-2.0
// A model file read with the command line's changes: --set and --start go to the builder, which
// evaluates their texts as expressions, so that errors read "--set k: ...".
#include "job.h"

#include "terminal/message.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct carom_kept {
    carom_kept *next;
    char text[];
};

// a copy that lives as long as the job
static char *keep_text(carom_job *job, const char *lead, const char *text, size_t length)
{
    const size_t size = strlen(lead);
    carom_kept *kept = malloc(sizeof *kept + size + length + 1);
    if (!kept) return NULL;
    memcpy(kept->text, lead, size);
    memcpy(kept->text + size, text, length);
    kept->text[size + length] = 0;
    kept->next = job->kept;
    job->kept = kept;
    return kept->text;
}

carom_text carom_job_text(carom_job *job, const char *option, const char *text)
{
    if (!text) return (carom_text){0};
    const char *label = carom_arguments_label(job->arguments, option, text);
    if (!label) label = keep_text(job, "--", option, strlen(option));
    return (carom_text){text, {.file = label}};
}

carom_status carom_job_setting(carom_job *job, const char *option, const char *text,
                               carom_setting *setting, carom_error *error)
{
    char lead[32];
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
    const char *value = equals ? equals + 1 : "";
    while (isspace((unsigned char)*value)) value++;
    if (length == 0 || !*value)
        return carom_fail(error, CAROM_BAD_INPUT, "--%s %s: write NAME=VALUE, as in --%s k=0.5",
                          option, text, option);
    snprintf(lead, sizeof lead, "--%s ", option);
    const char *label = carom_arguments_label(job->arguments, option, text);
    if (!label) label = keep_text(job, lead, text, length);
    const char *name = keep_text(job, "", text, length);
    if (!label || !name) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    const carom_place place = {.file = label};
    *setting = (carom_setting){{name, place}, {value, place}};
    return CAROM_OK;
}

typedef carom_status change(carom_builder *builder, carom_text name, carom_text value,
                            carom_error *error);

static carom_status apply_changes(carom_job *job, const char *option, change *call,
                                  carom_error *error)
{
    int position = 0;
    carom_setting setting;
    carom_builder *builder = carom_modelfile_builder(job->file);
    const char *text;
    while ((text = carom_arguments_next(job->arguments, option, &position))) {
        CAROM_TRY(carom_job_setting(job, option, text, &setting, error));
        CAROM_TRY(call(builder, setting.name, setting.value, error));
    }
    return CAROM_OK;
}

carom_status carom_job_number(carom_job *job, const char *option, carom_bound bound, double *value,
                              carom_error *error)
{
    const char *text = carom_arguments_value(job->arguments, option);
    if (!text) return CAROM_OK;
    const carom_place place = carom_job_text(job, option, text).place;
    if (!place.file) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    CAROM_TRY(carom_builder_number(carom_modelfile_builder(job->file), (carom_text){text, place},
                                   value, error));
    if (isfinite(*value) && (bound.is_open ? *value > bound.low : *value >= bound.low))
        return CAROM_OK;
    return carom_fail_at(error, place, CAROM_BAD_INPUT, "must be a number %s %g, not %s",
                         bound.is_open ? "above" : "from", bound.low, text);
}

static carom_status read_model(carom_job *job, carom_error *error)
{
    const carom_bound positive = {0, false};
    CAROM_TRY(carom_modelfile_read_with(job->path, &job->granted.access, &job->file, error));
    CAROM_TRY(apply_changes(job, "set", carom_builder_set, error));
    const char *start = carom_arguments_value(job->arguments, "start-file");
    if (start)
        CAROM_TRY(carom_start_file_read(start, job->granted.access.limits,
                                        carom_modelfile_builder(job->file), error));
    CAROM_TRY(apply_changes(job, "start", carom_builder_start, error));
    CAROM_TRY(carom_job_number(job, "max-penetration", positive, &job->limits.penetration, error));
    CAROM_TRY(carom_job_number(job, "max-drift", positive, &job->limits.drift, error));
    CAROM_TRY(
        carom_job_number(job, "max-energy-error", positive, &job->limits.energy_error, error));
    return carom_builder_finish(carom_modelfile_builder(job->file), &job->model, error);
}

int carom_job_open(carom_job *job, const carom_arguments *arguments)
{
    *job = (carom_job){.arguments = arguments, .limits = {INFINITY, INFINITY, INFINITY}};
    if (arguments->n_word != 1) {
        if (arguments->n_word < 1)
            carom_message_error("carom %s: no model given; see 'carom %s --help'",
                                arguments->command, arguments->command);
        else
            carom_message_error("carom %s: one model at a time, but '%s' is given too",
                                arguments->command, arguments->word[1]);
        return CAROM_EXIT_USAGE;
    }
    if (!carom_granted_read(&job->granted, arguments)) return CAROM_EXIT_USAGE;
    if (!carom_paths_find_model(arguments->word[0], job->path)) return CAROM_EXIT_USAGE;
    carom_error error = {0};
    const clock_t start = clock();
    const carom_status status = read_model(job, &error);
    job->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status == CAROM_OK) return 0;
    carom_message_error("%s", error.message);
    return status == CAROM_NO_MEMORY ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE;
}

void carom_job_close(carom_job *job)
{
    carom_model_free(job->model);
    carom_modelfile_free(job->file);
    carom_granted_free(&job->granted);
    free((void *)job->options.setting);
    while (job->kept) {
        carom_kept *next = job->kept->next;
        free(job->kept);
        job->kept = next;
    }
}

void carom_job_tell_native(carom_job *job, const char *why)
{
    if (!why[0] || job->has_told_native) return;
    job->has_told_native = true;
    carom_job_warn(job, "--native: %s; the model runs without", why);
}

void carom_job_warn(carom_job *job, const char *format, ...)
{
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    carom_message_warning("%s", text);
    job->n_warning++;
}

void carom_job_warn_of_model(carom_job *job)
{
    for (int i = 0; i < carom_model_n_warning(job->model); i++)
        carom_job_warn(job, "%s", carom_model_warning(job->model, i));
}

void carom_job_print_assembled(const carom_job *job)
{
    const carom_assembled done = carom_model_assembled(job->model);
    const bool is_moved = done.moved[0], is_changed = done.changed[0];
    if (!done.positions && !done.velocities) return;
    printf("assembled     ");
    if (is_moved) printf(" largest move %.6g (%s)", done.move, CAROM_PLAIN(done.moved));
    if (is_changed)
        printf("%s largest change of velocity %.6g (%s)", is_moved ? "," : "", done.change,
               CAROM_PLAIN(done.changed));
    puts(is_moved || is_changed ? "" : " nothing to change");
}

int carom_job_strict_code(const carom_job *job, int code)
{
    const bool is_strict = carom_arguments_value(job->arguments, "strict") != NULL;
    return is_strict && job->n_warning > 0 && code == CAROM_EXIT_DONE ? CAROM_EXIT_AUDIT : code;
}

carom_status carom_job_new_sim(const carom_job *job, carom_sim **sim, carom_error *error)
{
    const bool is_told = job->options.is_native && carom_progress_has_terminal() &&
                         !carom_arguments_value(job->arguments, "quiet");
    if (is_told) fprintf(stderr, "compiling %s ...", carom_model_name(job->model));
    const carom_status status = carom_sim_new(job->model, &job->options, sim, error);
    if (is_told) fputs("\r\033[K", stderr);
    return status;
}

carom_status carom_job_simulation(const carom_job *job, carom_sim **sim, carom_error *error)
{
    carom_error why = {0};
    const carom_status status = carom_job_new_sim(job, sim, &why);
    if (status == CAROM_OK) return CAROM_OK;
    // settings have their own place, everything else is about the model
    const bool has_place = strncmp(why.message, "--", 2) == 0 ||
                           strncmp(why.message, job->path, strlen(job->path)) == 0;
    return carom_fail(error, status, "%s%s%s", has_place ? "" : job->path, has_place ? "" : ": ",
                      why.message);
}
