// SPDX-License-Identifier: Apache-2.0
// A file that is written whole or not at all: beside its target, moved there at the end.
#ifndef CAROM_BASE_WHOLEFILE_H
#define CAROM_BASE_WHOLEFILE_H

#include "base/files/filelock.h"

#include <stdio.h>

typedef struct carom_wholefile {
    FILE *stream;
    char *target, *beside; ///< beside is NULL for a device, which is written as it is
    carom_filelock lock;   ///< of the target
} carom_wholefile;

/// Fails where somebody else is writing the file.
carom_status carom_wholefile_open(carom_wholefile *file, const char *path, carom_error *error);
/// For sinks of text: self is the carom_wholefile; false where the write failed.
bool carom_wholefile_write(void *self, const char *text, size_t length);
/// Closes, and moves the file to its target where status is CAROM_OK and all was written; removes
/// it otherwise. Returns status, or what went wrong.
carom_status carom_wholefile_close(carom_wholefile *file, carom_status status, carom_error *error);

#endif
