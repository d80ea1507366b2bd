// SPDX-License-Identifier: Apache-2.0
// Fixed: two bodies as one.   rows  d.x, d.y, angle
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_row(f, "x", f->d.c[0]));
    CAROM_TRY(carom_fitting_row(f, "y", f->d.c[1]));
    return carom_fitting_row(f, "angle", f->turned);
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
};
