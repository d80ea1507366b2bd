// SPDX-License-Identifier: Apache-2.0
// Impacts that make energy are counted, measured and warned of, by located impacts
// and by time stepping. With G = W M^-1 W' = [1 c; c 1] the energy is u'G^-1 u/2,
// G^-1 = [1 -c; -c 1]/(1 - c^2).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

// c = 0.8, u- = (-1, -0.8) in (normal, tangent), u+ = (e, 0): P = (1.26, -0.72)/0.36 is in the cone
static const char rough[] = "carom: 1\n"
                            "name: rough\n"
                            "parameters: {e: 0.9}\n"
                            "coordinates:\n"
                            "  x: {start: 0, rate: -0.8}\n"
                            "  y: {start: 1, rate: -1}\n"
                            "kinetic: (der(x)^2 - 1.6*der(x)*der(y) + der(y)^2)/0.72\n"
                            "contacts:\n"
                            "  - {name: floor, gap: y, slip: x, restitution: e, friction: 0.6}\n"
                            "run: {scheme: event_driven, tolerance: 1e-9, end: 2}\n";

// c = -0.8, u- = (-1, 0.5): the second contact is leaving and is pulled to rest, u+ = (e, 0)
static const char two[] = "carom: 1\n"
                          "name: two\n"
                          "parameters: {e: 1}\n"
                          "coordinates:\n"
                          "  x: {start: 0, rate: -1}\n"
                          "  y: {start: 0, rate: 0.5}\n"
                          "kinetic: (der(x)^2 + 1.6*der(x)*der(y) + der(y)^2)/0.72\n"
                          "contacts:\n"
                          "  - {name: first, gap: x, restitution: e}\n"
                          "  - {name: second, gap: y, restitution: 0}\n"
                          "run: {scheme: event_driven, tolerance: 1e-9, end: 2}\n";

static void check(shell *s, const char *arguments, int rises, double rise)
{
    assert_int_equal(shell_run(s, "$CAROM run %s --json -", arguments), 0);
    assert_int_equal((int)json_double(s->out, "counts.energy_rises"), rises);
    // the impact is solved to 1e-12 or so, relative
    assert_true(fabs(json_double(s->out, "audit.largest_rise") - rise) <= 1e-9);
    assert_true((strstr(s->err, "impacts made energy") != NULL) == (rises > 0));
    const double gained =
        json_double(s->out, "audit.energy_end") - json_double(s->out, "audit.energy_start");
    assert_true(rises == 0 ? gained < 0 : fabs(gained - rise) <= 1e-9);
}

static void friction_may_make_energy_and_the_audit_says_so(void **state)
{
    shell *s = *state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity",
                                         "nonsmooth_gen_alpha", "variational"};
    const double rise = 0.5 * (0.81 - 0.36) / 0.36;
    char line[160];
    shell_write(s, "rough.yaml", rough);
    check(s, "rough.yaml", 1, rise);
    check(s, "rough.yaml --set e=0.5", 0, 0);
    for (int i = 0; i < 5; i++) {
        snprintf(line, sizeof line, "rough.yaml --scheme %s --step 1e-2", scheme[i]);
        check(s, line, 1, rise);
    }
}

static void contacts_that_collide_at_once_may_make_energy(void **state)
{
    shell *s = *state;
    shell_write(s, "two.yaml", two);
    check(s, "two.yaml", 1, 0.5 * (1 - 0.45) / 0.36);
    check(s, "two.yaml --set e=0.2", 0, 0);
}

static void the_summary_shows_rises_only_where_there_are_any(void **state)
{
    shell *s = *state;
    shell_write(s, "rough.yaml", rough);
    assert_int_equal(shell_run(s, "$CAROM run rough.yaml"), 0);
    assert_non_null(strstr(s->out, "rises        at 1 impacts, the largest 0.625 J"));
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml"), 0);
    assert_null(strstr(s->out, "rises"));
}

// what a rise was does not get lost on the way
static void a_restart_remembers_rises(void **state)
{
    shell *s = *state;
    shell_write(s, "rough.yaml", rough);
    assert_int_equal(shell_run(s, "$CAROM run rough.yaml --end 1.5 -q --checkpoint c.bin"), 0);
    check(s, "rough.yaml --restart c.bin", 1, 0.625);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_may_make_energy_and_the_audit_says_so),
        cmocka_unit_test(contacts_that_collide_at_once_may_make_energy),
        cmocka_unit_test(the_summary_shows_rises_only_where_there_are_any),
        cmocka_unit_test(a_restart_remembers_rises),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
