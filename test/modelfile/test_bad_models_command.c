// SPDX-License-Identifier: Apache-2.0
// Every file in test/bad-models makes `carom run` end with code 2 and one line on stderr that says
// the place and the reason given in the file's first line.
// label: slow (one process for each file)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/wait.h>

#include "modelfile/expectation.h"

// runs the command on a model; returns its exit code and all that it says on stderr
static int run_command(const char *path, char *said, size_t room)
{
    char command[1200];
    snprintf(command, sizeof command, "'%s' run '%s' -q 2>&1 >/dev/null </dev/null", CAROM_COMMAND,
             path);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    const size_t n = fread(said, 1, room - 1, stream);
    said[n] = 0;
    const int status = pclose(stream);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// one line that ends with its newline
static bool says_in_one_line(char *said, const char *path, const char *expected)
{
    const size_t length = strlen(said);
    if (length == 0 || said[length - 1] != '\n') return false;
    said[length - 1] = 0;
    return says(said, path, expected);
}

static void the_command_refuses_every_bad_model_with_code_2(void **state)
{
    (void)state;
    struct dirent **entry;
    const int n = scandir(bad_models, &entry, is_model, alphasort);
    int n_wrong = 0;
    assert_true(n >= LEAST_FILES);
    for (int i = 0; i < n; i++) {
        char path[512], expected[512], said[4096];
        snprintf(path, sizeof path, "%s/%s", bad_models, entry[i]->d_name);
        free(entry[i]);
        read_expectation(path, expected, sizeof expected);
        const int code = run_command(path, said, sizeof said);
        if (code == 2 && says_in_one_line(said, path, expected)) continue;
        print_error("%s\n  exit code %d, says '%s'\n", path, code, said);
        print_error("  expected '%s'\n", expected);
        n_wrong++;
    }
    free(entry);
    assert_int_equal(n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_refuses_every_bad_model_with_code_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
