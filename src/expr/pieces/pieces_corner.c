// SPDX-License-Identifier: Apache-2.0
// Corners between the parts of a cut gap, and from them the conditions under which each part
// counts.
#include "expr/pieces/pieces_cut.h"
#include "expr/rotation_nodes.h"

#include <math.h>

// How far a part of a table goes on behind inner corners, in the length of the last interval that
// it reaches: not to the next corner, where other parts begin, and that of a periodic one not to
// the end of its own period.
static const double going_on = 0.9, going_round = 0.25;

// the gap with symbols P_i in place of the nodes
static carom_ref with_symbols(carom_cut *c, carom_ref gap)
{
    for (int i = 0; i < c->n_node; i++) c->to[i] = carom_graph_symbol(c->graph, CAROM_P, i);
    return carom_graph_replace(c->graph, gap, c->node, c->to, c->n_node);
}

// ref where s has the value of place, if s is a number times a coordinate (or t) plus the rest:
// that coordinate is moved there; else as it is
static carom_ref at_place(carom_cut *c, carom_ref ref, double place)
{
    carom_graph *g = c->graph;
    double slope;
    for (int k = 0; k < 2; k++) {
        carom_gradient gradient;
        if (carom_graph_gradient(g, c->it->value, k ? CAROM_TIME : CAROM_Q, &gradient) != CAROM_OK)
            return -1;
        for (int i = 0; i < gradient.n; i++) {
            if (!carom_graph_is_number(g, gradient.ref[i], &slope)) continue;
            const int index = k ? gradient.index[i] : carom_graph_position_of(g, gradient.index[i]);
            const carom_ref symbol = carom_graph_symbol(g, k ? CAROM_TIME : CAROM_Q, index);
            const carom_ref zero = carom_cut_number(c, 0);
            const carom_ref rest = carom_graph_replace(g, c->it->value, &symbol, &zero, 1);
            const carom_ref there = carom_graph_scale(
                g, 1 / slope, carom_graph_sub(g, carom_cut_number(c, place), rest));
            return carom_graph_replace(g, ref, &symbol, &there, 1);
        }
    }
    return ref;
}

// the place between interval j and the next one
static double place_after(const carom_cut *c, int j)
{
    return c->it->place[carom_cut_is_table(c) ? j + 1 : 0];
}

// sum of k_i D_i at the place after interval j, often a number; with P_i where the gap is not
// linear in the nodes
static carom_ref corner(carom_cut *c, carom_ref gap, int j)
{
    carom_ref sum = carom_cut_number(c, 0);
    for (int i = 0; i < c->n_node; i++) {
        if (!carom_cut_is_continuous(c->graph, c->node[i])) continue; // one of a slip
        const carom_ref k = carom_graph_derivative(c->graph, gap, CAROM_P, i);
        sum = carom_graph_add(c->graph, sum,
                              carom_graph_scale(c->graph, carom_cut_slope_jump(c, i, j), k));
    }
    return sum;
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
static bool is_step(carom_cut *c, carom_ref below, carom_ref above, double place)
{
    const carom_ref a = at_place(c, below, place), b = at_place(c, above, place);
    if (!is_flat(c->graph, carom_graph_sub(c->graph, a, b), 1)) return false;
    const double x = at_origin(c->graph, a), y = at_origin(c->graph, b);
    return fabs(x - y) > 1e-9 * (fabs(x) + fabs(y)) + 1e-14;
}

// where d = factor s + constant with a number: that
static bool is_multiple(carom_cut *c, carom_ref d, double *factor)
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

// slope of d with respect to s at a place, along the direction in which s grows fastest
static carom_ref slope_at(carom_cut *c, carom_ref d, double place)
{
    carom_graph *g = c->graph;
    carom_ref along = carom_cut_number(c, 0), size = carom_cut_number(c, 0);
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

// conditions under which the part below a place goes on above it, and the other way round
typedef struct corner_conditions {
    carom_ref up, down;
} corner_conditions;

static corner_conditions same(carom_cut *c, bool holds)
{
    const carom_ref both = carom_cut_number(c, holds);
    return (corner_conditions){both, both};
}

// d = g_below - g_above as a whole, which is 0 at the place if the gap is one there: an inner
// corner where d grows with s; the parts go on as far as they lie behind the other
static corner_conditions corner_of_parts(carom_cut *c, int j)
{
    carom_graph *g = c->graph;
    const carom_ref below = c->part[j].piece.root[0],
                    above = c->part[(j + 1) % c->n_part].piece.root[0];
    const carom_ref d = carom_graph_sub(g, below, above), zero = carom_cut_number(c, 0);
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
    return (corner_conditions){
        carom_cut_join(c, CAROM_OP_AND, is_inner, carom_cut_join(c, CAROM_OP_LE, zero, d)),
        carom_cut_join(c, CAROM_OP_AND, is_inner, carom_cut_join(c, CAROM_OP_LE, d, zero))};
}

static corner_conditions corner_at(carom_cut *c, carom_ref gap, int j)
{
    if (c->jumps) return corner_of_parts(c, j);
    const carom_ref sum = corner(c, gap, j);
    if (carom_graph_kinds(c->graph, sum) & 1u << CAROM_P) return corner_of_parts(c, j);
    const carom_ref is_inner = carom_cut_join(c, CAROM_OP_LT, carom_cut_number(c, 0), sum);
    return (corner_conditions){is_inner, is_inner};
}

static bool is_always(const carom_cut *c, carom_ref condition)
{
    double value;
    return carom_graph_is_number(c->graph, condition, &value) && value != 0;
}

// Where interval j ends that goes on beyond its place: behind several inner corners in a row each
// part lies behind all others, so that it may go on as long as they follow each other.
static double far_end(const carom_cut *c, const corner_conditions *corner, int j, bool is_upper)
{
    const double *place = c->it->place;
    const int n = c->n_part, step = is_upper ? 1 : -1;
    int k = j + step;
    if (c->it->period > 0) {
        k = (k + n) % n;
        return place[j + is_upper] + step * going_round * (place[k + 1] - place[k]);
    }
    while (k > 0 && k < n - 1 && is_always(c, is_upper ? corner[k].up : corner[k - 1].down))
        k += step;
    if (k <= 0 || k >= n - 1) return is_upper ? INFINITY : -INFINITY;
    return place[k + !is_upper] + step * going_on * (place[k + 1] - place[k]);
}

// s below an upper end, or not below a lower one
static carom_ref within(carom_cut *c, carom_ref s, double end, bool is_upper)
{
    const carom_ref number = carom_cut_number(c, end);
    return is_upper ? carom_cut_join(c, CAROM_OP_LT, s, number)
                    : carom_cut_join(c, CAROM_OP_LE, number, s);
}

// s on the right side of one end of interval j, or beyond it where the corner there is inner
static carom_ref within_end(carom_cut *c, const corner_conditions *corner, int j, bool is_upper)
{
    const int n = c->n_part;
    const carom_ref s = carom_cut_local(c, j, &c->part[j]);
    const double far = far_end(c, corner, j, is_upper);
    const double place = c->it->place[carom_cut_is_table(c) ? j + is_upper : 0];
    carom_ref beyond = is_upper ? corner[j].up : corner[(j + n - 1) % n].down;
    if (isfinite(far))
        beyond = carom_cut_join(c, CAROM_OP_AND, beyond, within(c, s, far, is_upper));
    return carom_cut_join(c, CAROM_OP_OR, within(c, s, place, is_upper), beyond);
}

bool carom_cut_add_conditions(carom_cut *c)
{
    const carom_ref gap = with_symbols(c, c->whole->piece.root[0]);
    const int n = c->n_part, n_corner = c->it->period > 0 ? n : n - 1;
    corner_conditions *corner = CAROM_TAKE(c->arena, corner_conditions, n);
    if (!corner) return false;
    for (int j = 0; j < n_corner; j++) corner[j] = corner_at(c, gap, j);
    for (int j = 0; j < n_corner; j++) {
        const int next = (j + 1) % n;
        carom_ref *below = &c->part[j].piece.where, *above = &c->part[next].piece.where;
        *below = carom_cut_join(c, CAROM_OP_AND, *below, within_end(c, corner, j, true));
        *above = carom_cut_join(c, CAROM_OP_AND, *above, within_end(c, corner, next, false));
    }
    return true;
}
