// SPDX-License-Identifier: Apache-2.0
// Motors: what drives the freedom of a joint.
//
//     angle, displacement     row  free - text(t)
//     torque, force           a force on it
#include "model/bodies/fitting.h"

static const carom_word_facts motor_word[] = {
    {"angle", "angle: 2*pi*t", "the angle as a function of t"},
    {"displacement", "displacement: 0.1*sin(t)", "likewise"},
    {"torque", "torque: 0.5", "a torque on the joint's angle"},
    {"force", "force: -10", "a force along the joint's displacement"},
    {"speed", "speed: 10", "not yet"},
    {0},
};
static const carom_fitting_facts motor = {"motor", "drives a joint", "on: pin, angle: 2*pi*t",
                                          motor_word};

// what a motor prescribes; what it pushes with comes later (carom_motor_push)
carom_status carom_motor_add(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item};
    CAROM_TRY(carom_fitting_begin(&fitting, &motor, 1, CAROM_FITS_JOINTS, false));
    const carom_joint *joint = &fitting.of[0];
    const carom_word_text *speed = carom_fitting_word(&fitting, "speed");
    if (speed)
        return carom_fail_at(making->error, speed->key.place, CAROM_BAD_INPUT,
                             "motors with a given speed are not yet supported (write angle: "
                             "speed*t, or a torque)");
    if (fitting.text->n_word != 1)
        return carom_fail_at(making->error, fitting.text->place, CAROM_BAD_INPUT,
                             "the motor '%.60s' needs one of angle, displacement, torque, force",
                             fitting.text->name.text);
    const carom_word_text *word = &fitting.text->word[0];
    const bool is_angle = word->key.text[0] == 'a' || word->key.text[0] == 't';
    const carom_ref free = is_angle ? joint->angle : joint->displacement;
    if (free < 0)
        return carom_fail_at(making->error, word->key.place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no %s", joint->name,
                             is_angle ? "angle" : "displacement");
    if (word->key.text[0] == 't' || word->key.text[0] == 'f') return CAROM_OK;
    carom_ref wanted;
    CAROM_TRY(carom_fitting_expression(&fitting, word->key.text, NULL, &wanted));
    if (carom_graph_kinds(making->graph, wanted) & ~(1u << CAROM_TIME))
        return carom_fail_at(making->error, word->value[0].place, CAROM_BAD_INPUT,
                             "a prescribed motion depends on t only");
    return carom_fitting_row(&fitting, "motion", carom_graph_sub(making->graph, free, wanted));
}

carom_status carom_motor_push(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item, .g = making->graph};
    const char *key = fitting.text->word[0].key.text;
    carom_joint joint;
    carom_ref force;
    if (key[0] != 't' && key[0] != 'f') return CAROM_OK;
    CAROM_TRY(carom_bodies_joint(making, fitting.text->to[0], &joint));
    CAROM_TRY(carom_fitting_expression(&fitting, key, NULL, &force));
    return carom_bodies_push(making, force, key[0] == 't' ? joint.angle : joint.displacement);
}
