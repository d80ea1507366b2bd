// SPDX-License-Identifier: Apache-2.0
// Between caller and program stands a keeper, a process of its own that no signal of
// the terminal reaches:
//
//     caller ──life──> keeper ──> program and its children, one process group
//            <─report─
//
// The caller holds one end of the pipe `life` and never writes. Where the caller dies, be it by
// SIGKILL, the pipe ends, and the keeper ends the group and removes what was half made. After fork
// only calls are made that are safe there, whatever the caller's other threads hold.
#define _GNU_SOURCE // pipe2, nftw
#include "base/files/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 10,
    GRACE_MS = 500,
    MOST_OPEN = 4096,
    ABOVE = 16,
    TREE_OPEN = 16,
    TREE_TRIES = 50
};

typedef struct report {
    carom_kept_end end;
    int error;
} report;

static void tell_caller(int pipe, carom_kept_end end, int error)
{
    const report r = {end, error};
    if (write(pipe, &r, sizeof r) != sizeof r) return; // the caller is gone
}

static double now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// signals as a new program expects them
static void reset_signals(void)
{
    static const int changed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) signal(changed[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// what the program talks through has the numbers it asks for
static bool take_talk(const carom_kept_command *c)
{
    if (c->talk <= 0) return true;
    const int talk = fcntl(c->talk, F_DUPFD_CLOEXEC, ABOVE);
    return talk >= 0 && dup2(talk, c->talk_as[0]) >= 0 && dup2(talk, c->talk_as[1]) >= 0;
}

// becomes the program; returns only where that fails
static void become_program(const carom_kept_command *c, int to_caller)
{
    const int in = open("/dev/null", O_RDONLY);
    const int log = open(c->log, O_WRONLY | O_CREAT | O_NOFOLLOW, 0600);
    setpgid(0, 0);
    reset_signals();
    if (c->bytes < (double)RLIM_INFINITY) {
        const struct rlimit memory = {(rlim_t)c->bytes, (rlim_t)c->bytes};
        setrlimit(RLIMIT_AS, &memory);
    }
    const bool is_ready =
        in >= 0 && log >= 0 && dup2(in, 0) == 0 && dup2(log, 1) == 1 && dup2(log, 2) == 2;
    if (in > 2) close(in);
    if (log > 2) close(log);
    if (is_ready && take_talk(c))
        execvp(c->word[0], (char *const *)c->word); // which does not change them
    tell_caller(to_caller, CAROM_KEPT_NOT_STARTED, errno);
}

// whether the program has ended, with *state
static bool has_ended(pid_t program, int *state)
{
    return waitpid(program, state, WNOHANG) != 0;
}

// politely first: a compiler then removes its own files
static void end_group(pid_t program)
{
    int state;
    kill(-program, SIGTERM);
    for (int ms = 0; ms < GRACE_MS && !has_ended(program, &state); ms += LOOK_MS)
        poll(NULL, 0, LOOK_MS);
    kill(-program, SIGKILL);
    waitpid(program, &state, 0);
}

static void remove_litter(const char *const *litter)
{
    for (; litter && *litter; litter++)
        if (unlink(*litter) != 0) rmdir(*litter);
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    remove(path);
    return 0;
}

// once the caller has let go; what still runs of the group would go on writing there
static void remove_nest(const carom_kept_command *c, pid_t program, int life)
{
    struct pollfd caller = {.fd = life};
    if (!c->nest) return;
    kill(-program, SIGKILL);
    poll(&caller, 1, -1);
    for (int i = 0; i < TREE_TRIES && access(c->nest, F_OK) == 0; i++) {
        if (i > 0) poll(NULL, 0, LOOK_MS);
        nftw(c->nest, remove_entry, TREE_OPEN, FTW_DEPTH | FTW_PHYS);
    }
}

static void watch_program(const carom_kept_command *c, pid_t program, int life, int to_caller)
{
    const double start = now();
    for (int state = 0;;) {
        if (has_ended(program, &state)) {
            const bool is_good = WIFEXITED(state) && WEXITSTATUS(state) == 0;
            tell_caller(to_caller, is_good ? CAROM_KEPT_DONE : CAROM_KEPT_FAILED, 0);
            return;
        }
        struct pollfd caller = {.fd = life};
        if (poll(&caller, 1, LOOK_MS) > 0) { // the other end is closed: the caller died
            end_group(program);
            remove_litter(c->litter);
            return;
        }
        if (now() - start <= c->seconds) continue;
        end_group(program);
        tell_caller(to_caller, CAROM_KEPT_TOO_LONG, 0);
        return;
    }
}

// nothing of the caller's stays open: what others wait for must end when the caller does
static void close_others(int most, int one, int other, int third)
{
    for (int fd = 3; fd < most; fd++)
        if (fd != one && fd != other && fd != third) close(fd);
}

static void keep_program(const carom_kept_command *c, int most, int life, int to_caller)
{
    reset_signals();
    signal(SIGPIPE, SIG_IGN);
    setsid();
    to_caller = fcntl(to_caller, F_DUPFD_CLOEXEC, ABOVE); // out of the way of talk_as
    close_others(most, life, to_caller, c->talk);
    const pid_t program = fork();
    if (program == 0) {
        become_program(c, to_caller);
        _exit(127);
    }
    if (program < 0) {
        tell_caller(to_caller, CAROM_KEPT_NOT_STARTED, errno);
        return;
    }
    setpgid(program, program);
    if (c->talk > 0) close(c->talk); // it ends with the program
    watch_program(c, program, life, to_caller);
    remove_nest(c, program, life);
}

static report hear_report(int from_keeper)
{
    report r = {CAROM_KEPT_FAILED, 0};
    ssize_t n;
    do n = read(from_keeper, &r, sizeof r);
    while (n < 0 && errno == EINTR);
    return n == sizeof r ? r : (report){CAROM_KEPT_FAILED, 0};
}

bool carom_keeper_start(carom_kept *kept, const carom_kept_command *command)
{
    int life[2], told[2];
    const long open_most = sysconf(_SC_OPEN_MAX);
    const int most = open_most > 0 && open_most < MOST_OPEN ? (int)open_most : MOST_OPEN;
    if (pipe2(life, O_CLOEXEC) != 0) return false;
    if (pipe2(told, O_CLOEXEC) != 0) {
        close(life[0]), close(life[1]);
        return false;
    }
    const pid_t keeper = fork();
    if (keeper == 0) {
        keep_program(command, most, life[0], told[1]);
        _exit(0);
    }
    const int error = errno;
    close(life[0]), close(told[1]);
    *kept = (carom_kept){(int)keeper, life[1], told[0]};
    if (keeper > 0) return true;
    close(life[1]), close(told[0]);
    errno = error;
    return false;
}

carom_kept_end carom_keeper_wait(carom_kept *kept)
{
    const report r = hear_report(kept->told);
    if (kept->life >= 0) close(kept->life);
    close(kept->told);
    while (waitpid(kept->keeper, NULL, 0) < 0 && errno == EINTR) continue;
    errno = r.error;
    return r.end;
}

carom_kept_end carom_keeper_stop(carom_kept *kept)
{
    close(kept->life);
    kept->life = -1;
    return carom_keeper_wait(kept);
}

carom_kept_end carom_keeper_run(const carom_kept_command *command)
{
    carom_kept kept;
    return carom_keeper_start(&kept, command) ? carom_keeper_wait(&kept) : CAROM_KEPT_NOT_STARTED;
}
