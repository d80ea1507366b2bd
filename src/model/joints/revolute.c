// SPDX-License-Identifier: Apache-2.0
// Revolute: one point in common.   rows  d.x, d.y;   free: angle
#include "model/bodies/rub.h"

static carom_status weave(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_row(f, "x", f->d.c[0]));
    f->freedom.angle = f->turned;
    CAROM_TRY(carom_fitting_row(f, "y", f->d.c[1]));
    return carom_rub_pin(f, f->turned, 2);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_FREEDOM,
    CAROM_WORDS_OF_PINS,
    {0},
};
const carom_joint_kind carom_joint_kind_revolute = {
    .facts = {"revolute", "turns about one point", "revolute: [crank, rod], at: crank.tip", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
};
