// SPDX-License-Identifier: Apache-2.0
// Discs in contact problems; see the header.
#include "dynamics/discs.h"

#include "math/vector.h"
#include "model/model.h"

#include <math.h>

enum { MOST_PASSES = 200 };
static const double SETTLED = 1e-10; // of the largest radius

// of: rows back to the normal of its contact, 0 = it has none
static void add_disc(carom_contacts *c, int i, int of)
{
    carom_problem *p = &c->problem;
    const carom_contact_facts *facts = &c->facts[i];
    p->block[p->n_block++] = (carom_block){.first = p->n_row,
                                           .dim = facts->n_slip,
                                           .is_bilateral = true,
                                           .is_limited = true,
                                           .id = i,
                                           .of = of};
    for (int k = 1; k <= facts->n_slip; k++) carom_contacts_add_row(c, facts->row + k, 0);
}

void carom_discs_follow(carom_contacts *c, const carom_contact_facts *contact)
{
    const int normal = c->problem.block[c->problem.n_block - 1].first;
    for (int k = 0; k < contact->n_disc; k++)
        add_disc(c, contact->disc + k, c->problem.n_row - normal);
}

void carom_discs_choose(carom_contacts *c)
{
    for (int i = c->size.n_contact - c->size.n_disc; i < c->size.n_contact; i++)
        if (c->facts[i].of == 0) add_disc(c, i, 0);
}

double carom_disc_radius(const carom_contact_facts *facts, double limit, double span,
                         const double *P)
{
    double sum = 0;
    for (int r = facts->load; r < facts->load + facts->n_load; r++) sum += P[r] * P[r];
    return limit * (facts->n_load > 0 ? sqrt(sum) : span);
}

static double span_of(const carom_step *s, const carom_contact_terms *terms)
{
    return terms->span > 0 ? terms->span : s->h;
}

carom_status carom_discs_begin(carom_step *s, const carom_contact_terms *terms, const double *P)
{
    carom_contacts *c = s->contacts;
    for (int k = 0; k < c->problem.n_block; k++) {
        carom_block *block = &c->problem.block[k];
        if (!block->is_limited) continue;
        const carom_contact_facts *facts = &c->facts[block->id];
        const double limit = terms->rate->rows.limit[block->id];
        block->radius = 0;
        if (terms->is_instant && block->of == 0) continue; // impacts press, times do not
        if (!(limit >= 0 && limit <= 1e100))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "the limit of friction '%s' is %g; it must be 0 or more and finite "
                              "(write max(0, ...))",
                              facts->name, limit);
        if (block->of > 0)
            block->mu = limit;
        else
            block->radius = carom_disc_radius(facts, limit, span_of(s, terms), P);
    }
    return CAROM_OK;
}

// new radii from the loads in P; returns the largest change over the largest radius, and whose it
// is
static double take_loads(carom_contacts *c, const carom_contact_terms *terms, const double *P,
                         int *row)
{
    double change = 0, most = 0;
    for (int k = 0; k < c->problem.n_block; k++) {
        carom_block *block = &c->problem.block[k];
        if (!block->is_limited) continue;
        const carom_contact_facts *facts = &c->facts[block->id];
        if (facts->n_load > 0 && !terms->is_instant) {
            const double radius =
                carom_disc_radius(facts, terms->rate->rows.limit[block->id], 0, P);
            if (fabs(radius - block->radius) >= change) *row = facts->row;
            change = carom_vector_larger(change, fabs(radius - block->radius));
            block->radius = radius;
        }
        most = carom_vector_larger(most, block->radius);
    }
    return change > 0 ? change / most : 0;
}

carom_status carom_discs_settle(carom_step *s, const carom_contact_terms *terms, double *P)
{
    carom_contacts *c = s->contacts;
    double change = 0;
    int row = -1;
    for (int k = 0; k < MOST_PASSES; k++) {
        change = take_loads(c, terms, P, &row);
        if (change <= SETTLED) return CAROM_OK;
        CAROM_TRY(carom_contacts_solve(s, P));
    }
    s->report.is_converged = false;
    s->report.residual = carom_vector_larger(s->report.residual, change);
    s->report.residual_row = row;
    return CAROM_OK;
}

void carom_discs_tell(const carom_contacts *c, double *P)
{
    for (int k = 0; k < c->problem.n_block; k++) {
        const carom_block *block = &c->problem.block[k];
        if (!block->is_limited) continue;
        const carom_contact_facts *facts = &c->facts[block->id];
        const int push = block->of > 0 ? c->facts[facts->of - 1].row : 0;
        P[facts->row] = block->radius + (block->of > 0 ? block->mu * P[push] : 0);
    }
}
