// SPDX-License-Identifier: Apache-2.0
// Errors and warnings: one line each on stderr.
#ifndef CAROM_CLI_MESSAGE_H
#define CAROM_CLI_MESSAGE_H

/// "file:line:column: message"; on a terminal with a (coloured) "error:" in front.
void carom_message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// "note: message", of what is as it should be and yet not as the file asks.
void carom_message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// "warning: message", coloured on a terminal only.
void carom_message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Warns that results are not whole; nothing where why is "".
void carom_message_cut_off(const char *path, const char *why);

#endif
