// SPDX-License-Identifier: Apache-2.0
// Time of the machine, not of the model.
#ifndef CAROM_SIM_CLOCK_H
#define CAROM_SIM_CLOCK_H

/// Seconds of processor time of this process.
double carom_clock_processor(void);
/// Seconds that pass, from an arbitrary start.
double carom_clock_wall(void);

#endif
