// SPDX-License-Identifier: Apache-2.0
// The laws of a contact problem as equations F(P) = 0, with r = 1/|G_ii|:
//
//     bilateral  F = r xi
//     disc       F = P - proj(y)          y = P - r xi, radius R given, for each of the functions
//                (of a contact: R + mu max(0, P_N), as Jean and Moreau do, for each likewise)
//     normal     F = P_N - max(0, y_N)    y_N = P_N - r xi_N
//     tangential F = P_T - proj(y_T)      y_T = P_T - r xi_T, radius R = mu max(0, y_N)
//                (Jean-Moreau: R = mu max(0, P_N))
//     slipping   dF_T = dP_T - mu n dy_N - R/|y_T| (I - n n') dy_T,  n = y_T/|y_T|
//
// or, by Fischer and Burmeister, with x = (mu P_N, P_T) and De Saxce's y = r (xi_N/mu + |xi_T|,
// xi_T), the function f(x, y) of contact/newton/fischer.h: F_N = f_0/mu, F_T = f_T.
//
// P. Alart, A. Curnier, A mixed formulation for frictional contact problems, 1991.
// M. Jean, J. J. Moreau, Dynamics in the presence of unilateral contacts and dry friction, 1987.
#include "contact/problem/natural.h"

#include "contact/newton/fischer.h"
#include "contact/problem/cone_form.h"
#include "math/cone.h"

size_t carom_natural_work(int n)
{
    const size_t row = (sizeof(carom_natural_row) + sizeof(double) - 1) / sizeof(double);
    return (size_t)n * (3 + row);
}

static void choose_r(const carom_problem *problem, double *r)
{
    for (int i = 0; i < problem->n_row; i++) r[i] = 1 / carom_matrix_size(&problem->G, i);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int at = carom_block_disc_at(block), dim = block->dim - at;
        double *t = r + block->first + at, least = INFINITY;
        for (int i = 0; i < dim; i++) least = t[i] < least ? t[i] : least;
        for (int i = 0; i < dim; i++) t[i] = least;
    }
}

carom_natural carom_natural_cut(const carom_problem *problem, double *work)
{
    const size_t n = (size_t)problem->n_row;
    carom_natural natural = {.problem = problem, .r = work, .xi = work + n, .F = work + 2 * n};
    natural.row = (carom_natural_row *)(void *)(work + 3 * n);
    natural.factor = 1;
    choose_r(problem, natural.r);
    return natural;
}

void carom_natural_shift(carom_natural *a, double shift, const double *center)
{
    a->shift = shift;
    a->center = center;
    a->factor = 1 / (1 + shift);
}

static void set_rate(carom_natural *a, int i)
{
    const double r = a->factor * a->r[i];
    a->F[i] = r * a->xi[i];
    a->row[i] =
        (carom_natural_row){.first = i, .dim = 1, .own = {a->factor * a->shift}, .rate = {r}};
}

static void set_zero(carom_natural *a, int i, const double *P)
{
    a->F[i] = P[i];
    a->row[i] = (carom_natural_row){.first = i, .dim = 1, .is_identity = true, .own = {1}};
}

static void set_slip(carom_natural *a, const carom_block *block, const double *P, const double *y,
                     double radius)
{
    const int first = block->first, dim = block->dim - 1;
    const double length = carom_cone_length(dim, y), shrink = radius / length;
    const double r = a->factor * a->r[first + 1];
    for (int i = 0; i < dim; i++) {
        carom_natural_row *row = &a->row[first + 1 + i];
        const double n = y[i] / length;
        *row = (carom_natural_row){.first = first, .dim = block->dim};
        row->own[0] = -block->mu * n;
        if (a->kind == CAROM_ALART_CURNIER) row->rate[0] = block->mu * n * a->factor * a->r[first];
        for (int k = 0; k < dim; k++) {
            const double turn = dim == 1 ? 0 : shrink * ((i == k) - n * y[k] / length);
            row->own[1 + k] = (i == k) - turn;
            row->rate[1 + k] = turn * r;
        }
        for (int k = 0; k < block->dim && a->shift > 0; k++)
            row->own[k] += row->rate[k] * a->shift / a->r[first + k];
        a->F[first + 1 + i] = P[first + 1 + i] - radius * n;
    }
}

// the direction n = y/|y| of a disc that slips: the derivative of P - R y/|y| by P and xi, and by
// the push of its contact, with which R grows
static void turn_disc(carom_natural *a, const carom_block *block, const double *y, double R,
                      double growth)
{
    const int first = block->first, dim = block->dim;
    const double length = carom_cone_length(dim, y), shrink = R / length;
    const double r = a->factor * a->r[first];
    for (int i = 0; i < dim; i++) {
        carom_natural_row *row = &a->row[first + i];
        const double n = y[i] / length;
        *row = (carom_natural_row){.first = first,
                                   .dim = dim,
                                   .is_identity = dim == 1 && growth == 0,
                                   .back = block->of,
                                   .load = -growth * n};
        for (int k = 0; k < dim; k++) {
            const double turn = dim == 1 ? 0 : shrink * ((i == k) - n * y[k] / length);
            row->rate[k] = turn * r;
            row->own[k] = (i == k) - turn + (a->shift > 0 ? turn * a->factor * a->shift : 0);
        }
        a->F[first + i] -= R * n;
    }
}

static void set_disc(carom_natural *a, const carom_block *block, const double *P)
{
    const int first = block->first, dim = block->dim;
    double y[3] = {0, 0, 0};
    for (int i = 0; i < dim; i++) y[i] = P[first + i] - a->factor * a->r[first] * a->xi[first + i];
    const double radius = carom_disc_reach(block, P);
    const bool sticks = carom_cone_length(dim, y) <= radius && radius > 0;
    for (int i = 0; i < dim; i++) {
        if (sticks)
            set_rate(a, first + i);
        else
            set_zero(a, first + i, P);
    }
    const bool is_pressed = block->of > 0 && P[first - block->of] > 0;
    if (!sticks && radius > 0) turn_disc(a, block, y, radius, is_pressed ? block->mu : 0);
}

// one r for the contact keeps the cone: that of the rows in which G weighs most
static double cone_rate(const carom_natural *a, const carom_block *block, int dim)
{
    const double normal = a->r[block->first];
    if (dim == 1) return a->factor * normal;
    const double r = block->mu * block->mu * normal, tangential = a->r[block->first + 1];
    return a->factor * (r < tangential ? r : tangential);
}

static void set_fischer(carom_natural *a, const carom_block *block, const double *P)
{
    const int first = block->first, dim = carom_cone_dim(block);
    const double mu = dim > 1 ? block->mu : 1, r = cone_rate(a, block, dim), *xi = a->xi + first;
    const double slip = dim > 1 ? carom_cone_length(dim - 1, xi + 1) : 0;
    double x[3], y[3], f[3], X[9], Y[9];
    for (int i = 0; i < dim; i++) {
        x[i] = i == 0 ? mu * P[first] : P[first + i];
        y[i] = r * (i == 0 ? xi[0] / mu + slip : xi[i]);
    }
    carom_fischer_at(dim, x, y, f, X, Y);
    for (int i = 0; i < dim; i++) {
        carom_natural_row *row = &a->row[first + i];
        const double factor = i == 0 ? 1 / mu : 1;
        *row = (carom_natural_row){.first = first, .dim = dim};
        for (int k = 0; k < dim; k++) {
            const double turn = k > 0 && slip > 0 ? xi[k] / slip : 0; // of |xi_T|
            row->own[k] = factor * X[3 * k + i] * (k == 0 ? mu : 1);
            row->rate[k] = factor * r * (k == 0 ? Y[i] / mu : Y[3 * k + i] + Y[i] * turn);
            if (a->shift > 0) row->own[k] += row->rate[k] * a->shift / a->r[first + k];
        }
        a->F[first + i] = factor * f[i];
    }
    for (int i = dim; i < block->dim; i++) set_zero(a, first + i, P);
}

static void set_contact(carom_natural *a, const carom_block *block, const double *P)
{
    const int first = block->first, dim = block->dim - 1;
    if (a->kind == CAROM_FISCHER_BURMEISTER) {
        set_fischer(a, block, P);
        return;
    }
    const double reach = P[first] - a->factor * a->r[first] * a->xi[first];
    if (reach > 0)
        set_rate(a, first);
    else
        set_zero(a, first, P);
    double y[2] = {0, 0};
    for (int i = 0; i < dim; i++)
        y[i] = P[first + 1 + i] - a->factor * a->r[first + 1] * a->xi[first + 1 + i];
    const double push = a->kind == CAROM_ALART_CURNIER ? reach : P[first];
    const double radius = push > 0 ? block->mu * push : 0;
    const bool sticks = dim > 0 && carom_cone_length(dim, y) <= radius;
    if (dim > 0 && radius > 0 && !sticks) {
        set_slip(a, block, P, y, radius);
        return;
    }
    for (int i = 0; i < dim; i++) {
        if (sticks && radius > 0)
            set_rate(a, first + 1 + i);
        else
            set_zero(a, first + 1 + i, P);
    }
}

double carom_natural_at(carom_natural *a, const double *P)
{
    const int n = a->problem->n_row;
    double sum = 0, scale = 0;
    carom_problem_rates(a->problem, P, a->xi);
    for (int i = 0; i < n && a->shift > 0; i++)
        a->xi[i] += a->shift / a->r[i] * (P[i] - a->center[i]);
    for (int k = 0; k < a->problem->n_block; k++) {
        const carom_block *block = &a->problem->block[k];
        const bool is_disc = carom_block_is_disc(block);
        for (int i = 0; block->is_bilateral && !is_disc && i < block->dim; i++)
            set_rate(a, block->first + i);
        if (is_disc) set_disc(a, block, P);
        if (!block->is_bilateral) set_contact(a, block, P);
    }
    for (int i = 0; i < n; i++) {
        const double force = a->r[i] * a->problem->b[i];
        sum += a->F[i] * a->F[i] / a->r[i];
        scale += (force * force + P[i] * P[i]) / a->r[i];
    }
    a->scale = sqrt(scale);
    return sqrt(sum);
}
