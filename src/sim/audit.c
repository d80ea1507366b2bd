// SPDX-License-Identifier: Apache-2.0
// The audit of a run: how far the laws were broken, and where the energy went,
//
//     energy_end - energy_start = work - impact_loss - friction_loss + energy_error
//     work = sum of h power(t, q, u in the middle of the step)
//          + work of moving obstacles
//          + change of (T1 + 2 T0)
//
// T0 and T1 are the parts of the kinetic energy of degree 0 and 1 in u, of systems that are driven.
// Sums are compensated: D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.2.2.
#include "sim/audit.h"
#include "sim/auto/auto_step.h"

#include "base/need.h"
#include "contact/solver.h"
#include "dynamics/contact_blocks.h"
#include "model/plan.h"

#include <math.h>

double carom_sum_value(const carom_sum *sum)
{
    return sum->sum + sum->carry;
}

void carom_sim_audit_note_gap(const double *gap, double least, carom_ledger *ledger)
{
    int i = 0;
    while (gap[i] != least) i++;
    if (least < 0) {
        const double before = ledger->worst.min_gap < 0 ? ledger->worst.min_gap : 0;
        ledger->deepest_fall = fmax(ledger->deepest_fall, before - least);
    }
    ledger->worst.min_gap_contact = i;
}

carom_status carom_sim_audit_start(carom_sim *sim, carom_error *error)
{
    carom_ledger *ledger = sim->ledger;
    carom_balance start;
    ledger->worst.min_gap = INFINITY;
    ledger->worst.min_gap_contact = sim->size.n_contact == 1 ? 0 : -1;
    ledger->worst.drift_constraint = ledger->worst.residual_row = -1;
    ledger->worst.lag_contact = -1;
    sim->s.report.residual_row = -1;
    carom_sim_forget_looks(ledger);
    CAROM_TRY(carom_sim_balance(sim, &sim->now, ledger, &start, error));
    carom_audit_gaps(sim, sim->eval, carom_audit_least(sim, sim->eval), sim->now.t, ledger);
    sim->energy.start = start.kinetic + start.potential;
    sim->energy.rheonomic_start = sim->eval->energy.rheonomic;
    ledger->largest_kinetic = start.kinetic;
    ledger->lowest_potential = start.potential;
    return CAROM_OK;
}

// the work from now to next, by the power in the middle
static carom_status find_work(carom_sim *sim, const carom_state *now, const carom_state *next,
                              double h, double *work)
{
    for (int i = 0; i < sim->size.nu; i++) sim->energy.mid_u[i] = 0.5 * (now->u[i] + next->u[i]);
    if (sim->model->n_plain >= 0)
        for (int i = 0; i < sim->size.nq; i++)
            sim->energy.mid_q[i] = 0.5 * (now->q[i] + next->q[i]);
    else
        carom_model_moved(sim->model, now->q, sim->energy.mid_u, 0.5 * h, sim->energy.mid_q);
    const carom_point at = {.t = now->t + 0.5 * h, .q = sim->energy.mid_q, .u = sim->energy.mid_u};
    CAROM_TRY(carom_plan_ask(sim->s.plan, &at, CAROM_POWER, sim->eval, &sim->trouble));
    if (!isfinite(sim->eval->energy.power))
        return carom_fail(&sim->trouble, CAROM_NOT_FINITE, "the power of the applied forces is %g",
                          sim->eval->energy.power);
    *work = h * sim->eval->energy.power;
    return CAROM_OK;
}

carom_status carom_sim_audit_work(carom_sim *sim)
{
    const carom_step_report *report = &sim->s.report;
    const double h = sim->is.has_free_steps ? report->h_used : sim->s.h;
    sim->energy.worked[0] = report->applied_work;
    sim->energy.worked[1] = 0;
    if (report->has_applied_work) return CAROM_OK;
    if (!sim->control || !sim->control->has_mid)
        return find_work(sim, &sim->now, &sim->next, h, &sim->energy.worked[0]);
    carom_state *mid = &sim->control->mid;
    CAROM_TRY(find_work(sim, &sim->now, mid, 0.5 * h, &sim->energy.worked[0]));
    return find_work(sim, mid, &sim->next, 0.5 * h, &sim->energy.worked[1]);
}

// steps with contact, and with the first impulse of a contact or (schemes that tell) an impact
static void enter_contacts(const carom_sim *sim, carom_ledger *ledger)
{
    const carom_step_report *report = &sim->s.report;
    const bool has_impulse = sim->contacts.touch.has_impulse,
               has_force = sim->contacts.touch.has_force;
    const bool is_impact =
        sim->scheme->separates_impact ? report->has_impact : has_impulse && !ledger->had_impulse;
    ledger->counts.impact_steps += is_impact;
    ledger->counts.ambiguous += report->is_ambiguous;
    ledger->counts.contact_steps += has_impulse || has_force || report->has_contact;
    ledger->had_impulse = has_impulse;
    ledger->is_pushed = has_impulse || has_force;
    carom_sum_add(&ledger->impact_loss, report->impact_loss);
    carom_sum_add(&ledger->friction_loss, report->friction_loss);
    carom_sum_add(&ledger->work, report->obstacle_work);
}

void carom_sim_audit_enter(carom_sim *sim, carom_ledger *ledger)
{
    carom_audit_enter_free(sim, ledger);
    if (sim->control) carom_sum_add(&ledger->work, sim->energy.worked[1]);
    if (sim->size.n_row == 0) return;
    enter_contacts(sim, ledger);
    carom_audit_gaps(sim, sim->contacts.seen, sim->contacts.least, sim->next.t, ledger);
}

static const char *contact_name(const carom_sim *sim, long i)
{
    return i >= 0 && i < sim->size.n_contact ? carom_plan_contact(sim->s.plan, (int)i)->name : "";
}

static const char *constraint_name(const carom_sim *sim, long i)
{
    return i >= 0 && i < sim->size.n_constraint ? carom_model_constraint_name(sim->model, (int)i)
                                                : "";
}

// of the constraint or contact that a row belongs to
static const char *row_name(const carom_sim *sim, long row)
{
    if (row < sim->size.n_constraint) return constraint_name(sim, row);
    long i = sim->size.n_contact - 1;
    while (i > 0 && sim->contacts.normal[i] > row) i--;
    return contact_name(sim, i);
}

static void place_worst(const carom_sim *sim, const carom_ledger *ledger, carom_audit *audit)
{
    audit->min_gap_at =
        isfinite(ledger->worst.min_gap) ? contact_name(sim, ledger->worst.min_gap_contact) : "";
    audit->min_gap_time = ledger->worst.min_gap_time;
    audit->max_drift_at = constraint_name(sim, ledger->worst.drift_constraint);
    audit->max_drift_time = ledger->worst.max_drift_time;
    audit->residual_at = row_name(sim, ledger->worst.residual_row);
    audit->residual_time = ledger->worst.residual_time;
}

carom_status carom_sim_audit(carom_sim *sim, carom_audit *audit, double *gap, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, audit);
    const carom_ledger *ledger = sim->ledger;
    carom_balance b;
    CAROM_TRY(carom_sim_balance(sim, &sim->now, ledger, &b, error));
    for (int i = 0; gap && i < sim->size.n_contact; i++) gap[i] = sim->eval->gaps.value[i];
    *audit = (carom_audit){
        .min_gap = ledger->worst.min_gap,
        .max_drift = ledger->worst.max_drift,
        .residual = ledger->worst.residual,
        .goal = carom_contact_solver_goal(carom_contacts_solver(sim->s.contacts)),
        .cone_violation = ledger->worst.cone,
        .energy_start = sim->energy.start,
        .energy_end = b.kinetic + b.potential,
        .kinetic_end = b.kinetic,
        .potential_end = b.potential,
        .work = b.work,
        .impact_loss = b.impact_loss,
        .friction_loss = b.friction_loss,
        .energy_error = b.error,
        .largest_rise = ledger->worst.largest_rise,
        .largest_kinetic = fmax(ledger->largest_kinetic, b.kinetic),
        .model_size = sim->start.facts.size,
    };
    place_worst(sim, ledger, audit);
    CAROM_TRY(carom_sim_write_warnings(sim, audit, error));
    audit->warnings = sim->warnings;
    return CAROM_OK;
}
