// SPDX-License-Identifier: Apache-2.0
// Journal: the pin of body 2 in the bearing of body 1, a contact wherever it touches.
//
//     gap   play/2 - abs(d),   n = d/abs(d),  t = ez x n
//     slip' = t.d' + r omega2 - (r + abs(d)) omega1
//
// abs(d) is sqrt(d.d + (1e-9 play)^2): defined in the middle, the same to rounding at the bearing.
#include "model/bodies/fitting.h"

static carom_status weave(carom_fitting *f)
{
    carom_graph *g = f->g;
    carom_ref play, radius, slip = -1;
    CAROM_TRY(carom_fitting_constant(f, "play", NULL, &play));
    CAROM_TRY(carom_fitting_constant(f, "radius", "0", &radius));
    const carom_ref tiny = carom_graph_mul(g, carom_graph_number(g, 1e-9), play);
    const carom_ref square =
        carom_graph_add(g, carom_weave_dot(g, f->d, f->d), carom_graph_mul(g, tiny, tiny));
    const carom_ref distance = carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    if (carom_fitting_word(f, "friction")) {
        const carom_vec v = carom_weave_rate(g, f->d);
        const carom_vec t = carom_weave_cross(g, carom_weave_numbers(g, 0, 0, 1), f->d);
        slip = carom_graph_make(g, CAROM_OP_DIV, carom_weave_dot(g, t, v), distance, -1);
        const carom_ref w1 = carom_graph_rate(g, f->body[0]->angle);
        const carom_ref w2 = carom_graph_rate(g, f->body[1]->angle);
        slip = carom_graph_add(g, slip, carom_graph_mul(g, radius, w2));
        slip =
            carom_graph_sub(g, slip, carom_graph_mul(g, carom_graph_add(g, radius, distance), w1));
    }
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), play);
    f->slip_is_rate = true;
    return carom_fitting_contact(f, "touch", carom_graph_sub(g, half, distance), slip);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"radius", "radius: 0.004", "of the pin"},
    {"play", "play: 1e-4", "diameter, or height, that is free"},
    {"restitution", "restitution: 0.4", "of impacts"},
    {"friction", "friction: 0.1", "of sliding"},
    {0},
};
const carom_joint_kind carom_joint_kind_journal = {
    .facts = {"journal", "a pin with play in its bearing",
              "journal: [ground, crank], at: [0, 0], radius: 0.004, play: 1e-4", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
};
