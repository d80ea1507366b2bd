// SPDX-License-Identifier: Apache-2.0
// A shipped model that runs as its own run section says, or with a few changes, row by row.
#ifndef TEST_PHYSICS_MOTION_RIG_H
#define TEST_PHYSICS_MOTION_RIG_H

#include "physics/rig.h"

enum { MOTION_ROOM = 2048 };

typedef struct motion motion;
/// Looks at one row.
typedef void looker(const motion *m, const double *row);
struct motion {
    rig r;
    looker *look;
    void *own; ///< of the looker
    double row[MOTION_ROOM], first[MOTION_ROOM];
    int n_row;
};

/// What is other than the file says; 0 or NULL = nothing.
typedef struct motion_plan {
    const char *model, *scheme;
    double step, tolerance, end;
    const char *const *change;
} motion_plan;

static inline int column_of(const motion *m, const char *name)
{
    for (int i = 0; i < carom_sim_n_column(m->r.sim); i++)
        if (strcmp(carom_sim_column(m->r.sim, i)->name, name) == 0) return i;
    fail_msg("there is no column '%s'", name);
    return -1;
}

static inline double last(const motion *m, const char *name)
{
    return m->row[column_of(m, name)];
}

static inline carom_status motion_take_row(void *self, const double *value, int n,
                                           carom_error *error)
{
    motion *m = self;
    (void)error;
    assert_true(n <= MOTION_ROOM);
    memcpy(m->row, value, sizeof *value * (size_t)n);
    if (m->n_row++ == 0) memcpy(m->first, value, sizeof *value * (size_t)n);
    if (m->look) m->look(m, value);
    return CAROM_OK;
}

static inline double motion_number(rig *r, carom_text text, double otherwise)
{
    double value = otherwise;
    if (otherwise == 0 && text.text)
        rig_must(r,
                 carom_builder_number(carom_modelfile_builder(r->file), text, &value, &r->error));
    return value;
}

/// To its end, which no step may reach unconverged; look and own are set before.
static inline void motion_run(motion *m, const motion_plan *plan)
{
    char path[512];
    rig *r = &m->r;
    memset(r, 0, sizeof *r);
    m->n_row = 0;
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, plan->model);
    rig_must(r, carom_modelfile_read(path, &r->file, &r->error));
    const carom_run_texts *run = carom_modelfile_run(r->file);
    const bool is_other = plan->scheme != NULL;
    rig_change(r, plan->change);
    const rig_plan how = {.scheme = is_other ? plan->scheme : run->scheme.text,
                          .step = motion_number(r, run->step, plan->step),
                          .tolerance = motion_number(r, run->tolerance, plan->tolerance),
                          .end = motion_number(r, run->end, plan->end),
                          .setting = is_other ? NULL : run->setting,
                          .n_setting = is_other ? 0 : run->n_setting};
    rig_build(r, &how);
    const carom_recorder recorder = {.self = m, .row = motion_take_row};
    rig_must(r, carom_sim_add_recorder(r->sim, recorder, &r->error));
    rig_run(r);
}

/// As the file says, to its end, without warnings.
static inline void run_as_it_says(motion *m, const char *name, looker *look)
{
    memset(m, 0, sizeof *m);
    m->look = look;
    motion_run(m, &(motion_plan){.model = name});
    rig *r = &m->r;
    assert_string_equal(carom_model_name(r->model), name);
    assert_non_null(carom_model_about(r->model));
    assert_non_null(carom_model_source(r->model));
    assert_string_equal(rig_audit(r).warnings, "");
}

#endif
