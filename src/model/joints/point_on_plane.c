// SPDX-License-Identifier: Apache-2.0
// A point of body 2 in a plane of body 1, across z.
//
//     space   z1.d
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    return carom_fitting_row(f, "height", carom_weave_dot(f->g, f->z[0], f->d));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    {"axis", "axis: [0, 0, 1]", "across the plane at the start"},
    {0},
};
const carom_joint_kind carom_joint_kind_point_on_plane = {
    .facts = {"point_on_plane", "a point of the second body stays in a plane of the first",
              "point_on_plane: [ground, foot], at: foot.tip, axis: [0, 0, 1]", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .space = weave,
};
