// SPDX-License-Identifier: Apache-2.0
// An order of unknowns in which the factors of a symmetric pattern fill little: approximate minimum
// degree (AMD of SuiteSparse), or without SuiteSparse a narrow band.
#ifndef CAROM_MATH_ORDER_H
#define CAROM_MATH_ORDER_H

#include <stdbool.h>

/// order (n): which unknown comes first, which next. False where memory runs out.
bool carom_order(int n, const int *start, const int *index, int *order);

#endif
