// SPDX-License-Identifier: Apache-2.0
// Contacts of shapes that come and go. What a model knows of them (carom_near, immutable) is which
// shapes there are, on which bodies, and with which friction their materials meet; what a plan
// knows (carom_nearby) is which features are near in the step at hand. Four files:
//
//     near_find    at the start of each step: poses, near pairs, features, keys -> slots
//     near_check   inside of a step: whether these are still the features that touch
//     near_answer  answers of slots, scattered into those of the model
//     near_pattern where they stand: patterns with room for slots
//
// Slots are contacts n_before .. n_before + n_slot - 1 of the model, behind those that stay and
// before the discs, of which the first are their own: rolling and, in space, spinning friction of
// each slot, n_disc of them. Rows of slots and of their discs follow one another.
#ifndef CAROM_MODEL_NEAR_H
#define CAROM_MODEL_NEAR_H

#include "model/plan.h"
#include "model/touch/slot_program.h"
#include "shapes/shape.h"

/// A body that slots can move: the ground, another one that stays, or one with coordinates of its
/// own.
typedef struct carom_near_body {
    const char *name;
    int n;            ///< velocities: 0, 3 in the plane, 6 in space
    int q[3], turn;   ///< positions of the centre of mass; angle, or the first of the quaternion
    int u[6];         ///< velocities, increasing
    double centre[3]; ///< of mass, in body coordinates
    carom_placement still; ///< where it is, if it stays
    double reach;          ///< largest distance of a point of its shapes from the centre of mass
} carom_near_body;

typedef struct carom_near_shape {
    const carom_shape *shape;
    const char *name;    ///< for keys that are shown: of the body, or of the shape
    bool comes_and_goes; ///< some of its contacts do
    int body, material;
    double size;   ///< a length that tolerances are a part of
    double radius; ///< by which its core is grown; infinite: by all that a feature is grown by
} carom_near_shape;

/// What two materials do to each other.
typedef struct carom_near_law {
    double e, e_t, mu; ///< e < 0: nothing is known of this pair
    double length[2];  ///< of rolling and spinning friction [m]
    int law;           ///< carom_law
} carom_near_law;

typedef struct carom_near {
    int dim;
    int n_body, n_shape, n_material;
    carom_near_body *body;
    carom_near_shape *shape;
    carom_near_law *law; ///< (n_material x n_material)
    /// (n_apart) pairs i < j of shapes, as i n_shape + j, that never meet here: increasing.
    const long long *apart;
    int n_apart;
    double gravity; ///< its size at the start [m/s2]
    double alert;   ///< within which features are near [m]; 0 = by speed and step
    // among the contacts of the model
    int n_before, n_slot, n_row; ///< n_row: of each slot
    int n_disc;                  ///< discs of each slot
    carom_slot_code *code;
    // patterns of the answers without slots; those of the layout have room for them
    carom_pattern W, dWP_dq, dgamma_dq;
    int *push_place; ///< where each entry of dWP_dq stands in that of the layout
} carom_near;

/// Velocities up to which derivatives of the rows of slots are given. In larger models they are
/// left out of Newton's matrices, whose residuals are exact: these take a pass more.
enum { CAROM_NEAR_DENSE = 128 };

/// The programs of all primitives and questions, NULL where not asked: those of one member of a
/// team.
typedef struct carom_near_programs {
    carom_slot_program *of[CAROM_N_PRIMITIVE][CAROM_SLOT_N_ASKED];
} carom_near_programs;

/// The contacts of one plan, and one slot of it.
typedef struct carom_nearby carom_nearby;
typedef struct carom_near_slot carom_near_slot;

/// The contact that is disc d of a slot.
static inline int carom_near_disc(const carom_near *near, int slot, int d)
{
    return near->n_before + near->n_slot + slot * near->n_disc + d;
}
/// Rows in which the discs of a slot turn: as its programs answer them, behind its own.
static inline int carom_near_n_turn(const carom_near *near)
{
    return near->n_disc == 0 ? 0 : near->dim == 2 ? 1 : 3;
}
/// Where row r of a slot is in the model: its own, then those in which its discs turn.
static inline int carom_near_row(const carom_model *model, const carom_near *near, int slot, int r)
{
    if (r < near->n_row) return model->contact[near->n_before + slot].row + r;
    const int k = r - near->n_row, d = k == 2; // two of rolling in space, then one of spinning
    return model->contact[carom_near_disc(near, slot, d)].row + 1 + (d ? 0 : k);
}
/// The rows of all slots and their discs: from first to before last.
static inline void carom_near_rows(const carom_model *model, const carom_near *near, int *first,
                                   int *last)
{
    *first = *last = model->size.n_row;
    if (near->n_slot == 0) return;
    *first = model->contact[near->n_before].row;
    *last = *first + near->n_slot * (near->n_row + near->n_disc + carom_near_n_turn(near));
}

// near_pattern.c
/// Gives W, d(gamma)/dq and d(W'P)/dq of a derived model room for the slots; false where memory
/// runs out.
bool carom_near_lay_out(carom_model *model, carom_near *near);
/// Where columns of a slot stand in a row of W: those of the body with the lower velocities first.
static inline int carom_near_first(const carom_near *near, const int body[2])
{
    const carom_near_body *a = &near->body[body[0]], *b = &near->body[body[1]];
    return a->n == 0 || (b->n > 0 && b->u[0] < a->u[0]);
}
/// Writes the pattern of W with the slots at hand.
void carom_nearby_write_pattern(const carom_nearby *nearby, int *start, int *index);

// near_answer.c
/// Makes the contacts of a plan, none so far, and adds their answers to those of its questions.
carom_status carom_nearby_new(carom_plan *plan, const carom_near *near, carom_nearby **nearby,
                              carom_error *error);
/// The plan has a team: programs for each of its members.
carom_status carom_nearby_share(carom_nearby *nearby, carom_error *error);
/// Once more, where the plan's questions have got other programs.
void carom_nearby_join(carom_nearby *nearby);
void carom_nearby_free(carom_nearby *nearby);
/// Where the contacts in use are.
void carom_nearby_places(carom_nearby *nearby, const carom_point *at, const carom_places *places);

/// The answers of one slot's program, among those of a member of the team, at a point; P are those
/// of slot i_slot.
const carom_slot_answers *carom_near_run(const carom_nearby *nearby, int member,
                                         const carom_near_slot *slot, int i_slot,
                                         const carom_point *at, unsigned asked);

// near_find.c
struct carom_finder;
/// A feature that was found, and whose it is.
typedef struct carom_finding {
    carom_feature feature;
    int shape[2]; ///< of body 1 and body 2
    unsigned long long key;
    double urgency; ///< gap by what the two may come nearer in the step: above 1 they do not touch
} carom_finding;
struct carom_finder *carom_finder_new(carom_arena *arena, const carom_near *near);
/// Memory for a team of n; false without.
bool carom_finder_share(struct carom_finder *finder, int n);
void carom_finder_free(struct carom_finder *finder);
/// Whether two shapes can meet at all.
bool carom_near_may_meet(const carom_near *near, int i, int j);
/// The features that are near in a step of length h from a point; borrowed until the next call.
carom_status carom_near_look(carom_nearby *nearby, const carom_point *from, double h, int *n,
                             const carom_finding **found, carom_error *error);
/// Keys that fall together are told apart; false without memory.
bool carom_near_tell_apart(carom_nearby *nearby);
/// The key of what was found last, told apart from the others.
unsigned long long carom_near_key(const carom_nearby *nearby, int i);
/// What a feature says as a slot.
void carom_near_fill_slot(const carom_near *near, const struct carom_finder *finder,
                          const carom_finding *found, carom_near_slot *slot);
/// Chooses the contacts of a step of length h from a point.
carom_status carom_nearby_find(carom_nearby *nearby, const carom_point *from, double h,
                               carom_error *error);

// near_check.c
/// Which slots are still there at a point of the step that they were chosen for: is_there
/// (n_contact) is written where slots are in use. is_missed: whether features overlap that no slot
/// knows.
carom_status carom_nearby_check(carom_nearby *nearby, const carom_point *at,
                                unsigned char *is_there, bool *is_missed, carom_error *error);

enum { CAROM_NEAR_NAME = 64 };
/// One slot in use.
struct carom_near_slot {
    unsigned used_in; ///< the choice that it was in use in last
    carom_primitive primitive;
    int body[2];
    carom_slot_numbers numbers;
    double length[2];           ///< of rolling and spinning friction [m]
    int row_place, turn_place;  ///< its rows of W, and those of its discs, behind those that stay
    char name[CAROM_NEAR_NAME]; ///< "a.b", for messages: of the contact with this key
    unsigned long long named;
};

struct carom_nearby {
    carom_plan *plan;
    const carom_near *near;
    carom_near_slot *slot;        ///< (n_slot)
    unsigned n_choice;            ///< how often slots have been chosen
    int *used, n_used;            ///< the slots in use, increasing
    int n_place;                  ///< numbers of all their rows of W
    carom_near_programs *program; ///< (n_member)
    int n_member;
    struct carom_near_question *question; ///< (n_mask)
    struct carom_finder *finder;
};

#endif
