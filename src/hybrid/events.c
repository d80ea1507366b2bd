// SPDX-License-Identifier: Apache-2.0
// What happens at an event: which contacts take part, impact, new modes, and the list of changes.
//
// A rebound slower than v_acc closes the contact at once; the event "accumulated" is placed at the
// end of the geometric tail of impacts that would follow, t + 2 U+/(|a| (1 - e)), with a < 0 the
// acceleration of the open gap.
#include "hybrid/hybrid.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void clear_flags(carom_hybrid *h)
{
    const size_t n = (size_t)h->s->size.n_contact;
    h->has_jump = h->has_drop = h->has_stop = h->has_edge = h->has_tear = false;
    memset(h->is_in, 0, n);
    memset(h->is_dropped, 0, n);
    memset(h->is_stopped, 0, n);
    memset(h->is_torn, 0, n);
    memset(h->bounce, 0, sizeof(double) * n);
    memset(h->jolt, 0, sizeof(double) * (size_t)h->s->size.nu);
    memcpy(h->old_mode, h->contact.mode, sizeof(double) * n);
}

static carom_status look_at_next(carom_hybrid *h)
{
    return carom_hybrid_look_at(h, h->next.t, h->next.q, h->next.u, true);
}

// closed contacts and those whose gap is zero to rounding
static void find_touching(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++)
        h->is_in[c] |= carom_hybrid_is_closed(h, c) || h->gap[c] <= carom_hybrid_zero_gap(h, c);
}

// the state before the event, as a row of the output
static void show_state(carom_hybrid *h)
{
    const carom_state state = {.t = h->next.t,
                               .q = h->next.q,
                               .u = h->next.u,
                               .P = h->zero,
                               .la = h->next.la,
                               .memory = h->block,
                               .is_active = h->is_active};
    for (int c = 0; c < h->s->size.n_contact; c++) h->is_active[c] = carom_hybrid_is_closed(h, c);
    if (h->s->sink.state) h->s->sink.state(h->s->sink.self, &state);
}

// whether something comes closer, beyond rounding
static bool is_approached(carom_hybrid *h)
{
    bool is_hit = false;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const int r = carom_model_contact(h->s->model, c)->row;
        is_hit |= h->is_in[c] && !carom_hybrid_is_closed(h, c) &&
                  h->gamma[r] < -fmax(carom_hybrid_noise(h, r, r), carom_edge_rate(h, c));
    }
    return is_hit;
}

// contacts that hit are moved to gap 0, then all that touch collide
static carom_status collide_touching(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    for (int c = 0; c < n.n_contact; c++) {
        const int r = carom_model_contact(h->s->model, c)->row;
        if (h->is_in[c] && h->gamma[r] < 0) h->flow->rows.is_held[r] = 1;
    }
    CAROM_TRY(carom_flow_project(h->flow, &h->next, true, false));
    carom_hybrid_set_rows(h);
    CAROM_TRY(look_at_next(h));
    find_touching(h); // those that close with them
    return carom_hybrid_impact(h);
}

// contacts that leave are out: only those with gap rate 0 are left to be decided on
static void drop_leaving(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const bool is_still = h->old_mode[c] != CAROM_MODE_OPEN && !h->has_jump;
        if (!h->is_in[c] || is_still) continue;
        const double rate = h->gamma[carom_model_contact(h->s->model, c)->row];
        if (rate > fmax(carom_hybrid_slow_rate(h, c), carom_edge_rate(h, c))) h->is_in[c] = 0;
    }
}

// length of the geometric tail of contact c, with the accumulating contacts open
static double tail_of(const carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
    const carom_sparse *W = &h->ev->W;
    double a = h->ev->curvature[facts->row];
    for (int k = W->start[facts->row]; k < W->start[facts->row + 1]; k++)
        a += W->value[k] * h->a[W->index[k]];
    return a < 0 && facts->e < 1 ? 2 * h->bounce[c] / (-a * (1 - facts->e)) : 0;
}

static bool is_accumulating(const carom_hybrid *h, int c)
{
    const bool is_bouncing = carom_model_contact(h->s->model, c)->e > 0 && h->bounce[c] > 0;
    return is_bouncing && h->old_mode[c] == CAROM_MODE_OPEN && carom_hybrid_is_closed(h, c);
}

static carom_status place_tails(carom_hybrid *h)
{
    bool has_tail = false;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
        if (!is_accumulating(h, c)) continue;
        has_tail = true;
        for (int k = 0; k <= facts->n_slip; k++) h->flow->rows.is_held[facts->row + k] = 0;
    }
    if (!has_tail) return CAROM_OK;
    CAROM_TRY(look_at_next(h));
    // without any held row the acceleration is the free one
    bool is_held = false;
    for (int r = 0; r < h->s->size.n_row; r++) is_held |= h->flow->rows.is_held[r];
    if (!is_held) memcpy(h->a, h->decision.a_free, sizeof(double) * (size_t)h->s->size.nu);
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (is_accumulating(h, c)) h->contact.close_time[c] = h->next.t + tail_of(h, c);
    carom_hybrid_set_rows(h);
    return look_at_next(h);
}

// a pinned contact does not move
static carom_mode seen_mode(double mode)
{
    return mode == CAROM_MODE_PINNED ? CAROM_MODE_STICK : (carom_mode)mode;
}

static void tell_grip(carom_hybrid *h, int c)
{
    const carom_mode was = seen_mode(h->old_mode[c]), is = seen_mode(h->contact.mode[c]);
    const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
    double along = 0;
    for (int k = 1; k <= facts->n_slip; k++)
        along += h->start_direction[facts->row + k] * h->direction[facts->row + k];
    const bool is_turned = was == CAROM_MODE_SLIDE && along < 0;
    if (is == CAROM_MODE_STICK && was != is) carom_hybrid_send_event(h, CAROM_STICK, c);
    if (is == CAROM_MODE_SLIDE && (was != is || is_turned))
        carom_hybrid_send_event(h, CAROM_SLIP, c);
}

// the modes that have changed, and what an open contact starts with
static void tell_changes(carom_hybrid *h, const unsigned char *was_in)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const bool was_closed = h->old_mode[c] != CAROM_MODE_OPEN,
                   is_closed = carom_hybrid_is_closed(h, c);
        if (was_closed && !is_closed) {
            if (h->contact.close_time[c] > 0) carom_hybrid_send_event(h, CAROM_ACCUMULATED, c);
            h->contact.close_time[c] = 0;
            carom_hybrid_send_event(h, CAROM_OPEN, c);
        }
        if (!was_closed && is_closed && !(h->contact.close_time[c] > 0))
            carom_hybrid_send_event(h, CAROM_CLOSE, c);
        if (is_closed) tell_grip(h, c);
        h->contact.is_touching[c] = !is_closed && was_in[c];
        h->contact.slip_scale[c] = fmax(h->contact.slip_scale[c], carom_hybrid_slip(h, c));
    }
}

// an impact at the very instant of another event: forces and rates before
// it decide nothing any more
static void forget_crossing(carom_hybrid *h)
{
    const size_t n = (size_t)h->s->size.n_contact;
    h->has_drop = h->has_stop = h->has_tear = false;
    memset(h->is_stopped, 0, n);
    memset(h->is_torn, 0, n);
    if (!h->has_edge) memset(h->is_dropped, 0, n);
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
    unsigned char *was_in = h->is_active;
    memcpy(was_in, h->is_in, (size_t)h->s->size.n_contact);
    drop_leaving(h);
    CAROM_TRY(carom_hybrid_settle_contacts(h));
    CAROM_TRY(place_tails(h));
    tell_changes(h, was_in);
    return CAROM_OK;
}

carom_status carom_hybrid_begin(carom_hybrid *h)
{
    carom_flow_copy(h->flow, &h->now, &h->next);
    clear_flags(h);
    CAROM_TRY(carom_edge_begin(h));
    CAROM_TRY(carom_sides_begin(h));
    CAROM_TRY(look_at_next(h));
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (isfinite(h->gap[c])) h->contact.gap_scale[c] = fabs(h->gap[c]);
    find_touching(h);
    CAROM_TRY(resolve_event(h, is_approached(h)));
    carom_flow_copy(h->flow, &h->next, &h->now);
    *h->is_fresh = 0;
    return CAROM_OK;
}

carom_status carom_hybrid_begin_anew(carom_hybrid *h)
{
    carom_flow_copy(h->flow, &h->now, &h->next);
    clear_flags(h);
    CAROM_TRY(carom_sides_begin(h));
    CAROM_TRY(look_at_next(h));
    find_touching(h);
    // obstacles may have got another speed: contacts are decided on as if they had just met
    for (int c = 0; c < h->s->size.n_contact; c++) h->contact.mode[c] = CAROM_MODE_OPEN;
    h->has_jump = true;
    CAROM_TRY(resolve_event(h, is_approached(h)));
    carom_flow_copy(h->flow, &h->next, &h->now);
    return CAROM_OK;
}

// tails of impacts that have ended, in their order
static void end_tails(carom_hybrid *h)
{
    for (;;) {
        int first = -1;
        for (int c = 0; c < h->s->size.n_contact; c++) {
            const double due = h->contact.close_time[c];
            if (!(due > 0) || due > h->next.t) continue;
            if (first < 0 || due < h->contact.close_time[first]) first = c;
        }
        if (first < 0) return;
        const carom_event event = {
            .t = h->contact.close_time[first], .contact = first, .kind = CAROM_ACCUMULATED};
        if (h->s->sink.event) h->s->sink.event(h->s->sink.self, &event);
        h->contact.close_time[first] = 0;
    }
}

// idle contacts that have left in the step
static void open_left(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (h->contact.mode[c] != CAROM_MODE_IDLE) continue;
        if (!(h->gap[c] > carom_hybrid_idle_gap(h, c))) continue;
        h->contact.mode[c] = CAROM_MODE_OPEN;
        carom_hybrid_send_event(h, CAROM_OPEN, c);
    }
}

// between events
static void pass_quietly(carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++)
        h->contact.is_touching[c] =
            !carom_hybrid_is_closed(h, c) && h->gap[c] <= carom_hybrid_zero_gap(h, c);
    carom_edge_note_patches(h);
}

static carom_status check_progress(carom_hybrid *h, const carom_crossing *it)
{
    const bool is_moving = h->flow->h > 4 * DBL_EPSILON * fabs(h->next.t);
    *h->stalled = is_moving ? 0 : *h->stalled + 1;
    if (*h->stalled <= 50 + 20 * h->s->size.n_contact) return CAROM_OK;
    if (it->kind == CAROM_CROSS_SWITCH)
        return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                          "%g events at t = %.12g without progress: the forces switch to and fro",
                          *h->stalled, h->next.t);
    return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                      "%g events at t = %.12g without progress, the last at contact '%s' (a larger "
                      "v_acc may help)",
                      *h->stalled, h->next.t, carom_model_contact(h->s->model, it->contact)->name);
}

// friction has met its limit: slides against it
static void tear_contact(carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
    const double *la = h->la + facts->row;
    const double size = facts->n_slip == 1 ? fabs(la[1]) : hypot(la[1], la[2]);
    if (!(size > 0)) return;
    for (int k = 1; k <= facts->n_slip; k++) h->direction[facts->row + k] = -la[k] / size;
    h->is_torn[c] = h->has_tear = 1;
}

// whether the slip of a contact becomes slower, at the last look
static bool is_braking(const carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
    double sum = 0;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        sum += h->gamma[r] * (carom_sparse_row_times(&h->ev->W, r, h->a) + h->ev->curvature[r]);
    return sum < 0;
}

// Where a step ends between events: a pinned contact that moves (others keep it as well as
// the tolerance allows, and inside a step no better than its dense output), or a slip in
// space that has come to rest as well as the tolerance tells: it need not go through zero,
// and would circle round it.
static int find_unnoticed(const carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_mode mode = (carom_mode)h->contact.mode[c];
        const bool is_in_space = carom_model_contact(h->s->model, c)->n_slip == 2;
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
    if (carom_model_contact(h->s->model, c)->n_slip == 2)
        CAROM_TRY(carom_share_can_rest(h, c, &can));
    h->is_stopped[c] = can ? 1 : 2;
    h->has_stop = true;
    return CAROM_OK;
}

carom_status carom_hybrid_meet_event(carom_hybrid *h, const carom_crossing *crossing)
{
    const carom_crossing other = {.contact = find_unnoticed(h), .kind = CAROM_CROSS_STOP};
    const carom_crossing *it = crossing->contact < 0 ? &other : crossing;
    end_tails(h);
    open_left(h);
    if (it->contact < 0) {
        pass_quietly(h);
        return CAROM_OK;
    }
    CAROM_TRY(check_progress(h, it));
    clear_flags(h);
    show_state(h);
    // what the solver lets drift must not decide on what leaves
    CAROM_TRY(carom_flow_project(h->flow, &h->next, true, true));
    if (it->kind == CAROM_CROSS_SWITCH)
        CAROM_TRY(carom_sides_cross_switch(h, it->contact - h->s->size.n_contact));
    CAROM_TRY(look_at_next(h));
    find_touching(h);
    if (it->kind == CAROM_CROSS_SWITCH) return resolve_event(h, is_approached(h));
    h->is_in[it->contact] = 1;
    if (it->kind == CAROM_CROSS_RELEASE) h->is_dropped[it->contact] = h->has_drop = 1;
    if (it->kind == CAROM_CROSS_STOP) CAROM_TRY(stop_slip(h, it->contact));
    if (it->kind == CAROM_CROSS_GRIP) tear_contact(h, it->contact);
    carom_edge_note_patches(h);
    if (it->kind == CAROM_CROSS_EDGE) CAROM_TRY(carom_edge_meet_event(h, it->contact));
    if (it->kind == CAROM_CROSS_JAM) {
        CAROM_TRY(carom_hybrid_seize_contact(h, it->contact));
        carom_hybrid_set_rows(h);
        CAROM_TRY(look_at_next(h));
    }
    return resolve_event(h, is_approached(h));
}
