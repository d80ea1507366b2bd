// SPDX-License-Identifier: Apache-2.0
// Bodies, joints and elements while a model is made: what their words have become. Bodies become
// coordinates, names and kinetic energy; joints rows; elements energies and forces.
#ifndef CAROM_MODEL_BODIES_H
#define CAROM_MODEL_BODIES_H

#include "model/bodies/weave.h"
#include "model/making/making.h"

typedef struct carom_body {
    const char *name;
    carom_place place;
    carom_frame now, start; ///< at q, and at the start (of parameters only)
    carom_ref angle,
        start_angle;    ///< in the plane: of its x axis against that of space, turns counted
    carom_vec spin;     ///< in axes of the body
    carom_vec velocity; ///< in space: of its reference point, in axes of the body
    int rotation;       ///< of a free body in space: that of the graph; else -1
    int q, u;           ///< and its first position and velocity
    bool is_ground;
    carom_vec centre; ///< of mass, in body coordinates
    carom_ref mass;
    carom_ref inertia[6]; ///< about the centre of mass: xx, yy, zz, xy, xz, yz
    bool is_weightless;
    bool is_where_its_shapes_are; ///< NAME.x is its centre of mass, NAME.tip stands in space
    carom_refs marks;             ///< x, y (and z, in space) in space of what is drawn of it
} carom_body;

/// A named freedom: of a joint, or of a body that a joint carries.
typedef struct carom_joint {
    const char *name;
    carom_place place;
    carom_ref angle, displacement; ///< -1 where it has none
} carom_joint;

/// A row that a joint or a motor brings.
typedef struct carom_joint_row {
    const char *name;
    carom_place place;
    carom_ref value;
    bool is_rate; ///< value is a rate: there is no position
} carom_joint_row;

/// What the rows of a joint do to its second body. See reaction.c.
typedef struct carom_joint_reaction {
    const char *name;
    int first, n;      ///< its rows among those of all joints
    carom_ref *wrench; ///< (6 n) force and torque of each row whose multiplier is 1
} carom_joint_reaction;
/// A force of limited strength that a joint, a motor or an element brings.
typedef struct carom_joint_disc {
    const char *name; ///< of the model's arena
    carom_place place;
    int n_slip;
    carom_ref rate[3]; ///< its slips
    carom_ref limit;
    int load, n_load; ///< rows (carom_bodies.row) whose forces it is a factor of
    int of;           ///< which contact of these (carom_bodies.contact) it belongs to, from 1
} carom_joint_disc;

/// A contact that a joint brings.
typedef struct carom_joint_contact {
    carom_contact_text text; ///< name and factors; its texts of gap and slip are not read
    carom_ref root[3];       ///< gap and slips
    bool is_of_shapes;
    int body[2]; ///< of shapes: whose they are
    int place;   ///< of shapes: among carom_lagrange.place, from 1
} carom_joint_contact;

enum { CAROM_SKETCH_POINTS = 4 };
/// What a joint or element adds to the drawing (model/bodies/body_drawing.h).
typedef struct carom_sketch {
    const char *kind, *body;
    int n;
    carom_vec point[CAROM_SKETCH_POINTS];
    carom_ref size; ///< -1 = none
} carom_sketch;

/// Two things by number, a < b.
typedef struct carom_two {
    int a, b;
} carom_two;

struct carom_bodies {
    int dim; ///< 2 in the plane, 3 in space
    carom_vec gravity;
    CAROM_LIST(carom_body) body; ///< the first is the ground
    CAROM_LIST(carom_joint) joint;
    carom_scope *body_names, *joint_names; ///< their numbers
    CAROM_LIST(carom_joint_row) row;
    int first_row; ///< number of the first of them among the model's rows
    CAROM_LIST(carom_joint_contact) contact;
    CAROM_LIST(carom_sketch) sketch;
    CAROM_LIST(carom_joint_reaction) reaction;
    CAROM_LIST(carom_joint_disc) disc;
    CAROM_LIST(carom_two) joined; ///< bodies that a joint connects
    carom_matter *matter;
};

typedef CAROM_LIST(carom_drawing) carom_drawings;

static inline bool carom_bodies_are_plane(const carom_making *making)
{
    return making->bodies->dim == 2;
}
/// Reads `gravity`, makes the ground, bodies and their names.
carom_status carom_bodies_declare(carom_making *making);
/// Reads joints and motors: names, rows and contacts.
carom_status carom_bodies_join(carom_making *making);
/// Adds kinetic energy, gravity and what elements and motors push.
carom_status carom_bodies_load(carom_making *making);

static inline bool carom_bodies_in_space(const carom_making *making)
{
    return making->bodies->dim == 3;
}
/// Velocities of a body's own coordinates by number: of its centre of mass x, y, z and of its spin
/// (in the plane z), -1 = it has none. False where it has no coordinates of its own.
bool carom_bodies_own_velocities(const carom_making *making, const carom_body *body,
                                 int velocity[6]);
/// Small displacements of one body, number 0 .. 5 of a force and a torque: coordinates that are 0
/// and stand in no answer. See reaction.c.
carom_ref carom_bodies_displacement(carom_graph *graph, int number);
/// root without displacement.
carom_ref carom_bodies_undisplaced(carom_graph *graph, carom_ref root);

/// Notes that a joint connects two bodies.
carom_status carom_bodies_connect(carom_making *making, const carom_body *a, const carom_body *b);
/// Bodies and joints as the model knows them: names, and what rows do to bodies.
carom_status carom_bodies_describe(carom_making *making);

// motors.c: what a motor prescribes; what it pushes with, once all names are known
carom_status carom_motor_add(carom_making *making, const void *item);
carom_status carom_motor_push(carom_making *making, const void *item);

/// The number of a body, or -1 and an error.
carom_status carom_bodies_find(carom_making *making, carom_text text, int *body);
carom_status carom_bodies_joint(carom_making *making, carom_text text, carom_joint *joint);
/// One more joint that can be found by its name.
carom_status carom_bodies_add_joint(carom_making *making, const carom_joint *joint);
/// Adds "NAME.SUFFIX" to the scope.
carom_status carom_bodies_name(carom_making *making, const char *name, const char *suffix,
                               carom_ref ref, carom_place place);
/// A constant: a number, or an expression of parameters.
carom_status carom_bodies_constant(carom_making *making, carom_text text, const char *what,
                                   carom_ref *ref);
/// A point of space, given by name or components. at_start: where it is at the start.
carom_status carom_bodies_point(carom_making *making, const carom_text *part, int n, bool at_start,
                                carom_vec *point);
/// A vector of constants, with two components in the plane and three in space; 0 where n = 0.
carom_status carom_bodies_vector(carom_making *making, const carom_text *part, int n,
                                 const char *what, carom_vec *vector);
/// The same as numbers, of unit length.
carom_status carom_bodies_unit(carom_making *making, const carom_text *part, int n,
                               const char *what, double unit[3]);
/// root with all coordinates at their start and t = 0.
carom_ref carom_bodies_at_start(carom_making *making, carom_ref root);
/// Adds a generalised force: force times the derivatives of what it moves.
carom_status carom_bodies_push(carom_making *making, carom_ref force, carom_ref moved);
/// The same where a rate is known and no position: a torque times the spin that it drives.
carom_status carom_bodies_push_rate(carom_making *making, carom_ref force, carom_ref rate);
/// The spin of a body in axes of space.
carom_vec carom_bodies_spin(carom_graph *g, const carom_body *body);
/// Adds "NAME.SUFFIX.x", y (and z, in space) to the scope.
carom_status carom_bodies_name_vector(carom_making *making, const carom_body *body,
                                      const char *suffix, carom_vec v);
/// A coordinate "NAME.SUFFIX" of a body, in rad where the suffix begins with "angle", else in m.
carom_status carom_bodies_coordinate(carom_making *making, const carom_body *body,
                                     const char *suffix, carom_ref q0, carom_ref u0,
                                     carom_ref *ref);
/// Where points of a body are drawn.
carom_status carom_bodies_mark(carom_making *making, carom_body *body, carom_vec p);

// what a text says of one body, file by file
/// mass.c: mass, inertia and centre, checked.
/// first: its first shape.
carom_status carom_body_mass(carom_making *making, carom_body *body, const carom_body_text *text,
                             int first);
/// orientation.c: how it is turned, as a quaternion of numbers.
carom_status carom_body_turned(carom_making *making, const carom_turned_text *turned, double p[4]);
/// place.c: its own coordinates, or a pose in those of others.
carom_status carom_body_place(carom_making *making, carom_body *body, const carom_body_text *text);
/// The pose is known: the start, and names of the reference point.
carom_status carom_body_posed(carom_making *making, carom_body *body, bool names_angle);
/// carry.c: on its parent by a joint's coordinates.
carom_status carom_body_carry(carom_making *making, carom_body *body, const carom_body_text *text);
/// Refuses words beside the owner of a body's coordinates.
carom_status carom_body_refuse_beside(carom_making *making, const carom_body_text *text,
                                      const char *owner);

#endif
