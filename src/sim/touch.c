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

// impulses and forces; the answer is the largest closing rate before an impulse
static inline double look_at_pushes(carom_sim *sim, carom_touch *touch)
{
    const int n = sim->size.n_contact, *normal = sim->contacts.normal;
    const int n_obstacle = n - sim->size.n_disc; // what a disc may bear is no push
    const double *P = sim->next.P, *la = sim->next.la, *before = sim->s.report.rate_before;
    const carom_track *track = sim->contacts.track;
    int *changing = sim->contacts.changing;
    bool has_impulse = false, has_force = false;
    double fastest = 0;
    for (int c = 0; c < n; c++) {
        const int r = normal[c];
        if (!(P[r] > 0) && !(la[r] > 0) && !track[c].is_pushed) continue;
        *changing++ = c;
        if (c >= n_obstacle) continue;
        has_force |= la[r] > 0;
        if (!(P[r] > 0)) continue;
        has_impulse = true;
        fastest = -before[r] > fastest ? -before[r] : fastest;
    }
    sim->contacts.n_changing = (int)(changing - sim->contacts.changing);
    touch->has_impulse = has_impulse;
    touch->has_force = has_force;
    return fastest;
}

static inline void look_at_gaps(carom_sim *sim, carom_touch *touch)
{
    const int n = sim->size.n_contact;
    const double *gap = n > 0 ? sim->contacts.seen->gaps.value : NULL;
    const unsigned char *is_active = sim->next.is_active;
    double *last_gap = sim->contacts.last_gap, taken_in = INFINITY, left_out = INFINITY;
    bool has_plunge = false;
    for (int c = 0; c < n; c++) {
        const double now = gap[c], was = last_gap[c];
        last_gap[c] = now;
        if (is_active[c]) { // the contact problem has had its say
            taken_in = now < taken_in ? now : taken_in;
            continue;
        }
        left_out = now < left_out ? now : left_out;
        if (!carom_sim_gap_plunges(now, was) || now < 0) continue;
        last_gap[c] = was; // still to be asked for
        has_plunge = true;
    }
    sim->contacts.least = left_out < taken_in ? left_out : taken_in;
    touch->left_out = left_out;
    touch->has_plunge = has_plunge;
}

bool carom_sim_some_plunge(carom_sim *sim)
{
    look_at_gaps(sim, &sim->contacts.touch);
    return sim->contacts.touch.has_plunge;
}

carom_status carom_sim_heed_contacts(carom_sim *sim)
{
    carom_touch *touch = &sim->contacts.touch;
    const double fastest = look_at_pushes(sim, touch);
    look_at_gaps(sim, touch);
    if (sim->scheme->finds_events) return CAROM_OK;
    if (touch->has_plunge) CAROM_TRY(carom_sim_heed_directions(sim));
    // a gap up to this is 0 as far as the step can tell
    const double reach = closed * (sim->next.t - sim->now.t) * fastest;
    return fastest > 0 && touch->left_out <= reach ? carom_sim_heed_laws(sim, reach) : CAROM_OK;
}
