// SPDX-License-Identifier: Apache-2.0
// The impact law, in one place. It aims at a rate of each row of a contact from the rate before,
//
//     aimed = - factor gamma-         Newton: factor = e of the normal, e_t of the tangents
//
// and the contact problem is about what is left between the rate after and the aimed one,
//
//     0 <= gamma+ - aimed  _|_  P_N >= 0         (tangents likewise, with their friction)
//
// Tangents bear at most mu times the normal push, and where they slide all of it, against the slip.
// Schemes ask here and read neither e nor mu (test/structure/sources_are_tidy).
//
// Factors are known before rates are, so that a hot loop has one product and one sum for each row.
#ifndef CAROM_DYNAMICS_LAW_H
#define CAROM_DYNAMICS_LAW_H

#include "carom/extend.h"

/// The factor of a contact's row k: 0 its normal, then its tangents.
static inline double carom_law_factor(const carom_contact_facts *facts, int k)
{
    return k == 0 ? facts->e : facts->e_t;
}
/// The rate that the law aims at after the rate before.
static inline double carom_law_aim(double factor, double before)
{
    return -factor * before;
}
/// What the contact problem sees: the rate after, from the aimed one.
static inline double carom_law_excess(double factor, double before, double after)
{
    return after - carom_law_aim(factor, before);
}
/// The rate after that this excess is of.
static inline double carom_law_rate(double factor, double before, double excess)
{
    return excess + carom_law_aim(factor, before);
}

/// A force of limited strength and no obstacle: Coulomb's friction under a push that is given.
static inline bool carom_law_is_disc(const carom_contact_facts *facts)
{
    return facts->law == CAROM_LAW_DISC;
}

/// The contact whose slot counts: that of a contact's discs is its own.
static inline int carom_law_home(const carom_contact_facts *facts, int contact)
{
    return facts->of > 0 ? facts->of - 1 : contact;
}

/// Coulomb's friction, its coefficient; contact problems take it for each block.
static inline double carom_law_friction(const carom_contact_facts *facts)
{
    return facts->mu;
}
/// That of a contact that sticks.
static inline double carom_law_grip(const carom_contact_facts *facts)
{
    return facts->grip > facts->mu ? facts->grip : facts->mu;
}
static inline bool carom_law_is_rough(const carom_contact_facts *facts)
{
    return facts->mu > 0 || facts->varies & (CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP);
}
/// The most that the tangents bear under this normal push.
static inline double carom_law_limit(const carom_contact_facts *facts, double push)
{
    return facts->mu * push;
}
/// The same while the contact sticks.
static inline double carom_law_hold(const carom_contact_facts *facts, double push)
{
    return carom_law_grip(facts) * push;
}
/// What sliding along a direction answers, for a normal push of 1: this component of it.
static inline double carom_law_drag(const carom_contact_facts *facts, double direction)
{
    return -facts->mu * direction;
}

/// Of schemes that take discs beside Newton's law (carom_scheme.takes.laws).
#define CAROM_LAWS_WITH_DISCS (1u << CAROM_LAW_NEWTON | 1u << CAROM_LAW_DISC)
/// Of schemes that take every law by name: those that see impacts one by one.
#define CAROM_LAWS_ALL                                                                             \
    (CAROM_LAWS_WITH_DISCS | 1u << CAROM_LAW_POISSON | 1u << CAROM_LAW_STRONGE |                   \
     1u << CAROM_LAW_SEQUENTIAL)
/// Of schemes that take coefficients as expressions (carom_scheme.takes.varies).
#define CAROM_VARIES_ALL (CAROM_VARIES_RESTITUTION | CAROM_VARIES_FRICTION | CAROM_VARIES_GRIP)
/// Whether a scheme with these laws (carom_scheme.takes.laws) takes this one.
static inline bool carom_law_is_among(unsigned laws, int law)
{
    return (laws ? laws : 1u << CAROM_LAW_NEWTON) >> law & 1u;
}
/// What a law is called; one that has no name is told by its number, written to buffer.
const char *carom_law_word(int law, char *buffer, size_t room);

#endif
