// SPDX-License-Identifier: Apache-2.0
// A setup made ready: the model file found and read, its parameters and start values changed, the
// options of the simulation filled in.
#include "base/files/plainfile.h"
#include "base/limits.h"
#include "papers/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 4096 };

static bool is_file(const char *path)
{
    FILE *file;
    if (carom_plainfile_open(path, NULL, &file, NULL) == CAROM_OK) fclose(file);
    return file != NULL;
}

// a path is meant from the paper's folder, a name is asked for
static carom_status find_model(const carom_paper *paper, carom_text model,
                               const carom_reproduce_options *options, char path[PATH_ROOM],
                               carom_error *error)
{
    const char *slash = strrchr(paper->source.name, '/');
    const int length = slash ? (int)(slash - paper->source.name) + 1 : 0;
    const size_t n = strlen(model.text);
    const bool is_path = strchr(model.text, '/') || (n > 5 && !strcmp(model.text + n - 5, ".yaml"));
    int used;
    if (model.text[0] == '/') {
        used = snprintf(path, PATH_ROOM, "%s", model.text);
    } else if (is_path) {
        used = snprintf(path, PATH_ROOM, "%.*s%s", length, paper->source.name, model.text);
    } else {
        if (options->find_model && options->find_model(options->self, model.text, path, PATH_ROOM))
            return CAROM_OK;
        used = snprintf(path, PATH_ROOM, "%.*s../models/%s.yaml", length, paper->source.name,
                        model.text);
    }
    if (used < PATH_ROOM && is_file(path)) return CAROM_OK;
    return carom_fail_at(error, model.place, CAROM_BAD_INPUT,
                         "there is no model '%.200s' (write its name, or its path from the folder "
                         "of this file, ending in .yaml)",
                         model.text);
}

typedef carom_status change(carom_builder *builder, carom_text name, carom_text value,
                            carom_error *error);

static carom_status apply_settings(carom_builder *builder, const carom_settings *list, change *call,
                                   carom_error *error)
{
    for (int i = 0; i < list->n; i++)
        CAROM_TRY(call(builder, list->item[i].name, list->item[i].value, error));
    return CAROM_OK;
}

carom_status carom_setup_number(const carom_opened *opened, carom_text text, double *value,
                                carom_error *error)
{
    *value = 0;
    if (!text.text) return CAROM_OK;
    CAROM_TRY(carom_builder_number(carom_modelfile_builder(opened->file), text, value, error));
    if (isfinite(*value) && *value > 0) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "must be a number above 0, not %.60s (= %g)", text.text, *value);
}

static carom_status fill_options(const carom_setup *setup, const carom_limits *limits,
                                 carom_opened *opened, carom_error *error)
{
    carom_sim_options *o = &opened->options;
    *o = carom_sim_default();
    o->limits = limits;
    o->scheme = setup->scheme.text;
    o->solver = setup->solver.text;
    o->allow_penetration = carom_modelfile_run(opened->file)->allow_penetration;
    o->allow_unstable = carom_modelfile_run(opened->file)->allow_unstable;
    o->setting = setup->option.item;
    o->n_setting = setup->option.n;
    o->is_auto_step = setup->step.text && strcmp(setup->step.text, "auto") == 0;
    if (!o->is_auto_step) CAROM_TRY(carom_setup_number(opened, setup->step, &o->step, error));
    CAROM_TRY(carom_setup_number(opened, setup->tolerance, &o->tolerance, error));
    CAROM_TRY(carom_setup_number(opened, setup->output_step, &o->output_step, error));
    return carom_setup_number(opened, setup->end, &o->end, error);
}

carom_status carom_setup_open(const carom_paper *paper, const carom_setup *setup,
                              const carom_reproduce_options *options, carom_opened *opened,
                              carom_error *error)
{
    char path[PATH_ROOM];
    *opened = (carom_opened){0};
    CAROM_TRY(find_model(paper, setup->model, options, path, error));
    CAROM_TRY(carom_modelfile_read_with(path, options->access, &opened->file, error));
    carom_builder *builder = carom_modelfile_builder(opened->file);
    CAROM_TRY(apply_settings(builder, &setup->set, carom_builder_set, error));
    CAROM_TRY(apply_settings(builder, &setup->start, carom_builder_start, error));
    CAROM_TRY(carom_builder_finish(builder, &opened->model, error));
    const carom_limits *limits = options->access ? options->access->limits : NULL;
    return fill_options(setup, carom_limits_or_default(limits), opened, error);
}

void carom_setup_close(carom_opened *opened)
{
    carom_model_free(opened->model);
    carom_modelfile_free(opened->file);
}
