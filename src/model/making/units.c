// SPDX-License-Identifier: Apache-2.0
// Units of coordinates, for axes and tables; nothing is computed from them. Where the model
// does not say, what stands around a coordinate does: gaps and slips are lengths, arguments
// of sines are angles,
//
//     gap = +-x +- sqrt(y^2 + ...)      x, y [m]
//     sin(+-x +- ...)                   x [rad]
//
// with x as it is, since a factor may carry a unit of its own (sin(2*pi*x/L)). Neither: unknown.
#include "model/making/units.h"

#include <string.h>

enum { MOST = 64 }; // terms that wait; deeper sums are left unknown

// whether what stands below is of the same unit: sums, and roots of sums of squares
static bool passes_on(const carom_graph *graph, carom_ref ref)
{
    switch ((int)carom_graph_op(graph, ref)) {
    case CAROM_OP_ADD:
    case CAROM_OP_SUB:
    case CAROM_OP_NEG:
    case CAROM_OP_SQRT:
        return true;
    case CAROM_OP_MUL: // a square; its unit counts below a root only, but who writes a gap in m2?
        return carom_graph_child(graph, ref, 0) == carom_graph_child(graph, ref, 1);
    default:
        return false;
    }
}

// marks the coordinates that are terms of a sum
static void mark_terms(carom_making *making, carom_ref root, const char *unit)
{
    const carom_graph *graph = making->graph;
    carom_ref stack[MOST];
    int n = 0;
    stack[n++] = root;
    while (n > 0) {
        const carom_ref ref = stack[--n];
        if (carom_graph_op(graph, ref) == CAROM_OP_SYMBOL &&
            carom_graph_child(graph, ref, 0) == CAROM_Q) {
            const char **of = &making->model->names.unit[carom_graph_child(graph, ref, 1)];
            if ((*of)[0] == 0) *of = unit;
        }
        for (int k = 0; k < 2 && n < MOST && passes_on(graph, ref); k++)
            if (carom_graph_child(graph, ref, k) >= 0)
                stack[n++] = carom_graph_child(graph, ref, k);
    }
}

// whether two coordinates are members of one family: "x[1]", "x[2]"
static bool are_kin(const char *a, const char *b)
{
    const size_t n = strcspn(a, "[");
    return a[n] == '[' && strncmp(a, b, n + 1) == 0;
}

// members of a family stand side by side and have one unit
static void share_with_kin(carom_model *model)
{
    const char **unit = model->names.unit, **name = model->names.coordinate;
    for (int i = 1; i < model->size.nq; i++)
        if (unit[i][0] == 0 && are_kin(name[i - 1], name[i])) unit[i] = unit[i - 1];
    for (int i = model->size.nq - 1; i > 0; i--)
        if (unit[i - 1][0] == 0 && are_kin(name[i - 1], name[i])) unit[i - 1] = unit[i];
}

void carom_units_guess(carom_making *making)
{
    const carom_graph *graph = making->graph;
    const carom_lagrange *lagrange = making->lagrange;
    for (carom_ref ref = 0; ref < carom_graph_size(graph); ref++) {
        const carom_op op = carom_graph_op(graph, ref);
        if (op == CAROM_OP_SIN || op == CAROM_OP_COS || op == CAROM_OP_TAN)
            mark_terms(making, carom_graph_child(graph, ref, 0), "rad");
    }
    // gaps and slips; constraints may be anything
    for (int r = making->model->size.n_constraint; r < lagrange->row.n; r++)
        if (!lagrange->row.item[r].is_rate) mark_terms(making, lagrange->row.item[r].value, "m");
    share_with_kin(making->model);
}
