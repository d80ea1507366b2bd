// SPDX-License-Identifier: Apache-2.0
// The largest Lyapunov exponent from runs side by side, with the same fixed steps: beside the
// motion goes one at the distance d, which is put back to d at each point of the section,
//
//     exponent = sum ln(distance behind a period / d) / time
//
// A time step hides where inside of it an impact was. Two motions that hit in the same step lose
// the stretching (a+ + e a-)/gamma- of the impact, and are found to approach each other. So d must
// be wider than what a step hides, and small beside the attractor,
//
//     5 (fastest impact) h  <=  d, 2 d, 4 d  <=  0.01 (extent of the attractor)
//
// and all three distances must give the same: there is a plateau, or else no answer.
#include "studies/orbits/pair.h"

#include "sim/sim.h"
#include "studies/orbits/batches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, LOOKS = 16 };
static const double hidden = 5, small = 1e-2; // of a step's way, of the attractor
static const double few = 1e-7;               // of the attractor: a distance without impacts
static const double alike = 0.02;             // exponents that agree, beside their errors

// one of the runs beside the motion
typedef struct beside {
    double distance, sum, batch[CAROM_BATCHES];
    double *x; // (2 nu) where it is from the motion
} beside;

struct carom_pair {
    carom_worker *w;
    carom_sim *other;
    int nq, nu;
    beside run[RUNS];
    double *q, *u, *moved; // (nq), (nu), (nq + nu)
    double *low, *high;    // (nq + nu) of the attractor
};

// ---- memory ----

carom_status carom_pair_prepare(carom_scan *scan, const carom_sim *sim, carom_error *error)
{
    static const char *const column[] = {
        "l1",          "error1",        "section1",      "distance",
        "l1_distance", "l1_2_distance", "l1_4_distance", "impacts_per_second",
        "seconds"};
    if (sim->scheme->is_adaptive || scan->run.is_auto_step)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--method pair is for time stepping with fixed steps; event_driven has "
                          "exact derivatives: leave --method away");
    if (scan->points.section.kind != CAROM_SECTION_PERIOD)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--method pair compares motions at the same time: take --section "
                          "period=T (of a model that does not depend on t any T)");
    if (scan->points.skip == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--method pair looks at the attractor first: --skip at least 1");
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", column[i]));
    return CAROM_OK;
}

carom_status carom_pair_new(carom_worker *w, carom_pair **pair, carom_error *error)
{
    carom_pair *made = *pair = calloc(1, sizeof *made);
    if (!made) return carom_scan_no_memory(error);
    made->w = w;
    made->nq = w->scan->size.nq;
    made->nu = w->scan->size.nu;
    const size_t n = (size_t)made->nq + (size_t)made->nu;
    bool is_taken = (made->q = calloc(n, sizeof(double))) != NULL;
    is_taken &= (made->u = calloc(n, sizeof(double))) != NULL;
    is_taken &= (made->moved = calloc(n, sizeof(double))) != NULL;
    is_taken &= (made->low = calloc(n, sizeof(double))) != NULL;
    is_taken &= (made->high = calloc(n, sizeof(double))) != NULL;
    for (int k = 0; k < RUNS; k++)
        is_taken &= (made->run[k].x = calloc(2 * n, sizeof(double))) != NULL;
    if (!is_taken) return carom_scan_no_memory(error);
    carom_sim_options options = w->scan->run;
    options.allow_penetration = true; // as deep as the distance
    return carom_sim_new(w->scan->model, &options, &made->other, error);
}

void carom_pair_free(carom_pair *pair)
{
    if (!pair) return;
    carom_sim_free(pair->other);
    for (int k = 0; k < RUNS; k++) free(pair->run[k].x);
    free(pair->q);
    free(pair->u);
    free(pair->moved);
    free(pair->low);
    free(pair->high);
    free(pair);
}

static double step_of(const carom_pair *p)
{
    return p->w->sim->choice.step;
}

// ---- the attractor ----

static void look(carom_pair *p, bool is_first)
{
    const carom_state *now = carom_sim_state(p->w->sim);
    for (int i = 0; i < p->nq + p->nu; i++) {
        const double x = i < p->nq ? now->q[i] : now->u[i - p->nq];
        p->low[i] = is_first ? x : fmin(p->low[i], x);
        p->high[i] = is_first ? x : fmax(p->high[i], x);
    }
}

static double extent(const carom_pair *p)
{
    double sum = 0;
    for (int i = 0; i < p->nq + p->nu; i++)
        sum += (p->high[i] - p->low[i]) * (p->high[i] - p->low[i]);
    return sqrt(sum);
}

// settles; the second half of the points shows how large the attractor is, and how hard it hits
static carom_status settle(carom_pair *p, carom_error *error)
{
    carom_worker *w = p->w;
    const int skip = w->scan->points.skip;
    const double phase = w->scan->points.section.phase;
    CAROM_TRY(carom_walk_next(w, false, error));
    for (int i = 0; i < skip; i++) {
        const bool is_seen = i >= skip / 2;
        if (i == skip / 2) {
            look(p, true);
            w->fastest = 0;
        }
        for (int k = 1; is_seen && k < LOOKS; k++) {
            const double t = ((double)w->k - 1 + phase + k / (double)LOOKS) * w->period;
            CAROM_TRY(carom_walk_to(w, t, false, error));
            look(p, false);
        }
        CAROM_TRY(carom_walk_next(w, false, error));
        if (is_seen) look(p, false);
    }
    return CAROM_OK;
}

static carom_status choose_distances(carom_pair *p, carom_error *error)
{
    const carom_worker *w = p->w;
    const double h = step_of(p), size = extent(p), asked = w->scan->tangent.distance;
    const double least = hidden * w->fastest * h, most = small * size;
    const double distance = asked > 0 ? asked : fmax(least, few * size);
    if (distance < least)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the distance %g is below 5 x %.3g m/s x %g s: impacts inside one step "
                          "would not be seen (--distance at least %.3g)",
                          distance, w->fastest, h, least);
    if (4 * distance > most)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "4 x the distance %.3g is above 1 %% of the attractor (%.3g): take steps "
                          "of at most %.2g s, or --scheme event_driven",
                          distance, size, w->fastest > 0 ? most / (4 * hidden * w->fastest) : h);
    for (int k = 0; k < RUNS; k++) p->run[k].distance = distance * (1 << k);
    return CAROM_OK;
}

// ---- side by side ----

static double length_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void stretch(double *x, int n, double to)
{
    const double size = length_of(x, n);
    for (int i = 0; i < n && size > 0; i++) x[i] *= to / size;
}

// velocities of no special direction; positions follow
static void begin_directions(carom_pair *p)
{
    for (int k = 0; k < RUNS; k++) {
        double *x = p->run[k].x;
        memset(x, 0, sizeof *x * 2 * (size_t)p->nu);
        for (int i = 0; i < p->nu; i++) x[p->nu + i] = sin(1 + 12.9898 * i + 0.618 * i * i);
        stretch(x, 2 * p->nu, p->run[k].distance);
        p->run[k].sum = 0;
        memset(p->run[k].batch, 0, sizeof p->run[k].batch);
    }
}

// a run beside the motion, from the same time to the same time; growth: ln of its distance over d
static carom_status go_beside(carom_pair *p, beside *it, const carom_moment *from, double *growth,
                              carom_error *error)
{
    const carom_worker *w = p->w;
    const carom_state *now = carom_sim_state(w->sim), *there = carom_sim_state(p->other);
    carom_parameter value[CAROM_SCAN_AXES];
    for (int k = 0; k < w->scan->design.n_axis; k++)
        value[k] = (carom_parameter){w->scan->design.axis[k].live, w->axis[k]};
    double *q = p->moved, *u = p->moved + p->nq;
    carom_model_move(w->scan->model, from->q, it->x, 1, q);
    for (int i = 0; i < p->nu; i++) u[i] = from->u[i] + it->x[p->nu + i];
    CAROM_TRY(carom_sim_set_end(p->other, fmax(2 * now->t, 2 * there->t), error));
    const carom_moment start = {from->t, q, u};
    CAROM_TRY(carom_sim_start_from(p->other, &start, value, w->scan->design.n_axis, error));
    carom_sim_set_step(p->other, step_of(p));
    carom_stop stop = carom_stop_default();
    carom_reached reached;
    stop.t = now->t;
    CAROM_TRY(carom_sim_run_until(p->other, &stop, &reached, error));
    if (fabs(there->t - now->t) > 1e-6 * step_of(p))
        return carom_fail(error, CAROM_BUG, "the runs of a pair are at t = %.17g and %.17g", now->t,
                          there->t);
    carom_model_difference(w->scan->model, now->q, there->q, it->x);
    for (int i = 0; i < p->nu; i++) it->x[p->nu + i] = there->u[i] - now->u[i];
    *growth = log(length_of(it->x, 2 * p->nu) / it->distance);
    stretch(it->x, 2 * p->nu, it->distance);
    return CAROM_OK;
}

// to the next point: all runs begin anew, so that none knows more than the others
static carom_status go_on(carom_pair *p, double growth[RUNS], carom_error *error)
{
    carom_worker *w = p->w;
    const carom_state *now = carom_sim_state(w->sim);
    memcpy(p->q, now->q, sizeof *p->q * (size_t)p->nq);
    memcpy(p->u, now->u, sizeof *p->u * (size_t)p->nu);
    const carom_moment from = {now->t, p->q, p->u};
    CAROM_TRY(carom_sim_start_from(w->sim, &from, NULL, 0, error));
    CAROM_TRY(carom_walk_next(w, false, error));
    for (int k = 0; k < RUNS; k++) CAROM_TRY(go_beside(p, &p->run[k], &from, &growth[k], error));
    return CAROM_OK;
}

// ---- what comes out ----

static carom_status write_row(carom_pair *p, double seconds, carom_error *error)
{
    carom_worker *w = p->w;
    double l[RUNS], off = 0, low = INFINITY, high = -INFINITY;
    for (int k = 0; k < RUNS; k++) {
        l[k] = p->run[k].sum / seconds;
        off = fmax(off, carom_batch_error(p->run[k].batch) * CAROM_BATCHES / seconds);
        low = fmin(low, l[k]);
        high = fmax(high, l[k]);
    }
    const double mean = (l[0] + l[1] + l[2]) / RUNS, spread = high - low;
    if (spread > 3 * off + alike * fabs(mean))
        return carom_fail(error, CAROM_NOT_CONVERGED,
                          "no plateau: the exponent is %.4g, %.4g and %.4g at the distances %.3g, "
                          "twice and four times that (error %.2g); use --scheme event_driven or a "
                          "smaller step",
                          l[0], l[1], l[2], p->run[0].distance, off);
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    *row++ = mean;
    *row++ = hypot(off, spread / 2);
    *row++ = mean * seconds / w->scan->points.n;
    *row++ = p->run[0].distance;
    for (int k = 0; k < RUNS; k++) *row++ = l[k];
    *row++ = (double)w->impacts / seconds;
    *row = seconds;
    return CAROM_OK;
}

carom_status carom_pair_work(carom_pair *p, carom_error *error)
{
    carom_worker *w = p->w;
    const int n = w->scan->points.n;
    double growth[RUNS] = {0};
    const double end = ((double)w->scan->points.skip + n + 2 * LOOKS) * w->period;
    CAROM_TRY(carom_sim_set_end(w->sim, end, error)); // behind the last point: steps stay the same
    CAROM_TRY(settle(p, error));
    CAROM_TRY(choose_distances(p, error));
    begin_directions(p);
    // some points for the runs beside it to turn into the direction that grows
    for (int i = 0; i < LOOKS; i++) CAROM_TRY(go_on(p, growth, error));
    const double start = carom_sim_state(w->sim)->t;
    w->impacts = 0;
    for (int i = 0; i < n; i++) {
        const int batch = (int)((long)i * CAROM_BATCHES / n);
        CAROM_TRY(go_on(p, growth, error));
        for (int k = 0; k < RUNS; k++) {
            p->run[k].sum += growth[k];
            p->run[k].batch[batch] += growth[k];
        }
    }
    return write_row(p, carom_sim_state(w->sim)->t - start, error);
}
