// SPDX-License-Identifier: Apache-2.0
// Contact problem files that ask for more than they hold: a few bytes must not become gigabytes.
#include "carom/contact_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static carom_status parse(const char *text, carom_file_kind kind, const carom_limits *limits,
                          carom_error *error)
{
    carom_contact_file *file = NULL;
    *error = (carom_error){0};
    const carom_status status = carom_contact_file_parse_with(
        "x.dat", text, strlen(text), (carom_file_reading){kind, limits}, &file, error);
    carom_contact_file_free(file);
    return status;
}

static long peak_kilobytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

static void sizes_without_numbers_take_no_memory(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        carom_file_kind kind;
    } bomb[] = {
        {"60606060\n0\n0\n", CAROM_FILE_MLCP},
        {"+64649649\n0\n00 0\n\n0", CAROM_FILE_MLCP},
        {"900000\n0\n0\n", CAROM_FILE_MLCP}, // within the limit of rows: not a number for them
        {"0\n900000\n0\n", CAROM_FILE_MLCP},
        {"1\n0\n900000\n0\n0 900000\n0\n", CAROM_FILE_MLCP},
        {"3\n300000\n1\n900000\n900000\n0\n0\n0\n", CAROM_FILE_LOCAL},
        {"3\n300000\n2\n900000\n900000\n1\ntriplet: 900000-by-900000, nzmax: 0 nnz: 0\n",
         CAROM_FILE_LOCAL},
        {"3\n0\n2\n900000\n900000\n1\ntriplet: 900000-by-900000, nzmax: 0 nnz: 0\n",
         CAROM_FILE_GLOBAL},
        {"900000\n2\n900000\n900000\n1\ntriplet: 900000-by-900000, nzmax: 0 nnz: 0\n",
         CAROM_FILE_LCP},
        {"carom-contact 1\n900000 1\nbilateral 900000\n", CAROM_FILE_MIXED},
    };
    const long before = peak_kilobytes();
    for (size_t i = 0; i < sizeof bomb / sizeof bomb[0]; i++) {
        carom_error error;
        assert_int_equal(parse(bomb[i].text, bomb[i].kind, NULL, &error), CAROM_BAD_INPUT);
        assert_int_not_equal(parse(bomb[i].text, CAROM_FILE_ANY, NULL, &error), CAROM_OK);
    }
    assert_true(peak_kilobytes() - before < 20000);
}

static const char two[] = "2\n0 2 2\n2 2\n1 0 0 1\n1 1\n"; // an LCP of two rows

static void rows_are_limited(void **state)
{
    (void)state;
    carom_error error;
    carom_limits limits = carom_limits_default();
    assert_int_equal(parse(two, CAROM_FILE_LCP, &limits, &error), CAROM_OK);
    limits.problem_rows = 1;
    assert_int_equal(parse(two, CAROM_FILE_LCP, &limits, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "x.dat:1:1: number of unknowns: 2 is more than 1"));
    assert_non_null(strstr(error.message, "--limit problem_rows=N allows more"));
}

static void bytes_of_the_file_are_limited(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_contact_file *file = NULL;
    carom_limits limits = carom_limits_default();
    limits.problem_bytes = 100000;
    assert_int_equal(carom_contact_file_read_with(
                         "/dev/zero", (carom_file_reading){CAROM_FILE_ANY, &limits}, &file, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 100000 bytes (--limit problem_bytes=N"));
}

// n contacts that all push the same velocity: n^2 entries from n numbers
static void a_reduction_that_explodes_is_stopped(void **state)
{
    (void)state;
    const int n = 1000;
    char *text = malloc((size_t)n * 64 + 1024), *to = text;
    assert_non_null(text);
    to += sprintf(to, "2\n%d\n0 1 1\n1 1\n1\n0 1 %d\n1 %d\n", n, 2 * n, 2 * n);
    for (int i = 0; i < 2 * n; i++) to += sprintf(to, "1 ");
    for (int i = 0; i < 1 + 3 * n; i++) to += sprintf(to, "0 ");
    carom_error error;
    carom_limits limits = carom_limits_default();
    assert_int_equal(parse(text, CAROM_FILE_GLOBAL, &limits, &error), CAROM_OK);
    limits.bytes = 1e7;
    assert_int_equal(parse(text, CAROM_FILE_GLOBAL, &limits, &error), CAROM_NO_MEMORY);
    assert_non_null(strstr(error.message, "--limit bytes=N"));
    limits.bytes = 2e9;
    limits.seconds = 0;
    assert_int_equal(parse(text, CAROM_FILE_GLOBAL, &limits, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 0 seconds (--limit seconds=N"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_without_numbers_take_no_memory),
        cmocka_unit_test(rows_are_limited),
        cmocka_unit_test(bytes_of_the_file_are_limited),
        cmocka_unit_test(a_reduction_that_explodes_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
