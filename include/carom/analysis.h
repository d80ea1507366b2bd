// SPDX-License-Identifier: Apache-2.0
// Comparing runs.
#ifndef CAROM_ANALYSIS_H
#define CAROM_ANALYSIS_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest difference of one column between two CSV files.
typedef struct carom_column_difference {
    char name[96];
    double largest; ///< |a - b|
    double at;      ///< value of the first column (t) there
} carom_column_difference;

typedef struct carom_comparison {
    int n_column;
    carom_column_difference *column; ///< (n_column)
    long n_row;                      ///< rows compared
    double largest;
} carom_comparison;
/// Compares column by column, by name, row by row. Different columns or numbers of rows are CAROM_BAD_INPUT.
CAROM_API carom_status carom_compare_csv(const char *path_a, const char *path_b, carom_comparison *result,
                                         carom_error *error);
CAROM_API void carom_comparison_free(carom_comparison *result);

#ifdef __cplusplus
}
#endif
#endif
