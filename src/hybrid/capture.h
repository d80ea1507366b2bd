// SPDX-License-Identifier: Apache-2.0
// What event_capturing knows of a step and of what happens inside of it; its equations are in
// schemes/event_capturing.c. Events are searched on the dense output of a smooth step, which is
// then cut shortly before the first one; what eta makes of lengths, gaps and rates is here too.
#ifndef CAROM_HYBRID_CAPTURE_H
#define CAROM_HYBRID_CAPTURE_H

#include "model/plan.h"
#include "smooth/work.h"

enum { CAROM_CAPTURE_LOOK = CAROM_GAPS | CAROM_ROWS | CAROM_GAP_RATES };
#define CAROM_CAPTURE_WEAK 1e-9 ///< a force or impulse, of the largest, that counts as none

/// Of a simulation; evaluations of what is looked at go to s->ev[2].
typedef struct carom_capture {
    carom_flow *flow;
    double step;       // > 0: fixed
    carom_motion anew; // the start of a step behind a break
    carom_work_room room;
    double *slack, *slow;       // (n_contact)
    double *gap, *rate;         // (2 n_contact) at the last two samples of a smooth step
    double *gamma;              // (n_row) rates before, as the law sees them
    double *q, *u, *P;          // (nq), (nu), (n_row) of the look ahead
    double *rates;              // (2 n_row) of the report, while it looks ahead
    unsigned char *is_pressing; // (n_contact) there
} carom_capture;

/// What is known of the step at hand.
typedef struct carom_trial {
    carom_motion from, to;
    double eta;       // what it may err, of the scale of each coordinate
    double k, tau;    // length of a nonsmooth step, and of the look ahead
    double h, h_next; // of the smooth step, and proposed
    double x;         // of its first event; > 1: none
    bool is_release;
} carom_trial;

/// The row of a contact's normal, and whether it is an equality now.
static inline int carom_capture_row(const carom_step *s, int contact)
{
    return carom_plan_contact(s->plan, contact)->row;
}
static inline bool carom_capture_holds(const carom_flow *flow, int contact)
{
    return flow->rows.is_held[carom_capture_row(flow->s, contact)] != 0;
}

/// slack and slow of all contacts, from the rows in ev[2].
void carom_capture_find_slack(const carom_step *s, const carom_trial *it);
/// k and tau, at most h.
void carom_capture_find_times(const carom_step *s, carom_trial *it);
/// Gaps, rows and rates at a point into ev[2].
carom_status carom_capture_look_at(carom_step *s, double t, const double *q, const double *u);
/// The largest force, or impulse, of the contacts.
double carom_capture_largest(const carom_step *s, const double *la);
/// The place x of the first event in the last smooth step, or more than 1.
carom_status carom_capture_find_event(carom_step *s, carom_trial *it);
/// A smooth step to k/2 before it.
carom_status carom_capture_cut_step(carom_step *s, carom_trial *it);

#endif
