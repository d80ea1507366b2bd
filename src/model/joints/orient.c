// SPDX-License-Identifier: Apache-2.0
// Orient: the directions of two bodies are kept.
//
//     plane   angle
//     space   x1.z2, y1.z2, x1.y2
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    return carom_fitting_row(f, "angle", f->turned);
}

static carom_status weave_space(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_keep_axis(f));
    return carom_fitting_row(f, "turn", carom_weave_dot(f->g, f->x[0], f->y[1]));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_REACTION,
    {0},
};
const carom_joint_kind carom_joint_kind_orient = {
    .facts = {"orient", "keeps the directions of two bodies, not their places",
              "orient: [ground, table]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = false,
    .weave = weave,
    .space = weave_space,
};
