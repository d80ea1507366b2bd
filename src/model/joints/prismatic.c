// SPDX-License-Identifier: Apache-2.0
// Prismatic: slides along an axis, does not turn.   free: displacement
//
//     plane   y1.d, angle                             along x1
//     space   x1.d, y1.d, x1.z2, y1.z2, x1.y2         along z1
#include "model/bodies/rub.h"

static carom_status weave(carom_fitting *f)
{
    f->freedom.displacement = carom_weave_dot(f->g, f->x[0], f->d);
    CAROM_TRY(carom_fitting_row(f, "side", carom_weave_dot(f->g, f->y[0], f->d)));
    CAROM_TRY(carom_fitting_row(f, "angle", f->turned));
    return carom_rub_slide(f, f->freedom.displacement);
}

static carom_status weave_space(carom_fitting *f)
{
    f->freedom.displacement = carom_weave_dot(f->g, f->z[0], f->d);
    CAROM_TRY(carom_fitting_row(f, "side1", carom_weave_dot(f->g, f->x[0], f->d)));
    CAROM_TRY(carom_fitting_row(f, "side2", carom_weave_dot(f->g, f->y[0], f->d)));
    CAROM_TRY(carom_fitting_keep_axis(f));
    return carom_fitting_row(f, "turn", carom_weave_dot(f->g, f->x[0], f->y[1]));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    CAROM_WORDS_OF_FREEDOM,
    CAROM_WORDS_OF_SLIDES,
    {0},
};
const carom_joint_kind carom_joint_kind_prismatic = {
    .facts = {"prismatic", "slides along an axis of the first body",
              "prismatic: [ground, slider], at: slider, axis: [1, 0]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .weave = weave,
    .space = weave_space,
    .sketch = CAROM_SKETCH_RAIL,
};
