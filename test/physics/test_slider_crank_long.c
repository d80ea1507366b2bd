// SPDX-License-Identifier: Apache-2.0
// label: slow
// The slider-crank of Schoeder, Ulbrich and Schindler 2014: e = 0.1, no friction, h = 1e-5, 4 s
// with Moreau's midpoint rule. Energy at 4 s 2.880 J within 1e-3 J (a change of 1e-12 at the start
// moves it by 1e-4 J), and the slider in the wall by 4.1e-5 m: the drift that this scheme has and
// later schemes do not.
#include "physics/rig.h"

static void four_seconds_end_with_the_published_energy_and_drift(void **state)
{
    rig r;
    const char *const change[] = {"e=0.1", "mu=0", NULL};
    (void)state;
    rig_open(&r, &(rig_plan){.model = "slider-crank",
                             .scheme = "moreau_midpoint",
                             .step = 1e-5,
                             .end = 4,
                             .change = change});
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    rig_near(audit.energy_end, 2.880, 1e-3);
    rig_near(audit.min_gap, -4.1e-5, 0.05e-5);
    rig_near(rig_state(&r)->t, 4, 1e-9);
    assert_int_equal(carom_sim_counts(r.sim).steps, 400000);
    // the slider does not turn in this benchmark
    rig_below(fabs(rig_state(&r)->q[2]), 1e-9);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_seconds_end_with_the_published_energy_and_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
