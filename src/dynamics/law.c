// SPDX-License-Identifier: Apache-2.0
// Names of impact laws, for messages.
#include "dynamics/law.h"

#include <stdio.h>

const char *carom_law_word(int law, char *buffer, size_t room)
{
    static const char *const word[] = {[CAROM_LAW_NEWTON] = "newton", [CAROM_LAW_DISC] = "disc"};
    if (law >= 0 && (size_t)law < sizeof word / sizeof *word) return word[law];
    snprintf(buffer, room, "%d", law);
    return buffer;
}
