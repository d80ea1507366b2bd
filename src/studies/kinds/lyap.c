// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents: k columns follow the motion, and become orthonormal again behind each step
// and each point of the section (tangent/part_columns.c),
//
//     Z Q_i = Q_i+1 R_i+1,     exponent_j = sum ln R_jj / time
//
// They begin in directions of no special kind, so that the first exponent is the largest one. The
// error is that of the mean over 20 batches of points, widened where neighbours are alike. A
// direction that is lost (a contact that closes or sticks) has the exponent -infinity. All of them
// together must shrink volumes as the flow and the impacts do,
//
//     sum = (integral tr(M^-1 f_u) dt + sum ln e^2)/time
//
// which is checked to 1e-6 where it is known: without friction and closed contacts.
#include "studies/orbits/batches.h"
#include "studies/orbits/map.h"
#include "studies/orbits/pair.h"

#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = CAROM_BATCHES };
static const double sum_share = 1e-6, most_grazes = 1e-3;

typedef struct lyap_work {
    int n, k;            // numbers of a state, columns
    double *Q;           // (n k) directions to begin with
    double *sum, *batch; // (k), (k BATCHES)
    carom_pair *pair;    // instead of all of them
} lyap_work;

static int count_columns(const carom_scan *scan)
{
    const int n = 2 * scan->size.nu, asked = scan->tangent.n_exponent;
    return asked > 0 && asked < n ? asked : n;
}

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    static const char *const tail[] = {"sum", "sum_rule", "impacts_per_second", "slowest_impact",
                                       "seconds"};
    (void)texts;
    if (scan->points.n < BATCHES)
        return carom_fail(error, CAROM_BAD_INPUT, "exponents need at least %d points", BATCHES);
    if (scan->tangent.is_pair) return carom_pair_prepare(scan, sim, error);
    for (int i = 1; i <= count_columns(scan); i++) {
        CAROM_TRY(carom_scan_add_column(scan, error, "l%d", i));
        CAROM_TRY(carom_scan_add_column(scan, error, "error%d", i));
        CAROM_TRY(carom_scan_add_column(scan, error, "section%d", i));
    }
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", tail[i]));
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    lyap_work *it = w->self = calloc(1, sizeof *it);
    if (!it) return carom_scan_no_memory(error);
    if (w->scan->tangent.is_pair) return carom_pair_new(w, &it->pair, error);
    it->n = 2 * w->scan->size.nu;
    it->k = count_columns(w->scan);
    const size_t n = (size_t)it->n, k = (size_t)it->k;
    it->Q = calloc(n * k, sizeof(double));
    it->sum = calloc(k, sizeof(double));
    it->batch = calloc(k * BATCHES, sizeof(double));
    return it->Q && it->sum && it->batch ? CAROM_OK : carom_scan_no_memory(error);
}

static void end(carom_worker *w)
{
    lyap_work *it = w->self;
    if (!it) return;
    carom_pair_free(it->pair);
    free(it->Q);
    free(it->sum);
    free(it->batch);
}

// ---- columns ----

// directions of no special kind, the same ones for each unit
static carom_status begin_columns(carom_worker *w, lyap_work *it, carom_error *error)
{
    carom_tangent *t = w->sim->until.tangent;
    carom_change *change = calloc((size_t)it->k, sizeof *change);
    if (!change) return carom_scan_no_memory(error);
    for (int i = 0; i < it->n * it->k; i++) it->Q[i] = sin(1 + 12.9898 * i + 0.618 * i * i);
    for (int j = 0; j < it->k; j++)
        change[j] = (carom_change){it->Q + j * it->n, it->Q + j * it->n + it->n / 2, -1};
    const carom_status status = carom_sim_vary(w->sim, change, it->k, error);
    free(change);
    t->has_trace = t->keeps_apart = t->takes_grazes = true;
    return status;
}

// to the next point; growth of the columns since the one before
static carom_status step(carom_worker *w, carom_error *error)
{
    carom_tangent *t = w->sim->until.tangent;
    memset(t->growth, 0, sizeof *t->growth * (size_t)t->v->n);
    CAROM_TRY(carom_walk_next(w, false, error));
    if (t->refusal[0]) return carom_fail(error, CAROM_BAD_INPUT, "%s", t->refusal);
    carom_tangent_part(t);
    return CAROM_OK;
}

// ---- sums ----

static carom_status check_sum(double sum, double rule, carom_error *error)
{
    if (isnan(rule) || fabs(sum - rule) <= sum_share * fmax(fabs(rule), 1e-3)) return CAROM_OK;
    return carom_fail(
        error, CAROM_NOT_CONVERGED,
        "the exponents add up to %.9g, but flow and impacts shrink volumes with %.9g: "
        "the tolerance is too large",
        sum, rule);
}

static carom_status write_row(carom_worker *w, lyap_work *it, double seconds, carom_error *error)
{
    const carom_tangent *t = w->sim->until.tangent;
    const int n = w->scan->points.n;
    double total = 0;
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    for (int j = 0; j < it->k; j++) {
        *row++ = it->sum[j] / seconds;
        *row++ = isfinite(it->sum[j])
                     ? carom_batch_error(it->batch + j * BATCHES) * BATCHES / seconds
                     : NAN;
        *row++ = it->sum[j] / n;
        total += it->sum[j] / seconds;
    }
    const double rule = it->k < it->n ? NAN : (t->trace + t->log_det) / seconds;
    *row++ = total;
    *row++ = rule;
    *row++ = (double)t->impacts / seconds;
    *row++ = isfinite(t->slowest) ? t->slowest : NAN;
    *row = seconds;
    if ((double)t->grazes > most_grazes * (double)t->impacts)
        return carom_fail(error, CAROM_NOT_CONVERGED,
                          "%ld of %ld impacts graze (slower than 1e-6 of the contact's fastest): "
                          "exponents of such a motion mean nothing",
                          t->grazes, t->impacts);
    return check_sum(total, rule, error);
}

static carom_status work(carom_worker *w, carom_error *error)
{
    lyap_work *it = w->self;
    const carom_scan_points *p = &w->scan->points;
    if (it->pair) return carom_pair_work(it->pair, error);
    memset(it->sum, 0, sizeof(double) * (size_t)it->k);
    memset(it->batch, 0, sizeof(double) * (size_t)(it->k * BATCHES));
    w->sim->s.error = error;
    for (int i = 0; i < p->skip; i++) {
        if (i == p->skip / 2) CAROM_TRY(begin_columns(w, it, error));
        CAROM_TRY(i < p->skip / 2 ? carom_walk_next(w, false, error) : step(w, error));
    }
    if (p->skip == 0) CAROM_TRY(begin_columns(w, it, error));
    carom_tangent *t = w->sim->until.tangent;
    t->trace = t->log_det = 0;
    t->impacts = t->grazes = 0;
    const double start = carom_sim_state(w->sim)->t;
    for (int i = 0; i < p->n; i++) {
        CAROM_TRY(step(w, error));
        const int batch = (int)((long)i * BATCHES / p->n);
        for (int j = 0; j < it->k; j++) {
            it->sum[j] += t->growth[j];
            it->batch[j * BATCHES + batch] += t->growth[j];
        }
    }
    return write_row(w, it, carom_sim_state(w->sim)->t - start, error);
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int n = scan->design.n_axis;
    const carom_picture picture = {
        .x = 0, .first = n, .n = n > 0 ? 1 : 0, .branch = -1, .is_line = true};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_lyap = {.name = "lyap",
                                              .has_section = true,
                                              .is_varied = true,
                                              .has_exponents = true,
                                              .skip = 500,
                                              .points = 10000,
                                              .prepare = prepare,
                                              .begin = begin,
                                              .end = end,
                                              .work = work,
                                              .draw = draw};
