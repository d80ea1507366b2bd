// SPDX-License-Identifier: Apache-2.0
// Limits from inside: how code asks whether it may go on.
#ifndef CAROM_BASE_LIMITS_H
#define CAROM_BASE_LIMITS_H

#include "carom/limits.h"

/// The limits given, or where there are none the defaults.
const carom_limits *carom_limits_or_default(const carom_limits *limits);
/// "WHAT more than LIMIT nodes (--limit nodes=N allows more)"; returns CAROM_BAD_INPUT.
carom_status carom_limit_fail(carom_error *error, carom_place place, const char *what,
                              const char *name, double limit);

/// The time after so many seconds of work in this thread, and whether it has come.
double carom_deadline_in(double seconds);
bool carom_deadline_is_past(double deadline);

#endif
