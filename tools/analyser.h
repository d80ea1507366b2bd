// SPDX-License-Identifier: Apache-2.0
// What clang's analyser cannot see, told to it: it looks into no function with "...", so it takes what
// carom_fail returns for a possible CAROM_OK. Only make tidy includes this, before every source.
#include "../include/carom/base.h"

static inline carom_status carom_failed(carom_status returned, carom_status status)
{
    (void)returned;
    return status;
}
#define carom_fail(error, status, ...) carom_failed(carom_fail(error, status, __VA_ARGS__), status)
#define carom_fail_at(error, place, status, ...)                                                   \
    carom_failed(carom_fail_at(error, place, status, __VA_ARGS__), status)
