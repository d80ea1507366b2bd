// SPDX-License-Identifier: Apache-2.0
// All schemes: one file and one line each. The name is the file's name and the name on the
// command line.
#define CAROM_SCHEMES(X)                                                                           \
    X(moreau_midpoint)                                                                             \
    X(moreau_jean_explicit)                                                                        \
    X(moreau_jean)                                                                                 \
    X(schatzman_paoli)                                                                             \
    X(moreau_direct_projection)                                                                    \
    X(moreau_combined_projection)                                                                  \
    X(tdg_acceleration)                                                                            \
    X(tdg_velocity_explicit)                                                                       \
    X(tdg_velocity)                                                                                \
    X(tdg_velocity_adaptive)                                                                       \
    X(tdg_newmark)                                                                                 \
    X(variational)                                                                                 \
    X(nonsmooth_gen_alpha)                                                                         \
    X(ggl_decoupled)                                                                               \
    X(ggl_unified_printed)                                                                         \
    X(ggl_unified)                                                                                 \
    X(ggl_reference)                                                                               \
    X(event_driven)                                                                                \
    X(event_capturing)                                                                             \
    X(phem56)                                                                                      \
    X(hem5)                                                                                        \
    X(rkf45)                                                                                       \
    X(gen_alpha)                                                                                   \
    X(mexx)
