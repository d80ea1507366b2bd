// SPDX-License-Identifier: Apache-2.0
// What a kind of joint or element is: its words, and how its rows or forces are woven. One file and
// one line in the table of its folder each.
#ifndef CAROM_MODEL_FITTING_H
#define CAROM_MODEL_FITTING_H

#include "model/bodies/bodies.h"

/// One joint or element that is being made.
typedef struct carom_fitting {
    carom_making *making;
    carom_graph *g;
    const carom_fitting_text *text;
    const char *name;
    carom_body *body[2];
    carom_vec d;          ///< from the point of the first to that of the second, in space
    carom_vec d_start;    ///< the same at the start
    carom_vec point[2];   ///< the points in space
    carom_vec axis, side; ///< x1 and y1: directions of the first body, in space
    carom_ref turned;     ///< angle of the second against the first since the start
    carom_joint of[2];    ///< where it is fitted to joints
    carom_joint freedom;  ///< what the joint leaves free
    bool slip_is_rate;    ///< of its contacts
    // while its reaction is found, see reaction.c
    carom_body *displaced; ///< stands for the second body; NULL = the joint is really made
    carom_vec held;        ///< where the displaced point is
    carom_refs found;      ///< the rows
} carom_fitting;

typedef carom_status carom_weaver(carom_fitting *fitting);

typedef enum carom_fits { CAROM_FITS_BODIES, CAROM_FITS_JOINTS, CAROM_FITS_EITHER } carom_fits;

typedef struct carom_joint_kind {
    carom_fitting_facts facts;
    int n_to;
    carom_fits fits;
    bool needs_points; ///< at, or from and to
    bool needs_axis;
    carom_weaver *weave;
} carom_joint_kind;

typedef struct carom_element_kind {
    carom_fitting_facts facts;
    int n_to;
    carom_fits fits;
    bool needs_points;
    carom_weaver *weave; ///< after all names are known
} carom_element_kind;

/// The word of that key, or NULL.
const carom_word_text *carom_fitting_word(const carom_fitting *fitting, const char *key);
/// The word as one constant; fallback (NULL = needed) where it is absent.
carom_status carom_fitting_constant(carom_fitting *fitting, const char *key, const char *fallback,
                                    carom_ref *ref);
/// The same as an expression of anything.
carom_status carom_fitting_expression(carom_fitting *fitting, const char *key, const char *fallback,
                                      carom_ref *ref);
/// A row that is to be kept at zero.
carom_status carom_fitting_row(carom_fitting *fitting, const char *suffix, carom_ref value);
/// A contact with up to two slips (-1 = none) and the restitution and friction of the words.
carom_status carom_fitting_contact(carom_fitting *fitting, const char *suffix, carom_ref gap,
                                   carom_ref slip);
/// Adds stiffness/2 stretch^2 to the potential.
carom_status carom_fitting_potential(carom_fitting *fitting, carom_ref stiffness,
                                     carom_ref stretch);
/// Checks words against what the kind knows, finds bodies or joints, and the points.
carom_status carom_fitting_begin(carom_fitting *fitting, const carom_fitting_facts *facts, int n_to,
                                 carom_fits fits, bool needs_points);

/// Weaves the joint once more with its second body displaced: what its rows, first .. of those of
/// all joints, do to that body.
carom_status carom_fitting_react(carom_fitting *fitting, const carom_joint_kind *kind, int first);

#define CAROM_WORDS_OF_REACTION                                                                    \
    {                                                                                              \
        "frame", "frame: joint", "axes of its reaction: space, or joint (x along its axis)"        \
    }
#define CAROM_WORDS_OF_POINTS                                                                      \
    {"at", "at: crank.tip", "the common point at the start, or"},                                  \
        {"from", "from: crank.tip", "the point of the first body and"},                            \
    {                                                                                              \
        "to", "to: rod.foot", "the point of the second"                                            \
    }
#define CAROM_WORDS_OF_FREEDOM                                                                     \
    {"zero", "zero: 0", "what angle or displacement are at the start"},                            \
        {"limits", "limits: [-1, 1]", "least and largest value"},                                  \
        {"radius", "radius: 0.1", "of limits of an angle: gaps become lengths [m]"},               \
        {"restitution", "restitution: 0.5", "of the limits"},                                      \
        {"damping", "damping: 0.1", "viscous, against the motion that is left free"},              \
    {                                                                                              \
        "axis", "axis: [1, 0]", "direction of sliding at the start"                                \
    }

#define X(name) extern const carom_joint_kind carom_joint_kind_##name;
#include "model/joints/table.h"
#undef X
#define X(name) extern const carom_element_kind carom_element_kind_##name;
#include "model/elements/table.h"
#undef X

#endif
