// SPDX-License-Identifier: Apache-2.0
// Journal: the pin of body 2 with play in the bearing of body 1 (model/bodies/play.h).
//
//     plane   touches at d, slides along ez x n
//     space   touches at both ends of the pin, d +- length/2 z2, as far as they are across z1;
//             slides along z1 x n and along z1
#include "model/bodies/body_drawing.h"
#include "model/bodies/fitting.h"
#include "model/bodies/play.h"

// the pin in its bore
static carom_status sketch(const carom_fitting *f, const carom_play *play)
{
    carom_graph *g = f->g;
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), play->play);
    CAROM_TRY(carom_sketch_disc(f->making, f->body[0], f->point[0],
                                carom_graph_add(g, play->radius, half)));
    return carom_sketch_disc(f->making, f->body[1], f->point[1], play->radius);
}

static carom_status weave(carom_fitting *f)
{
    carom_graph *g = f->g;
    carom_play play;
    carom_vec n;
    CAROM_TRY(carom_play_read(f, &play));
    CAROM_TRY(sketch(f, &play));
    const carom_ref distance = carom_play_distance(f, &play, f->d, &n);
    carom_ref slip[2] = {-1, -1};
    if (play.is_rough)
        slip[0] = carom_weave_dot(g, carom_weave_cross(g, f->z[0], n),
                                  carom_play_sliding(f, &play, f->d, n));
    return carom_play_touch(f, &play, "touch", distance, slip);
}

// one end of the pin
static carom_status weave_end(carom_fitting *f, const carom_play *play, carom_ref along,
                              const char *suffix)
{
    carom_graph *g = f->g;
    const carom_vec z = f->z[0];
    const carom_vec end = carom_weave_add(g, f->d, carom_weave_scale(g, along, f->z[1]));
    const carom_vec across =
        carom_weave_sub(g, end, carom_weave_scale(g, carom_weave_dot(g, z, end), z));
    carom_vec n;
    const carom_ref distance = carom_play_distance(f, play, across, &n);
    carom_ref slip[2] = {-1, -1};
    if (play->is_rough) {
        const carom_vec v = carom_play_sliding(f, play, end, n);
        slip[0] = carom_weave_dot(g, carom_weave_cross(g, z, n), v);
        slip[1] = carom_weave_dot(g, z, v);
    }
    return carom_play_touch(f, play, suffix, distance, slip);
}

static carom_status weave_space(carom_fitting *f)
{
    carom_graph *g = f->g;
    carom_play play;
    carom_ref length;
    CAROM_TRY(carom_play_read(f, &play));
    CAROM_TRY(carom_fitting_constant(f, "length", NULL, &length));
    CAROM_TRY(sketch(f, &play));
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), length);
    CAROM_TRY(weave_end(f, &play, carom_graph_make(g, CAROM_OP_NEG, half, -1, -1), "touch1"));
    return weave_end(f, &play, half, "touch2");
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"radius", "radius: 0.004", "of the pin"},
    {"play", "play: 1e-4", "diameter that is free"},
    {"axis", "axis: [0, 0, 1]", "of the bearing, in space"},
    {"length", "length: 0.02", "of the bearing, in space"},
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
    .needs_axis = true,
    .weave = weave,
    .space = weave_space,
};
