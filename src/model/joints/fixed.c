// SPDX-License-Identifier: Apache-2.0
// Fixed: two bodies as one.
//
//     plane   d.x, d.y, angle
//     space   d.x, d.y, d.z, x1.z2, y1.z2, x1.y2
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_rows(f, f->d));
    return carom_fitting_row(f, "angle", f->turned);
}

static carom_status weave_space(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_rows(f, f->d));
    CAROM_TRY(carom_fitting_keep_axis(f));
    return carom_fitting_row(f, "turn", carom_weave_dot(f->g, f->x[0], f->y[1]));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    {0},
};
const carom_joint_kind carom_joint_kind_fixed = {
    .facts = {"fixed", "welds two bodies together", "fixed: [a, b], at: a.end", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave_space,
};
