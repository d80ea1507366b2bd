// SPDX-License-Identifier: Apache-2.0
// Gear-Gupta-Leimkuhler for impacts, unified, with the rows as the paper prints them: linearised
// about the midpoint. It is here to be compared; ggl_unified is the one to use.
//
//     q+ = q + h u_m + W(q_m)' psi
//     M(q_e) (u+ - u) = h f(t_m, q_m, u_m) + W(q_m)' P
//
//     0 <= g(q) + W(q_m) (q+ - q)                _|_  psi >= 0      (41)
//     0 <= (1 + e) W(q) u + W(q_m) (u+ - u)      _|_  P >= 0        (42)
//
// on the contacts with g(q_e) <= 0, q_e = q + h/2 u; q_m and u_m are the means of both ends. A
// contact that closes in the second half of a step is missed, so that gaps of O(h) remain.
//
// The step is in integrators/ggl.c, its equations in ggl_system.c. No friction.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, eqs 36-52.
#include "integrators/ggl.h"
#include "schemes/schemes.h"

static carom_status ggl_unified_printed_step(carom_step *s, const carom_state *now,
                                             carom_state *next)
{
    const carom_ggl_rows rows = {.is_printed = true, .has_gaps = true};
    return carom_ggl_step(s, rows, now, next);
}

static const unsigned masks[] = {CAROM_GGL_MASKS, 0};

const carom_scheme carom_scheme_ggl_unified_printed = {
    .name = "ggl_unified_printed",
    .about = "the unified GGL scheme with the rows as printed; leaves small negative gaps (see "
             "ggl_unified)",
    .reference = "S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler "
                 "method, 2014",
    .order_free = 2,
    .order_contact = 1,
    .level = "both",
    .cost = 6.5,
    .has_bilateral = true,
    .takes.varies = CAROM_VARIES_RESTITUTION,
    .has_contact = true,
    .can_vary_step = true,
    .is_implicit = true,
    .mask = masks,
    .n_eval = CAROM_GGL_N_EVAL,
    .n_work = carom_theta_n_work,
    .prepare = carom_ggl_prepare,
    .release = carom_ggl_release,
    .renew = carom_ggl_renew,
    .step = ggl_unified_printed_step,
};
