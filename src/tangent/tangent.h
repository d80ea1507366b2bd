// SPDX-License-Identifier: Apache-2.0
// Variations of a motion of event_driven: how it changes with its start and with live parameters.
// Between events the solver differentiates its own stages (smooth/variation.h). At an event with
// the function h, positive before, each column is
//
//     1 shifted to it   dt = -(h_x dx + h_p dp)/h',   dq* = dq + u- dt,   du* = du + a- dt
//     2 mapped          du* -> du+*, the derivative of the impact at a fixed event (impact.c)
//     3 shifted back    dq+ = dq* - u+ dt,   du+ = du+* - a+ dt,   a+ with the modes behind it
//
// No saltation matrix is formed; where an event changes nothing that comes out.
//
//     tangent.c     memory, columns, what happens when
//     volume.c      how fast the flow shrinks volumes
//     nearly.c      how nearly open contacts are met
//     part_columns.c  columns kept apart, for exponents
//     crossing.c    h_x dx + h_p dp and h' of each kind of event
//     collision.c   the map of an impact
//
// What has no derivative (a contact that grazes, two that hit together, a choice on its border) is
// refused: the motion goes on, but its columns are no longer known.
#ifndef CAROM_TANGENT_H
#define CAROM_TANGENT_H

#include "hybrid/hybrid.h"
#include "smooth/variation.h"

/// Both sides of the last event, for sections that end there.
typedef struct carom_tangent_event {
    double t;
    carom_vary_point before; ///< with the modes before it
    double *q, *u, *a, *la;  ///< ... its numbers
    double *u_after, *a_after, *la_after;
    double *P;                 ///< (n_row) of its impact
    double *dt;                ///< (room) shift of each column
    double *q_star, *u_star;   ///< (room nu) columns at the event, before its map
    double *u_plus;            ///< (room nu) ... behind it
    unsigned char *is_in;      ///< (n_contact) took part in the impact
    unsigned char *was_closed; ///< (n_contact)
    bool is_open;              ///< crossed, but not settled yet
    bool has_impact;
    bool is_anew; ///< no event: modes are decided anew at a time that does not vary
} carom_tangent_event;

typedef struct carom_tangent {
    carom_witness witness;
    carom_step *s;
    carom_arena *arena;
    carom_variation *v;
    carom_variation *own; ///< one column: the motion itself, for h'
    carom_tangent_event event;
    double *scratch;           ///< (4 nu + 4 n_row)
    double *rebound;           ///< (n_contact) gap rate behind its last impact; 0 = none yet
    double least_speed;        ///< of all impacts so far, but for those of tails
    double least_gap;          ///< where an open gap turned inside a step, so far; +infinity
    bool watches_gaps;         ///< it is wanted
    double slowest;            ///< impact so far, of the fastest of its contact
    long impacts;              ///< so far
    double trace;              ///< integral of the trace of da/du; NAN where something was held
    bool has_trace;            ///< it is wanted
    double log_det;            ///< sum of ln e^2 of frictionless impacts (of the sum rule)
    bool keeps_apart;          ///< columns are made orthonormal behind each step
    double *growth;            ///< (room) ... and what they had grown by, as sums of logarithms
    bool takes_grazes;         ///< impacts that graze are counted, not refused
    long grazes;               ///< so far
    bool has_start;            ///< columns have been given and not yet brought onto the tangents
    double *start_q, *start_u; ///< (room nu) the columns as they were then
    char refusal[400];         ///< "" = the columns are known
} carom_tangent;

/// Masks of its own, ends with 0.
const unsigned *carom_tangent_masks(void);
/// Refuses models and solvers without variations. hybrid is that of the scheme.
carom_status carom_tangent_new(carom_hybrid *hybrid, int room, carom_tangent **tangent);
void carom_tangent_free(carom_tangent *tangent);
/// Columns from now on: dq, du (n nu each) at the state the run is at; parameter (n), -1 = none.
/// Those by a parameter start with what the start of the run changes (carom_tangent_given).
void carom_tangent_start(carom_tangent *tangent, int n, const double *dq, const double *du,
                         const int *parameter);
/// How the start of the run changes with live parameter p; CAROM_BAD_INPUT where it is assembled.
carom_status carom_tangent_given(carom_tangent *tangent, int p, double *dq, double *du);
/// Says why the columns are no longer known; the first reason stays.
void carom_tangent_refuse(carom_tangent *tangent, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// The change of a record entry for each column at a state, dt of its zero (0 where it has no rate)
/// and its rate along the motion; change (n) at fixed time.
carom_status carom_tangent_record(carom_tangent *tangent, const carom_state *at, const double *a,
                                  int record, double *change, double *rate);
/// The change of the gap rate of a contact on one side of the last event, for each column.
carom_status carom_tangent_gap_rate(carom_tangent *tangent, int contact, bool is_before,
                                    double *change);
/// The accelerations (nu) at the state that the run is at.
carom_status carom_tangent_flow(carom_tangent *tangent, const carom_state *at, double *a);

// volume.c
/// Adds the last step of the flow to the trace.
carom_status carom_tangent_add_trace(carom_tangent *tangent, carom_hybrid *hybrid);
// nearly.c
/// Looks where gaps of open contacts turned in the last step of the flow.
carom_status carom_tangent_watch_gaps(carom_tangent *tangent, carom_hybrid *hybrid);
// part_columns.c
/// Columns become orthonormal; what they had grown by is added to growth.
void carom_tangent_part(carom_tangent *tangent);
// crossing.c
/// dt of each column at an event; false where it has no derivative.
carom_status carom_tangent_cross(carom_tangent *tangent, carom_hybrid *hybrid,
                                 const carom_crossing *crossing);
// collision.c
/// u_plus of each column from q_star, u_star and dt.
carom_status carom_tangent_collide(carom_tangent *tangent, carom_hybrid *hybrid);

#endif
