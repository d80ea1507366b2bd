// SPDX-License-Identifier: Apache-2.0
// What all smooth solvers share: memory, the index-1 system, projection.
//
//     [ M  -D ] [ a  ]   [ f          ]
//     [ G   0 ] [ la ] = [ -curvature ]           accelerations and forces (index 1)
//
//     [ M  -G' ] [ dq ]   [ 0  ]
//     [ G   0  ] [ l  ] = [ -g ]                  q := q + dq, until g is rounding
//
//     [ M  -G' ] [ du ]   [ 0           ]
//     [ G   0  ] [ l  ] = [ -(G u + w0) ]         u := u + du
//
// A projection has no friction: it pushes along G', not along D.
#include "smooth/smooth.h"

#include "base/limits.h"
#include "base/options.h"
#include "dynamics/assembly.h"
#include "dynamics/friction.h"
#include "model/model.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 20 };

#define ROW(name) &carom_smooth_##name,
static const carom_smooth *const table[] = {CAROM_SMOOTHS(ROW)};

int carom_smooth_count(void)
{
    return (int)(sizeof table / sizeof *table);
}

const carom_smooth *carom_smooth_at(int i)
{
    return table[i];
}

const carom_smooth *carom_smooth_find(const char *name)
{
    for (int i = 0; i < carom_smooth_count(); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

int carom_smooth_n_memory(const carom_smooth *solver, carom_sizes size)
{
    return (solver->n_memory ? solver->n_memory(size) : 0) + CAROM_WEAK_MEMORY;
}

int carom_smooth_most_memory(carom_sizes size)
{
    int most = 0;
    for (int i = 0; i < carom_smooth_count(); i++) {
        const int own = carom_smooth_n_memory(table[i], size);
        if (own > most) most = own;
    }
    return most;
}

bool carom_flow_motion(carom_flow *flow, carom_motion *motion)
{
    const carom_sizes n = flow->s->size;
    const int n_memory = carom_smooth_n_memory(flow->solver, n);
    motion->t = 0;
    bool is_taken = (motion->q = CAROM_TAKE(flow->arena, double, n.nq)) != NULL;
    is_taken &= (motion->u = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (motion->a = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (motion->la = CAROM_TAKE(flow->arena, double, n.n_row)) != NULL;
    is_taken &= (motion->memory = CAROM_TAKE(flow->arena, double, n_memory)) != NULL;
    return is_taken;
}

static bool take_stages(carom_flow *flow, int n_stage)
{
    const carom_sizes n = flow->s->size;
    bool is_taken = (flow->stage.Q = CAROM_TAKE(flow->arena, double, n_stage *n.nq)) != NULL;
    is_taken &= (flow->stage.V = CAROM_TAKE(flow->arena, double, n_stage *n.nu)) != NULL;
    is_taken &= (flow->stage.A = CAROM_TAKE(flow->arena, double, n_stage *n.nu)) != NULL;
    is_taken &= (flow->stage.la = CAROM_TAKE(flow->arena, double, n_stage *n.n_row)) != NULL;
    return is_taken;
}

static bool take_all(carom_flow *flow, const double *option)
{
    const carom_sizes n = flow->s->size;
    const int n_option = carom_options_count(flow->solver->option);
    const int n_work = flow->solver->n_work ? flow->solver->n_work(n) : 0;
    double *value = CAROM_TAKE(flow->arena, double, n_option);
    bool is_taken = value != NULL;
    is_taken &= (flow->rows.is_held = CAROM_TAKE(flow->arena, unsigned char, n.n_row)) != NULL;
    is_taken &=
        (flow->rows.is_sliding = CAROM_TAKE(flow->arena, unsigned char, n.n_contact)) != NULL;
    is_taken &= (flow->none = CAROM_TAKE(flow->arena, unsigned char, n.n_contact)) != NULL;
    is_taken &= (flow->rows.direction = CAROM_TAKE(flow->arena, double, n.n_row)) != NULL;
    is_taken &= (flow->rows.anchor = CAROM_TAKE(flow->arena, double, n.n_row)) != NULL;
    is_taken &= (flow->rows.still = CAROM_TAKE(flow->arena, double, n.n_contact)) != NULL;
    is_taken &= (flow->rows.reference = CAROM_TAKE(flow->arena, double, n.n_row)) != NULL;
    is_taken &= (flow->work = CAROM_TAKE(flow->arena, double, n_work)) != NULL;
    is_taken &= (flow->scratch = CAROM_TAKE(flow->arena, double, 4 * n.nu + 2 * n.n_row)) != NULL;
    is_taken &= (flow->scale = CAROM_TAKE(flow->arena, double, 2 * n.nu)) != NULL;
    is_taken &= (flow->root_mass = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (flow->reach = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (flow->change = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (flow->q_rate = CAROM_TAKE(flow->arena, double, 2 * n.nq)) != NULL;
    is_taken &= (flow->size = CAROM_TAKE(flow->arena, double, 2 * n.nu)) != NULL;
    is_taken &= carom_flow_motion(flow, &flow->from) && carom_flow_motion(flow, &flow->to);
    is_taken &= carom_flow_motion(flow, &flow->weak.clean);
    is_taken &= (flow->weak.q = CAROM_TAKE(flow->arena, double, n.nq)) != NULL;
    is_taken &= (flow->weak.u = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= (flow->weak.change = CAROM_TAKE(flow->arena, double, n.nu)) != NULL;
    is_taken &= take_stages(flow, flow->solver->n_stage);
    if (!is_taken) return false;
    carom_options_default(flow->solver->option, value);
    for (int i = 0; option && i < n_option; i++) value[i] = option[i];
    flow->option = value;
    for (int k = 0; k < n.n_constraint; k++) flow->rows.is_held[k] = 1;
    for (int i = 0; i < n.nu; i++) flow->root_mass[i] = 1;
    return true;
}

// the matrices of held rows are full: a model of a few bytes can have 1e6 of them
static carom_status check_room(const carom_step *s)
{
    const double n = s->size.n_row, most = s->contacts ? s->contacts->entry.bytes : 0;
    if (!(most > 0) || sizeof(double) * n * (3 * n + s->size.nu) <= most) return CAROM_OK;
    return carom_limit_fail(s->error, (carom_place){0},
                            "the equations of motion with held rows need", "bytes", most);
}

carom_status carom_flow_new(carom_step *s, const carom_smooth *solver, const double *option,
                            carom_flow **flow)
{
    *flow = NULL;
    CAROM_TRY(check_room(s));
    carom_arena *arena = carom_arena_new();
    carom_flow *made = arena ? CAROM_TAKE(arena, carom_flow, 1) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail(s->error, CAROM_NO_MEMORY, "no memory for the smooth solver %s",
                          solver->name);
    }
    *made = (carom_flow){.s = s, .solver = solver, .arena = arena, .ev = {s->ev[0], s->ev[1]}};
    made->rtol = 1e-9;
    made->share = 1;
    carom_status status = CAROM_NO_MEMORY;
    if (take_all(made, option))
        status = carom_saddle_new(s->plan, &made->saddle, s->error);
    else
        carom_fail(s->error, status, "no memory for the smooth solver %s", solver->name);
    if (status == CAROM_OK && solver->prepare) status = solver->prepare(made);
    if (status != CAROM_OK) {
        carom_flow_free(made);
        return status;
    }
    *flow = made;
    return CAROM_OK;
}

void carom_flow_free(carom_flow *flow)
{
    if (!flow) return;
    if (flow->solver->release && flow->self) flow->solver->release(flow);
    carom_saddle_free(flow->saddle);
    carom_arena_free(flow->arena);
}

void carom_flow_copy(const carom_flow *flow, const carom_motion *from, carom_motion *to)
{
    const carom_sizes n = flow->s->size;
    const int n_memory = carom_smooth_n_memory(flow->solver, n);
    to->t = from->t;
    memcpy(to->q, from->q, sizeof(double) * (size_t)n.nq);
    memcpy(to->u, from->u, sizeof(double) * (size_t)n.nu);
    memcpy(to->a, from->a, sizeof(double) * (size_t)n.nu);
    memcpy(to->la, from->la, sizeof(double) * (size_t)n.n_row);
    memcpy(to->memory, from->memory, sizeof(double) * (size_t)n_memory);
}

carom_status carom_flow_accelerate(carom_flow *flow, double t, const double *q, const double *u,
                                   double *a, double *la)
{
    carom_step *s = flow->s;
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    double *r = flow->scratch;
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_FLOW_INDEX1, flow->ev[0], s->error));
    for (int i = 0; i < s->size.n_row; i++) r[i] = -flow->ev[0]->rows.curvature[i];
    carom_saddle_turn_directions(s->model, &flow->rows, flow->ev[0], u);
    CAROM_TRY(carom_friction_follow(s->plan, &flow->rows, flow->ev[0], &at, s->error));
    flow->cost.F++;
    flow->cost.G++;
    flow->cost.G_q++;
    flow->cost.solves++;
    carom_saddle_strength strength = {0, 0, 1};
    const carom_saddle_limit limit = carom_weak_limit(flow, true);
    const carom_saddle_terms terms = {.mass = flow->ev[0],
                                      .F = flow->ev[0]->f,
                                      .weight = 1,
                                      .r = r,
                                      .strength = &strength,
                                      .limit = &limit};
    CAROM_TRY(carom_saddle_solve(flow->saddle, &flow->rows, &terms, a, la, s->error));
    carom_weak_note_strength(flow, &strength);
    return CAROM_OK;
}

// what of the held rows is not zero: -g into r (tangents: 0); returns the largest
static double position_rest(const carom_flow *flow, double *r)
{
    const carom_step *s = flow->s;
    const carom_eval *ev = flow->ev[0];
    double worst = 0;
    memset(r, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int k = 0; k < s->size.n_constraint; k++)
        if (flow->rows.is_held[k]) r[k] = -ev->gaps.constraint[k];
    for (int c = 0; c < s->size.n_contact; c++) {
        const int row = carom_plan_contact(s->plan, c)->row;
        if (flow->rows.is_held[row]) r[row] = -ev->gaps.value[c];
    }
    for (int i = 0; i < s->size.n_row; i++) worst = fmax(worst, fabs(r[i]));
    return worst;
}

static double velocity_rest(const carom_flow *flow, const double *u, double *r)
{
    double worst = 0;
    carom_dynamics_rates(flow->ev[0], u, r);
    for (int i = 0; i < flow->s->size.n_row; i++) {
        r[i] = flow->rows.is_held[i] ? -r[i] : 0;
        worst = fmax(worst, fabs(r[i]));
    }
    return worst;
}

static carom_status look_at_rows(carom_flow *flow, const carom_motion *at)
{
    const carom_point point = {.t = at->t, .q = at->q, .u = at->u, .holds = flow->s->holds};
    flow->cost.G++;
    return carom_model_eval(flow->s->plan, &point, CAROM_FLOW_PROJECT, flow->ev[0], flow->s->error);
}

static carom_status solve_correction(carom_flow *flow, const double *r, double *x, double *l)
{
    const carom_saddle_limit limit = carom_weak_limit(flow, false);
    const carom_saddle_terms terms = {.mass = flow->ev[0], .r = r, .limit = &limit};
    carom_saddle_rows rows = flow->rows;
    rows.is_sliding = flow->none; // a correction has no friction, and near a jam no bounds with it
    flow->cost.solves++;
    return carom_saddle_solve(flow->saddle, &rows, &terms, x, l, flow->s->error);
}

// what rounding leaves of g: the size of the terms it is made of
static double rounding_of_gaps(const carom_flow *flow, const double *q)
{
    const carom_sparse *W = &flow->ev[0]->rows.W;
    double worst = 0;
    for (int r = 0; r < W->n_row; r++) {
        double sum = 0;
        for (int k = W->start[r]; flow->rows.is_held[r] && k < W->start[r + 1]; k++)
            sum += fabs(W->value[k] * carom_model_size_along(flow->s->model, q, W->index[k]));
        worst = fmax(worst, sum);
    }
    return DBL_EPSILON * worst;
}

// sticking tangents have no position: they do not hinder the correction
static carom_status project_positions(carom_flow *flow, carom_motion *at, double *r, double *x,
                                      double *l)
{
    double before = INFINITY, first = 0;
    for (int k = 0; k < MOST_PASSES; k++) {
        const double rest = position_rest(flow, r);
        // rounding level: a pass gains nothing any more; near q = 0 it is that of the correction
        const double least = fmax(rounding_of_gaps(flow, at->q), DBL_EPSILON * first);
        if (rest <= least || (k > 1 && rest >= 0.25 * before)) return CAROM_OK;
        if (k == 0) first = rest;
        before = rest;
        CAROM_TRY(solve_correction(flow, r, x, l));
        carom_model_move(flow->s->model, at->q, x, 1, at->q);
        CAROM_TRY(look_at_rows(flow, at));
    }
    return carom_fail(flow->s->error, CAROM_NOT_CONVERGED,
                      "the projection onto the constraints leaves %.3g", before);
}

carom_status carom_flow_project(carom_flow *flow, carom_motion *at, bool positions, bool velocities)
{
    const carom_sizes n = flow->s->size;
    double *r = flow->scratch, *l = r + n.n_row, *x = l + n.n_row;
    CAROM_TRY(look_at_rows(flow, at));
    if (positions) CAROM_TRY(project_positions(flow, at, r, x, l));
    for (int k = 0; velocities && k < 2 && velocity_rest(flow, at->u, r) > 0; k++) {
        CAROM_TRY(solve_correction(flow, r, x, l));
        for (int i = 0; i < n.nu; i++) at->u[i] += x[i];
    }
    return CAROM_OK;
}

carom_status carom_flow_drift(carom_flow *flow, const carom_motion *at, double *position,
                              double *velocity)
{
    CAROM_TRY(look_at_rows(flow, at));
    *position = position_rest(flow, flow->scratch);
    *velocity = velocity_rest(flow, at->u, flow->scratch);
    return CAROM_OK;
}

long carom_flow_work(const carom_flow *flow)
{
    return flow->cost.F + flow->cost.G + flow->cost.G_q + flow->cost.solves;
}
