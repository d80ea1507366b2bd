// SPDX-License-Identifier: Apache-2.0
// Volumes of states (q, u) shrink between events with the trace of da/du = M^-1 f_u, whose integral
// over a step is a sum of 5 points (Lobatto), and at an impact without friction with e^2. So the
// sum of all Lyapunov exponents is known without any of them.
#include "tangent/tangent.h"

#include <math.h>
#include <string.h>

// the trace of M^-1 f_u of the last answers
static double trace_of(carom_variation *v)
{
    const carom_sparse *f_u = &v->ev[0]->derivatives.df_du;
    const int nu = v->flow->s->size.nu;
    double sum = 0;
    for (int j = 0; j < nu; j++) {
        bool is_empty = true;
        memset(v->x, 0, sizeof(double) * (size_t)nu);
        for (int i = 0; i < nu; i++)
            for (int k = f_u->start[i]; k < f_u->start[i + 1]; k++) {
                if (f_u->index[k] != j) continue;
                v->x[i] = f_u->value[k];
                is_empty &= f_u->value[k] == 0;
            }
        if (is_empty) continue;
        carom_mass_solve(v->ev[0]->mass, v->x);
        sum += v->x[j];
    }
    return sum;
}

carom_status carom_tangent_add_trace(carom_tangent *t, carom_hybrid *h)
{
    static const double node[] = {0, 0.17267316464601142810, 0.5, 0.82732683535398857190, 1};
    static const double weight[] = {1. / 20, 49. / 180, 16. / 45, 49. / 180, 1. / 20};
    carom_variation *v = t->v;
    carom_flow *flow = h->flow;
    for (int r = 0; r < h->s->size.n_row; r++)
        if (flow->rows.is_held[r]) t->trace = NAN;
    if (isnan(t->trace)) return CAROM_OK;
    for (int k = 0; k < 5; k++) {
        CAROM_TRY(flow->solver->search(flow, node[k], v->point, v->velocity));
        const carom_vary_point at = {flow->from.t + node[k] * flow->h, v->point, v->velocity,
                                     flow->from.a, flow->from.la};
        CAROM_TRY(carom_vary_eval(v, 0, &at, CAROM_VARY_STAGE));
        t->trace += weight[k] * flow->h * trace_of(v);
    }
    return CAROM_OK;
}
