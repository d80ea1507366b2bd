// SPDX-License-Identifier: Apache-2.0
// What the bench of contact problems asks of a foreign library: methods by number, one solve.
#ifndef CAROM_BENCH_CONTACT_H
#define CAROM_BENCH_CONTACT_H

#include <carom/contact_file.h>

/// The name of a method, NULL after the last.
const char *bench_siconos_name(int method);
/// Solves a local problem of plane or spatial contacts from P = 0, to tolerance 1e-8. The clock
/// runs around the solver only. False where the method does not take the problem.
bool bench_siconos_solve(int method, const carom_problem *problem, double *P, double *seconds,
                         int *iterations);
/// Seconds of a clock that never goes back.
double bench_now(void);

#endif
