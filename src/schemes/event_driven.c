// SPDX-License-Identifier: Apache-2.0
// Event-driven integration: smooth motion of high order from event to event, and every event
// located on time. Where impacts can be counted this gives their times to many digits.
//
//     between events   M u_dot = f + D la,  G u + w0 = 0  on constraints and closed contacts,
//                      by a smooth solver (phem56, hem5, rkf45, gen_alpha or mexx)
//     at an event      velocities jump by the impact law with restitution and friction; then the
//                      contact problem of the accelerations decides which contacts stay closed,
//                      stick or slide
//
// G holds the rows that are equalities now, D their push directions (smooth/smooth.h). One
// step of the scheme is one step of the smooth solver, cut at the first event: advance, then
// account for the energy, then meet the event. Impacts that accumulate end where the rebound
// is slower than v_acc. hybrid/hybrid.h says which file does what; the state's memory is
// what a continuation needs.
//
// M. Haddouni, V. Acary, S. Garreau, J.-D. Beley, B. Brogliato, Comparison of several formulations
// and integration methods for the resolution of DAEs formulations in event-driven simulation of
// nonsmooth frictionless multibody dynamics, Multibody System Dynamics 41, 2017.
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "schemes/schemes.h"
#include "smooth/newmark.h"

#include <math.h>

enum { SMOOTH, V_ACC, ATOL, EDGE };
enum { GEN_ALPHA = 3, MEXX };
static const char *const smooth_name[] = {"phem56", "hem5",
                                          "rkf45", [GEN_ALPHA] = "gen_alpha", [MEXX] = "mexx"};
static const double first_share = 1e-3; // of the run: the first step

static int n_memory(const carom_model *model)
{
    return carom_hybrid_n_memory(model);
}

// what the smooth solver and the events between its steps cannot do
static carom_status accepts(const carom_model *model, const double *option, carom_error *error)
{
    const bool holds_positions = option[SMOOTH] == GEN_ALPHA;
    const carom_sizes n = carom_model_sizes(model);
    for (int k = 0; k < n.n_constraint && holds_positions; k++)
        if (carom_model_constraint_is_rate(model, k))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "smooth: gen_alpha holds constraints by their positions, but '%s' is "
                              "one of rates alone (take smooth: phem56)",
                              carom_model_constraint_name(model, k));
    for (int c = n.n_contact - n.n_disc; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(model, c);
        const char *why = holds_positions ? "smooth: gen_alpha has no forces of limited "
                                            "strength (take smooth: phem56)"
                          : facts->of > 0 && carom_model_contact(model, facts->of - 1)->is_near
                              ? "event_driven has no rolling and spinning friction of contacts "
                                "that come and go (take a time-stepping scheme such as "
                                "moreau_midpoint)"
                          : facts->n_load > 0 ? "event_driven has no friction of joints (take a "
                                                "time-stepping scheme such as moreau_midpoint)"
                          : facts->n_slip > 2 ? "event_driven has no friction of three slips (take "
                                                "a time-stepping scheme such as moreau_midpoint)"
                                              : NULL;
        if (why) return carom_fail(error, CAROM_BAD_INPUT, "'%s': %s", facts->name, why);
    }
    return CAROM_OK;
}

static carom_status prepare(carom_step *s)
{
    carom_hybrid *h;
    CAROM_TRY(accepts(s->model, s->option, s->error));
    CAROM_TRY(carom_hybrid_new(s, carom_smooth_find(smooth_name[(int)s->option[SMOOTH]]), &h));
    h->v_acc = s->option[V_ACC];
    h->edge = (carom_edge_rule)s->option[EDGE];
    carom_flow_set_tolerance(h->flow, s->tolerance, s->option[ATOL], 0);
    s->self = h;
    return carom_flow_weigh_coordinates(h->flow);
}

static void release(carom_step *s)
{
    carom_hybrid_free(s->self);
}

static carom_status renew(carom_step *s)
{
    return carom_hybrid_renew(s->self);
}

static carom_status start(carom_step *s, carom_state *state)
{
    carom_hybrid *h = s->self;
    h->memory.is_fresh = 1;
    state->memory[0] = 1;
    return CAROM_OK;
}

static carom_status event_driven_step(carom_step *s, const carom_state *now, carom_state *next)
{
    carom_hybrid *h = s->self;
    carom_crossing crossing;
    const long work = carom_flow_work(h->flow);
    carom_hybrid_load(h, now);
    if (h->memory.is_fresh != 0) {
        h->memory.h = h->first_step > 0 ? h->first_step : first_share * fmax(s->end, s->h);
        CAROM_TRY(carom_hybrid_begin(h));
    } else if (s->is_anew) {
        CAROM_TRY(carom_hybrid_begin_anew(h));
    } else {
        CAROM_TRY(carom_hybrid_begin_changed(h));
    }

    // smooth motion to the end of the step or to the first event, and what it costs in energy
    CAROM_TRY(carom_hybrid_advance(h, &crossing));
    if (s->witness) CAROM_TRY(s->witness->moved(s->witness->self, h));
    CAROM_TRY(carom_hybrid_account_energy(h));

    // the event: impact, then which contacts stay closed, stick or slide
    CAROM_TRY(carom_hybrid_meet_event(h, &crossing));
    carom_hybrid_save(h, next);
    s->report.h_next = h->memory.h;
    s->report.evaluations = carom_flow_work(h->flow) - work;
    return CAROM_OK;
}

static bool is_memory(const carom_step *s, const carom_state *state)
{
    return carom_hybrid_is_memory(s->self, state);
}

static const carom_option options[] = {
    {"smooth", CAROM_CHOICE, 0, 0, 0, "phem56|hem5|rkf45|gen_alpha|mexx",
     "the solver between events"},
    {"v_acc", CAROM_REAL, 0, 0, 1e300, NULL,
     "rebound speed at which impacts have accumulated [m/s]; 0 = 1e-8 of the contact's fastest "
     "impact"},
    {"atol", CAROM_REAL, 0, 0, 1e300, NULL,
     "absolute tolerance, in the units of the coordinates; 0 = by the size of each one"},
    {"edge", CAROM_CHOICE, 0, 0, 0, "two_step|one_step|lcp",
     "which patches hold behind the edge of a surface: two Moreau-Jean steps decide, one step (for "
     "study), or the contact problem of all patches that touch"},
    {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, CAROM_NEWMARK_MASK, CAROM_LOOK, CAROM_LOOK_FULL,
                                 CAROM_POWER,      CAROM_SWITCHES,     0};

const carom_scheme carom_scheme_event_driven = {
    .name = "event_driven",
    .about = "event-driven: order 5 between events, impacts and stick-slip located on time",
    .reference = "M. Haddouni et al., Comparison of several formulations and integration methods "
                 "for the resolution of DAEs formulations in event-driven simulation, Multibody "
                 "System Dynamics 41, 2017",
    .order_free = 5,
    .order_contact = 5,
    .level = "velocity",
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_ALL,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .has_contact = true,
    .is_adaptive = true,
    .separates_impact = true,
    .finds_events = true,
    .holds_sides = true,
    .option = options,
    .mask = masks,
    .n_eval = 3,
    .memory = {.n = n_memory, .is_good = is_memory, .forget = carom_hybrid_forget},
    .prepare = prepare,
    .release = release,
    .renew = renew,
    .start = start,
    .step = event_driven_step,
};
