// SPDX-License-Identifier: Apache-2.0
// A chain of n points in the plane with rods of length l between them, which hangs from a slope:
// the part of a model file after its parameters n, l and slope. What holds the first point comes
// after it.
#ifndef TEST_DYNAMICS_CHAIN_OF_RODS_H
#define TEST_DYNAMICS_CHAIN_OF_RODS_H

#define CHAIN_OF_RODS(first)                                                                       \
    "coordinates:\n"                                                                               \
    "  x[i]: {for: {i: 1..n}, start: l*i*cos(slope)}\n"                                            \
    "  y[i]: {for: {i: 1..n}, start: -l*i*sin(slope)}\n"                                           \
    "kinetic:\n"                                                                                   \
    "  - {term: 'der(x[i])^2/2 + der(y[i])^2/2', for: {i: 1..n}}\n"                                \
    "potential:\n"                                                                                 \
    "  - {term: '9.81*y[i]', for: {i: 1..n}}\n"                                                    \
    "constraints:\n" first "  - name: rod[i]\n"                                                    \
    "    for: {i: 2..n}\n"                                                                         \
    "    equation: ((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - l^2)/(2*l)\n"

#endif
