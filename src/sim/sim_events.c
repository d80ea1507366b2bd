// SPDX-License-Identifier: Apache-2.0
// The event log of time stepping. A contact is closed in a step in which it has a normal impulse or
// force:
//
//     close, open   it begins or ends to be closed
//     impact        a closing rate is stopped (newly closed) or reversed (positive after)
//     stick, slip   the impulse leaves or meets the edge of the friction cone while the contact
//                   is closed
//
// "Positive" means more than 1e-9 of the largest rate the contact has had: rounding is not an
// event. Schemes that find events themselves send them through the sink instead.
#include "base/limits.h"
#include "dynamics/law.h"
#include "math/vector.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9;
static const double slow = 1e-6; // of the largest slip rate: where the push is inside it sticks

carom_status carom_sim_send_event(carom_sim *sim, const carom_event *event, carom_error *error)
{
    if (sim->recording.has_events && (double)sim->recording.sent_events.count >= sim->rows.most)
        return carom_limit_fail(error, (carom_place){0}, "the event log has", "rows",
                                sim->rows.most);
    carom_event named = *event;
    const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, event->contact);
    const int home = carom_law_home(facts, event->contact);
    if (named.key == 0) named.key = carom_plan_slot(sim->s.plan, home).key;
    for (int i = 0; i < sim->recording.n; i++) {
        const carom_recorder *to = &sim->recording.item[i];
        if (to->event) CAROM_TRY(to->event(to->self, &named, error));
    }
    if (sim->recording.has_events) carom_stream_add_event(&sim->recording.sent_events, event);
    return CAROM_OK;
}

static inline double length(const double *x, int n)
{
    return n == 0   ? 0
           : n == 1 ? fabs(x[0])
           : n == 2 ? hypot(x[0], x[1])
                    : hypot(hypot(x[0], x[1]), x[2]);
}

// the largest of a scale and the sizes before and after
static inline double widest(double scale, double before, double after)
{
    return carom_vector_larger(scale, carom_vector_larger(before, after));
}

// whether the tangential push stays inside the cone, or nothing slides
static inline int find_grip(const carom_contact_facts *contact, const double *push, double slip,
                            double slip_scale)
{
    if (contact->n_slip == 0 || !(carom_law_is_rough(contact))) return CAROM_GRIP_NONE;
    const bool is_inside =
        length(push + 1, contact->n_slip) < carom_law_limit(contact, push[0]) * (1 - rounding);
    // of two half steps with a friction of their own the push of both is inside, and slips
    const bool is_sure = !contact->varies || slip <= slow * slip_scale;
    return (is_inside && is_sure) || slip <= rounding * slip_scale ? CAROM_GRIP_STICK
                                                                   : CAROM_GRIP_SLIP;
}

// loss of one contact, -P.(gamma+ + gamma-)/2
static double lost_energy(const carom_sim *sim, const carom_contact_facts *contact)
{
    double sum = 0;
    for (int k = contact->row; k <= contact->row + contact->n_slip; k++)
        sum -= sim->next.P[k] * (sim->s.report.rate_after[k] + sim->s.report.rate_before[k]);
    return 0.5 * sum;
}

static carom_status tell_event(carom_sim *sim, carom_event_kind kind, int contact,
                               carom_error *error)
{
    const carom_contact_facts *facts = &sim->s.plan->contact[contact];
    sim->recording.n_event++;
    if (kind == CAROM_IMPACT) carom_sim_rises_step(sim);
    if (!sim->recording.has_events && sim->until.asked.events == 0) return CAROM_OK;
    const carom_event event = {.t = carom_sim_arrival(sim),
                               .contact = contact,
                               .kind = kind,
                               .rate_before = sim->s.report.rate_before[facts->row],
                               .rate_after = sim->s.report.rate_after[facts->row],
                               .P = sim->next.P[facts->row],
                               .energy_lost = lost_energy(sim, facts)};
    carom_sim_note_event(sim, &event);
    return carom_sim_send_event(sim, &event, error);
}

static bool is_impact(const carom_sim *sim, const carom_track *was, const carom_track *track,
                      int row)
{
    const double before = sim->s.report.rate_before[row], after = sim->s.report.rate_after[row];
    const double tiny = rounding * track->rate_scale;
    if (!(sim->next.P[row] > 0) || !(before < -tiny)) return false;
    return !was->is_pushed || sim->scheme->separates_impact || after > tiny;
}

// a contact that was closed is no longer near: its slot is empty, or another one's
static carom_status tell_gone(carom_sim *sim, int contact, carom_error *error)
{
    const carom_event event = {.t = carom_sim_arrival(sim),
                               .contact = contact,
                               .key = sim->now.slot[contact].key,
                               .kind = CAROM_OPEN,
                               .rate_before = NAN,
                               .rate_after = NAN};
    sim->recording.n_event++;
    return sim->recording.has_events ? carom_sim_send_event(sim, &event, error) : CAROM_OK;
}

// compares one contact with the step before
static carom_status look_at_contact(carom_sim *sim, int contact, carom_error *error)
{
    static const carom_track never_seen = {0};
    const carom_contact_facts *facts = &sim->s.plan->contact[contact];
    const carom_step_report *report = &sim->s.report;
    const bool is_other = carom_sim_is_other(sim, carom_law_home(facts, contact));
    const carom_track *was = is_other ? &never_seen : &sim->contacts.track[contact];
    if (is_other && sim->contacts.track[contact].is_pushed && facts->of == 0)
        CAROM_TRY(tell_gone(sim, contact, error));
    carom_track *track = &sim->contacts.next[contact];
    const int row = facts->row;
    track->grip = CAROM_GRIP_NONE;
    track->is_pushed = sim->next.P[row] > 0 || sim->next.la[row] > 0;
    const bool is_disc = carom_law_is_disc(facts); // never opens nor closes
    if (!track->is_pushed)
        return was->is_pushed && !is_disc ? tell_event(sim, CAROM_OPEN, contact, error) : CAROM_OK;

    const double *before = report->rate_before + row, *after = report->rate_after + row;
    track->rate_scale = widest(track->rate_scale, fabs(before[0]), fabs(after[0]));
    const double slip = length(after + 1, facts->n_slip);
    track->slip_scale = widest(track->slip_scale, length(before + 1, facts->n_slip), slip);
    const double *push = sim->next.P[row] > 0 ? sim->next.P + row : sim->next.la + row;
    track->grip = (unsigned char)find_grip(facts, push, slip, track->slip_scale);

    if (!was->is_pushed && !is_disc) CAROM_TRY(tell_event(sim, CAROM_CLOSE, contact, error));
    if (is_impact(sim, was, track, row)) CAROM_TRY(tell_event(sim, CAROM_IMPACT, contact, error));
    if (track->grip == CAROM_GRIP_NONE || track->grip == was->grip) return CAROM_OK;
    return tell_event(sim, track->grip == CAROM_GRIP_STICK ? CAROM_STICK : CAROM_SLIP, contact,
                      error);
}

carom_status carom_sim_events(carom_sim *sim, carom_error *error)
{
    if (sim->scheme->finds_events) return CAROM_OK; // it has sent them
    sim->recording.n_event = 0;
    carom_sim_rises_begin(sim);
    for (int k = 0, n = sim->contacts.n_changing; k < n; k++)
        CAROM_TRY(look_at_contact(sim, sim->contacts.changing[k], error));
    return CAROM_OK;
}

void carom_sim_events_enter(carom_sim *sim, carom_ledger *ledger)
{
    const bool is_seen = !sim->scheme->finds_events;
    for (int k = 0, n = is_seen ? sim->contacts.n_changing : 0; k < n; k++)
        sim->contacts.track[sim->contacts.changing[k]] =
            sim->contacts.next[sim->contacts.changing[k]];
    ledger->counts.events += sim->recording.n_event;
    if (sim->rises.jolt.is_open || sim->rises.n > 0) carom_sim_rises_end(sim, ledger);
}

void carom_sim_events_undo(carom_sim *sim)
{
    memcpy(sim->contacts.next, sim->contacts.track,
           sizeof(carom_track) * (size_t)sim->size.n_contact);
}

static void sink_event(void *self, const carom_event *event)
{
    carom_sim *sim = self;
    sim->recording.n_event++;
    carom_sim_rises_event(sim, event);
    carom_sim_note_event(sim, event);
    if (sim->recording.status == CAROM_OK)
        sim->recording.status = carom_sim_send_event(sim, event, &sim->recording.error);
}

// both sides of an event become rows, unless the output has its own grid
static void sink_state(void *self, const carom_state *state)
{
    carom_sim *sim = self;
    sim->until.before.t = state->t;
    memcpy(sim->until.before.q, state->q, sizeof(double) * (size_t)sim->size.nq);
    memcpy(sim->until.before.u, state->u, sizeof(double) * (size_t)sim->size.nu);
    memcpy(sim->until.before.la, state->la, sizeof(double) * (size_t)sim->size.n_row);
    if (sim->recording.status != CAROM_OK || !sim->recording.has_rows ||
        sim->choice.output_step > 0)
        return;
    memset(sim->rows.P, 0, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    memcpy(sim->rows.P, state->P, sizeof(double) * (size_t)sim->size.n_row);
    sim->rows.last_P = state->P;
    sim->rows.h = state->t - sim->now.t;
    sim->recording.status = carom_sim_write_row(sim, state, &sim->recording.error);
}

carom_sink carom_sim_sink(carom_sim *sim)
{
    return (carom_sink){.self = sim, .event = sink_event, .state = sink_state};
}

const char *carom_event_word(carom_event_kind kind)
{
    static const char *const word[] = {"impact", "open",        "close", "stick",
                                       "slip",   "accumulated", "edge"};
    return (size_t)kind < sizeof word / sizeof *word ? word[kind] : "unknown";
}
