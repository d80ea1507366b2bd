// SPDX-License-Identifier: Apache-2.0
// Names that are nearly right, and numbers as text.
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include "carom/base.h"

/// Keeps the nearest of the names it has been shown, and the shortest that contains what is wanted.
typedef struct carom_nearest {
    const char *wanted;
    const char *name; ///< best so far, or NULL
    int distance;
    const char *longer; ///< or NULL
} carom_nearest;

carom_nearest carom_nearest_to(const char *wanted);
void carom_nearest_try(carom_nearest *nearest, const char *name);
/// The best name where it is near enough to be what was meant, else NULL.
const char *carom_nearest_name(const carom_nearest *nearest);
/// " (did you mean 'name'?)" into buffer, or "" where nothing is near. Returns buffer.
const char *carom_nearest_hint(const carom_nearest *nearest, char *buffer, size_t room);

/// Whether text is longer than ending and ends with it.
bool carom_text_ends(const char *text, const char *ending);
/// The bytes of the UTF-8 character at text; 0 where what stands there is none.
int carom_text_character(const char *text);

/// strtod with a decimal point, also where the caller has set a locale with a decimal comma.
double carom_text_strtod(const char *text, char **end);
/// Reads a whole text as a plain decimal number.
bool carom_text_number(const char *text, double *value);
/// A number with 17 significant digits, as short as possible if that reads back the same. Returns
/// buffer (>= 32).
const char *carom_number_text(double value, char *buffer, size_t room);

#endif
