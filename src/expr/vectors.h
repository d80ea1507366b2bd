// SPDX-License-Identifier: Apache-2.0
// Vectors of three nodes: what texts and bodies share.
#ifndef CAROM_EXPR_VECTORS_H
#define CAROM_EXPR_VECTORS_H

#include "expr/graph.h"

/// a.b
carom_ref carom_graph_dot(carom_graph *graph, const carom_ref *a, const carom_ref *b);
/// c = a x b; c must be neither.
void carom_graph_cross(carom_graph *graph, const carom_ref *a, const carom_ref *b, carom_ref *c);
/// sqrt(a.a)
carom_ref carom_graph_norm(carom_graph *graph, const carom_ref *a);
/// c = a/sqrt(a.a)
void carom_graph_unit(carom_graph *graph, const carom_ref *a, carom_ref *c);

#endif
