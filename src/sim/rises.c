// SPDX-License-Identifier: Apache-2.0
// Impacts that make energy. Newton's law does so now and then, with friction or where contacts of
// unequal restitution collide at once; it is reported, not mended. Of each instant (schemes that
// find events) or step with an impact (time stepping), summed over its contacts:
//
//     size = sum |P| (|gamma+| + |gamma-|)/2
//     lost = -sum P.(gamma+ + gamma-)/2 < -share size   ->  a rise
//
// A located impact counts from rounding on, also that of the whole energy. In time stepping the
// forces of the step act with the impact, and what they do at small ones looks like a rise: there
// the measure is a thousandth of the largest size so far. On position level an impact spreads over
// steps and cannot be judged.
//
// T. R. Kane, A dynamics puzzle, Stanford Mechanics Alumni Club Newsletter, 1984.
#include "math/vector.h"
#include "model/model.h"
#include "sim/sim.h"

#include <float.h>

static const double rounding = 1e-9, step_share = 1e-3;

static void close_jolt(carom_sim *sim)
{
    const carom_jolt *jolt = &sim->rises.jolt;
    const double share = sim->scheme->finds_events
                             ? rounding * jolt->size
                             : step_share * carom_vector_larger(sim->rises.scale, jolt->size);
    const double least = carom_vector_larger(share, DBL_EPSILON * fabs(sim->energy.start));
    if (jolt->is_open && jolt->lost < -least) {
        sim->rises.n++;
        sim->rises.largest = carom_vector_larger(sim->rises.largest, -jolt->lost);
    }
    sim->rises.scale = carom_vector_larger(sim->rises.scale, jolt->size);
    sim->rises.jolt = (carom_jolt){0};
}

void carom_sim_rises_event(carom_sim *sim, const carom_event *event)
{
    if (event->kind != CAROM_IMPACT) return;
    if (sim->rises.jolt.is_open && event->t != sim->rises.jolt.t) close_jolt(sim);
    sim->rises.jolt.is_open = true;
    sim->rises.jolt.t = event->t;
    sim->rises.jolt.lost += event->energy_lost;
    sim->rises.jolt.size +=
        0.5 * fabs(event->P) * (fabs(event->rate_before) + fabs(event->rate_after));
}

void carom_sim_rises_step(carom_sim *sim)
{
    const carom_step_report *report = &sim->s.report;
    if (sim->rises.jolt.is_open || !sim->is.judges_impacts) return;
    sim->rises.jolt.is_open = true;
    sim->rises.jolt.lost = report->impact_loss + report->friction_loss;
    const double *P = sim->next.P, *before = report->rate_before, *after = report->rate_after;
    double size = 0;
    for (int k = 0; k < sim->contacts.n_changing; k++) {
        const carom_contact_facts *contact = &sim->s.plan->contact[sim->contacts.changing[k]];
        for (int r = contact->row, end = r + contact->n_slip; r <= end; r++)
            size += 0.5 * fabs(P[r]) * (fabs(before[r]) + fabs(after[r]));
    }
    sim->rises.jolt.size = size;
}

void carom_sim_rises_end(carom_sim *sim, carom_ledger *ledger)
{
    close_jolt(sim);
    ledger->counts.energy_rises += sim->rises.n;
    ledger->jolt_scale = sim->rises.scale;
    ledger->worst.largest_rise =
        carom_vector_larger(ledger->worst.largest_rise, sim->rises.largest);
    // beside a later impact they may all be rounding
    if (ledger->worst.largest_rise > DBL_EPSILON * ledger->jolt_scale) return;
    ledger->worst.largest_rise = 0;
    ledger->counts.energy_rises = 0;
}
