// SPDX-License-Identifier: Apache-2.0
// carom report -o FILM: pictures of runs.
#ifndef CAROM_CLI_COMMAND_REPORT_FILM_H
#define CAROM_CLI_COMMAND_REPORT_FILM_H

#include "arguments.h"

#include <carom/report.h>

/// Whether what is to be written is a film: .mp4, .gif, .png, a folder.
bool carom_report_wants_film(const char *path);
/// Whether pictures go to a folder.
bool carom_report_is_folder(const char *path);
/// False: said on stderr which option is for films only.
bool carom_report_options_fit(const carom_arguments *arguments, const char *path);
/// The exit code of the command.
int carom_report_film(const carom_arguments *arguments, const carom_access *access,
                      carom_results *const *run, int n_run, const char *path);

#endif
