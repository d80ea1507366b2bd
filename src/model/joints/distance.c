// SPDX-License-Identifier: Apache-2.0
// Distance: a rod without mass.   row  abs(d) - length
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref length = carom_weave_norm(f->g, f->d);
    carom_ref given = carom_bodies_at_start(f->making, length);
    double start;
    if (carom_graph_is_number(f->g, given, &start) && start == 0)
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "the points of '%.60s' are in one place at the start: the rod has no "
                             "direction (a joint for points that stay together is %s)",
                             f->text->name.text,
                             carom_bodies_are_plane(f->making) ? "revolute" : "spherical");
    if (carom_fitting_word(f, "length"))
        CAROM_TRY(carom_fitting_constant(f, "length", NULL, &given));
    return carom_fitting_row(f, "length", carom_graph_sub(f->g, length, given));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    CAROM_WORDS_OF_REACTION,
    {"length", "length: 1", "auto: that of the start"},
    {0},
};
const carom_joint_kind carom_joint_kind_distance = {
    .facts = {"distance", "a rod without mass between two points",
              "distance: [ground, bob], from: [0, 0], to: bob", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave,
    .sketch = CAROM_SKETCH_LINE,
};
