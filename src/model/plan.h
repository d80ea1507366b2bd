// SPDX-License-Identifier: Apache-2.0
// Evaluation buffers from inside.
#ifndef CAROM_MODEL_PLAN_H
#define CAROM_MODEL_PLAN_H

#include "model/model.h"

/// All answers of an evaluation stand in one block of doubles, in the places of the model's layout.
double *carom_eval_block(carom_eval *eval);

#endif
