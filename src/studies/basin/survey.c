// SPDX-License-Identifier: Apache-2.0
// The first look at basins: 64 starts spread over the ranges by Halton's sequence (the inverses of
// i + 1 in the bases 2, 3, 5, ...) are followed one after the other until they settle, and what
// they settle on is put in order. What is found is a function of the study alone: each process of a
// study that is shared does it for itself.
#include "studies/basin/attractors.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 64 };
static const int base[CAROM_SCAN_AXES] = {2,  3,  5,  7,  11, 13, 17, 19,
                                          23, 29, 31, 37, 41, 43, 47, 53};

static double halton(int i, int b)
{
    double x = 0, share = 1;
    for (int left = i + 1; left > 0; left /= b) {
        share /= b;
        x += share * (left % b);
    }
    return x;
}

static void axis_ends(const carom_scan_axis *axis, double *low, double *high)
{
    *low = axis->value ? INFINITY : axis->low;
    *high = axis->value ? -INFINITY : axis->high;
    for (int i = 0; axis->value && i < axis->n; i++) {
        *low = fmin(*low, axis->value[i]);
        *high = fmax(*high, axis->value[i]);
    }
}

static carom_status begin_start(carom_worker *w, int i, carom_error *error)
{
    for (int k = 0; k < w->scan->design.n_axis; k++) {
        double low, high;
        axis_ends(&w->scan->design.axis[k], &low, &high);
        w->axis[k] = low + halton(i, base[k]) * (high - low);
    }
    return carom_worker_begin(w, NULL, error);
}

static int compare_points(const carom_scan *scan, const double *a, const double *b)
{
    for (int i = 0; i < scan->points.n_show; i++)
        if (fabs(a[i] - b[i]) > scan->points.match * scan->attractors->scale[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

int carom_attractor_compare(const carom_attractor *a, const carom_attractor *b)
{
    if (a->period != b->period) return a->period < b->period ? -1 : 1;
    if (a->impacts != b->impacts) return a->impacts < b->impacts ? -1 : 1;
    return 0;
}

static int compare(const carom_scan *scan, const carom_attractor *a, const carom_attractor *b)
{
    const int order = carom_attractor_compare(a, b);
    return order || a->period == 0 ? order : compare_points(scan, a->point, b->point);
}

// puts an attractor where it belongs, unless it is there
static carom_status take(carom_scan *scan, const carom_attractor *found, carom_error *error)
{
    carom_attractors *all = scan->attractors;
    const size_t n = (size_t)found->period * (size_t)scan->points.n_show;
    int at = 0;
    while (at < all->n && compare(scan, &all->item[at], found) < 0) at++;
    if (at < all->n && compare(scan, &all->item[at], found) == 0) return CAROM_OK;
    if (!carom_grow(&all->item, sizeof *all->item, (size_t)all->n + 1))
        return carom_scan_no_memory(error);
    double *point = CAROM_TAKE(scan->arena, double, n + 1);
    if (!point) return carom_scan_no_memory(error);
    if (n > 0) memcpy(point, found->point, sizeof *point * n);
    memmove(&all->item[at + 1], &all->item[at], sizeof *all->item * (size_t)(all->n - at));
    all->item[at] = (carom_attractor){found->period, found->impacts, point};
    all->n++;
    return CAROM_OK;
}

// what the starts span; those of which a run is refused are left out
static carom_status look_at_starts(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    carom_attractors *all = w->scan->attractors;
    for (int i = 0; i < STARTS; i++) {
        if (begin_start(w, i, NULL) != CAROM_OK) continue;
        CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
        for (int k = 0; k < p->n_show; k++) {
            const double y = w->seen[p->show[k]];
            if (!isfinite(y)) continue;
            all->low[k] = fmin(all->low[k], y);
            all->high[k] = fmax(all->high[k], y);
            all->reach[k] = fmax(all->reach[k], fabs(y));
        }
    }
    for (int k = 0; k < p->n_show; k++) {
        if (!(all->low[k] <= all->high[k])) all->low[k] = all->high[k] = 0;
        const double range = all->high[k] - all->low[k];
        all->scale[k] = range > 0 ? range : all->reach[k] > 0 ? all->reach[k] : 1;
    }
    return CAROM_OK;
}

static carom_status look(carom_scan *scan, carom_worker *w, const carom_scan_work *work,
                         carom_error *error)
{
    carom_basin_walk *walk = w->self;
    CAROM_TRY(look_at_starts(w, error));
    for (int i = 0; i < STARTS; i++) {
        carom_basin_end end;
        carom_error why = {0};
        if (carom_scan_is_stop_wanted(scan, work)) return CAROM_OK;
        const int n = scan->attractors->n;
        scan->attractors->n = 0; // each goes its whole way, whatever was found before
        carom_status status = begin_start(w, i, &why);
        if (status == CAROM_OK) status = carom_basin_follow(w, walk, scan->attractors, &end, &why);
        scan->attractors->n = n;
        if (status == CAROM_NO_MEMORY) return carom_scan_no_memory(error);
        if (status == CAROM_OK && end.has_settled) CAROM_TRY(take(scan, &end.on, error));
    }
    return CAROM_OK;
}

void carom_attractors_free(carom_attractors *attractors)
{
    if (attractors) free(attractors->item);
}

carom_status carom_basin_survey(carom_scan *scan, const carom_scan_work *work, carom_error *error)
{
    carom_worker *worker = NULL;
    const int n = scan->points.n_show;
    carom_attractors *all = scan->attractors = CAROM_TAKE(scan->arena, carom_attractors, 1);
    double *numbers = CAROM_TAKE(scan->arena, double, 4 * n);
    if (!all || !numbers) return carom_scan_no_memory(error);
    *all = (carom_attractors){
        .low = numbers, .high = numbers + n, .scale = numbers + 2 * n, .reach = numbers + 3 * n};
    for (int k = 0; k < n; k++) {
        all->low[k] = INFINITY;
        all->high[k] = -INFINITY;
        all->reach[k] = 0;
    }
    CAROM_TRY(carom_worker_new(scan, &worker, error));
    const carom_status status = look(scan, worker, work, error);
    carom_worker_free(worker);
    return status;
}
