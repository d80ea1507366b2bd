// SPDX-License-Identifier: Apache-2.0
// Friction in space: a puck on a floor with slip [x, y]. It slides on a straight line, loses mu g
// in each second, stops and stays exactly where it stopped.
#include "battery/battery_rig.h"

static const char *const puck = "carom: 1\n"
                                "parameters: {mu: 0.3, gravity: 9.81}\n"
                                "coordinates:\n"
                                "  x: {rate: 3}\n"
                                "  y: {rate: -4}\n"
                                "  z: {start: 0}\n"
                                "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\n"
                                "potential: gravity*z\n"
                                "contacts:\n"
                                "  - name: floor\n"
                                "    gap: z\n"
                                "    slip: [x, y]\n"
                                "    friction: mu\n";

// the discrete motion is known exactly: every step takes h mu g from the speed, until less than
// that is left
static void a_puck_slides_straight_and_stops_exactly(void **state)
{
    (void)state;
    carom_model *model = model_from_text(puck);
    const double h = 1e-3, loss = h * 0.3 * 9.81, stop = 5 / (0.3 * 9.81);
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        carom_sim *sim = accepted_sim(model, scheme, h, 2);
        if (!sim) continue;
        carom_error error = {0};
        double q[3] = {0}, speed = 5;
        // forces found without the free acceleration come one step late: it sinks by g h each
        // second, and when it sticks its speed is halved in every step instead of stopped
        const bool is_late = strcmp(scheme->name, "tdg_velocity_explicit") == 0;
        const double sink = is_late ? 9.81 * h * 2 : 1e-14, stopped = stop + (is_late ? 60 : 3) * h;
        while (!carom_sim_is_done(sim)) {
            must(carom_sim_step(sim, &error), &error);
            const carom_state *now = carom_sim_state(sim);
            near(scheme->name, now->q[0] * 4, -now->q[1] * 3, 1e-12); // 12 digits of 4 m
            near(scheme->name, now->q[2], 0, sink);
            const double v = hypot(now->u[0], now->u[1]);
            // one step more or less at the start and the stop, where forces begin and end
            near(scheme->name, v, fmax(0, 5 - 0.3 * 9.81 * now->t), 1.001 * loss);
            assert_true(v <= speed + 1e-14);
            speed = v;
            // what stopped does not creep: the same bits from then on
            if (now->t > stopped) {
                near(scheme->name, v, 0, 1e-14);
                near(scheme->name, now->q[0], q[0], 1e-16);
            }
            memcpy(q, now->q, sizeof q);
        }
        assert_int_equal(carom_sim_counts(sim).unconverged, 0);
        // braking distance v^2 / (2 mu g), to first order in h
        near(scheme->name, hypot(q[0], q[1]), 12.5 / (0.3 * 9.81), 5.1 * h);
        carom_audit audit;
        audited_energy(sim, &audit);
        near("all kinetic energy went into friction", audit.friction_loss, 12.5, 12.5 * h + 1e-9);
        assert_true(audit.cone_violation <= 1e-15);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_puck_slides_straight_and_stops_exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
