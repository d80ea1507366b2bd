// SPDX-License-Identifier: Apache-2.0
// Factors of small mass blocks and accelerations as expressions, in the forms of math/blockmass.c:
//
//     m11 = d1,  m12 = d1 l21,  m22 = d2 + l21 d1 l21,  ...       a = M^-1 f
//
// In this way numbers that never change are worked out once, a program of a model contains the
// few operations that are left, and compiled code has no loops and no choices for them.
#include "model/making/factors.h"

#include <float.h>

static carom_ref entry_at(carom_graph *g, const carom_mass_given *given, int i, int j)
{
    for (int k = given->start[i]; k < given->start[i + 1]; k++)
        if (given->index[k] == j) return given->entry[k];
    return carom_graph_number(g, 0);
}

// 1/pivot, or 1/0 where the pivot is nothing but the rounding of the diagonal entry
static carom_ref reciprocal(carom_graph *g, carom_ref pivot, carom_ref diagonal)
{
    const carom_ref zero = carom_graph_number(g, 0), one = carom_graph_number(g, 1);
    const carom_ref rounding = carom_graph_mul(g, carom_graph_number(g, 4 * DBL_EPSILON), diagonal);
    const carom_ref is_good = carom_graph_make(g, CAROM_OP_LT, rounding, pivot, -1);
    const carom_ref divisor = carom_graph_make(g, CAROM_OP_IF, is_good, pivot, zero);
    return carom_graph_make(g, CAROM_OP_DIV, one, divisor, -1);
}

// a - b c
static carom_ref less(carom_graph *g, carom_ref a, carom_ref b, carom_ref c)
{
    return carom_graph_sub(g, a, carom_graph_mul(g, b, c));
}

static void derive_block(carom_graph *g, const carom_mass_given *given, const int *row, int n,
                         carom_ref *f)
{
    carom_ref m[3][3] = {0};
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) m[i][j] = entry_at(g, given, row[i], row[j]);
    f[0] = reciprocal(g, m[0][0], m[0][0]);
    if (n == 1) return;
    f[1] = carom_graph_mul(g, m[0][1], f[0]);
    const carom_ref d2 = less(g, m[1][1], f[1], m[0][1]), inverse = reciprocal(g, d2, m[1][1]);
    if (n == 2) {
        f[2] = inverse;
        return;
    }
    f[2] = carom_graph_mul(g, m[0][2], f[0]);
    f[3] = inverse;
    const carom_ref c = less(g, m[1][2], f[1], m[0][2]);
    f[4] = carom_graph_mul(g, c, f[3]);
    const carom_ref d3 = less(g, less(g, m[2][2], f[2], m[0][2]), f[4], c);
    f[5] = reciprocal(g, d3, m[2][2]);
}

void carom_factors_derive(carom_graph *graph, const carom_mass_given *given, carom_ref *factor)
{
    const int n = carom_mass_sparse(given->mass).n_row;
    for (int i = 0; i < n; i++) {
        const int *row, size = carom_mass_block_of(given->mass, i, &row);
        if (size <= 3 && row[0] == i)
            derive_block(graph, given, row, size, factor + carom_mass_small_of(given->mass, i));
    }
}

static void solve_block(carom_graph *g, const carom_ref *f, const int *row, int n, carom_ref *x)
{
    const carom_ref x0 = x[row[0]];
    x[row[0]] = carom_graph_mul(g, x0, f[0]);
    if (n == 1) return;
    const carom_ref b1 = less(g, x[row[1]], f[1], x0);
    if (n == 2) {
        x[row[1]] = carom_graph_mul(g, b1, f[2]);
    } else {
        const carom_ref b2 = less(g, less(g, x[row[2]], f[2], x0), f[4], b1);
        x[row[2]] = carom_graph_mul(g, b2, f[5]);
        x[row[1]] = less(g, carom_graph_mul(g, b1, f[3]), f[4], x[row[2]]);
    }
    x[row[0]] = less(g, x[row[0]], f[1], x[row[1]]);
    if (n == 3) x[row[0]] = less(g, x[row[0]], f[2], x[row[2]]);
}

bool carom_factors_solve(carom_graph *graph, const carom_mass_given *given, const carom_ref *factor,
                         const carom_ref *f, carom_ref *a)
{
    const int n = carom_mass_sparse(given->mass).n_row;
    for (int i = 0; i < n; i++) {
        if (carom_mass_small_of(given->mass, i) < 0) return false;
        a[i] = f[i];
    }
    for (int i = 0; i < n; i++) {
        const int *row, size = carom_mass_block_of(given->mass, i, &row);
        if (row[0] == i)
            solve_block(graph, factor + carom_mass_small_of(given->mass, i), row, size, a);
    }
    return true;
}
