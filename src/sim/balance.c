// SPDX-License-Identifier: Apache-2.0
// The energy along a run. What a state has, and where it came from:
//
//     T + V = (T + V at the start) + work - losses + error
//     scale = largest T so far + |work| + |losses|
//
// A look asks whether |error| is above a hundredth of the scale, and whether the energy has risen
// by more than what forces give in a step, and a thousand times what there was to begin with,
//
//     |E0| + (E0 - lowest V so far) + |work|,   E0 = T + V at start
//
// The zero of V does not matter for the second term, and the first makes the alarm come later at
// most. Looks cost an evaluation: there is one after every step at first, after every 256th
// later. They do not depend on rows, and leave the motion as it is.
#include "model/elastic/elastic.h"
#include "model/model.h"
#include "sim/sim.h"

enum { EVERY_AT_FIRST = 8, SELDOMEST = 256 };
static const double LARGE = 1e-2;      // error over scale
static const double UNEXPLAINED = 1e3; // rise over what there was

carom_status carom_sim_balance(carom_sim *sim, const carom_state *state, const carom_ledger *ledger,
                               carom_balance *b, carom_error *error)
{
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u};
    carom_sum work = ledger->work;
    sim->s.error = error;
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_AUDIT_MASK, sim->eval, error));
    *b = (carom_balance){.kinetic = sim->eval->energy.kinetic,
                         .potential = sim->eval->energy.potential};
    // the energy as the scheme means it
    if (sim->scheme->energy)
        CAROM_TRY(sim->scheme->energy(&sim->s, state, &b->kinetic, &b->potential));
    carom_sum_add(&work, sim->eval->energy.rheonomic - sim->energy.rheonomic_start);
    b->work = carom_sum_value(&work);
    b->impact_loss = carom_sum_value(&ledger->impact_loss);
    b->friction_loss = carom_sum_value(&ledger->friction_loss);
    b->error =
        b->kinetic + b->potential - sim->energy.start - b->work + b->impact_loss + b->friction_loss;
    b->scale = fmax(ledger->largest_kinetic, b->kinetic) + fabs(b->work) + fabs(b->impact_loss) +
               fabs(b->friction_loss);
    return CAROM_OK;
}

bool carom_balance_is_off(const carom_balance *b)
{
    return !(fabs(b->error) <= LARGE * b->scale);
}

void carom_sim_forget_looks(carom_ledger *ledger)
{
    ledger->look = 1;
    ledger->off_since = ledger->runaway_time = -1;
}

static void note_balance(const carom_sim *sim, const carom_balance *b, double t,
                         carom_ledger *ledger)
{
    const double energy = b->kinetic + b->potential, start = sim->energy.start;
    ledger->largest_kinetic = fmax(ledger->largest_kinetic, b->kinetic);
    ledger->lowest_potential = fmin(ledger->lowest_potential, b->potential);
    const bool is_off = carom_balance_is_off(b);
    if (!is_off) ledger->off_since = -1;
    if (is_off && ledger->off_since < 0) ledger->off_since = t;
    const double h = t / (double)ledger->counts.steps, in_a_step = sim->start.facts.push * h * h;
    const double there_was = fabs(start) + (start - ledger->lowest_potential) + fabs(b->work);
    const double explained = fmax(UNEXPLAINED * there_was, in_a_step);
    if (!is_off || ledger->runaway_time >= 0 || energy - start <= explained) return;
    ledger->runaway_time = t;
    ledger->runaway_energy = energy;
}

// linear bodies hold while they turn and stretch little
static void note_distortion(const carom_sim *sim, carom_ledger *ledger)
{
    const double distortion = carom_elastics_distortion(sim->model, sim->next.q);
    if (!(distortion > ledger->distortion)) return;
    ledger->distortion = distortion;
    ledger->distortion_time = sim->next.t;
}

void carom_sim_look_at_energy(carom_sim *sim, carom_ledger *ledger)
{
    const long steps = ledger->counts.steps, between = steps / EVERY_AT_FIRST;
    carom_balance b;
    carom_error quiet = {0}; // a look does not stop a run: rows and the audit's end do that
    ledger->look = steps + (between < 1 ? 1 : between > SELDOMEST ? SELDOMEST : between);
    if (sim->model->energies.elastic) note_distortion(sim, ledger);
    if (carom_sim_balance(sim, &sim->next, ledger, &b, &quiet) == CAROM_OK) {
        note_balance(sim, &b, sim->next.t, ledger);
    } else if (ledger->runaway_time < 0) {
        ledger->runaway_time = sim->next.t;
        ledger->runaway_energy = INFINITY;
    }
}
