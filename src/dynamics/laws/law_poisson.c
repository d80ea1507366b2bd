// SPDX-License-Identifier: Apache-2.0
// Poisson's law: what was pressed in comes back, e times the impulse. An impact has two phases,
//
//     compression   0 <= gamma_c            _|_  C_N >= 0,     |C_T| <= mu C_N
//     expansion     0 <= gamma_c + G (E+D)  _|_  D_N >= 0,     |D_T| <= mu (e C_N + D_N)
//                   E: e C_N on the normals, nothing on the tangents
//
// with the total impulse C + E + D. Without friction, and where a contact is alone, it is Newton's
// law. With equal e no energy is made (Ch. Glocker, Spatial friction as standard inequality
// problem; F. Pfeiffer, Ch. Glocker, Multibody dynamics with unilateral contacts, 1996). Friction
// of the part that is given is a disc of known radius.
#include "dynamics/laws/laws.h"

#include "dynamics/laws/collision_room.h"

static carom_status poisson_one(carom_collision *c, const carom_hit *before, double *Q)
{
    carom_hit hit = *before;
    CAROM_TRY(carom_hit_solve(c, &hit, NULL, 0, Q));
    const double given = hit.e * Q[0];
    if (!(given > 0)) return CAROM_OK;
    carom_hit_push(&hit, 0, given);
    Q[0] += given;
    return carom_hit_solve(c, &hit, NULL, given, Q);
}

static carom_status poisson_all(carom_collision *c)
{
    double *given = c->room->given;
    CAROM_TRY(carom_collision_solve(c, NULL, NULL));
    for (int k = 0; k < c->n_block; k++) given[k] = c->facts[k]->e * c->P[c->block[k].first];
    for (int k = 0; k < c->n_block; k++) carom_collision_push(c, c->block[k].first, given[k]);
    return carom_collision_solve(c, NULL, given);
}

const carom_impact_law carom_impact_law_poisson = {
    .name = "poisson",
    .about = "compression, then e times its impulse back; all contacts together",
    .number = CAROM_LAW_POISSON,
    .one = poisson_one,
    .all = poisson_all,
};
