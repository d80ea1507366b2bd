// SPDX-License-Identifier: Apache-2.0
// Finding switching nodes: one sweep down from the roots marks what is below them (children have
// smaller numbers), one sweep up tells which nodes are affine in t, and a third makes the functions
// s and puts nodes together that share one.
#include "expr/switches.h"

#include "expr/graph_nodes.h"

#include <math.h>
#include <stdlib.h>

static const double zero_place[] = {0}, whole_places[] = {0, 1};

// slope t + offset, where a node is that; not a number where parameters decide
typedef struct affine {
    bool is;
    double slope, offset;
} affine;

typedef struct finding {
    carom_graph *graph;
    int n;                  // nodes of the graph at the start
    unsigned char *is_used; // (n) at or below a root
    affine *affine;         // (n)
    int *owner;             // switch of a function s by its node, -1 = none
    int n_owner;
    carom_switches *found;
} finding;

bool carom_switches_has(const carom_graph *graph, carom_ref ref)
{
    // clang-format off
    switch (graph->node[ref].op) {
    case CAROM_OP_LT: case CAROM_OP_LE: case CAROM_OP_STEP: case CAROM_OP_SIGN: case CAROM_OP_ABS:
    case CAROM_OP_MIN: case CAROM_OP_MAX: case CAROM_OP_FLOOR: case CAROM_OP_MOD:
    case CAROM_OP_TABLE:
        return !carom_graph_is_firm(graph, ref);
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: case CAROM_OP_ADD: case CAROM_OP_SUB:
    case CAROM_OP_MUL: case CAROM_OP_DIV: case CAROM_OP_NEG: case CAROM_OP_POW: case CAROM_OP_SIN:
    case CAROM_OP_COS: case CAROM_OP_TAN: case CAROM_OP_ASIN: case CAROM_OP_ACOS:
    case CAROM_OP_ATAN: case CAROM_OP_ATAN2: case CAROM_OP_SINH: case CAROM_OP_COSH:
    case CAROM_OP_TANH: case CAROM_OP_EXP: case CAROM_OP_LOG: case CAROM_OP_SQRT:
    case CAROM_OP_EQ: case CAROM_OP_NE: case CAROM_OP_AND: case CAROM_OP_OR: case CAROM_OP_NOT:
    case CAROM_OP_IF: case CAROM_OP_HYPOT: break;
    }
    // clang-format on
    return false;
}

static void mark_used(finding *f, const carom_ref *root, int n_root)
{
    for (int i = 0; i < n_root; i++)
        if (root[i] >= 0) f->is_used[root[i]] = 1;
    for (int i = f->n - 1; i >= 0; i--) {
        const carom_node *node = &f->graph->node[i];
        for (int k = 0; f->is_used[i] && k < carom_operation_arity(node->op); k++)
            f->is_used[node->child[k]] = 1;
    }
}

static affine combine(const affine *a, double share_a, const affine *b, double share_b)
{
    return (affine){a->is && b->is, share_a * a->slope + share_b * b->slope,
                    share_a * a->offset + share_b * b->offset};
}

static affine affine_at(const finding *f, carom_ref ref);

// a node whose children are known, or were made for a function s
static affine affine_of(const finding *f, carom_ref ref)
{
    const carom_node *node = &f->graph->node[ref];
    if (node->op == CAROM_OP_NUMBER) return (affine){true, 0, node->value};
    if (carom_graph_is_firm(f->graph, ref)) return (affine){true, 0, NAN};
    if (node->op == CAROM_OP_SYMBOL) return (affine){node->child[0] == CAROM_TIME, 1, 0};
    const affine none = {0}, a = affine_at(f, node->child[0]),
                 b = carom_operation_arity(node->op) > 1 ? affine_at(f, node->child[1]) : none;
    const bool b_is_number = b.is && b.slope == 0;
    if (node->op == CAROM_OP_ADD) return combine(&a, 1, &b, 1);
    if (node->op == CAROM_OP_SUB) return combine(&a, 1, &b, -1);
    if (node->op == CAROM_OP_NEG) return combine(&a, -1, &a, 0);
    if (node->op == CAROM_OP_MUL && a.is && a.slope == 0) return combine(&b, a.offset, &b, 0);
    if (node->op == CAROM_OP_MUL && b_is_number) return combine(&a, b.offset, &a, 0);
    if (node->op == CAROM_OP_DIV && b_is_number && b.offset != 0)
        return combine(&a, 1 / b.offset, &a, 0);
    return none;
}

static affine affine_at(const finding *f, carom_ref ref)
{
    return ref < f->n ? f->affine[ref] : affine_of(f, ref);
}

// s and its places; reach and the rest come later
static carom_switch make_switch(carom_graph *graph, carom_ref ref)
{
    const carom_node node = graph->node[ref];
    const carom_ref a = node.child[0], b = node.child[1];
    const carom_op op = node.op;
    carom_switch made = {
        .value = a, .place = zero_place, .n_place = 1, .slope_node = -1, .offset_node = -1};
    made.order = op == CAROM_OP_MIN || op == CAROM_OP_MAX || op == CAROM_OP_ABS;
    if (op == CAROM_OP_LT || op == CAROM_OP_LE || op == CAROM_OP_MIN)
        made.value = carom_graph_sub(graph, b, a);
    if (op == CAROM_OP_MAX) made.value = carom_graph_sub(graph, a, b);
    if (op == CAROM_OP_MOD) made.value = carom_graph_divide(graph, a, b);
    if (op == CAROM_OP_FLOOR || op == CAROM_OP_MOD) {
        made.place = whole_places;
        made.n_place = 2;
        made.period = 1;
    }
    if (op == CAROM_OP_TABLE) {
        const carom_table *table = &graph->table[node.child[2]];
        made.place = table->spline->x;
        made.n_place = table->spline->n;
        made.period = table->spline->period;
        made.order = table->degree > b ? table->degree - b : 0;
        made.is_cubic = table->degree > 1;
    }
    return made;
}

// what s depends on; a node that was made for it stands above those that were looked at
static void find_reach(const finding *f, carom_switch *made)
{
    const unsigned live = 1u << CAROM_PARAMETER, kinds = f->graph->node[made->value].kinds;
    const affine it = affine_at(f, made->value);
    made->reach = (kinds & ~live) == 1u << CAROM_TIME ? CAROM_SWITCH_CLOCK : CAROM_SWITCH_STATE;
    if (!it.is || it.slope == 0) return;
    if (kinds & live) {
        made->slope_node = carom_graph_derivative(f->graph, made->value, CAROM_TIME, 0);
        made->offset_node = carom_graph_without(f->graph, made->value, CAROM_TIME);
    } else if (!isfinite(it.slope) || !isfinite(it.offset)) {
        return;
    }
    made->reach = CAROM_SWITCH_AFFINE;
    made->slope = it.slope;
    made->offset = it.offset;
}

static bool reserve(finding *f, carom_ref ref)
{
    if (ref < 0) return false;
    if (ref < f->n_owner) return true;
    const int room = 2 * (ref + 1);
    int *bigger = realloc(f->owner, sizeof *bigger * (size_t)room);
    if (!bigger) return false;
    for (int i = f->n_owner; i < room; i++) bigger[i] = -1;
    f->owner = bigger;
    f->n_owner = room;
    return true;
}

// the switch with the same places, and that of -s where the place is 0
static bool add_node(finding *f, carom_ref ref)
{
    carom_switches *found = f->found;
    carom_switch made = make_switch(f->graph, ref);
    const carom_ref turned = carom_graph_negate(f->graph, made.value);
    if (!reserve(f, made.value) || !reserve(f, turned)) return false;
    const bool is_zero = made.place == zero_place;
    if (carom_graph_is_firm(f->graph, made.value)) return true; // parameters decide
    carom_switching_node *node = &found->node[found->n_node++];
    *node = (carom_switching_node){ref, -1, false};
    const int same = f->owner[made.value], opposite = is_zero ? f->owner[turned] : -1;
    if (same >= 0 && found->item[same].place == made.place) node->which = same;
    if (node->which < 0 && opposite >= 0 && found->item[opposite].place == zero_place) {
        node->which = opposite;
        node->is_negative = true;
    }
    if (node->which >= 0) {
        carom_switch *known = &found->item[node->which];
        if (made.order < known->order) known->order = made.order;
        return true;
    }
    find_reach(f, &made);
    node->which = f->owner[made.value] = found->n;
    found->item[found->n++] = made;
    return true;
}

static bool find_all(finding *f, const carom_ref *root, int n_root, carom_arena *arena)
{
    int n_node = 0;
    mark_used(f, root, n_root);
    for (int i = 0; i < f->n; i++) {
        if (f->graph->node[i].kinds & ~(1u << CAROM_TIME | 1u << CAROM_PARAMETER)) continue;
        f->affine[i] = affine_of(f, i);
    }
    for (int i = 0; i < f->n; i++) n_node += f->is_used[i] && carom_switches_has(f->graph, i);
    f->found->item = CAROM_TAKE(arena, carom_switch, n_node);
    f->found->node = CAROM_TAKE(arena, carom_switching_node, n_node);
    if (!f->found->item || !f->found->node) return false;
    for (int i = 0; i < f->n; i++)
        if (f->is_used[i] && carom_switches_has(f->graph, i) && !add_node(f, i)) return false;
    return true;
}

carom_status carom_switches_find(carom_graph *graph, const carom_ref *root, int n_root,
                                 carom_arena *arena, carom_switches *found)
{
    *found = (carom_switches){0};
    if (graph->is_out_of_memory) return CAROM_NO_MEMORY;
    finding f = {.graph = graph, .n = graph->n, .found = found};
    f.is_used = calloc((size_t)graph->n + 1, 1);
    f.affine = calloc((size_t)graph->n + 1, sizeof *f.affine);
    const bool is_found = f.is_used && f.affine && find_all(&f, root, n_root, arena);
    free(f.is_used);
    free(f.affine);
    free(f.owner);
    return is_found && !graph->is_out_of_memory ? CAROM_OK : CAROM_NO_MEMORY;
}

// time at which s has the value of place i in period j
static double time_at(const carom_switch *it, int i, double j)
{
    return (it->place[i] + j * it->period - it->offset) / it->slope;
}

// the first place beyond value in the direction of growing s; n_place where there is none
static int first_above(const carom_switch *it, double value)
{
    int low = 0, high = it->n_place;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (it->place[middle] > value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double carom_switch_piece(const carom_switch *it, double value)
{
    const double j = it->period > 0 ? floor((value - it->place[0]) / it->period) : 0;
    return j * it->n_place + first_above(it, value - j * it->period);
}

// period and place of the upper end of a piece
static int split(const carom_switch *it, double piece, double *j)
{
    *j = it->period > 0 ? floor(piece / it->n_place) : 0;
    // of a piece so far away that periods are lost in rounding, any place is as good
    const double i = piece - *j * it->n_place;
    return i >= 0 && i <= it->n_place ? (int)i : 0;
}

void carom_switch_ends(const carom_switch *it, double piece, double *low, double *high)
{
    double j;
    const int n = it->n_place, i = split(it, piece, &j);
    const bool is_endless = it->period > 0;
    *low = i > 0        ? it->place[i - 1] + j * it->period
           : is_endless ? it->place[n - 1] + (j - 1) * it->period
                        : -INFINITY;
    *high = i < n ? it->place[i] + j * it->period : INFINITY;
}

// the last place of a period is the first of the next: pieces in between are empty
double carom_switch_neighbour(const carom_switch *it, double piece, bool is_up)
{
    const double step = is_up ? 1 : -1;
    double low, high;
    do {
        piece += step;
        carom_switch_ends(it, piece, &low, &high);
    } while (!(high > low));
    return piece;
}

double carom_switch_next(const carom_switch *it, double t)
{
    const int n = it->n_place, step = it->slope > 0 ? 1 : -1;
    const double value = it->slope * t + it->offset;
    double j = it->period > 0 ? floor((value - it->place[0]) / it->period) : 0;
    const int above = first_above(it, value - j * it->period);
    // rounding may hide a place: from well before t on, one by one
    int i = step > 0 ? above - 2 : above + 1;
    for (int k = 0; k < 6; k++, i += step) {
        for (; it->period > 0 && i < 0; i += n) j--;
        for (; it->period > 0 && i >= n; i -= n) j++;
        if (i < 0 || i >= n) continue;
        const double at = time_at(it, i, j);
        if (at > t) return at;
    }
    return INFINITY;
}
