// SPDX-License-Identifier: Apache-2.0
// A million steps of variational on a free body, in principal and in turned axes: the angular
// momentum in space to 1e-11, the energy within bounds. (label: slow)
#include "model/model_rig.h"

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

// memory holds the momenta that the next interval starts with, in axes of the body
static void check_million(const char *text)
{
    carom_error error = {0};
    carom_model *model = model_from_text(text);
    carom_sim *sim = sim_of(model, "variational", 0.01, 1e4);
    double L0[3] = {0}, size = 0, worst = 0, least = INFINITY, most = 0;
    for (long k = 0; !carom_sim_is_done(sim); k++) {
        must(carom_sim_step(sim, &error), &error);
        if (k % 100 && k % 1000003 != 0) continue;
        const carom_state *s = carom_sim_state(sim);
        double L[3], T = 0;
        turn(s->q + 3, s->memory + 3, L);
        if (k == 0) memcpy(L0, L, sizeof L);
        if (k == 0) size = sqrt(L[0] * L[0] + L[1] * L[1] + L[2] * L[2]);
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(L[i] - L0[i]));
            T += 0.5 * s->memory[3 + i] * s->u[3 + i];
        }
        least = fmin(least, T);
        most = fmax(most, T);
    }
    print_message("L turns by %.2g, T between %.8g and %.8g\n", worst / size, least, most);
    near("angular momentum", worst / size, 0, 1e-11);
    near("energy", most / least, 1, 1e-3);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void variational_keeps_angular_momentum_over_a_million_steps(void **state)
{
    (void)state;
    check_million("carom: 1\n"
                  "bodies:\n"
                  "  b: {mass: 1, inertia: [1, 2, 2.5], at: [0, 0, 0], spin: [1.5, -1, 2]}\n");
    // the same body in turned axes
    check_million("carom: 1\n"
                  "bodies:\n"
                  "  b: {mass: 1, inertia: [1.5, 1.7, 2.3, 0.3, -0.2, 0.1], at: [0, 0, 0], turned: "
                  "{axis: [1, 2, 3], angle: 1}, spin: [1.5, -1, 2]}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variational_keeps_angular_momentum_over_a_million_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
