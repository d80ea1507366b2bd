// SPDX-License-Identifier: Apache-2.0
// How positions q (nq numbers) and velocities u (nu numbers) belong together. Four questions:
//
//     move          q_out = q (+) h u       where a constant velocity leads in the time h
//     difference    x with q_a (+) x = q_b  (nu numbers; x = 0 also where p_b = -p_a)
//     rates         q' = Y(q) u             linear in u
//     normalise     q on its manifold again, after sums of q'
//
// Derivatives of a model are along the move: D_i F = d/de F(q (+) e e_i), so that all matrices have
// nu columns.
//
// A chart is a list of parts (carom_chart_part). A plain part has as many positions as velocities,
// q' = u. A quaternion has 4 positions p and 3 velocities, the spin in axes of the body:
//
//     p (+) th = p o exp(th/2),   p' = 1/2 p o (0, omega),   difference 2 log(p_a* o p_b)
//
// exp is exact for a constant spin. Whoever has another manifold gives the four functions instead
// of parts (carom_chart_functions). A chart without either is plain: it is never asked, see
// carom_model_moved.
//
// Inertia. A quaternion may say its inertia J (3 x 3, constant): M has J for the three spins,
// coupled with nothing, and the forces contain the gyroscopic term -omega x (J omega). Then
//
//     spin       explicit schemes take that term at the middle,
//                J (w+ - w) = h tau - h w_m x J w_m,  w_m = (w + w+)/2
//                which keeps energy and |J w| where tau = 0; with the term at w a step has order 1
//     momenta    of the exact discrete Lagrangian, which variational schemes need
//
// Turns. The angle of two bodies about a common axis z is known from their orientations up to whole
// turns. A turn is one position a without a velocity that knows them:
//
//     a' = z_1 . omega_1 - z_0 . omega_0          each in axes of its body: constant factors
//     move       a + h a', then the angle of the orientations that is nearest to it
//
// so that a has no error of its own, whatever has been summed up.
#ifndef CAROM_MODEL_CHART_H
#define CAROM_MODEL_CHART_H

#include "carom/model.h"

/// The caller's own manifold.
typedef struct carom_chart_functions {
    void *user;
    carom_move *move;
    carom_difference *difference;
    carom_rates *rates;
    carom_normalise *normalise; ///< or NULL: nothing to do
} carom_chart_functions;

typedef struct carom_chart {
    int n_part;
    const carom_chart_part *part;     ///< (n_part), or NULL
    const carom_chart_functions *own; ///< in place of parts, or NULL
    int nq, nu;
    int n_spin; ///< parts with an inertia
} carom_chart;

/// Whether q' = u, and all other answers as simple.
static inline bool carom_chart_is_plain(const carom_chart *chart)
{
    return !chart->part && !chart->own;
}

/// Whether momenta at both ends of a step are known where the mass is constant: all orientations
/// have an inertia.
bool carom_chart_knows_momenta(const carom_chart *chart);

/// Makes a chart of parts, which must live as long. Refuses parts that do not have every position
/// and velocity just once.
carom_status carom_chart_of_parts(const carom_chart_part *part, int n_part, int nq, int nu,
                                  carom_chart *chart, carom_error *error);

/// q_out may be q.
void carom_chart_move(const carom_chart *chart, const double *q, const double *u, double h,
                      double *q_out);
void carom_chart_difference(const carom_chart *chart, const double *q_a, const double *q_b,
                            double *x);
void carom_chart_rates(const carom_chart *chart, const double *q, const double *u, double *q_dot);
void carom_chart_normalise(const carom_chart *chart, double *q);

/// size (nu): how large the positions are that each velocity moves, by which rounding is measured;
/// |q| of plain ones, 1 of a quaternion, the largest |q| of the caller's own.
void carom_chart_measure(const carom_chart *chart, const double *q, double *size);
/// That of velocity i.
double carom_chart_size_along(const carom_chart *chart, const double *q, int i);

/// u_free = u + h M^-1 f, f with the gyroscopic term at the velocities `at`: takes it at the middle
/// of u and u_free instead.
void carom_chart_spin(const carom_chart *chart, const double *at, const double *u, double h,
                      double *u_free);
/// f (nu) without the gyroscopic term, which it has at u.
void carom_chart_drop_spin(const carom_chart *chart, const double *u, double *f);
/// u_free = u + h a, and spin.
void carom_chart_free(const carom_chart *chart, const double *u, const double *a, double h,
                      double *u_free);
/// T_q (nu, zeros on entry) = -w x (J w) of the parts with an inertia: what turns their momenta.
void carom_chart_turning(const carom_chart *chart, const double *u, double *T_q);
/// p (nu) holds M u -+ h/2 T_q, with T_q as above: adds what makes it the momentum at the begin (-)
/// or the end (+) of a step h with constant u. Where there is no inertia it stays.
void carom_chart_momenta(const carom_chart *chart, const double *u, double h, double *p);

#endif
