// SPDX-License-Identifier: Apache-2.0
// Gear-Gupta-Leimkuhler for impacts, unified: an implicit midpoint rule in which impact law and
// gaps of a step hold together, both at its end. The scheme to recommend of this family: no gap
// ends negative beyond rounding. With q_m, u_m the means of both ends and q_e = q + h/2 u:
//
//     q+ = q + h u_m + W(q_m)' psi                        0 <= g(q+)  _|_  psi >= 0
//     M(q_e) (u+ - u) = h f(t_m, q_m, u_m) + W(q_m)' P    0 <= W(q+) u+ + e W(q) u  _|_  P >= 0
//
// on the contacts with g(q_e) <= 0 and those whose gap would otherwise end negative: these join,
// and the step is solved again from its start. Constraints have the same two rows, as equations.
// P is the impulse; psi moves the position only.
//
// Friction is on velocity level, in the same step: a contact's tangents obey Coulomb's law with the
// same P, on W_T(q+) u+ and W_T(q) u, and push along W_T(q+). psi does not know them. With
// metric = mass psi is an impulse, q+ = q + h u_m + M(q_e)^-1 W(q_m)' psi: the least correction as
// kinetic energy measures it, the same in all coordinates.
//
// The step is in integrators/ggl.c, its equations in ggl_system.c, Newton's method in ggl_newton.c,
// with friction in ggl_friction.c; the schemes of this family are choices of rows.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, Sect. 3.2, with the rows of the end of the step.
#include "dynamics/law.h"
#include "integrators/ggl.h"
#include "schemes/schemes.h"

enum { METRIC };

static carom_status ggl_unified_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_ggl_rows rows = {.has_gaps = true,
                                 .adds_closing = true,
                                 .has_friction = true,
                                 .moves_masses = s->option[METRIC] == 1};
    return carom_ggl_step(s, rows, now, next);
}

static const carom_option options[] = {
    {"metric", CAROM_CHOICE, 0, 0, 1, "identity|mass", "how corrections of positions are measured"},
    {0}};

static const unsigned masks[] = {CAROM_GGL_MASKS, 0};

const carom_scheme carom_scheme_ggl_unified = {
    .name = "ggl_unified",
    .about = "implicit midpoint with impact law and gaps at the end of the step: no penetration",
    .reference = "S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler "
                 "method, 2014",
    .order_free = 2,
    .order_contact = 1,
    .level = "both",
    .cost = 4,
    .has_friction = true,
    .has_bilateral = true,
    .takes.varies = CAROM_VARIES_ALL,
    .has_contact = true,
    .can_vary_step = true,
    .is_implicit = true,
    .option = options,
    .mask = masks,
    .n_eval = CAROM_GGL_N_EVAL,
    .n_work = carom_theta_n_work,
    .prepare = carom_ggl_prepare_rough,
    .release = carom_ggl_release,
    .renew = carom_ggl_renew,
    .step = ggl_unified_step,
};
