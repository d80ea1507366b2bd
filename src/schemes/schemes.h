// SPDX-License-Identifier: Apache-2.0
// What scheme files declare.
#ifndef CAROM_SCHEMES_SCHEMES_H
#define CAROM_SCHEMES_SCHEMES_H

#include "carom/extend.h"
#include "schemes/table.h"

#define CAROM_DECLARE_SCHEME(name) extern const carom_scheme carom_scheme_##name;
CAROM_SCHEMES(CAROM_DECLARE_SCHEME)

#endif
