// SPDX-License-Identifier: Apache-2.0
// One step and the loop around it: the scheme makes next from now; audit, events and row look at
// it; only when all went well does next become now.
//
//     advance     h from the grid or the step control; scheme->step(now -> next); all finite?
//     look        what the audit has to know of next: gaps, work, contacts (contacts/touch.c)
//     enter       events, audit, row; the audit on a copy of the ledger where a row is sent
//     commit      swap(now, next), the copy becomes the ledger
//
// On failure state and audit are as before, and the message says where it happened.
//
// Most steps are quiet: of fixed length, nothing touches or has touched, and neither a row nor a
// look at the energy is due. Once the audit has asked the model, nothing of such a step can fail,
// and it is entered at once. Of a loud step nothing can fail once its events are sent, but a row.
// Which steps may be quiet is known before they are taken (grid.quiet_until): they are whole, none
// is the last, and nothing but contacts can make them loud.
#include "base/need.h"
#include "contact/solver.h"
#include "dynamics/active.h"
#include "dynamics/contact_blocks.h"
#include "math/vector.h"
#include "model/model.h"
#include "sim/audit.h"
#include "sim/contacts/start_coefficients.h"
#include "sim/sim_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_COORDINATES = 4, MAX_STRIDE = 1 << 16 };
static const double tick_seconds = 0.05;

// "x = 1, der(x) = -2, ..." of the state before the step
static void describe_state(const carom_sim *sim, char *text, size_t room)
{
    const carom_state *now = &sim->now;
    size_t used = 0;
    for (int i = 0; i < sim->size.nq && i < SHOWN_COORDINATES; i++) {
        const char *name = carom_model_coordinate_name(sim->model, i);
        int n = snprintf(text + used, room - used, "%s%s = %.9g", i ? ", " : "", name, now->q[i]);
        if (n > 0 && used + (size_t)n < room) used += (size_t)n;
        if (i >= sim->size.nu) continue;
        n = snprintf(text + used, room - used, ", %s = %.9g",
                     carom_model_velocity_name(sim->model, i), now->u[i]);
        if (n > 0 && used + (size_t)n < room) used += (size_t)n;
    }
    if (sim->size.nq > SHOWN_COORDINATES) snprintf(text + used, room - used, ", ...");
}

static carom_status explain(const carom_sim *sim, carom_status status, carom_error *error)
{
    char state[400] = "";
    const char *why = sim->trouble.message[0] ? sim->trouble.message : "the scheme gave up";
    describe_state(sim, state, sizeof state);
    return carom_fail(error, status, "step %ld from t = %.9g failed: %.500s; the state there: %s",
                      sim->ledger->counts.steps + 1, sim->now.t, why, state);
}

static carom_status blame(carom_sim *sim, const carom_state *next)
{
    for (int i = 0; i < sim->size.nq; i++)
        if (!isfinite(next->q[i]))
            return carom_fail(&sim->trouble, CAROM_NOT_FINITE, "%s became %g",
                              carom_model_coordinate_name(sim->model, i), next->q[i]);
    for (int i = 0; i < sim->size.nu; i++)
        if (!isfinite(next->u[i]))
            return carom_fail(&sim->trouble, CAROM_NOT_FINITE, "%s became %g",
                              carom_model_velocity_name(sim->model, i), next->u[i]);
    return CAROM_OK;
}

// Field by field: of a literal for the whole compilers make one slow string instruction.
static void clear_report(carom_step_report *r, double h)
{
    r->h_used = h;
    r->h_next = r->error = r->residual = r->cone = 0;
    r->is_converged = true;
    r->is_ambiguous = false;
    r->has_impact = r->has_contact = r->has_applied_work = false;
    r->iterations = r->rejected = r->crossed = 0;
    r->evaluations = 0;
    r->impact_loss = r->friction_loss = r->obstacle_work = r->applied_work = 0;
}

void carom_sim_clear_report(carom_sim *sim)
{
    carom_step_report *report = &sim->s.report;
    memset(report->rate_before, 0, 2 * sizeof(double) * (size_t)sim->size.n_row);
    clear_report(report, sim->s.h);
}

static carom_status choose_contacts(carom_sim *sim, const carom_state *from, carom_state *to)
{
    CAROM_TRY(carom_sim_choose_slots(sim, from, to));
    CAROM_TRY(carom_sim_choose_patches(sim, from, &sim->trouble));
    return carom_sim_choose_coefficients(sim, sim->contacts.from, &sim->trouble);
}

// whether a contact took part in the step: marks lie at the end of a state, eight in a word, and
// few models have more
static inline bool has_contact(const carom_sim *sim, const carom_state *to)
{
    const double *marks = (const double *)(const void *)to->is_active;
    uint64_t any = sim->s.report.has_contact | carom_vector_bits(marks);
    for (int w = 1, n = sim->bytes.n_mark_word; w < n; w++) any |= carom_vector_bits(marks + w);
    return any != 0;
}

// lengths that the compiler knows are faster than a call
static inline void copy_state(const carom_sim *sim, const carom_state *from, carom_state *to)
{
    const size_t n = sim->bytes.state / sizeof(double);
    if (n <= CAROM_TINY_STATE)
        memcpy(to->q, from->q, CAROM_TINY_STATE * sizeof(double));
    else if (n <= CAROM_SHORT_STATE)
        memcpy(to->q, from->q, CAROM_SHORT_STATE * sizeof(double));
    else
        memcpy(to->q, from->q, sim->bytes.state);
}

// the new state starts as a copy: whatever a scheme does not write is the same in every run, also
// after a restart; has_rows: also where nothing touches
static inline __attribute__((always_inline)) carom_status try_step(carom_sim *sim,
                                                                   const carom_state *from,
                                                                   carom_state *to, double h,
                                                                   bool has_rows)
{
    carom_step_report *report = &sim->s.report;
    copy_state(sim, from, to);
    to->t = from->t + h;
    if (sim->contacts.is_touching) // in the step before
        memset(report->rate_before, 0, 2 * sizeof(double) * (size_t)sim->size.n_row);
    sim->contacts.is_touching = true; // for all that a step which fails may have written
    clear_report(report, h);
    sim->s.h = h;
    sim->trouble.status = CAROM_OK;
    sim->trouble.message[0] = 0;
    if (sim->is.chooses_contacts) {
        CAROM_TRY(choose_contacts(sim, from, to));
        CAROM_TRY(carom_sim_step_with_coefficients(sim, sim->contacts.from, to));
    } else {
        CAROM_TRY(sim->scheme->step(&sim->s, from, to));
    }
    sim->contacts.is_touching = has_rows || has_contact(sim, to);
    return carom_vector_is_finite(to->q, sim->size.nq + sim->size.nu) ? CAROM_OK : blame(sim, to);
}

carom_status carom_sim_try_step(carom_sim *sim, const carom_state *from, carom_state *to, double h)
{
    return try_step(sim, from, to, h, carom_active_always(&sim->size));
}

carom_status carom_sim_check_advance(carom_sim *sim, double h)
{
    if (sim->now.t + h > sim->now.t) return CAROM_OK;
    sim->trouble = (carom_error){0};
    return carom_fail(&sim->trouble, CAROM_NOT_CONVERGED,
                      "a step of %.3g s is lost in the rounding of t = %.17g: time cannot advance "
                      "(take a larger tolerance)",
                      h, sim->now.t);
}

// for the scheme's own events and the step control
static void begin(carom_sim *sim)
{
    if (sim->control) memcpy(sim->next_ledger, sim->ledger, sim->bytes.ledger);
    if (!sim->scheme->finds_events) return;
    sim->recording.error.status = CAROM_OK;
    sim->recording.n_event = 0;
    carom_sim_rises_begin(sim);
    sim->recording.status = CAROM_OK;
}

// a step whose length, or whose events, the scheme or the step control find
static carom_status advance_freely(carom_sim *sim)
{
    begin(sim);
    const double h = carom_sim_next_h(sim);
    if (!sim->control) CAROM_TRY(carom_sim_check_advance(sim, h));
    if (sim->schedule) carom_schedule_open(sim, h);
    const carom_status status = sim->control ? carom_sim_auto_step(sim, sim->next_ledger)
                                             : carom_sim_try_step(sim, &sim->now, &sim->next, h);
    if (sim->schedule) carom_schedule_close(sim);
    return status;
}

// the scheme's step and what the audit has to know of it; messages go to sim->trouble
static carom_status advance(carom_sim *sim)
{
    CAROM_TRY(sim->is.on_its_own
                  ? advance_freely(sim)
                  : carom_sim_try_step(sim, &sim->now, &sim->next, carom_sim_next_h(sim)));
    carom_sim_land_on_grid(sim, &sim->next);
    return carom_audit_look_at_next(sim);
}

// the same for a step that may be quiet
static inline __attribute__((always_inline)) carom_status advance_plainly(carom_sim *sim)
{
    CAROM_TRY(try_step(sim, &sim->now, &sim->next, sim->choice.step, false));
    sim->next.t = sim->ledger->base + (double)(sim->ledger->done + 1) * sim->choice.step;
    return carom_audit_look_at_next(sim);
}

// the next step; it then is not the last one
static inline bool may_be_quiet(const carom_sim *sim)
{
    return sim->ledger->done + 1 < sim->grid.quiet_until;
}

static inline void swap_states(carom_sim *sim)
{
    const carom_state next = sim->next;
    sim->next = sim->now;
    sim->now = next;
}

// whether contacts that took part in the step did nothing
static bool is_idle(const carom_sim *sim)
{
    const carom_step_report *report = &sim->s.report;
    const int n = sim->size.n_row;
    return !report->has_contact && !report->is_ambiguous && carom_vector_is_zero(n, sim->next.P) &&
           carom_vector_is_zero(n, sim->next.la);
}

// enters a step that may be quiet, if it is
static inline bool enter_quietly(carom_sim *sim)
{
    carom_ledger *ledger = sim->ledger;
    if (ledger->is_pushed) return false;
    if (sim->contacts.is_touching && !is_idle(sim)) return false;
    const long step = ledger->counts.steps + 1;
    const bool is_row = sim->choice.every == 1 || step % sim->choice.every == 0; // dividing is slow
    if (is_row && (sim->recording.has_rows || sim->rows.has_pending)) return false;
    if (sim->size.n_contact > 0) {
        const double least = carom_audit_least(sim, sim->contacts.seen);
        // beside a contact that leaves, which is deep still, others are looked at one by one
        if (carom_sim_gap_plunges(least, sim->contacts.least) &&
            (least >= 0 || carom_sim_some_plunge(sim)))
            return false;
        sim->contacts.least = least;
        carom_audit_enter_least(sim->contacts.seen, least, sim->next.t, ledger);
    }
    carom_audit_enter_free(sim, ledger);
    if (is_row) ledger->row_step = step;
    swap_states(sim);
    return true;
}

// the impulses since the last row
static void add_pending(carom_sim *sim, const carom_ledger *ledger)
{
    const bool has_row = ledger->row_step == ledger->counts.steps;
    double *pending = sim->rows.pending;
    const double *P = sim->next.P;
    const int n = sim->size.n_row;
    if (!has_row)
        for (int i = 0; i < n; i++) pending[i] += P[i];
    else if (sim->rows.has_pending)
        memset(pending, 0, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    if (!has_row && sim->size.n_reaction > 0) carom_sim_pend_reactions(sim);
    sim->rows.has_pending = !has_row;
}

static void note_sent(const carom_sim_recording *recording, carom_ledger *ledger)
{
    if (recording->has_rows) ledger->rows = recording->sent_rows;
    if (recording->has_events) ledger->events = recording->sent_events;
    if (recording->has_lines) ledger->lines = recording->sent_lines;
}

// what the step leaves behind becomes the present
static void commit(carom_sim *sim, carom_ledger *ledger)
{
    if (sim->now.slot) carom_sim_enter_slots(sim);
    add_pending(sim, ledger);
    sim->rows.last_h = sim->next.t - sim->now.t;
    swap_states(sim);
    if (sim->recording.n > 0) note_sent(&sim->recording, ledger);
    if (ledger != sim->ledger) {
        sim->next_ledger = sim->ledger;
        sim->ledger = ledger;
    }
    sim->s.residual_seen = ledger->worst.residual;
    if (sim->control) carom_sim_commit_control(sim);
    // the grid of a run that ended in a shorter step starts anew at the end
    if (sim->is.is_whole || sim->is.has_free_steps || ledger->done > 0) return;
    sim->grid.n_step = 0;
    carom_sim_plan_quiet(sim);
}

// Step control has made a copy of its own. Of the rest only a row that is sent after the audit can
// fail.
static inline carom_ledger *ledger_to_enter(const carom_sim *sim, bool is_row_sent)
{
    if (sim->control) return sim->next_ledger;
    if (!is_row_sent) return sim->ledger;
    // a size that compilers do not know: faster
    memcpy(sim->next_ledger, sim->ledger, sim->bytes.ledger);
    return sim->next_ledger;
}

static inline carom_status enter(carom_sim *sim, carom_error *error)
{
    if (sim->recording.status != CAROM_OK) {
        if (error) *error = sim->recording.error;
        return sim->recording.status;
    }
    CAROM_TRY(carom_sim_events(sim, error));
    const bool is_row = carom_sim_row_is_due(sim), is_sent = is_row && sim->recording.has_rows;
    carom_ledger *ledger = ledger_to_enter(sim, is_sent);
    carom_sim_audit_enter(sim, ledger);
    carom_sim_arrive(sim, &sim->next, ledger);
    if (is_sent) CAROM_TRY(carom_sim_write_next(sim, error));
    if (is_row) ledger->row_step = ledger->counts.steps;
    const bool is_looked_at = ledger->counts.steps >= ledger->look;
    if (is_looked_at) carom_sim_look_at_energy(sim, ledger);
    carom_sim_events_enter(sim, ledger);
    commit(sim, ledger);
    if (is_looked_at) carom_sim_plan_quiet(sim);
    return CAROM_OK;
}

static __attribute__((noinline)) carom_status enter_loudly(carom_sim *sim, carom_error *error)
{
    if (sim->now.slot) carom_sim_forget_tracks(sim);
    const carom_status heeded = carom_sim_heed_contacts(sim);
    if (heeded != CAROM_OK) return explain(sim, heeded, error);
    const carom_status status = enter(sim, error);
    if (status != CAROM_OK) carom_sim_events_undo(sim);
    return status;
}

static __attribute__((noinline)) carom_status take_loud_step(carom_sim *sim, carom_error *error)
{
    const carom_status status = advance(sim);
    return status == CAROM_OK ? enter_loudly(sim, error) : explain(sim, status, error);
}

static inline __attribute__((always_inline)) carom_status take_step(carom_sim *sim,
                                                                    carom_error *error)
{
    sim->s.error = &sim->trouble;
    if (!may_be_quiet(sim)) return take_loud_step(sim, error);
    const carom_status status = advance_plainly(sim);
    if (status != CAROM_OK) return explain(sim, status, error);
    return enter_quietly(sim) ? CAROM_OK : enter_loudly(sim, error);
}

carom_status carom_sim_step(carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    if (carom_sim_is_done(sim))
        return carom_fail(error, CAROM_BUG, "the run has reached its end, t = %.9g", sim->now.t);
    if (sim->recording.needs_opening) carom_sim_open_recording(sim);
    CAROM_TRY(carom_sim_write_start(sim, error));
    CAROM_TRY(take_step(sim, error));
    return carom_sim_is_done(sim) ? carom_sim_write_cut(sim, error) : CAROM_OK;
}

// looks at the clock so seldom that it costs nothing, and so often that ticks come in time
static carom_status look_at_clock(carom_sim *sim, carom_error *error)
{
    const bool is_watched = sim->clock.watch.tick;
    const double now = is_watched ? carom_clock_wall() : 0, passed = now - sim->clock.last_look;
    if (passed < 0.2 * tick_seconds && sim->clock.stride < MAX_STRIDE) sim->clock.stride *= 2;
    if (passed > tick_seconds && sim->clock.stride > 1) sim->clock.stride /= 2;
    sim->clock.until_look = sim->clock.stride;
    sim->clock.last_look = now;
    if (!is_watched || now - sim->clock.last_tick < tick_seconds) return CAROM_OK;
    sim->clock.last_tick = now;
    if (!sim->clock.watch.tick(sim->clock.watch.self, sim->now.t, sim->choice.end,
                               sim->ledger->counts.steps))
        return CAROM_OK;
    return carom_fail(error, CAROM_STOPPED, "stopped at t = %.9g", sim->now.t);
}

// the processor's clock is slow to read: it is read once for a run, and shared
// out by the wall clock
static void share_time(carom_sim *sim, double processor, double wall)
{
    const double share = wall > sim->clock.row_seconds ? sim->clock.row_seconds / wall : 1;
    sim->clock.times.output += processor * share;
    sim->clock.times.stepping += processor * (1 - share);
}

carom_status carom_sim_run(carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    const double processor = carom_clock_processor(), wall = carom_clock_wall();
    sim->clock.last_tick = sim->clock.last_look = wall;
    sim->clock.row_seconds = 0;
    if (sim->recording.needs_opening) carom_sim_open_recording(sim);
    carom_status status = carom_sim_write_start(sim, error);
    while (status == CAROM_OK &&
           (may_be_quiet(sim) || !carom_sim_is_at_end(sim, sim->now.t, sim->ledger))) {
        status = take_step(sim, error);
        if (--sim->clock.until_look <= 0 && status == CAROM_OK) status = look_at_clock(sim, error);
    }
    // the end is shown, and of a run that is cut off the last state it reached
    if (status == CAROM_OK)
        status = carom_sim_write_cut(sim, error);
    else if (status != CAROM_IO)
        carom_sim_write_cut(sim, NULL);
    share_time(sim, carom_clock_processor() - processor, carom_clock_wall() - wall);
    return status;
}

const carom_state *carom_sim_state(const carom_sim *sim)
{
    return sim ? &sim->now : NULL;
}

bool carom_sim_is_done(const carom_sim *sim)
{
    return !sim || carom_sim_is_at_end(sim, sim->now.t, sim->ledger);
}

carom_counts carom_sim_counts(const carom_sim *sim)
{
    return sim ? sim->ledger->counts : (carom_counts){0};
}

carom_times carom_sim_times(const carom_sim *sim)
{
    if (!sim) return (carom_times){0};
    carom_times times = sim->clock.times;
    times.contact = carom_contact_solver_seconds(carom_contacts_solver(sim->s.contacts));
    return times;
}

bool carom_sim_native(const carom_sim *sim, const char **why)
{
    if (why) *why = sim ? sim->native.refusal.message : "";
    return sim && sim->native.is_used;
}

const char *carom_sim_scheme(const carom_sim *sim)
{
    return sim ? sim->scheme->name : NULL;
}

const char *carom_sim_solver(const carom_sim *sim)
{
    return sim ? sim->choice.solver : NULL;
}

void carom_sim_set_watch(carom_sim *sim, carom_watch watch)
{
    if (!sim) return;
    sim->clock.watch = watch;
    sim->clock.stride = sim->clock.until_look = 1;
}
