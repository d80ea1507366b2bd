// SPDX-License-Identifier: Apache-2.0
// What error a coordinate or a rate is allowed. With an absolute tolerance given, atol + rtol |y|.
// Else nothing has a unit: rtol times the scale of y, which is the largest of
//
//     |y| so far                    of the run, and at both ends of the step
//     1e-3 max |y_k| r_k/r_i        of all coordinates (of all rates): small ones are not held to
//                                   less than matters. r^2: the diagonal of the mass at the start,
//                                   by which metres and radians compare
//     tau |a|, tau^2 |a|            what accelerations make of a rate and a coordinate in a
//                                   thousandth of the run, tau: a start from rest at 0
//
// so that a model in millimetres moves like one in metres, to the last bit where the factor is a
// power of two.
#include "smooth/smooth.h"

#include <math.h>

static const double small = 1e-3;
static const double pause_share = 1e-3; // of the run

static double pause_of(const carom_flow *flow)
{
    return pause_share * (flow->s->end > 0 ? flow->s->end : flow->h);
}

carom_status carom_flow_weigh(carom_flow *flow)
{
    carom_step *s = flow->s;
    const carom_point start = {.q = carom_model_start_q(s->model),
                               .u = carom_model_start_u(s->model)};
    CAROM_TRY(carom_model_eval(s->plan, &start, CAROM_FLOW_PROJECT, flow->ev[0], s->error));
    for (int i = 0; i < s->size.nu; i++)
        flow->root_mass[i] = sqrt(carom_mass_entry(flow->ev[0]->mass, i, i));
    return CAROM_OK;
}

static double tolerated(const carom_flow *flow, int i, double y, double scale, double largest)
{
    if (flow->atol > 0) return flow->atol + flow->rtol * y;
    return flow->rtol * fmax(fmax(y, scale), small * largest / flow->root_mass[i]);
}

double carom_flow_tolerated_q(const carom_flow *flow, const carom_motion *at, int i)
{
    const double pause = pause_of(flow), reach = pause * pause * fabs(at->a[i]);
    return tolerated(flow, i, fabs(at->q[i]), fmax(flow->scale[i], reach), flow->largest_q);
}

double carom_flow_tolerated_u(const carom_flow *flow, const carom_motion *at, int i)
{
    const double reach = pause_of(flow) * fabs(at->a[i]);
    return tolerated(flow, i, fabs(at->u[i]), fmax(flow->scale[flow->s->size.nu + i], reach),
                     flow->largest_u);
}

void carom_flow_widen(carom_flow *flow, const carom_motion *at)
{
    const int n = flow->s->size.nu;
    double *of_q = flow->scale, *of_u = of_q + n;
    flow->largest_q = flow->largest_u = 0;
    for (int i = 0; i < n; i++) {
        of_q[i] = fmax(of_q[i], fabs(at->q[i]));
        of_u[i] = fmax(of_u[i], fabs(at->u[i]));
        flow->largest_q = fmax(flow->largest_q, of_q[i] * flow->root_mass[i]);
        flow->largest_u = fmax(flow->largest_u, of_u[i] * flow->root_mass[i]);
    }
}

// of one kind: y and z at both ends, rates of change over the step weigh reach
typedef struct kind {
    const double *error, *y, *z, *scale;
    double largest;
} kind;

static double sum_of_squares(const carom_flow *flow, const kind *it, const double *change,
                             double reach)
{
    const int n = flow->s->size.nu;
    double sum = 0, largest = it->largest;
    for (int i = 0; i < n; i++) {
        const double y = fmax(fabs(it->y[i]), fabs(it->z[i]));
        largest = fmax(largest, flow->root_mass[i] * fmax(y, reach * change[i]));
    }
    for (int i = 0; i < n; i++) {
        const double y = fmax(fabs(it->y[i]), fabs(it->z[i])),
                     scale = fmax(it->scale[i], reach * change[i]);
        const double allowed = tolerated(flow, i, y, scale, largest);
        const double share = it->error[i] == 0 ? 0 : it->error[i] / allowed;
        sum += share * share;
    }
    return sum;
}

double carom_flow_norm(carom_flow *flow, const double *e_q, const double *e_u,
                       const carom_motion *from, const carom_motion *to)
{
    const int n = flow->s->size.nu;
    const double pause = pause_of(flow);
    double *a = flow->change; // mean acceleration of the step
    for (int i = 0; i < n; i++) a[i] = fabs(to->u[i] - from->u[i]) / flow->h;
    const kind q = {e_q, from->q, to->q, flow->scale, flow->largest_q},
               u = {e_u, from->u, to->u, flow->scale + n, flow->largest_u};
    const double sum =
        sum_of_squares(flow, &q, a, pause * pause) + sum_of_squares(flow, &u, a, pause);
    return n > 0 ? sqrt(sum / (2 * n)) : 0;
}
