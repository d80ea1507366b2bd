// SPDX-License-Identifier: Apache-2.0
// Bodies and joints as a model knows them: names, where bodies are, and which component of a
// reaction comes from which row. Components of a joint: Fx, Fy, Tz in the plane, Fx, Fy, Fz, Tx,
// Ty, Tz in space.
#include "base/need.h"
#include "model/bodies/bodies.h"

#include <string.h>

static const int in_plane[] = {0, 1, 5}, in_space[] = {0, 1, 2, 3, 4, 5};

static carom_status add_poses(carom_making *making)
{
    const carom_bodies *bodies = making->bodies;
    carom_refs *pose = &making->lagrange->pose;
    bool is_made = true;
    for (int b = 0; b < bodies->body.n; b++) {
        const carom_frame *frame = &bodies->body.item[b].now;
        for (int i = 0; i < 3; i++) is_made &= carom_refs_add(making->arena, pose, frame->r.c[i]);
        for (int i = 0; i < 9; i++)
            is_made &= carom_refs_add(making->arena, pose, frame->axis[i % 3].c[i / 3]);
    }
    return is_made ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status add_component(carom_making *making, const carom_joint_reaction *of, int which,
                                  int component)
{
    for (int i = 0; i < of->n; i++) {
        const carom_ref value = of->wrench[6 * i + which];
        if (carom_graph_is_zero(making->graph, value)) continue;
        carom_reaction_given *given =
            CAROM_LIST_ADD(making->model->arena, &making->lagrange->reaction);
        if (!given) return carom_making_no_memory(making);
        *given =
            (carom_reaction_given){component, making->bodies->first_row + of->first + i, value};
    }
    return CAROM_OK;
}

carom_status carom_bodies_describe(carom_making *making)
{
    const carom_bodies *bodies = making->bodies;
    carom_model *model = making->model;
    if (!bodies) return CAROM_OK;
    const bool is_space = carom_bodies_in_space(making);
    const int n = is_space ? 6 : 3, *which = is_space ? in_space : in_plane;
    model->names.body = CAROM_TAKE(model->arena, const char *, bodies->body.n);
    model->names.joint = CAROM_TAKE(model->arena, const char *, bodies->reaction.n);
    if (!model->names.body || !model->names.joint) return carom_making_no_memory(making);
    model->size.n_body = bodies->body.n;
    model->size.dim = is_space ? 3 : 2;
    model->size.n_joint = bodies->reaction.n;
    model->size.n_reaction = n * bodies->reaction.n;
    for (int b = 0; b < bodies->body.n; b++) model->names.body[b] = bodies->body.item[b].name;
    for (int j = 0; j < bodies->reaction.n; j++) {
        model->names.joint[j] = bodies->reaction.item[j].name;
        for (int k = 0; k < n; k++)
            CAROM_TRY(add_component(making, &bodies->reaction.item[j], which[k], n * j + k));
    }
    return add_poses(making);
}

static int find_name(const char *const *name, int n, const char *wanted)
{
    for (int i = 0; i < n; i++)
        if (strcmp(name[i], wanted) == 0) return i;
    return -1;
}

int carom_model_body(const carom_model *model, const char *name)
{
    return model && name ? find_name(model->names.body, model->size.n_body, name) : -1;
}

int carom_model_joint(const carom_model *model, const char *name)
{
    return model && name ? find_name(model->names.joint, model->size.n_joint, name) : -1;
}

const char *carom_model_body_name(const carom_model *model, int body)
{
    return model && body >= 0 && body < model->size.n_body ? model->names.body[body] : NULL;
}

const char *carom_model_joint_name(const carom_model *model, int joint)
{
    return model && joint >= 0 && joint < model->size.n_joint ? model->names.joint[joint] : NULL;
}

carom_status carom_model_pose(const carom_model *model, double t, const double *q, int body,
                              carom_pose *pose, carom_error *error)
{
    const unsigned mask = CAROM_DRAW;
    CAROM_NEED(error, model);
    CAROM_NEED(error, q);
    CAROM_NEED(error, pose);
    CAROM_NEED_THAT(error, body >= 0 && body < model->size.n_body, "body is %d, and there are %d",
                    body, model->size.n_body);
    const double *u = model->u0;
    const carom_point at = {.t = t, .q = q, .u = u};
    carom_plan *plan;
    CAROM_TRY(carom_plan_new(model, &mask, 1, &plan, error));
    carom_eval *eval = carom_plan_eval(plan);
    const carom_status status =
        eval ? carom_model_eval(plan, &at, mask, eval, error)
             : carom_fail(error, CAROM_NO_MEMORY, "not enough memory for a pose");
    if (status == CAROM_OK) {
        memcpy(pose->r, eval->pose + 12 * (size_t)body, sizeof pose->r);
        memcpy(pose->R, eval->pose + 12 * (size_t)body + 3, sizeof pose->R);
    }
    carom_plan_free(plan);
    return status;
}
