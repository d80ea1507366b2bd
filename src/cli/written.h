// SPDX-License-Identifier: Apache-2.0
// Files that are there whole or not at all.
#ifndef CAROM_CLI_WRITTEN_H
#define CAROM_CLI_WRITTEN_H

#include "paths.h"

#include <stdbool.h>
#include <stdio.h>

/// A file that is written beside its place and moved there. A link stays, and what it leads to is
/// replaced; devices are written in place.
typedef struct carom_written {
    FILE *file;
    const char *path;             ///< as it was given
    char target[CAROM_PATH_ROOM]; ///< where it leads to
    char beside[CAROM_PATH_ROOM + 32];
    bool is_in_place;
} carom_written;

/// false: said on stderr.
bool carom_written_open(carom_written *written, const char *path);
bool carom_written_close(carom_written *written);

/// Writes a text.
bool carom_written_whole(const char *path, const char *text);

#endif
