// SPDX-License-Identifier: Apache-2.0
// Elastic bodies of a builder: each becomes matrices, and coordinates with their names.
#include "model/elastic/elastic_making.h"

#include "expr/rotation_nodes.h"

#include <math.h>
#include <string.h>

// ---- coordinates ----

// their start is the body at rest in its shape, or in uniform motion
static carom_status find_velocity(const carom_elastic_making *m,
                                  double velocity[CAROM_LINE_MOTIONS])
{
    double v[3], size = 0;
    CAROM_TRY(carom_elastic_vector(m, "velocity", v));
    static const carom_line_motion along[3] = {CAROM_LINE_U, CAROM_LINE_V, CAROM_LINE_W};
    memset(velocity, 0, sizeof(double) * CAROM_LINE_MOTIONS);
    for (int k = 0; k < 3; k++) size = fmax(size, fabs(v[k]));
    for (int k = 0; k < 3; k++) {
        double part = 0;
        for (int c = 0; c < 3; c++) part += v[c] * (m->text->matrices ? k == c : m->axis[k][c]);
        velocity[along[k]] = part;
        if (m->text->matrices || m->line.has[along[k]] || fabs(part) <= 1e-9 * size) continue;
        return carom_elastic_refuse(m, "velocity",
                                    "has a velocity of %g m/s across: it does not "
                                    "move there",
                                    part);
    }
    return CAROM_OK;
}

static double start_rate(const carom_elastic_making *m, int i,
                         const double velocity[CAROM_LINE_MOTIONS])
{
    static const char letters[] = CAROM_LINE_LETTERS;
    const char *letter = strchr(letters, m->body->motion[i]);
    return letter ? velocity[letter - letters] : 0; // a mode
}

static carom_status declare_coordinates(carom_elastic_making *m)
{
    carom_making *making = m->making;
    carom_elastic *body = m->body;
    double velocity[CAROM_LINE_MOTIONS];
    CAROM_TRY(find_velocity(m, velocity));
    const carom_ref zero = carom_graph_number(making->graph, 0);
    // behind the coordinates: up to three displacements for each node without mass
    m->symbol = CAROM_TAKE(making->arena, carom_ref, body->n + 3 * m->n_massless);
    if (!m->symbol) return carom_making_no_memory(making);
    body->first = making->coordinate.n;
    for (int i = 0; i < body->n; i++) {
        const char motion = body->motion[i];
        const bool is_mode = motion == 'm', is_turn = strchr("bca", motion) != NULL;
        const char *name = is_mode ? carom_arena_format(making->model->arena, "%s.mode[%d]",
                                                        body->name, body->node[i])
                                   : carom_arena_format(making->model->arena, "%s.%c[%d]",
                                                        body->name, motion, body->node[i]);
        const carom_coordinate_given given = {
            name,
            is_mode   ? ""
            : is_turn ? "rad"
                      : "m",
            zero, carom_graph_number(making->graph, start_rate(m, i, velocity))};
        if (!given.name) return carom_making_no_memory(making);
        m->symbol[i] = carom_graph_symbol(making->graph, CAROM_Q, making->coordinate.n);
        CAROM_TRY(carom_making_coordinate(making, &given, m->text->place));
    }
    return CAROM_OK;
}

// ---- matrices ----

static bool keep(const carom_sparse_sum *sum, int n, carom_arena *arena,
                 carom_elastic_matrix *matrix)
{
    return carom_sparse_sum_finish(sum, n, arena, &matrix->A) &&
           carom_diagonals_make(arena, &matrix->A, &matrix->times);
}

static carom_status keep_matrices(carom_elastic_making *m)
{
    carom_arena *arena = m->making->model->arena;
    carom_elastic *body = m->body;
    bool is_good = keep(&m->matrices.M, body->n, arena, &body->M) &&
                   keep(&m->matrices.K, body->n, arena, &body->K);
    if (m->matrices.D.entry.n > 0) is_good &= keep(&m->matrices.D, body->n, arena, &body->D);
    return is_good ? CAROM_OK : carom_making_no_memory(m->making);
}

static carom_status find_gravity(carom_elastic_making *m)
{
    const carom_vector_text *text = &m->making->builder->scene.gravity;
    memset(m->g, 0, sizeof m->g);
    if (text->n == 0) return CAROM_OK;
    if (text->n != m->dim)
        return carom_fail_at(m->making->error, text->part[0].place, CAROM_BAD_INPUT,
                             "gravity has %d components, and the elastic body '%.60s' lies in %s",
                             text->n, m->text->name.text, m->dim == 2 ? "the plane" : "space");
    for (int i = 0; i < text->n; i++)
        CAROM_TRY(
            carom_making_number(m->making, text->part[i], "gravity of elastic bodies", &m->g[i]));
    return CAROM_OK;
}

static carom_status make_body(carom_making *making, const carom_elastic_text *text,
                              carom_elastic *body)
{
    carom_elastic_making m = {.making = making, .text = text, .body = body};
    m.matrices.M.arena = m.matrices.K.arena = m.matrices.D.arena = making->arena;
    CAROM_TRY(carom_making_name(making, text->name, &body->name));
    body->place = text->place;
    body->place.file = carom_arena_string(making->model->arena, text->place.file);
    CAROM_TRY(text->matrices ? carom_elastic_given(&m) : carom_elastic_line(&m));
    CAROM_TRY(find_gravity(&m));
    CAROM_TRY(carom_elastic_size(&m, "magnify", false, 1, &body->magnify));
    body->dim = m.dim;
    body->load = CAROM_TAKE(making->model->arena, double, body->n);
    if (!body->load) return carom_making_no_memory(making);
    CAROM_TRY(text->matrices ? carom_elastic_given_matrices(&m) : carom_elastic_line_matrices(&m));
    CAROM_TRY(carom_elastic_stops(&m));
    CAROM_TRY(carom_elastic_reduce(&m));
    CAROM_TRY(declare_coordinates(&m));
    CAROM_TRY(keep_matrices(&m));
    CAROM_TRY(carom_elastic_stop_names(&m));
    return text->matrices ? carom_elastic_given_points(&m) : carom_elastic_points(&m);
}

static bool does_bend(const carom_elastic *body)
{
    return !body->is_line || memchr(body->motion, 'b', (size_t)body->n);
}

carom_status carom_elastics_declare(carom_making *making)
{
    const carom_builder *b = making->builder;
    if (b->elastic.n == 0) return CAROM_OK;
    carom_arena *arena = making->model->arena;
    carom_elastics *all = CAROM_TAKE(arena, carom_elastics, 1);
    carom_elastic *body = CAROM_TAKE(arena, carom_elastic, b->elastic.n);
    if (!all || !body) return carom_making_no_memory(making);
    *all = (carom_elastics){.n = b->elastic.n, .item = body};
    for (int i = 0; i < b->elastic.n; i++)
        CAROM_TRY(make_body(making, &b->elastic.item[i], &body[i]));
    for (int i = 0; i < all->n; i++)
        making->model->energies.is_undamped |= body[i].D.A.n_row == 0 && does_bend(&body[i]);
    making->model->energies.elastic = all;
    making->model->energies.is_elastic = true;
    making->model->places.energies = body[0].place;
    return CAROM_OK;
}

// ---- wheels ----

// force times d(at)/dq
static carom_status push(carom_making *making, carom_ref at, carom_ref force)
{
    carom_gradient gradient;
    if (carom_graph_gradient(making->graph, at, CAROM_Q, &gradient) != CAROM_OK)
        return carom_making_no_memory(making);
    for (int j = 0; j < gradient.n; j++) {
        carom_ref *applied = &making->lagrange->applied[gradient.index[j]];
        const carom_ref part = carom_graph_mul(making->graph, force, gradient.ref[j]);
        *applied = carom_graph_add(making->graph, *applied, part);
    }
    return CAROM_OK;
}

// a constraint or a force between what lies in the plane and what moves in space would be nonsense
static carom_status check_dimensions(carom_making *making)
{
    const carom_elastics *e = making->model->energies.elastic;
    for (int b = 0; e && making->bodies && b < e->n; b++) {
        const bool is_plane = e->item[b].dim == 2;
        if (e->item[b].dim == making->bodies->dim) continue;
        return carom_fail_at(
            making->error, e->item[b].place, CAROM_BAD_INPUT,
            "the elastic body '%.60s' lies in %s, and the bodies of the model move "
            "in %s (give it %s components)",
            e->item[b].name, is_plane ? "the plane" : "space", is_plane ? "space" : "the plane",
            is_plane ? "three" : "two");
    }
    return CAROM_OK;
}

carom_status carom_elastics_load(carom_making *making)
{
    carom_graph *g = making->graph;
    CAROM_TRY(check_dimensions(making));
    for (int i = 0; i < making->stop_energy.n; i++)
        if (!carom_refs_add(making->arena, &making->lagrange->potential,
                            making->stop_energy.item[i]))
            return carom_making_no_memory(making);
    for (int i = 0; i < making->wheel.n; i++) {
        const carom_wheel *wheel = &making->wheel.item[i];
        const carom_ref J = carom_graph_number(g, wheel->inertia);
        const carom_ref turning = carom_graph_mul(g, J, carom_graph_rate(g, wheel->a));
        const carom_ref on_c = carom_graph_mul(g, turning, carom_graph_rate(g, wheel->b));
        const carom_ref minus = carom_graph_mul(g, turning, carom_graph_rate(g, wheel->c));
        CAROM_TRY(push(making, wheel->b, carom_graph_sub(g, carom_graph_number(g, 0), minus)));
        CAROM_TRY(push(making, wheel->c, on_c));
    }
    return CAROM_OK;
}
