// SPDX-License-Identifier: Apache-2.0
// Bodies, joints, motors and elements given to a builder: texts are copied, nothing is understood.
#include "base/need.h"
#include "model/making/builder.h"

#include "math/sparse/pattern.h"

#include <limits.h>
#include <string.h>

#define ADD(builder, list) CAROM_LIST_ADD((builder)->arena, &(builder)->list)
#define KEEP(builder, text) carom_builder_keep_text((builder), (text))

carom_status carom_builder_space(carom_builder *builder, carom_space space, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED_THAT(error, space == CAROM_PLANE || space == CAROM_SPACE, "space is %d", (int)space);
    builder->scene.space = (int)space;
    return CAROM_OK;
}

carom_vector_text carom_builder_keep_vector(carom_builder *builder, const carom_vector_text *vector)
{
    carom_vector_text copy = {.n = vector->n};
    for (int i = 0; i < 3; i++) copy.part[i] = KEEP(builder, vector->part[i]);
    return copy;
}

carom_status carom_builder_check_vector(const carom_vector_text *vector, const char *what,
                                        const char *function, carom_error *error)
{
    if (vector->n < 0 || vector->n > 3)
        return carom_misuse(error, function, "%s.n is %d", what, vector->n);
    for (int i = 0; i < vector->n; i++)
        if (!vector->part[i].text)
            return carom_misuse(error, function, "%s.part[%d].text is NULL", what, i);
    return CAROM_OK;
}

carom_status carom_builder_gravity(carom_builder *builder, const carom_vector_text *gravity,
                                   carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, gravity);
    CAROM_NEED_THAT(error, gravity->n == 2 || gravity->n == 3, "gravity->n is %d", gravity->n);
    CAROM_TRY(carom_builder_check_vector(gravity, "gravity", __func__, error));
    builder->scene.gravity = carom_builder_keep_vector(builder, gravity);
    return CAROM_OK;
}

carom_status carom_builder_check_turned(const carom_turned_text *turned, const char *function,
                                        carom_error *error)
{
    CAROM_TRY(carom_builder_check_vector(&turned->axis, "turned.axis", function, error));
    for (int i = 0; i < 3; i++)
        CAROM_TRY(
            carom_builder_check_vector(&turned->direction[i], "turned.direction", function, error));
    if (turned->n_quaternion != 0 && turned->n_quaternion != 4)
        return carom_misuse(error, function, "turned.n_quaternion is %d", turned->n_quaternion);
    for (int i = 0; i < turned->n_quaternion; i++)
        if (!turned->quaternion[i].text)
            return carom_misuse(error, function, "turned.quaternion[%d].text is NULL", i);
    return CAROM_OK;
}

static carom_status check_values(const carom_values_text *values, const char *what,
                                 const char *function, carom_error *error)
{
    if (values->n < 0 || values->n > 3)
        return carom_misuse(error, function, "%s.n is %d", what, values->n);
    for (int i = 0; i < values->n; i++)
        if (!values->value[i].text)
            return carom_misuse(error, function, "%s.value[%d].text is NULL", what, i);
    return CAROM_OK;
}

static carom_status check_motion(const carom_body_text *body, const char *function,
                                 carom_error *error)
{
    const struct {
        const carom_vector_text *vector;
        const char *name;
    } vector[] = {{&body->centre, "centre"},
                  {&body->at, "at"},
                  {&body->velocity, "velocity"},
                  {&body->spin, "spin"},
                  {&body->on.at, "on.at"},
                  {&body->on.axis, "on.axis"},
                  {&body->on.origin, "on.origin"},
                  {&body->on.second, "on.second"},
                  {&body->spin_inertial, "spin_inertial"}};
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
        CAROM_TRY(carom_builder_check_vector(vector[i].vector, vector[i].name, function, error));
    if (body->on.kind.text && !body->on.parent.text)
        return carom_misuse(error, function, "on.parent.text is NULL");
    CAROM_TRY(carom_builder_check_turned(&body->turned, function, error));
    CAROM_TRY(carom_builder_check_turned(&body->on.turned, function, error));
    CAROM_TRY(check_values(&body->on.start, "on.start", function, error));
    return check_values(&body->on.rate, "on.rate", function, error);
}

static carom_status check_body(const carom_body_text *body, const char *function,
                               carom_error *error)
{
    CAROM_TRY(check_motion(body, function, error));
    if (body->n_inertia < 0 || body->n_inertia > 6)
        return carom_misuse(error, function, "n_inertia is %d", body->n_inertia);
    for (int i = 0; i < body->n_inertia; i++)
        if (!body->inertia[i].text)
            return carom_misuse(error, function, "inertia[%d].text is NULL", i);
    if (body->n_point < 0 || (body->n_point > 0 && !body->point))
        return carom_misuse(error, function, "n_point is %d and point %p", body->n_point,
                            (const void *)body->point);
    for (int i = 0; i < body->n_point; i++) {
        if (!body->point[i].name.text)
            return carom_misuse(error, function, "point[%d].name.text is NULL", i);
        CAROM_TRY(carom_builder_check_vector(&body->point[i].at, "point.at", function, error));
    }
    CAROM_TRY(carom_builder_check_shapes(body, function, error));
    return carom_builder_check_family(&body->family, function, error);
}

carom_turned_text carom_builder_keep_turned(carom_builder *builder, const carom_turned_text *turned)
{
    carom_turned_text copy = {.axis = carom_builder_keep_vector(builder, &turned->axis),
                              .angle = KEEP(builder, turned->angle),
                              .n_quaternion = turned->n_quaternion};
    for (int i = 0; i < turned->n_quaternion; i++)
        copy.quaternion[i] = KEEP(builder, turned->quaternion[i]);
    for (int i = 0; i < 3; i++)
        copy.direction[i] = carom_builder_keep_vector(builder, &turned->direction[i]);
    return copy;
}

static carom_values_text keep_values(carom_builder *builder, const carom_values_text *values)
{
    carom_values_text copy = {.n = values->n};
    for (int i = 0; i < values->n; i++) copy.value[i] = KEEP(builder, values->value[i]);
    return copy;
}

static carom_carrier_text keep_carrier(carom_builder *builder, const carom_carrier_text *on)
{
    return (carom_carrier_text){.kind = KEEP(builder, on->kind),
                                .parent = KEEP(builder, on->parent),
                                .at = carom_builder_keep_vector(builder, &on->at),
                                .origin = carom_builder_keep_vector(builder, &on->origin),
                                .axis = carom_builder_keep_vector(builder, &on->axis),
                                .second = carom_builder_keep_vector(builder, &on->second),
                                .start = keep_values(builder, &on->start),
                                .rate = keep_values(builder, &on->rate),
                                .angle = KEEP(builder, on->angle),
                                .turned = carom_builder_keep_turned(builder, &on->turned)};
}

carom_status carom_builder_body(carom_builder *builder, const carom_body_text *body,
                                carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, body);
    CAROM_NEED(error, body->name.text);
    CAROM_TRY(check_body(body, __func__, error));
    carom_body_text *item = ADD(builder, body);
    carom_point_text *point = CAROM_TAKE(builder->arena, carom_point_text, body->n_point);
    if (!item || !point) return carom_builder_no_memory(error);
    *item = *body;
    item->place.file = carom_arena_string(builder->arena, body->place.file);
    item->name = KEEP(builder, body->name);
    item->family = carom_builder_keep_family(builder, &body->family);
    item->mass = KEEP(builder, body->mass);
    for (int i = 0; i < body->n_inertia; i++) item->inertia[i] = KEEP(builder, body->inertia[i]);
    item->centre = carom_builder_keep_vector(builder, &body->centre);
    item->at = carom_builder_keep_vector(builder, &body->at);
    item->angle = KEEP(builder, body->angle);
    item->velocity = carom_builder_keep_vector(builder, &body->velocity);
    item->spin = carom_builder_keep_vector(builder, &body->spin);
    item->spin_inertial = carom_builder_keep_vector(builder, &body->spin_inertial);
    item->turned = carom_builder_keep_turned(builder, &body->turned);
    item->on = keep_carrier(builder, &body->on);
    item->point = point;
    for (int i = 0; i < body->n_point; i++)
        point[i] = (carom_point_text){KEEP(builder, body->point[i].name),
                                      carom_builder_keep_vector(builder, &body->point[i].at)};
    item->material = KEEP(builder, body->material);
    item->density = KEEP(builder, body->density);
    item->colour = KEEP(builder, body->colour);
    item->kin = KEEP(builder, body->kin);
    return carom_builder_keep_shapes(builder, body, item, error);
}

carom_status carom_builder_check_words(const carom_word_text *words, int n, const char *function,
                                       carom_error *error)
{
    if (n < 0 || (n > 0 && !words))
        return carom_misuse(error, function, "n_word is %d and word %p", n, (const void *)words);
    for (int i = 0; i < n; i++) {
        const carom_word_text *word = &words[i];
        if (!word->key.text || word->n < 0 || (word->n > 0 && !word->value))
            return carom_misuse(error, function, "word[%d] lacks its key or values", i);
        for (int k = 0; k < word->n; k++)
            if (!word->value[k].text)
                return carom_misuse(error, function, "word[%d].value[%d].text is NULL", i, k);
    }
    return CAROM_OK;
}

static carom_status check_matrices(const carom_elastic_matrices *given, const char *function,
                                   carom_error *error)
{
    if (given->n < 1 || !given->node || !given->direction || !given->place || !given->mass ||
        !given->stiffness)
        return carom_misuse(error, function, "matrices of %d unknowns lack a part", given->n);
    const carom_sparse *const all[] = {given->mass, given->stiffness, given->damping};
    for (int k = 0; k < 3; k++) {
        const carom_sparse *A = all[k];
        if (!A) continue;
        if (A->n_row != given->n || A->n_column != given->n || !A->start || !A->index || !A->value)
            return carom_misuse(error, function, "matrix %d is not %d by %d", k, given->n,
                                given->n);
        const carom_pattern_shape shape = {A->n_row, A->n_row, INT_MAX, false};
        const int row = carom_pattern_fault(shape, A->start, A->index);
        if (row >= 0) return carom_misuse(error, function, "row %d of matrix %d is wrong", row, k);
    }
    return CAROM_OK;
}

static carom_status check_fitting(const carom_fitting_text *fitting, const char *function,
                                  carom_error *error)
{
    if (!fitting->name.text || !fitting->kind.text)
        return carom_misuse(error, function, "name.text or kind.text is NULL");
    if (fitting->n_to < 0 || fitting->n_to > 2)
        return carom_misuse(error, function, "n_to is %d", fitting->n_to);
    for (int i = 0; i < fitting->n_to; i++)
        if (!fitting->to[i].text) return carom_misuse(error, function, "to[%d].text is NULL", i);
    CAROM_TRY(carom_builder_check_words(fitting->word, fitting->n_word, function, error));
    return carom_builder_check_family(&fitting->family, function, error);
}

carom_status carom_builder_keep_words(carom_builder *builder, const carom_word_text *given, int n,
                                      const carom_word_text **kept, carom_error *error)
{
    carom_word_text *word = CAROM_TAKE(builder->arena, carom_word_text, n);
    if (!word) return carom_builder_no_memory(error);
    for (int i = 0; i < n; i++) {
        carom_text *value = CAROM_TAKE(builder->arena, carom_text, given[i].n);
        if (!value) return carom_builder_no_memory(error);
        word[i] = given[i];
        word[i].key = KEEP(builder, given[i].key);
        word[i].value = value;
        for (int k = 0; k < word[i].n; k++) value[k] = KEEP(builder, given[i].value[k]);
    }
    *kept = word;
    return CAROM_OK;
}

static carom_status keep_fitting(carom_builder *builder, const carom_fitting_text *fitting,
                                 carom_fitting_text *item, carom_error *error)
{
    if (!item) return carom_builder_no_memory(error);
    *item = *fitting;
    item->place.file = carom_arena_string(builder->arena, fitting->place.file);
    item->name = KEEP(builder, fitting->name);
    item->kind = KEEP(builder, fitting->kind);
    item->family = carom_builder_keep_family(builder, &fitting->family);
    for (int i = 0; i < fitting->n_to; i++) item->to[i] = KEEP(builder, fitting->to[i]);
    return carom_builder_keep_words(builder, fitting->word, fitting->n_word, &item->word, error);
}

carom_status carom_builder_joint(carom_builder *builder, const carom_fitting_text *joint,
                                 carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, joint);
    CAROM_TRY(check_fitting(joint, __func__, error));
    return keep_fitting(builder, joint, ADD(builder, joint), error);
}

carom_status carom_builder_motor(carom_builder *builder, const carom_fitting_text *motor,
                                 carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, motor);
    CAROM_TRY(check_fitting(motor, __func__, error));
    return keep_fitting(builder, motor, ADD(builder, motor), error);
}

carom_status carom_builder_element(carom_builder *builder, const carom_fitting_text *element,
                                   carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, element);
    CAROM_TRY(check_fitting(element, __func__, error));
    return keep_fitting(builder, element, ADD(builder, element), error);
}

// ---- elastic bodies ----

static void *keep_bytes(carom_builder *builder, const void *from, size_t size)
{
    void *copy = carom_arena_take(builder->arena, size);
    if (copy) memcpy(copy, from, size);
    return copy;
}

static const carom_sparse *keep_sparse(carom_builder *builder, const carom_sparse *A)
{
    const size_t n = (size_t)A->n_row, n_entry = (size_t)A->start[A->n_row];
    carom_sparse *copy = CAROM_TAKE(builder->arena, carom_sparse, 1);
    if (!copy) return NULL;
    *copy =
        (carom_sparse){A->n_row, A->n_column, keep_bytes(builder, A->start, sizeof(int) * (n + 1)),
                       keep_bytes(builder, A->index, sizeof(int) * n_entry),
                       keep_bytes(builder, A->value, sizeof(double) * n_entry)};
    return copy->start && copy->index && copy->value ? copy : NULL;
}

static const carom_elastic_matrices *keep_matrices(carom_builder *builder,
                                                   const carom_elastic_matrices *given)
{
    const size_t n = (size_t)given->n;
    carom_elastic_matrices *copy = CAROM_TAKE(builder->arena, carom_elastic_matrices, 1);
    if (!copy) return NULL;
    *copy = (carom_elastic_matrices){
        .n = given->n,
        .node = keep_bytes(builder, given->node, sizeof(int) * n),
        .direction = keep_bytes(builder, given->direction, n),
        .place = keep_bytes(builder, given->place, sizeof *given->place * n),
        .mass = keep_sparse(builder, given->mass),
        .stiffness = keep_sparse(builder, given->stiffness),
        .damping = given->damping ? keep_sparse(builder, given->damping) : NULL};
    const bool is_good = copy->node && copy->direction && copy->place && copy->mass &&
                         copy->stiffness && (!given->damping || copy->damping);
    return is_good ? copy : NULL;
}

carom_status carom_builder_elastic(carom_builder *builder, const carom_elastic_text *elastic,
                                   carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, elastic);
    CAROM_NEED(error, elastic->name.text);
    CAROM_TRY(carom_builder_check_words(elastic->word, elastic->n_word, __func__, error));
    if (elastic->matrices) CAROM_TRY(check_matrices(elastic->matrices, __func__, error));
    carom_elastic_text *item = ADD(builder, elastic);
    if (!item) return carom_builder_no_memory(error);
    *item = *elastic;
    item->place.file = carom_arena_string(builder->arena, elastic->place.file);
    item->name = KEEP(builder, elastic->name);
    if (elastic->matrices && !(item->matrices = keep_matrices(builder, elastic->matrices)))
        return carom_builder_no_memory(error);
    return carom_builder_keep_words(builder, elastic->word, elastic->n_word, &item->word, error);
}
