// SPDX-License-Identifier: Apache-2.0
// Option rows: defaults, settings, and messages that say what is allowed.
#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const carom_option rows[] = {
    {"theta", CAROM_REAL, 0.5, 0, 1, NULL, "weight of the step's end"},
    {"iterations", CAROM_INTEGER, 30, 1, 1000, NULL, "at most"},
    {"warm_start", CAROM_SWITCH, 1, 0, 0, NULL, "start from the last impulses"},
    {"guess", CAROM_CHOICE, 1, 0, 0, "zero|full|last", "first guess"},
    {0},
};

static carom_setting setting(const char *name, const char *value)
{
    return (carom_setting){{name, {"m.yaml", 3, 5}}, {value, {"m.yaml", 3, 12}}};
}

static carom_status set(const char *name, const char *text, double *value, carom_error *error)
{
    const carom_setting given = setting(name, text);
    *error = (carom_error){0};
    return carom_options_set(rows, "scheme moreau_jean", &given, value, error);
}

static void defaults_come_from_the_rows(void **state)
{
    (void)state;
    double value[4];
    assert_int_equal(carom_options_count(rows), 4);
    assert_int_equal(carom_options_count(NULL), 0);
    carom_options_default(rows, value);
    assert_true(value[0] == 0.5 && value[1] == 30 && value[2] == 1 && value[3] == 1);
}

static void settings_reach_their_own_value_only(void **state)
{
    (void)state;
    double value[4] = {-1, -1, -1, -1};
    carom_error error;
    assert_int_equal(set("theta", "0.75", value, &error), CAROM_OK);
    assert_true(value[0] == 0.75 && value[1] == -1);
    assert_int_equal(set("theta", "1", value, &error), CAROM_OK);
    assert_int_equal(set("iterations", "1e3", value, &error), CAROM_OK);
    assert_true(value[0] == 1 && value[1] == 1000);
    assert_int_equal(set("warm_start", "off", value, &error), CAROM_OK);
    assert_true(value[2] == 0);
    assert_int_equal(set("warm_start", "true", value, &error), CAROM_OK);
    assert_true(value[2] == 1);
    assert_int_equal(set("guess", "last", value, &error), CAROM_OK);
    assert_true(value[3] == 2);
    assert_int_equal(set("guess", "zero", value, &error), CAROM_OK);
    assert_true(value[3] == 0);
}

static void wrong_settings_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"theta", "1.01"}, {"theta", "-0.1"},      {"theta", "much"},       {"theta", "nan"},
        {"theta", ""},     {"iterations", "0"},    {"iterations", "2.5"},   {"guess", "half"},
        {"guess", "zer"},  {"guess", "zero|full"}, {"warm_start", "maybe"}, {"warm_start", "TRUEE"},
        {"guess", ""},     {"theta", "inf"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value[4] = {7, 7, 7, 7};
        carom_error error;
        assert_int_equal(set(wrong[i][0], wrong[i][1], value, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "m.yaml:3:12: scheme moreau_jean: option"));
        for (int k = 0; k < 4; k++) assert_true(value[k] == 7);
    }
}

static void unknown_option_gets_a_suggestion_and_the_list(void **state)
{
    (void)state;
    double value[4];
    carom_error error;
    assert_int_equal(set("tehta", "1", value, &error), CAROM_BAD_INPUT);
    assert_string_equal(
        error.message,
        "m.yaml:3:5: scheme moreau_jean has no option 'tehta' (did you mean 'theta'?); "
        "it has: theta, iterations, warm_start, guess");
    const carom_setting given = setting("theta", "1");
    error = (carom_error){0};
    assert_int_equal(carom_options_set(NULL, "solver lemke", &given, value, &error),
                     CAROM_BAD_INPUT);
    assert_string_equal(error.message,
                        "m.yaml:3:5: solver lemke has no option 'theta'; it has: none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_come_from_the_rows),
        cmocka_unit_test(settings_reach_their_own_value_only),
        cmocka_unit_test(wrong_settings_are_refused_and_change_nothing),
        cmocka_unit_test(unknown_option_gets_a_suggestion_and_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
