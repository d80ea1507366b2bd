// SPDX-License-Identifier: Apache-2.0
// Primitives woven for two bodies that are symbols, and their derivatives: the same rules by which
// lagrange.c derives the rows of a model,
//
//     gamma_1 = d(gap)/dt,   gamma_k = slip k,   W = d(gamma)/du,   curvature = d(gamma)/dt|_u
#include "model/touch/slot_program.h"

#include "base/list.h"
#include "expr/rotation_nodes.h"
#include "model/touch/primitive.h"

#include <stddef.h>
#include <stdlib.h>

enum { GAP, W, CURVATURE, D_ROWS, PLACE, N_QUESTION }; // bits of what may be asked

struct carom_slot_code {
    int dim;
    bool rolls;
    carom_arena *arena;
    carom_graph *graph;
    bool is_out; // memory ran out
    CAROM_LIST(carom_target) target[CAROM_N_PRIMITIVE][N_QUESTION];
};

#define OFFSET_OF(field) ((int)(offsetof(carom_slot_answers, field) / sizeof(double)))

int carom_slot_code_n_row(const carom_slot_code *code)
{
    return code->dim;
}

static carom_ref symbol(carom_slot_code *c, carom_symbol kind, int index)
{
    return carom_graph_symbol(c->graph, kind, index);
}

static void want(carom_slot_code *c, int primitive, int question, carom_ref ref, int offset)
{
    if (ref >= 0 && carom_graph_is_zero(c->graph, ref)) return;
    carom_target *target = CAROM_LIST_ADD(c->arena, &c->target[primitive][question]);
    if (target) *target = (carom_target){ref, offset};
    c->is_out |= !target || ref < 0;
}

static carom_vec vector_of(carom_slot_code *c, carom_symbol kind, int first)
{
    carom_vec v = carom_weave_numbers(c->graph, 0, 0, 0);
    for (int i = 0; i < c->dim; i++) v.c[i] = symbol(c, kind, first + i);
    return v;
}

static void weave_body_in_plane(carom_slot_code *c, int b, carom_touch_body *body)
{
    carom_graph *g = c->graph;
    body->frame =
        carom_weave_turned(g, vector_of(c, CAROM_Q, 3 * b), symbol(c, CAROM_Q, 3 * b + 2));
    body->velocity = vector_of(c, CAROM_U, 3 * b);
    body->spin = carom_weave_numbers(g, 0, 0, 0);
    body->spin.c[2] = symbol(c, CAROM_U, 3 * b + 2);
}

static void weave_body_in_space(carom_slot_code *c, int b, carom_touch_body *body)
{
    carom_graph *g = c->graph;
    for (int i = 0; i < 3; i++) c->is_out |= !carom_graph_moves_with(g, 7 * b + i, 6 * b + i);
    const int rotation = carom_graph_rotation(g, 7 * b + 3, 6 * b + 3);
    c->is_out |= rotation < 0;
    if (c->is_out) return;
    body->frame = carom_weave_rotated(g, vector_of(c, CAROM_Q, 7 * b), rotation);
    body->velocity = vector_of(c, CAROM_U, 6 * b);
    body->spin = carom_weave_direction(g, &body->frame, vector_of(c, CAROM_U, 6 * b + 3));
}

#define NUMBER_AT(field) ((int)(offsetof(carom_slot_numbers, field) / sizeof(double)))

static carom_touch weave_bodies(carom_slot_code *c)
{
    carom_touch touch = {.dim = c->dim};
    for (int b = 0; b < 2 && !c->is_out; b++) {
        if (c->dim == 2)
            weave_body_in_plane(c, b, &touch.body[b]);
        else
            weave_body_in_space(c, b, &touch.body[b]);
    }
    touch.p1 = vector_of(c, CAROM_A, NUMBER_AT(p1));
    touch.d1 = vector_of(c, CAROM_A, NUMBER_AT(d1));
    touch.p2 = vector_of(c, CAROM_A, NUMBER_AT(p2));
    touch.d2 = vector_of(c, CAROM_A, NUMBER_AT(d2));
    touch.t2 = vector_of(c, CAROM_A, NUMBER_AT(t2));
    touch.rim = symbol(c, CAROM_A, NUMBER_AT(rim));
    touch.radius = symbol(c, CAROM_A, NUMBER_AT(radius));
    touch.side = symbol(c, CAROM_A, NUMBER_AT(side));
    touch.first = symbol(c, CAROM_A, NUMBER_AT(first));
    return touch;
}

// the derivatives of root by all symbols of a kind
static carom_gradient gradient(carom_slot_code *c, carom_ref root, carom_symbol kind)
{
    carom_gradient row = {0};
    c->is_out |= carom_graph_gradient(c->graph, root, kind, &row) != CAROM_OK;
    return c->is_out ? (carom_gradient){0} : row;
}

static void want_row(carom_slot_code *c, int primitive, int question, carom_gradient row,
                     int offset)
{
    for (int k = 0; k < row.n; k++) want(c, primitive, question, row.ref[k], offset + row.index[k]);
}

// the rates of all rows, the normal first; returns how many
static int list_rates(const carom_slot_code *c, const carom_touch_rows *rows, carom_ref *gamma)
{
    int n = 0;
    gamma[n++] = carom_graph_rate(c->graph, rows->gap);
    for (int k = 0; k < rows->n_slip; k++) gamma[n++] = rows->slip[k];
    for (int k = 0; k < rows->n_slip && c->rolls; k++) gamma[n++] = rows->roll[k];
    if (c->rolls && c->dim == 3) gamma[n++] = rows->spin;
    return n;
}

static void derive_rows(carom_slot_code *c, int primitive, const carom_touch_rows *rows)
{
    carom_graph *g = c->graph;
    carom_ref push[CAROM_SLOT_WIDTH], rate[CAROM_SLOT_ROWS];
    const int n = list_rates(c, rows, rate);
    for (int i = 0; i < CAROM_SLOT_WIDTH; i++) push[i] = carom_graph_number(g, 0);
    for (int r = 0; r < n; r++) {
        const carom_ref gamma = rate[r];
        const carom_ref P = symbol(c, CAROM_P, r);
        const int at = r * CAROM_SLOT_WIDTH;
        const carom_gradient row =
            r == 0 ? gradient(c, rows->gap, CAROM_Q) : gradient(c, gamma, CAROM_U);
        want_row(c, primitive, W, row, OFFSET_OF(W) + at);
        for (int k = 0; k < row.n; k++) {
            carom_ref *to = &push[row.index[k]];
            *to = carom_graph_add(g, *to, carom_graph_mul(g, row.ref[k], P));
        }
        want(c, primitive, CURVATURE, carom_graph_rate(g, gamma), OFFSET_OF(curvature) + r);
        want_row(c, primitive, D_ROWS, gradient(c, gamma, CAROM_Q), OFFSET_OF(dgamma_dq) + at);
    }
    for (int i = 0; i < CAROM_SLOT_WIDTH; i++)
        want_row(c, primitive, D_ROWS, gradient(c, push[i], CAROM_Q),
                 OFFSET_OF(dWP_dq) + i * CAROM_SLOT_WIDTH);
}

static void derive_primitive(carom_slot_code *c, int primitive, const carom_touch *touch)
{
    const carom_primitive_kind *kind = carom_primitive_at(primitive);
    carom_touch_rows rows = {0};
    if (!(c->dim == 2 ? kind->is_for_plane : kind->is_for_space)) return;
    carom_touch_weave(c->graph, primitive, touch, &rows);
    want(c, primitive, GAP, rows.gap, OFFSET_OF(gap));
    for (int i = 0; i < c->dim; i++) {
        want(c, primitive, PLACE, rows.point.c[i], OFFSET_OF(point) + i);
        want(c, primitive, PLACE, rows.normal.c[i], OFFSET_OF(normal) + i);
    }
    derive_rows(c, primitive, &rows);
}

// quaternions in place of entries of rotation matrices
static void spell_out(carom_slot_code *c)
{
    CAROM_LIST(carom_ref *) all = {0};
    for (int i = 0; i < CAROM_N_PRIMITIVE; i++)
        for (int k = 0; k < N_QUESTION; k++)
            for (int j = 0; j < c->target[i][k].n; j++) {
                carom_ref **one = CAROM_LIST_ADD(c->arena, &all);
                c->is_out |= !one;
                if (one) *one = &c->target[i][k].item[j].ref;
            }
    if (!c->is_out && c->dim == 3) c->is_out |= !carom_graph_spell_out(c->graph, all.item, all.n);
}

carom_slot_code *carom_slot_code_new(int dim, bool rolls)
{
    carom_slot_code *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->dim = dim;
    c->rolls = rolls;
    c->arena = carom_arena_new();
    c->graph = carom_graph_new();
    c->is_out = !c->arena || !c->graph;
    if (!c->is_out) {
        const carom_touch touch = weave_bodies(c);
        for (int i = 0; i < CAROM_N_PRIMITIVE && !c->is_out; i++) derive_primitive(c, i, &touch);
        spell_out(c);
    }
    if (!c->is_out && carom_graph_status(c->graph) == CAROM_OK) return c;
    carom_slot_code_free(c);
    return NULL;
}

void carom_slot_code_free(carom_slot_code *code)
{
    if (!code) return;
    carom_graph_free(code->graph);
    carom_arena_free(code->arena);
    free(code);
}

carom_status carom_slot_program_new(const carom_slot_code *code, carom_primitive primitive,
                                    unsigned asked, carom_arena *arena,
                                    carom_slot_program **program, carom_error *error)
{
    int n = 0;
    for (int k = 0; k < N_QUESTION; k++)
        if (asked >> k & 1) n += code->target[primitive][k].n;
    carom_target *target = CAROM_TAKE(arena, carom_target, n + 1);
    carom_slot_program *made = *program = CAROM_TAKE(arena, carom_slot_program, 1);
    if (!target || !made)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the programs of contacts");
    n = 0;
    for (int k = 0; k < N_QUESTION; k++)
        for (int j = 0; asked >> k & 1 && j < code->target[primitive][k].n; j++)
            target[n++] = code->target[primitive][k].item[j];
    CAROM_TRY(carom_tape_new(code->graph, target, n, &made->tape, error));
    carom_tape_constants(made->tape, &made->answers.gap);
    return CAROM_OK;
}

void carom_slot_program_free(carom_slot_program *program)
{
    if (program) carom_tape_free(program->tape);
}
