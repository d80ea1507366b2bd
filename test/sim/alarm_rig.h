// SPDX-License-Identifier: Apache-2.0
// A model as text, run by any scheme, and what its audit says.
#ifndef CAROM_TEST_ALARM_RIG_H
#define CAROM_TEST_ALARM_RIG_H

#include "sim/sim_rig.h"

/// One run; options.scheme, step or tolerance, and end.
typedef struct trial {
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    carom_error error;
} trial;

static inline carom_status trial_make(trial *t, const char *text, const carom_sim_options *options)
{
    *t = (trial){0};
    rig_ok(carom_modelfile_read_text(text, strlen(text), "rig.yaml", &t->file, &t->error),
           &t->error);
    rig_ok(carom_builder_finish(carom_modelfile_builder(t->file), &t->model, &t->error), &t->error);
    return carom_sim_new(t->model, options, &t->sim, &t->error);
}

static inline void trial_end(trial *t)
{
    carom_sim_free(t->sim);
    carom_model_free(t->model);
    carom_modelfile_free(t->file);
}

static inline carom_sim_options trial_options(const char *scheme, double step, double end)
{
    carom_sim_options options = carom_sim_default();
    const carom_scheme *found = carom_scheme_find(scheme);
    assert_non_null(found);
    options.scheme = scheme;
    options.end = end;
    if (found->finds_events || (found->is_adaptive && !found->separates_impact))
        options.tolerance = 1e-8;
    else
        options.step = step;
    return options;
}

/// Runs to the end; the trial stays open.
static inline carom_audit trial_run(trial *t, const char *text, const carom_sim_options *options)
{
    rig_ok(trial_make(t, text, options), &t->error);
    rig_ok(carom_sim_run(t->sim, &t->error), &t->error);
    return rig_audit(t->sim);
}

#endif
