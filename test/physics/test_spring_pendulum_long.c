// SPDX-License-Identifier: Apache-2.0
// label: slow
// The spring pendulum for 250 s with Moreau's midpoint rule: the relative error of the energy is
// -38.6 % within 0.05 points (round-off sensitive). E(0) < 0, so that this is a gain of 2.75 J: the
// rule is not symplectic.
#include "physics/rig.h"

static void midpoint_rule_is_off_by_39_percent_after_250_s(void **state)
{
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "spring-pendulum",
                             .scheme = "moreau_midpoint",
                             .step = 0.002,
                             .end = 250});
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    rig_near(100 * (audit.energy_end - audit.energy_start) / audit.energy_start, -38.6, 0.05);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midpoint_rule_is_off_by_39_percent_after_250_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
