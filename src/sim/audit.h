// SPDX-License-Identifier: Apache-2.0
// The part of the audit that every step needs, inlined. The rest is in audit.c.
#ifndef CAROM_SIM_AUDIT_H
#define CAROM_SIM_AUDIT_H

#include "math/vector.h"
#include "sim/sim.h"

/// Finds what the audit has to know of the step to next, asking the model where need be:
/// sim->seen, sim->worked. The scheme may know the gaps there; its time is that of the
/// grid up to rounding only.
static inline carom_status carom_audit_look_at_next(carom_sim *sim)
{
    const carom_step_report *report = &sim->s.report;
    sim->seen = sim->takes_gaps ? report->at_end : NULL;
    if (sim->seen && !sim->has_power && !report->has_applied_work) return CAROM_OK;
    return carom_sim_audit_ask(sim);
}

/// The smallest gap of the answers.
static inline double carom_audit_least(const carom_sim *sim, const carom_eval *at)
{
    const double *gap = at->gap;
    double least = INFINITY;
    CAROM_EACH_SHORT(i, sim->size.n_contact, least = gap[i] < least ? gap[i] : least)
    return least;
}

/// Enters the smallest gap of the answers at time t.
static inline void carom_audit_enter_least(const carom_sim *sim, const carom_eval *at, double least,
                                           double t, carom_ledger *ledger)
{
    if (!(least < ledger->min_gap)) return;
    const bool is_plain = least >= 0 && sim->size.n_contact == 1; // every step of a fall
    ledger->min_gap_time = t;
    if (!is_plain) carom_sim_audit_note_gap(at->gap, least, ledger);
    ledger->min_gap = least;
}

/// Looks at the gaps and constraints of the answers at time t.
static inline void carom_audit_gaps(const carom_sim *sim, const carom_eval *at, double t,
                                    carom_ledger *ledger)
{
    carom_audit_enter_least(sim, at, carom_audit_least(sim, at), t, ledger);
    for (int i = 0; i < sim->size.n_constraint; i++)
        if (fabs(at->constraint[i]) > ledger->max_drift) {
            ledger->max_drift = fabs(at->constraint[i]);
            ledger->drift_constraint = i;
            ledger->max_drift_time = t;
        }
}

static inline void carom_audit_counts(const carom_sim *sim, carom_ledger *ledger)
{
    const carom_step_report *report = &sim->s.report;
    ledger->done++;
    ledger->counts.steps++;
    if (!report->is_converged) ledger->counts.unconverged++;
    ledger->counts.solver_iterations += report->iterations;
    ledger->counts.rejected += report->rejected;
    ledger->counts.evaluations += report->evaluations;
    if (report->residual > ledger->residual) {
        ledger->residual = report->residual;
        ledger->residual_row = report->residual_row;
        ledger->residual_time = sim->next.t;
    }
    if (report->cone > ledger->cone) ledger->cone = report->cone;
    ledger->h_next = report->h_next;
}

/// Enters a step without contact after one without contact, and without constraints, but for its
/// smallest gap.
static inline void carom_audit_enter_free(const carom_sim *sim, carom_ledger *ledger)
{
    carom_audit_counts(sim, ledger);
    if (sim->has_power || sim->s.report.has_applied_work)
        carom_sum_add(&ledger->work, sim->worked[0]);
}

#endif
