// SPDX-License-Identifier: Apache-2.0
// What each operation of the graph computes, on plain numbers. Minimum, maximum, sign and step let
// an undefined argument through, so that it is noticed.
#include "expr/operation.h"

#include <math.h>

#define ROW(name, arity, text) [CAROM_OP_##name] = {arity, text},
static const struct {
    int arity;
    const char *text;
} row[] = {CAROM_OPERATIONS(ROW)};

int carom_operation_arity(carom_op op)
{
    return row[op].arity;
}

const char *carom_operation_text(carom_op op)
{
    return row[op].text;
}

// a - b floor(a/b), always between 0 and b: what is left of a division is exact, and a quotient
// that rounds up to a whole number would give less than 0
static double mod_value(double a, double b)
{
    const double rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double carom_operation_value(carom_op op, double a, double b, double c)
{
    // clang-format off
    switch (op) {
    case CAROM_OP_ADD: return a + b;
    case CAROM_OP_SUB: return a - b;
    case CAROM_OP_MUL: return a * b;
    case CAROM_OP_DIV: return a / b;
    case CAROM_OP_NEG: return -a;
    case CAROM_OP_POW: return pow(a, b);
    case CAROM_OP_SIN: return sin(a);
    case CAROM_OP_COS: return cos(a);
    case CAROM_OP_TAN: return tan(a);
    case CAROM_OP_ASIN: return asin(a);
    case CAROM_OP_ACOS: return acos(a);
    case CAROM_OP_ATAN: return atan(a);
    case CAROM_OP_ATAN2: return atan2(a, b);
    case CAROM_OP_HYPOT: return hypot(a, b);
    case CAROM_OP_SINH: return sinh(a);
    case CAROM_OP_COSH: return cosh(a);
    case CAROM_OP_TANH: return tanh(a);
    case CAROM_OP_EXP: return exp(a);
    case CAROM_OP_LOG: return log(a);
    case CAROM_OP_SQRT: return sqrt(a);
    case CAROM_OP_ABS: return fabs(a);
    case CAROM_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case CAROM_OP_MIN: return a < b || isnan(a) ? a : b;
    case CAROM_OP_MAX: return a > b || isnan(a) ? a : b;
    case CAROM_OP_STEP: return a >= 0 ? 1 : a < 0 ? 0 : a;
    case CAROM_OP_FLOOR: return floor(a);
    case CAROM_OP_MOD: return mod_value(a, b);
    case CAROM_OP_LT: return a < b;
    case CAROM_OP_LE: return a <= b;
    case CAROM_OP_EQ: return a == b;
    case CAROM_OP_NE: return a != b;
    case CAROM_OP_AND: return a != 0 && b != 0;
    case CAROM_OP_OR: return a != 0 || b != 0;
    case CAROM_OP_NOT: return a == 0;
    case CAROM_OP_IF: return a != 0 ? b : c;
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: case CAROM_OP_TABLE: break;
    }
    // clang-format on
    return NAN;
}
