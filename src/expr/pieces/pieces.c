// SPDX-License-Identifier: Apache-2.0
// Cutting at one switch after the other. Where the gap is a plain sum of what min, max or abs give,
// the outermost comes first, else the innermost: so its arguments have no kinks left.
#include "expr/pieces/pieces_cut.h"

#include "base/list.h"

static bool contains(carom_graph *graph, carom_ref root, carom_ref node)
{
    const carom_ref mark = carom_graph_symbol(graph, CAROM_P, 0);
    return carom_graph_replace(graph, root, &node, &mark, 1) != root;
}

static bool is_settled(const carom_part *p, carom_ref ref)
{
    const carom_settled *s = p->settled;
    while (s && s->ref != ref) s = s->next;
    return s != NULL;
}

static bool make_parts(carom_cut *c)
{
    c->part = CAROM_TAKE(c->arena, carom_part, c->n_part);
    if (!c->part) return false;
    for (int j = 0; j < c->n_part; j++) {
        carom_part *p = &c->part[j];
        *p = *c->whole;
        for (int i = 0; i < c->n_node; i++) c->to[i] = carom_cut_alternative(c, i, j, p);
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

static bool perform_cut(carom_cut *c)
{
    const carom_ref gap = c->whole->piece.root[0];
    if (!make_parts(c)) return false;
    for (int i = 0; i < c->n_node; i++)
        c->jumps |=
            contains(c->graph, gap, c->node[i]) && !carom_cut_is_continuous(c->graph, c->node[i]);
    return carom_cut_add_conditions(c) && carom_graph_status(c->graph) == CAROM_OK;
}

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
static int choose_switch(carom_graph *graph, const carom_part *p, const carom_switches *found)
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

// kinks of the state that wait to be cut: each makes at least one piece more
static int count_bends(const carom_switches *found)
{
    int n = 0;
    for (int i = 0; i < found->n; i++)
        n += found->item[i].order <= 1 && found->item[i].reach == CAROM_SWITCH_STATE &&
             count_parts(&found->item[i]) > 1;
    return n;
}

static bool gather_nodes(carom_cut *c, const carom_switches *found, int which)
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

typedef CAROM_LIST(carom_part) part_list;

static bool add_part(carom_arena *arena, part_list *list, const carom_part *p)
{
    carom_part *item = CAROM_LIST_ADD(arena, list);
    if (item) *item = *p;
    return item != NULL;
}

// takes the last part of the waiting ones: done, or cut into parts that wait instead
static bool take_one(carom_cut *c, part_list *waiting, part_list *done)
{
    carom_switches found;
    carom_part whole = waiting->item[--waiting->n];
    if (carom_switches_find(c->graph, whole.piece.root, c->n_root, c->arena, &found) != CAROM_OK)
        return false;
    if (count_bends(&found) >= CAROM_MOST_PIECES) { // before the work of so many
        c->pieces->verdict = CAROM_PIECES_MANY;
        c->pieces->culprit = found.node[0].ref;
        return true;
    }
    const int node = choose_switch(c->graph, &whole, &found);
    if (node < 0) return add_part(c->arena, done, &whole);
    carom_cut one = {.graph = c->graph,
                     .arena = c->arena,
                     .n_root = c->n_root,
                     .whole = &whole,
                     .pieces = c->pieces};
    c->pieces->culprit = found.node[node].ref;
    if (is_endless(c->graph, found.node[node].ref)) {
        c->pieces->verdict = CAROM_PIECES_ENDLESS;
        return true;
    }
    if (!gather_nodes(&one, &found, found.node[node].which)) return false;
    if (one.n_part + waiting->n + done->n > CAROM_MOST_PIECES) {
        c->pieces->verdict = CAROM_PIECES_MANY;
        return true;
    }
    if (!perform_cut(&one)) return false;
    // tables by growing s; of two, the first argument or branch first
    const bool is_up = carom_cut_is_table(&one);
    for (int k = 0; k < one.n_part; k++)
        if (!add_part(c->arena, waiting, &one.part[is_up ? one.n_part - 1 - k : k])) return false;
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
    carom_cut c = {.graph = graph, .arena = arena, .n_root = n_root, .pieces = pieces};
    carom_part whole = {.piece.where = carom_graph_number(graph, 1)};
    *pieces = (carom_pieces){.culprit = -1};
    for (int k = 0; k < CAROM_PIECE_ROOTS; k++) whole.piece.root[k] = k < n_root ? root[k] : -1;
    const bool has_kinks = may_have_kinks(graph, root, n_root);
    bool is_good = add_part(arena, has_kinks ? &waiting : &done, &whole);
    while (is_good && waiting.n > 0 && pieces->verdict == CAROM_PIECES_FOUND)
        is_good = take_one(&c, &waiting, &done);
    pieces->item = CAROM_TAKE(arena, carom_piece, done.n);
    if (!is_good || !pieces->item) return CAROM_NO_MEMORY;
    for (; pieces->n < done.n; pieces->n++) pieces->item[pieces->n] = done.item[pieces->n].piece;
    return carom_graph_status(graph);
}
