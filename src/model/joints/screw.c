// SPDX-License-Identifier: Apache-2.0
// Screw: the axis z in common; a whole turn slides by the pitch.   free: angle, displacement
//
//     space   x1.d, y1.d, x1.z2, y1.z2, z1.d - pitch/(2 pi) angle
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_graph *g = f->g;
    carom_ref pitch, angle;
    CAROM_TRY(carom_fitting_constant(f, "pitch", NULL, &pitch));
    CAROM_TRY(carom_fitting_turn(f, &angle));
    const carom_ref slope = carom_graph_mul(g, carom_graph_number(g, 0.15915494309189535), pitch);
    f->freedom.angle = angle;
    f->freedom.displacement = carom_weave_dot(g, f->z[0], f->d);
    CAROM_TRY(carom_fitting_row(f, "side1", carom_weave_dot(g, f->x[0], f->d)));
    CAROM_TRY(carom_fitting_row(f, "side2", carom_weave_dot(g, f->y[0], f->d)));
    CAROM_TRY(carom_fitting_keep_axis(f));
    return carom_fitting_row(
        f, "thread", carom_graph_sub(g, f->freedom.displacement, carom_graph_mul(g, slope, angle)));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    CAROM_WORDS_OF_FREEDOM,
    {"pitch", "pitch: 0.005", "how far a whole turn goes [m]"},
    {0},
};
const carom_joint_kind carom_joint_kind_screw = {
    .facts = {"screw", "turns about an axis and slides along it by its pitch",
              "screw: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.005", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .needs_axis = true,
    .space = weave,
    .sketch = CAROM_SKETCH_RAIL,
};
