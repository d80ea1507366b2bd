// SPDX-License-Identifier: Apache-2.0
// --native and export as a user calls them: the same motion, a word where there is no compiler,
// names that want to be C, and the example of an exported model.
#include "cli/shell.h"

#include <math.h>

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void need_compiler(void)
{
    if (system("${CC:-cc} --version >/dev/null 2>&1") == 0) return;
    print_message("no compiler (CC or cc): compiled models are not tested\n");
    skip();
}

static int start(void **state)
{
    const int failed = shell_start(state);
    const shell *s = *state;
    return failed ? failed : setenv("XDG_CACHE_HOME", s->folder, 1);
}

static void a_compiled_run_writes_the_same_rows(void **state)
{
    shell *s = *state;
    need_compiler();
    assert_int_equal(shell_run(s, "\"$CAROM\" run block.yaml -q -o tape.csv"), 0);
    assert_int_equal(shell_run(s, "\"$CAROM\" run block.yaml -q --native -o native.csv"), 0);
    assert_string_equal(s->err, "");
    assert_int_equal(shell_run(s, "cmp tape.csv native.csv"), 0);
    assert_int_equal(shell_run(s, "sed 's/end: 0.5/end: 0.5, native: true/' block.yaml >n.yaml && "
                                  "CAROM_NATIVE=1 \"$CAROM\" run n.yaml -q -o file.csv && "
                                  "cmp tape.csv file.csv"),
                     0);
    assert_int_equal(shell_run(s, "ls carom/*.so"), 0);
    assert_int_equal(shell_lines(s->out), 1);
}

static void native_in_a_file_is_true_or_false(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "sed 's/end: 0.5/end: 0.5, native: maybe/' ball.yaml >bad.yaml; "
                                  "\"$CAROM\" run bad.yaml"),
                     2);
    assert_non_null(strstr(s->err, "bad.yaml:11:"));
    assert_non_null(strstr(s->err, "native is true or false, not 'maybe'"));
}

// one word for each command, and the run as without
static void without_a_compiler_each_command_says_so_once(void **state)
{
    shell *s = *state;
    static const char *const command[] = {
        "run ball.yaml -q -o without.csv",
        "compare ball.yaml -q --schemes moreau_midpoint,moreau_jean_explicit",
        "converge ball.yaml -q --schemes moreau_midpoint --steps 1e-2,5e-3 --norm end"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shell_run(s, "CC=no-such-compiler \"$CAROM\" %s --native", command[i]), 0);
        assert_int_equal(shell_lines(s->err), 1);
        assert_non_null(strstr(s->err, "--native: there is no compiler 'no-such-compiler'"));
    }
    assert_int_equal(shell_run(s, "\"$CAROM\" run ball.yaml -q -o with.csv && "
                                  "cmp with.csv without.csv"),
                     0);
}

static void a_compiler_that_fails_is_quoted(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "printf '#!/bin/sh\\necho error: out of luck >&2\\nexit 1\\n' "
                                  ">badcc; chmod +x badcc; "
                                  "CC=$PWD/badcc \"$CAROM\" run ball.yaml -q --native"),
                     0);
    assert_non_null(strstr(s->err, "failed: error: out of luck"));
    assert_int_equal(shell_run(s, "ls -d carom/carom-*"), 2); // nothing is left behind
}

static const char hostile[] =
    "carom: 1\n"
    "name: \"*/ int main(void){return 1;} \\\\\\\"; $(touch broken) ?\?/ \\u00e9\"\n"
    "about: \"\\\"\\\\\"\n"
    "coordinates:\n"
    "  x: {start: 1}\n"
    "  main: {start: 1}\n"
    "kinetic: der(x)^2/2 + der(main)^2/2\n"
    "contacts:\n"
    "  - {name: system, gap: x}\n"
    "run: {scheme: moreau_midpoint, step: 1e-2, end: 0.1}\n";

static void names_never_become_code(void **state)
{
    shell *s = *state;
    need_compiler();
    shell_write(s, "hostile.yaml", hostile);
    assert_int_equal(shell_run(s, "\"$CAROM\" export hostile.yaml -o hostile.c"), 0);
    assert_int_equal(shell_run(s, "${CC:-cc} -std=c17 -Wall -Wextra -Werror -c hostile.c"), 0);
    assert_int_equal(shell_run(s, "nm hostile.o | grep -w main"), 1);
    assert_int_equal(shell_run(s, "\"$CAROM\" run hostile.yaml -q --native"), 0);
    assert_false(shell_has(s, "broken"));
    // both compilers where both are there
    assert_int_equal(shell_run(s, "for c in gcc clang; do command -v $c >/dev/null || continue; "
                                  "$c -std=c17 -Wall -Wextra -Werror -c hostile.c || exit 1; done"),
                     0);
}

static void the_example_of_an_exported_model_moves_as_the_model_does(void **state)
{
    shell *s = *state;
    need_compiler();
    assert_int_equal(shell_run(s,
                               "\"$CAROM\" export %s/models/bouncing-ball.yaml "
                               "-o bouncing_ball.c",
                               CAROM_SOURCE_DIR),
                     0);
    assert_int_equal(shell_run(s,
                               "${CC:-cc} -std=c17 -Wall -Wextra -Werror -ffp-contract=off "
                               "%s/examples/export/drop.c bouncing_ball.c -I. -lm -o drop",
                               CAROM_SOURCE_DIR),
                     0);
    assert_int_equal(shell_run(s, "./drop 1e-3 1"), 0);
    double x, u, row[3];
    assert_int_equal(sscanf(s->out, "%*s = %lf, its rate %lf", &x, &u), 2);
    assert_int_equal(shell_run(s,
                               "\"$CAROM\" run %s/models/bouncing-ball.yaml --scheme "
                               "moreau_midpoint --step 1e-3 --end 1 -q -o ball.csv && "
                               "tail -n 1 ball.csv",
                               CAROM_SOURCE_DIR),
                     0);
    assert_int_equal(sscanf(s->out, "%lf,%lf,%lf", row, row + 1, row + 2), 3);
    // the two add up time and velocity in another order: rounding, 1000 times
    assert_true(fabs(row[1] - x) <= 1e-11 && fabs(row[2] - u) <= 1e-11);
}

static void an_exported_model_is_called_from_cpp(void **state)
{
    shell *s = *state;
    if (system("c++ --version >/dev/null 2>&1") != 0) {
        print_message("no C++ compiler (c++): calling exported models from C++ is not tested\n");
        skip();
    }
    shell_write(
        s, "use.cpp",
        "#define ball_DECLARATIONS_ONLY\n#include \"ball.c\"\n#include <cstdio>\n"
        "int main() { double g[ball_n_contact];\n"
        "ball_gaps(0, ball_q0, ball_u0, nullptr, nullptr, g); std::printf(\"%g\", g[0]); }\n");
    assert_int_equal(shell_run(s, "\"$CAROM\" export ball.yaml -o ball.c && "
                                  "${CC:-cc} -std=c17 -Wall -Wextra -Werror -c ball.c && "
                                  "c++ -Wall -Wextra -Werror use.cpp ball.o -lm -o use && ./use"),
                     0);
    assert_string_equal(s->out, "1");
}

// 2^x, 10^x and (1 + x^2)^1.5 have shortcuts in compilers that round otherwise than pow
static const char powers[] = "carom: 1\nname: powers\n"
                             "coordinates: {x: {start: 0.31, rate: 0.7}}\n"
                             "kinetic: der(x)^2/2\n"
                             "potential: 2^x + 10^(x/3) + (1 + x^2)^1.5 + 0.1*(0.3 + x + x^2)\n"
                             "record: {two: 2^(3*x), ten: 10^(1.7*x), half: 0.5^(1.3*x)}\n"
                             "run: {scheme: moreau_midpoint, step: 1e-3, end: 1}\n";

static void every_compiler_gives_the_bits_of_the_tape(void **state)
{
    shell *s = *state;
    shell_write(s, "powers.yaml", powers);
    assert_int_equal(shell_run(s, "\"$CAROM\" run powers.yaml -q -o tape.csv"), 0);
    assert_int_equal(shell_run(s, "for c in gcc clang 'gcc -ffast-math' 'clang -Ofast'; do "
                                  "command -v ${c%%%% *} >/dev/null || continue; "
                                  "CC=$c \"$CAROM\" run powers.yaml -q --native -o native.csv && "
                                  "cmp tape.csv native.csv || exit 1; done"),
                     0);
    assert_string_equal(s->err, "");
}

// compilers need more than linear time for a function, also for one that only stores numbers
static void no_function_of_an_export_is_long(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(s,
                  "\"$CAROM\" export %s/models/column-of-beads.yaml --set n=1300 | "
                  "awk '/^}/ { n = 0 } /^    r\\[/ { all++; if (++n > most) most = n } "
                  "END { print most, all }'",
                  CAROM_SOURCE_DIR),
        0);
    int most = 0, all = 0;
    assert_int_equal(sscanf(s->out, "%d %d", &most, &all), 2);
    assert_true(all > 1300 && most <= 1000);
}

// a device that was replaced by a file would be gone for every program
static void export_writes_links_and_devices_in_place(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "echo old >real.c && ln -s real.c link.c && "
                                  "\"$CAROM\" export ball.yaml -o link.c && "
                                  "test -L link.c && grep -q ball_forces real.c"),
                     0);
    assert_int_equal(shell_run(s, "mkfifo pipe && { cat pipe >got.c & } && "
                                  "\"$CAROM\" export ball.yaml -o pipe && wait && "
                                  "test -p pipe && cmp got.c real.c"),
                     0);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(shell_run(s, "ln -s /dev/full full && "
                                      "\"$CAROM\" export ball.yaml -o full"),
                         1);
        assert_non_null(strstr(s->err, "cannot write 'full': No space left on device"));
    }
    assert_int_equal(shell_run(s, "ls | grep part"), 1);
}

static void export_refuses_to_replace_the_model(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "\"$CAROM\" export ball.yaml -o ball.yaml"), 2);
    assert_int_equal(shell_run(s, "\"$CAROM\" export ball.yaml -o no/such/folder/ball.c"), 2);
    assert_int_equal(shell_run(s, "\"$CAROM\" export ball.yaml | grep -c ball_forces"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compiled_run_writes_the_same_rows),
        cmocka_unit_test(native_in_a_file_is_true_or_false),
        cmocka_unit_test(without_a_compiler_each_command_says_so_once),
        cmocka_unit_test(a_compiler_that_fails_is_quoted),
        cmocka_unit_test(names_never_become_code),
        cmocka_unit_test(the_example_of_an_exported_model_moves_as_the_model_does),
        cmocka_unit_test(an_exported_model_is_called_from_cpp),
        cmocka_unit_test(every_compiler_gives_the_bits_of_the_tape),
        cmocka_unit_test(no_function_of_an_export_is_long),
        cmocka_unit_test(export_writes_links_and_devices_in_place),
        cmocka_unit_test(export_refuses_to_replace_the_model),
    };
    return cmocka_run_group_tests(tests, start, shell_end);
}
