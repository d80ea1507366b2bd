// SPDX-License-Identifier: Apache-2.0
// Words of a text in memory, with their places, one after the other. Made for files of many
// numbers: nothing is copied but the word at hand.
#ifndef CAROM_SHAPES_SCAN_H
#define CAROM_SHAPES_SCAN_H

#include "carom/base.h"

/// A word that is longer is cut off here; no number is.
enum { CAROM_SCAN_WORD = 80 };

typedef struct carom_scan {
    const char *file, *text;
    size_t length, at;
    int line;
    size_t line_start;
    char word[CAROM_SCAN_WORD];
    carom_place place; ///< of the word
} carom_scan;

carom_scan carom_scan_begin(const char *file, const char *text, size_t length);
/// The next word on this line, ended by blanks (or a character of `also`, which is skipped); false
/// at its end or where # begins a remark.
bool carom_scan_word(carom_scan *scan, const char *also);
/// Goes to the next line; false at the end of the text.
bool carom_scan_line(carom_scan *scan);
/// The word as a finite number.
carom_status carom_scan_number(const carom_scan *scan, double *value, carom_error *error);
/// An error at the word, or at the end of the line where there was none.
carom_place carom_scan_here(const carom_scan *scan);

#endif
