// SPDX-License-Identifier: Apache-2.0
// Torque on a body.   Q = M dangle/dq
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref M;
    CAROM_TRY(carom_fitting_expression(f, "value", NULL, &M));
    return carom_bodies_push(f->making, M, f->body[0]->angle);
}

// power is M.W, whatever the axes
static carom_status weave_space(carom_fitting *f)
{
    const carom_word_text *value = carom_fitting_word(f, "value");
    bool is_own;
    CAROM_TRY(carom_fitting_frame(f, &is_own));
    const carom_vec W = is_own ? f->body[0]->spin : carom_bodies_spin(f->g, f->body[0]);
    if (!value || value->n != 3)
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "a torque in space has three components (write value: [0, 0, 0.5])");
    for (int i = 0; i < 3; i++) {
        carom_ref M;
        CAROM_TRY(carom_making_node(f->making, value->value[i], (carom_allowed){0}, &M));
        CAROM_TRY(carom_bodies_push_rate(f->making, M, W.c[i]));
    }
    return CAROM_OK;
}

static const carom_word_facts word[] = {
    {"value", "value: 0.5", "[N m]; in space three components"},
    {"frame", "frame: body", "axes of value in space: inertial (default) or body"},
    {0},
};
const carom_element_kind carom_element_kind_torque = {
    .facts = {"torque", "a torque on a body", "torque: wheel, value: 0.5", word},
    .n_to = 1,
    .fits = CAROM_FITS_BODIES,
    .needs_points = false,
    .weave = weave,
    .space = weave_space,
};
