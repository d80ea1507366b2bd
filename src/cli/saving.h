// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a running simulation: one at the start, one every so many seconds, one at the end.
// Before each, what was recorded is made lasting, so that a run can go on from its last checkpoint
// whenever the process is killed.
#ifndef CAROM_CLI_SAVING_H
#define CAROM_CLI_SAVING_H

#include <carom/output.h>

enum { CAROM_SAVING_OUTPUTS = 2 };

typedef struct carom_saving {
    const char *path;      ///< NULL = no checkpoints
    double every;          ///< wall time between two [s]
    carom_lock *lock;      ///< of path
    carom_sim *sim;        ///< borrowed, as the outputs
    carom_output **output; ///< (CAROM_SAVING_OUTPUTS), NULL where there is none
    double last;           ///< wall time of the last [s]
    bool has_failed;       ///< and told so
    carom_watch inner;     ///< the progress bar
} carom_saving;

/// Takes the lock of the path; false: said on stderr.
bool carom_saving_open(carom_saving *saving);
/// A checkpoint now; false: said on stderr. The one before stays then.
bool carom_saving_write(carom_saving *saving);
/// Makes the first checkpoint, and a watch that makes the others and calls inner.
carom_watch carom_saving_watch(carom_saving *saving, carom_watch inner);
void carom_saving_close(carom_saving *saving);

#endif
