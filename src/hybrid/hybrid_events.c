// SPDX-License-Identifier: Apache-2.0
// What happens at an event: which contacts take part, impact, new modes, and the list of changes.
//
// A rebound slower than v_acc closes the contact at once; the event "accumulated" is placed at the
// end of the geometric tail of impacts that would follow, t + 2 U+/(|a| (1 - e)), with a < 0 the
// acceleration of the open gap.
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void clear_flags(carom_hybrid *h)
{
    const size_t n = (size_t)h->s->size.n_contact;
    h->event.has_jump = h->event.has_drop = h->event.has_stop = h->event.has_edge =
        h->event.has_tear = false;
    memset(h->event.is_in, 0, n);
    memset(h->event.is_dropped, 0, n);
    memset(h->event.stop, 0, sizeof(carom_slip_end) * n);
    memset(h->event.is_torn, 0, n);
    memset(h->event.bounce, 0, sizeof(double) * n);
    memset(h->event.jolt, 0, sizeof(double) * (size_t)h->s->size.nu);
    memcpy(h->event.old_mode, h->memory.contact.mode, sizeof(carom_mode) * n);
}

static carom_status look_at_next(carom_hybrid *h)
{
    return carom_hybrid_look_at(h, h->next.t, h->next.q, h->next.u, true);
}

static bool is_disc(const carom_hybrid *h, int c)
{
    return carom_law_is_disc(carom_plan_contact(h->s->plan, c));
}

// a gap that is none: to rounding; of a new contact also what steps before may have missed
static double touching_gap(const carom_hybrid *h, int c)
{
    return h->memory.contact.is_new[c] ? carom_hybrid_idle_gap(h, c) : carom_hybrid_zero_gap(h, c);
}

// a gap rate that counts as none where one contact takes over from another
static double missed_rate(const carom_hybrid *h, int c)
{
    return fmax(carom_edge_rate(h, c), carom_features_missed_rate(h, c));
}

// closed contacts, those whose gap is zero to rounding, and discs
static carom_status find_touching(carom_hybrid *h)
{
    CAROM_TRY(carom_features_hide_absent(h));
    for (int c = 0; c < h->s->size.n_contact; c++)
        h->event.is_in[c] |=
            carom_hybrid_is_closed(h, c) || is_disc(h, c) || h->seen.gap[c] <= touching_gap(h, c);
    return CAROM_OK;
}

// the state before the event, as a row of the output
static void show_state(carom_hybrid *h)
{
    const carom_state state = {.t = h->next.t,
                               .q = h->next.q,
                               .u = h->next.u,
                               .P = h->zero,
                               .la = h->next.la,
                               .memory = carom_hybrid_write_memory(h),
                               .is_active = h->scratch.is_active};
    for (int c = 0; c < h->s->size.n_contact; c++)
        h->scratch.is_active[c] = carom_hybrid_is_closed(h, c);
    if (h->s->sink.state) h->s->sink.state(h->s->sink.self, &state);
}

// whether something comes closer, beyond rounding
static bool is_approached(carom_hybrid *h)
{
    bool is_hit = false;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const int r = carom_plan_contact(h->s->plan, c)->row;
        is_hit |= h->event.is_in[c] && !carom_hybrid_is_closed(h, c) &&
                  h->seen.gamma[r] < -fmax(carom_hybrid_noise(h, r, r), missed_rate(h, c));
    }
    return is_hit;
}

// contacts that hit are moved to gap 0, then all that touch collide
static carom_status collide_touching(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    for (int c = 0; c < n.n_contact; c++) {
        const int r = carom_plan_contact(h->s->plan, c)->row;
        if (h->event.is_in[c] && h->seen.gamma[r] < 0) h->flow->rows.is_held[r] = 1;
    }
    CAROM_TRY(carom_flow_project(h->flow, &h->next, true, false));
    carom_hybrid_set_rows(h);
    CAROM_TRY(look_at_next(h));
    CAROM_TRY(find_touching(h)); // those that close with them
    return carom_hybrid_impact(h);
}

// contacts that leave are out: only those with gap rate 0 are left to be decided on
static void drop_leaving(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const bool is_still = h->event.old_mode[c] != CAROM_MODE_OPEN && !h->event.has_jump;
        if (!h->event.is_in[c] || is_still) continue;
        const double rate = h->seen.gamma[carom_plan_contact(h->s->plan, c)->row];
        if (rate > fmax(carom_hybrid_slow_rate(h, c), missed_rate(h, c))) h->event.is_in[c] = 0;
    }
}

// length of the geometric tail of contact c, with the accumulating contacts open
static double tail_of(const carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const carom_sparse *W = &h->seen.ev->rows.W;
    double a = h->seen.ev->rows.curvature[facts->row];
    for (int k = W->start[facts->row]; k < W->start[facts->row + 1]; k++)
        a += W->value[k] * h->seen.a[W->index[k]];
    const double factor = carom_law_factor(facts, 0);
    return a < 0 && factor < 1 ? 2 * h->event.bounce[c] / (-a * (1 - factor)) : 0;
}

static bool is_accumulating(const carom_hybrid *h, int c)
{
    const double factor = carom_law_factor(carom_plan_contact(h->s->plan, c), 0);
    const bool is_bouncing = factor > 0 && h->event.bounce[c] > 0;
    return is_bouncing && h->event.old_mode[c] == CAROM_MODE_OPEN && carom_hybrid_is_closed(h, c);
}

static carom_status place_tails(carom_hybrid *h)
{
    bool has_tail = false;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (!is_accumulating(h, c)) continue;
        has_tail = true;
        for (int k = 0; k <= facts->n_slip; k++) h->flow->rows.is_held[facts->row + k] = 0;
    }
    if (!has_tail) return CAROM_OK;
    CAROM_TRY(look_at_next(h));
    // without any held row the acceleration is the free one
    bool is_held = false;
    for (int r = 0; r < h->s->size.n_row; r++) is_held |= h->flow->rows.is_held[r];
    if (!is_held)
        memcpy(h->seen.a, h->event.decision.a_free, sizeof(double) * (size_t)h->s->size.nu);
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (is_accumulating(h, c)) h->memory.contact.close_time[c] = h->next.t + tail_of(h, c);
    carom_hybrid_set_rows(h);
    return look_at_next(h);
}

// a pinned contact does not move
static carom_mode seen_mode(carom_mode mode)
{
    return mode == CAROM_MODE_PINNED ? CAROM_MODE_STICK : mode;
}

static void tell_grip(carom_hybrid *h, int c)
{
    const carom_mode was = seen_mode(h->event.old_mode[c]),
                     is = seen_mode(h->memory.contact.mode[c]);
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    double along = 0;
    for (int k = 1; k <= facts->n_slip; k++)
        along += h->seen.start_direction[facts->row + k] * h->memory.direction[facts->row + k];
    const bool is_turned = was == CAROM_MODE_SLIDE && along < 0;
    if (is == CAROM_MODE_STICK && was != is) carom_hybrid_send_event(h, CAROM_STICK, c);
    if (is == CAROM_MODE_SLIDE && (was != is || is_turned))
        carom_hybrid_send_event(h, CAROM_SLIP, c);
}

// the modes that have changed, and what an open contact starts with
static void tell_changes(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const bool was_closed = h->event.old_mode[c] != CAROM_MODE_OPEN,
                   is_closed = carom_hybrid_is_closed(h, c);
        if (was_closed && !is_closed && !is_disc(h, c)) {
            if (h->memory.contact.close_time[c] > 0)
                carom_hybrid_send_event(h, CAROM_ACCUMULATED, c);
            h->memory.contact.close_time[c] = 0;
            carom_hybrid_send_event(h, CAROM_OPEN, c);
        }
        if (!was_closed && is_closed && !(h->memory.contact.close_time[c] > 0) && !is_disc(h, c))
            carom_hybrid_send_event(h, CAROM_CLOSE, c);
        if (is_closed) tell_grip(h, c);
        h->memory.contact.is_touching[c] = !is_closed && h->event.was_in[c];
        h->memory.contact.slip_scale[c] =
            fmax(h->memory.contact.slip_scale[c], carom_hybrid_slip(h, c));
    }
}

// an impact at the very instant of another event: forces and rates before
// it decide nothing any more
static void forget_crossing(carom_hybrid *h)
{
    const size_t n = (size_t)h->s->size.n_contact;
    h->event.has_drop = h->event.has_stop = h->event.has_tear = false;
    memset(h->event.stop, 0, sizeof(carom_slip_end) * n);
    memset(h->event.is_torn, 0, n);
    if (!h->event.has_edge) memset(h->event.is_dropped, 0, n);
}

// impact where something approaches, then the modes
static carom_status resolve_event(carom_hybrid *h, bool is_hit)
{
    if (is_hit) {
        CAROM_TRY(collide_touching(h));
        forget_crossing(h);
        CAROM_TRY(carom_sides_refresh_pieces(h));
        CAROM_TRY(look_at_next(h));
    }
    memcpy(h->event.was_in, h->event.is_in, (size_t)h->s->size.n_contact);
    drop_leaving(h);
    CAROM_TRY(carom_hybrid_settle_contacts(h));
    CAROM_TRY(place_tails(h));
    tell_changes(h);
    memset(h->memory.contact.is_new, 0, (size_t)h->s->size.n_contact);
    h->memory.has_lost = false;
    const carom_witness *w = h->s->witness;
    return w ? w->settled(w->self, h) : CAROM_OK;
}

carom_status carom_hybrid_begin(carom_hybrid *h)
{
    carom_flow_copy(h->flow, &h->now, &h->next);
    clear_flags(h);
    CAROM_TRY(carom_hybrid_show_crossing(h, NULL));
    CAROM_TRY(carom_edge_begin(h));
    CAROM_TRY(carom_sides_begin(h));
    CAROM_TRY(look_at_next(h));
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (isfinite(h->seen.gap[c])) h->memory.contact.gap_scale[c] = fabs(h->seen.gap[c]);
    CAROM_TRY(find_touching(h));
    CAROM_TRY(resolve_event(h, is_approached(h)));
    carom_flow_copy(h->flow, &h->next, &h->now);
    h->memory.is_fresh = 0;
    return CAROM_OK;
}

carom_status carom_hybrid_begin_anew(carom_hybrid *h)
{
    carom_flow_copy(h->flow, &h->now, &h->next);
    clear_flags(h);
    CAROM_TRY(carom_hybrid_show_crossing(h, NULL));
    CAROM_TRY(carom_sides_begin(h));
    CAROM_TRY(look_at_next(h));
    CAROM_TRY(find_touching(h));
    // obstacles may have got another speed: contacts are decided on as if they had just met
    for (int c = 0; c < h->s->size.n_contact; c++) h->memory.contact.mode[c] = CAROM_MODE_OPEN;
    h->event.has_jump = true;
    CAROM_TRY(resolve_event(h, is_approached(h)));
    carom_flow_copy(h->flow, &h->next, &h->now);
    return CAROM_OK;
}

// whether a new contact touches
static bool has_new_touch(const carom_hybrid *h)
{
    bool has = false;
    for (int c = 0; c < h->s->size.n_contact; c++)
        has |= h->memory.contact.is_new[c] && h->seen.gap[c] <= touching_gap(h, c);
    return has;
}

carom_status carom_hybrid_begin_changed(carom_hybrid *h)
{
    const size_t n = (size_t)h->s->size.n_contact;
    if (!h->memory.has_lost && !memchr(h->memory.contact.is_new, 1, n)) return CAROM_OK;
    carom_flow_copy(h->flow, &h->now, &h->next);
    clear_flags(h);
    CAROM_TRY(look_at_next(h));
    for (size_t c = 0; c < n; c++)
        if (h->memory.contact.is_new[c] && isfinite(h->seen.gap[c]))
            h->memory.contact.gap_scale[c] = fabs(h->seen.gap[c]);
    if (h->memory.has_lost || has_new_touch(h)) {
        carom_hybrid_lose_witness(h, "contacts that come and go");
        CAROM_TRY(find_touching(h));
        CAROM_TRY(resolve_event(h, is_approached(h)));
        carom_flow_copy(h->flow, &h->next, &h->now);
    }
    memset(h->memory.contact.is_new, 0, n);
    return CAROM_OK;
}

// tails of impacts that have ended, in their order
static void end_tails(carom_hybrid *h)
{
    for (;;) {
        int first = -1;
        for (int c = 0; c < h->s->size.n_contact; c++) {
            const double due = h->memory.contact.close_time[c];
            if (!(due > 0) || due > h->next.t) continue;
            if (first < 0 || due < h->memory.contact.close_time[first]) first = c;
        }
        if (first < 0) return;
        const carom_event event = {
            .t = h->memory.contact.close_time[first], .contact = first, .kind = CAROM_ACCUMULATED};
        if (h->s->sink.event) h->s->sink.event(h->s->sink.self, &event);
        h->memory.contact.close_time[first] = 0;
    }
}

// idle contacts that have left in the step
static void open_left(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (h->memory.contact.mode[c] != CAROM_MODE_IDLE) continue;
        if (!(h->seen.gap[c] > carom_hybrid_idle_gap(h, c))) continue;
        h->memory.contact.mode[c] = CAROM_MODE_OPEN;
        carom_hybrid_send_event(h, CAROM_OPEN, c);
    }
}

// Whether an open contact has no gap left. One that is still closing has as long as rounding can
// tell: an impact that came early by as little as 1e-11 of the model would stretch all slower ones
// behind it.
static bool is_touching(const carom_hybrid *h, int c)
{
    const bool is_closing = h->seen.gamma[carom_plan_contact(h->s->plan, c)->row] < 0;
    const double zero = is_closing ? carom_hybrid_rounded_gap(h, c) : carom_hybrid_zero_gap(h, c);
    return !carom_hybrid_is_closed(h, c) && h->seen.gap[c] <= zero;
}

// between events
static void pass_quietly(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++)
        h->memory.contact.is_touching[c] = is_touching(h, c);
    carom_edge_note_patches(h);
}

static carom_status check_progress(carom_hybrid *h, const carom_crossing *it)
{
    const bool is_moving = h->flow->h > 4 * DBL_EPSILON * fabs(h->next.t);
    h->memory.stalled = is_moving ? 0 : h->memory.stalled + 1;
    if (h->memory.stalled <= 50 + 20 * h->s->size.n_contact) return CAROM_OK;
    if (it->kind == CAROM_CROSS_SWITCH)
        return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                          "%g events at t = %.12g without progress: the forces switch to and fro",
                          h->memory.stalled, h->next.t);
    return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                      "%g events at t = %.12g without progress, the last at contact '%s' (a larger "
                      "v_acc may help)",
                      h->memory.stalled, h->next.t,
                      carom_plan_contact(h->s->plan, it->contact)->name);
}

// friction has met its limit: slides against it
static void tear_contact(carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const double *la = h->seen.la + facts->row;
    const double size = facts->n_slip == 1 ? fabs(la[1]) : hypot(la[1], la[2]);
    if (!(size > 0)) return;
    for (int k = 1; k <= facts->n_slip; k++) h->memory.direction[facts->row + k] = -la[k] / size;
    h->event.is_torn[c] = h->event.has_tear = 1;
}

// whether the slip of a contact becomes slower, at the last look
static bool is_braking(const carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    double sum = 0;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        sum += h->seen.gamma[r] * (carom_sparse_row_times(&h->seen.ev->rows.W, r, h->seen.a) +
                                   h->seen.ev->rows.curvature[r]);
    return sum < 0;
}

// Where a step ends between events: a pinned contact that moves (others keep it as well as
// the tolerance allows, and inside a step no better than its dense output), or a slip in
// space that has come to rest as well as the tolerance tells: it need not go through zero,
// and would circle round it.
static int find_unnoticed(const carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_mode mode = h->memory.contact.mode[c];
        const bool is_in_space = carom_plan_contact(h->s->plan, c)->n_slip == 2;
        if (mode == CAROM_MODE_PINNED && carom_hybrid_slip(h, c) > carom_hybrid_missed_slip(h, c))
            return c;
        if (mode == CAROM_MODE_SLIDE && is_in_space && carom_hybrid_is_at_rest(h, c) &&
            is_braking(h, c))
            return c;
    }
    return -1;
}

// a slip rate has gone through zero, or turned by a right angle: does the slip stop?
static carom_status stop_slip(carom_hybrid *h, int c)
{
    bool can = true;
    if (carom_plan_contact(h->s->plan, c)->n_slip == 2) CAROM_TRY(carom_share_can_rest(h, c, &can));
    h->event.stop[c] = can ? CAROM_STOP_REST : CAROM_STOP_MOVED;
    h->event.has_stop = true;
    return CAROM_OK;
}

// a little later, and all modes anew
static carom_status pass_on(carom_hybrid *h)
{
    carom_hybrid_lose_witness(h, "modes that go round in circles");
    CAROM_TRY(carom_hybrid_pass(h));
    CAROM_TRY(look_at_next(h));
    CAROM_TRY(find_touching(h));
    return resolve_event(h, is_approached(h));
}

carom_status carom_hybrid_meet_event(carom_hybrid *h, const carom_crossing *crossing)
{
    const carom_crossing other = {.contact = find_unnoticed(h), .kind = CAROM_CROSS_STOP};
    const bool is_section = crossing->kind == CAROM_CROSS_SECTION && crossing->contact >= 0;
    const carom_crossing *it = crossing->contact < 0 || is_section ? &other : crossing;
    if (h->s->section > 0) carom_section_meet(h, is_section);
    end_tails(h);
    open_left(h);
    if (it->contact < 0) {
        pass_quietly(h);
        return CAROM_OK;
    }
    CAROM_TRY(check_progress(h, it));
    if (it->kind == CAROM_CROSS_FEATURE) {
        carom_hybrid_lose_witness(h, "shapes that touch with other features");
        pass_quietly(h);
        return carom_features_meet_change(h, it->contact);
    }
    clear_flags(h);
    show_state(h);
    // what the solver lets drift must not decide on what leaves
    CAROM_TRY(carom_flow_project(h->flow, &h->next, true, true));
    CAROM_TRY(carom_hybrid_show_crossing(h, it));
    if (it->kind == CAROM_CROSS_SWITCH)
        CAROM_TRY(carom_sides_cross_switch(h, it->contact - h->s->size.n_contact));
    CAROM_TRY(look_at_next(h));
    CAROM_TRY(find_touching(h));
    if (it->kind == CAROM_CROSS_SWITCH) return resolve_event(h, is_approached(h));
    if (carom_hybrid_is_stuck(h)) return pass_on(h);
    h->event.is_in[it->contact] = 1;
    if (it->kind == CAROM_CROSS_RELEASE) h->event.is_dropped[it->contact] = h->event.has_drop = 1;
    if (it->kind == CAROM_CROSS_STOP) CAROM_TRY(stop_slip(h, it->contact));
    if (it->kind == CAROM_CROSS_GRIP) tear_contact(h, it->contact);
    carom_edge_note_patches(h);
    if (it->kind == CAROM_CROSS_EDGE) CAROM_TRY(carom_edge_meet_event(h, it->contact));
    if (it->kind == CAROM_CROSS_JAM) {
        const carom_status status = carom_hybrid_seize_contact(h, it->contact);
        if (status == CAROM_NOT_CONVERGED && carom_hybrid_can_pass(h)) return pass_on(h);
        CAROM_TRY(status);
        carom_hybrid_set_rows(h);
        CAROM_TRY(look_at_next(h));
    }
    return resolve_event(h, is_approached(h));
}
