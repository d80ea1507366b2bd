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
    carom_frame now, start;       ///< at q, and at the start (of parameters only)
    carom_ref angle, start_angle; ///< of its x axis against that of space, turns counted
    carom_vec centre;             ///< of mass, in body coordinates
    carom_ref mass, inertia;
    bool is_weightless;
    carom_refs marks; ///< x, y in space of what is drawn of it
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

/// A force of limited strength that a joint, a motor or an element brings.
typedef struct carom_joint_disc {
    const char *name; ///< of the model's arena
    carom_place place;
    int n_slip;
    carom_ref rate[3]; ///< its slips
    carom_ref limit;
    int load, n_load; ///< rows (carom_bodies.row) whose forces it is a factor of
} carom_joint_disc;

/// A contact that a joint brings.
typedef struct carom_joint_contact {
    carom_contact_text text; ///< name and factors; its texts of gap and slip are not read
    carom_ref root[3];       ///< gap and slips
} carom_joint_contact;

struct carom_bodies {
    int space;
    carom_vec gravity;
    CAROM_LIST(carom_body) body; ///< the first is the ground
    CAROM_LIST(carom_joint) joint;
    CAROM_LIST(carom_joint_row) row;
    CAROM_LIST(carom_joint_contact) contact;
    CAROM_LIST(carom_joint_disc) disc;
};

/// Reads `gravity`, makes the ground, bodies and their names.
carom_status carom_bodies_declare(carom_making *making);
/// Reads joints and motors: names, rows and contacts.
carom_status carom_bodies_join(carom_making *making);
/// Adds kinetic energy, gravity and what elements and motors push.
carom_status carom_bodies_load(carom_making *making);

// motors.c: what a motor prescribes; what it pushes with, once all names are known
carom_status carom_motor_add(carom_making *making, const void *item);
carom_status carom_motor_push(carom_making *making, const void *item);

/// The number of a body, or -1 and an error.
carom_status carom_bodies_find(carom_making *making, carom_text text, int *body);
carom_status carom_bodies_joint(carom_making *making, carom_text text, carom_joint *joint);
/// Adds "NAME.SUFFIX" to the scope.
carom_status carom_bodies_name(carom_making *making, const char *name, const char *suffix,
                               carom_ref ref, carom_place place);
/// A constant: a number, or an expression of parameters.
carom_status carom_bodies_constant(carom_making *making, carom_text text, const char *what,
                                   carom_ref *ref);
/// A point of space, given by name or components. at_start: where it is at the start.
carom_status carom_bodies_point(carom_making *making, const carom_text *part, int n, bool at_start,
                                carom_vec *point);
/// A vector of constants with two components.
carom_status carom_bodies_vector(carom_making *making, const carom_text *part, int n,
                                 const char *what, carom_vec *vector);
/// root with all coordinates at their start and t = 0.
carom_ref carom_bodies_at_start(carom_making *making, carom_ref root);
/// Adds a generalised force: force times the derivatives of what it moves.
carom_status carom_bodies_push(carom_making *making, carom_ref force, carom_ref moved);

#endif
