// SPDX-License-Identifier: Apache-2.0
// Torsion spring on a joint's angle, or between two bodies.
//
//     M = -k (angle - slack) - c angle' + torque
#include "model/bodies/fitting.h"

static carom_status weave_angle(carom_fitting *f, carom_ref angle)
{
    static const char *const acts[] = {"stiffness", "damping", "torque"};
    carom_ref k, c, slack, torque;
    CAROM_TRY(carom_fitting_acts(f, acts, 3));
    if (angle < 0)
        return carom_fail_at(f->making->error, f->text->to[0].place, CAROM_BAD_INPUT,
                             "the joint '%.60s' has no angle", f->of[0].name);
    CAROM_TRY(carom_fitting_constant(f, "stiffness", "0", &k));
    CAROM_TRY(carom_fitting_constant(f, "angle", "0", &slack));
    CAROM_TRY(carom_fitting_constant(f, "damping", "0", &c));
    CAROM_TRY(carom_fitting_expression(f, "torque", "0", &torque));
    CAROM_TRY(carom_fitting_potential(f, k, carom_graph_sub(f->g, angle, slack)));
    const carom_ref damped = carom_graph_mul(f->g, c, carom_graph_rate(f->g, angle));
    return carom_bodies_push(f->making, carom_graph_sub(f->g, torque, damped), angle);
}

static carom_status weave(carom_fitting *f)
{
    return weave_angle(f, f->text->n_to == 1 ? f->of[0].angle : f->turned);
}

// the angle of two bodies about a common axis, between -pi and pi; that of a joint counts turns
static carom_status weave_space(carom_fitting *f)
{
    carom_graph *g = f->g;
    if (f->text->n_to == 1) return weave_angle(f, f->of[0].angle);
    return weave_angle(f, carom_graph_make(g, CAROM_OP_ATAN2, carom_weave_dot(g, f->y[0], f->x[1]),
                                           carom_weave_dot(g, f->x[0], f->x[1]), -1));
}

static const carom_word_facts word[] = {
    {"stiffness", "stiffness: 0.2", "[N m/rad]"},
    {"angle", "angle: 0", "where it is slack"},
    {"damping", "damping: 0.01", "[N m s/rad]"},
    {"axis", "axis: [0, 0, 1]", "of two bodies in space"},
    {"torque", "torque: 0.1", "added, positive on the second body"},
    {0},
};
const carom_element_kind carom_element_kind_torsion = {
    .facts = {"torsion", "turns a joint or two bodies back", "torsion: pin, stiffness: 0.2", word},
    .n_to = 2,
    .fits = CAROM_FITS_EITHER,
    .needs_points = false,
    .needs_axis = true,
    .weave = weave,
    .space = weave_space,
};
