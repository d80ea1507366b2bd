// SPDX-License-Identifier: Apache-2.0
// The map of a section: a run from point to point that is followed with a column for each velocity
// and position, and one for each parameter. Where the section ends the run at an event, columns are
// taken at it, not at its time: behind the impact's map, shifted by dt.
//
//     period      Z_p += u1, a1 times n T_p
//     crossing    dt = -(h_x dx + h_p dp)/h',  dx += (u1, a1) dt
//     event       (dq*, du+*) and dt of the event
#include "studies/orbits/map.h"

#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same_point = 1e-6; // of the time between two points: the start's own crossing

static bool take_all(carom_map *m)
{
    const size_t n = (size_t)m->n, all = n + (size_t)m->n_by;
    const struct {
        double **to;
        size_t n;
    } part[] = {
        {&m->q0, (size_t)m->nq}, {&m->u0, n},         {&m->q1, (size_t)m->nq},      {&m->u1, n},
        {&m->B, n * n},          {&m->Z, n * all},    {&m->C, n * (size_t)m->n_by}, {&m->dt, all},
        {&m->M, n * n},          {&m->unit, n * all}, {&m->change, 2 * all}};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = calloc(part[i].n + 1, sizeof(double))) != NULL;
    return is_taken;
}

carom_status carom_map_new(carom_worker *w, carom_map **map, carom_error *error)
{
    carom_map *m = *map = calloc(1, sizeof *m);
    if (!m) return carom_scan_no_memory(error);
    m->w = w;
    m->nq = w->scan->size.nq;
    m->nu = w->scan->size.nu;
    m->n = 2 * m->nu;
    m->n_by = w->scan->tangent.n_by;
    m->times = w->scan->tangent.times;
    return take_all(m) ? CAROM_OK : carom_scan_no_memory(error);
}

void carom_map_free(carom_map *m)
{
    if (!m) return;
    double *const part[] = {m->q0, m->u0, m->q1, m->u1,   m->B,     m->Z,
                            m->C,  m->dt, m->M,  m->unit, m->change};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) free(part[i]);
    free(m);
}

void carom_map_take_start(carom_map *m)
{
    const carom_state *now = carom_sim_state(m->w->sim);
    memcpy(m->q0, now->q, sizeof(double) * (size_t)m->nq);
    memcpy(m->u0, now->u, sizeof(double) * (size_t)m->nu);
}

int carom_map_orthonormal(int n, int n_column, double *x, double share)
{
    double first = 0;
    int rank = 0;
    for (; rank < n_column; rank++) {
        int best = rank;
        double most = -1;
        for (int j = rank; j < n_column; j++) {
            double size = 0;
            for (int i = 0; i < n; i++) size += x[j * n + i] * x[j * n + i];
            if (size > most) {
                most = size;
                best = j;
            }
        }
        most = sqrt(most);
        if (rank == 0) first = most;
        if (!(most > share * first)) break;
        for (int i = 0; i < n; i++) {
            const double swapped = x[best * n + i];
            x[best * n + i] = x[rank * n + i];
            x[rank * n + i] = swapped / most;
        }
        for (int pass = 0; pass < 2; pass++)
            for (int j = rank + 1; j < n_column; j++) {
                double along = 0;
                for (int i = 0; i < n; i++) along += x[rank * n + i] * x[j * n + i];
                for (int i = 0; i < n; i++) x[j * n + i] -= along * x[rank * n + i];
            }
    }
    return rank;
}

// ---- the run ----

// a parameter that has changed may change the period
static carom_status set_period(carom_map *m, carom_error *error)
{
    carom_worker *w = m->w;
    const int record = carom_sim_n_column(w->sim) - w->scan->size.n_record;
    if (w->scan->record.period < 0) return CAROM_OK;
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
    const double period = w->seen[record + w->scan->record.period];
    if (isfinite(period) && period > 0) {
        w->period = period;
        return CAROM_OK;
    }
    return carom_fail(error, CAROM_BAD_INPUT, "the period is %g, it must be above 0", period);
}

static carom_status start_run(carom_map *m, carom_error *error)
{
    carom_worker *w = m->w;
    const carom_section *s = &w->scan->points.section;
    const bool is_periodic = s->kind == CAROM_SECTION_PERIOD, has_value = m->along.name != NULL;
    const double now = carom_sim_state(w->sim)->t, before = w->period;
    m->t0 = is_periodic ? s->phase * w->period : 0;
    CAROM_TRY(carom_sim_set_end(w->sim, 2 * now + 2 * m->t0 + 1, error));
    carom_moment from = {m->t0, m->q0, m->u0};
    CAROM_TRY(carom_sim_start_from(w->sim, &from, has_value ? &m->along : NULL, has_value, error));
    CAROM_TRY(set_period(m, error));
    const double end = is_periodic ? (m->times + 2) * w->period : w->scan->points.within;
    CAROM_TRY(carom_sim_set_end(w->sim, fmax(end, 2 * m->t0), error));
    if (is_periodic && s->phase > 0 && w->period != before) {
        from.t = m->t0 = s->phase * w->period;
        CAROM_TRY(carom_sim_start_from(w->sim, &from, NULL, 0, error));
    }
    w->k = 1;
    w->impacts = w->last_impacts = w->events = 0;
    w->n_mark = 0;
    w->word = 0;
    w->last = m->t0;
    return CAROM_OK;
}

// what depends on time has no map from event to event
static bool depends_on_time(const carom_worker *w)
{
    const carom_layout_variation *v = &w->scan->model->layout.variation;
    const carom_pattern *const by_time[] = {&v->force_t, &v->push_t, &v->rate_t,
                                            &v->acceleration_t};
    bool depends = carom_plan_needs_t(w->sim->s.plan, CAROM_GAPS | CAROM_ROWS);
    for (size_t i = 0; i < sizeof by_time / sizeof *by_time; i++)
        depends |= by_time[i]->n_row > 0 && by_time[i]->start[by_time[i]->n_row] > 0;
    return depends;
}

carom_status carom_map_check(const carom_worker *w, carom_error *error)
{
    if (w->scan->points.section.kind == CAROM_SECTION_PERIOD || !depends_on_time(w))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the model depends on t: say its period, --section period=2*pi/w");
}

static carom_status follow(carom_map *m, carom_error *error)
{
    const int all = m->n + m->n_by;
    carom_change *change = calloc((size_t)all, sizeof *change);
    if (!change) return carom_scan_no_memory(error);
    memset(m->unit, 0, sizeof(double) * (size_t)m->n * (size_t)all);
    for (int k = 0; k < all; k++) {
        double *x = m->unit + (size_t)k * (size_t)m->n;
        if (k < m->n) x[k] = 1;
        change[k] =
            (carom_change){x, x + m->nu, k < m->n ? -1 : m->w->scan->tangent.number[k - m->n]};
    }
    const carom_status status = carom_sim_vary(m->w->sim, change, all, error);
    free(change);
    return status;
}

static void set_column(carom_map *m, int k, const double *q, const double *u)
{
    memcpy(m->Z + (size_t)k * (size_t)m->n, q, sizeof(double) * (size_t)m->nu);
    memcpy(m->Z + (size_t)k * (size_t)m->n + m->nu, u, sizeof(double) * (size_t)m->nu);
}

static void shift_column(carom_map *m, int k, const carom_state *at, const double *a, double dt)
{
    double *z = m->Z + (size_t)k * (size_t)m->n;
    for (int i = 0; i < m->nu; i++) {
        z[i] += at->u[i] * dt;
        z[m->nu + i] += a[i] * dt;
    }
}

// columns at the time of the point become columns on the section
static carom_status meet_section(carom_map *m, carom_error *error)
{
    carom_worker *w = m->w;
    carom_tangent *t = w->sim->until.tangent;
    const carom_section *s = &w->scan->points.section;
    const carom_state *now = carom_sim_state(w->sim);
    const int all = m->n + m->n_by, nu = m->nu;
    double *a = m->change + all, rate;
    w->sim->s.error = error;
    memset(m->dt, 0, sizeof(double) * (size_t)all);
    for (int k = 0; k < all; k++) set_column(m, k, t->v->q + k * nu, t->v->u + k * nu);
    if (s->kind == CAROM_SECTION_EVENT) {
        for (int k = 0; k < all; k++)
            set_column(m, k, t->event.q_star + k * nu, t->event.u_plus + k * nu);
        memcpy(m->dt, t->event.dt, sizeof(double) * (size_t)all);
        return CAROM_OK;
    }
    CAROM_TRY(carom_tangent_flow(t, now, a));
    const int record =
        s->kind == CAROM_SECTION_CROSS ? w->scan->record.section : w->scan->record.period;
    CAROM_TRY(carom_tangent_record(t, now, a, record, m->change, &rate));
    for (int k = 0; k < all; k++) {
        m->dt[k] = s->kind == CAROM_SECTION_CROSS ? -m->change[k] / rate : m->times * m->change[k];
        shift_column(m, k, now, a, m->dt[k]);
    }
    return CAROM_OK;
}

// a coordinate that nothing depends on: its column stays what it is
static carom_status leave_out(carom_map *m, const carom_scan_shift *shift, carom_error *error)
{
    const int n = m->n, free = shift->velocity;
    for (int j = 0; j < n; j++) m->B[j * n + free] = 0;
    double change = 0;
    for (int i = 0; i < n; i++)
        change = fmax(change, fabs(m->Z[free * n + i] - (i == free ? 1 : 0)));
    if (change <= 1e-6) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the motion depends on where '%s' starts: it cannot be free",
                      carom_model_velocity_name(m->w->scan->model, free));
}

// tangents of the start, and the derivative among them
static carom_status reduce(carom_map *m, carom_error *error)
{
    const carom_tangent *t = m->w->sim->until.tangent;
    const int n = m->n, nu = m->nu;
    for (int k = 0; k < n + m->n_by; k++) {
        double *x = k < n ? m->B + k * n : m->C + (k - n) * n;
        memcpy(x, t->start_q + k * nu, sizeof(double) * (size_t)nu);
        memcpy(x + nu, t->start_u + k * nu, sizeof(double) * (size_t)nu);
    }
    const carom_scan_tangent *asked = &m->w->scan->tangent;
    for (int i = 0; i < asked->n_shift; i++)
        if (asked->shift[i].is_free) CAROM_TRY(leave_out(m, &asked->shift[i], error));
    m->d = carom_map_orthonormal(n, n, m->B, 1e-8);
    for (int j = 0; j < m->d; j++) {
        double *y = m->unit;
        memset(y, 0, sizeof(double) * (size_t)n);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) y[i] += m->Z[k * n + i] * m->B[j * n + k];
        for (int i = 0; i < m->d; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += m->B[i * n + k] * y[k];
            m->M[j * m->d + i] = sum;
        }
    }
    return CAROM_OK;
}

carom_status carom_map_run(carom_map *m, carom_error *error)
{
    carom_worker *w = m->w;
    const carom_tangent *t = w->sim->until.tangent;
    CAROM_TRY(start_run(m, error));
    CAROM_TRY(follow(m, error));
    for (int i = 0; i < m->times; i++) {
        CAROM_TRY(carom_walk_next(w, false, error));
        const double passed = carom_sim_state(w->sim)->t - m->t0;
        // a start on the section may lie a rounding before it
        if (i == 0 && w->scan->points.section.kind != CAROM_SECTION_PERIOD &&
            (passed <= 0 || passed < same_point * m->t1))
            i--;
    }
    if (t->refusal[0]) return carom_fail(error, CAROM_BAD_INPUT, "%s", t->refusal);
    const carom_state *now = carom_sim_state(w->sim);
    memcpy(m->q1, now->q, sizeof(double) * (size_t)m->nq);
    memcpy(m->u1, now->u, sizeof(double) * (size_t)m->nu);
    m->t1 = now->t - m->t0;
    m->impacts = w->impacts;
    m->events = w->events;
    m->word = w->word;
    CAROM_TRY(meet_section(m, error));
    return reduce(m, error);
}

void carom_map_difference(const carom_map *m, double *x)
{
    carom_model_difference(m->w->scan->model, m->q0, m->q1, x);
    for (int i = 0; i < m->nu; i++) x[m->nu + i] = m->u1[i] - m->u0[i];
}

void carom_map_move(carom_map *m, const double *x, double factor)
{
    carom_model_move(m->w->scan->model, m->q0, x, factor, m->q0);
    for (int i = 0; i < m->nu; i++) m->u0[i] += factor * x[m->nu + i];
}
