// SPDX-License-Identifier: Apache-2.0
// One disc alone, solved exactly.
#ifndef CAROM_CONTACT_DISC_H
#define CAROM_CONTACT_DISC_H

/// P (dim 1 to 3) with xi = G P + q, |P| <= radius and -xi in the normal cone of the disc there
/// (G column-major). There always is one.
void carom_disc_solve(int dim, const double *G, const double *q, double radius, double *P);

#endif
