// SPDX-License-Identifier: Apache-2.0
// A smooth solver as a scheme of its own, for models without contacts: adaptive where no step is
// given.
#ifndef CAROM_SMOOTH_ADAPTER_H
#define CAROM_SMOOTH_ADAPTER_H

#include "smooth/smooth.h"

/// Option rows of every such scheme; they stand behind those of the solver.
#define CAROM_ADAPTER_ROWS                                                                           \
    {"atol",                                                                                         \
     CAROM_REAL,                                                                                     \
     0,                                                                                              \
     0,                                                                                              \
     1e300,                                                                                          \
     NULL,                                                                                           \
     "absolute tolerance; 0 = by the size of each coordinate"},                                      \
        {"first_step",                                                                               \
         CAROM_REAL,                                                                                 \
         0,                                                                                          \
         0,                                                                                          \
         1e300,                                                                                      \
         NULL,                                                                                       \
         "first step of an adaptive run; 0 = a thousandth of the run [s]"},                          \
    {                                                                                                \
        "share", CAROM_REAL, 0, 0, 1, NULL,                                                          \
            "of the tolerance that a step may err; 0 = what the method needs for the run to keep it" \
    }

int carom_adapter_n_memory(const carom_model *model, const carom_smooth *solver);
/// Makes s->self.
carom_status carom_adapter_prepare(carom_step *s, const carom_smooth *solver);
void carom_adapter_release(carom_step *s);
carom_status carom_adapter_renew(carom_step *s);
carom_status carom_adapter_start(carom_step *s, carom_state *state);
bool carom_adapter_is_memory(const carom_step *s, const carom_state *state);
carom_status carom_adapter_step(carom_step *s, const carom_state *now, carom_state *next);
/// The flow inside, for its cost.
const carom_flow *carom_adapter_flow(const carom_step *s);

#endif
