// SPDX-License-Identifier: Apache-2.0
// One writer for each file: whoever writes a file holds the lock of its name.
#ifndef CAROM_BASE_FILELOCK_H
#define CAROM_BASE_FILELOCK_H

#include "carom/base.h"

typedef struct carom_filelock {
    int descriptor;
    char *path; ///< NULL = not held
} carom_filelock;

/// Takes the lock of target, or fails (CAROM_BAD_INPUT) where another run has it.
carom_status carom_filelock_take(carom_filelock *lock, const char *target, carom_error *error);
/// Gives it back; a lock that is not held (all zero) may be given back too.
void carom_filelock_release(carom_filelock *lock);

#endif
