// SPDX-License-Identifier: Apache-2.0
// Gauss-Seidel sweeps over the contacts of a problem in body form, accelerated.
#ifndef CAROM_CONTACT_SWEEP_H
#define CAROM_CONTACT_SWEEP_H

#include "contact/bodies/body_form.h"
#include "contact/newton/momentum.h"

/// What sweeps keep besides the form: its memory, from the heap, grows and is kept.
typedef struct carom_sweeps {
    double *P_before, *v_before, *P_start; ///< last iterate, and where the last sweeps began
    double *v, *xi, *best; ///< velocities and rates at the last look, and the best impulses so far
    double *sum;           ///< of each chunk of rows
    carom_momentum momentum;
    int room_row, room_body;
} carom_sweeps;

/// One solve: most sweeps, and the residual that ends it.
typedef struct carom_sweep_order {
    int most;
    double tolerance;
    bool accelerates;
} carom_sweep_order;

/// Sweeps from form->P, which becomes the best met; returns its residual (INFINITY without memory)
/// and counts sweeps.
double carom_sweeps_run(carom_sweeps *sweeps, carom_body_form *form, carom_sweep_order order,
                        int *n_sweep);
void carom_sweeps_free(carom_sweeps *sweeps);

#endif
