// SPDX-License-Identifier: Apache-2.0
// label: slow
// The Gear-Gupta-Leimkuhler schemes on the slider-crank as published: e = 0.1, h = 1e-5, 4 s.
// Energies at the end to 1e-3 J (a perturbation of 1e-12 moves them by 1e-4 J) and the smallest gap
// of the whole run.
#include "physics/rig.h"

typedef struct claim {
    const char *scheme, *rows;
    double energy, min_gap, gap_tolerance;
} claim;

static const claim claims[] = {{"ggl_decoupled", NULL, 2.916, 0, 2e-14},
                               {"ggl_unified_printed", NULL, 3.274, -4.75e-6, 1e-8},
                               {"ggl_unified", NULL, 3.260, 0, 1e-14},
                               {"ggl_reference", "printed", 3.185, -9.39e-5, 1e-6}};

static void the_runs_of_the_paper_end_as_published(void **unused)
{
    (void)unused;
    static const char *const change[] = {"e=0.1", "mu=0", NULL};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        const carom_setting rows = {{.text = "rows"}, {.text = claims[i].rows}};
        const rig_plan plan = {.model = "slider-crank",
                               .scheme = claims[i].scheme,
                               .step = 1e-5,
                               .end = 4,
                               .change = change,
                               .setting = &rows,
                               .n_setting = claims[i].rows != NULL};
        rig r;
        rig_open(&r, &plan);
        rig_run(&r);
        const carom_audit audit = rig_audit(&r);
        rig_near(audit.energy_end, claims[i].energy, 1e-3);
        rig_near(audit.min_gap, claims[i].min_gap, claims[i].gap_tolerance);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_runs_of_the_paper_end_as_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
