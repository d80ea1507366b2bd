// SPDX-License-Identifier: Apache-2.0
// A text file as words between white space, each with its line and column.
#ifndef CAROM_CONTACT_FILES_TOKENS_H
#define CAROM_CONTACT_FILES_TOKENS_H

#include "carom/limits.h"

/// A position in a text. Copy it to come back.
typedef struct carom_tokens {
    const char *name;     ///< of the file, for errors
    const char *at, *end; ///< what is left
    const char *line_start;
    int line;
    const carom_limits *limits;
    carom_error *error;
} carom_tokens;

carom_tokens carom_tokens_of(const char *name, const char *text, size_t size,
                             const carom_limits *limits, carom_error *error);
/// Moves to the next word. False at the end.
bool carom_tokens_more(carom_tokens *tokens);
/// An error at the next word.
carom_status carom_tokens_fail(carom_tokens *tokens, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Fails where fewer than count words can be left, so that sizes in a file cannot ask for memory
/// that its content does not justify. what is the thing that needs them.
carom_status carom_tokens_need(carom_tokens *tokens, double count, const char *what);

/// The next word as a number, which must be finite.
carom_status carom_tokens_number(carom_tokens *tokens, const char *what, double *value);
carom_status carom_tokens_numbers(carom_tokens *tokens, const char *what, int n, double *value);
/// The next word as a whole number from low to high.
carom_status carom_tokens_integer(carom_tokens *tokens, const char *what, int low, int high,
                                  int *value);
/// The next word as a number of rows or unknowns, within the limits.
carom_status carom_tokens_size(carom_tokens *tokens, const char *what, int *value);
/// The next word must be this one.
carom_status carom_tokens_word(carom_tokens *tokens, const char *word);
/// Whether the next word starts so.
bool carom_tokens_starts(carom_tokens *tokens, const char *start);
/// Leaves out the rest of the line.
void carom_tokens_skip_line(carom_tokens *tokens);

#endif
