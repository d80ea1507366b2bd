// SPDX-License-Identifier: Apache-2.0
// Newton's law: a contact that closes opens as fast as e times that,
//
//     0 <= gamma+ + e gamma-  _|_  Q_N >= 0        tangents likewise, with e_t and friction
//
// It is the law of time stepping, where this file is not asked (dynamics/law.h). Here it serves
// contacts that collide in turn. With friction, or unequal e, it can make energy: the audit says
// so.
#include "dynamics/laws/laws.h"

static carom_status newton_one(carom_collision *c, const carom_hit *before, double *Q)
{
    carom_hit hit = *before;
    double aim[CAROM_POINT_ROWS];
    for (int k = 0; k < hit.dim; k++) aim[k] = (k == 0 ? hit.e : hit.e_t) * hit.rate[k];
    return carom_hit_solve(c, &hit, aim, 0, Q);
}

const carom_impact_law carom_impact_law_newton = {
    .name = "newton",
    .about = "rates after are -e times those before",
    .number = CAROM_LAW_NEWTON,
    .one = newton_one,
};
