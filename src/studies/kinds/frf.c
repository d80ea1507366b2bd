// SPDX-License-Identifier: Apache-2.0
// Frequency response: what is left of a motion after some periods, as harmonics of the period T. Of
// N periods M = 128 samples each are taken, at the same phases,
//
//     c_h = 2/(N M) sum x(t_i) exp(-2 pi i h t_i/T),   amplitude |c_h|,  phase -arg c_h
//
// so that x = mean + sum amplitude_h cos(2 pi h t/T - phase_h), exact to many digits where x is
// smooth.
#include "studies/study_scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 128 };
static const double TURN = 6.283185307179586476925286766559;

// the sums of one column
typedef struct column_sums {
    double cosine[64], sine[64];
    double sum, squares, least, most;
} column_sums;

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    const carom_scan_points *p = &scan->points;
    if (scan->design.n_axis == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a frequency response needs something that varies: --vary w=0.5:2:200");
    CAROM_TRY(carom_columns_read(scan, texts->show, texts->n_show, 1, sim, error));
    CAROM_TRY(carom_scan_add_column(scan, error, "branch"));
    CAROM_TRY(carom_scan_add_column(scan, error, "impacts"));
    for (int k = 0; k < p->n_show; k++) {
        const char *name = carom_sim_column(sim, p->show[k])->name;
        for (int h = 1; h <= p->n_harmonic; h++) {
            char number[16] = "";
            if (h > 1) snprintf(number, sizeof number, "%d", h);
            CAROM_TRY(carom_scan_add_column(scan, error, "amplitude%s(%s)", number, name));
            CAROM_TRY(carom_scan_add_column(scan, error, "phase%s(%s)", number, name));
        }
        CAROM_TRY(carom_scan_add_column(scan, error, "mean(%s)", name));
        CAROM_TRY(carom_scan_add_column(scan, error, "rms(%s)", name));
        CAROM_TRY(carom_scan_add_column(scan, error, "smallest(%s)", name));
        CAROM_TRY(carom_scan_add_column(scan, error, "largest(%s)", name));
    }
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    w->self = calloc((size_t)w->scan->points.n_show + 1, sizeof(column_sums));
    return w->self ? CAROM_OK : carom_scan_no_memory(error);
}

static void add_sample(const carom_worker *w, double turn)
{
    const carom_scan_points *p = &w->scan->points;
    column_sums *sums = w->self;
    for (int k = 0; k < p->n_show; k++) {
        column_sums *s = &sums[k];
        const double x = w->seen[p->show[k]];
        s->sum += x;
        s->squares += x * x;
        s->least = fmin(s->least, x);
        s->most = fmax(s->most, x);
        for (int h = 0; h < p->n_harmonic; h++) {
            s->cosine[h] += x * cos((h + 1) * turn);
            s->sine[h] += x * sin((h + 1) * turn);
        }
    }
}

static carom_status write_row(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    const column_sums *sums = w->self;
    const double n = (double)p->n * SAMPLES;
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    *row++ = w->goes_down ? -1 : 1;
    *row++ = (double)(w->impacts - w->last_impacts) / p->n; // of each period
    for (int k = 0; k < p->n_show; k++) {
        const column_sums *s = &sums[k];
        for (int h = 0; h < p->n_harmonic; h++) {
            *row++ = 2 / n * hypot(s->cosine[h], s->sine[h]);
            *row++ = atan2(s->sine[h], s->cosine[h]);
        }
        *row++ = s->sum / n;
        *row++ = sqrt(s->squares / n);
        *row++ = s->least;
        *row++ = s->most;
    }
    return CAROM_OK;
}

static carom_status work(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    column_sums *sums = w->self;
    for (int i = 0; i <= p->skip; i++) CAROM_TRY(carom_walk_next(w, false, error));
    w->last_impacts = w->impacts;
    memset(sums, 0, sizeof *sums * (size_t)p->n_show);
    for (int k = 0; k < p->n_show; k++) {
        sums[k].least = INFINITY;
        sums[k].most = -INFINITY;
    }
    const double start = p->skip + p->section.phase;
    for (long i = 1; i <= (long)p->n * SAMPLES; i++) {
        const double periods = (double)(i % SAMPLES) / SAMPLES; // turns that are whole are left out
        CAROM_TRY(carom_walk_to(w, (start + (double)i / SAMPLES) * w->period, true, error));
        add_sample(w, TURN * (p->section.phase + periods));
    }
    return write_row(w, error);
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int branch = scan->design.n_axis;
    const carom_picture picture = {
        .x = 0, .first = branch + 2, .n = 2, .branch = branch, .is_line = true};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_frf = {.name = "frf",
                                             .follows = true,
                                             .has_section = true,
                                             .has_period = true,
                                             .skip = 200,
                                             .points = 10,
                                             .prepare = prepare,
                                             .begin = begin,
                                             .work = work,
                                             .draw = draw};
