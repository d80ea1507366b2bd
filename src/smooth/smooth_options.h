// SPDX-License-Identifier: Apache-2.0
// Option rows of the smooth solvers, in the order in which they read them. A scheme that offers a
// solver repeats its rows.
#ifndef CAROM_SMOOTH_OPTIONS_H
#define CAROM_SMOOTH_OPTIONS_H

#include "carom/base.h"

/// hem5 and phem56.
#define CAROM_HALF_EXPLICIT_ROWS                                                                   \
    {                                                                                              \
        "projection", CAROM_CHOICE, 0, 0, 0, "none|position",                                      \
            "positions are brought back onto the constraints after each step"                      \
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
