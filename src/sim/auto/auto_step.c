// SPDX-License-Identifier: Apache-2.0
// Step control for any one-step scheme. An attempt takes one step h and two steps h/2 from the same
// state; their difference d tells the error of smooth motion, and h follows from it. With the
// weight w of each coordinate and velocity (auto_weigh.c) and p the order of the scheme:
//
//     error  = max d / ((2^p - 1) w tolerance^(1/p))     accepted where <= 1: the two half steps
//     h_next = 0.9 h error^(-1/(p+1))
//
// so that the error of a run, not of a step, follows the tolerance. What happens at one instant
// inside the attempt (an impact, or a contact that opens, sticks, slips, turns or comes to
// an edge: auto_inside.c) is done at a time that is unknown within h. The attempt is accepted
// when that does not matter (auto_weigh.c), an impact as one step; else the instant is closed
// in by bisection. A contact that closed unseen (its gap changed sign) counts the same, with
// the jump that a probe finds.
//
// Generalises the impulsive steps of T. Schindler et al., Half-explicit timestepping schemes on
// velocity level, 2015, Fig. 24. Richardson: Hairer, Norsett, Wanner, Solving ODE I, II.4.
#include "sim/auto/auto_step.h"

#include <math.h>
#include <string.h>

static const double safety = 0.9, most_growth = 5, least_shrink = 0.5, most_shrink = 0.1;
static const double probe_share = 0.05; // of the step
static const double a_lot = 8;          // an error that halves the step

// the scheme's step; where it gives up, the attempt failed and a shorter one may not
static carom_status take_scheme_step(carom_sim *sim, carom_verdict *v, const carom_state *from,
                                     carom_state *to, double h)
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
static void look_at_contacts(const carom_sim *sim, carom_verdict *v, const carom_state *to)
{
    bool is_new = false;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->contacts.normal[i];
        v->has_contact |= to->P[row] > 0 || to->la[row] > 0;
        is_new |= to->P[row] > 0 && !sim->contacts.track[i].is_pushed;
    }
    for (int r = 0; r < sim->size.n_row; r++) v->has_impulse |= to->P[r] != 0;
    v->has_contact |= sim->s.report.has_contact;
    v->has_impact |= sim->scheme->separates_impact ? sim->s.report.has_impact : is_new;
}

// adds the report of the second half to that of the first, whose rates are in control
static carom_step_report merge_reports(carom_sim *sim, const carom_step_report *first)
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
        const bool in_first = c->rate_before[r] != 0 || c->rate_after[r] != 0;
        const bool in_second = second->rate_before[r] != 0 || second->rate_after[r] != 0;
        if (!in_first) c->rate_before[r] = second->rate_before[r];
        if (in_second) c->rate_after[r] = second->rate_after[r];
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
        const int row = sim->contacts.normal[i];
        const bool is_pushed = sim->next.P[row] > 0 || sim->next.la[row] > 0 || c->mid.P[row] > 0;
        c->is.closed[i] = sim->eval->gaps.value[i] < 0 && !is_pushed;
        n_closed += c->is.closed[i];
    }
    if (n_closed == 0) return CAROM_OK;
    CAROM_TRY(carom_model_eval(sim->s.plan, &start, CAROM_GAPS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++)
        *is_unseen |= c->is.closed[i] && sim->eval->gaps.value[i] >= 0;
    return CAROM_OK;
}

// the shortest step from the end of the attempt shows the jump that was missed
static carom_status probe_missed_jump(carom_sim *sim, carom_verdict *v)
{
    bool is_unseen;
    if (sim->size.n_contact == 0) return CAROM_OK;
    CAROM_TRY(find_unseen(sim, &is_unseen));
    if (!is_unseen) return CAROM_OK;
    carom_verdict jump = {.h = v->h};
    CAROM_TRY(
        take_scheme_step(sim, &jump, &sim->next, &sim->control->coarse, sim->control->min_step));
    if (jump.failed != CAROM_OK) return CAROM_OK;
    carom_auto_judge_jump(sim, &jump, &sim->next, &sim->control->coarse);
    if (jump.is_good) return CAROM_OK;
    v->is_good = false;
    v->has_impact = true;
    v->h_impact = jump.h_impact;
    return CAROM_OK;
}

// Impulses are means over a half step: where they fall, a contact that holds in the mean, or just
// no longer, has let go before. A short step from the end shows it.
static carom_status probe_hold(carom_sim *sim, carom_verdict *v)
{
    if (sim->scheme->separates_impact || v->has_late_change || !carom_auto_hold_falls(sim))
        return CAROM_OK;
    carom_verdict after = {.h = probe_share * v->h};
    CAROM_TRY(take_scheme_step(sim, &after, &sim->next, &sim->control->coarse, after.h));
    if (after.failed != CAROM_OK) return CAROM_OK;
    bool has_let_go;
    CAROM_TRY(carom_auto_has_let_go(sim, &sim->control->coarse, &has_let_go));
    if (!has_let_go) return CAROM_OK;
    v->has_change = v->has_late_change = true;
    return carom_auto_judge_change(sim, v);
}

// the two half steps; what they report is added up
static carom_status take_halves(carom_sim *sim, carom_verdict *v, carom_step_report *both)
{
    carom_auto_step *c = sim->control;
    const size_t rows = sizeof(double) * (size_t)sim->size.n_row;
    CAROM_TRY(take_scheme_step(sim, v, &sim->now, &c->mid, 0.5 * v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look_at_contacts(sim, v, &c->mid);
    carom_auto_note_modes(sim, &c->mid, c->half[0]);
    const carom_step_report first = sim->s.report;
    memcpy(c->rate_before, first.rate_before, rows);
    memcpy(c->rate_after, first.rate_after, rows);
    CAROM_TRY(take_scheme_step(sim, v, &c->mid, &sim->next, 0.5 * v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look_at_contacts(sim, v, &sim->next);
    carom_auto_note_modes(sim, &sim->next, c->half[1]);
    *both = merge_reports(sim, &first);
    return CAROM_OK;
}

// changes of contacts that both ways may have missed
static carom_status judge_inside(carom_sim *sim, carom_verdict *v)
{
    const bool is_smooth = v->is_good;
    if (sim->size.n_contact == 0 || v->has_impact) return CAROM_OK;
    CAROM_TRY(carom_auto_look_inside(sim, v));
    if (v->may_touch) {
        v->is_good = v->h <= sim->control->min_step;
    } else if (v->has_change) {
        CAROM_TRY(carom_auto_judge_change(sim, v));
        v->is_good &= carom_auto_states_agree(sim, &sim->next, &sim->control->coarse);
        v->is_good |= v->h <= sim->control->min_step;
    } else if (v->may_hide || v->stray > 1) {
        CAROM_TRY(carom_auto_judge_change(sim, v));
        v->is_good &= is_smooth;
    }
    const double doubt = v->may_touch || v->may_hide ? a_lot : v->stray;
    v->error = fmax(v->error, v->is_good ? fmin(doubt, 1) : doubt);
    return CAROM_OK;
}

// A step with an impact is accepted when both ways end alike: an impact that is weak says nothing
// of the rest of the motion, and a contact that rounding lifts and drops hides a slip that turns
static void confirm_agreement(const carom_sim *sim, carom_verdict *v, const carom_state *a,
                              const carom_state *b)
{
    const bool agrees =
        carom_auto_states_agree(sim, a, b) && carom_auto_velocities_agree(sim, a, b);
    if (!v->is_good || agrees || v->h <= sim->control->min_step) return;
    v->is_good = false;
    v->h_impact = 0.25 * v->h;
}

static void note_pressed(const carom_sim *sim)
{
    const carom_auto_step *c = sim->control;
    for (int i = 0; i < sim->size.n_contact; i++) {
        const int row = sim->contacts.normal[i];
        c->is.pressed[i] = c->mid.P[row] > 0 && sim->next.P[row] > 0;
    }
}

// two steps h/2, compared with the one step that is in control->coarse
static carom_status try_halves(carom_sim *sim, carom_verdict *v)
{
    carom_auto_step *c = sim->control;
    const size_t rows = sizeof(double) * (size_t)sim->size.n_row;
    carom_step_report both;
    CAROM_TRY(take_halves(sim, v, &both));
    if (v->failed != CAROM_OK) return CAROM_OK;
    carom_auto_judge_smooth(sim, v);
    CAROM_TRY(judge_inside(sim, v));
    // a jump of the velocity never becomes smaller with the step; what it does to positions does
    const bool is_seen = !v->has_change && !v->may_touch && !v->may_hide && v->stray <= 1;
    if (v->has_impact || (v->has_contact && !v->is_good && is_seen)) {
        carom_auto_judge_jump(sim, v, &sim->now, &sim->next);
        v->error = fmin(v->error, fmax(v->error_q, v->h / v->h_impact));
        if (!v->has_impact) v->is_good = v->error <= 1 || v->h <= c->min_step;
        if (v->has_impact) confirm_agreement(sim, v, &c->coarse, &sim->next);
    }
    if (v->is_good && !v->has_impact) CAROM_TRY(probe_missed_jump(sim, v));
    if (v->is_good && !v->has_impact) CAROM_TRY(probe_hold(sim, v));
    memcpy(both.rate_before, c->rate_before, rows);
    memcpy(both.rate_after, c->rate_after, rows);
    note_pressed(sim);
    for (int r = 0; v->is_good && r < sim->size.n_row; r++) sim->next.P[r] += c->mid.P[r];
    sim->s.report = both;
    c->has_mid = true;
    return CAROM_OK;
}

// the impact is in the one step, which is accepted; two half steps confirm it
static carom_status confirm_impact(carom_sim *sim, carom_verdict *v)
{
    carom_auto_step *c = sim->control;
    const carom_step_report whole = sim->s.report;
    const size_t rows = sizeof(double) * (size_t)sim->size.n_row;
    carom_verdict other = {.h = v->h};
    memcpy(c->rate_before, whole.rate_before, rows);
    memcpy(c->rate_after, whole.rate_after, rows);
    CAROM_TRY(take_scheme_step(sim, &other, &sim->now, &c->mid, 0.5 * v->h));
    if (other.failed == CAROM_OK)
        CAROM_TRY(take_scheme_step(sim, &other, &c->mid, &sim->next, 0.5 * v->h));
    if (other.failed == CAROM_OK)
        confirm_agreement(sim, v, &c->coarse, &sim->next);
    else if (v->h > c->min_step) {
        v->is_good = false;
        v->h_impact = 0.25 * v->h;
    }
    sim->s.report = whole;
    memcpy(whole.rate_before, c->rate_before, rows);
    memcpy(whole.rate_after, c->rate_after, rows);
    return CAROM_OK;
}

static carom_status attempt(carom_sim *sim, carom_verdict *v)
{
    carom_auto_step *c = sim->control;
    c->has_mid = false;
    CAROM_TRY(take_scheme_step(sim, v, &sim->now, &c->coarse, v->h));
    if (v->failed != CAROM_OK) return CAROM_OK;
    look_at_contacts(sim, v, &c->coarse);
    carom_auto_note_modes(sim, &c->coarse, c->whole);
    if (!v->has_impact) return try_halves(sim, v);
    // one impulse belongs to one step
    carom_auto_judge_jump(sim, v, &sim->now, &c->coarse);
    if (v->is_good) CAROM_TRY(confirm_impact(sim, v));
    if (!v->is_good) return CAROM_OK;
    const carom_state coarse = c->coarse;
    c->coarse = sim->next;
    sim->next = coarse;
    return CAROM_OK;
}

static double step_factor(const carom_sim *sim, const carom_verdict *v)
{
    return safety * pow(v->error, -1.0 / (carom_auto_order(sim, v) + 1));
}

static double propose_step(const carom_sim *sim, const carom_ledger *ledger)
{
    const double left = sim->choice.end - sim->now.t, window = ledger->impact_by - sim->now.t;
    double h = fmin(carom_sim_next_h(sim), ledger->h_next);
    // no sliver is left for the end
    if (h < left && h > 0.6 * left) h = 0.5 * left;
    if (window > 0) h = fmin(h, window <= ledger->h_impact ? window : 0.5 * window);
    return h;
}

// a shorter step, or the end of the attempts
static carom_status shorten_step(carom_sim *sim, carom_ledger *ledger, const carom_verdict *v)
{
    const double least = sim->control->min_step;
    ledger->counts.rejected++;
    if (v->failed == CAROM_OK && v->has_impact) {
        ledger->impact_by = sim->now.t + v->h;
        ledger->h_impact = v->h_impact;
        return CAROM_OK;
    }
    // a change lies in the first half or, with the same step, in the next: bisection
    const double by = v->failed != CAROM_OK ? 0
                      : v->has_change       ? least_shrink
                                            : step_factor(sim, v);
    ledger->h_next = v->h * fmax(most_shrink, fmin(least_shrink, by));
    // a contact that jumps is as good as an impact: the shortest step takes it
    const bool may_jump =
        v->has_contact || v->has_change || v->may_touch || v->may_hide || v->stray > 1;
    if (v->failed == CAROM_OK && may_jump && v->h > least)
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

// what the next step has to know of this one
static void remember_step(carom_sim *sim, const carom_verdict *v)
{
    carom_auto_step *c = sim->control;
    const bool is_known = c->has_mid && !v->has_impact;
    for (int i = 0; i < sim->size.nu; i++)
        c->next_acceleration[i] = is_known ? (sim->next.u[i] - c->mid.u[i]) / (0.5 * v->h) : NAN;
    // what was thrown back in both halves by a rate that the law itself left there flies no further
    for (int i = 0; is_known && i < sim->size.n_contact; i++)
        if (c->is.pressed[i]) c->half[1][i].push = sim->next.P[sim->contacts.normal[i]];
    c->next_mode = c->has_mid ? c->half[1] : c->whole;
}

void carom_sim_commit_control(carom_sim *sim)
{
    carom_auto_step *c = sim->control;
    carom_sim_widen_scale(sim);
    memcpy(c->acceleration, c->next_acceleration, sizeof(double) * (size_t)sim->size.nu);
    memcpy(c->mode, c->next_mode, sizeof(carom_mode) * (size_t)sim->size.n_contact);
}

static void note_lag_of_step(const carom_sim *sim, carom_worst *worst, const carom_verdict *v)
{
    if (!(v->lag > worst->lag)) return;
    worst->lag = v->lag;
    worst->lag_rate = v->lag_rate;
    worst->lag_time = sim->now.t;
    worst->lag_contact = v->lag_contact;
}

static void accept_step(carom_sim *sim, carom_ledger *ledger, const carom_verdict *v,
                        bool was_rejected)
{
    const double growth = fmin(most_growth, fmax(most_shrink, step_factor(sim, v)));
    const bool is_cut = v->h < ledger->h_next;
    double h_next = v->h * (was_rejected ? fmin(growth, 1) : growth);
    // a step that was cut says little about the one after it
    if (is_cut) h_next = fmax(h_next, ledger->h_next);
    sim->next.t = sim->now.t + v->h;
    // around an impact steps are short and grow again from there
    const bool has_passed = ledger->impact_by > 0 && sim->next.t >= ledger->impact_by;
    if (v->has_impact || v->has_change || has_passed) {
        h_next = fmin(fmax(ledger->h_next, h_next), (was_rejected ? 1 : most_growth) * v->h);
        ledger->impact_by = ledger->h_impact = 0;
    }
    ledger->h_next = fmin(fmax(h_next, sim->control->min_step), sim->control->max_step);
    note_lag_of_step(sim, &ledger->worst, v);
    sim->s.h = v->h;
    sim->s.report.h_used = v->h;
    sim->s.report.h_next = ledger->h_next;
    sim->s.report.error = v->error;
    remember_step(sim, v);
}

carom_status carom_sim_auto_step(carom_sim *sim, carom_ledger *ledger)
{
    CAROM_TRY(carom_auto_seed_scale(sim, ledger));
    CAROM_TRY(carom_auto_look_at_start(sim));
    for (bool was_rejected = false;; was_rejected = true) {
        carom_verdict v = {.h = propose_step(sim, ledger)};
        CAROM_TRY(carom_sim_check_advance(sim, v.h));
        CAROM_TRY(attempt(sim, &v));
        if (v.failed == CAROM_OK && v.is_good) {
            accept_step(sim, ledger, &v, was_rejected);
            return CAROM_OK;
        }
        CAROM_TRY(shorten_step(sim, ledger, &v));
    }
}
