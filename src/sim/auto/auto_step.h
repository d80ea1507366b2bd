// SPDX-License-Identifier: Apache-2.0
// Step control, shared by its files: auto_step.c takes steps, auto_weigh.c weighs what an attempt
// shows, auto_inside.c looks for changes of contacts inside it, auto_scale.c finds sizes to measure
// a motion by that has not begun.
#ifndef CAROM_SIM_AUTO_STEP_H
#define CAROM_SIM_AUTO_STEP_H

#include "sim/sim.h"

/// What the law of a contact said in a (half) step. A mode is saved as its numbers.
typedef struct carom_mode {
    double push;    ///< normal impulse or force; 0 = open, or thrown back by an impact
    double slip[2]; ///< tangential rate [m/s]; 0 = it sticks, or has no friction
    double grip;    ///< how much more push along the surface it can bear while it sticks
} carom_mode;
enum { CAROM_MODE_NUMBERS = 4 };

/// Contacts at one of the instants at which an attempt is looked at.
typedef struct carom_look {
    double *gap, *inside; ///< (n_contact)
    double *rate;         ///< (n_row) normal and tangential rates
} carom_look;
/// Start, a point between, middle, a point between, end; the points between are no simple
/// fractions, so that what repeats in the step does not hide from all five.
enum { CAROM_LOOKS = 5, CAROM_LOOK_MIDDLE = 2, CAROM_LOOK_END = 4 };
/// Where a look behind the step goes, when those between have been used.
enum { CAROM_LOOK_BEHIND = 1 };
extern const double carom_look_share[CAROM_LOOKS];

/// Its tolerances, and the states and reports of an attempt.
struct carom_auto_step {
    double option[4]; ///< values of carom_auto_step_options()
    /// (nq) absolute tolerances, in the unit of each coordinate; (nu) roots of the diagonal of the
    /// mass at the start, by which metres and radians compare.
    double *atol, *root_mass;
    double min_step, max_step, first_step; ///< [s]
    carom_state coarse, mid;               ///< after one step h, after h/2
    double *rate_before, *rate_after;      ///< (n_row) rates of the first half
    bool has_mid;                          ///< the accepted step has two halves
    struct {
        unsigned char *closed;  // scratch
        unsigned char *pressed; // in both halves of the attempt
        unsigned char *rests;   // pressed in the last half step, without an impact
        unsigned char *there;   // scratch: has the features it was found with, at an instant
        unsigned char *left;    // scratch: is held, and had them at the start
    } is;                       ///< (n_contact)

    // what is carried from step to step, in one piece: a checkpoint holds it
    double *memory;
    int n_memory;
    double *scale;        ///< (nq + nu) largest |q|, |u| of the run so far
    double *acceleration; ///< (nu) mean of the last half step; NaN after an impact
    carom_mode *mode;     ///< (n_contact) in the last half step
    double *read;         ///< (n_memory) room to read them into

    double *next_acceleration; ///< (nu) of the attempt that was accepted
    const carom_mode *next_mode;
    carom_mode *half[2], *whole; ///< (n_contact) modes of both ways
    carom_look look[CAROM_LOOKS];
    double *speed;  ///< (n_contact) what the sizes of velocities make of a gap rate [m/s]
    double *size;   ///< (n_row) largest sum of the sizes of a rate's terms [m/s]
    double *effect; ///< (nu) what a change may do to velocities
    double *free[CAROM_LOOKS]; ///< (nu) accelerations by the forces alone
    struct {
        double *q, *u; // (nq), (nu)
    } point;           ///< between the states of an attempt
    double *way;       ///< (nu) scratch: from one position to another
};

/// What came of an attempt.
typedef struct carom_verdict {
    double h;
    carom_status failed; ///< of the scheme; CAROM_OK = it made its steps
    bool is_good, has_impact;
    bool has_contact;     ///< a contact force or impulse acted
    bool has_impulse;     ///< an impulse of a contact or constraint acted
    bool has_change;      ///< a contact changed its mode, without an impact
    bool has_edge;        ///< ... by the edge of a patch
    bool has_late_change; ///< ... which the law has not seen yet
    bool may_hide;        ///< a slip may have turned and turned back between the looks
    bool may_touch;       ///< an open contact may have touched between them
    double stray;         ///< how badly rates and gaps are followed; above 1 too badly
    double error;         ///< of smooth motion, over the tolerance
    double error_q;       ///< of its positions alone
    double h_impact;      ///< how long a step with this jump or change may be [s]
    double lag, lag_rate; ///< rate that a contact which lets go had before: in its weight, [m/s]
    int lag_contact;
} carom_verdict;

// auto_weigh.c
/// A motion below this is none: one that grows out of nothing (the tail of a pulse) would be
/// followed down to where numbers end.
extern const double carom_auto_nothing;
/// The weight of coordinate i, or velocity i - nq, where the values now count as well.
double carom_auto_weight(const carom_sim *sim, const double *now, int i);
int carom_auto_order(const carom_sim *sim, const carom_verdict *v);
/// Compares both ways.
void carom_auto_judge_smooth(const carom_sim *sim, carom_verdict *v);
/// How far positions are moved by the jump of the velocity from `from` to `to` within h.
void carom_auto_judge_jump(carom_sim *sim, carom_verdict *v, const carom_state *from,
                           const carom_state *to);
/// What a change at an unknown time within h does.
carom_status carom_auto_judge_change(carom_sim *sim, carom_verdict *v);
/// Whether both ways of a step with an impact end in the same place.
bool carom_auto_states_agree(const carom_sim *sim, const carom_state *a, const carom_state *b);
/// ... and with the same velocity. Schemes whose impulses are forces too are not asked: what they
/// hold drifts open by less than w and falls back all the time.
bool carom_auto_velocities_agree(const carom_sim *sim, const carom_state *a, const carom_state *b);

// auto_inside.c
/// Finds which contacts rest at the start of a step, and by what size rates are rounding.
carom_status carom_auto_look_at_start(carom_sim *sim);
/// Takes the modes from a state that the scheme has just made.
void carom_auto_note_modes(const carom_sim *sim, const carom_state *state, carom_mode *mode);
/// Looks at contacts inside the attempt: has_change, has_edge, may_hide, may_touch,
/// stray.
carom_status carom_auto_look_inside(carom_sim *sim, carom_verdict *v);
/// Whether what holds a contact falls from the first half to the second.
bool carom_auto_hold_falls(const carom_sim *sim);
/// Whether a contact that was held is not in the step behind the attempt, which the scheme has just
/// made.
carom_status carom_auto_has_let_go(carom_sim *sim, const carom_state *after, bool *has);

// auto_scale.c
/// Where nothing moves yet, what forces can do becomes the scale; finds the first step.
carom_status carom_auto_seed_scale(carom_sim *sim, carom_ledger *ledger);
/// The accelerations by forces alone.
carom_status carom_auto_find_free(carom_sim *sim, const carom_point *at, double *acceleration);

#endif
