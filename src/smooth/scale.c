// SPDX-License-Identifier: Apache-2.0
// What error a coordinate or a rate is allowed. With an absolute tolerance given, atol + rtol |y|.
// Else nothing has a unit: rtol times the scale of y, which is the largest of
//
//     |y| so far                    of the run, and at both ends of the step
//     1e-3 max |y_k| r_k/r_i        of all coordinates (of all rates): small ones are not held to
//                                   less than matters. r^2: the diagonal of the mass at the start,
//                                   by which metres and radians compare
//     h |a|, h^2 |a|                what accelerations make of a rate and a coordinate in a step h,
//                                   those of the applied forces alone too: bodies held at rest
//     tau A, tau |u| + tau^2 A      what they make of them in a millionth of the run, tau; A: the
//                                   largest acceleration of the applied forces that the start will
//                                   feel in the run; |u| so far. A start at 0 needs it
//
// so that a model in millimetres moves like one in metres, to the last bit where the factor is a
// power of two.
//
// Errors of steps add up, and estimates are not of one kind: that of hem5 is far above the error,
// that of phem56 below, that of rkf45 the error itself; over the long steps of mexx errors grow. So
// a step gets a share of the run's tolerance, one number for each method, with which they are
// comparably right: within a tolerance or so for each 1/frequency of a motion that keeps errors as
// they are.
//
// An implicit step finds its rates from positions: what their rounding leaves of a rate, eps |q|/h,
// is no error of the method.
#include "smooth/smooth.h"

#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double small = 1e-3;
static const double rounding = 16 * DBL_EPSILON;
static const double default_tolerance = 1e-9, least_tolerance = 1e-13;
static const double pause_share = 1e-6; // of the run
// looks at the forces along the run; breaks of time that are looked at
enum { N_LOOK = 200, N_BREAK = 1000 };

void carom_flow_set_tolerance(carom_flow *flow, double tolerance, double atol, double share)
{
    const double wanted = tolerance > 0 ? tolerance : default_tolerance;
    const double own = flow->solver->share > 0 ? flow->solver->share : 1;
    const double least = fmin(1, least_tolerance / wanted); // below is rounding
    flow->rtol = wanted;
    flow->atol = atol;
    flow->share = share > 0 ? share : fmax(own, least);
}

static double pause_of(const carom_flow *flow)
{
    return pause_share * flow->s->end;
}

// what the applied forces alone would do to the start at a time; nothing where they are not known
static void look_ahead(carom_flow *flow, double t)
{
    const carom_step *s = flow->s;
    carom_error unheard = {0};
    const carom_point at = {.t = t, .q = s->plan->q0, .u = s->plan->u0, .holds = s->holds};
    if (carom_model_eval(s->plan, &at, CAROM_FLOW_REST, flow->ev[0], &unheard) == CAROM_OK) {
        memcpy(flow->change, flow->ev[0]->f, sizeof(double) * (size_t)s->size.nu);
        carom_mass_solve(flow->ev[0]->mass, flow->change);
        for (int i = 0; i < s->size.nu; i++)
            if (isfinite(flow->change[i]))
                flow->reach[i] = fmax(flow->reach[i], fabs(flow->change[i]));
    }
}

// at the breaks of time and between them: pulses that tables and conditions make may be short
static void look_at_breaks(carom_flow *flow)
{
    const carom_step *s = flow->s;
    const carom_clock *clock = s->plan->clock;
    if (!clock || clock->n_affine == 0) return;
    double last = 0, t = carom_clock_next(clock, 0).t;
    for (int k = 0; k < N_BREAK && t < s->end; k++) {
        look_ahead(flow, 0.5 * (last + t));
        look_ahead(flow, t);
        last = t;
        t = carom_clock_next(clock, last).t;
    }
    look_ahead(flow, 0.5 * (last + fmin(t, s->end)));
}

carom_status carom_flow_weigh_coordinates(carom_flow *flow)
{
    carom_step *s = flow->s;
    const carom_point start = {.q = s->plan->q0, .u = s->plan->u0, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &start, CAROM_FLOW_PROJECT, flow->ev[0], s->error));
    memset(flow->reach, 0, sizeof(double) * (size_t)s->size.nu);
    for (int i = 0; i < s->size.nu; i++)
        flow->root_mass[i] = sqrt(carom_mass_entry(flow->ev[0]->mass, i, i));
    const int n_look = carom_plan_needs_t(s->plan, CAROM_FLOW_REST) ? N_LOOK : 0;
    for (int k = 0; k <= n_look; k++) look_ahead(flow, n_look > 0 ? s->end * k / n_look : 0);
    if (n_look > 0) look_at_breaks(flow);
    return CAROM_OK;
}

static double tolerated(const carom_flow *flow, int i, double y, double scale, double largest)
{
    if (flow->atol > 0) return flow->atol + flow->rtol * y;
    return flow->rtol * fmax(fmax(y, scale), small * largest / flow->root_mass[i]);
}

double carom_flow_tolerated_q(const carom_flow *flow, const carom_motion *at, int i)
{
    const double pause = pause_of(flow), u = flow->scale[flow->s->size.nu + i];
    const double scale = fmax(flow->scale[i], pause * (u + pause * flow->reach[i]));
    return tolerated(flow, i, carom_model_size_along(flow->s->model, at->q, i), scale,
                     flow->largest_q);
}

double carom_flow_tolerated_u(const carom_flow *flow, const carom_motion *at, int i)
{
    const double scale = fmax(flow->scale[flow->s->size.nu + i], pause_of(flow) * flow->reach[i]);
    return tolerated(flow, i, fabs(at->u[i]), scale, flow->largest_u);
}

void carom_flow_widen_scale(carom_flow *flow, const carom_motion *at)
{
    const int n = flow->s->size.nu;
    double *of_q = flow->scale, *of_u = of_q + n;
    flow->largest_q = flow->largest_u = 0;
    for (int i = 0; i < n; i++) {
        of_q[i] = fmax(of_q[i], carom_model_size_along(flow->s->model, at->q, i));
        of_u[i] = fmax(of_u[i], fabs(at->u[i]));
        flow->largest_q = fmax(flow->largest_q, of_q[i] * flow->root_mass[i]);
        flow->largest_u = fmax(flow->largest_u, of_u[i] * flow->root_mass[i]);
    }
}

// of one kind: errors, both ends of the step, largest so far, what rates make of it in a pause
// (NULL: of rates themselves), and what accelerations make of it in the step and in a pause
typedef struct kind {
    const double *error, *y, *z, *scale, *rate;
    double largest, in_step, in_pause;
} kind;

static double scale_of(const carom_flow *flow, const kind *it, int i)
{
    const double in_step = it->in_step * flow->change[i];
    double in_pause = it->in_pause * flow->reach[i], noise = 0;
    if (it->rate) in_pause += pause_of(flow) * it->rate[i];
    if (!it->rate && flow->solver->is_implicit)
        noise = rounding / (flow->rtol * flow->share * flow->h) *
                carom_model_size_along(flow->s->model, flow->from.q, i);
    return fmax(fmax(it->scale[i], noise), fmax(in_step, in_pause));
}

static void add_squares(const carom_flow *flow, const kind *it, double *sum)
{
    const int n = flow->s->size.nu;
    double largest = it->largest;
    for (int i = 0; flow->atol == 0 && i < n; i++) {
        const double y = fmax(fabs(it->y[i]), fabs(it->z[i]));
        largest = fmax(largest, flow->root_mass[i] * fmax(y, scale_of(flow, it, i)));
    }
    for (int i = 0; i < n; i++) {
        const double y = fmax(fabs(it->y[i]), fabs(it->z[i]));
        const double allowed = tolerated(flow, i, y, scale_of(flow, it, i), largest);
        const double share = it->error[i] == 0 ? 0 : it->error[i] / allowed;
        *sum += share * share;
    }
}

// the mean acceleration of the step, or that of the applied forces alone where it is larger
static void find_change(carom_flow *flow, const carom_motion *from, const carom_motion *to)
{
    const carom_eval *ev = flow->ev[0]; // every solver has its last forces here
    const int n = flow->s->size.nu;
    memcpy(flow->change, ev->f, sizeof(double) * (size_t)n);
    carom_mass_solve(ev->mass, flow->change);
    for (int i = 0; i < n; i++)
        flow->change[i] = fmax(fabs(flow->change[i]), fabs(to->u[i] - from->u[i]) / flow->h);
}

double carom_flow_norm(carom_flow *flow, const double *e_q, const double *e_u,
                       const carom_motion *from, const carom_motion *to)
{
    const int n = flow->s->size.nu;
    const double h = flow->h, pause = pause_of(flow);
    const double *of_q = flow->scale, *of_u = of_q + n;
    const bool is_plain = flow->s->model->n_plain >= 0;
    if (!is_plain) {
        carom_model_measure(flow->s->model, from->q, flow->size);
        carom_model_measure(flow->s->model, to->q, flow->size + n);
    }
    const double *q0 = is_plain ? from->q : flow->size, *q1 = is_plain ? to->q : flow->size + n;
    const kind q = {e_q, q0, q1, of_q, of_u, flow->largest_q, h * h, pause * pause};
    const kind u = {e_u, from->u, to->u, of_u, NULL, flow->largest_u, h, pause};
    double sum = 0;
    if (flow->atol == 0) find_change(flow, from, to);
    add_squares(flow, &q, &sum);
    add_squares(flow, &u, &sum);
    return n > 0 ? sqrt(sum / (2 * n)) / flow->share : 0;
}
