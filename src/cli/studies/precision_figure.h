// SPDX-License-Identifier: Apache-2.0
// The work-precision figure of carom converge.
#ifndef CAROM_CLI_PRECISION_FIGURE_H
#define CAROM_CLI_PRECISION_FIGURE_H

#include <carom/analysis.h>

/// Errors over processor time, one curve for each scheme.
carom_status carom_precision_draw(const carom_study *study, const char *const *scheme, int n_scheme,
                                  const char *title, const char *path, carom_error *error);

#endif
