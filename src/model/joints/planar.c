// SPDX-License-Identifier: Apache-2.0
// Planar: a plane of each body, across z, stay together.   free: angle
//
//     space   z1.d, x1.z2, y1.z2
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_turn(f, &f->freedom.angle));
    CAROM_TRY(carom_fitting_row(f, "height", carom_weave_dot(f->g, f->z[0], f->d)));
    return carom_fitting_keep_axis(f);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    CAROM_WORDS_OF_FREEDOM,
    {0},
};
const carom_joint_kind carom_joint_kind_planar = {
    .facts = {"planar", "slides across an axis and turns about it",
              "planar: [table, puck], at: [0, 0, 0], axis: [0, 0, 1]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .space = weave,
    .sketch = CAROM_SKETCH_PIVOT,
};
