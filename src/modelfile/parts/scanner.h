// SPDX-License-Identifier: Apache-2.0
// Words of a text file of numbers, line by line: separated by blanks or commas.
#ifndef CAROM_MODELFILE_SCANNER_H
#define CAROM_MODELFILE_SCANNER_H

#include "modelfile/source.h"

enum { CAROM_SCANNER_WORD = 64 };

typedef struct carom_scanner {
    const char *next, *line; ///< where it stands, and where this line began
    carom_place place;       ///< of the last word
    char word[CAROM_SCANNER_WORD];
} carom_scanner;

carom_scanner carom_scanner_of(const carom_source *source);
/// Goes to the next line that holds words and does not begin with the letter that marks comments;
/// false at the end.
bool carom_scanner_line(carom_scanner *scanner, char comment);
/// The next word of this line; false where there is none. A word that is too long is cut.
bool carom_scanner_word(carom_scanner *scanner);
/// The next word as a finite number, or a whole one from 1 to most.
carom_status carom_scanner_number(carom_scanner *scanner, const char *what, double *value,
                                  carom_error *error);
carom_status carom_scanner_count(carom_scanner *scanner, const char *what, double most, int *value,
                                 carom_error *error);

#endif
