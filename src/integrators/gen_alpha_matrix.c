// SPDX-License-Identifier: Apache-2.0
// The derivative J of the residual of a nonsmooth generalised-alpha step by x = (h a, U/h, W), and
// solutions with it. With K = d(M v~')/dq - df/dq - d(W'la)/dq and D2, D3 the derivatives by q of
// M U/h - W' push and of M W - W' Lambda:
//
//     [ m1 M + h^2 beta K - h gamma df/du    h^2 K       -h df/du ]      m1 = (1 - alpha_m)/(1 - alpha_f)
//     [ h beta D2                            M + h D2     0       ]      level = velocity: [0 1 -1/2]
//     [ h beta D3                            h D3         M       ]
//
// Where neither the mass nor the rows depend on q, D2 = D3 = 0: two solutions with the mass and one
// with the first block, of nu unknowns, are a solution with all (is_split). Where besides K and
// df/du are constant, the first block is factorised once for each h (is_constant).
#include "integrators/gen_alpha_step.h"

#include "dynamics/assembly.h"
#include "math/linear.h"
#include "math/vector.h"
#include "model/model.h"
#include "model/plan.h"

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

carom_status carom_gen_alpha_matrix_new(carom_step *s, carom_gen_alpha *g)
{
    const carom_eval *ev = s->ev[0];
    carom_gen_alpha_matrix *m = &g->matrix;
    const int n = s->size.nu, mass = carom_mass_n_entry(ev->mass);
    const int slope = entries(&ev->derivatives.dMa_dq) + entries(&ev->derivatives.dWP_dq);
    const int first =
        mass + slope + entries(&ev->derivatives.df_dq) + entries(&ev->derivatives.df_du);
    m->can_split = slope == 0 && !s->model->rows_change_pattern;
    m->has_rates = entries(&ev->derivatives.dgamma_dq) > 0;
    m->is_constant =
        slope == 0 && s->model->mass_is_constant && carom_plan_is_constant(s->plan, CAROM_D_FORCES);
    m->recall = carom_recall_new(g->arena, 3 * n);
    CAROM_TRY(carom_linear_new(n, first, &m->motion, s->error));
    return carom_linear_new(3 * n, 3 * first + 4 * slope + 2 * mass + 2 * n, &m->whole, s->error);
}

void carom_gen_alpha_matrix_free(carom_gen_alpha_matrix *m)
{
    carom_linear_free(m->motion);
    carom_linear_free(m->whole);
}

void carom_gen_alpha_forget(carom_gen_alpha *g)
{
    g->matrix.h = 0;
    carom_recall_forget(g->matrix.recall);
}

// factor times K
static void add_stiffness(carom_linear *matrix, int column, const carom_eval *ev, double factor,
                          bool is_held)
{
    carom_linear_add(matrix, 0, column, &ev->derivatives.dMa_dq, factor, false);
    carom_linear_add(matrix, 0, column, &ev->derivatives.df_dq, -factor, false);
    if (is_held) carom_linear_add(matrix, 0, column, &ev->derivatives.dWP_dq, -factor, false);
}

// the first block
static void add_motion(const carom_step *s, const carom_gen_alpha *g, carom_linear *matrix,
                       bool is_held)
{
    const carom_eval *ev = s->ev[0];
    const double h = s->h;
    carom_linear_add_mass(matrix, 0, 0, ev->mass,
                          (1 - g->weights.alpha_m) / (1 - g->weights.alpha_f));
    add_stiffness(matrix, 0, ev, h * h * g->weights.beta, is_held);
    carom_linear_add(matrix, 0, 0, &ev->derivatives.df_du, -h * g->weights.gamma, false);
}

// row `row` of blocks: M on the diagonal and h D (beta dx1 + dx2)
static void add_slope(const carom_step *s, const carom_gen_alpha *g, int row, const carom_eval *ev)
{
    const int n = s->size.nu;
    carom_linear *matrix = g->matrix.whole;
    carom_linear_add_mass(matrix, row, row, s->ev[0]->mass, 1);
    carom_linear_add(matrix, row, 0, &ev->derivatives.dMa_dq, s->h * g->weights.beta, false);
    carom_linear_add(matrix, row, 0, &ev->derivatives.dWP_dq, -s->h * g->weights.beta, false);
    carom_linear_add(matrix, row, n, &ev->derivatives.dMa_dq, s->h, false);
    carom_linear_add(matrix, row, n, &ev->derivatives.dWP_dq, -s->h, false);
}

carom_status carom_gen_alpha_factor_free(carom_step *s)
{
    carom_gen_alpha *g = s->self;
    carom_gen_alpha_matrix *m = &g->matrix;
    if (m->is_constant && m->h == s->h) return CAROM_OK;
    carom_gen_alpha_forget(g);
    carom_linear_clear(m->motion);
    add_motion(s, g, m->motion, false);
    CAROM_TRY(carom_linear_factor(m->motion, s->error));
    m->h = s->h;
    return CAROM_OK;
}

static carom_status factor_whole(carom_step *s, carom_gen_alpha *g)
{
    const int n = s->size.nu;
    carom_linear *matrix = g->matrix.whole;
    carom_gen_alpha_forget(g);
    carom_linear_clear(matrix);
    add_motion(s, g, matrix, true);
    add_stiffness(matrix, n, s->ev[0], s->h * s->h, true);
    carom_linear_add(matrix, 0, 2 * n, &s->ev[0]->derivatives.df_du, -s->h, false);
    add_slope(s, g, 2 * n, s->ev[2]);
    if (g->on_position) {
        add_slope(s, g, n, s->ev[1]);
    } else {
        for (int i = 0; i < n; i++) {
            carom_linear_add_entry(matrix, n + i, n + i, 1);
            carom_linear_add_entry(matrix, n + i, 2 * n + i, -0.5);
        }
    }
    return carom_linear_factor(matrix, s->error);
}

carom_status carom_gen_alpha_factor_held(carom_step *s)
{
    carom_gen_alpha *g = s->self;
    g->matrix.is_split = g->matrix.can_split && g->rows.problem.n_row <= CAROM_PROBLEM_DENSE;
    return g->matrix.is_split ? carom_gen_alpha_factor_free(s) : factor_whole(s, g);
}

void carom_gen_alpha_solve_free(const carom_step *s, double *x)
{
    const carom_gen_alpha *g = s->self;
    carom_linear_solve(g->matrix.motion, x);
}

// y += factor A x
static void add_product(const carom_sparse *A, double factor, const double *x, double *y)
{
    for (int i = 0; i < A->n_row; i++) y[i] += factor * carom_sparse_row_times(A, i, x);
}

static bool is_zero(const double *x, int n)
{
    int i = 0;
    while (i < n && x[i] == 0) i++;
    return i == n;
}

static void solve_split(const carom_step *s, const carom_gen_alpha *g, double *x)
{
    const carom_eval *ev = s->ev[0];
    const int n = s->size.nu;
    double *U = x + n, *W = x + 2 * n;
    const bool jumps = !is_zero(W, n);
    if (jumps) carom_mass_solve(ev->mass, W);
    for (int i = 0; i < n && !g->on_position; i++) U[i] += 0.5 * W[i];
    const bool shifts = !is_zero(U, n);
    if (shifts && g->on_position) carom_mass_solve(ev->mass, U);
    if (shifts) add_product(&ev->derivatives.df_dq, s->h * s->h, U, x);
    if (jumps) add_product(&ev->derivatives.df_du, s->h, W, x);
    carom_linear_solve(g->matrix.motion, x);
}

void carom_gen_alpha_solve_held(const carom_step *s, double *x)
{
    const carom_gen_alpha *g = s->self;
    if (g->matrix.is_split)
        solve_split(s, g, x);
    else
        carom_linear_solve(g->matrix.whole, x);
}
