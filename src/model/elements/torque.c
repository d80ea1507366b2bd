// SPDX-License-Identifier: Apache-2.0
// Torque on a body.   Q = M dangle/dq
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_ref M;
    CAROM_TRY(carom_fitting_expression(f, "value", NULL, &M));
    return carom_bodies_push(f->making, M, f->body[0]->angle);
}

static const carom_word_facts word[] = {
    {"value", "value: 0.5", "[N m]"},
    {0},
};
const carom_element_kind carom_element_kind_torque = {
    .facts = {"torque", "a torque on a body", "torque: wheel, value: 0.5", word},
    .n_to = 1,
    .fits = CAROM_FITS_BODIES,
    .needs_points = false,
    .weave = weave,
};
