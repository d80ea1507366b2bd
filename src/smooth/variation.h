// SPDX-License-Identifier: Apache-2.0
// Variations of smooth motion: how the end of a step changes with its start and with parameters.
// A column is (dq, du) for a change of the start, or of one parameter by 1; dq are along the
// velocities (carom_model_move). A solver differentiates the stages of the step that it has taken,
// with its length frozen: what comes out is the derivative of what was computed.
//
//     [ M  -D ] [ da  ]   [ (f - M a + D la)_q dq + f_u du + (f - M a + D la)_p dp ]
//     [ G   0 ] [ dla ] = [ r                                                      ]     (1)
//
// in the index-1 system with r = -(G a + curvature)_q dq - curvature_u du - (G a + curvature)_p dp.
#ifndef CAROM_SMOOTH_VARIATION_H
#define CAROM_SMOOTH_VARIATION_H

#include "smooth/smooth.h"

/// Masks of the functions below, beside those of the flow.
enum {
    CAROM_VARY_STAGE =
        CAROM_MASS | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS | CAROM_D_PARAMETER,
    CAROM_VARY_INDEX1 = CAROM_VARY_STAGE | CAROM_D_CURVATURE,
    CAROM_VARY_RATE = CAROM_ROWS | CAROM_D_ROWS | CAROM_D_PARAMETER,
    CAROM_VARY_PROJECT = CAROM_MASS | CAROM_VARY_RATE
};
#define CAROM_VARY_MASKS CAROM_VARY_STAGE, CAROM_VARY_INDEX1, CAROM_VARY_RATE, CAROM_VARY_PROJECT

enum { CAROM_VARY_STAGES = 10 }; ///< most stages of a solver

/// Columns, all at once: number k of nu numbers at k * nu.
typedef struct carom_variation {
    carom_flow *flow;
    carom_arena *arena;
    int n, room;       ///< columns
    int *parameter;    ///< (room) live parameter that the column is by, -1 = none
    double *q, *u;     ///< (room nu) the columns
    double *a, *la;    ///< (room nu), (room n_row) of the last index-1 system
    double *Q, *V, *A; ///< (CAROM_VARY_STAGES room nu) of stages: dq', du and da
    carom_eval *ev[2];
    carom_saddle_rows rows;        ///< copies of the flow's, without reference forces
    double *rate;                  ///< (n_row) W u + w0 at the stage
    double *right, *r, *w, *x, *l; ///< (nu), (n_row), (nu), (nu), (n_row) scratch
    double *point, *velocity;      ///< (nq), (nu) of a stage
} carom_variation;

/// Where a stage is: a and la as the step has found them.
typedef struct carom_vary_point {
    double t;
    const double *q, *u, *a, *la;
} carom_vary_point;

carom_status carom_variation_new(carom_flow *flow, int room, carom_variation **variation);
void carom_variation_free(carom_variation *variation);
/// Takes over which rows are held.
void carom_vary_take_rows(carom_variation *v, const carom_saddle_rows *rows);

/// Evaluates mask into ev[k] at a point.
carom_status carom_vary_eval(carom_variation *v, int k, const carom_vary_point *at, unsigned mask);
/// right = (f - M a + D la)_q dq + f_u du + (f - M a + D la)_p dp from ev[0] (CAROM_VARY_STAGE, at
/// the point whose la is given).
void carom_vary_forces(carom_variation *v, const double *la, int column, const double *dq,
                       const double *du, double *right);
/// to (n_row) = gamma_q dq + W du + gamma_p dp from ev[k]; du may be NULL = 0.
void carom_vary_rates(carom_variation *v, int k, int column, const double *dq, const double *du,
                      double *to);
/// Solves with mass and push of ev[0] and rows of ev[k].
carom_status carom_vary_solve(carom_variation *v, int k, const double *right, const double *r,
                              double *x, double *la);
/// (1) for all columns dq, du (n nu each) at a point: da, dla.
carom_status carom_vary_accelerations(carom_variation *v, const carom_vary_point *at,
                                      const double *dq, const double *du, double *da, double *dla);
/// dq' of a column where the velocity is u: du, on rotations du - u x dq.
void carom_vary_move(const carom_variation *v, const double *u, const double *dq, const double *du,
                     double *rate);
/// Over the first n stages: weights c, and what is summed.
typedef struct carom_vary_terms {
    const double *c;
    int n;
    const double *K;
} carom_vary_terms;
/// sum = base + h sum_j c_j K_j of a column.
void carom_vary_sum(const carom_variation *v, const double *base, carom_vary_terms terms,
                    int column, double *sum);
/// The dq' of stage i is noted, from its dq and du.
void carom_vary_note(carom_variation *v, int stage, int column, const double *u, const double *dq,
                     const double *du);
/// Columns of stage i.
static inline double *carom_vary_stage(const carom_variation *v, double *K, int stage, int column)
{
    return K + ((size_t)stage * (size_t)v->room + (size_t)column) * (size_t)v->flow->s->size.nu;
}
/// Stage 0 is the start of the step: its a and la come from the index-1 system.
carom_status carom_vary_begin(carom_variation *v);
/// Brings all columns onto the tangents of the held rows at a point, as the flow projects a state.
carom_status carom_vary_project(carom_variation *v, const carom_motion *at);

#endif
