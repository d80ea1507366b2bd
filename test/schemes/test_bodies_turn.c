// SPDX-License-Identifier: Apache-2.0
// A heavy asymmetric top in all schemes: orders against an independent integration, |p| = 1.
#include "schemes/body_rig.h"

// R(p) a
static void turn(const double *p, const double *a, double *to)
{
    double c[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = p[1 + j] * a[k] - p[1 + k] * a[j] + p[0] * a[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = a[i] + 2 * (p[1 + j] * c[k] - p[1 + k] * c[j]);
    }
}

static const double END = 0.5;

static top heavy_top(void)
{
    return (top){.J = {1, 2, 3.5},
                 .weight = 5,
                 .q0 = {0.8, 0.6, 0, 0},
                 .u0 = {1.5, -1, 4},
                 .knows_inertia = true};
}

// how far the attitude at the end is from the reference [rad]
static double attitude_error(const carom_model *model, const char *scheme, double h,
                             const double *reference, double *length_error)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = h;
    options.end = END;
    carom_status status = carom_sim_new(model, &options, &sim, &error);
    if (status != CAROM_OK) printf("%s: %s\n", scheme, error.message);
    assert_int_equal(status, CAROM_OK);
    *length_error = 0;
    while (!carom_sim_is_done(sim)) {
        status = carom_sim_step(sim, &error);
        if (status != CAROM_OK) printf("%s: %s\n", scheme, error.message);
        assert_int_equal(status, CAROM_OK);
        *length_error = fmax(*length_error, norm_error(carom_sim_state(sim)->q));
    }
    double x[3];
    carom_model_difference(model, carom_sim_state(sim)->q, reference, x);
    carom_sim_free(sim);
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

static void schemes_have_their_order(void **state)
{
    (void)state;
    top it = heavy_top();
    double y[7];
    top_reference(&it, END, 20000, y);
    carom_model *model = top_model(&it);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (scheme->is_adaptive) continue;
        double length[2], e[2];
        for (int k = 0; k < 2; k++)
            e[k] = attitude_error(model, scheme->name, END / (k ? 200 : 100), y, &length[k]);
        if (!(log2(e[0] / e[1]) > scheme->order_free - 0.1) || !(e[1] < 2e-3))
            fail_msg("%s: errors %g, %g", scheme->name, e[0], e[1]);
        if (!(fmax(length[0], length[1]) < 1e-15))
            fail_msg("%s: |p| is off by %g", scheme->name, fmax(length[0], length[1]));
    }
    carom_model_free(model);
}

// those with step control, to a tolerance
static void adaptive_schemes_keep_their_tolerance(void **state)
{
    (void)state;
    top it = heavy_top();
    double y[7];
    top_reference(&it, END, 20000, y);
    carom_model *model = top_model(&it);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->is_adaptive) continue;
        double length, e = attitude_error(model, scheme->name, 1e-3, y, &length);
        if (!(e < (scheme->order_free > 2 ? 1e-7 : 1e-3)) || !(length < 1e-15))
            fail_msg("%s: error %g, |p| off by %g", scheme->name, e, length);
    }
    carom_model_free(model);
}

// a free asymmetric top: L in space to rounding, the energy within a bound that does not grow
static void variational_keeps_angular_momentum(void **state)
{
    (void)state;
    top it = {.J = {1, 2, 3.5}, .q0 = {1}, .u0 = {1.5, -1, 2}, .knows_inertia = true};
    carom_model *model = top_model(&it);
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = "variational";
    options.step = 0.01;
    options.end = 1e3;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_OK);
    const double T0 = 0.5 * (1.5 * 1.5 + 2 + 3.5 * 4);
    double L0[3] = {0}, worst = 0, energy = 0;
    for (long k = 0; !carom_sim_is_done(sim); k++) {
        assert_int_equal(carom_sim_step(sim, &error), CAROM_OK);
        // p_L of the next interval, in axes of the body at q
        const carom_state *s = carom_sim_state(sim);
        double L[3];
        turn(s->q, s->memory, L);
        if (k == 0) memcpy(L0, L, sizeof L);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(L[i] - L0[i]));
        double T = 0;
        for (int i = 0; i < 3; i++) T += 0.5 * it.J[i] * s->u[i] * s->u[i];
        energy = fmax(energy, fabs(T - T0));
    }
    carom_sim_free(sim);
    carom_model_free(model);
    if (!(worst < 1e-10) || !(energy < 1e-3 * T0))
        fail_msg("L moved by %g, T by %g of %g", worst, energy, T0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_have_their_order),
        cmocka_unit_test(adaptive_schemes_keep_their_tolerance),
        cmocka_unit_test(variational_keeps_angular_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
