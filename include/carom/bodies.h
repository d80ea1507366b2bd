// SPDX-License-Identifier: Apache-2.0
// Bodies, joints, motors and force elements as words: a builder takes them as texts, like
// everything else, and turns them into coordinates, energies, constraints and forces.
#ifndef CAROM_BODIES_H
#define CAROM_BODIES_H

#include "carom/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A vector: n = 0 not given, 1 the name of a point ("crank.tip"), 2 or 3 components.
typedef struct carom_vector_text {
    int n;
    carom_text part[3];
} carom_vector_text;

/// A point of a body, in body coordinates.
typedef struct carom_point_text {
    carom_text name;
    carom_vector_text at;
} carom_point_text;

/// How a body is turned, in space. One of: about an axis by an angle; a quaternion (w, x, y, z) of
/// any length; two of the body's axes as directions (made perpendicular, the first as given), or
/// one (turned by the least angle).
/// Nothing given = not turned.
typedef struct carom_turned_text {
    carom_vector_text axis;
    carom_text angle;
    int n_quaternion; ///< 0 or 4
    carom_text quaternion[4];
    carom_vector_text direction[3]; ///< of the body's x, y and z axes
} carom_turned_text;

/// Start values of a joint's coordinates, as many as it has.
typedef struct carom_values_text {
    int n;
    carom_text value[3];
} carom_values_text;

/// The joint that carries a body: its own coordinates take the place of constraints.
typedef struct carom_carrier_text {
    carom_text kind; ///< revolute, prismatic, ..., fixed; absent = the body is not carried so
    carom_text parent;
    carom_vector_text at;          ///< point of the parent, or where it is at the start
    carom_vector_text origin;      ///< the joint's point in body coordinates (absent = 0)
    carom_vector_text axis;        ///< of sliding or turning, in the parent's coordinates
    carom_vector_text second;      ///< axis of a universal joint on the body, likewise
    carom_values_text start, rate; ///< of the joint's coordinates
    carom_text angle;              ///< of the body against its parent, where coordinates are 0
    carom_turned_text turned;      ///< the same in space
} carom_carrier_text;

/// One shape of a body (carom/shapes.h).
typedef struct carom_shape_text carom_shape_text;

/// A body. In the plane its coordinates are NAME.x, NAME.y (its reference point, or NAME.com.x,
/// NAME.com.y where `centre` is given) and NAME.angle. In space they are NAME.x, y, z likewise and
/// the quaternion NAME.p0 .. p3, with the spin NAME.wx, wy, wz in axes of the body. A body whose
/// pose contains coordinates is carried by them and has none of its own.
typedef struct carom_body_text {
    carom_place place;
    carom_text name;
    carom_family family;
    carom_text mass;
    int n_inertia;              ///< 1 in the plane, 3 or 6 in space
    carom_text inertia[6];      ///< about the centre of mass: xx, yy, zz, xy, xz, yz
    carom_vector_text centre;   ///< of mass, in body coordinates (absent = 0)
    carom_vector_text at;       ///< the reference point
    carom_text angle;           ///< of its x axis against that of space, in the plane
    carom_turned_text turned;   ///< in space
    carom_vector_text velocity; ///< of the reference point at the start
    carom_vector_text spin;     ///< at the start: one number, in space three in axes of the body
    carom_vector_text spin_inertial; ///< the same in axes of space
    int n_point;
    const carom_point_text *point; ///< (n_point)
    carom_carrier_text on;
    bool is_weightless; ///< the model's gravity does not act on it
    int n_shape;
    const carom_shape_text *shape; ///< (n_shape)
    carom_text material;           ///< of its shapes that name none
    carom_text density;            ///< in place of mass and inertia, which follow from its shapes
    carom_text colour;
    carom_text kin; ///< bodies of one kin (the nodes of a beam) never touch each other
} carom_body_text;

/// One word of a joint, motor or element with its values: limits: [-1, 1].
typedef struct carom_word_text {
    carom_text key;
    bool is_list; ///< written with brackets
    int n;
    const carom_text *value; ///< (n)
} carom_word_text;

/// A joint, motor or force element: its kind (a row of `carom list joints|elements`),
/// what it is fitted to (bodies or joints), and its words.
typedef struct carom_fitting_text {
    carom_place place;
    carom_text name;
    carom_text kind;
    carom_family family;
    int n_to;
    carom_text to[2];
    int n_word;
    const carom_word_text *word; ///< (n_word)
} carom_fitting_text;

typedef enum carom_space { CAROM_PLANE = 2, CAROM_SPACE = 3 } carom_space;
/// Whether bodies move in the plane or in space.
CAROM_API carom_status carom_builder_space(carom_builder *builder, carom_space space,
                                           carom_error *error);
/// The acceleration of gravity [m/s2], expressions of parameters and t.
CAROM_API carom_status carom_builder_gravity(carom_builder *builder,
                                             const carom_vector_text *gravity, carom_error *error);
CAROM_API carom_status carom_builder_body(carom_builder *builder, const carom_body_text *body,
                                          carom_error *error);
CAROM_API carom_status carom_builder_joint(carom_builder *builder, const carom_fitting_text *joint,
                                           carom_error *error);
CAROM_API carom_status carom_builder_motor(carom_builder *builder, const carom_fitting_text *motor,
                                           carom_error *error);
CAROM_API carom_status carom_builder_element(carom_builder *builder,
                                             const carom_fitting_text *element, carom_error *error);

/// The number of a body (0 = ground) or of a joint that holds a body by constraints; -1 where there
/// is none of this name. Their names by number, NULL where there is none.
CAROM_API int carom_model_body(const carom_model *model, const char *name);
CAROM_API const char *carom_model_body_name(const carom_model *model, int body);
CAROM_API int carom_model_joint(const carom_model *model, const char *name);
CAROM_API const char *carom_model_joint_name(const carom_model *model, int joint);

/// Where a body is: its reference point, and its axes as columns of R (by rows). A point s of the
/// body is at r + R s.
typedef struct carom_pose {
    double r[3], R[9];
} carom_pose;
/// The pose at (t, q). It makes a program for this one answer: who asks often asks a plan for
/// CAROM_DRAW (carom_eval.pose).
CAROM_API carom_status carom_model_pose(const carom_model *model, double t, const double *q,
                                        int body, carom_pose *pose, carom_error *error);

/// One word that a kind of joint, motor or element knows.
typedef struct carom_word_facts {
    const char *key;
    const char *example; ///< limits: [-0.5, 0.5]
    const char *about;
} carom_word_facts;
/// A kind of joint, motor or element. The words end with one whose key is NULL.
typedef struct carom_fitting_facts {
    const char *name;
    const char *about;
    const char *example; ///< revolute: [crank, rod], at: crank.tip
    const carom_word_facts *word;
} carom_fitting_facts;
/// The i-th kind, NULL behind the last.
CAROM_API const carom_fitting_facts *carom_joint_at(int i);
CAROM_API const carom_fitting_facts *carom_element_at(int i);

#ifdef __cplusplus
}
#endif
#endif
