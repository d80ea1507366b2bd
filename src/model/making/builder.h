// SPDX-License-Identifier: Apache-2.0
// The editable form of a model: lists of texts with their places, in the order they were given.
#ifndef CAROM_MODEL_BUILDER_H
#define CAROM_MODEL_BUILDER_H

#include "base/limits.h"
#include "base/list.h"
#include "base/text.h"
#include "carom/elastic.h"
#include "carom/shapes.h"

/// Anything that has a name and one or two expressions.
typedef struct carom_named_text {
    carom_text name;
    carom_family family;
    carom_text value, rate;
    carom_text unit; ///< of a coordinate, for axes and tables
} carom_named_text;

typedef struct carom_table_text {
    carom_text name;
    carom_table_points points;
} carom_table_text;

typedef struct carom_rotation_text {
    carom_text name;
    carom_family family;
    carom_text quaternion[4], spin[3];
} carom_rotation_text;

/// What is assembled of the start, and what that leaves alone.
typedef struct carom_assembly_text {
    unsigned what;
    CAROM_LIST(carom_text) kept;
} carom_assembly_text;

/// What bodies are in, and how what they are made of touches.
typedef struct carom_scene_text {
    int space; ///< 0 = not said, CAROM_PLANE or CAROM_SPACE
    carom_vector_text gravity;
    CAROM_LIST(carom_material_text) material;
    carom_detection_text detection;
} carom_scene_text;

/// What the model is made for.
typedef struct carom_wishes {
    bool is_live;           ///< all parameters that can be are live
    bool is_differentiated; ///< see carom_builder_differentiate
} carom_wishes;

struct carom_builder {
    carom_arena *arena;
    carom_limits limits;
    const char *name, *about, *source;
    CAROM_LIST(carom_named_text)
    parameter, coordinate, define, kinetic, potential, constraint, record;
    CAROM_LIST(carom_table_text) table;
    CAROM_LIST(carom_rotation_text) rotation;
    CAROM_LIST(carom_force_text) force;
    CAROM_LIST(carom_contact_text) contact;
    CAROM_LIST(carom_friction_text) friction;
    CAROM_LIST(carom_drawing_text) drawing;
    CAROM_LIST(carom_setting) set, start;
    carom_assembly_text assembly;
    // bodies
    carom_scene_text scene;
    CAROM_LIST(carom_body_text) body;
    CAROM_LIST(carom_fitting_text) joint, motor, element;
    CAROM_LIST(carom_elastic_text) elastic;
    CAROM_LIST(carom_text) live; ///< names of parameters
    carom_wishes wishes;
};

// copies in the builder's arena
carom_vector_text carom_builder_keep_vector(carom_builder *builder,
                                            const carom_vector_text *vector);
carom_turned_text carom_builder_keep_turned(carom_builder *builder,
                                            const carom_turned_text *turned);
carom_status carom_builder_keep_words(carom_builder *builder, const carom_word_text *word, int n,
                                      const carom_word_text **kept, carom_error *error);
/// builder_shapes.c: all shapes of a body.
carom_status carom_builder_keep_shapes(carom_builder *builder, const carom_body_text *body,
                                       carom_body_text *item, carom_error *error);
carom_status carom_builder_check_shapes(const carom_body_text *body, const char *function,
                                        carom_error *error);
carom_status carom_builder_check_vector(const carom_vector_text *vector, const char *what,
                                        const char *function, carom_error *error);
carom_status carom_builder_check_turned(const carom_turned_text *turned, const char *function,
                                        carom_error *error);
carom_status carom_builder_check_words(const carom_word_text *word, int n, const char *function,
                                       carom_error *error);
carom_text carom_builder_keep_text(carom_builder *builder, carom_text text);
carom_family carom_builder_keep_family(carom_builder *builder, const carom_family *family);
/// function: the public one that was given the family.
carom_status carom_builder_check_family(const carom_family *family, const char *function,
                                        carom_error *error);
carom_status carom_builder_no_memory(carom_error *error);
bool carom_builder_has_parameter(const carom_builder *builder, const char *name);
/// Whether a name may be that of a start or a start rate; of a model of bodies only making it
/// tells. The names that are known are shown to nearest.
bool carom_builder_may_start(const carom_builder *builder, const char *name,
                             carom_nearest *nearest);

#endif
