// SPDX-License-Identifier: Apache-2.0
// Spherical: one point in common.
//
//     space   d.x, d.y, d.z
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    return carom_fitting_rows(f, f->d);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    {0},
};
const carom_joint_kind carom_joint_kind_spherical = {
    .facts = {"spherical", "a ball joint: one point in common",
              "spherical: [ground, top], at: [0, 0, 0]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .space = weave,
    .sketch = CAROM_SKETCH_PIVOT,
};
