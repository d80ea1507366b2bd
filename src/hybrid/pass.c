// SPDX-License-Identifier: Apache-2.0
// A way past an instant at which modes go round in circles: of many contacts with friction that
// hold each other, the forces of one choice of modes ask for another, and no event is the last. One
// short step of Moreau and Jean with all that touch (edge.c has it) asks for no modes,
//
//     M (u+ - u) = dt f + W' P,   P in the law of contact with u+
//
// and behind it they are decided on anew, as after an impact. Steps that have to follow one upon
// the other become longer: where every instant is such a one, this is time stepping.
#include "hybrid/hybrid.h"

#include <math.h>

enum { PATIENCE = 12, MOST_PASSES = 60 };
static const double first_dt = 1e-6; // of the step proposed
static const double growth = 2;

static double patience_of(const carom_hybrid *h)
{
    int n = 0;
    for (int c = 0; c < h->s->size.n_contact; c++) n += h->event.is_in[c] != 0;
    return PATIENCE + 2 * n;
}

static double length_of(const carom_hybrid *h)
{
    const double passes = h->memory.stalled / patience_of(h);
    const double wish = first_dt * h->memory.h * pow(growth, passes);
    return fmin(h->s->h - h->s->report.h_used, fmin(wish, h->max_step));
}

bool carom_hybrid_can_pass(const carom_hybrid *h)
{
    const bool is_hopeful = h->memory.stalled <= MOST_PASSES * patience_of(h);
    return is_hopeful && h->next.t + length_of(h) > h->next.t;
}

bool carom_hybrid_is_stuck(const carom_hybrid *h)
{
    const double patience = patience_of(h), n = h->memory.stalled;
    return n >= patience && fmod(n, patience) == 0 && carom_hybrid_can_pass(h);
}

carom_status carom_hybrid_pass(carom_hybrid *h)
{
    const double dt = length_of(h);
    carom_motion *motion = &h->event.probe.motion;
    h->s->error->status = CAROM_OK;
    h->s->error->message[0] = 0;
    carom_hybrid_set_rows(h);
    carom_flow_copy(h->flow, &h->next, motion);
    CAROM_TRY(carom_edge_probe(h, -1, dt));
    carom_flow_copy(h->flow, motion, &h->next);
    h->s->report.h_used += dt;
    h->s->report.has_contact = true;
    for (int c = 0; c < h->s->size.n_contact; c++) h->memory.contact.mode[c] = CAROM_MODE_OPEN;
    h->event.has_jump = true;
    carom_hybrid_set_rows(h);
    return CAROM_OK;
}
