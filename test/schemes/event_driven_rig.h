// SPDX-License-Identifier: Apache-2.0
// A model under the event-driven scheme, with all its events kept.
#ifndef CAROM_TEST_EVENT_DRIVEN_RIG_H
#define CAROM_TEST_EVENT_DRIVEN_RIG_H

#include "model/model_rig.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EVENTS = 20000 };
typedef struct diary {
    int n;
    carom_event event[MOST_EVENTS];
} diary;

typedef struct run {
    carom_model *model;
    carom_sim *sim;
    diary *log;
} run;

static inline carom_status note(void *self, const carom_event *event, carom_error *error)
{
    diary *log = self;
    (void)error;
    if (log->n < MOST_EVENTS) log->event[log->n++] = *event;
    return CAROM_OK;
}

typedef struct plan {
    const char *file, *text;     // one of both
    const char *smooth;          // NULL: the default
    const char *edge;            // likewise
    const char *solver;          // likewise, of the contact problems
    double tolerance, end, step; // 0 = as it comes
    const char *const *change;   // "name=value", ends with NULL
} plan;

static inline void begin(run *r, const plan *p)
{
    carom_error error = {0};
    carom_modelfile *file;
    if (p->file) {
        file = shipped_file(p->file);
    } else {
        must(carom_modelfile_read_text(p->text, strlen(p->text), "text", &file, &error), &error);
    }
    for (const char *const *change = p->change; change && *change; change++) {
        char key[64];
        const char *sign = strchr(*change, '=');
        snprintf(key, sizeof key, "%.*s", (int)(sign - *change), *change);
        must(carom_builder_set(carom_modelfile_builder(file), text_of(key), text_of(sign + 1),
                               &error),
             &error);
    }
    r->model = finish_file(file);
    const carom_setting setting[] = {
        {.name = text_of("smooth"), .value = text_of(p->smooth ? p->smooth : "phem56")},
        {.name = text_of("edge"), .value = text_of(p->edge ? p->edge : "two_step")}};
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.solver = p->solver;
    options.tolerance = p->tolerance;
    options.end = p->end;
    if (p->step > 0) options.step = p->step;
    options.setting = setting;
    options.n_setting = 2;
    must(carom_sim_new(r->model, &options, &r->sim, &error), &error);
    r->log = calloc(1, sizeof *r->log);
    assert_non_null(r->log);
    const carom_recorder recorder = {.self = r->log, .event = note};
    must(carom_sim_add_recorder(r->sim, recorder, &error), &error);
}

static inline void go(run *r, const plan *p)
{
    carom_error error = {0};
    begin(r, p);
    must(carom_sim_run(r->sim, &error), &error);
    assert_int_equal(carom_sim_counts(r->sim).unconverged, 0);
    assert_int_equal(carom_sim_counts(r->sim).events, r->log->n);
    for (int k = 1; k < r->log->n; k++) assert_true(r->log->event[k].t >= r->log->event[k - 1].t);
}

static inline void end(run *r)
{
    carom_sim_free(r->sim);
    carom_model_free(r->model);
    free(r->log);
}

static inline int count(const run *r, carom_event_kind kind)
{
    int n = 0;
    for (int k = 0; k < r->log->n; k++) n += r->log->event[k].kind == kind;
    return n;
}

// the n-th event of a kind, from 0
static inline const carom_event *find(const run *r, carom_event_kind kind, int n)
{
    for (int k = 0; k < r->log->n; k++)
        if (r->log->event[k].kind == kind && n-- == 0) return &r->log->event[k];
    fail_msg("there is no such event of kind %d", (int)kind);
    return NULL;
}

static inline carom_audit audit(const run *r)
{
    carom_error error = {0};
    carom_audit it;
    must(carom_sim_audit(r->sim, &it, NULL, &error), &error);
    return it;
}

static inline void is_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %g (off by %g)", value, wanted, tolerance,
                 value - wanted);
}

#endif
