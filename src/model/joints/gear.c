// SPDX-License-Identifier: Apache-2.0
// Gear: wheels that roll on each other, both on one carrier.   row  n1 angle1 + n2 angle2, from
// the start
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref n[2];
    const carom_word_text *teeth = carom_fitting_word(f, "teeth");
    if (f->of[0].angle < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no angle", f->of[0].name);
    if (f->of[1].angle < 0)
        return carom_fail_at(f->making->error, f->text->to[1].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no angle", f->of[1].name);
    if (!teeth || teeth->n != 2)
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "a gear needs the teeth of both wheels (write teeth: [20, 40])");
    for (int i = 0; i < 2; i++) {
        CAROM_TRY(carom_bodies_constant(f->making, teeth->value[i], "a number of teeth", &n[i]));
        n[i] = carom_graph_mul(f->g, n[i], f->of[i].angle);
    }
    const carom_ref sum = carom_graph_add(f->g, n[0], n[1]);
    return carom_fitting_row(f, "mesh",
                             carom_graph_sub(f->g, sum, carom_bodies_at_start(f->making, sum)));
}

static const carom_word_facts word[] = {
    {"teeth", "teeth: [20, 40]", "of both wheels; one that is negative turns inside the other"},
    {0},
};
const carom_joint_kind carom_joint_kind_gear = {
    .facts = {"gear", "couples the angles of two joints by numbers of teeth",
              "gear: [a, b], teeth: [20, 40]", word},
    .n_to = 2,
    .fits = CAROM_FITS_JOINTS,
    .needs_points = false,
    .weave = weave,
    .space = weave,
};
