// SPDX-License-Identifier: Apache-2.0
// Convergence: runs are kept in memory, then the reference passes by, step by step, and every
// row of a run is compared with the reference at its time (linear in between). So a reference
// of millions of steps needs no memory, except for the graph norm. A reference that chooses its
// own, long steps is made to pass a grid as fine as the runs, and is a cubic between its states
// where its velocities do not jump. The table norm sums the Gram matrix D'D of the differences; its
// largest eigenvalue is the square of the spectral norm.
//
// Norm of the tables: T. Schindler et al., Half-explicit timestepping schemes on velocity level,
// 2015, Tables 2 and 3.
#include "analysis/kept_motion.h"
#include "base/need.h"
#include "model/model.h"
#include "sim/sim_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_LOOK = 256, FEWEST_POINTS = 5000, MOST_POINTS = 200000 };
// times this close, relative to the end, are the same
static const double same_time = 1e-12;

/// A run while it is measured.
typedef struct measured {
    carom_study_run *run;
    carom_motion motion;
    size_t at;      ///< next row to compare
    double largest; ///< difference so far
    double *gram;   ///< (nq x nq) of the differences
} measured;

typedef struct study {
    const carom_model *model;
    carom_study *asked;
    carom_sizes size;
    double end;
    double t_before, t; ///< of the last two states of the reference
    bool is_smooth;     ///< the reference has long steps with velocities
    int *entry;         ///< (nq) record entry of each coordinate's closed form, -1 = none
    double *reference;  ///< (3 nq) the reference before and after its last step, and between
    double *rate;       ///< (2 nq) its velocities there
    double *work;       ///< (4 nq) for a difference, at the end for the eigenvalue
    bool *is_compared;  ///< (nq) coordinates that the reference has
    measured *one;      ///< (n_run)
    carom_motion path;  ///< the reference, for the graph
} study;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the runs of the study");
}

static carom_status look_at_watch(const study *s, double t, long steps, carom_error *error)
{
    const carom_watch *watch = &s->asked->watch;
    if (steps % STEPS_PER_LOOK || !watch->tick || !watch->tick(watch->self, t, s->end, steps))
        return CAROM_OK;
    return carom_fail(error, CAROM_STOPPED, "stopped at t = %.9g", t);
}

// a run with a tolerance takes steps far longer than those of others: it passes a grid; false where
// it does not choose its steps
static bool refine(const study *s, carom_study_run *run)
{
    const carom_scheme *scheme = carom_scheme_find(run->options.scheme);
    double finest = s->end / FEWEST_POINTS;
    if (!scheme || !scheme->is_adaptive || run->options.step > 0) return false;
    for (int r = 0; r < s->asked->n_run; r++)
        if (s->asked->run[r].options.step > 0) finest = fmin(finest, s->asked->run[r].options.step);
    if (s->asked->norm != CAROM_NORM_END)
        run->options.output_step = fmax(finest, s->end / MOST_POINTS);
    return true;
}

/// Gets every state of a run, the first included.
typedef carom_status visit(study *s, void *self, const carom_state *state, carom_error *error);

static carom_status drive_run(study *s, carom_study_run *run, visit *each, void *self,
                              carom_error *error)
{
    carom_sim *sim = NULL;
    CAROM_TRY(carom_sim_new(s->model, &run->options, &sim, error));
    const char *why;
    carom_sim_native(sim, &why);
    if (!s->asked->not_native[0])
        snprintf(s->asked->not_native, sizeof s->asked->not_native, "%s", why);
    carom_status status = each(s, self, carom_sim_state(sim), error);
    const double start = carom_clock_processor();
    for (long k = 1; status == CAROM_OK && !carom_sim_is_done(sim); k++) {
        status = carom_sim_step(sim, error);
        if (status == CAROM_OK) status = each(s, self, carom_sim_state(sim), error);
        if (status == CAROM_OK) status = look_at_watch(s, carom_sim_state(sim)->t, k, error);
    }
    run->seconds = carom_clock_processor() - start;
    run->counts = carom_sim_counts(sim);
    run->is_done = status == CAROM_OK;
    carom_sim_free(sim);
    return status;
}

static carom_status keep_row(study *s, void *self, const carom_state *state, carom_error *error)
{
    (void)s;
    return carom_motion_add(self, state->t, state->q, state->u) ? CAROM_OK : no_memory(error);
}

// ---- differences ----

static void add_difference(const study *s, measured *m, const double *q, const double *q_reference)
{
    const int n = s->size.nq;
    double *d = s->work;
    for (int i = 0; i < n; i++) {
        d[i] = s->is_compared[i] ? q[i] - q_reference[i] : 0;
        m->largest = fmax(m->largest, fabs(d[i]));
    }
    if (s->asked->norm != CAROM_NORM_TABLE) return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) m->gram[i * n + k] += d[i] * d[k];
}

// a run that does not meet the end exactly is seen there between its last two rows
static void end_row(const study *s, const carom_motion *motion, double *q)
{
    const double *last = carom_motion_row(motion, motion->n - 1);
    const double *before = carom_motion_row(motion, motion->n > 1 ? motion->n - 2 : 0);
    const double length = last[0] - before[0];
    const double share = length > 0 ? (s->end - before[0]) / length : 1;
    for (int i = 0; i < s->size.nq; i++)
        q[i] = share == 1 ? last[1 + i] : before[1 + i] + share * (last[1 + i] - before[1 + i]);
}

// coordinate i of the reference a share of the way from its last state but one to its last
static double between(const study *s, int i, double share)
{
    const int n = s->size.nq;
    const double a = s->reference[i], b = s->reference[n + i], h = s->t - s->t_before;
    const double line = a + share * (b - a);
    if (!s->is_smooth || !(h > 0)) return line;
    const double u = s->rate[i], v = s->rate[n + i];
    // the velocity jumps at the end of the step: it is not that of the way there
    if (!(fabs((b - a) / h - 0.5 * (u + v)) <= 0.1 * fabs(v - u))) return line;
    const double x = share, y = 1 - share, slope = (b - a) / h;
    return line + h * x * y * (y * (u - slope) - x * (v - slope));
}

// all rows of the runs up to t, between the last two states of the reference
static void compare_up_to(study *s)
{
    const int n = s->size.nq;
    const double t = s->t, t_before = s->t_before;
    const double slack = same_time * s->end;
    double *q = s->reference + 2 * n;
    for (int r = 0; r < s->asked->n_run; r++) {
        measured *m = &s->one[r];
        while (m->at < m->motion.n) {
            const double *row = carom_motion_row(&m->motion, m->at);
            if (row[0] > t + slack) break;
            const double share = t > t_before ? fmin((row[0] - t_before) / (t - t_before), 1) : 1;
            for (int i = 0; i < n; i++) q[i] = between(s, i, share);
            add_difference(s, m, row + 1, q);
            m->at++;
        }
    }
}

static carom_status pass(study *s, void *self, const carom_state *state, carom_error *error)
{
    (void)self;
    const int n = s->size.nq;
    const size_t bytes = sizeof(double) * (size_t)n;
    if (s->asked->norm == CAROM_NORM_GRAPH) return keep_row(s, &s->path, state, error);
    memcpy(s->reference, s->reference + n, bytes);
    memcpy(s->reference + n, state->q, bytes);
    if (state->t == 0) memcpy(s->reference, state->q, bytes);
    if (s->is_smooth) {
        memcpy(s->rate, s->rate + n, bytes);
        memcpy(s->rate + n, state->u, bytes);
    }
    s->t_before = s->t;
    s->t = state->t;
    if (s->asked->norm != CAROM_NORM_END) compare_up_to(s);
    return CAROM_OK;
}

static void compare_ends(study *s)
{
    const int n = s->size.nq;
    const double t = s->t, t_before = s->t_before;
    double *before = s->reference, *after = before + n, *q = before + 2 * n;
    const double share = t > t_before ? (s->end - t_before) / (t - t_before) : 1;
    for (int i = 0; t != s->end && i < n; i++)
        after[i] = before[i] + share * (after[i] - before[i]);
    for (int r = 0; r < s->asked->n_run; r++) {
        measured *m = &s->one[r];
        if (!m->run->is_done) continue;
        end_row(s, &m->motion, q);
        add_difference(s, m, q, after);
    }
}

// ---- closed form ----

// finds the record entry of each coordinate; -1 = none
static carom_status find_exact(study *s, carom_error *error)
{
    int n_found = 0, *entry = s->entry;
    for (int i = 0; i < s->size.nq; i++) {
        const char *name = carom_model_coordinate_name(s->model, i);
        entry[i] = -1;
        for (int k = 0; k < s->size.n_record; k++) {
            const char *record = carom_model_record_name(s->model, k);
            if (strncmp(record, "exact_", 6) == 0 && strcmp(record + 6, name) == 0) entry[i] = k;
        }
        s->is_compared[i] = entry[i] >= 0;
        n_found += entry[i] >= 0;
    }
    if (n_found > 0) return CAROM_OK;
    const char *first = carom_model_coordinate_name(s->model, 0);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the model has no closed form to compare with: give it a record entry "
                      "exact_%s, an expression of t, or take a run as reference",
                      first);
}

// compares one run; the expressions see the start state, so that they are functions of t
static carom_status compare_exact(study *s, measured *m, carom_plan *plan, carom_eval *eval,
                                  carom_error *error)
{
    const int *entry = s->entry;
    double *q = s->reference, *here = s->reference + s->size.nq;
    const bool is_end = s->asked->norm == CAROM_NORM_END;
    for (size_t k = is_end ? m->motion.n - 1 : 0; k < m->motion.n; k++) {
        const double *row = carom_motion_row(&m->motion, k);
        const carom_point at = {.t = is_end ? s->end : row[0],
                                .q = carom_model_start_q(s->model),
                                .u = carom_model_start_u(s->model)};
        CAROM_TRY(carom_model_eval(plan, &at, CAROM_RECORD, eval, error));
        for (int i = 0; i < s->size.nq; i++) q[i] = entry[i] < 0 ? 0 : eval->record[entry[i]];
        memcpy(here, row + 1, sizeof(double) * (size_t)s->size.nq);
        if (is_end) end_row(s, &m->motion, here);
        add_difference(s, m, here, q);
    }
    return CAROM_OK;
}

static carom_status measure_exact(study *s, carom_error *error)
{
    const unsigned mask = CAROM_RECORD;
    carom_plan *plan = NULL;
    CAROM_TRY(carom_plan_new(s->model, &mask, 1, &plan, error));
    carom_eval *eval = carom_plan_eval(plan);
    carom_status status = eval ? CAROM_OK : no_memory(error);
    for (int r = 0; status == CAROM_OK && r < s->asked->n_run; r++)
        if (s->one[r].run->is_done) status = compare_exact(s, &s->one[r], plan, eval, error);
    carom_plan_free(plan);
    return status;
}

// ---- results ----

static carom_status measure_runs(study *s, carom_error *error)
{
    if (s->asked->is_exact) return measure_exact(s, error);
    s->is_smooth = refine(s, &s->asked->reference) && s->model->n_plain >= 0 &&
                   s->asked->norm == CAROM_NORM_PATH;
    CAROM_TRY(drive_run(s, &s->asked->reference, pass, NULL, error));
    if (s->asked->norm == CAROM_NORM_GRAPH) {
        for (int r = 0; r < s->asked->n_run; r++)
            if (s->one[r].run->is_done)
                s->one[r].largest = carom_motion_distance(&s->one[r].motion, &s->path);
    } else if (s->asked->norm == CAROM_NORM_END) {
        compare_ends(s);
    }
    return CAROM_OK;
}

// what the order is counted in: the step, or the tolerance
static double pace(const carom_study_run *run)
{
    return run->options.step > 0 ? run->options.step : run->options.tolerance;
}

static void find_errors(study *s)
{
    const carom_study_run *before = NULL;
    for (int r = 0; r < s->asked->n_run; r++) {
        measured *m = &s->one[r];
        carom_study_run *run = m->run;
        if (run->is_done)
            run->error = s->asked->norm == CAROM_NORM_TABLE
                             ? carom_motion_spectral(m->gram, s->size.nq, s->work)
                             : m->largest;
        const bool is_pair = before && before->is_done && run->is_done &&
                             strcmp(before->options.scheme, run->options.scheme) == 0;
        // the table has more rows the smaller the step: its norm grows with their root
        const double rows = s->asked->norm == CAROM_NORM_TABLE ? 0.5 : 0;
        if (is_pair && run->error > 0 && before->error > 0)
            run->order = log(before->error / run->error) / log(pace(before) / pace(run)) + rows;
        before = run;
    }
}

// the table has one row for every step, at which the reference must have one too
static carom_status check_steps(const study *s, const carom_study_run *run, carom_error *error)
{
    if (s->asked->norm != CAROM_NORM_TABLE) return CAROM_OK;
    const carom_scheme *scheme = carom_scheme_find(run->options.scheme);
    if (run->options.is_auto_step || (scheme && scheme->is_adaptive))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the table norm has a row for every step at the times of the reference, "
                          "but scheme %s chooses its own times (take the path norm)",
                          run->options.scheme);
    if (s->asked->is_exact) return CAROM_OK;
    const double ratio = run->options.step / s->asked->reference.options.step;
    if (ratio > 0.5 && fabs(ratio - round(ratio)) <= 1e-9 * ratio) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the table norm needs steps that are multiples of the reference's: %g is not "
                      "one of %g (take the path norm)",
                      run->options.step, s->asked->reference.options.step);
}

static carom_status run_all(study *s, carom_error *error)
{
    for (int r = 0; r < s->asked->n_run; r++) {
        measured *m = &s->one[r];
        carom_error *why = &m->run->failure;
        carom_status status = check_steps(s, m->run, why);
        if (s->asked->norm == CAROM_NORM_GRAPH) refine(s, m->run);
        if (status == CAROM_OK) status = drive_run(s, m->run, keep_row, &m->motion, why);
        if (status != CAROM_OK) m->at = m->motion.n;
        if (status == CAROM_STOPPED || status == CAROM_NO_MEMORY)
            return carom_fail(error, status, "%s", why->message);
    }
    return CAROM_OK;
}

static carom_status make_study(study *s, carom_error *error)
{
    const size_t n = (size_t)s->size.nq + 1, n_run = (size_t)s->asked->n_run;
    s->reference = calloc(3 * n, sizeof(double));
    s->rate = calloc(2 * n, sizeof(double));
    s->work = calloc(4 * n, sizeof(double));
    s->is_compared = calloc(n, sizeof(bool));
    s->entry = calloc(n, sizeof *s->entry);
    s->one = calloc(n_run + 1, sizeof *s->one);
    if (!s->rate || !s->entry || !s->reference || !s->work || !s->is_compared || !s->one)
        return no_memory(error);
    const int nu = s->asked->norm == CAROM_NORM_GRAPH ? s->size.nu : 0;
    s->path = carom_motion_make(s->size.nq, nu);
    for (int i = 0; i < s->size.nq; i++) s->is_compared[i] = true;
    for (int r = 0; r < s->asked->n_run; r++) {
        carom_study_run *run = &s->asked->run[r];
        run->error = run->order = NAN;
        s->one[r] = (measured){.run = run, .motion = carom_motion_make(s->size.nq, nu)};
        if (s->asked->norm != CAROM_NORM_TABLE) continue;
        s->one[r].gram = calloc(n * n, sizeof(double));
        if (!s->one[r].gram) return no_memory(error);
    }
    return CAROM_OK;
}

static void free_study(study *s)
{
    for (int r = 0; s->one && r < s->asked->n_run; r++) {
        carom_motion_free(&s->one[r].motion);
        free(s->one[r].gram);
    }
    carom_motion_free(&s->path);
    free(s->reference);
    free(s->rate);
    free(s->work);
    free(s->is_compared);
    free(s->entry);
    free(s->one);
}

static carom_status check_study(const study *s, carom_error *error)
{
    const carom_study *asked = s->asked;
    if (asked->n_run < 1) return carom_fail(error, CAROM_BAD_INPUT, "a study needs runs");
    if (asked->is_exact && asked->norm == CAROM_NORM_GRAPH)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the graph norm compares velocities, which exact_ entries do not have; "
                          "take the path or end norm");
    for (int r = 0; r < asked->n_run; r++)
        if (asked->run[r].options.end != s->end || !asked->run[r].options.scheme)
            return carom_fail(error, CAROM_BUG, "runs of a study have a scheme and one end");
    if (!asked->is_exact &&
        (asked->reference.options.end != s->end || !asked->reference.options.scheme))
        return carom_fail(error, CAROM_BUG, "the reference has a scheme and the end of the runs");
    return asked->is_exact ? CAROM_OK : check_steps(s, &asked->reference, error);
}

carom_status carom_converge(const carom_model *model, carom_study *asked, carom_error *error)
{
    CAROM_NEED(error, model);
    CAROM_NEED_THAT(error, asked, "study is NULL");
    CAROM_NEED_THAT(error, asked->n_run >= 0 && (asked->n_run == 0 || asked->run),
                    "study->run is NULL, or study->n_run below 0");
    CAROM_NEED_THAT(error, (unsigned)asked->norm <= CAROM_NORM_TABLE, "study->norm is %d",
                    (int)asked->norm);
    study s = {.model = model, .asked = asked, .size = carom_model_sizes(model)};
    s.end = asked->n_run > 0 ? asked->run[0].options.end : 0;
    carom_status status = check_study(&s, error);
    if (status == CAROM_OK) status = make_study(&s, error);
    if (status == CAROM_OK && asked->is_exact) status = find_exact(&s, error);
    if (status == CAROM_OK) status = run_all(&s, error);
    if (status == CAROM_OK) status = measure_runs(&s, error);
    if (status == CAROM_OK) find_errors(&s);
    free_study(&s);
    return status;
}
