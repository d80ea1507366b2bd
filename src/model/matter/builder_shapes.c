// SPDX-License-Identifier: Apache-2.0
// Shapes, materials and detection given to a builder: texts and numbers are copied, nothing is
// understood.
#include "base/need.h"
#include "model/making/builder.h"

#include <string.h>

#define KEEP(builder, text) carom_builder_keep_text((builder), (text))

static carom_status check_points(const carom_shape_points *points, const char *function,
                                 carom_error *error)
{
    if (points->n_point < 0 || (points->n_point > 0 && !points->point))
        return carom_misuse(error, function, "points.n_point is %d and point %p", points->n_point,
                            (const void *)points->point);
    if (points->n_face < 0 || (points->n_face > 0 && !points->face))
        return carom_misuse(error, function, "points.n_face is %d and face %p", points->n_face,
                            (const void *)points->face);
    for (int i = 0; i < 3 * points->n_face; i++)
        if (points->face[i] < 0 || points->face[i] >= points->n_point)
            return carom_misuse(error, function, "points.face[%d] is %d, of %d points", i,
                                points->face[i], points->n_point);
    return CAROM_OK;
}

carom_status carom_builder_check_shapes(const carom_body_text *body, const char *function,
                                        carom_error *error)
{
    if (body->n_shape < 0 || (body->n_shape > 0 && !body->shape))
        return carom_misuse(error, function, "n_shape is %d and shape %p", body->n_shape,
                            (const void *)body->shape);
    for (int i = 0; i < body->n_shape; i++) {
        const carom_shape_text *shape = &body->shape[i];
        if (!shape->kind.text)
            return carom_misuse(error, function, "shape[%d].kind.text is NULL", i);
        if (shape->n_value < 0 || (shape->n_value > 0 && !shape->value))
            return carom_misuse(error, function, "shape[%d].n_value is %d and value %p", i,
                                shape->n_value, (const void *)shape->value);
        for (int k = 0; k < shape->n_value; k++)
            CAROM_TRY(carom_builder_check_vector(&shape->value[k], "shape.value", function, error));
        CAROM_TRY(carom_builder_check_words(shape->word, shape->n_word, function, error));
        CAROM_TRY(carom_builder_check_turned(&shape->turned, function, error));
        if (shape->points) CAROM_TRY(check_points(shape->points, function, error));
    }
    return CAROM_OK;
}

static const void *keep_bytes(carom_arena *arena, const void *from, size_t size)
{
    char *copy = CAROM_TAKE(arena, char, size);
    if (copy && size > 0) memcpy(copy, from, size);
    return copy;
}

static carom_status keep_points(carom_builder *builder, const carom_shape_points *points,
                                carom_shape_text *item, carom_error *error)
{
    carom_shape_points *copy = CAROM_TAKE(builder->arena, carom_shape_points, 1);
    if (!copy) return carom_builder_no_memory(error);
    const size_t n = (size_t)points->n_point * (points->n_row > 0 ? 1 : 3);
    *copy = *points;
    copy->point = keep_bytes(builder->arena, points->point, sizeof(double) * n);
    copy->face = keep_bytes(builder->arena, points->face, sizeof(int) * 3 * (size_t)points->n_face);
    item->points = copy;
    return copy->point && copy->face ? CAROM_OK : carom_builder_no_memory(error);
}

static carom_status keep_shape(carom_builder *builder, const carom_shape_text *shape,
                               carom_shape_text *item, carom_error *error)
{
    carom_vector_text *value = CAROM_TAKE(builder->arena, carom_vector_text, shape->n_value);
    if (!value) return carom_builder_no_memory(error);
    *item = *shape;
    item->place.file = carom_arena_string(builder->arena, shape->place.file);
    item->kind = KEEP(builder, shape->kind);
    item->value = value;
    for (int i = 0; i < shape->n_value; i++)
        value[i] = carom_builder_keep_vector(builder, &shape->value[i]);
    item->turned = carom_builder_keep_turned(builder, &shape->turned);
    CAROM_TRY(carom_builder_keep_words(builder, shape->word, shape->n_word, &item->word, error));
    return shape->points ? keep_points(builder, shape->points, item, error) : CAROM_OK;
}

carom_status carom_builder_keep_shapes(carom_builder *builder, const carom_body_text *body,
                                       carom_body_text *item, carom_error *error)
{
    carom_shape_text *shape = CAROM_TAKE(builder->arena, carom_shape_text, body->n_shape);
    if (!shape) return carom_builder_no_memory(error);
    item->shape = shape;
    for (int i = 0; i < body->n_shape; i++)
        CAROM_TRY(keep_shape(builder, &body->shape[i], &shape[i], error));
    return CAROM_OK;
}

carom_status carom_builder_material(carom_builder *builder, const carom_material_text *material,
                                    carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, material);
    CAROM_NEED(error, material->between[0].text);
    CAROM_NEED(error, material->between[1].text);
    carom_material_text *item = CAROM_LIST_ADD(builder->arena, &builder->scene.material);
    if (!item) return carom_builder_no_memory(error);
    *item = *material;
    item->place.file = carom_arena_string(builder->arena, material->place.file);
    for (int i = 0; i < 2; i++) item->between[i] = KEEP(builder, material->between[i]);
    item->restitution = KEEP(builder, material->restitution);
    item->tangential_restitution = KEEP(builder, material->tangential_restitution);
    item->friction = KEEP(builder, material->friction);
    item->friction_static = KEEP(builder, material->friction_static);
    item->rolling_friction = KEEP(builder, material->rolling_friction);
    item->spinning_friction = KEEP(builder, material->spinning_friction);
    item->law = KEEP(builder, material->law);
    return CAROM_OK;
}

// of several, the pairs add up; the rest is that of the last
carom_status carom_builder_detection(carom_builder *builder, const carom_detection_text *detection,
                                     carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, detection);
    CAROM_NEED_ARRAY(error, detection->ignored, detection->n_ignored);
    for (int i = 0; i < 2 * detection->n_ignored; i++)
        CAROM_NEED(error, detection->ignored[i].text);
    const carom_detection_text before = builder->scene.detection;
    const int n = before.n_ignored;
    carom_text *pair = CAROM_TAKE(builder->arena, carom_text, 2 * (n + detection->n_ignored));
    if (!pair) return carom_builder_no_memory(error);
    for (int i = 0; i < 2 * n; i++) pair[i] = before.ignored[i];
    for (int i = 0; i < 2 * detection->n_ignored; i++)
        pair[2 * n + i] = KEEP(builder, detection->ignored[i]);
    builder->scene.detection = *detection;
    builder->scene.detection.place.file = carom_arena_string(builder->arena, detection->place.file);
    builder->scene.detection.n_ignored = n + detection->n_ignored;
    builder->scene.detection.ignored = pair;
    builder->scene.detection.points = KEEP(builder, detection->points);
    builder->scene.detection.alert = KEEP(builder, detection->alert);
    builder->scene.detection.lasting = KEEP(builder, detection->lasting);
    builder->scene.detection.room = KEEP(builder, detection->room);
    return CAROM_OK;
}
