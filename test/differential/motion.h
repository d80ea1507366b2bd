// SPDX-License-Identifier: Apache-2.0
// One run of a mechanism: where it is at a few times, which all schemes meet exactly.
#ifndef CAROM_TEST_DIFFERENTIAL_MOTION_H
#define CAROM_TEST_DIFFERENTIAL_MOTION_H

#include "carom/carom.h"
#include "differential/mechanism.h"

enum { MOTION_TIMES = 4, MOTION_MOST = 16, MOTION_STEPS = 100000 };

typedef struct motion {
    bool is_done;  // to the end, every contact problem solved
    char why[256]; // not
    int n, n_time;
    double q[MOTION_TIMES][MOTION_MOST];
    double energy_error; // as a share of all energies of the run
} motion;

typedef struct motion_plan {
    const char *scheme;
    long steps;       // time stepping
    double tolerance; // event_driven
    double d;         // change of the start
} motion_plan;

typedef struct motion_log {
    motion *m;
    int first; // column of the first coordinate
} motion_log;

static inline carom_status motion_row(void *self, const double *value, int n, carom_error *error)
{
    const motion_log *log = self;
    motion *m = log->m;
    (void)n;
    (void)error;
    if (value[0] > 0 && m->n_time < MOTION_TIMES)
        memcpy(m->q[m->n_time++], value + log->first, sizeof(double) * (size_t)m->n);
    return CAROM_OK;
}

// a run that takes so many steps between events does not end in a sensible time
static inline bool motion_tick(void *self, double t, double end, long steps)
{
    motion *m = self;
    if (steps < MOTION_STEPS) return false;
    snprintf(m->why, sizeof m->why, "%ld steps until t = %g of %g", steps, t, end);
    return true;
}

static inline void motion_audit(motion *m, carom_sim *sim)
{
    carom_error error = {0};
    carom_audit a;
    if (carom_sim_audit(sim, &a, NULL, &error) != CAROM_OK) return;
    const double size = fabs(a.energy_start) + fabs(a.energy_end) + fabs(a.work) +
                        fabs(a.impact_loss) + fabs(a.friction_loss) + fabs(a.kinetic_end);
    m->energy_error = fabs(a.energy_error) / fmax(size, 1e-3); // nothing may move at all
}

static inline carom_status motion_steps(const carom_model *model, const motion_plan *p, double end,
                                        motion *m, carom_error *error)
{
    carom_sim_options options = carom_sim_default();
    carom_sim *sim = NULL;
    options.scheme = p->scheme;
    options.end = end;
    options.tolerance = p->tolerance;
    if (p->steps > 0) {
        options.step = end / (double)p->steps;
        options.every = (int)(p->steps / MOTION_TIMES);
    } else {
        options.output_step = end / MOTION_TIMES;
    }
    CAROM_TRY(carom_sim_new(model, &options, &sim, error));
    motion_log log = {.m = m};
    m->n = carom_model_sizes(model).nq;
    while (strcmp(carom_sim_column(sim, log.first)->group, "q") != 0) log.first++;
    carom_sim_add_recorder(sim, (carom_recorder){.self = &log, .row = motion_row}, error);
    if (p->steps == 0) carom_sim_set_watch(sim, (carom_watch){.self = m, .tick = motion_tick});
    const carom_status status = carom_sim_run(sim, error);
    if (status == CAROM_OK && carom_sim_counts(sim).unconverged > 0)
        snprintf(m->why, sizeof m->why, "%ld steps unconverged", carom_sim_counts(sim).unconverged);
    motion_audit(m, sim);
    carom_sim_free(sim);
    return status;
}

static inline motion motion_of(const mechanism *it, const motion_plan *p)
{
    motion m = {.is_done = false};
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    char d[32];
    snprintf(d, sizeof d, "%.17g", p->d);
    carom_status status = carom_modelfile_read_text(it->text, it->n, "mechanism", &file, &error);
    if (status == CAROM_OK)
        status = carom_builder_set(carom_modelfile_builder(file), (carom_text){.text = "d"},
                                   (carom_text){.text = d}, &error);
    if (status == CAROM_OK)
        status = carom_builder_finish(carom_modelfile_builder(file), &model, &error);
    if (file) carom_modelfile_free(file);
    if (status == CAROM_OK) status = motion_steps(model, p, it->end, &m, &error);
    carom_model_free(model);
    if (status != CAROM_OK) snprintf(m.why, sizeof m.why, "%.200s", error.message);
    m.is_done = m.why[0] == 0 && m.n_time == MOTION_TIMES;
    return m;
}

static inline motion motion_events(const mechanism *it, double tolerance, double d)
{
    return motion_of(it, &(motion_plan){.scheme = "event_driven", .tolerance = tolerance, .d = d});
}

/// Largest difference of a coordinate at one of the times, against its size where that is above 1.
static inline double motion_distance(const motion *a, const motion *b)
{
    double most = 0;
    for (int k = 0; k < MOTION_TIMES; k++)
        for (int i = 0; i < a->n; i++) {
            const double size = fmax(1, fabs(b->q[k][i]));
            most = fmax(most, fabs(a->q[k][i] - b->q[k][i]) / size);
        }
    return most;
}

#endif
