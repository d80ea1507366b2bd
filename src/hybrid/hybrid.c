// SPDX-License-Identifier: Apache-2.0
// Memory and modes of a motion with contacts: what is kept from step to step, which rows the flow
// holds, and looks at gaps, rates and forces on the way.
#include "hybrid/hybrid.h"
#include "model/model.h"

#include "contact/solver.h"
#include "dynamics/contact_blocks.h"
#include "dynamics/friction.h"
#include "dynamics/law.h"
#include "smooth/control.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_HEAD = 4, N_WORDS = 4, N_NUMBERS = 6 }; // of a block; of each contact
static const double closed_share = 1e-11;        // of the largest gap: such a gap is zero
static const double still_share = 1e-3;          // of the slip rate at the start of a step
static const double soon_share = 0.1;            // of the run
static const double begun_share = 100;           // of what the tolerance leaves of a slip rate
static const double rest_share = 10;             // likewise

int carom_hybrid_n_memory(const carom_model *model)
{
    const carom_sizes n = carom_model_sizes(model);
    return N_HEAD + (N_WORDS + N_NUMBERS) * n.n_contact + 2 * n.n_switch + 2 * n.n_row + 3 * n.nu +
           carom_smooth_most_memory(n);
}

// head, words of the contacts (mode, is_touching, domain), then what is a double anyway
static void cut_block(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    carom_hybrid_memory *m = &h->memory;
    double *at = m->block + N_HEAD + N_WORDS * n.n_contact;
    double **const part[N_NUMBERS] = {&m->contact.rate_scale, &m->contact.slip_scale,
                                      &m->contact.gap_scale,  &m->contact.close_time,
                                      &m->contact.edge_scale, &m->contact.still};
    for (int i = 0; i < N_NUMBERS; i++, at += n.n_contact) *part[i] = at;
    m->sides.piece = at;
    m->sides.scale = at + n.n_switch;
    at += 2 * n.n_switch;
    m->direction = at;
    m->reference = at + n.n_row;
    h->flow->scale = m->reference + n.n_row;
    h->now.a = h->flow->scale + 2 * n.nu;
    h->now.memory = h->now.a + n.nu;
}

void carom_hybrid_forget(const carom_step *s, carom_state *state, int contact)
{
    const carom_sizes *n = &s->size;
    const carom_contact_facts *facts = &s->plan->contact[contact];
    double *of_contacts = state->memory + N_HEAD;
    if (of_contacts[contact] != CAROM_MODE_OPEN) state->memory[3] = 1; // has_lost
    for (int k = 0; k < N_WORDS + N_NUMBERS; k++) of_contacts[k * n->n_contact + contact] = 0;
    of_contacts[3 * n->n_contact + contact] = 1; // is_new
    double *of_rows = of_contacts + (N_WORDS + N_NUMBERS) * n->n_contact + 2 * n->n_switch;
    for (int k = 0; k < 2; k++, of_rows += n->n_row) // direction and reference
        memset(of_rows + facts->row, 0, sizeof(double) * (size_t)(1 + facts->n_slip));
}

double *carom_hybrid_write_memory(carom_hybrid *h)
{
    carom_hybrid_memory *m = &h->memory;
    const int n_contact = h->s->size.n_contact;
    double *word = m->block + N_HEAD;
    m->block[0] = m->is_fresh;
    m->block[1] = m->h;
    m->block[2] = m->stalled;
    m->block[3] = m->has_lost;
    for (int c = 0; c < n_contact; c++) {
        word[c] = m->contact.mode[c];
        word[n_contact + c] = m->contact.is_touching[c];
        word[2 * n_contact + c] = m->contact.domain[c];
        word[3 * n_contact + c] = m->contact.is_new[c];
    }
    return m->block;
}

static void read_words(carom_hybrid_memory *m, int n_contact)
{
    const double *word = m->block + N_HEAD;
    m->is_fresh = m->block[0] != 0;
    m->h = m->block[1];
    m->stalled = m->block[2];
    m->has_lost = m->block[3] != 0;
    for (int c = 0; c < n_contact; c++) {
        m->contact.mode[c] = (carom_mode)word[c];
        m->contact.is_touching[c] = word[n_contact + c] != 0;
        m->contact.domain[c] = (carom_domain)word[2 * n_contact + c];
        m->contact.is_new[c] = word[3 * n_contact + c] != 0;
    }
}

static bool take_numbers(carom_hybrid *h)
{
    carom_arena *arena = h->flow->arena;
    const carom_sizes n = h->s->size;
    const int samples = CAROM_WATCH_SAMPLES + 1;
    const struct {
        double **to;
        int n;
    } part[] = {{&h->memory.block, h->memory.n_block},
                {&h->seen.gap, n.n_contact},
                {&h->seen.gamma, n.n_row},
                {&h->seen.la, n.n_row},
                {&h->seen.a, n.nu},
                {&h->seen.q, n.nq},
                {&h->seen.u, n.nu},
                {&h->seen.raw, n.n_contact},
                {&h->seen.floor, n.n_contact},
                {&h->seen.start_rate, n.n_contact},
                {&h->seen.start_direction, n.n_row},
                {&h->seen.sample, samples * CAROM_WATCH_FUNCTIONS * n.n_contact},
                {&h->seen.rate, samples * n.n_contact},
                {&h->seen.switches, samples * n.n_switch},
                {&h->zero, n.n_row},
                {&h->scratch.force, n.nu},
                {&h->scratch.change, n.nu},
                {&h->scratch.right, n.n_row},
                {&h->scratch.push, n.n_row}};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = CAROM_TAKE(arena, double, part[i].n)) != NULL;
    return is_taken;
}

static bool take_event_numbers(carom_hybrid_event *e, carom_arena *arena, carom_sizes n)
{
    const struct {
        double **to;
        int n;
    } part[] = {{&e->P, n.n_row},
                {&e->total_P, n.n_row},
                {&e->gamma_minus, n.n_row},
                {&e->true_minus, n.n_row},
                {&e->u_minus, n.nu},
                {&e->jolt, n.nu},
                {&e->bounce, n.n_contact},
                {&e->probe.q, n.nq},
                {&e->probe.u, n.nu},
                {&e->probe.P, n.n_row},
                {&e->decision.la, n.n_row},
                {&e->decision.size, n.n_row},
                {&e->decision.rate, n.n_row},
                {&e->decision.a_free, n.nu},
                {&e->decision.problem.b, n.n_row},
                {&e->decision.problem.G.dense, n.n_row * n.n_row}};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = CAROM_TAKE(arena, double, part[i].n)) != NULL;
    return is_taken;
}

static bool take_flags(carom_hybrid *h)
{
    carom_hybrid_event *e = &h->event;
    const int n = h->s->size.n_contact;
    unsigned char **const flag[] = {&e->is_in,
                                    &e->was_in,
                                    &e->is_dropped,
                                    &e->is_torn,
                                    &e->was_torn,
                                    &e->is_begun,
                                    &e->is_pressed,
                                    &e->probe.is_far,
                                    &e->probe.is_asked,
                                    &e->probe.is_pushing,
                                    &h->memory.contact.is_touching,
                                    &h->memory.contact.is_new,
                                    &h->seen.has_features,
                                    &h->scratch.is_active,
                                    &h->holds};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        is_taken &= (*flag[i] = CAROM_TAKE(h->flow->arena, unsigned char, n)) != NULL;
    return is_taken;
}

static bool take_lists(carom_hybrid *h)
{
    carom_arena *arena = h->flow->arena;
    const carom_sizes n = h->s->size;
    const int n_fun = CAROM_WATCH_FUNCTIONS * n.n_contact;
    const int n_there = (CAROM_WATCH_SAMPLES + 1) * n.n_contact;
    carom_decision *decision = &h->event.decision;
    bool is_taken = (h->memory.contact.mode = CAROM_TAKE(arena, carom_mode, n.n_contact)) != NULL;
    is_taken &= (h->memory.contact.domain = CAROM_TAKE(arena, carom_domain, n.n_contact)) != NULL;
    is_taken &= (h->event.old_mode = CAROM_TAKE(arena, carom_mode, n.n_contact)) != NULL;
    is_taken &= (h->event.stop = CAROM_TAKE(arena, carom_slip_end, n.n_contact)) != NULL;
    is_taken &= (h->seen.is_there = CAROM_TAKE(arena, unsigned char, n_there)) != NULL;
    is_taken &= (h->seen.watched = CAROM_TAKE(arena, carom_crossing, n_fun)) != NULL;
    is_taken &= (h->seen.below = CAROM_TAKE(arena, int, n_fun)) != NULL;
    is_taken &= (decision->row = CAROM_TAKE(arena, int, n.n_row)) != NULL;
    decision->problem.block = CAROM_TAKE(arena, carom_block, n.n_constraint + n.n_contact);
    return is_taken && decision->problem.block && carom_flow_motion(h->flow, &h->now) &&
           carom_flow_motion(h->flow, &h->next) &&
           carom_flow_motion(h->flow, &h->event.probe.motion);
}

// the solver of the impacts decides on accelerations, too: what it cannot do is refused at once,
// not where the first contact has to be decided on
static carom_status check_solver(const carom_step *s)
{
    const carom_solver_facts *facts =
        carom_contact_solver_facts(carom_contacts_solver(s->contacts));
    for (int c = 0; c < s->size.n_contact && !facts->takes_friction; c++) {
        const carom_contact_facts *contact = carom_plan_contact(s->plan, c);
        if (carom_law_is_rough(contact) && contact->n_slip > 0)
            return carom_fail(s->error, CAROM_BAD_INPUT,
                              "solver %s takes no friction, but contact '%s' has some (use another "
                              "solver, e.g. auto)",
                              facts->name, contact->name);
    }
    return CAROM_OK;
}

carom_status carom_hybrid_new(carom_step *s, const carom_smooth *solver, carom_hybrid **hybrid)
{
    carom_flow *flow;
    *hybrid = NULL;
    CAROM_TRY(check_solver(s));
    CAROM_TRY(carom_flow_new(s, solver, NULL, &flow));
    flow->pace.looks_inside = true;
    carom_hybrid *h = CAROM_TAKE(flow->arena, carom_hybrid, 1);
    carom_status status = CAROM_NO_MEMORY;
    if (h) {
        *h = (carom_hybrid){.s = s,
                            .flow = flow,
                            .seen.ev = s->ev[2],
                            .memory.n_block = carom_hybrid_n_memory(s->model)};
        if (take_numbers(h) && take_event_numbers(&h->event, flow->arena, s->size) &&
            take_flags(h) && take_lists(h))
            status = carom_contact_solver_like(carom_contacts_solver(s->contacts), s->size.n_row,
                                               &h->event.decision.solver, s->error);
    }
    if (status == CAROM_OK) status = carom_hybrid_make_laws(h);
    if (status != CAROM_OK) {
        if (h) carom_hybrid_free_laws(h);
        carom_fail(s->error, status, "no memory for the motion between events");
        carom_flow_free(flow);
        return status;
    }
    cut_block(h);
    memset(h->holds, 1, (size_t)s->size.n_contact);
    s->holds = h->holds;
    h->event.decision.grip = 1;
    h->first_step = s->h;
    h->max_step = s->h > 0 ? s->h : s->end > 0 ? CAROM_LONGEST_SHARE * s->end : INFINITY;
    *hybrid = h;
    return CAROM_OK;
}

carom_status carom_hybrid_renew(carom_hybrid *h)
{
    const carom_step *s = h->s;
    CAROM_TRY(check_solver(s));
    memset(h->holds, 1, (size_t)s->size.n_contact);
    h->section = (carom_hybrid_section){0};
    return carom_flow_weigh_coordinates(h->flow);
}

void carom_hybrid_free(carom_hybrid *h)
{
    if (!h) return;
    carom_contact_solver_free(h->event.decision.solver);
    carom_hybrid_free_laws(h);
    carom_flow_free(h->flow);
}

void carom_hybrid_load(carom_hybrid *h, const carom_state *state)
{
    const carom_sizes n = h->s->size;
    memcpy(h->memory.block, state->memory, sizeof(double) * (size_t)h->memory.n_block);
    read_words(&h->memory, n.n_contact);
    h->now.t = state->t;
    memcpy(h->now.q, state->q, sizeof(double) * (size_t)n.nq);
    memcpy(h->now.u, state->u, sizeof(double) * (size_t)n.nu);
    memcpy(h->now.la, state->la, sizeof(double) * (size_t)n.n_row);
    carom_flow_widen_scale(h->flow, &h->now);
    memset(h->event.total_P, 0, sizeof(double) * (size_t)n.n_row);
    carom_hybrid_set_rows(h);
    carom_sides_set_forces(h);
}

static bool is_whole(double x, int most)
{
    return x >= 0 && x <= most && x == floor(x);
}

bool carom_hybrid_is_memory(carom_hybrid *h, const carom_state *state)
{
    const int n = h->s->size.n_contact;
    const carom_contact_memory *m = &h->memory.contact;
    const double *block = h->memory.block, *word = block + N_HEAD;
    memcpy(h->memory.block, state->memory, sizeof(double) * (size_t)h->memory.n_block);
    bool is_good = is_whole(block[0], 1) && block[1] >= 0 && block[2] >= 0 &&
                   is_whole(block[3], 1) && carom_weak_is_memory(h->flow, &h->now) &&
                   carom_sides_are_memory(h);
    for (int c = 0; c < n; c++) {
        const double mode = word[c];
        const bool has_slip = carom_plan_contact(h->s->plan, c)->n_slip > 0;
        is_good &= is_whole(mode, CAROM_MODE_PINNED) && is_whole(word[n + c], 1) &&
                   is_whole(word[2 * n + c], CAROM_DOMAIN_IGNORED) && is_whole(word[3 * n + c], 1);
        is_good &= has_slip || mode == CAROM_MODE_OPEN || mode == CAROM_MODE_HELD ||
                   mode == CAROM_MODE_IDLE;
        is_good &= m->rate_scale[c] >= 0 && m->slip_scale[c] >= 0 && m->gap_scale[c] >= 0 &&
                   m->edge_scale[c] >= 0 && m->still[c] >= 0;
    }
    return is_good;
}

// the end of the step is the state
void carom_hybrid_save(carom_hybrid *h, carom_state *state)
{
    const carom_sizes n = h->s->size;
    carom_flow_copy(h->flow, &h->next, &h->now);
    carom_flow_widen_scale(h->flow, &h->now);
    for (int r = 0; r < n.n_row; r++) h->memory.direction[r] = h->flow->rows.direction[r];
    memcpy(state->memory, carom_hybrid_write_memory(h), sizeof(double) * (size_t)h->memory.n_block);
    state->t = h->now.t;
    memcpy(state->q, h->now.q, sizeof(double) * (size_t)n.nq);
    memcpy(state->u, h->now.u, sizeof(double) * (size_t)n.nu);
    memcpy(state->la, h->now.la, sizeof(double) * (size_t)n.n_row);
    memcpy(state->P, h->event.total_P, sizeof(double) * (size_t)n.n_row);
    for (int c = 0; c < n.n_contact; c++) state->is_active[c] = carom_hybrid_is_closed(h, c);
}

bool carom_hybrid_is_closed(const carom_hybrid *h, int contact)
{
    return h->memory.contact.mode[contact] != CAROM_MODE_OPEN;
}

void carom_hybrid_set_rows(carom_hybrid *h)
{
    carom_saddle_rows *rows = &h->flow->rows;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        const carom_mode mode = h->memory.contact.mode[c];
        const bool is_held =
            mode != CAROM_MODE_OPEN && mode != CAROM_MODE_IDLE && !carom_law_is_disc(facts);
        rows->is_held[facts->row] = is_held;
        const bool is_sliding = mode == CAROM_MODE_SLIDE || mode == CAROM_MODE_PINNED;
        rows->is_sliding[c] = is_sliding;
        rows->still[c] = mode == CAROM_MODE_PINNED ? INFINITY : h->memory.contact.still[c];
        for (int k = 1; k <= facts->n_slip; k++) {
            rows->is_held[facts->row + k] = mode == CAROM_MODE_STICK;
            rows->direction[facts->row + k] = rows->anchor[facts->row + k] =
                is_sliding ? h->memory.direction[facts->row + k] : 0;
        }
    }
    memcpy(rows->reference, h->memory.reference, sizeof(double) * (size_t)h->s->size.n_row);
}

double carom_hybrid_slip(const carom_hybrid *h, int contact)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, contact);
    const double *gamma = h->seen.gamma + facts->row;
    return facts->n_slip == 0 ? 0 : facts->n_slip == 1 ? fabs(gamma[1]) : hypot(gamma[1], gamma[2]);
}

double carom_hybrid_rounded_gap(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k] * carom_model_size_along(h->s->model, h->next.q, W->index[k]));
    return 64 * DBL_EPSILON * sum;
}

double carom_hybrid_zero_gap(const carom_hybrid *h, int c)
{
    return fmax(closed_share * h->memory.contact.gap_scale[c], carom_hybrid_rounded_gap(h, c));
}

double carom_hybrid_idle_gap(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    double sum = carom_hybrid_zero_gap(h, c);
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_flow_tolerated_q(h->flow, &h->next, W->index[k]);
    return 10 * sum;
}

double carom_hybrid_noise(carom_hybrid *h, int first, int last)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    double *a = h->scratch.force, rate = 0, change = 0;
    memcpy(a, h->seen.ev->f, sizeof(double) * (size_t)h->s->size.nu);
    carom_mass_solve(h->seen.ev->mass, a);
    for (int r = first; r <= last; r++) {
        // what moves with time is known no better than the time
        rate += fabs(h->seen.ev->rows.w0[r]) + fabs(h->next.t * h->seen.ev->rows.curvature[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            rate += fabs(W->value[k]) * (fabs(h->next.u[W->index[k]]) + h->event.jolt[W->index[k]]);
            change += fabs(W->value[k] * a[W->index[k]]);
        }
    }
    return 64 * DBL_EPSILON * (rate + h->memory.h * change);
}

double carom_hybrid_missed_slip(const carom_hybrid *h, int contact)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, contact);
    const carom_sparse *W = &h->seen.ev->rows.W;
    double sum = 0;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            sum += fabs(W->value[k]) * carom_flow_tolerated_u(h->flow, &h->next, W->index[k]);
    return 10 * sum;
}

bool carom_hybrid_is_at_rest(const carom_hybrid *h, int contact)
{
    return carom_hybrid_slip(h, contact) <= rest_share * carom_hybrid_missed_slip(h, contact);
}

// A slip that begins at rest will be as fast as the applied forces make it soon: as long as it is
// slower its direction is not worth following
static void expect_slip(carom_hybrid *h, int contact)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, contact);
    const carom_sparse *W = &h->seen.ev->rows.W;
    const double soon = fmin(h->memory.h, soon_share * h->s->end);
    double *scale = h->flow->scale + h->s->size.nu;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            scale[i] = fmax(scale[i], soon * fabs(h->event.decision.a_free[i]));
        }
}

// A slip that begins turns after its force the faster the slower it is: its equation is stiff like
// mu la_N/|gamma_T|, and what the tolerance leaves of gamma_T would brake it
void carom_hybrid_set_still(carom_hybrid *h, int contact, bool is_begun)
{
    const int r = carom_plan_contact(h->s->plan, contact)->row;
    if (is_begun) expect_slip(h, contact);
    const double missed = carom_hybrid_missed_slip(h, contact),
                 noise = carom_hybrid_noise(h, r + 1, r + 2);
    const double slip = carom_hybrid_slip(h, contact);
    double *still = &h->memory.contact.still[contact];
    if (is_begun)
        *still = fmax(noise, begun_share * missed);
    else if (slip > *still)
        *still = fmax(fmax(noise, missed), still_share * slip);
}

// rounding of the rate counts as rest, too
double carom_hybrid_slow_rate(carom_hybrid *h, int contact)
{
    const int r = carom_plan_contact(h->s->plan, contact)->row;
    const double v_acc = h->v_acc > 0 ? h->v_acc : 1e-8 * h->memory.contact.rate_scale[contact];
    return fmax(v_acc, carom_hybrid_noise(h, r, r));
}

carom_status carom_hybrid_find_forces(carom_hybrid *h, const double *u)
{
    carom_step *s = h->s;
    double *r = h->flow->scratch;
    h->flow->cost.solves++;
    for (int i = 0; i < s->size.n_row; i++) r[i] = -h->seen.ev->rows.curvature[i];
    carom_saddle_turn_directions(s->model, &h->flow->rows, h->seen.ev, u);
    const carom_saddle_terms terms = {.mass = h->seen.ev,
                                      .F = h->seen.ev->f,
                                      .weight = 1,
                                      .r = r,
                                      .is_regular = &h->seen.is_regular};
    return carom_saddle_solve(h->flow->saddle, &h->flow->rows, &terms, h->seen.a, h->seen.la,
                              s->error);
}

static void take_rates(carom_hybrid *h, const double *u)
{
    memcpy(h->seen.gap, h->seen.ev->gaps.value, sizeof(double) * (size_t)h->s->size.n_contact);
    if (h->s->size.n_surface > 0) carom_edge_look_at_patches(h);
    carom_dynamics_rates(h->seen.ev, u, h->seen.gamma);
    memset(h->seen.la, 0, sizeof(double) * (size_t)h->s->size.n_row);
    h->flow->cost.G++;
}

carom_status carom_hybrid_glance_at(carom_hybrid *h, double t, const double *q, const double *u)
{
    carom_step *s = h->s;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_LOOK, h->seen.ev, s->error));
    take_rates(h, u);
    return CAROM_OK;
}

carom_status carom_hybrid_look_at(carom_hybrid *h, double t, const double *q, const double *u,
                                  bool is_full)
{
    carom_step *s = h->s;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    bool is_held = s->size.n_disc > 0; // they push, held or not
    for (int r = 0; r < s->size.n_row; r++) is_held |= h->flow->rows.is_held[r];
    const unsigned mask = is_full || is_held ? CAROM_LOOK_FULL : CAROM_LOOK;
    CAROM_TRY(carom_model_eval(s->plan, &at, mask, h->seen.ev, s->error));
    take_rates(h, u);
    if (s->plan->coefficients) {
        carom_saddle_turn_directions(s->model, &h->flow->rows, h->seen.ev, u);
        CAROM_TRY(carom_friction_ask(s->plan, &h->flow->rows, h->seen.ev, &at, s->error));
    }
    if (!is_held) return CAROM_OK;
    h->flow->cost.F++;
    h->flow->cost.G_q++;
    return carom_hybrid_find_forces(h, u);
}

// an event without impulse: rates of the last look
void carom_hybrid_send_event(carom_hybrid *h, carom_event_kind kind, int contact)
{
    const double rate = h->seen.gamma[carom_plan_contact(h->s->plan, contact)->row];
    const carom_event event = {
        .t = h->next.t, .contact = contact, .kind = kind, .rate_before = rate, .rate_after = rate};
    if (h->s->sink.event) h->s->sink.event(h->s->sink.self, &event);
}
