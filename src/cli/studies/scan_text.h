// SPDX-License-Identifier: Apache-2.0
// What is asked of a study, written down: as the identity that its store keeps, and as a study
// file.
#ifndef CAROM_CLI_SCAN_TEXT_H
#define CAROM_CLI_SCAN_TEXT_H

#include "job.h"

/// All options that change numbers, one line each, to be freed; NULL where memory runs out.
char *carom_scan_identity(const carom_job *job);
/// Writes a study file that asks for the same ("-" = standard output). false: said.
bool carom_scan_write_study(const carom_job *job, const char *path);

#endif
