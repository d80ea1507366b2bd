// SPDX-License-Identifier: Apache-2.0
// The random numbers of samples.
#ifndef CAROM_STUDIES_SAMPLES_H
#define CAROM_STUDIES_SAMPLES_H

#include <stdint.h>

/// Philox 4x32 with 10 rounds.
void carom_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
