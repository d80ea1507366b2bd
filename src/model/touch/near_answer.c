// SPDX-License-Identifier: Apache-2.0
// Answers of slots. The model's own programs are run first; then each slot in use runs the program
// of its primitive with the poses and velocities of its two bodies, and what that answers goes into
// the rows of the slot: columns of body 1 and body 2, those of the ground are left out.
//
//     empty slot:  gap +infinity, rate and curvature 0, no row
#include "model/touch/near.h"

#include "base/team.h"

#include <math.h>
#include <string.h>

enum { LEAST_SLOTS = 32 }; // of a share of a loop

// a question of the plan, and how the model answers it without slots
struct carom_near_question {
    carom_nearby *nearby;
    const carom_question *ask;
    unsigned asked; // of slots
    void *program;
    carom_answer *whole, *still, *rates;
};
typedef struct carom_near_question near_question;

// derivatives of rows count where the patterns have room for them; else they are left out
static unsigned asked_of(const carom_model *model, unsigned mask)
{
    const bool has_room = model->size.nu <= CAROM_NEAR_DENSE;
    return (mask & CAROM_GAPS ? CAROM_SLOT_GAP : 0) | (mask & CAROM_ROWS ? CAROM_SLOT_W : 0) |
           (mask & CAROM_CURVATURE ? CAROM_SLOT_CURVATURE : 0) |
           (mask & CAROM_D_ROWS && has_room ? CAROM_SLOT_D_ROWS : 0);
}

// ---- one slot ----

// what its program is given
typedef struct slot_inputs {
    double q[CAROM_SLOT_POSE], u[CAROM_SLOT_WIDTH], P[CAROM_SLOT_ROWS];
} slot_inputs;

static void gather_pose(const carom_near *near, const carom_near_body *body, const double *q,
                        double *pose)
{
    const int n = near->dim == 2 ? 3 : 7;
    memset(pose, 0, sizeof(double) * (size_t)n);
    if (near->dim == 3) pose[3] = 1;
    if (body->n == 0) return;
    for (int i = 0; i < near->dim; i++) pose[i] = q[body->q[i]];
    memcpy(pose + near->dim, q + body->turn, sizeof(double) * (near->dim == 2 ? 1 : 4));
}

const carom_slot_answers *carom_near_run(const carom_nearby *nearby, int member,
                                         const carom_near_slot *slot, int i_slot,
                                         const carom_point *at, unsigned asked)
{
    const carom_near *near = nearby->near;
    const int half = near->dim == 2 ? 3 : 6, pose = near->dim == 2 ? 3 : 7;
    slot_inputs in = {.u = {0}};
    for (int b = 0; b < 2; b++) {
        const carom_near_body *body = &near->body[slot->body[b]];
        gather_pose(near, body, at->q, in.q + b * pose);
        for (int i = 0; at->u && i < body->n; i++) in.u[b * half + i] = at->u[body->u[i]];
    }
    for (int r = 0; at->P && r < near->n_row + carom_near_n_turn(near); r++)
        in.P[r] = at->P[carom_near_row(nearby->plan->model, near, i_slot, r)];
    const carom_point there = {.t = at->t, .q = in.q, .u = in.u, .a = slot->numbers.p1, .P = in.P};
    return carom_slot_program_run(nearby->program[member].of[slot->primitive][asked], &there);
}

// ---- into the answers of the model ----

// where things go
typedef struct scatter {
    const carom_nearby *nearby;
    const carom_layout *layout;
    double *block, *W; // W: where the rows of slots begin
    unsigned mask, asked;
    const carom_point *at;
} scatter;

// one row of W of a slot; returns where the next one stands
static double *put_row(const carom_near *near, const carom_near_slot *slot, const double *row,
                       double *to)
{
    const int half = near->dim == 2 ? 3 : 6, first = carom_near_first(near, slot->body);
    for (int k = 0; k < 2; k++) {
        const int b = k == 0 ? first : !first, n = near->body[slot->body[b]].n;
        memcpy(to, row + b * half, sizeof(double) * (size_t)n);
        to += n;
    }
    return to;
}

// W of one slot and its discs; the rate of its gap
static void put_rows(const scatter *to, const carom_near_slot *slot, int contact, const double *u,
                     const carom_slot_answers *ans)
{
    const carom_near *near = to->nearby->near;
    const int half = near->dim == 2 ? 3 : 6, n_turn = carom_near_n_turn(near);
    double *W = to->W + slot->row_place, *turn = to->W + slot->turn_place;
    for (int r = 0; r < near->n_row; r++) W = put_row(near, slot, ans->W + r * CAROM_SLOT_WIDTH, W);
    for (int r = near->n_row; r < near->n_row + n_turn; r++)
        turn = put_row(near, slot, ans->W + r * CAROM_SLOT_WIDTH, turn);
    if (!(to->mask & CAROM_GAP_RATES) || !u) return;
    double rate = 0;
    for (int b = 0; b < 2; b++) {
        const carom_near_body *body = &near->body[slot->body[b]];
        for (int i = 0; i < body->n; i++) rate += ans->W[b * half + i] * u[body->u[i]];
    }
    to->block[to->layout->gap_rate + contact] = rate;
}

static void put_derivatives(const scatter *to, const carom_near_slot *slot, int i_slot,
                            const carom_slot_answers *ans)
{
    const carom_near *near = to->nearby->near;
    const int half = near->dim == 2 ? 3 : 6, n = to->layout->dWP_dq.n_column;
    const carom_model *model = to->nearby->plan->model;
    const carom_pattern *gamma = &to->layout->dgamma_dq;
    double *push = to->block + to->layout->dWP_dq.offset;
    for (int b = 0; b < 2; b++) {
        const carom_near_body *body = &near->body[slot->body[b]];
        for (int r = 0; r < near->n_row + carom_near_n_turn(near); r++) {
            double *row =
                to->block + gamma->offset + gamma->start[carom_near_row(model, near, i_slot, r)];
            for (int i = 0; i < body->n; i++)
                row[body->u[i]] = ans->dgamma_dq[r * CAROM_SLOT_WIDTH + b * half + i];
        }
        for (int i = 0; i < body->n; i++)
            for (int c = 0; c < 2; c++) {
                const carom_near_body *other = &near->body[slot->body[c]];
                for (int j = 0; j < other->n; j++)
                    push[body->u[i] * n + other->u[j]] +=
                        ans->dWP_dq[(b * half + i) * CAROM_SLOT_WIDTH + c * half + j];
            }
    }
}

static void put_slot(const scatter *to, int member, int i_slot)
{
    const carom_point *at = to->at;
    const unsigned asked = to->asked;
    const carom_nearby *nearby = to->nearby;
    const carom_near *near = nearby->near;
    const carom_near_slot *slot = &nearby->slot[i_slot];
    const int contact = near->n_before + i_slot;
    const carom_slot_answers *ans = carom_near_run(nearby, member, slot, i_slot, at, asked);
    double *curvature = to->block + to->layout->curvature;
    if (asked & CAROM_SLOT_GAP) to->block[to->layout->gap + contact] = ans->gap;
    if (asked & CAROM_SLOT_W) put_rows(to, slot, contact, at->u, ans);
    for (int d = 0; asked & CAROM_SLOT_W && d < near->n_disc; d++)
        to->block[to->layout->seldom.limit + carom_near_disc(near, i_slot, d)] = slot->length[d];
    for (int r = 0; asked & CAROM_SLOT_CURVATURE && r < near->n_row + carom_near_n_turn(near); r++)
        curvature[carom_near_row(nearby->plan->model, near, i_slot, r)] = ans->curvature[r];
    if (asked & CAROM_SLOT_D_ROWS) put_derivatives(to, slot, i_slot, ans);
}

static void put_slots(void *self, int member, int first, int end)
{
    const scatter *to = self;
    for (int i = first; i < end; i++) put_slot(to, member, to->nearby->used[i]);
}

// ---- around the slots ----

static void set_zero(double *x, int n)
{
    memset(x, 0, sizeof(double) * (size_t)n);
}

static void copy(const double *from, int n, double *to)
{
    memcpy(to, from, sizeof(double) * (size_t)n);
}

// what empty slots answer, and the derivatives of the rows that stay
static void clear_slots(const scatter *to)
{
    const unsigned asked = to->asked;
    const carom_near *near = to->nearby->near;
    const carom_model *model = to->nearby->plan->model;
    const carom_layout *layout = to->layout;
    int row, last;
    carom_near_rows(model, near, &row, &last);
    const int n_row = last - row;
    for (int i = 0; asked & CAROM_SLOT_GAP && i < near->n_slot; i++)
        to->block[layout->gap + near->n_before + i] = INFINITY;
    if (to->mask & CAROM_GAP_RATES)
        set_zero(to->block + layout->gap_rate + near->n_before, near->n_slot);
    if (asked & CAROM_SLOT_W && near->n_disc > 0)
        set_zero(to->block + layout->seldom.limit + carom_near_disc(near, 0, 0),
                 near->n_slot * near->n_disc);
    if (asked & CAROM_SLOT_CURVATURE) set_zero(to->block + layout->curvature + row, n_row);
    if (!(to->mask & CAROM_D_ROWS)) return;
    const carom_pattern *push = &near->dWP_dq, *own = &near->dgamma_dq, *all = &layout->dgamma_dq;
    const int n = push->n_row;
    double *sum = to->block + layout->dWP_dq.offset, *gamma = to->block + all->offset;
    set_zero(sum, layout->dWP_dq.start[n]);
    for (int k = 0; k < push->start[n]; k++) sum[near->push_place[k]] = to->block[push->offset + k];
    copy(to->block + own->offset, own->start[row], gamma);
    set_zero(gamma + all->start[row], all->start[last] - all->start[row]);
    copy(to->block + own->offset + own->start[last], own->start[own->n_row] - own->start[last],
         gamma + all->start[last]);
}

static void add_slots(const near_question *k, const carom_point *at, double *block, unsigned asked)
{
    const carom_nearby *nearby = k->nearby;
    const carom_near *near = nearby->near;
    const carom_model *model = nearby->plan->model;
    const carom_pattern *own = &near->W;
    int row, last;
    carom_near_rows(model, near, &row, &last);
    scatter to = {.nearby = nearby,
                  .layout = &model->layout,
                  .block = block,
                  .W = block + model->layout.W.offset + own->start[row],
                  .mask = k->ask->mask,
                  .asked = asked,
                  .at = at};
    clear_slots(&to);
    if (asked & CAROM_SLOT_W)
        copy(block + own->offset, own->start[row], block + model->layout.W.offset);
    if (asked == 0) return; // derivatives alone, of a model without room for those of slots
    // derivatives of pushes of many slots stand in one place
    carom_team_run(asked & CAROM_SLOT_D_ROWS ? NULL : nearby->plan->team, nearby->n_used,
                   LEAST_SLOTS, put_slots, &to);
    if (asked & CAROM_SLOT_W)
        copy(block + own->offset + own->start[last], own->start[own->n_row] - own->start[last],
             to.W + nearby->n_place);
}

// what must be finite is, but for gaps of contacts that are not there
static bool is_finite(const near_question *k, const double *block)
{
    const carom_question *ask = k->ask;
    const carom_model *model = k->nearby->plan->model;
    const int gap = model->layout.gap, behind = gap + model->size.n_contact;
    if (!(ask->mask & CAROM_GAPS)) return false;
    double sum = 0;
    for (int c = gap; c < behind; c++) sum += block[c];
    return sum > -INFINITY && carom_vector_is_finite(block + ask->watched, gap - ask->watched) &&
           carom_vector_is_finite(block + behind, ask->watched + ask->n_watched - behind);
}

static bool near_whole(void *question, const carom_point *at, double *block)
{
    const near_question *k = question;
    const bool is_good = k->whole(k->program, at, block);
    add_slots(k, at, block, k->asked);
    return is_finite(k, block) || (is_good && !(k->asked & CAROM_SLOT_GAP));
}

static bool near_still(void *question, const carom_point *at, double *block)
{
    const near_question *k = question;
    const bool is_good = k->still(k->program, at, block);
    add_slots(k, at, block, k->asked & (CAROM_SLOT_GAP | CAROM_SLOT_W));
    return is_finite(k, block) || (is_good && !(k->asked & CAROM_SLOT_GAP));
}

static bool near_rates(void *question, const carom_point *at, double *block)
{
    const near_question *k = question;
    const bool is_good = k->rates(k->program, at, block);
    add_slots(k, at, block, k->asked);
    return is_finite(k, block) || (is_good && !(k->asked & CAROM_SLOT_GAP));
}

// ---- the contacts of a plan ----

static carom_status make_programs(carom_nearby *nearby, int member, unsigned asked,
                                  carom_error *error)
{
    carom_near_programs *program = &nearby->program[member];
    if (asked == 0 || program->of[CAROM_POINT_POINT][asked]) return CAROM_OK;
    for (int i = 0; i < CAROM_N_PRIMITIVE; i++)
        CAROM_TRY(carom_slot_program_new(nearby->near->code, (carom_primitive)i, asked,
                                         nearby->plan->arena, &program->of[i][asked], error));
    return CAROM_OK;
}

carom_status carom_nearby_share(carom_nearby *nearby, carom_error *error)
{
    const int n = carom_team_size(nearby->plan->team);
    if (n <= nearby->n_member) return CAROM_OK;
    carom_near_programs *program = CAROM_TAKE(nearby->plan->arena, carom_near_programs, n);
    if (!program || !carom_finder_share(nearby->finder, n))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    program[0] = nearby->program[0];
    nearby->program = program;
    nearby->n_member = n;
    for (int m = 1; m < n; m++)
        for (unsigned asked = 1; asked < CAROM_SLOT_N_ASKED; asked++)
            if (program->of[CAROM_POINT_POINT][asked])
                CAROM_TRY(make_programs(nearby, m, asked, error));
    return CAROM_OK;
}

carom_status carom_nearby_new(carom_plan *plan, const carom_near *near, carom_nearby **nearby,
                              carom_error *error)
{
    carom_arena *arena = plan->arena;
    carom_nearby *made = *nearby = CAROM_TAKE(arena, carom_nearby, 1);
    if (!made) return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    made->plan = plan;
    made->near = near;
    made->n_choice = 1; // what is 0 was never in use
    made->n_member = 1;
    made->program = CAROM_TAKE(arena, carom_near_programs, 1);
    made->slot = CAROM_TAKE(arena, carom_near_slot, near->n_slot);
    made->used = CAROM_TAKE(arena, int, near->n_slot);
    made->question = CAROM_TAKE(arena, near_question, plan->n_mask);
    made->finder = carom_finder_new(arena, near);
    if (!made->program || !made->slot || !made->used || !made->question || !made->finder)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
    CAROM_TRY(make_programs(made, 0, CAROM_SLOT_PLACE, error));
    for (int i = 0; i < plan->n_mask; i++) {
        const unsigned asked = asked_of(plan->model, plan->question[i].mask);
        CAROM_TRY(make_programs(made, 0, asked, error));
        CAROM_TRY(make_programs(made, 0, asked & (CAROM_SLOT_GAP | CAROM_SLOT_W), error));
    }
    carom_nearby_join(made);
    return CAROM_OK;
}

void carom_nearby_join(carom_nearby *nearby)
{
    for (int i = 0; i < nearby->plan->n_mask; i++) {
        carom_question *ask = &nearby->plan->question[i];
        near_question *k = &nearby->question[i];
        const unsigned asked = asked_of(nearby->plan->model, ask->mask);
        if ((asked == 0 && !(ask->mask & CAROM_D_ROWS)) || ask->program == k) continue;
        *k = (near_question){nearby, ask, asked, ask->program, ask->whole, ask->still, ask->rates};
        ask->program = k;
        ask->whole = near_whole;
        ask->still = near_still;
        ask->rates = near_rates;
        ask->is_constant = false;
    }
}

void carom_nearby_free(carom_nearby *nearby)
{
    if (!nearby) return;
    carom_finder_free(nearby->finder);
    for (int m = 0; m < nearby->n_member && nearby->program; m++)
        for (int i = 0; i < CAROM_N_PRIMITIVE; i++)
            for (int k = 0; k < CAROM_SLOT_N_ASKED; k++)
                carom_slot_program_free(nearby->program[m].of[i][k]);
}

void carom_nearby_places(carom_nearby *nearby, const carom_point *at, const carom_places *places)
{
    for (int i = 0; i < nearby->n_used; i++) {
        const int contact = nearby->near->n_before + nearby->used[i];
        const carom_near_slot *slot = &nearby->slot[nearby->used[i]];
        const carom_slot_answers *ans =
            carom_near_run(nearby, 0, slot, nearby->used[i], at, CAROM_SLOT_PLACE);
        copy(ans->point, 3, places->point + 3 * (ptrdiff_t)contact);
        copy(ans->normal, 3, places->normal + 3 * (ptrdiff_t)contact);
        memcpy(places->body + 2 * (ptrdiff_t)contact, slot->body, sizeof slot->body);
    }
}
