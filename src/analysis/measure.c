// SPDX-License-Identifier: Apache-2.0
// Measures: the table of kinds, and the probe that feeds them from a running simulation. A measure
// with a pattern of columns is kept column by column and folded at the end.
#include "analysis/gauge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/text.h"
#include "sim/sim.h"

// how the columns of a pattern become one number
typedef enum fold { FOLD_NONE, FOLD_SMALLEST, FOLD_LARGEST, FOLD_SUM } fold;

typedef struct kind {
    carom_measure_facts facts;
    double start; // of best
    fold fold;
    carom_gauge_row *row;
    carom_gauge_event *event;
    carom_gauge_value *value;
    carom_gauge_whole *whole;
} kind;

#define COLUMN(name, about, start, fold, row, value)                                               \
    {                                                                                              \
        {name, about, true, false, false, fold != FOLD_NONE, false}, start, fold, row, NULL,       \
            value, NULL                                                                            \
    }
#define LIMIT(name, about, row, value)                                                             \
    {                                                                                              \
        {name, about, true, false, true, false, false}, NAN, FOLD_NONE, row, NULL, value, NULL     \
    }
#define EVENT(name, about, event, value)                                                           \
    {                                                                                              \
        {name, about, false, false, false, false, false}, NAN, FOLD_NONE, NULL, event, value, NULL \
    }
#define WHOLE(name, about)                                                                         \
    {                                                                                              \
        {#name, about, false, false, false, false, false}, NAN, FOLD_NONE, NULL, NULL, NULL,       \
            carom_gauge_##name                                                                     \
    }

// clang-format off
static const kind table[] = {
    COLUMN("first", "value of a column at the start", NAN, FOLD_NONE, carom_gauge_first, carom_gauge_best),
    COLUMN("last", "value of a column at the end", NAN, FOLD_NONE, carom_gauge_last, carom_gauge_best),
    COLUMN("smallest", "smallest value of columns over the run", INFINITY, FOLD_SMALLEST, carom_gauge_smallest, carom_gauge_best),
    COLUMN("largest", "largest value of columns over the run", -INFINITY, FOLD_LARGEST, carom_gauge_largest, carom_gauge_best),
    COLUMN("size", "largest absolute value of columns over the run", 0, FOLD_LARGEST, carom_gauge_size, carom_gauge_best),
    COLUMN("mean", "mean of a column over time", NAN, FOLD_NONE, carom_gauge_mean, carom_gauge_mean_value),
    COLUMN("rms", "root of the mean square of a column over time", NAN, FOLD_NONE, carom_gauge_rms, carom_gauge_rms_value),
    LIMIT("amplitude", "of the oscillation of a column with a frequency (the number, in rad/s); over whole periods", carom_gauge_wave, carom_gauge_amplitude),
    LIMIT("phase", "likewise: the column is amplitude cos(w t - phase)", carom_gauge_wave, carom_gauge_phase),
    COLUMN("total", "sum of columns over all rows (impulses)", NAN, FOLD_SUM, carom_gauge_total, carom_gauge_total_value),
    {{"at", "value of a column at a time", true, true, false, false, false}, NAN, FOLD_NONE, carom_gauge_at, NULL, carom_gauge_best, NULL},
    COLUMN("rise", "largest rise of a column from one row to the next", -INFINITY, FOLD_NONE, carom_gauge_rise, carom_gauge_best),
    COLUMN("climb", "largest rise of a column above an earlier value", -INFINITY, FOLD_NONE, carom_gauge_climb, carom_gauge_best),
    COLUMN("gain", "sum of all rises of a column from row to row", 0, FOLD_NONE, carom_gauge_gain, carom_gauge_best),
    COLUMN("turns", "how often a column that is an angle goes round: its changes from row to row, each between -pi and pi, over 2 pi", 0, FOLD_NONE, carom_gauge_turns, carom_gauge_best),
    COLUMN("slope", "slope of the straight line through a column over time", NAN, FOLD_NONE, carom_gauge_line, carom_gauge_slope),
    COLUMN("straightness", "correlation of a column with time: 1 or -1 on a straight line", NAN, FOLD_NONE, carom_gauge_line, carom_gauge_straightness),
    COLUMN("exponent", "p of the law |value| = c (t - from)^p: 1 linear, 2 parabolic", NAN, FOLD_NONE, carom_gauge_power, carom_gauge_exponent),
    LIMIT("when_below", "first time that a column is at or below the limit", carom_gauge_when_below, carom_gauge_best),
    LIMIT("when_above", "first time that a column is at or above the limit", carom_gauge_when_above, carom_gauge_best),
    LIMIT("last_above", "time of the last row with a column above the limit", carom_gauge_last_above, carom_gauge_best),
    LIMIT("long_below", "how long a column is at or below the limit", carom_gauge_long_below, carom_gauge_duration),
    LIMIT("long_above", "how long a column is at or above the limit", carom_gauge_long_above, carom_gauge_duration),
    EVENT("events", "how many events", carom_gauge_count, carom_gauge_count_value),
    EVENT("event_time", "time of an event", carom_gauge_event_time, carom_gauge_best),
    EVENT("event_before", "gap rate before an event", carom_gauge_event_before, carom_gauge_best),
    EVENT("event_after", "gap rate after an event", carom_gauge_event_after, carom_gauge_best),
    EVENT("event_impulse", "impulse of an event", carom_gauge_event_impulse, carom_gauge_best),
    EVENT("event_loss", "energy lost in an event", carom_gauge_event_loss, carom_gauge_best),
    WHOLE(min_gap, "smallest gap at any step"),
    WHOLE(max_drift, "largest violation of a constraint at any step"),
    WHOLE(residual, "largest contact residual"),
    WHOLE(energy_start, "energy at the start"),
    WHOLE(energy_end, "energy at the end"),
    WHOLE(impact_loss, "energy lost in impacts"),
    WHOLE(friction_loss, "energy lost by friction"),
    WHOLE(energy_error, "energy that the audit cannot explain"),
    WHOLE(steps, "steps taken"),
    WHOLE(impact_steps, "steps with an impact"),
    WHOLE(contact_steps, "steps with a contact force"),
    WHOLE(unconverged, "steps that did not converge"),
    WHOLE(ambiguous, "steps whose contact problem has answers with other velocities"),
    WHOLE(rejected, "attempts of a step that were taken back"),
    WHOLE(evaluations, "work: evaluations and linear systems, where the scheme counts them"),
    {{"cost", "processor time for each step", false, false, false, false, true}, NAN, FOLD_NONE, NULL, NULL, NULL, carom_gauge_cost},
    WHOLE(done, "1 where the run reached its end, else 0"),
};
// clang-format on
enum { N_KIND = sizeof table / sizeof table[0] };

/// One column of one measure.
typedef struct part {
    carom_gauge gauge;
    int column; ///< -1 = none
    int measure;
} part;

struct carom_probe {
    carom_sim *sim;
    const carom_measure *measure;
    const kind **kind; ///< (n)
    double *value;     ///< (n)
    int n, n_part;
    part *part;
};

int carom_measure_count(void)
{
    return N_KIND;
}

const carom_measure_facts *carom_measure_at(int i)
{
    return i >= 0 && i < N_KIND ? &table[i].facts : NULL;
}

static const kind *find_kind(const char *name)
{
    for (int i = 0; i < N_KIND; i++)
        if (strcmp(table[i].facts.name, name) == 0) return &table[i];
    return NULL;
}

const carom_measure_facts *carom_measure_find(const char *name)
{
    const kind *found = name ? find_kind(name) : NULL;
    return found ? &found->facts : NULL;
}

carom_measure carom_measure_default(void)
{
    return (carom_measure){.from = -INFINITY, .to = INFINITY, .number = 1};
}

// ---- what is fed ----

static bool is_inside(const carom_measure *m, double t)
{
    return t >= m->from && t <= m->to;
}

static carom_status take_row(void *self, const double *value, int n, carom_error *error)
{
    carom_probe *probe = self;
    (void)n, (void)error;
    for (int i = 0; i < probe->n_part; i++) {
        part *p = &probe->part[i];
        if (p->column < 0 || !is_inside(p->gauge.asked, value[0])) continue;
        const double t = value[0], v = value[p->column];
        probe->kind[p->measure]->row(&p->gauge, t, v);
        p->gauge.n++;
        p->gauge.t = t;
        p->gauge.v = v;
    }
    return CAROM_OK;
}

static carom_status take_event(void *self, const carom_event *event, carom_error *error)
{
    carom_probe *probe = self;
    (void)error;
    for (int i = 0; i < probe->n_part; i++) {
        part *p = &probe->part[i];
        const kind *k = probe->kind[p->measure];
        carom_gauge *g = &p->gauge;
        if (!k->event || !is_inside(g->asked, event->t) || event->kind != g->event) continue;
        if (g->contact >= 0 && event->contact != g->contact) continue;
        g->n++;
        k->event(g, event);
    }
    return CAROM_OK;
}

// ---- what is chosen ----

static bool matches(const char *pattern, const char *name)
{
    for (; *pattern && *pattern != '*'; pattern++, name++)
        if (*pattern != *name) return false;
    if (!*pattern) return !*name;
    for (;; name++) {
        if (matches(pattern + 1, name)) return true;
        if (!*name) return false;
    }
}

static carom_status choose_columns(carom_probe *probe, int i, carom_error *error)
{
    const carom_measure *m = &probe->measure[i];
    const kind *k = probe->kind[i];
    const int n = carom_sim_n_column(probe->sim);
    char csv[256];
    int n_found = 0;
    for (int c = 0; c < n; c++) {
        const char *name = carom_sim_column(probe->sim, c)->name;
        if (!matches(m->column, name) && !matches(m->column, carom_csv_name(name, csv, sizeof csv)))
            continue;
        if (n_found++ && !k->facts.takes_many)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "'%s' takes one column, but '%s' stands for several", k->facts.name,
                              m->column);
        probe->part[probe->n_part++] = (part){{.asked = m, .best = k->start}, c, i};
    }
    if (n_found > 0) return CAROM_OK;
    char hint[120];
    carom_nearest nearest = carom_nearest_to(m->column);
    for (int c = 0; c < n; c++) carom_nearest_try(&nearest, carom_sim_column(probe->sim, c)->name);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "no column '%s' in the output of this model%s (columns are t, coordinates, "
                      "der_, energy, gap_, rate_, P_, la_, drift_ and record entries)",
                      m->column, carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status choose_event(carom_probe *probe, int i, carom_error *error)
{
    const carom_measure *m = &probe->measure[i];
    part *p = &probe->part[probe->n_part++];
    *p = (part){{.asked = m, .best = probe->kind[i]->start, .contact = -1}, -1, i};
    const char *event = m->event ? m->event : "impact";
    int e = 0;
    while (e <= CAROM_EDGE && strcmp(carom_event_word((carom_event_kind)e), event) != 0) e++;
    if (e > CAROM_EDGE)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "unknown event '%s' (impact, open, close, stick, slip, accumulated, edge)", event);
    p->gauge.event = (carom_event_kind)e;
    if (!m->contact) return CAROM_OK;
    const carom_model *model = probe->sim->model;
    const int n = carom_model_sizes(model).n_contact;
    char hint[120];
    carom_nearest nearest = carom_nearest_to(m->contact);
    for (int c = 0; c < n; c++) {
        const char *name = carom_model_contact(model, c)->name;
        if (strcmp(name, m->contact) == 0) p->gauge.contact = c;
        carom_nearest_try(&nearest, name);
    }
    if (p->gauge.contact >= 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the model has no contact '%s'%s", m->contact,
                      carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status choose_measure(carom_probe *probe, int i, carom_error *error)
{
    const carom_measure *m = &probe->measure[i];
    const kind *k = find_kind(m->take);
    if (!k)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "unknown measure '%s' (docs/reproduce.md lists them all)", m->take);
    probe->kind[i] = k;
    if (k->whole) return CAROM_OK;
    if (k->event) return choose_event(probe, i, error);
    if (!m->column)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' needs a column (write column: energy)",
                          k->facts.name);
    return choose_columns(probe, i, error);
}

static carom_status make_gauges(carom_probe *probe, int *bad, carom_error *error)
{
    const size_t n = (size_t)probe->n + 1, n_column = (size_t)carom_sim_n_column(probe->sim);
    probe->kind = calloc(n, sizeof *probe->kind);
    probe->value = calloc(n, sizeof *probe->value);
    probe->part = calloc(n * n_column, sizeof *probe->part);
    if (!probe->kind || !probe->value || !probe->part)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while preparing measures");
    for (int i = 0; i < probe->n; i++) {
        if (bad) *bad = i;
        probe->value[i] = NAN;
        CAROM_TRY(choose_measure(probe, i, error));
    }
    carom_recorder recorder = {.self = probe, .event = take_event};
    for (int i = 0; i < probe->n_part; i++)
        if (probe->part[i].column >= 0) recorder.row = take_row; // rows cost time
    return carom_sim_add_recorder(probe->sim, recorder, error);
}

carom_status carom_probe_new(carom_sim *sim, const carom_measure *measure, int n,
                             carom_probe **probe, int *bad, carom_error *error)
{
    CAROM_NEED(error, probe);
    *probe = NULL;
    CAROM_NEED(error, sim);
    CAROM_NEED_ARRAY(error, measure, n);
    for (int i = 0; i < n; i++) CAROM_NEED(error, measure[i].take);
    *probe = calloc(1, sizeof **probe);
    if (!*probe) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    **probe = (carom_probe){.sim = sim, .measure = measure, .n = n};
    const carom_status status = make_gauges(*probe, bad, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_probe_free(*probe);
    *probe = NULL;
    return status;
}

void carom_probe_reset(carom_probe *probe)
{
    for (int i = 0; probe && i < probe->n; i++) probe->value[i] = NAN;
    for (int i = 0; probe && i < probe->n_part; i++) {
        carom_gauge *g = &probe->part[i].gauge;
        *g = (carom_gauge){.asked = g->asked,
                           .contact = g->contact,
                           .event = g->event,
                           .best = probe->kind[probe->part[i].measure]->start};
    }
}

void carom_probe_free(carom_probe *probe)
{
    if (!probe) return;
    free(probe->kind);
    free(probe->value);
    free(probe->part);
    free(probe);
}

// ---- what comes out ----

static double join_values(fold how, double a, double b)
{
    if (isnan(a)) return b;
    if (how == FOLD_SMALLEST) return fmin(a, b);
    return how == FOLD_LARGEST ? fmax(a, b) : a + b;
}

// a run that was stopped by what is not finite has no audit
static carom_audit read_audit(carom_sim *sim)
{
    carom_audit audit = {0};
    carom_error ignored = {0};
    if (carom_sim_audit(sim, &audit, NULL, &ignored) == CAROM_OK) return audit;
    return (carom_audit){.min_gap = NAN,
                         .max_drift = NAN,
                         .residual = NAN,
                         .energy_start = NAN,
                         .energy_end = NAN,
                         .impact_loss = NAN,
                         .friction_loss = NAN,
                         .energy_error = NAN};
}

void carom_probe_finish(carom_probe *probe, bool is_done)
{
    if (!probe) return;
    carom_gauge_run run = {.is_done = is_done, .audit = read_audit(probe->sim)};
    run.counts = carom_sim_counts(probe->sim);
    run.times = carom_sim_times(probe->sim);
    for (int i = 0; i < probe->n; i++)
        if (probe->kind[i]->whole) probe->value[i] = probe->kind[i]->whole(&run);
    for (int i = 0; i < probe->n_part; i++) {
        const part *p = &probe->part[i];
        const kind *k = probe->kind[p->measure];
        const double value = p->gauge.n > 0 || k->event ? k->value(&p->gauge) : NAN;
        probe->value[p->measure] = join_values(k->fold, probe->value[p->measure], value);
    }
}

double carom_probe_value(const carom_probe *probe, int i)
{
    return probe && i >= 0 && i < probe->n ? probe->value[i] : NAN;
}
