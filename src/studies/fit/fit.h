// SPDX-License-Identifier: Apache-2.0
// The inside of a fit: runs with values, and what is left between them and the measurement.
#ifndef CAROM_STUDIES_FIT_H
#define CAROM_STUDIES_FIT_H

#include "base/arena.h"
#include "carom/extend.h"
#include "carom/study.h"

enum { CAROM_FIT_AXES = 32 };

typedef struct carom_fitting {
    carom_fit *fit;
    carom_arena *arena;
    carom_model *model;
    carom_sim *sim;
    const char *live[CAROM_FIT_AXES];
    double scale[CAROM_FIT_AXES]; ///< of an axis: its range, or its size
    int *column;                  ///< (n_column) of the simulation
    double *weight;               ///< (n_column) 1/sigma
    double *seen, *before;        ///< (columns of the simulation)
    double *fitted, *tried;       ///< (n n_column)
    carom_error why;              ///< the run that failed last
    bool is_stopped;              ///< by the watch: runs fail at once
} carom_fitting;

/// Runs with these values: fitted (n n_column). The sum of squares, INFINITY where the run fails.
double carom_fit_cost(carom_fitting *f, const double *value, double *fitted);
/// A search by NLopt from value, which becomes the best found.
carom_status carom_fit_search(carom_fitting *f, double *value, carom_error *error);
/// Levenberg and Marquardt from value; fills what is found.
carom_status carom_fit_squares(carom_fitting *f, double *value, carom_error *error);

#endif
