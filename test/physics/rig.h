// SPDX-License-Identifier: Apache-2.0
// A shipped model on the test bench: reads models/<name>.yaml, changes parameters and starts, makes
// a simulation and takes steps. Every failure ends the test with the library's own message.
#ifndef TEST_PHYSICS_RIG_H
#define TEST_PHYSICS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"

enum { RIG_MAX_IMPACT = 4096 };

/// An impact as it came through the recorder.
typedef struct rig_impact {
    double t, before, after;
    int contact;
} rig_impact;

typedef struct rig {
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    carom_error error;
    int n_impact;
    rig_impact impact[RIG_MAX_IMPACT];
} rig;

static inline void rig_must(rig *r, carom_status status)
{
    if (status != CAROM_OK) fail_msg("%s", r->error.message);
}

static inline carom_text rig_text(const char *text)
{
    return (carom_text){.text = text};
}

/// changes: "name=value" for a parameter, "start name=value" for a start value
/// or rate; ends with NULL.
static inline void rig_change(rig *r, const char *const *change)
{
    carom_builder *builder = carom_modelfile_builder(r->file);
    for (; change != NULL && *change != NULL; change++) {
        char name[64];
        const int is_start = strncmp(*change, "start ", 6) == 0;
        const char *begin = *change + (is_start ? 6 : 0), *sign = strchr(begin, '=');
        assert_non_null(sign);
        snprintf(name, sizeof name, "%.*s", (int)(sign - begin), begin);
        const carom_text key = rig_text(name), value = rig_text(sign + 1);
        rig_must(r, is_start ? carom_builder_start(builder, key, value, &r->error)
                             : carom_builder_set(builder, key, value, &r->error));
    }
}

static inline carom_status rig_event(void *self, const carom_event *event, carom_error *error)
{
    rig *r = self;
    (void)error;
    if (event->kind != CAROM_IMPACT || r->n_impact == RIG_MAX_IMPACT) return CAROM_OK;
    r->impact[r->n_impact++] =
        (rig_impact){event->t, event->rate_before, event->rate_after, event->contact};
    return CAROM_OK;
}

/// How to run; everything not given is the library's default.
typedef struct rig_plan {
    const char *model, *scheme;
    double step, end, tolerance;
    const char *const *change;
    const carom_setting *setting;
    int n_setting;
    bool allow_penetration;
} rig_plan;

/// Builds the simulation of a file that r->file already holds.
static inline void rig_build(rig *r, const rig_plan *plan)
{
    carom_sim_options options = carom_sim_default();
    rig_change(r, plan->change);
    rig_must(r, carom_builder_finish(carom_modelfile_builder(r->file), &r->model, &r->error));
    options.scheme = plan->scheme;
    options.step = plan->step;
    options.end = plan->end;
    if (plan->tolerance > 0) options.tolerance = plan->tolerance;
    options.setting = plan->setting;
    options.n_setting = plan->n_setting;
    options.allow_penetration = plan->allow_penetration;
    rig_must(r, carom_sim_new(r->model, &options, &r->sim, &r->error));
    const carom_recorder recorder = {.self = r, .event = rig_event};
    rig_must(r, carom_sim_add_recorder(r->sim, recorder, &r->error));
}

static inline void rig_open(rig *r, const rig_plan *plan)
{
    char path[512];
    memset(r, 0, sizeof *r);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, plan->model);
    const carom_access access = {.parts = CAROM_SOURCE_DIR "/parts"};
    rig_must(r, carom_modelfile_read_with(path, &access, &r->file, &r->error));
    rig_build(r, plan);
}

static inline void rig_close(rig *r)
{
    carom_sim_free(r->sim);
    carom_model_free(r->model);
    carom_modelfile_free(r->file);
}

static inline void rig_step(rig *r, long n)
{
    for (long i = 0; i < n; i++) rig_must(r, carom_sim_step(r->sim, &r->error));
}

/// To the plan's end, with events; no step may be unconverged.
static inline void rig_run(rig *r)
{
    rig_must(r, carom_sim_run(r->sim, &r->error));
    assert_int_equal(carom_sim_counts(r->sim).unconverged, 0);
}

static inline carom_audit rig_audit(rig *r)
{
    carom_audit audit;
    rig_must(r, carom_sim_audit(r->sim, &audit, NULL, &r->error));
    return audit;
}

static inline const carom_state *rig_state(const rig *r)
{
    return carom_sim_state(r->sim);
}

/// |value - expected| <= tolerance, or the test ends and says by how much not.
static inline void rig_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g: off by %.3g, allowed %.3g", value, expected,
                 fabs(value - expected), tolerance);
}

static inline void rig_below(double value, double bound)
{
    if (!(value <= bound)) fail_msg("%.17g is above %.17g", value, bound);
}

#endif
