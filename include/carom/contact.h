// SPDX-License-Identifier: Apache-2.0
// The contact problem as a value, and the solvers that turn it into impulses and know nothing else.
//
//     xi = G P + b
//     bilateral block    xi = 0
//     disc               -xi in N_disc(radius)(P):  |P| <= radius, xi = 0 or P = -radius xi/|xi|
//     contact block      0 <= xi_N  _|_  Q_N >= 0,     -xi_T in N_disc(mu Q_N)(P_T)
//                        Q_N = P_N - lower
//     disc of a contact  -xi in N_disc(radius + mu Q_N)(P)
//
// Rows of a block are consecutive, the normal first. G need not be symmetric and may be singular
// (redundant contacts): P is then not unique, G P is. Restitution is already in b, which is
// gamma_free + e gamma_minus.
//
// A disc is a bilateral block of limited strength: a joint with dry friction of a given load, a
// motor with limited torque. Where it would need more than its radius, it gives way.
//
// lower is a part of the normal impulse that is given: P_N = lower + Q_N, and the laws are those of
// Q_N. Adhesion of strength C is lower = -C: contacts hold up to that, |P_T| <= mu (P_N + C). An
// impact law that has found a part of the impulse (Poisson: P_N >= e times that of compression)
// gives it as lower > 0; friction of that part has a known radius and is a disc of radius mu lower
// on rows of its own in the same directions. The two discs add up to one of radius mu P_N, because
// they have the same slip.
//
// A disc may belong to a contact, which it follows: its radius then grows with what the contact
// bears. Slide, roll and spin are three discs of one contact, each with its own mu; that of rolling
// and spinning is a length, because their xi is a rate of rotation.
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One block of rows: a bilateral group (dim any, mu unused), a disc (dim 1 to 3, bilateral and
/// limited) or one contact (dim 1 frictionless, 2 plane, 3 space). Zeros in the last four fields
/// are a block without bounds.
typedef struct carom_block {
    int first; ///< its first row
    int dim;
    bool is_bilateral;
    double mu;       ///< friction, >= 0; of a disc of a contact: radius over Q_N
    int id;          ///< the contact slot or constraint it belongs to
    bool is_limited; ///< a bilateral block is a disc: |P| <= radius
    double radius;   ///< of a disc, >= 0 [N s]
    double lower;    ///< of a contact: the part of P_N that is given, of any sign [N s]
    /// Of a disc that belongs to a contact: how many rows the normal of that contact is before its
    /// own first row; 0 = it belongs to none. Between them are other discs of the same contact alone.
    int of;
} carom_block;

/// Blocks by block rows. The blocks are those of the problem: the contacts and bilateral groups.
typedef struct carom_block_rows {
    int n_block;
    int *row;      ///< (n_block+1) first row of each block, then n
    int *start;    ///< (n_block+1) block row k holds the blocks start[k] .. start[k+1]-1
    int *index;    ///< block column of each, increasing within a block row, diagonal always present
    double *value; ///< the blocks one after another, each column-major
    int *at;       ///< where each block begins in value
} carom_block_rows;

/// The factors of W M^-1 W' + diag(d): nothing is multiplied out.
typedef struct carom_factors {
    int n_column;           ///< velocities
    int *start, *index;     ///< (n+1) the rows of W
    double *value;          ///< entries of W
    int n_mass;             ///< dense blocks of M^-1, consecutive velocities
    int *mass_row;          ///< (n_mass+1) first velocity of each, then n_column
    double *inverse;        ///< the blocks of M^-1 one after another, column-major
    int *inverse_at;        ///< (n_mass) where each begins
    const double *diagonal; ///< (n) d, or NULL
    double *scratch;        ///< (2 n_column) room for a product
} carom_factors;

/// A square matrix in one of four forms. The first pointer of dense, start, blocks and factors
/// that is not NULL says which.
typedef struct carom_matrix {
    int n;
    double *dense; ///< (n*n) column-major
    int *start;    ///< (n+1) sparse by rows
    int *index; ///< column of each entry, increasing within a row, diagonal entries always present
    double *value;
    const carom_block_rows *blocks;
    const carom_factors *factors;
} carom_matrix;

typedef struct carom_problem {
    int n_row, n_block;
    carom_block *block; ///< (n_block)
    carom_matrix G;     ///< [1/kg or alike]
    double *b;          ///< (n_row) [m/s]
} carom_problem;

/// What a solve found out about the problem.
typedef enum carom_contact_outcome {
    CAROM_CONTACT_SOLVED,
    CAROM_CONTACT_BEST_FOUND, ///< not solved; P is the best found
    CAROM_CONTACT_NO_SOLUTION ///< there is none, by a certificate; P is the best found
} carom_contact_outcome;

/// What a solve came to. The residual is computed outside the solver, from (problem, P) alone.
typedef struct carom_contact_info {
    bool is_converged;  ///< residual <= CAROM_CONTACT_TOLERANCE, or <= a larger option tolerance
    double residual;    ///< see carom_contact_residual
    int iterations;     ///< of all solvers tried
    const char *solver; ///< the one that gave the answer
    carom_contact_outcome outcome;
} carom_contact_info;

/// Largest violation of the laws, relative to the problem's own scale, independent of units and of
/// row scaling: with d = |diag G| each row's natural-map residual, taken in rates and divided by
/// sqrt(d), over the largest |b|/sqrt(d), or sqrt(d) |P| up to 1e3 times that. At least
/// what rounding hides where |P| is larger still. 0 for an empty problem.
CAROM_API double carom_contact_residual(const carom_problem *problem, const double *P);

/// Length of the natural map P - proj_K(P - u~), u~ = (xi_N + mu |xi_T|, xi_T), over all rows,
/// relative to |b| (err_rel) and to the largest of |b|, |P|, |xi| (err_max): the measures of
/// contact problem files, which depend on units. Either pointer may be NULL.
CAROM_API void carom_contact_errors(const carom_problem *problem, const double *P, double *err_rel,
                                    double *err_max);

/// Largest |P_T| - mu (P_N - lower) over all contacts and |P| - radius over all discs (radius + mu
/// Q_N of those of contacts), at least 0 [N s].
CAROM_API double carom_contact_cone_violation(const carom_problem *problem, const double *P);

/// A step is unconverged where the residual, checked outside the solver, exceeds this, or what was
/// asked for (the solver's option tolerance) where that is more.
#define CAROM_CONTACT_TOLERANCE 1e-9

/// The table of solvers: what each can take, and its options.
typedef struct carom_solver_facts {
    const char *name, *about;
    bool takes_friction, takes_bilateral, takes_discs;
    bool takes_loaded; ///< discs whose radius follows the push of a contact
    int max_row;       ///< largest problem it takes; 0 = any
    const carom_option *option;
} carom_solver_facts;
CAROM_API int carom_solver_count(void);
CAROM_API const carom_solver_facts *carom_solver_at(int i);

/// A solver with all the memory it needs for problems of up to max_row rows. Solver
/// options come as settings.
typedef struct carom_contact_solver carom_contact_solver;
CAROM_API carom_status carom_contact_solver_new(const char *name, const carom_setting *setting,
                                                int n_setting, int max_row,
                                                carom_contact_solver **solver, carom_error *error);
CAROM_API void carom_contact_solver_free(carom_contact_solver *solver);

/// Solves. P (n_row) holds a guess on entry (zeros will do) and the answer, or the best found, on
/// return. Returns CAROM_OK with info->is_converged telling; other statuses only for problems that
/// are not well formed or that the solver cannot take (say enumerate with many contacts). Allocates
/// nothing for dense problems of up to 256 rows; larger ones, and sparse ones above 48 rows, take
/// heap memory that grows to the largest problem met.
CAROM_API carom_status carom_contact_solve(carom_contact_solver *solver,
                                           const carom_problem *problem, double *P,
                                           carom_contact_info *info, carom_error *error);

/// Goes on from the answer P to the last digits that rounding leaves, for measures such as err_rel
/// that may ask for more than the solver's own. P stays where nothing better is found.
CAROM_API carom_status carom_contact_refine(carom_contact_solver *solver,
                                            const carom_problem *problem, double *P,
                                            carom_contact_info *info, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
