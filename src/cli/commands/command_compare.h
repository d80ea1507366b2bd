// SPDX-License-Identifier: Apache-2.0
// The two forms of carom compare.
#ifndef CAROM_CLI_COMMAND_COMPARE_H
#define CAROM_CLI_COMMAND_COMPARE_H

#include "arguments.h"

/// One model with several schemes; returns the exit code.
int carom_compare_schemes(const carom_arguments *arguments);
/// Two CSV files; returns the exit code.
int carom_compare_files(const carom_arguments *arguments);

#endif
