// SPDX-License-Identifier: Apache-2.0
// The watch on a running simulation: a progress bar (time, %, steps/s, time left) on stderr where
// that is a terminal, and an ear for Ctrl-C. Signals are held back during the run and looked for
// between steps, so that no handler and no global flag is needed, and a stopped run still closes
// its files.
#include "terminal/progress.h"
#include "terminal/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_STOPPING = sizeof stopping / sizeof stopping[0] };
static const double between_looks = 0.1; // [s]

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double carom_progress_clock(void)
{
    return now();
}

bool carom_progress_has_terminal(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void carom_progress_start(carom_progress *progress, const char *label, bool is_quiet)
{
    *progress = (carom_progress){
        .label = label, .is_shown = !is_quiet && carom_progress_has_terminal(), .n_first = -1};
    progress->start = progress->last = now();
    sigemptyset(&progress->signals);
    for (int i = 0; i < N_STOPPING; i++) {
        struct sigaction action;
        // a signal that our caller ignores (nohup) stays ignored
        if (sigaction(stopping[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&progress->signals, stopping[i]);
    }
    sigprocmask(SIG_BLOCK, &progress->signals, &progress->before);
}

static bool is_stop_wanted(const carom_progress *progress)
{
    sigset_t pending;
    if (sigpending(&pending) != 0) return false;
    for (int i = 0; i < N_STOPPING; i++)
        if (sigismember(&progress->signals, stopping[i]) == 1 &&
            sigismember(&pending, stopping[i]) == 1)
            return true;
    return false;
}

static void draw(carom_progress *p, double t, double end, long steps)
{
    char bar[BAR_WIDTH + 1];
    const double part = end > 0 && t < end ? t / end : 1;
    const double spent = p->last - p->start;
    const double gone = t - p->t_first;
    const double left = gone > 0 ? (end - t) * spent / gone : 0;
    const long seconds = left < 1e8 ? (long)(left + 0.5) : 0;
    const int full = (int)(part * BAR_WIDTH);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '=', (size_t)full);
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %3d%%  ", CAROM_PLAIN(p->label), bar, (int)(100 * part));
    if (p->n_run > 0)
        fprintf(stderr, "%ld of %d runs  %ld:%02ld left", steps, p->n_run, seconds / 60,
                seconds % 60);
    else
        fprintf(stderr, "t = %.4g of %.4g s  %.3g steps/s  %ld:%02ld left", t, end,
                (double)(steps - p->n_first) / spent, seconds / 60, seconds % 60);
    fflush(stderr);
    p->is_drawn = true;
}

static bool tick(void *self, double t, double end, long steps)
{
    carom_progress *p = self;
    const double clock = now();
    if (p->n_first < 0) {
        p->n_first = steps;
        p->t_first = t;
        p->start = p->last = clock;
        return is_stop_wanted(p);
    }
    if (clock - p->last < between_looks) return false;
    p->last = clock;
    if (p->is_shown) draw(p, t, end, steps);
    return is_stop_wanted(p);
}

carom_watch carom_progress_watch(carom_progress *progress)
{
    return (carom_watch){.self = progress, .tick = tick};
}

void carom_progress_clear(carom_progress *progress)
{
    if (progress->is_drawn) fputs("\r\033[K", stderr);
    progress->is_drawn = false;
}

int carom_progress_end(carom_progress *progress)
{
    int signal = 0;
    carom_progress_clear(progress);
    while (is_stop_wanted(progress) && sigwait(&progress->signals, &signal) == 0) continue;
    sigprocmask(SIG_SETMASK, &progress->before, NULL);
    return signal;
}
