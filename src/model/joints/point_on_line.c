// SPDX-License-Identifier: Apache-2.0
// A point of body 2 on a line of body 1.   free: displacement, in the plane also angle
//
//     plane   y1.d              along x1
//     space   x1.d, y1.d        along z1
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    f->freedom.displacement = carom_weave_dot(f->g, f->x[0], f->d);
    f->freedom.angle = f->turned;
    return carom_fitting_row(f, "side", carom_weave_dot(f->g, f->y[0], f->d));
}

static carom_status weave_space(carom_fitting *f)
{
    f->freedom.displacement = carom_weave_dot(f->g, f->z[0], f->d);
    CAROM_TRY(carom_fitting_row(f, "side1", carom_weave_dot(f->g, f->x[0], f->d)));
    return carom_fitting_row(f, "side2", carom_weave_dot(f->g, f->y[0], f->d));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    CAROM_WORDS_OF_FREEDOM,
    {0},
};
const carom_joint_kind carom_joint_kind_point_on_line = {
    .facts = {"point_on_line", "a point of the second body stays on a line of the first",
              "point_on_line: [ground, rod], at: rod.tip, axis: [1, 0]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .weave = weave,
    .space = weave_space,
    .sketch = CAROM_SKETCH_RAIL,
};
