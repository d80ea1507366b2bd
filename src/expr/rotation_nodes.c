// SPDX-License-Identifier: Apache-2.0
// Rotations: entries of matrices as symbols, how they turn, and their spelling by quaternions.
#include "expr/rotation_nodes.h"
#include "expr/graph_nodes.h"

#include <stdlib.h>

int carom_graph_rotation(carom_graph *graph, int q, int u)
{
    carom_turning *more = realloc(graph->rotation, sizeof *more * ((size_t)graph->n_rotation + 1));
    if (!more) {
        graph->is_out_of_memory = true;
        return -1;
    }
    graph->rotation = more;
    more[graph->n_rotation] = (carom_turning){q, u};
    for (int i = 0; i < 4; i++) // the quaternion has no velocities of its own
        if (!carom_graph_moves_with(graph, q + i, -1)) return -1;
    return graph->n_rotation++;
}

int carom_graph_velocity_of(const carom_graph *graph, int position)
{
    return carom_graph_direction(graph, position);
}

int carom_graph_position_of(const carom_graph *graph, int velocity)
{
    for (int i = 0; i < graph->n_direction; i++)
        if (graph->direction[i] == velocity) return i;
    return velocity;
}

int carom_graph_n_rotation(const carom_graph *graph)
{
    return graph->n_rotation;
}

int carom_graph_quaternion_of(const carom_graph *graph, int rotation)
{
    return graph->rotation[rotation].q;
}

int carom_graph_spin_of(const carom_graph *graph, int rotation)
{
    return graph->rotation[rotation].u;
}

bool carom_graph_moves_with(carom_graph *graph, int position, int velocity)
{
    if (position >= graph->n_direction) {
        int *more = realloc(graph->direction, sizeof *more * 2 * ((size_t)position + 1));
        if (!more) {
            graph->is_out_of_memory = true;
            return false;
        }
        graph->direction = more;
        for (; graph->n_direction < 2 * (position + 1); graph->n_direction++)
            more[graph->n_direction] = graph->n_direction;
    }
    graph->direction[position] = velocity;
    return true;
}

bool carom_graph_turns_with(carom_graph *graph, int position, const carom_turn_rate *rate)
{
    carom_turn_rate *more = realloc(graph->turn, sizeof *more * ((size_t)graph->n_turn + 1));
    if (!more) {
        graph->is_out_of_memory = true;
        return false;
    }
    graph->turn = more;
    more[graph->n_turn] = *rate;
    return carom_graph_moves_with(graph, position, CAROM_FIRST_TURN - graph->n_turn++);
}

carom_ref carom_turn_along(carom_graph *graph, int direction, int u)
{
    const carom_turn_rate *turn = &graph->turn[CAROM_FIRST_TURN - direction];
    double factor = 0;
    for (int k = 0; k < turn->n; k++)
        if (turn->velocity[k] == u) factor += turn->factor[k];
    return carom_graph_number(graph, factor);
}

carom_ref carom_turn_rate_of(carom_graph *graph, int direction)
{
    const carom_turn_rate turn = graph->turn[CAROM_FIRST_TURN - direction];
    carom_ref sum = carom_graph_number(graph, 0);
    for (int k = 0; k < turn.n; k++)
        sum = carom_graph_add(
            graph, sum,
            carom_graph_scale(graph, turn.factor[k],
                              carom_graph_symbol(graph, CAROM_U, turn.velocity[k])));
    return sum;
}

carom_ref carom_graph_entry(carom_graph *graph, int rotation, int row, int column)
{
    return carom_graph_symbol(graph, CAROM_R, 9 * rotation + 3 * row + column);
}

// column c turned about axis j becomes the third column, with the sign of the permutation
carom_ref carom_rotation_along(carom_graph *graph, carom_ref ref, int u)
{
    const int index = graph->node[ref].child[1], b = index / 9, row = index / 3 % 3,
              column = index % 3, j = u - graph->rotation[b].u;
    if (j < 0 || j > 2 || j == column) return carom_graph_number(graph, 0);
    const carom_ref other = carom_graph_entry(graph, b, row, 3 - j - column);
    return (column + 3 - j) % 3 == 1 ? other : carom_graph_negate(graph, other);
}

carom_ref carom_rotation_rate(carom_graph *graph, carom_ref ref)
{
    const int index = graph->node[ref].child[1], b = index / 9, row = index / 3 % 3,
              column = index % 3, u = graph->rotation[b].u;
    const int next = (column + 1) % 3, last = (column + 2) % 3;
    // R_c' = w_last R_next - w_next R_last
    const carom_ref plus = carom_graph_mul(graph, carom_graph_symbol(graph, CAROM_U, u + last),
                                           carom_graph_entry(graph, b, row, next));
    const carom_ref minus = carom_graph_mul(graph, carom_graph_symbol(graph, CAROM_U, u + next),
                                            carom_graph_entry(graph, b, row, last));
    return carom_graph_sub(graph, plus, minus);
}

void carom_graph_matrix_of(carom_graph *g, const carom_ref p[4], carom_ref R[9])
{
    carom_ref s[4], square[4], norm = carom_graph_number(g, 0);
    for (int i = 0; i < 4; i++) {
        square[i] = carom_graph_mul(g, p[i], p[i]);
        norm = carom_graph_add(g, norm, square[i]);
    }
    const carom_ref two = carom_graph_divide(g, carom_graph_number(g, 2), norm);
    for (int i = 0; i < 4; i++) s[i] = carom_graph_mul(g, two, p[i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const carom_ref one = carom_graph_number(g, 1);
        const carom_ref both = carom_graph_mul(g, p[j + 1], s[k + 1]),
                        turn = carom_graph_mul(g, p[0], s[i + 1]);
        const carom_ref others = carom_graph_add(g, carom_graph_mul(g, p[j + 1], s[j + 1]),
                                                 carom_graph_mul(g, p[k + 1], s[k + 1]));
        R[4 * i] = carom_graph_sub(g, one, others);
        R[3 * j + k] = carom_graph_sub(g, both, turn);
        R[3 * k + j] = carom_graph_add(g, both, turn);
    }
}

// the nine entries by the quaternion at position q
static void spell_matrix(carom_graph *g, int q, carom_ref R[9])
{
    carom_ref p[4];
    for (int i = 0; i < 4; i++) p[i] = carom_graph_symbol(g, CAROM_Q, q + i);
    carom_graph_matrix_of(g, p, R);
}

// what a node becomes whose children are done; others stay
static carom_ref spell_node(carom_graph *graph, carom_ref ref, const carom_ref *done,
                            const carom_ref *matrix)
{
    carom_node node = graph->node[ref];
    bool is_same = true;
    if (node.op == CAROM_OP_SYMBOL) return node.child[0] == CAROM_R ? matrix[node.child[1]] : ref;
    for (int i = 0; i < carom_operation_arity(node.op); i++) {
        const carom_ref child = done[node.child[i]];
        is_same &= child == node.child[i];
        node.child[i] = child;
    }
    if (is_same) return ref;
    return carom_graph_make(graph, node.op, node.child[0], node.child[1], node.child[2]);
}

// marks what stands below the marked nodes (children have smaller numbers), then spells upwards
static bool spell_marked(carom_graph *graph, carom_ref *done, int n, const carom_ref *matrix)
{
    for (carom_ref ref = n - 1; ref >= 0; ref--) {
        if (done[ref] < 0) continue;
        for (int i = 0; i < carom_operation_arity(graph->node[ref].op); i++)
            done[graph->node[ref].child[i]] = 0;
    }
    for (carom_ref ref = 0; ref < n && !graph->is_out_of_memory; ref++)
        if (done[ref] >= 0) done[ref] = spell_node(graph, ref, done, matrix);
    return !graph->is_out_of_memory;
}

bool carom_graph_spell_out(carom_graph *graph, carom_ref *const *node, int n)
{
    if (graph->n_rotation == 0 || graph->is_out_of_memory) return !graph->is_out_of_memory;
    const int size = graph->n;
    carom_ref *done = calloc((size_t)size + 1, sizeof *done),
              *matrix = malloc(sizeof *matrix * 9 * (size_t)graph->n_rotation);
    bool is_done = done && matrix;
    for (int i = 0; is_done && i < size; i++) done[i] = -1;
    for (int i = 0; is_done && i < n; i++)
        if (*node[i] >= 0) done[*node[i]] = 0;
    for (int b = 0; is_done && b < graph->n_rotation; b++)
        spell_matrix(graph, graph->rotation[b].q, matrix + 9 * (size_t)b);
    is_done = is_done && spell_marked(graph, done, size, matrix);
    for (int i = 0; is_done && i < n; i++)
        if (*node[i] >= 0) *node[i] = done[*node[i]];
    free(done);
    free(matrix);
    if (!is_done) graph->is_out_of_memory = true;
    return is_done;
}
