// SPDX-License-Identifier: Apache-2.0
// A mechanical system given by its energies, forces, constraints and gaps as nodes of an expression
// graph. Everything else is derived from them, exactly.
#ifndef CAROM_MODEL_LAGRANGE_H
#define CAROM_MODEL_LAGRANGE_H

#include "base/list.h"
#include "expr/graph.h"
#include "expr/program/tape.h"
#include "model/model.h"

#include <stdint.h>

typedef CAROM_LIST(carom_ref) carom_refs;
static inline bool carom_refs_add(carom_arena *arena, carom_refs *refs, carom_ref ref)
{
    carom_ref *item = CAROM_LIST_ADD(arena, refs);
    if (item) *item = ref;
    return item != NULL;
}

/// One row: a constraint, a normal or a tangent.
typedef struct carom_row_given {
    carom_ref value; ///< displacement (gap, slip, equation), or the rate itself
    bool is_rate;
    bool is_patch;
} carom_row_given;

/// Where the patch of a contact is; -1 for contacts that are none.
typedef struct carom_domain_given {
    carom_ref where;  ///< 1 inside, 0 outside
    carom_ref margin; ///< positive inside, negative outside
} carom_domain_given;

/// What a row with the force 1 gives to a component of a joint's reaction.
typedef struct carom_reaction_given {
    int component, row;
    carom_ref value;
} carom_reaction_given;

/// Coefficients of a contact that are expressions; -1 = is not.
typedef struct carom_coefficients_given {
    int contact;
    carom_ref e, mu, grip;
} carom_coefficients_given;

typedef struct carom_lagrange {
    carom_graph *graph;
    // given
    carom_refs kinetic, potential;         ///< terms
    carom_ref *applied;                    ///< (n) generalised forces without potential
    CAROM_LIST(carom_row_given) row;       ///< constraints, then contacts
    CAROM_LIST(carom_domain_given) domain; ///< one for each contact
    carom_refs limit;                      ///< of each disc
    CAROM_LIST(carom_coefficients_given) coefficients;
    carom_refs record, draw;
    carom_refs pose;                           ///< 12 for each body
    carom_refs place;                          ///< 6 for each contact of shapes that lasts
    CAROM_LIST(carom_reaction_given) reaction; ///< by components
    carom_refs q0, u0;                         ///< the start: firm
    int n_live;                                ///< live parameters
    bool has_variations;                       ///< derivatives of the motion are wanted
    carom_refs factor; ///< e, e_t and mu of each contact: firm, or -1 where it is 0
    // derived: what each flag computes
    CAROM_LIST(carom_target) target[CAROM_N_FLAG];
    CAROM_LIST(carom_target) held[CAROM_N_FLAG]; ///< the same on one side of each switch
    CAROM_LIST(carom_switch) switches;           ///< of the state, in the forces
    carom_clock clock;
    double *inertia;        ///< (6 rotations) of spins whose mass is constant and not coupled; or 0
    carom_ref live_inertia; ///< a part of it that depends on live parameters, -1 = none
    struct carom_near *near; ///< contacts of shapes that come and go; NULL = none do
} carom_lagrange;

/// Derives all answers, fills the model's layout and patterns, and makes it a model
/// of the kind "equations".
carom_status carom_lagrange_derive(carom_model *model, carom_lagrange *lagrange,
                                   carom_error *error);
/// Fills model->fingerprint; false where memory runs out.
bool carom_lagrange_fingerprint(carom_model *model, const carom_lagrange *lagrange,
                                carom_arena *scratch);
/// Finds the switches of the forces and the answers on one side of them; false
/// where memory runs out.
bool carom_lagrange_hold(carom_model *model, carom_lagrange *lagrange, carom_arena *scratch);
/// Finds out what the model knows of time alone: model->clock; false where memory runs out.
bool carom_lagrange_foresee(carom_model *model, carom_lagrange *lagrange, carom_arena *scratch);
extern const carom_model_kind carom_model_of_equations;
/// The same with contacts of shapes that come and go.
extern const carom_model_kind carom_model_of_near_shapes;

#endif
