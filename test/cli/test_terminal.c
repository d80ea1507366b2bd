// SPDX-License-Identifier: Apache-2.0
// Progress bar and colours: on a terminal only. The test makes a terminal of its own
// (a pseudo terminal).
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/shell.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>

// in the child: stderr is the terminal, stdout goes nowhere
static void become(const shell *s, int terminal, char *const argv[])
{
    const int nowhere = open("/dev/null", O_RDWR);
    if (chdir(s->folder) != 0 || nowhere < 0) _exit(99);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    dup2(terminal, 2);
    execv(CAROM_COMMAND, argv);
    _exit(98);
}

// a terminal and a carom whose stderr it is
typedef struct session {
    int host;
    pid_t child;
} session;

static session start(const shell *s, char *const argv[])
{
    session run = {.host = posix_openpt(O_RDWR | O_NOCTTY)};
    const bool has_host = run.host >= 0 && grantpt(run.host) == 0 && unlockpt(run.host) == 0;
    const int terminal = has_host ? open(ptsname(run.host), O_RDWR | O_NOCTTY) : -1;
    if (terminal < 0) {
        print_message("this machine has no pseudo terminals (/dev/pts)\n");
        skip();
    }
    run.child = fork();
    assert_true(run.child >= 0);
    if (run.child == 0) become(s, terminal, argv);
    close(terminal);
    return run;
}

// reads until the text has come (NULL: until carom has gone); false where it never came
static bool read_until(shell *s, session run, const char *text)
{
    size_t used = strlen(s->err);
    while (!text || !strstr(s->err, text)) {
        const ssize_t n = read(run.host, s->err + used, SHELL_ROOM - 1 - used);
        if (n <= 0) return false;
        used += (size_t)n;
        s->err[used] = 0;
    }
    return true;
}

static int finish(shell *s, session run)
{
    int status = 0;
    read_until(s, run, NULL);
    waitpid(run.child, &status, 0);
    close(run.host);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// takes far longer than any test: a signal ends it
static char *const long_run[] = {"carom", "run",   "ball.yaml", "--step",
                                 "1e-6",  "--end", "1e5",       NULL};
static char *const quiet_run[] = {"carom", "run", "ball.yaml", "--step", "1e-6",
                                  "--end", "1e5", "-q",        NULL};

static void a_terminal_shows_progress_and_is_left_clean(void **state)
{
    shell *s = *state;
    s->err[0] = 0;
    setenv("TERM", "xterm", 1);
    session run = start(s, long_run);
    assert_true(read_until(s, run, " left"));
    assert_non_null(strstr(s->err, "%"));
    assert_non_null(strstr(s->err, "steps/s"));
    assert_non_null(strstr(s->err, "of 1e+05 s"));
    assert_null(strchr(s->err, '\n'));
    kill(run.child, SIGINT);
    assert_int_equal(finish(s, run), 1);
    // the line is cleared before anything else is said
    const char *message = strstr(s->err, "\033[1;31merror:");
    assert_non_null(message);
    assert_int_equal(strncmp(message - 4, "\r\033[K", 4), 0);
    assert_non_null(strstr(message, "stopped by a signal"));
    assert_null(strstr(message, "steps/s"));
}

static void check_silent(shell *s, char *const argv[], const char *terminal)
{
    s->err[0] = 0;
    setenv("TERM", terminal, 1);
    session run = start(s, argv);
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    kill(run.child, SIGTERM);
    assert_int_equal(finish(s, run), 1);
    assert_null(strstr(s->err, "steps/s"));
    assert_non_null(strstr(s->err, "stopped by a signal"));
}

static void a_dumb_terminal_and_a_quiet_run_show_none(void **state)
{
    check_silent(*state, quiet_run, "xterm");
    check_silent(*state, long_run, "dumb");
}

static int run_on_terminal(shell *s, char *const argv[])
{
    s->err[0] = 0;
    return finish(s, start(s, argv));
}

static void errors_are_coloured_on_a_terminal_unless_no_color(void **state)
{
    shell *s = *state;
    char *const wrong[] = {"carom", "run", "nothing.yaml", NULL};
    assert_int_equal(run_on_terminal(s, wrong), 2);
    assert_int_equal(strncmp(s->err, "\033[1;31merror:\033[0m nothing.yaml: ", 30), 0);
    setenv("NO_COLOR", "1", 1);
    assert_int_equal(run_on_terminal(s, wrong), 2);
    assert_int_equal(strncmp(s->err, "error: nothing.yaml: ", 21), 0);
    unsetenv("NO_COLOR");
}

static void without_a_terminal_there_is_no_bar_and_no_colour(void **state)
{
    shell *s = *state;
    setenv("TERM", "xterm", 1);
    shell_run(s, "$CAROM run ball.yaml --step 1e-6 --end 1e5 & pid=$!; sleep 0.5; kill -TERM $pid; "
                 "wait $pid");
    assert_int_equal(s->code, 1);
    assert_int_equal(shell_lines(s->err), 1);
    assert_null(strpbrk(s->err, "\033\r"));
    assert_null(strpbrk(s->out, "\033\r"));
    assert_int_equal(shell_run(s, "$CAROM run nothing.yaml"), 2);
    assert_int_equal(strncmp(s->err, "nothing.yaml: ", 14), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_shows_progress_and_is_left_clean),
        cmocka_unit_test(a_dumb_terminal_and_a_quiet_run_show_none),
        cmocka_unit_test(errors_are_coloured_on_a_terminal_unless_no_color),
        cmocka_unit_test(without_a_terminal_there_is_no_bar_and_no_colour),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
