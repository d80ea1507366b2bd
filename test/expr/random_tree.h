// SPDX-License-Identifier: Apache-2.0
// Random expressions for tests, independent of the engine: trees that stay inside the domain
// of every function, their text, and their value by plain recursion in extended precision.
// Decisions (signs, branches, table intervals) are noted, so that differences are taken
// only where nothing jumps.
#ifndef CAROM_TEST_EXPR_RANDOM_TREE_H
#define CAROM_TEST_EXPR_RANDOM_TREE_H

#include "expr/graph.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct tree {
    carom_op op;
    int symbol; // t, x, y, z
    double number;
    struct tree *child[3];
} tree;

typedef struct forest {
    uint64_t seed;
    int n;
    tree node[20000];
} forest;

typedef struct point {
    long double at[4];  // t, x, y, z
    long double noise;  // relative error put on every operation
    uint64_t *seed;     // of the noise
    uint64_t decisions; // result: what was decided on the way
    long double scale;  // result: largest value on the way
    const carom_spline *table;
} point;

static inline unsigned draw(uint64_t *seed, unsigned n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

static inline tree *grow_tree(forest *f, carom_op op, tree *a, tree *b, tree *c)
{
    tree *node = &f->node[f->n++];
    *node = (tree){.op = op, .child = {a, b, c}};
    return node;
}

static inline tree *grow_number(forest *f, double value)
{
    tree *node = grow_tree(f, CAROM_OP_NUMBER, NULL, NULL, NULL);
    node->number = value;
    return node;
}

// offset + factor*function(a): keeps arguments in a domain
static inline tree *confine(forest *f, double offset, double factor, carom_op function, tree *a)
{
    tree *scaled = grow_tree(f, CAROM_OP_MUL, grow_number(f, factor),
                             grow_tree(f, function, a, NULL, NULL), NULL);
    return grow_tree(f, CAROM_OP_ADD, grow_number(f, offset), scaled, NULL);
}

static inline tree *grow_power(forest *f, tree *a, tree *b)
{
    static const double exponent[] = {2,   3,    4,   5,   7,    16, -1, -2, -3,
                                      0.5, -0.5, 1.5, 2.7, -1.3, 17, 0,  1};
    if (draw(&f->seed, 4) == 0)
        return grow_tree(f, CAROM_OP_POW, confine(f, 1.5, 1, CAROM_OP_SIN, a),
                         confine(f, 0, 2, CAROM_OP_COS, b), NULL);
    const double p = exponent[draw(&f->seed, sizeof exponent / sizeof *exponent)];
    return grow_tree(f, CAROM_OP_POW, confine(f, 1.25, -0.5, CAROM_OP_SIN, a), grow_number(f, p),
                     NULL);
}

static inline tree *grow_choice(forest *f, tree *a, tree *b)
{
    static const carom_op compare[] = {CAROM_OP_LT, CAROM_OP_LE, CAROM_OP_NE};
    tree *c = grow_tree(f, compare[draw(&f->seed, 3)], a, b, NULL), *zero = grow_number(f, 0);
    if (draw(&f->seed, 3) == 0) c = grow_tree(f, CAROM_OP_NOT, c, NULL, NULL);
    if (draw(&f->seed, 3) == 0)
        c = grow_tree(f, draw(&f->seed, 2) ? CAROM_OP_AND : CAROM_OP_OR, c,
                      grow_tree(f, CAROM_OP_LT, zero, a, NULL), NULL);
    return grow_tree(f, CAROM_OP_IF, c, draw(&f->seed, 2) ? a : zero, b);
}

static inline tree *grow_random(forest *f, int depth, bool with_time)
{
    static const carom_op plain[] = {CAROM_OP_ADD, CAROM_OP_SUB, CAROM_OP_MUL, CAROM_OP_MIN,
                                     CAROM_OP_MAX},
                          any[] = {CAROM_OP_SIN,   CAROM_OP_COS,  CAROM_OP_ATAN, CAROM_OP_TANH,
                                   CAROM_OP_ABS,   CAROM_OP_NEG,  CAROM_OP_SIGN, CAROM_OP_STEP,
                                   CAROM_OP_TABLE, CAROM_OP_FLOOR},
                          tame[] = {CAROM_OP_TAN,  CAROM_OP_ASIN, CAROM_OP_ACOS,
                                    CAROM_OP_SINH, CAROM_OP_COSH, CAROM_OP_EXP},
                          positive[] = {CAROM_OP_LOG, CAROM_OP_SQRT};
    const unsigned kind = depth <= 0 ? draw(&f->seed, 2) : 2 + draw(&f->seed, 12);
    if (kind == 0) return grow_number(f, 0.25 * ((int)draw(&f->seed, 17) - 8));
    if (kind == 1) {
        tree *symbol = grow_tree(f, CAROM_OP_SYMBOL, NULL, NULL, NULL);
        symbol->symbol = with_time ? (int)draw(&f->seed, 4) : 1 + (int)draw(&f->seed, 3);
        return symbol;
    }
    tree *a = grow_random(f, depth - 1 - (int)draw(&f->seed, 2), with_time);
    if (kind < 5) return grow_tree(f, any[draw(&f->seed, 10)], a, NULL, NULL);
    if (kind == 5)
        return grow_tree(f, tame[draw(&f->seed, 6)], confine(f, 0, 0.8, CAROM_OP_SIN, a), NULL,
                         NULL);
    if (kind == 6)
        return grow_tree(f, positive[draw(&f->seed, 2)], confine(f, 1.3, 1, CAROM_OP_COS, a), NULL,
                         NULL);
    tree *b = draw(&f->seed, 6) ? grow_random(f, depth - 1 - (int)draw(&f->seed, 2), with_time) : a;
    if (kind < 9) return grow_tree(f, plain[draw(&f->seed, 5)], a, b, NULL);
    if (kind == 9) return grow_tree(f, CAROM_OP_DIV, a, confine(f, 2, 1, CAROM_OP_SIN, b), NULL);
    if (kind == 10) {
        static const carom_op pair[] = {CAROM_OP_ATAN2, CAROM_OP_HYPOT, CAROM_OP_MOD};
        return grow_tree(f, pair[draw(&f->seed, 3)], a, confine(f, 2, 1, CAROM_OP_COS, b), NULL);
    }
    if (kind == 11) return grow_power(f, a, b);
    if (kind == 12) return grow_choice(f, a, b);
    return grow_tree(f, plain[draw(&f->seed, 3)], a, b, NULL);
}

static inline size_t tree_text(const tree *node, char *buffer, size_t room)
{
    static const char *const sign[] = {
        [CAROM_OP_ADD] = "+",   [CAROM_OP_SUB] = "-", [CAROM_OP_MUL] = "*",
        [CAROM_OP_DIV] = "/",   [CAROM_OP_POW] = "^", [CAROM_OP_LT] = "<",
        [CAROM_OP_LE] = "<=",   [CAROM_OP_EQ] = "==", [CAROM_OP_NE] = "!=",
        [CAROM_OP_AND] = "and", [CAROM_OP_OR] = "or", [CAROM_N_OPERATION - 1] = NULL};
    static const char *const call[] = {
        [CAROM_OP_NEG] = "-",      [CAROM_OP_SIN] = "sin",     [CAROM_OP_COS] = "cos",
        [CAROM_OP_TAN] = "tan",    [CAROM_OP_ASIN] = "asin",   [CAROM_OP_ACOS] = "acos",
        [CAROM_OP_ATAN] = "atan",  [CAROM_OP_ATAN2] = "atan2", [CAROM_OP_SINH] = "sinh",
        [CAROM_OP_COSH] = "cosh",  [CAROM_OP_TANH] = "tanh",   [CAROM_OP_EXP] = "exp",
        [CAROM_OP_LOG] = "log",    [CAROM_OP_SQRT] = "sqrt",   [CAROM_OP_ABS] = "abs",
        [CAROM_OP_SIGN] = "sign",  [CAROM_OP_MIN] = "min",     [CAROM_OP_MAX] = "max",
        [CAROM_OP_STEP] = "step",  [CAROM_OP_NOT] = "not ",    [CAROM_OP_IF] = "if",
        [CAROM_OP_TABLE] = "lift", [CAROM_OP_HYPOT] = "hypot", [CAROM_OP_FLOOR] = "floor",
        [CAROM_OP_MOD] = "mod"};
    if (node->op == CAROM_OP_NUMBER) return (size_t)snprintf(buffer, room, "(%.17g)", node->number);
    if (node->op == CAROM_OP_SYMBOL)
        return (size_t)snprintf(buffer, room, "%c", "txyz"[node->symbol]);
    const bool is_infix = sign[node->op] != NULL;
    size_t n = (size_t)snprintf(buffer, room, "%s(", is_infix ? "" : call[node->op]);
    for (int i = 0; i < 3 && node->child[i]; i++) {
        if (i) n += (size_t)snprintf(buffer + n, room - n, " %s ", is_infix ? sign[node->op] : ",");
        n += tree_text(node->child[i], buffer + n, room - n);
    }
    return n + (size_t)snprintf(buffer + n, room - n, ")");
}

static inline void decide(point *p, int outcome)
{
    p->decisions = p->decisions * 31 + (uint64_t)(outcome + 7);
}

static inline int side(point *p, long double x)
{
    const int s = x > 0 ? 1 : x < 0 ? -1 : 0;
    decide(p, s);
    return s;
}

static inline long double whole_below(point *p, long double x)
{
    const long double whole = floorl(x);
    decide(p, (int)whole);
    return whole;
}

static inline long double table_value(point *p, long double x, int order)
{
    const carom_spline *s = p->table;
    x -= s->period * floorl((x - s->x[0]) / s->period);
    int i = 0;
    while (i < s->n - 2 && s->x[i + 1] <= x) i++;
    decide(p, i);
    const double *c = s->coefficient + 4 * i;
    x -= s->x[i];
    if (order == 0) return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    if (order == 1) return c[1] + x * (2 * c[2] + x * 3 * c[3]);
    return order == 2 ? 2 * c[2] + x * 6 * c[3] : order == 3 ? 6 * c[3] : 0;
}

/// Operations that decide something, in extended precision (table: b is the order).
static inline long double apply_decision(point *p, carom_op op, const long double x[3])
{
    const long double a = x[0], b = x[1];
    // clang-format off
    switch (op) {
    case CAROM_OP_ABS: return a * side(p, a);
    case CAROM_OP_SIGN: return side(p, a);
    case CAROM_OP_STEP: return side(p, a) >= 0;
    case CAROM_OP_FLOOR: return whole_below(p, a);
    case CAROM_OP_MOD: return a - b * whole_below(p, a / b);
    case CAROM_OP_MIN: return side(p, a - b) < 0 ? a : b;
    case CAROM_OP_MAX: return side(p, a - b) > 0 ? a : b;
    case CAROM_OP_LT: return side(p, a - b) < 0;
    case CAROM_OP_LE: return side(p, a - b) <= 0;
    case CAROM_OP_EQ: return side(p, a - b) == 0;
    case CAROM_OP_NE: return side(p, a - b) != 0;
    case CAROM_OP_AND: return a != 0 && b != 0;
    case CAROM_OP_OR: return a != 0 || b != 0;
    case CAROM_OP_NOT: return a == 0;
    case CAROM_OP_IF: return a != 0 ? b : x[2];
    default: return table_value(p, a, (int)b);
    }
    // clang-format on
}

/// Any operation in extended precision.
static inline long double apply(point *p, carom_op op, const long double x[3])
{
    const long double a = x[0], b = x[1];
    // clang-format off
    switch (op) {
    case CAROM_OP_ADD: return a + b;
    case CAROM_OP_SUB: return a - b;
    case CAROM_OP_MUL: return a * b;
    case CAROM_OP_DIV: return a / b;
    case CAROM_OP_NEG: return -a;
    case CAROM_OP_POW: return powl(a, b);
    case CAROM_OP_SIN: return sinl(a);
    case CAROM_OP_COS: return cosl(a);
    case CAROM_OP_TAN: return tanl(a);
    case CAROM_OP_ASIN: return asinl(a);
    case CAROM_OP_ACOS: return acosl(a);
    case CAROM_OP_ATAN: return atanl(a);
    case CAROM_OP_ATAN2: return atan2l(a, b);
    case CAROM_OP_HYPOT: return hypotl(a, b);
    case CAROM_OP_SINH: return sinhl(a);
    case CAROM_OP_COSH: return coshl(a);
    case CAROM_OP_TANH: return tanhl(a);
    case CAROM_OP_EXP: return expl(a);
    case CAROM_OP_LOG: return logl(a);
    case CAROM_OP_SQRT: return sqrtl(a);
    default: return apply_decision(p, op, x);
    }
    // clang-format on
}

static inline long double tree_value(const tree *node, point *p)
{
    if (node->op == CAROM_OP_NUMBER) return node->number;
    if (node->op == CAROM_OP_SYMBOL) return p->at[node->symbol];
    long double x[3] = {0};
    for (int i = 0; i < 3 && node->child[i]; i++) x[i] = tree_value(node->child[i], p);
    long double value = apply(p, node->op, x);
    const bool is_logic = node->op >= CAROM_OP_LT && node->op <= CAROM_OP_NOT;
    if (p->noise > 0 && !is_logic) value *= 1 + p->noise * ((int)draw(p->seed, 3) - 1);
    if (fabsl(value) > p->scale) p->scale = fabsl(value);
    return value;
}

#endif
