// SPDX-License-Identifier: Apache-2.0
// Notch: a box of body 2 in a channel of body 1 along x1, whose walls its four corners hit. The
// middle of the box is the joint's point.
//
//     corner i at p = p2 + R2 (+-a, +-b):   gap  b + play/2 -+ y1.(p - p1),   slip  x1.(p - p1)
//
// Order: upper left, upper right, lower left, lower right.
#include "model/bodies/body_drawing.h"
#include "model/bodies/fitting.h"

// the box by its corners, around it, and both walls
static carom_status sketch(const carom_fitting *f, const carom_vec corner[4], carom_ref room)
{
    carom_graph *g = f->g;
    const carom_vec up = carom_weave_scale(g, room, f->y[0]);
    const carom_vec around[] = {corner[0], corner[1], corner[3], corner[2]};
    for (int i = 0; i < 2; i++) {
        const carom_vec wall =
            i == 0 ? carom_weave_add(g, f->point[0], up) : carom_weave_sub(g, f->point[0], up);
        CAROM_TRY(carom_sketch_rail(f->making, f->body[0], wall, f->point[1], f->x[0]));
    }
    return carom_sketch_add(f->making, "polygon", f->body[1], around, 4);
}

// what has length and height
static carom_status check_box(const carom_fitting *f, const carom_word_text *size, carom_vec full)
{
    for (int i = 0; i < 2; i++) {
        double value = 1;
        if (carom_graph_is_number(f->g, full.c[i], &value) && !(value > 0))
            return carom_fail_at(f->making->error, size->value[i].place, CAROM_BAD_INPUT,
                                 "the %s of a box must be above 0, it is %g",
                                 i == 0 ? "length" : "height", value);
    }
    return CAROM_OK;
}

static carom_status weave(carom_fitting *f)
{
    carom_graph *g = f->g;
    const carom_word_text *size = carom_fitting_word(f, "size");
    carom_vec full;
    carom_ref play;
    CAROM_TRY(carom_fitting_size(f, "play", false, &play));
    if (!size)
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "a notch needs the size of the box (write size: [0.1, 0.05])");
    CAROM_TRY(carom_bodies_vector(f->making, size->value, size->n, "size", &full));
    CAROM_TRY(check_box(f, size, full));
    const carom_frame *box = &f->body[1]->now;
    const carom_ref half = carom_graph_number(g, 0.5);
    const carom_ref room = carom_graph_mul(g, half, carom_graph_add(g, full.c[1], play));
    carom_vec corner[4];
    for (int i = 0; i < 4; i++) {
        const char suffix[] = {'c', (char)('1' + i), 0};
        carom_vec s = carom_weave_numbers(g, i % 2 ? 0.5 : -0.5, i < 2 ? 0.5 : -0.5, 0);
        for (int k = 0; k < 2; k++) s.c[k] = carom_graph_mul(g, s.c[k], full.c[k]);
        const carom_vec p = carom_weave_add(g, f->d, carom_weave_direction(g, box, s));
        corner[i] = carom_weave_add(g, f->point[0], p);
        const carom_ref y = carom_weave_dot(g, f->y[0], p);
        const carom_ref gap = i < 2 ? carom_graph_sub(g, room, y) : carom_graph_add(g, room, y);
        const carom_ref slip[2] = {carom_weave_dot(g, f->x[0], p), -1};
        CAROM_TRY(carom_fitting_contact(f, suffix, gap, slip));
    }
    return sketch(f, corner, room);
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"axis", "axis: [1, 0]", "of the channel"},
    {"size", "size: [0.1, 0.05]", "length and height of the box"},
    {"play", "play: 1e-4", "diameter, or height, that is free"},
    {"restitution", "restitution: 0.4", "of impacts"},
    {"friction", "friction: 0.1", "of sliding"},
    {0},
};
const carom_joint_kind carom_joint_kind_notch = {
    .facts = {"notch", "a box with play in a channel along an axis",
              "notch: [ground, slider], at: slider, size: [0.1, 0.05], play: 0.002", word},
    .n_to = 2,
    .fits = CAROM_FITS_BODIES,
    .needs_points = true,
    .weave = weave,
};
