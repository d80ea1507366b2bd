// SPDX-License-Identifier: Apache-2.0
// Systems with R S^-1 G S^-1 + C where G = J J' + d (body_form.h) and C and R have a block for each
// piece. With t = the ratio of the scales, E = (C + R t d t)^-1 and v = J' t x:
//
//     (R t J J' t + E^-1) x = y       =>      (I + J' (t E R t) J) v = J' t E y,
//                                             x = E (y - R t J v)
//
// E is large where impulses are nearly free of their law (C small): then digits cancel, and x is
// refined against A itself.
#include "contact/bodies/body_blend.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { N_REFINE = 3 };
static const double GOOD = 1e-13;

bool carom_body_blend_open(carom_body_blend *a, const carom_body_form *form, carom_body_lu *lu,
                           const double *s)
{
    const size_t n = (size_t)form->n_piece * (size_t)form->dim, m = n * (size_t)form->dim;
    const size_t room = 4 * n + 4 * m + (size_t)(form->n_body * form->width);
    if (room > a->room) {
        if (!carom_grow(&a->t, sizeof(double), room)) return false;
        a->room = room;
    }
    a->form = form;
    a->lu = lu;
    a->r = a->t + n;
    a->x = a->r + n;
    a->z = a->x + n;
    a->R = a->z + n;
    a->C = a->R + m;
    a->E = a->C + m;
    a->D = a->E + m;
    a->v = a->D + m;
    const int D = form->dim;
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < D; i++)
            a->t[k * D + i] = i < form->piece[k].dim
                                  ? 1 / ((s ? s[form->piece[k].first + i] : 1) * form->s[k * D + i])
                                  : 1;
    return true;
}

void carom_body_blend_close(carom_body_blend *a)
{
    free(a->t);
    *a = (carom_body_blend){0};
}

// by pieces from rows, and back
static void gather(const carom_body_form *form, const double *x, double *to)
{
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < form->dim; i++)
            to[k * form->dim + i] = i < form->piece[k].dim ? x[form->piece[k].first + i] : 0;
}

static void scatter(const carom_body_form *form, const double *from, double *x)
{
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < form->piece[k].dim; i++)
            x[form->piece[k].first + i] = from[k * form->dim + i];
}

// y = t (J J' + d) t x by pieces; y may not be x
static void multiply_G(const carom_body_blend *a, const double *x, double *y)
{
    const int n = a->form->n_piece * a->form->dim;
    for (int i = 0; i < n; i++) a->z[i] = a->t[i] * x[i];
    carom_body_form_push(a->form, a->z, a->v);
    carom_body_form_rates(a->form, a->v, a->z, false, y);
    for (int i = 0; i < n; i++) y[i] *= a->t[i];
}

void carom_body_blend_product(const carom_body_blend *a, const double *x, double *y)
{
    gather(a->form, x, a->x);
    multiply_G(a, a->x, a->r);
    scatter(a->form, a->r, y);
}

// a matrix of a piece from its rows; what is beyond its rows is `rest` times the identity
static void take_block(const carom_body_form *form, int k, const double *rows, double rest,
                       double *block)
{
    const carom_piece *piece = &form->piece[k];
    const int D = form->dim;
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            const bool is_inside = i < piece->dim && j < piece->dim;
            const double *row = rows ? rows + 3 * (size_t)(piece->first + i) : NULL;
            double x = i == j ? rest : 0;
            if (is_inside && rows && piece->kind == CAROM_PIECE_EQUALITY)
                x = i == j ? row[0] : 0;
            else if (is_inside && rows)
                x = row[j];
            block[i * D + j] = x;
        }
}

// X = A^-1 by rows, n 2 or 3, with pivots; false where singular
static bool invert(int n, const double *A, double *X)
{
    double a[9];
    memcpy(a, A, sizeof *a * (size_t)(n * n));
    for (int i = 0; i < n * n; i++) X[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        const double pivot = a[best * n + k];
        if (!(fabs(pivot) > 1e-300)) return false;
        for (int j = 0; j < n; j++) {
            const double x = a[best * n + j], y = X[best * n + j];
            a[best * n + j] = a[k * n + j];
            X[best * n + j] = X[k * n + j];
            a[k * n + j] = x / pivot;
            X[k * n + j] = y / pivot;
        }
        for (int i = 0; i < n; i++) {
            const double factor = a[i * n + k];
            if (i == k || factor == 0) continue;
            for (int j = 0; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
                X[i * n + j] -= factor * X[k * n + j];
            }
        }
    }
    return true;
}

// y = A x, or y -= A x, for one block by rows
static inline void apply(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += A[i * n + j] * x[j];
        y[i] = sum;
    }
}

bool carom_body_blend_factor(carom_body_blend *a, const double *R, const double *C)
{
    const carom_body_form *form = a->form;
    const int n = form->dim;
    for (int k = 0; k < form->n_piece; k++) {
        const size_t at = (size_t)k * (size_t)n * (size_t)n;
        const double *t = a->t + k * n, *d = form->d + k * n;
        const bool is_equality = form->piece[k].kind == CAROM_PIECE_EQUALITY;
        double E[9];
        take_block(form, k, is_equality ? NULL : R, 1, a->R + at);
        take_block(form, k, C, 1, a->C + at);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                E[i * n + j] = a->C[at + (size_t)(i * n + j)] +
                               a->R[at + (size_t)(i * n + j)] * t[j] * d[j] * t[j];
        if (!invert(n, E, a->E + at)) return false;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int l = 0; l < n; l++)
                    sum += a->E[at + (size_t)(i * n + l)] * a->R[at + (size_t)(l * n + j)];
                a->D[at + (size_t)(i * n + j)] = t[i] * sum * t[j];
            }
    }
    return carom_body_lu_factor(a->lu, form, a->D);
}

// x += A^-1 r, roughly
static void add_solution(const carom_body_blend *a, const double *r, double *x)
{
    const carom_body_form *form = a->form;
    const int n = form->dim;
    for (int k = 0; k < form->n_piece; k++) {
        apply(n, a->E + k * n * n, r + k * n, a->z + k * n);
        for (int i = 0; i < n; i++) a->z[k * n + i] *= a->t[k * n + i];
    }
    carom_body_form_push(form, a->z, a->v);
    carom_body_lu_solve(a->lu, a->v);
    memset(a->z, 0, sizeof *a->z * (size_t)(form->n_piece * n));
    carom_body_form_rates(form, a->v, a->z, false, a->z);
    for (int k = 0; k < form->n_piece; k++) {
        double z[3], y[3];
        for (int i = 0; i < n; i++) z[i] = a->t[k * n + i] * a->z[k * n + i];
        apply(n, a->R + k * n * n, z, y);
        for (int i = 0; i < n; i++) y[i] = r[k * n + i] - y[i];
        apply(n, a->E + k * n * n, y, z);
        for (int i = 0; i < n; i++) x[k * n + i] += z[i];
    }
}

// r = y - A x; returns its length
static double find_rest(const carom_body_blend *a, const double *y, const double *x, double *r)
{
    const carom_body_form *form = a->form;
    const int n = form->dim;
    double sum = 0;
    multiply_G(a, x, r);
    for (int k = 0; k < form->n_piece; k++) {
        double one[3], two[3];
        apply(n, a->R + k * n * n, r + k * n, one);
        apply(n, a->C + k * n * n, x + k * n, two);
        for (int i = 0; i < n; i++) {
            const int row = form->piece[k].first + i;
            r[k * n + i] = (i < form->piece[k].dim ? y[row] : 0) - one[i] - two[i];
            sum += r[k * n + i] * r[k * n + i];
        }
    }
    return sqrt(sum);
}

void carom_body_blend_solve(const carom_body_blend *a, double *x)
{
    const int n = a->form->n_piece * a->form->dim;
    double before = 0;
    gather(a->form, x, a->r);
    for (int i = 0; i < n; i++) {
        a->x[i] = 0;
        before += a->r[i] * a->r[i];
    }
    before = sqrt(before);
    const double goal = GOOD * before;
    for (int k = 0; k < N_REFINE && before > goal; k++) {
        add_solution(a, a->r, a->x);
        const double rest = find_rest(a, x, a->x, a->r);
        const bool is_stuck = !(rest < 0.5 * before);
        before = rest;
        if (is_stuck) break;
    }
    scatter(a->form, a->x, x);
}
