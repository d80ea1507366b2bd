// SPDX-License-Identifier: Apache-2.0
// Names of columns in two spellings: in full (x[3], crank.x), and as CSV files have them (x_3,
// crank_x), which every program takes for a name.
#ifndef CAROM_BASE_CSV_NAMES_H
#define CAROM_BASE_CSV_NAMES_H

#include "carom/base.h"

/// Whether both are the same name in CSV files, so that one may be written for the other.
bool carom_csv_names_match(const char *a, const char *b);

#endif
