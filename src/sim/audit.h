// SPDX-License-Identifier: Apache-2.0
// The part of the audit that every step needs, inlined. The rest is in audit.c.
#ifndef CAROM_SIM_AUDIT_H
#define CAROM_SIM_AUDIT_H

#include "math/vector.h"
#include "model/plan.h"
#include "sim/sim.h"

/// An evaluation of the scheme that holds gaps and constraints at next, or NULL.
static inline const carom_eval *carom_audit_known(const carom_sim *sim)
{
    const carom_step *s = &sim->s;
    const carom_state *next = &sim->next;
    for (int i = 0; i < sim->is.n_keeping; i++)
        if (carom_eval_holds(s->ev[i], next->t, next->q, CAROM_GAPS)) return s->ev[i];
    return NULL;
}

/// Finds what the audit has to know of the step to next, asking the model where need be:
/// sim->seen, sim->worked.
static inline carom_status carom_audit_look_at_next(carom_sim *sim)
{
    sim->energy.worked[0] = sim->energy.worked[1] = 0;
    if (sim->is.has_power || sim->s.report.has_applied_work) CAROM_TRY(carom_sim_audit_work(sim));
    if (sim->size.n_row == 0) return CAROM_OK;
    sim->contacts.seen = carom_audit_known(sim);
    if (sim->contacts.seen) return CAROM_OK;
    const carom_point end = {.t = sim->next.t, .q = sim->next.q, .u = sim->next.u};
    sim->contacts.seen = sim->eval;
    return carom_plan_ask(sim->s.plan, &end, CAROM_GAPS, sim->eval, &sim->trouble);
}

/// The smallest gap of the answers.
static inline double carom_audit_least(const carom_sim *sim, const carom_eval *at)
{
    const double *gap = at->gaps.value;
    double least = INFINITY;
    CAROM_EACH_SHORT(i, sim->size.n_contact, least = gap[i] < least ? gap[i] : least)
    return least;
}

/// Enters the smallest gap of the answers at time t.
static inline void carom_audit_enter_least(const carom_eval *at, double least, double t,
                                           carom_ledger *ledger)
{
    if (!(least < ledger->worst.min_gap)) return;
    ledger->worst.min_gap_time = t;
    if (least >= 0 && at->gaps.value[0] == least) // in every step of a fall
        ledger->worst.min_gap_contact = 0;
    else
        carom_sim_audit_note_gap(at->gaps.value, least, ledger);
    ledger->worst.min_gap = least;
}

/// Enters the gaps, of which the smallest is known, and the constraints of the answers at time t.
static inline void carom_audit_gaps(const carom_sim *sim, const carom_eval *at, double least,
                                    double t, carom_ledger *ledger)
{
    carom_audit_enter_least(at, least, t, ledger);
    for (int i = 0; i < sim->size.n_constraint; i++)
        if (fabs(at->gaps.constraint[i]) > ledger->worst.max_drift) {
            ledger->worst.max_drift = fabs(at->gaps.constraint[i]);
            ledger->worst.drift_constraint = i;
            ledger->worst.max_drift_time = t;
        }
}

static inline void carom_audit_counts(const carom_sim *sim, carom_ledger *ledger)
{
    const carom_step_report *report = &sim->s.report;
    ledger->done++;
    ledger->counts.steps++;
    if (!report->is_converged) ledger->counts.unconverged++;
    if (report->iterations | report->rejected | report->evaluations) {
        ledger->counts.solver_iterations += report->iterations;
        ledger->counts.rejected += report->rejected;
        ledger->counts.evaluations += report->evaluations;
    }
    if (report->residual > ledger->worst.residual) {
        ledger->worst.residual = report->residual;
        ledger->worst.residual_row = report->residual_row;
        ledger->worst.residual_time = sim->next.t;
    }
    if (report->cone > ledger->worst.cone) ledger->worst.cone = report->cone;
    ledger->h_next = report->h_next;
}

/// Enters a step without contact after one without contact, and without constraints, but for its
/// smallest gap.
static inline void carom_audit_enter_free(const carom_sim *sim, carom_ledger *ledger)
{
    carom_audit_counts(sim, ledger);
    if (sim->is.has_power || sim->s.report.has_applied_work)
        carom_sum_add(&ledger->work, sim->energy.worked[0]);
}

#endif
