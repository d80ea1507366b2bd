// SPDX-License-Identifier: Apache-2.0
// Texts into files.
#ifndef CAROM_CLI_WRITTEN_H
#define CAROM_CLI_WRITTEN_H

#include <stdbool.h>

/// Writes a file, whole or not at all; links and devices are written in place, so that they stay
/// what they are. false: said on stderr.
bool carom_written_whole(const char *path, const char *text);

#endif
