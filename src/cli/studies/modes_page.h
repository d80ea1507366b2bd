// SPDX-License-Identifier: Apache-2.0
// Modes as a page: a click on a frequency shows its shape moving.
#ifndef CAROM_CLI_MODES_PAGE_H
#define CAROM_CLI_MODES_PAGE_H

#include "job.h"

#include <carom/analysis.h>

/// amplitude: of the largest part of a shape; 0 = a tenth of the model's extent, at most 0.3 rad.
bool carom_modes_page(const carom_job *job, const carom_modes *modes, double amplitude,
                      const char *path);

#endif
