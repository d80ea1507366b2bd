// SPDX-License-Identifier: Apache-2.0
// The head of result files. Changes (--set, --start) and options are kept as lines, so that the
// model can be made again from the text that stands in the file.
#define _XOPEN_SOURCE 700 // realpath
#include "terminal/heading.h"

#include <stdlib.h>
#include <string.h>

// appends a line "name=value", or with another character between, to a text that grows
static bool add_line(char **text, const char *name, const char *value, char between)
{
    const size_t used = *text ? strlen(*text) : 0;
    const size_t room = used + strlen(name) + strlen(value) + 4;
    char *longer = realloc(*text, room);
    if (!longer) return false;
    *text = longer;
    snprintf(longer + used, room - used, "%s%s%c%s", used ? "\n" : "", name, between, value);
    return true;
}

static bool add_given(char **text, const carom_arguments *arguments, const char *option)
{
    int position = 0;
    const char *given;
    bool is_good = true;
    while (is_good && (given = carom_arguments_next(arguments, option, &position)))
        is_good = add_line(text, option, given, ' ');
    return is_good;
}

static bool add_options(char **text, const carom_sim_options *options)
{
    bool is_good = true;
    char number[40];
    snprintf(number, sizeof number, "%.17g", options->tolerance);
    if (options->is_auto_step) is_good = add_line(text, "step", "auto", '=');
    if (options->tolerance > 0) is_good = is_good && add_line(text, "tolerance", number, '=');
    for (int i = 0; is_good && i < options->n_setting; i++)
        is_good =
            add_line(text, options->setting[i].name.text, options->setting[i].value.text, '=');
    return is_good;
}

bool carom_heading_make(carom_heading *heading, const carom_job *job, const carom_sim *sim)
{
    *heading = (carom_heading){0};
    char *path = realpath(job->path, NULL); // results are read elsewhere
    snprintf(heading->path, sizeof heading->path, "%s", path ? path : job->path);
    free(path);
    const bool is_made = add_given(&heading->changes, job->arguments, "set") &&
                         add_given(&heading->changes, job->arguments, "start") &&
                         add_options(&heading->options, &job->options);
    heading->head = (carom_output_head){.model = carom_model_name(job->model),
                                        .scheme = carom_sim_scheme(sim),
                                        .solver = carom_sim_solver(sim),
                                        .version = carom_version(),
                                        .step = job->options.step,
                                        .end = job->options.end,
                                        .model_path = heading->path,
                                        .model_text = carom_modelfile_text(job->file),
                                        .changes = heading->changes,
                                        .options = heading->options};
    return is_made;
}

void carom_heading_free(carom_heading *heading)
{
    free(heading->changes);
    free(heading->options);
}
