// SPDX-License-Identifier: Apache-2.0
// Errors: one line, with a place, the first one kept.
#include "carom/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void message_starts_with_the_place_as_far_as_it_is_known(void **state)
{
    (void)state;
    carom_error error = {0};
    const carom_place whole = {"crank.yaml", 14, 9}, file = {"crank.yaml", 0, 0},
                      line = {NULL, 3, 4};
    assert_int_equal(carom_fail_at(&error, whole, CAROM_BAD_INPUT, "unknown '%s'", "tht1"),
                     CAROM_BAD_INPUT);
    assert_string_equal(error.message, "crank.yaml:14:9: unknown 'tht1'");
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    error = (carom_error){0};
    carom_fail_at(&error, file, CAROM_IO, "cannot be read");
    assert_string_equal(error.message, "crank.yaml: cannot be read");
    error = (carom_error){0};
    carom_fail_at(&error, line, CAROM_IO, "cannot be read");
    assert_string_equal(error.message, "3:4: cannot be read");
    error = (carom_error){0};
    assert_int_equal(carom_fail(&error, CAROM_BUG, "n is %d", -1), CAROM_BUG);
    assert_string_equal(error.message, "n is -1");
}

static void place_is_known_apart_from_the_text(void **state)
{
    (void)state;
    carom_error error = {0};
    // a name with colons and digits is not taken for a place
    carom_fail_at(&error, (carom_place){"c:1:2: x.yaml", 14, 9}, CAROM_BAD_INPUT, "3:4: wrong");
    assert_string_equal(error.message, "c:1:2: x.yaml:14:9: 3:4: wrong");
    assert_int_equal(error.n_file, 13);
    assert_int_equal(error.line, 14);
    assert_int_equal(error.column, 9);
    assert_string_equal(error.message + error.n_place, "3:4: wrong");
    error = (carom_error){0};
    carom_fail_at(&error, (carom_place){"--set k", 0, 0}, CAROM_BAD_INPUT, "wrong");
    assert_int_equal(error.n_file, 7);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.message + error.n_place, "wrong");
    // a place that was there before is forgotten with its error
    error.status = CAROM_OK;
    carom_fail(&error, CAROM_BAD_INPUT, "5:6: wrong");
    assert_int_equal(error.n_file, 0);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.n_place, 0);
}

static void first_error_is_kept(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fail(&error, CAROM_IO, "first");
    assert_int_equal(carom_fail(&error, CAROM_BUG, "second"), CAROM_BUG);
    assert_int_equal(error.status, CAROM_IO);
    assert_string_equal(error.message, "first");
    assert_int_equal(carom_fail(NULL, CAROM_BUG, "nobody listens"), CAROM_BUG);
}

static void error_is_one_line_that_fits(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fail(&error, CAROM_BAD_INPUT, "two\nlines\r");
    assert_string_equal(error.message, "two lines ");
    char name[3000];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    error = (carom_error){0};
    carom_fail(&error, CAROM_BAD_INPUT, "%s", name);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    error = (carom_error){0};
    carom_fail_at(&error, (carom_place){name, 1, 1}, CAROM_BAD_INPUT, "%s", name);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static carom_status try_twice(carom_status first, int *calls)
{
    CAROM_TRY(first);
    ++*calls;
    return CAROM_OK;
}

static void try_returns_early_with_the_status(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(try_twice(CAROM_IO, &calls), CAROM_IO);
    assert_int_equal(calls, 0);
    assert_int_equal(try_twice(CAROM_OK, &calls), CAROM_OK);
    assert_int_equal(calls, 1);
}

static void version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(carom_version(), CAROM_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_starts_with_the_place_as_far_as_it_is_known),
        cmocka_unit_test(place_is_known_apart_from_the_text),
        cmocka_unit_test(first_error_is_kept),
        cmocka_unit_test(error_is_one_line_that_fits),
        cmocka_unit_test(try_returns_early_with_the_status),
        cmocka_unit_test(version_is_that_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
