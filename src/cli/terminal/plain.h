// SPDX-License-Identifier: Apache-2.0
// Texts of files on standard output.
#ifndef CAROM_CLI_PLAIN_H
#define CAROM_CLI_PLAIN_H

#include <stddef.h>

/// A copy (cut off where it is longer than room) that can neither steer the terminal nor break the
/// line; NULL gives "". Returns buffer.
const char *carom_plain(const char *text, char *buffer, size_t room);
/// The same in a buffer that lives as long as the block around.
#define CAROM_PLAIN(text) carom_plain((text), (char[1024]){0}, 1024)

#endif
