// SPDX-License-Identifier: Apache-2.0
// Whether a problem with friction is jammed: no impulses keep its contacts from penetrating.
#ifndef CAROM_CONTACT_JAM_H
#define CAROM_CONTACT_JAM_H

#include "contact/problem/problem.h"

size_t carom_jam_work(int n);  ///< doubles
size_t carom_jam_index(int n); ///< ints
/// True only with a certificate that holds in numbers. The problem must be dense.
bool carom_jam_is_proven(const carom_problem *problem, double *work, int *index);

#endif
