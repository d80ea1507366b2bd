// SPDX-License-Identifier: Apache-2.0
// Measures the restitution of one contact c, with the constraints B of the model and
// its friction. A velocity u- that comes in with rate -1 and keeps the constraints is
// sent through the contact law:
//
//     u- = M^-1 W' x              gamma_B(u-) = 0,  gamma_N(u-) = -1: a problem of bilateral rows
//     gamma+ = gamma- + G P       contact law on b = gamma- + e gamma-,  G = W M^-1 W'
//     measured e = -gamma_N+ / gamma_N-
//
// Rows of the problem: the constraints, then the contact's normal and tangents.
#include "restitution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct experiment {
    const carom_eval *eval;
    carom_sizes size;
    const carom_contact_facts *facts;
    int n;           // rows
    int n_bilateral; // of them constraints
    double *push;    // (n x nu) M^-1 W' of each row
    double *G;       // (n x n)
    double *gamma;   // (n) rates before
    double *b, *P;   // (n)
    carom_contact_solver *solver;
} experiment;

static int model_row(const experiment *x, int i)
{
    return i < x->n_bilateral ? i : x->facts->row + i - x->n_bilateral;
}

static double row_times(const experiment *x, int i, const double *v)
{
    const carom_sparse *W = &x->eval->rows.W;
    const int row = model_row(x, i);
    double sum = 0;
    for (int k = W->start[row]; k < W->start[row + 1]; k++) sum += W->value[k] * v[W->index[k]];
    return sum;
}

static void fill_matrix(experiment *x)
{
    const carom_sparse *W = &x->eval->rows.W;
    for (int i = 0; i < x->n; i++) {
        double *v = x->push + (size_t)i * (size_t)x->size.nu;
        const int row = model_row(x, i);
        for (int k = W->start[row]; k < W->start[row + 1]; k++) v[W->index[k]] = W->value[k];
        carom_mass_solve(x->eval->mass, v);
        for (int j = 0; j < x->n; j++) x->G[j + i * x->n] = row_times(x, j, v);
    }
}

// finds the velocity that closes the contact at 1 m/s and keeps the constraints;
// gamma holds its rates
static carom_status find_approach(experiment *x, bool *is_possible, carom_error *error)
{
    const int normal = x->n_bilateral, n = normal + 1;
    carom_block block = {.dim = n, .is_bilateral = true};
    double *G = malloc(sizeof(double) * (size_t)n * (size_t)n);
    if (!G) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) G[j + i * n] = x->G[j + i * x->n];
    memset(x->b, 0, sizeof(double) * (size_t)n);
    memset(x->P, 0, sizeof(double) * (size_t)n);
    x->b[normal] = 1;
    carom_problem problem = {n, 1, &block, {.n = n, .dense = G}, x->b};
    carom_contact_info info = {0};
    const carom_status status = carom_contact_solve(x->solver, &problem, x->P, &info, error);
    free(G);
    *is_possible = status == CAROM_OK && info.is_converged;
    for (int j = 0; j < x->n; j++) {
        x->gamma[j] = 0;
        for (int i = 0; i < n; i++) x->gamma[j] += x->G[j + i * x->n] * x->P[i];
    }
    return status == CAROM_NO_MEMORY ? status : CAROM_OK;
}

static carom_status solve_impact(experiment *x, double *measured, carom_error *error)
{
    const int normal = x->n_bilateral;
    carom_block block[2] = {
        {.dim = normal, .is_bilateral = true},
        {.first = normal, .dim = x->n - normal, .mu = x->facts->mu},
    };
    const int skip = normal == 0; // no empty block
    carom_problem problem = {x->n, 2 - skip, block + skip, {.n = x->n, .dense = x->G}, x->b};
    for (int i = 0; i < x->n; i++) {
        const double e = i < normal ? 0 : i == normal ? x->facts->e : x->facts->e_t;
        x->b[i] = (1 + e) * x->gamma[i];
        x->P[i] = 0;
    }
    carom_contact_info info = {0};
    CAROM_TRY(carom_contact_solve(x->solver, &problem, x->P, &info, error));
    double after = x->gamma[normal];
    for (int i = 0; i < x->n; i++) after += x->G[normal + i * x->n] * x->P[i];
    *measured = info.is_converged ? -after / x->gamma[normal] : NAN;
    return CAROM_OK;
}

static carom_status measure_contact(experiment *x, double *measured, carom_error *error)
{
    bool is_possible = false;
    fill_matrix(x);
    const int normal = x->n_bilateral;
    if (!(x->G[normal + normal * x->n] > 0)) return CAROM_OK;
    CAROM_TRY(carom_contact_solver_new("auto", NULL, 0, x->n, &x->solver, error));
    CAROM_TRY(find_approach(x, &is_possible, error));
    return is_possible ? solve_impact(x, measured, error) : CAROM_OK;
}

carom_status carom_restitution_measure(const carom_eval *eval, int contact, double *measured,
                                       carom_error *error)
{
    experiment x = {.eval = eval, .size = carom_model_sizes(eval->model)};
    x.facts = carom_model_contact(eval->model, contact);
    x.n_bilateral = x.size.n_constraint;
    x.n = x.n_bilateral + 1 + x.facts->n_slip;
    *measured = NAN;
    const size_t n = (size_t)x.n, nu = (size_t)x.size.nu;
    x.push = calloc(n * nu + n * n + 3 * n, sizeof(double));
    if (!x.push) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    x.G = x.push + n * nu;
    x.gamma = x.G + n * n;
    x.b = x.gamma + n;
    x.P = x.b + n;
    const carom_status status = measure_contact(&x, measured, error);
    carom_contact_solver_free(x.solver);
    free(x.push);
    return status;
}
