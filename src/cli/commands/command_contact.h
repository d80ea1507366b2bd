// SPDX-License-Identifier: Apache-2.0
// The parts of carom contact.
#ifndef CAROM_CLI_COMMAND_CONTACT_H
#define CAROM_CLI_COMMAND_CONTACT_H

#include "access.h"

#include <carom/contact_file.h>

/// Each takes the words after its own; returns the exit code.
int carom_contact_info_files(const carom_arguments *arguments, int n, const char *const *path);
int carom_contact_solve_files(const carom_arguments *arguments, int n, const char *const *path);
int carom_contact_convert(const carom_arguments *arguments, int n, const char *const *path);

/// How files are read.
typedef struct carom_contact_reading {
    carom_file_kind kind; ///< --kind, any where it is not given
    carom_limits limits;  ///< --limit
} carom_contact_reading;
/// From the command line. false: said on stderr.
bool carom_contact_reading_of(const carom_arguments *arguments, carom_contact_reading *how);
/// Reads a file; NULL: said on stderr.
carom_contact_file *carom_contact_open(const char *path, const carom_contact_reading *how);

#endif
