// SPDX-License-Identifier: Apache-2.0
// Inertia forces from the mass matrix. Where T = 1/2 u'M(q)u,
//
//     f_i = sum_jk (1/2 dM_jk/dq_i - dM_ij/dq_k) u_j u_k
//
// Each derivative D of an entry M_jk (j >= k) adds to at most three forces; what cancels is left
// out. For mechanisms of few bodies this is much shorter than what differentiating T and p as they
// are written leaves over, because sin^2 + cos^2 = 1 has made most entries of M simple.
#include "model/making/inertia.h"

#include "expr/operation.h"
#include "expr/rotation_nodes.h"

enum { MOST_TERMS = 4096 };

typedef struct collecting {
    carom_graph *graph;
    carom_ref *force;
    int n_term;
} collecting;

// force[i] += factor D u_a u_b
static void add_term(collecting *c, int i, double factor, carom_ref D, int a, int b)
{
    carom_graph *g = c->graph;
    const carom_ref rates = carom_graph_mul(g, carom_graph_symbol(g, CAROM_U, a < b ? a : b),
                                            carom_graph_symbol(g, CAROM_U, a < b ? b : a));
    const carom_ref size =
        factor < 0 ? carom_graph_number(g, -factor) : carom_graph_number(g, factor);
    const carom_ref term = carom_graph_mul(g, size, carom_graph_mul(g, D, rates));
    c->force[i] =
        factor < 0 ? carom_graph_sub(g, c->force[i], term) : carom_graph_add(g, c->force[i], term);
    c->n_term++;
}

// D = dM_jk/dq_i of the entry (j, k) and, where j != k, of (k, j)
static void add_derivative(collecting *c, int i, int j, int k, carom_ref D)
{
    if (j == k && i == j) {
        add_term(c, j, -0.5, D, j, j);
    } else if (j == k) {
        add_term(c, i, 0.5, D, j, j);
        add_term(c, j, -1, D, i, j);
    } else if (i == j) {
        add_term(c, k, -1, D, j, j);
    } else if (i == k) {
        add_term(c, j, -1, D, k, k);
    } else {
        add_term(c, i, 1, D, j, k);
        add_term(c, j, -1, D, i, k);
        add_term(c, k, -1, D, i, j);
    }
}

// all derivatives of the entry M_jk
static bool add_entry(collecting *c, int j, int k, carom_ref entry)
{
    const unsigned kinds = carom_graph_kinds(c->graph, entry);
    carom_gradient by_q;
    if (kinds & (1u << CAROM_U | 1u << CAROM_TIME)) return false;
    if (carom_graph_gradient(c->graph, entry, CAROM_Q, &by_q) != CAROM_OK) return false;
    for (int m = 0; m < by_q.n; m++) add_derivative(c, by_q.index[m], j, k, by_q.ref[m]);
    return c->n_term <= MOST_TERMS;
}

bool carom_inertia_forces(carom_graph *graph, const carom_ref *p, int n, carom_arena *scratch,
                          carom_ref *force)
{
    collecting c = {graph, force, 0};
    bool is_good = true;
    for (int j = 0; is_good && j < n; j++) {
        carom_gradient row;
        if (carom_graph_gradient(graph, p[j], CAROM_U, &row) != CAROM_OK) return false;
        // the next gradient overwrites this one
        int *index = CAROM_TAKE(scratch, int, row.n);
        carom_ref *entry = CAROM_TAKE(scratch, carom_ref, row.n);
        if (!index || !entry) return false;
        const int n_entry = row.n;
        for (int m = 0; m < n_entry; m++) {
            index[m] = row.index[m];
            entry[m] = row.ref[m];
        }
        for (int m = 0; is_good && m < n_entry; m++)
            if (index[m] <= j) is_good = add_entry(&c, j, index[m], entry[m]);
    }
    return is_good;
}

long carom_inertia_cost(const carom_graph *graph, const carom_ref *value, int n,
                        carom_arena *scratch)
{
    long cost = 0;
    const int size = carom_graph_size(graph);
    bool *is_used = CAROM_TAKE(scratch, bool, size);
    if (!is_used) return -1;
    for (int i = 0; i < n; i++)
        if (value[i] >= 0) is_used[value[i]] = true;
    // children have smaller numbers
    for (int ref = size - 1; ref >= 0; ref--) {
        if (!is_used[ref]) continue;
        const int arity = carom_operation_arity(carom_graph_op(graph, ref));
        for (int i = 0; i < arity; i++) is_used[carom_graph_child(graph, ref, i)] = true;
        cost += arity > 0;
    }
    return cost;
}

// ---- rotations ----

// the mass of the spins of one rotation as xx, yy, zz, xy, xz, yz; false where it is not constant,
// or coupled with other velocities. live: what of it depends on live parameters
static bool own_inertia(const carom_graph *g, const carom_pattern *mass, int u,
                        const carom_ref *entry, double *J, carom_ref *live)
{
    *live = -1;
    for (int row = 0; row < 3; row++)
        for (int at = mass->start[u + row]; at < mass->start[u + row + 1]; at++) {
            const int column = mass->index[at] - u;
            if (column < 0 || column > 2 || !carom_graph_is_firm(g, entry[at])) return false;
            double *to = row == column ? &J[row] : &J[2 + row + column];
            if (!carom_graph_is_number(g, entry[at], to)) *live = entry[at];
        }
    return true;
}

bool carom_inertia_of_rotations(carom_model *model, carom_lagrange *l, const carom_ref *entry)
{
    const int n = carom_graph_n_rotation(l->graph);
    l->live_inertia = -1;
    if (n == 0) return true;
    l->inertia = CAROM_TAKE(model->arena, double, 6 * n);
    for (int b = 0; l->inertia && b < n; b++) {
        double J[6] = {0};
        carom_ref live;
        if (!own_inertia(l->graph, &model->layout.mass, carom_graph_spin_of(l->graph, b), entry, J,
                         &live))
            continue;
        if (live >= 0) l->live_inertia = live;
        for (int k = 0; k < 6; k++) l->inertia[6 * b + k] = J[k];
    }
    return l->inertia != NULL;
}
