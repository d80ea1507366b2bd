// SPDX-License-Identifier: Apache-2.0
// Storage of the expression graph: nodes in growing arrays, found again through a hash table with
// open addressing, so that equal expressions are one node. Children are made before parents and
// have smaller numbers. Limits are looked at while the graph grows: derivatives of a short text can
// be without end.
#include "expr/graph_nodes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, LARGEST_ROOM = 1 << 28, BETWEEN_LOOKS = 8192 };

static bool grow_array(void *array, size_t size, int room)
{
    void *old, *bigger;
    memcpy(&old, array, sizeof old);
    bigger = realloc(old, size * (size_t)room);
    if (!bigger) return false;
    memcpy(array, &bigger, sizeof bigger);
    return true;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static unsigned hash_of(const carom_node *node)
{
    uint64_t bits, h = mix(UINT64_C(0x51ed270b), (uint64_t)node->op);
    memcpy(&bits, &node->value, sizeof bits);
    h = mix(h, bits);
    for (int i = 0; i < 3; i++) h = mix(h, (uint64_t)(uint32_t)node->child[i]);
    return (unsigned)(h >> 16);
}

static bool is_same(const carom_node *a, const carom_node *b)
{
    return a->op == b->op && memcmp(a->child, b->child, sizeof a->child) == 0 &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

// the place of a node in the hash table: where it is, or the free slot where it belongs
static int find_slot(const carom_graph *graph, const carom_node *node)
{
    const unsigned mask = (unsigned)graph->n_slot - 1;
    unsigned i = hash_of(node) & mask;
    while (graph->slot[i] >= 0 && !is_same(&graph->node[graph->slot[i]], node)) i = (i + 1) & mask;
    return (int)i;
}

static bool grow(carom_graph *graph)
{
    const int room = graph->room ? 2 * graph->room : FIRST_ROOM;
    if (room > LARGEST_ROOM) return false;
    int *slot = malloc(sizeof *slot * 2 * (size_t)room);
    if (!slot) return false;
    const bool is_done = grow_array(&graph->node, sizeof *graph->node, room) &&
                         grow_array(&graph->rate, sizeof *graph->rate, room) &&
                         grow_array(&graph->stamp, sizeof *graph->stamp, room) &&
                         grow_array(&graph->order, sizeof *graph->order, room) &&
                         grow_array(&graph->stack, sizeof *graph->stack, room) &&
                         grow_array(&graph->work, sizeof *graph->work, room);
    if (!is_done) {
        free(slot);
        return false;
    }
    memset(graph->stamp + graph->room, 0, sizeof *graph->stamp * (size_t)(room - graph->room));
    free(graph->slot);
    graph->slot = slot;
    graph->room = room;
    graph->n_slot = 2 * room;
    for (int i = 0; i < graph->n_slot; i++) slot[i] = -1;
    for (int i = 0; i < graph->n; i++) slot[find_slot(graph, &graph->node[i])] = i;
    return true;
}

carom_graph *carom_graph_new(void)
{
    carom_graph *graph = calloc(1, sizeof *graph);
    if (graph && !grow(graph)) {
        carom_graph_free(graph);
        return NULL;
    }
    if (graph) carom_graph_limit(graph, NULL);
    return graph;
}

void carom_graph_limit(carom_graph *graph, const carom_limits *limits)
{
    graph->limits = *carom_limits_or_default(limits);
    graph->deadline = carom_deadline_in(graph->limits.seconds);
    graph->until_look = BETWEEN_LOOKS;
}

const carom_limits *carom_graph_limits(const carom_graph *graph)
{
    return &graph->limits;
}

// from now on nothing new is made, and what waits for a node goes back empty-handed
static void stop_growing(carom_graph *graph, const char *limit)
{
    if (!graph->is_out_of_memory) graph->over = limit;
    graph->is_out_of_memory = true;
}

bool carom_graph_take_terms(carom_graph *graph, double n)
{
    graph->n_term += n;
    if (graph->n_term > graph->limits.terms) stop_growing(graph, "terms");
    return !graph->is_out_of_memory;
}

void carom_graph_spend(carom_graph *graph, int n)
{
    graph->until_look = n < graph->until_look ? graph->until_look - n : 0;
    if (graph->until_look > 0) return;
    graph->until_look = BETWEEN_LOOKS;
    if (carom_deadline_is_past(graph->deadline)) stop_growing(graph, "seconds");
}

void carom_graph_free(carom_graph *graph)
{
    if (!graph) return;
    for (int i = 0; i < graph->n_table; i++) {
        free(graph->table[i].name);
        carom_spline_free(graph->table[i].spline);
    }
    free(graph->table);
    free(graph->rotation);
    free(graph->turn);
    free(graph->direction);
    free(graph->node);
    free(graph->rate);
    free(graph->slot);
    free(graph->stamp);
    free(graph->order);
    free(graph->stack);
    free(graph->work);
    free(graph->gradient_index);
    free(graph->gradient_ref);
    free(graph);
}

// whether the value of a new node can be 0 because of a condition
static bool is_masked(const carom_graph *graph, const carom_node *node)
{
    const int a = node->child[0], b = node->child[1];
    const carom_op op = node->op;
    if (op == CAROM_OP_IF)
        return carom_graph_is_zero(graph, b) || carom_graph_is_zero(graph, node->child[2]);
    if (op == CAROM_OP_ADD || op == CAROM_OP_SUB)
        return graph->node[a].masked && graph->node[b].masked;
    if (op == CAROM_OP_MUL) return graph->node[a].masked || graph->node[b].masked;
    return (op == CAROM_OP_DIV || op == CAROM_OP_NEG) && graph->node[a].masked;
}

static carom_ref find_or_add(carom_graph *graph, carom_node node)
{
    int slot = find_slot(graph, &node);
    carom_graph_spend(graph, 1);
    if (graph->slot[slot] >= 0) return graph->slot[slot];
    if (graph->n >= graph->limits.nodes) stop_growing(graph, "nodes");
    if (graph->is_out_of_memory) return -1;
    if (graph->n == graph->room) {
        if (!grow(graph)) {
            graph->is_out_of_memory = true;
            return -1;
        }
        slot = find_slot(graph, &node);
    }
    for (int i = 0; i < carom_operation_arity(node.op); i++)
        node.kinds |= graph->node[node.child[i]].kinds;
    node.masked = is_masked(graph, &node);
    graph->node[graph->n] = node;
    graph->rate[graph->n] = -1;
    graph->slot[slot] = graph->n;
    return graph->n++;
}

carom_ref carom_graph_number(carom_graph *graph, double value)
{
    // one zero only, whatever its sign
    return find_or_add(graph, (carom_node){.op = CAROM_OP_NUMBER,
                                           .child = {-1, -1, -1},
                                           .value = value == 0 ? 0 : value});
}

carom_ref carom_graph_symbol(carom_graph *graph, carom_symbol kind, int index)
{
    return find_or_add(
        graph, (carom_node){.op = CAROM_OP_SYMBOL,
                            .child = {(int)kind, index, -1},
                            .kinds = (unsigned char)(1u << (kind == CAROM_R ? CAROM_Q : kind))});
}

carom_ref carom_graph_intern(carom_graph *graph, carom_op op, const int child[3])
{
    return find_or_add(graph, (carom_node){.op = op, .child = {child[0], child[1], child[2]}});
}

carom_ref carom_graph_sum(carom_graph *graph, const carom_ref *term, int n)
{
    if (n <= 0) return carom_graph_number(graph, 0);
    if (n == 1) return term[0];
    const carom_ref left = carom_graph_sum(graph, term, n / 2);
    return carom_graph_add(graph, left, carom_graph_sum(graph, term + n / 2, n - n / 2));
}

static int degree_of(const carom_spline *spline)
{
    for (int i = 0; i < spline->n - 1; i++)
        if (spline->coefficient[4 * i + 2] != 0 || spline->coefficient[4 * i + 3] != 0) return 3;
    return 1;
}

int carom_graph_add_table(carom_graph *graph, const char *name, const carom_spline *spline)
{
    carom_table *table = realloc(graph->table, sizeof *table * ((size_t)graph->n_table + 1));
    if (table) graph->table = table;
    char *copy = malloc(strlen(name) + 1);
    carom_spline *own = carom_spline_copy(spline);
    if (!table || !copy || !own) {
        free(copy);
        carom_spline_free(own);
        graph->is_out_of_memory = true;
        return -1;
    }
    strcpy(copy, name);
    table[graph->n_table] = (carom_table){copy, own, degree_of(own)};
    return graph->n_table++;
}

carom_status carom_graph_status(const carom_graph *graph)
{
    return graph->is_out_of_memory ? CAROM_NO_MEMORY : CAROM_OK;
}

carom_status carom_graph_fail(const carom_graph *graph, carom_place place, carom_error *error)
{
    const carom_limits *l = &graph->limits;
    if (!graph->over)
        return carom_fail_at(error, place, CAROM_NO_MEMORY,
                             "not enough memory for the model's equations");
    if (strcmp(graph->over, "seconds") == 0)
        return carom_limit_fail(error, place, "the model's equations take", graph->over,
                                l->seconds);
    if (strcmp(graph->over, "terms") == 0)
        return carom_limit_fail(error, place, "the sums of the model have", graph->over, l->terms);
    return carom_limit_fail(error, place, "the model's equations and their derivatives have",
                            graph->over, l->nodes);
}

int carom_graph_size(const carom_graph *graph)
{
    return graph->n;
}

bool carom_graph_is_number(const carom_graph *graph, carom_ref ref, double *value)
{
    if (ref < 0 || graph->node[ref].op != CAROM_OP_NUMBER) return false;
    *value = graph->node[ref].value;
    return true;
}

unsigned carom_graph_kinds(const carom_graph *graph, carom_ref ref)
{
    return ref < 0 ? 0 : graph->node[ref].kinds;
}

carom_op carom_graph_op(const carom_graph *graph, carom_ref ref)
{
    return graph->node[ref].op;
}

int carom_graph_child(const carom_graph *graph, carom_ref ref, int which)
{
    return graph->node[ref].child[which];
}

int carom_graph_n_table(const carom_graph *graph)
{
    return graph->n_table;
}

const carom_spline *carom_graph_table(const carom_graph *graph, int table)
{
    return graph->table[table].spline;
}

const char *carom_graph_table_name(const carom_graph *graph, int table)
{
    return graph->table[table].name;
}
