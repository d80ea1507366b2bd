// SPDX-License-Identifier: Apache-2.0
// Motion with contacts that open, close, stick and slide, from event to event. Every contact
// has a mode; between events the rows of closed contacts are equalities of the flow
// (smooth/smooth.h).
// What belongs together:
//
//     watch.c           event functions along a step, and the first of them to cross zero
//     advance.c         a step with its error controlled, ending at that crossing on the true step
//     hybrid_events.c   what happens there: which contacts take part, impact, new modes, changes
//     impact.c          velocities jump; rebounds slower than v_acc close the contact for good
//     hybrid_laws.c     the same by other impact laws than Newton's
//     sides.c           where the forces switch
//     section.c         where a record entry goes through zero, for those who ask
//     graze.c           gaps that close where their direction vanishes
//     features.c        where the features end with which shapes touch
//     edge.c            where the patches of a surface end, and which hold behind the edge
//     settle.c          accelerations and forces decide which contacts stay closed, stick or slide
//     pass.c            a way past instants at which modes go round in circles
//     share.c           how redundant contacts share what they hold
//     account.c         where the energy goes between events
//     hybrid.c          memory, modes, and looks at gaps, rates and forces on the way
//     capture.c         apart from these: what event_capturing looks for in a smooth step
//
// A motion has a memory (what a continuation needs: it becomes the memory of carom_state), what
// is seen of it (the last look, and samples along a step) and the event at hand. What only one
// function needs at a time is scratch.
#ifndef CAROM_HYBRID_HYBRID_H
#define CAROM_HYBRID_HYBRID_H

#include "smooth/smooth.h"

/// What a contact does. An idle contact is closed, but others hold it: its own force is zero. The
/// friction of a pinned one is at its limit, but others keep it from sliding.
typedef enum carom_mode {
    CAROM_MODE_OPEN,
    CAROM_MODE_HELD, ///< closed, without friction
    CAROM_MODE_SLIDE,
    CAROM_MODE_STICK,
    CAROM_MODE_IDLE,
    CAROM_MODE_PINNED
} carom_mode;

/// Event functions, positive where the mode is right. The first two share a place, and so do the
/// next two.
typedef enum carom_crossing_kind {
    CAROM_CROSS_CLOSE,   ///< gap of an open contact
    CAROM_CROSS_RELEASE, ///< normal force of a closed one
    CAROM_CROSS_STOP,    ///< gamma_T.d of a contact that slides
    CAROM_CROSS_GRIP,    ///< mu^2 la_N |la_N| - |la_T|^2 of a contact that sticks
    CAROM_CROSS_EDGE,    ///< margin of a closed patch; - margin of one that may take over
    CAROM_CROSS_SIDE,    ///< gap of an open patch, +infinity where it is not there
    CAROM_CROSS_FEATURE, ///< shapes touch with other features behind it; found by features.c;
                         ///< its contact is n_contact where none is closed
    CAROM_CROSS_SWITCH,  ///< switch of the forces, see sides.c; its contact is n_contact + switch
    CAROM_CROSS_SECTION, ///< record entry that is watched, see section.c; its contact counts on behind
                         ///< the switches
    CAROM_CROSS_JAM      ///< forces of a contact that slides grow without bound; not searched for
} carom_crossing_kind;

typedef struct carom_crossing {
    int contact; ///< -1 = none
    carom_crossing_kind kind;
    double x;     ///< where in the step, 0..1
    double slope; ///< of the function on the true step [1/s]; 0 = known analytically
    double side;  ///< gap of a patch that is entered from its side; else 0
} carom_crossing;

enum { CAROM_WATCH_SAMPLES = 12, CAROM_WATCH_FUNCTIONS = 3 };
/// Masks of looks along the way, and at events.
enum {
    CAROM_LOOK = CAROM_GAPS | CAROM_ROWS,
    CAROM_LOOK_FULL = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_CURVATURE
};

/// Whether a patch counts.
typedef enum carom_domain {
    CAROM_DOMAIN_OUT,
    CAROM_DOMAIN_IN,     ///< its domain contains the point
    CAROM_DOMAIN_IGNORED ///< held without its domain (CAROM_EDGE_LCP)
} carom_domain;

/// What has become of a slip whose rate has just gone through zero.
typedef enum carom_slip_end {
    CAROM_STOP_NONE, ///< it has not
    CAROM_STOP_REST,
    CAROM_STOP_MOVED ///< all but what others make of it is gone
} carom_slip_end;

/// What is kept of the contacts from step to step, each (n_contact).
typedef struct carom_contact_memory {
    carom_mode *mode;
    unsigned char *is_touching; ///< an open contact that starts the step with gap 0
    unsigned char *is_new;      ///< its slot has just got it
    carom_domain *domain;       ///< of patches
    double *rate_scale;         ///< largest |gap rate| before an impact so far [m/s]
    double *slip_scale;         ///< largest |slip rate| so far [m/s]
    double *gap_scale;          ///< largest |gap| so far [m]
    double *close_time;         ///< end of the geometric tail of impacts, 0 = none [s]
    double *edge_scale;         ///< largest |margin| of a patch so far
    double *still;              ///< slip rate up to which a slip in space keeps its direction [m/s]
} carom_contact_memory;

/// Switches of the forces: in which piece each one is, and the largest |s| so far.
typedef struct carom_sides_memory {
    double *piece, *scale; ///< (n_switch)
} carom_sides_memory;

/// All that a continuation needs, besides t, q, u and la. Written to the memory of a state in this
/// order, as doubles; numbers that are doubles anyway stand in the block itself.
typedef struct carom_hybrid_memory {
    double *block;
    int n_block;
    bool is_fresh;  ///< before the first step
    bool has_lost;  ///< a slot that was closed has just changed hands
    double h;       ///< the next step as proposed [s]
    double stalled; ///< events since time last moved
    carom_contact_memory contact;
    carom_sides_memory sides;
    double *direction; ///< (n_row) of slip
    double *reference; ///< (n_row) forces that redundant rows stay nearest to [N]
} carom_hybrid_memory;

/// What was last looked at, and the samples along the last step of the flow.
typedef struct carom_hybrid_seen {
    carom_eval *ev;
    double *gap, *gamma;         ///< (n_contact), (n_row)
    double *la, *a;              ///< (n_row), (nu); la is 0 where nothing is held
    double *raw;                 ///< (n_contact) gaps of patches also where they are not
    double *q, *u;               ///< a point inside the step
    unsigned char *has_features; ///< (n_contact) of the last look of features.c
    bool is_regular;             ///< rows held were independent
    // along the step
    double *floor;           ///< (n_contact) gap at its start where that is not positive
    double *start_rate;      ///< (n_contact) gap rate there
    double *start_direction; ///< (n_row)
    double *sample;          ///< (CAROM_WATCH_SAMPLES + 1) * CAROM_WATCH_FUNCTIONS n_contact
    double *rate;            ///< (CAROM_WATCH_SAMPLES + 1) * n_contact gap rates
    unsigned char *is_there; ///< (CAROM_WATCH_SAMPLES + 1) * n_contact patch there at a sample
    double *switches;        ///< (CAROM_WATCH_SAMPLES + 1) * n_switch
    carom_crossing *watched; ///< (CAROM_WATCH_FUNCTIONS n_contact) what each function looks for
    int *below;              ///< (CAROM_WATCH_FUNCTIONS n_contact) its first sample below zero
    double force_scale;      ///< largest force of the samples [N]
    bool has_pole;           ///< a force changes its sign through infinity, not through zero
} carom_hybrid_seen;

/// The contact problem on acceleration level.
typedef struct carom_decision {
    carom_problem problem;
    carom_contact_solver *solver;
    int *row;       ///< (n_row) row of the model
    double *la;     ///< (n_row) by rows of the problem
    double *size;   ///< (n_row) size of the terms that b is made of
    double *rate;   ///< (n_row) acceleration of each row
    double *a_free; ///< (nu)
    double grip;    ///< share of its friction that a contact may use to stick; else 1
    bool is_solved;
} carom_decision;

/// How the patches that hold behind an edge are found.
typedef enum carom_edge_rule {
    CAROM_EDGE_TWO_STEP, ///< impulses in the second of two Moreau-Jean steps
    CAROM_EDGE_ONE_STEP, ///< gaps closed after one step
    CAROM_EDGE_LCP       ///< a stage as complementarity problem of all patches that touch
} carom_edge_rule;

/// A motion that is tried a little way, to see what comes. See edge.c and sides.c.
typedef struct carom_probe {
    carom_motion motion;
    double *q, *u;             ///< (nq), (nu) on its way
    double *P;                 ///< (n_row)
    unsigned char *is_far;     ///< (n_contact) patches behind the edge
    unsigned char *is_asked;   ///< (n_contact) take part in its contact problem
    unsigned char *is_pushing; ///< (n_contact) its answer
} carom_probe;

/// A record entry whose zeros end steps. It is no part of the motion, and of no continuation.
typedef struct carom_hybrid_section {
    double side;      ///< 1 or -1: where the motion is; 0 = not known yet
    double scale;     ///< largest value so far
    bool has_crossed; ///< at the end of the last step, which may lie a little before the zero
    double sample[CAROM_WATCH_SAMPLES + 1];
} carom_hybrid_section;

/// What happens at one instant.
typedef struct carom_hybrid_event {
    double *P, *total_P;       ///< (n_row) of one impact, of the event
    double *gamma_minus;       ///< (n_row) rates before, as the law sees them
    double *true_minus;        ///< (n_row) rates before, as the energy sees them
    double *u_minus;           ///< (nu)
    double *jolt;              ///< (nu) size of the terms that the impulses of the event add to u
    double *bounce;            ///< (n_contact) gap rates after the impact that the tail starts with
    carom_mode *old_mode;      ///< (n_contact)
    unsigned char *is_in;      ///< (n_contact) takes part: the gap is zero
    unsigned char *was_in;     ///< (n_contact) took part before those that leave were dropped
    unsigned char *is_dropped; ///< (n_contact) its force has just gone through zero
    carom_slip_end *stop;      ///< (n_contact)
    unsigned char *is_torn;  ///< (n_contact) its friction has just met the limit, direction is set
    unsigned char *was_torn; ///< (n_contact) the same while another share of forces is tried
    unsigned char *is_begun; ///< (n_contact) its slip begins from rest
    unsigned char *is_pressed; ///< (n_contact) idle, and no other contact holds it
    bool has_jump;             ///< velocities have jumped
    bool has_drop;             ///< a contact force has gone through zero
    bool has_stop;             ///< a slip rate has gone through zero
    bool has_tear;             ///< friction has met its limit
    bool has_edge;             ///< an edge of a surface has been met
    carom_probe probe;
    carom_decision decision;
} carom_hybrid_event;

/// Room of one function at a time: nothing is kept in it from one call to the next.
typedef struct carom_hybrid_scratch {
    double *force, *change;   ///< (nu)
    double *right, *push;     ///< (n_row)
    unsigned char *is_active; ///< (n_contact)
} carom_hybrid_scratch;

typedef struct carom_hybrid {
    carom_step *s;
    carom_flow *flow;
    double v_acc;         ///< [m/s]; 0 = automatic
    double first_step;    ///< [s]; 0 = a share of the run
    double max_step;      ///< the longest step [s]
    carom_edge_rule edge; ///< how to decide at edges
    unsigned char *holds; ///< (n_contact) all 1: the flow sees patches also beyond their edges
    double *zero;         ///< (n_row) no impulses
    carom_motion now, next;
    carom_hybrid_memory memory;
    carom_hybrid_seen seen;
    carom_hybrid_event event;
    carom_hybrid_section section;
    carom_hybrid_scratch scratch;
    struct carom_hybrid_laws *laws; ///< see hybrid_laws.c; NULL: all contacts obey Newton's
} carom_hybrid;

/// Who follows the motion along (variations: src/tangent), and changes nothing of it.
struct carom_witness {
    void *self;
    /// A smooth step has been taken: the flow's last one, which ends at next.
    carom_status (*moved)(void *self, carom_hybrid *hybrid);
    /// next is at an event, of which nothing has happened yet; NULL: modes are decided anew.
    carom_status (*crossed)(void *self, carom_hybrid *hybrid, const carom_crossing *crossing);
    /// An impact has changed event.u_minus to next.u, by event.P.
    carom_status (*collided)(void *self, carom_hybrid *hybrid);
    /// The modes behind the event are known.
    carom_status (*settled)(void *self, carom_hybrid *hybrid);
    /// Something has been done to the motion that nobody can follow.
    void (*lost)(void *self, const carom_hybrid *hybrid, const char *what);
};
static inline carom_status carom_hybrid_show_crossing(carom_hybrid *h, const carom_crossing *it)
{
    const carom_witness *w = h->s->witness;
    return w ? w->crossed(w->self, h, it) : CAROM_OK;
}
static inline void carom_hybrid_lose_witness(const carom_hybrid *h, const char *what)
{
    const carom_witness *w = h->s->witness;
    if (w) w->lost(w->self, h, what);
}

// hybrid.c
int carom_hybrid_n_memory(const carom_model *model);
/// A contact of the memory of a state is open and has never been seen.
void carom_hybrid_forget(const carom_step *s, carom_state *state, int contact);
carom_status carom_hybrid_new(carom_step *s, const carom_smooth *solver, carom_hybrid **hybrid);
/// The run starts again, perhaps with other values of live parameters.
carom_status carom_hybrid_renew(carom_hybrid *h);
void carom_hybrid_free(carom_hybrid *hybrid);
/// Whether the memory of a state that was read can be one of ours.
bool carom_hybrid_is_memory(carom_hybrid *hybrid, const carom_state *state);
void carom_hybrid_load(carom_hybrid *hybrid, const carom_state *state);
void carom_hybrid_save(carom_hybrid *hybrid, carom_state *state);
/// The memory as a state holds it.
double *carom_hybrid_write_memory(carom_hybrid *hybrid);
/// The flow holds the rows of closed contacts.
void carom_hybrid_set_rows(carom_hybrid *hybrid);
bool carom_hybrid_is_closed(const carom_hybrid *hybrid, int contact);
double carom_hybrid_slip(const carom_hybrid *hybrid, int contact);
/// What rounding may leave of the rates of rows first..last: of their terms, of those of the
/// event's impulses, and of what the applied forces do in a step of the length proposed. After a
/// full look.
double carom_hybrid_noise(carom_hybrid *hybrid, int first, int last);
/// What the tolerance of a step leaves of a slip rate that goes through zero.
double carom_hybrid_missed_slip(const carom_hybrid *hybrid, int contact);
/// Whether a slip in space has come to rest as well as its steps can tell: its direction turns the
/// faster the slower it is, and what they leave of it adds up.
bool carom_hybrid_is_at_rest(const carom_hybrid *hybrid, int contact);
/// The slip rate up to which a contact that slides in space keeps the direction that it had at the
/// start of the step, from the rate at the last look: the stages of a step that ends at rest have
/// no direction of their own. A slip that begins keeps the direction of its acceleration longer.
void carom_hybrid_set_still(carom_hybrid *hybrid, int contact, bool is_begun);
/// A gap up to this is zero to rounding.
/// What rounding makes of a gap that is zero.
double carom_hybrid_rounded_gap(const carom_hybrid *hybrid, int contact);
double carom_hybrid_zero_gap(const carom_hybrid *hybrid, int contact);
/// What the tolerance of a step leaves of the gap of an idle contact.
double carom_hybrid_idle_gap(const carom_hybrid *hybrid, int contact);
/// Gap rate below which a contact is closed for good.
double carom_hybrid_slow_rate(carom_hybrid *hybrid, int contact);
/// gap, gamma, and where something is held a and la, at a point.
carom_status carom_hybrid_look_at(carom_hybrid *hybrid, double t, const double *q, const double *u,
                                  bool is_full);
/// gap and gamma only.
carom_status carom_hybrid_glance_at(carom_hybrid *hybrid, double t, const double *q,
                                    const double *u);
/// The same a and la once more, where the rows held have changed.
carom_status carom_hybrid_find_forces(carom_hybrid *hybrid, const double *u);
void carom_hybrid_send_event(carom_hybrid *hybrid, carom_event_kind kind, int contact);

// watch.c
/// Looks along the last step of the flow: the first crossing, and whether the samples show the
/// functions well enough.
carom_status carom_watch_step(carom_hybrid *hybrid, carom_crossing *first, bool *is_resolved);
/// The function at the end of the last step of the flow, divided by its length for a contact that
/// started at 0.
carom_status carom_watch_end(carom_hybrid *hybrid, const carom_crossing *crossing, double *value,
                             double *slope);

// graze.c
/// Fails where an open contact closes without a direction, in the last step of the flow before the
/// place most (0..1). After the samples of carom_watch_step.
carom_status carom_graze_check(carom_hybrid *hybrid, double most);

// sides.c
/// Whether the pieces that were read are there.
bool carom_sides_are_memory(const carom_hybrid *hybrid);
/// The model's forces are those of the pieces.
void carom_sides_set_forces(carom_hybrid *hybrid);
/// In which pieces the motion at next starts.
carom_status carom_sides_begin(carom_hybrid *hybrid);
/// The same for switches that an impact has thrown out of their piece.
carom_status carom_sides_refresh_pieces(carom_hybrid *hybrid);
/// What comes behind the end of the piece that next lies at.
carom_status carom_sides_cross_switch(carom_hybrid *hybrid, int which);
/// The first switch along the last step of the flow, where it comes before first.
carom_status carom_sides_watch_step(carom_hybrid *hybrid, carom_crossing *first, bool *is_resolved);
/// Its function at the end of the last step of the flow.
carom_status carom_sides_end(carom_hybrid *hybrid, const carom_crossing *crossing, double *value,
                             double *slope);

// features.c
/// Cuts the last step of the flow where shapes begin to touch with other features, if that is
/// before its first crossing.
carom_status carom_features_watch_step(carom_hybrid *hybrid, carom_crossing *first);
/// Gaps of the last look, at next: +infinity for open contacts whose features are not there.
carom_status carom_features_hide_absent(carom_hybrid *hybrid);
/// The features of closed contacts end at next, those of contact among them: events are sent.
carom_status carom_features_meet_change(carom_hybrid *hybrid, int contact);
/// Gap rate that counts as none where one contact takes over from another: of new ones; else 0.
double carom_features_missed_rate(const carom_hybrid *hybrid, int contact);

/// A function of the motion at a place (0..1) of the last step of the flow.
typedef carom_status carom_inside(carom_hybrid *hybrid, int which, double x, double *f);
/// The zero of a function between samples i - 1 and i, by bisection where the secant does not get
/// on.
carom_status carom_sides_search_zero(carom_hybrid *hybrid, carom_inside *inside, int which,
                                     const double *sample, int i, double *x);
/// Whether no minimum between samples may reach below zero and back.
bool carom_sides_are_shown(const double *sample);

// section.c
/// The first zero of the section along the last step of the flow, where it comes before first.
carom_status carom_section_watch_step(carom_hybrid *hybrid, carom_crossing *first,
                                      bool *is_resolved);
/// Its function at the end of the last step of the flow.
carom_status carom_section_end(carom_hybrid *hybrid, const carom_crossing *crossing, double *value,
                               double *slope);
/// The step ends on the section, or not.
void carom_section_meet(carom_hybrid *hybrid, bool is_met);

// edge.c
bool carom_edge_is_patch(const carom_hybrid *hybrid, int contact);
/// Whether a patch that is open may take over from a closed one of the same surface.
bool carom_edge_is_waiting(const carom_hybrid *hybrid, int contact);
/// Gaps of the last look: +infinity for open patches that are not there.
void carom_edge_look_at_patches(carom_hybrid *hybrid);
/// Function CAROM_CROSS_EDGE of a patch at the last look.
double carom_edge_value(const carom_hybrid *hybrid, int contact);
/// Which patches the motion starts on.
carom_status carom_edge_begin(carom_hybrid *hybrid);
/// What is known of patches at the end of a step without event.
void carom_edge_note_patches(carom_hybrid *hybrid);
/// Which patches take part in the event at the edge of a patch: is_in, is_dropped.
carom_status carom_edge_meet_event(carom_hybrid *hybrid, int contact);
/// Gap rate that counts as none where one patch takes over from another; 0 away from edges.
double carom_edge_rate(const carom_hybrid *hybrid, int contact);
/// One short step of Moreau and Jean from the probe, of contacts that are in; patches of the
/// surface (-1 = none) only where they are there.
carom_status carom_edge_probe(carom_hybrid *hybrid, int surface, double dt);
/// Fails: contact begins with a negative gap, its patch does not meet the surface.
carom_status carom_edge_refuse(const carom_hybrid *hybrid, int contact, double t, double gap);

// advance.c
carom_status carom_hybrid_advance(carom_hybrid *hybrid, carom_crossing *crossing);

// account.c
carom_status carom_hybrid_account_energy(carom_hybrid *hybrid);

// impact.c
/// The contacts that are in (is_in) collide; velocities of next jump.
carom_status carom_hybrid_impact(carom_hybrid *hybrid);
// hybrid_laws.c
carom_status carom_hybrid_make_laws(carom_hybrid *hybrid);
void carom_hybrid_free_laws(carom_hybrid *hybrid);
/// Whether a contact that takes part in the event has a law of its own.
bool carom_hybrid_has_laws(const carom_hybrid *hybrid);
/// The impact of all that take part: impulses in event.P, velocities, rates in the report.
carom_status carom_hybrid_collide_by_laws(carom_hybrid *hybrid);
/// An impulse where no force can keep the contacts closed (Painleve).
carom_status carom_hybrid_resolve_jam(carom_hybrid *hybrid);
/// The force of a contact that slides has grown without bound: an impulse stops its slip.
carom_status carom_hybrid_seize_contact(carom_hybrid *hybrid, int contact);

// pass.c
/// Whether so many events have come without progress that the modes go round in circles.
bool carom_hybrid_is_stuck(const carom_hybrid *hybrid);
/// Whether there is still room for one of these in the step, and hope that it helps.
bool carom_hybrid_can_pass(const carom_hybrid *hybrid);
/// A short step of time stepping with the contacts that are in; next moves on.
carom_status carom_hybrid_pass(carom_hybrid *hybrid);

// share.c
/// Contacts whose friction is at its limit while others keep them from sliding are pinned.
carom_status carom_share_pin_contacts(carom_hybrid *hybrid);
/// Whether pinned contacts that count as sliding are not drawn back; those that are count as
/// sticking from now on.
carom_status carom_share_check_pinned(carom_hybrid *hybrid, const double *u, bool *is_right);
/// Whether the slip of a contact could stop now: not where other held rows make it move.
carom_status carom_share_can_rest(carom_hybrid *hybrid, int contact, bool *can);
/// Where friction has met a limit because pinned contacts push against a load that has turned: all
/// that do not move stick anew, if the law allows it.
carom_status carom_share_stick_anew(carom_hybrid *hybrid, bool *is_done);
/// The forces of the decision are those that redundant rows stay nearest to; contacts that pull
/// become idle.
carom_status carom_share_keep_forces(carom_hybrid *hybrid, const double *u);
/// Forces that the contact law allows where held rows leave a choice: the smallest, else those
/// nearest to the answer of the decision.
carom_status carom_share_forces(carom_hybrid *hybrid, const double *u);

// settle.c
/// Modes of all contacts with gap 0 from the contact problem on acceleration level, and a new start
/// of the flow.
carom_status carom_hybrid_settle_contacts(carom_hybrid *hybrid);

// hybrid_events.c
/// What the crossing at the end of the step means: impact, new modes, events sent.
carom_status carom_hybrid_meet_event(carom_hybrid *hybrid, const carom_crossing *crossing);
/// The start of a run: modes and pieces of all contacts and switches are decided.
carom_status carom_hybrid_begin(carom_hybrid *hybrid);
/// The step starts with contacts in other slots than the last one ended with.
carom_status carom_hybrid_begin_changed(carom_hybrid *hybrid);
/// The same anew, at a break of the model's laws: forces and obstacles may have jumped.
carom_status carom_hybrid_begin_anew(carom_hybrid *hybrid);

#endif
