// SPDX-License-Identifier: Apache-2.0
// Revolute: one point in common, in space also the axis z.   free: angle
//
//     plane   d.x, d.y
//     space   d.x, d.y, d.z, x1.z2, y1.z2
#include "model/bodies/rub.h"

static carom_status weave(carom_fitting *f)
{
    f->freedom.angle = f->turned;
    CAROM_TRY(carom_fitting_rows(f, f->d));
    return carom_rub_pin(f, f->turned, 2);
}

static carom_status weave_space(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_turn(f, &f->freedom.angle));
    CAROM_TRY(carom_fitting_rows(f, f->d));
    CAROM_TRY(carom_rub_pin(f, f->freedom.angle, 3));
    return carom_fitting_keep_axis(f);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    CAROM_WORDS_OF_FREEDOM,
    CAROM_WORDS_OF_PINS,
    {0},
};
const carom_joint_kind carom_joint_kind_revolute = {
    .facts = {"revolute", "turns about one point", "revolute: [crank, rod], at: crank.tip", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .weave = weave,
    .space = weave_space,
    .sketch = CAROM_SKETCH_PIVOT,
};
