// SPDX-License-Identifier: Apache-2.0
// Play of pins and balls: distance, sliding, contact.
#include "model/bodies/play.h"

carom_status carom_play_read(carom_fitting *fitting, carom_play *play)
{
    CAROM_TRY(carom_fitting_size(fitting, "play", true, &play->play));
    play->radius = carom_graph_number(fitting->g, 0);
    if (carom_fitting_word(fitting, "radius"))
        CAROM_TRY(carom_fitting_size(fitting, "radius", false, &play->radius));
    play->is_rough = carom_fitting_word(fitting, "friction") != NULL;
    return CAROM_OK;
}

carom_ref carom_play_distance(const carom_fitting *fitting, const carom_play *play, carom_vec d,
                              carom_vec *n)
{
    carom_graph *g = fitting->g;
    const carom_ref tiny = carom_graph_mul(g, carom_graph_number(g, 1e-9), play->play);
    const carom_ref square =
        carom_graph_add(g, carom_weave_dot(g, d, d), carom_graph_mul(g, tiny, tiny));
    const carom_ref distance = carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    for (int i = 0; i < 3; i++) n->c[i] = carom_graph_make(g, CAROM_OP_DIV, d.c[i], distance, -1);
    return distance;
}

carom_vec carom_play_sliding(const carom_fitting *fitting, const carom_play *play, carom_vec d,
                             carom_vec n)
{
    carom_graph *g = fitting->g;
    const carom_vec arm2 = carom_weave_scale(g, play->radius, n);
    const carom_vec arm1 = carom_weave_add(g, d, arm2);
    const carom_vec W1 = carom_bodies_spin(g, fitting->body[0]),
                    W2 = carom_bodies_spin(g, fitting->body[1]);
    const carom_vec v = carom_weave_add(g, carom_weave_rate(g, d), carom_weave_cross(g, W2, arm2));
    return carom_weave_sub(g, v, carom_weave_cross(g, W1, arm1));
}

carom_status carom_play_touch(carom_fitting *fitting, const carom_play *play, const char *suffix,
                              carom_ref distance, const carom_ref slip[2])
{
    carom_graph *g = fitting->g;
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), play->play);
    fitting->slip_is_rate = true;
    return carom_fitting_contact(fitting, suffix, carom_graph_sub(g, half, distance), slip);
}
