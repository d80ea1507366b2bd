// SPDX-License-Identifier: Apache-2.0
// Motion: a joint moves as a function of time.   row  angle - text(t), or displacement - text(t)
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    const bool is_angle = carom_fitting_word(f, "angle") != NULL;
    const carom_ref moved = is_angle ? f->of[0].angle : f->of[0].displacement;
    carom_ref wanted;
    CAROM_TRY(carom_fitting_expression(f, is_angle ? "angle" : "displacement", NULL, &wanted));
    if (moved < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no %s", f->of[0].name,
                             is_angle ? "angle" : "displacement");
    return carom_fitting_row(f, "motion", carom_graph_sub(f->g, moved, wanted));
}

static const carom_word_facts word[] = {
    {"angle", "angle: 2*pi*t", "as a function of t"},
    {"displacement", "displacement: 0.1*t", "likewise"},
    {0},
};
const carom_joint_kind carom_joint_kind_motion = {
    .facts = {"motion", "prescribes what a joint leaves free", "motion: pin, angle: 2*pi*t", word},
    .n_to = 1,
    .fits = CAROM_FITS_JOINTS,
    .needs_points = false,
    .weave = weave,
    .space = weave,
};
