// SPDX-License-Identifier: Apache-2.0
// The spelling of column names in CSV files, and both spellings as one name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/files/csv_names.h"

static void every_other_character_becomes_an_underscore(void **state)
{
    (void)state;
    static const char *const row[][2] = {{"x", "x"},
                                         {"der_x", "der_x"},
                                         {"crank.x", "crank_x"},
                                         {"x[3]", "x_3"},
                                         {"gap_c[2,11]", "gap_c_2_11"},
                                         {"slip_c[2]1", "slip_c_2_1"},
                                         {"slip_c[21]", "slip_c_21"},
                                         {"P_\xc3\xa9t\xc3\xa9", "P__t_"},
                                         {"a b-c", "a_b_c"},
                                         {"\xff", "_"},
                                         {"]", ""},
                                         {"", ""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char buffer[40];
        assert_string_equal(carom_csv_name(row[i][0], buffer, sizeof buffer), row[i][1]);
        assert_true(carom_csv_names_match(row[i][0], row[i][1]));
        assert_true(carom_csv_names_match(row[i][1], row[i][0]));
    }
}

static void different_names_do_not_match(void **state)
{
    (void)state;
    assert_false(carom_csv_names_match("x[3]", "x_31"));
    assert_false(carom_csv_names_match("x", "x_"));
    assert_false(carom_csv_names_match("x", "y"));
    assert_false(carom_csv_names_match("slip_c[2]1", "slip_c[21]"));
}

static void a_short_buffer_is_not_overrun(void **state)
{
    (void)state;
    char buffer[8] = "1234567";
    assert_string_equal(carom_csv_name("abcdef", buffer, 4), "abc");
    assert_string_equal(buffer + 4, "567");
    carom_csv_name("abc", buffer, 0);
    assert_string_equal(buffer, "abc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_other_character_becomes_an_underscore),
        cmocka_unit_test(different_names_do_not_match),
        cmocka_unit_test(a_short_buffer_is_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
