// SPDX-License-Identifier: Apache-2.0
// One run or study of a paper. A run feeds all measures and curves that name it, so that each run
// is made once. Being refused or stopped is a result of the run; what is wrong in the paper or the
// model is an error.
#include "base/files/csv_names.h"
#include "papers/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- curves ----

typedef struct curves {
    carom_curve **item; // those of this run
    int n;
} curves;

static bool add_point(carom_curve *c, double x, double y)
{
    if (c->n == c->room) {
        const size_t room = c->room ? 2 * c->room : 1024;
        double *more = realloc(c->point, 2 * room * sizeof(double));
        if (!more) return false;
        c->point = more;
        c->room = room;
    }
    c->point[2 * c->n] = x * c->scale_x;
    c->point[2 * c->n++ + 1] = y * c->scale_y + c->shift_y;
    return true;
}

static carom_status take_row(void *self, const double *value, int n, carom_error *error)
{
    const curves *list = self;
    (void)n;
    for (int i = 0; i < list->n; i++) {
        carom_curve *c = list->item[i];
        if (value[0] < c->from || value[0] > c->to) continue;
        if (!add_point(c, value[c->column_x], value[c->column_y]))
            return carom_fail(error, CAROM_NO_MEMORY, "memory ran out for the points of a figure");
    }
    return CAROM_OK;
}

static carom_status find_column(const carom_sim *sim, carom_text text, int *column,
                                carom_error *error)
{
    for (*column = 0; *column < carom_sim_n_column(sim); ++*column)
        if (strcmp(carom_sim_column(sim, *column)->name, text.text) == 0) return CAROM_OK;
    for (*column = 0; *column < carom_sim_n_column(sim); ++*column)
        if (carom_csv_names_match(carom_sim_column(sim, *column)->name, text.text)) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "the model has no output column '%.60s'", text.text);
}

static carom_status watch_curves(carom_paper *paper, int run, carom_sim *sim, curves *list,
                                 carom_error *error)
{
    int n = 0;
    for (int i = 0; i < paper->figure.n; i++) n += paper->figure.item[i].curve.n;
    list->item = calloc((size_t)n + 1, sizeof *list->item);
    if (!list->item) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    for (int i = 0; i < paper->figure.n; i++)
        for (int k = 0; k < paper->figure.item[i].curve.n; k++) {
            carom_curve *c = &paper->figure.item[i].curve.item[k];
            if (c->run != run) continue;
            c->n = 0;
            CAROM_TRY(find_column(sim, c->x, &c->column_x, error));
            CAROM_TRY(find_column(sim, c->y, &c->column_y, error));
            list->item[list->n++] = c;
        }
    if (list->n == 0) return CAROM_OK;
    return carom_sim_add_recorder(sim, (carom_recorder){.self = list, .row = take_row}, error);
}

// ---- measures ----

typedef struct measured {
    carom_measure *what;        // as the probe wants them
    carom_paper_measure **goal; // where the values go
    int n;
} measured;

static carom_status collect_measures(carom_paper *paper, int run, measured *m, carom_error *error)
{
    const size_t room = (size_t)paper->run.item[run].n_measure + 1;
    m->what = calloc(room, sizeof *m->what);
    m->goal = calloc(room, sizeof *m->goal);
    if (!m->what || !m->goal) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    for (int i = 0; i < paper->claim.n; i++)
        for (int k = 0; k < paper->claim.item[i].measure.n; k++) {
            carom_paper_measure *one = &paper->claim.item[i].measure.item[k];
            if (one->run != run) continue;
            m->what[m->n] = one->what;
            m->goal[m->n++] = one;
        }
    return CAROM_OK;
}

static carom_status attach_probe(carom_sim *sim, const measured *m, carom_probe **probe,
                                 carom_error *error)
{
    int bad = 0;
    carom_error why = {0};
    const carom_status status = carom_probe_new(sim, m->what, m->n, probe, &bad, &why);
    if (status == CAROM_OK) return CAROM_OK;
    return carom_fail_at(error, m->goal[bad]->take.place, status, "%s", why.message);
}

// of a run that is made several times the least processor time counts
static void deliver_measures(const measured *m, const carom_probe *probe)
{
    for (int i = 0; i < m->n; i++) {
        double *goal = &m->goal[i]->value;
        const bool is_cost = carom_measure_find(m->what[i].take)->is_cost;
        const double value = probe ? carom_probe_value(probe, i) : NAN;
        *goal = is_cost ? fmin(*goal, value) : value;
        if (!probe && strcmp(m->what[i].take, "done") == 0) *goal = 0;
    }
}

// ---- runs ----

// what the caller's watch or memory ended is no result
static bool is_result(carom_status status)
{
    return status != CAROM_STOPPED && status != CAROM_NO_MEMORY;
}

static carom_status run_simulation(carom_paper *paper, int i, carom_sim *sim, const measured *m,
                                   carom_error *error)
{
    carom_paper_run *run = &paper->run.item[i];
    carom_probe *probe = NULL;
    curves list = {0};
    carom_status status = attach_probe(sim, m, &probe, error);
    if (status == CAROM_OK) status = watch_curves(paper, i, sim, &list, error);
    if (status == CAROM_OK) {
        const carom_status end = carom_sim_run(sim, &run->failure);
        carom_probe_finish(probe, end == CAROM_OK);
        run->unconverged = carom_sim_counts(sim).unconverged;
        deliver_measures(m, probe);
        if (!is_result(end)) status = carom_fail(error, end, "%s", run->failure.message);
    }
    free(list.item);
    carom_probe_free(probe);
    return status;
}

carom_status carom_paper_perform(carom_paper *paper, int i, const carom_reproduce_options *options,
                                 carom_watch watch, carom_error *error)
{
    carom_paper_run *run = &paper->run.item[i];
    carom_opened opened;
    carom_sim *sim = NULL;
    measured m = {0};
    run->failure = (carom_error){0};
    carom_status status = carom_setup_open(paper, &run->setup, options, &opened, error);
    if (status == CAROM_OK) status = collect_measures(paper, i, &m, error);
    if (status == CAROM_OK &&
        carom_sim_new(opened.model, &opened.options, &sim, &run->failure) != CAROM_OK) {
        deliver_measures(&m, NULL);
        if (!is_result(run->failure.status))
            status = carom_fail(error, run->failure.status, "%s", run->failure.message);
    } else if (status == CAROM_OK) {
        carom_sim_set_watch(sim, watch);
        status = run_simulation(paper, i, sim, &m, error);
    }
    free(m.what);
    free(m.goal);
    carom_sim_free(sim);
    carom_setup_close(&opened);
    return status;
}

// ---- studies ----

static carom_status plan_study(carom_paper_study *s, const carom_opened *opened, carom_study *study,
                               carom_error *error)
{
    *study = (carom_study){.norm = s->norm, .run = s->run, .n_run = s->n_scheme * s->n_step};
    for (int k = 0; k < s->n_step; k++)
        CAROM_TRY(carom_setup_number(opened, s->step[k], &s->step_value[k], error));
    for (int i = 0; i < study->n_run; i++) {
        s->run[i] = (carom_study_run){.options = opened->options};
        s->run[i].options.scheme = s->scheme[i / s->n_step].text;
        s->run[i].options.step = s->step_value[i % s->n_step];
    }
    study->is_exact = !s->reference_scheme.text;
    if (study->is_exact) return CAROM_OK;
    study->reference.options = opened->options;
    study->reference.options.scheme = s->reference_scheme.text;
    return carom_setup_number(opened, s->reference_step, &study->reference.options.step, error);
}

static double find_value(const carom_paper_study *s, const carom_paper_measure *m)
{
    for (int i = 0; i < s->n_scheme * s->n_step; i++) {
        const double step = s->step_value[i % s->n_step];
        if (strcmp(s->scheme[i / s->n_step].text, m->scheme.text) != 0) continue;
        if (fabs(step - m->step) > 1e-9 * step) continue;
        return strcmp(m->take.text, "order") == 0 ? s->run[i].order : s->run[i].error;
    }
    return NAN;
}

carom_status carom_paper_perform_study(carom_paper *paper, int i,
                                       const carom_reproduce_options *options, carom_watch watch,
                                       carom_error *error)
{
    carom_paper_study *s = &paper->study.item[i];
    carom_opened opened;
    carom_study study;
    s->failure = (carom_error){0};
    carom_status status = carom_setup_open(paper, &s->setup, options, &opened, error);
    if (status == CAROM_OK) status = plan_study(s, &opened, &study, error);
    if (status == CAROM_OK) {
        study.watch = watch;
        const carom_status end = carom_converge(opened.model, &study, &s->failure);
        if (!is_result(end)) status = carom_fail(error, end, "%s", s->failure.message);
    }
    for (int c = 0; status == CAROM_OK && c < paper->claim.n; c++)
        for (int k = 0; k < paper->claim.item[c].measure.n; k++) {
            carom_paper_measure *m = &paper->claim.item[c].measure.item[k];
            if (m->study == i) m->value = find_value(s, m);
        }
    carom_setup_close(&opened);
    return status;
}
