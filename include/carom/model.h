// SPDX-License-Identifier: Apache-2.0
// A model answers questions about one mechanical system: mass, forces, gaps and their
// directions at (t, q, u).
//
//     builder (editable: texts with their places)
//       ->  model (immutable, may be shared between threads)
//
// A model comes from equations (carom_builder) or from the caller's own functions
// (carom_model_from_callbacks).
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include "carom/limits.h"
#include "carom/slot.h"
#include "carom/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_builder carom_builder;
typedef struct carom_model carom_model;

enum { CAROM_MAX_INDEX = 3 }; ///< most index variables of a family

/// One index variable: for: {i: first..last}, both ends included, whole-number
/// expressions of parameters.
typedef struct carom_range {
    carom_text name;
    carom_text first, last;
} carom_range;

/// The index variables of a family; n = 0 for a single thing. The first varies slowest.
typedef struct carom_family {
    int n;
    carom_range range[CAROM_MAX_INDEX];
} carom_family;

/// All texts given to a builder are copied. Names of families carry their index: "x[i]".
CAROM_API carom_builder *carom_builder_new(void);
CAROM_API void carom_builder_free(carom_builder *builder);
/// What the model may ask for, in place of the defaults (members, terms, nodes, seconds,
/// operations, compile_seconds, bytes).
CAROM_API void carom_builder_limit(carom_builder *builder, const carom_limits *limits);

/// What the model is called, what it shows and where its numbers come from (each may be NULL).
CAROM_API carom_status carom_builder_describe(carom_builder *builder, const char *name,
                                              const char *about, const char *source,
                                              carom_error *error);
/// A number, or an expression of earlier parameters.
CAROM_API carom_status carom_builder_parameter(carom_builder *builder, carom_text name,
                                               carom_text value, carom_error *error);
/// A generalised coordinate; start and rate are expressions of parameters and indices (absent = 0).
CAROM_API carom_status carom_builder_coordinate(carom_builder *builder, carom_text name,
                                                const carom_family *family, carom_text start,
                                                carom_text rate, carom_error *error);
/// A rotation: the orientation of a body in space. Texts may use its matrix NAME.R11 .. NAME.R33
/// (columns: the body's axes) and its spin in axes of the body, NAME.wx, NAME.wy, NAME.wz [rad/s],
/// which are three velocities; its positions are the quaternion NAME.p0 .. NAME.p3, which only a
/// start may name. The start: quaternion (4, any length but 0; NULL or absent = not turned) and
/// spin (3; NULL or absent = 0). A body in space is three coordinates and a rotation.
CAROM_API carom_status carom_builder_rotation(carom_builder *builder, carom_text name,
                                              const carom_family *family,
                                              const carom_text *quaternion, const carom_text *spin,
                                              carom_error *error);
/// A named expression, usable in every later expression.
CAROM_API carom_status carom_builder_define(carom_builder *builder, carom_text name,
                                            const carom_family *family, carom_text value,
                                            carom_error *error);

CAROM_API carom_status carom_builder_table(carom_builder *builder, carom_text name,
                                           const carom_table_points *points, carom_error *error);

/// The highest frequency [rad/s] at the start, constraints and contacts left out, and the damping
/// ratio of that mode.
typedef struct carom_stiffest {
    double frequency, damping;
} carom_stiffest;
CAROM_API carom_status carom_model_stiffest(const carom_model *model, carom_stiffest *found,
                                            carom_error *error);
/// The longest step with which a scheme keeps such a mode bounded, w h <= bound without damping
/// (carom_scheme_takes); infinite where there is none.
CAROM_API double carom_stiffest_step(const carom_stiffest *stiffest, double bound);
/// Whether it has elastic parts (beams): steps of explicit schemes are checked then.
CAROM_API bool carom_model_is_elastic(const carom_model *model);

typedef enum carom_energy { CAROM_KINETIC, CAROM_POTENTIAL } carom_energy;
/// One term of the kinetic or the potential energy [J]; terms add up.
CAROM_API carom_status carom_builder_energy(carom_builder *builder, carom_energy which,
                                            const carom_family *family, carom_text value,
                                            carom_error *error);

/// The unit of a coordinate that was added (name as it was given, with its indices): a word for
/// axes and tables. Where none is given, metres and radians are guessed from gaps and sines.
CAROM_API carom_status carom_builder_unit(carom_builder *builder, carom_text coordinate,
                                          carom_text unit, carom_error *error);

/// A force without potential: on a coordinate, or at a point (n = 1, 2 or 3 components) mapped by
/// virtual power.
typedef struct carom_force_text {
    carom_place place;
    carom_family family;
    carom_text coordinate; ///< generalised force: force[0] acts on this coordinate
    int n; ///< components of at and force (1 with coordinate); of at the first alone
           ///< may be given, as the name of a point or another vector
    carom_text at[3], force[3];
} carom_force_text;
CAROM_API carom_status carom_builder_force(carom_builder *builder, const carom_force_text *force,
                                           carom_error *error);

/// A bilateral constraint: equation(q, t) = 0.
CAROM_API carom_status carom_builder_constraint(carom_builder *builder, carom_text name,
                                                const carom_family *family, carom_text equation,
                                                carom_error *error);

/// A constraint of rates alone: rate(q, der(q), t) = 0, affine in the rates. There is no position
/// that it could drift from.
CAROM_API carom_status carom_builder_rate(carom_builder *builder, carom_text name,
                                          const carom_family *family, carom_text rate,
                                          carom_error *error);

/// Dry friction under a load that is given, or a drive of limited strength: a force along its slips
/// that stops them where limit(q, t) suffices, else opposes them with it.
typedef struct carom_friction_text {
    carom_place place;
    carom_text name;
    carom_family family;
    int n_slip; ///< 1 to 3
    bool slip_is_rate;
    carom_text slip[3];
    carom_text limit; ///< [N], or the force that belongs to the slip
} carom_friction_text;
CAROM_API carom_status carom_builder_friction(carom_builder *builder,
                                              const carom_friction_text *friction,
                                              carom_error *error);

/// A contact. Either slip (displacements) or slip_rate (affine in the rates),
/// n_slip = 0, 1 or 2 of them.
typedef struct carom_contact_text {
    carom_place place;
    carom_text name;
    carom_family family;
    carom_text gap;
    int n_slip;
    bool slip_is_rate;
    carom_text slip[2];
    /// Absent = 0. Restitution may depend on the positions, t and arrival_speed, friction on the
    /// positions, t and slip_rate: names that mean so where the model has not given them away.
    carom_text restitution, tangential_restitution, friction;
    carom_text friction_static; ///< of a contact that sticks, of positions and t; absent = friction
    carom_text friction_across; ///< along the second slip: an ellipse; absent = as along the first
    carom_text law;             ///< impact law: newton (absent), poisson, stronge, sequential
    carom_text where; ///< of a patch: the condition of positions and time under which it is there
    int patch;        ///< number of the patch, from 1; set by carom_builder_surface, else 0
} carom_contact_text;
CAROM_API carom_status carom_builder_contact(carom_builder *builder,
                                             const carom_contact_text *contact, carom_error *error);
/// A contact with a surface made of patches, each with its gap where its `where` holds. They bear
/// one name and family; patch k becomes the contact "NAME.k". Where no patch holds there is no
/// contact, where several hold each is one. Gaps must be defined a little beyond their edges.
CAROM_API carom_status carom_builder_surface(carom_builder *builder,
                                             const carom_contact_text *patch, int n_patch,
                                             carom_error *error);

/// An extra output.
CAROM_API carom_status carom_builder_record(carom_builder *builder, carom_text name,
                                            const carom_family *family, carom_text value,
                                            carom_error *error);

/// One drawing: its kind (line, polyline, disc, polygon, spring, arrow), points as pairs x, y, and
/// a radius or width.
typedef struct carom_drawing_text {
    carom_place place;
    carom_text kind;
    carom_family family;
    int n_point;
    const carom_text *xy; ///< (2 n_point)
    carom_text size;      ///< radius of a disc; may be absent otherwise
} carom_drawing_text;
CAROM_API carom_status carom_builder_drawing(carom_builder *builder,
                                             const carom_drawing_text *drawing, carom_error *error);

/// Overrides a parameter, and with it everything that depends on it.
CAROM_API carom_status carom_builder_set(carom_builder *builder, carom_text name, carom_text value,
                                         carom_error *error);
/// Overrides a start value ("th3") or a start rate ("der(th3)").
CAROM_API carom_status carom_builder_start(carom_builder *builder, carom_text name,
                                           carom_text value, carom_error *error);
/// What is assembled of a start, see carom_builder_assemble.
enum { CAROM_ASSEMBLE_POSITIONS = 1, CAROM_ASSEMBLE_VELOCITIES = 2 };
/// Lets the start be found: the given positions are moved, least in the mass metric, until all
/// constraints hold at t = 0, the given velocities likewise until their rates do. what is a sum of
/// the flags above; asked several times they add up. Loops that cannot close are refused when the
/// model is made.
CAROM_API carom_status carom_builder_assemble(carom_builder *builder, unsigned what,
                                              carom_error *error);
/// Assembling leaves this alone: a coordinate ("th1"), or all coordinates of a body or rotation
/// ("crank"), with their velocities.
CAROM_API carom_status carom_builder_keep(carom_builder *builder, carom_text name,
                                          carom_error *error);
/// Makes a parameter live: simulations and plans of the model take new values for it without
/// deriving anything again (carom_sim_set_parameters). With name.text = NULL all are live that can
/// be. A parameter that decides an index, the members of a family, an exponent or the pieces of a
/// gap cannot; asked for by name it is refused when the model is made. What is not live is folded
/// into the equations as a number.
CAROM_API carom_status carom_builder_live(carom_builder *builder, carom_text name,
                                          carom_error *error);
/// The model also gets what derivatives of its motion need (CAROM_D_CURVATURE and the masks behind
/// it): by positions, velocities, live parameters and time.
CAROM_API carom_status carom_builder_differentiate(carom_builder *builder, carom_error *error);
/// Checks everything, derives all equations and makes the model. The builder stays usable (set
/// again, finish again).
CAROM_API carom_status carom_builder_finish(const carom_builder *builder, carom_model **model,
                                            carom_error *error);

/// The value of an expression of the builder's parameters (overrides included),
/// e.g. a model file's step.
CAROM_API carom_status carom_builder_number(const carom_builder *builder, carom_text text,
                                            double *value, carom_error *error);

/// Plans and simulations keep their model: it is gone when the last of them is. As all functions
/// that free, it takes NULL.
CAROM_API void carom_model_free(carom_model *model);

/// Sizes of a model. Rows: first one for each constraint, then for each contact its
/// normal and its tangents.
typedef struct carom_sizes {
    int nq, nu;       ///< positions, velocities
    int n_constraint; ///< bilateral rows, rows 0 .. n_constraint-1
    int n_contact;    ///< contact slots; a slot without a contact has gap +infinity and empty rows
    int n_disc;       ///< the last of these slots: forces of limited strength, see CAROM_LAW_DISC
    int n_row;        ///< all rows
    int n_record;     ///< extra outputs
    int n_drawing;    ///< drawings
    int n_surface;    ///< surfaces made of patches; each patch is a contact slot
    int n_switch;     ///< functions of the state that decide conditions and pieces in the forces
    int n_body;       ///< bodies, the first is the ground; 0 where the model is of equations only
    int dim;          ///< 2 where they move in the plane, 3 in space; 0 without bodies
    int n_joint;      ///< joints that hold a body by constraints
    int n_reaction;   ///< components of their reactions: 3 for each in the plane, 6 in space
} carom_sizes;
CAROM_API carom_sizes carom_model_sizes(const carom_model *model);

/// A parameter and its value.
typedef struct carom_parameter {
    const char *name;
    double value;
} carom_parameter;
/// The live parameters (carom_builder_live) with the values that the model was made with; a name
/// that is NULL where there is none.
CAROM_API int carom_model_n_live(const carom_model *model);
CAROM_API carom_parameter carom_model_live(const carom_model *model, int i);

/// What an impact makes of the rates before it.
typedef enum carom_law {
    CAROM_LAW_NEWTON, ///< gamma+ = -e gamma-, or more where nothing pushes
    CAROM_LAW_DISC, ///< no obstacle: a force along its slips of at most carom_eval_rows.limit. Its
                    ///< gap is +infinity, its normal row empty; P and la of that row say what the
                    ///< slips may bear. mu = 1.
    CAROM_LAW_POISSON,    ///< e times the impulse of compression comes back
    CAROM_LAW_STRONGE,    ///< e^2 times the work of compression comes back; contacts in turn
    CAROM_LAW_SEQUENTIAL, ///< Poisson's law, contacts in turn
    CAROM_LAW_ROOM = 32 ///< numbers below this are laws; own schemes may take those without a name
} carom_law;

/// Which coefficients of a contact are expressions: e, mu, and mu of one that sticks.
enum { CAROM_VARIES_RESTITUTION = 1, CAROM_VARIES_FRICTION = 2, CAROM_VARIES_GRIP = 4 };

/// What is known of a contact before anything moves.
typedef struct carom_contact_facts {
    const char *name;
    int row;         ///< its normal row; tangents follow
    int n_slip;      ///< tangential rows: 0, 1 (plane) or 2 (space); of a disc 1 to 3
    double e;        ///< normal restitution, 0..1
    double e_t;      ///< tangential restitution, 0..1
    double mu;       ///< friction, >= 0
    double grip;     ///< friction of a contact that sticks; below mu = mu
    double ratio;    ///< of an ellipse: its second row is so many times the slip; 0 = none
    unsigned varies; ///< bits CAROM_VARIES_...: a plan has e, mu and grip of the point where it was
                     ///< asked last, the model 0
    int surface;     ///< which surface it is a patch of, from 1; 0 = none (set by the library)
    int law;         ///< see carom_law; 0 = Newton's
    /// Of a disc: the forces of the n_load rows from row load on press on it, and its limit is a
    /// factor of their length. n_load = 0: the limit is a force.
    int load, n_load;
    int of; ///< of a disc: it belongs to contact of - 1, and its limit is a length: times what that
            ///< contact presses with; 0 = to none
    int disc, n_disc;  ///< of a contact: its own discs are contacts disc .. disc + n_disc - 1
    bool is_of_shapes; ///< of two shapes of bodies (set by the library)
    bool is_near;      ///< of two shapes that come near and part: it has no columns of its own, but
                       ///< lines in the table of contacts (set by the library)
    int body[2];       ///< of two shapes that stay a contact: their bodies, the normal points from
                       ///< the second to the first; else both 0 (set by the library)
    int place;         ///< likewise: where carom_eval.place tells of it, counted from 1; else 0
} carom_contact_facts;
CAROM_API const carom_contact_facts *carom_model_contact(const carom_model *model, int contact);

/// One drawing: where its points and size stand among the draw answers of an evaluation.
typedef struct carom_drawing {
    const char *kind; ///< line, polyline, disc, polygon, spring, arrow; link, pivot, support, rail
    int n_point;
    int first; ///< index of its first number in carom_eval.draw: x, y (and z) of each point, then
               ///< the size if it has one
    bool has_size;
    const char *body; ///< what it belongs to where bodies are drawn by themselves, else NULL
    int dim;          ///< 2, or 3 components of each point
} carom_drawing;
CAROM_API const carom_drawing *carom_model_drawing(const carom_model *model, int i);
/// How many numbers carom_eval.draw has.
CAROM_API int carom_model_n_draw(const carom_model *model);

CAROM_API const char *carom_model_name(const carom_model *model);
CAROM_API const char *carom_model_about(const carom_model *model);
CAROM_API const char *carom_model_source(const carom_model *model);
CAROM_API const char *carom_model_coordinate_name(const carom_model *model, int i);
/// "der(x)" where velocities are the rates of the coordinates, else their own names.
CAROM_API const char *carom_model_velocity_name(const carom_model *model, int i);
/// Its unit, given or guessed; "" where it is not known.
CAROM_API const char *carom_model_coordinate_unit(const carom_model *model, int i);
CAROM_API const char *carom_model_constraint_name(const carom_model *model, int i);
/// Whether a constraint is one of rates alone.
CAROM_API bool carom_model_constraint_is_rate(const carom_model *model, int i);
CAROM_API const char *carom_model_record_name(const carom_model *model, int i);
/// The start: (nq) and (nu) numbers, owned by the model.
CAROM_API const double *carom_model_start_q(const carom_model *model);
CAROM_API const double *carom_model_start_u(const carom_model *model);
/// What assembling has changed of the start that was given.
typedef struct carom_assembled {
    bool positions, velocities; ///< which were assembled
    double move;                ///< largest move of a position [m or rad]
    const char *moved;          ///< what it moves, "" = nothing
    double change;              ///< largest change of a velocity
    const char *changed;        ///< its name, "" = none
    int passes;                 ///< of Newton's method for the positions
} carom_assembled;
CAROM_API carom_assembled carom_model_assembled(const carom_model *model);
/// Things that are allowed but should be known, e.g. penetration at the start; one line each.
CAROM_API int carom_model_n_warning(const carom_model *model);
CAROM_API const char *carom_model_warning(const carom_model *model, int i);
/// How many derivative entries come from finite differences (0 for equations), per evaluation.
CAROM_API int carom_model_n_difference(const carom_model *model);

/// The model as one C file that needs the standard library only, a text to be given to free();
/// what the file holds stands in its head. Models from callbacks are CAROM_BAD_INPUT.
CAROM_API carom_status carom_model_to_c(const carom_model *model, char **text, carom_error *error);

/// Where a caller writes rows whose pattern changes.
typedef struct carom_row_lists {
    int *start; ///< (n_row+1), start[0] = 0
    int *index; ///< (max_entries) column of each entry, increasing within a row
    double *W;  ///< (max_entries)
    double *w0; ///< (n_row)
} carom_row_lists;

/// How some positions and velocities belong together.
typedef enum carom_chart_kind {
    CAROM_CHART_PLAIN,      ///< n positions, n velocities, q' = u
    CAROM_CHART_QUATERNION, ///< 4 positions: the orientation p = (w, x, y, z) of a body, of unit
                            ///< length; 3 velocities: its spin in axes of the body
    CAROM_CHART_TURN        ///< 1 position, no velocity: an angle between bodies that counts turns
} carom_chart_kind;

/// The angle by which body 1 is turned against body 0 about an axis that both have in common:
/// atan2(y.x', x.x') of a direction x and a direction y of body 0 and x' of body 1, and as many
/// turns as there were. x, y and the axis x x y are perpendicular, of unit length.
typedef struct carom_turn {
    int q[2], u[2]; ///< first position and velocity of each body's quaternion; -1 = the ground
    double x[2][3], y[2][3]; ///< in axes of each body, the same in space where the angle is 0
} carom_turn;

/// A part of the positions, and its velocities.
typedef struct carom_chart_part {
    carom_chart_kind kind;
    int q, u; ///< its first position and velocity, from 0
    int n;    ///< of a plain part: how many of each
    /// Of a quaternion: the inertia J [kg m2], entries xx, yy, zz, xy, xz, yz, where it is the mass
    /// of the spins, coupled with nothing else, and the forces have -omega x (J omega). Explicit
    /// schemes then take this term at the middle of a step and have their order. 0 = not known: they
    /// take it at its start.
    double inertia[6];
    const carom_turn *turn; ///< of a turn; bodies are parts that stand before it
} carom_chart_part;

/// Where velocities u that stay constant lead in a time h; q_out may be q.
typedef void carom_move(void *user, const double *q, const double *u, double h, double *q_out);
/// The velocities x that lead from q_a to q_b in the time 1.
typedef void carom_difference(void *user, const double *q_a, const double *q_b, double *x);
/// q' = Y(q) u.
typedef void carom_rates(void *user, const double *q, const double *u, double *q_dot);
/// The allowed position next to q, e.g. a quaternion of unit length.
typedef void carom_normalise(void *user, double *q);

/// How positions move: plain (all absent), by parts, or by functions of the caller. A move that
/// cannot be gives NAN, which ends the run.
typedef struct carom_positions {
    const carom_chart_part *part; ///< (n_part) all positions and velocities, or NULL
    int n_part;
    carom_move *move; ///< instead of parts: the caller's own manifold; needs all of these
    carom_difference *difference;
    carom_rates *rates;
    carom_normalise *normalise; ///< may be NULL where n_position = n: nothing to do
} carom_positions;

/// Contacts that come and go; all absent where they stay.
typedef struct carom_contact_set {
    /// Memory of its own for each plan, so that simulations of one model do not share a contact set:
    /// what open returns (NULL = there is no memory) is given to all functions of the model in the
    /// place of user, but for those of positions, until close. Both may be NULL: user itself is.
    void *(*open)(void *user);
    void (*close)(void *own);
    /// Called at the start of each step, from (t, q, u) over a time h: says which contacts are near
    /// (carom_slots_choose), and what their facts are where they differ. Until the next call gaps
    /// and rows are those of the contacts chosen. h = 0: before the first step.
    int (*refresh)(void *user, double t, const double *q, const double *u, double h,
                   carom_slots *slots);
    /// Where the contacts are and which way their normals point, (3 n_contact) each, for the table
    /// of contacts in results; what is not written there is not known. May be NULL.
    int (*places)(void *user, double t, const double *q, double *point, double *normal);
} carom_contact_set;

/// What is known of the derivatives of forces and rows; all absent where nothing is. Large models
/// (more than 200 velocities) need the patterns in implicit schemes, and constant masses and rows.
typedef struct carom_derivative_facts {
    /// Patterns of df/dq and df/du by rows as in carom_sparse, or NULL: dense. d_forces writes their
    /// entries in this order; where it is NULL differences of forces find them, of all columns
    /// together that have no row in common. index may be NULL where there are no entries; a df/du
    /// without any says that forces do not depend on velocities.
    const int *df_dq_start, *df_dq_index, *df_du_start, *df_du_index;
    bool forces_are_constant; ///< df/dq and df/du depend on nothing: asked for once
    bool rows_are_constant;   ///< W and w0 depend on nothing: asked for once, no derivatives
} carom_derivative_facts;

/// A model given by the caller's functions. Each returns 0, or not 0 to stop the run.
/// Required: mass and forces, and gaps and rows where there are contacts or constraints. The rest
/// may be NULL; missing derivatives come from finite differences, which are counted. Matrices are
/// sparse by rows when a pattern is given (start, index as in carom_sparse), else dense by rows.
typedef struct carom_callbacks {
    void *user;
    const char *name;
    int n; ///< velocities; also positions, unless n_position says otherwise
    int n_constraint, n_contact;
    const char *const *coordinate_name; ///< (n_position) or NULL: q1, q2, ...
    const char *const *constraint_name; ///< (n_constraint) or NULL: c1, c2, ...
    /// (n_contact) name, n_slip, e, e_t, mu; row is set by the library.
    const carom_contact_facts *contact;
    const double *q0, *u0;              ///< (n_position), (n) start
    const int *mass_start, *mass_index; ///< pattern of M, both triangles, or NULL: dense
    /// Pattern of the rows, columns in any order, or NULL: dense.
    const int *rows_start, *rows_index;
    bool mass_is_constant; ///< asked for once, factorised once
    int (*mass)(void *user, double t, const double *q, double *M);
    int (*forces)(void *user, double t, const double *q, const double *u, double *f);
    int (*gaps)(void *user, double t, const double *q, double *constraint, double *gap);
    int (*rows)(void *user, double t, const double *q, double *W, double *w0);
    /// instead of rows, where contacts come and go: fills all lists anew at each call
    int (*sparse_rows)(void *user, double t, const double *q, const carom_row_lists *rows);
    int max_entries; ///< room in index and W for sparse_rows
    int (*potential)(void *user, double t, const double *q, double *V); ///< [J]
    /// Of f without potential [W].
    int (*power)(void *user, double t, const double *q, const double *u, double *p);
    /// df/dq along the move and df/du, in their patterns (derivatives), or dense.
    int (*d_forces)(void *user, double t, const double *q, const double *u, double *df_dq,
                    double *df_du);
    // where positions are not velocities integrated; else all of this is absent
    int n_position;                     ///< positions; 0 = n
    const char *const *velocity_name;   ///< (n) or NULL: der(q1) ..., u1 ... where n_position != n
    carom_positions positions;          ///< how they move
    carom_contact_set changing;         ///< contacts that come and go
    carom_derivative_facts derivatives; ///< patterns, and what is constant
} carom_callbacks;
CAROM_API carom_status carom_model_from_callbacks(const carom_callbacks *callbacks,
                                                  carom_model **model, carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
