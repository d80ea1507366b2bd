// SPDX-License-Identifier: Apache-2.0
// Measures the restitution of one contact at the start of a model.
#ifndef CAROM_CLI_RESTITUTION_H
#define CAROM_CLI_RESTITUTION_H

#include <carom/extend.h>

/// Makes this contact alone close at 1 m/s, lets the contact law act, and gives the ratio of the
/// rate after to the rate before. *measured is not a number where the contact cannot be made to
/// close (no rows, or locked by the constraints). eval must hold CAROM_MASS and CAROM_ROWS.
carom_status carom_restitution_measure(const carom_eval *eval, int contact, double *measured,
                                       carom_error *error);

#endif
