// SPDX-License-Identifier: Apache-2.0
// The Fischer-Burmeister function of the cone L = { x_0 >= |x_T| }.
#ifndef CAROM_CONTACT_FISCHER_H
#define CAROM_CONTACT_FISCHER_H

/// f = x + y - sqrt(x o x + y o y) for dim 1 to 3, with its derivatives X = df/dx and Y = df/dy
/// (3*3, column-major). f = 0 exactly where x and y lie in L and x.y = 0.
void carom_fischer_at(int dim, const double *x, const double *y, double *f, double *X, double *Y);

#endif
