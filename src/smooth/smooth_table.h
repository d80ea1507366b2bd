// SPDX-License-Identifier: Apache-2.0
// All smooth solvers: one file and one line each. The name is the file's name and the name in
// option smooth.
#define CAROM_SMOOTHS(X)                                                                           \
    X(phem56)                                                                                      \
    X(hem5)                                                                                        \
    X(rkf45)                                                                                       \
    X(gen_alpha)                                                                                   \
    X(mexx)
