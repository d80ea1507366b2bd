// SPDX-License-Identifier: Apache-2.0
// All that is at hand while a builder's texts become a model from equations.
#ifndef CAROM_MODEL_MAKING_H
#define CAROM_MODEL_MAKING_H

#include "expr/pieces/pieces.h"
#include "expr/text/syntax.h"
#include "model/making/builder.h"
#include "model/making/lagrange.h"
#include "model/making/scope.h"

/// A coordinate with its start, in the order of positions.
typedef struct carom_coordinate_given {
    const char *name, *unit;
    carom_ref q0, u0; ///< of parameters only
} carom_coordinate_given;

/// A velocity with its start, in the order of velocities.
typedef struct carom_velocity_given {
    const char *name;
    carom_ref u0;
} carom_velocity_given;

/// Bodies and what joins them (model/bodies).
typedef struct carom_bodies carom_bodies;

/// The names of one kind of thing (constraints, contacts, records), each only once.
typedef struct carom_name_list {
    CAROM_LIST(const char *) all;
    carom_scope *seen;
} carom_name_list;
typedef CAROM_LIST(carom_contact_facts) carom_facts_list;
/// Where discs and contacts that come and go are: among the contacts, behind those that stay.
typedef struct carom_disc_list {
    carom_name_list *names;
    carom_facts_list *all;
    int n_written; ///< contacts of texts; those of bodies follow them
} carom_disc_list;
/// A wheel on an elastic shaft: its twist, its slopes, and its inertia about the axis.
typedef struct carom_wheel {
    carom_ref a, b, c;
    double inertia;
} carom_wheel;

/// Which parameters are live, kept from one try to make the model to the next.
typedef struct carom_making_live {
    const char **fixed; ///< (parameters of the builder) why one is not live after all, NULL = it is
    bool is_off;        ///< all are numbers
    bool tries_again;   ///< one more was found that cannot be live: what was made is of no use
} carom_making_live;

typedef struct carom_making {
    const carom_builder *builder;
    carom_arena *arena;   ///< thrown away when the model is made
    carom_arena *scratch; ///< of the text at hand: a family reads its texts for every member
    carom_scope *scope;
    carom_model *model;
    carom_lagrange *lagrange;
    carom_graph *graph;
    carom_error *error;
    // index variables of the family member at hand
    carom_index index[CAROM_MAX_INDEX];
    int n_index;
    double n_member; ///< of all families so far
    CAROM_LIST(carom_coordinate_given) coordinate;
    CAROM_LIST(carom_velocity_given) velocity;
    CAROM_LIST(carom_chart_part) part;
    CAROM_LIST(const char *) rotation; ///< names
    carom_bodies *bodies;              ///< NULL where the model has none
    CAROM_LIST(carom_wheel) wheel;
    carom_refs stop_energy; ///< of stops that elastic bodies meet
    // live parameters
    carom_making_live *live;
    carom_refs own;              ///< own expression of each
    CAROM_LIST(int) live_number; ///< of each among the builder's parameters
} carom_making;

/// What an expression may contain: NULL = allowed, else the reason why not.
typedef struct carom_allowed {
    const char *no_rates, *no_time;
    const char *no_condition; ///< what to say of a condition in its place, or NULL
    bool has_forces;          ///< forces of rows and accelerations are known
    const char *own_name;     ///< one more name, if the model has not given it to something else
    carom_ref own;            ///< its node
} carom_allowed;

carom_status carom_making_no_memory(carom_making *making);
/// Turns a text into a node, with the index variables at hand.
carom_status carom_making_node(carom_making *making, carom_text text, carom_allowed allowed,
                               carom_ref *ref);
/// The same for a vector: three nodes.
carom_status carom_making_vector(carom_making *making, carom_text text, carom_allowed allowed,
                                 carom_ref *ref);
/// The same for a condition; the node is 1 where it holds, else 0.
carom_status carom_making_condition(carom_making *making, carom_text text, carom_allowed allowed,
                                    carom_ref *ref);
/// The impact law of a contact or a pair of materials; tangential is the text of its tangential
/// restitution.
carom_status carom_making_law(carom_making *making, carom_text text, carom_text tangential,
                              int *law);
/// e, e_t, mu and grip of a contact whose rows begin at facts->row: numbers of parameters, or else
/// expressions. See laws/making_coefficients.c.
carom_status carom_making_coefficients(carom_making *making, const carom_contact_text *text,
                                       int contact, carom_contact_facts *facts);
/// The second slip of an ellipse in the scale of the first.
carom_ref carom_making_across(carom_making *making, carom_ref slip,
                              const carom_contact_facts *facts);
/// The value of an expression of parameters and indices.
carom_status carom_making_number(carom_making *making, carom_text text, const char *what,
                                 double *value);
/// The same as a node, where it is made of live parameters.
carom_status carom_making_firm(carom_making *making, carom_text text, const char *what,
                               carom_ref *ref);
/// The live parameters in an expression cannot be live: it is what the text says and must be a
/// number. Fails; where nobody asked for them by name, the model is made again without them.
carom_status carom_making_refuse_live(carom_making *making, carom_ref ref, carom_place place,
                                      const char *what);
/// The full name of a declared name ("x[i]" -> "x[3]") with the index variables at hand; in the
/// model's arena.
carom_status carom_making_name(carom_making *making, carom_text text, const char **name);

/// The smooth pieces of a gap (the first root) and its slips.
carom_status carom_making_pieces(carom_making *making, carom_text gap, const carom_ref *root,
                                 int n_root, carom_pieces *pieces);

/// The node of a start value: an expression of parameters.
carom_status carom_making_start(carom_making *making, carom_text text, const char *what,
                                double absent, carom_ref *ref);

/// Calls member once for each index combination of a family (once where there is none).
typedef carom_status carom_member(carom_making *making, const void *item);
carom_status carom_making_each(carom_making *making, const carom_family *family, carom_text name,
                               carom_member *member, const void *item);

/// One more coordinate, with its name in the scope.
carom_status carom_making_coordinate(carom_making *making, const carom_coordinate_given *given,
                                     carom_place place);
/// Parameters, tables, coordinates and definitions, into the scope.
carom_status carom_making_declare(carom_making *making);
/// Parameters only, for the value of a single expression.
carom_status carom_making_parameters(carom_making *making);
/// What the values of live parameters decide: model->live, and the start and the contacts' factors
/// for the values that the model is made with. After all else was derived.
carom_status carom_making_live_values(carom_making *making);
/// What is assembled of the start, and what of it is kept: model->assembly.
carom_status carom_making_assembly(carom_making *making);
/// What records may use besides: energies, forces and reactions. See sensors.c.
carom_status carom_making_sensors(carom_making *making);
/// Notes which records contain forces or accelerations.
carom_status carom_making_felt(carom_making *making);
/// One more name of a kind, which must be new; text says where it stands.
carom_status carom_making_put_name(carom_making *making, carom_name_list *list, carom_text text,
                                   const char *name);
/// Refuses a rate that is not affine in the velocities; what it is stands in the message.
carom_status carom_making_affine(carom_making *making, carom_ref rate, carom_place place,
                                 const char *what);
/// What a disc bears: a text of positions and time.
carom_status carom_making_limit(carom_making *making, carom_text text, carom_ref *ref);
/// A disc of a contact whose rows and limit come from elsewhere.
carom_status carom_making_empty_disc(carom_making *making, carom_disc_list *list, carom_text name,
                                     int n_slip, int contact);
/// All discs: of the section `friction`, then of bodies.
carom_status carom_making_discs(carom_making *making, carom_disc_list *list);
/// Energies, forces, constraints, contacts, records, drawings, into the lagrange system.
carom_status carom_making_equations(carom_making *making);

#endif
