// SPDX-License-Identifier: Apache-2.0
// One Newton step of the equations of ggl_system.c: their exact derivative, put together from
// sparse blocks. Which of its two equations a contact has is decided by its prox argument,
//
//     P - rate / (W M^-1 W') > 0:   rate = 0,     else P = 0        (gaps alike, with psi and W W')
//
// while constraints always have the first. Redundant rows make the matrix singular. Then the
// multipliers of the step are found with a small shift,
//
//     rate + shift (W M^-1 W') dP = 0
//
// which leaves the solution as it is and picks almost the shortest step.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, eqs 36-52 (factor 1/2 on the midpoint derivatives corrected).
#include "integrators/ggl_system.h"
#include "model/model.h"

#include <math.h>

static const double SHIFT = 1e-8; // sqrt(rounding): as far from the answer as from the noise

// row r of a block into row `at` of the matrix, or into its column
static void put_row(carom_linear *matrix, int at, int offset, const carom_sparse *block, int r,
                    double factor)
{
    for (int k = block->start[r]; k < block->start[r + 1]; k++)
        carom_linear_add_entry(matrix, at, offset + block->index[k], factor * block->value[k]);
}

static void put_column(carom_linear *matrix, int at, int offset, const carom_sparse *block, int r,
                       double factor)
{
    for (int k = block->start[r]; k < block->start[r + 1]; k++)
        carom_linear_add_entry(matrix, offset + block->index[k], at, factor * block->value[k]);
}

void carom_ggl_put_motion(const carom_step *s)
{
    const carom_ggl_system *g = s->self;
    const carom_eval *mid = s->ev[1];
    carom_linear *matrix = g->matrix;
    const int n = s->size.nu;
    for (int i = 0; i < n && !g->rows.moves_masses; i++) {
        carom_linear_add_entry(matrix, i, i, 1);
        carom_linear_add_entry(matrix, i, n + i, -0.5 * s->h);
    }
    if (g->rows.moves_masses) {
        carom_linear_add_mass(matrix, 0, 0, s->ev[0]->mass, 1);
        carom_linear_add_mass(matrix, 0, n, s->ev[0]->mass, -0.5 * s->h);
    }
    carom_linear_add(matrix, n, 0, &mid->derivatives.df_dq, -0.5 * s->h, false);
    carom_linear_add(matrix, n, n, &mid->derivatives.df_du, -0.5 * s->h, false);
    carom_linear_add_mass(matrix, n, n, s->ev[0]->mass, 1);
    carom_linear_add(matrix, n, 0, &mid->derivatives.dWP_dq, -0.5, false);
    if (g->rows.has_gaps)
        carom_linear_add(matrix, 0, 0, &s->ev[2]->derivatives.dWP_dq, -0.5, false);
}

// one complementarity: its multiplier and row, what the one does to the other, the row's size
typedef struct law_at {
    double multiplier, value, diagonal, scale;
} law_at;

// whether the row holds as an equation; one that pushes nothing has no multiplier. A row without
// load that is 0 to rounding also holds while the step is tried for the first times: else an
// impact would travel along a row of touching bodies one body in each pass
static bool row_holds(const carom_ggl_system *g, int k, law_at law)
{
    if (g->contact[k] < 0) return law.diagonal > 0;
    const double push = law.multiplier * law.diagonal - law.value;
    const bool is_tie = law.multiplier == 0 && fabs(law.value) <= g->tie * g->length[k] * law.scale;
    return law.diagonal > 0 && (push > 0 || is_tie);
}

// velocity row k, or P = 0
static void put_rate(const carom_step *s, int k, double shift)
{
    const carom_ggl_system *g = s->self;
    const int n = s->size.nu, r = g->row[k], at = 2 * n + k;
    const carom_eval *law = g->rows.is_printed ? s->ev[1] : s->ev[3];
    put_column(g->matrix, at, n, &s->ev[1]->rows.W, r, -1);
    if (!row_holds(g, k, (law_at){g->P[r], g->rate[k], g->d_P[k], g->scale_u})) {
        carom_linear_add_entry(g->matrix, at, at, 1);
        g->x[at] = g->P[r];
        return;
    }
    put_row(g->matrix, at, 0, &law->derivatives.dgamma_dq, r, 1);
    put_row(g->matrix, at, n, &law->rows.W, r, 1);
    if (shift > 0) carom_linear_add_entry(g->matrix, at, at, shift * g->d_P[k]);
    g->x[at] = g->rate[k];
}

// gap row k, or psi = 0
static void put_gap(const carom_step *s, int k, double shift)
{
    const carom_ggl_system *g = s->self;
    const int n = s->size.nu, r = g->row[k], at = 2 * n + g->n + k;
    put_column(g->matrix, at, 0, &s->ev[1]->rows.W, r, -1);
    if (!row_holds(g, k, (law_at){g->psi[r], g->gap[k], g->d_psi[k], g->scale_q})) {
        carom_linear_add_entry(g->matrix, at, at, 1);
        g->x[at] = g->psi[r];
        return;
    }
    put_row(g->matrix, at, 0, g->rows.is_printed ? &s->ev[1]->rows.W : &s->ev[3]->rows.W, r, 1);
    if (g->rows.is_printed)
        put_row(g->matrix, at, 0, &s->ev[2]->derivatives.dgamma_dq, r, 0.5 * s->h);
    if (shift > 0) carom_linear_add_entry(g->matrix, at, at, shift * g->d_psi[k]);
    g->x[at] = g->gap[k];
}

// the first equation into x, of which x holds W' psi
static void put_shift(const carom_step *s, const carom_state *now, const carom_state *next,
                      double *x)
{
    const carom_ggl_system *g = s->self;
    const bool is_plain = s->model->n_plain >= 0;
    double *shift = g->v;
    for (int i = 0; i < s->size.nu; i++) {
        const double dq = is_plain ? next->q[i] - now->q[i] : g->dq[i];
        shift[i] = dq - s->h * g->u_m[i];
    }
    for (int i = 0; i < s->size.nu && !g->rows.moves_masses; i++) x[i] = shift[i] - x[i];
    if (!g->rows.moves_masses) return;
    double *moved = g->u_m; // used up
    carom_mass_times(s->ev[0]->mass, shift, moved);
    for (int i = 0; i < s->size.nu; i++) x[i] = moved[i] - x[i];
}

void carom_ggl_put_residual(const carom_step *s, const carom_state *now, const carom_state *next,
                            const double *P, const double *psi)
{
    const carom_ggl_system *g = s->self;
    const int n = s->size.nu;
    double *x = g->x;
    for (int i = 0; i < n; i++) {
        g->v[i] = next->u[i] - now->u[i];
        x[i] = 0;
    }
    carom_mass_times(s->ev[0]->mass, g->v, x + n);
    for (int i = 0; i < n; i++) x[n + i] = s->h * s->ev[1]->f[i] - x[n + i];
    if (psi) carom_dynamics_push(s->ev[1], psi, x);
    if (P) carom_dynamics_push(s->ev[1], P, x + n);
    for (int i = 0; i < n; i++) x[n + i] = -x[n + i];
    put_shift(s, now, next, x);
}

carom_status carom_ggl_newton_step(carom_step *s, const carom_state *now, const carom_state *next)
{
    const carom_ggl_system *g = s->self;
    if (carom_ggl_is_rough(g->rough)) return carom_ggl_friction_step(s, now, next);
    const int size = 2 * s->size.nu + (g->rows.has_gaps ? 2 : 1) * g->n;
    carom_status status = CAROM_NOT_CONVERGED;
    for (int attempt = 0; attempt < 2 && status == CAROM_NOT_CONVERGED; attempt++) {
        const double shift = attempt * SHIFT;
        carom_linear_resize(g->matrix, size);
        carom_ggl_put_motion(s);
        carom_ggl_put_residual(s, now, next, g->P, g->psi);
        for (int k = 0; k < g->n; k++) {
            put_rate(s, k, shift);
            if (g->rows.has_gaps) put_gap(s, k, shift);
        }
        status = carom_linear_factor(g->matrix, s->error);
    }
    if (status == CAROM_OK) carom_linear_solve(g->matrix, g->x);
    return status;
}
