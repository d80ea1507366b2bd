// SPDX-License-Identifier: Apache-2.0
// A branch of periodic orbits along a parameter, stable or not, with its special points: one row
// for each point, up from the start and then down from it. Column `point`: 0, or what it is,
//
//     1 fold         2 doubling     3 torus       4 another branch crosses   5 grazing
//     6 it ends      7 stop-touch   8 slip-touch  9 release-touch            10 corner
//     11 an impact comes upon the section
#include "studies/orbits/branch.h"

#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>

typedef struct continuation {
    carom_worker *w;
    carom_branch *branch;
} continuation;

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    static const char *const tail[] = {
        "s", "period", "stable", "point", "impacts", "dimension", "largest_multiplier"};
    (void)texts;
    (void)sim;
    if (scan->points.section.kind == CAROM_SECTION_EVENT && scan->points.section.is_before)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an orbit starts behind its event: take event=...:after");
    CAROM_TRY(carom_scan_add_column(scan, error, "%s", scan->tangent.along.name));
    CAROM_TRY(carom_scan_add_column(scan, error, "way"));
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", tail[i]));
    for (int i = 0; i < scan->size.nq; i++)
        CAROM_TRY(
            carom_scan_add_column(scan, error, "%s", carom_model_coordinate_name(scan->model, i)));
    for (int i = 0; i < scan->size.nu; i++)
        CAROM_TRY(
            carom_scan_add_column(scan, error, "%s", carom_model_velocity_name(scan->model, i)));
    for (int i = 1; i <= 2 * scan->size.nu; i++) {
        CAROM_TRY(carom_scan_add_column(scan, error, "re%d", i));
        CAROM_TRY(carom_scan_add_column(scan, error, "im%d", i));
    }
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    continuation *it = w->self = calloc(1, sizeof *it);
    if (!it) return carom_scan_no_memory(error);
    it->w = w;
    return carom_branch_new(w, &it->branch, error);
}

static void end(carom_worker *w)
{
    continuation *it = w->self;
    if (it) carom_branch_free(it->branch);
}

static carom_status write_point(void *self, const carom_branch_point *point, int way,
                                carom_error *error)
{
    continuation *it = self;
    const carom_map *m = it->branch->map;
    double *row = carom_worker_row(it->w);
    if (!row) return carom_scan_no_memory(error);
    *row++ = point->p;
    *row++ = way;
    *row++ = way < 0 ? -point->s : point->s;
    *row++ = point->period;
    *row++ = point->stable;
    *row++ = point->special;
    *row++ = (double)point->impacts;
    *row++ = point->d;
    *row++ = point->d > 0 ? hypot(point->real[0], point->imaginary[0]) : 0;
    for (int i = 0; i < m->nq; i++) *row++ = point->q[i];
    for (int i = 0; i < m->nu; i++) *row++ = point->u[i];
    for (int i = 0; i < m->n; i++) {
        *row++ = i < point->d ? point->real[i] : NAN;
        *row++ = i < point->d ? point->imaginary[i] : NAN;
    }
    return CAROM_OK;
}

static carom_status work(carom_worker *w, carom_error *error)
{
    continuation *it = w->self;
    carom_map *m = it->branch->map;
    const carom_scan_points *p = &w->scan->points;
    CAROM_TRY(carom_map_check(w, error));
    const bool is_periodic = p->section.kind == CAROM_SECTION_PERIOD;
    const int n = is_periodic ? p->skip + 1 : p->skip > 0 ? p->skip : 1;
    for (int i = 0; i < n; i++) {
        const double before = carom_sim_state(w->sim)->t;
        CAROM_TRY(carom_walk_next(w, false, error));
        m->t1 = carom_sim_state(w->sim)->t - before;
    }
    carom_map_take_start(m);
    return carom_branch_follow(it->branch, write_point, it, error);
}

const carom_scan_kind carom_scan_kind_continue = {.name = "continue",
                                                  .has_section = true,
                                                  .is_varied = true,
                                                  .continues = true,
                                                  .skip = 50,
                                                  .points = 1,
                                                  .prepare = prepare,
                                                  .begin = begin,
                                                  .end = end,
                                                  .work = work,
                                                  .draw = carom_branch_draw};
