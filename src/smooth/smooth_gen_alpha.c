// SPDX-License-Identifier: Apache-2.0
// The generalised-alpha method: implicit, order 2, with numerical damping that rho sets, and the
// constraints on position level (index 3). With + for the end of the step:
//
//     M u_dot+ = f+ + D la+,     g(q+) = 0
//     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) u_dot+ + alpha_f u_dot
//     q+ = q + h u + h^2 (1/2 - beta) a + h^2 beta a+
//     u+ = u + h (1 - gamma) a + h gamma a+
//
//     alpha_m = (2 rho - 1)/(rho + 1)       gamma = 1/2 + alpha_f - alpha_m
//     alpha_f = rho/(rho + 1)               beta  = (gamma + 1/2)^2/4
//
// The auxiliary a is the solver's memory; it starts as u_dot. Newton's method is in newmark.c. For
// study the rows may be held on velocity level (index 2), on acceleration level (index 1), or on
// both position and velocity with q+ moved by W'psi (ggl). Dense output: cubic Hermite.
//
// Error: difference to a Newmark step (alpha_m = alpha_f = 0, gamma = 0.6) that starts with
// a = u_dot. Across the constraints that difference is blind to what matters: with g(q+) = 0 both
// steps hand on the rate v = G u + w0 that they find, v+ = (1 - gamma/beta) v + O(h), whatever
// h is. There the error is what the step adds, v+ - (1 - gamma/beta) v.
//
// M. Arnold, O. Bruls, Convergence of the generalized-alpha scheme for constrained
// mechanical systems, 2007.
#include "model/model.h"
#include "smooth/newmark.h"
#include "smooth/smooth_options.h"
#include "smooth/stages.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { RHO, INDEX };
static const double ROUNDING = 24; // units of the last place: of sums, and of what Newton leaves
enum { INDEX_3 };                  // first choice of the option index

typedef struct gen_alpha {
    carom_newmark *newmark;
    carom_newmark_rule rule, check;
} gen_alpha;

// the auxiliary acceleration, and the rates of the held rows that the step leaves
static int n_memory(carom_sizes size)
{
    return size.nu + size.n_row;
}

// differences to Newmark's step in q and u, the error in u, rates and multipliers
static int n_work(carom_sizes size)
{
    return 3 * size.nu + 2 * size.n_row;
}

static carom_newmark_rule rule_of(double alpha_m, double alpha_f, double gamma)
{
    return (carom_newmark_rule){alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}

static carom_status prepare(carom_flow *flow)
{
    static const carom_newmark_level level[] = {CAROM_NEWMARK_POSITION, CAROM_NEWMARK_VELOCITY,
                                                CAROM_NEWMARK_ACCELERATION, CAROM_NEWMARK_GGL};
    gen_alpha *self = CAROM_TAKE(flow->arena, gen_alpha, 1);
    if (!self) return carom_fail(flow->s->error, CAROM_NO_MEMORY, "no memory for gen_alpha");
    flow->self = self;
    const double rho = flow->option[RHO];
    const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    self->rule = rule_of(alpha_m, alpha_f, 0.5 + alpha_f - alpha_m);
    self->check = rule_of(0, 0, 0.6);
    return carom_newmark_new(flow, level[(int)flow->option[INDEX]], &self->newmark);
}

static void release(carom_flow *flow)
{
    carom_newmark_free(((gen_alpha *)flow->self)->newmark);
}

static carom_status start(carom_flow *flow, carom_motion *now)
{
    // what is off the constraints would become a velocity, the larger the shorter the step
    if (flow->option[INDEX] == INDEX_3) CAROM_TRY(carom_flow_project(flow, now, true, true));
    CAROM_TRY(carom_weak_start(flow, now));
    memcpy(now->memory, now->a, sizeof(double) * (size_t)flow->s->size.nu);
    carom_dynamics_rates(flow->ev[0], now->u, now->memory + flow->s->size.nu);
    return CAROM_OK;
}

// what a step hands on of the rate of row r: of tangents that stick nothing
static double handed_on(const carom_flow *flow, const carom_newmark_rule *rule, int r)
{
    const carom_step *s = flow->s;
    bool is_position = r < s->size.n_constraint;
    for (int c = 0; c < s->size.n_contact; c++)
        is_position |= carom_plan_contact(s->plan, c)->row == r;
    return is_position ? 1 - rule->gamma / rule->beta : 0;
}

// what the rounding of positions leaves of the rate of row r: with g(q+) = 0 the rate is what the
// positions at both ends say of it, over h
static double rounding_of_rate(const carom_flow *flow, const carom_newmark_rule *rule,
                               const carom_motion *next, int r)
{
    const carom_sparse *W = &flow->ev[0]->rows.W;
    double size = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const double q = carom_model_size_along(flow->s->model, next->q, W->index[k]);
        const double before = carom_model_size_along(flow->s->model, flow->from.q, W->index[k]);
        size += fabs(W->value[k]) * fmax(q, before);
    }
    return ROUNDING * DBL_EPSILON * size * rule->gamma / (rule->beta * flow->h);
}

static double beyond_noise(double x, double noise)
{
    return fabs(x) <= noise ? 0 : x > 0 ? x - noise : x + noise;
}

// x: the velocity of least kinetic energy with the rates r
static carom_status find_velocity_across(carom_flow *flow, const double *r, double *x)
{
    const carom_saddle_limit limit = carom_weak_limit(flow, false);
    const carom_saddle_terms terms = {.mass = flow->ev[0], .r = r, .limit = &limit};
    double *l = flow->work + 3 * flow->s->size.nu + flow->s->size.n_row;
    flow->cost.solves++;
    return carom_saddle_solve(flow->saddle, &flow->rows, &terms, x, l, flow->s->error);
}

// what of a velocity across the constraints counts as error. Near a place where rows become
// dependent it grows without bound, but does to the motion along them what its square does
static double share_of(const carom_flow *flow, const double *x, const carom_motion *next)
{
    const int n = flow->s->size.nu;
    double size = 0, speed = 0;
    for (int i = 0; i < n; i++) {
        size += x[i] * x[i];
        speed += next->u[i] * next->u[i];
    }
    return size < speed ? sqrt(size / speed) : 1;
}

// error := the part of e_u along the constraints, and across them what this step has
// added to their rates
static carom_status judge_rates(carom_flow *flow, const carom_motion *now, carom_motion *next,
                                double *e_u, double *error)
{
    const gen_alpha *self = flow->self;
    const carom_sizes n = flow->s->size;
    const carom_eval *ev = flow->ev[0]; // Newton's method ended with a look at next
    const double *before = now->memory + n.nu;
    double *after = next->memory + n.nu, *r = flow->work + 3 * n.nu;
    const bool is_near = carom_weak_is_near(flow);
    carom_dynamics_rates(ev, next->u, after);
    carom_dynamics_rates(ev, e_u, r);
    for (int i = 0; i < n.n_row; i++) r[i] = ev->rows.w0[i] - r[i];
    if (is_near) {
        CAROM_TRY(find_velocity_across(flow, r, error));
        for (int i = 0; i < n.nu; i++) e_u[i] += error[i];
        memset(r, 0, sizeof(double) * (size_t)n.n_row);
    }
    for (int i = 0; i < n.n_row; i++)
        r[i] += beyond_noise(after[i] - handed_on(flow, &self->rule, i) * before[i],
                             rounding_of_rate(flow, &self->rule, next, i));
    CAROM_TRY(find_velocity_across(flow, r, error));
    const double share = is_near ? share_of(flow, error, next) : 1;
    for (int i = 0; i < n.nu; i++) error[i] = e_u[i] + share * error[i];
    return CAROM_OK;
}

static carom_status gen_alpha_step(carom_flow *flow, const carom_motion *now, double h,
                                   carom_motion *next, double *error)
{
    const gen_alpha *self = flow->self;
    carom_motion *other = &flow->to; // until the end of the step
    const int n = flow->s->size.nu;
    double *e_q = flow->work, *e_u = e_q + n, *judged = e_u + n;
    carom_stages_begin(flow, now, h);
    CAROM_TRY(carom_newmark_step(self->newmark, &self->check, now, h, now->a, other));
    CAROM_TRY(carom_newmark_step(self->newmark, &self->rule, now, h, now->memory, next));
    carom_model_difference(flow->s->model, other->q, next->q, e_q);
    for (int i = 0; i < n; i++) e_u[i] = next->u[i] - other->u[i];
    const bool is_blind = flow->option[INDEX] == INDEX_3;
    if (is_blind) CAROM_TRY(judge_rates(flow, now, next, e_u, judged));
    *error = carom_flow_norm(flow, e_q, is_blind ? judged : e_u, &flow->from, next);
    if (is_blind && carom_weak_is_near(flow))
        CAROM_TRY(carom_flow_project(flow, next, true, false));
    carom_weak_end(flow, next, false);
    carom_stages_end(flow, next);
    return CAROM_OK;
}

static carom_status gen_alpha_dense(carom_flow *flow, double x, double *q, double *u)
{
    carom_stages_hermite(flow, x, q, u);
    return CAROM_OK;
}

static const carom_option options[] = {CAROM_GEN_ALPHA_ROWS, {0}};
static const unsigned masks[] = {CAROM_NEWMARK_MASK, CAROM_NEWMARK_MASK_1, 0};

const carom_smooth carom_smooth_gen_alpha = {
    .name = "gen_alpha",
    .about = "generalised-alpha, implicit, order 2, positions exactly on their constraints",
    .reference = "M. Arnold, O. Bruls, Convergence of the generalized-alpha scheme for constrained "
                 "systems, 2007",
    .order = 2,
    .exponent = 0.5,
    .share = 0.3,
    .n_eval = 1,
    .is_implicit = true,
    .mask = masks,
    .option = options,
    .n_memory = n_memory,
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = gen_alpha_step,
    .dense = gen_alpha_dense,
    .search = gen_alpha_dense,
};
