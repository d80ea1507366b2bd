// SPDX-License-Identifier: Apache-2.0
// Units of coordinates that the model does not state.
#ifndef CAROM_MODEL_UNITS_H
#define CAROM_MODEL_UNITS_H

#include "model/making/making.h"

/// Fills the units that are still "", from the equations as they were written.
void carom_units_guess(carom_making *making);

#endif
