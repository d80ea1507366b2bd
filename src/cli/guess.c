// SPDX-License-Identifier: Apache-2.0
// The known name that a mistyped one most likely meant: least number of letters added, left out or
// replaced; or a longer name of which it is a part.
#include "guess.h"

#include <stdbool.h>
#include <string.h>

enum { SHORTEST_PART = 3 }; // of a name, to be taken for it

carom_guess carom_guess_start(const char *wanted, size_t length)
{
    carom_guess guess = {.distance = CAROM_GUESS_ROOM};
    if (length < CAROM_GUESS_ROOM) memcpy(guess.wanted, wanted, length);
    return guess;
}

// one row of the table of distances is kept, and the entry before it on the diagonal
static int distance(const char *a, const char *b)
{
    int row[CAROM_GUESS_ROOM];
    const int n = (int)strlen(b);
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 1; j <= n; j++) {
            const int replaced = diagonal + (a[i] != b[j - 1]);
            const int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[n];
}

void carom_guess_show(carom_guess *guess, const char *name)
{
    if (!guess->wanted[0] || strlen(name) >= CAROM_GUESS_ROOM) return;
    if (strlen(guess->wanted) >= SHORTEST_PART && strstr(name, guess->wanted) &&
        (!guess->longer || strlen(name) < strlen(guess->longer)))
        guess->longer = name;
    const int d = distance(guess->wanted, name);
    if (d >= guess->distance) return;
    guess->distance = d;
    guess->best = name;
}

const char *carom_guess_name(const carom_guess *guess)
{
    const int length = (int)strlen(guess->wanted);
    const bool is_near = guess->distance <= 1 + length / 3 && guess->distance < length;
    return is_near ? guess->best : guess->longer;
}
