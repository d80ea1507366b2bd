// SPDX-License-Identifier: Apache-2.0
// What is drawn of bodies where the file has no `draw:`. Kinds beside those of the file:
//
//     link       the points of a body, as a bar or a plate around them
//     pivot      a point where two bodies turn about each other; support: the same on the ground
//     rail       p1, p2, p1 + 1 mm along the axis: what p2 slides along
//
// Points of bodies in space have three components (carom_drawing.dim); who draws chooses a view.
#include "model/bodies/body_drawing.h"

#include <math.h>
#include <string.h>

carom_status carom_sketch_add(carom_making *making, const char *kind, const carom_body *body,
                              const carom_vec *point, int n)
{
    carom_sketch *sketch = CAROM_LIST_ADD(making->arena, &making->bodies->sketch);
    if (!sketch || n > CAROM_SKETCH_POINTS) return carom_making_no_memory(making);
    *sketch =
        (carom_sketch){.kind = kind, .body = body ? body->name : "ground", .n = n, .size = -1};
    for (int i = 0; i < n; i++) sketch->point[i] = point[i];
    return CAROM_OK;
}

carom_status carom_sketch_disc(carom_making *making, const carom_body *body, carom_vec centre,
                               carom_ref radius)
{
    CAROM_TRY(carom_sketch_add(making, "disc", body, &centre, 1));
    making->bodies->sketch.item[making->bodies->sketch.n - 1].size = radius;
    return CAROM_OK;
}

carom_status carom_sketch_pivot(carom_making *making, const carom_body *first,
                                const carom_body *second, carom_vec p)
{
    const bool is_support = first->is_ground || second->is_ground;
    return carom_sketch_add(making, is_support ? "support" : "pivot", second, &p, 1);
}

carom_status carom_sketch_rail(carom_making *making, const carom_body *body, carom_vec p1,
                               carom_vec p2, carom_vec axis)
{
    carom_graph *g = making->graph;
    const carom_vec along = carom_weave_scale(g, carom_graph_number(g, 1e-3), axis);
    const carom_vec point[] = {p1, p2, carom_weave_add(g, p1, along)};
    return carom_sketch_add(making, "rail", body, point, 3);
}

// whether two points are at one place at the start, as far as that is known
static bool meet_at_start(carom_making *making, const carom_ref *a, const carom_ref *b)
{
    for (int k = 0; k < making->bodies->dim; k++) {
        double x, y;
        if (!carom_graph_is_number(making->graph, carom_bodies_at_start(making, a[k]), &x) ||
            !carom_graph_is_number(making->graph, carom_bodies_at_start(making, b[k]), &y) ||
            fabs(x - y) > 1e-9 * (1 + fabs(x)))
            return false;
    }
    return true;
}

// a body is as long as its marks; one with a single mark reaches to its centre of mass
static carom_status mark_centre(carom_making *making, carom_body *body)
{
    const int dim = making->bodies->dim;
    for (int i = dim; i < body->marks.n; i += dim)
        if (!meet_at_start(making, body->marks.item, body->marks.item + i)) return CAROM_OK;
    return carom_bodies_mark(making, body,
                             carom_weave_point(making->graph, &body->now, body->centre));
}

typedef struct drawn {
    carom_making *making;
    carom_drawings *all;
} drawn;

static carom_status begin_drawing(const drawn *d, const char *kind, const char *body, int n)
{
    carom_making *making = d->making;
    carom_drawing *drawing = CAROM_LIST_ADD(making->model->arena, d->all);
    if (!drawing) return carom_making_no_memory(making);
    *drawing = (carom_drawing){.kind = kind,
                               .n_point = n,
                               .first = making->lagrange->draw.n,
                               .body = carom_arena_string(making->model->arena, body),
                               .dim = making->bodies->dim};
    return drawing->body ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status add_number(const drawn *d, carom_ref ref)
{
    return carom_refs_add(d->making->arena, &d->making->lagrange->draw, ref)
               ? CAROM_OK
               : carom_making_no_memory(d->making);
}

static carom_status draw_body(const drawn *d, carom_body *body)
{
    if (body->is_ground) return CAROM_OK;
    CAROM_TRY(mark_centre(d->making, body));
    CAROM_TRY(begin_drawing(d, "link", body->name, body->marks.n / d->making->bodies->dim));
    for (int i = 0; i < body->marks.n; i++) CAROM_TRY(add_number(d, body->marks.item[i]));
    return CAROM_OK;
}

static carom_status draw_sketch(const drawn *d, const carom_sketch *sketch)
{
    CAROM_TRY(begin_drawing(d, sketch->kind, sketch->body, sketch->n));
    for (int i = 0; i < sketch->n; i++)
        for (int k = 0; k < d->making->bodies->dim; k++)
            CAROM_TRY(add_number(d, sketch->point[i].c[k]));
    if (sketch->size < 0) return CAROM_OK;
    d->all->item[d->all->n - 1].has_size = true;
    return add_number(d, sketch->size);
}

// rails and springs lie behind bodies, pins on them
static bool is_behind(const carom_sketch *sketch)
{
    return strcmp(sketch->kind, "rail") == 0 || strcmp(sketch->kind, "spring") == 0;
}

carom_status carom_bodies_draw(carom_making *making, carom_drawings *all)
{
    const drawn d = {making, all};
    if (!making->bodies || making->bodies->body.n < 2) return CAROM_OK;
    for (int i = 0; i < making->bodies->sketch.n; i++)
        if (is_behind(&making->bodies->sketch.item[i]))
            CAROM_TRY(draw_sketch(&d, &making->bodies->sketch.item[i]));
    for (int i = 0; i < making->bodies->body.n; i++)
        CAROM_TRY(draw_body(&d, &making->bodies->body.item[i]));
    for (int i = 0; i < making->bodies->sketch.n; i++)
        if (!is_behind(&making->bodies->sketch.item[i]))
            CAROM_TRY(draw_sketch(&d, &making->bodies->sketch.item[i]));
    return carom_graph_status(making->graph) == CAROM_OK ? CAROM_OK
                                                         : carom_making_no_memory(making);
}
