// SPDX-License-Identifier: Apache-2.0
// Smooth motion between events: constraints and closed contacts are equalities,
//
//     M u_dot = f + D la
//     g = 0,     G u + w0 = 0,     G u_dot + curvature = 0         on the rows that are held
//
// A solver takes one step of a given length and estimates its error; it knows nothing of step
// control (control.h), of events or of files. G holds the held rows; D their push directions: G',
// but for a contact that slides w_N - mu sum_k d_k w_Tk, with d the unit direction of its slip.
#ifndef CAROM_SMOOTH_SMOOTH_H
#define CAROM_SMOOTH_SMOOTH_H

#include "base/arena.h"
#include "carom/extend.h"
#include "dynamics/saddle.h"
#include "smooth/smooth_table.h"

/// A point of the motion. Row arrays are by rows of the model; la is 0 where a row is not held, and
/// holds the friction force on the tangent rows of a contact that slides.
typedef struct carom_motion {
    double t;
    double *q;      ///< (nq)
    double *u;      ///< (nu)
    double *a;      ///< (nu) u_dot
    double *la;     ///< (n_row) [N]
    double *memory; ///< (carom_smooth_n_memory)
} carom_motion;

/// What the flow has cost: evaluations of forces, of rows, of their derivatives,
/// and linear systems solved.
typedef struct carom_flow_cost {
    long F, G, G_q, solves;
} carom_flow_cost;

/// The stages of the last step, one after the other; which there are is the solver's business.
typedef struct carom_stages {
    double *Q;  ///< (n_stage nq) positions
    double *V;  ///< (n_stage nu) velocities
    double *A;  ///< (n_stage nu) accelerations
    double *la; ///< (n_stage n_row) forces [N]
} carom_stages;

/// How near a step came to a place where rows that are independent elsewhere are not: see weak.h.
typedef struct carom_weakness {
    int n, most_rank;           ///< rows held, and the most of them that were ever independent
    double strongest;           ///< the largest of the smallest pivots so far
    int rank;                   ///< the fewest independent rows in this step
    double weakest;             ///< the smallest pivot in this step
    carom_saddle_strength last; ///< of the last solve
    carom_motion clean;         ///< the start of a step, brought onto the constraints
    double *q, *u;              ///< (nq), (nu) the end of a step before that
    double *change;             ///< (nu) what it does to the positions
} carom_weakness;

/// How steps follow each other, and what is asked inside of them.
typedef struct carom_pace {
    bool is_fixed; ///< their length is given: a solver with a choice of orders takes its highest
    bool looks_inside; ///< dense and search will be asked for: they have the order of the step
    bool has_dense; ///< what dense output needs beyond the stages has been made for the last step
    double growth;  ///< next step over the last, where a solver chooses it itself; 0 = by the error
} carom_pace;

typedef struct carom_smooth carom_smooth;
struct carom_variation; // see variation.h

/// What a solver works with. All memory is taken by carom_flow_new; nothing is allocated in a step.
typedef struct carom_flow {
    carom_step *s; ///< plan, sizes, error; s->h is not looked at
    const carom_smooth *solver;
    const double *option; ///< of the solver, in the order of its rows
    carom_eval *ev[2];    ///< s->ev[0] and s->ev[1] unless the user of the flow sets others
    carom_arena *arena;
    carom_saddle *saddle;
    /// is_held (n_row), is_sliding (n_contact), direction (n_row): see dynamics/saddle.h.
    carom_saddle_rows rows;
    unsigned char *none; ///< (n_contact) all 0
    double atol, rtol;   ///< tolerances; atol 0 = by the scale of each coordinate, see scale.c
    double share;        ///< of them that a step may err
    double *scale;       ///< (2 nu) largest |q| and |u| so far
    double largest_q, largest_u; ///< of all of them, times root_mass
    double *root_mass;           ///< (nu) roots of the diagonal of the mass at the start
    double *reach;  ///< (nu) largest acceleration of the applied forces on the start in the run
    double *change; ///< (nu) scratch of the norm
    double *size;   ///< (2 nu) likewise, sizes of positions that are not plain
    double *q_rate; ///< (2 nq) rates of positions that are not plain, at two points
    carom_pace pace;
    carom_flow_cost cost;
    carom_weakness weak; ///< see weak.h
    carom_stages stage;
    carom_motion from, to; ///< copies of both ends of the last step
    double h;              ///< its length
    void *self;            ///< of the solver
    double *work;          ///< (n_work of the solver)
    double *scratch;       ///< (4 nu + 2 n_row) for the functions of flow.c
} carom_flow;

/// A smooth solver: one file, one line in the table.
struct carom_smooth {
    const char *name;
    const char *about;
    const char *reference;
    int order;
    double exponent; ///< k in h err^-k
    double share;    ///< of the tolerance that a step may err, 0 = all; see scale.c
    int n_stage;     ///< of flow->stage
    int n_eval;      ///< of flow->ev
    bool is_implicit;
    /// Evaluation masks, ends with 0; those of CAROM_FLOW_MASKS come in addition.
    const unsigned *mask;
    const carom_option *option;                ///< rows, or NULL
    int (*n_memory)(carom_sizes size);         ///< its own of a motion, or NULL: 0
    int (*n_work)(carom_sizes size);           ///< doubles of scratch, or NULL: 0
    carom_status (*prepare)(carom_flow *flow); ///< makes flow->self, or NULL
    void (*release)(carom_flow *flow);
    /// Fills a, la and the memory from t, q, u: at the start and after every event.
    carom_status (*start)(carom_flow *flow, carom_motion *now);
    /// One step from now to next (another motion); error is its estimate in the norm of
    /// carom_flow_norm (<= 1 is good). Fills from, to and h of the flow. CAROM_NOT_CONVERGED or
    /// CAROM_NOT_FINITE ask for a shorter step.
    carom_status (*step)(carom_flow *flow, const carom_motion *now, double h, carom_motion *next,
                         double *error);
    /// q and u inside the last step, at from.t + x h with 0 <= x <= 1; the best the method has.
    carom_status (*dense)(carom_flow *flow, double x, double *q, double *u);
    /// The same as polynomials, without evaluations after the first call in a step: for searches.
    carom_status (*search)(carom_flow *flow, double x, double *q, double *u);
    /// Takes the columns of a variation through the last step, or NULL: it has none.
    carom_status (*vary)(struct carom_variation *variation);
};

#define CAROM_DECLARE_SMOOTH(name) extern const carom_smooth carom_smooth_##name;
CAROM_SMOOTHS(CAROM_DECLARE_SMOOTH)

/// The table of solvers.
int carom_smooth_count(void);
const carom_smooth *carom_smooth_at(int i);
const carom_smooth *carom_smooth_find(const char *name);

/// Numbers in the memory of a motion: the solver's own, then those of weak.h.
int carom_smooth_n_memory(const carom_smooth *solver, carom_sizes size);
/// The most that any solver has.
int carom_smooth_most_memory(carom_sizes size);

/// Masks that the functions below evaluate.
enum {
    CAROM_FLOW_INDEX1 = CAROM_MASS | CAROM_FORCES | CAROM_ROWS | CAROM_CURVATURE,
    CAROM_FLOW_STAGE = CAROM_MASS | CAROM_FORCES | CAROM_ROWS,
    CAROM_FLOW_REST = CAROM_MASS | CAROM_FORCES, // where the rows are known already
    CAROM_FLOW_PROJECT = CAROM_MASS | CAROM_GAPS | CAROM_ROWS
};
#define CAROM_FLOW_MASKS                                                                           \
    CAROM_FLOW_INDEX1, CAROM_FLOW_STAGE, CAROM_FLOW_REST, CAROM_FLOW_PROJECT, CAROM_ROWS

/// Takes all memory. Rows held at first: all constraints. option: of the solver, NULL = its
/// defaults; copied.
carom_status carom_flow_new(carom_step *s, const carom_smooth *solver, const double *option,
                            carom_flow **flow);
void carom_flow_free(carom_flow *flow);
/// A motion with memory of the flow's arena; false where memory runs out. Only while preparing.
bool carom_flow_motion(carom_flow *flow, carom_motion *motion);
void carom_flow_copy(const carom_flow *flow, const carom_motion *from, carom_motion *to);

/// What a run may err, from which follows what a step may; tolerance 0 = the default.
/// share: of it, for each step; 0 = the method's.
void carom_flow_set_tolerance(carom_flow *flow, double tolerance, double atol, double share);
/// RMS of e over what a step is allowed, over e_q (nu), e_u (nu), for the step between two motions.
double carom_flow_norm(carom_flow *flow, const double *e_q, const double *e_u,
                       const carom_motion *from, const carom_motion *to);
/// The error that is allowed in coordinate or rate i of a motion.
double carom_flow_tolerated_q(const carom_flow *flow, const carom_motion *at, int i);
double carom_flow_tolerated_u(const carom_flow *flow, const carom_motion *at, int i);
/// Takes the mass at the start, by which coordinates of different units compare.
carom_status carom_flow_weigh_coordinates(carom_flow *flow);
/// A motion counts for the scale of the tolerance.
void carom_flow_widen_scale(carom_flow *flow, const carom_motion *at);

/// a (nu) and la (n_row) from the index-1 system at (t, q, u). Evaluates
/// CAROM_FLOW_INDEX1 into flow->ev[0].
carom_status carom_flow_accelerate(carom_flow *flow, double t, const double *q, const double *u,
                                   double *a, double *la);

/// Moves q onto g = 0 of the held constraints and normals (in the metric of the mass), then u onto
/// G u + w0 = 0 of all held rows; each only if asked for. a and la are not touched.
/// CAROM_NOT_CONVERGED where Newton's method fails.
carom_status carom_flow_project(carom_flow *flow, carom_motion *at, bool positions,
                                bool velocities);

/// Largest |g| of the held constraints and normals and largest |G u + w0| of
/// the held rows at a motion.
carom_status carom_flow_drift(carom_flow *flow, const carom_motion *at, double *position,
                              double *velocity);

/// All evaluations so far: F + G + G_q + linear solves, as Table 2 of Haddouni et al. counts work.
long carom_flow_work(const carom_flow *flow);

#endif
