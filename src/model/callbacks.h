// SPDX-License-Identifier: Apache-2.0
// Models given by the caller's functions, from inside.
#ifndef CAROM_MODEL_CALLBACKS_H
#define CAROM_MODEL_CALLBACKS_H

#include "model/model.h"

enum {
    CAROM_MOST_DIFFERENCES = 200
}; ///< coordinates up to which derivatives come from finite differences

extern const carom_model_kind carom_model_of_callbacks;
extern const carom_model_kind carom_model_of_changing_contacts; ///< whose contacts come and go

/// How positions move, and how many they are; the model's nu is known.
carom_status carom_callbacks_take_chart(carom_model *model, const carom_callbacks *given,
                                        carom_error *error);
/// q0, normalised, and u0.
carom_status carom_callbacks_take_start(carom_model *model, const carom_callbacks *given,
                                        carom_error *error);

#endif
