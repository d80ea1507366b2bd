// SPDX-License-Identifier: Apache-2.0
// Impacts of an instant. All contacts with gap 0 take part:
//
//     M (u+ - u-) = W' P,     0 <= U+ + e U-  _|_  P >= 0,     friction as in time stepping
//
// U- > 0 (it leaves already) counts as 0. Where the contact problem on acceleration level has
// no solution (Painleve), an impulse acts without a collision: that of an infinitely short step,
// with u- + dt M^-1 f in the place of u-, and e = 0; where all that push then stick, it is found
// once more without the short step, as that which stops their rates. Where the force of a contact
// that slides grows without bound (dynamic jam: w_N M^-1 d -> 0), its friction stops the slip in
// no time:
//
//     M (u+ - u-) = W' P,     gamma_N+ = 0,  gamma_T+ = 0,     |P_T| <= mu P_N
#include "dynamics/law.h"
#include "hybrid/hybrid.h"

#include <math.h>
#include <string.h>

static const double small_share = 1e-6; // change of the rates in the infinitely short step
static const double seize_slack = 1e-3; // of the cone: the force is large, but not yet infinite

static double lost_at(const carom_hybrid *h, int c, bool is_normal)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    double sum = 0;
    for (int k = is_normal ? 0 : 1; k <= (is_normal ? 0 : facts->n_slip); k++) {
        const int r = facts->row + k;
        sum -= 0.5 * h->event.P[r] * (h->event.true_minus[r] + h->s->report.rate_after[r]);
    }
    return sum;
}

// sends the impacts of all contacts that were pushed; losses with the true rates before
static void report_impulses(carom_hybrid *h)
{
    carom_step *s = h->s;
    double most = 0;
    for (int c = 0; c < s->size.n_contact; c++)
        most = fmax(most, h->event.P[carom_plan_contact(s->plan, c)->row]);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        if (!h->event.is_in[c]) continue;
        const double lost_N = lost_at(h, c, true), lost_T = lost_at(h, c, false);
        s->report.impact_loss += lost_N;
        s->report.friction_loss += lost_T;
        if (!(h->event.P[r] > 1e-12 * most)) continue;
        if (carom_law_is_disc(carom_plan_contact(s->plan, c))) continue; // it is not hit
        const carom_event event = {.t = h->next.t,
                                   .contact = c,
                                   .kind = CAROM_IMPACT,
                                   .rate_before = h->event.true_minus[r],
                                   .rate_after = s->report.rate_after[r],
                                   .P = h->event.P[r],
                                   .energy_lost = lost_N + lost_T};
        if (s->sink.event) s->sink.event(s->sink.self, &event);
    }
    for (int r = 0; r < s->size.n_row; r++) h->event.total_P[r] += h->event.P[r];
}

// many impulses may add up to small velocities, but not to small rounding errors
static void note_jolt(carom_hybrid *h)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    double *y = h->scratch.force;
    memset(y, 0, sizeof(double) * (size_t)h->s->size.nu);
    for (int r = 0; r < W->n_row; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            y[W->index[k]] += fabs(W->value[k] * h->event.P[r]);
    carom_mass_solve(h->seen.ev->mass, y);
    for (int i = 0; i < h->s->size.nu; i++) h->event.jolt[i] += fabs(y[i]);
}

// the problem of the velocities; adds to the report all but the losses, which are taken with the
// true rates
static carom_status solve_collision(carom_hybrid *h, const carom_contact_terms *terms, double *u)
{
    carom_step *s = h->s;
    const double impact_loss = s->report.impact_loss, friction_loss = s->report.friction_loss;
    memset(h->event.P, 0, sizeof(double) * (size_t)s->size.n_row);
    CAROM_TRY(carom_dynamics_contact(s, terms, h->event.P, u));
    s->report.impact_loss = impact_loss;
    s->report.friction_loss = friction_loss;
    s->report.has_impact = h->event.has_jump = true;
    note_jolt(h);
    return CAROM_OK;
}

static carom_status collide_by_newton(carom_hybrid *h)
{
    const carom_contact_terms terms = {.rate = h->seen.ev,
                                       .gamma_minus = h->event.gamma_minus,
                                       .is_active = h->event.is_in,
                                       .is_instant = true};
    return solve_collision(h, &terms, h->next.u);
}

static carom_status collide_by_laws(carom_hybrid *h)
{
    CAROM_TRY(carom_hybrid_collide_by_laws(h));
    note_jolt(h);
    return CAROM_OK;
}

carom_status carom_hybrid_impact(carom_hybrid *h)
{
    carom_step *s = h->s;
    memcpy(h->event.u_minus, h->next.u, sizeof(double) * (size_t)s->size.nu);
    memcpy(h->event.true_minus, h->seen.gamma, sizeof(double) * (size_t)s->size.n_row);
    memcpy(h->event.gamma_minus, h->seen.gamma, sizeof(double) * (size_t)s->size.n_row);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        h->event.gamma_minus[r] = fmin(0, h->event.gamma_minus[r]);
        if (h->event.is_in[c])
            h->memory.contact.rate_scale[c] =
                fmax(h->memory.contact.rate_scale[c], -h->event.gamma_minus[r]);
    }
    CAROM_TRY(carom_hybrid_has_laws(h) ? collide_by_laws(h) : collide_by_newton(h));
    report_impulses(h);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        h->event.bounce[c] = h->event.is_in[c] && h->event.P[r] > 0 ? s->report.rate_after[r] : 0;
    }
    return s->witness ? s->witness->collided(s->witness->self, h) : CAROM_OK;
}

// how short the short step is: rates change by a small share of the slip rates
static double short_time(const carom_hybrid *h)
{
    double rate = 0, change = 0;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (!h->event.is_in[c]) continue;
        const int r = carom_plan_contact(h->s->plan, c)->row;
        rate = fmax(rate, carom_hybrid_slip(h, c));
        double sum = h->seen.ev->rows.curvature[r];
        for (int k = h->seen.ev->rows.W.start[r]; k < h->seen.ev->rows.W.start[r + 1]; k++)
            sum +=
                h->seen.ev->rows.W.value[k] * h->event.decision.a_free[h->seen.ev->rows.W.index[k]];
        change = fmax(change, fabs(sum));
    }
    return change > 0 ? small_share * rate / change : 0;
}

// where all that push also stick, the impulse without the short step: that which stops their rates
static carom_status sharpen_impulse(carom_hybrid *h)
{
    carom_step *s = h->s;
    carom_saddle_rows *rows = &h->flow->rows;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const double *P = h->event.P + facts->row;
        const bool is_pushed = P[0] > 0;
        const double push = facts->n_slip == 0   ? 0
                            : facts->n_slip == 1 ? fabs(P[1])
                                                 : hypot(P[1], P[2]);
        if (is_pushed && carom_law_is_rough(facts) &&
            push > carom_law_limit(facts, P[0]) * (1 - small_share))
            return CAROM_OK;
        rows->is_sliding[c] = 0;
        for (int k = 0; k <= facts->n_slip; k++)
            rows->is_held[facts->row + k] =
                is_pushed && (k == 0 ? !carom_law_is_disc(facts) : carom_law_is_rough(facts));
    }
    for (int r = 0; r < s->size.n_row; r++) h->scratch.right[r] = -h->event.true_minus[r];
    const carom_saddle_terms terms = {.mass = h->seen.ev, .r = h->scratch.right};
    CAROM_TRY(
        carom_saddle_solve(h->flow->saddle, rows, &terms, h->scratch.change, h->event.P, s->error));
    for (int i = 0; i < s->size.nu; i++) h->next.u[i] = h->event.u_minus[i] + h->scratch.change[i];
    carom_dynamics_rates(h->seen.ev, h->next.u, s->report.rate_after);
    return CAROM_OK;
}

carom_status carom_hybrid_resolve_jam(carom_hybrid *h)
{
    carom_step *s = h->s;
    const double dt = short_time(h);
    carom_hybrid_lose_witness(h, "a jam (Painleve)");
    memcpy(h->event.true_minus, h->seen.gamma, sizeof(double) * (size_t)s->size.n_row);
    memcpy(h->event.u_minus, h->next.u, sizeof(double) * (size_t)s->size.nu);
    for (int i = 0; i < s->size.nu; i++) h->next.u[i] += dt * h->event.decision.a_free[i];
    const carom_contact_terms terms = {.rate = h->seen.ev,
                                       .gamma_minus = h->seen.gamma,
                                       .is_active = h->event.is_in,
                                       .without_restitution = true,
                                       .is_instant = true};
    CAROM_TRY(solve_collision(h, &terms, h->next.u));
    for (int i = 0; i < s->size.nu; i++) h->next.u[i] -= dt * h->event.decision.a_free[i];
    double most = 0;
    for (int r = 0; r < s->size.n_row; r++) most = fmax(most, fabs(h->event.P[r]));
    if (!(most > 0) || !s->report.is_converged)
        return carom_fail(s->error, CAROM_NOT_CONVERGED,
                          "no force and no impulse keeps the closed contacts closed at t = %.9g",
                          h->next.t);
    CAROM_TRY(sharpen_impulse(h));
    report_impulses(h);
    return CAROM_OK;
}

// no step is short enough: a friction that is an expression may end there, as forces may
static carom_status refuse_seizure(const carom_hybrid *h, const carom_contact_facts *facts)
{
    if (facts->varies & CAROM_VARIES_FRICTION)
        return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                          "nothing goes on behind t = %.9g, where contact '%s' slides: its "
                          "friction, an expression, falls below 0 or has no value there, or "
                          "forces grow without bound (Painleve)",
                          h->next.t, facts->name);
    return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                      "forces grow without bound at t = %.9g while contact '%s' slides "
                      "(Painleve), and no impulse inside its friction cone stops it",
                      h->next.t, facts->name);
}

carom_status carom_hybrid_seize_contact(carom_hybrid *h, int contact)
{
    carom_step *s = h->s;
    const carom_contact_facts *facts = carom_plan_contact(s->plan, contact);
    carom_saddle_rows *rows = &h->flow->rows;
    carom_hybrid_lose_witness(h, "a seizure (dynamic jam)");
    memcpy(h->event.true_minus, h->seen.gamma, sizeof(double) * (size_t)s->size.n_row);
    rows->is_sliding[contact] = 0;
    for (int k = 0; k <= facts->n_slip; k++) rows->is_held[facts->row + k] = 1;
    for (int r = 0; r < s->size.n_row; r++) h->scratch.right[r] = -h->seen.gamma[r];
    const carom_saddle_terms terms = {.mass = h->seen.ev, .r = h->scratch.right};
    CAROM_TRY(
        carom_saddle_solve(h->flow->saddle, rows, &terms, h->scratch.change, h->event.P, s->error));
    const double *P = h->event.P + facts->row;
    const double push = facts->n_slip == 1 ? fabs(P[1]) : hypot(P[1], P[2]);
    if (!(P[0] > 0) || push > carom_law_limit(facts, P[0]) * (1 + seize_slack))
        return refuse_seizure(h, facts);
    for (int i = 0; i < s->size.nu; i++) h->next.u[i] += h->scratch.change[i];
    carom_dynamics_rates(h->seen.ev, h->next.u, s->report.rate_after);
    s->report.has_impact = h->event.has_jump = true;
    note_jolt(h);
    report_impulses(h);
    return CAROM_OK;
}
