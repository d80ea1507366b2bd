// SPDX-License-Identifier: Apache-2.0
// What a contact solver is: one file in solvers/, one line in solvers/solvers_table.h. The
// caller (solve.c) scales small problems to a unit diagonal, eliminates bilateral rows where the
// solver wants that, and checks the answer.
#ifndef CAROM_CONTACT_SOLVER_H
#define CAROM_CONTACT_SOLVER_H

#include "carom/contact.h"
#include "contact/bodies/body_blend.h"
#include "contact/bodies/sweep.h"
#include "contact/newton/block_lu.h"
#include "contact/newton/symmetric.h"

/// Problems of up to this many rows are scaled copies in dense form; larger ones (and sparse ones
/// above CAROM_SPARSE_LIMIT) scaled copies by block rows, in pieces of up to three rows.
enum { CAROM_DENSE_LIMIT = 256, CAROM_SPARSE_LIMIT = 48 };

/// Options. A solver names the places of its rows in an enum of its own and fills the rows by these
/// names, so that a row and its value cannot part:
///
///     enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, SHIFT };
///     static const carom_option rows[] = {
///         [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
///         [ITERATIONS] = {"iterations", ...},
///         [SHIFT] = {"shift", ...},
///         {0},
///     };
///     ... attempt->option[SHIFT]
///
/// The tolerance is the first row of all. A solver that runs another sets its options by their
/// names (carom_solver_tune).
enum { CAROM_OPTION_TOLERANCE, CAROM_MOST_OPTIONS = 5 };
#define CAROM_TOLERANCE_ROW                                                                        \
    {                                                                                              \
        "tolerance", CAROM_REAL, 1e-12, 0, 1e-2, NULL,                                             \
            "residual the solver aims for (relative, see docs)"                                    \
    }

/// What is kept for problems that are solved in the velocities of bodies.
typedef struct carom_body_space {
    carom_body_form form;
    carom_sweeps sweeps;
    carom_body_lu lu;
    carom_body_blend blend; ///< of Newton steps
} carom_body_space;

/// One solve: the problem, P (guess in, best answer out) and the memory the solver asked for.
typedef struct carom_attempt {
    const carom_problem *problem;
    double *P;
    const double *option;
    double *work;
    int *index;
    int iterations;             ///< counted up
    const char *solver;         ///< the name of the solver that gave the answer
    double residual;            ///< of P, by carom_contact_residual on this problem
    carom_block_lu *lu;         ///< memory of the sparse factors, kept between solves
    carom_symmetric *symmetric; ///< likewise
    carom_body_space *bodies;   ///< the problem in the velocities of its bodies, or NULL
    carom_error *error;
    int limit;            ///< most Newton steps of an iteration around Newton; 0 = any number
    bool is_final;        ///< set where other forms of the problem promise nothing more
    bool has_certificate; ///< set where the solver proves that there is no solution
} carom_attempt;

/// A value for the option of this name.
typedef struct carom_tuning {
    const char *name;
    double value;
} carom_tuning;

typedef struct carom_solver {
    carom_solver_facts facts;
    bool eliminates;      ///< bilateral rows are eliminated before (small problems only)
    bool tries_closed;    ///< closed forms come first
    bool takes_symmetric; ///< works in carom_symmetric also where the problem is small
    /// Tried on large sparse problems without friction as they are.
    const struct carom_solver *first;
    /// Tried on the whole problem where the first answer fails the check.
    const struct carom_solver *second;
    carom_tuning second_tuning;
    const struct carom_solver *last; ///< tried where that fails too, if it takes the problem
    /// Comes first for large problems that are given as factors (attempt->bodies is filled, no copy
    /// is made), or NULL.
    carom_status (*in_bodies)(carom_attempt *attempt);
    size_t (*n_work)(int max_row);
    size_t (*n_index)(int max_row);
    carom_status (*solve)(carom_attempt *attempt);
} carom_solver;

/// The defaults of a solver that another one runs, with a tolerance of its own.
void carom_solver_default(const carom_solver *solver, double tolerance,
                          double option[CAROM_MOST_OPTIONS]);
/// Sets the option of this name; false where the solver has none.
bool carom_solver_tune(const carom_solver *solver, const char *name, double value,
                       double option[CAROM_MOST_OPTIONS]);

/// Lets another solver go on from the answer of this one where that is not good enough: at most
/// n_step Newton steps, in the same memory.
void carom_solver_go_on(const carom_solver *other, carom_attempt *attempt, int n_step);

/// Who is shown each solve: the guess when it begins, the problem and how it went when it has
/// ended. A solver knows no more of files than this. Without one all are NULL.
typedef struct carom_contact_witness {
    void *self;
    carom_status (*asked)(void *self, int n, const double *P, carom_error *error);
    carom_status (*solved)(void *self, const carom_problem *problem, const carom_contact_info *info,
                           carom_error *error);
} carom_contact_witness;
void carom_contact_solver_show(carom_contact_solver *solver, carom_contact_witness witness);

/// carom_contact_solve for problems that are known to be well formed and not too large.
carom_status carom_contact_solve_formed(carom_contact_solver *solver, const carom_problem *problem,
                                        double *P, carom_contact_info *info, carom_error *error);
/// Whether G need not be made: the solver would answer P = 0 whatever G is, and nobody is shown the
/// problem.
bool carom_contact_is_idle(const carom_contact_solver *solver, const carom_problem *problem);

/// Whether a problem of n rows may be given as factors: the solver knows what to do with bodies.
bool carom_contact_takes_factors(const carom_contact_solver *solver, int n);

/// What problems of many bodies are solved in: a team may share its loops (form.team), which
/// answers do not depend on; factors of more bytes than lu.most are not made, and their size is
/// noted.
carom_body_space *carom_contact_solver_bodies(carom_contact_solver *solver);
/// Seconds of processor time that problems of more than CAROM_SPARSE_LIMIT rows have taken so far.
double carom_contact_solver_seconds(const carom_contact_solver *solver);
/// The residual up to which an answer counts as converged.
double carom_contact_solver_goal(const carom_contact_solver *solver);

/// The row of the table that a solver was made from.
const carom_solver_facts *carom_contact_solver_facts(const carom_contact_solver *solver);

/// A second solver with the method and options of another, for problems of up to max_row rows.
carom_status carom_contact_solver_like(const carom_contact_solver *other, int max_row,
                                       carom_contact_solver **solver, carom_error *error);

#define X(name) extern const carom_solver carom_solver_##name;
#include "contact/solvers/solvers_table.h"
#undef X

#endif
