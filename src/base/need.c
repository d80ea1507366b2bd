// SPDX-License-Identifier: Apache-2.0
// Says which function was called wrongly, and how.
#include "base/need.h"

#include <stdarg.h>
#include <stdio.h>

carom_status carom_misuse(carom_error *error, const char *function, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return carom_fail(error, CAROM_BUG, "%s: %s", function, what);
}
