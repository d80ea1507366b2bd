// SPDX-License-Identifier: Apache-2.0
// What each operation of the graph computes, on plain numbers. Minimum, maximum, sign and step let
// an undefined argument through, so that it is noticed.
#include "expr/operation.h"

#include <math.h>

static const struct {
    int arity;
    const char *text;
} row[] = {
    [CAROM_OP_NUMBER] = {0, "number"}, [CAROM_OP_SYMBOL] = {0, "symbol"},
    [CAROM_OP_ADD] = {2, " + "},       [CAROM_OP_SUB] = {2, " - "},
    [CAROM_OP_MUL] = {2, "*"},         [CAROM_OP_DIV] = {2, "/"},
    [CAROM_OP_NEG] = {1, "-"},         [CAROM_OP_POW] = {2, "^"},
    [CAROM_OP_SIN] = {1, "sin"},       [CAROM_OP_COS] = {1, "cos"},
    [CAROM_OP_TAN] = {1, "tan"},       [CAROM_OP_ASIN] = {1, "asin"},
    [CAROM_OP_ACOS] = {1, "acos"},     [CAROM_OP_ATAN] = {1, "atan"},
    [CAROM_OP_ATAN2] = {2, "atan2"},   [CAROM_OP_SINH] = {1, "sinh"},
    [CAROM_OP_COSH] = {1, "cosh"},     [CAROM_OP_TANH] = {1, "tanh"},
    [CAROM_OP_EXP] = {1, "exp"},       [CAROM_OP_LOG] = {1, "log"},
    [CAROM_OP_SQRT] = {1, "sqrt"},     [CAROM_OP_ABS] = {1, "abs"},
    [CAROM_OP_SIGN] = {1, "sign"},     [CAROM_OP_MIN] = {2, "min"},
    [CAROM_OP_MAX] = {2, "max"},       [CAROM_OP_STEP] = {1, "step"},
    [CAROM_OP_LT] = {2, " < "},        [CAROM_OP_LE] = {2, " <= "},
    [CAROM_OP_EQ] = {2, " == "},       [CAROM_OP_NE] = {2, " != "},
    [CAROM_OP_AND] = {2, " and "},     [CAROM_OP_OR] = {2, " or "},
    [CAROM_OP_NOT] = {1, "not "},      [CAROM_OP_IF] = {3, "if"},
    [CAROM_OP_TABLE] = {1, "table"},
};

int carom_operation_arity(carom_op op)
{
    return row[op].arity;
}

const char *carom_operation_text(carom_op op)
{
    return row[op].text;
}

static double function_value(carom_op op, double a, double b)
{
    // clang-format off
    switch (op) {
    case CAROM_OP_SIN: return sin(a);
    case CAROM_OP_COS: return cos(a);
    case CAROM_OP_TAN: return tan(a);
    case CAROM_OP_ASIN: return asin(a);
    case CAROM_OP_ACOS: return acos(a);
    case CAROM_OP_ATAN: return atan(a);
    case CAROM_OP_ATAN2: return atan2(a, b);
    case CAROM_OP_SINH: return sinh(a);
    case CAROM_OP_COSH: return cosh(a);
    case CAROM_OP_TANH: return tanh(a);
    case CAROM_OP_EXP: return exp(a);
    case CAROM_OP_LOG: return log(a);
    case CAROM_OP_SQRT: return sqrt(a);
    case CAROM_OP_ABS: return fabs(a);
    case CAROM_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case CAROM_OP_STEP: return a >= 0 ? 1 : a < 0 ? 0 : a;
    case CAROM_OP_MIN: return a < b || isnan(a) ? a : b;
    case CAROM_OP_MAX: return a > b || isnan(a) ? a : b;
    default: return NAN;
    }
    // clang-format on
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
    case CAROM_OP_LT: return a < b;
    case CAROM_OP_LE: return a <= b;
    case CAROM_OP_EQ: return a == b;
    case CAROM_OP_NE: return a != b;
    case CAROM_OP_AND: return a != 0 && b != 0;
    case CAROM_OP_OR: return a != 0 || b != 0;
    case CAROM_OP_NOT: return a == 0;
    case CAROM_OP_IF: return a != 0 ? b : c;
    default: return function_value(op, a, b);
    }
    // clang-format on
}
