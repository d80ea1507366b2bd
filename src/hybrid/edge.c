// SPDX-License-Identifier: Apache-2.0
// Surfaces made of patches. The flow sees a closed patch also beyond its edge, where it is smooth;
// the edge itself is an event. Both patches closed at once would make the linear systems singular
// and contradictory there, because their curvatures differ. Which patches hold behind the edge is
// found by two short steps of Moreau and Jean from there, with M, f, W of the midpoint and e = 0,
//
//     q_m = q + h/2 u,     M (u+ - u) = h f + W' P,     q+ = q_m + h/2 u+
//     0 <= W u+ + w0  _|_  P >= 0              on patches that touch at the edge and contain q_m
//
// as those with P > 0 in the second one: the first step turns the velocity along the patches, the
// second feels their curvature. The motion then goes on from the edge itself.
//
// For study there are two other rules: the gaps after one step, or the complementarity problem
// of a half-explicit stage,
//
//     M(q) a = f + W(q)' la
//     0 <= W(q + c u) (u + c a) + w0  _|_  la >= 0                 on all patches that touch
//
// which is eq. 20 of the reference, where the second line lost its W and r. It does not know where
// patches end: it is right where all of them bound the space together.
//
// M. Haddouni et al., Multibody System Dynamics 41, 2017, Sect. 4.
#include "hybrid/hybrid.h"

#include <math.h>
#include <string.h>

static const double ahead = 1e-5;     // of a step: the length of the two steps
static const double rounding = 1e-12; // of the largest margin: such a margin is zero
static const double small_share = 1e-9;

bool carom_edge_is_patch(const carom_hybrid *h, int c)
{
    return carom_plan_contact(h->s->plan, c)->surface > 0;
}

static bool is_patch_of(const carom_hybrid *h, int c, int surface)
{
    return carom_plan_contact(h->s->plan, c)->surface == surface;
}

bool carom_edge_is_waiting(const carom_hybrid *h, int c)
{
    const int surface = carom_plan_contact(h->s->plan, c)->surface;
    if (surface == 0 || carom_hybrid_is_closed(h, c) ||
        h->memory.contact.domain[c] != CAROM_DOMAIN_OUT)
        return false;
    bool is_touched = false;
    for (int i = 0; i < h->s->size.n_contact; i++)
        is_touched |= is_patch_of(h, i, surface) && carom_hybrid_is_closed(h, i);
    return is_touched;
}

// whether the point last looked at lies in the domain of a patch; on its edge, what was known
static bool is_there(const carom_hybrid *h, int c)
{
    const bool is_at_edge =
        fabs(h->seen.ev->gaps.margin[c]) <= rounding * h->memory.contact.edge_scale[c];
    return is_at_edge ? h->memory.contact.domain[c] != CAROM_DOMAIN_OUT
                      : h->seen.ev->gaps.inside[c] != 0;
}

void carom_edge_look_at_patches(carom_hybrid *h)
{
    memcpy(h->seen.raw, h->seen.ev->gaps.value, sizeof(double) * (size_t)h->s->size.n_contact);
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (carom_edge_is_patch(h, c) && !carom_hybrid_is_closed(h, c) && !is_there(h, c))
            h->seen.gap[c] = INFINITY;
}

double carom_edge_value(const carom_hybrid *h, int c)
{
    return carom_hybrid_is_closed(h, c) ? h->seen.ev->gaps.margin[c] : -h->seen.ev->gaps.margin[c];
}

double carom_edge_rate(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    double sum = 0;
    if (!h->event.has_edge || !carom_edge_is_patch(h, c)) return 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_flow_tolerated_u(h->flow, &h->next, W->index[k]);
    return sum;
}

carom_status carom_edge_refuse(const carom_hybrid *h, int c, double t, double gap)
{
    return carom_fail(h->s->error, CAROM_BAD_INPUT,
                      "the patch '%s' begins with gap %.6g at t = %.9g: it does not meet the "
                      "surface beside it (let the gaps agree at the edge, or give the step a "
                      "patch of its own)",
                      carom_plan_contact(h->s->plan, c)->name, gap, t);
}

void carom_edge_note_patches(carom_hybrid *h)
{
    for (int c = 0; h->s->size.n_surface > 0 && c < h->s->size.n_contact; c++) {
        if (!carom_edge_is_patch(h, c)) continue;
        h->memory.contact.edge_scale[c] =
            fmax(h->memory.contact.edge_scale[c], fabs(h->seen.ev->gaps.margin[c]));
        if (!carom_hybrid_is_closed(h, c))
            h->memory.contact.domain[c] = is_there(h, c) ? CAROM_DOMAIN_IN : CAROM_DOMAIN_OUT;
    }
}

// one step from the probe; P > 0 on the patches that push. Those of the surface take part where
// they touch at the edge and contain the midpoint; other contacts as at the event.
carom_status carom_edge_probe(carom_hybrid *h, int surface, double dt)
{
    carom_step *s = h->s;
    const carom_sizes n = s->size;
    carom_model_move(s->model, h->event.probe.motion.q, h->event.probe.motion.u, 0.5 * dt,
                     h->event.probe.q);
    const carom_point mid = {.t = h->event.probe.motion.t + 0.5 * dt,
                             .q = h->event.probe.q,
                             .u = h->event.probe.motion.u,
                             .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &mid, CAROM_LOOK_FULL, h->seen.ev, s->error));
    for (int c = 0; c < n.n_contact; c++) {
        h->event.probe.is_far[c] = !is_patch_of(h, c, surface) || is_there(h, c);
        h->event.probe.is_asked[c] = h->event.is_in[c] && h->event.probe.is_far[c];
    }
    carom_dynamics_rates(h->seen.ev, h->event.probe.motion.u, h->scratch.right);
    carom_dynamics_free_velocity(h->seen.ev, h->event.probe.motion.u, dt, h->event.probe.u);
    memset(h->event.probe.P, 0, sizeof(double) * (size_t)n.n_row);
    const carom_contact_terms terms = {.rate = h->seen.ev,
                                       .gamma_minus = h->scratch.right,
                                       .is_active = h->event.probe.is_asked,
                                       .without_restitution = true,
                                       .span = dt};
    CAROM_TRY(carom_dynamics_contact(s, &terms, h->event.probe.P, h->event.probe.u));
    carom_model_move(s->model, h->event.probe.q, h->event.probe.u, 0.5 * dt,
                     h->event.probe.motion.q);
    memcpy(h->event.probe.motion.u, h->event.probe.u, sizeof(double) * (size_t)n.nu);
    h->event.probe.motion.t += dt;
    return CAROM_OK;
}

// the first stage of a half-explicit step of length dt, with all patches that touch
static carom_status probe_stage(carom_hybrid *h, int surface, double dt)
{
    carom_step *s = h->s;
    carom_eval *here = h->flow->ev[0];
    const carom_point start = {.t = h->event.probe.motion.t,
                               .q = h->event.probe.motion.q,
                               .u = h->event.probe.motion.u,
                               .holds = s->holds};
    const carom_point stage = {.t = h->event.probe.motion.t + dt,
                               .q = h->event.probe.q,
                               .u = h->event.probe.motion.u,
                               .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &start, CAROM_LOOK_FULL, here, s->error));
    carom_model_move(s->model, h->event.probe.motion.q, h->event.probe.motion.u, dt,
                     h->event.probe.q);
    CAROM_TRY(carom_model_eval(s->plan, &stage, CAROM_LOOK_FULL, h->seen.ev, s->error));
    for (int c = 0; c < s->size.n_contact; c++)
        h->event.probe.is_far[c] = !is_patch_of(h, c, surface) || is_there(h, c);
    carom_dynamics_rates(h->seen.ev, h->event.probe.motion.u, h->scratch.right);
    carom_dynamics_free_velocity(here, h->event.probe.motion.u, dt, h->event.probe.u);
    memset(h->event.probe.P, 0, sizeof(double) * (size_t)s->size.n_row);
    const carom_contact_terms terms = {.rate = h->seen.ev,
                                       .push = here,
                                       .mass = here,
                                       .gamma_minus = h->scratch.right,
                                       .is_active = h->event.is_in,
                                       .without_restitution = true,
                                       .span = dt};
    return carom_dynamics_contact(s, &terms, h->event.probe.P, h->event.probe.u);
}

// what the probe tells of the contacts that are in, into is_pushing; the report is not its own
static carom_status ask_probe(carom_hybrid *h, int surface)
{
    carom_step *s = h->s;
    const carom_step_report report = s->report;
    const double dt = ahead * h->memory.h;
    carom_flow_copy(h->flow, &h->next, &h->event.probe.motion);
    if (h->edge == CAROM_EDGE_LCP) CAROM_TRY(probe_stage(h, surface, dt));
    if (h->edge != CAROM_EDGE_LCP) CAROM_TRY(carom_edge_probe(h, surface, dt));
    if (h->edge == CAROM_EDGE_TWO_STEP) CAROM_TRY(carom_edge_probe(h, surface, dt));
    s->report = report;
    double most = 0;
    for (int c = 0; c < s->size.n_contact; c++)
        most = fmax(most, h->event.probe.P[carom_plan_contact(s->plan, c)->row]);
    for (int c = 0; c < s->size.n_contact; c++) {
        const double P = h->event.probe.P[carom_plan_contact(s->plan, c)->row];
        h->event.probe.is_pushing[c] = P > 0 && P >= small_share * most;
    }
    return CAROM_OK;
}

static void find_touching(carom_hybrid *h, int surface)
{
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (is_patch_of(h, c, surface))
            h->event.is_in[c] = fabs(h->seen.raw[c]) <= carom_hybrid_idle_gap(h, c);
}

// one step, as printed: the gaps of the patches behind the edge after it
static carom_status close_by_gap(carom_hybrid *h, int surface)
{
    CAROM_TRY(carom_hybrid_look_at(h, h->event.probe.motion.t, h->event.probe.motion.q,
                                   h->event.probe.motion.u, true));
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (is_patch_of(h, c, surface))
            h->event.probe.is_pushing[c] = h->event.probe.is_far[c] && h->seen.raw[c] <= 0;
    return CAROM_OK;
}

static void choose_patches(carom_hybrid *h, int surface)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (!is_patch_of(h, c, surface)) continue;
        const bool ignores_domain = h->edge == CAROM_EDGE_LCP && h->event.probe.is_pushing[c];
        h->memory.contact.domain[c] = h->event.probe.is_far[c] ? CAROM_DOMAIN_IN
                                      : ignores_domain         ? CAROM_DOMAIN_IGNORED
                                                               : CAROM_DOMAIN_OUT;
        h->event.is_in[c] = h->event.is_in[c] && h->memory.contact.domain[c] != CAROM_DOMAIN_OUT;
        h->event.is_dropped[c] = h->event.is_in[c] && !h->event.probe.is_pushing[c];
    }
}

// scales of a surface are those of all its patches
static void share_scales(carom_hybrid *h, int surface)
{
    double *const scale[] = {h->memory.contact.rate_scale, h->memory.contact.slip_scale,
                             h->memory.contact.gap_scale, h->memory.contact.edge_scale};
    for (size_t i = 0; i < sizeof scale / sizeof *scale; i++) {
        double most = 0;
        for (int c = 0; c < h->s->size.n_contact; c++)
            if (is_patch_of(h, c, surface)) most = fmax(most, scale[i][c]);
        for (int c = 0; c < h->s->size.n_contact; c++)
            if (is_patch_of(h, c, surface)) scale[i][c] = most;
    }
}

// the event belongs to the patches that end, else to the one that begins
static void tell_edge(carom_hybrid *h, int surface, int entered)
{
    bool is_told = false;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (!is_patch_of(h, c, surface) || !carom_hybrid_is_closed(h, c) ||
            h->event.probe.is_far[c])
            continue;
        carom_hybrid_send_event(h, CAROM_EDGE, c);
        is_told = true;
    }
    if (!is_told && entered >= 0) carom_hybrid_send_event(h, CAROM_EDGE, entered);
}

carom_status carom_edge_meet_event(carom_hybrid *h, int contact)
{
    const int surface = carom_plan_contact(h->s->plan, contact)->surface;
    h->event.has_edge = true;
    share_scales(h, surface);
    find_touching(h, surface);
    CAROM_TRY(ask_probe(h, surface));
    if (h->edge == CAROM_EDGE_ONE_STEP) CAROM_TRY(close_by_gap(h, surface));
    const bool was_in = h->event.is_in[contact];
    choose_patches(h, surface);
    CAROM_TRY(carom_hybrid_look_at(h, h->next.t, h->next.q, h->next.u, true));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (!is_patch_of(h, c, surface)) continue;
        if (h->event.probe.is_far[c] && h->seen.raw[c] < -carom_hybrid_idle_gap(h, c))
            return carom_edge_refuse(h, c, h->next.t, h->seen.raw[c]);
    }
    tell_edge(h, surface, was_in ? contact : -1);
    return CAROM_OK;
}

carom_status carom_edge_begin(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    if (n.n_surface == 0) return CAROM_OK;
    CAROM_TRY(carom_hybrid_look_at(h, h->next.t, h->next.q, h->next.u, true));
    for (int c = 0; c < n.n_contact; c++)
        h->memory.contact.domain[c] =
            h->seen.ev->gaps.inside[c] != 0 ? CAROM_DOMAIN_IN : CAROM_DOMAIN_OUT;
    // a start on an edge belongs to the patches that it moves onto
    carom_model_move(h->s->model, h->next.q, h->next.u, 0.5 * ahead * h->memory.h, h->seen.q);
    CAROM_TRY(
        carom_hybrid_look_at(h, h->next.t + 0.5 * ahead * h->memory.h, h->seen.q, h->next.u, true));
    carom_edge_note_patches(h);
    return CAROM_OK;
}
