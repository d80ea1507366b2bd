// SPDX-License-Identifier: Apache-2.0
// The linear systems of motion with rows that are held:
//
//     [ M  -D ] [ x  ]   [ F ]
//     [ G   0 ] [ la ] = [ r ]
//
// M, D from one point, G from another if need be. D holds the push directions: w of each held
// row, but for the normal of a contact that slides w_N - mu sum_k d_k w_Tk (where it rolls or spins
// likewise with the rows of its discs, and their limit for mu). Redundant rows get the
// forces of minimum norm, or those nearest to the forces that they had (reference).
#ifndef CAROM_DYNAMICS_SADDLE_H
#define CAROM_DYNAMICS_SADDLE_H

#include "carom/extend.h"

/// Which rows are held and how; arrays belong to the owner. The tangents of a contact that slides
/// are not held.
typedef struct carom_saddle_rows {
    /// (n_row) constraints, normals of closed contacts, tangents that stick.
    unsigned char *is_held;
    /// (n_contact) its normal is held, its tangents push with -mu la_N d; of a disc, whose normal
    /// never is, with -limit d beside F, or with -limit la_N d of the contact that it belongs to.
    unsigned char *is_sliding;
    double *direction; ///< (n_row) d on the tangent rows of contacts that slide, unit vectors
    double *anchor;    ///< (n_row) d at the start of the step
    double *still;     ///< (n_contact) slip rate up to which the motion has no direction [m/s]
    double *reference; ///< (n_row) forces that redundant rows stay nearest to where F acts [N]
} carom_saddle_rows;

typedef struct carom_saddle carom_saddle;

carom_status carom_saddle_new(const carom_plan *plan, carom_saddle **saddle, carom_error *error);
void carom_saddle_free(carom_saddle *saddle);

/// How independent the rows of a system are: S = G M^-1 D, scaled to a unit diagonal.
typedef struct carom_saddle_strength {
    int n, rank;    ///< rows held, and those of them that are independent of the others
    double weakest; ///< smallest pivot of S among these, of the largest
} carom_saddle_strength;

/// Where rows that are independent elsewhere become dependent. What is held by pivots below
/// weakest, or by less than the usual number of rows, keeps the forces it had.
typedef struct carom_saddle_limit {
    int rank;         ///< usual number of independent rows
    double weakest;   ///< of the largest pivot
    const double *la; ///< (n_row) forces; NULL = 0
} carom_saddle_limit;

/// Where the system comes from.
typedef struct carom_saddle_terms {
    const carom_eval *mass; ///< M (factorised) and the push directions
    const carom_eval *rate; ///< G (NULL: as mass)
    const double *F;        ///< (nu), NULL = 0
    double weight;          ///< F is so many times the applied forces; discs that slide add as much
    const double *r;        ///< (n_row) by rows of the model, looked at where held; NULL = 0
    bool *is_regular;       ///< receives whether the rows were independent; may be NULL
    carom_saddle_strength *strength; ///< may be NULL
    const carom_saddle_limit *limit; ///< may be NULL: rows are held as far as rounding lets them
} carom_saddle_terms;

/// x (nu) and la (n_row, all rows of the model: 0 where not held, friction on the tangents of
/// contacts that slide, and on the normals of discs what they may bear). CAROM_NOT_CONVERGED where
/// a number is not finite.
carom_status carom_saddle_solve(carom_saddle *saddle, const carom_saddle_rows *rows,
                                const carom_saddle_terms *terms, double *x, double *la,
                                carom_error *error);

/// For contacts with two tangents the direction follows the motion at (eval, u), on the side of the
/// anchor d0: d := +-gamma_T/|gamma_T| with d.d0 >= 0, and d0 itself where the slip is still, with
/// a steady turn in between. One tangent keeps its sign. So a step through rest does not see the
/// corner of friction's law.
void carom_saddle_turn_directions(const carom_model *model, const carom_saddle_rows *rows,
                                  const carom_eval *eval, const double *u);

#endif
