// SPDX-License-Identifier: Apache-2.0
// One look at the contacts of a step that is not quiet. What audit, events and alarms have to know
// of each of them is found here at once: who is pushed, the smallest gap, and whether there is a
// reason to look closer,
//
//     a gap outside the contact problem plunges              its direction, vanish.c
//     a gap outside the contact problem <= reach             its law, overlook.c
//
// where reach is 1e-9 of what the fastest impact of the step moves through. Most steps give no
// reason.
#include "sim/sim.h"

static const double closed = 1e-9; // of what the fastest impact of the step moves through

// what is found on the way
typedef struct glance {
    bool has_impulse, has_force, has_plunge;
    double fastest;            // the largest closing rate before an impulse
    double taken_in, left_out; // the smallest gap in the contact problem, and outside
    int n_changing;
} glance;

static const glance nothing = {.taken_in = INFINITY, .left_out = INFINITY};

// impulse and force of one contact
static inline __attribute__((always_inline)) void look_at_push(carom_sim *sim, int c, glance *g)
{
    const int r = sim->contacts.normal[c];
    const double P = sim->next.P[r], la = sim->next.la[r];
    if (!(P > 0) && !(la > 0) && !sim->contacts.track[c].is_pushed) return;
    sim->contacts.changing[g->n_changing++] = c;
    if (c >= sim->size.n_contact - sim->size.n_disc) return; // what a disc may bear is no push
    g->has_force |= la > 0;
    if (!(P > 0)) return;
    g->has_impulse = true;
    const double closing = -sim->s.report.rate_before[r];
    g->fastest = closing > g->fastest ? closing : g->fastest;
}

static inline __attribute__((always_inline)) void look_at_gap(carom_sim *sim, int c, glance *g)
{
    double *last_gap = sim->contacts.last_gap + c;
    const double now = sim->contacts.seen->gaps.value[c], was = *last_gap;
    *last_gap = now;
    if (sim->next.is_active[c]) { // the contact problem has had its say
        g->taken_in = now < g->taken_in ? now : g->taken_in;
        return;
    }
    g->left_out = now < g->left_out ? now : g->left_out;
    if (!carom_sim_gap_plunges(now, was) || now < 0) return;
    *last_gap = was; // still to be asked for
    g->has_plunge = true;
}

static inline void note_glance(carom_sim *sim, const glance *g)
{
    carom_touch *touch = &sim->contacts.touch;
    sim->contacts.least = g->left_out < g->taken_in ? g->left_out : g->taken_in;
    touch->left_out = g->left_out;
    touch->has_plunge = g->has_plunge;
}

bool carom_sim_some_plunge(carom_sim *sim)
{
    glance g = nothing;
    for (int c = 0, n = sim->size.n_contact; c < n; c++) look_at_gap(sim, c, &g);
    note_glance(sim, &g);
    return g.has_plunge;
}

carom_status carom_sim_heed_contacts(carom_sim *sim)
{
    glance g = nothing;
    for (int c = 0, n = sim->size.n_contact; c < n; c++) {
        look_at_push(sim, c, &g);
        look_at_gap(sim, c, &g);
    }
    note_glance(sim, &g);
    sim->contacts.n_changing = g.n_changing;
    sim->contacts.touch.has_impulse = g.has_impulse;
    sim->contacts.touch.has_force = g.has_force;
    if (sim->scheme->finds_events) return CAROM_OK;
    if (g.has_plunge) CAROM_TRY(carom_sim_heed_directions(sim));
    if (!(g.fastest > 0)) return CAROM_OK;
    // a gap up to this is 0 as far as the step can tell
    const double reach = closed * (sim->next.t - sim->now.t) * g.fastest;
    return g.left_out <= reach ? carom_sim_heed_laws(sim, reach) : CAROM_OK;
}
