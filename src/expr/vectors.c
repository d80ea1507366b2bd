// SPDX-License-Identifier: Apache-2.0
// Vectors of three nodes. The graph simplifies while it is built, so that what is multiplied by a
// component 0 is gone before it is made.
#include "expr/vectors.h"

carom_ref carom_graph_dot(carom_graph *graph, const carom_ref *a, const carom_ref *b)
{
    carom_ref sum = carom_graph_mul(graph, a[0], b[0]);
    for (int i = 1; i < 3; i++)
        sum = carom_graph_add(graph, sum, carom_graph_mul(graph, a[i], b[i]));
    return sum;
}

void carom_graph_cross(carom_graph *graph, const carom_ref *a, const carom_ref *b, carom_ref *c)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = carom_graph_sub(graph, carom_graph_mul(graph, a[j], b[k]),
                               carom_graph_mul(graph, a[k], b[j]));
    }
}

carom_ref carom_graph_norm(carom_graph *graph, const carom_ref *a)
{
    return carom_graph_make(graph, CAROM_OP_SQRT, carom_graph_dot(graph, a, a), -1, -1);
}

void carom_graph_unit(carom_graph *graph, const carom_ref *a, carom_ref *c)
{
    const carom_ref norm = carom_graph_norm(graph, a);
    for (int i = 0; i < 3; i++) c[i] = carom_graph_make(graph, CAROM_OP_DIV, a[i], norm, -1);
}
