// SPDX-License-Identifier: Apache-2.0
// What people write out of habit from other languages and from paper, and how it is written here:
// the way out at the end of messages.
#ifndef CAROM_EXPR_HABITS_H
#define CAROM_EXPR_HABITS_H

#include "expr/text/syntax.h"

/// "; write der(x) for a time derivative", and the like, for a function that does not exist; NULL
/// where nothing is known of the name.
const char *carom_habit_function(const char *name);
/// The same for a plain name (time, PI).
const char *carom_habit_name(const char *name);
/// The same for a number (its text and value) that a name follows: "; write deg(30)". Returns
/// buffer, "" where the name is no unit.
const char *carom_habit_unit(const char *number, double value, const char *name, char *buffer,
                             size_t room);
/// Where a name is that of a known one with a mark of a rate on it (xdot, dx, v_x): "; the rate of
/// 'x' is der(x)". Returns buffer, else "".
const char *carom_habit_rate(const carom_names *names, const char *name, const int *index,
                             int n_index, char *buffer, size_t room);

#endif
