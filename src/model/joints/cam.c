// SPDX-License-Identifier: Apache-2.0
// Cam: bilateral, the follower never leaves it.   row  displacement - lift
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref lift;
    if (f->of[0].displacement < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no displacement", f->of[0].name);
    CAROM_TRY(carom_fitting_expression(f, "lift", NULL, &lift));
    return carom_fitting_row(f, "lift", carom_graph_sub(f->g, f->of[0].displacement, lift));
}

static const carom_word_facts word[] = {
    {"lift", "lift: lift(shaft.angle)", "the displacement of the follower"},
    {0},
};
const carom_joint_kind carom_joint_kind_cam = {
    .facts = {"cam", "moves a follower by a function of the angle of a cam",
              "cam: [follower, shaft], lift: lift(shaft.angle)", word},
    .n_to = 2,
    .fits = CAROM_FITS_JOINTS,
    .needs_points = false,
    .weave = weave,
    .space = weave,
};
