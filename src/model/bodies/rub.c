// SPDX-License-Identifier: Apache-2.0
// What motors and dry friction bring; see the header.
//
//     pin      |M| <= mu r |F|                     F: what the joint's rows hold
//     slide    |F| <= mu |F_side| + mu |M|/l       as two forces of limited strength on one slip
#include "model/bodies/rub.h"

static const char *full_name(carom_fitting *fitting, const char *suffix)
{
    return carom_arena_format(fitting->making->model->arena, "%s.%s", fitting->name, suffix);
}

carom_status carom_rub_row(carom_fitting *fitting, const char *suffix, carom_ref rate)
{
    carom_making *making = fitting->making;
    carom_joint_row *row = CAROM_LIST_ADD(making->arena, &making->bodies->row);
    const char *name = full_name(fitting, suffix);
    if (!row || !name) return carom_making_no_memory(making);
    *row = (carom_joint_row){name, fitting->text->place, rate, true};
    return CAROM_OK;
}

static carom_status add_disc(carom_fitting *fitting, const char *suffix, carom_joint_disc given)
{
    if (fitting->displaced) return CAROM_OK; // rows only, see reaction.c
    carom_making *making = fitting->making;
    carom_joint_disc *disc = CAROM_LIST_ADD(making->arena, &making->bodies->disc);
    given.name = full_name(fitting, suffix);
    given.place = fitting->text->place;
    if (!disc || !given.name) return carom_making_no_memory(making);
    *disc = given;
    return CAROM_OK;
}

carom_status carom_rub_disc(carom_fitting *fitting, const char *suffix, const carom_ref *rate,
                            int n_slip, carom_ref limit)
{
    carom_joint_disc disc = {.n_slip = n_slip, .limit = limit};
    for (int k = 0; k < n_slip; k++) disc.rate[k] = rate[k];
    return add_disc(fitting, suffix, disc);
}

carom_status carom_rub_limit(carom_fitting *fitting, const char *key, carom_ref *limit)
{
    const carom_word_text *word = carom_fitting_word(fitting, key);
    // says that it is missing, or more than one
    if (!word || word->n != 1) return carom_fitting_expression(fitting, key, NULL, limit);
    return carom_making_limit(fitting->making, word->value[0], limit);
}

carom_status carom_rub_loaded(carom_fitting *fitting, const char *suffix, carom_ref free,
                              carom_ref factor, int back, int n)
{
    return add_disc(fitting, suffix,
                    (carom_joint_disc){.n_slip = 1,
                                       .rate = {carom_graph_rate(fitting->g, free)},
                                       .limit = factor,
                                       .load = fitting->making->bodies->row.n - back,
                                       .n_load = n});
}

static carom_status refuse_lone(carom_fitting *fitting, const char *key)
{
    const carom_word_text *word = carom_fitting_word(fitting, key);
    if (!word) return CAROM_OK;
    return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                         "'%s' of '%.60s' needs 'friction' beside it (write friction: 0.1)", key,
                         fitting->text->name.text);
}

carom_status carom_rub_pin(carom_fitting *fitting, carom_ref angle, int n)
{
    carom_ref mu, radius;
    if (!carom_fitting_word(fitting, "friction")) return refuse_lone(fitting, "pin_radius");
    CAROM_TRY(carom_fitting_size(fitting, "friction", false, &mu));
    CAROM_TRY(carom_fitting_size(fitting, "pin_radius", false, &radius));
    return carom_rub_loaded(fitting, "friction", angle, carom_graph_mul(fitting->g, mu, radius), n,
                            n);
}

carom_status carom_rub_slide(carom_fitting *fitting, carom_ref displacement)
{
    carom_graph *g = fitting->g;
    carom_ref mu, length;
    if (!carom_fitting_word(fitting, "friction")) return refuse_lone(fitting, "half_length");
    CAROM_TRY(carom_fitting_size(fitting, "friction", false, &mu));
    CAROM_TRY(carom_rub_loaded(fitting, "friction", displacement, mu, 2, 1));
    if (!carom_fitting_word(fitting, "half_length")) return CAROM_OK;
    CAROM_TRY(carom_fitting_size(fitting, "half_length", true, &length));
    const carom_ref factor = carom_graph_make(g, CAROM_OP_DIV, mu, length, -1);
    return carom_rub_loaded(fitting, "tilt", displacement, factor, 1, 1);
}
