// SPDX-License-Identifier: Apache-2.0
// Runs a model given as a text and keeps its last row, to be asked by the names of columns.
#ifndef CAROM_TEST_LAST_ROW_H
#define CAROM_TEST_LAST_ROW_H

#include "model/model_rig.h"

enum { LAST_ROW_ROOM = 400 };

typedef struct last_row {
    carom_sim *sim;
    double value[LAST_ROW_ROOM];
    double drift;
} last_row;

/// How to run; step for schemes with fixed steps, else a tolerance.
typedef struct how {
    const char *scheme;
    double end, step, tolerance;
} how;

static inline carom_status keep_last_row(void *self, const double *value, int n, carom_error *error)
{
    last_row *last = self;
    (void)error;
    assert_true(n <= LAST_ROW_ROOM);
    memcpy(last->value, value, sizeof(double) * (size_t)n);
    return CAROM_OK;
}

static inline void run_model(last_row *last, const carom_model *model, how it)
{
    carom_error error = {0};
    carom_audit audit;
    carom_sim_options options = carom_sim_default();
    options.scheme = it.scheme;
    options.end = it.end;
    options.step = it.step;
    options.tolerance = it.tolerance;
    must(carom_sim_new(model, &options, &last->sim, &error), &error);
    must(carom_sim_add_recorder(last->sim, (carom_recorder){.self = last, .row = keep_last_row},
                                &error),
         &error);
    run_to_end(last->sim);
    must(carom_sim_audit(last->sim, &audit, NULL, &error), &error);
    last->drift = audit.max_drift;
}

static inline void run_text(last_row *last, const char *text, how it)
{
    carom_model *model = model_from_text(text);
    run_model(last, model, it);
    carom_model_free(model);
}

static inline void free_row(last_row *last)
{
    carom_sim_free(last->sim);
}

// the name of a column as files spell it: der(b.x) is der_b_x
static inline bool is_column(const char *name, const char *wanted)
{
    for (; *name; name++) {
        if (*name == ')') continue;
        if ((*name == '.' || *name == '(' ? '_' : *name) != *wanted++) return false;
    }
    return !*wanted;
}

static inline double column(const last_row *last, const char *name)
{
    for (int i = 0; i < carom_sim_n_column(last->sim); i++)
        if (is_column(carom_sim_column(last->sim, i)->name, name)) return last->value[i];
    fail_msg("there is no column %s", name);
    return NAN;
}

#endif
