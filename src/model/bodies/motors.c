// SPDX-License-Identifier: Apache-2.0
// Motors: what drives the freedom of a joint.
//
//     angle, displacement           row  free - text(t)
//     speed                         row  free' - text(t, q), on velocity level only
//     speed with torque or force    the same as a force of limited strength: holds the speed where
//                                   that suffices, else pushes with it
//     torque, force                 a force on it
#include "model/bodies/rub.h"

static const carom_word_facts motor_word[] = {
    {"angle", "angle: 2*pi*t", "the angle as a function of t"},
    {"displacement", "displacement: 0.1*sin(t)", "likewise"},
    {"speed", "speed: 10", "the rate of the joint, of t and positions; alone, or with at most a"},
    {"torque", "torque: 0.5", "a torque on the joint's angle; beside speed its limit"},
    {"force", "force: -10", "a force along the joint's displacement; beside speed its limit"},
    {0},
};
static const carom_fitting_facts motor = {"motor", "drives a joint", "on: pin, angle: 2*pi*t",
                                          motor_word};

// which freedom the motor drives, and how
typedef struct drive {
    const carom_word_text *speed, *limit, *motion, *push;
    carom_ref free;
} drive;

static carom_status refuse_words(carom_fitting *fitting)
{
    return carom_fail_at(fitting->making->error, fitting->text->place, CAROM_BAD_INPUT,
                         "the motor '%.60s' needs one of angle, displacement, speed, torque, "
                         "force, or speed with the torque or force that it has",
                         fitting->text->name.text);
}

static carom_status read_words(carom_fitting *fitting, const carom_joint *joint, drive *d)
{
    const carom_word_text *torque = carom_fitting_word(fitting, "torque"),
                          *force = carom_fitting_word(fitting, "force"),
                          *angle = carom_fitting_word(fitting, "angle"),
                          *motion = angle ? angle : carom_fitting_word(fitting, "displacement");
    *d = (drive){.speed = carom_fitting_word(fitting, "speed"), .motion = motion};
    *(d->speed ? &d->limit : &d->push) = torque ? torque : force;
    const int n_word = fitting->text->n_word, n_known = (d->speed != NULL) + (d->limit != NULL) +
                                                        (d->motion != NULL) + (d->push != NULL);
    if (n_known != n_word || n_word == 0 || n_word > 2 || (n_word == 2 && !d->limit))
        return refuse_words(fitting);
    const bool is_lone = d->speed && !d->limit;
    const bool is_angle = is_lone ? joint->displacement < 0 : torque || angle;
    d->free = is_angle ? joint->angle : joint->displacement;
    if (d->free >= 0) return CAROM_OK;
    return carom_fail_at(fitting->making->error, fitting->text->word[0].key.place, CAROM_BAD_INPUT,
                         "the joint '%.60s' has no %s", joint->name,
                         is_angle ? "angle" : "displacement");
}

// what a motor prescribes; what it pushes with comes later (carom_motor_push)
carom_status carom_motor_add(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item};
    drive d;
    CAROM_TRY(carom_fitting_begin(&fitting, &motor, 1, CAROM_FITS_JOINTS, false, false));
    CAROM_TRY(read_words(&fitting, &fitting.of[0], &d));
    if (!d.motion) return CAROM_OK;
    carom_ref wanted;
    CAROM_TRY(carom_fitting_expression(&fitting, d.motion->key.text, NULL, &wanted));
    if (carom_graph_kinds(making->graph, wanted) & ~(1u << CAROM_TIME | 1u << CAROM_PARAMETER))
        return carom_fail_at(making->error, d.motion->value[0].place, CAROM_BAD_INPUT,
                             "a prescribed motion depends on t only");
    return carom_fitting_row(&fitting, "motion", carom_graph_sub(making->graph, d.free, wanted));
}

static carom_status hold_speed(carom_fitting *fitting, const drive *d)
{
    carom_graph *g = fitting->g;
    carom_ref speed, limit;
    CAROM_TRY(carom_fitting_expression(fitting, "speed", NULL, &speed));
    if (carom_graph_kinds(g, speed) & (1u << CAROM_U))
        return carom_fail_at(fitting->making->error, d->speed->value[0].place, CAROM_BAD_INPUT,
                             "the speed of a motor depends on t and positions only");
    const carom_ref slip = carom_graph_sub(g, carom_graph_rate(g, d->free), speed);
    if (!d->limit) return carom_rub_row(fitting, "speed", slip);
    CAROM_TRY(carom_rub_limit(fitting, d->limit->key.text, &limit));
    return carom_rub_disc(fitting, "speed", &slip, 1, limit);
}

carom_status carom_motor_push(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item, .g = making->graph};
    carom_joint joint;
    carom_ref force;
    drive d;
    CAROM_TRY(carom_making_name(making, fitting.text->name, &fitting.name));
    CAROM_TRY(carom_bodies_joint(making, fitting.text->to[0], &joint));
    CAROM_TRY(read_words(&fitting, &joint, &d));
    if (d.speed) return hold_speed(&fitting, &d);
    if (!d.push) return CAROM_OK;
    CAROM_TRY(carom_fitting_expression(&fitting, d.push->key.text, NULL, &force));
    return carom_bodies_push(making, force, d.free);
}
