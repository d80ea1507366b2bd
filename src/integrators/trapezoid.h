// SPDX-License-Identifier: Apache-2.0
// The forecasting trapezoidal rule of Schindler et al. (half-explicit time-discontinuous Galerkin),
// shared by the schemes tdg_*. A forecast with forces la+ at the start of the step leads to
// (q1, u1); there either forces la- correct the velocity to second order or, if a contact has
// closed on the way, an impact with impulses P ends the step.
//
//     forecast            u1 = u + h M(q)^-1 [f(q, u) + W(q)' la+]
//                         q1 = q + h/2 (u + u1) = q+
//     no contact closes   u+ = (u + u1)/2 + h/2 M(q1)^-1 [f(q1, u1) + W(q1)' la-]        P = 0
//     a contact closes    u- = u + h/2 [M(q)^-1 f(q, u) + M(q1)^-1 f(q1, u1)]
//                         u+ = u- + M(q1)^-1 W(q1)' P                                    la = 0
//                              law with e on W(q1) u+ and W(q1) u-, on {g(q1) <= 0}
//
// A contact closes where g(q) > 0 and g(q1) <= 0, or where it is closed and closing at the start
// of the run. How la+ and la- are found is what distinguishes the schemes: each gives two functions
// (carom_trapezoid), for which this file has the law on velocity level ready.
//
// T. Schindler, S. Rezaei, J. Kursawe, V. Acary, Half-explicit timestepping schemes on velocity
// level based on time-discontinuous Galerkin methods, 2015.
#ifndef CAROM_INTEGRATORS_TRAPEZOID_H
#define CAROM_INTEGRATORS_TRAPEZOID_H

#include "carom/extend.h"

/// What is evaluated at the start and at the forecast end.
#define CAROM_TRAPEZOID_MASK                                                                       \
    (CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_GAPS | CAROM_ROWS | CAROM_KEEP)

/// One stage as its force law sees it.
typedef struct carom_stage {
    const carom_eval *at;     ///< answers at this end of the step
    double t;                 ///< its time
    const double *q, *u;      ///< position and velocity there
    const double *a_free;     ///< (nu) M^-1 f there
    const double *u_base;     ///< (nu) velocity to which share h (a + M^-1 W' la) is added
    double share;             ///< 1 for the forecast, 1/2 for the correction
    unsigned char *is_active; ///< (n_contact) the closed ones
} carom_stage;

/// How a scheme finds contact forces: fills h la (n_row, a guess on entry) and M^-1 W' (h la) in du
/// (nu). Asked only where there are constraints or active contacts.
typedef carom_status carom_stage_forces(carom_step *s, const carom_stage *stage, double *h_la,
                                        double *du);

typedef struct carom_trapezoid {
    carom_stage_forces *at_start, *at_end;
    /// Leaves contacts out of those that are closed; whether any rows are left. NULL: leaves none.
    bool (*narrow)(const carom_step *s, const carom_stage *stage);
} carom_trapezoid;

/// Finds h la such that the velocity u_base + share (forecast h a_free + M^-1 W' h la) obeys the
/// law with e = 0 on the rows of rate, on the active contacts of the stage. forecast is 1, or 0
/// where the free acceleration is left out.
carom_status carom_trapezoid_velocity_law(carom_step *s, const carom_stage *stage,
                                          const carom_eval *rate, double forecast, double *h_la,
                                          double *du);

/// Tells the report whether some contact force is positive.
void carom_trapezoid_note_contact(carom_step *s, const double *h_la);

int carom_trapezoid_n_work(const carom_model *model);
/// Uses s->ev[0] at the start, s->ev[1] at the forecast end, and changes the two over; force laws
/// may use s->ev[2] and s->ev[3].
carom_status carom_trapezoid_step(carom_step *s, const carom_trapezoid *how, const carom_state *now,
                                  carom_state *next);

/// The impact of the impulsive step at the end `at`: u (in: u-) becomes u+, P and the active set
/// {g <= level} are filled.
carom_status carom_trapezoid_impact(carom_step *s, const carom_eval *at, double level,
                                    carom_state *next);

/// Whether a run starts at now with a contact that is closed (gap <= level) and closing: no step
/// before could have seen it close, so the first one has an impact.
bool carom_trapezoid_starts_closing(const carom_eval *at, const carom_state *now, double level);

#endif
