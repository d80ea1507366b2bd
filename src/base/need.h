// SPDX-License-Identifier: Apache-2.0
// What a public function needs of its caller. Whoever breaks that is told which function and which
// argument, "carom_sim_new: options is NULL", with status CAROM_BUG; nothing crashes.
#ifndef CAROM_BASE_NEED_H
#define CAROM_BASE_NEED_H

#include "carom/base.h"

/// Fills error with "function: what"; returns CAROM_BUG.
carom_status carom_misuse(carom_error *error, const char *function, const char *format, ...)
    __attribute__((cold, noinline, format(printf, 3, 4)));

/// Returns from a public function where condition does not hold, with a formatted message.
#define CAROM_NEED_THAT(error, condition, ...)                                                     \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            return carom_misuse((error), __func__, __VA_ARGS__);                                   \
    } while (0)

/// Returns from a public function where a pointer is NULL that must not be.
#define CAROM_NEED(error, pointer) CAROM_NEED_THAT(error, pointer, "%s is NULL", #pointer)

/// The same of an array that need not be given where it has no members; n < 0 is wrong as well.
#define CAROM_NEED_ARRAY(error, array, n)                                                          \
    do {                                                                                           \
        CAROM_NEED_THAT(error, (n) >= 0, "%s is %ld", #n, (long)(n));                              \
        CAROM_NEED_THAT(error, (n) == 0 || (array), "%s is NULL", #array);                         \
    } while (0)

#endif
