// SPDX-License-Identifier: Apache-2.0
// What a contact solver is: one file in solvers/, one line in solvers/table.h. The caller (solve.c)
// scales small problems to a unit diagonal, eliminates bilateral rows where the solver wants that,
// and checks the answer.
#ifndef CAROM_CONTACT_SOLVER_H
#define CAROM_CONTACT_SOLVER_H

#include "carom/contact.h"
#include "contact/newton/block_lu.h"
#include "contact/newton/symmetric.h"

/// Problems of up to this many rows are scaled copies in dense form; larger ones (and sparse ones
/// above CAROM_SPARSE_LIMIT) scaled copies by block rows, in pieces of up to three rows.
enum { CAROM_DENSE_LIMIT = 256, CAROM_SPARSE_LIMIT = 48 };

/// The option rows every solver starts with, in this order.
enum {
    CAROM_OPTION_TOLERANCE,
    CAROM_OPTION_ITERATIONS,
    CAROM_OPTION_RELAXATION,
    CAROM_OPTION_MEMORY,
    CAROM_OPTION_PROXIMAL,
    CAROM_N_OPTION
};
#define CAROM_TOLERANCE_ROW                                                                        \
    {                                                                                              \
        "tolerance", CAROM_REAL, 1e-12, 0, 1e-2, NULL,                                             \
            "residual the solver aims for (relative, see docs)"                                    \
    }

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
    carom_error *error;
    int limit;            ///< most Newton steps of an iteration around Newton; 0 = any number
    bool has_certificate; ///< set where the solver proves that there is no solution
} carom_attempt;

typedef struct carom_solver {
    carom_solver_facts facts;
    bool eliminates;      ///< bilateral rows are eliminated before (small problems only)
    bool tries_closed;    ///< closed forms come first
    bool takes_symmetric; ///< works in carom_symmetric also where the problem is small
    /// Tried on large sparse problems without friction as they are.
    const struct carom_solver *first;
    /// Tried on the whole problem where the first answer fails the check.
    const struct carom_solver *second;
    const struct carom_solver *last; ///< tried where that fails too, if it takes the problem
    size_t (*n_work)(int max_row);
    size_t (*n_index)(int max_row);
    carom_status (*solve)(carom_attempt *attempt);
} carom_solver;

/// carom_contact_solve for problems that are known to be well formed and not too large.
carom_status carom_contact_solve_formed(carom_contact_solver *solver, const carom_problem *problem,
                                        double *P, carom_contact_info *info, carom_error *error);
/// Whether G need not be made: the solver would answer P = 0 whatever G is, and the problem is not
/// to be saved.
bool carom_contact_is_idle(const carom_contact_solver *solver, const carom_problem *problem);

/// The row of the table that a solver was made from.
const carom_solver_facts *carom_contact_solver_facts(const carom_contact_solver *solver);

/// A second solver with the method and options of another, for problems of up to max_row rows.
carom_status carom_contact_solver_like(const carom_contact_solver *other, int max_row,
                                       carom_contact_solver **solver, carom_error *error);

#define X(name) extern const carom_solver carom_solver_##name;
#include "contact/solvers/table.h"
#undef X

#endif
