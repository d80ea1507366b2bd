// SPDX-License-Identifier: Apache-2.0
// Option rows: declared once by a method, drawn on by everything that reads or shows options.
#ifndef CAROM_BASE_OPTIONS_H
#define CAROM_BASE_OPTIONS_H

#include "carom/base.h"

/// Number of rows (option may be NULL).
int carom_options_count(const carom_option *option);
/// Fills value (count) with the defaults.
void carom_options_default(const carom_option *option, double *value);
/// Reads one setting into its place in value. An unknown name, a wrong word or a number out of
/// range is CAROM_BAD_INPUT, with the owner's name ("scheme moreau_jean") in the message and what
/// is allowed.
carom_status carom_options_set(const carom_option *option, const char *owner,
                               const carom_setting *setting, double *value, carom_error *error);

#endif
