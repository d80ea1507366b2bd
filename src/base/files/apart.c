// SPDX-License-Identifier: Apache-2.0
// A process of its own for work that may go wrong:
//
//     caller ──question──> process        a question has a fixed length,
//            <──answer────                an answer its length in front
//
// The process is a copy of the caller (fork), with a limit of memory, no signal handlers, and
// nothing that it prints seen. It ends with its caller. The caller waits for an answer as long as
// the process has not used its share of processor time, but uses some: a hang is told from a loaded
// machine, and a process that waits for what never comes is one too.
#define _GNU_SOURCE // clock_getcpuclockid, prctl
#include "base/files/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A sanitizer's allocator does not return NULL at a limit of memory that it knows nothing of: it
// reports, needs memory for the report, and may then wait for itself. Its builds have no such
// limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define HAS_OWN_MALLOC
#endif
#endif

enum { LOOK_MS = 100, IDLE = 6 }; // without any work it may be for so many times its seconds

struct carom_apart {
    pid_t process;
    int line; // both ways
    carom_apart_work work;
    char trouble[80];
};

void carom_apart_put(carom_apart_answer *answer, const void *bytes, size_t n)
{
    if (answer->is_short || n == 0) return;
    answer->is_short = n > answer->most - answer->n;
    if (answer->is_short) return;
    if (n > answer->room - answer->n) {
        const size_t room = answer->n + n + answer->n / 2;
        unsigned char *larger = realloc(answer->bytes, room);
        answer->is_short = !larger;
        if (!larger) return;
        answer->bytes = larger;
        answer->room = room;
    }
    memcpy(answer->bytes + answer->n, bytes, n);
    answer->n += n;
}

// ---- both sides ----

static bool send_all(int line, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        const ssize_t sent = send(line, at, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool receive(int line, void *bytes, size_t n)
{
    for (char *at = bytes; n > 0;) {
        const ssize_t got = recv(line, at, n, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

// ---- the process ----

static void limit_memory(double bytes)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
#ifdef HAS_OWN_MALLOC
    (void)bytes;
#else
    // what the caller has already does not count
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    const double most = (double)pages * (double)sysconf(_SC_PAGESIZE) + bytes;
    const struct rlimit memory = {(rlim_t)most, (rlim_t)most};
    if (pages > 0 && most < 9e18) setrlimit(RLIMIT_AS, &memory);
#endif
}

static void forget_caller(pid_t caller)
{
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT,
                              SIGPIPE, SIGTERM, SIGXCPU, SIGALRM, SIGCHLD};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) signal(own[i], SIG_DFL);
    signal(SIGINT, SIG_IGN); // who is asked to stop is the caller
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != caller) _exit(1);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; nowhere >= 0 && fd < 3; fd++) dup2(nowhere, fd);
}

static void serve(const carom_apart_work *work, int line)
{
    unsigned char *question = malloc(work->question_bytes);
    while (question && receive(line, question, work->question_bytes)) {
        carom_apart_answer answer = {.most = work->bytes < 1e18 ? (size_t)work->bytes : SIZE_MAX};
        work->answer(work->self, question, &answer);
        const uint64_t n = answer.n;
        const bool is_sent = !answer.is_short && send_all(line, &n, sizeof n) &&
                             send_all(line, answer.bytes, answer.n);
        free(answer.bytes);
        if (!is_sent) _exit(1);
    }
}

carom_apart *carom_apart_new(const carom_apart_work *work)
{
    int line[2];
    carom_apart *apart = calloc(1, sizeof *apart);
    if (!apart) return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0) {
        free(apart);
        return NULL;
    }
    const pid_t caller = getpid(), process = fork();
    if (process == 0) {
        close(line[0]);
        forget_caller(caller);
        limit_memory(work->bytes);
        serve(work, line[1]);
        _exit(0);
    }
    const int cause = errno;
    close(line[1]);
    *apart = (carom_apart){.process = process, .line = line[0], .work = *work};
    if (process > 0) return apart;
    close(line[0]);
    free(apart);
    errno = cause;
    return NULL;
}

// ---- the caller ----

static void end_process(carom_apart *apart, int *state)
{
    if (apart->process <= 0) return;
    *state = 0;
    kill(apart->process, SIGKILL);
    while (waitpid(apart->process, state, 0) < 0 && errno == EINTR) continue;
    apart->process = 0;
}

void carom_apart_free(carom_apart *apart)
{
    int state;
    if (!apart) return;
    end_process(apart, &state);
    close(apart->line);
    free(apart);
}

const char *carom_apart_trouble(const carom_apart *apart)
{
    return apart->trouble;
}

static double processor_time(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// whether the line has something to read (or its end), before the process has used up its time
static bool wait_for_answer(carom_apart *apart)
{
    clockid_t clock;
    if (clock_getcpuclockid(apart->process, &clock) != 0) clock = CLOCK_MONOTONIC;
    const double start = processor_time(clock);
    double last = start, last_change = processor_time(CLOCK_MONOTONIC);
    const double most = apart->work.seconds, most_idle = IDLE * most;
    struct pollfd line = {.fd = apart->line, .events = POLLIN};
    for (;;) {
        const int ready = poll(&line, 1, LOOK_MS);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        const double now = processor_time(CLOCK_MONOTONIC), used = processor_time(clock);
        if (used > last) last_change = now;
        last = used;
        if (used - start <= most && now - last_change <= most_idle) continue;
        snprintf(apart->trouble, sizeof apart->trouble, "it took longer than %g s",
                 used - start > most ? most : most_idle);
        return false;
    }
}

// the answer came not, or not whole
static bool give_up(carom_apart *apart)
{
    int state = 0;
    const bool is_known = apart->trouble[0] != 0;
    if (apart->process > 0 && !is_known) { // it has ended by itself, or is about to
        while (waitpid(apart->process, &state, 0) < 0 && errno == EINTR) continue;
        apart->process = 0;
    }
    end_process(apart, &state);
    if (is_known) return false;
    if (WIFSIGNALED(state))
        snprintf(apart->trouble, sizeof apart->trouble, "it made the reader crash (signal %d)",
                 WTERMSIG(state));
    else
        snprintf(apart->trouble, sizeof apart->trouble, "the reader ran out of memory");
    return false;
}

bool carom_apart_ask(carom_apart *apart, const void *question, void **answer, size_t *n)
{
    uint64_t length = 0;
    *answer = NULL;
    *n = 0;
    if (apart->process <= 0) return false;
    if (!send_all(apart->line, question, apart->work.question_bytes) || !wait_for_answer(apart) ||
        !receive(apart->line, &length, sizeof length))
        return give_up(apart);
    *answer = (double)length <= apart->work.bytes ? malloc((size_t)length + 1) : NULL;
    if (!*answer)
        snprintf(apart->trouble, sizeof apart->trouble, "there is not enough memory for it");
    if (!*answer || !receive(apart->line, *answer, (size_t)length)) {
        free(*answer);
        *answer = NULL;
        return give_up(apart);
    }
    ((char *)*answer)[length] = 0;
    *n = (size_t)length;
    return true;
}
