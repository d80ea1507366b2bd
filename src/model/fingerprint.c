// SPDX-License-Identifier: Apache-2.0
// One number for all that a model from equations computes: every answer's expression with its
// numbers and tables, the contacts' factors and the start. Two models with the same one give the
// same motion, in all likelihood.
#include "model/elastic/elastic.h"
#include "model/live.h"
#include "model/making/lagrange.h"
#include "model/touch/near.h"
#include "shapes/shape_kind.h"

#include <string.h>

static uint64_t mix(uint64_t hash, const void *value, size_t size)
{
    const unsigned char *byte = value;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

unsigned long long carom_fingerprint_mix(unsigned long long hash, const void *value, size_t size)
{
    return mix(hash, value, size);
}

static uint64_t mix_table(uint64_t hash, const carom_spline *spline)
{
    hash = mix(hash, spline->x, sizeof(double) * (size_t)spline->n);
    hash = mix(hash, spline->coefficient, sizeof(double) * (size_t)(4 * (spline->n - 1)));
    return mix(hash, &spline->period, sizeof spline->period);
}

// children have smaller numbers, so that theirs are known; they count by content, not by number
static uint64_t node_hash(const carom_graph *graph, carom_ref ref, const uint64_t *known)
{
    const carom_op op = carom_graph_op(graph, ref);
    const int kind = (int)op;
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), &kind, sizeof kind);
    double value;
    if (carom_graph_is_number(graph, ref, &value)) return mix(hash, &value, sizeof value);
    for (int i = 0; i < 3; i++) {
        const int child = carom_graph_child(graph, ref, i);
        const bool is_node = op != CAROM_OP_SYMBOL && !(op == CAROM_OP_TABLE && i > 0);
        if (is_node && child >= 0)
            hash = mix(hash, &known[child], sizeof *known);
        else
            hash = mix(hash, &child, sizeof child);
    }
    if (op != CAROM_OP_TABLE) return hash;
    return mix_table(hash, carom_graph_table(graph, carom_graph_child(graph, ref, 2)));
}

unsigned long long carom_fingerprint_mix_start(unsigned long long hash, carom_sizes size,
                                               const carom_contact_facts *contact, const double *q0,
                                               const double *u0)
{
    hash = mix(hash, q0, sizeof(double) * (size_t)size.nq);
    hash = mix(hash, u0, sizeof(double) * (size_t)size.nu);
    for (int c = 0; c < size.n_contact; c++) {
        hash = mix(hash, &contact[c].e, sizeof(double));
        hash = mix(hash, &contact[c].e_t, sizeof(double));
        hash = mix(hash, &contact[c].mu, sizeof(double));
        if (contact[c].law != CAROM_LAW_NEWTON && contact[c].law != CAROM_LAW_DISC)
            hash = mix(hash, &contact[c].law, sizeof contact[c].law);
    }
    return hash;
}

// shapes whose contacts come and go stand in no expression
static uint64_t mix_shapes(uint64_t hash, const carom_near *near)
{
    for (int i = 0; i < near->n_shape; i++) {
        const carom_shape *shape = near->shape[i].shape;
        const double number[] = {shape->radius, shape->reach, shape->size};
        hash = mix(hash, shape->kind->word, strlen(shape->kind->word));
        hash = mix(hash, number, sizeof number);
        hash = mix(hash, shape->normal, sizeof shape->normal);
        hash = mix(hash, shape->corner, 3 * sizeof(double) * (size_t)shape->n_corner);
        hash = mix(hash, &near->shape[i].body, sizeof(int));
        hash = mix(hash, &near->shape[i].material, sizeof(int));
    }
    for (int b = 0; b < near->n_body; b++) {
        hash = mix(hash, near->body[b].centre, sizeof near->body[b].centre);
        hash = mix(hash, &near->body[b].still, sizeof near->body[b].still);
    }
    for (int i = 0; i < near->n_material * near->n_material; i++)
        hash = mix(hash, &near->law[i], sizeof near->law[i]);
    hash = mix(hash, near->apart, sizeof *near->apart * (size_t)near->n_apart);
    return mix(hash, &near->alert, sizeof near->alert);
}

static uint64_t mix_matrix(uint64_t hash, const carom_sparse *A)
{
    const size_t n = A->n_row > 0 ? (size_t)A->start[A->n_row] : 0;
    hash = mix(hash, &A->n_row, sizeof A->n_row);
    if (n == 0) return hash;
    hash = mix(hash, A->start, sizeof(int) * ((size_t)A->n_row + 1));
    hash = mix(hash, A->index, sizeof(int) * n);
    return mix(hash, A->value, sizeof(double) * n);
}

// nor do matrices of elastic bodies
static uint64_t mix_elastics(uint64_t hash, const carom_elastics *e)
{
    for (int b = 0; b < e->n; b++) {
        const carom_elastic *body = &e->item[b];
        hash = mix_matrix(hash, &body->M.A);
        hash = mix_matrix(hash, &body->K.A);
        hash = mix_matrix(hash, &body->D.A);
        hash = mix(hash, body->load, sizeof(double) * (size_t)body->n);
    }
    for (int k = 0; k < e->found.n; k++) {
        hash = mix(hash, &e->found.item[k].offset, sizeof(int));
        hash = mix(hash, &e->found.item[k].value, sizeof(double));
    }
    return hash;
}

bool carom_lagrange_fingerprint(carom_model *model, const carom_lagrange *l, carom_arena *scratch)
{
    const int n = carom_graph_size(l->graph);
    uint64_t *known = CAROM_TAKE(scratch, uint64_t, n);
    if (!known) return false;
    for (int i = 0; i < n; i++) known[i] = node_hash(l->graph, i, known);
    uint64_t hash = carom_fingerprint_mix_start(UINT64_C(0xcbf29ce484222325), model->size,
                                                model->contact, model->q0, model->u0);
    for (int flag = 0; flag < CAROM_N_FLAG; flag++)
        for (int i = 0; i < l->target[flag].n; i++)
            hash = mix(hash, &known[l->target[flag].item[i].ref], sizeof *known);
    if (model->energies.elastic) hash = mix_elastics(hash, model->energies.elastic);
    model->fingerprint = l->near ? mix_shapes(hash, l->near) : hash;
    return true;
}
