// SPDX-License-Identifier: Apache-2.0
// Making a node: constants are folded, then the rules of its group are tried, then
// commutative operands are sorted. Rules for sums and products here; functions, powers and
// logic in simplify_function.c. Numbers stand on the left of products, signs move outwards
// (a*(-b) = -(a*b)), conditions with a zero branch too (if(c, a, 0)*f = if(c, a*f, 0)): the last
// rule keeps derivatives defined where the branch that is not taken is not. No rule changes a
// finite value by more than rounding.
#include "expr/graph_nodes.h"

#include <math.h>

enum { DEEPEST_NESTING = 32 };

static bool is_op(const carom_graph *graph, carom_ref ref, carom_op op)
{
    return graph->node[ref].op == op;
}

// factors far from 1 stay where they are, lest a reordered product overflow
static bool is_moderate(double factor)
{
    return fabs(factor) > 1e-30 && fabs(factor) < 1e30;
}

// splits k*x; k = 1 where there is no number in front
static carom_ref split_factor(const carom_graph *graph, carom_ref ref, double *factor)
{
    *factor = 1;
    const carom_node *node = &graph->node[ref];
    if (node->op == CAROM_OP_MUL && carom_graph_is_number(graph, node->child[0], factor))
        return node->child[1];
    if (node->op == CAROM_OP_NEG) {
        *factor = -1;
        return node->child[0];
    }
    return ref;
}

static bool has_zero_branch(const carom_graph *graph, carom_ref ref)
{
    const carom_node *node = &graph->node[ref];
    return node->op == CAROM_OP_IF && node->masked && graph->nesting < DEEPEST_NESTING;
}

static carom_ref make_if(carom_graph *graph, carom_ref condition, carom_ref yes, carom_ref no)
{
    return carom_graph_make(graph, CAROM_OP_IF, condition, yes, no);
}

// if(c, a, b) op f with a or b zero -> if(c, a op f, b op f), for op = * or /
static carom_ref move_into_if(carom_graph *graph, carom_op op, carom_ref choice, carom_ref factor)
{
    const carom_node node = graph->node[choice];
    graph->nesting++;
    const carom_ref yes = carom_graph_make(graph, op, node.child[1], factor, -1);
    const carom_ref no = carom_graph_make(graph, op, node.child[2], factor, -1);
    graph->nesting--;
    return make_if(graph, node.child[0], yes, no);
}

// if(c, a, b) op if(c, d, e) -> if(c, a op d, b op e), for op = + or -
static carom_ref merge_ifs(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    const carom_node x = graph->node[a], y = graph->node[b];
    graph->nesting++;
    const carom_ref yes = carom_graph_make(graph, op, x.child[1], y.child[1], -1);
    const carom_ref no = carom_graph_make(graph, op, x.child[2], y.child[2], -1);
    graph->nesting--;
    return make_if(graph, x.child[0], yes, no);
}

// sin(x)^2 + cos(x)^2, in any order
static bool is_one(const carom_graph *graph, carom_ref a, carom_ref b)
{
    const carom_node x = graph->node[a], y = graph->node[b];
    if (x.op != CAROM_OP_MUL || y.op != CAROM_OP_MUL || x.child[0] != x.child[1] ||
        y.child[0] != y.child[1])
        return false;
    const carom_node f = graph->node[x.child[0]], g = graph->node[y.child[0]];
    const bool is_pair = (f.op == CAROM_OP_SIN && g.op == CAROM_OP_COS) ||
                         (f.op == CAROM_OP_COS && g.op == CAROM_OP_SIN);
    return is_pair && f.child[0] == g.child[0];
}

carom_ref carom_simplify_sum(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    const bool is_sum = op == CAROM_OP_ADD;
    if (carom_graph_is_zero(graph, b)) return a;
    if (carom_graph_is_zero(graph, a)) return is_sum ? b : carom_graph_negate(graph, b);
    if (is_sum && is_one(graph, a, b)) return carom_graph_number(graph, 1);
    double ka, kb;
    if (carom_graph_is_number(graph, b, &kb) && kb < 0)
        return carom_graph_make(graph, is_sum ? CAROM_OP_SUB : CAROM_OP_ADD, a,
                                carom_graph_number(graph, -kb), -1);
    if (is_sum && carom_graph_is_number(graph, a, &ka) && ka < 0)
        return carom_graph_sub(graph, b, carom_graph_number(graph, -ka));
    const carom_ref xa = split_factor(graph, a, &ka), xb = split_factor(graph, b, &kb);
    const double k = is_sum ? ka + kb : ka - kb;
    if (xa == xb && isfinite(k)) return carom_graph_scale(graph, k, xa);
    if (ka == kb && fabs(ka) != 1 && is_moderate(ka))
        return carom_graph_scale(graph, ka, carom_graph_make(graph, op, xa, xb, -1));
    if (kb < 0) {
        const carom_ref opposite = carom_graph_scale(graph, -kb, xb);
        return carom_graph_make(graph, is_sum ? CAROM_OP_SUB : CAROM_OP_ADD, a, opposite, -1);
    }
    if (ka < 0 && is_sum) return carom_graph_sub(graph, b, carom_graph_scale(graph, -ka, xa));
    if (ka == -1 && is_op(graph, a, CAROM_OP_NEG))
        return carom_graph_negate(graph, carom_graph_add(graph, xa, b));
    const bool both_if = is_op(graph, a, CAROM_OP_IF) && is_op(graph, b, CAROM_OP_IF);
    if (both_if && graph->node[a].child[0] == graph->node[b].child[0] &&
        graph->nesting < DEEPEST_NESTING)
        return merge_ifs(graph, op, a, b);
    return -1;
}

// a number times something
static carom_ref scale(carom_graph *graph, double k, carom_ref x)
{
    if (k == 0) return carom_graph_number(graph, 0);
    if (k == 1) return x;
    const carom_node node = graph->node[x];
    double inner;
    if ((node.op == CAROM_OP_MUL || node.op == CAROM_OP_DIV) &&
        carom_graph_is_number(graph, node.child[0], &inner) && isnormal(k * inner)) {
        const carom_ref merged = carom_graph_number(graph, k * inner);
        return carom_graph_make(graph, node.op, merged, node.child[1], -1);
    }
    if (node.op == CAROM_OP_NEG) return carom_graph_scale(graph, -k, node.child[0]);
    if (k == -1) return carom_graph_negate(graph, x);
    if (has_zero_branch(graph, x))
        return move_into_if(graph, CAROM_OP_MUL, x, carom_graph_number(graph, k));
    return -1;
}

static carom_ref multiply(carom_graph *graph, carom_ref a, carom_ref b)
{
    double k;
    if (carom_graph_is_number(graph, a, &k)) return scale(graph, k, b);
    if (carom_graph_is_number(graph, b, &k)) return carom_graph_mul(graph, b, a);
    const carom_ref pair[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const carom_ref other = pair[1 - i], rest = split_factor(graph, pair[i], &k);
        if (rest != pair[i] && is_moderate(k))
            return carom_graph_scale(graph, k, carom_graph_mul(graph, rest, other));
        const carom_node node = graph->node[pair[i]];
        if (node.op == CAROM_OP_DIV && carom_graph_is_number(graph, node.child[0], &k) &&
            is_moderate(k))
            return carom_graph_scale(graph, k, carom_graph_divide(graph, other, node.child[1]));
        if (has_zero_branch(graph, pair[i]))
            return move_into_if(graph, CAROM_OP_MUL, pair[i], other);
    }
    return -1;
}

static carom_ref divide(carom_graph *graph, carom_ref a, carom_ref b)
{
    double k;
    if (carom_graph_is_zero(graph, a)) return a;
    if (carom_graph_is_number(graph, b, &k))
        return k == 1 ? a : is_moderate(k) ? carom_graph_scale(graph, 1 / k, a) : -1;
    carom_ref rest = split_factor(graph, a, &k);
    if (rest != a && is_moderate(k))
        return carom_graph_scale(graph, k, carom_graph_divide(graph, rest, b));
    rest = split_factor(graph, b, &k);
    if (rest != b && is_moderate(k))
        return carom_graph_scale(graph, 1 / k, carom_graph_divide(graph, a, rest));
    if (has_zero_branch(graph, a)) return move_into_if(graph, CAROM_OP_DIV, a, b);
    return -1;
}

static carom_ref negate(carom_graph *graph, carom_ref a)
{
    const carom_node node = graph->node[a];
    double k;
    if (node.op == CAROM_OP_NEG) return node.child[0];
    if (node.op == CAROM_OP_SUB) return carom_graph_sub(graph, node.child[1], node.child[0]);
    if ((node.op == CAROM_OP_MUL || node.op == CAROM_OP_DIV) &&
        carom_graph_is_number(graph, node.child[0], &k))
        return carom_graph_make(graph, node.op, carom_graph_number(graph, -k), node.child[1], -1);
    if (has_zero_branch(graph, a))
        return move_into_if(graph, CAROM_OP_MUL, a, carom_graph_number(graph, -1));
    return -1;
}

carom_ref carom_simplify_product(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    if (op == CAROM_OP_NEG) return negate(graph, a);
    return op == CAROM_OP_MUL ? multiply(graph, a, b) : divide(graph, a, b);
}

static carom_ref apply_rules(carom_graph *graph, carom_op op, const int child[3])
{
    const carom_ref a = child[0], b = child[1];
    // clang-format off
    switch (op) {
    case CAROM_OP_ADD: case CAROM_OP_SUB: return carom_simplify_sum(graph, op, a, b);
    case CAROM_OP_MUL: case CAROM_OP_DIV: case CAROM_OP_NEG:
        return carom_simplify_product(graph, op, a, b);
    case CAROM_OP_POW: return carom_simplify_power(graph, a, b);
    case CAROM_OP_COS: case CAROM_OP_COSH: case CAROM_OP_ABS:
        return carom_simplify_even(graph, op, a);
    case CAROM_OP_SIN: case CAROM_OP_TAN: case CAROM_OP_ASIN: case CAROM_OP_ATAN:
    case CAROM_OP_SINH: case CAROM_OP_TANH: case CAROM_OP_SIGN:
        return carom_simplify_odd(graph, op, a);
    case CAROM_OP_SQRT: return carom_simplify_root(graph, a);
    case CAROM_OP_HYPOT: return carom_simplify_hypot(graph, a, b);
    case CAROM_OP_FLOOR: return is_op(graph, a, CAROM_OP_FLOOR) ? a : -1;
    case CAROM_OP_MIN: case CAROM_OP_MAX: return a == b ? a : -1;
    case CAROM_OP_LT: case CAROM_OP_NE: return a == b ? carom_graph_number(graph, 0) : -1;
    case CAROM_OP_LE: case CAROM_OP_EQ: return a == b ? carom_graph_number(graph, 1) : -1;
    case CAROM_OP_AND: case CAROM_OP_OR: return carom_simplify_and_or(graph, op, a, b);
    case CAROM_OP_NOT: return is_op(graph, a, CAROM_OP_NOT) ? graph->node[a].child[0] : -1;
    case CAROM_OP_IF: return carom_simplify_if(graph, a, b, child[2]);
    case CAROM_OP_ACOS: case CAROM_OP_ATAN2: case CAROM_OP_EXP: case CAROM_OP_LOG:
    case CAROM_OP_STEP: case CAROM_OP_MOD: case CAROM_OP_TABLE:
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: break;
    }
    // clang-format on
    return -1;
}

// true where all children are numbers; then value is the result
static bool fold(const carom_graph *graph, carom_op op, const int child[3], double *value)
{
    double x[3] = {0};
    for (int i = 0; i < carom_operation_arity(op); i++)
        if (!carom_graph_is_number(graph, child[i], &x[i])) return false;
    *value = op == CAROM_OP_TABLE ? carom_spline_at(graph->table[child[2]].spline, x[0], child[1])
                                  : carom_operation_value(op, x[0], x[1], x[2]);
    return true;
}

// numbers first, then by age
static void sort_operands(const carom_graph *graph, carom_op op, int child[3])
{
    const bool is_commutative = op == CAROM_OP_ADD || op == CAROM_OP_MUL || op == CAROM_OP_MIN ||
                                op == CAROM_OP_MAX || op == CAROM_OP_EQ || op == CAROM_OP_NE ||
                                op == CAROM_OP_AND || op == CAROM_OP_OR || op == CAROM_OP_HYPOT;
    if (!is_commutative) return;
    const int a = child[0], b = child[1];
    const bool a_number = is_op(graph, a, CAROM_OP_NUMBER),
               b_number = is_op(graph, b, CAROM_OP_NUMBER);
    if (a_number != b_number ? a_number : a <= b) return;
    child[0] = b;
    child[1] = a;
}

carom_ref carom_graph_make(carom_graph *graph, carom_op op, carom_ref a, carom_ref b, carom_ref c)
{
    int child[3] = {a, b, c};
    const int arity = carom_operation_arity(op);
    for (int i = 0; i < arity; i++)
        if (child[i] < 0) return -1;
    double value;
    if (fold(graph, op, child, &value)) return carom_graph_number(graph, value);
    if (op == CAROM_OP_TABLE && b > graph->table[c].degree) return carom_graph_number(graph, 0);
    const carom_ref simple = apply_rules(graph, op, child);
    if (simple >= 0 || graph->is_out_of_memory) return simple;
    sort_operands(graph, op, child);
    for (int i = arity; i < 3 && op != CAROM_OP_TABLE; i++) child[i] = -1;
    return carom_graph_intern(graph, op, child);
}
