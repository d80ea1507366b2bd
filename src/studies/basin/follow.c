// SPDX-License-Identifier: Apache-2.0
// One start is followed from point to point of the section until it is known where it ends.
#include "studies/basin/attractors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIL = CAROM_CYCLE_MOST * 4, IN_A_ROW = 3 };
static const double settled = 1e-3, away = 1e3; // of match; of the farthest start
static const double as_long = 1e-3;

carom_basin_walk *carom_basin_walk_new(const carom_scan *scan)
{
    const size_t n_show = (size_t)scan->points.n_show;
    const size_t n = scan->attractors ? (size_t)scan->attractors->n : 0;
    const size_t numbers = (TRAIL + CAROM_CYCLE_MOST) * n_show;
    carom_basin_walk *walk =
        calloc(1, sizeof *walk + numbers * sizeof(double) + 2 * (n + 1) * sizeof(int));
    if (!walk) return NULL;
    walk->trail = (double *)(walk + 1);
    walk->cycle = walk->trail + TRAIL * n_show;
    walk->place = (int *)(walk->trail + numbers);
    walk->in_a_row = walk->place + n;
    return walk;
}

static double *point_of(const carom_scan *scan, carom_basin_walk *walk, long k)
{
    return walk->trail + (size_t)(k % TRAIL) * (size_t)scan->points.n_show;
}

static bool is_near(const carom_scan *scan, const double *a, const double *b, double share)
{
    for (int i = 0; i < scan->points.n_show; i++)
        if (!(fabs(a[i] - b[i]) <= share * scan->attractors->scale[i])) return false;
    return true;
}

// the attractor that the last points have followed, from 1; 0 = none
static int follow_attractors(const carom_scan *scan, carom_basin_walk *walk, const double *y)
{
    const double match = scan->points.match;
    for (int a = 0; a < scan->attractors->n; a++) {
        const carom_attractor *on = &scan->attractors->item[a];
        if (on->period == 0) continue;
        const int next = walk->in_a_row[a] > 0 ? (walk->place[a] + 1) % on->period : -1;
        int at = -1;
        for (int j = 0; j < on->period && at < 0; j++) {
            const int tried = next >= 0 ? (next + j) % on->period : j;
            if (is_near(scan, y, on->point + tried * scan->points.n_show, match)) at = tried;
        }
        walk->in_a_row[a] = at < 0 ? 0 : at == next ? walk->in_a_row[a] + 1 : 1;
        walk->place[a] = at;
        if (walk->in_a_row[a] >= IN_A_ROW) return a + 1;
    }
    return 0;
}

static double time_between(const carom_basin_walk *walk, long k)
{
    return walk->trail_time[k % TRAIL] - walk->trail_time[(k - 1) % TRAIL];
}

// the times before points k and k - p are the same: impacts that accumulate come ever faster
static bool is_as_long(const carom_basin_walk *walk, long k, int p)
{
    const double now = time_between(walk, k), then = time_between(walk, k - p);
    return fabs(now - then) <= as_long * now;
}

// the number of points after which the last ones repeat, k + 1 of which there are; 0 = they do not
static int find_cycle(const carom_scan *scan, carom_basin_walk *walk, long k)
{
    const double share = settled * scan->points.match;
    for (int p = 1; p <= CAROM_CYCLE_MOST && 3 * p <= k; p++) {
        const int n = 2 * p > IN_A_ROW ? 2 * p : IN_A_ROW;
        int i = 0;
        while (i < n && i + p < k && is_as_long(walk, k - i, p) &&
               is_near(scan, point_of(scan, walk, k - i), point_of(scan, walk, k - i - p), share))
            i++;
        if (i == n) return p;
    }
    return 0;
}

// the cycle's points, from the one whose first column is smallest
static void take_cycle(const carom_scan *scan, carom_basin_walk *walk, long k, carom_basin_end *end)
{
    const int p = end->on.period, n_show = scan->points.n_show;
    long first = k;
    for (long i = k - p + 1; i < k; i++)
        if (*point_of(scan, walk, i) < *point_of(scan, walk, first)) first = i;
    for (int i = 0; i < p; i++) {
        const long from = first + i > k ? first + i - p : first + i;
        memcpy(walk->cycle + (size_t)i * (size_t)n_show, point_of(scan, walk, from),
               sizeof(double) * (size_t)n_show);
    }
    end->on.point = walk->cycle;
    end->on.impacts =
        (double)(walk->trail_impacts[k % TRAIL] - walk->trail_impacts[(k - p) % TRAIL]);
}

static void widen(const carom_scan *scan, carom_attractors *bounds, const double *y)
{
    for (int i = 0; i < scan->points.n_show; i++) {
        bounds->low[i] = fmin(bounds->low[i], y[i]);
        bounds->high[i] = fmax(bounds->high[i], y[i]);
        const double range = bounds->high[i] - bounds->low[i];
        const double size = fmax(fabs(bounds->low[i]), fabs(bounds->high[i]));
        bounds->scale[i] = range > 0 ? range : size > 0 ? size : 1;
    }
}

static bool is_away(const carom_scan *scan, const double *y)
{
    for (int i = 0; i < scan->points.n_show; i++) {
        const double reach = scan->attractors->reach[i];
        if (!(fabs(y[i]) <= (reach > 0 ? away * reach : INFINITY))) return true;
    }
    return false;
}

// whether it is over at point k
static bool is_over(const carom_scan *scan, carom_basin_walk *walk, long k, carom_basin_end *end)
{
    const double *y = point_of(scan, walk, k);
    end->points = k + 1;
    if (is_away(scan, y)) {
        end->label = -1;
        return true;
    }
    end->label = follow_attractors(scan, walk, y);
    if (end->label > 0) {
        end->on = scan->attractors->item[end->label - 1];
        return end->has_settled = true;
    }
    end->on.period = find_cycle(scan, walk, k);
    if (end->on.period == 0) return false;
    take_cycle(scan, walk, k, end);
    return end->has_settled = true;
}

// the attractor without points, from 1; 0 = none had been found
static int find_rest(const carom_attractors *all)
{
    return all->n > 0 && all->item[0].period == 0 ? 1 : 0;
}

carom_status carom_basin_follow(carom_worker *w, carom_basin_walk *walk, carom_attractors *bounds,
                                carom_basin_end *end, carom_error *error)
{
    const carom_scan *scan = w->scan;
    const carom_scan_points *p = &scan->points;
    *end = (carom_basin_end){0};
    memset(walk->in_a_row, 0, sizeof(int) * (size_t)scan->attractors->n);
    for (long k = 0; k < p->n; k++) {
        const carom_status status = carom_walk_next(w, true, error);
        if (status != CAROM_OK && w->has_no_more) { // it rests as far as the section sees
            end->points = k;
            end->label = find_rest(scan->attractors);
            end->has_settled = true;
            return CAROM_OK;
        }
        CAROM_TRY(status);
        double *y = point_of(scan, walk, k);
        for (int i = 0; i < p->n_show; i++) y[i] = w->seen[p->show[i]];
        walk->trail_impacts[k % TRAIL] = w->impacts;
        walk->trail_time[k % TRAIL] = carom_sim_state(w->sim)->t;
        if (bounds && !is_away(scan, y)) widen(scan, bounds, y);
        if (is_over(scan, walk, k, end)) return CAROM_OK;
    }
    return CAROM_OK;
}
