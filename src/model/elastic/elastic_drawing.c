// SPDX-License-Identifier: Apache-2.0
// What is drawn of elastic bodies where the file has no `draw:`. A line is one polyline through
// some of its nodes, a part of matrices some of its nodes as discs. Displacements may be magnified:
// they are small against the body.
#include "expr/graph_nodes.h"
#include "model/elastic/elastic_making.h"

#include <string.h>

enum { MOST_POINTS = 41, MOST_DISCS = 300 };
static const double DISC = 0.01; // of the size

typedef struct drawn {
    carom_making *making;
    carom_drawings *all;
    const carom_elastic *body;
} drawn;

static carom_status begin_drawing(const drawn *d, const char *kind, int n)
{
    carom_making *making = d->making;
    carom_drawing *drawing = CAROM_LIST_ADD(making->model->arena, d->all);
    if (!drawing) return carom_making_no_memory(making);
    *drawing = (carom_drawing){
        .kind = kind, .n_point = n, .first = making->lagrange->draw.n, .dim = d->body->dim};
    return CAROM_OK;
}

// share * displacement, along direction c of space
static carom_ref displacement(const drawn *d, char motion, carom_ref ref, int c)
{
    const carom_elastic *body = d->body;
    carom_graph *g = d->making->graph;
    const int k = motion - 'u';
    if (k < 0 || body->axis[k][c] == 0) return carom_graph_number(g, 0); // slopes, twist, modes
    return carom_graph_scale(g, body->magnify * body->axis[k][c], ref);
}

// where a node is: `at`, the displacements of unknowns from .. to-1, which are its own, and those
// that have no mass
static carom_status add_node(const drawn *d, const double at[3], int node, int from, int to)
{
    const carom_elastic *body = d->body;
    carom_graph *g = d->making->graph;
    for (int c = 0; c < body->dim; c++) {
        carom_ref sum = carom_graph_number(g, at[c]);
        for (int i = from; i < to; i++) {
            const carom_ref q = carom_graph_symbol(g, CAROM_Q, body->first + i);
            sum = carom_graph_add(g, sum, displacement(d, body->motion[i], q, c));
        }
        for (int i = 0; i < body->n_dropped; i++) {
            const carom_elastic_dropped *it = &body->dropped[i];
            if (it->node == node)
                sum = carom_graph_add(g, sum, displacement(d, it->motion, it->ref, c));
        }
        if (!carom_refs_add(d->making->arena, &d->making->lagrange->draw, sum))
            return carom_making_no_memory(d->making);
    }
    return CAROM_OK;
}

// unknowns of a node stand side by side: those behind i that are of the same
static int end_of_node(const carom_elastic *body, int i)
{
    int end = i;
    while (end < body->n && body->node[end] == body->node[i] && body->motion[end] != 'm') end++;
    return end;
}

static carom_status draw_line(const drawn *d)
{
    const carom_elastic *body = d->body;
    const int last = body->n_node - 1, n = last < MOST_POINTS ? last + 1 : MOST_POINTS;
    CAROM_TRY(begin_drawing(d, "polyline", n));
    for (int p = 0, i = 0; p < n; p++) {
        const int node = (int)((long)p * last / (n - 1));
        double at[3];
        for (int c = 0; c < 3; c++)
            at[c] = body->from[c] + node * (body->size / last) * body->axis[0][c];
        while (i < body->n && body->motion[i] != 'm' && body->node[i] < node) i++;
        const bool is_there = i < body->n && body->node[i] == node && body->motion[i] != 'm';
        CAROM_TRY(add_node(d, at, node, i, is_there ? end_of_node(body, i) : i));
    }
    return CAROM_OK;
}

static carom_status draw_nodes(const drawn *d)
{
    const carom_elastic *body = d->body;
    const int every = 1 + body->n_node / MOST_DISCS;
    for (int i = 0, number = 0; i < body->n && body->motion[i] != 'm'; number++) {
        const int end = end_of_node(body, i);
        if (number % every == 0) {
            CAROM_TRY(begin_drawing(d, "disc", 1));
            CAROM_TRY(add_node(d, body->at[i], body->node[i], i, end));
            d->all->item[d->all->n - 1].has_size = true;
            const carom_ref radius = carom_graph_number(d->making->graph, DISC * body->size);
            if (!carom_refs_add(d->making->arena, &d->making->lagrange->draw, radius))
                return carom_making_no_memory(d->making);
        }
        i = end;
    }
    return CAROM_OK;
}

carom_status carom_elastics_draw(carom_making *making, carom_drawings *all)
{
    const carom_elastics *e = making->model->energies.elastic;
    for (int b = 0; e && b < e->n; b++) {
        const drawn d = {making, all, &e->item[b]};
        CAROM_TRY(d.body->is_line && d.body->n_before == 0 ? draw_line(&d) : draw_nodes(&d));
    }
    return CAROM_OK;
}
