// SPDX-License-Identifier: Apache-2.0
// The functions that equation text knows, and the words that are taken.
#include "expr/functions.h"
#include "expr/syntax.h"

#include <string.h>

static const carom_function table[] = {
    {"sin", CAROM_OP_SIN, 1, 1},     {"cos", CAROM_OP_COS, 1, 1},   {"tan", CAROM_OP_TAN, 1, 1},
    {"asin", CAROM_OP_ASIN, 1, 1},   {"acos", CAROM_OP_ACOS, 1, 1}, {"atan", CAROM_OP_ATAN, 1, 1},
    {"atan2", CAROM_OP_ATAN2, 2, 2}, {"sinh", CAROM_OP_SINH, 1, 1}, {"cosh", CAROM_OP_COSH, 1, 1},
    {"tanh", CAROM_OP_TANH, 1, 1},   {"exp", CAROM_OP_EXP, 1, 1},   {"log", CAROM_OP_LOG, 1, 1},
    {"sqrt", CAROM_OP_SQRT, 1, 1},   {"abs", CAROM_OP_ABS, 1, 1},   {"sign", CAROM_OP_SIGN, 1, 1},
    {"min", CAROM_OP_MIN, 2, -1},    {"max", CAROM_OP_MAX, 2, -1},  {"step", CAROM_OP_STEP, 1, 1},
    {"deg", CAROM_OP_NUMBER, 1, 1},
};
static const char *const word[] = {"t", "pi", "der", "if", "sum", "and", "or", "not"};
enum { N_FUNCTION = sizeof table / sizeof *table, N_WORD = sizeof word / sizeof *word };

const carom_function *carom_function_find(const char *name)
{
    for (int i = 0; i < N_FUNCTION; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

void carom_function_try_all(carom_nearest *nearest)
{
    for (int i = 0; i < N_FUNCTION; i++) carom_nearest_try(nearest, table[i].name);
    carom_nearest_try(nearest, "der");
    carom_nearest_try(nearest, "if");
    carom_nearest_try(nearest, "sum");
}

bool carom_syntax_is_reserved(const char *name)
{
    for (int i = 0; i < N_WORD; i++)
        if (strcmp(word[i], name) == 0) return true;
    return carom_function_find(name) != NULL;
}
