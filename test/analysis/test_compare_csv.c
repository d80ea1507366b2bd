// SPDX-License-Identifier: Apache-2.0
// Two CSV files compared column by column.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct files {
    char a[32], b[32];
    carom_comparison result;
    carom_error error;
} files;

static void put(char path[32], const char *text, size_t length)
{
    strcpy(path, "/tmp/carom-csv-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    close(fd);
}

static carom_status compare(files *f, const char *a, const char *b)
{
    memset(f, 0, sizeof *f);
    put(f->a, a, strlen(a));
    put(f->b, b, strlen(b));
    const carom_status status = carom_compare_csv(f->a, f->b, &f->result, &f->error);
    unlink(f->a);
    unlink(f->b);
    return status;
}

static void equal_files_have_no_difference(void **state)
{
    (void)state;
    files f;
    const char text[] = "# carom 0.1.0\n# model: ball\nt,y\n0,1\n0.1,0.95\n";
    assert_int_equal(compare(&f, text, text), CAROM_OK);
    assert_int_equal(f.result.n_column, 2);
    assert_int_equal(f.result.n_row, 2);
    assert_true(f.result.largest == 0 && f.result.column[1].largest == 0);
    carom_comparison_free(&f.result);
}

static void the_largest_difference_and_its_time_are_found(void **state)
{
    (void)state;
    files f;
    assert_int_equal(
        compare(&f, "t,y,v\n0,1,5\n1,2,5\n2,3,5\n", "t,y,v\n0,1.25,5\n1,2.5,5\n2,3,5\n"), CAROM_OK);
    assert_string_equal(f.result.column[1].name, "y");
    assert_true(f.result.column[1].largest == 0.5 && f.result.column[1].at == 1);
    assert_true(f.result.column[2].largest == 0 && f.result.largest == 0.5);
    carom_comparison_free(&f.result);
}

static void columns_are_matched_by_name(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t,a,b\n0,1,2\n", "b,t,a\n2,0,1.5\n"), CAROM_OK);
    assert_true(f.result.column[0].largest == 0 && f.result.column[2].largest == 0);
    assert_true(f.result.column[1].largest == 0.5);
    carom_comparison_free(&f.result);
}

static void names_may_be_quoted(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t,\"x[1,2]\",\"say \"\"k\"\"\"\n0,1,2\n",
                             "t,\"say \"\"k\"\"\",\"x[1,2]\"\r\n0,3,1\r\n"),
                     CAROM_OK);
    assert_string_equal(f.result.column[1].name, "x[1,2]");
    assert_string_equal(f.result.column[2].name, "say \"k\"");
    assert_true(f.result.column[1].largest == 0 && f.result.column[2].largest == 1);
    carom_comparison_free(&f.result);
}

static void nan_equals_nan_and_inf_equals_inf_but_no_number_does(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t,a,b,c\n0,nan,inf,nan\n", "t,a,b,c\n0,-nan,inf,1\n"), CAROM_OK);
    assert_true(f.result.column[1].largest == 0 && f.result.column[2].largest == 0);
    assert_true(isinf(f.result.column[3].largest) && isinf(f.result.largest));
    carom_comparison_free(&f.result);
}

static void texts_are_the_same_or_different(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t,kind\n0,impact\n1,open\n", "t,kind\n0,impact\n1,close\n"),
                     CAROM_OK);
    assert_true(isinf(f.result.column[1].largest) && f.result.column[1].at == 1);
    carom_comparison_free(&f.result);
}

static void a_signed_zero_is_zero(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t\n0\n", "t\n-0\n"), CAROM_OK);
    assert_true(f.result.largest == 0);
    carom_comparison_free(&f.result);
}

static void different_rows_and_columns_are_bad_input(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "t,a\n0,1\n", "t,a\n0,1\n1,2\n"), CAROM_BAD_INPUT);
    assert_non_null(strstr(f.error.message, "ends after 1 rows"));
    assert_int_equal(compare(&f, "t,a\n0,1\n", "t,b\n0,1\n"), CAROM_BAD_INPUT);
    assert_non_null(strstr(f.error.message, "no column 'a'"));
    assert_int_equal(compare(&f, "t\n0\n", "t,b\n0,1\n"), CAROM_BAD_INPUT);
    assert_null(f.result.column);
}

static void a_broken_row_is_named_by_file_and_line(void **state)
{
    (void)state;
    files f;
    char where[64];
    assert_int_equal(compare(&f, "# head\nt,a\n0,1\n1\n", "t,a\n0,1\n1,2\n"), CAROM_IO);
    snprintf(where, sizeof where, "%s:4:1: ", f.a);
    assert_int_equal(strncmp(f.error.message, where, strlen(where)), 0);
}

static void what_is_not_csv_is_not_read(void **state)
{
    (void)state;
    files f;
    assert_int_equal(compare(&f, "", "t\n0\n"), CAROM_IO);
    assert_int_equal(compare(&f, "# only a comment\n", "t\n0\n"), CAROM_IO);
    put(f.a, "t\n\0\1\2\n", 7);
    assert_int_equal(carom_compare_csv(f.a, f.a, &f.result, &f.error), CAROM_IO);
    unlink(f.a);
    f.error = (carom_error){0};
    assert_int_equal(carom_compare_csv(f.a, f.a, &f.result, &f.error), CAROM_IO);
    assert_non_null(strstr(f.error.message, f.a));
    assert_int_equal(carom_compare_csv("/tmp", "/tmp", &f.result, &f.error), CAROM_IO);
}

static void a_wide_table_and_a_last_line_without_end_are_read(void **state)
{
    (void)state;
    enum { N = 1000 };
    static char text[16 * N];
    size_t used = 0;
    for (int i = 0; i < N; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sc%d", i ? "," : "", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    for (int i = 0; i < N; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i ? "," : "", i);
    files f;
    assert_int_equal(compare(&f, text, text), CAROM_OK);
    assert_int_equal(f.result.n_column, N);
    assert_int_equal(f.result.n_row, 1);
    assert_string_equal(f.result.column[N - 1].name, "c999");
    carom_comparison_free(&f.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_files_have_no_difference),
        cmocka_unit_test(the_largest_difference_and_its_time_are_found),
        cmocka_unit_test(columns_are_matched_by_name),
        cmocka_unit_test(names_may_be_quoted),
        cmocka_unit_test(nan_equals_nan_and_inf_equals_inf_but_no_number_does),
        cmocka_unit_test(texts_are_the_same_or_different),
        cmocka_unit_test(a_signed_zero_is_zero),
        cmocka_unit_test(different_rows_and_columns_are_bad_input),
        cmocka_unit_test(a_broken_row_is_named_by_file_and_line),
        cmocka_unit_test(what_is_not_csv_is_not_read),
        cmocka_unit_test(a_wide_table_and_a_last_line_without_end_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
