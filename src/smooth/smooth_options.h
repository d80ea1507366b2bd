// SPDX-License-Identifier: Apache-2.0
// Option rows of the smooth solvers, in the order in which they read them. A scheme that offers a
// solver repeats its rows.
#ifndef CAROM_SMOOTH_OPTIONS_H
#define CAROM_SMOOTH_OPTIONS_H

#include "carom/base.h"

/// What hem5, phem56 and mexx bring back onto the constraints after a step. By itself a solver does
/// as it was published, and events bring positions back anyway; as a scheme it keeps joints closed.
enum { CAROM_PROJECT_NONE, CAROM_PROJECT_POSITION, CAROM_PROJECT_AUTO };
#define CAROM_HALF_EXPLICIT_ROWS(choice)                                                           \
    {                                                                                              \
        "projection", CAROM_CHOICE, choice, 0, 0, "none|position|auto",                            \
            "positions are brought back onto the constraints after each step; auto: in models "    \
            "with bodies"                                                                          \
    }

/// The most that extrapolation may come to; 10 is option 3.
#define CAROM_MEXX_ROW                                                                             \
    {                                                                                              \
        "order", CAROM_CHOICE, 3, 0, 0, "4|6|8|10|12",                                             \
            "highest order that a step may choose; a fixed step has it"                            \
    }

#define CAROM_RKF45_ROWS                                                                           \
    {                                                                                              \
        "projection", CAROM_CHOICE, 0, 0, 0, "both|velocity|position|none",                        \
            "what is brought back onto the constraints after each step"                            \
    }

#define CAROM_GEN_ALPHA_ROWS                                                                       \
    {"rho",                                                                                        \
     CAROM_REAL,                                                                                   \
     0.8,                                                                                          \
     0,                                                                                            \
     1,                                                                                            \
     NULL,                                                                                         \
     "spectral radius for very fast vibrations: 1 keeps them, 0 removes them"},                    \
    {                                                                                              \
        "index", CAROM_CHOICE, 0, 0, 0, "3|2|1|ggl",                                               \
            "how constraints are held: 3 position, 2 velocity, 1 acceleration, ggl position and "  \
            "velocity"                                                                             \
    }

#endif
