// SPDX-License-Identifier: Apache-2.0
// A program that is started, waited for, and never left behind.
#ifndef CAROM_BASE_KEEPER_H
#define CAROM_BASE_KEEPER_H

#include "carom/base.h"

typedef struct carom_kept_command {
    const char *const *word;   ///< the program and its arguments, ended by NULL; no shell
    const char *log;           ///< receives what it prints
    const char *const *litter; ///< files, then their folder, ended by NULL: removed where the
                               ///< caller dies while it waits
    const char *nest;          ///< a folder that goes with all in it when program and caller have
                               ///< ended, or the caller has heard of it; NULL = none
    int talk;                  ///< a descriptor that the program gets, 0 = none ...
    int talk_as[2];            ///< ... under these two numbers (which may be the same)
    double seconds;            ///< that it may take; infinity = any
    double bytes;              ///< of memory for each of its processes; infinity = any
} carom_kept_command;

/// How it went.
typedef enum carom_kept_end {
    CAROM_KEPT_DONE,        ///< with exit code 0
    CAROM_KEPT_FAILED,      ///< otherwise
    CAROM_KEPT_TOO_LONG,    ///< ended by us
    CAROM_KEPT_NOT_STARTED, ///< errno says why
} carom_kept_end;

/// Runs the command with all its children in a process group of its own. They are ended when the
/// time is over, and when the caller dies, however that happens.
carom_kept_end carom_keeper_run(const carom_kept_command *command);

/// A program that runs beside its caller.
typedef struct carom_kept {
    int keeper, life, told;
} carom_kept;
/// Starts it; false: errno says why. That the program itself is missing is told by the other two.
bool carom_keeper_start(carom_kept *kept, const carom_kept_command *command);
/// Waits for its end.
carom_kept_end carom_keeper_wait(carom_kept *kept);
/// Ends it, if it has not ended.
carom_kept_end carom_keeper_stop(carom_kept *kept);

#endif
