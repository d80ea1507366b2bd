// SPDX-License-Identifier: Apache-2.0
// Shapes, materials and detection as words: a body with a shape touches other shapes without a gap
// being written. Shapes stand with their bodies (carom_body_text).
#ifndef CAROM_SHAPES_H
#define CAROM_SHAPES_H

#include "carom/bodies.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers that come from a file, in place of what stands under the kind.
typedef struct carom_shape_points {
    int n_point;
    const double *point; ///< (3 n_point) vertices or nodes; of a height field (n_point) heights
    int n_face;
    const int *face;     ///< (3 n_face) vertices of each, from 0
    int n_row, n_column; ///< of a height field: rows along y, columns along x
} carom_shape_points;

/// One shape of a body: its kind (a row of `carom list shapes`), what stands under it (its centre,
/// ends, corners or sizes), and its words.
struct carom_shape_text {
    carom_place place;
    carom_text kind;
    int n_value;
    const carom_vector_text *value; ///< (n_value)
    int n_word;
    const carom_word_text *word;      ///< (n_word)
    carom_turned_text turned;         ///< in space: its axes against those of the body
    const carom_shape_points *points; ///< NULL = there is no file
};

/// How two materials touch. Absent = 0.
typedef struct carom_material_text {
    carom_place place;
    carom_text between[2]; ///< names; "default" stands for any
    carom_text restitution, tangential_restitution, friction;
    carom_text friction_static;                     ///< of a contact that sticks; absent = friction
    carom_text rolling_friction, spinning_friction; ///< [m]
    carom_text law;                                 ///< impact law; absent = newton
} carom_material_text;

/// What is looked for.
typedef struct carom_detection_text {
    carom_place place;
    bool is_off;               ///< detection: none
    int n_ignored;             ///< pairs of bodies that never touch
    const carom_text *ignored; ///< (2 n_ignored)
    bool finds_joined;         ///< bodies that a joint connects touch too
    carom_text points;         ///< "all" or absent
    carom_text alert;          ///< distance from which contacts are kept [m]; absent = by itself
    carom_text lasting;        ///< most contacts that are there for the whole run; absent = 256
    carom_text room;           ///< most contacts that come and go at one time; absent = by itself
} carom_detection_text;

CAROM_API carom_status carom_builder_material(carom_builder *builder,
                                              const carom_material_text *material,
                                              carom_error *error);
CAROM_API carom_status carom_builder_detection(carom_builder *builder,
                                               const carom_detection_text *detection,
                                               carom_error *error);

/// The i-th kind of shape, NULL behind the last. The words end with one whose key is NULL.
CAROM_API const carom_fitting_facts *carom_shape_at(int i);

/// A shape of a model, and what it looks like in axes of its body: closed lines in the plane,
/// triangles in space. What has no end is shown as far as the model reaches.
typedef struct carom_shape_facts {
    int body;                                    ///< carom_model_body
    const char *kind, *name, *material, *colour; ///< the last three may be NULL
    int n_point;
    const double *point; ///< (3 n_point)
    int n_line;
    const int *line; ///< (n_line) how many points each line takes, one line after the other
    int n_triangle;
    const int *triangle; ///< (3 n_triangle) counter-clockwise from outside
} carom_shape_facts;
CAROM_API int carom_model_shape_count(const carom_model *model);
/// NULL where there is none of this number.
CAROM_API const carom_shape_facts *carom_model_shape(const carom_model *model, int shape);

#ifdef __cplusplus
}
#endif
#endif
