// SPDX-License-Identifier: Apache-2.0
// A program that is kept: it is waited for, ended with all its children when its time is over or
// its caller dies, and leaves nothing behind.
#define _GNU_SOURCE // SOCK_CLOEXEC
#include "base/files/keeper.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], log_path[80], pid_path[80];

static int start(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/carom-keeper-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    snprintf(pid_path, sizeof pid_path, "%s/pids", folder);
    return 0;
}

static int end(void **state)
{
    char line[128];
    (void)state;
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static carom_kept_end run(const char *script, double seconds)
{
    const char *const word[] = {"sh", "-c", script, "sh", pid_path, NULL};
    const carom_kept_command command = {
        .word = word, .log = log_path, .seconds = seconds, .bytes = INFINITY};
    return carom_keeper_run(&command);
}

static void pause_for(int ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

// the numbers of processes that a script wrote; waits until there are n
static void read_pids(int n, int *pid)
{
    for (int i = 0; i < 500; i++, pause_for(10)) {
        FILE *file = fopen(pid_path, "r");
        int found = 0;
        while (file && found < n && fscanf(file, "%d", &pid[found]) == 1) found++;
        if (file) fclose(file);
        if (found == n) return;
    }
    fail_msg("the processes did not start");
}

// a child that was not waited for is gone all the same
static bool is_gone(int pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return kill(pid, 0) != 0;
    const bool is_read = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    fclose(file);
    return is_read && state == 'Z';
}

static void must_go(const int *pid, int n)
{
    bool all = false;
    for (int i = 0; i < 500 && !all; i++, pause_for(10)) {
        all = true;
        for (int k = 0; k < n; k++) all = all && is_gone(pid[k]);
    }
    assert_true(all);
}

static void how_it_went_is_told(void **state)
{
    (void)state;
    char text[64] = "";
    assert_int_equal(run("echo said; echo cried >&2", INFINITY), CAROM_KEPT_DONE);
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 11);
    fclose(file);
    assert_string_equal(text, "said\ncried\n");
    assert_int_equal(run("exit 3", 10), CAROM_KEPT_FAILED);
    assert_int_equal(run("kill -9 $$", 10), CAROM_KEPT_FAILED);
    const char *const none[] = {"/no/such/program", NULL};
    const carom_kept_command command = {
        .word = none, .log = log_path, .seconds = 10, .bytes = INFINITY};
    assert_int_equal(carom_keeper_run(&command), CAROM_KEPT_NOT_STARTED);
    assert_int_equal(errno, ENOENT);
}

static void memory_is_limited(void **state)
{
    (void)state;
    const char *const word[] = {"sh", "-c", "ulimit -v >&2; test $(ulimit -v) = 100000", NULL};
    const carom_kept_command command = {
        .word = word, .log = log_path, .seconds = 10, .bytes = 102400000};
    assert_int_equal(carom_keeper_run(&command), CAROM_KEPT_DONE);
}

static void children_end_when_the_time_is_over(void **state)
{
    (void)state;
    int pid[2];
    const time_t began = time(NULL);
    remove(pid_path);
    assert_int_equal(run("sleep 100 & echo $! $$ >$1; wait", 0.3), CAROM_KEPT_TOO_LONG);
    read_pids(2, pid);
    must_go(pid, 2);
    assert_true(time(NULL) - began < 20);
    // one that will not listen
    remove(pid_path);
    assert_int_equal(run("trap '' TERM; echo $$ >$1; while :; do sleep 1; done", 0.3),
                     CAROM_KEPT_TOO_LONG);
    read_pids(1, pid);
    must_go(pid, 1);
}

// a caller that is killed while its program writes into a folder of its own
static void end_caller(int with)
{
    int pid[2];
    char inner[80], file[96];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(file, sizeof file, "%s/half", inner);
    const char *const litter[] = {file, inner, NULL};
    const char *const word[] = {
        "sh", "-c", "echo half >$2; sleep 100 & echo $! $$ >$1; wait", "sh", pid_path, file, NULL};
    const carom_kept_command command = {
        .word = word, .log = log_path, .litter = litter, .seconds = 100, .bytes = INFINITY};
    remove(pid_path);
    assert_int_equal(mkdir(inner, 0700), 0);
    const pid_t caller = fork();
    if (caller == 0) {
        signal(with, SIG_DFL); // shells start what runs in the background with SIGINT ignored
        carom_keeper_run(&command);
        _exit(0);
    }
    read_pids(2, pid);
    assert_int_equal(kill(caller, with), 0);
    assert_int_equal(waitpid(caller, NULL, 0), caller);
    must_go(pid, 2);
    for (int i = 0; i < 200 && access(inner, F_OK) == 0; i++) pause_for(10);
    assert_int_not_equal(access(inner, F_OK), 0);
}

static void children_end_with_their_caller(void **state)
{
    (void)state;
    end_caller(SIGTERM);
    end_caller(SIGINT);
    end_caller(SIGKILL);
}

static void a_caller_that_ignores_its_children_is_told_too(void **state)
{
    (void)state;
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    assert_int_equal(run("exit 0", 10), CAROM_KEPT_DONE);
    assert_int_equal(run("exit 1", 10), CAROM_KEPT_FAILED);
    signal(SIGCHLD, before);
}

// one that answers what it is asked, and has a folder with things in it
static void a_program_is_talked_to_and_its_folder_goes(void **state)
{
    (void)state;
    char nest[80], inner[96], text[16] = "";
    int end[2];
    snprintf(nest, sizeof nest, "%s/nest", folder);
    snprintf(inner, sizeof inner, "%s/deep", nest);
    assert_int_equal(mkdir(nest, 0700), 0);
    assert_int_equal(mkdir(inner, 0700), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end), 0);
    const char *const word[] = {
        "sh", "-c",  "cd $1; echo x >file; read word <&3; echo $word$word >&4; sleep 100 & wait",
        "sh", inner, NULL};
    const carom_kept_command command = {.word = word,
                                        .log = log_path,
                                        .nest = nest,
                                        .talk = end[1],
                                        .talk_as = {3, 4},
                                        .seconds = INFINITY,
                                        .bytes = INFINITY};
    carom_kept kept;
    assert_true(carom_keeper_start(&kept, &command));
    close(end[1]);
    assert_int_equal(send(end[0], "ho\n", 3, MSG_NOSIGNAL), 3);
    assert_int_equal(read(end[0], text, sizeof text - 1), 5);
    assert_string_equal(text, "hoho\n");
    assert_int_equal(access(inner, F_OK), 0);
    assert_int_equal(carom_keeper_stop(&kept), CAROM_KEPT_FAILED);
    assert_int_not_equal(access(nest, F_OK), 0);
    assert_int_equal(read(end[0], text, sizeof text - 1), 0); // nobody holds the other end
    close(end[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_it_went_is_told),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(children_end_when_the_time_is_over),
        cmocka_unit_test(children_end_with_their_caller),
        cmocka_unit_test(a_caller_that_ignores_its_children_is_told_too),
        cmocka_unit_test(a_program_is_talked_to_and_its_folder_goes),
    };
    return cmocka_run_group_tests(tests, start, end);
}
