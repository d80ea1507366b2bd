// SPDX-License-Identifier: Apache-2.0
// A periodic orbit, stable or not, for each unit: the motion settles for a while, then Newton's
// method finds the point of the section that comes again (orbits/shooting.c). One row: the orbit,
// its multipliers by decreasing modulus, and how it changes with parameters.
#include "studies/orbits/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct orbit_work {
    carom_map *map;
    carom_orbit *orbit;
} orbit_work;

static carom_status add_state(carom_scan *scan, const char *format, const char *of,
                              carom_error *error)
{
    for (int i = 0; i < scan->size.nu; i++) {
        const char *velocity = carom_model_velocity_name(scan->model, i);
        char name[256];
        if (sscanf(velocity, "der(%255[^)])", name) != 1)
            snprintf(name, sizeof name, "turn(%.200s)", velocity);
        CAROM_TRY(carom_scan_add_column(scan, error, format, name, of));
    }
    for (int i = 0; i < scan->size.nu; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, format,
                                        carom_model_velocity_name(scan->model, i), of));
    return CAROM_OK;
}

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    static const char *const head[] = {"period",  "residual", "passes",
                                       "impacts", "stable",   "dimension"};
    (void)texts;
    (void)sim;
    if (scan->points.section.kind == CAROM_SECTION_EVENT && scan->points.section.is_before)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an orbit starts behind its event: take event=...:after");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", head[i]));
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
    for (int i = 0; i < scan->tangent.n_shift; i++)
        if (scan->tangent.shift[i].is_free)
            CAROM_TRY(carom_scan_add_column(
                scan, error, "shift(%s)",
                carom_model_velocity_name(scan->model, scan->tangent.shift[i].velocity)));
    for (int i = 0; i < scan->tangent.n_by; i++) {
        CAROM_TRY(carom_scan_add_column(scan, error, "d(period)/d(%s)", scan->tangent.by[i]));
        CAROM_TRY(add_state(scan, "d(%s)/d(%s)", scan->tangent.by[i], error));
    }
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    orbit_work *it = w->self = calloc(1, sizeof *it);
    if (!it) return carom_scan_no_memory(error);
    CAROM_TRY(carom_map_new(w, &it->map, error));
    it->orbit = carom_orbit_new(it->map, error);
    return it->orbit ? CAROM_OK : CAROM_NO_MEMORY;
}

static void end(carom_worker *w)
{
    orbit_work *it = w->self;
    if (!it) return;
    carom_orbit_free(it->orbit);
    carom_map_free(it->map);
}

static carom_status write_row(carom_worker *w, carom_error *error)
{
    const orbit_work *it = w->self;
    const carom_map *m = it->map;
    const carom_orbit *o = it->orbit;
    const carom_scan_tangent *asked = &w->scan->tangent;
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    *row++ = o->period;
    *row++ = o->residual;
    *row++ = o->passes;
    *row++ = (double)m->impacts;
    *row++ = o->stable;
    *row++ = o->d;
    for (int i = 0; i < m->nq; i++) *row++ = m->q0[i];
    for (int i = 0; i < m->nu; i++) *row++ = m->u0[i];
    for (int i = 0; i < m->n; i++) {
        *row++ = i < o->d ? o->real[i] : NAN;
        *row++ = i < o->d ? o->imaginary[i] : NAN;
    }
    for (int i = 0; i < asked->n_shift; i++)
        if (asked->shift[i].is_free) *row++ = o->shift[i];
    for (int j = 0; j < m->n_by; j++) {
        *row++ = o->period_by[j];
        for (int i = 0; i < m->n; i++) *row++ = o->x_by[j * m->n + i];
    }
    return CAROM_OK;
}

static carom_status work(carom_worker *w, carom_error *error)
{
    orbit_work *it = w->self;
    CAROM_TRY(carom_map_check(w, error));
    const int skip = w->scan->points.skip;
    const bool is_periodic = w->scan->points.section.kind == CAROM_SECTION_PERIOD;
    // an orbit of a section by events starts on it
    const int n = is_periodic ? skip + 1 : skip > 0 ? skip : 1;
    for (int i = 0; i < n; i++) {
        const double before = carom_sim_state(w->sim)->t;
        CAROM_TRY(carom_walk_next(w, false, error));
        it->map->t1 = carom_sim_state(w->sim)->t - before;
    }
    carom_map_take_start(it->map);
    CAROM_TRY(carom_orbit_find(it->map, it->orbit, error));
    return write_row(w, error);
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int n = scan->design.n_axis, first = n + 6;
    const carom_picture picture = {
        .x = n > 0 ? 0 : first, .first = first + (n == 0), .n = 1, .branch = -1};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_orbit = {.name = "orbit",
                                               .has_section = true,
                                               .is_varied = true,
                                               .skip = 50,
                                               .points = 1,
                                               .prepare = prepare,
                                               .begin = begin,
                                               .end = end,
                                               .work = work,
                                               .draw = draw};
