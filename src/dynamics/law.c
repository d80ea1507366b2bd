// SPDX-License-Identifier: Apache-2.0
// Names of impact laws, for messages.
#include "dynamics/law.h"

#include "model/laws/laws_table.h"

#include <stdio.h>

const char *carom_law_word(int law, char *buffer, size_t room)
{
#define X(name, NUMBER) [CAROM_LAW_##NUMBER] = #name,
    static const char *const word[] = {[CAROM_LAW_DISC] = "disc", CAROM_LAWS(X)};
#undef X
    if (law >= 0 && (size_t)law < sizeof word / sizeof *word) return word[law];
    snprintf(buffer, room, "%d", law);
    return buffer;
}
