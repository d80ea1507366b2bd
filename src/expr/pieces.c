// SPDX-License-Identifier: Apache-2.0
// Cutting at one switch after the other. Where the gap is a plain sum of what min, max or abs give,
// the outermost comes first, else the innermost: so its arguments have no kinks left.
#include "expr/pieces.h"

#include "base/list.h"
#include "expr/graph_nodes.h"
#include "expr/switches.h"

#include <math.h>

// Of the neighbour's length: how far a part of a periodic table goes on at an inner corner, and how
// far it is defined. Its own period ends behind that.
static const double round_share = 0.25, defined_share = 0.45;

// nodes that a cut has made and that do not switch where their piece counts
typedef struct settled {
    carom_ref ref;
    const struct settled *next;
} settled;

typedef struct part {
    carom_piece piece;
    const settled *settled;
} part;

// a cut at one switch: its nodes, and what it decides
typedef struct cut {
    carom_graph *graph;
    carom_arena *arena;
    const carom_switch *it;
    carom_ref *node;   // (n_node)
    bool *is_negative; // (n_node)
    carom_ref *to;     // (n_node)
    int n_node, n_root;
    int n_part;  // intervals between places
    part *part;  // (n_part)
    bool jumps;  // one of the nodes in the gap does
    part *whole; // what is cut
    carom_pieces *pieces;
} cut;

static carom_ref number(cut *c, double value)
{
    return carom_graph_number(c->graph, value);
}

static bool is_table(const cut *c)
{
    return c->graph->node[c->node[0]].op == CAROM_OP_TABLE;
}

static bool settle(cut *c, part *p, carom_ref ref)
{
    settled *s = CAROM_TAKE(c->arena, settled, 1);
    if (!s) return false;
    *s = (settled){ref, p->settled};
    p->settled = s;
    return true;
}

static bool is_settled(const part *p, carom_ref ref)
{
    const settled *s = p->settled;
    while (s && s->ref != ref) s = s->next;
    return s != NULL;
}

// ---- what the nodes are in an interval ----

// s as interval j sees it: in a period of its own around its middle
static carom_ref local(cut *c, int j, part *p)
{
    const carom_switch *it = c->it;
    if (!(it->period > 0)) return it->value;
    const double middle = 0.5 * (it->place[j] + it->place[j + 1]);
    const carom_ref turns =
        carom_graph_call(c->graph, CAROM_OP_FLOOR,
                         carom_graph_scale(c->graph, 1 / it->period,
                                           carom_graph_sub(c->graph, it->value,
                                                           number(c, middle - 0.5 * it->period))));
    if (!settle(c, p, turns)) return -1;
    return carom_graph_sub(c->graph, it->value, carom_graph_scale(c->graph, it->period, turns));
}

static carom_ref join(cut *c, carom_op op, carom_ref a, carom_ref b)
{
    return carom_graph_make(c->graph, op, a, b, -1);
}

// line where its interval is near, undefined beyond, lest it jumps where its own period ends
static carom_ref near_interval(cut *c, carom_ref line, carom_ref s, int j, part *p)
{
    carom_graph *g = c->graph;
    const double *x = c->it->place;
    const int n = c->n_part, before = (j + n - 1) % n, after = (j + 1) % n;
    const double low = x[j] - defined_share * (x[before + 1] - x[before]),
                 high = x[j + 1] + defined_share * (x[after + 1] - x[after]);
    const carom_ref room = carom_graph_mul(g, carom_graph_sub(g, s, number(c, low)),
                                           carom_graph_sub(g, number(c, high), s));
    const carom_ref is_near = join(c, CAROM_OP_LE, number(c, 0), room);
    const carom_ref nothing =
        carom_graph_call(g, CAROM_OP_FLOOR, carom_graph_call(g, CAROM_OP_SQRT, room));
    if (!settle(c, p, is_near) || !settle(c, p, nothing)) return -1;
    return carom_graph_make(g, CAROM_OP_IF, is_near, line, nothing);
}

// line within the range of the table, beyond its ends the table itself, which is undefined there
static carom_ref in_range(cut *c, carom_ref line, carom_ref table, int j, part *p)
{
    const double *x = c->it->place;
    for (int end = 0; end < 2; end++) {
        if (j != (end ? c->n_part - 1 : 0)) continue;
        const carom_ref s = c->it->value;
        const carom_ref outside = end ? join(c, CAROM_OP_LT, number(c, x[j + 1]), s)
                                      : join(c, CAROM_OP_LT, s, number(c, x[0]));
        if (!settle(c, p, outside) || !settle(c, p, table)) return -1;
        line = carom_graph_make(c->graph, CAROM_OP_IF, outside, table, line);
    }
    return line;
}

// a table between two of its points
static carom_ref line(cut *c, carom_ref ref, int j, part *p)
{
    carom_graph *g = c->graph;
    const carom_node node = g->node[ref];
    const carom_spline *spline = g->table[node.child[2]].spline;
    const double *x = spline->x, *a = spline->coefficient + 4 * j;
    const carom_ref s = local(c, j, p);
    carom_ref value = number(c, node.child[1] == 1 ? a[1] : 0);
    if (node.child[1] == 0) { // through the point nearer to 0, where numbers are finer
        const bool is_end = fabs(x[j + 1]) < fabs(x[j]);
        const carom_ref way = carom_graph_sub(g, s, number(c, x[j + is_end]));
        const double start = is_end ? carom_spline_at(spline, x[j + 1], 0) : a[0];
        value = carom_graph_add(g, number(c, start), carom_graph_scale(g, a[1], way));
    }
    return spline->period > 0 ? near_interval(c, value, s, j, p) : in_range(c, value, ref, j, p);
}

// what a node is for s in interval j
static carom_ref alternative(cut *c, int i, int j, part *p)
{
    const carom_ref ref = c->node[i];
    const carom_node node = c->graph->node[ref];
    const bool is_above = (j == 1) != c->is_negative[i];
    // clang-format off
    switch (node.op) {
    case CAROM_OP_LT: case CAROM_OP_LE: case CAROM_OP_STEP: return number(c, is_above);
    case CAROM_OP_SIGN: return number(c, is_above ? 1 : -1);
    case CAROM_OP_ABS: return is_above ? node.child[0] : carom_graph_negate(c->graph, node.child[0]);
    case CAROM_OP_MIN: case CAROM_OP_MAX: return node.child[is_above ? 0 : 1];
    case CAROM_OP_TABLE: return line(c, ref, j, p);
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: case CAROM_OP_ADD: case CAROM_OP_SUB:
    case CAROM_OP_MUL: case CAROM_OP_DIV: case CAROM_OP_NEG: case CAROM_OP_POW: case CAROM_OP_SIN:
    case CAROM_OP_COS: case CAROM_OP_TAN: case CAROM_OP_ASIN: case CAROM_OP_ACOS:
    case CAROM_OP_ATAN: case CAROM_OP_ATAN2: case CAROM_OP_SINH: case CAROM_OP_COSH:
    case CAROM_OP_TANH: case CAROM_OP_EXP: case CAROM_OP_LOG: case CAROM_OP_SQRT: case CAROM_OP_EQ:
    case CAROM_OP_NE: case CAROM_OP_AND: case CAROM_OP_OR: case CAROM_OP_NOT: case CAROM_OP_IF:
    case CAROM_OP_HYPOT: case CAROM_OP_FLOOR: case CAROM_OP_MOD: break; // no switches, or endless
    }
    // clang-format on
    return ref;
}

// slope below place j (between intervals j and j + 1) minus slope above, with respect to s
static double slope_jump(const cut *c, int i, int j)
{
    const carom_node node = c->graph->node[c->node[i]];
    if (node.op == CAROM_OP_ABS) return -2;
    if (node.op == CAROM_OP_MAX) return -1;
    if (node.op == CAROM_OP_MIN) return 1;
    const double *a = c->graph->table[node.child[2]].spline->coefficient;
    return a[4 * j + 1] - a[4 * ((j + 1) % c->n_part) + 1];
}

static bool is_continuous(const carom_graph *graph, carom_ref ref)
{
    const carom_node *node = &graph->node[ref];
    return node->op == CAROM_OP_ABS || node->op == CAROM_OP_MIN || node->op == CAROM_OP_MAX ||
           (node->op == CAROM_OP_TABLE && node->child[1] == 0);
}

// ---- how the gap depends on the nodes ----

static bool contains(carom_graph *graph, carom_ref root, carom_ref node)
{
    const carom_ref mark = carom_graph_symbol(graph, CAROM_P, 0);
    return carom_graph_replace(graph, root, &node, &mark, 1) != root;
}

// the gap with symbols P_i in place of the nodes
static carom_ref with_symbols(cut *c, carom_ref gap)
{
    for (int i = 0; i < c->n_node; i++) c->to[i] = carom_graph_symbol(c->graph, CAROM_P, i);
    return carom_graph_replace(c->graph, gap, c->node, c->to, c->n_node);
}

// ref where s has the value of place, if s is a number times a coordinate (or t) plus the rest:
// that coordinate is moved there; else as it is
static carom_ref at_place(cut *c, carom_ref ref, double place)
{
    carom_graph *g = c->graph;
    double slope;
    for (int k = 0; k < 2; k++) {
        carom_gradient gradient;
        if (carom_graph_gradient(g, c->it->value, k ? CAROM_TIME : CAROM_Q, &gradient) != CAROM_OK)
            return -1;
        for (int i = 0; i < gradient.n; i++) {
            if (!carom_graph_is_number(g, gradient.ref[i], &slope)) continue;
            const carom_ref symbol =
                carom_graph_symbol(g, k ? CAROM_TIME : CAROM_Q, gradient.index[i]);
            const carom_ref zero = number(c, 0);
            const carom_ref rest = carom_graph_replace(g, c->it->value, &symbol, &zero, 1);
            const carom_ref there =
                carom_graph_scale(g, 1 / slope, carom_graph_sub(g, number(c, place), rest));
            return carom_graph_replace(g, ref, &symbol, &there, 1);
        }
    }
    return ref;
}

// the place between interval j and the next one
static double place_after(const cut *c, int j)
{
    return c->it->place[is_table(c) ? j + 1 : 0];
}

// sum of k_i D_i at the place after interval j; may be the node of a number
static carom_ref corner(cut *c, carom_ref gap, int j)
{
    carom_ref sum = number(c, 0);
    for (int i = 0; i < c->n_node; i++) {
        if (!is_continuous(c->graph, c->node[i])) continue; // one of a slip
        const carom_ref k = carom_graph_derivative(c->graph, gap, CAROM_P, i);
        sum = carom_graph_add(c->graph, sum, carom_graph_scale(c->graph, slope_jump(c, i, j), k));
    }
    if (!(carom_graph_kinds(c->graph, sum) & 1u << CAROM_P)) return sum;
    carom_ref *symbol = CAROM_TAKE(c->arena, carom_ref, c->n_node);
    part unused = {.settled = NULL};
    if (!symbol) return -1;
    for (int i = 0; i < c->n_node; i++) {
        symbol[i] = carom_graph_symbol(c->graph, CAROM_P, i);
        c->to[i] = alternative(c, i, j, &unused);
    }
    sum = carom_graph_replace(c->graph, sum, symbol, c->to, c->n_node);
    return at_place(c, sum, place_after(c, j));
}

// value of an expression at q = 0, t = 0
static double at_origin(carom_graph *graph, carom_ref ref)
{
    double value = NAN;
    const carom_ref still =
        carom_graph_without(graph, carom_graph_without(graph, ref, CAROM_Q), CAROM_TIME);
    carom_graph_is_number(graph, still, &value);
    return value;
}

// whether all derivatives of an expression vanish, to rounding of slopes of size scale
static bool is_flat(carom_graph *graph, carom_ref ref, double scale)
{
    for (int k = 0; k < 2; k++) {
        carom_gradient slope;
        double value;
        if (carom_graph_gradient(graph, ref, k ? CAROM_TIME : CAROM_Q, &slope) != CAROM_OK)
            return false;
        for (int i = 0; i < slope.n; i++)
            if (!carom_graph_is_number(graph, slope.ref[i], &value) ||
                !(fabs(value) <= 1e-12 * scale))
                return false;
    }
    return true;
}

// whether two gaps differ by a number other than 0 at a place: a step
static bool is_step(cut *c, carom_ref below, carom_ref above, double place)
{
    const carom_ref a = at_place(c, below, place), b = at_place(c, above, place);
    if (!is_flat(c->graph, carom_graph_sub(c->graph, a, b), 1)) return false;
    const double x = at_origin(c->graph, a), y = at_origin(c->graph, b);
    return fabs(x - y) > 1e-9 * (fabs(x) + fabs(y)) + 1e-14;
}

// where d = factor s + constant with a number: that
static bool is_multiple(cut *c, carom_ref d, double *factor)
{
    carom_graph *g = c->graph;
    const carom_ref s = c->it->value;
    const carom_symbol kind = carom_graph_kinds(g, s) & 1u << CAROM_Q ? CAROM_Q : CAROM_TIME;
    carom_gradient slope;
    double of_s, of_d;
    if (carom_graph_gradient(g, s, kind, &slope) != CAROM_OK || slope.n == 0) return false;
    const int index = slope.index[0];
    if (!carom_graph_is_number(g, slope.ref[0], &of_s)) return false;
    const carom_ref along = carom_graph_derivative(g, d, kind, index);
    if (!carom_graph_is_number(g, along, &of_d)) return false;
    *factor = of_d / of_s;
    const carom_ref rest = carom_graph_sub(g, d, carom_graph_scale(g, *factor, s));
    return is_flat(g, rest, fabs(of_d) + fabs(of_s));
}

// d slope of d with respect to s at a place, along the direction in which s grows fastest
static carom_ref slope_at(cut *c, carom_ref d, double place)
{
    carom_graph *g = c->graph;
    carom_ref along = number(c, 0), size = number(c, 0);
    for (int k = 0; k < 2; k++) {
        carom_gradient gradient;
        const carom_symbol kind = k ? CAROM_TIME : CAROM_Q;
        if (carom_graph_gradient(g, c->it->value, kind, &gradient) != CAROM_OK) return -1;
        int *index = CAROM_TAKE(c->arena, int, gradient.n);
        carom_ref *slope = CAROM_TAKE(c->arena, carom_ref, gradient.n);
        const int n = gradient.n;
        if (!index || !slope) return -1;
        for (int i = 0; i < n; i++) {
            index[i] = gradient.index[i];
            slope[i] = gradient.ref[i];
        }
        for (int i = 0; i < n; i++) {
            const carom_ref of_d = carom_graph_derivative(g, d, kind, index[i]);
            along = carom_graph_add(g, along, carom_graph_mul(g, of_d, slope[i]));
            size = carom_graph_add(g, size, carom_graph_mul(g, slope[i], slope[i]));
        }
    }
    return at_place(c, carom_graph_divide(g, along, size), place);
}

// ---- where the parts count ----

// conditions under which the part below a place goes on above it, and the other way round
typedef struct corner_conditions {
    carom_ref up, down;
} corner_conditions;

static corner_conditions same(cut *c, bool holds)
{
    const carom_ref both = number(c, holds);
    return (corner_conditions){both, both};
}

// nodes that jump: d = g_below - g_above as a whole, which is 0 at the place if the gap is one. An
// inner corner where d grows with s there; the parts go on as far as they lie behind the other.
static corner_conditions corner_of_jump(cut *c, int j)
{
    carom_graph *g = c->graph;
    const carom_ref below = c->part[j].piece.root[0],
                    above = c->part[(j + 1) % c->n_part].piece.root[0];
    const carom_ref d = carom_graph_sub(g, below, above), zero = number(c, 0);
    const double place = place_after(c, j);
    double factor, value;
    if (below == above) return same(c, false);
    if (is_step(c, below, above, place)) {
        c->pieces->verdict = CAROM_PIECES_JUMP;
        c->pieces->culprit = c->node[0];
    }
    if (is_multiple(c, d, &factor)) return same(c, factor > 0);
    const carom_ref slope = slope_at(c, d, place);
    if (carom_graph_is_number(g, slope, &value) && !(value > 0)) return same(c, false);
    const carom_ref is_inner = carom_graph_make(g, CAROM_OP_LT, zero, slope, -1);
    return (corner_conditions){join(c, CAROM_OP_AND, is_inner, join(c, CAROM_OP_LE, zero, d)),
                               join(c, CAROM_OP_AND, is_inner, join(c, CAROM_OP_LE, d, zero))};
}

static corner_conditions corner_at(cut *c, carom_ref gap, int j)
{
    if (c->jumps) return corner_of_jump(c, j);
    const carom_ref inner =
        carom_graph_make(c->graph, CAROM_OP_LT, number(c, 0), corner(c, gap, j), -1);
    return (corner_conditions){inner, inner};
}

// s on the right side of one end of interval j, or beyond it where the corner there is inner
static carom_ref within_end(cut *c, int j, bool is_upper, carom_ref goes_on)
{
    const carom_switch *it = c->it;
    const bool is_zero = !is_table(c), is_round = it->period > 0;
    const int first = is_zero ? 0 : j; // places around the interval: first, first + 1
    const int at = is_zero ? 0 : first + is_upper, last = it->n_place - 1;
    const int n = c->n_part, other = is_upper ? (j + 1) % n : (j + n - 1) % n;
    double far = is_upper ? INFINITY : -INFINITY;
    if (is_round)
        far = it->place[at] +
              (is_upper ? round_share : -round_share) * (it->place[other + 1] - it->place[other]);
    else if (!is_zero && (is_upper ? at + 1 < last : at - 1 > 0))
        far = it->place[is_upper ? at + 1 : at - 1];
    const carom_ref s = local(c, j, &c->part[j]);
    const carom_ref place = number(c, it->place[at]);
    const carom_ref near =
        is_upper ? join(c, CAROM_OP_LT, s, place) : join(c, CAROM_OP_LE, place, s);
    carom_ref beyond = goes_on;
    if (isfinite(far)) {
        const carom_ref end = number(c, far);
        beyond = join(c, CAROM_OP_AND, goes_on,
                      is_upper ? join(c, CAROM_OP_LT, s, end) : join(c, CAROM_OP_LE, end, s));
    }
    return join(c, CAROM_OP_OR, near, beyond);
}

static void add_conditions(cut *c, carom_ref gap)
{
    const bool is_round = c->it->period > 0;
    const int n_corner = is_round ? c->n_part : c->n_part - 1;
    for (int j = 0; j < n_corner; j++) {
        const corner_conditions corner = corner_at(c, gap, j);
        const int next = (j + 1) % c->n_part;
        carom_ref *below = &c->part[j].piece.where, *above = &c->part[next].piece.where;
        *below = join(c, CAROM_OP_AND, *below, within_end(c, j, true, corner.up));
        *above = join(c, CAROM_OP_AND, *above, within_end(c, next, false, corner.down));
    }
}

// ---- one cut ----

static bool make_parts(cut *c)
{
    c->part = CAROM_TAKE(c->arena, part, c->n_part);
    if (!c->part) return false;
    for (int j = 0; j < c->n_part; j++) {
        part *p = &c->part[j];
        *p = *c->whole;
        for (int i = 0; i < c->n_node; i++) c->to[i] = alternative(c, i, j, p);
        for (int k = 0; k < c->n_root; k++)
            p->piece.root[k] =
                carom_graph_replace(c->graph, p->piece.root[k], c->node, c->to, c->n_node);
    }
    return carom_graph_status(c->graph) == CAROM_OK;
}

// intervals between the places of a switch
static int count_parts(const carom_switch *it)
{
    return it->n_place == 1 ? 2 : it->n_place - 1;
}

static bool perform(cut *c)
{
    const carom_ref gap = c->whole->piece.root[0];
    if (!make_parts(c)) return false;
    for (int i = 0; i < c->n_node; i++)
        c->jumps |= contains(c->graph, gap, c->node[i]) && !is_continuous(c->graph, c->node[i]);
    add_conditions(c, with_symbols(c, gap));
    return carom_graph_status(c->graph) == CAROM_OK;
}

// ---- which switch comes next ----

// floor and mod
static bool is_endless(const carom_graph *graph, carom_ref ref)
{
    return graph->node[ref].op == CAROM_OP_FLOOR || graph->node[ref].op == CAROM_OP_MOD;
}

// A kink of time alone is the gap's: there a floor gets another velocity at once, and hits. That of
// a slip is no more than a change of force.
static bool is_kink(carom_graph *graph, carom_ref gap, const carom_switch *it, carom_ref node)
{
    const bool is_bent = it->order <= 1 && count_parts(it) > 1;
    if (!(is_bent || is_endless(graph, node)) || graph->node[node].kinds & 1u << CAROM_U)
        return false;
    return it->reach == CAROM_SWITCH_STATE || contains(graph, gap, node);
}

// whether the gap is a number times the node, plus what does not contain it
static bool is_plain_part(carom_graph *graph, carom_ref gap, carom_ref node)
{
    const carom_ref symbol = carom_graph_symbol(graph, CAROM_P, 0);
    const carom_ref with = carom_graph_replace(graph, gap, &node, &symbol, 1);
    double k;
    return carom_graph_is_number(graph, carom_graph_derivative(graph, with, CAROM_P, 0), &k) &&
           k != 0;
}

// the number of the switching node to cut at, or -1
static int choose(carom_graph *graph, const part *p, const carom_switches *found)
{
    int first = -1;
    for (int i = found->n_node - 1; i >= 0; i--) {
        const carom_switching_node *node = &found->node[i];
        const carom_op op = graph->node[node->ref].op;
        const carom_switch *it = &found->item[node->which];
        if (is_settled(p, node->ref) || !is_kink(graph, p->piece.root[0], it, node->ref)) continue;
        if ((op == CAROM_OP_MIN || op == CAROM_OP_MAX || op == CAROM_OP_ABS) &&
            is_plain_part(graph, p->piece.root[0], node->ref))
            return i;
        first = i;
    }
    return first;
}

static bool gather(cut *c, const carom_switches *found, int which)
{
    c->node = CAROM_TAKE(c->arena, carom_ref, found->n_node);
    c->is_negative = CAROM_TAKE(c->arena, bool, found->n_node);
    c->to = CAROM_TAKE(c->arena, carom_ref, found->n_node);
    if (!c->node || !c->is_negative || !c->to) return false;
    for (int i = 0; i < found->n_node; i++) {
        const carom_switching_node *node = &found->node[i];
        if (node->which != which || is_settled(c->whole, node->ref)) continue;
        c->node[c->n_node] = node->ref;
        c->is_negative[c->n_node++] = node->is_negative;
    }
    c->it = &found->item[which];
    c->n_part = count_parts(c->it);
    return true;
}

typedef CAROM_LIST(part) part_list;

static bool push(carom_arena *arena, part_list *list, const part *p)
{
    part *item = CAROM_LIST_ADD(arena, list);
    if (item) *item = *p;
    return item != NULL;
}

// takes the last part of the waiting ones: done, or cut into parts that wait instead
static bool take_one(cut *c, part_list *waiting, part_list *done)
{
    carom_switches found;
    part whole = waiting->item[--waiting->n];
    if (carom_switches_find(c->graph, whole.piece.root, c->n_root, c->arena, &found) != CAROM_OK)
        return false;
    const int node = choose(c->graph, &whole, &found);
    if (node < 0) return push(c->arena, done, &whole);
    cut one = {.graph = c->graph,
               .arena = c->arena,
               .n_root = c->n_root,
               .whole = &whole,
               .pieces = c->pieces};
    c->pieces->culprit = found.node[node].ref;
    if (is_endless(c->graph, found.node[node].ref)) {
        c->pieces->verdict = CAROM_PIECES_ENDLESS;
        return true;
    }
    if (!gather(&one, &found, found.node[node].which)) return false;
    if (one.n_part + waiting->n + done->n > CAROM_MOST_PIECES) {
        c->pieces->verdict = CAROM_PIECES_MANY;
        return true;
    }
    if (!perform(&one)) return false;
    // tables by growing s; of two, the first argument or branch first
    const bool is_up = is_table(&one);
    for (int k = 0; k < one.n_part; k++)
        if (!push(c->arena, waiting, &one.part[is_up ? one.n_part - 1 - k : k])) return false;
    return true;
}

// a look without memory: most gaps have no kinks
static bool may_have_kinks(carom_graph *graph, const carom_ref *root, int n_root)
{
    for (int k = 0; k < n_root; k++) {
        const int n = carom_graph_walk(graph, root[k], 1u << CAROM_Q | 1u << CAROM_TIME, false);
        for (int i = 0; i < n; i++)
            if (carom_switches_has(graph, graph->order[i])) return true;
    }
    return false;
}

carom_status carom_pieces_cut(carom_graph *graph, const carom_ref *root, int n_root,
                              carom_arena *arena, carom_pieces *pieces)
{
    part_list waiting = {0}, done = {0};
    cut c = {.graph = graph, .arena = arena, .n_root = n_root, .pieces = pieces};
    part whole = {.piece.where = carom_graph_number(graph, 1)};
    *pieces = (carom_pieces){.culprit = -1};
    for (int k = 0; k < CAROM_PIECE_ROOTS; k++) whole.piece.root[k] = k < n_root ? root[k] : -1;
    const bool has_kinks = may_have_kinks(graph, root, n_root);
    bool is_good = push(arena, has_kinks ? &waiting : &done, &whole);
    while (is_good && waiting.n > 0 && pieces->verdict == CAROM_PIECES_FOUND)
        is_good = take_one(&c, &waiting, &done);
    pieces->item = CAROM_TAKE(arena, carom_piece, done.n);
    if (!is_good || !pieces->item) return CAROM_NO_MEMORY;
    for (; pieces->n < done.n; pieces->n++) pieces->item[pieces->n] = done.item[pieces->n].piece;
    return carom_graph_status(graph);
}
