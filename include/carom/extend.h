// SPDX-License-Identifier: Apache-2.0
// What a scheme (time integrator) sees of the rest. A scheme strings together: move, eval, free
// velocity, contact.
//
// Symbols: q positions, u velocities, M mass, f forces, g gaps, W rows (one row for each
// constraint, then for each contact its normal and tangents), w0 their part that does not depend on
// u, gamma = W u + w0 rates, P impulse [N s], la force [N], h step.
#ifndef CAROM_EXTEND_H
#define CAROM_EXTEND_H

#include "carom/contact.h"
#include "carom/linear.h"
#include "carom/model.h"
#include "carom/point.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to evaluate; bits may be combined, and one call shares all common subexpressions.
enum {
    CAROM_MASS = 1 << 0,      ///< M, factorised
    CAROM_FORCES = 1 << 1,    ///< f: applied, potential and inertia forces
    CAROM_GAPS = 1 << 2,      ///< gap and constraint values
    CAROM_ROWS = 1 << 3,      ///< W and w0
    CAROM_CURVATURE = 1 << 4, ///< d/dt(W u + w0) at constant u: gamma_dot = W u_dot + curvature
    CAROM_D_FORCES = 1 << 5,  ///< df/dq, df/du
    CAROM_D_MASS = 1 << 6,    ///< d(M a)/dq for the a given
    CAROM_D_ROWS = 1 << 7,    ///< d(W'P)/dq for the P given, d(W u + w0)/dq
    /// p = dT/du, T_q = dT/dq, f without inertia terms, and their derivatives.
    CAROM_MOMENTUM = 1 << 8,
    CAROM_ENERGY = 1 << 9,        ///< kinetic, potential, and what the energy balance needs
    CAROM_POWER = 1 << 10,        ///< power of all that has no potential or depends on time [W]
    CAROM_RECORD = 1 << 11,       ///< extra outputs
    CAROM_DRAW = 1 << 12,         ///< points of the drawings, and where bodies are
    CAROM_GAP_RATES = 1 << 13,    ///< rates of the gaps; together with CAROM_ROWS
    CAROM_ACCELERATION = 1 << 14, ///< M^-1 f; together with CAROM_MASS and CAROM_FORCES
    CAROM_SWITCHES = 1 << 15,     ///< what decides the conditions in the forces
    CAROM_REACTIONS = 1 << 16,    ///< what forces of constraints do to bodies
    // what variations of the motion need, of models made with carom_builder_differentiate
    CAROM_D_CURVATURE = 1 << 17,  ///< d(W a + curvature)/dq, /du for the a given
    CAROM_D_PARAMETER = 1 << 18,  ///< derivatives by live parameters
    CAROM_D_TIME = 1 << 19,       ///< derivatives by explicit time
    CAROM_D_RECORD = 1 << 20,     ///< of records and switches, by all of them
    CAROM_COEFFICIENTS = 1 << 21, ///< of friction and restitution where they are expressions; P of
                                  ///< the point: arrival speed and slip rate of each contact
    CAROM_KEEP = 1 << 22 ///< no answer: the evaluation remembers the point, see carom_model_eval
};

/// Gaps and constraints.
typedef struct carom_eval_gaps {
    double *constraint; ///< (n_constraint) values of the equations; 0 where rates alone are held
    double *value;      ///< (n_contact) gaps [m], > 0 open, +infinity where there is no contact
    double *rate;       ///< (n_contact) W_N u + w0 [m/s]
    double *inside;     ///< (n_contact) of patches: 1 in their domain, else 0; or NULL
    double *margin;     ///< (n_contact) likewise: > 0 inside, < 0 outside; or NULL
} carom_eval_gaps;

/// Directions of constraints, normals and tangents: gamma = W u + w0.
typedef struct carom_eval_rows {
    carom_sparse W;    ///< (n_row x nu)
    double *w0;        ///< (n_row) [m/s]
    double *curvature; ///< (n_row) [m/s2]
    double *limit;     ///< (n_contact) of discs: the most they push with [N]; NULL = there are none
} carom_eval_rows;

/// What Newton's method needs of implicit schemes.
typedef struct carom_eval_derivatives {
    carom_sparse df_dq, df_du; ///< (nu x nu)
    carom_sparse dMa_dq;       ///< (nu x nu)
    carom_sparse dWP_dq;       ///< (nu x nu)
    carom_sparse dgamma_dq;    ///< (n_row x nu)
} carom_eval_derivatives;

/// Momenta, for schemes that discretise the action.
typedef struct carom_eval_momentum {
    double *p, *T_q, *f_plain;         ///< (nu) momentum, dT/dq, f without inertia terms
    carom_sparse dp_dq;                ///< (nu x nu); dp/du is the mass
    carom_sparse dTq_dq, dTq_du;       ///< (nu x nu)
    carom_sparse dplain_dq, dplain_du; ///< (nu x nu)
} carom_eval_momentum;

/// What variations of the motion need besides: derivatives by q, u, live parameters p and explicit
/// time t; empty where the model was made without them.
typedef struct carom_eval_variation {
    carom_sparse acceleration_q, acceleration_u; ///< (n_row x nu) d(W a + curvature)
    carom_sparse acceleration_p, acceleration_t; ///< (n_row x n_live), (n_row x 1)
    carom_sparse force_p, force_t;               ///< (nu) df
    carom_sparse push_p, push_t;                 ///< (nu) d(W'P - M a) for the a and P given
    carom_sparse rate_p, rate_t;                 ///< (n_row) d(W u + w0)
    carom_sparse gap_p; ///< (n_constraint + n_contact) of equations, then of gaps
    carom_sparse
        given_p; ///< (3 n_contact + nq + nu) of e, e_t and mu of each contact, of the start
    carom_sparse record_q, record_u, record_p, record_t; ///< (n_record)
    carom_sparse switch_q, switch_u, switch_p, switch_t; ///< (n_switch)
} carom_eval_variation;

/// Coefficients of contacts that are expressions (facts->varies), else 0.
typedef struct carom_eval_coefficients {
    double *e, *mu, *grip; ///< (n_contact)
    double *slope;         ///< (n_contact) d mu/d slip rate [s/m]
    carom_sparse mu_q;     ///< (n_contact x nu)
} carom_eval_coefficients;

typedef struct carom_eval_energy {
    double kinetic, potential; ///< [J]
    double rheonomic;          ///< T1 + 2 T0 [J]: d/dt(T + V) = power + d/dt(rheonomic)
    double power;              ///< [W]
} carom_eval_energy;

/// The answers of a model at one point. Only what was asked for in the last calls is valid.
typedef struct carom_eval {
    const carom_model *model;
    carom_mass *mass;
    double *f;            ///< (nu) [N, N m]
    double *acceleration; ///< (nu) M^-1 f
    carom_eval_gaps gaps;
    carom_eval_rows rows;
    carom_eval_derivatives derivatives;
    carom_eval_momentum momentum;
    carom_eval_energy energy;
    carom_eval_variation variation;
    carom_eval_coefficients coefficients;
    double *switches; ///< (n_switch) functions of the state whose zeros, or points of tables, are
                      ///< where forces jump or bend
    double *record;   ///< (n_record)
    double *draw;     ///< points and sizes of all drawings, see carom_model_drawing
    double *pose;     ///< (12 n_body) of each body r, then R by rows, see carom_pose
    double *place;    ///< (6 for each) point and normal of contacts with facts->place, see there
    carom_sparse reaction; ///< (n_reaction x n_row): force and torque of each joint on its second
                           ///< body are this times la, or P; see carom_model_joint
} carom_eval;

/// All that is prepared to evaluate one model for one set of masks: programs and their registers.
/// Not shareable.
typedef struct carom_plan carom_plan;
CAROM_API carom_status carom_plan_new(const carom_model *model, const unsigned *mask, int n_mask,
                                      carom_plan **plan, carom_error *error);
CAROM_API void carom_plan_free(carom_plan *plan);
/// Turns the plan's programs into machine code with the system's compiler ($CC or cc), kept in the
/// user's cache folder. Where that fails (CAROM_IO: no compiler, ...) the plan works on as before.
/// The numbers are the same to 1e-13. Models from callbacks are left as they are.
CAROM_API carom_status carom_plan_compile(carom_plan *plan, carom_error *error);
/// New values of live parameters, all at once; those that are not given stay, or follow from those
/// that are. Takes no memory and derives nothing. Where a name or a value is not good (not finite,
/// a restitution above 1, ...) nothing changes.
CAROM_API carom_status carom_plan_set(carom_plan *plan, const carom_parameter *value, int n,
                                      carom_error *error);
/// The value of a live parameter; not a number where there is none of this name.
CAROM_API double carom_plan_parameter(const carom_plan *plan, const char *name);
/// A contact with the restitution and friction that the plan's values give it, and the start
/// likewise: (nq) and (nu) numbers.
CAROM_API const carom_contact_facts *carom_plan_contact(const carom_plan *plan, int contact);
/// Which contact is in a slot; of a model whose contacts stay: its number from 1, generation 1.
CAROM_API carom_slot carom_plan_slot(const carom_plan *plan, int contact);
CAROM_API const double *carom_plan_start_q(const carom_plan *plan);
CAROM_API const double *carom_plan_start_u(const carom_plan *plan);
/// What assembling has changed with the plan's values, see carom_builder_assemble.
CAROM_API carom_assembled carom_plan_assembled(const carom_plan *plan);
/// A buffer for answers; belongs to the plan.
CAROM_API carom_eval *carom_plan_eval(carom_plan *plan);
/// Evaluates; mask must be one of the plan's. With CAROM_KEEP the evaluation remembers where it was
/// asked: at the same t and q it computes only what depends on u, a or P, and nothing where u is
/// NULL or the same as well. The answers are the same either way. A number that is not finite gives
/// CAROM_NOT_FINITE and names the expression. A mass matrix that is not positive definite gives
/// CAROM_BAD_INPUT and names the coordinate.
CAROM_API carom_status carom_model_eval(carom_plan *plan, const carom_point *at, unsigned mask,
                                        carom_eval *eval, carom_error *error);
/// Who writes into an evaluation calls this: it no longer holds what it was asked for.
CAROM_API void carom_eval_forget(carom_eval *eval);
/// q_out = q (+) h u: where the velocities u, if they stay constant, lead in a time h (in place
/// allowed). Derivatives of all answers by q are along this move, d/de F(q (+) e e_i): they have nu
/// columns.
CAROM_API void carom_model_move(const carom_model *model, const double *q, const double *u,
                                double h, double *q_out);
/// x (nu) with q_a (+) x = q_b; the same for two q_b that mean the same.
CAROM_API void carom_model_difference(const carom_model *model, const double *q_a,
                                      const double *q_b, double *x);
/// q_dot (nq) = Y(q) u, linear in u.
CAROM_API void carom_model_rates(const carom_model *model, const double *q, const double *u,
                                 double *q_dot);
/// q as an allowed position again, after sums of rates.
CAROM_API void carom_model_normalise(const carom_model *model, double *q);

/// What a step starts from and leaves behind. A checkpoint holds exactly this (and the audit).
typedef struct carom_state {
    double t;
    double *q;      ///< (nq)
    double *u;      ///< (nu)
    double *P;      ///< (n_row) impulses of the last step [N s]
    double *la;     ///< (n_row) forces at the end of the last step [N]; 0 where the scheme has none
    double *memory; ///< (n_memory) the scheme's own: q_{k-1}, a_n, hysteresis ...
    unsigned char *is_active; ///< (n_contact) in the active set of the last step
    carom_slot *slot; ///< (n_contact) whose the rows of the last step were; NULL = contacts stay
} carom_state;

/// What happened at a contact.
typedef enum carom_event_kind {
    CAROM_IMPACT,
    CAROM_OPEN,
    CAROM_CLOSE,
    CAROM_STICK,
    CAROM_SLIP,
    CAROM_ACCUMULATED,
    CAROM_EDGE ///< the domain of a patch ends or begins while the surface is in contact
} carom_event_kind;

typedef struct carom_event {
    double t;
    int contact;
    carom_event_kind kind;
    double rate_before, rate_after; ///< gap rate [m/s]
    double P;                       ///< normal impulse [N s]
    double energy_lost;             ///< [J]
    unsigned long long key;         ///< which contact, see carom_slot; 0 = set by the simulation
} carom_event;

/// What one step tells the simulation besides the new state.
typedef struct carom_step_report {
    double h_used;        ///< <= the h asked for
    double h_next;        ///< proposal of an adaptive scheme; 0 = no opinion
    double error;         ///< its error estimate over the tolerance; 0 = none
    double residual;      ///< largest contact residual of the step
    int residual_row;     ///< the row whose law it is, where it is above carom_step.residual_seen
    double cone;          ///< largest cone violation of the step [N s]
    double impact_loss;   ///< -sum P_N (gamma+ + gamma-)/2 [J]
    double friction_loss; ///< -sum P_T.(gamma_T+ + gamma_T-)/2 [J]
    double obstacle_work; ///< work of moving obstacles and constraints on the system, -sum P w0 [J]
    double applied_work;  ///< [J], see has_applied_work
    long evaluations; ///< of forces, rows and their derivatives, and linear systems solved; 0 = not
                      ///< counted
    int iterations;   ///< contact solver and Newton iterations
    int rejected;     ///< attempts of an adaptive scheme that were taken back
    int crossed;      ///< the section was crossed at the end of the step: 1 up, -1 down
    bool is_converged; ///< all contact problems and iterations of the step
    bool is_ambiguous; ///< a contact problem of the step has answers with other velocities
    bool has_impact;   ///< schemes that separate impacts from contact say so
    bool has_contact;  ///< a contact force > 0 acted inside the step, also one that the state does
                       ///< not show
    bool has_applied_work; ///< the scheme has integrated the power of the applied forces itself,
                           ///< more exactly than a midpoint
    double *rate_before;   ///< (n_row) gamma- in the laws of this step, 0 where not active
    double *rate_after;    ///< (n_row) gamma+
} carom_step_report;

/// Where a scheme that finds events itself sends them, and the states on both sides.
typedef struct carom_sink {
    void *self;
    void (*event)(void *self, const carom_event *event);
    void (*state)(void *self, const carom_state *state);
} carom_sink;

/// Who follows the motion of event_driven along, see hybrid/hybrid.h.
typedef struct carom_witness carom_witness;

/// Active set, contact problem, solver: see dynamics below.
typedef struct carom_contacts carom_contacts;

/// Everything a scheme works with; made once by the simulation.
typedef struct carom_step {
    const carom_model *model;
    carom_sizes size;
    carom_plan *plan;
    carom_eval *ev[4]; ///< as many as the scheme asked for
    carom_contacts *contacts;
    const unsigned char *holds; ///< (n_contact) the patches that count in this step: points are
                                ///< given it; NULL = the model has none
    /// (n_contact) contacts that rest: they pressed in the step before, without an impact. Step
    /// control says so: they stay in the contact problem, without restitution, however little their
    /// gaps have drifted open; those too that are there within the tolerance. NULL = nothing is
    /// known.
    const unsigned char *rests;
    const double *option; ///< values in the order of the scheme's option rows
    double h;             ///< the step to take [s]
    double tolerance;     ///< relative tolerance of adaptive schemes; 0 = not given
    double end;           ///< of the run [s]; 0 = not known
    int section;          ///< of schemes that find events: the record entry whose zeros end a step,
                          ///< from 1; 0 = none
    double residual_seen; ///< largest contact residual so far: only worse ones are placed
    bool is_anew;         ///< a law of the model jumps or bends at the start of this step:
        ///< accelerations and forces at the end of the step before are those of
        ///< the other side
    void *self;   ///< what the scheme's prepare made
    double *work; ///< (n_work) scratch
    carom_step_report report;
    carom_sink sink;
    const carom_witness *witness; ///< or NULL
    carom_error *error;           ///< where to say why a step failed
} carom_step;

/// What a scheme keeps in carom_state.memory from step to step, besides t, q, u, P and la.
typedef struct carom_scheme_memory {
    int (*n)(const carom_model *model); ///< how many numbers, or NULL: 0
    /// Whether the memory of a state, as a checkpoint holds it, can be this scheme's: modes, counts
    /// and indices in their ranges. The numbers are finite. NULL = any will do.
    bool (*is_good)(const carom_step *s, const carom_state *state);
    /// Another contact is in a slot, or none: what is known of it is that of a contact never seen.
    /// NULL = nothing is kept by contacts.
    void (*forget)(const carom_step *s, carom_state *state, int contact);
} carom_scheme_memory;

/// What it takes besides Newton's impacts and constraints of positions.
typedef struct carom_scheme_takes {
    unsigned laws;     ///< impact laws, bits 1 << carom_law; 0 = Newton's alone
    unsigned varies;   ///< which coefficients may be expressions, bits CAROM_VARIES_...
    bool rates;        ///< constraints of rates alone
    bool only_lasting; ///< contacts that stay: no shapes that come and go, no patches of surfaces
    double wh; ///< an explicit scheme: the largest w h with which vibrations stay bounded; 0 = any
} carom_scheme_takes;

/// A time integrator: one file, one line in the table.
typedef struct carom_scheme {
    const char *name;
    const char *about; ///< one line
    const char *reference;
    int order_free, order_contact;
    /// On which level gaps and constraints are kept: acceleration, velocity, position, both.
    const char *level;
    /// Time per step on the slider-crank over that of moreau_midpoint,
    /// measured; 0 = not comparable.
    double cost;
    bool has_friction, has_bilateral, has_contact, is_implicit, is_adaptive, separates_impact,
        finds_events;
    bool can_vary_step; ///< a one-step scheme whose steps may have any length, one after the other:
                        ///< step control may use it
    bool holds_sides;   ///< its model stays on one side of its switches until it says otherwise
    /// An adaptive scheme whose steps are not cut to meet the end or points of the output.
    bool keeps_step;
    carom_scheme_takes takes;
    const carom_option *option; ///< rows, or NULL
    const unsigned *mask;       ///< evaluation masks it uses, ends with 0
    int n_eval;
    carom_scheme_memory memory;
    int (*n_work)(const carom_model *model); ///< doubles of scratch, or NULL: 0
    /// Makes s->self, and refuses a model or options that it cannot take (with the reason); or
    /// NULL.
    carom_status (*prepare)(carom_step *s);
    void (*release)(carom_step *s);
    /// The run starts again, perhaps with other values of live parameters: works out again what
    /// prepare took from the model, without taking memory; or NULL.
    carom_status (*renew)(carom_step *s);
    /// Fills the memory of the first state, or NULL.
    carom_status (*start)(carom_step *s, carom_state *state);
    carom_status (*step)(carom_step *s, const carom_state *now, carom_state *next);
    /// Kinetic and potential energy as this scheme means it; NULL = at (t, q, u).
    carom_status (*energy)(carom_step *s, const carom_state *state, double *kinetic,
                           double *potential);
} carom_scheme;

// ---- dynamics: where model and contact meet ----

/// Sets residual, losses and rates of the report to nothing; iterative schemes call it before each
/// pass.
CAROM_API void carom_dynamics_clear_report(carom_step *s);

/// u_out = u + h M^-1 f; u_out must not be u.
CAROM_API void carom_dynamics_free_velocity(const carom_eval *eval, const double *u, double h,
                                            double *u_out);

/// The terms of one contact problem: rates, push directions and mass may come
/// from different points.
typedef struct carom_contact_terms {
    const carom_eval *rate; ///< its W, w0 give gamma+ = W u+ + w0
    const carom_eval *push; ///< its W gives the direction of the impulses (NULL: as rate)
    const carom_eval *mass; ///< its M (NULL: as rate)
    /// Used instead of M where an implicit scheme has its own iteration matrix.
    const carom_linear *metric;
    bool is_identity; ///< the unit matrix is used instead of M
    /// (n_row) rates before, for the restitution (NULL: W u_minus + w0).
    const double *gamma_minus;
    const double *u_minus;          ///< (nu) used where gamma_minus is NULL
    const carom_eval *before;       ///< its W, w0 give those rates (NULL: as rate)
    const unsigned char *is_active; ///< (n_contact) contacts in the problem; constraints always are
    /// (n_contact) position level: active contacts held at 0 (NULL: none).
    const unsigned char *is_equality;
    bool without_restitution; ///< e = e_T = 0 in this problem
    /// (n_contact) contacts without restitution (carom_step.rests; NULL: none).
    const unsigned char *rests;
    /// How long after the point of rate the step ends [s]: there the normals of those contacts are
    /// held, by rate->rows.curvature; 0 = at that point.
    double lead;
    bool on_positions; ///< of carom_dynamics_correct: constraints of rates alone stay out
    double span;       ///< how long the forces of this problem act [s]: discs bear span times their
                       ///< limit; 0 = the length of the step
    bool is_instant;   ///< no time passes: discs bear nothing
    const double *position; ///< (nu) position level: sizes of what the velocities move, where plain
                            ///< the positions that the offsets are from; in large problems offsets
                            ///< that are rounding of it count as 0 (NULL: none do)
} carom_contact_terms;

/// Builds the problem, solves it from the guess in P (n_row), checks it, and moves
/// u from the velocity without contact to the one with it, u += M^-1 W' P. Fills P
/// (0 where not active) and adds to s->report: residual, iterations, losses, rates. A scheme that
/// wants forces takes la = P/h.
CAROM_API carom_status carom_dynamics_contact(carom_step *s, const carom_contact_terms *terms,
                                              double *P, double *u);

/// The same on position level, without friction: 0 <= offset + G l _|_ l >= 0 on the active
/// contacts, = 0 on constraints; q += M^-1 W' l. offset is by rows of the model (n_row). Losses and
/// rates are not touched.
CAROM_API carom_status carom_dynamics_correct(carom_step *s, const carom_contact_terms *terms,
                                              const double *offset, double *l, double *q);

/// gamma (n_row) = W u + w0.
CAROM_API void carom_dynamics_rates(const carom_eval *eval, const double *u, double *gamma);

/// f_out += W' P.
CAROM_API void carom_dynamics_push(const carom_eval *eval, const double *P, double *f_out);

#ifdef __cplusplus
}
#endif
#endif
