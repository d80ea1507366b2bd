// SPDX-License-Identifier: Apache-2.0
// Arrays as numpy.load reads them: .npy pieces in a zip file without compression.
#ifndef CAROM_BASE_NPZ_H
#define CAROM_BASE_NPZ_H

#include "base/files/wholefile.h"

typedef struct carom_npz {
    FILE *out;
    FILE *directory; ///< the zip's, written behind the pieces
    char *listed;
    size_t n_listed;
    unsigned long at;
    int n;
} carom_npz;

/// Writes to an open stream; false without memory.
bool carom_npz_begin(carom_npz *npz, FILE *out);
/// A matrix of doubles, by rows.
bool carom_npz_matrix(carom_npz *npz, const char *name, const double *value, int n_row,
                      int n_column);
/// A list of texts (UTF-8).
bool carom_npz_texts(carom_npz *npz, const char *name, char *const *text, int n);
/// Writes what is left; frees.
bool carom_npz_end(carom_npz *npz);

#endif
