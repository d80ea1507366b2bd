// SPDX-License-Identifier: Apache-2.0
// Partial derivatives by one reverse sweep: the weight w of a node is d root / d node; each child
// gets w * d node / d child. Only nodes below the root that contain the wanted kind of symbol are
// visited, so the cost follows the size of the root and not that of the graph. A. Griewank, A.
// Walther, Evaluating Derivatives, 2008, chapter 3.
#include "expr/graph_nodes.h"

#include <stdlib.h>

static carom_ref number(carom_graph *graph, double value)
{
    return carom_graph_number(graph, value);
}

static carom_ref reciprocal(carom_graph *graph, carom_ref x)
{
    return carom_graph_divide(graph, number(graph, 1), x);
}

static carom_ref square(carom_graph *graph, carom_ref x)
{
    return carom_graph_mul(graph, x, x);
}

// (a^b)' = b a^(b-1) a' + a^b log(a) b'; the second part is 0 at a = 0
static carom_ref power_partial(carom_graph *graph, carom_ref ref, int which)
{
    const carom_node node = graph->node[ref];
    const carom_ref a = node.child[0], b = node.child[1];
    if (which == 0) {
        const carom_ref less = carom_graph_sub(graph, b, number(graph, 1));
        return carom_graph_mul(graph, b, carom_graph_make(graph, CAROM_OP_POW, a, less, -1));
    }
    const carom_ref log_a = carom_graph_call(graph, CAROM_OP_LOG, a), zero = number(graph, 0);
    return carom_graph_make(graph, CAROM_OP_IF, carom_graph_make(graph, CAROM_OP_EQ, a, zero, -1),
                            zero, carom_graph_mul(graph, ref, log_a));
}

// atan2(a, b)' = (b a' - a b') / (a^2 + b^2)
static carom_ref atan2_partial(carom_graph *graph, carom_ref a, carom_ref b, int which)
{
    const carom_ref r2 = carom_graph_add(graph, square(graph, a), square(graph, b));
    return carom_graph_divide(graph, which == 0 ? b : carom_graph_negate(graph, a), r2);
}

static carom_ref quotient_partial(carom_graph *graph, carom_ref ref, carom_ref b, int which)
{
    if (which == 0) return reciprocal(graph, b);
    return carom_graph_negate(graph, carom_graph_divide(graph, ref, b));
}

// mod(a, b)' = a' - floor(a/b) b' between the jumps
static carom_ref mod_partial(carom_graph *graph, carom_ref a, carom_ref b, int which)
{
    if (which == 0) return number(graph, 1);
    const carom_ref times =
        carom_graph_call(graph, CAROM_OP_FLOOR, carom_graph_divide(graph, a, b));
    return carom_graph_negate(graph, times);
}

// 1/sqrt(1 - x^2)
static carom_ref asin_partial(carom_graph *graph, carom_ref x)
{
    const carom_ref rest = carom_graph_sub(graph, number(graph, 1), square(graph, x));
    return reciprocal(graph, carom_graph_call(graph, CAROM_OP_SQRT, rest));
}

carom_ref carom_graph_partial(carom_graph *graph, carom_ref ref, int which)
{
    const carom_node node = graph->node[ref];
    const carom_ref a = node.child[0], b = node.child[1], one = number(graph, 1);
    // clang-format off
    switch (node.op) {
    case CAROM_OP_ADD: return one;
    case CAROM_OP_SUB: return number(graph, which == 0 ? 1 : -1);
    case CAROM_OP_MUL: return which == 0 ? b : a;
    case CAROM_OP_DIV: return quotient_partial(graph, ref, b, which);
    case CAROM_OP_NEG: return number(graph, -1);
    case CAROM_OP_POW: return power_partial(graph, ref, which);
    case CAROM_OP_SIN: return carom_graph_call(graph, CAROM_OP_COS, a);
    case CAROM_OP_COS: return carom_graph_negate(graph, carom_graph_call(graph, CAROM_OP_SIN, a));
    case CAROM_OP_TAN: return carom_graph_add(graph, one, square(graph, ref));
    case CAROM_OP_ASIN: return asin_partial(graph, a);
    case CAROM_OP_ACOS: return carom_graph_negate(graph, asin_partial(graph, a));
    case CAROM_OP_ATAN: return reciprocal(graph, carom_graph_add(graph, one, square(graph, a)));
    case CAROM_OP_ATAN2: return atan2_partial(graph, a, b, which);
    case CAROM_OP_HYPOT: return carom_graph_divide(graph, node.child[which], ref);
    case CAROM_OP_SINH: return carom_graph_call(graph, CAROM_OP_COSH, a);
    case CAROM_OP_COSH: return carom_graph_call(graph, CAROM_OP_SINH, a);
    case CAROM_OP_TANH: return carom_graph_sub(graph, one, square(graph, ref));
    case CAROM_OP_EXP: return ref;
    case CAROM_OP_LOG: return reciprocal(graph, a);
    case CAROM_OP_SQRT: return carom_graph_divide(graph, number(graph, 0.5), ref);
    case CAROM_OP_ABS: return carom_graph_call(graph, CAROM_OP_SIGN, a);
    case CAROM_OP_MOD: return mod_partial(graph, a, b, which);
    case CAROM_OP_TABLE: return carom_graph_make(graph, CAROM_OP_TABLE, a, b + 1, node.child[2]);
    // constant between their jumps
    case CAROM_OP_SIGN: case CAROM_OP_STEP: case CAROM_OP_FLOOR:
    case CAROM_OP_LT: case CAROM_OP_LE: case CAROM_OP_EQ: case CAROM_OP_NE:
    case CAROM_OP_AND: case CAROM_OP_OR: case CAROM_OP_NOT: return number(graph, 0);
    // those that choose are derived by their choice; numbers and symbols have no children
    case CAROM_OP_IF: case CAROM_OP_MIN: case CAROM_OP_MAX:
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: break;
    }
    // clang-format on
    return -1;
}

carom_ref carom_graph_choice(carom_graph *graph, carom_ref ref)
{
    const carom_node node = graph->node[ref];
    if (node.op == CAROM_OP_IF) return node.child[0];
    if (node.op == CAROM_OP_MIN)
        return carom_graph_make(graph, CAROM_OP_LE, node.child[0], node.child[1], -1);
    if (node.op == CAROM_OP_MAX)
        return carom_graph_make(graph, CAROM_OP_LE, node.child[1], node.child[0], -1);
    return -1;
}

carom_ref carom_graph_weigh(carom_graph *graph, carom_ref weight, carom_ref factor)
{
    const carom_ref product = carom_graph_mul(graph, weight, factor);
    // a single condition has been moved outwards by the rule of products already
    if (weight < 0 || !graph->node[weight].masked || graph->node[weight].op == CAROM_OP_IF ||
        carom_graph_is_firm(graph, factor))
        return product;
    const carom_ref zero = number(graph, 0);
    return carom_graph_make(graph, CAROM_OP_IF,
                            carom_graph_make(graph, CAROM_OP_EQ, weight, zero, -1), zero, product);
}

static void add_weight(carom_graph *graph, carom_ref child, carom_ref part)
{
    const carom_ref before = graph->work[child];
    const carom_ref sum = before == -1 ? part : carom_graph_add(graph, before, part);
    graph->work[child] = sum;
}

// hands the weight of a node on to its children
static void hand_on_weight(carom_graph *graph, carom_ref ref, unsigned kinds)
{
    const carom_node node = graph->node[ref];
    const carom_ref weight = graph->work[ref], choice = carom_graph_choice(graph, ref);
    const int first = node.op == CAROM_OP_IF ? 1 : 0;
    for (int i = first; i < carom_operation_arity(node.op); i++) {
        const carom_ref child = node.child[i];
        if (!(graph->node[child].kinds & kinds)) continue;
        if (choice < 0) {
            add_weight(graph, child,
                       carom_graph_weigh(graph, weight, carom_graph_partial(graph, ref, i)));
            continue;
        }
        const carom_ref zero = number(graph, 0);
        add_weight(graph, child,
                   i == first ? carom_graph_make(graph, CAROM_OP_IF, choice, weight, zero)
                              : carom_graph_make(graph, CAROM_OP_IF, choice, zero, weight));
    }
}

typedef struct entry {
    int index;
    carom_ref ref;
} entry;

static int by_index(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->index != y->index) return x->index > y->index ? 1 : -1;
    return (x->ref > y->ref) - (x->ref < y->ref);
}

static bool take_room(carom_graph *graph, int n)
{
    if (n <= graph->gradient_room) return true;
    int *index = realloc(graph->gradient_index, sizeof *index * 2 * (size_t)n);
    if (index) graph->gradient_index = index;
    carom_ref *ref = realloc(graph->gradient_ref, sizeof *ref * 2 * (size_t)n);
    if (ref) graph->gradient_ref = ref;
    if (!index || !ref) return false;
    graph->gradient_room = 2 * n;
    return true;
}

// where the weights of the symbols go
typedef struct entries {
    entry *list;
    int n;
} entries;

static void add_entry(carom_graph *graph, entries *to, int index, carom_ref ref)
{
    if (ref >= 0 && !carom_graph_is_zero(graph, ref)) to->list[to->n++] = (entry){index, ref};
}

// a turn moves along several velocities, with constant factors
static void add_turn(carom_graph *graph, entries *to, int direction, carom_ref weight)
{
    const carom_turn_rate turn = graph->turn[CAROM_FIRST_TURN - direction];
    for (int k = 0; k < turn.n; k++)
        add_entry(graph, to, turn.velocity[k], carom_graph_scale(graph, turn.factor[k], weight));
}

// an entry of a rotation matrix turns along three velocities, others move along their own
static void add_symbol(carom_graph *graph, entries *to, carom_ref ref)
{
    const carom_node node = graph->node[ref];
    const carom_ref weight = graph->work[ref];
    const int index = node.child[1];
    if (weight < 0) return;
    if (node.child[0] != CAROM_R) {
        const int along = node.child[0] == CAROM_Q ? carom_graph_direction(graph, index) : index;
        if (along <= CAROM_FIRST_TURN)
            add_turn(graph, to, along, weight);
        else
            add_entry(graph, to, along, weight);
        return;
    }
    const int u = graph->rotation[index / 9].u;
    for (int k = 0; k < 3; k++)
        add_entry(graph, to, u + k,
                  carom_graph_weigh(graph, weight, carom_rotation_along(graph, ref, u + k)));
}

// entries of one index become their sum
static void join_entries(carom_graph *graph, entries *all)
{
    int n = 0;
    for (int k = 0; k < all->n; k++) {
        if (n > 0 && all->list[n - 1].index == all->list[k].index)
            all->list[n - 1].ref = carom_graph_add(graph, all->list[n - 1].ref, all->list[k].ref);
        else
            all->list[n++] = all->list[k];
        if (carom_graph_is_zero(graph, all->list[n - 1].ref)) n--;
    }
    all->n = n;
}

// the weights of the symbols among the first n nodes of the walk, sorted
static carom_status collect(carom_graph *graph, int n, carom_gradient *gradient)
{
    int n_symbol = 0, most = 0;
    entries all = {0};
    for (int k = 0; k < n; k++) {
        const carom_node *node = &graph->node[graph->order[k]];
        if (node->op != CAROM_OP_SYMBOL) continue;
        most += node->child[0] == CAROM_R ? 3 : graph->n_turn > 0 ? CAROM_MOST_TURNING : 1;
        graph->order[n_symbol++] = graph->order[k];
    }
    all.list = malloc(sizeof *all.list * (size_t)(most + 1));
    if (!all.list || !take_room(graph, most + 1)) {
        free(all.list);
        graph->is_out_of_memory = true;
        return CAROM_NO_MEMORY;
    }
    for (int k = 0; k < n_symbol; k++) add_symbol(graph, &all, graph->order[k]);
    qsort(all.list, (size_t)all.n, sizeof *all.list, by_index);
    if (graph->n_rotation > 0) join_entries(graph, &all);
    for (int k = 0; k < all.n; k++) {
        graph->gradient_index[k] = all.list[k].index;
        graph->gradient_ref[k] = all.list[k].ref;
    }
    free(all.list);
    *gradient = (carom_gradient){all.n, graph->gradient_index, graph->gradient_ref};
    return graph->is_out_of_memory ? CAROM_NO_MEMORY : CAROM_OK;
}

carom_status carom_graph_gradient(carom_graph *graph, carom_ref root, carom_symbol kind,
                                  carom_gradient *gradient)
{
    *gradient = (carom_gradient){0};
    if (graph->is_out_of_memory) return CAROM_NO_MEMORY;
    const unsigned kinds = 1u << kind;
    const int n = carom_graph_walk(graph, root, kinds, false);
    if (n == 0) return CAROM_OK;
    for (int k = 0; k < n; k++) graph->work[graph->order[k]] = -1;
    add_weight(graph, root, number(graph, 1));
    for (int k = n - 1; k >= 0; k--) {
        const carom_ref ref = graph->order[k], weight = graph->work[ref];
        if (weight >= 0 && !carom_graph_is_zero(graph, weight)) hand_on_weight(graph, ref, kinds);
    }
    if (graph->is_out_of_memory) return CAROM_NO_MEMORY;
    return collect(graph, n, gradient);
}
