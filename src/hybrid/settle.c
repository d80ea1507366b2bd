// SPDX-License-Identifier: Apache-2.0
// What contacts with gap 0 and gap rate 0 do next, from the contact problem on acceleration level:
//
//     M a = f + D la,     xi = W a + curvature,     0 <= xi_N  _|_  la_N >= 0
//
//     gamma_T != 0:   slides. la_T = -mu la_N gamma_T/|gamma_T|, so that its push direction
//                     is w_N - mu sum_k d_k w_Tk
//     gamma_T  = 0:   -xi_T in N_disc(mu la_N)(la_T): sticks, or starts to slide along xi_T
//
// Rolling and spinning friction of a contact (its discs) likewise, each on its own rows.
// A contact whose force has just gone through zero is dropped, one whose friction has just met
// its limit slides: the problem is degenerate there. A problem without solution is resolved
// by an impulse (impact.c).
#include "contact/problem/problem.h"
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 8 };
static const double ahead = 1e-3; // of a step: how far ahead to look
// forces and accelerations below this share of their terms count as zero
static const double tiny = 1e-9;
static const double at_limit = 1e-6; // of the limit: where a contact slides friction is so near it

static double row_size(const carom_sparse *W, int r, const double *x)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += fabs(W->value[k] * x[W->index[k]]);
    return sum;
}

// what a slip rate is small against: the largest so far, or after an impact what its impulses did
// to it (that of a slow impact is itself small, and not to be forgotten)
static double slip_size(const carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    double jolt = 0;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        jolt += row_size(&h->seen.ev->rows.W, r, h->event.jolt);
    const double scale = h->memory.contact.slip_scale[c];
    return h->event.has_jump ? fmin(scale, jolt) : scale;
}

// direction of slip, or false where the contact does not slide; a contact just torn off has its
// direction already
static bool find_direction(carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const double slip = carom_hybrid_slip(h, c);
    if (h->event.is_torn[c]) return true;
    // in space the direction may just have turned by a right angle within one step
    if (h->event.stop[c] != CAROM_STOP_NONE &&
        (facts->n_slip == 1 || carom_hybrid_is_at_rest(h, c)))
        return false;
    // friction of another has met its limit: one at its limit already does not take up the rest
    if (h->event.old_mode[c] == CAROM_MODE_PINNED && h->event.has_tear && !h->event.has_jump)
        return true;
    // one that slides goes on, also where another that sticks still keeps it from moving
    if (h->event.old_mode[c] == CAROM_MODE_SLIDE && !h->event.has_jump && !h->event.has_stop &&
        facts->n_slip == 1)
        return true;
    const double noise = carom_hybrid_noise(h, facts->row + 1, facts->row + facts->n_slip);
    if (slip <= fmax(tiny * slip_size(h, c), noise)) return false;
    // one that takes over from another may roll or stick as well as the steps before could tell
    if (h->memory.contact.is_new[c] && !h->event.has_jump && slip <= carom_hybrid_missed_slip(h, c))
        return false;
    for (int k = 1; k <= facts->n_slip; k++)
        h->memory.direction[facts->row + k] = h->seen.gamma[facts->row + k] / slip;
    return true;
}

static void add_block(carom_hybrid *h, carom_block block, int row)
{
    carom_problem *p = &h->event.decision.problem;
    block.first = p->n_row;
    p->block[p->n_block++] = block;
    for (int k = 0; k < block.dim; k++) h->event.decision.row[p->n_row++] = row + k;
}

// one that sticks so far; those that slide push with what they bear (build_problem). of: rows back
// to the normal of its contact, 0 = it has none
static void add_disc(carom_hybrid *h, int c, const carom_contact_facts *facts, int of)
{
    const double most = h->event.decision.grip * h->seen.ev->rows.limit[c];
    const double radius = of > 0 ? 0 : most;
    const carom_block block = {.dim = facts->n_slip,
                               .is_bilateral = true,
                               .is_limited = true,
                               .radius = radius > 0 ? radius : 0,
                               .mu = of > 0 && most > 0 ? most : 0,
                               .id = c,
                               .of = of};
    add_block(h, block, facts->row + 1);
}

// how a contact or disc that is in begins; whether it slides already
static bool begin_mode(carom_hybrid *h, int c, const carom_contact_facts *facts)
{
    const bool is_rough = carom_law_is_rough(facts) && facts->n_slip > 0;
    const bool is_sliding = is_rough && find_direction(h, c);
    h->memory.contact.mode[c] = is_sliding ? CAROM_MODE_SLIDE
                                : is_rough ? CAROM_MODE_STICK
                                           : CAROM_MODE_HELD;
    if (is_sliding && h->event.old_mode[c] == CAROM_MODE_PINNED) h->event.is_begun[c] = 1;
    return is_sliding;
}

// rolling and spinning friction of a contact: behind its block, or open where it is not in
static void choose_discs_of(carom_hybrid *h, const carom_contact_facts *contact, bool is_in)
{
    if (!contact->n_disc) return;
    const carom_problem *p = &h->event.decision.problem;
    const int normal = is_in ? p->block[p->n_block - 1].first : 0;
    for (int c = contact->disc; c < contact->disc + contact->n_disc; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        h->memory.contact.mode[c] = CAROM_MODE_OPEN;
        h->event.is_begun[c] = h->event.is_torn[c];
        if (is_in && !begin_mode(h, c, facts)) add_disc(h, c, facts, p->n_row - normal);
    }
}

// rows of the problem; mode SLIDE marks the contacts that slide already
static void choose_rows(carom_hybrid *h, bool is_dropping)
{
    carom_problem *p = &h->event.decision.problem;
    p->n_row = p->n_block = 0;
    for (int k = 0; k < h->s->size.n_constraint; k++)
        add_block(h, (carom_block){.dim = 1, .is_bilateral = true, .id = k}, k);
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (facts->of > 0) continue; // with its contact
        h->memory.contact.mode[c] = CAROM_MODE_OPEN;
        h->event.is_begun[c] = h->event.is_torn[c];
        const bool is_in = h->event.is_in[c] && !(is_dropping && h->event.is_dropped[c]);
        const bool is_disc = carom_law_is_disc(facts);
        const bool is_sliding = is_in && begin_mode(h, c, facts);
        if (is_in && is_disc && !is_sliding) add_disc(h, c, facts, 0);
        if (is_in && !is_disc) {
            const bool is_rough = h->memory.contact.mode[c] == CAROM_MODE_STICK;
            const double mu = is_sliding ? 0 : h->event.decision.grip * carom_law_grip(facts);
            const int dim = is_rough ? 1 + facts->n_slip : 1;
            add_block(h, (carom_block){.dim = dim, .mu = mu, .id = c}, facts->row);
        }
        choose_discs_of(h, facts, is_in);
    }
    p->G.n = p->n_row;
}

// what a contact that pushes rubs with: the rows of c with this force for each unit of its push
static void add_drag(carom_hybrid *h, int c, double share, double *column)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const carom_sparse *W = &h->seen.ev->rows.W;
    if (h->memory.contact.mode[c] != CAROM_MODE_SLIDE) return;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            column[W->index[k]] +=
                share * carom_law_drag(facts, h->memory.direction[r]) * W->value[k];
}

// column := M^-1 d of the problem's row j
static void push_column(carom_hybrid *h, int j, const carom_block *block)
{
    double *column = h->scratch.force;
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = h->event.decision.row[j];
    memset(column, 0, sizeof(double) * (size_t)h->s->size.nu);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) column[W->index[k]] += W->value[k];
    if (!block->is_bilateral && j == block->first) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, block->id);
        add_drag(h, block->id, 1, column);
        for (int d = facts->disc; d < facts->disc + facts->n_disc; d++)
            add_drag(h, d, h->seen.ev->rows.limit[d], column);
    }
    carom_mass_solve(h->seen.ev->mass, column);
}

static void push_sliding_discs(const carom_hybrid *h, double *force)
{
    const carom_sizes n = h->s->size;
    const carom_eval_rows *rows = &h->seen.ev->rows;
    for (int c = n.n_contact - n.n_disc; c < n.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (facts->of > 0 || h->memory.contact.mode[c] != CAROM_MODE_SLIDE) continue;
        for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
            for (int k = rows->W.start[r]; k < rows->W.start[r + 1]; k++)
                force[rows->W.index[k]] += carom_law_drag(facts, h->memory.direction[r]) *
                                           rows->limit[c] * rows->W.value[k];
    }
}

static void build_problem(carom_hybrid *h)
{
    carom_decision *d = &h->event.decision;
    carom_problem *p = &d->problem;
    memcpy(d->a_free, h->seen.ev->f, sizeof(double) * (size_t)h->s->size.nu);
    push_sliding_discs(h, d->a_free);
    carom_mass_solve(h->seen.ev->mass, d->a_free);
    for (int i = 0; i < p->n_row; i++) {
        p->b[i] = carom_sparse_row_times(&h->seen.ev->rows.W, d->row[i], d->a_free) +
                  h->seen.ev->rows.curvature[d->row[i]];
        d->size[i] = row_size(&h->seen.ev->rows.W, d->row[i], d->a_free) +
                     fabs(h->seen.ev->rows.curvature[d->row[i]]);
    }
    for (int b = 0; b < p->n_block; b++)
        for (int j = p->block[b].first; j < p->block[b].first + p->block[b].dim; j++) {
            push_column(h, j, &p->block[b]);
            for (int i = 0; i < p->n_row; i++)
                p->G.dense[(size_t)j * (size_t)p->n_row + (size_t)i] =
                    carom_sparse_row_times(&h->seen.ev->rows.W, d->row[i], h->scratch.force);
        }
}

// without friction the accelerations are unique, and the forces before the event are a good guess;
// not where these have vanished, nor at an edge, where two patches share a direction
static void guess_forces(carom_hybrid *h)
{
    carom_decision *d = &h->event.decision;
    bool is_unsure = h->event.has_drop || h->s->size.n_surface > 0;
    for (int b = 0; b < d->problem.n_block; b++) {
        const carom_block *block = &d->problem.block[b];
        is_unsure |= block->is_limited;
        is_unsure |= !block->is_bilateral && h->memory.contact.mode[block->id] != CAROM_MODE_HELD;
    }
    memset(d->la, 0, sizeof(double) * (size_t)h->s->size.n_row);
    for (int i = 0; i < d->problem.n_row && !is_unsure; i++) d->la[i] = h->next.la[d->row[i]];
}

static carom_status solve_problem(carom_hybrid *h, bool is_dropping)
{
    carom_decision *d = &h->event.decision;
    carom_problem *p = &d->problem;
    carom_contact_info info = {.is_converged = true};
    choose_rows(h, is_dropping);
    build_problem(h);
    guess_forces(h);
    if (p->n_row > 0) CAROM_TRY(carom_contact_solve(d->solver, p, d->la, &info, h->s->error));
    d->is_solved = info.is_converged;
    h->s->report.iterations += info.iterations;
    for (int i = 0; i < p->n_row; i++) {
        d->rate[i] = p->b[i];
        for (int j = 0; j < p->n_row; j++)
            d->rate[i] += p->G.dense[(size_t)j * (size_t)p->n_row + (size_t)i] * d->la[j];
    }
    return CAROM_OK;
}

// a contact that could slide: along its acceleration, or against its friction where
// that is at the limit
static void choose_grip(carom_hybrid *h, const carom_block *block)
{
    const carom_decision *d = &h->event.decision;
    // its slips are rows i .. i + n - 1 of the problem; a disc has no other
    const bool is_disc = block->is_limited;
    const int i = block->first + !is_disc, n = block->dim - !is_disc, c = block->id, r = d->row[i];
    const double limit = is_disc ? carom_disc_reach(block, d->la) : block->mu * d->la[i - 1];
    const double push = n == 1 ? fabs(d->la[i]) : hypot(d->la[i], d->la[i + 1]);
    const double pull = n == 1 ? fabs(d->rate[i]) : hypot(d->rate[i], d->rate[i + 1]);
    double size = 0;
    for (int k = block->first; k < i + n; k++) size = fmax(size, d->size[k]);
    h->memory.contact.mode[c] = CAROM_MODE_STICK;
    if (push < limit * (1 - at_limit) || pull <= tiny * size) return;
    h->memory.contact.mode[c] = CAROM_MODE_SLIDE;
    // others make it move: it does not begin at rest, and has a direction
    const double slip = carom_hybrid_slip(h, c);
    const bool is_moved =
        h->event.stop[c] == CAROM_STOP_MOVED && slip > carom_hybrid_noise(h, r, r + n - 1);
    h->event.is_begun[c] = !is_moved;
    for (int k = 0; k < n; k++)
        h->memory.direction[r + k] = is_moved ? h->seen.gamma[r + k] / slip : d->rate[i + k] / pull;
}

// size of the forces that the terms of the rows ask for, times sqrt(G). A tangent that hardly moves
// anything (the tip of a rod that stands across the wall) asks for none of its own.
static double force_scale(const carom_decision *d)
{
    const size_t n = (size_t)d->problem.n_row;
    double scale = 0;
    for (int b = 0; b < d->problem.n_block; b++) {
        const carom_block *block = &d->problem.block[b];
        double g = 0, size = 0;
        for (int i = block->first; i < block->first + block->dim; i++) {
            g = fmax(g, fabs(d->problem.G.dense[(size_t)i * n + (size_t)i]));
            size = fmax(size, d->size[i]);
        }
        if (g > 0) scale = fmax(scale, size / sqrt(g));
    }
    return scale;
}

// a contact without a force bears no rolling friction
static void open_idle_discs(carom_hybrid *h)
{
    for (int c = h->s->size.n_contact - h->s->size.n_disc; c < h->s->size.n_contact; c++) {
        const int of = carom_plan_contact(h->s->plan, c)->of;
        if (of == 0) continue;
        const carom_mode mode = h->memory.contact.mode[of - 1];
        if (mode == CAROM_MODE_OPEN || mode == CAROM_MODE_IDLE)
            h->memory.contact.mode[c] = CAROM_MODE_OPEN;
    }
}

// force or acceleration decides between closed and open; where both are zero
// others hold the contact
static void choose_modes(carom_hybrid *h)
{
    const carom_decision *d = &h->event.decision;
    const double scale = force_scale(d);
    const int n = d->problem.n_row;
    for (int b = 0; b < d->problem.n_block; b++) {
        const carom_block *block = &d->problem.block[b];
        const int i = block->first, c = block->id;
        if (block->is_limited) choose_grip(h, block);
        if (block->is_bilateral) continue;
        const double root = sqrt(fabs(d->problem.G.dense[(size_t)i * (size_t)n + (size_t)i]));
        if (d->la[i] * root > tiny * scale) {
            if (block->dim > 1) choose_grip(h, block);
        } else if (d->rate[i] > tiny * scale * root) {
            h->memory.contact.mode[c] = CAROM_MODE_OPEN;
        } else {
            h->memory.contact.mode[c] = CAROM_MODE_IDLE;
        }
    }
    open_idle_discs(h);
}

static carom_status look_at_next(carom_hybrid *h)
{
    return carom_hybrid_look_at(h, h->next.t, h->next.q, h->next.u, true);
}

// looks at where accelerations a lead a little later
static carom_status look_along(carom_hybrid *h, const double *a)
{
    const double dt = ahead * h->memory.h;
    for (int i = 0; i < h->s->size.nu; i++) {
        h->seen.u[i] = h->next.u[i] + 0.5 * dt * a[i];
        h->scratch.force[i] = h->next.u[i] + dt * a[i];
    }
    carom_model_move(h->s->model, h->next.q, h->seen.u, dt, h->seen.q);
    memcpy(h->seen.u, h->scratch.force, sizeof(double) * (size_t)h->s->size.nu);
    return carom_hybrid_look_at(h, h->next.t + dt, h->seen.q, h->seen.u, true);
}

// where forces are zero at this very instant the problem a little later tells who takes over
static carom_status look_ahead(carom_hybrid *h)
{
    CAROM_TRY(look_along(h, h->next.a));
    CAROM_TRY(solve_problem(h, false));
    return h->event.decision.is_solved ? CAROM_OK : look_at_next(h);
}

static bool has_idle(const carom_hybrid *h)
{
    bool has = false;
    for (int c = 0; c < h->s->size.n_contact; c++)
        has |= h->memory.contact.mode[c] == CAROM_MODE_IDLE;
    return has;
}

static carom_mode pressed_mode(carom_hybrid *h, int c)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    if (!(carom_law_is_rough(facts) && facts->n_slip > 0)) return CAROM_MODE_HELD;
    return find_direction(h, c) ? CAROM_MODE_SLIDE : CAROM_MODE_STICK;
}

// An idle contact that no other contact holds: a body without stress that has just hit has neither
// force nor acceleration, but is pressed at once. The accelerations a little later tell.
static carom_status press_idle(carom_hybrid *h)
{
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_find_forces(h, h->next.u));
    CAROM_TRY(look_along(h, h->seen.a));
    CAROM_TRY(carom_hybrid_find_forces(h, h->seen.u));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const int r = carom_plan_contact(h->s->plan, c)->row;
        const double rate = carom_sparse_row_times(&h->seen.ev->rows.W, r, h->seen.a) +
                            h->seen.ev->rows.curvature[r];
        const double size =
            row_size(&h->seen.ev->rows.W, r, h->seen.a) + fabs(h->seen.ev->rows.curvature[r]);
        h->event.is_pressed[c] =
            h->memory.contact.mode[c] == CAROM_MODE_IDLE && rate < -tiny * size;
    }
    CAROM_TRY(look_at_next(h));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (!h->event.is_pressed[c]) continue;
        h->memory.contact.mode[c] = pressed_mode(h, c);
        for (int d = facts->disc; d < facts->disc + facts->n_disc; d++)
            h->memory.contact.mode[d] = pressed_mode(h, d);
    }
    return CAROM_OK;
}

// onto what is held; a slip that begins, begins at rest: what is left of the slip before, or what
// another that comes to rest at this instant makes of it, would give it another direction than that
// of its acceleration
static carom_status project_on_held(carom_hybrid *h)
{
    carom_saddle_rows *rows = &h->flow->rows;
    carom_hybrid_set_rows(h);
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        if (h->memory.contact.mode[c] != CAROM_MODE_SLIDE) continue;
        // the direction is new: what was slow before says nothing
        if (h->event.has_jump && !h->event.is_begun[c]) h->memory.contact.still[c] = 0;
        if (facts->n_slip == 2) carom_hybrid_set_still(h, c, h->event.is_begun[c]);
        if (!h->event.is_begun[c]) continue;
        rows->is_sliding[c] = 0;
        for (int k = 1; k <= facts->n_slip; k++) rows->is_held[facts->row + k] = 1;
    }
    CAROM_TRY(carom_flow_project(h->flow, &h->next, true, true));
    carom_hybrid_set_rows(h);
    return CAROM_OK;
}

// the modes from the contact problem of the accelerations, or after an impulse
static carom_status decide_modes(carom_hybrid *h)
{
    carom_step *s = h->s;
    h->event.decision.is_solved = false;
    if (h->event.has_drop) CAROM_TRY(look_ahead(h));
    for (int k = 0; k < MOST_PASSES && !h->event.decision.is_solved; k++) {
        CAROM_TRY(solve_problem(h, true));
        if (h->event.decision.is_solved) break;
        if (k == MOST_PASSES - 1)
            return carom_fail(
                s->error, CAROM_NOT_CONVERGED,
                "the contact problem of the accelerations has no solution at t = %.9g", h->next.t);
        CAROM_TRY(carom_hybrid_resolve_jam(h));
        CAROM_TRY(look_at_next(h));
        memset(h->event.is_torn, 0, (size_t)s->size.n_contact);
    }
    choose_modes(h);
    return CAROM_OK;
}

// Friction has met its limit as the forces were shared. Another share may still do: one that uses
// less than all of the friction, by the contact problem with less of it, is some distance away from
// the limits. It becomes the one that the forces stay nearest to.
static carom_status relieve_friction(carom_hybrid *h, bool *is_done)
{
    static const double grip[] = {0.5, 0.75, 0.9, 0.97, 0.99, 0.999, 0.9999, 0.99999, 0.999999};
    const size_t n = (size_t)h->s->size.n_contact;
    *is_done = false;
    if (!h->event.has_tear || h->seen.is_regular) return CAROM_OK;
    memcpy(h->event.was_torn, h->event.is_torn, n);
    memset(h->event.is_torn, 0, n);
    h->event.has_tear = false;
    for (size_t k = 0; k < sizeof grip / sizeof *grip && !*is_done; k++) {
        h->event.decision.grip = grip[k];
        const carom_status status = solve_problem(h, true);
        h->event.decision.grip = 1;
        CAROM_TRY(status);
        if (!h->event.decision.is_solved) continue;
        choose_modes(h);
        *is_done = true;
        for (size_t c = 0; c < n; c++) {
            const bool was_still = h->event.old_mode[c] == CAROM_MODE_STICK ||
                                   h->event.old_mode[c] == CAROM_MODE_PINNED;
            *is_done &= !was_still || h->memory.contact.mode[c] == CAROM_MODE_STICK;
        }
    }
    if (*is_done) return carom_share_keep_forces(h, h->next.u);
    memcpy(h->event.is_torn, h->event.was_torn, n);
    h->event.has_tear = true;
    return CAROM_OK;
}

// how much of the load each closed contact holds
static carom_status share_forces(carom_hybrid *h, const double *u)
{
    if (!h->event.has_drop && has_idle(h)) CAROM_TRY(press_idle(h));
    CAROM_TRY(carom_share_pin_contacts(h));
    return carom_share_forces(h, u);
}

carom_status carom_hybrid_settle_contacts(carom_hybrid *h)
{
    const double *u = h->event.has_drop ? h->seen.u : h->next.u;
    bool is_right = false;
    memset(h->memory.reference, 0, sizeof(double) * (size_t)h->s->size.n_row);
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_share_stick_anew(h, &is_right));
    if (!is_right) CAROM_TRY(relieve_friction(h, &is_right));
    const bool is_decided = is_right;
    for (int k = 0; k <= h->s->size.n_contact && !is_right; k++) {
        CAROM_TRY(decide_modes(h));
        CAROM_TRY(carom_share_check_pinned(h, u, &is_right));
    }
    if (!is_decided) CAROM_TRY(share_forces(h, u));
    CAROM_TRY(project_on_held(h));
    CAROM_TRY(h->flow->solver->start(h->flow, &h->next));
    return look_at_next(h);
}
