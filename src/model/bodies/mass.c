// SPDX-License-Identifier: Apache-2.0
// Mass, centre and inertia of a body, as its text gives them: numbers are checked, live parameters
// stay expressions.
//
//     plane    J > 0
//     space    J symmetric, its principal moments J1 <= J2 <= J3 positive, J1 + J2 >= J3
//
// A body in space keeps the axes that the user gave it; nothing is turned to principal axes, which
// a new value of a parameter would turn again.
#include "model/matter/matter.h"

#include "math/symmetric3.h"

#include <math.h>

static carom_status refuse_amount(carom_making *making, const carom_body *body, carom_text text,
                                  const char *what)
{
    if (!text.text)
        return carom_fail_at(making->error, body->place, CAROM_BAD_INPUT,
                             "the body '%.80s' needs '%s' (write %s: 1)", body->name, what, what);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "the %s of the body '%.80s' must be positive, not '%.60s'", what,
                         body->name, text.text);
}

static carom_status plane_inertia(carom_making *making, carom_body *body,
                                  const carom_body_text *text)
{
    double amount;
    const carom_text inertia = text->n_inertia ? text->inertia[0] : (carom_text){0};
    if (text->n_inertia > 1)
        return carom_fail_at(making->error, inertia.place, CAROM_BAD_INPUT,
                             "a body of the plane has one moment of inertia, not %d",
                             text->n_inertia);
    CAROM_TRY(carom_bodies_constant(making, inertia, "an inertia", &body->inertia[2]));
    if (carom_graph_is_number(making->graph, body->inertia[2], &amount) && !(amount > 0))
        return refuse_amount(making, body, inertia, "inertia");
    return CAROM_OK;
}

// the triangle inequality holds for every distribution of mass; rounding of a flat body is let pass
static carom_status check_moments(carom_making *making, const carom_body *body,
                                  const carom_body_text *text)
{
    double J[6], moment[3];
    for (int i = 0; i < 6; i++)
        if (!carom_graph_is_number(making->graph, body->inertia[i], &J[i])) return CAROM_OK;
    carom_symmetric3_eigenvalues(J, moment);
    const double largest = moment[2], least = moment[0];
    if (!(least > 0))
        return carom_fail_at(making->error, text->inertia[0].place, CAROM_BAD_INPUT,
                             "the inertia of the body '%.80s' must be positive: its principal "
                             "moments are %g, %g, %g",
                             body->name, moment[0], moment[1], moment[2]);
    if (moment[0] + moment[1] < largest * (1 - 1e-9))
        return carom_fail_at(making->error, text->inertia[0].place, CAROM_BAD_INPUT,
                             "no body has the inertia of '%.80s': of its principal moments %g, %g, "
                             "%g the largest is above the sum of the others",
                             body->name, moment[0], moment[1], moment[2]);
    return CAROM_OK;
}

static carom_status space_inertia(carom_making *making, carom_body *body,
                                  const carom_body_text *text)
{
    const carom_place place = text->n_inertia ? text->inertia[0].place : body->place;
    if (text->n_inertia != 3 && text->n_inertia != 6)
        return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                             "the body '%.80s' needs three moments of inertia, or six entries "
                             "(write inertia: [Jx, Jy, Jz] or [xx, yy, zz, xy, xz, yz])",
                             body->name);
    for (int i = 0; i < text->n_inertia; i++)
        CAROM_TRY(carom_bodies_constant(making, text->inertia[i], "an inertia", &body->inertia[i]));
    return check_moments(making, body, text);
}

// what follows from shapes is not given too
static carom_status refuse_twice(carom_making *making, const carom_body *body,
                                 const carom_body_text *text)
{
    carom_text given = {0};
    if (text->density.text && text->mass.text) given = text->mass;
    if (text->density.text && text->n_inertia) given = text->inertia[0];
    if (text->centre.n) given = text->centre.part[0];
    if (!given.text) return CAROM_OK;
    return carom_fail_at(making->error, given.place, CAROM_BAD_INPUT,
                         "this follows from the shapes of '%.60s' (leave it out, or give mass and "
                         "inertia, and no density)",
                         body->name);
}

// density, or a mass that is spread evenly
static carom_status from_shapes(carom_making *making, carom_body *body, const carom_body_text *text,
                                int first)
{
    carom_graph *g = making->graph;
    const carom_text given = text->density.text ? text->density : text->mass;
    const char *what = text->density.text ? "density" : "mass";
    carom_shape_mass one;
    carom_ref density;
    double amount;
    if (text->n_shape == 0)
        return carom_fail_at(making->error, given.place, CAROM_BAD_INPUT,
                             "the density of '%.60s' says nothing without a shape (write shape: "
                             "{box: [0.2, 0.1]}, or mass and inertia)",
                             body->name);
    CAROM_TRY(refuse_twice(making, body, text));
    CAROM_TRY(carom_matter_weigh(making, body, first, &one));
    CAROM_TRY(carom_bodies_constant(making, given, what, &density));
    if (carom_graph_is_number(g, density, &amount) && !(amount > 0))
        return refuse_amount(making, body, given, what);
    if (!text->density.text)
        density = carom_graph_mul(g, density, carom_graph_number(g, 1 / one.mass));
    body->mass =
        text->density.text ? carom_graph_mul(g, density, carom_graph_number(g, one.mass)) : density;
    if (!text->density.text) CAROM_TRY(carom_bodies_constant(making, given, what, &body->mass));
    for (int i = 0; i < 6; i++)
        body->inertia[i] = carom_graph_mul(g, density, carom_graph_number(g, one.inertia[i]));
    body->centre = carom_weave_numbers(g, one.centre[0], one.centre[1], one.centre[2]);
    body->is_where_its_shapes_are = text->at.n == 0 && !text->on.kind.text;
    body->is_weightless = text->is_weightless;
    return CAROM_OK;
}

carom_status carom_body_mass(carom_making *making, carom_body *body, const carom_body_text *text,
                             int first)
{
    double amount;
    if (text->density.text || (text->mass.text && !text->n_inertia && text->n_shape > 0))
        return from_shapes(making, body, text, first);
    CAROM_TRY(carom_bodies_constant(making, text->mass, "a mass", &body->mass));
    if (carom_graph_is_number(making->graph, body->mass, &amount) && !(amount > 0))
        return refuse_amount(making, body, text->mass, "mass");
    for (int i = 0; i < 6; i++) body->inertia[i] = carom_graph_number(making->graph, 0);
    CAROM_TRY(carom_bodies_are_plane(making) ? plane_inertia(making, body, text)
                                             : space_inertia(making, body, text));
    CAROM_TRY(carom_bodies_vector(making, text->centre.part, text->centre.n, "the centre of mass",
                                  &body->centre));
    body->is_weightless = text->is_weightless;
    return CAROM_OK;
}
