// SPDX-License-Identifier: Apache-2.0
// The table of schemes: carom_scheme_find by name, and the list that `carom list schemes` prints.
#include "schemes/schemes.h"

#include "carom/sim.h"
#include "schemes/schemes_table.h"

#include <string.h>

#define ROW(name) &carom_scheme_##name,
static const carom_scheme *const table[] = {CAROM_SCHEMES(ROW)};

int carom_scheme_count(void)
{
    return (int)(sizeof table / sizeof *table);
}

const carom_scheme *carom_scheme_at(int i)
{
    return i >= 0 && i < carom_scheme_count() ? table[i] : NULL;
}

const carom_scheme *carom_scheme_find(const char *name)
{
    for (int i = 0; name && i < carom_scheme_count(); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
