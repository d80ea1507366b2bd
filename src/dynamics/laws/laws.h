// SPDX-License-Identifier: Apache-2.0
// Impacts of an instant, by law. What collides is seen through its contacts alone,
//
//     rate+ = rate + G Q        G = W M^-1 W' with all constraints held, Q impulses
//
// so that a law knows no model, no scheme and no time. Each law says what one contact does to
// itself (one), and perhaps what all that touch do together (all). Where contacts of several laws
// touch, or a law does not know what all do together, they collide in turn: the one that closes
// fastest first, equal ones in the order of the file, each by its own law, until nothing closes.
// The heads of the files have the equations.
#ifndef CAROM_DYNAMICS_LAWS_H
#define CAROM_DYNAMICS_LAWS_H

#include "carom/extend.h"
#include "model/laws/laws_table.h"

enum { CAROM_POINT_ROWS = 3 };

/// Contacts that touch, and what has become of them so far.
typedef struct carom_collision {
    int n_row, n_block;
    const carom_block *block; ///< rows first .. first + dim - 1, the normal first; mu; id
    const carom_contact_facts *const *facts; ///< (n_block) law, e, e_t, name
    const double *G;                         ///< (n_row^2) symmetric
    double *rate;                            ///< (n_row) rates now
    double *P;                               ///< (n_row) impulses so far
    /// e of contact k that closes at this speed, where some depend on it; or NULL.
    carom_status (*restitution)(void *self, int k, double speed, double *e);
    void *self;
    carom_contact_solver *solver;      ///< takes discs, and twice as many rows
    struct carom_collision_room *room; ///< for problems of all contacts
    carom_error *error;
    bool is_converged;
    double residual;
} carom_collision;

/// One contact by itself.
typedef struct carom_hit {
    int dim; ///< 1, 2 or 3
    double mu, e, e_t;
    double G[CAROM_POINT_ROWS * CAROM_POINT_ROWS]; ///< symmetric, stride dim
    double rate[CAROM_POINT_ROWS];
} carom_hit;

typedef struct carom_impact_law {
    const char *name, *about;
    int number; ///< carom_law
    /// The impulses of a contact that closes, Q (dim).
    carom_status (*one)(carom_collision *c, const carom_hit *hit, double *Q);
    /// All contacts at once; NULL where they collide in turn.
    carom_status (*all)(carom_collision *c);
} carom_impact_law;

#define X(name, NUMBER) extern const carom_impact_law carom_impact_law_##name;
CAROM_LAWS(X)
#undef X

/// By its number; NULL where there is none.
const carom_impact_law *carom_law_of(int number);

/// By the laws of the contacts.
carom_status carom_collide(carom_collision *c);

/// Impulses of one more contact problem: Q with
///
///     0 <= rate + G Q + aim  _|_  Q_N >= 0,     |Q_T| <= mu (Q_N + given)
///
/// aim (n_row) and given (n_block) may be NULL. Adds Q to P and G Q to rate.
carom_status carom_collision_solve(carom_collision *c, const double *aim, const double *given);
/// The same for one contact: Q is added to hit->rate too.
carom_status carom_hit_solve(carom_collision *c, carom_hit *hit, const double *aim, double given,
                             double *Q);
/// P += Q at a row, rates follow.
void carom_collision_push(carom_collision *c, int row, double Q);
void carom_hit_push(carom_hit *hit, int row, double Q);

/// Room for problems of up to n_row rows; grows. False without memory.
bool carom_collision_reserve(struct carom_collision_room **room, int n_row);
void carom_collision_room_free(struct carom_collision_room *room);

#endif
