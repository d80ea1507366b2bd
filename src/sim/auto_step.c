// SPDX-License-Identifier: Apache-2.0
// Step control for any one-step scheme. An attempt takes one step h and two steps h/2 from the same
// state; with the order p of the scheme, a coordinate's or rate's weight w = atol + tolerance scale
// (scale: the largest value so far) and d the difference of the two results,
//
//     error = max d / ((2^p - 1) w tolerance^(1/p)) <= 1        accepted are the two half steps
//     h_next = h 0.9 error^(-1/(p+1))
//
// so that the error of a run, not of a step, follows the tolerance. Where impulses act, only
// positions are compared: velocities are known to O(h) there. They jump at impacts: an
// attempt with a new impact moves positions by an unknown part of h times the jump, and is accepted
// as one step when that is small, h |du| <= w. Else the time of the impact is closed in by
// bisection. A contact that closed unseen (its gap changed sign) counts the same, with the jump
// that a probe finds.
//
// Generalises the impulsive steps of T. Schindler et al., Half-explicit timestepping schemes on
// velocity level, 2015, Fig. 24. Richardson: Hairer, Norsett, Wanner, Solving ODE I, II.4.
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static const double safety = 0.9, most_growth = 5, least_shrink = 0.5, most_shrink = 0.1;
// differences below this share of the scale are rounding and the tolerance of iterations
static const double noise = 1e-12;
// coordinates that are small beside the others are held to this share of the largest
static const double small = 1e-3;

/// What came of an attempt.
typedef struct verdict {
    double h;
    carom_status failed; ///< of the scheme; CAROM_OK = it made its steps
    bool is_good, has_impact;
    bool has_contact; ///< a contact force or impulse acted
    bool has_impulse; ///< an impulse of a contact or constraint acted
    double error;     ///< of smooth motion, over the tolerance
    double error_q;   ///< of its positions alone
    double h_impact;  ///< how long a step with this jump may be [s]
} verdict;

static double tolerated(const carom_sim *sim, const double *now, int i)
{
    const carom_auto_step *c = sim->control;
    const int nq = sim->size.nq, first = i < nq ? 0 : nq;
    const int last = i < nq ? nq : nq + sim->size.nu;
    const double atol = c->atol[i - first < nq ? i - first : 0];
    double scale = fmax(c->scale[i], fabs(now[i]));
    if (atol == 0)
        for (int k = first; k < last; k++)
            scale = fmax(scale, small * fmax(c->scale[k], fabs(now[k])));
    return atol + sim->tolerance * scale;
}

static int order_of(const carom_sim *sim, const verdict *v)
{
    const int order = v->has_impulse ? sim->scheme->order_contact : sim->scheme->order_free;
    return order > 0 ? order : 1;
}

// positions and velocities lie one after the other in a state
static void judge_smooth(const carom_sim *sim, verdict *v)
{
    const double *fine = sim->next.q, *coarse = sim->control->coarse.q;
    const int p = sim->scheme->order_free > 0 ? sim->scheme->order_free : 1;
    const double tol = sim->tolerance, share = fmax(pow(tol, 1.0 / p), noise / tol);
    const double gain = pow(2, order_of(sim, v)) - 1;
    const int n = sim->size.nq + (v->has_impulse ? 0 : sim->size.nu);
    v->error = v->error_q = 0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(fine[i] - coarse[i]) / gain;
        if (d > 0) v->error = fmax(v->error, d / (share * tolerated(sim, fine, i)));
        if (i < sim->size.nq) v->error_q = v->error;
    }
    v->is_good = v->error <= 1;
}

// how far positions are moved by the jump of the velocity from 'from' to 'to' in h
static void judge_jump(carom_sim *sim, verdict *v, const carom_state *from, const carom_state *to)
{
    const carom_auto_step *c = sim->control;
    for (int i = 0; i < sim->size.nu; i++) sim->mid_u[i] = to->u[i] - from->u[i];
    carom_model_move(sim->model, sim->now.q, sim->mid_u, v->h, sim->mid_q);
    double share = c->max_step / v->h;
    for (int i = 0; i < sim->size.nq; i++) {
        const double moved = fabs(sim->mid_q[i] - sim->now.q[i]);
        if (moved > 0) share = fmin(share, tolerated(sim, to->q, i) / moved);
    }
    v->h_impact = fmax(c->min_step, share * v->h);
    v->is_good = v->h <= v->h_impact;
}

// the scheme's step; where it gives up, the attempt failed and a shorter one may not
static carom_status go(carom_sim *sim, verdict *v, const carom_state *from, carom_state *to,
                       double h)
{
    v->failed = carom_sim_try_step(sim, from, to, h);
    if (v->failed == CAROM_OK && !sim->s.report.is_converged)
        v->failed = carom_fail(&sim->trouble, CAROM_NOT_CONVERGED,
                               "the contact problem or an iteration did not converge");
    const bool is_curable = v->failed == CAROM_NOT_FINITE || v->failed == CAROM_NOT_CONVERGED ||
                            v->failed == CAROM_BAD_INPUT;
    return v->failed == CAROM_OK || is_curable ? CAROM_OK : v->failed;
}

// what the last step of the scheme says of contacts
static void look(const carom_sim *sim, verdict *v, const carom_state *to)
{
    bool is_new = false;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->normal[i];
        v->has_contact |= to->P[row] > 0 || to->la[row] > 0;
        is_new |= to->P[row] > 0 && !sim->track[i].is_pushed;
    }
    for (int r = 0; r < sim->size.n_row; r++) v->has_impulse |= to->P[r] != 0;
    v->has_contact |= sim->s.report.has_contact;
    v->has_impact |= sim->scheme->separates_impact ? sim->s.report.has_impact : is_new;
}

// adds the report of the second half to that of the first, whose rates are in control
static carom_step_report merge(carom_sim *sim, const carom_step_report *first)
{
    carom_auto_step *c = sim->control;
    const carom_step_report *second = &sim->s.report;
    carom_step_report both = *second;
    both.has_impact |= first->has_impact;
    both.has_contact |= first->has_contact;
    both.is_ambiguous |= first->is_ambiguous;
    both.residual = fmax(first->residual, second->residual);
    if (first->residual > second->residual) both.residual_row = first->residual_row;
    both.cone = fmax(first->cone, second->cone);
    both.iterations += first->iterations;
    both.impact_loss += first->impact_loss;
    both.friction_loss += first->friction_loss;
    both.obstacle_work += first->obstacle_work;
    // from before the first to after the second; a contact may be active in one of them only
    for (int r = 0; r < sim->size.n_row; r++) {
        const bool in_first = c->before[r] != 0 || c->after[r] != 0;
        const bool in_second = second->rate_before[r] != 0 || second->rate_after[r] != 0;
        if (!in_first) c->before[r] = second->rate_before[r];
        if (in_second) c->after[r] = second->rate_after[r];
    }
    return both;
}

// whether a contact that was open is closed now and nothing has pushed
static carom_status find_unseen(carom_sim *sim, bool *is_unseen)
{
    const carom_auto_step *c = sim->control;
    const carom_point end = {.t = sim->next.t, .q = sim->next.q, .u = sim->next.u};
    const carom_point start = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    int n_closed = 0;
    *is_unseen = false;
    CAROM_TRY(carom_model_eval(sim->s.plan, &end, CAROM_GAPS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->normal[i];
        const bool is_pushed = sim->next.P[row] > 0 || sim->next.la[row] > 0 || c->mid.P[row] > 0;
        c->is_closed[i] = sim->eval->gap[i] < 0 && !is_pushed;
        n_closed += c->is_closed[i];
    }
    if (n_closed == 0) return CAROM_OK;
    CAROM_TRY(carom_model_eval(sim->s.plan, &start, CAROM_GAPS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++)
        *is_unseen |= c->is_closed[i] && sim->eval->gap[i] >= 0;
    return CAROM_OK;
}

// the shortest step from the end of the attempt shows the jump that was missed
static carom_status probe(carom_sim *sim, verdict *v)
{
    bool is_unseen;
    if (sim->size.n_contact == 0) return CAROM_OK;
    CAROM_TRY(find_unseen(sim, &is_unseen));
    if (!is_unseen) return CAROM_OK;
    verdict jump = {.h = v->h};
    CAROM_TRY(go(sim, &jump, &sim->next, &sim->control->coarse, sim->control->min_step));
    if (jump.failed != CAROM_OK) return CAROM_OK;
    judge_jump(sim, &jump, &sim->next, &sim->control->coarse);
    if (jump.is_good) return CAROM_OK;
    v->is_good = false;
    v->has_impact = true;
    v->h_impact = jump.h_impact;
    return CAROM_OK;
}

// two steps h/2, compared with the one step that is in control->coarse
static carom_status halve(carom_sim *sim, verdict *v)
{
    carom_auto_step *c = sim->control;
    const size_t rows = sizeof(double) * (size_t)sim->size.n_row;
    CAROM_TRY(go(sim, v, &sim->now, &c->mid, 0.5 * v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look(sim, v, &c->mid);
    const carom_step_report first = sim->s.report;
    memcpy(c->before, first.rate_before, rows);
    memcpy(c->after, first.rate_after, rows);
    CAROM_TRY(go(sim, v, &c->mid, &sim->next, 0.5 * v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look(sim, v, &sim->next);
    const carom_step_report both = merge(sim, &first);

    judge_smooth(sim, v);
    // a jump of the velocity never becomes smaller with the step; what it does to positions does
    if (v->has_impact || (v->has_contact && !v->is_good)) {
        judge_jump(sim, v, &sim->now, &sim->next);
        v->error = fmin(v->error, fmax(v->error_q, v->h / v->h_impact));
        if (!v->has_impact) v->is_good = v->error <= 1 || v->h <= sim->control->min_step;
    }
    if (v->is_good && !v->has_impact) CAROM_TRY(probe(sim, v));
    memcpy(both.rate_before, c->before, rows);
    memcpy(both.rate_after, c->after, rows);
    for (int r = 0; v->is_good && r < sim->size.n_row; r++) sim->next.P[r] += c->mid.P[r];
    sim->s.report = both;
    c->has_mid = true;
    return CAROM_OK;
}

static carom_status attempt(carom_sim *sim, verdict *v)
{
    carom_auto_step *c = sim->control;
    c->has_mid = false;
    CAROM_TRY(go(sim, v, &sim->now, &c->coarse, v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look(sim, v, &c->coarse);
    if (!v->has_impact) return halve(sim, v);
    // one impulse belongs to one step
    judge_jump(sim, v, &sim->now, &c->coarse);
    if (!v->is_good) return CAROM_OK;
    const carom_state coarse = c->coarse;
    c->coarse = sim->next;
    sim->next = coarse;
    return CAROM_OK;
}

static double factor(const carom_sim *sim, const verdict *v)
{
    return safety * pow(v->error, -1.0 / (order_of(sim, v) + 1));
}

static double propose(const carom_sim *sim, const carom_ledger *ledger)
{
    const double left = sim->end - sim->now.t, window = ledger->impact_by - sim->now.t;
    double h = fmin(carom_sim_next_h(sim), ledger->h_next);
    // no sliver is left for the end
    if (h < left && h > 0.6 * left) h = 0.5 * left;
    if (window > 0) h = fmin(h, window <= ledger->h_impact ? window : 0.5 * window);
    return h;
}

// a shorter step, or the end of the attempts
static carom_status retreat(carom_sim *sim, carom_ledger *ledger, const verdict *v)
{
    const double least = sim->control->min_step;
    ledger->counts.rejected++;
    if (v->failed == CAROM_OK && v->has_impact) {
        ledger->impact_by = sim->now.t + v->h;
        ledger->h_impact = v->h_impact;
        return CAROM_OK;
    }
    const double by = v->failed == CAROM_OK ? factor(sim, v) : 0;
    ledger->h_next = v->h * fmax(most_shrink, fmin(least_shrink, by));
    // a contact that jumps is as good as an impact: the shortest step takes it
    if (v->failed == CAROM_OK && v->has_contact && v->h > least)
        ledger->h_next = fmax(ledger->h_next, least);
    if (ledger->h_next >= least) return CAROM_OK;
    if (v->failed != CAROM_OK) {
        const carom_error why = sim->trouble;
        sim->trouble = (carom_error){0};
        return carom_fail(&sim->trouble, v->failed,
                          "the step became smaller than min_step %.3g: %.400s", least, why.message);
    }
    return carom_fail(&sim->trouble, CAROM_NOT_CONVERGED,
                      "the step became smaller than min_step %.3g, with an error of %.3g times "
                      "the tolerance (take a larger tolerance, an atol, or a smaller min_step)",
                      least, v->error);
}

static void accept(carom_sim *sim, carom_ledger *ledger, const verdict *v, bool was_rejected)
{
    const double growth = fmin(most_growth, fmax(most_shrink, factor(sim, v)));
    const bool is_cut = v->h < ledger->h_next;
    double h_next = v->h * (was_rejected ? fmin(growth, 1) : growth);
    // a step that was cut says little about the one after it
    if (is_cut) h_next = fmax(h_next, ledger->h_next);
    sim->next.t = sim->now.t + v->h;
    // around an impact steps are short and grow again from there
    const bool has_passed = ledger->impact_by > 0 && sim->next.t >= ledger->impact_by;
    if (v->has_impact || has_passed) {
        h_next = fmin(fmax(ledger->h_next, h_next), (was_rejected ? 1 : most_growth) * v->h);
        ledger->impact_by = ledger->h_impact = 0;
    }
    ledger->h_next = fmin(fmax(h_next, sim->control->min_step), sim->control->max_step);
    sim->s.h = v->h;
    sim->s.report.h_used = v->h;
    sim->s.report.h_next = ledger->h_next;
    sim->s.report.error = v->error;
}

carom_status carom_sim_auto_step(carom_sim *sim, carom_ledger *ledger)
{
    for (bool was_rejected = false;; was_rejected = true) {
        verdict v = {.h = propose(sim, ledger)};
        CAROM_TRY(carom_sim_check_advance(sim, v.h));
        CAROM_TRY(attempt(sim, &v));
        if (v.failed == CAROM_OK && v.is_good) {
            accept(sim, ledger, &v, was_rejected);
            return CAROM_OK;
        }
        CAROM_TRY(retreat(sim, ledger, &v));
    }
}

void carom_sim_widen_scale(carom_sim *sim)
{
    double *scale = sim->control->scale;
    for (int i = 0; i < sim->size.nq + sim->size.nu; i++)
        scale[i] = fmax(scale[i], fabs(sim->now.q[i]));
}
