// SPDX-License-Identifier: Apache-2.0
// A model from inside: names, sizes, patterns, the layout of its answers, and the kind that
// computes them.
#ifndef CAROM_MODEL_MODEL_H
#define CAROM_MODEL_MODEL_H

#include "base/arena.h"
#include "carom/extend.h"
#include "expr/clock.h"
#include "expr/native.h"
#include "expr/tape.h"
#include "math/vector.h"

#include <stdatomic.h>

/// A fixed sparsity pattern whose values stand at offset in the block of answers.
typedef struct carom_pattern {
    int n_row, n_column;
    int *start; ///< (n_row+1)
    int *index;
    int offset;
} carom_pattern;

/// Where each answer stands in the block of doubles that an evaluation owns.
typedef struct carom_layout {
    int size;
    int f, constraint, gap, gap_rate, w0, curvature;
    int factor, n_factor; ///< factors of small mass blocks, where the kind gives them
    int acceleration;
    bool has_acceleration; ///< the kind gives it
    int inside, margin;    ///< only where there are surfaces
    int p, T_q, f_plain;
    int kinetic, potential, rheonomic, power;
    int record, draw;
    int switches;
    carom_pattern mass, W;
    carom_pattern df_dq, df_du, dMa_dq, dWP_dq, dgamma_dq;
    carom_pattern dp_dq, dTq_dq, dTq_du, dplain_dq, dplain_du;
} carom_layout;

/// How answers are computed: from equations, from the caller's functions, later from bodies.
typedef struct carom_model_kind {
    /// Makes plan->self for the plan's masks.
    carom_status (*prepare)(carom_plan *plan, carom_error *error);
    void (*release)(carom_plan *plan);
    /// Writes what never changes into a new evaluation.
    void (*constants)(const carom_plan *plan, carom_eval *eval);
    /// Writes the answers for mask i of a plan that has no programs; factorising the mass is done
    /// by the caller. NULL where there are always programs.
    carom_status (*eval)(carom_plan *plan, const carom_point *at, int i_mask, carom_eval *eval,
                         carom_error *error);
    /// Says which expression of mask i is not finite at a point, into buffer ("" = not known).
    void (*blame)(const carom_plan *plan, const carom_point *at, int i_mask, char *buffer,
                  size_t room);
    void (*free)(carom_model *model);
    /// Chooses the contacts of the step that starts at (t, q), or NULL where they never change.
    carom_status (*refresh)(const carom_model *model, double t, const double *q,
                            carom_error *error);
    /// The function of a switch as text; NULL where there are none.
    void (*switch_text)(const carom_model *model, int which, char *buffer, size_t room);
    /// Turns the plan's programs into machine code, or NULL where there is nothing to compile.
    carom_status (*compile)(carom_plan *plan, carom_error *error);
} carom_model_kind;

/// Share of a model's size beyond which a contact that starts closed is too deep.
#define CAROM_DEEP 1e-3

/// What the start tells of a model. See start.c.
typedef struct carom_start_facts {
    double size;         ///< largest distance, see extent.c [m]; 0 = not known
    double depth;        ///< of the deepest contact beyond rounding [m]; 0 = none penetrates
    int contact;         ///< which that is
    double rate;         ///< of its gap [m/s]
    double acceleration; ///< likewise, without contact forces [m/s2]
    double push;         ///< f' M^-1 f: the forces give push h^2/2 [J] to what rests, in a time h
} carom_start_facts;

struct carom_model {
    atomic_int n_holder; ///< plans and simulations that use it, besides its maker
    carom_arena *arena;
    const carom_model_kind *kind;
    void *self; ///< of the kind
    carom_sizes size;
    carom_layout layout;
    const char *name, *about, *source;
    const char **coordinate_name, **constraint_name, **record_name;
    const char **coordinate_unit; ///< (nq) "" = not known
    carom_contact_facts *contact;
    carom_drawing *drawing;
    int n_draw;                    ///< numbers among the draw answers
    carom_place place;             ///< where the energies stand, for messages
    carom_place potential_place;   ///< where the potential stands
    carom_place *constraint_place; ///< (n_constraint)
    carom_place *contact_place;    ///< (n_contact), or NULL
    double *q0, *u0;
    carom_start_facts start;
    bool mass_is_constant;
    unsigned char *mass_entry_is_constant; ///< (entries of the mass pattern), or NULL: none is
    unsigned long long fingerprint;        ///< of its equations, numbers and start; 0 for callbacks
    bool has_energies;                     ///< CAROM_MOMENTUM can be evaluated
    bool has_balance;             ///< its energies and powers are known: a balance can be made
    bool has_power;               ///< some work is not that of a time-independent potential
    bool rows_change_pattern;     ///< the kind writes eval->W.start and index anew
    const carom_switch *switches; ///< (n_switch) of the state, in the forces
    const carom_clock *clock; ///< what its laws know of time alone; NULL where that is not known
    int n_difference;
    int n_warning;
    char **warning;
};

enum { CAROM_N_FLAG = 16 }; ///< bits of the evaluation masks

/// One of a plan's masks: how it is answered, and the answers that were kept.
typedef struct carom_question {
    unsigned mask;
    bool needs_solve;                ///< the kind does not give the acceleration asked for
    bool is_common;                  ///< nothing but finite numbers is to be seen to
    bool can_keep;                   ///< answers in two parts are known
    bool needs_t;                    ///< the part that can be kept depends on t, or may do so
    bool uses_t;                     ///< some answer does, or may do so
    int watched, n_watched;          ///< where the answers are that must be finite
    const carom_native_code *native; ///< answers it, or if there is none
    carom_tape *tape;                ///< this, or if there is none the model's kind
    const carom_eval *kept;          ///< NULL = none
    long number;                     ///< of the state under which it was kept
    double t;                        ///< and its time
    bool has_rates;                  ///< it holds all answers, also those that depend on u
} carom_question;

struct carom_plan {
    const carom_model *model;
    carom_arena *arena;
    int n_mask;
    carom_question *question; ///< (n_mask)
    unsigned char *place;     ///< of each possible mask: that of its question and one, 0 = none
    void *self;               ///< of the model's kind
    bool is_bounded;          ///< evaluations see times from .. to only, or sides
    double from, to;          ///< see carom_plan_between
    double *push;             ///< (n_row + n_switch) P and sides; NULL = all sides count
};

/// Keeps a model alive until carom_model_free is called once more; returns it.
const carom_model *carom_model_hold(const carom_model *model);
/// Whether what a mask of the plan gives depends on time; true where that is not known.
bool carom_plan_needs_t(const carom_plan *plan, unsigned mask);
/// Whether what a mask of the plan gives is the same everywhere; false where that is not known.
bool carom_plan_is_constant(const carom_plan *plan, unsigned mask);
/// From now on evaluations of the plan see no time before from or after to: at a break they see the
/// side that their step lies on. Answers that were kept are forgotten where that changes.
void carom_plan_between(carom_plan *plan, double from, double to);
/// From now on the forces are those on one side of each switch, as the array says that
/// carom_plan_sides gives: 1 above its place, 0 below, or for a table an argument inside the piece
/// that counts. Before anything is evaluated or compiled.
carom_status carom_plan_hold(carom_plan *plan, carom_error *error);
double *carom_plan_sides(const carom_plan *plan);
/// The function of a switch as text.
void carom_model_switch_text(const carom_model *model, int which, char *buffer, size_t room);
/// The next time after t at which a law of the model is not smooth (a point of a table of t, a time
/// in a condition), +infinity where none is known.
double carom_model_next_break(const carom_model *model, double t);
/// Lets a model whose contacts come and go choose those of the step that starts at (t, q).
carom_status carom_model_refresh(const carom_model *model, double t, const double *q,
                                 carom_error *error);
/// Whether the energy balance needs the power at every step.
bool carom_model_has_power(const carom_model *model);
/// See carom_model.fingerprint.
unsigned long long carom_model_fingerprint(const carom_model *model);
/// Whether the model is given by energies, which some schemes need.
bool carom_model_has_energies(const carom_model *model);
/// Adds a warning (formatted text of the arena); silently nothing where memory is short.
void carom_model_warn(carom_model *model, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Reserves n doubles in the layout; returns their offset.
static inline int carom_layout_take(carom_layout *layout, int n)
{
    const int offset = layout->size;
    layout->size += n;
    return offset;
}
/// carom_model_move for callers that leave nothing out.
static inline void carom_model_moved(const carom_model *model, const double *q, const double *u,
                                     double h, double *q_out)
{
    carom_vector_move(model->size.nq, q, h, u, q_out);
}
/// How large a model is at its start [m], from answers with gaps, rows and drawings; 0 = not known.
double carom_model_extent(const carom_model *model, const carom_eval *at);
/// Checks a finished model at its start: finite, positive definite, constraints
/// kept. Adds warnings.
carom_status carom_model_check_start(carom_model *model, carom_error *error);

#endif
