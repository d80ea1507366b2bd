// SPDX-License-Identifier: Apache-2.0
// The comparison run of the Gear-Gupta-Leimkuhler paper: the unified scheme without psi and without
// gap rows, an implicit midpoint rule with the impact law only. It shows what the gap rows are for:
// gaps drift. With q_m, u_m the means of both ends and q_e = q + h/2 u:
//
//     q+ = q + h u_m
//     M(q_e) (u+ - u) = h f(t_m, q_m, u_m) + W(q_m)' P      contacts with g(q_e) <= 0
//
//     rows = end:       0 <= W(q+) u+ + e W(q) u                _|_  P >= 0
//     rows = printed:   0 <= (1 + e) W(q) u + W(q_m) (u+ - u)   _|_  P >= 0      (42)
//
// The step is in integrators/ggl.c, its equations in ggl_system.c. No friction.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, Sect. 3.2.2.
#include "integrators/ggl.h"
#include "schemes/schemes.h"

enum { ROWS };
enum { ROWS_END, ROWS_PRINTED };

static carom_status ggl_reference_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_ggl_rows rows = {.is_printed = (int)s->option[ROWS] == ROWS_PRINTED};
    return carom_ggl_step(s, rows, now, next);
}

static const carom_option options[] = {
    {"rows", CAROM_CHOICE, ROWS_END, 0, 0, "end|printed",
     "where the impact law takes its rates: end of the step, or eq 42"},
    {0}};

static const unsigned masks[] = {CAROM_GGL_MASKS, 0};

const carom_scheme carom_scheme_ggl_reference = {
    .name = "ggl_reference",
    .about =
        "the unified GGL scheme without its gap rows: implicit midpoint with the impact law only",
    .reference = "S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler "
                 "method, 2014",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 4,
    .has_bilateral = true,
    .takes.varies = CAROM_VARIES_RESTITUTION,
    .has_contact = true,
    .can_vary_step = true,
    .is_implicit = true,
    .option = options,
    .mask = masks,
    .n_eval = CAROM_GGL_N_EVAL,
    .n_work = carom_theta_n_work,
    .prepare = carom_ggl_prepare,
    .release = carom_ggl_release,
    .renew = carom_ggl_renew,
    .step = ggl_reference_step,
};
