// SPDX-License-Identifier: Apache-2.0
// Memory and modes of a motion with contacts: what is kept from step to step, which rows the flow
// holds, and looks at gaps, rates and forces on the way.
#include "hybrid/hybrid.h"

#include "contact/solver.h"
#include "dynamics/contacts.h"
#include "smooth/control.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_HEAD = 3, N_PER_CONTACT = 9 };
static const double closed_share = 1e-11; // of the largest gap: such a gap is zero
static const double still_share = 1e-3;   // of the slip rate at the start of a step
static const double soon_share = 0.1;     // of the run
static const double begun_share = 100;    // of what the tolerance leaves of a slip rate
static const double rest_share = 10;      // likewise

int carom_hybrid_n_memory(const carom_model *model)
{
    const carom_sizes n = carom_model_sizes(model);
    int most = 0;
    for (int i = 0; i < carom_smooth_count(); i++) {
        const int own = carom_smooth_n_memory(carom_smooth_at(i), n);
        if (own > most) most = own;
    }
    return N_HEAD + N_PER_CONTACT * n.n_contact + 2 * n.n_switch + 2 * n.n_row + 3 * n.nu + most;
}

// the names of the block's parts
static void cut_block(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    double *at = h->block;
    double **const head[] = {&h->is_fresh, &h->h, &h->stalled};
    double **const part[] = {
        &h->contact.mode,       &h->contact.is_touching, &h->contact.rate_scale,
        &h->contact.slip_scale, &h->contact.gap_scale,   &h->contact.close_time,
        &h->contact.is_live,    &h->contact.edge_scale,  &h->contact.still};
    for (int i = 0; i < N_HEAD; i++) *head[i] = at++;
    for (int i = 0; i < N_PER_CONTACT; i++, at += n.n_contact) *part[i] = at;
    h->sides.piece = at;
    h->sides.scale = at + n.n_switch;
    at += 2 * n.n_switch;
    h->direction = at;
    h->reference = at + n.n_row;
    h->flow->scale = h->reference + n.n_row;
    h->now.a = h->flow->scale + 2 * n.nu;
    h->now.memory = h->now.a + n.nu;
}

static bool take_numbers(carom_hybrid *h)
{
    carom_arena *arena = h->flow->arena;
    const carom_sizes n = h->s->size;
    const int samples = CAROM_WATCH_SAMPLES + 1;
    const struct {
        double **to;
        int n;
    } part[] = {{&h->block, h->n_block},
                {&h->gap, n.n_contact},
                {&h->gamma, n.n_row},
                {&h->la, n.n_row},
                {&h->a, n.nu},
                {&h->q, n.nq},
                {&h->u, n.nu},
                {&h->floor, n.n_contact},
                {&h->start_rate, n.n_contact},
                {&h->start_direction, n.n_row},
                {&h->P, n.n_row},
                {&h->total_P, n.n_row},
                {&h->gamma_minus, n.n_row},
                {&h->true_minus, n.n_row},
                {&h->zero, n.n_row},
                {&h->u_minus, n.nu},
                {&h->jolt, n.nu},
                {&h->bounce, n.n_contact},
                {&h->sample, samples * CAROM_WATCH_FUNCTIONS * n.n_contact},
                {&h->raw, n.n_contact},
                {&h->sides.sample, samples * n.n_switch},
                {&h->is_there, samples * n.n_contact},
                {&h->old_mode, n.n_contact},
                {&h->sample_rate, samples * n.n_contact},
                {&h->decision.la, n.n_row},
                {&h->decision.size, n.n_row},
                {&h->decision.rate, n.n_row},
                {&h->decision.column, n.nu},
                {&h->decision.a_free, n.nu},
                {&h->decision.problem.b, n.n_row},
                {&h->decision.problem.G.dense, n.n_row * n.n_row}};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = CAROM_TAKE(arena, double, part[i].n)) != NULL;
    return is_taken;
}

static bool take_flags(carom_hybrid *h)
{
    carom_arena *arena = h->flow->arena;
    const carom_sizes n = h->s->size;
    unsigned char **const flag[] = {&h->is_in,   &h->is_dropped, &h->is_stopped,
                                    &h->is_torn, &h->is_active,  &h->holds,
                                    &h->is_far,  &h->is_begun,   &h->is_pressed};
    bool is_taken = true;
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        is_taken &= (*flag[i] = CAROM_TAKE(arena, unsigned char, n.n_contact)) != NULL;
    const int n_fun = CAROM_WATCH_FUNCTIONS * n.n_contact;
    is_taken &= (h->watched = CAROM_TAKE(arena, carom_crossing, n_fun)) != NULL;
    is_taken &= (h->below = CAROM_TAKE(arena, int, n_fun)) != NULL;
    is_taken &= (h->decision.row = CAROM_TAKE(arena, int, n.n_row)) != NULL;
    h->decision.problem.block = CAROM_TAKE(arena, carom_block, n.n_constraint + n.n_contact);
    is_taken &= h->decision.problem.block != NULL;
    return is_taken && carom_flow_motion(h->flow, &h->now) &&
           carom_flow_motion(h->flow, &h->next) && carom_flow_motion(h->flow, &h->probe);
}

// the solver of the impacts decides on accelerations, too: what it cannot do is refused at once,
// not where the first contact has to be decided on
static carom_status check_solver(const carom_step *s)
{
    const carom_solver_facts *facts =
        carom_contact_solver_facts(carom_contacts_solver(s->contacts));
    for (int c = 0; c < s->size.n_contact && !facts->takes_friction; c++) {
        const carom_contact_facts *contact = carom_model_contact(s->model, c);
        if (contact->mu > 0 && contact->n_slip > 0)
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
    carom_hybrid *h = CAROM_TAKE(flow->arena, carom_hybrid, 1);
    carom_status status = CAROM_NO_MEMORY;
    if (h) {
        *h = (carom_hybrid){
            .s = s, .flow = flow, .ev = s->ev[2], .n_block = carom_hybrid_n_memory(s->model)};
        if (take_numbers(h) && take_flags(h))
            status = carom_contact_solver_like(carom_contacts_solver(s->contacts), s->size.n_row,
                                               &h->decision.solver, s->error);
    }
    if (status != CAROM_OK) {
        carom_fail(s->error, status, "no memory for the motion between events");
        carom_flow_free(flow);
        return status;
    }
    cut_block(h);
    memset(h->holds, 1, (size_t)s->size.n_contact);
    s->holds = h->holds;
    h->grip = 1;
    h->first_step = s->h;
    h->max_step = s->h > 0 ? s->h : s->end > 0 ? CAROM_LONGEST_SHARE * s->end : INFINITY;
    *hybrid = h;
    return CAROM_OK;
}

void carom_hybrid_free(carom_hybrid *h)
{
    if (!h) return;
    carom_contact_solver_free(h->decision.solver);
    carom_flow_free(h->flow);
}

void carom_hybrid_load(carom_hybrid *h, const carom_state *state)
{
    const carom_sizes n = h->s->size;
    memcpy(h->block, state->memory, sizeof(double) * (size_t)h->n_block);
    h->now.t = state->t;
    memcpy(h->now.q, state->q, sizeof(double) * (size_t)n.nq);
    memcpy(h->now.u, state->u, sizeof(double) * (size_t)n.nu);
    memcpy(h->now.la, state->la, sizeof(double) * (size_t)n.n_row);
    carom_flow_widen_scale(h->flow, &h->now);
    memset(h->total_P, 0, sizeof(double) * (size_t)n.n_row);
    h->is_converged = true;
    carom_hybrid_set_rows(h);
    carom_sides_set_forces(h);
}

static bool is_whole(double x, int most)
{
    return x >= 0 && x <= most && x == floor(x);
}

bool carom_hybrid_is_memory(carom_hybrid *h, const carom_state *state)
{
    memcpy(h->block, state->memory, sizeof(double) * (size_t)h->n_block);
    bool is_good = is_whole(*h->is_fresh, 1) && *h->h >= 0 && *h->stalled >= 0 &&
                   carom_weak_is_memory(h->flow, &h->now) && carom_sides_are_memory(h);
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_memory *m = &h->contact;
        const double mode = m->mode[c];
        const bool has_slip = carom_model_contact(h->s->model, c)->n_slip > 0;
        is_good &= is_whole(mode, CAROM_MODE_IDLE) && is_whole(m->is_touching[c], 1) &&
                   is_whole(m->is_live[c], 2);
        is_good &= has_slip || (mode != CAROM_MODE_SLIDE && mode != CAROM_MODE_STICK);
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
    for (int r = 0; r < n.n_row; r++) h->direction[r] = h->flow->rows.direction[r];
    memcpy(state->memory, h->block, sizeof(double) * (size_t)h->n_block);
    state->t = h->now.t;
    memcpy(state->q, h->now.q, sizeof(double) * (size_t)n.nq);
    memcpy(state->u, h->now.u, sizeof(double) * (size_t)n.nu);
    memcpy(state->la, h->now.la, sizeof(double) * (size_t)n.n_row);
    memcpy(state->P, h->total_P, sizeof(double) * (size_t)n.n_row);
    for (int c = 0; c < n.n_contact; c++) state->is_active[c] = carom_hybrid_is_closed(h, c);
}

bool carom_hybrid_is_closed(const carom_hybrid *h, int contact)
{
    return h->contact.mode[contact] != CAROM_MODE_OPEN;
}

void carom_hybrid_set_rows(carom_hybrid *h)
{
    carom_saddle_rows *rows = &h->flow->rows;
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(h->s->model, c);
        const carom_mode mode = (carom_mode)h->contact.mode[c];
        const bool is_held = mode != CAROM_MODE_OPEN && mode != CAROM_MODE_IDLE;
        rows->is_held[facts->row] = is_held;
        const bool is_sliding = mode == CAROM_MODE_SLIDE || mode == CAROM_MODE_PINNED;
        rows->is_sliding[c] = is_sliding;
        rows->still[c] = mode == CAROM_MODE_PINNED ? INFINITY : h->contact.still[c];
        for (int k = 1; k <= facts->n_slip; k++) {
            rows->is_held[facts->row + k] = mode == CAROM_MODE_STICK;
            rows->direction[facts->row + k] = rows->anchor[facts->row + k] =
                is_sliding ? h->direction[facts->row + k] : 0;
        }
    }
    memcpy(rows->reference, h->reference, sizeof(double) * (size_t)h->s->size.n_row);
}

double carom_hybrid_slip(const carom_hybrid *h, int contact)
{
    const carom_contact_facts *facts = carom_model_contact(h->s->model, contact);
    const double *gamma = h->gamma + facts->row;
    return facts->n_slip == 0 ? 0 : facts->n_slip == 1 ? fabs(gamma[1]) : hypot(gamma[1], gamma[2]);
}

double carom_hybrid_zero_gap(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->ev->W;
    const int r = carom_model_contact(h->s->model, c)->row;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k] * h->next.q[W->index[k]]);
    return fmax(closed_share * h->contact.gap_scale[c], 64 * DBL_EPSILON * sum);
}

double carom_hybrid_idle_gap(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->ev->W;
    const int r = carom_model_contact(h->s->model, c)->row;
    double sum = carom_hybrid_zero_gap(h, c);
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_flow_tolerated_q(h->flow, &h->next, W->index[k]);
    return 10 * sum;
}

double carom_hybrid_noise(carom_hybrid *h, int first, int last)
{
    const carom_sparse *W = &h->ev->W;
    double *a = h->decision.column, rate = 0, change = 0;
    memcpy(a, h->ev->f, sizeof(double) * (size_t)h->s->size.nu);
    carom_mass_solve(h->ev->mass, a);
    for (int r = first; r <= last; r++) {
        // what moves with time is known no better than the time
        rate += fabs(h->ev->w0[r]) + fabs(h->next.t * h->ev->curvature[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            rate += fabs(W->value[k]) * (fabs(h->next.u[W->index[k]]) + h->jolt[W->index[k]]);
            change += fabs(W->value[k] * a[W->index[k]]);
        }
    }
    return 64 * DBL_EPSILON * (rate + *h->h * change);
}

double carom_hybrid_missed_slip(const carom_hybrid *h, int contact)
{
    const carom_contact_facts *facts = carom_model_contact(h->s->model, contact);
    const carom_sparse *W = &h->ev->W;
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
    const carom_contact_facts *facts = carom_model_contact(h->s->model, contact);
    const carom_sparse *W = &h->ev->W;
    const double soon = fmin(*h->h, soon_share * h->s->end);
    double *scale = h->flow->scale + h->s->size.nu;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            scale[i] = fmax(scale[i], soon * fabs(h->decision.a_free[i]));
        }
}

// A slip that begins turns after its force the faster the slower it is: its equation is stiff like
// mu la_N/|gamma_T|, and what the tolerance leaves of gamma_T would brake it
void carom_hybrid_set_still(carom_hybrid *h, int contact, bool is_begun)
{
    const int r = carom_model_contact(h->s->model, contact)->row;
    if (is_begun) expect_slip(h, contact);
    const double missed = carom_hybrid_missed_slip(h, contact),
                 noise = carom_hybrid_noise(h, r + 1, r + 2);
    const double slip = carom_hybrid_slip(h, contact);
    double *still = &h->contact.still[contact];
    if (is_begun)
        *still = fmax(noise, begun_share * missed);
    else if (slip > *still)
        *still = fmax(fmax(noise, missed), still_share * slip);
}

// rounding of the rate counts as rest, too
double carom_hybrid_slow_rate(carom_hybrid *h, int contact)
{
    const int r = carom_model_contact(h->s->model, contact)->row;
    const double v_acc = h->v_acc > 0 ? h->v_acc : 1e-8 * h->contact.rate_scale[contact];
    return fmax(v_acc, carom_hybrid_noise(h, r, r));
}

carom_status carom_hybrid_find_forces(carom_hybrid *h, const double *u)
{
    carom_step *s = h->s;
    double *r = h->flow->scratch;
    h->flow->cost.solves++;
    for (int i = 0; i < s->size.n_row; i++) r[i] = -h->ev->curvature[i];
    carom_saddle_turn_directions(s->model, &h->flow->rows, h->ev, u);
    const carom_saddle_terms terms = {
        .mass = h->ev, .F = h->ev->f, .r = r, .is_regular = &h->is_regular};
    return carom_saddle_solve(h->flow->saddle, &h->flow->rows, &terms, h->a, h->la, s->error);
}

static void take_rates(carom_hybrid *h, const double *u)
{
    memcpy(h->gap, h->ev->gap, sizeof(double) * (size_t)h->s->size.n_contact);
    if (h->s->size.n_surface > 0) carom_edge_look_at_patches(h);
    carom_dynamics_rates(h->ev, u, h->gamma);
    memset(h->la, 0, sizeof(double) * (size_t)h->s->size.n_row);
    h->flow->cost.G++;
}

carom_status carom_hybrid_glance_at(carom_hybrid *h, double t, const double *q, const double *u)
{
    carom_step *s = h->s;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_LOOK, h->ev, s->error));
    take_rates(h, u);
    return CAROM_OK;
}

carom_status carom_hybrid_look_at(carom_hybrid *h, double t, const double *q, const double *u,
                                  bool is_full)
{
    carom_step *s = h->s;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    bool is_held = false;
    for (int r = 0; r < s->size.n_row; r++) is_held |= h->flow->rows.is_held[r];
    const unsigned mask = is_full || is_held ? CAROM_LOOK_FULL : CAROM_LOOK;
    CAROM_TRY(carom_model_eval(s->plan, &at, mask, h->ev, s->error));
    take_rates(h, u);
    if (!is_held) return CAROM_OK;
    h->flow->cost.F++;
    h->flow->cost.G_q++;
    return carom_hybrid_find_forces(h, u);
}

// an event without impulse: rates of the last look
void carom_hybrid_send_event(carom_hybrid *h, carom_event_kind kind, int contact)
{
    const double rate = h->gamma[carom_model_contact(h->s->model, contact)->row];
    const carom_event event = {
        .t = h->next.t, .contact = contact, .kind = kind, .rate_before = rate, .rate_after = rate};
    if (h->s->sink.event) h->s->sink.event(h->s->sink.self, &event);
}
