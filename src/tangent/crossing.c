// SPDX-License-Identifier: Apache-2.0
// When an event comes: dt = -(h_x dx + h_p dp)/h' of its function h, positive before,
//
//     impact             h = gap                         h' = gap rate before
//     release            h = la_N                        by the derivative of the forces
//     slip stops         h = gamma_T.d
//     slip begins        h = (mu la_N)^2 - |la_T|^2      likewise
//     switch of forces   h = its function
//
// Changes of forces along the motion are those of the column (u, a) with dt = 1, explicit time
// included.
#include "dynamics/law.h"
#include "model/model.h"
#include "tangent/tangent.h"

#include <math.h>
#include <string.h>

enum { FLOW = CAROM_VARY_INDEX1 | CAROM_D_TIME, SWITCH = CAROM_SWITCHES | CAROM_D_RECORD };
static const double grazing = 1e-6; // of the contact's fastest impact
static const double alike = 0.2;    // of the rebound before: an impact of a tail of them
static const double flat = 1e-9;    // of the terms that a rate is made of

static void add_time(const carom_sparse *A, double *y)
{
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) y[i] += A->value[k];
}

// dla of all columns into v->la, and la' of the motion itself
static carom_status vary_forces(carom_tangent *t, double *rate)
{
    const carom_tangent_event *e = &t->event;
    const carom_sizes n = t->s->size;
    carom_variation *v = t->v, *own = t->own;
    CAROM_TRY(carom_vary_accelerations(v, &e->before, v->q, v->u, v->a, v->la));
    carom_vary_take_rows(own, &v->rows);
    CAROM_TRY(carom_vary_eval(own, 0, &e->before, FLOW));
    carom_vary_forces(own, e->la, 0, e->u, e->a, own->right);
    const carom_eval_variation *by = &own->ev[0]->variation;
    add_time(&by->force_t, own->right);
    add_time(&by->push_t, own->right);
    memset(own->r, 0, sizeof(double) * (size_t)n.n_row);
    add_time(&by->acceleration_t, own->r);
    for (int r = 0; r < n.n_row; r++) {
        for (int k = by->acceleration_q.start[r]; k < by->acceleration_q.start[r + 1]; k++)
            own->r[r] += by->acceleration_q.value[k] * e->u[by->acceleration_q.index[k]];
        for (int k = by->acceleration_u.start[r]; k < by->acceleration_u.start[r + 1]; k++)
            own->r[r] += by->acceleration_u.value[k] * e->a[by->acceleration_u.index[k]];
        own->r[r] = -own->r[r];
    }
    return carom_vary_solve(own, 0, own->right, own->r, own->x, rate);
}

static double entry(const carom_sparse *A, int i, int j)
{
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        if (A->index[k] == j) return A->value[k];
    return 0;
}

// what is to be divided by: a rate of 0 has no event time
static bool has_rate(carom_tangent *t, const char *what, const char *name, double rate, double size)
{
    if (rate < 0 && -rate > flat * size) return true;
    carom_tangent_refuse(
        t,
        "%s of '%s' at t = %.9g only touches its limit (rate %.3g): the motion has "
        "no derivative there (--difference estimates one)",
        what, name, t->event.t, rate);
    return false;
}

// slow impacts graze, but for those of a tail, each as fast as the rebound before it
static bool is_slow(carom_tangent *t, const carom_hybrid *h, int c, double rate)
{
    const double fastest = h->memory.contact.rate_scale[c];
    const bool is_of_tail = fabs(-rate - t->rebound[c]) <= alike * t->rebound[c];
    if (rate < 0 && (is_of_tail || !(-rate < grazing * fastest))) {
        if (!is_of_tail) t->least_speed = fmin(t->least_speed, -rate);
        if (!is_of_tail && fastest > 0) t->slowest = fmin(t->slowest, -rate / fastest);
        return false;
    }
    if (rate < 0 && t->takes_grazes) {
        t->grazes++;
        return false;
    }
    carom_tangent_refuse(t,
                         "impact of '%s' at t = %.9g with %.3g m/s (fastest %.3g): it grazes; the "
                         "derivative does not exist",
                         carom_plan_contact(h->s->plan, c)->name, t->event.t, -rate, fastest);
    return true;
}

static carom_status cross_gap(carom_tangent *t, carom_hybrid *h, int c)
{
    carom_tangent_event *e = &t->event;
    const int row = carom_plan_contact(h->s->plan, c)->row, nu = h->s->size.nu;
    carom_variation *v = t->v;
    CAROM_TRY(carom_vary_eval(v, 0, &e->before, CAROM_VARY_PROJECT));
    const double rate = v->rate[row];
    if (is_slow(t, h, c, rate)) return CAROM_OK;
    for (int k = 0; k < v->n; k++) {
        double change = carom_sparse_row_times(&v->ev[0]->rows.W, row, v->q + k * nu);
        if (v->parameter[k] >= 0)
            change +=
                entry(&v->ev[0]->variation.gap_p, h->s->size.n_constraint + c, v->parameter[k]);
        e->dt[k] = -change / rate;
    }
    return CAROM_OK;
}

static bool is_redundant(carom_tangent *t, const carom_hybrid *h, int c)
{
    if (h->seen.is_regular) return false;
    carom_tangent_refuse(t,
                         "the force of '%s' decides at t = %.9g, but held rows are redundant there "
                         "and share it as they like: no derivative (--difference estimates one)",
                         carom_plan_contact(h->s->plan, c)->name, t->event.t);
    return true;
}

static carom_status cross_release(carom_tangent *t, carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const int n_row = h->s->size.n_row;
    double *rate = t->scratch, size = 0;
    if (is_redundant(t, h, c)) return CAROM_OK;
    CAROM_TRY(vary_forces(t, rate));
    for (int r = 0; r < n_row; r++) size = fmax(size, fabs(rate[r]));
    if (!has_rate(t, "the force", facts->name, rate[facts->row], size)) return CAROM_OK;
    for (int k = 0; k < t->v->n; k++)
        t->event.dt[k] = -t->v->la[k * n_row + facts->row] / rate[facts->row];
    return CAROM_OK;
}

// (mu la_N)^2 - |la_T|^2
static carom_status cross_grip(carom_tangent *t, carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const int n_row = h->s->size.n_row, r = facts->row;
    const double *la = t->event.la + r;
    double *rate = t->scratch;
    const double mu = carom_law_friction(facts);
    if (is_redundant(t, h, c)) return CAROM_OK;
    CAROM_TRY(vary_forces(t, rate));
    double slope = mu * mu * la[0] * rate[r], size = fabs(slope);
    for (int k = 1; k <= facts->n_slip; k++) {
        slope -= la[k] * rate[r + k];
        size += fabs(la[k] * rate[r + k]);
    }
    if (!has_rate(t, "the grip", facts->name, slope, size)) return CAROM_OK;
    for (int j = 0; j < t->v->n; j++) {
        const double *dla = t->v->la + j * n_row + r;
        const int p = t->v->parameter[j];
        double change = mu * mu * la[0] * dla[0];
        if (p >= 0)
            change += mu * entry(&t->v->ev[0]->variation.given_p, 3 * c + 2, p) * la[0] * la[0];
        for (int k = 1; k <= facts->n_slip; k++) change -= la[k] * dla[k];
        t->event.dt[j] = -change / slope;
    }
    return CAROM_OK;
}

static carom_status cross_stop(carom_tangent *t, carom_hybrid *h, int c)
{
    carom_tangent_event *e = &t->event;
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const int nu = h->s->size.nu;
    carom_variation *v = t->v;
    double slope = 0, size = 0;
    if (facts->n_slip != 1) {
        carom_tangent_refuse(t,
                             "the slip in space of '%s' ends at t = %.9g, where it has no "
                             "direction: no derivative (--difference estimates one)",
                             facts->name, e->t);
        return CAROM_OK;
    }
    const carom_point at = {.t = e->t, .q = e->q, .u = e->u, .holds = h->s->holds};
    CAROM_TRY(carom_model_eval(h->s->plan, &at, CAROM_FLOW_INDEX1, v->ev[0], h->s->error));
    const int r = facts->row + 1;
    slope = carom_sparse_row_times(&v->ev[0]->rows.W, r, e->a) + v->ev[0]->rows.curvature[r];
    for (int k = v->ev[0]->rows.W.start[r]; k < v->ev[0]->rows.W.start[r + 1]; k++)
        size += fabs(v->ev[0]->rows.W.value[k] * e->a[v->ev[0]->rows.W.index[k]]);
    const double side = v->rows.direction[r];
    if (!has_rate(t, "the slip", facts->name, side * slope, size)) return CAROM_OK;
    CAROM_TRY(carom_vary_eval(v, 0, &e->before, CAROM_VARY_PROJECT));
    for (int k = 0; k < v->n; k++) {
        carom_vary_rates(v, 0, k, v->q + k * nu, v->u + k * nu, v->r);
        e->dt[k] = -v->r[r] / slope;
    }
    return CAROM_OK;
}

static double row_times(const carom_sparse *A, int row, const double *x)
{
    double sum = 0;
    for (int k = A->start[row]; k < A->start[row + 1]; k++) sum += A->value[k] * x[A->index[k]];
    return sum;
}

static carom_status cross_switch(carom_tangent *t, carom_hybrid *h, int which)
{
    carom_tangent_event *e = &t->event;
    const int nu = h->s->size.nu;
    carom_variation *v = t->v;
    const carom_point at = {.t = e->t, .q = e->q, .u = e->u, .holds = h->s->holds};
    CAROM_TRY(carom_model_eval(h->s->plan, &at, SWITCH, v->ev[1], h->s->error));
    const carom_eval_variation *by = &v->ev[1]->variation;
    const double slope = row_times(&by->switch_q, which, e->u) +
                         row_times(&by->switch_u, which, e->a) + entry(&by->switch_t, which, 0);
    const double size = fabs(row_times(&by->switch_q, which, e->u)) +
                        fabs(row_times(&by->switch_u, which, e->a)) +
                        fabs(entry(&by->switch_t, which, 0));
    if (!has_rate(t, "a switch of the forces", "model", -fabs(slope), size)) return CAROM_OK;
    for (int k = 0; k < v->n; k++) {
        double change = row_times(&by->switch_q, which, v->q + k * nu) +
                        row_times(&by->switch_u, which, v->u + k * nu);
        if (v->parameter[k] >= 0) change += entry(&by->switch_p, which, v->parameter[k]);
        e->dt[k] = -change / slope;
    }
    return CAROM_OK;
}

carom_status carom_tangent_cross(carom_tangent *t, carom_hybrid *h, const carom_crossing *it)
{
    switch (it->kind) {
    case CAROM_CROSS_CLOSE:
        return cross_gap(t, h, it->contact);
    case CAROM_CROSS_RELEASE:
        return cross_release(t, h, it->contact);
    case CAROM_CROSS_STOP:
        return cross_stop(t, h, it->contact);
    case CAROM_CROSS_GRIP:
        return cross_grip(t, h, it->contact);
    case CAROM_CROSS_SWITCH:
        return cross_switch(t, h, it->contact - h->s->size.n_contact);
    case CAROM_CROSS_EDGE:
    case CAROM_CROSS_SIDE:
        carom_hybrid_lose_witness(h, "the edge of a patch");
        return CAROM_OK;
    case CAROM_CROSS_FEATURE:
    case CAROM_CROSS_SECTION:
    case CAROM_CROSS_JAM:
        carom_hybrid_lose_witness(h, "a jam");
        return CAROM_OK;
    }
    return CAROM_OK;
}
