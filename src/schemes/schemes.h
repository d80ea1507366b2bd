// SPDX-License-Identifier: Apache-2.0
// What scheme files declare, and what their heads take for granted.
//
// A scheme is one file: a step function, its options, and the masks of what it asks of the model.
// It gets (t, q, u) in `now` and writes (t + h, q+, u+) and the impulses P into `next`; the loop
// around it (sim/) does the rest. Every head gives the equations of one step in this notation:
//
//     q, u       positions and velocities at the start of the step; q+, u+ those at its end
//     M, f       mass and all forces, inertia terms included (except where said)
//     g, W, w0   gaps (open > 0), their rows dg/dq and motion dg/dt; constraints have rows too
//     gamma      rates W u + w0. Heads write W u for short: w0 is always there
//     P, la      impulse [N s] and force [N] of each row
//     ' and _|_  transposed; 0 <= a _|_ b >= 0 says a >= 0, b >= 0 and a b = 0
//     {..}       the contacts that take part in a step; tests are <= 0 without a tolerance, where
//                no option gives one
//
// "Law on A and B" is the contact law between the rates after, A, and those before, B:
//
//     normal      0 <= gamma_N+ + e gamma_N-  _|_  P_N >= 0            Newton's restitution
//     tangential  -(gamma_T+ + e_T gamma_T-) in N_disc(mu P_N)(P_T)    Coulomb's friction
//     constraint  gamma_B+ = 0                                         in every problem, where
//                                                                      nothing else is said
//
// One call, carom_dynamics_contact, builds this problem, hands it to the contact solver, adds
// M^-1 W' P to the velocity, and checks the answer outside the solver. What distinguishes schemes
// is where they evaluate M, f and W, which contacts take part, and on which level the law is asked:
//
//     position       the gap itself ends at 0: no penetration, but the impact law needs two steps
//     velocity       rates obey the impact law: simple, but gaps drift by O(h)
//     both           rates and gaps in one step: no penetration and the impact law
//     acceleration   contact forces keep closed gaps closed; impacts are apart
//
// docs/notation.md has all symbols, docs/theory/<scheme>.md what each scheme guarantees and costs.
#ifndef CAROM_SCHEMES_SCHEMES_H
#define CAROM_SCHEMES_SCHEMES_H

#include "carom/extend.h"
#include "schemes/schemes_table.h"

#define CAROM_DECLARE_SCHEME(name) extern const carom_scheme carom_scheme_##name;
CAROM_SCHEMES(CAROM_DECLARE_SCHEME)

#endif
