// SPDX-License-Identifier: Apache-2.0
// Rack and pinion.   row  displacement - radius angle, from the start
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref radius;
    if (f->of[0].displacement < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no displacement", f->of[0].name);
    if (f->of[1].angle < 0)
        return carom_fail_at(f->making->error, f->text->to[1].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no angle", f->of[1].name);
    CAROM_TRY(carom_fitting_constant(f, "radius", NULL, &radius));
    const carom_ref row =
        carom_graph_sub(f->g, f->of[0].displacement, carom_graph_mul(f->g, radius, f->of[1].angle));
    return carom_fitting_row(f, "mesh",
                             carom_graph_sub(f->g, row, carom_bodies_at_start(f->making, row)));
}

static const carom_word_facts word[] = {
    {"radius", "radius: 0.02", "of the pinion"},
    {0},
};
const carom_joint_kind carom_joint_kind_rack = {
    .facts = {"rack", "couples a displacement with an angle", "rack: [slide, pinion], radius: 0.02",
              word},
    .n_to = 2,
    .fits = CAROM_FITS_JOINTS,
    .needs_points = false,
    .weave = weave,
    .space = weave,
};
