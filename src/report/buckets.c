// SPDX-License-Identifier: Apache-2.0
// Buckets of rows. Beside the windows around impacts, where every row counts, the share of a row is
//
//     1/2 (1/rows) + 1/2 (its step)/(duration)
//
// so that both long smooth phases and crowded short ones (adaptive steps) get their points.
#include "report/buckets.h"

#include <math.h>
#include <stdlib.h>

enum { WINDOW = 24 }; // rows on each side of an impact

typedef struct times {
    double *t;
    long n;
} times;

static carom_status take_times(void *self, const double *value, long n, carom_error *error)
{
    times *all = self;
    (void)error;
    for (long i = 0; i < n; i++) all->t[all->n++] = value[i];
    return CAROM_OK;
}

// the first row at or after t
static long find_row(const times *all, double t)
{
    long low = 0, high = all->n;
    while (low < high) {
        const long middle = low + (high - low) / 2;
        if (all->t[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// marks the rows near an event as single (2); returns how many are new
static long mark_window(unsigned char *mark, long n, long row)
{
    long count = 0;
    for (long i = row - WINDOW; i <= row + WINDOW; i++) {
        if (i < 0 || i >= n || mark[i] == 2) continue;
        mark[i] = 2;
        count++;
    }
    return count;
}

// where buckets start outside the windows
static void split(carom_buckets *b, const times *all, long n_wanted)
{
    const double duration = all->t[all->n - 1] - all->t[0];
    double share = 0;
    long last = -1;
    for (long i = 0; i < all->n; i++) {
        const bool is_single = b->starts[i] == 2, was_single = i > 0 && b->starts[i - 1] == 2;
        const double step = i > 0 ? all->t[i] - all->t[i - 1] : 0;
        share += 0.5 / (double)all->n + (duration > 0 && step > 0 ? 0.5 * step / duration : 0);
        const long at = (long)(share * (double)n_wanted);
        if (!is_single) b->starts[i] = at != last || was_single;
        last = at;
    }
}

static void count_buckets(carom_buckets *b)
{
    for (long i = 0; i < b->n_row; i++) {
        const bool is_single = i + 1 == b->n_row || b->starts[i + 1];
        if (!b->starts[i]) continue;
        b->starts[i] = 1;
        b->n_bucket++;
        b->n_point += is_single ? 1 : 2;
    }
}

static void divide(carom_buckets *b, const times *all, long most, const carom_logged_event *event,
                   long n_event)
{
    long n_single = 0;
    for (long i = 0; i < n_event && n_single + 2 * WINDOW + 1 < most / 3; i++)
        n_single += mark_window(b->starts, b->n_row, find_row(all, event[i].t));
    // the first and the last row stand alone: the axis ends there
    b->starts[0] = b->starts[b->n_row - 1] = 2;
    split(b, all, (most - n_single) / 2);
}

carom_status carom_buckets_make(carom_buckets *buckets, carom_results *results, long most_point,
                                const carom_logged_event *event, long n_event, carom_error *error)
{
    const int column = carom_results_find(results, "t");
    const long n = carom_results_n_row(results);
    *buckets = (carom_buckets){.n_row = n, .starts = calloc((size_t)n + 1, 1)};
    times all = {.t = malloc(sizeof(double) * ((size_t)n + 1))};
    carom_status status =
        buckets->starts && all.t ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK && n > most_point) {
        const carom_rows_visitor visitor = {&all, take_times};
        status = carom_results_visit(results, &column, 1, visitor, error);
        if (status == CAROM_OK) divide(buckets, &all, most_point, event, n_event);
    } else if (status == CAROM_OK) {
        for (long i = 0; i < n; i++) buckets->starts[i] = 1;
    }
    free(all.t);
    if (status == CAROM_OK) count_buckets(buckets);
    return status;
}

void carom_buckets_free(carom_buckets *buckets)
{
    free(buckets->starts);
}
