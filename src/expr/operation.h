// SPDX-License-Identifier: Apache-2.0
// What each operation of the graph computes, on plain numbers.
#ifndef CAROM_EXPR_OPERATION_H
#define CAROM_EXPR_OPERATION_H

#include "expr/graph.h"

/// The number of children that are nodes (a table has one).
int carom_operation_arity(carom_op op);
/// The value of any operation except number, symbol and table. Undefined arguments
/// give undefined results.
double carom_operation_value(carom_op op, double a, double b, double c);
/// The name of a function, or the sign of an operator.
const char *carom_operation_text(carom_op op);

#endif
