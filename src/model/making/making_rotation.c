// SPDX-License-Identifier: Apache-2.0
// Rotations of a model: their positions, velocities, names, start and part of the chart.
#include "model/making/making_rotation.h"

#include "expr/rotation_nodes.h"
#include "math/rotation.h"

#include <math.h>

// "NAME.SUFFIX" into the scope
static carom_status add_name(carom_making *making, const carom_rotation_given *given,
                             const char *suffix, carom_entry entry, const char **name)
{
    entry.name = *name = carom_arena_format(making->model->arena, "%s.%s", given->name, suffix);
    entry.place = given->place;
    if (!*name) return carom_making_no_memory(making);
    return carom_scope_add(making->scope, &entry, making->error);
}

static carom_status add_positions(carom_making *making, const carom_rotation_given *given)
{
    static const char *const suffix[] = {"p0", "p1", "p2", "p3"};
    for (int i = 0; i < 4; i++) {
        const carom_entry entry = {
            .meaning = CAROM_MEANS_QUATERNION, .ref = -1, .number = making->coordinate.n};
        carom_coordinate_given *item = CAROM_LIST_ADD(making->arena, &making->coordinate);
        if (!item) return carom_making_no_memory(making);
        *item = (carom_coordinate_given){.unit = "", .q0 = given->quaternion[i]};
        CAROM_TRY(add_name(making, given, suffix[i], entry, &item->name));
    }
    return CAROM_OK;
}

static carom_status add_velocities(carom_making *making, const carom_rotation_given *given)
{
    static const char *const suffix[] = {"wx", "wy", "wz"};
    for (int i = 0; i < 3; i++) {
        const int u = making->velocity.n;
        const carom_entry entry = {.meaning = CAROM_MEANS_VELOCITY,
                                   .ref = carom_graph_symbol(making->graph, CAROM_U, u),
                                   .number = u};
        carom_velocity_given *item = CAROM_LIST_ADD(making->arena, &making->velocity);
        if (!item) return carom_making_no_memory(making);
        item->u0 = given->spin[i];
        CAROM_TRY(add_name(making, given, suffix[i], entry, &item->name));
    }
    return CAROM_OK;
}

carom_status carom_making_rotation(carom_making *making, const carom_rotation_given *given,
                                   int *number)
{
    const int q = making->coordinate.n, u = making->velocity.n;
    const int b = carom_graph_rotation(making->graph, q, u);
    carom_chart_part *part = CAROM_LIST_ADD(making->model->arena, &making->part);
    const char **name = CAROM_LIST_ADD(making->arena, &making->rotation);
    if (b < 0 || !part || !name) return carom_making_no_memory(making);
    *part = (carom_chart_part){.kind = CAROM_CHART_QUATERNION, .q = q, .u = u};
    *name = given->name;
    CAROM_TRY(add_positions(making, given));
    CAROM_TRY(add_velocities(making, given));
    for (int i = 0; i < 9; i++) {
        const char suffix[] = {'R', (char)('1' + i / 3), (char)('1' + i % 3), 0}, *full;
        const carom_entry entry = {.meaning = CAROM_MEANS_DEFINE,
                                   .ref = carom_graph_entry(making->graph, b, i / 3, i % 3)};
        CAROM_TRY(add_name(making, given, suffix, entry, &full));
    }
    if (number) *number = b;
    return CAROM_OK;
}

// a' = z1 . w1 - z0 . w0
static carom_turn_rate rate_of_turn(const carom_turn *turn)
{
    carom_turn_rate rate = {0};
    for (int k = 0; k < 2; k++) {
        double z[3];
        carom_rotation_cross(turn->x[k], turn->y[k], z);
        for (int i = 0; turn->q[k] >= 0 && i < 3; i++) {
            if (z[i] == 0) continue;
            rate.velocity[rate.n] = turn->u[k] + i;
            rate.factor[rate.n++] = k == 1 ? z[i] : -z[i];
        }
    }
    return rate;
}

carom_status carom_making_turn(carom_making *making, const carom_turn *turn, const char *name,
                               carom_place place, carom_ref *ref)
{
    const int q = making->coordinate.n;
    const carom_turn_rate rate = rate_of_turn(turn);
    carom_turn *kept = CAROM_TAKE(making->model->arena, carom_turn, 1);
    carom_coordinate_given *item = CAROM_LIST_ADD(making->arena, &making->coordinate);
    carom_chart_part *part = CAROM_LIST_ADD(making->model->arena, &making->part);
    if (!kept || !item || !part || !carom_graph_turns_with(making->graph, q, &rate))
        return carom_making_no_memory(making);
    *kept = *turn;
    *part = (carom_chart_part){.kind = CAROM_CHART_TURN, .q = q, .turn = kept};
    *item = (carom_coordinate_given){
        .name = name, .unit = "rad", .q0 = carom_graph_number(making->graph, 0)};
    *ref = carom_graph_symbol(making->graph, CAROM_Q, q);
    const carom_entry entry = {
        .name = name, .meaning = CAROM_MEANS_DEFINE, .ref = *ref, .place = place};
    return carom_scope_add(making->scope, &entry, making->error);
}

static carom_status declare_rotation(carom_making *making, const void *item)
{
    const carom_rotation_text *text = item;
    carom_rotation_given given = {.place = text->name.place};
    CAROM_TRY(carom_making_name(making, text->name, &given.name));
    for (int i = 0; i < 4; i++)
        CAROM_TRY(carom_making_start(making, text->quaternion[i], "a quaternion", i == 0,
                                     &given.quaternion[i]));
    for (int i = 0; i < 3; i++)
        CAROM_TRY(carom_making_start(making, text->spin[i], "a spin", 0, &given.spin[i]));
    return carom_making_rotation(making, &given, NULL);
}

carom_status carom_rotations_declare(carom_making *making)
{
    const carom_builder *builder = making->builder;
    for (int i = 0; i < builder->rotation.n; i++) {
        const carom_rotation_text *text = &builder->rotation.item[i];
        CAROM_TRY(carom_making_each(making, &text->family, text->name, declare_rotation, text));
    }
    return CAROM_OK;
}

// its length is made 1 here, once
static carom_status refuse_live_quaternion(carom_making *making, int q)
{
    for (int i = 0; i < 4; i++) {
        const carom_ref ref = making->lagrange->q0.item[q + i];
        const char *name = making->coordinate.item[q + i].name;
        double value;
        if (!carom_graph_is_number(making->graph, ref, &value))
            return carom_making_refuse_live(making, ref,
                                            carom_scope_find(making->scope, name)->place,
                                            "the start of a quaternion");
    }
    return CAROM_OK;
}

carom_status carom_rotations_start(carom_making *making)
{
    for (int k = 0; k < making->part.n; k++) {
        if (making->part.item[k].kind != CAROM_CHART_QUATERNION) continue;
        const int q = making->part.item[k].q;
        double *p = making->model->q0 + q;
        carom_ref *ref = making->lagrange->q0.item + q;
        CAROM_TRY(refuse_live_quaternion(making, q));
        const double size = hypot(hypot(p[0], p[1]), hypot(p[2], p[3]));
        const char *name = making->coordinate.item[q].name;
        if (!(size > 0))
            return carom_fail_at(
                making->error, carom_scope_find(making->scope, name)->place, CAROM_BAD_INPUT,
                "the quaternion that begins with '%s' is 0: not turned is 1, 0, 0, "
                "0",
                name);
        for (int i = 0; i < 4; i++) {
            p[i] /= size;
            ref[i] = carom_graph_number(making->graph, p[i]);
        }
    }
    return CAROM_OK;
}

carom_status carom_rotations_chart(carom_making *making)
{
    carom_model *model = making->model;
    const double *J = making->lagrange->inertia;
    if (making->rotation.n == 0) return CAROM_OK;
    if (making->lagrange->live_inertia >= 0)
        return carom_making_refuse_live(making, making->lagrange->live_inertia,
                                        model->places.energies, "the inertia of a body in space");
    for (int k = 0; k < making->part.n; k++) {
        carom_chart_part *part = &making->part.item[k];
        if (part->kind != CAROM_CHART_QUATERNION) continue;
        for (int i = 0; i < 6; i++) part->inertia[i] = *J++;
    }
    carom_chart chart;
    CAROM_TRY(carom_chart_of_parts(making->part.item, making->part.n, model->size.nq,
                                   model->size.nu, &chart, making->error));
    carom_model_set_chart(model, &chart);
    return CAROM_OK;
}
