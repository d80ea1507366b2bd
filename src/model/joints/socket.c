// SPDX-License-Identifier: Apache-2.0
// Socket: the ball of body 2 with play in the hollow ball of body 1 (model/bodies/play.h). With
// friction it slides along t = unit(x1 x n) and n x t; it must not touch where n is x1 itself.
#include "model/bodies/fitting.h"
#include "model/bodies/play.h"

static carom_status weave(carom_fitting *f)
{
    carom_graph *g = f->g;
    carom_play play;
    carom_vec n;
    CAROM_TRY(carom_play_read(f, &play));
    const carom_ref distance = carom_play_distance(f, &play, f->d, &n);
    carom_ref slip[2] = {-1, -1};
    if (play.is_rough) {
        const carom_vec v = carom_play_sliding(f, &play, f->d, n);
        const carom_vec t = carom_weave_unit(g, carom_weave_cross(g, f->x[0], n));
        slip[0] = carom_weave_dot(g, t, v);
        slip[1] = carom_weave_dot(g, carom_weave_cross(g, n, t), v);
    }
    return carom_play_touch(f, &play, "touch", distance, slip);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"radius", "radius: 0.01", "of the ball"},
    {"play", "play: 1e-4", "diameter that is free"},
    {"axis", "axis: [0, 0, 1]", "along the load: friction fails where n is across it, along x1"},
    {"restitution", "restitution: 0.4", "of impacts"},
    {"friction", "friction: 0.1", "of sliding"},
    {0},
};
const carom_joint_kind carom_joint_kind_socket = {
    .facts = {"socket", "a ball with play in a hollow ball",
              "socket: [ground, arm], at: [0, 0, 0], radius: 0.01, play: 1e-4", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .space = weave,
};
