// SPDX-License-Identifier: Apache-2.0
// A smooth solver on the bench: a shipped model, a plan, and a flow, without
// a simulation around them.
#ifndef TEST_SMOOTH_BENCH_H
#define TEST_SMOOTH_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "carom/carom.h"
#include "smooth/newmark.h"
#include "smooth/smooth.h"

typedef struct bench {
    carom_modelfile *file;
    carom_model *model;
    carom_step s;
    carom_error error;
    carom_flow *flow;
    carom_motion now, next;
} bench;

static inline void bench_must(bench *b, carom_status status)
{
    if (status != CAROM_OK) fail_msg("%s", b->error.message);
}

/// option: "name=value" of the solver, or NULL. The motion now stands at the model's start.
static inline void bench_open(bench *b, const char *model, const char *solver, const char *option)
{
    static const unsigned mask[] = {CAROM_FLOW_MASKS, CAROM_NEWMARK_MASK, CAROM_NEWMARK_MASK_1};
    char path[256], name[32];
    double value[8];
    memset(b, 0, sizeof *b);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, model);
    bench_must(b, carom_modelfile_read(path, &b->file, &b->error));
    bench_must(b, carom_builder_finish(carom_modelfile_builder(b->file), &b->model, &b->error));
    carom_step *s = &b->s;
    *s = (carom_step){.model = b->model, .size = carom_model_sizes(b->model), .error = &b->error};
    const int n_mask = (int)(sizeof mask / sizeof *mask);
    bench_must(b, carom_plan_new(b->model, mask, n_mask, &s->plan, &b->error));
    for (int i = 0; i < 2; i++) assert_non_null(s->ev[i] = carom_plan_eval(s->plan));
    const carom_smooth *found = carom_smooth_find(solver);
    assert_non_null(found);
    carom_options_default(found->option, value);
    if (option) {
        const char *sign = strchr(option, '=');
        snprintf(name, sizeof name, "%.*s", (int)(sign - option), option);
        const carom_setting setting = {{.text = name}, {.text = sign + 1}};
        bench_must(b, carom_options_set(found->option, solver, &setting, value, &b->error));
    }
    bench_must(b, carom_flow_new(s, found, value, &b->flow));
    assert_true(carom_flow_motion(b->flow, &b->now) && carom_flow_motion(b->flow, &b->next));
    memcpy(b->now.q, carom_model_start_q(b->model), sizeof(double) * (size_t)s->size.nq);
    memcpy(b->now.u, carom_model_start_u(b->model), sizeof(double) * (size_t)s->size.nu);
    bench_must(b, found->start(b->flow, &b->now));
}

static inline void bench_close(bench *b)
{
    carom_flow_free(b->flow);
    carom_plan_free(b->s.plan);
    carom_model_free(b->model);
    carom_modelfile_free(b->file);
}

/// One step of length h from now to next; returns the error estimate.
static inline double bench_step(bench *b, double h)
{
    double error;
    bench_must(b, b->flow->solver->step(b->flow, &b->now, h, &b->next, &error));
    return error;
}

static inline void bench_commit(bench *b)
{
    const carom_motion kept = b->now;
    b->now = b->next;
    b->next = kept;
}

/// n equal steps to the end.
static inline void bench_run(bench *b, double end, int n)
{
    const double begin = b->now.t;
    for (int k = 0; k < n; k++) {
        bench_step(b, (end - begin) / n);
        b->next.t = begin + (end - begin) * (k + 1) / n;
        bench_commit(b);
    }
}

#endif
