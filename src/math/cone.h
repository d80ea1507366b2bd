// SPDX-License-Identifier: Apache-2.0
// Projections on the sets of the friction law.
#ifndef CAROM_MATH_CONE_H
#define CAROM_MATH_CONE_H

/// Projects y (dim) on the disc |y| <= radius; a negative radius counts as 0.
void carom_cone_disc(double radius, int dim, double *y);
/// Length of y (dim).
double carom_cone_length(int dim, const double *y);
/// Projects y (dim, normal first) on the cone |y_T| <= mu y_N.
void carom_cone_project(double mu, int dim, double *y);

#endif
