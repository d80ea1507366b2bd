// SPDX-License-Identifier: Apache-2.0
// One step of the nonsmooth generalised-alpha method as a system of equations, from inside. With
// the unknowns x = (h a, U/h, W), all velocities, and the multipliers p = (h la, nu/h, Lambda), all
// impulses, one Newton pass is a linear system with contact problem: J dx = -r + B p, laws on C dx.
#ifndef CAROM_INTEGRATORS_GEN_ALPHA_STEP_H
#define CAROM_INTEGRATORS_GEN_ALPHA_STEP_H

#include "base/arena.h"
#include "carom/extend.h"
#include "dynamics/columns.h"
#include "math/recall.h"

/// The levels on which rows are held: smooth velocity (constraints only), position, velocity.
enum { CAROM_LEVEL_FORCE, CAROM_LEVEL_POSITION, CAROM_LEVEL_VELOCITY, CAROM_N_LEVEL };

/// What is evaluated: free motion, the same with rows, derivatives for U and W, rates at the start.
enum {
    CAROM_GEN_ALPHA_FREE = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_D_FORCES | CAROM_D_MASS,
    CAROM_GEN_ALPHA_HELD = CAROM_GEN_ALPHA_FREE | CAROM_ROWS | CAROM_D_ROWS,
    CAROM_GEN_ALPHA_SLOPE = CAROM_D_MASS | CAROM_D_ROWS,
    CAROM_GEN_ALPHA_START = CAROM_ROWS
};

/// The contact problem of a pass: rows of several levels at once.
typedef struct carom_gen_alpha_rows {
    carom_contact_solver *solver;
    carom_problem problem;
    int *row, *level;          ///< (max_row) row of the model and level of each row of the problem
    unsigned char *is_tangent; ///< (max_row)
    double *p, *xi;            ///< (max_row) impulses [N s] and rates [m/s]
    double *dense;             ///< room for a dense G
    carom_columns entry;       ///< G by columns while a sparse one is collected
    carom_links links;         ///< rows that contain a coordinate
    int *touched, *unknown;    ///< (3 nu) of a column of J^-1 B; of a column of B
    double *push;              ///< (3 nu) values of a column of B
    int room_sparse;
} carom_gen_alpha_rows;

/// The numbers of the method, all functions of rho.
typedef struct carom_gen_alpha_weights {
    double alpha_m, alpha_f, beta, gamma;
} carom_gen_alpha_weights;

/// The derivative of a step's residual (gen_alpha_matrix.c).
typedef struct carom_gen_alpha_matrix {
    carom_linear *motion, *whole; ///< the first block (nu); all (3 nu)
    carom_recall *recall;         ///< columns of J^-1 B (3 nu)
    double h;                     ///< motion is factorised for this step; 0: for none
    bool can_split, is_split; ///< motion and the mass are all that is solved with; so they are now
    bool is_constant;         ///< but for h
    bool has_rates;           ///< rates of rows depend on q
} carom_gen_alpha_matrix;

typedef struct carom_gen_alpha {
    carom_arena *arena;
    carom_gen_alpha_matrix matrix;
    carom_gen_alpha_rows rows;
    carom_gen_alpha_weights weights;
    bool on_position; ///< gaps and constraints are held on position level, else U = h/2 W
    bool has_start;   ///< gamma_minus is that of this step
    double *x;        ///< (3 nu) h a, U/h, W [m/s]
    double *q_base, *v_base, *a_base;   ///< (nu) parts of the end that do not depend on x
    double *q;                          ///< (nq) positions at the end
    double *dq;                         ///< (nu) what leads there
    double *v_smooth, *v, *a_dot;       ///< (nu) v~, v, acceleration v~' at the end
    double *p[CAROM_N_LEVEL];           ///< (n_row) h la, nu/h, Lambda by rows of the model [N s]
    double *force;                      ///< (n_row) la [N]
    double *push;                       ///< (n_row) what moves U/h: nu/h and half the friction
    double *gamma_minus;                ///< (n_row) rates at the start of the step
    double *residual;                   ///< (3 nu) r without multipliers
    double *free;                       ///< (3 nu) the Newton step without multipliers
    double *dx;                         ///< (3 nu) a column of J^-1 B, then the Newton step
    unsigned char *is_near, *is_closed; ///< (n_contact) on position level; on velocity level too
    bool has_near, has_jumps;           ///< some are near; U and W of this step need not be 0
} carom_gen_alpha;

/// Takes all memory; the evaluations s->ev[0..3] are those of the step.
carom_status carom_gen_alpha_new(carom_step *s, double rho, bool on_position,
                                 carom_gen_alpha **method);
void carom_gen_alpha_free(carom_gen_alpha *method);

/// A matrix that never changes has changed: it is factorised again.
void carom_gen_alpha_forget(carom_gen_alpha *method);

/// Starts a step from now, with the accelerations a (nu) and v~' (nu) that it left.
void carom_gen_alpha_begin(carom_step *s, const carom_state *now, const double *a,
                           const double *a_dot);
/// One Newton pass from x, without any rows or with the rows of constraints and near contacts.
/// change is the largest |dx|. s->ev[0] must hold the answers of carom_gen_alpha_look_at_end.
carom_status carom_gen_alpha_pass(carom_step *s, const carom_state *now, double *change);
/// Positions, velocities and forces la of the present x and p.
void carom_gen_alpha_place_end(carom_step *s, const carom_state *now);
/// Whether one pass is exact as long as the same contacts take part: J and the rows never change.
bool carom_gen_alpha_is_linear(const carom_gen_alpha *method);
/// The same, and the model's answers there in s->ev[0].
carom_status carom_gen_alpha_look_at_end(carom_step *s, const carom_state *now);
/// Contacts that are closed or cut at the present end (s->ev[0]) take part from now on. Returns
/// whether there are new ones: the answers then lack their rows.
bool carom_gen_alpha_notice_contacts(carom_step *s);
/// Whether the step has rows at all.
bool carom_gen_alpha_has_rows(const carom_step *s);
/// is_closed of the near contacts by the answer of the last pass: U pushes or the gap is 0.
/// Returns whether it changed. Contacts only enter where may_leave is false.
bool carom_gen_alpha_choose_closed(carom_step *s, const carom_state *now, bool may_leave);

/// Rates of the laws and what contacts took from the energy, into s->report.
void carom_gen_alpha_report(carom_step *s, const carom_state *next);

// ---- between the files of the method ----

/// Takes all memory of the matrices.
carom_status carom_gen_alpha_matrix_new(carom_step *s, carom_gen_alpha *method);
void carom_gen_alpha_matrix_free(carom_gen_alpha_matrix *matrix);
/// Factorises the first block, or what the rows chosen need, from the answers in s->ev[0..2].
carom_status carom_gen_alpha_factor_free(carom_step *s);
carom_status carom_gen_alpha_factor_held(carom_step *s);
/// x := J^-1 x of the first block (nu), of all (3 nu).
void carom_gen_alpha_solve_free(const carom_step *s, double *x);
void carom_gen_alpha_solve_held(const carom_step *s, double *x);

/// Chooses the rows of a pass.
void carom_gen_alpha_rows_choose(const carom_step *s);
/// The Newton step from the multipliers found.
void carom_gen_alpha_rows_move(const carom_step *s);
/// Rows for the constraints and the near contacts, with G = C J^-1 B and b from dx = -J^-1 r.
carom_status carom_gen_alpha_rows_new(carom_step *s, carom_gen_alpha *method);
void carom_gen_alpha_rows_free(carom_gen_alpha_rows *rows);
carom_status carom_gen_alpha_rows_solve(carom_step *s);

#endif
