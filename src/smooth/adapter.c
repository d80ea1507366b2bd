// SPDX-License-Identifier: Apache-2.0
// A state's memory holds the proposed step, the power of moving constraints at its end, the largest
// |q| and |u| so far, u_dot, and the solver's own. With a step given, steps are of that length;
// else the step is controlled, and one that was cut to meet a point of the output does not shorten
// those after it.
#include "smooth/adapter.h"

#include "base/options.h"
#include "model/model.h"
#include "smooth/control.h"
#include "smooth/weak.h"
#include "smooth/work.h"

#include <math.h>
#include <string.h>

enum { PROPOSAL, POWER, N_OWN };  // in front of the scale and u_dot in the memory
enum { ATOL, FIRST_STEP, SHARE }; // behind the solver's options
static const double FIRST_SHARE = 1e-3;

typedef struct adapter {
    carom_flow *flow;
    const double *option; // atol, first_step, share
    double step;          // > 0: fixed
    carom_work_room room;
    carom_motion anew; // the start of a step behind a break
} adapter;

int carom_adapter_n_memory(const carom_model *model, const carom_smooth *solver)
{
    const carom_sizes size = carom_model_sizes(model);
    return N_OWN + 3 * size.nu + carom_smooth_n_memory(solver, size);
}

static carom_motion motion_of(const carom_step *s, const carom_state *state)
{
    double *a = state->memory + N_OWN + 2 * s->size.nu;
    return (carom_motion){state->t, state->q, state->u, a, state->la, a + s->size.nu};
}

bool carom_adapter_is_memory(const carom_step *s, const carom_state *state)
{
    const adapter *self = s->self;
    const carom_motion motion = motion_of(s, state);
    return state->memory[PROPOSAL] >= 0 && carom_weak_is_memory(self->flow, &motion);
}

carom_status carom_adapter_prepare(carom_step *s, const carom_smooth *solver)
{
    carom_flow *flow;
    CAROM_TRY(carom_flow_new(s, solver, s->option, &flow));
    adapter *self = CAROM_TAKE(flow->arena, adapter, 1);
    if (!self || !carom_work_take_room(flow, &self->room) ||
        !carom_flow_motion(flow, &self->anew)) {
        carom_flow_free(flow);
        return carom_fail(s->error, CAROM_NO_MEMORY, "no memory for scheme %s", solver->name);
    }
    const double *option = s->option + carom_options_count(solver->option);
    self->flow = flow;
    self->option = option;
    self->step = s->tolerance > 0 ? 0 : s->h;
    flow->pace.is_fixed = self->step > 0;
    flow->pace.looks_inside =
        carom_model_has_power(s->model) || carom_plan_needs_t(s->plan, CAROM_ROWS);
    carom_flow_set_tolerance(flow, s->tolerance, option[ATOL], option[SHARE]);
    s->self = self;
    return carom_flow_weigh_coordinates(flow);
}

carom_status carom_adapter_renew(carom_step *s)
{
    return carom_flow_weigh_coordinates(((const adapter *)s->self)->flow);
}

void carom_adapter_release(carom_step *s)
{
    carom_flow_free(((adapter *)s->self)->flow);
}

const carom_flow *carom_adapter_flow(const carom_step *s)
{
    return ((const adapter *)s->self)->flow;
}

// the scale of the tolerance goes on from state to state
static void load_scale(const carom_flow *flow, const carom_state *state)
{
    memcpy(flow->scale, state->memory + N_OWN, sizeof(double) * 2 * (size_t)flow->s->size.nu);
}

static void save_scale(carom_flow *flow, const carom_motion *at, carom_state *state)
{
    carom_flow_widen_scale(flow, at);
    memcpy(state->memory + N_OWN, flow->scale, sizeof(double) * 2 * (size_t)flow->s->size.nu);
}

carom_status carom_adapter_start(carom_step *s, carom_state *state)
{
    const adapter *self = s->self;
    carom_motion now = motion_of(s, state);
    CAROM_TRY(self->flow->solver->start(self->flow, &now));
    memset(self->flow->scale, 0, sizeof(double) * 2 * (size_t)s->size.nu);
    save_scale(self->flow, &now, state);
    state->memory[PROPOSAL] = self->step > 0 ? self->step : self->option[FIRST_STEP];
    state->memory[POWER] = carom_work_power(self->flow, state->la);
    return CAROM_OK;
}

static carom_status fixed_step(carom_step *s, const adapter *self, const carom_motion *now,
                               carom_motion *end)
{
    CAROM_TRY(self->flow->solver->step(self->flow, now, s->h, end, &s->report.error));
    s->report.h_used = s->h;
    s->report.h_next = self->step;
    return CAROM_OK;
}

static carom_status controlled_step(carom_step *s, const adapter *self, double proposal,
                                    const carom_motion *now, carom_motion *end)
{
    // of the whole run: the first point of the output says nothing of the motion
    const double wish = proposal > 0 ? proposal : FIRST_SHARE * fmax(s->end, s->h);
    const double longest = s->end > 0 ? fmin(s->h, CAROM_LONGEST_SHARE * s->end) : s->h;
    carom_controlled result;
    CAROM_TRY(carom_control_step(self->flow, now, fmin(wish, longest), end, &result));
    const bool was_cut = longest < wish && result.rejected == 0;
    s->report.h_used = result.h;
    s->report.h_next = was_cut ? fmax(wish, result.h_next) : result.h_next;
    s->report.error = result.error;
    s->report.rejected = result.rejected;
    return CAROM_OK;
}

carom_status carom_adapter_step(carom_step *s, const carom_state *now, carom_state *next)
{
    adapter *self = s->self;
    carom_motion from = motion_of(s, now);
    carom_motion end = motion_of(s, next);
    const long work = carom_flow_work(self->flow);
    load_scale(self->flow, now);
    carom_flow_widen_scale(self->flow, &from);
    double power_before = now->memory[POWER];
    if (s->is_anew) {
        carom_flow_copy(self->flow, &from, &self->anew);
        CAROM_TRY(self->flow->solver->start(self->flow, &self->anew));
        power_before = carom_work_power(self->flow, self->anew.la);
        from = self->anew;
    }
    if (self->step > 0)
        CAROM_TRY(fixed_step(s, self, &from, &end));
    else
        CAROM_TRY(controlled_step(s, self, now->memory[PROPOSAL], &from, &end));
    next->t = end.t;
    save_scale(self->flow, &end, next);
    next->memory[PROPOSAL] = s->report.h_next;
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    s->report.evaluations = carom_flow_work(self->flow) - work;
    next->memory[POWER] = carom_work_power(self->flow, next->la);
    CAROM_TRY(carom_work_of_rows(self->flow, &self->room, power_before, next->memory[POWER]));
    return carom_work_of_forces(self->flow, &self->room);
}
