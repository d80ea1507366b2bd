// SPDX-License-Identifier: Apache-2.0
// From a builder's texts to a model: declare names, read the equations, derive, check the start.
#include "base/need.h"
#include "model/making/making_rotation.h"
#include "model/making/units.h"

#include <stdlib.h>

static void describe_model(carom_model *model, const carom_builder *builder)
{
    model->names.model = carom_arena_string(model->arena, builder->name ? builder->name : "model");
    model->names.about = carom_arena_string(model->arena, builder->about);
    model->names.source = carom_arena_string(model->arena, builder->source);
}

static void warn_of_waves(carom_model *model)
{
    if (model->energies.is_undamped && model->size.n_contact > model->size.n_disc)
        carom_model_warn(
            model,
            "elastic parts without damping touch something: how often they chatter depends on "
            "the mesh (give them a small damping: {stiffness: 1e-6})");
}

static carom_status make_model(carom_making *making)
{
    CAROM_TRY(carom_making_declare(making));
    CAROM_TRY(carom_making_equations(making));
    carom_units_guess(making);
    making->lagrange->n_live = making->own.n;
    making->lagrange->has_variations = making->builder->wishes.is_differentiated;
    CAROM_TRY(carom_lagrange_derive(making->model, making->lagrange, making->error));
    CAROM_TRY(carom_rotations_chart(making));
    CAROM_TRY(carom_making_live_values(making));
    CAROM_TRY(carom_making_assembly(making));
    warn_of_waves(making->model);
    return carom_model_check_start(making->model, making->error);
}

// memory for a model and for making it; everything is freed through *model and making->arena
static carom_status begin_making(carom_making *making, carom_model **model)
{
    *model = calloc(1, sizeof **model);
    if (!*model) return carom_making_no_memory(making);
    making->model = *model;
    making->arena = carom_arena_new();
    making->scratch = carom_arena_new();
    (*model)->arena = carom_arena_new();
    if (!making->arena || !making->scratch || !(*model)->arena)
        return carom_making_no_memory(making);
    making->scope = carom_scope_new(making->arena);
    making->lagrange = CAROM_TAKE((*model)->arena, carom_lagrange, 1);
    if (!making->scope || !making->lagrange) return carom_making_no_memory(making);
    making->graph = making->lagrange->graph = carom_graph_new();
    if (making->graph) carom_graph_limit(making->graph, &making->builder->limits);
    (*model)->kind = &carom_model_of_equations;
    (*model)->self = making->lagrange;
    return making->graph ? CAROM_OK : carom_making_no_memory(making);
}

// one try
static carom_status make_once(const carom_builder *builder, carom_making_live *live,
                              carom_model **model, carom_error *error)
{
    carom_making making = {.builder = builder, .error = error, .live = live};
    carom_status status = begin_making(&making, model);
    live->tries_again = false;
    if (status == CAROM_OK) {
        describe_model(*model, builder);
        status = make_model(&making);
    }
    carom_arena_free(making.arena);
    carom_arena_free(making.scratch);
    if (status == CAROM_OK) return CAROM_OK;
    carom_model_free(*model);
    *model = NULL;
    return status;
}

// Which parameters cannot be live turns up while equations are made: each try ends with the first
// of them, and the next one knows it.
carom_status carom_builder_finish(const carom_builder *builder, carom_model **model,
                                  carom_error *error)
{
    CAROM_NEED(error, model);
    *model = NULL;
    CAROM_NEED(error, builder);
    carom_making_live live = {.fixed = calloc((size_t)builder->parameter.n + 1, sizeof(char *))};
    if (!live.fixed) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for a model");
    const carom_error before = error ? *error : (carom_error){0};
    carom_status status;
    do {
        status = make_once(builder, &live, model, error);
        if (live.tries_again && error) *error = before;
    } while (live.tries_again);
    free(live.fixed);
    return status;
}

carom_status carom_builder_number(const carom_builder *builder, carom_text text, double *value,
                                  carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, text.text);
    CAROM_NEED(error, value);
    carom_making_live live = {.is_off = true};
    carom_making making = {.builder = builder, .error = error, .live = &live};
    carom_model *model;
    carom_status status = begin_making(&making, &model);
    if (status == CAROM_OK) status = carom_making_parameters(&making);
    if (status == CAROM_OK) status = carom_making_number(&making, text, "this value", value);
    carom_arena_free(making.arena);
    carom_arena_free(making.scratch);
    carom_model_free(model);
    return status;
}
