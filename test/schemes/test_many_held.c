// SPDX-License-Identifier: Apache-2.0
// schatzman_paoli with more contacts than its dense problems have: what is held after the passes is
// settled, so that a column of beads that lands has an energy balance, and is still where it was.
#include "model/model_rig.h"

static void a_column_that_lands_has_its_energy_balance(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = shipped_file("column-of-beads");
    static const char *const change[][2] = {
        {"n", "100"}, {"height", "0.1001"}, {"pitch", "0.2001"}};
    for (int i = 0; i < 3; i++)
        must(carom_builder_set(carom_modelfile_builder(file), text_of(change[i][0]),
                               text_of(change[i][1]), &error),
             &error);
    carom_model *model = finish_file(file);
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = "schatzman_paoli";
    options.step = 5e-4;
    options.end = 0.3;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    carom_audit audit;
    must(carom_sim_audit(sim, &audit, NULL, &error), &error);
    // it falls by 0.1 mm, the top by 10 mm: 0.5 J are lost in all
    assert_true(fabs(audit.energy_error) < 5e-3);
    assert_true(fabs(carom_sim_state(sim)->q[0] - 0.1) < 1e-9);
    assert_true(audit.min_gap > -1e-3);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_that_lands_has_its_energy_balance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
