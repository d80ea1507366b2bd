// SPDX-License-Identifier: Apache-2.0
// The parts of carom contact.
#ifndef CAROM_CLI_CONTACT_H
#define CAROM_CLI_CONTACT_H

#include "arguments.h"

#include <carom/contact_file.h>

/// Each takes the words after its own; returns the exit code.
int carom_contact_info_files(const carom_arguments *arguments, int n, const char *const *path);
int carom_contact_solve_files(const carom_arguments *arguments, int n, const char *const *path);
int carom_contact_convert(const carom_arguments *arguments, int n, const char *const *path);

/// The kind given by --kind (any where it is not given). false: said on stderr.
bool carom_contact_kind(const carom_arguments *arguments, carom_file_kind *kind);
/// Reads a file; NULL: said on stderr.
carom_contact_file *carom_contact_open(const char *path, carom_file_kind kind);

#endif
