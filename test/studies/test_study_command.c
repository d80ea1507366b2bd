// SPDX-License-Identifier: Apache-2.0
// Studies as a person runs them: the same bytes for any number of threads, parts and kills; stores;
// study files; and what is refused, with its place.
#include "studies/study_rig.h"

#include <signal.h>
#include <time.h>

static const char study_file[] = "carom-study: 1\n"
                                 "model: osc.yaml\n"
                                 "do: bif\n"
                                 "set: {e: 0.75}\n"
                                 "run: {tolerance: 1e-7, v_acc: 1e-6}\n"
                                 "section: {period: 2*pi/w, phase: 0.25}\n"
                                 "vary:\n"
                                 "  A: {from: 0.8, to: 1.6, values: 9}\n"
                                 "  d: [1, 1.2]\n"
                                 "show: [x, der_x]\n"
                                 "skip: 30\n"
                                 "points: 12\n"
                                 "chains: 2\n"
                                 "direction: both\n";
static const char options[] = "--set e=0.75 --tolerance 1e-7 --option v_acc=1e-6 --section "
                              "period=2*pi/w,phase=0.25 --vary A=0.8:1.6:9 --vary 'd=[1, 1.2]' "
                              "--show x --show der_x --skip 30 --points 12 --chains 2 --both";

static void threads_leave_no_trace(void **state)
{
    shell *s = *state;
    shell_write(s, "study.yaml", study_file);
    static const int threads[] = {1, 2, 7};
    for (int i = 0; i < 3; i++)
        STUDY_RUN(
            s, 0,
            "$CAROM study study.yaml --threads %d -q -o t%d.csv -o t%d.json -o t%d.h5 -o t%d.svg",
            threads[i], i, i, i, i);
    STUDY_RUN(s, 0,
              "for e in csv json h5 svg; do cmp t0.$e t1.$e && cmp t0.$e t2.$e || exit 1; done; "
              "$CAROM bif osc.yaml %s -o cli.csv -q && cmp cli.csv t0.csv; wc -l <t0.csv",
              options);
    assert_true(atoi(s->out) > 36);
}

static void parts_make_the_whole(void **state)
{
    shell *s = *state;
    STUDY_RUN(
        s, 0,
        "$CAROM study study.yaml -q -o whole.csv && for i in 1 2 3; do $CAROM study study.yaml "
        "--part $i/3 -q -o part$i.caromdb || exit 1; done; $CAROM study merge part1.caromdb "
        "part2.caromdb -o merged.caromdb && $CAROM study status merged.caromdb && $CAROM "
        "study merge merged.caromdb part3.caromdb -o merged.caromdb && $CAROM study export "
        "merged.caromdb -o merged.csv -o merged.svg && cmp merged.csv whole.csv");
    assert_non_null(strstr(s->out, "runs done"));
    assert_true(shell_has(s, "merged.svg"));
}

// a study that is killed at any time goes on, and the bytes are those of one that was not
static void kills_lose_nothing(void **state)
{
    shell *s = *state;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned chance = (unsigned)now.tv_nsec;
    print_message("seed %u\n", chance);
    STUDY_RUN(s, 0, "$CAROM bif osc.yaml %s --skip 300 -q -o long.csv 2>err2.txt || true", "");
    static const char sweep[] = "sweep osc.yaml --vary A=0.8:2:60 --take 'last x' --take 'events "
                                "stop' --end 120 --tolerance 1e-8 --threads 2";
    STUDY_RUN(s, 0, "$CAROM %s -q -o long.csv", sweep);
    for (int i = 0; i < 20; i++) {
        chance = chance * 1103515245u + 12345u;
        shell_run(
            s,
            "$CAROM %s -q -o killed.csv -o killed.caromdb & p=$!; sleep 0.%03u; kill -9 $p; wait "
            "$p; true",
            sweep, chance / 65536u % 300u);
        STUDY_RUN(s, 0, "$CAROM study status killed.caromdb; test $? -le 2");
    }
    STUDY_RUN(s, 0, "$CAROM %s -q -o killed.csv -o killed.caromdb && cmp killed.csv long.csv",
              sweep);
    // and all is there: nothing is run again
    STUDY_RUN(s, 0, "$CAROM %s -o killed.csv -o killed.caromdb && cmp killed.csv long.csv", sweep);
    assert_non_null(strstr(s->out, "runs      60 of 60, 0 failed"));
}

// what was done is not done again: a store that says something else is believed
static void a_store_is_gone_on_with(void **state)
{
    shell *s = *state;
    static const char ask[] = "sweep ball.yaml --vary e=[0.2,0.4] --take 'event_time floor 1'";
    STUDY_RUN(s, 0, "$CAROM %s -q -o kept.caromdb", ask);
    STUDY_RUN(s, 2, "$CAROM %s -q -o kept.caromdb --set g=9", ask);
    assert_non_null(strstr(s->err, "holds another study: it was"));
    STUDY_RUN(s, 2, "$CAROM %s -q -o kept.caromdb --take done", ask);
    STUDY_RUN(s, 2,
              "sed 's/g\\*y/g*y + 0.1*y/' ball.yaml >b.yaml && mv b.yaml ball2.yaml && cp "
              "ball.yaml ball1.yaml && cp ball2.yaml ball.yaml; $CAROM %s -q -o kept.caromdb; "
              "code=$?; cp ball1.yaml ball.yaml; exit $code",
              ask);
    assert_non_null(strstr(s->err, "it was 'the model"));
    STUDY_RUN(s, 0, "$CAROM %s -q -o kept.caromdb --set g=9 --fresh", ask);
    STUDY_RUN(s, 2, "cp ball.yaml no.caromdb; $CAROM study status no.caromdb");
    STUDY_RUN(s, 1, "$CAROM study status nothing.caromdb");
}

static void a_study_file_is_written_and_read(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM bif osc.yaml %s --write-study again.yaml && $CAROM study again.yaml -q -o "
              "again.csv && $CAROM study study.yaml -q -o first.csv && cmp again.csv first.csv",
              options);
    STUDY_RUN(s, 0,
              "$CAROM sweep ball.yaml --vary e=[0.5] --take 'largest y from=1 to=2' --take 'events "
              "floor' --output-step 0.05 --write-study - >take.yaml && $CAROM study take.yaml");
    study_near(study_value(study_read(s->out), 0, "largest y from=1 to=2"), 1.25, 1e-9);
    assert_true(study_value(study_read(s->out), 0, "events floor") == 3);
}

// of each kind of study the file that is written does what the command does
static void all_kinds_are_written_and_read(void **state)
{
    static const char *const asked[] = {
        "poincare osc.yaml --section 'period=2*pi/w' --points 3 --skip 2",
        "frf osc.yaml --vary w=1:2:2 --section 'period=2*pi/w' --skip 5 --points 1 --show x",
        "orbit osc.yaml --section 'period=2*pi/w' --start x=-2 --start 'der(x)=4' --by A --by e",
        "sensitivity osc.yaml --by e,A --take 'at x 5' --take 'event_time stop 1'",
        "lyap osc.yaml --section 'period=2*pi/w' --skip 5 --points 20 --exponents 1",
        ("lyap osc.yaml --set e=0.9 --section 'period=2*pi/w' --skip 9 --points 20 --method pair "
         "--scheme moreau_midpoint --step 2e-4 --vary A=[0.5]"),
        "continue osc.yaml --set A=0.7 --section 'period=2*pi/w' --vary A=0.5:1 --skip 40",
        "basin osc.yaml --vary x=-1:0:3 --section 'period=2*pi/w'"};
    shell *s = *state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        STUDY_RUN(s, 0,
                  "$CAROM %s -q -o one.csv && $CAROM %s --write-study it.yaml && $CAROM study "
                  "it.yaml -q -o two.csv && cmp one.csv two.csv",
                  asked[i], asked[i]);
}

// a run that fails is a row without numbers, and the others are there
static void failed_runs_are_told(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 1, "$CAROM sweep ball.yaml --vary height=[5,-1,20] --take 'event_time floor 1'");
    const study_table *t = study_read(s->out);
    assert_true(isnan(study_value(t, 1, "event_time floor 1")));
    study_near(study_value(t, 2, "event_time floor 1"), 2, 1e-9);
    assert_non_null(strstr(s->err, "1 of 3 runs failed, the first at height = -1"));
    STUDY_RUN(
        s, 1,
        "$CAROM sweep ball.yaml --vary height=[5,-1] --take done -q -o f.caromdb -o f.json; $CAROM "
        "study failed f.caromdb; cat f.json; exit 1");
    assert_non_null(strstr(s->out, "height = -1: "));
    assert_non_null(strstr(s->out, "[-1,null]"));
}

static void samples_are_repeated(void **state)
{
    shell *s = *state;
    static const char *const kind[] = {"random", "latin", "sobol"};
    for (int i = 0; i < 3; i++)
        STUDY_RUN(
            s, 0,
            "$CAROM sweep ball.yaml --vary e=0.1:0.9 --vary height=1:20:log --%s 16 --seed 5 "
            "--take 'event_time floor 1' --threads 2 -q -o a.csv && $CAROM sweep ball.yaml "
            "--vary e=0.1:0.9 --vary height=1:20:log --%s 16 --seed 5 --take 'event_time floor "
            "1' -q -o b.csv && cmp a.csv b.csv && test $(wc -l <a.csv) = 17",
            kind[i], kind[i]);
    STUDY_RUN(s, 0,
              "head -9 a.csv >c.csv; $CAROM sweep ball.yaml --vary e=0.1:0.9 --vary "
              "height=1:20:log --sobol 8 --take 'event_time floor 1' -o d.csv -q; cmp c.csv d.csv");
}

typedef struct wrong {
    const char *arguments, *says;
} wrong;
static const wrong wrongs[] = {
    {"sweep ball.yaml --take done --vary heigt=1:2:3",
     "--vary heigt: 'heigt' is no parameter, start or rate (did you mean 'height'?)"},
    {"sweep ball.yaml --take done --vary e=0:1", "lacks the number of values"},
    {"sweep ball.yaml --take done --vary e=0:1:2:3", "values are a:b:n"},
    {"sweep ball.yaml --take done --vary e=0:1:2.5", "the number of values must be whole"},
    {"sweep ball.yaml --take done --vary e=0:1:5:log", "must be above 0"},
    {"sweep ball.yaml --take done --vary e=0:1:5 --random 7", "samples lie between two ends"},
    {"sweep ball.yaml --take done --vary e=0:1 --random 0", "must be a whole number"},
    {"sweep ball.yaml --take done --vary e=0:1 --random 5 --latin 5", "one of these"},
    {"sweep ball.yaml --take done --vary e=0:1 --random 5 --follow", "have no order"},
    {"sweep ball.yaml --take done --vary e=0:1:3 --vary e=0:1:3", "varies already"},
    {"sweep ball.yaml --take done --vary e=[1,", "write a list of values"},
    {"sweep ball.yaml --take done --vary e=[1,x]", "x"},
    {"sweep ball.yaml --take done --vary e", "write NAME=VALUE"},
    {"sweep ball.yaml --vary e=0:1:3", "needs something to take"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'largst y'", "did you mean 'largest'"},
    {"sweep ball.yaml --vary e=0:1:3 --take cost", "times differ from run to run"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'largest z'", "no column 'z'"},
    {"sweep ball.yaml --vary e=0:1:3 --take largest", "lacks a column"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'at y'", "lacks a time"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'when_below y'", "lacks a limit"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'events flor'", "did you mean 'floor'"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'events floor event=bump'", "unknown event"},
    {"sweep ball.yaml --vary e=0:1:3 --take 'largest y fast'", "'fast' is not understood"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --both --restart", "for values that follow"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --follow --chains 4", "chains must be"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --threads 0", "whole number from 1"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --part 3/2", "must be I/N"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --part 1/2", "needs a store"},
    {"sweep ball.yaml --vary e=0:1:3 --take done -o out.txt", "must end with"},
    {"sweep ball.yaml --vary e=0:1:3 --take done -o a.caromdb -o b.caromdb", "one store"},
    {"sweep ball.yaml --vary e=0:1:3 --take done --scheme moreau_midpoint", "no time step"},
    {"sweep osc.yaml --vary T=1:2:3 --take done --section period=T", "unknown option"},
    {"poincare osc.yaml", "needs a section"},
    {"poincare osc.yaml --section perod=1", "a section is period="},
    {"poincare osc.yaml --section period=2*pi/v", "--section: unknown name 'v'"},
    {"poincare osc.yaml --section period=2*pi/w,phase=1.5", "the phase is a share"},
    {"poincare osc.yaml --section event=stopp", "did you mean 'stop'"},
    {"poincare osc.yaml --section event=stop:bump", "write event=CONTACT:KIND"},
    {"poincare osc.yaml --section cross=", "what is to cross zero is missing"},
    {"poincare osc.yaml --section cross=z", "unknown name 'z'"},
    {"poincare osc.yaml --section cross=stop.normal", "made of forces or accelerations"},
    {"poincare osc.yaml --section cross=x --show y", "no column 'y'"},
    {"poincare osc.yaml --section cross=x --points 0", "must be a whole number"},
    {"bif osc.yaml --section period=2*pi/w", "needs something that varies"},
    {"frf osc.yaml --vary w=1:2:3 --section cross=x", "needs a period"},
    {"frf osc.yaml --vary w=1:2:3 --section period=2*pi/w --harmonics 99", "from 1 to 64"},
    {"study", "no study file given"},
    {"study nothing.yaml", "nothing.yaml"},
    {"study merge a.caromdb", "say what to put together"},
};

static void what_is_wrong_is_said_with_its_place(void **state)
{
    shell *s = *state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const int code = shell_run(s, "$CAROM %s", wrongs[i].arguments);
        if (code != 2 || !strstr(s->err, wrongs[i].says) || s->out[0])
            fail_msg("%s: exit %d, %s", wrongs[i].arguments, code, s->err);
    }
}

// motions that never meet their section, and a period that is none, are failures of a run
static void motions_without_points_are_told(void **state)
{
    shell *s = *state;
    static const wrong never[] = {
        {"--section event=stop --set d=9", "no impact of 'stop' in the"},
        {"--section cross=x-50", "'x-50' did not cross zero"},
        {"--section period=2", "the period is not 2"},
        {"--section period=2*pi/w --vary w=[-1]", "the period is -6.28"},
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        const int code = shell_run(s, "$CAROM poincare osc.yaml %s", never[i].arguments);
        if (code != 1 || !strstr(s->err, never[i].says))
            fail_msg("%s: exit %d, %s", never[i].arguments, code, s->err);
    }
}

static const wrong files[] = {
    {"model: osc.yaml\ndo: bif\n", "wrong.yaml:1:1: a study needs 'carom-study'"},
    {"carom-study: 1\ndo: bif\n", "a study needs 'model'"},
    {"carom-study: 2\nmodel: osc.yaml\ndo: bif\n", "wrong.yaml:1:14: this carom reads"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bof\n", "wrong.yaml:3:5: no study 'bof'"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\npionts: 3\n",
     "wrong.yaml:4:9: bif has no 'pionts' (did you mean 'points'?)"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nsection: {period: 2*pi/w}\nvary: {A: {from: 1}}\n",
     "wrong.yaml:5:"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nsection: {period: 2*pi/w}\nvary: {B: 1:2:3}\n",
     "wrong.yaml:5:11: 'B' is no parameter"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nsection: {period: 2*pi/v}\nvary: {A: 1:2:3}\n",
     "wrong.yaml:4:19: unknown name 'v'"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nsection: {}\n", "needs a period, an event"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\ndirection: left\n",
     "wrong.yaml:4:12: the direction"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nskip: many\nvary: {A: 1:2:3}\nsection: period=1\n",
     "wrong.yaml:4:7: skip must be a whole number"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nset: {zata: 1}\n",
     "wrong.yaml:4:13: unknown parameter"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: bif\nboth: maybe\n", "'both' is true or false"},
    {"carom-study: 1\nmodel: none.yaml\ndo: bif\n", "none.yaml"},
    {"- 1\n", "consists of keys"},
    {"carom-study: 1\nmodel: osc.yaml\ndo: [bif]\n", "wrong.yaml:3:"},
};

static void wrong_study_files_are_refused(void **state)
{
    shell *s = *state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        shell_write(s, "wrong.yaml", files[i].arguments);
        const int code = shell_run(s, "$CAROM study wrong.yaml");
        if (code != 2 || !strstr(s->err, files[i].says) || s->out[0])
            fail_msg("%s: exit %d, %s", files[i].arguments, code, s->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_leave_no_trace),
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(kills_lose_nothing),
        cmocka_unit_test(a_store_is_gone_on_with),
        cmocka_unit_test(a_study_file_is_written_and_read),
        cmocka_unit_test(all_kinds_are_written_and_read),
        cmocka_unit_test(failed_runs_are_told),
        cmocka_unit_test(samples_are_repeated),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(motions_without_points_are_told),
        cmocka_unit_test(wrong_study_files_are_refused),
    };
    return cmocka_run_group_tests(tests, study_start, shell_end);
}
