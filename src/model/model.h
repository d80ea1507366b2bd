// SPDX-License-Identifier: Apache-2.0
// A model from inside: names, sizes, patterns, the layout of its answers, and the kind that
// computes them.
#ifndef CAROM_MODEL_MODEL_H
#define CAROM_MODEL_MODEL_H

#include "base/arena.h"
#include "carom/extend.h"
#include "expr/clock.h"
#include "math/vector.h"
#include "model/chart.h"

#include <stdatomic.h>

/// A fixed sparsity pattern whose values stand at offset in the block of answers.
typedef struct carom_pattern {
    int n_row, n_column;
    int *start; ///< (n_row+1)
    int *index;
    int offset;
} carom_pattern;

/// Where momenta stand, see carom_eval_momentum.
typedef struct carom_layout_momentum {
    int p, T_q, f_plain;
    carom_pattern dp_dq, dTq_dq, dTq_du, dplain_dq, dplain_du;
} carom_layout_momentum;

/// Where energies stand, see carom_eval_energy.
typedef struct carom_layout_energy {
    int kinetic, potential, rheonomic, power;
} carom_layout_energy;

/// Where the answers for variations stand, see carom_eval_variation.
typedef struct carom_layout_variation {
    bool is_there;
    carom_pattern acceleration_q, acceleration_u, acceleration_p, acceleration_t;
    carom_pattern force_p, force_t, push_p, push_t, rate_p, rate_t, gap_p, given_p;
    carom_pattern record_q, record_u, record_p, record_t;
    carom_pattern switch_q, switch_u, switch_p, switch_t;
} carom_layout_variation;

/// The numbers of drawings: where they stand, and how many there are.
typedef struct carom_layout_draw {
    int first, n;
    int place; ///< of contacts of shapes that last
    int pose;  ///< of bodies
} carom_layout_draw;

/// Only where there are surfaces: inside, margin; only where there are discs: limit.
typedef struct carom_layout_seldom {
    int inside, margin, limit;
} carom_layout_seldom;

/// Coefficients that are expressions; mu_q.start = NULL: there are none.
typedef struct carom_layout_coefficients {
    int e, mu, grip, slope;
    carom_pattern mu_q;
} carom_layout_coefficients;

/// Where each answer stands in the block of doubles that an evaluation owns.
typedef struct carom_layout {
    int size;
    int f, constraint, gap, gap_rate, w0, curvature;
    int factor, n_factor; ///< factors of small mass blocks, where the kind gives them
    int acceleration;
    bool has_acceleration; ///< the kind gives it
    carom_layout_seldom seldom;
    carom_layout_coefficients coefficients;
    unsigned char *is_rate; ///< (n_constraint) held on velocity level only; NULL = none is
    int record;
    carom_layout_draw draw;
    int switches;
    carom_layout_energy energy;
    carom_pattern mass, W;
    carom_pattern df_dq, df_du, dMa_dq, dWP_dq, dgamma_dq;
    carom_pattern reaction;
    carom_layout_momentum momentum;
    carom_layout_variation variation;
} carom_layout;

typedef struct carom_matter carom_matter; ///< shapes and materials, see matter/matter.h
typedef struct carom_question carom_question;
typedef struct carom_live carom_live;     ///< see live.h
typedef struct carom_values carom_values; ///< likewise

/// Where contacts are (3 n_contact), which way they push (3 n_contact), whose they are (2
/// n_contact).
typedef struct carom_places {
    double *point, *normal;
    int *body;
} carom_places;

/// How answers are computed: from equations, from the caller's functions, later from bodies.
typedef struct carom_model_kind {
    /// Makes plan->self for the plan's masks and says how its questions are answered.
    carom_status (*prepare)(carom_plan *plan, carom_error *error);
    void (*release)(carom_plan *plan);
    /// Writes what never changes into a new evaluation.
    void (*constants)(const carom_plan *plan, carom_eval *eval);
    /// Writes the answers of a question that has no program; factorising the mass is done by the
    /// caller. NULL where there are always programs.
    carom_status (*eval)(carom_plan *plan, const carom_question *ask, const carom_point *at,
                         carom_eval *eval, carom_error *error);
    /// Hands new values of what is firm to the plan's programs; NULL where nothing is live.
    void (*settle)(carom_plan *plan);
    /// Says which expression of mask i is not finite at a point, into buffer ("" = not known).
    void (*blame)(const carom_plan *plan, const carom_point *at, int i_mask, char *buffer,
                  size_t room);
    void (*free)(carom_model *model);
    /// Says which contacts are near in a step of length h from a point (carom_slots_choose); NULL
    /// where contacts stay.
    carom_status (*refresh)(carom_plan *plan, const carom_point *from, double h,
                            carom_error *error);
    /// Which of them are still there at a point of that step (carom_plan_check_slots), or NULL:
    /// they are all through it.
    carom_status (*check)(carom_plan *plan, const carom_point *at, unsigned char *is_there,
                          bool *is_missed, carom_error *error);
    /// The plan has got a team: memory for what its members evaluate at one time; or NULL.
    carom_status (*share)(carom_plan *plan, carom_error *error);
    /// Where contacts are, as far as the model knows; or NULL.
    carom_status (*places)(carom_plan *plan, const carom_point *at, const carom_places *places,
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

/// Whether a start that is close to keeping a constraint keeps it: share of its terms.
#define CAROM_CONSISTENT 1e-9

/// What a model wants of its start. See assemble.h.
typedef struct carom_assembly {
    unsigned what;                ///< CAROM_ASSEMBLE_POSITIONS | ...; 0 = it is as given
    const unsigned char *is_kept; ///< (nu), or NULL: nothing is
    carom_assembled done;         ///< as the model was made
} carom_assembly;

/// What a model and its parts are called.
typedef struct carom_model_names {
    const char *model, *about, *source;
    const char **coordinate, **constraint, **record;
    const char **velocity;      ///< (nu), see carom_model_name_velocities
    const char **unit;          ///< (nq) of coordinates; "" = not known
    const char **body, **joint; ///< (n_body), (n_joint)
} carom_model_names;

/// Where its texts stand, for messages.
typedef struct carom_model_places {
    carom_place energies, potential;
    carom_place *constraint; ///< (n_constraint)
    carom_place *contact;    ///< (n_contact), or NULL
} carom_model_places;

/// What is odd about it.
typedef struct carom_model_warnings {
    int n;
    char **text;
} carom_model_warnings;

/// What is known of its energies.
typedef struct carom_model_energies {
    bool are_given;   ///< CAROM_MOMENTUM can be evaluated
    bool has_balance; ///< they and all powers are known: a balance can be made
    bool has_power;   ///< some work is not that of a time-independent potential
    bool is_elastic;  ///< beams or elastic bodies: explicit schemes need steps below 2/w
    bool is_undamped; ///< something that bends has no damping
    const struct carom_elastics *elastic; ///< linear bodies; NULL = there are none
} carom_model_energies;

/// What is known of forces after a step only.
typedef struct carom_model_felt {
    bool reaction_varies;          ///< what forces of joints do to bodies depends on the state
    bool has_forces;               ///< a record contains forces or accelerations
    bool has_accelerations;        ///< ...
    unsigned char *record_is_felt; ///< (n_record) which do; NULL = none
} carom_model_felt;

struct carom_model {
    atomic_int n_holder; ///< plans and simulations that use it, besides its maker
    carom_arena *arena;
    const carom_model_kind *kind;
    void *self; ///< of the kind
    carom_sizes size;
    carom_chart chart; ///< see carom_model_set_chart
    int n_plain;       ///< nq where the chart is plain, else -1
    int n_inert;       ///< nu where the chart has no inertia, else -1
    carom_layout layout;
    carom_model_names names;
    carom_model_places places;
    carom_contact_facts *contact;
    carom_drawing *drawing;
    carom_model_felt felt;
    double *q0, *u0;
    carom_assembly assembly;
    carom_start_facts start;
    bool mass_is_constant;
    unsigned char *mass_entry_is_constant; ///< (entries of the mass pattern), or NULL: none is
    unsigned long long fingerprint;        ///< of its equations, numbers and start; 0 for callbacks
    carom_model_energies energies;
    bool rows_change_pattern;     ///< the kind writes eval->W.start and index anew
    const carom_switch *switches; ///< (n_switch) of the state, in the forces
    const carom_clock *clock; ///< what its laws know of time alone; NULL where that is not known
    const carom_live *live;   ///< NULL = its parameters are numbers
    int n_difference;
    const carom_matter *matter; ///< NULL = there are no bodies
    carom_model_warnings warnings;
};

/// Whether constraint k has no position.
static inline bool carom_model_is_rate(const carom_model *model, int k)
{
    return model->layout.is_rate && model->layout.is_rate[k];
}

enum { CAROM_N_FLAG = 22 }; ///< bits of the evaluation masks

/// Writes answers of a program into the block of an evaluation. True: they are surely finite, as
/// far as they must be.
typedef bool carom_answer(void *program, const carom_point *at, double *block);

/// Answers a question, whatever it takes.
typedef carom_status carom_way(carom_plan *plan, const carom_point *at, carom_question *ask,
                               carom_eval *eval, carom_error *error);

/// One of a plan's masks, and how it is answered.
struct carom_question {
    unsigned mask;
    bool needs_solve;       ///< the kind does not give the acceleration asked for
    bool is_kept;           ///< it was given with CAROM_KEEP
    bool is_common;         ///< nothing but finite numbers is to be seen to
    bool is_of_u;           ///< its answers depend on t, q and u, not on a or P
    int watched, n_watched; ///< where the answers are that must be finite
    carom_way *way;         ///< see evaluate.c
    carom_way *known_way;   ///< the same where forces and accelerations are given
    // filled by the kind
    void *program;               ///< NULL = the kind's eval answers
    carom_answer *whole;         ///< writes all answers
    carom_answer *still;         ///< those that depend on t and q only
    carom_answer *rates;         ///< the others, after still or whole with the same t and q
    bool can_keep;               ///< they are to be kept, and can be
    bool needs_t;                ///< what still writes depends on t
    bool uses_t;                 ///< anything does
    bool is_still;               ///< nothing depends on u, a or P
    bool has_numbers;            ///< energies and power are written to the block
    bool is_constant;            ///< all answers are the same everywhere
    const carom_eval *writes_to; ///< the evaluation that the program last wrote to; NULL = none
};

struct carom_plan {
    const carom_model *model;
    carom_arena *arena;
    int n_mask;
    carom_question *question; ///< (n_mask)
    carom_question ***page;   ///< the question of each mask, see carom_plan_question; NULL = none
    void *self;               ///< of the model's kind
    struct carom_team *team;  ///< threads that share its loops, or NULL
    struct carom_full_eval *evals; ///< all that were made, see plan.h
    // what the values of live parameters decide; else the model's own
    carom_values *values; ///< NULL = nothing is live
    carom_slots *slots;   ///< NULL = contacts stay; see slots/slots.h
    int n_contact;
    const carom_contact_facts *contact;      ///< (n_contact) those of the slots, or of the values
    const double *q0, *u0;                   ///< the start
    const carom_clock *clock;                ///< or NULL
    bool is_bounded;                         ///< evaluations see times from .. to only, or sides
    double from, to;                         ///< see carom_plan_between
    struct carom_coefficients *coefficients; ///< that are expressions, or NULL
    struct carom_assembler *assembler;       ///< where the start is assembled anew, or NULL
    carom_assembled assembled;               ///< what that has changed last
    double *unknown;                         ///< (nu, n_row) not numbers; NULL = no record asks
    double *push; ///< (n_row + n_switch) P and sides; NULL = all sides count
};

/// Keeps a model alive until carom_model_free is called once more; returns it.
const carom_model *carom_model_hold(const carom_model *model);
/// Whether what a mask of the plan gives depends on time; true where that is not known.
bool carom_plan_needs_t(const carom_plan *plan, unsigned mask);
/// Whether what a mask of the plan gives is the same everywhere; false where that is not known.
bool carom_plan_is_constant(const carom_plan *plan, unsigned mask);
/// Goes back to the values before the last carom_plan_set.
void carom_plan_unset(carom_plan *plan);
/// Takes over the values of another plan of the same model.
void carom_plan_set_like(carom_plan *plan, const carom_plan *like);
/// Whether new values have changed what is known of time since this was asked last.
bool carom_plan_clock_is_new(carom_plan *plan);
/// The model's fingerprint with the plan's values.
unsigned long long carom_plan_fingerprint(const carom_plan *plan);
/// From now on evaluations of the plan see no time before from or after to: at a break they see the
/// side that their step lies on. Answers that were kept are forgotten where that changes.
void carom_plan_between(carom_plan *plan, double from, double to);
/// From now on a team (NULL = none) shares its loops over contacts that come and go; answers do not
/// depend on it. The team outlives the plan, and serves one caller at a time.
carom_status carom_plan_share(carom_plan *plan, struct carom_team *team, carom_error *error);
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
/// Says how positions move, once sizes are known; NULL = q' = u.
void carom_model_set_chart(carom_model *model, const carom_chart *chart);
/// Takes names of velocities (nu), or makes them: der(x) where positions are plain, else u1, u2,
/// ... False where memory is short.
bool carom_model_name_velocities(carom_model *model, const char *const *name);
/// What velocity i moves, for messages: the coordinate where positions are plain, else the name of
/// the velocity.
static inline const char *carom_model_moved_name(const carom_model *model, int i)
{
    return model->n_plain < 0 ? model->names.velocity[i] : model->names.coordinate[i];
}
/// carom_model_move for callers that leave nothing out.
static inline void carom_model_moved(const carom_model *model, const double *q, const double *u,
                                     double h, double *q_out)
{
    CAROM_EACH_SHORT_BUT(i, model->n_plain, carom_chart_move(&model->chart, q, u, h, q_out),
                         q_out[i] = q[i] + h * u[i])
}
/// size (nu): how large the positions are that each velocity moves, see carom_chart_measure.
static inline void carom_model_measure(const carom_model *model, const double *q, double *size)
{
    CAROM_EACH_SHORT_BUT(i, model->n_plain, carom_chart_measure(&model->chart, q, size),
                         size[i] = fabs(q[i]))
}
/// That of velocity i alone.
static inline double carom_model_size_along(const carom_model *model, const double *q, int i)
{
    return model->n_plain < 0 ? carom_chart_size_along(&model->chart, q, i) : fabs(q[i]);
}
/// u_out = u + h a, a = M^-1 f; the gyroscopic term of parts with an inertia is taken at the
/// middle. u_out must not be u.
static inline void carom_model_freed(const carom_model *model, const double *u, const double *a,
                                     double h, double *u_out)
{
    CAROM_EACH_SHORT_BUT(i, model->n_inert, carom_chart_free(&model->chart, u, a, h, u_out),
                         u_out[i] = u[i] + h * a[i])
}
/// Both from one state, u_out = u + h a and q moved by u.
static inline void carom_model_drifted(const carom_model *model, const carom_state *from,
                                       const double *a, double h, carom_state *to)
{
    const double *q = from->q, *u = from->u;
    double *q_out = to->q, *u_out = to->u;
    // a plain chart has no inertia
    CAROM_EACH_SHORT_BUT(i, model->n_plain, carom_model_freed(model, u, a, h, u_out);
                         carom_model_moved(model, q, u, h, q_out), {
                             u_out[i] = u[i] + h * a[i];
                             q_out[i] = q[i] + h * u[i];
                         })
}
/// How large a model is at its start [m], from answers with gaps, rows and drawings; 0 = not known.
double carom_model_extent(const carom_model *model, const double *q0, const carom_eval *at);
/// How large the terms of a constraint or gap (row r of W) are at q, none less than typical.
double carom_start_gap_scale(const carom_model *model, const double *q, const carom_sparse *W,
                             int r, double typical);
/// Likewise those of a rate, through the velocities u.
double carom_start_rate_scale(const carom_sparse *W, int r, const double *u, double typical);
/// What a plan is asked for carom_plan_check_start.
#define CAROM_START_MASK                                                                           \
    (CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_ENERGY | CAROM_RECORD | CAROM_DRAW)
enum { CAROM_START_ROOM = 2048 };
/// Where it works, and what it finds.
typedef struct carom_start_look {
    carom_plan *plan;
    carom_eval *ev;
    double *scratch; ///< (nu)
    carom_start_facts facts;
    char warnings[CAROM_START_ROOM]; ///< one line each
} carom_start_look;
/// Looks at the start with the plan's values: finite, positive definite, constraints kept.
carom_status carom_plan_check_start(carom_start_look *look, carom_error *error);
/// Checks a finished model at its start. Adds warnings.
carom_status carom_model_check_start(carom_model *model, carom_error *error);

#endif
