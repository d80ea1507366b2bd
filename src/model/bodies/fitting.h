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
    const carom_fitting_facts *facts; ///< of its kind
    const char *name;
    carom_body *body[2];
    carom_vec d;                ///< from the point of the first to that of the second, in space
    carom_vec point[2];         ///< the points in space
    carom_vec x[2], y[2], z[2]; ///< axes of the joint on each body, in space; the same at the start
    carom_vec start[3];         ///< x, y and z at the start
    carom_ref turned;           ///< angle of the second against the first about z since the start
    carom_joint of[2];          ///< where it is fitted to joints
    carom_joint freedom;        ///< what the joint leaves free
    bool slip_is_rate;          ///< of its contacts
    unsigned asked;             ///< bit i: word i was asked for
    // while its reaction is found, see reaction.c
    carom_body *displaced; ///< stands for the second body; NULL = the joint is really made
    carom_vec held;        ///< where the displaced point is
    carom_refs found;      ///< the rows
} carom_fitting;

typedef carom_status carom_weaver(carom_fitting *fitting);

typedef enum carom_fits { CAROM_FITS_BODIES, CAROM_FITS_JOINTS, CAROM_FITS_EITHER } carom_fits;

/// How a joint or element is drawn.
typedef enum carom_sketched {
    CAROM_SKETCH_NONE,
    CAROM_SKETCH_PIVOT,
    CAROM_SKETCH_RAIL,
    CAROM_SKETCH_LINE,
    CAROM_SKETCH_SPRING
} carom_sketched;

typedef struct carom_joint_kind {
    carom_fitting_facts facts;
    int n_to;
    carom_fits fits;
    bool needs_points;   ///< at, or from and to
    bool needs_axis;     ///< in space
    carom_weaver *weave; ///< in the plane, or where it is the same; NULL = only in space
    carom_weaver *space; ///< NULL = not in space
    carom_sketched sketch;
} carom_joint_kind;

typedef struct carom_element_kind {
    carom_fitting_facts facts;
    int n_to;
    carom_fits fits;
    bool needs_points;
    bool needs_axis;     ///< in space
    carom_weaver *weave; ///< after all names are known
    carom_weaver *space;
    carom_sketched sketch;
} carom_element_kind;

/// The word of that key, or NULL.
const carom_word_text *carom_fitting_word(carom_fitting *fitting, const char *key);
/// The word as one constant; fallback (NULL = needed) where it is absent.
carom_status carom_fitting_constant(carom_fitting *fitting, const char *key, const char *fallback,
                                    carom_ref *ref);
/// The same as an expression of anything.
carom_status carom_fitting_expression(carom_fitting *fitting, const char *key, const char *fallback,
                                      carom_ref *ref);
/// A word that must be there: a constant of 0 or more, or above 0.
carom_status carom_fitting_size(carom_fitting *fitting, const char *key, bool above_zero,
                                carom_ref *ref);
/// An error, asking for the first, where none of these words is there: nothing would act.
carom_status carom_fitting_acts(carom_fitting *fitting, const char *const *key, int n);
/// Whether the word 'frame' says axes of the body; inertial where it is absent.
carom_status carom_fitting_frame(carom_fitting *fitting, bool *is_body);
/// A row that is to be kept at zero.
carom_status carom_fitting_row(carom_fitting *fitting, const char *suffix, carom_ref value);
/// The rows of a vector: "NAME.x", "NAME.y", and in space "NAME.z".
carom_status carom_fitting_rows(carom_fitting *fitting, carom_vec value);
/// Rows that keep the z axes parallel, in space: "NAME.tilt1", "NAME.tilt2".
carom_status carom_fitting_keep_axis(carom_fitting *fitting);
/// The angle of the second body about the common z axis since the start, turns counted where both
/// bodies are free.
carom_status carom_fitting_turn(carom_fitting *fitting, carom_ref *angle);
/// A contact with up to two slips (-1 = none) and the restitution and friction of the words.
carom_status carom_fitting_contact(carom_fitting *fitting, const char *suffix, carom_ref gap,
                                   const carom_ref slip[2]);
/// abs(d), for what pulls along d. Where the points meet at the start it is sqrt(d.d + tiny^2),
/// whose direction is then defined; otherwise a motion through the point itself ends the run.
carom_ref carom_fitting_length(const carom_fitting *fitting);
/// Adds stiffness/2 stretch^2 to the potential.
carom_status carom_fitting_potential(carom_fitting *fitting, carom_ref stiffness,
                                     carom_ref stretch);
/// Checks words against what the kind knows, finds bodies or joints, and the points.
carom_status carom_fitting_begin(carom_fitting *fitting, const carom_fitting_facts *facts, int n_to,
                                 carom_fits fits, bool needs_points, bool needs_axis);

/// Draws it as its kind says.
carom_status carom_fitting_sketch(const carom_fitting *fitting, carom_sketched how);

/// Refuses words that nobody asked for.
carom_status carom_fitting_end(const carom_fitting *fitting);

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
        "axis", "axis: [1, 0]", "of sliding, in space also of turning, at the start"               \
    }

#define X(name) extern const carom_joint_kind carom_joint_kind_##name;
#include "model/joints/joints_table.h"
#undef X
#define X(name) extern const carom_element_kind carom_element_kind_##name;
#include "model/elements/elements_table.h"
#undef X

#endif
