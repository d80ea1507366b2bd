// SPDX-License-Identifier: Apache-2.0
// carom run, by its contract: exit codes, JSON, CSV, --set, --start, --option, --every, checkpoint
// and restart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

static void json_on_stdout_has_all_members_of_the_contract(void **state)
{
    static const char *const member[] = {"model",
                                         "scheme",
                                         "solver",
                                         "version",
                                         "status",
                                         "t",
                                         "q.y",
                                         "u.y",
                                         "gaps.floor",
                                         "energy",
                                         "kinetic",
                                         "potential",
                                         "audit",
                                         "counts",
                                         "time",
                                         "audit.min_gap",
                                         "audit.max_drift",
                                         "audit.residual",
                                         "audit.cone_violation",
                                         "audit.energy_start",
                                         "audit.energy_end",
                                         "audit.work",
                                         "audit.impact_loss",
                                         "audit.friction_loss",
                                         "audit.energy_error",
                                         "counts.steps",
                                         "counts.impact_steps",
                                         "counts.contact_steps",
                                         "counts.events",
                                         "counts.unconverged",
                                         "counts.solver_iterations",
                                         "counts.rejected",
                                         "counts.ambiguous",
                                         "time.setup",
                                         "time.stepping",
                                         "time.output"};
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --json -"), 0);
    assert_true(json_is_valid(s->out));
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++)
        assert_non_null(json_find(s->out, member[i]));
    assert_true(json_says(s->out, "model", "ball"));
    assert_true(json_says(s->out, "scheme", "moreau_midpoint"));
    assert_true(json_says(s->out, "solver", "auto"));
    assert_true(json_says(s->out, "status", "done"));
    assert_true(!s->err[0]);
}

static void free_fall_is_exact_and_ends_at_the_end(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --end 0.3 --step 0.1/100 --json -"), 0);
    // the midpoint rule is exact for constant forces, up to rounding of 300 steps
    assert_true(json_double(s->out, "t") == 0.3);
    assert_int_equal((int)json_double(s->out, "counts.steps"), 300);
    assert_true(fabs(json_double(s->out, "u.y") + 9.81 * 0.3) < 300 * 3e-16 * 3);
    assert_true(fabs(json_double(s->out, "q.y") - (1 - 9.81 * 0.3 * 0.3 / 2)) < 300 * 3e-16);
    assert_true(json_double(s->out, "gaps.floor") == json_double(s->out, "q.y"));
    assert_true(fabs(json_double(s->out, "energy") - json_double(s->out, "kinetic") -
                     json_double(s->out, "potential")) < 1e-14);
}

// a weight on a rod and one on the floor: what carries them is in the result, by name
static void forces_at_the_end_are_in_the_result(void **state)
{
    shell *s = *state;
    shell_write(s, "carried.yaml",
                "carom: 1\ncoordinates: {x: {start: 0}, y: {start: 0}}\n"
                "kinetic: der(x)^2 + der(y)^2/2\npotential: 20*x + 10*y\n"
                "constraints: [{name: rod, equation: x}]\ncontacts: [{name: floor, gap: y}]\n");
    assert_int_equal(
        shell_run(s,
                  "$CAROM run carried.yaml --step 0.01 --end 0.1 --json - --scheme tdg_velocity"),
        0);
    assert_true(fabs(json_double(s->out, "la.rod") - 20) < 1e-12);
    assert_true(fabs(json_double(s->out, "la.floor") - 10) < 1e-12);
    assert_int_equal(
        shell_run(
            s, "$CAROM run carried.yaml --step 0.01 --end 0.1 --json - --scheme moreau_midpoint"),
        0);
    assert_true(fabs(json_double(s->out, "P.rod") - 0.2) < 1e-12);
    assert_true(fabs(json_double(s->out, "P.floor") - 0.1) < 1e-12);
}

// an arm in space that a motor turns once: more positions than velocities; what the motor gives
// while the arm falls it takes back while it rises, and the turn is counted
static void a_motor_in_space_has_its_work_in_the_audit(void **state)
{
    static const char *const line[] = {
        "$CAROM run driven.yaml --step 1e-3 --json - --scheme hem5",
        "$CAROM run driven.yaml --step 1e-3 --json - --scheme phem56",
        "$CAROM run driven.yaml --step 1e-3 --json - --scheme rkf45",
        "$CAROM run driven.yaml --step 1e-3 --json - --scheme event_driven",
    };
    shell *s = *state;
    shell_write(s, "driven.yaml",
                "carom: 1\ngravity: [0, 0, -10]\n"
                "bodies: {arm: {mass: 1, inertia: [0.1, 0.2, 0.25, 0.01, 0.02, 0.03],\n"
                "  at: [2, 0, 0], spin: [0, 1, 0], velocity: [0, 0, -2]}}\n"
                "joints: {pin: {revolute: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
                "motors: {drive: {on: pin, angle: t}}\nrun: {end: 2*pi}\n");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(shell_run(s, "%s", line[i]), 0);
        assert_true(fabs(json_double(s->out, "audit.work")) < 1e-9);
        assert_true(fabs(json_double(s->out, "audit.energy_error")) < 1e-9);
    }
}

static void set_and_start_change_the_run(void **state)
{
    shell *s = *state;
    shell_run(s, "$CAROM run ball.yaml --end 0.1 --set height=3*m --set=gravity=0 --json -");
    assert_true(json_double(s->out, "q.y") == 3);
    shell_run(s, "$CAROM run ball.yaml --end 1 --step 1/8 --set gravity=0 --start y=2*height "
                 "--start 'der(y)=1' --json -");
    assert_true(json_double(s->out, "q.y") == 3);
    assert_true(json_double(s->out, "u.y") == 1);
}

static void the_ball_loses_what_its_restitution_says(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --set e=0.5 --json -"), 0);
    // one impact; a drop from 1 m: m g h (1 - e^2) is lost, to first order in the step
    const double lost = json_double(s->out, "audit.impact_loss");
    assert_true(fabs(lost - 9.81 * 0.75) < 9.81 * 4.43 * 1e-3);
    assert_int_equal((int)json_double(s->out, "counts.impact_steps"), 1);
    assert_true(fabs(json_double(s->out, "audit.energy_error")) < 1e-12);
}

static void a_json_file_appears_whole_and_alone(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "mkdir -p j && $CAROM run ball.yaml -q --json j/r.json && ls j"),
                     0);
    assert_string_equal(s->out, "r.json\n");
    static char text[SHELL_ROOM];
    shell_read(s, "j/r.json", text);
    assert_true(json_is_valid(text));
}

static void any_name_gives_valid_json(void **state)
{
    shell *s = *state;
    shell_run(s, "sed 's/^name: .*/name: \"a \\\\\"b\\\\\" \\\\\\\\ \\\\t é\"/' ball.yaml "
                 ">odd.yaml; grep name: odd.yaml");
    assert_string_equal(strtok(s->out, "\n"), "name: \"a \\\"b\\\" \\\\ \\t é\"");
    assert_int_equal(shell_run(s, "$CAROM run odd.yaml --json -"), 0);
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "model", "a \\\"b\\\" \\\\ \\u0009 é"));
}

static void csv_has_named_columns_and_a_row_for_each_step(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q -o b.csv && head -n 1 b.csv"), 0);
    assert_string_equal(s->out, "t,y,der_y,kinetic,potential,energy,gap_floor,rate_floor,P_floor,"
                                "la_floor\n");
    shell_run(s, "wc -l <b.csv");
    assert_int_equal(atoi(s->out), 1 + 501);
    shell_run(s, "grep -c '\"scheme\": \"moreau_midpoint\"' b.csv.json");
    assert_int_equal(atoi(s->out), 1);
}

static void every_n_sums_the_impulses(void **state)
{
    static const char sum[] =
        "awk -F, '$1!=\"t\" {s+=$9; n++} END {printf \"%d %.12f\\n\", n, s}' ";
    shell *s = *state;
    shell_run(s, "$CAROM run ball.yaml -q -o all.csv && %s all.csv", sum);
    int n_all = 0, n_few = 0;
    double all = 0, few = -1;
    assert_int_equal(sscanf(s->out, "%d %lf", &n_all, &all), 2);
    shell_run(s, "$CAROM run ball.yaml -q --every 50 -o few.csv && %s few.csv", sum);
    assert_int_equal(sscanf(s->out, "%d %lf", &n_few, &few), 2);
    assert_int_equal(n_all, 501);
    assert_int_equal(n_few, 11);
    assert_true(all > 1 && fabs(all - few) < 1e-11);
}

static void events_are_logged(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --events e.csv && cat e.csv"), 0);
    assert_int_equal(strncmp(s->out, "t,contact,kind,rate_before,rate_after,P,energy_lost\n", 52),
                     0);
    assert_non_null(strstr(s->out, ",floor,impact,"));
}

static void hdf5_is_written(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q -o b.h5 && head -c 8 b.h5"), 0);
    assert_int_equal(memcmp(s->out, "\x89HDF\r\n\x1a\n", 8), 0);
}

static void a_broken_limit_is_exit_1_and_says_so(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(s,
                  "$CAROM run ball.yaml --max-penetration 1e-12 --max-energy-error 1e-6 --json -"),
        1);
    assert_true(json_says(s->out, "status", "limits"));
    assert_non_null(strstr(s->err, "--max-penetration"));
    assert_null(strstr(s->err, "--max-energy-error"));
    assert_int_equal(shell_lines(s->err), 1);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --max-penetration 1"), 0);
}

static void deep_penetration_at_the_start_is_an_error_unless_it_is_allowed(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --start y=-0.1"), 2);
    assert_non_null(strstr(s->err, "contact 'floor' starts 0.1 m deep"));
    assert_non_null(strstr(s->err, "--allow-penetration"));
    assert_int_equal(shell_lines(s->err), 1);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --start y=-0.1 --allow-penetration"), 0);
    assert_int_equal(strncmp(s->err, "warning: ", 9), 0);
    assert_non_null(strstr(s->err, "0.1"));
    assert_int_equal(shell_run(s, "sed 's/^run: {/run: {allow_penetration: yes, /' ball.yaml "
                                  ">deep.yaml; $CAROM run deep.yaml -q --start y=-0.1"),
                     0);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --start y=-0.1 --max-penetration 0.2"),
                     0);
    // what one step moves is not deep
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --start y=-1e-9"), 0);
    assert_int_equal(strncmp(s->err, "warning: ", 9), 0);
}

// a column of 100 touching beads has gaps of some 1e-16 m: no word; deep ones are named, not all
static void rounding_at_a_touching_start_is_no_warning(void **state)
{
    shell *s = *state;
    const char *column = "$CAROM run %s/models/column-of-beads.yaml --set n=100 --set height=0.1 "
                         "--set pitch=%s --end 1e-3 -q";
    char command[512];
    snprintf(command, sizeof command, column, CAROM_SOURCE_DIR, "0.2");
    assert_int_equal(shell_run(s, "%s", command), 0);
    assert_string_equal(s->err, "");
    snprintf(command, sizeof command, column, CAROM_SOURCE_DIR, "0.199");
    assert_int_equal(shell_run(s, "%s", command), 0);
    assert_int_equal(shell_lines(s->err), 5);
    assert_non_null(strstr(s->err, "95 more contacts penetrate"));
}

static void unconverged_steps_are_exit_1_and_counted(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s,
                               "$CAROM run %s/models/slider-crank.yaml --end 0.2 "
                               "--step 1e-4 --solver nsgs --option solver.iterations=1 --json -",
                               CAROM_SOURCE_DIR),
                     1);
    assert_true(json_says(s->out, "status", "unconverged"));
    assert_true(json_double(s->out, "counts.unconverged") > 0);
    assert_non_null(strstr(s->err, "did not converge"));
}

static void a_run_away_keeps_what_it_recorded(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run runaway.yaml -o away.csv --json -"), 1);
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "status", "stopped"));
    assert_non_null(strstr(s->err, "t = "));
    assert_true(json_double(s->out, "q.x") > 1);
    shell_run(s, "grep -c '^[0-9]' away.csv; grep -c '\"cut_off\": .*failed' away.csv.json");
    int rows = 0, marks = 0;
    assert_int_equal(sscanf(s->out, "%d %d", &rows, &marks), 2);
    assert_true(rows >= 2 && marks == 1);
}

static void a_restart_continues_bit_for_bit(void **state)
{
    shell *s = *state;
    shell_run(s,
              "$CAROM run block.yaml --step 1e-3 --end 1 -q --json whole.json &&"
              "$CAROM run block.yaml --step 1e-3 --end 0.2 -q --checkpoint c.state &&"
              "$CAROM run block.yaml --step 1e-3 --end 1 -q --restart c.state --json parts.json &&"
              "sed '/\"time\"/,$d' whole.json >w && sed '/\"time\"/,$d' parts.json >p && cmp w p");
    assert_string_equal(s->err, "");
    assert_int_equal(s->code, 0);
}

static void a_restart_with_other_numbers_is_refused(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --end 0.5 --checkpoint numbers.ck"), 0);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --end 1 --restart numbers.ck"), 0);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --restart numbers.ck --set e=0.123"), 2);
    assert_non_null(strstr(s->err, "parameters"));
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --restart numbers.ck --start y=2"), 2);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run block.yaml -q -o one.csv && $CAROM run block.yaml -q "
                                  "-o two.csv && cmp one.csv two.csv"),
                     0);
}

static void threads_change_no_byte(void **state)
{
    shell *s = *state;
    shell_write(s, "pile.yaml",
                "carom: 1\ngravity: [0, 0, -9.81]\nparameters: {n: 5}\nbodies:\n"
                "  ball[i,j,k]:\n    for: {i: 1..n, j: 1..n, k: 1..n}\n    density: 2500\n"
                "    at: [\"0.023*i + 1e-3*sin(12.9*i + 78.2*j + 37.7*k)\",\n"
                "         \"0.023*j + 1e-3*sin(39.3*i + 11.1*j + 83.1*k)\", \"0.0205*k\"]\n"
                "    shape: {sphere: [0, 0, 0], radius: 0.01}\n"
                "  ground: {shape: {plane: [0, 0, 0.01], normal: [0, 0, 1]}}\n"
                "materials: [{between: [default, default], friction: 0.3}]\n"
                "run: {step: 2e-3, end: 0.05}\n"
                "record: {top: \"ball[n,n,n].z\"}\n");
    for (int n = 1; n <= 3; n++)
        assert_int_equal(shell_run(s,
                                   "$CAROM run pile.yaml --threads %d -o %d.csv --events %d.events"
                                   ".csv --option solver.tolerance=1e-3 --json %d.json",
                                   n, n, n, n),
                         0);
    assert_int_equal(shell_run(s, "cmp 1.csv 2.csv && cmp 1.csv 3.csv && cmp 1.events.csv "
                                  "2.events.csv && cmp 1.events.csv 3.events.csv"),
                     0);
    assert_int_equal(shell_run(s, "grep '\"status\": \"held\"' 3.json && "
                                  "grep '\"residual_goal\": 0.001' 3.json"),
                     0);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --threads 0"), 2);
    assert_non_null(strstr(s->err, "--threads"));
}

static void options_of_the_file_follow_its_scheme(void **state)
{
    shell *s = *state;
    // theta belongs to the file's moreau_jean; moreau_midpoint has no such option
    assert_int_equal(shell_run(s, "$CAROM run block.yaml -q --scheme moreau_midpoint"), 0);
    assert_int_equal(shell_run(s, "$CAROM run block.yaml -q --option theta=1"), 0);
    assert_int_equal(
        shell_run(s, "$CAROM run block.yaml -q --scheme moreau_midpoint --option theta=1"), 2);
}

static void a_summary_shows_the_audit_unless_quiet(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run block.yaml -o sum.csv"), 0);
    assert_non_null(strstr(s->out, "moreau_jean"));
    assert_non_null(strstr(s->out, "smallest gap"));
    assert_non_null(strstr(s->out, "sum.csv"));
    assert_null(strchr(s->out, '\033'));
    assert_string_equal(s->err, "");
    assert_int_equal(shell_run(s, "$CAROM run block.yaml -q"), 0);
    assert_string_equal(s->out, "");
}

static void a_signal_stops_in_good_order_and_the_run_goes_on(void **state)
{
    shell *s = *state;
    // far longer than the test: it must be the signal that ends it
    shell_run(s,
              "$CAROM run ball.yaml --step 1e-6 --end 1e5 --every 100000 -o sig.csv --checkpoint "
              "sig.state --json sig.json & pid=$!; sleep 0.5; kill -TERM $pid; wait $pid");
    assert_int_equal(s->code, 1);
    assert_non_null(strstr(s->err, "continue with --restart sig.state"));
    assert_true(shell_has(s, "sig.state") && shell_has(s, "sig.csv"));
    static char text[SHELL_ROOM];
    shell_read(s, "sig.json", text);
    assert_true(json_says(text, "status", "stopped"));
    const double t = json_double(text, "t");
    assert_true(t > 0);
    assert_int_equal(
        shell_run(
            s, "$CAROM run ball.yaml --step 1e-6 --end %.17g+1e-3 --restart sig.state --json -", t),
        0);
    assert_true(json_double(s->out, "counts.steps") > json_double(text, "counts.steps"));
}

static void a_full_disk_is_exit_1_and_says_so(void **state)
{
    shell *s = *state;
    // a limit on the size of files stands for a disk that is full
    shell_run(s, "trap '' XFSZ; ulimit -f 16; $CAROM run ball.yaml --json - -o full.csv");
    assert_int_equal(s->code, 1);
    assert_true(json_says(s->out, "status", "stopped"));
    assert_non_null(strstr(s->err, "full.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_on_stdout_has_all_members_of_the_contract),
        cmocka_unit_test(free_fall_is_exact_and_ends_at_the_end),
        cmocka_unit_test(forces_at_the_end_are_in_the_result),
        cmocka_unit_test(a_motor_in_space_has_its_work_in_the_audit),
        cmocka_unit_test(set_and_start_change_the_run),
        cmocka_unit_test(the_ball_loses_what_its_restitution_says),
        cmocka_unit_test(a_json_file_appears_whole_and_alone),
        cmocka_unit_test(any_name_gives_valid_json),
        cmocka_unit_test(csv_has_named_columns_and_a_row_for_each_step),
        cmocka_unit_test(every_n_sums_the_impulses),
        cmocka_unit_test(events_are_logged),
        cmocka_unit_test(hdf5_is_written),
        cmocka_unit_test(a_broken_limit_is_exit_1_and_says_so),
        cmocka_unit_test(deep_penetration_at_the_start_is_an_error_unless_it_is_allowed),
        cmocka_unit_test(rounding_at_a_touching_start_is_no_warning),
        cmocka_unit_test(unconverged_steps_are_exit_1_and_counted),
        cmocka_unit_test(a_run_away_keeps_what_it_recorded),
        cmocka_unit_test(a_restart_continues_bit_for_bit),
        cmocka_unit_test(a_restart_with_other_numbers_is_refused),
        cmocka_unit_test(the_same_run_gives_the_same_bytes),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(options_of_the_file_follow_its_scheme),
        cmocka_unit_test(a_summary_shows_the_audit_unless_quiet),
        cmocka_unit_test(a_signal_stops_in_good_order_and_the_run_goes_on),
        cmocka_unit_test(a_full_disk_is_exit_1_and_says_so),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
