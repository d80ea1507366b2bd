// SPDX-License-Identifier: Apache-2.0
// An ordinary file, opened for reading. A pipe or a device under the name of a result would make us
// wait for its writer, or never end.
#ifndef CAROM_BASE_PLAINFILE_H
#define CAROM_BASE_PLAINFILE_H

#include "base/limits.h"

#include <stdio.h>

/// Opens path. CAROM_IO where it cannot be read or is no ordinary file, CAROM_BAD_INPUT where it
/// has more than limits->result_bytes (limits NULL: any size).
carom_status carom_plainfile_open(const char *path, const carom_limits *limits, FILE **file,
                                  carom_error *error);

#endif
