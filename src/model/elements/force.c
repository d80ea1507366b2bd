// SPDX-License-Identifier: Apache-2.0
// Force at a point of a body, in axes of space or of the body.   Q = F dp/dq
#include "model/bodies/fitting.h"

#include <string.h>

static carom_status weave(carom_fitting *f)
{
    const carom_word_text *value = carom_fitting_word(f, "value");
    bool is_own;
    carom_vec F = carom_weave_numbers(f->g, 0, 0, 0);
    if (!value || value->n != f->making->bodies->dim)
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "a force has a component for each direction (write value: [0, -5], "
                             "in space [0, 0, -5])");
    for (int i = 0; i < value->n; i++)
        CAROM_TRY(carom_making_node(f->making, value->value[i], (carom_allowed){0}, &F.c[i]));
    CAROM_TRY(carom_fitting_frame(f, &is_own));
    if (is_own) F = carom_weave_direction(f->g, &f->body[0]->now, F);
    for (int i = 0; i < value->n; i++)
        CAROM_TRY(carom_bodies_push(f->making, F.c[i], f->point[1].c[i]));
    return CAROM_OK;
}

static const carom_word_facts word[] = {
    {"at", "at: lever.end", "the point at the start"},
    {"value", "value: [0, -5]", "[N]"},
    {"frame", "frame: body", "axes of value: inertial (default) or body"},
    {0},
};
const carom_element_kind carom_element_kind_force = {
    .facts = {"force", "a force at a point of a body",
              "force: lever, at: lever.end, value: [0, -5]", word},
    .n_to = 1,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
    .space = weave,
};
