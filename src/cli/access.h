// SPDX-License-Identifier: Apache-2.0
// What the command line lets files do: limits, folders, the installed parts.
#ifndef CAROM_CLI_ACCESS_H
#define CAROM_CLI_ACCESS_H

#include "arguments.h"
#include "paths.h"

#include <carom/limits.h>

/// Option rows of commands that read models. (--limit is an option of every command: arguments.c.)
#define CAROM_ACCESS_ROWS                                                                          \
    {                                                                                              \
        "allow-path", 0, "FOLDER", true, "read files that a model names below FOLDER too"          \
    }

/// Lives in one place: access points into it.
typedef struct carom_granted {
    carom_limits limits;
    carom_access access;
    char parts[CAROM_PATH_ROOM];
} carom_granted;

/// Reads --limit alone. false: said on stderr what is wrong.
bool carom_limits_read(carom_limits *limits, const carom_arguments *arguments);
/// Reads --limit and --allow-path. false: said on stderr what is wrong.
bool carom_granted_read(carom_granted *granted, const carom_arguments *arguments);
void carom_granted_free(carom_granted *granted);

#endif
