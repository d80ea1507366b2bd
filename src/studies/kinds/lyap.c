// SPDX-License-Identifier: Apache-2.0
// Lyapunov exponents: k columns follow the motion, and become orthonormal again at each point of
// the section,
//
//     Z Q_i = Q_i+1 R_i+1,     exponent_j = sum ln R_jj / time
//
// The error is that of the mean over 20 batches of points, widened where neighbours are alike. A
// direction that is lost (R_jj <= 1e-12 of the largest: a contact that closes or sticks) has the
// exponent -infinity. All of them together must shrink volumes as the flow and the impacts do,
//
//     sum = (integral tr(M^-1 f_u) dt + sum ln e^2)/time
//
// which is checked to 1e-6 where it is known: without friction and closed contacts.
#include "studies/orbits/map.h"

#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 20 };
static const double lost_share = 1e-12, sum_share = 1e-6;

typedef struct lyap_work {
    int n, k;                 // numbers of a state, columns
    double *Q, *R;            // (n k), (k) its diagonal
    double *sum, *batch;      // (k), (k BATCHES)
    double *exponent, *error; // (k)
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
    (void)sim;
    if (scan->points.n < BATCHES)
        return carom_fail(error, CAROM_BAD_INPUT, "exponents need at least %d points", BATCHES);
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
    it->n = 2 * w->scan->size.nu;
    it->k = count_columns(w->scan);
    const size_t n = (size_t)it->n, k = (size_t)it->k;
    it->Q = calloc(n * n, sizeof(double));
    it->R = calloc(k, sizeof(double));
    it->sum = calloc(k, sizeof(double));
    it->batch = calloc(k * BATCHES, sizeof(double));
    it->exponent = calloc(k, sizeof(double));
    it->error = calloc(k, sizeof(double));
    if (it->Q && it->R && it->sum && it->batch && it->exponent && it->error) return CAROM_OK;
    return carom_scan_no_memory(error);
}

static void end(carom_worker *w)
{
    lyap_work *it = w->self;
    if (!it) return;
    free(it->Q);
    free(it->R);
    free(it->sum);
    free(it->batch);
    free(it->exponent);
    free(it->error);
}

// ---- columns ----

static void take_columns(const carom_worker *w, lyap_work *it)
{
    const carom_variation *v = w->sim->until.tangent->v;
    const int nu = it->n / 2;
    for (int j = 0; j < it->k; j++) {
        memcpy(it->Q + j * it->n, v->q + j * nu, sizeof(double) * (size_t)nu);
        memcpy(it->Q + j * it->n + nu, v->u + j * nu, sizeof(double) * (size_t)nu);
    }
}

// Gram and Schmidt, twice; a column that is lost stays 0
static void make_orthonormal(lyap_work *it)
{
    const int n = it->n;
    double most = 0;
    for (int j = 0; j < it->k; j++) {
        double *q = it->Q + j * n, size = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < j; i++) {
                double along = 0;
                for (int r = 0; r < n; r++) along += it->Q[i * n + r] * q[r];
                for (int r = 0; r < n; r++) q[r] -= along * it->Q[i * n + r];
            }
        for (int r = 0; r < n; r++) size += q[r] * q[r];
        size = sqrt(size);
        most = fmax(most, size);
        const bool is_lost = !(size > lost_share * most);
        it->R[j] = is_lost ? 0 : size;
        for (int r = 0; r < n; r++) q[r] = is_lost ? 0 : q[r] / size;
    }
}

static carom_status give_columns(carom_worker *w, lyap_work *it, bool is_first, carom_error *error)
{
    carom_tangent *t = w->sim->until.tangent;
    const int nu = it->n / 2;
    if (is_first) {
        carom_change *change = calloc((size_t)it->k, sizeof *change);
        if (!change) return carom_scan_no_memory(error);
        for (int j = 0; j < it->k; j++)
            change[j] = (carom_change){it->Q + j * it->n, it->Q + j * it->n + nu, -1};
        const carom_status status = carom_sim_vary(w->sim, change, it->k, error);
        free(change);
        t->has_trace = true;
        return status;
    }
    for (int j = 0; j < it->k; j++) {
        memcpy(t->start_q + j * nu, it->Q + j * it->n, sizeof(double) * (size_t)nu);
        memcpy(t->start_u + j * nu, it->Q + j * it->n + nu, sizeof(double) * (size_t)nu);
    }
    carom_tangent_renew(t, it->k, t->start_q, t->start_u);
    return CAROM_OK;
}

static carom_status step(carom_worker *w, lyap_work *it, carom_error *error)
{
    CAROM_TRY(carom_walk_next(w, false, error));
    const carom_tangent *t = w->sim->until.tangent;
    if (t->refusal[0]) return carom_fail(error, CAROM_BAD_INPUT, "%s", t->refusal);
    take_columns(w, it);
    make_orthonormal(it);
    return give_columns(w, it, false, error);
}

// ---- sums ----

// the error of the mean of batches, wider where each is like the one before
static double error_of(const double *batch)
{
    double mean = 0, square = 0, alike = 0;
    for (int i = 0; i < BATCHES; i++) mean += batch[i] / BATCHES;
    for (int i = 0; i < BATCHES; i++) square += (batch[i] - mean) * (batch[i] - mean);
    for (int i = 1; i < BATCHES; i++) alike += (batch[i] - mean) * (batch[i - 1] - mean);
    const double error = sqrt(square / (BATCHES - 1) / BATCHES);
    const double share = square > 0 ? fmin(0.9, fmax(0, alike / square)) : 0;
    return error * sqrt((1 + share) / (1 - share));
}

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
        *row++ = isfinite(it->sum[j]) ? error_of(it->batch + j * BATCHES) * BATCHES / seconds : NAN;
        *row++ = it->sum[j] / n;
        total += it->sum[j] / seconds;
    }
    const double rule = it->k < it->n ? NAN : (t->trace + t->log_det) / seconds;
    *row++ = total;
    *row++ = rule;
    *row++ = (double)t->impacts / seconds;
    *row++ = isfinite(t->slowest) ? t->slowest : NAN;
    *row = seconds;
    return check_sum(total, rule, error);
}

static carom_status work(carom_worker *w, carom_error *error)
{
    lyap_work *it = w->self;
    const carom_scan_points *p = &w->scan->points;
    memset(it->Q, 0, sizeof(double) * (size_t)(it->n * it->n));
    memset(it->sum, 0, sizeof(double) * (size_t)it->k);
    memset(it->batch, 0, sizeof(double) * (size_t)(it->k * BATCHES));
    for (int j = 0; j < it->k; j++) it->Q[j * it->n + j] = 1;
    w->sim->s.error = error;
    for (int i = 0; i < p->skip; i++) {
        if (i == p->skip / 2) CAROM_TRY(give_columns(w, it, true, error));
        CAROM_TRY(i < p->skip / 2 ? carom_walk_next(w, false, error) : step(w, it, error));
    }
    if (p->skip == 0) CAROM_TRY(give_columns(w, it, true, error));
    carom_tangent *t = w->sim->until.tangent;
    t->trace = t->log_det = 0;
    t->impacts = 0;
    const double start = carom_sim_state(w->sim)->t;
    for (int i = 0; i < p->n; i++) {
        CAROM_TRY(step(w, it, error));
        const int batch = (int)((long)i * BATCHES / p->n);
        for (int j = 0; j < it->k; j++) {
            it->sum[j] += log(it->R[j]);
            it->batch[j * BATCHES + batch] += log(it->R[j]);
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
                                              .skip = 500,
                                              .points = 10000,
                                              .prepare = prepare,
                                              .begin = begin,
                                              .end = end,
                                              .work = work,
                                              .draw = draw};
