// SPDX-License-Identifier: Apache-2.0
// Names that are nearly right, and numbers as text.
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *nearest(const char *wanted, const char *const *name, int n)
{
    carom_nearest best = carom_nearest_to(wanted);
    for (int i = 0; i < n; i++) carom_nearest_try(&best, name[i]);
    return carom_nearest_name(&best);
}

static void slip_of_the_finger_is_recognised(void **state)
{
    (void)state;
    static const char *const name[] = {"th1", "th2", "friction", "moreau_midpoint",
                                       "schatzman_paoli"};
    assert_string_equal(nearest("tht1", name, 5), "th1");          // one letter too many
    assert_string_equal(nearest("fricton", name, 5), "friction");  // one missing
    assert_string_equal(nearest("frictoin", name, 5), "friction"); // two swapped
    assert_string_equal(nearest("moreau_mitpoint", name, 5), "moreau_midpoint"); // one wrong
    assert_string_equal(nearest("Friction", name, 5), "friction");               // capital letter
    assert_string_equal(nearest("shatzman_paolli", name, 5), "schatzman_paoli");
}

static void something_else_is_not_guessed(void **state)
{
    (void)state;
    static const char *const name[] = {"th1", "friction"};
    assert_null(nearest("gravity", name, 2));
    assert_null(nearest("x", name, 2));
    assert_null(nearest("", name, 2));
    assert_null(nearest("friction", name, 0));
    char lengthy[200];
    memset(lengthy, 'f', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = 0;
    assert_null(nearest(lengthy, name, 2));
}

static void hint_is_a_phrase_or_nothing(void **state)
{
    (void)state;
    char buffer[64];
    carom_nearest best = carom_nearest_to("th11");
    assert_string_equal(carom_nearest_hint(&best, buffer, sizeof buffer), "");
    carom_nearest_try(&best, "th1");
    assert_string_equal(carom_nearest_hint(&best, buffer, sizeof buffer), " (did you mean 'th1'?)");
}

static void plain_decimal_numbers_are_read_whole(void **state)
{
    (void)state;
    double x = 0;
    assert_true(carom_text_number(" -1.5e-3 ", &x) && x == -1.5e-3);
    assert_true(carom_text_number("+.5", &x) && x == 0.5);
    assert_true(carom_text_number("7", &x) && x == 7);
    static const char *const wrong[] = {"",     " ",   "1 2", "1m", "0x10", "nan", "inf",
                                        "-inf", "--1", "e5",  "1e", ".",    "1,5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        x = 42;
        assert_false(carom_text_number(wrong[i], &x));
        assert_true(x == 42);
    }
}

static void number_text_reads_back_the_same_bits(void **state)
{
    (void)state;
    char buffer[32];
    assert_string_equal(carom_number_text(0.1, buffer, sizeof buffer), "0.1");
    assert_string_equal(carom_number_text(-2, buffer, sizeof buffer), "-2");
    uint64_t seed = 6;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double x = ldexp((double)(seed >> 11), (int)(seed % 600) - 350);
        assert_true(strtod(carom_number_text(x, buffer, sizeof buffer), NULL) == x);
    }
}

// the program around the library may speak German
static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    double x = 0;
    char buffer[32], folder[] = "/tmp/carom-locale-XXXXXX", line[128], *end;
    assert_non_null(mkdtemp(folder));
    snprintf(line, sizeof line, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", folder);
    const bool is_made = system(line) == 0;
    setenv("LOCPATH", folder, 1);
    const bool is_german = is_made && setlocale(LC_NUMERIC, "de_DE.UTF-8");
    snprintf(line, sizeof line, "rm -r %s", folder);
    const int removed = system(line);
    if (!is_german) {
        print_message("no German locale (apt-get install locales): decimal commas not tested\n");
        skip();
    }
    snprintf(buffer, sizeof buffer, "%.1f", 0.5);
    const bool has_comma = strcmp(buffer, "0,5") == 0;
    const bool is_read = carom_text_number(" -1.25e-3 ", &x) && x == -1.25e-3;
    const bool is_comma_read = carom_text_number("1,5", &x);
    carom_number_text(1e-320 + 0.1, buffer, sizeof buffer);
    const double two = carom_text_strtod("2.5,3.5", &end);
    setlocale(LC_NUMERIC, "C");
    assert_int_equal(removed, 0);
    assert_true(has_comma && is_read && !is_comma_read && two == 2.5 && *end == ',');
    assert_string_equal(buffer, "0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_of_the_finger_is_recognised),
        cmocka_unit_test(something_else_is_not_guessed),
        cmocka_unit_test(hint_is_a_phrase_or_nothing),
        cmocka_unit_test(plain_decimal_numbers_are_read_whole),
        cmocka_unit_test(number_text_reads_back_the_same_bits),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
