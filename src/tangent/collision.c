// SPDX-License-Identifier: Apache-2.0
// How the velocities behind an impact change with the state before it and with parameters, at a
// fixed event. Each contact that takes part is open (P = 0), slips (P_T = -mu P_N d) or sticks, as
// the answer of the impact says; with the rows A that push, E their factors of restitution
// (0 for what was closed before, or is closed behind it):
//
//     [ M  -D' ] [ x  ]   [ (W'P - M (u+ - u-))_z dz                                        ]
//     [ G   0  ] [ dP ] = [ -E dgamma- - dE gamma- - gamma+_z dz - G du*        on A        ]
//
//     du+ = du* + x,   z = q, p and t;   dgamma- = gamma-_z dz + G du*
//
// A choice on its border has two derivatives, and is refused.
#include "dynamics/law.h"
#include "model/model.h"
#include "tangent/tangent.h"

#include <math.h>
#include <string.h>

enum {
    MASK = CAROM_MASS | CAROM_ROWS | CAROM_D_MASS | CAROM_D_ROWS | CAROM_D_PARAMETER | CAROM_D_TIME
};
static const double border = 1e-9; // of the largest impulse or rate

// the impact as the map sees it
typedef struct collision {
    carom_tangent *t;
    carom_hybrid *h;
    const double *gamma_minus, *gamma_plus; // (n_row)
    double *factor;                         // (n_row) of E
    double most_P, most_rate;
} collision;

static double entry(const carom_sparse *A, int i, int j)
{
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        if (A->index[k] == j) return A->value[k];
    return 0;
}

static void refuse_border(const collision *it, int c, const char *what)
{
    carom_tangent_refuse(it->t,
                         "the impact of '%s' at t = %.9g is on the border between %s: the motion "
                         "has no derivative there (--difference estimates one)",
                         carom_plan_contact(it->h->s->plan, c)->name, it->t->event.t, what);
}

// the tangents of a contact that is pushed
static void choose_slip(const collision *it, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(it->h->s->plan, c);
    const int r = facts->row;
    const double *P = it->t->event.P + r;
    carom_saddle_rows *rows = &it->t->v->rows;
    if (!carom_law_is_rough(facts) || facts->n_slip == 0) return;
    double push = 0, rest = 0;
    for (int k = 1; k <= facts->n_slip; k++) {
        const double excess = carom_law_excess(carom_law_factor(facts, k), it->gamma_minus[r + k],
                                               it->gamma_plus[r + k]);
        push = hypot(push, P[k]);
        rest = hypot(rest, excess);
    }
    const double limit = carom_law_limit(facts, P[0]);
    const bool is_inside = push < limit * (1 - border), is_still = rest <= border * it->most_rate;
    if (!is_inside && is_still) {
        refuse_border(it, c, "slip and stick");
        return;
    }
    rows->is_sliding[c] = !is_inside;
    for (int k = 1; k <= facts->n_slip; k++) {
        rows->is_held[r + k] = is_inside;
        rows->direction[r + k] = is_inside ? 0 : -P[k] / push;
        it->factor[r + k] = is_inside ? carom_law_factor(facts, k) : 0;
    }
}

// which contacts push, and with what restitution
static void choose_modes(const collision *it)
{
    const carom_hybrid *h = it->h;
    carom_tangent_event *e = &it->t->event;
    carom_saddle_rows *rows = &it->t->v->rows;
    const carom_sizes n = h->s->size;
    memset(rows->is_held, 0, (size_t)n.n_row);
    memset(rows->is_sliding, 0, (size_t)n.n_contact);
    memset(it->factor, 0, sizeof(double) * (size_t)n.n_row);
    for (int k = 0; k < n.n_constraint; k++) rows->is_held[k] = 1;
    for (int c = 0; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        const int r = facts->row;
        if (!e->is_in[c] || !(e->P[r] > border * it->most_P)) continue;
        rows->is_held[r] = 1;
        // what is closed behind the impact has rebounded too slowly to count
        const bool is_hit = !e->was_closed[c] && it->gamma_minus[r] < 0;
        it->factor[r] = is_hit && !carom_hybrid_is_closed(h, c) ? carom_law_factor(facts, 0) : 0;
        choose_slip(it, c);
    }
}

// w_i M^-1 w_j, in units of both
static double coupling(const collision *it, int i, int j)
{
    carom_variation *v = it->t->v;
    const carom_sparse *W = &v->ev[0]->rows.W;
    const int nu = it->h->s->size.nu;
    double size[2] = {0, 0}, product = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int r = pass == 0 ? i : j;
        memset(v->x, 0, sizeof(double) * (size_t)nu);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) v->x[W->index[k]] += W->value[k];
        carom_mass_solve(v->ev[0]->mass, v->x);
        size[pass] = carom_sparse_row_times(W, r, v->x);
        product = carom_sparse_row_times(W, pass == 0 ? j : i, v->x);
    }
    return fabs(product) / sqrt(size[0] * size[1]);
}

// contacts that hit at the same time, one because of the other
static bool hit_together(const collision *it)
{
    const carom_hybrid *h = it->h;
    const carom_tangent_event *e = &it->t->event;
    for (int c = 0; c < h->s->size.n_contact; c++)
        for (int d = 0; d < c; d++) {
            const carom_contact_facts *a = carom_plan_contact(h->s->plan, d),
                                      *b = carom_plan_contact(h->s->plan, c);
            const bool is_new =
                e->is_in[c] && e->is_in[d] && !e->was_closed[c] && !e->was_closed[d];
            if (!is_new || !(it->gamma_minus[a->row] < -border * it->most_rate) ||
                !(it->gamma_minus[b->row] < -border * it->most_rate))
                continue;
            if (coupling(it, a->row, b->row) <= border) continue;
            carom_tangent_refuse(it->t,
                                 "contacts '%s' and '%s' hit together at t = %.9g: the motion has "
                                 "no derivative there (--difference estimates one)",
                                 a->name, b->name, e->t);
            return true;
        }
    return false;
}

// a contact that neither pushes nor leaves, though another one pulls at it
static bool is_undecided(const collision *it)
{
    const carom_hybrid *h = it->h;
    const carom_tangent_event *e = &it->t->event;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const int r = carom_plan_contact(h->s->plan, c)->row;
        if (!e->is_in[c] || it->t->v->rows.is_held[r]) continue;
        if (fabs(it->gamma_plus[r]) > border * it->most_rate) continue;
        for (int d = 0; d < h->s->size.n_contact; d++) {
            const int other = carom_plan_contact(h->s->plan, d)->row;
            if (d == c || !it->t->v->rows.is_held[other] || coupling(it, r, other) <= border)
                continue;
            refuse_border(it, c, "push and release");
            return true;
        }
    }
    return false;
}

// the change of e (k = 0) or e_t of a contact
static double factor_p(const collision *it, int c, int k, int p)
{
    return p < 0 ? 0 : entry(&it->t->v->ev[0]->variation.given_p, 3 * c + (k > 0), p);
}

// what the rates of row r want after the impact; without is the one of ev[1]
static double wanted(const collision *it, int c, int k, int column, const double *before,
                     const double *after)
{
    const carom_variation *v = it->t->v;
    const int r = carom_plan_contact(it->h->s->plan, c)->row + k;
    const double dt = it->t->event.dt[column], E = it->factor[r];
    const double by_t = entry(&v->ev[0]->variation.rate_t, r, 0),
                 before_t = entry(&v->ev[1]->variation.rate_t, r, 0);
    const double change = E != 0 ? factor_p(it, c, k, v->parameter[column]) : 0;
    return -E * (before[r] + before_t * dt) - change * it->gamma_minus[r] - after[r] - by_t * dt;
}

static void set_rates(const collision *it, int column, const double *dq, const double *du)
{
    carom_tangent *t = it->t;
    carom_variation *v = t->v;
    const carom_sizes n = it->h->s->size;
    double *before = t->scratch, *after = before + n.n_row;
    carom_vary_rates(v, 1, column, dq, du, before);
    carom_vary_rates(v, 0, column, dq, du, after);
    for (int k = 0; k < n.n_constraint; k++)
        v->r[k] = -after[k] - entry(&v->ev[0]->variation.rate_t, k, 0) * t->event.dt[column];
    for (int c = 0; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(it->h->s->plan, c);
        for (int k = 0; k <= facts->n_slip; k++)
            v->r[facts->row + k] = wanted(it, c, k, column, before, after);
    }
}

static void add(const carom_sparse *A, const double *x, double factor, double *y)
{
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            y[i] += factor * A->value[k] * x[A->index[k]];
}

// friction of slips: mu varies, and the direction of a slip in space, which is that of
// gamma_T+ + e_t gamma_T-
static void add_friction(const collision *it, int column)
{
    carom_variation *v = it->t->v;
    const int p = v->parameter[column];
    for (int c = 0; c < it->h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(it->h->s->plan, c);
        if (!v->rows.is_sliding[c] || p < 0) continue;
        const double mu_p = entry(&v->ev[0]->variation.given_p, 3 * c + 2, p);
        for (int k = 1; k <= facts->n_slip; k++) {
            const int r = facts->row + k;
            const double force = -mu_p * it->t->event.P[facts->row] * v->rows.direction[r];
            for (int i = v->ev[0]->rows.W.start[r]; i < v->ev[0]->rows.W.start[r + 1]; i++)
                v->right[v->ev[0]->rows.W.index[i]] += force * v->ev[0]->rows.W.value[i];
        }
    }
}

static void set_pushes(const collision *it, int column, const double *dq)
{
    carom_variation *v = it->t->v;
    const int nu = it->h->s->size.nu, p = v->parameter[column];
    const carom_eval *ev = v->ev[0];
    memset(v->right, 0, sizeof(double) * (size_t)nu);
    add(&ev->derivatives.dMa_dq, dq, -1, v->right);
    add(&ev->derivatives.dWP_dq, dq, 1, v->right);
    for (int i = 0; i < nu; i++) {
        v->right[i] += entry(&ev->variation.push_t, i, 0) * it->t->event.dt[column];
        if (p >= 0) v->right[i] += entry(&ev->variation.push_p, i, p);
    }
    add_friction(it, column);
}

static bool slips_in_space(const collision *it)
{
    const carom_hybrid *h = it->h;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (facts->n_slip < 2 || !it->t->v->rows.is_sliding[c]) continue;
        carom_tangent_refuse(it->t,
                             "the impact of '%s' at t = %.9g slips in space, which has no "
                             "derivative here (--difference estimates one)",
                             facts->name, it->t->event.t);
        return true;
    }
    return false;
}

// masses, rows and their derivatives with the jump of the velocities as a: ev[0] after, ev[1]
// before the impact
static carom_status evaluate(collision *it)
{
    carom_tangent *t = it->t;
    carom_tangent_event *e = &t->event;
    const carom_sizes n = it->h->s->size;
    double *jump = t->scratch, *gamma = t->scratch + n.nu + 2 * n.n_row;
    const double *after = it->h->next.u;
    for (int i = 0; i < n.nu; i++) jump[i] = after[i] - it->h->event.u_minus[i];
    const carom_vary_point from = {e->t, e->q, it->h->event.u_minus, jump, e->P},
                           to = {e->t, e->q, after, jump, e->P};
    CAROM_TRY(carom_vary_eval(t->v, 1, &from, MASK));
    CAROM_TRY(carom_vary_eval(t->v, 0, &to, MASK));
    it->factor = gamma;
    it->gamma_minus = it->h->event.true_minus;
    it->gamma_plus = t->v->rate;
    for (int r = 0; r < n.n_row; r++) it->most_rate = fmax(it->most_rate, fabs(it->gamma_minus[r]));
    for (int c = 0; c < n.n_contact; c++)
        it->most_P = fmax(it->most_P, e->P[carom_plan_contact(it->h->s->plan, c)->row]);
    return CAROM_OK;
}

// what the sum rule and the next impact want to know
static void note_impact(const collision *it)
{
    for (int c = 0; c < it->h->s->size.n_contact; c++) {
        const int r = carom_plan_contact(it->h->s->plan, c)->row;
        const double e = it->factor[r];
        if (it->t->event.is_in[c]) it->t->rebound[c] = fmax(0, it->gamma_plus[r]);
        if (it->t->event.is_in[c] && e > 0) it->t->log_det += 2 * log(e);
        if (it->t->v->rows.is_held[r] &&
            (e == 0 || it->t->v->rows.is_sliding[c] ||
             carom_law_is_rough(carom_plan_contact(it->h->s->plan, c))))
            it->t->log_det = NAN; // friction, or a contact that closes
    }
}

carom_status carom_tangent_collide(carom_tangent *t, carom_hybrid *h)
{
    collision it = {.t = t, .h = h};
    const int nu = h->s->size.nu;
    carom_tangent_event *e = &t->event;
    CAROM_TRY(evaluate(&it));
    choose_modes(&it);
    note_impact(&it);
    if (t->refusal[0] || hit_together(&it) || is_undecided(&it) || slips_in_space(&it))
        return CAROM_OK;
    for (int k = 0; k < t->v->n; k++) {
        const double *dq = e->q_star + k * nu, *du = e->u_star + k * nu;
        set_pushes(&it, k, dq);
        set_rates(&it, k, dq, du);
        CAROM_TRY(carom_vary_solve(t->v, 0, t->v->right, t->v->r, t->v->x, t->v->l));
        for (int i = 0; i < nu; i++) e->u_plus[k * nu + i] = du[i] + t->v->x[i];
    }
    return CAROM_OK;
}
