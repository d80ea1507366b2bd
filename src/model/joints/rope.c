// SPDX-License-Identifier: Apache-2.0
// Rope: a contact that opens when the points come closer.   gap  length - abs(d)
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref length = carom_weave_norm(f->g, f->d);
    carom_ref given = carom_bodies_at_start(f->making, length);
    if (carom_fitting_word(f, "length"))
        CAROM_TRY(carom_fitting_constant(f, "length", NULL, &given));
    const carom_ref none[2] = {-1, -1};
    return carom_fitting_contact(f, "taut", carom_graph_sub(f->g, given, length), none);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"length", "length: 1", "auto: that of the start"},
    {"restitution", "restitution: 0", "of the jerk"},
    {0},
};
const carom_joint_kind carom_joint_kind_rope = {
    .facts = {"rope", "holds two points no further apart than its length",
              "rope: [ground, bob], from: [0, 0], to: bob, length: 1", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave,
    .sketch = CAROM_SKETCH_LINE,
};
