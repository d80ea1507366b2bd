// SPDX-License-Identifier: Apache-2.0
// label: slow
// carom converge gives Tables 2 and 3 of Schindler et al., Half-explicit timestepping schemes on
// velocity level, 2015, as a correct implementation obtains them (two digits).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

// the value of a member of run k
static double value(const shell *s, int k, const char *member)
{
    const char *at = strstr(s->out, "\"runs\"");
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", member);
    for (int i = 0; at && i <= k; i++) at = strstr(at + 1, "\"scheme\":");
    at = at ? strstr(at, key) : NULL;
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

static void expect(const shell *s, int k, double published)
{
    const double error = value(s, k, "error");
    // two digits
    if (!(fabs(error - published) <= 0.005 * published + 0.5e-4 * (published > 0.01)))
        fail_msg("run %d: error %g, published %g", k, error, published);
}

static void table_3_of_the_half_explicit_schemes_is_reproduced(void **state)
{
    static const double published[] = {.472, .0175, .00330, .794, .153, .0453};
    shell *s = *state;
    shell_run(s,
              "$CAROM converge %s/models/slider-crank.yaml --schemes "
              "tdg_velocity,moreau_jean_explicit --steps 1e-3,1e-4,1e-5 --reference "
              "tdg_velocity:1e-7 --norm table --end 0.1 --set e=0.4 --set mu=0.01 --json -",
              CAROM_SOURCE_DIR);
    assert_int_equal(s->code, 0);
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "norm", "table"));
    assert_true(json_says(s->out, "reference", "tdg_velocity:1e-07"));
    for (int k = 0; k < 6; k++) expect(s, k, published[k]);
}

static void orders_are_1_and_2_without_play(void **state)
{
    shell *s = *state;
    shell_run(s,
              "$CAROM converge %s/models/slider-crank-bilateral.yaml --schemes "
              "moreau_jean_explicit,tdg_velocity --steps 1e-4,1e-5 --reference tdg_velocity:1e-7 "
              "--norm table --end 0.1 --json -",
              CAROM_SOURCE_DIR);
    assert_int_equal(s->code, 0);
    expect(s, 0, .128);
    expect(s, 2, .0263);
    assert_true(fabs(value(s, 1, "order") - 1) < 0.1);
    assert_true(fabs(value(s, 3, "order") - 2) < 0.1);
    shell_run(s,
              "$CAROM converge %s/models/slider-crank.yaml --set c=0 --set mu=0 --schemes "
              "moreau_jean_explicit,tdg_velocity --steps 1e-4 --reference tdg_velocity:1e-7 "
              "--norm table --end 0.1 --json -",
              CAROM_SOURCE_DIR);
    expect(s, 0, .212);
    expect(s, 1, .0259);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_3_of_the_half_explicit_schemes_is_reproduced),
        cmocka_unit_test(orders_are_1_and_2_without_play),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
