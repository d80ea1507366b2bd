// SPDX-License-Identifier: Apache-2.0
// The known name that a mistyped one most likely meant.
#ifndef CAROM_CLI_GUESS_H
#define CAROM_CLI_GUESS_H

#include <stddef.h>

enum { CAROM_GUESS_ROOM = 64 };

typedef struct carom_guess {
    char wanted[CAROM_GUESS_ROOM];
    const char *best; ///< nearest name shown so far, or NULL
    int distance;
    const char *longer; ///< the shortest name that contains what was wanted, or NULL
} carom_guess;

carom_guess carom_guess_start(const char *wanted, size_t length);
void carom_guess_show(carom_guess *guess, const char *name);
/// The nearest name, where it is near enough to have been meant; else NULL.
const char *carom_guess_name(const carom_guess *guess);

#endif
