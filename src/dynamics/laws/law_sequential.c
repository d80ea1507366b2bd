// SPDX-License-Identifier: Apache-2.0
// Impacts one after another, each of one contact alone, until nothing closes (laws.h says in what
// order). A contact by itself obeys Poisson's law, which without friction is Newton's and with it
// makes no energy. Newton's cradle with balls that touch: the last one leaves, as if there were
// gaps between them. What several impacts at one instant come to depends on their order where
// bodies are hit from two sides: this one is stated, no order is the right one.
#include "dynamics/laws/laws.h"

static carom_status sequential_one(carom_collision *c, const carom_hit *hit, double *Q)
{
    return carom_impact_law_poisson.one(c, hit, Q);
}

const carom_impact_law carom_impact_law_sequential = {
    .name = "sequential",
    .about = "contacts collide in turn, the fastest first; each by Poisson's law",
    .number = CAROM_LAW_SEQUENTIAL,
    .one = sequential_one,
};
