// SPDX-License-Identifier: Apache-2.0
// The watch on a running simulation: a progress bar on a terminal, and an ear for Ctrl-C.
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include <carom/sim.h>

#include <signal.h>

typedef struct carom_progress {
    const char *label;  ///< in front of the bar
    int n_run;          ///< > 0: t is a share of the work, and runs are counted, not steps
    bool is_shown;      ///< stderr is a terminal and the run is not quiet
    bool is_drawn;      ///< something stands on the line now
    double start, last; ///< clock at the first and the last look [s]
    double t_first;     ///< simulated time at the first look, for restarts [s]
    long n_first;       ///< steps at the first look
    sigset_t signals;   ///< held back while the run lasts
    sigset_t before;
} carom_progress;

/// Whether stderr is a terminal on which a line can be cleared.
bool carom_progress_has_terminal(void);
/// Shows nothing where stderr is no terminal. From here on Ctrl-C, SIGTERM and SIGHUP end a run in
/// good order.
void carom_progress_start(carom_progress *progress, const char *label, bool is_quiet);
carom_watch carom_progress_watch(carom_progress *progress);
/// Seconds by the clock on the wall, from some time on.
double carom_progress_clock(void);
/// Clears the line.
void carom_progress_clear(carom_progress *progress);
/// Clears the line and lets signals through again; one that came meanwhile is used up. Returns it,
/// or 0.
int carom_progress_end(carom_progress *progress);

#endif
