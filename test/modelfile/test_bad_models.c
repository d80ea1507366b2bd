// SPDX-License-Identifier: Apache-2.0
// Every file in test/bad-models is wrong in one way. Its first line says what must be said about
// it: "# expect: 7:9: unknown name 'tht1'", with the place where there is one. Here each goes
// through the library; files called run-* need the command, which has a test of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "carom/carom.h"
#include "modelfile/expectation.h"

static carom_status use(const char *path, carom_error *error)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_status status = carom_modelfile_read(path, &file, error);
    if (status == CAROM_OK)
        status = carom_builder_finish(carom_modelfile_builder(file), &model, error);
    carom_sim_options options = carom_sim_default();
    options.step = options.end = 1;
    if (status == CAROM_OK) status = carom_sim_new(model, &options, &sim, error);
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(file);
    return status;
}

static void every_bad_model_is_refused_with_its_place_and_reason(void **state)
{
    (void)state;
    struct dirent **entry;
    const int n = scandir(bad_models, &entry, is_model, alphasort);
    int n_wrong = 0;
    assert_true(n >= LEAST_FILES);
    for (int i = 0; i < n; i++) {
        char path[512], expected[512];
        snprintf(path, sizeof path, "%s/%s", bad_models, entry[i]->d_name);
        read_expectation(path, expected, sizeof expected);
        const bool is_for_command = strncmp(entry[i]->d_name, "run-", 4) == 0;
        free(entry[i]);
        if (is_for_command) continue;
        carom_error error = {0};
        const carom_status status = use(path, &error);
        const bool is_right = status == CAROM_BAD_INPUT && error.status == CAROM_BAD_INPUT &&
                              says(error.message, path, expected);
        if (is_right) continue;
        print_error("%s\n  status %d, says '%s'\n", path, (int)status, error.message);
        print_error("  expected '%s'\n", expected);
        n_wrong++;
    }
    free(entry);
    assert_int_equal(n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_model_is_refused_with_its_place_and_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
