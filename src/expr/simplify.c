// SPDX-License-Identifier: Apache-2.0
// Making a node: constants are folded, then the rules of its group are tried, then
// commutative operands are sorted. Rules for sums and products here; functions, powers and
// logic in simplify_function.c. Numbers stand on the left of products, signs move outwards
// (a*(-b) = -(a*b)), conditions with a zero branch too (if(c, a, 0)*f = if(c, a*f, 0)): the last
// rule keeps derivatives defined where the branch that is not taken is not. No rule changes a
// finite value by more than rounding.
//
// What is firm (numbers, and expressions of live parameters) takes the part of a number in all
// rules that hold for any value: a live parameter stands where its number would stand, and the
// operations left for each step are the same ones in the same order. Rules for 0 and 1 hold for
// true numbers only. Firm nodes themselves are made as they are written, for the same reason:
// folding would have computed them so.
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

// the k of k*x: a number, or a firm node
typedef struct factor {
    double number;
    carom_ref firm; // -1: it is the number
} factor;

static factor factor_at(const carom_graph *graph, carom_ref ref)
{
    factor k = {1, -1};
    if (!carom_graph_is_number(graph, ref, &k.number)) k.firm = ref;
    return k;
}

// splits k*x; k = 1 where nothing firm is in front, and where all of it is firm
static carom_ref split_factor(const carom_graph *graph, carom_ref ref, factor *k)
{
    *k = (factor){1, -1};
    const carom_node *node = &graph->node[ref];
    if (carom_graph_is_firm(graph, ref)) return ref;
    if (node->op == CAROM_OP_MUL && carom_graph_is_firm(graph, node->child[0])) {
        *k = factor_at(graph, node->child[0]);
        return node->child[1];
    }
    if (node->op == CAROM_OP_NEG) {
        k->number = -1;
        return node->child[0];
    }
    return ref;
}

static carom_ref factor_node(carom_graph *graph, factor k)
{
    return k.firm >= 0 ? k.firm : carom_graph_number(graph, k.number);
}

static carom_ref times(carom_graph *graph, factor k, carom_ref x)
{
    return carom_graph_mul(graph, factor_node(graph, k), x);
}

// whether a factor may be moved out of where it stands
static bool can_move(factor k)
{
    return k.firm >= 0 || is_moderate(k.number);
}

static bool is_negative(const carom_graph *graph, factor k)
{
    return k.firm >= 0 ? is_op(graph, k.firm, CAROM_OP_NEG) : k.number < 0;
}

static factor opposite(carom_graph *graph, factor k)
{
    if (k.firm >= 0) return factor_at(graph, carom_graph_negate(graph, k.firm));
    return (factor){-k.number, -1};
}

static bool is_minus_one(factor k)
{
    return k.firm < 0 && k.number == -1;
}

// 1/k
static factor inverse(carom_graph *graph, factor k)
{
    if (k.firm < 0) return (factor){1 / k.number, -1};
    return factor_at(graph, carom_graph_divide(graph, carom_graph_number(graph, 1), k.firm));
}

// whether two factors other than 1 and -1 are the same
static bool are_same(factor a, factor b)
{
    if (a.firm >= 0 || b.firm >= 0) return a.firm == b.firm;
    return a.number == b.number && fabs(a.number) != 1 && is_moderate(a.number);
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
static carom_ref move_into_if(carom_graph *graph, carom_op op, carom_ref choice, carom_ref by)
{
    const carom_node node = graph->node[choice];
    graph->nesting++;
    const carom_ref yes = carom_graph_make(graph, op, node.child[1], by, -1);
    const carom_ref no = carom_graph_make(graph, op, node.child[2], by, -1);
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

// ka x op kb x
static carom_ref add_factors(carom_graph *graph, carom_op op, factor ka, factor kb, carom_ref x)
{
    const double k = op == CAROM_OP_ADD ? ka.number + kb.number : ka.number - kb.number;
    if (ka.firm < 0 && kb.firm < 0) return isfinite(k) ? carom_graph_scale(graph, k, x) : -1;
    const carom_ref a = factor_node(graph, ka), b = factor_node(graph, kb);
    return carom_graph_mul(graph, carom_graph_make(graph, op, a, b, -1), x);
}

// terms with factors in front
static carom_ref add_terms(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    const bool is_sum = op == CAROM_OP_ADD;
    factor ka, kb;
    const carom_ref xa = split_factor(graph, a, &ka), xb = split_factor(graph, b, &kb);
    const carom_ref sum = xa == xb ? add_factors(graph, op, ka, kb, xa) : -1;
    if (sum >= 0) return sum;
    if (are_same(ka, kb)) return times(graph, ka, carom_graph_make(graph, op, xa, xb, -1));
    if (is_negative(graph, kb)) {
        const carom_ref turned = times(graph, opposite(graph, kb), xb);
        return carom_graph_make(graph, is_sum ? CAROM_OP_SUB : CAROM_OP_ADD, a, turned, -1);
    }
    if (is_negative(graph, ka) && is_sum)
        return carom_graph_sub(graph, b, times(graph, opposite(graph, ka), xa));
    if (is_minus_one(ka) && is_op(graph, a, CAROM_OP_NEG))
        return carom_graph_negate(graph, carom_graph_add(graph, xa, b));
    return -1;
}

carom_ref carom_simplify_sum(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    const bool is_sum = op == CAROM_OP_ADD;
    if (carom_graph_is_zero(graph, b)) return a;
    if (carom_graph_is_zero(graph, a)) return is_sum ? b : carom_graph_negate(graph, b);
    if (is_sum && is_one(graph, a, b)) return carom_graph_number(graph, 1);
    double k;
    if (carom_graph_is_number(graph, b, &k) && k < 0)
        return carom_graph_make(graph, is_sum ? CAROM_OP_SUB : CAROM_OP_ADD, a,
                                carom_graph_number(graph, -k), -1);
    if (is_sum && carom_graph_is_number(graph, a, &k) && k < 0)
        return carom_graph_sub(graph, b, carom_graph_number(graph, -k));
    const carom_ref simple = add_terms(graph, op, a, b);
    if (simple >= 0 || graph->is_out_of_memory) return simple;
    const bool both_if = is_op(graph, a, CAROM_OP_IF) && is_op(graph, b, CAROM_OP_IF);
    if (both_if && graph->node[a].child[0] == graph->node[b].child[0] &&
        graph->nesting < DEEPEST_NESTING)
        return merge_ifs(graph, op, a, b);
    return -1;
}

// something firm times something that is not
static carom_ref scale(carom_graph *graph, carom_ref firm, carom_ref x)
{
    const factor k = factor_at(graph, firm);
    const bool is_number = k.firm < 0;
    if (is_number && k.number == 0) return carom_graph_number(graph, 0);
    if (is_number && k.number == 1) return x;
    const carom_node node = graph->node[x];
    if ((node.op == CAROM_OP_MUL || node.op == CAROM_OP_DIV) &&
        carom_graph_is_firm(graph, node.child[0])) {
        const factor inner = factor_at(graph, node.child[0]);
        if (!is_number || inner.firm >= 0 || isnormal(k.number * inner.number)) {
            const carom_ref merged = carom_graph_mul(graph, firm, node.child[0]);
            return carom_graph_make(graph, node.op, merged, node.child[1], -1);
        }
    }
    if (node.op == CAROM_OP_NEG) return times(graph, opposite(graph, k), node.child[0]);
    if (is_minus_one(k)) return carom_graph_negate(graph, x);
    if (has_zero_branch(graph, x)) return move_into_if(graph, CAROM_OP_MUL, x, firm);
    return -1;
}

static carom_ref multiply(carom_graph *graph, carom_ref a, carom_ref b)
{
    if (carom_graph_is_firm(graph, a)) return scale(graph, a, b);
    if (carom_graph_is_firm(graph, b)) return carom_graph_mul(graph, b, a);
    const carom_ref pair[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        factor k;
        const carom_ref other = pair[1 - i], rest = split_factor(graph, pair[i], &k);
        if (rest != pair[i] && can_move(k))
            return times(graph, k, carom_graph_mul(graph, rest, other));
        const carom_node node = graph->node[pair[i]];
        if (node.op == CAROM_OP_DIV && carom_graph_is_firm(graph, node.child[0]) &&
            can_move(k = factor_at(graph, node.child[0])))
            return times(graph, k, carom_graph_divide(graph, other, node.child[1]));
        if (has_zero_branch(graph, pair[i]))
            return move_into_if(graph, CAROM_OP_MUL, pair[i], other);
    }
    return -1;
}

static carom_ref divide(carom_graph *graph, carom_ref a, carom_ref b)
{
    factor k;
    if (carom_graph_is_zero(graph, a)) return a;
    if (carom_graph_is_firm(graph, b)) {
        k = factor_at(graph, b);
        if (k.firm < 0 && k.number == 1) return a;
        return can_move(k) ? times(graph, inverse(graph, k), a) : -1;
    }
    carom_ref rest = split_factor(graph, a, &k);
    if (rest != a && can_move(k)) return times(graph, k, carom_graph_divide(graph, rest, b));
    rest = split_factor(graph, b, &k);
    if (rest != b && can_move(k))
        return times(graph, inverse(graph, k), carom_graph_divide(graph, a, rest));
    if (has_zero_branch(graph, a)) return move_into_if(graph, CAROM_OP_DIV, a, b);
    return -1;
}

static carom_ref negate(carom_graph *graph, carom_ref a)
{
    const carom_node node = graph->node[a];
    if (node.op == CAROM_OP_NEG) return node.child[0];
    if (node.op == CAROM_OP_SUB) return carom_graph_sub(graph, node.child[1], node.child[0]);
    if ((node.op == CAROM_OP_MUL || node.op == CAROM_OP_DIV) &&
        carom_graph_is_firm(graph, node.child[0])) {
        const carom_ref turned =
            factor_node(graph, opposite(graph, factor_at(graph, node.child[0])));
        return carom_graph_make(graph, node.op, turned, node.child[1], -1);
    }
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
    for (int i = 0; i < 3 && i < carom_operation_arity(op); i++)
        if (!carom_graph_is_number(graph, child[i], &x[i])) return false;
    *value = op == CAROM_OP_TABLE ? carom_spline_at(graph->table[child[2]].spline, x[0], child[1])
                                  : carom_operation_value(op, x[0], x[1], x[2]);
    return true;
}

// what is exact whatever the values of the parameters
static carom_ref simplify_firm(carom_graph *graph, carom_op op, const int child[3])
{
    const carom_ref a = child[0], b = child[1];
    const carom_node node = graph->node[a];
    double k, l;
    const bool a_number = carom_graph_is_number(graph, a, &k),
               b_number = carom_operation_arity(op) > 1 && carom_graph_is_number(graph, b, &l);
    // clang-format off
    switch ((int)op) {
    case CAROM_OP_ADD: return a_number && k == 0 ? b : b_number && l == 0 ? a : -1;
    case CAROM_OP_SUB:
        if (a == b) return carom_graph_number(graph, 0);
        return b_number && l == 0 ? a : a_number && k == 0 ? carom_graph_negate(graph, b) : -1;
    case CAROM_OP_MUL:
        if (a_number && (k == 0 || k == 1)) return k == 0 ? a : b;
        return b_number && (l == 0 || l == 1) ? (l == 0 ? b : a) : -1;
    case CAROM_OP_DIV: return (a_number && k == 0) || (b_number && l == 1) ? a : -1;
    case CAROM_OP_NEG: return node.op == CAROM_OP_NEG ? node.child[0] : -1;
    case CAROM_OP_IF: return carom_simplify_if(graph, a, b, child[2]);
    case CAROM_OP_AND: case CAROM_OP_OR: return carom_simplify_and_or(graph, op, a, b);
    default: return -1;
    }
    // clang-format on
}

// numbers first, then what is firm, then by age
static void sort_operands(const carom_graph *graph, carom_op op, int child[3])
{
    const bool is_commutative = op == CAROM_OP_ADD || op == CAROM_OP_MUL || op == CAROM_OP_MIN ||
                                op == CAROM_OP_MAX || op == CAROM_OP_EQ || op == CAROM_OP_NE ||
                                op == CAROM_OP_AND || op == CAROM_OP_OR || op == CAROM_OP_HYPOT;
    if (!is_commutative) return;
    const int a = child[0], b = child[1];
    const int a_first = is_op(graph, a, CAROM_OP_NUMBER) + carom_graph_is_firm(graph, a),
              b_first = is_op(graph, b, CAROM_OP_NUMBER) + carom_graph_is_firm(graph, b);
    if (a_first != b_first ? a_first > b_first : a <= b) return;
    child[0] = b;
    child[1] = a;
}

static bool are_firm(const carom_graph *graph, const int child[3], int arity)
{
    bool is_firm = true;
    for (int i = 0; i < 3 && i < arity; i++) is_firm &= carom_graph_is_firm(graph, child[i]);
    return is_firm;
}

carom_ref carom_graph_make(carom_graph *graph, carom_op op, carom_ref a, carom_ref b, carom_ref c)
{
    int child[3] = {a, b, c};
    const int arity = carom_operation_arity(op);
    for (int i = 0; i < 3 && i < arity; i++)
        if (child[i] < 0) return -1;
    double value;
    if (fold(graph, op, child, &value)) return carom_graph_number(graph, value);
    if (op == CAROM_OP_TABLE && b > graph->table[c].degree) return carom_graph_number(graph, 0);
    const carom_ref simple = are_firm(graph, child, arity) ? simplify_firm(graph, op, child)
                                                           : apply_rules(graph, op, child);
    if (simple >= 0 || graph->is_out_of_memory) return simple;
    sort_operands(graph, op, child);
    for (int i = arity; i < 3 && op != CAROM_OP_TABLE; i++) child[i] = -1;
    return carom_graph_intern(graph, op, child);
}
