// SPDX-License-Identifier: Apache-2.0
// Dry friction under a given load: against the rate of a joint, or where two bodies touch at a
// point. It sticks.
//
//     joint     |M| <= torque, or |F| <= force
//     bodies    |F| <= coefficient load      against the rate of y1.d, x1 = normal of body 1;
//                                            of x1.d and y1.d without normal
#include "model/bodies/rub.h"

#include "math/rotation.h"

static carom_status rub_joint(carom_fitting *f)
{
    const bool is_torque = carom_fitting_word(f, "torque") != NULL;
    const carom_ref free = is_torque ? f->of[0].angle : f->of[0].displacement;
    carom_ref limit;
    if (!is_torque && !carom_fitting_word(f, "force"))
        return carom_fail_at(f->making->error, f->text->place, CAROM_BAD_INPUT,
                             "'%.60s' needs what it can hold (write torque: 0.2, or force: 5)",
                             f->text->name.text);
    if (free < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no %s", f->of[0].name,
                             is_torque ? "angle" : "displacement");
    CAROM_TRY(carom_rub_limit(f, is_torque ? "torque" : "force", &limit));
    const carom_ref rate = carom_graph_rate(f->g, free);
    return carom_rub_disc(f, "friction", &rate, 1, limit);
}

static carom_status find_normal(carom_fitting *f, const carom_word_text *word, carom_vec *normal)
{
    double x, y;
    CAROM_TRY(carom_bodies_vector(f->making, word->value, word->n, "a normal", normal));
    if (carom_graph_is_number(f->g, normal->c[0], &x) &&
        carom_graph_is_number(f->g, normal->c[1], &y) && x == 0 && y == 0)
        return carom_fail_at(f->making->error, word->key.place, CAROM_BAD_INPUT,
                             "the normal of '%.60s' is zero", f->text->name.text);
    const carom_vec inside =
        carom_weave_inside(f->g, &f->body[0]->start, carom_weave_unit(f->g, *normal));
    *normal = carom_weave_direction(f->g, &f->body[0]->now, inside);
    return CAROM_OK;
}

static carom_status weave(carom_fitting *f)
{
    carom_ref load, coefficient, rate[2];
    const carom_word_text *word = carom_fitting_word(f, "normal");
    if (f->text->n_to == 1) return rub_joint(f);
    CAROM_TRY(carom_rub_limit(f, "load", &load));
    CAROM_TRY(carom_rub_limit(f, "coefficient", &coefficient));
    const carom_ref limit = carom_graph_mul(f->g, coefficient, load);
    if (word) {
        carom_vec normal;
        CAROM_TRY(find_normal(f, word, &normal));
        const carom_vec side = carom_weave_cross(f->g, carom_weave_numbers(f->g, 0, 0, 1), normal);
        rate[0] = carom_graph_rate(f->g, carom_weave_dot(f->g, side, f->d));
        return carom_rub_disc(f, "friction", rate, 1, limit);
    }
    rate[0] = carom_graph_rate(f->g, carom_weave_dot(f->g, f->x[0], f->d));
    rate[1] = carom_graph_rate(f->g, carom_weave_dot(f->g, f->y[0], f->d));
    return carom_rub_disc(f, "friction", rate, 2, limit);
}

// across a normal there are two directions, without one all three
static carom_status weave_space(carom_fitting *f)
{
    const carom_word_text *word = carom_fitting_word(f, "normal");
    double z[3] = {0, 0, 1}, x[3], y[3];
    carom_ref load, coefficient, rate[3];
    if (f->text->n_to == 1) return rub_joint(f);
    CAROM_TRY(carom_rub_limit(f, "load", &load));
    CAROM_TRY(carom_rub_limit(f, "coefficient", &coefficient));
    if (word) CAROM_TRY(carom_bodies_unit(f->making, word->value, word->n, "a normal", z));
    carom_rotation_across(z, x);
    carom_rotation_cross(z, x, y);
    const double *const along[] = {x, y, z};
    const int n = word ? 2 : 3;
    for (int i = 0; i < n; i++) {
        const double *a = along[i];
        const carom_vec inside = carom_weave_inside(f->g, &f->body[0]->start,
                                                    carom_weave_numbers(f->g, a[0], a[1], a[2]));
        const carom_vec now = carom_weave_direction(f->g, &f->body[0]->now, inside);
        rate[i] = carom_graph_rate(f->g, carom_weave_dot(f->g, now, f->d));
    }
    return carom_rub_disc(f, "friction", rate, n, carom_graph_mul(f->g, coefficient, load));
}

static const carom_word_facts word[] = {
    CAROM_WORDS_OF_POINTS,
    {"normal", "normal: [0, 1]", "across which nothing slides; left out: slides every way"},
    {"load", "load: 20", "what presses the bodies together [N]"},
    {"coefficient", "coefficient: 0.3", "of friction"},
    {"torque", "torque: 0.2", "on a joint's angle instead: what it holds [N m]"},
    {"force", "force: 5", "on a joint's displacement instead [N]"},
    {0},
};
const carom_element_kind carom_element_kind_dry_friction = {
    .facts = {"dry_friction", "rubs and sticks under a given load",
              "dry_friction: [ground, block], at: [0, 0], normal: [0, 1], load: 20, "
              "coefficient: 0.3",
              word},
    .n_to = 2,
    .fits = CAROM_FITS_EITHER,
    .needs_points = true,
    .weave = weave,
    .space = weave_space,
};
