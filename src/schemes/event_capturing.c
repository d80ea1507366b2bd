// SPDX-License-Identifier: Apache-2.0
// The mixed event-capturing scheme: steps of a smooth solver of high order where nothing happens,
// and steps of Moreau's rule, so short that they spoil nothing, where something does. Closed
// contacts that press are equalities of the smooth steps. One step of the scheme is one of
//
//     smooth       M u_dot = f + D la,  g = 0 on constraints and held contacts, over h, or up to
//                  shortly before the first event in it:
//                      a contact that is not held enters    g < 0, gamma < -slow
//                      a held one pulls                     la < 0
//     nonsmooth    over k from there, whatever happens in it, with q_m = q + k/2 u:
//                      M(q_m) (u+ - u) = k f(t + k/2, q_m, u) + W(q_m)' P,     q+ = q_m + k/2 u+
//                      law on W(q_m) u+ and min(0, W(q_m) u), on held contacts and those whose gap
//                      ends the step <= slack
//                  then held is who presses in a look ahead without restitution, over tau:
//                      M (u^ - u+) = tau f + W' P^,  0 <= W u^ _|_ P^ >= 0,  all at q+ + tau u+
//                  and positions and velocities are brought onto what is held
//
// An event is not located, but enclosed; several may lie in k. A contact that presses there, but
// has rebounded, would be back within tau: the step is made again without its restitution. That
// ends accumulations. With the error eta that a smooth step may make,
// or with fixed steps makes (that of the step that met the event):
//
//     k     the time in which positions and velocities move by eta
//     tau   the time in which accelerations move positions by eta
//     slack, slow   of gaps and rates: what eta is of them
//
// so that each event costs an error like that of a step, and the order is that of the smooth
// solver.
// Where smooth motion does not get ahead between nonsmooth steps these double in length, up to h:
// then the scheme is Moreau's.
//
// V. Acary, Higher order event capturing time-stepping schemes for nonsmooth multibody systems with
// unilateral constraints and impacts, Applied Numerical Mathematics 62, 2012.
#include "hybrid/capture.h"
#include "model/model.h"
#include "schemes/schemes.h"
#include "smooth/control.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SMOOTH, NONSMOOTH, ATOL, FIRST_STEP };
// Memory: the next step as proposed; power of the held rows; eta of an event right ahead, 0 = none;
// nonsmooth steps since smooth motion got ahead. Then scale (2 nu), u_dot (nu), the solver's, and
// which contacts are held.
enum { PROPOSAL, POWER, AHEAD, IN_ROW, N_HEAD };
enum { MOTION = CAROM_MASS | CAROM_FORCES | CAROM_CAPTURE_LOOK };
enum { MOST_HALVINGS = 40, PATIENCE = 8 };
static const double FIRST_SHARE = 1e-3; // of the run: the first step
static const double LEAST = 1e-13;      // of what matters: below is rounding
static const char *const smooth_name[] = {"phem56", "hem5", "rkf45", "mexx"};

static int n_memory(const carom_model *model)
{
    const carom_sizes n = carom_model_sizes(model);
    return N_HEAD + 3 * n.nu + carom_smooth_most_memory(n) + n.n_contact;
}

static carom_motion motion_of(const carom_step *s, const carom_state *state)
{
    double *a = state->memory + N_HEAD + 2 * s->size.nu;
    return (carom_motion){state->t, state->q, state->u, a, state->la, a + s->size.nu};
}

static double *held_of(const carom_step *s, const carom_state *state)
{
    return state->memory + N_HEAD + 3 * s->size.nu + carom_smooth_most_memory(s->size);
}

// the contacts that are equalities, from the memory of a state
static void hold_contacts(carom_flow *flow, const double *held)
{
    for (int c = 0; c < flow->s->size.n_contact; c++)
        flow->rows.is_held[carom_capture_row(flow->s, c)] = held[c] != 0;
}

static bool has_held(const carom_flow *flow)
{
    for (int r = 0; r < flow->s->size.n_row; r++)
        if (flow->rows.is_held[r]) return true;
    return false;
}

// ---- smooth steps ----

// the whole step, as long as its error allows; a fixed one that fails is halved
static carom_status try_smooth(carom_step *s, carom_trial *it, double proposal)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    if (self->step > 0) {
        carom_status status = CAROM_OK;
        it->h = s->h;
        for (int k = 0; k < MOST_HALVINGS; k++, it->h *= 0.5) {
            s->error->status = CAROM_OK;
            s->error->message[0] = 0;
            status = flow->solver->step(flow, &it->from, it->h, &it->to, &s->report.error);
            if (status != CAROM_NOT_CONVERGED && status != CAROM_NOT_FINITE) break;
        }
        it->h_next = self->step;
        it->eta = flow->share * s->report.error;
        return status;
    }
    const double wish = proposal > 0 ? proposal : FIRST_SHARE * fmax(s->end, s->h);
    const double longest = s->end > 0 ? fmin(s->h, CAROM_LONGEST_SHARE * s->end) : s->h;
    carom_controlled result;
    CAROM_TRY(carom_control_step(flow, &it->from, fmin(wish, longest), &it->to, &result));
    const bool was_cut = longest < wish && result.rejected == 0;
    it->h = result.h;
    it->h_next = was_cut ? fmax(wish, result.h_next) : result.h_next;
    it->eta = flow->share;
    s->report.error = result.error;
    s->report.rejected = result.rejected;
    return CAROM_OK;
}

// the step that has just been taken becomes the next state
static carom_status finish_smooth(carom_step *s, const carom_trial *it, double power,
                                  carom_state *next)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    carom_motion end = it->to;
    next->memory[POWER] = carom_work_power(flow, end.la);
    CAROM_TRY(carom_work_of_rows(flow, &self->room, power, next->memory[POWER]));
    CAROM_TRY(carom_work_of_forces(flow, &self->room));
    if (has_held(flow)) CAROM_TRY(carom_flow_project(flow, &end, true, true));
    next->t = end.t;
    s->report.h_used = it->h;
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int c = 0; c < s->size.n_contact; c++) {
        next->is_active[c] = carom_capture_holds(flow, c);
        s->report.has_contact |=
            carom_capture_holds(flow, c) && end.la[carom_capture_row(s, c)] > 0;
    }
    return CAROM_OK;
}

// ---- nonsmooth steps ----

// what contacts that were leaving have lost by an impulse is more than the law, which counts their
// rates as 0, has seen
static void note_leaving(carom_step *s, const carom_state *now, const carom_state *next)
{
    const carom_capture *self = s->self;
    carom_dynamics_rates(s->ev[2], now->u, self->gamma);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_capture_row(s, c);
        if (!next->is_active[c] || !(self->gamma[r] > 0)) continue;
        s->report.impact_loss -= 0.5 * next->P[r] * self->gamma[r];
        s->report.rate_before[r] = self->gamma[r];
    }
}

// rests: contacts that do not rebound
static carom_status move_over(carom_step *s, const carom_trial *it, const carom_state *now,
                              carom_state *next, const unsigned char *rests)
{
    const carom_capture *self = s->self;
    const carom_eval *mid = s->ev[2];
    const double k = it->k;
    carom_model_moved(s->model, now->q, now->u, 0.5 * k, next->q);
    const carom_point at = {.t = now->t + 0.5 * k, .q = next->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, MOTION, s->ev[2], s->error));
    carom_capture_find_slack(s, it);
    carom_dynamics_free_velocity(mid, now->u, k, next->u);
    carom_dynamics_rates(mid, now->u, self->gamma);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_capture_row(s, c);
        next->is_active[c] = carom_capture_holds(self->flow, c) ||
                             mid->gaps.value[c] + 0.5 * k * mid->gaps.rate[c] <= self->slack[c];
        self->gamma[r] = fmin(0, self->gamma[r]);
    }
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    const carom_contact_terms terms = {.rate = mid,
                                       .gamma_minus = self->gamma,
                                       .is_active = next->is_active,
                                       .rests = rests,
                                       .span = k};
    carom_dynamics_clear_report(s);
    CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    note_leaving(s, now, next);
    carom_model_moved(s->model, next->q, next->u, 0.5 * k, next->q);
    next->t = now->t + k;
    s->report.h_used = k;
    return CAROM_OK;
}

// who of those that took part presses within tau; the report stays as it is
static carom_status look_ahead(carom_step *s, double tau, const carom_state *next)
{
    const carom_capture *self = s->self;
    const size_t rates = sizeof(double) * 2 * (size_t)s->size.n_row;
    const carom_step_report kept = s->report;
    memcpy(self->rates, kept.rate_before, rates);
    carom_model_moved(s->model, next->q, next->u, tau, self->q);
    const carom_point at = {.t = next->t + tau, .q = self->q, .u = next->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, MOTION, s->ev[2], s->error));
    carom_dynamics_free_velocity(s->ev[2], next->u, tau, self->u);
    memset(self->P, 0, sizeof(double) * (size_t)s->size.n_row);
    const carom_contact_terms terms = {.rate = s->ev[2],
                                       .u_minus = next->u,
                                       .is_active = next->is_active,
                                       .without_restitution = true,
                                       .span = tau};
    CAROM_TRY(carom_dynamics_contact(s, &terms, self->P, self->u));
    const bool is_converged = s->report.is_converged;
    s->report = kept;
    s->report.is_converged &= is_converged;
    memcpy(kept.rate_before, self->rates, rates);
    const double largest = carom_capture_largest(s, self->P);
    for (int c = 0; c < s->size.n_contact; c++)
        self->is_pressing[c] =
            next->is_active[c] && self->P[carom_capture_row(s, c)] > CAROM_CAPTURE_WEAK * largest;
    return CAROM_OK;
}

// Those that press, but rebound, would be back within tau: they lose what they rebound with, in the
// same step. Who then still leaves is not held.
static carom_status stop_rebounds(carom_step *s, const carom_trial *it, const carom_state *now,
                                  carom_state *next)
{
    const carom_capture *self = s->self;
    bool is_any = false;
    for (int c = 0; c < s->size.n_contact; c++)
        is_any |=
            self->is_pressing[c] && s->report.rate_after[carom_capture_row(s, c)] > self->slow[c];
    if (!is_any) return CAROM_OK;
    CAROM_TRY(move_over(s, it, now, next, self->is_pressing));
    for (int c = 0; c < s->size.n_contact; c++)
        self->is_pressing[c] &= s->report.rate_after[carom_capture_row(s, c)] <= self->slow[c];
    return CAROM_OK;
}

// Positions onto what is held and out of what has been entered; where no position does both, they
// stay.
static carom_status mend_positions(carom_step *s, carom_motion *end, const carom_state *next)
{
    const carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    carom_error unheard = {0}, *heard = s->error;
    CAROM_TRY(carom_capture_look_at(s, end->t, end->q, end->u));
    for (int c = 0; c < s->size.n_contact; c++)
        flow->rows.is_held[carom_capture_row(s, c)] =
            self->is_pressing[c] || (next->is_active[c] && s->ev[2]->gaps.value[c] < 0);
    if (!has_held(flow)) return CAROM_OK;
    memcpy(self->q, end->q, sizeof(double) * (size_t)s->size.nq);
    s->error = &unheard;
    const carom_status status = carom_flow_project(flow, end, true, false);
    s->error = heard;
    if (status != CAROM_OK) memcpy(end->q, self->q, sizeof(double) * (size_t)s->size.nq);
    return CAROM_OK;
}

static carom_status nonsmooth_step(carom_step *s, carom_trial *it, const carom_state *now,
                                   carom_state *next)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    carom_capture_find_times(s, it);
    const double doublings = fmin(60, fmax(0, now->memory[IN_ROW] - PATIENCE));
    it->k = fmin(it->h, ldexp(it->k, (int)doublings));
    CAROM_TRY(move_over(s, it, now, next, NULL));
    double *held = held_of(s, next);
    for (int c = 0; c < s->size.n_contact; c++)
        s->report.has_impact |= next->P[carom_capture_row(s, c)] > 0 &&
                                self->gamma[carom_capture_row(s, c)] < -self->slow[c];
    CAROM_TRY(look_ahead(s, fmax(it->tau, it->k), next));
    CAROM_TRY(stop_rebounds(s, it, now, next));
    flow->cost.F += 2;
    flow->cost.G += 2;
    flow->cost.solves += 2;
    carom_motion end = motion_of(s, next);
    end.t = next->t;
    CAROM_TRY(mend_positions(s, &end, next));
    for (int c = 0; c < s->size.n_contact; c++) held[c] = self->is_pressing[c];
    hold_contacts(flow, held);
    if (has_held(flow)) CAROM_TRY(carom_flow_project(flow, &end, false, true));
    CAROM_TRY(flow->solver->start(flow, &end));
    next->memory[POWER] = carom_work_power(flow, end.la);
    next->memory[AHEAD] = 0;
    next->memory[IN_ROW] = now->memory[IN_ROW] + 1;
    return CAROM_OK;
}

// ---- the step ----

static void save_scale(carom_flow *flow, const carom_state *state, const carom_motion *at)
{
    carom_flow_widen_scale(flow, at);
    memcpy(state->memory + N_HEAD, flow->scale, sizeof(double) * 2 * (size_t)flow->s->size.nu);
}

// eta as asked for, not below rounding
static double wanted(const carom_step *s, double eta)
{
    const carom_capture *self = s->self;
    return fmax(eta * s->option[NONSMOOTH], LEAST / self->flow->rtol);
}

static carom_status smooth_step(carom_step *s, carom_trial *it, const carom_state *now,
                                carom_state *next, double power)
{
    CAROM_TRY(try_smooth(s, it, now->memory[PROPOSAL]));
    next->memory[PROPOSAL] = it->h_next;
    it->x = INFINITY;
    if (s->size.n_contact > 0) {
        it->eta = wanted(s, it->eta);
        carom_capture_find_times(s, it);
        CAROM_TRY(carom_capture_look_at(s, it->from.t, it->from.q, it->from.u));
        carom_capture_find_slack(s, it);
        CAROM_TRY(carom_capture_find_event(s, it));
    }
    if (it->x * it->h <= it->k) return nonsmooth_step(s, it, now, next);
    if (it->x <= 1) {
        CAROM_TRY(carom_capture_cut_step(s, it));
        next->memory[AHEAD] = it->eta;
    }
    if (it->h > 2 * it->k) next->memory[IN_ROW] = 0;
    return finish_smooth(s, it, power, next);
}

static carom_status event_capturing_step(carom_step *s, const carom_state *now, carom_state *next)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    const long work = carom_flow_work(flow);
    carom_trial it = {.from = motion_of(s, now), .to = motion_of(s, next), .h = s->h};
    memcpy(flow->scale, now->memory + N_HEAD, sizeof(double) * 2 * (size_t)s->size.nu);
    carom_flow_widen_scale(flow, &it.from);
    hold_contacts(flow, held_of(s, now));
    double power = now->memory[POWER];
    if (s->is_anew) {
        carom_flow_copy(flow, &it.from, &self->anew);
        CAROM_TRY(flow->solver->start(flow, &self->anew));
        power = carom_work_power(flow, self->anew.la);
        it.from = self->anew;
    }
    it.eta = now->memory[AHEAD];
    if (it.eta > 0)
        CAROM_TRY(nonsmooth_step(s, &it, now, next));
    else
        CAROM_TRY(smooth_step(s, &it, now, next, power));
    const carom_motion end = motion_of(s, next);
    save_scale(flow, next, &end);
    s->report.h_next = next->memory[PROPOSAL];
    s->report.evaluations = carom_flow_work(flow) - work;
    return CAROM_OK;
}

// contacts that touch at the start are decided on by a nonsmooth step
static carom_status start(carom_step *s, carom_state *state)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    carom_trial it = {.from = motion_of(s, state), .eta = wanted(s, flow->share)};
    double *held = held_of(s, state);
    for (int c = 0; c < s->size.n_contact; c++) held[c] = 0;
    hold_contacts(flow, held);
    CAROM_TRY(flow->solver->start(flow, &it.from));
    memset(flow->scale, 0, sizeof(double) * 2 * (size_t)s->size.nu);
    save_scale(flow, state, &it.from);
    state->memory[PROPOSAL] = self->step > 0 ? self->step : s->option[FIRST_STEP];
    state->memory[POWER] = carom_work_power(flow, state->la);
    state->memory[AHEAD] = state->memory[IN_ROW] = 0;
    if (s->size.n_contact == 0) return CAROM_OK;
    CAROM_TRY(carom_capture_look_at(s, state->t, state->q, state->u));
    carom_capture_find_slack(s, &it);
    for (int c = 0; c < s->size.n_contact; c++)
        if (s->ev[2]->gaps.value[c] <= self->slack[c]) state->memory[AHEAD] = it.eta;
    return CAROM_OK;
}

static bool is_memory(const carom_step *s, const carom_state *state)
{
    const carom_capture *self = s->self;
    const carom_motion motion = motion_of(s, state);
    const double *m = state->memory, *held = held_of(s, state);
    for (int c = 0; c < s->size.n_contact; c++)
        if (held[c] != 0 && held[c] != 1) return false;
    return m[PROPOSAL] >= 0 && m[AHEAD] >= 0 && m[IN_ROW] >= 0 &&
           carom_weak_is_memory(self->flow, &motion);
}

static bool take_room(carom_capture *self, carom_sizes n)
{
    carom_arena *arena = self->flow->arena;
    bool is_taken = carom_work_take_room(self->flow, &self->room);
    is_taken &= carom_flow_motion(self->flow, &self->anew);
    is_taken &= (self->slack = CAROM_TAKE(arena, double, n.n_contact)) != NULL;
    is_taken &= (self->slow = CAROM_TAKE(arena, double, n.n_contact)) != NULL;
    is_taken &= (self->gap = CAROM_TAKE(arena, double, 2 * n.n_contact)) != NULL;
    is_taken &= (self->rate = CAROM_TAKE(arena, double, 2 * n.n_contact)) != NULL;
    is_taken &= (self->gamma = CAROM_TAKE(arena, double, n.n_row)) != NULL;
    is_taken &= (self->q = CAROM_TAKE(arena, double, n.nq)) != NULL;
    is_taken &= (self->u = CAROM_TAKE(arena, double, n.nu)) != NULL;
    is_taken &= (self->P = CAROM_TAKE(arena, double, n.n_row)) != NULL;
    is_taken &= (self->rates = CAROM_TAKE(arena, double, 2 * n.n_row)) != NULL;
    is_taken &= (self->is_pressing = CAROM_TAKE(arena, unsigned char, n.n_contact)) != NULL;
    return is_taken;
}

static carom_status prepare(carom_step *s)
{
    carom_flow *flow;
    const carom_smooth *solver = carom_smooth_find(smooth_name[(int)s->option[SMOOTH]]);
    CAROM_TRY(carom_flow_new(s, solver, NULL, &flow));
    carom_capture *self = CAROM_TAKE(flow->arena, carom_capture, 1);
    if (self) self->flow = flow;
    if (!self || !take_room(self, s->size)) {
        carom_flow_free(flow);
        return carom_fail(s->error, CAROM_NO_MEMORY, "no memory for scheme event_capturing");
    }
    self->step = s->tolerance > 0 ? 0 : s->h;
    flow->pace.is_fixed = self->step > 0;
    flow->pace.looks_inside = true;
    carom_flow_set_tolerance(flow, s->tolerance, s->option[ATOL], 0);
    s->self = self;
    return carom_flow_weigh_coordinates(flow);
}

static void release(carom_step *s)
{
    carom_flow_free(((carom_capture *)s->self)->flow);
}

static carom_status renew(carom_step *s)
{
    return carom_flow_weigh_coordinates(((carom_capture *)s->self)->flow);
}

static const carom_option options[] = {
    {"smooth", CAROM_CHOICE, 0, 0, 0, "phem56|hem5|rkf45|mexx", "the solver of smooth steps"},
    {"nonsmooth", CAROM_REAL, 1, 1e-6, 1e6, NULL,
     "error that an event may make, over that of a smooth step: longer nonsmooth steps"},
    {"atol", CAROM_REAL, 0, 0, 1e300, NULL,
     "absolute tolerance; 0 = by the size of each coordinate"},
    {"first_step", CAROM_REAL, 0, 0, 1e300, NULL,
     "first step of an adaptive run; 0 = a thousandth of the run [s]"},
    {0}};
static const unsigned masks[] = {CAROM_FLOW_MASKS, CAROM_CAPTURE_LOOK, MOTION, CAROM_POWER, 0};

const carom_scheme carom_scheme_event_capturing = {
    .name = "event_capturing",
    .about = "mixed: steps of order 5 where nothing happens, short steps of Moreau's rule where "
             "something does",
    .reference = "V. Acary, Higher order event capturing time-stepping schemes for nonsmooth "
                 "multibody systems with unilateral constraints and impacts, 2012",
    .order_free = 5,
    .order_contact = 5,
    .level = "velocity",
    .has_bilateral = true,
    .has_contact = true,
    .takes = {.rates = true, .only_lasting = true},
    .is_adaptive = true,
    .separates_impact = true,
    .option = options,
    .mask = masks,
    .n_eval = 3,
    .memory = {.n = n_memory, .is_good = is_memory},
    .prepare = prepare,
    .release = release,
    .renew = renew,
    .start = start,
    .step = event_capturing_step,
};
