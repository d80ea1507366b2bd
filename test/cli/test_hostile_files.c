// SPDX-License-Identifier: Apache-2.0
// Files that want more than to describe a model: to compile, to write, to read elsewhere, to steer
// the terminal, to take all memory, time or disk. None of it happens without the user's word.
#include "cli/shell.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

static int start(void **state)
{
    const int failed = shell_start(state);
    const shell *s = *state;
    unsetenv("CAROM_NATIVE");
    unsetenv("CC");
    return failed ? failed : setenv("XDG_CACHE_HOME", s->folder, 1);
}

// a compiler that tells when it is asked
static const char spy[] = "#!/bin/sh\necho asked >>spy.txt\nexit 1\n";

static void a_file_does_not_compile_by_itself(void **state)
{
    shell *s = *state;
    shell_write(s, "spy", spy);
    shell_run(s, "chmod +x spy; sed 's/end: 0.5/end: 0.5, native: true/' ball.yaml >wish.yaml");
    static const char *const command[] = {
        "run wish.yaml -q", "compare wish.yaml -q --schemes moreau_midpoint,moreau_jean_explicit",
        "converge wish.yaml -q --schemes moreau_midpoint --steps 1e-2,5e-3 --norm end",
        "check wish.yaml"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(shell_run(s, "CC=$PWD/spy \"$CAROM\" %s", command[i]), 0);
        assert_int_equal(shell_lines(s->err), 1);
        assert_non_null(strstr(s->err, "note: wish.yaml:11: native: true is a wish of the file"));
        assert_non_null(strstr(s->err, "--native"));
        assert_false(shell_has(s, "spy.txt"));
    }
    assert_int_equal(shell_run(s, "CC=$PWD/spy CAROM_NATIVE=0 \"$CAROM\" run wish.yaml -q"), 0);
    assert_false(shell_has(s, "spy.txt"));
    assert_int_equal(shell_run(s, "CC=$PWD/spy CAROM_NATIVE=1 \"$CAROM\" run wish.yaml -q"), 0);
    assert_true(shell_has(s, "spy.txt"));
    // the variable is a yes to a wish, not a wish
    assert_int_equal(
        shell_run(s, "rm spy.txt; CC=$PWD/spy CAROM_NATIVE=1 \"$CAROM\" run ball.yaml -q"), 0);
    assert_false(shell_has(s, "spy.txt"));
}

// a compiler that never ends, and tells its number
static const char endless[] = "#!/bin/sh\nsleep 1000 &\necho $! $$ >pids.txt\nwait\n";

static void a_compiler_ends_with_its_time(void **state)
{
    shell *s = *state;
    shell_write(s, "endless", endless);
    assert_int_equal(shell_run(s, "chmod +x endless; CC=$PWD/endless \"$CAROM\" run ball.yaml -q "
                                  "--native --limit compile_seconds=0.3"),
                     0);
    assert_non_null(strstr(s->err, "takes longer than 0.3 s (--limit compile_seconds=N"));
    assert_int_equal(shell_run(s, "ps -o stat= -p $(tr ' ' , <pids.txt) | grep -v Z"), 1);
    assert_int_equal(shell_run(s, "ls -d carom/carom-*"), 2);
}

static void a_compiler_ends_with_the_command(void **state)
{
    shell *s = *state;
    static const char *const with[] = {"TERM", "INT", "HUP", "KILL"};
    shell_write(s, "endless", endless);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(
            shell_run(s,
                      "chmod +x endless; rm -f pids.txt; "
                      // a shell lets children that it puts aside ignore SIGINT
                      "env --default-signal=INT CC=$PWD/endless \"$CAROM\" run ball.yaml -q "
                      "--native & "
                      "for i in $(seq 300); do test -s pids.txt && break; sleep 0.02; done; "
                      "kill -%s $!; wait $!; "
                      "for i in $(seq 300); do "
                      "ps -o stat= -p $(tr ' ' , <pids.txt) | grep -qv Z || exit 0; sleep 0.02; "
                      "done; exit 1",
                      with[i]),
            0);
        assert_int_equal(shell_run(s, "for i in $(seq 100); do ls -d carom/carom-* 2>&1 || exit 0; "
                                      "sleep 0.02; done; exit 1"),
                         0);
    }
}

static void large_models_are_not_compiled(void **state)
{
    shell *s = *state;
    shell_write(s, "spy", spy);
    shell_write(s, "large.yaml",
                "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                "potential: \"sum(i,1,20000,sin(x*i)/i)\"\nrun: {step: 1e-2, end: 0.05}\n");
    assert_int_equal(shell_run(s, "chmod +x spy; rm -f spy.txt; "
                                  "CC=$PWD/spy \"$CAROM\" run large.yaml -q --native"),
                     0);
    assert_non_null(strstr(s->err, "compiling more than 100000 takes too long"));
    assert_false(shell_has(s, "spy.txt"));
    assert_int_equal(shell_run(s, "CC=$PWD/spy \"$CAROM\" run large.yaml -q --native "
                                  "--limit operations=1e6"),
                     0);
    assert_true(shell_has(s, "spy.txt"));
}

static void a_file_does_not_write(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(s, "sed 's/end: 0.5/end: 0.5, save_contact: .\\/elsewhere/' ball.yaml >w.yaml; "
                     "\"$CAROM\" run w.yaml -q"),
        0);
    assert_non_null(strstr(s->err, "note: w.yaml:11: save_contact is a wish of the file"));
    assert_false(shell_has(s, "elsewhere"));
    assert_int_equal(shell_run(s, "\"$CAROM\" run w.yaml -q --save-contact here"), 0);
    assert_string_equal(s->err, "");
    assert_false(shell_has(s, "elsewhere"));
    assert_true(shell_has(s, "here"));
}

static const char table_model[] = "carom: 1\ntables: {f: {file: ../elsewhere.csv}}\n"
                                  "coordinates: {x: {start: 0.5}}\nkinetic: der(x)^2/2\n"
                                  "potential: f(x)\nrun: {step: 1e-2, end: 0.1}\n";

static void a_file_does_not_read_elsewhere(void **state)
{
    shell *s = *state;
    shell_run(s, "mkdir -p sub; printf 'x,y\\n-9,0\\n9,1\\n' >elsewhere.csv");
    shell_write(s, "sub/table.yaml", table_model);
    assert_int_equal(shell_run(s, "\"$CAROM\" run sub/table.yaml -q"), 2);
    assert_non_null(strstr(s->err, "sub/table.yaml:2:20: '../elsewhere.csv' lies outside 'sub'"));
    assert_int_equal(shell_run(s, "\"$CAROM\" run sub/table.yaml -q --allow-path . -o run.csv"), 0);
    assert_int_equal(shell_run(s, "\"$CAROM\" run sub/table.yaml --allow-path nowhere"), 2);
    assert_non_null(strstr(s->err, "--allow-path nowhere: is no folder"));
    // parts that are installed, for every model
    assert_int_equal(shell_run(s, "mkdir -p parts; cp elsewhere.csv parts; "
                                  "sed 's/\\.\\.\\//carom:/' sub/table.yaml >sub/part.yaml; "
                                  "CAROM_PARTS=$PWD/parts \"$CAROM\" run sub/part.yaml -q"),
                     0);
}

// what must never reach a terminal: controls of one byte, those of UTF-8, and what is not UTF-8
static const char no_controls[] = "LC_ALL=C grep -qP '[\\x00-\\x09\\x0b-\\x1f\\x7f]|\\xc2[\\x80-"
                                  "\\x9f]|\\xe2\\x80[\\xa8-\\xae]' all.txt; test $? = 1";

static const char evil[] =
    "carom: 1\n"
    "name: \"\\e[31mred\\e]0;title\\a \\x9b31m \\r\\n# partial: x\\u202e\"\n"
    "about: \"\\e[2J\\x9b2J\\r\\nabout\"\nsource: \"\\e]8;;http://x\\a\"\n"
    "coordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\npotential: x\n"
    "contacts:\n  - {name: c, gap: x, restitution: 0.5}\nrun: {step: 1e-2, end: 0.5}\n";

static void texts_of_a_file_do_not_steer_the_terminal(void **state)
{
    shell *s = *state;
    shell_write(s, "evil.yaml", evil);
    shell_run(s, "mkdir -p evil; cp evil.yaml 'evil/a\033[1mb.yaml'; printf 'x: \"\\\\e[1m\"' "
                 ">evil/bad.yaml");
    static const char *const command[] = {
        "run evil.yaml -o evil.csv --events e.csv",
        "run evil.yaml --json -",
        "check evil.yaml",
        "compare evil.yaml --schemes moreau_midpoint,moreau_jean_explicit",
        "converge evil.yaml --schemes moreau_midpoint --steps 1e-2,5e-3 --norm end",
        "list models",
        "export evil.yaml"};
    for (size_t i = 0; i < sizeof command / sizeof command[0]; i++) {
        assert_int_equal(
            shell_run(s, "CAROM_MODELS=$PWD/evil \"$CAROM\" %s >all.txt 2>&1; cat all.txt",
                      command[i]),
            0);
        assert_true(strlen(s->out) > 0);
        if (shell_run(s, "%s", no_controls) != 0) fail_msg("%s", command[i]);
    }
    assert_int_equal(shell_run(s, "cp evil.csv all.txt; %s", no_controls), 0);
    // a name is one line: no line of a result file can be made up
    assert_int_equal(shell_run(s, "grep -c '^# partial' evil.csv"), 1);
}

static void texts_of_papers_and_results_do_not_steer_the_terminal(void **state)
{
    shell *s = *state;
    shell_write(
        s, "paper.yaml",
        "carom: 1\npaper: p\ntitle: \"\\e[31mt\\x9b1m\"\n"
        "runs:\n  a: {model: ball.yaml, scheme: moreau_midpoint, step: 1e-2, end: 0.1}\n"
        "claims:\n  - id: one\n    claim: \"\\e[2Jc\\x9b1m\"\n    published: \"\\e[1mx\"\n"
        "    verdict: differs, with the known reason\n    reason: \"\\e[1mr\"\n    measures:\n"
        "      - {name: E, take: energy_start, run: a, unit: J, published: 1, within: 1e-8, "
        "known: 9.81, known_within: 1e-8}\n");
    shell_run(s, "\"$CAROM\" reproduce ./paper.yaml >all.txt 2>&1; cat all.txt");
    assert_non_null(strstr(s->out, "because  [1mr"));
    assert_non_null(strstr(s->out, " [31mt 1m"));
    assert_int_equal(shell_run(s, "%s", no_controls), 0);
    shell_run(s, "printf 't,a\033[1mb\\n0,1\\n1,2\\n' >a.csv; cp a.csv b.csv; "
                 "\"$CAROM\" compare a.csv b.csv >all.txt 2>&1; cat all.txt");
    assert_non_null(strstr(s->out, "a [1mb"));
    assert_int_equal(shell_run(s, "%s", no_controls), 0);
}

// each within seconds and 500 MB, with its exit code
static void bombs_go_off_in_a_box(void **state)
{
    shell *s = *state;
    shell_run(s,
              "printf '60606060\\n0\\n0\\n' >bomb_mlcp.dat; "
              "printf '+64649649\\n0\\n00 0\\n\\n0' >bomb2_mlcp.dat; "
              "sed 's/y: {start/\"y[i,j,k]\": {for: {i: 1..1000, j: 1..1000, k: 1..1000}, start/'"
              " ball.yaml >members.yaml; "
              "\"$CAROM\" run ball.yaml -q -o rows.csv; mkfifo pipe pipe.csv pipe.h5; "
              "printf 't,y\\n0,1\\n' >half.csv; mkfifo half.csv.json; "
              "truncate -s 10G zeros.csv; truncate -s 10T zeros.h5; "
              "sed 's/potential:.*/potential: \"sum(i,1,1000000000,y*i)\"/' ball.yaml >terms.yaml");
    static const struct {
        const char *command, *message;
    } bomb[] = {
        {"contact info bomb_mlcp.dat", "--limit problem_rows=N"},
        {"contact solve bomb2_mlcp.dat", "--limit problem_rows=N"},
        {"contact info /dev/zero --limit problem_bytes=1e6", "--limit problem_bytes=N"},
        {"run members.yaml", "--limit members=N"},
        {"check terms.yaml", "--limit terms=N"},
        {"run ball.yaml --limit nodes=5", "--limit nodes=N"},
        {"run ball.yaml --limit model_bytes=5", "--limit model_bytes=N"},
        {"run ball.yaml --scheme event_driven --tolerance 1e-6 --output-step 1e-300 -o x.csv",
         "output step 1e-300 is too small"},
        {"run ball.yaml --scheme event_driven --tolerance 1e-6 --output-step 1e-9 -o x.csv",
         "--limit rows=N"},
        {"run ball.yaml --step 1e-9 -o x.csv", "--limit rows=N"},
        {"run ball.yaml --step auto --option min_step=1e-300", "min_step 1e-300 is too small"},
        {"run ball.yaml --scheme event_driven --step 1e-300", "step 1e-300 is too small"},
        {"plot rows.csv -o x.svg --limit rows=10", "--limit rows=N"},
        {"plot rows.csv -o x.svg --limit result_bytes=10", "--limit result_bytes=N"},
        {"compare rows.csv rows.csv --limit result_bytes=10", "--limit result_bytes=N"},
        {"list models --limit nodess=10", "did you mean 'nodes'?"},
        {"plot zeros.csv -o x.svg", "zero bytes"},
        {"compare zeros.csv zeros.csv", "zero bytes"},
        {"plot zeros.h5 -o x.svg", "--limit result_bytes=N"},
        {"plot pipe.csv -o x.svg", "is not an ordinary file"},
        {"plot pipe.h5 -o x.svg", "is not an ordinary file"},
        {"report pipe.h5 -o x.html", "is not an ordinary file"},
        {"compare pipe.csv rows.csv", "is not an ordinary file"},
        {"run ball.yaml --restart pipe", "is not a file"},
        {"plot half.csv --columns z -o x.svg", "z"},
        {"run ball.yaml --limit memebers=1", "did you mean 'members'?"},
        {"run ball.yaml --limit members", "write NAME=N"},
        {"run ball.yaml --limit members=x", "must be a number from 0, or none"},
    };
    for (size_t i = 0; i < sizeof bomb / sizeof bomb[0]; i++) {
        const int code = shell_run(s, "ulimit -t 10; \"$CAROM\" %s", bomb[i].command);
        if (code != 2 || !strstr(s->err, bomb[i].message))
            fail_msg("%s: exit code %d, %s", bomb[i].command, code, s->err);
    }
    struct rusage used; // of the largest child so far
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    assert_true(used.ru_maxrss < 500000);
    assert_false(shell_has(s, "x.csv"));
    // what grows while it runs stops the run
    assert_int_equal(shell_run(s, "\"$CAROM\" run ball.yaml --events e.csv --limit rows=2"), 1);
    assert_non_null(strstr(s->err, "event log has more than 2 rows (--limit rows=N"));
    assert_int_equal(shell_run(s, "\"$CAROM\" list limits && \"$CAROM\" list limits --json"), 0);
    assert_non_null(strstr(s->out, "compile_seconds"));
}

// rows that all share two coordinates: the problem of a step is full, and grows with their square
static void problems_of_a_step_stay_in_the_box(void **state)
{
    shell *s = *state;
    shell_write(s, "full.yaml",
                "carom: 1\ncoordinates: {x: {start: 0}, y: {start: 0}}\n"
                "kinetic: der(x)^2 + der(y)^2\nconstraints:\n"
                "  - {name: 'c[i]', for: {i: 1..400}, equation: x*i + y}\n"
                "run: {step: 1e-2, end: 0.02}\n");
    static const char *const scheme[] = {"moreau_jean", "nonsmooth_gen_alpha", "hem5", "gen_alpha",
                                         "event_driven"};
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) {
        const int code =
            shell_run(s, "\"$CAROM\" run full.yaml -q --scheme %s --limit bytes=1e6", scheme[i]);
        if ((code != 1 && code != 2) || !strstr(s->err, "1000000 bytes (--limit bytes=N"))
            fail_msg("%s: exit code %d, %s", scheme[i], code, s->err);
    }
    assert_int_equal(shell_run(s, "\"$CAROM\" run full.yaml -q --scheme moreau_jean"), 0);
    // the start of a joint looks at its own coordinates, not at all of the model
    shell_write(s, "joints.yaml",
                "carom: 1\nbodies: {'d[i]': {for: {i: 1..4000}, mass: 1, inertia: 1}}\n"
                "joints: {'j[i]': {for: {i: 1..4000}, revolute: [ground, 'd[i]'], at: 'd[i]'}}\n"
                "run: {step: 1e-2, end: 0.01}\n");
    assert_int_equal(shell_run(s, "ulimit -t 20; \"$CAROM\" check joints.yaml"), 0);
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    assert_true(used.ru_maxrss < 500000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_does_not_compile_by_itself),
        cmocka_unit_test(a_compiler_ends_with_its_time),
        cmocka_unit_test(a_compiler_ends_with_the_command),
        cmocka_unit_test(large_models_are_not_compiled),
        cmocka_unit_test(a_file_does_not_write),
        cmocka_unit_test(a_file_does_not_read_elsewhere),
        cmocka_unit_test(texts_of_a_file_do_not_steer_the_terminal),
        cmocka_unit_test(texts_of_papers_and_results_do_not_steer_the_terminal),
        cmocka_unit_test(bombs_go_off_in_a_box),
        cmocka_unit_test(problems_of_a_step_stay_in_the_box),
    };
    return cmocka_run_group_tests(tests, start, shell_end);
}
