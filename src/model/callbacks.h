// SPDX-License-Identifier: Apache-2.0
// Models given by the caller's functions, from inside.
#ifndef CAROM_MODEL_CALLBACKS_H
#define CAROM_MODEL_CALLBACKS_H

#include "model/model.h"

enum {
    CAROM_MOST_DIFFERENCES = 200
}; ///< coordinates up to which derivatives come from finite differences

extern const carom_model_kind carom_model_of_callbacks;

#endif
