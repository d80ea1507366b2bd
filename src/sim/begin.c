// SPDX-License-Identifier: Apache-2.0
// A run begins: at t = 0 from the start, with nothing counted and nothing remembered. A simulation
// that has run begins again in the memory it has, also with other values of live parameters: what
// it does then is, bit for bit, what a new one would do.
#include "base/need.h"
#include "dynamics/contact_blocks.h"
#include "math/vector.h"
#include "model/model.h"
#include "sim/auto/auto_step.h"
#include "sim/contacts/start_coefficients.h"

#include <math.h>
#include <string.h>

static void clear_state(const carom_sim *sim, carom_state *state)
{
    state->t = 0;
    memset(state->q, 0, sim->bytes.state);
}

// what the last step left behind
static void forget_step(carom_sim *sim)
{
    carom_step_report *report = &sim->s.report;
    double *before = report->rate_before, *after = report->rate_after;
    memset(before, 0, 2 * sizeof(double) * (size_t)sim->size.n_row);
    *report = (carom_step_report){.rate_before = before, .rate_after = after};
    sim->s.residual_seen = 0;
    sim->s.is_anew = false;
    sim->s.h = sim->choice.step;
    sim->contacts.touch = (carom_touch){0};
    sim->contacts.n_changing = sim->contacts.n_changed = 0;
    sim->contacts.is_touching = false;
    sim->contacts.seen = NULL;
    sim->contacts.least = 0;
    sim->energy.worked[0] = sim->energy.worked[1] = 0;
    sim->rises = (carom_sim_rises){0};
    sim->recording.n_event = 0;
    sim->recording.status = CAROM_OK;
    sim->trouble = sim->recording.error = (carom_error){0};
}

// all that is counted, and what recorders are owed
static void forget_run(carom_sim *sim)
{
    carom_sim_recording *recording = &sim->recording;
    const size_t n_contact = (size_t)sim->size.n_contact,
                 pending = (size_t)carom_sim_n_pending(sim);
    *sim->ledger = *sim->next_ledger = (carom_ledger){0};
    sim->energy.start = sim->energy.rheonomic_start = 0;
    memset(sim->contacts.track, 0, sizeof(carom_track) * n_contact);
    memset(sim->contacts.next, 0, sizeof(carom_track) * n_contact);
    memset(sim->contacts.last_gap, 0, sizeof(double) * n_contact);
    memset(sim->rows.pending, 0, sizeof(double) * pending);
    memset(sim->rows.P, 0, sizeof(double) * pending);
    sim->rows.h = sim->rows.last_h = 0;
    sim->rows.has_pending = sim->rows.has_first_la = false;
    sim->rows.n_written = 0;
    sim->rows.needs_start = recording->needs_opening = true;
    recording->sent_rows = recording->sent_events = recording->sent_lines = (carom_stream){0};
    recording->is_restarted = false;
    recording->continues_rows = recording->continues_events = false;
    recording->has_new_rows = recording->has_new_events = false;
    sim->clock.stride = sim->clock.until_look = 1;
}

static void set_start(carom_sim *sim)
{
    const carom_moment *from = &sim->start.from;
    const double *q = from->q ? from->q : carom_plan_start_q(sim->s.plan);
    const double *u = from->q ? from->u : carom_plan_start_u(sim->s.plan);
    clear_state(sim, &sim->now);
    clear_state(sim, &sim->next);
    for (int i = 0; i < sim->size.nq; i++) sim->now.q[i] = q[i];
    for (int i = 0; i < sim->size.nu; i++) sim->now.u[i] = u[i];
    if (!from->q) return;
    sim->now.t = sim->ledger->base = from->t;
    if (sim->choice.output_step > 0)
        sim->ledger->grid = (long)floor(from->t / sim->choice.output_step);
}

// a state that is given is no start of the model: contacts and constraints are looked at here
static carom_status check_given(const carom_sim *sim, carom_error *error)
{
    const carom_worst *worst = &sim->ledger->worst;
    const double size = sim->start.facts.size;
    if (!sim->start.allows_penetration && -worst->min_gap > CAROM_DEEP * size)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' is %.6g m deep at the state given for t = %g, in a model of "
            "size %.3g m",
            sim->s.plan->contact[worst->min_gap_contact].name, -worst->min_gap, sim->now.t, size);
    if (worst->max_drift <= CAROM_DEEP * fmax(size, 1)) return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the state given for t = %g does not satisfy the constraint '%s', which is %g", sim->now.t,
        carom_model_constraint_name(sim->model, (int)worst->drift_constraint), worst->max_drift);
}

carom_status carom_sim_begin(carom_sim *sim, carom_error *error)
{
    carom_step *s = &sim->s;
    forget_step(sim);
    forget_run(sim);
    carom_sim_forget_crossing(sim);
    set_start(sim);
    s->error = error;
    CAROM_TRY(carom_sim_plan_grid(sim, error));
    if (sim->control) CAROM_TRY(carom_sim_begin_control(sim, error));
    CAROM_TRY(carom_sim_begin_slots(sim, 0, error));
    CAROM_TRY(carom_sim_choose_patches(sim, &sim->now, error));
    CAROM_TRY(carom_sim_choose_coefficients(sim, &sim->now, error));
    CAROM_TRY(carom_sim_heed_start(sim, error));
    if (sim->scheme->start) CAROM_TRY(sim->scheme->start(s, &sim->now));
    CAROM_TRY(carom_sim_audit_start(sim, error));
    carom_sim_plan_quiet(sim);
    return sim->start.from.q ? check_given(sim, error) : carom_sim_check_start(sim, error);
}

// with whatever values the plan has
static carom_status begin_again(carom_sim *sim, carom_error *error)
{
    carom_step *s = &sim->s;
    s->error = error;
    carom_contacts_follow(s->contacts, s->plan);
    carom_plan_between(s->plan, -INFINITY, INFINITY);
    if (sim->start.look) {
        CAROM_TRY(carom_sim_check_laws(sim, error));
        if (!sim->start.from.q) {
            CAROM_TRY(carom_plan_check_start(sim->start.look, error));
            sim->start.facts = sim->start.look->facts;
        }
        carom_sim_rename(sim);
    }
    CAROM_TRY(carom_sim_foresee_again(sim, sim->start.from.q ? sim->start.from.t : 0, error));
    forget_step(sim);
    if (sim->scheme->renew) CAROM_TRY(sim->scheme->renew(s));
    CAROM_TRY(carom_sim_begin(sim, error));
    return sim->recording.has_rows ? carom_sim_find_first_forces(sim, error) : CAROM_OK;
}

carom_status carom_sim_reset(carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    sim->start.from.q = NULL;
    return begin_again(sim, error);
}

// with the values that were set, or else with the former ones from the model's start
static carom_status begin_or_go_back(carom_sim *sim, bool has_values, carom_error *error)
{
    const carom_status status = begin_again(sim, error);
    if (status == CAROM_OK) return CAROM_OK;
    if (has_values) carom_plan_unset(sim->s.plan);
    sim->start.from.q = NULL;
    (void)begin_again(sim, NULL); // that went well before
    return status;
}

carom_status carom_sim_set_parameters(carom_sim *sim, const carom_parameter *value, int n,
                                      carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_TRY(carom_plan_set(sim->s.plan, value, n, error));
    sim->start.from.q = NULL;
    return begin_or_go_back(sim, true, error);
}

carom_status carom_sim_start_from(carom_sim *sim, const carom_moment *from,
                                  const carom_parameter *value, int n, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, from);
    CAROM_NEED(error, from->q);
    CAROM_NEED(error, from->u);
    CAROM_NEED_ARRAY(error, value, n);
    if (!isfinite(from->t) || from->t >= sim->choice.end)
        return carom_fail(error, CAROM_BAD_INPUT, "t = %g is not before the end, t = %g", from->t,
                          sim->choice.end);
    if (!carom_vector_is_finite(from->q, sim->size.nq) ||
        !carom_vector_is_finite(from->u, sim->size.nu))
        return carom_fail(error, CAROM_BAD_INPUT, "the state given for t = %g is not finite",
                          from->t);
    if (n > 0) CAROM_TRY(carom_plan_set(sim->s.plan, value, n, error));
    sim->start.from = *from;
    const carom_status status = begin_or_go_back(sim, n > 0, error);
    sim->start.from.q = NULL; // borrowed
    return status;
}

double carom_sim_parameter(const carom_sim *sim, const char *name)
{
    return carom_plan_parameter(sim ? sim->s.plan : NULL, name);
}
