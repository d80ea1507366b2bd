// SPDX-License-Identifier: Apache-2.0
// Every public function, called wrongly: each pointer NULL in turn, each text absent, each index
// and size out of range. None crashes; those that return a status say CAROM_BUG, with the name of
// the argument. The calls are written by walk.awk from the headers, so that none can be forgotten.
#include "api/walk_values.h"

#include "walk.h" // made from include/carom/*.h

static void make_files(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(walk_folder, sizeof walk_folder, "%s/carom-walk-XXXXXX", folder ? folder : "/tmp");
    assert_non_null(mkdtemp(walk_folder));
    assert_int_equal(mkdir(walk_path("models"), 0777), 0);
    assert_int_equal(mkdir(walk_path("papers"), 0777), 0);
    walk_write("models/ball.yaml", walk_ball);
    walk_write("papers/paper.yaml", walk_paper_text);
    walk_write("lcp.dat", walk_problem_text);
    walk_write("rows.csv", "t,x\n0,1\n1,2\n");
    walk_write("start.yaml", "x: 1\n");
    carom_error error = {0};
    carom_model *model = rig_block();
    carom_sim *sim = NULL;
    carom_output *output = NULL;
    rig_ok(carom_sim_new(model, walk_options(), &sim, &error), &error);
    rig_ok(carom_sim_checkpoint(sim, walk_path("start.checkpoint"), &error), &error);
    const carom_output_head head = {.model = "walk"};
    rig_ok(carom_output_open(walk_path("rows.h5"), sim, &head, &output, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, carom_output_recorder(output), &error), &error);
    rig_run(sim);
    rig_ok(carom_output_close(output, NULL, NULL, true, &error), &error);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void every_public_function_bears_misuse(void **state)
{
    (void)state;
    make_files();
    const int n = (int)(sizeof walks / sizeof *walks);
    for (int i = 0; i < n; i++) walks[i].walk();
    printf("%d functions\n", n);
    assert_true(n > 160);
    assert_int_equal(walk_n_failed, 0);
    char command[600];
    snprintf(command, sizeof command, "rm -r '%s'", walk_folder);
    assert_int_equal(system(command), 0);
    walk_now = NULL;
}

static int tell_the_last_call(void **state)
{
    (void)state;
    if (walk_now) print_error("the last call: %s\n", walk_now);
    return 0;
}

static void errors_take_what_comes(void **state)
{
    (void)state;
    const char *none = NULL;
    assert_int_equal(carom_fail(NULL, CAROM_IO, "%d", 1), CAROM_IO);
    assert_int_equal(carom_fail_at(NULL, (carom_place){0}, CAROM_IO, "%d", 1), CAROM_IO);
    carom_error error = {0};
    assert_int_equal(carom_fail(&error, CAROM_IO, none, 1), CAROM_IO);
    assert_int_equal(error.status, CAROM_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_public_function_bears_misuse, tell_the_last_call),
        cmocka_unit_test(errors_take_what_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
