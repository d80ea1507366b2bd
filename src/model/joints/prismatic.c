// SPDX-License-Identifier: Apache-2.0
// Prismatic: slides along x1, does not turn.   rows  y1.d, angle;   free: displacement x1.d
#include "model/bodies/rub.h"

static carom_status weave(carom_fitting *f)
{
    f->freedom.displacement = carom_weave_dot(f->g, f->axis, f->d);
    CAROM_TRY(carom_fitting_row(f, "side", carom_weave_dot(f->g, f->side, f->d)));
    CAROM_TRY(carom_fitting_row(f, "angle", f->turned));
    return carom_rub_slide(f, f->freedom.displacement);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
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
    .weave = weave,
};
