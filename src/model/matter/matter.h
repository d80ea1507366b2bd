// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies, the materials they are of, and which of them can touch. Made with the model and
// kept by it, for contacts that last (lasting.c), those that come and go, and for the page.
//
//     solid       a shape of a body; those of the ground are last
//     lasting     two solids that can only touch in a few ways, all known before the run: each of
//                 them is a contact of the model's own equations
//     apart       two bodies that never touch: ignored, or joined
#ifndef CAROM_MODEL_MATTER_H
#define CAROM_MODEL_MATTER_H

#include "model/bodies/bodies.h"
#include "shapes/shape.h"

typedef struct carom_solid {
    carom_place place;
    int body;
    int material; ///< number of its name; -1 = none was given
    int kin;      ///< solids of one kin never touch each other; -1 = of none
    const char *kind, *name, *colour;
    const carom_shape *shape;
} carom_solid;

/// How two materials touch.
typedef struct carom_material_pair {
    carom_place place;
    int between[2];                  ///< numbers of names
    const carom_material_text *text; ///< of the builder: only while the model is made
    double e, e_t, mu, length[2];    ///< see carom_matter_numbers
    int law;                         ///< likewise
} carom_material_pair;

struct carom_matter {
    int dim;
    CAROM_LIST(carom_solid) solid;
    CAROM_LIST(const char *) material; ///< names; the first is "default"
    CAROM_LIST(const char *) kin;      ///< names
    CAROM_LIST(carom_material_pair) pair;
    CAROM_LIST(carom_two) apart;   ///< bodies
    CAROM_LIST(carom_two) lasting; ///< solids, by increasing numbers
    CAROM_LIST(carom_shape_facts) look;
    const bool *moves;   ///< (bodies)
    bool is_off;         ///< nothing is looked for
    bool comes_and_goes; ///< some contacts do not last
    int most_lasting;    ///< contacts that last, of all together
    double alert;        ///< 0 = by speed and step
    int room;            ///< for contacts that come and go; 0 = by their number of neighbours
};

/// The most contacts that last, where it is not said.
enum { CAROM_MOST_LASTING = 256 };

/// What is shared by all; bodies are not known yet.
carom_status carom_matter_begin(carom_making *making);
/// The shapes of one body (its number), as its text gives them.
carom_status carom_matter_add(carom_making *making, const carom_body_text *text, int body);
/// One shape from its text: shape_words.c.
carom_status carom_matter_shape(carom_making *making, const carom_shape_text *text,
                                carom_solid *solid, const carom_shape **shape);
/// A word of a shape, or NULL.
const carom_word_text *carom_matter_word(const carom_shape_text *text, const char *key);
/// Mass, centre and inertia of a body from its shapes (the last ones that were added), at density
/// 1: weigh.c.
carom_status carom_matter_weigh(carom_making *making, const carom_body *body, int first,
                                carom_shape_mass *sum);
/// materials.c: the table of pairs.
carom_status carom_matter_pairs(carom_making *making);
/// All bodies are known: materials, detection, what is joined.
carom_status carom_matter_settle(carom_making *making);
/// Contacts that last, as contacts of the equations: lasting.c.
carom_status carom_matter_touch(carom_making *making);
/// Room for contacts that come and go, behind those that stay: near_matter.c.
carom_status carom_matter_make_slots(carom_making *making, carom_disc_list *list);
/// What shapes look like: looks.c.
carom_status carom_matter_show(carom_making *making);

/// The number of a material's name, which is added where it is new; -1 where memory runs out.
int carom_matter_name(carom_making *making, const char *name);
/// Whether two solids can touch.
bool carom_matter_can_meet(const carom_matter *matter, int i, int j);
/// Whether their contacts last.
bool carom_matter_is_lasting(const carom_matter *matter, int i, int j);
/// The number of the pair of two materials: the exact one, [a, default], [default, default]; -1
/// where there is none.
int carom_matter_pair_of(const carom_matter *matter, int a, int b);
/// That of two solids, where there must be one.
carom_status carom_matter_find_pair(carom_making *making, int i, int j, int *pair);
/// Sets e, e_t, mu and the lengths of rolling and spinning friction of a pair; parameters in them
/// cannot be live.
carom_status carom_matter_numbers(carom_making *making, int pair);
/// How much of a feature's radius belongs to body 1 (model/touch/primitive.h).
double carom_matter_first(const carom_feature *feature, const carom_shape *of_body_1);
/// Where a body is at the start.
carom_placement carom_matter_start(const carom_making *making, int body);

#endif
