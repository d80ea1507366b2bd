// SPDX-License-Identifier: Apache-2.0
// The table of claims on a terminal.
#ifndef CAROM_CLI_COMMAND_REPRODUCE_TABLE_H
#define CAROM_CLI_COMMAND_REPRODUCE_TABLE_H

#include <carom/reproduce.h>

/// Prints claim, published, obtained and verdict of every claim that was run, and the counts.
void carom_reproduce_table(carom_paper *const *paper, int n);

#endif
