// SPDX-License-Identifier: Apache-2.0
// All impact laws that files can name: one line and one file (in src/dynamics/laws) each. The name
// stands under `law` of contacts and materials; the number is CAROM_LAW_<second> of carom/model.h.
#define CAROM_LAWS(X)                                                                              \
    X(newton, NEWTON)                                                                              \
    X(poisson, POISSON)                                                                            \
    X(stronge, STRONGE)                                                                            \
    X(sequential, SEQUENTIAL)
