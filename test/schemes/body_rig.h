// SPDX-License-Identifier: Apache-2.0
// Bodies in space through callbacks, and an integration of the same motion that shares no code with
// the library: Runge-Kutta of order 4 on (p, omega), p of any length.
#ifndef CAROM_TEST_BODY_RIG_H
#define CAROM_TEST_BODY_RIG_H

#include "carom/carom.h"
#include "carom/extend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// a body that turns about a fixed point, with the centre of mass on its third axis
typedef struct top {
    double J[3];
    double weight; // m g l
    double q0[4], u0[3];
    bool knows_inertia; // the chart is told J
} top;

static void third_row(const double *p, double *g) // of R: the vertical in axes of the body
{
    const double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    g[0] = s * (p[1] * p[3] - p[0] * p[2]);
    g[1] = s * (p[2] * p[3] + p[0] * p[1]);
    g[2] = 1 - s * (p[1] * p[1] + p[2] * p[2]);
}

static int top_mass(void *user, double t, const double *q, double *M)
{
    (void)t, (void)q;
    const top *it = user;
    memset(M, 0, 9 * sizeof *M);
    for (int i = 0; i < 3; i++) M[4 * i] = it->J[i];
    return 0;
}

static int top_forces(void *user, double t, const double *q, const double *w, double *f)
{
    (void)t;
    const top *it = user;
    const double *J = it->J;
    double g[3];
    third_row(q, g);
    f[0] = (J[1] - J[2]) * w[1] * w[2] + it->weight * g[1];
    f[1] = (J[2] - J[0]) * w[2] * w[0] - it->weight * g[0];
    f[2] = (J[0] - J[1]) * w[0] * w[1];
    return 0;
}

static int top_potential(void *user, double t, const double *q, double *V)
{
    (void)t;
    const top *it = user;
    double g[3];
    third_row(q, g);
    *V = it->weight * g[2];
    return 0;
}

static carom_model *top_model(top *it)
{
    carom_error error = {0};
    carom_model *model = NULL;
    carom_chart_part part = {.kind = CAROM_CHART_QUATERNION};
    static const char *const position[] = {"p0", "p1", "p2", "p3"}, *const spin[] = {"wx", "wy",
                                                                                     "wz"};
    for (int i = 0; it->knows_inertia && i < 3; i++) part.inertia[i] = it->J[i];
    const carom_callbacks given = {.user = it,
                                   .name = "top",
                                   .n = 3,
                                   .n_position = 4,
                                   .positions = {.part = &part, .n_part = 1},
                                   .coordinate_name = position,
                                   .velocity_name = spin,
                                   .q0 = it->q0,
                                   .u0 = it->u0,
                                   .mass_is_constant = true,
                                   .mass = top_mass,
                                   .forces = top_forces,
                                   .potential = top_potential};
    const carom_status status = carom_model_from_callbacks(&given, &model, &error);
    if (status != CAROM_OK) printf("%s\n", error.message);
    assert_int_equal(status, CAROM_OK);
    return model;
}

static void top_rates(const top *it, const double y[7], double rate[7])
{
    const double *p = y, *w = y + 4;
    rate[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    rate[1] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
    rate[2] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
    rate[3] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
    top_forces((void *)(uintptr_t)it, 0, p, w, rate + 4);
    for (int i = 0; i < 3; i++) rate[4 + i] /= it->J[i];
}

// y = (p, omega) at the time end
static void top_reference(const top *it, double end, int n_step, double y[7])
{
    const double h = end / n_step, share[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    memcpy(y, it->q0, 4 * sizeof *y);
    memcpy(y + 4, it->u0, 3 * sizeof *y);
    for (int k = 0; k < n_step; k++) {
        double rate[7] = {0}, sum[7] = {0}, at[7];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 7; i++) at[i] = y[i] + h * share[s] * rate[i];
            top_rates(it, at, rate);
            for (int i = 0; i < 7; i++) sum[i] += weight[s] * rate[i];
        }
        for (int i = 0; i < 7; i++) y[i] += h / 6 * sum[i];
        const double length = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
        for (int i = 0; i < 4; i++) y[i] /= length;
    }
}

static inline double norm_error(const double *p)
{
    return fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) - 1);
}

#endif
