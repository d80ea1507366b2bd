// SPDX-License-Identifier: Apache-2.0
// Impact laws by name.
#include "model/laws/laws_table.h"
#include "model/making/making.h"

#include <string.h>

carom_status carom_making_law(carom_making *making, carom_text text, carom_text tangential,
                              int *law)
{
#define X(name, NUMBER) #name,
    static const char *const name[] = {CAROM_LAWS(X)};
#undef X
#define X(name, NUMBER) CAROM_LAW_##NUMBER,
    static const int number[] = {CAROM_LAWS(X)};
#undef X
    int k = 0;
    *law = CAROM_LAW_NEWTON;
    if (!text.text) return CAROM_OK;
    while (k < (int)(sizeof number / sizeof *number) && strcmp(name[k], text.text) != 0) k++;
    if (k == (int)(sizeof number / sizeof *number))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "unknown impact law '%.60s' (newton, poisson, stronge or sequential)",
                             text.text);
    *law = number[k];
    if (!tangential.text || *law == CAROM_LAW_NEWTON) return CAROM_OK;
    return carom_fail_at(making->error, tangential.place, CAROM_BAD_INPUT,
                         "tangential restitution goes with law newton, not with %s (leave it out)",
                         name[k]);
}
