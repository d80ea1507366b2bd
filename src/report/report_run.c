// SPDX-License-Identifier: Apache-2.0
// One run of a page, as JSON: head, audit, events from strong to weak as far as there is room, then
// in one pass over the rows the envelopes of all columns and the drawing.
#include "report/report_run.h"

#include "report/drawing.h"
#include "report/envelope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 400, OF_GROUP = 40, LEAST_POINTS = 500, MOST_POINTS = 12000 };

/// What the pass over the rows fills.
struct carom_report_run {
    carom_results *results;
    int *column; // (n) the selection: t, then shown ones, then coordinates and rates
    int n, n_shown, n_left_out;
    int first_q, first_u; // in the selection
    carom_buckets buckets;
    carom_envelope envelope;
    carom_frames frames;
    carom_touches touches;
    carom_logged_event *event; // (n_event) from strong to weak
    long n_event;
    long row;
};
typedef carom_report_run pass;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static int add_group(pass *p, const char *group)
{
    const int first = p->n;
    for (int i = 0; i < carom_results_n_column(p->results); i++)
        if (strcmp(carom_results_column(p->results, i)->group, group) == 0) p->column[p->n++] = i;
    return first;
}

// where there are very many columns, the first of each group are shown
static carom_status choose_columns(pass *p, carom_error *error)
{
    const int n = carom_results_n_column(p->results), most = n > MOST_COLUMNS ? OF_GROUP : n;
    const char *group = "";
    int of_group = 0;
    p->column = calloc(3 * (size_t)n + 1, sizeof *p->column);
    if (!p->column) return no_memory(error);
    p->column[p->n++] = carom_results_find(p->results, "t");
    for (int i = 0; i < n; i++) {
        const carom_column *column = carom_results_column(p->results, i);
        if (strcmp(column->group, group) != 0) of_group = 0;
        group = column->group;
        if (i == p->column[0]) continue;
        if (of_group++ < most)
            p->column[p->n++] = i;
        else
            p->n_left_out++;
    }
    p->n_shown = p->n - 1;
    p->first_q = add_group(p, "q");
    p->first_u = add_group(p, "u");
    return CAROM_OK;
}

static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    pass *p = self;
    (void)error;
    for (long r = 0; r < n; r++, p->row++, value += p->n) {
        const bool is_start = p->buckets.starts[p->row] != 0;
        carom_envelope_add(&p->envelope, value[0], value + 1, is_start);
        if (is_start || p->row + 1 == p->buckets.n_row)
            carom_frames_add(&p->frames, value[0], value + p->first_q, value + p->first_u);
    }
    return CAROM_OK;
}

static int by_strength(const void *a, const void *b)
{
    const carom_logged_event *x = a, *y = b;
    if (x->P != y->P) return x->P > y->P ? -1 : 1;
    return x->t < y->t ? -1 : x->t > y->t;
}

static int by_time(const void *a, const void *b)
{
    const carom_logged_event *x = a, *y = b;
    return x->t < y->t ? -1 : x->t > y->t;
}

static void encode_events(carom_encoder *e, carom_logged_event *event, long n, long total)
{
    qsort(event, (size_t)n, sizeof *event, by_time);
    carom_encode_number(e, "events_total", (double)total);
    carom_encode_begin(e, "events", '[');
    for (long i = 0; i < n; i++) {
        carom_encode_begin(e, NULL, '[');
        carom_encode_number(e, NULL, event[i].t);
        carom_encode_text(e, NULL, event[i].contact);
        carom_encode_text(e, NULL, event[i].kind);
        carom_encode_number(e, NULL, event[i].rate_before);
        carom_encode_number(e, NULL, event[i].rate_after);
        carom_encode_number(e, NULL, event[i].P);
        carom_encode_number(e, NULL, event[i].energy_lost);
        carom_encode_end(e, ']');
    }
    carom_encode_end(e, ']');
}

// a page is passed on: it does not tell of the folders of the machine where it was made
static const char *without_root(const char *path)
{
    const char *last = path && path[0] == '/' ? strrchr(path, '/') : NULL;
    return last ? last + 1 : path;
}

// a reason with a path in it is said to who makes the page, not to who reads it
static const char *why_without_paths(const char *why)
{
    return strchr(why, '/') ? "the model could not be made again, carom report said why" : why;
}

static void encode_head(carom_encoder *e, const carom_results *results)
{
    const carom_output_head *head = carom_results_head(results);
    const struct {
        const char *name, *text;
    } row[] = {{"path", without_root(carom_results_path(results))},
               {"model", head->model},
               {"scheme", head->scheme},
               {"solver", head->solver},
               {"version", head->version},
               {"model_path", without_root(head->model_path)},
               {"text", head->model_text},
               {"changes", head->changes},
               {"options", head->options}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        carom_encode_text(e, row[i].name, row[i].text);
    carom_encode_number(e, "step", head->step);
    carom_encode_number(e, "end", head->end);
    carom_encode_number(e, "rows", (double)carom_results_n_row(results));
    carom_encode_switch(e, "whole", carom_results_is_whole(results));
}

// where and when the worst was, and what is warned of
static void encode_findings(carom_encoder *e, const carom_audit *a)
{
    carom_encode_text(e, "min_gap_at", a->min_gap_at);
    carom_encode_number(e, "min_gap_time", a->min_gap_time);
    carom_encode_text(e, "max_drift_at", a->max_drift_at);
    carom_encode_number(e, "max_drift_time", a->max_drift_time);
    carom_encode_text(e, "residual_at", a->residual_at);
    carom_encode_number(e, "residual_time", a->residual_time);
    carom_encode_text(e, "warnings", a->warnings);
}

static void encode_audit(carom_encoder *e, const carom_audit *a)
{
    if (!a) return;
    carom_encode_begin(e, "audit", '{');
    encode_findings(e, a);
    carom_encode_number(e, "min_gap", a->min_gap);
    carom_encode_number(e, "max_drift", a->max_drift);
    carom_encode_number(e, "residual", a->residual);
    carom_encode_number(e, "cone_violation", a->cone_violation);
    carom_encode_number(e, "energy_start", a->energy_start);
    carom_encode_number(e, "energy_end", a->energy_end);
    carom_encode_number(e, "work", a->work);
    carom_encode_number(e, "impact_loss", a->impact_loss);
    carom_encode_number(e, "friction_loss", a->friction_loss);
    carom_encode_number(e, "energy_error", a->energy_error);
    carom_encode_end(e, '}');
}

static void encode_counts(carom_encoder *e, const carom_counts *c)
{
    if (!c) return;
    carom_encode_begin(e, "counts", '{');
    carom_encode_number(e, "steps", (double)c->steps);
    carom_encode_number(e, "impact_steps", (double)c->impact_steps);
    carom_encode_number(e, "contact_steps", (double)c->contact_steps);
    carom_encode_number(e, "events", (double)c->events);
    carom_encode_number(e, "unconverged", (double)c->unconverged);
    carom_encode_number(e, "rejected", (double)c->rejected);
    carom_encode_number(e, "ambiguous", (double)c->ambiguous);
    carom_encode_end(e, '}');
}

static void encode_columns(carom_encoder *e, const pass *p)
{
    const carom_envelope *v = &p->envelope;
    carom_encode_doubles(e, "t", v->t, v->n_point);
    carom_encode_begin(e, "columns", '[');
    for (int i = 0; i < p->n_shown; i++) {
        const carom_column *column = carom_results_column(p->results, p->column[i + 1]);
        carom_encode_begin(e, NULL, '{');
        carom_encode_text(e, "name", column->name);
        carom_encode_text(e, "unit", column->unit);
        carom_encode_text(e, "group", column->group);
        carom_encode_number(e, "offset", v->offset[i]);
        carom_encode_floats(e, "data", v->value + (long)i * v->room, v->n_point);
        carom_encode_end(e, '}');
    }
    carom_encode_end(e, ']');
}

// the strongest events first, in memory of their own
static carom_status sort_events(carom_results *results, carom_logged_event **sorted, long *n,
                                carom_error *error)
{
    const carom_logged_event *event;
    CAROM_TRY(carom_results_events(results, &event, n, error));
    *sorted = malloc(sizeof **sorted * ((size_t)*n + 1));
    if (!*sorted) return no_memory(error);
    if (*n > 0) memcpy(*sorted, event, sizeof **sorted * (size_t)*n);
    qsort(*sorted, (size_t)*n, sizeof **sorted, by_strength);
    return CAROM_OK;
}

// whether a contact has borne anything, as far as its columns are shown
static bool contact_presses(const pass *p, const char *name)
{
    const carom_envelope *v = &p->envelope;
    for (int i = 0; i < p->n_shown; i++) {
        const char *column = carom_results_column(p->results, p->column[i + 1])->name;
        const int n = strncmp(column, "la_", 3) == 0 ? 3 : strncmp(column, "P_", 2) == 0 ? 2 : 0;
        if (n == 0 || strcmp(column + n, name) != 0) continue;
        for (long k = 0; k < v->n_point; k++)
            if (v->value[(long)i * v->room + k] + v->offset[i] > 0) return true;
    }
    return false;
}

static carom_status flatten_frames(pass *p, carom_error *error)
{
    if (!p->frames.model) return CAROM_OK;
    const int n = carom_model_sizes(p->frames.model).n_contact;
    bool *presses = calloc((size_t)n + 1, sizeof *presses);
    if (!presses) return no_memory(error);
    for (int i = 0; i < n; i++) {
        const carom_contact_facts *facts = carom_model_contact(p->frames.model, i);
        presses[i] = facts->place > 0 && contact_presses(p, facts->name);
    }
    const carom_status status = carom_frames_flatten(&p->frames, presses, error);
    free(presses);
    return status;
}

static carom_status fill_envelopes(pass *p, const carom_report_options *options, carom_error *error)
{
    CAROM_TRY(choose_columns(p, error));
    long most = options->most_points / (p->n_shown + 1);
    most = most > MOST_POINTS ? MOST_POINTS : most < LEAST_POINTS ? LEAST_POINTS : most;
    CAROM_TRY(carom_buckets_make(&p->buckets, p->results, most, p->event, p->n_event, error));
    CAROM_TRY(carom_envelope_new(&p->envelope, p->n_shown, p->buckets.n_point, error));
    const carom_frames_source source = {carom_results_head(p->results),
                                        carom_results_run(p->results), options->access};
    CAROM_TRY(carom_frames_open(&p->frames, &source, p->buckets.n_bucket + 1, options->most_frames,
                                error));
    carom_frames_check(&p->frames, p->first_u - p->first_q, p->n - p->first_u);
    const carom_rows_visitor visitor = {p, take_rows};
    CAROM_TRY(carom_results_visit(p->results, p->column, p->n, visitor, error));
    carom_envelope_finish(&p->envelope);
    CAROM_TRY(flatten_frames(p, error));
    const double length =
        p->frames.n_frame > 0 ? p->frames.t[p->frames.n_frame - 1] - p->frames.t[0] : 0;
    const long n_row = carom_results_n_row(p->results);
    const carom_touches_source touches = {.results = p->results,
                                          .spacing = n_row > 1 ? length / (double)(n_row - 1) : 0,
                                          .most = options->most_touches};
    return carom_touches_gather(&p->touches, &p->frames, &touches, error);
}

carom_status carom_report_run_read(carom_results *results, const carom_report_options *options,
                                   carom_report_run **run, carom_error *error)
{
    carom_report_run *p = *run = calloc(1, sizeof *p);
    if (!p) return no_memory(error);
    p->results = results;
    CAROM_TRY(sort_events(results, &p->event, &p->n_event, error));
    return fill_envelopes(p, options, error);
}

bool carom_report_run_is_space(const carom_report_run *run)
{
    return run->frames.model && run->frames.is_space;
}

carom_status carom_report_run_encode(carom_encoder *e, carom_report_run *p,
                                     const carom_report_options *options, carom_report_notes *notes,
                                     carom_error *error)
{
    const long n = p->n_event < options->most_events ? p->n_event : options->most_events;
    *notes = (carom_report_notes){.is_reduced = p->buckets.n_bucket < p->buckets.n_row,
                                  .columns_left_out = p->n_left_out};
    snprintf(notes->no_drawing, sizeof notes->no_drawing, "%s", p->frames.why);
    carom_encode_begin(e, NULL, '{');
    encode_head(e, p->results);
    carom_encode_switch(e, "reduced", notes->is_reduced);
    carom_encode_number(e, "columns_left_out", p->n_left_out);
    carom_encode_text(e, "no_drawing", why_without_paths(p->frames.why));
    encode_audit(e, carom_results_audit(p->results));
    encode_counts(e, carom_results_counts(p->results));
    encode_events(e, p->event, n, p->n_event);
    encode_columns(e, p);
    const carom_status status = carom_drawing_encode(e, &p->frames, &p->touches, error);
    carom_encode_end(e, '}');
    return status;
}

void carom_report_run_free(carom_report_run *run)
{
    if (!run) return;
    carom_touches_free(&run->touches);
    carom_frames_close(&run->frames);
    carom_envelope_free(&run->envelope);
    carom_buckets_free(&run->buckets);
    free(run->event);
    free(run->column);
    free(run);
}
