// SPDX-License-Identifier: Apache-2.0
// Universal: one point in common; an axis x of the first body and an axis y of the second stay
// perpendicular.
//
//     space   d.x, d.y, d.z, x1.y2
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    CAROM_TRY(carom_fitting_rows(f, f->d));
    return carom_fitting_row(f, "cross", carom_weave_dot(f->g, f->x[0], f->y[1]));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    {"axes", "axes: [[1, 0, 0], [0, 1, 0]]", "of the first body, of the second, at the start"},
    {0},
};
const carom_joint_kind carom_joint_kind_universal = {
    .facts = {"universal", "one point in common, turns about two perpendicular axes",
              "universal: [input, output], at: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0]]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .space = weave,
    .sketch = CAROM_SKETCH_PIVOT,
};
