// SPDX-License-Identifier: Apache-2.0
// Makes an HDF5 file from the journal of a run.
#ifndef CAROM_OUTPUT_HDF5_H
#define CAROM_OUTPUT_HDF5_H

#include "output/output.h"

/// Writes the file path, which exists and is empty; leaves it unusable where that fails.
carom_status carom_hdf5_make(const carom_output *output, const carom_closing *closing,
                             const char *path, carom_error *error);

#endif
