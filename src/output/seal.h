// SPDX-License-Identifier: Apache-2.0
// The seal of an HDF5 file: 64 bytes behind its end, which HDF5 does not look at, say how long the
// file is and what its bytes add up to. Any damage is noticed before libhdf5 sees the file, in its
// structure as in its numbers. A program that changes the file cuts the seal off.
//
//     "CAROM results, sealed\n", up to byte 32 | length of the file | sum of all before the seal
#ifndef CAROM_OUTPUT_SEAL_H
#define CAROM_OUTPUT_SEAL_H

#include "carom/base.h"

enum { CAROM_SEAL_BYTES = 64 };

/// Seals a file that is whole, or anew; false where reading or writing fails.
bool carom_seal_put(int descriptor);
/// CAROM_BAD_INPUT where a file has a seal that is broken; files without one are older, or of
/// others, and are not judged here.
carom_status carom_seal_check(const char *path, carom_error *error);

#endif
