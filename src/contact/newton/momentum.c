// SPDX-License-Identifier: Apache-2.0
// Momentum of sweeps over contacts,
//
//     P := P + beta (P - P_before),     beta = (theta - 1) / theta_next,
//     theta_next = (1 + sqrt(1 + 4 theta^2)) / 2,       theta = 1 where the last sweeps turned back
//
// For a gradient this is all. Contacts that slide are not the gradient of anything: momentum may
// circle around the answer for ever, while plain sweeps arrive. So where many sweeps gain nothing
// the largest beta goes down, to none at last. Less momentum has to be worth it, or the full one
// comes back, with more patience.
//
// B. O'Donoghue, E. Candes, Adaptive restart for accelerated gradient schemes, 2015.
#include "contact/newton/momentum.h"

#include <math.h>

enum { PATIENCE = 512, LESS_PATIENCE = 192 }; // sweeps
static const double MOST = 0.99;              // impulses that cancel have no other bound
static const double CALM = 16;                // by what 1 - beta grows
// what must be left at most of the residual after so many sweeps, with all momentum and with less
static const double FALL = 0.9, LESS_FALL = 0.5;

carom_momentum carom_momentum_new(double residual)
{
    return (carom_momentum){.theta = 1, .most = MOST, .mark = residual, .patience = PATIENCE};
}

double carom_momentum_next(carom_momentum *m, bool is_uphill)
{
    const double theta = is_uphill ? 1 : m->theta;
    m->theta = 0.5 * (1 + sqrt(1 + 4 * theta * theta));
    const double beta = is_uphill ? 0 : (theta - 1) / m->theta;
    return beta < m->most ? beta : m->most;
}

bool carom_momentum_is_astray(carom_momentum *m, int n_sweep, double best)
{
    const bool is_full = m->most == MOST;
    const double less = 1 - CALM * (1 - m->most);
    m->n_flat += n_sweep;
    if (best < (is_full ? FALL : LESS_FALL) * m->mark) {
        m->mark = best;
        m->n_flat = 0;
    }
    if (m->n_flat < (is_full ? m->patience : LESS_PATIENCE)) return false;
    m->n_flat = 0;
    m->mark = best;
    m->theta = 1;
    if (m->most == 0) m->patience *= 2;
    m->most = m->most == 0 ? MOST : less > 0 ? less : 0;
    return true;
}
