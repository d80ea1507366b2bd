// SPDX-License-Identifier: Apache-2.0
// A simulation owns all that changes: state, scheme, solver, audit. A step allocates nothing.
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/extend.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of one run.
enum { CAROM_MOST_THREADS = 64 };

/// How to run. Take carom_sim_default() and change what is needed; texts are read during
/// carom_sim_new only.
typedef struct carom_sim_options {
    const char *scheme;             ///< name in the table; NULL = moreau_midpoint
    const carom_scheme *own_scheme; ///< a scheme that is not in the table, instead of the name
    const char *solver;             ///< NULL = auto
    double step;                    ///< [s]; 0 = not given
    double tolerance; ///< relative, for adaptive schemes and step control; 0 = not given
    /// Step control for schemes that can vary their step (leave step at 0): small where the motion
    /// or an impact asks for it, tolerance 1e-4 unless given; settings carom_auto_step_options() go
    /// with those of the scheme.
    bool is_auto_step;
    double end; ///< [s]; the run goes from t = 0 to here
    /// Scheme options by name; solver options with the prefix "solver.".
    const carom_setting *setting;
    int n_setting;
    int every;          ///< record every n-th step, >= 1
    double output_step; ///< > 0: record on a uniform grid instead (adaptive schemes)
    /// Compile the model's equations (carom_plan_compile). Where that is not possible, the run goes
    /// on without: carom_sim_native tells.
    bool is_native;
    /// Start although a contact is deeper than 1e-3 of the model's size (see carom_audit): without,
    /// carom_sim_new refuses.
    bool allow_penetration;
    /// Run an explicit scheme although its step is too long for the stiffest part of an elastic
    /// model: without, carom_sim_new refuses.
    bool allow_unstable;
    /// Contact problems become files: "FOLDER", "FOLDER:every=N", "FOLDER:struggled[=ITERATIONS]"
    /// (see carom_save_choice_read); NULL = none.
    const char *save_contact;
    /// A record entry whose zeros are found (carom_sim_run_until): event_driven ends a step at
    /// each, other schemes tell in which step there was one. It must not see forces or
    /// accelerations; NULL = none.
    const char *section;
    /// Threads that share the work inside of a step, the caller's among them, at most
    /// CAROM_MOST_THREADS; 0 or 1 = none but the caller's. Numbers do not depend on it: the same
    /// bits with any number.
    int n_thread;
    /// Derivatives of the motion are followed (carom_sim_vary); needs event_driven and a model made
    /// with carom_builder_differentiate.
    bool is_varied;
    /// Of rows, where step, end and output step come from a file, and of the memory for a contact
    /// problem; NULL = any number of rows, the default of memory.
    const carom_limits *limits;
} carom_sim_options;
CAROM_API carom_sim_options carom_sim_default(void);

/// The options of step control as rows (atol, min_step, max_step, first_step); "atol.NAME" is atol
/// of one coordinate.
CAROM_API const carom_option *carom_auto_step_options(void);

/// The audit of a run, always kept.
typedef struct carom_audit {
    double min_gap;        ///< over the start and all step ends [m]; +infinity without contacts
    double max_drift;      ///< largest |constraint| likewise; 0 without constraints
    double residual;       ///< largest contact residual, relative
    double goal;           ///< up to which a residual counts as converged (solver.tolerance)
    double cone_violation; ///< largest |P_T| - mu P_N [N s]
    double energy_start, energy_end;   ///< [J]
    double kinetic_end, potential_end; ///< [J]
    double work; ///< of applied forces, moving obstacles and explicit time [J]
    double impact_loss, friction_loss; ///< [J], positive = lost
    double energy_error; ///< energy_end - energy_start - work + impact_loss + friction_loss [J]
    double largest_rise; ///< of energy at the impacts of an instant (or of a step) [J]; 0 = none
    /// Of the start, the end and looks on the way, at least every 256th step [J].
    double largest_kinetic;
    double model_size; ///< largest distance of what is drawn at the start, else the largest start
                       ///< gap or coordinate that moves a gap [m]; 0 = not known
    double min_gap_time, max_drift_time, residual_time; ///< when the worst was: ends of steps [s]
    /// Where it was: names of contacts or constraints, owned by the model; "" = nowhere.
    const char *min_gap_at, *max_drift_at, *residual_at;
    /// The energy rose by more than 1000 times what start and work explain: the numbers are wrong.
    bool is_unstable;
    /// What should be known before the numbers are trusted, those of the model included: one line
    /// each, with its remedy; "" = nothing. Owned by the simulation, until the next audit.
    const char *warnings;
} carom_audit;

typedef struct carom_counts {
    long steps, impact_steps, contact_steps, events, unconverged, solver_iterations;
    long rejected;    ///< attempts of the step control that were taken back
    long evaluations; ///< of forces, rows and their derivatives, and linear systems solved, where
                      ///< the scheme counts them
    long ambiguous;   ///< steps with a contact problem for which answers with other velocities were
                      ///< found: which of them the run took is chance
    long energy_rises; ///< instants (or steps) at which impacts made energy, beyond rounding
} carom_counts;

/// Seconds of processor time; what a compiler takes (is_native) by the clock on the wall.
typedef struct carom_times {
    double setup, stepping, output;
    double compiling; ///< part of setup; next to nothing where the code was compiled before
    double contact;   ///< part of stepping: contact problems of more than 48 rows
} carom_times;

/// One output column.
typedef struct carom_column {
    const char *name;  ///< as in the CSV header
    const char *unit;  ///< "s", "N s", "" where it is not known
    const char *group; ///< t, q, u, energy, gap, rate, P, la, slip, PT, laT, drift, PC and laC
                       ///< (P and la of constraints), PJ and laJ (of joints on bodies), record
} carom_column;

/// The word for a kind of event in output files: impact, open, close, stick,
/// slip, accumulated, edge.
CAROM_API const char *carom_event_word(carom_event_kind kind);

/// A contact that comes and goes, at a row: one line of the table of contacts. Numbers that are not
/// known are not-a-number.
typedef struct carom_contact_line {
    long step; ///< of the row, from 0
    double t;
    unsigned long long key; ///< which contact, see carom_slot
    double gap, rate;       ///< [m], [m/s]
    double P, la;           ///< normal impulse since the last row or since it came [N s], force [N]
    double point[3], normal[3]; ///< where it is, and which way it pushes
    long body[2]; ///< whose shapes touch (carom_model_body_name), the normal points from the second
                  ///< to the first; -1 = not known
} carom_contact_line;

/// A place where rows go. Each function may be NULL; status other than CAROM_OK stops the run.
typedef struct carom_recorder {
    void *self;
    carom_status (*row)(void *self, const double *value, int n, carom_error *error);
    carom_status (*event)(void *self, const carom_event *event, carom_error *error);
    /// Behind each row, one for each contact that is near; only where contacts come and go.
    carom_status (*contact)(void *self, const carom_contact_line *line, carom_error *error);
} carom_recorder;

/// Called now and then during a run; return true to stop it.
typedef struct carom_watch {
    void *self;
    bool (*tick)(void *self, double t, double end, long steps);
} carom_watch;

typedef struct carom_sim carom_sim;
/// The simulation keeps the model, which may be freed before it. Refuses what the scheme cannot do,
/// with the reason.
CAROM_API carom_status carom_sim_new(const carom_model *model, const carom_sim_options *options,
                                     carom_sim **sim, carom_error *error);
CAROM_API void carom_sim_free(carom_sim *sim);

/// Starts again at t = 0, with nothing recorded or counted: what follows is what a new simulation
/// would do. Takes no memory, but for the forces of the first row where a recorder takes rows.
/// Recorders stay and see the new run.
CAROM_API carom_status carom_sim_reset(carom_sim *sim, carom_error *error);
/// The same with new values of live parameters (carom_builder_live), all at once; those that are
/// not given stay, or follow from those that are. Nothing is derived or compiled again. Where a
/// value is not good, or the start with it, the former values stay and the run starts again with
/// them.
CAROM_API carom_status carom_sim_set_parameters(carom_sim *sim, const carom_parameter *value, int n,
                                                carom_error *error);
/// The value of a live parameter; not a number where there is none of this name.
CAROM_API double carom_sim_parameter(const carom_sim *sim, const char *name);

/// Where a run is at a time: positions (nq) and velocities (nu).
typedef struct carom_moment {
    double t;
    const double *q, *u;
} carom_moment;
/// Starts again from any state at any time before the end, with new values of live parameters (n =
/// 0: as they are). What the scheme remembers is new: contacts are closed where gaps and rates are
/// zero. On failure the former values stay, and the run starts again at t = 0.
CAROM_API carom_status carom_sim_start_from(carom_sim *sim, const carom_moment *from,
                                            const carom_parameter *value, int n,
                                            carom_error *error);
/// A change that a run is followed with: of where it is, along its velocities (carom_model_move),
/// or of a live parameter.
typedef struct carom_change {
    const double *q, *u; ///< (nu) each; not looked at where parameter is given
    int parameter;       ///< number of a live parameter (carom_model_live), which changes by 1, and
                         ///< the start with it; -1 = none
} carom_change;
/// From where the run is now it is followed how such changes, at most 2 nu and one for each live
/// parameter, change the motion, exactly: between events by the derivatives of the steps taken, at
/// events with their times. Those of parameters only at the start of a run.
CAROM_API carom_status carom_sim_vary(carom_sim *sim, const carom_change *change, int n,
                                      carom_error *error);
/// What change i has become at the state the run is at, q and u (nu each), at this time.
CAROM_API carom_status carom_sim_varied(const carom_sim *sim, int i, double *q, double *u,
                                        carom_error *error);

/// Moves the end of the run, which may be over or not; a run of fixed steps counts them anew from
/// where it is.
CAROM_API carom_status carom_sim_set_end(carom_sim *sim, double end, carom_error *error);

/// Force [N] and torque [N m] of a joint (carom_model_joint) on its second body, at the joint's
/// point of that body: wrench (6) is Fx, Fy, Fz, Tx, Ty, Tz, in axes of space or of the joint as
/// the model says. They are those at the end of the last step, 0 before the first; of a scheme that
/// knows impulses only the mean over that step.
CAROM_API carom_status carom_sim_reaction(carom_sim *sim, int joint, double *wrench,
                                          carom_error *error);

CAROM_API int carom_sim_n_column(const carom_sim *sim);
CAROM_API const carom_column *carom_sim_column(const carom_sim *sim, int i);
/// Whether the rows of the run are within the limits, as far as that is known before it starts;
/// adding a recorder of rows and opening an output ask it too.
CAROM_API carom_status carom_sim_check_rows(const carom_sim *sim, carom_error *error);
/// Adds a recorder (at most 4). It sees the start row when the run starts at t = 0, then rows as
/// they come.
CAROM_API carom_status carom_sim_add_recorder(carom_sim *sim, carom_recorder recorder,
                                              carom_error *error);
CAROM_API void carom_sim_set_watch(carom_sim *sim, carom_watch watch);

/// Takes one step. On failure the state is as before the call.
CAROM_API carom_status carom_sim_step(carom_sim *sim, carom_error *error);
/// Runs to the end, recording. CAROM_OK also where steps were unconverged: the counts tell.
CAROM_API carom_status carom_sim_run(carom_sim *sim, carom_error *error);

/// What to run until. Take carom_stop_default() and change what is needed; the end of the run stops
/// it in any case.
typedef struct carom_stop {
    double t;        ///< a time; schemes with free steps meet it exactly, others stop behind it
    unsigned events; ///< bits 1 << carom_event_kind
    int contact;     ///< whose events; -1 = any
    int crossing;    ///< of the section (carom_sim_options.section): 1 up, -1 down, 2 both, 0 none
} carom_stop;
CAROM_API carom_stop carom_stop_default(void);
typedef enum carom_reached {
    CAROM_REACHED_END,
    CAROM_REACHED_TIME,
    CAROM_REACHED_EVENT,   ///< in the last step: its states before and after tell the rest
    CAROM_REACHED_CROSSING ///< likewise
} carom_reached;
/// Steps until the first of what is asked. No row is cut: a run that is stopped goes on.
CAROM_API carom_status carom_sim_run_until(carom_sim *sim, const carom_stop *stop,
                                           carom_reached *reached, carom_error *error);
/// The other side of what was reached: of a scheme that finds events the state right before the
/// last one, at the same time; of other schemes the start of the last step.
CAROM_API const carom_state *carom_sim_before(const carom_sim *sim);
/// In which direction the section was crossed in the last step: 1 up, -1 down, 0 not.
CAROM_API int carom_sim_crossing(const carom_sim *sim);
/// The numbers of the columns at a state of this simulation, value (carom_sim_n_column), with
/// impulses 0.
CAROM_API carom_status carom_sim_row(carom_sim *sim, const carom_state *state, double *value,
                                     carom_error *error);

CAROM_API const carom_state *carom_sim_state(const carom_sim *sim);
CAROM_API bool carom_sim_is_done(const carom_sim *sim);
/// Which contact was in a slot in the last step; of a model whose contacts stay: its number from 1.
CAROM_API carom_slot carom_sim_slot(const carom_sim *sim, int contact);
/// The audit so far; evaluates the energy at the present state. gap (n_contact) receives the gaps
/// now, may be NULL.
CAROM_API carom_status carom_sim_audit(carom_sim *sim, carom_audit *audit, double *gap,
                                       carom_error *error);
CAROM_API carom_counts carom_sim_counts(const carom_sim *sim);
CAROM_API carom_times carom_sim_times(const carom_sim *sim);
/// Whether the model runs as machine code; why (may be NULL) receives the reason where it was asked
/// for and is not so, else "".
CAROM_API bool carom_sim_native(const carom_sim *sim, const char **why);
CAROM_API const char *carom_sim_scheme(const carom_sim *sim);
CAROM_API const char *carom_sim_solver(const carom_sim *sim);
/// How many contact problems were saved (save_contact).
CAROM_API long carom_sim_saved(const carom_sim *sim);

/// Writes all that the continuation depends on, whole or not at all; a restart continues bit for
/// bit. The restarted simulation must have the same model sizes, scheme, options and step; a
/// difference is CAROM_BAD_INPUT.
CAROM_API carom_status carom_sim_checkpoint(const carom_sim *sim, const char *path,
                                            carom_error *error);
CAROM_API carom_status carom_sim_restart(carom_sim *sim, const char *path, carom_error *error);
/// Restarts from path, or from what a process that was killed left beside it
/// ("<path>.<number>.part") if that is whole and farther.
CAROM_API carom_status carom_sim_resume(carom_sim *sim, const char *path, carom_error *error);
/// Removes such leftovers. The caller holds the lock of path.
CAROM_API void carom_sim_forget_parts(const char *path);

/// The table of schemes (that of the solvers is in contact.h).
CAROM_API int carom_scheme_count(void);
CAROM_API const carom_scheme *carom_scheme_at(int i);
CAROM_API const carom_scheme *carom_scheme_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
