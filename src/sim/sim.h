// SPDX-License-Identifier: Apache-2.0
// The inside of a simulation: two states (now, next), what is known at the present state (ledger,
// tracks, sums of the row to come), and the parts that step, audit, record and save them.
#ifndef CAROM_SIM_SIM_H
#define CAROM_SIM_SIM_H

#include "base/list.h"
#include "base/team.h"
#include "carom/contact_file.h"
#include "carom/sim.h"
#include "model/model.h"
#include "sim/saved/stream.h"

#include <math.h>

enum { CAROM_MAX_RECORDER = 4, CAROM_MAX_IDENTITY = 12, CAROM_WARNING_ROOM = 20000 };

/// What a row of the output is made of.
#define CAROM_ROW_MASK (CAROM_GAPS | CAROM_ROWS | CAROM_ENERGY | CAROM_RECORD | CAROM_REACTIONS)
/// What accelerations are made of.
#define CAROM_FEEL_MASK (CAROM_MASS | CAROM_FORCES | CAROM_ROWS)
/// What the audit asks at the present state.
#define CAROM_AUDIT_MASK (CAROM_GAPS | CAROM_ENERGY)

/// A sum with its rounding error (Knuth), good for millions of small terms.
typedef struct carom_sum {
    double sum, carry;
} carom_sum;
static inline void carom_sum_add(carom_sum *sum, double term)
{
    if (term == 0) return; // most steps lose nothing
    const double total = sum->sum + term, added = total - sum->sum;
    sum->carry += (sum->sum - (total - added)) + (term - added);
    sum->sum = total;
}
double carom_sum_value(const carom_sum *sum);

/// How a contact holds in the tangent plane.
enum { CAROM_GRIP_NONE, CAROM_GRIP_STICK, CAROM_GRIP_SLIP };

/// What the event log remembers of one contact.
typedef struct carom_track {
    double rate_scale;       ///< largest |normal rate| seen in its laws [m/s]
    double slip_scale;       ///< largest |tangential rate| seen [m/s]
    unsigned char is_pushed; ///< had a positive normal impulse or force in the last step
    unsigned char grip;
} carom_track;

/// What one look at all contacts of a step finds. See contacts/touch.c.
typedef struct carom_touch {
    bool has_impulse, has_force; ///< of some normal
    bool has_plunge;             ///< a gap outside the contact problem plunges
    double left_out;             ///< smallest gap outside the contact problem [m]
} carom_touch;

/// Impacts of one instant, or of one step of time stepping. See rises.c.
typedef struct carom_jolt {
    bool is_open;
    double t, lost, size; ///< [s], [J], [J] sum of the sizes of its terms
} carom_jolt;

/// The worst of a run: how much, when, and whose it was.
typedef struct carom_worst {
    double min_gap, max_drift, residual, cone, largest_rise;
    double min_gap_time, max_drift_time, residual_time;   ///< [s]
    long min_gap_contact, drift_constraint, residual_row; ///< -1 = none
    // step control: a contact that rested flew off with a rate that was not 0, as the law has it
    double lag, lag_rate, lag_time; ///< in tolerances, [m/s], [s]
    long lag_contact;               ///< -1 = none
} carom_worst;

/// All that is counted and summed. A step works on a copy, which takes the place of the old one
/// when the step succeeds.
typedef struct carom_ledger {
    carom_counts counts;
    carom_sum impact_loss, friction_loss, work; ///< [J]
    carom_worst worst;
    // energy at looks, see balance.c
    double deepest_fall;     ///< largest share of -min_gap that one step added [m]
    long look;               ///< number of the step after which the next look is due
    double largest_kinetic;  ///< [J]
    double lowest_potential; ///< [J]
    double off_since;        ///< time from which on the energy error was large, -1 = it is not [s]
    double runaway_time;     ///< when the energy could not be explained any more, -1 = never [s]
    double runaway_energy;   ///< what it was then [J]
    double distortion;       ///< largest of linear bodies at looks: displacements over size
    double distortion_time;  ///< [s]
    double jolt_scale;       ///< largest size of a jolt [J]
    double h_next;           ///< proposal of an adaptive scheme or the step control, 0 = none [s]
    double impact_by;        ///< step control: an impact comes before this time, 0 = none known [s]
    double h_impact;         ///< step control: how long the step with that impact may be [s]
    double base;             ///< time from which whole steps are counted [s]
    long done;               ///< steps since base
    long grid;               ///< points of the output grid passed
    long row_step;           ///< step of the last row
    long is_pushed;          ///< some contact had a normal impulse or force in the last step
    long had_impulse;        ///< some contact had a normal impulse in the last step
    carom_stream rows, events; ///< sent up to the present state, without a row of a cut
    carom_stream lines;        ///< likewise, of the table of contacts
    long is_cut;               ///< the last row sent is of a cut: pending still holds its impulses
} carom_ledger;

/// Step control. See auto_step.h.
typedef struct carom_auto_step carom_auto_step;
/// What it asks of contacts and of forces.
#define CAROM_CONTROL_CONTACTS (CAROM_GAPS | CAROM_ROWS)
#define CAROM_CONTROL_FORCES (CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION)

/// What a run with free steps must not step over, known from time alone. See schedule.c.
typedef struct carom_schedule {
    const carom_clock *clock;
    CAROM_LIST(carom_break) found; ///< breaks of functions of t that are not affine, by time
    double from, dt;               ///< the first sample, and the time between two [s]
    int n;                         ///< samples 0 .. n
    double *pace;                  ///< (n+1) how long a step over each sample may be [s]
    double *value;                 ///< (nodes of the clock)
    double *scratch;               ///< of the search
} carom_schedule;

/// One thing that a checkpoint and the run that continues it must agree on.
typedef struct carom_identity {
    const char *label, *text;
} carom_identity;

/// What the caller has chosen.
typedef struct carom_sim_choice {
    double step, tolerance, end, output_step;
    int every;
    const char *solver;
    double *option;
    carom_contact_saver *saver; ///< NULL = contact problems are not saved
    carom_team *team;           ///< threads that share the work of a step, or NULL
} carom_sim_choice;

/// What follows from model, scheme and choice once and for all.
typedef struct carom_sim_traits {
    bool has_power;
    int n_keeping;         ///< evaluations of the scheme that may hold gaps at the end of a step
    bool chooses_contacts; ///< those of each step are chosen at its start
    bool can_be_quiet;     ///< see step.c
    bool judges_impacts;   ///< whether impacts make energy can be told
    bool has_free_steps;   ///< the scheme or the step control says how long steps are
    bool on_its_own;       ///< ... or the scheme finds its events
    bool is_whole;         ///< fixed steps are all of the full length
} carom_sim_traits;

/// The model's equations as machine code.
typedef struct carom_sim_machine_code {
    bool is_used;
    double compile_seconds; ///< our own processor time while a compiler worked
    carom_error refusal;    ///< why they are not, where it was asked for
} carom_sim_machine_code;

/// What a run is, for those who continue it.
typedef struct carom_sim_identity {
    carom_identity item[CAROM_MAX_IDENTITY];
    int n;
    char *run_name;    ///< the same for runs that write the same rows
    char *fingerprint; ///< the text that tells the values of parameters
} carom_sim_identity;

/// What the loop and the event log know of contacts.
typedef struct carom_sim_contacts {
    int *normal;               ///< (n_contact) row of each normal
    unsigned char *holds;      ///< (n_contact) patches that count in this step; NULL: no surfaces
    carom_track *track, *next; ///< (n_contact) the same between steps
    carom_touch touch;         ///< the contacts in this step
    int *changing, n_changing; ///< that are pushed in this step, or were in the last
    double least;              ///< the smallest gap at the end of the last step [m]
    double *slip; ///< (n_row) rates at the start of the step, for friction that is an expression;
                  ///< NULL: all coefficients are constant
    double *last_gap;       ///< (n_contact) at the end of the last step that was not quiet [m]
    const carom_eval *seen; ///< the gaps and constraints at the end of the step
    bool is_touching;       ///< constraints or contacts took part in the step last tried
    // where contacts come and go, see contacts/carry_over.c
    int *changed, n_changed; ///< slots that hold another contact than at the start of the step
    carom_state carried;     ///< that start, without what was known of the contacts before
    const carom_state *from; ///< what the scheme starts from: it, or the state itself
} carom_sim_contacts;

/// Steps of fixed length, counted from ledger.base.
typedef struct carom_sim_grid {
    long n_step;      ///< to the end
    long quiet_until; ///< those that may be quiet have smaller numbers
} carom_sim_grid;

/// Energy and work on the way.
typedef struct carom_sim_energy {
    double start, rheonomic_start; ///< [J]
    double *mid_q, *mid_u;         ///< midpoint of a step, for the power
    double worked[2];              ///< work of the applied forces in (the halves of) the step [J]
} carom_sim_energy;

/// What the start tells, with the values of live parameters.
typedef struct carom_sim_start {
    carom_start_facts facts;
    carom_start_look *look; ///< NULL = nothing is live: the model knows it all
    bool allows_penetration;
    carom_moment from; ///< where the run starts instead of the model's start; q = NULL: there
} carom_sim_start;

/// What a run is stopped for, and what came. See until.c.
typedef struct carom_sim_until {
    carom_stop asked;
    carom_reached came;
    carom_state before; ///< the last event, where the scheme finds events
    int section;        ///< the record entry whose zeros are looked for, from 1; 0 = none
    double value;       ///< of that entry at the end of the last step; not a number = not known
    int crossed;        ///< in the last step: 1 = up, -1 = down
    struct carom_tangent *tangent; ///< derivatives that follow it; NULL = none do
} carom_sim_until;

/// Rises of energy at impacts. See rises.c.
typedef struct carom_sim_rises {
    carom_jolt jolt;
    long n;         ///< in this step
    double largest; ///< [J]
    double scale;
} carom_sim_rises;

/// The row that is being made, and those that were.
typedef struct carom_sim_rows {
    carom_column *column;
    int n_column;
    double *value;        ///< (n_column)
    double *gamma;        ///< (n_row) rates at the recorded state
    double *pending;      ///< (n_row) impulses since the last row [N s], and behind them those of
                          ///< joints on bodies (n_reaction)
    bool has_pending;     ///< some of them are not 0
    double *P;            ///< (n_row, n_reaction) impulses of the row being made,
    const double *last_P; ///< (n_row) those that are not yet among those of joints; NULL = none
    double *force;        ///< (n_row) forces that records see, see forces.c
    double *a;            ///< (nu) accelerations
    double h;             ///< length of the step to the state of the row [s]
    bool is_start;        ///< the row is that of the start
    double last_h;        ///< of the step to the present state
    double *place;        ///< (6 n_contact) points and normals, where contacts come and go
    int *touching;        ///< (2 n_contact) bodies, likewise
    double *first_la;     ///< (n_row) forces at the start, where they are not those of the state:
    bool has_first_la;    ///< ...
    double most;          ///< that may be recorded
    double n_written;     ///< by this simulation
    bool needs_start;
} carom_sim_rows;

/// Who takes rows and events, and what was sent.
typedef struct carom_sim_recording {
    carom_recorder item[CAROM_MAX_RECORDER];
    int n;
    bool has_rows, has_events, has_lines;  ///< some recorder takes them
    carom_stream sent_rows, sent_events;   ///< all that was sent, also in a step that failed
    carom_stream sent_lines;               ///< likewise, of the table of contacts
    long n_event;                          ///< events of this step
    bool needs_opening;                    ///< see carom_sim_open_recording
    bool is_restarted;                     ///< and has not stepped since
    bool continues_rows, continues_events; ///< into files that hold what came before
    bool has_new_rows, has_new_events;     ///< in files that start after a restart
    int was_every;                         ///< of the run that wrote the checkpoint
    double was_output_step;
    carom_status status;
    carom_error error;
} carom_sim_recording;

/// Wall time, and who wants to be told of it.
typedef struct carom_sim_clock {
    carom_watch watch;
    double last_tick, last_look; ///< wall time of the last tick and look at the clock [s]
    long stride, until_look;
    double row_seconds; ///< wall time spent on rows in this run [s]
    carom_times times;
} carom_sim_clock;

/// Numbers that states have room for if they have as many or fewer, so that these are copied
/// without asking how many.
enum { CAROM_TINY_STATE = 8, CAROM_SHORT_STATE = 24 };
/// What a copy of one takes.
typedef struct carom_sim_bytes {
    size_t state;    ///< but for its time: it lies in one piece from q on
    int n_mark_word; ///< words of marks (is_active) at its end, those behind the last contact are 0
    size_t ledger;
} carom_sim_bytes;

struct carom_sim {
    carom_arena *arena;
    const carom_model *model;
    carom_sizes size;
    const carom_scheme *scheme;
    int n_memory;
    carom_sim_choice choice;
    carom_sim_traits is;
    carom_sim_machine_code native;
    carom_sim_identity identity;
    carom_auto_step *control; ///< NULL without step control
    carom_schedule *schedule; ///< NULL where nothing is known of time alone, or steps are fixed

    carom_step s;
    carom_eval *eval; ///< the simulation's own answers
    carom_state now, next;
    carom_ledger *ledger, *next_ledger;
    carom_sim_bytes bytes;
    carom_sim_contacts contacts;
    carom_sim_energy energy;
    carom_sim_rises rises;
    carom_sim_grid grid;
    carom_sim_start start;
    carom_sim_until until;
    char *warnings; ///< (CAROM_WARNING_ROOM) see alarms.c

    carom_sim_rows rows;
    carom_sim_recording recording;
    carom_sim_clock clock;
    carom_error trouble;
};

// choose.c: scheme, options, step; refuses what does not go together
carom_status carom_sim_choose(carom_sim *sim, const carom_sim_options *options, carom_error *error);
/// Refuses a contact whose impact law the scheme does not take.
carom_status carom_sim_check_law(const carom_sim *sim, const carom_contact_facts *contact,
                                 carom_error *error);

/// Refuses what the scheme cannot do with the values of live parameters.
carom_status carom_sim_check_laws(const carom_sim *sim, carom_error *error);

// vary.c
/// Follows derivatives of the motion, where the options ask for it.
carom_status carom_sim_make_tangent(carom_sim *sim, bool is_varied, carom_error *error);

// until.c
/// Chooses the section of the options.
carom_status carom_sim_choose_section(carom_sim *sim, const carom_sim_options *options,
                                      carom_error *error);
/// Another length of fixed steps, or the longest of free ones, from the next start on.
void carom_sim_set_step(carom_sim *sim, double step);
/// A run begins: nothing is known of the section.
void carom_sim_forget_crossing(carom_sim *sim);
/// An event that was found: is it what the run is to be stopped for?
void carom_sim_note_event(carom_sim *sim, const carom_event *event);

// begin.c
/// The run begins at t = 0, for the first time or again: all that was is forgotten.
carom_status carom_sim_begin(carom_sim *sim, carom_error *error);

// auto_options.c, auto_step.c, auto_scale.c
/// Takes the settings of step control out of the options; the scheme is known.
carom_status carom_sim_choose_control(carom_sim *sim, const carom_sim_options *options,
                                      carom_error *error);
/// Whether a setting belongs to step control.
bool carom_auto_step_has(const char *name);
carom_status carom_sim_make_control(carom_sim *sim, carom_error *error);
/// Forgets the run.
carom_status carom_sim_begin_control(carom_sim *sim, carom_error *error);
/// Makes next from now with a step as long as the tolerance allows; messages go to sim->trouble.
carom_status carom_sim_auto_step(carom_sim *sim, carom_ledger *ledger);
/// The state now counts for the scale of the tolerance.
void carom_sim_widen_scale(carom_sim *sim);
/// The step that was accepted is entered.
void carom_sim_commit_control(carom_sim *sim);

// step.c
/// Lets the scheme make the state to from the state from.
carom_status carom_sim_try_step(carom_sim *sim, const carom_state *from, carom_state *to, double h);

// create.c
/// Takes memory for a state.
bool carom_sim_make_state(carom_sim *sim, carom_state *state);

// contacts/touch.c
/// Looks at the contacts of the step to next: sim->touch, changing, least, last_gap; and closer
/// where there is a reason; messages go to sim->trouble.
carom_status carom_sim_heed_contacts(carom_sim *sim);
/// Whether some gap plunges, without the closer look.
bool carom_sim_some_plunge(carom_sim *sim);

// contacts/vanish.c: gaps that close where their direction vanishes
static inline bool carom_sim_gap_plunges(double gap, double before)
{
    return 4 * gap < before;
}
/// Looks at the contacts whose gaps plunge in the step to next; messages go to sim->trouble.
carom_status carom_sim_heed_directions(carom_sim *sim);
/// The same for contacts that are closed at the start.
carom_status carom_sim_heed_start(carom_sim *sim, carom_error *error);

// contacts/overlook.c
/// Judges contacts with gaps up to reach that the scheme left out of the step to next.
carom_status carom_sim_heed_laws(carom_sim *sim, double reach);

// contacts/patches.c
/// Lets the scheme's evaluations look at the patches chosen for the step.
bool carom_sim_make_patches(carom_sim *sim);
/// Chooses the patches whose domain contains the start of a step.
carom_status carom_sim_choose_patches(carom_sim *sim, const carom_state *from, carom_error *error);

/// The step at hand is taken once more.
void carom_sim_clear_report(carom_sim *sim);

// contacts/carry_over.c: contacts that come and go; nothing is done where they stay
bool carom_sim_make_slots(carom_sim *sim);
/// Chooses the contacts of the step at hand (its length is in s), and what it starts from:
/// contacts.from.
carom_status carom_sim_choose_slots(carom_sim *sim, const carom_state *from, carom_state *to);
/// The contacts at the state now, before a step of length h.
carom_status carom_sim_begin_slots(carom_sim *sim, double h, carom_error *error);
/// The event log has never seen contacts that are new in the step to next.
void carom_sim_forget_tracks(carom_sim *sim);
/// The same once the step is entered.
void carom_sim_enter_slots(carom_sim *sim);
/// Whether a slot holds another contact in the step to next than before it.
static inline bool carom_sim_is_other(const carom_sim *sim, int contact)
{
    const carom_slot *was = sim->now.slot, *is = sim->next.slot;
    return was && (was[contact].key != is[contact].key ||
                   was[contact].generation != is[contact].generation);
}

// identity.c
carom_status carom_sim_identify(carom_sim *sim, const carom_sim_options *options,
                                carom_error *error);
/// Names the run after the values of live parameters.
void carom_sim_rename(carom_sim *sim);

// grid.c: fixed steps end at base + k step; a last step that is shorter ends at the end
/// Fails where a step is so short that it does not change the time.
carom_status carom_sim_check_advance(carom_sim *sim, double h);
/// Refuses a step so short that it could never reach the end.
carom_status carom_sim_check_step(const carom_sim *sim, const char *what, double step,
                                  carom_error *error);
carom_status carom_sim_plan_grid(carom_sim *sim, carom_error *error);
double carom_sim_adaptive_h(const carom_sim *sim);
static inline double carom_sim_next_h(const carom_sim *sim)
{
    if (sim->is.has_free_steps) return carom_sim_adaptive_h(sim);
    const bool is_short = !sim->is.is_whole && sim->ledger->done == sim->grid.n_step - 1;
    return is_short ? sim->choice.end - sim->now.t : sim->choice.step;
}
/// Sets next's time to the grid.
void carom_sim_land_freely(const carom_sim *sim, carom_state *next);
static inline void carom_sim_land_on_grid(const carom_sim *sim, carom_state *next)
{
    if (sim->is.has_free_steps) {
        carom_sim_land_freely(sim, next);
        return;
    }
    const long done = sim->ledger->done + 1;
    const bool is_short = !sim->is.is_whole && done == sim->grid.n_step;
    next->t = is_short ? sim->choice.end : sim->ledger->base + (double)done * sim->choice.step;
}
/// Passes points of the output grid.
void carom_sim_pass_points(const carom_sim *sim, double t, carom_ledger *ledger);
/// The end is reached: says t = end exactly.
void carom_sim_arrive_at_end(const carom_sim *sim, carom_state *next, carom_ledger *ledger);
static inline void carom_sim_arrive(const carom_sim *sim, carom_state *next, carom_ledger *ledger)
{
    if (sim->choice.output_step > 0) carom_sim_pass_points(sim, next->t, ledger);
    if (!sim->is.has_free_steps && ledger->done >= sim->grid.n_step)
        carom_sim_arrive_at_end(sim, next, ledger);
}
/// The time of next once it has arrived, before the step is entered.
static inline double carom_sim_arrival(const carom_sim *sim)
{
    const bool is_last = !sim->is.has_free_steps && sim->ledger->done + 1 >= sim->grid.n_step;
    return is_last ? sim->choice.end : sim->next.t;
}
/// Whether the step to next reaches the next point of the output grid.
bool carom_sim_point_is_due(const carom_sim *sim);
/// Whether the step to next, not yet entered, ends with a row, wherever the run ends.
static inline bool carom_sim_row_is_due(const carom_sim *sim)
{
    if (sim->is.has_free_steps && sim->choice.output_step > 0) return carom_sim_point_is_due(sim);
    // dividing is slow
    return sim->choice.every == 1 || (sim->ledger->counts.steps + 1) % sim->choice.every == 0;
}
bool carom_sim_is_past_end(const carom_sim *sim, double t);
static inline bool carom_sim_is_at_end(const carom_sim *sim, double t, const carom_ledger *ledger)
{
    return sim->is.has_free_steps ? carom_sim_is_past_end(sim, t)
                                  : ledger->done >= sim->grid.n_step;
}

// schedule.c
/// Makes sim->schedule, and looks through the run for what its steps must not step over.
carom_status carom_sim_foresee_breaks(carom_sim *sim, carom_error *error);
/// Looks again, with other values of live parameters, or where the run goes from another time to
/// another end.
carom_status carom_sim_foresee_again(carom_sim *sim, double from, carom_error *error);
/// The first break after t.
carom_break carom_schedule_next(const carom_schedule *schedule, double t);
/// A step of at most h from t that ends at the first break and is short where inputs are quick.
double carom_schedule_cut(const carom_schedule *schedule, double t, double h);
/// Before a step of at most h from now, and after it: the model shows the side of a break that the
/// step lies on.
void carom_schedule_open(carom_sim *sim, double h);
void carom_schedule_close(carom_sim *sim);

// audit.c
carom_status carom_sim_audit_start(carom_sim *sim, carom_error *error);
/// Finds the work of the applied forces in the step to next: sim->worked.
carom_status carom_sim_audit_work(carom_sim *sim);
/// Enters a step.
void carom_sim_audit_enter(carom_sim *sim, carom_ledger *ledger);
/// Notes whose the least of the gaps is, which is smaller than all before.
void carom_sim_audit_note_gap(const double *gap, double least, carom_ledger *ledger);

// balance.c
/// Where the energy of a state comes from; sim->eval holds the answers there.
typedef struct carom_balance {
    double kinetic, potential, work, impact_loss, friction_loss, error; ///< [J]
    double scale; ///< what an error is measured against: kinetic energy + |work| + losses [J]
} carom_balance;
carom_status carom_sim_balance(carom_sim *sim, const carom_state *state, const carom_ledger *ledger,
                               carom_balance *balance, carom_error *error);
/// Whether the error is above a hundredth of the scale.
bool carom_balance_is_off(const carom_balance *balance);
/// Forgets all looks.
void carom_sim_forget_looks(carom_ledger *ledger);
/// Looks at the energy of next, where a look is due.
void carom_sim_look_at_energy(carom_sim *sim, carom_ledger *ledger);
/// Steps up to the next look, or the last of the grid, may be quiet.
static inline void carom_sim_plan_quiet(carom_sim *sim)
{
    const carom_ledger *ledger = sim->ledger;
    const long to_look = ledger->done + ledger->look - ledger->counts.steps;
    const long until = to_look < sim->grid.n_step ? to_look : sim->grid.n_step;
    sim->grid.quiet_until = sim->is.can_be_quiet ? until : 0;
}

// alarms.c
/// Refuses a start with a contact that is too deep.
carom_status carom_sim_check_start(const carom_sim *sim, carom_error *error);
/// Writes sim->warnings, from what the audit says.
carom_status carom_sim_write_warnings(carom_sim *sim, carom_audit *audit, carom_error *error);

// sim_events.c
/// Finds the events of the step to next and sends them, where the scheme does not.
carom_status carom_sim_events(carom_sim *sim, carom_error *error);
/// Counts them; what the log has seen of the step becomes what it remembers.
void carom_sim_events_enter(carom_sim *sim, carom_ledger *ledger);
carom_status carom_sim_send_event(carom_sim *sim, const carom_event *event, carom_error *error);
/// Forgets what the event log has seen of a step that failed.
void carom_sim_events_undo(carom_sim *sim);
/// Where the scheme of sim sends events and states.
carom_sink carom_sim_sink(carom_sim *sim);

// rises.c
/// Forgets the step before.
static inline void carom_sim_rises_begin(carom_sim *sim)
{
    sim->rises.scale = sim->ledger->jolt_scale;
    sim->rises.jolt = (carom_jolt){0};
    sim->rises.n = 0;
    sim->rises.largest = 0;
}
/// Takes note of one impact that the scheme found.
void carom_sim_rises_event(carom_sim *sim, const carom_event *event);
/// Takes note of a step in which time stepping saw an impact.
void carom_sim_rises_step(carom_sim *sim);
/// Enters what the step has shown.
void carom_sim_rises_end(carom_sim *sim, carom_ledger *ledger);

// sim_columns.c
carom_status carom_sim_make_columns(carom_sim *sim, carom_error *error);

// forces.c
/// Fills force and a of the rows for a state that the last step has led to.
carom_status carom_sim_feel(carom_sim *sim, const carom_state *state);
/// wrench (n_reaction) += that of impulses or forces P of rows; sim->eval has the reactions.
void carom_sim_add_reactions(const carom_sim *sim, const double *P, double *wrench);
/// The impulses of the step to next become pending reactions.
void carom_sim_pend_reactions(carom_sim *sim);
static inline int carom_sim_n_pending(const carom_sim *sim)
{
    return sim->size.n_row + sim->size.n_reaction;
}

// first_forces.c
/// Finds the forces at the start for the first row, where the scheme leaves that open.
carom_status carom_sim_find_first_forces(carom_sim *sim, carom_error *error);

// record.c: writes the state as a row, with the impulses in sim->row_P
carom_status carom_sim_write_row(carom_sim *sim, const carom_state *state, carom_error *error);
/// The row of the start, once, where the run starts at t = 0.
carom_status carom_sim_write_start(carom_sim *sim, carom_error *error);
/// The row of next with all impulses since the last row.
carom_status carom_sim_write_next(carom_sim *sim, carom_error *error);
/// The present state as a last row, where a run ends or is cut off between rows. It is not counted:
/// a run that continues in the same file puts the row that is due in its place.
carom_status carom_sim_write_cut(carom_sim *sim, carom_error *error);
/// Before the first step of a run, or of its continuation.
void carom_sim_open_recording(carom_sim *sim);

/// Refuses an explicit scheme whose step is too long for elastic parts. See choose.c.
carom_status carom_sim_check_stiffest(carom_sim *sim, bool is_allowed, carom_error *error);

#endif
