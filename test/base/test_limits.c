// SPDX-License-Identifier: Apache-2.0
// Limits by name, and texts that cannot steer a terminal.
#include "base/limits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_limit_is_set_by_its_name_and_no_other(void **state)
{
    (void)state;
    for (int i = 0; i < carom_limit_count(); i++) {
        const carom_limits before = carom_limits_default();
        carom_limits after = before;
        const carom_limit_facts facts = carom_limit_at(i);
        assert_true(facts.fallback > 0 && facts.about[0]);
        assert_int_equal(carom_limits_set(&after, facts.name, "12.5", NULL), CAROM_OK);
        double was[32], is[32];
        const size_t n = sizeof before / sizeof(double);
        assert_int_equal((int)n, carom_limit_count());
        memcpy(was, &before, sizeof before);
        memcpy(is, &after, sizeof after);
        int changed = 0;
        for (size_t k = 0; k < n; k++) {
            if (was[k] == is[k]) continue;
            assert_true(is[k] == 12.5 && was[k] == facts.fallback);
            changed++;
        }
        assert_int_equal(changed, 1);
    }
}

static void limits_are_numbers_or_none(void **state)
{
    (void)state;
    carom_limits limits = carom_limits_default();
    assert_int_equal(carom_limits_set(&limits, "nodes", "none", NULL), CAROM_OK);
    assert_true(isinf(limits.nodes) && limits.nodes > 0);
    assert_int_equal(carom_limits_set(&limits, "nodes", "0", NULL), CAROM_OK);
    assert_true(limits.nodes == 0);
    static const char *const wrong[] = {"", "-1", "many", "nan", "1e3x", "-inf"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        carom_error error = {0};
        assert_int_equal(carom_limits_set(&limits, "nodes", wrong[i], &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "limit nodes: must be a number from 0, or none"));
        assert_true(limits.nodes == 0);
    }
    carom_error error = {0};
    assert_int_equal(carom_limits_set(&limits, "node", "1", &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "there is no limit 'node' (did you mean 'nodes'?)"));
    assert_non_null(strstr(error.message, "compile_seconds"));
}

static void a_deadline_comes(void **state)
{
    (void)state;
    assert_false(carom_deadline_is_past(carom_deadline_in(1000)));
    assert_false(carom_deadline_is_past(carom_deadline_in(INFINITY)));
    assert_true(carom_deadline_is_past(carom_deadline_in(-1)));
}

static void plain_texts_have_no_controls(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"plain text, \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
         "plain text, \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\033[31mred\033]0;title\a", " [31mred ]0;title "},
        {"a\r\nb\tc\177", "a  b c "},
        {"\xc2\x9b"
         "31m \xc2\x85",
         " 31m  "}, // C1: CSI, next line
        {"\x9b"
         "31m \xff",
         "?31m ?"}, // no UTF-8, a control in other terminals
        {"a\xe2\x80\xae"
         "b\xe2\x81\xa6"
         "c\xe2\x80\x8f",
         "a b c "},                                    // turns of direction
        {"\xe2\x80\xa8x\xe2\x80\xa9\xd8\x9c", " x  "}, // line, paragraph, letter mark
        {"cut \xe2\x82", "cut ??"},                    // a character cut off
        {"", ""},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        char text[64];
        strcpy(text, pair[i][0]);
        assert_string_equal(carom_text_plain(text), pair[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_set_by_its_name_and_no_other),
        cmocka_unit_test(limits_are_numbers_or_none),
        cmocka_unit_test(a_deadline_comes),
        cmocka_unit_test(plain_texts_have_no_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
