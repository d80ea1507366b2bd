// SPDX-License-Identifier: Apache-2.0
// Envelopes. A bucket of several rows becomes two points, at a quarter and three quarters of its
// time: the lowest and the highest value of each column, in the order in which they came. Values
// are single precision over an offset, the first finite value of a column that starts far from 0.
#include "report/envelope.h"

#include <math.h>
#include <stdlib.h>

carom_status carom_envelope_new(carom_envelope *envelope, int n_column, long n_point,
                                carom_error *error)
{
    const size_t n = (size_t)n_column, room = (size_t)n_point + 1;
    *envelope = (carom_envelope){.n_column = n_column, .room = (long)room};
    envelope->t = malloc(sizeof(double) * room);
    envelope->value = malloc(sizeof(float) * room * (n + 1));
    envelope->offset = calloc(n + 1, sizeof(double));
    envelope->low = malloc(sizeof(double) * (n + 1));
    envelope->high = malloc(sizeof(double) * (n + 1));
    envelope->high_first = calloc(n + 1, 1);
    if (envelope->t && envelope->value && envelope->offset && envelope->low && envelope->high &&
        envelope->high_first)
        return CAROM_OK;
    carom_envelope_free(envelope);
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

void carom_envelope_free(carom_envelope *envelope)
{
    free(envelope->t);
    free(envelope->value);
    free(envelope->offset);
    free(envelope->low);
    free(envelope->high);
    free(envelope->high_first);
    *envelope = (carom_envelope){0};
}

// adds a point with the lower or the higher values, whichever comes first or second
static void add_point(carom_envelope *e, double t, bool is_second)
{
    if (e->n_point == e->room) return;
    for (int i = 0; i < e->n_column; i++) {
        const bool takes_high = (e->high_first[i] != 0) != is_second;
        const double value = takes_high ? e->high[i] : e->low[i];
        e->value[(long)i * e->room + e->n_point] = (float)(value - e->offset[i]);
    }
    e->t[e->n_point++] = t;
}

static void end_bucket(carom_envelope *e)
{
    if (e->n_in == 0) return;
    const double length = e->t_last - e->t_first;
    if (e->n_in == 1) {
        add_point(e, e->t_first, false);
    } else {
        add_point(e, e->t_first + 0.25 * length, false);
        add_point(e, e->t_first + 0.75 * length, true);
    }
    e->n_in = 0;
}

void carom_envelope_add(carom_envelope *envelope, double t, const double *value, bool is_start)
{
    carom_envelope *e = envelope;
    const bool is_first_row = e->n_point == 0 && e->n_in == 0;
    if (is_start) end_bucket(e);
    if (e->n_in == 0) e->t_first = t;
    for (int i = 0; i < e->n_column; i++) {
        const double x = isfinite(value[i]) ? value[i] : NAN;
        if (is_first_row && isfinite(x) && fabs(x) > 100) e->offset[i] = x;
        if (e->n_in == 0 || isnan(e->low[i])) {
            e->low[i] = e->high[i] = x;
            e->high_first[i] = 0;
        } else if (x < e->low[i]) {
            e->low[i] = x;
            e->high_first[i] = 1;
        } else if (x > e->high[i]) {
            e->high[i] = x;
            e->high_first[i] = 0;
        }
    }
    e->t_last = t;
    e->n_in++;
}

void carom_envelope_finish(carom_envelope *envelope)
{
    end_bucket(envelope);
}
