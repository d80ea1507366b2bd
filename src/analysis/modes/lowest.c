// SPDX-License-Identifier: Apache-2.0
// The lowest modes of a large model without damping, by Lanczos with a shift:
//
//     [ K - s M   W' ] [ x ]   [ M v ]
//     [ W         0  ] [ . ] = [ 0   ]        x = sum of v_i/(w_i^2 - s): the lowest grow most
//
// W are the rows held, s a little below 0, so that what nothing pulls back does no harm. Vectors
// are made orthogonal to all before them. One start sees one of several equal frequencies (a beam
// bends the same in two planes): the search starts again without what was found until a start finds
// nothing lower.
//
// B. N. Parlett, The Symmetric Eigenvalue Problem, 1998, chapter 13.
#include "analysis/modes/modes.h"
#include "math/eigen/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARTS = 12, SPARE = 40 };
static const double CONVERGED = 1e-9, SHIFT = 1e-9, SYMMETRIC = 1e-8;

typedef struct lanczos {
    carom_modes_search *s;
    carom_linear *S;
    int n, n_held, wanted, k, most; // k vectors so far
    double shift;
    double *v, *Mv;           // (most n) of this start
    double *locked, *Mlocked; // (n_locked n) what was found
    double *value;            // (n_locked) w^2
    int n_locked, room;
    double *a, *b;        // (most) the tridiagonal matrix
    double *x, *y, *full; // (n), (n), (n + n_held)
    double *T, *theta;    // (most most), (most)
} lanczos;

static bool take_memory(lanczos *l)
{
    const size_t n = (size_t)l->n, most = (size_t)l->most, room = (size_t)l->room;
    const size_t size =
        2 * most * n + 2 * room * n + room + 4 * most + 3 * n + (size_t)l->n_held + most * most + 1;
    double *at = l->v = calloc(size, sizeof *at);
    if (!at) return false;
    l->Mv = at += most * n;
    l->locked = at += most * n;
    l->Mlocked = at += room * n;
    l->value = at += room * n;
    l->a = at += room;
    l->b = at += most;
    l->theta = at += most;
    l->x = at += most;
    l->y = at += n;
    l->full = at += n;
    l->T = at + n + l->n_held;
    return true;
}

static carom_status factor(lanczos *l, carom_error *error)
{
    const carom_eval *ev = l->s->ev;
    const carom_sparse *W = &ev->rows.W;
    double largest = 0;
    for (int i = 0; i < l->n; i++) {
        memset(l->x, 0, sizeof *l->x * (size_t)l->n);
        const double m = carom_mass_entry(ev->mass, i, i);
        for (int part = 0; part < 2; part++) {
            const carom_sparse *b = part ? &ev->derivatives.dWP_dq : &ev->derivatives.df_dq;
            for (int k = b->start[i]; k < b->start[i + 1]; k++)
                if (b->index[k] == i) largest = fmax(largest, fabs(b->value[k]) / m);
        }
    }
    l->shift = -SHIFT * (largest > 0 ? largest : 1);
    const int entries = carom_mass_n_entry(ev->mass) + ev->derivatives.df_dq.start[l->n] +
                        ev->derivatives.dWP_dq.start[l->n] + 2 * W->start[W->n_row] + l->n;
    CAROM_TRY(carom_linear_new(l->n + l->n_held, entries, &l->S, error));
    carom_linear_clear(l->S);
    carom_linear_add(l->S, 0, 0, &ev->derivatives.df_dq, -1, false);
    carom_linear_add(l->S, 0, 0, &ev->derivatives.dWP_dq, -1, false);
    carom_linear_add_mass(l->S, 0, 0, ev->mass, -l->shift);
    for (int r = 0, at = l->n; r < W->n_row; r++) {
        if (!l->s->found->is_held[r]) continue;
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            carom_linear_add_entry(l->S, at, W->index[k], W->value[k]);
            carom_linear_add_entry(l->S, W->index[k], at, W->value[k]);
        }
        at++;
    }
    if (carom_linear_factor(l->S, NULL) == CAROM_OK) return CAROM_OK;
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "the stiffness cannot be factorised: rows that are held are implied by "
                      "others ('carom check' names them)");
}

// x := S^-1 M v, given M v
static void apply(lanczos *l, const double *Mv, double *x)
{
    memcpy(l->full, Mv, sizeof *Mv * (size_t)l->n);
    memset(l->full + l->n, 0, sizeof *Mv * (size_t)l->n_held);
    carom_linear_solve(l->S, l->full);
    memcpy(x, l->full, sizeof *x * (size_t)l->n);
}

static void remove_parts(const lanczos *l, const double *v, const double *Mv, int many, double *x)
{
    for (int i = 0; i < many; i++) {
        const double part = carom_modes_dot(Mv + (size_t)i * (size_t)l->n, x, l->n);
        for (int j = 0; j < l->n; j++) x[j] -= part * v[(size_t)i * (size_t)l->n + (size_t)j];
    }
}

// makes x the next vector, orthogonal to all; returns its length before that
static double add_vector(lanczos *l, double *x)
{
    for (int pass = 0; pass < 2; pass++) {
        remove_parts(l, l->locked, l->Mlocked, l->n_locked, x);
        remove_parts(l, l->v, l->Mv, l->k, x);
    }
    double *v = l->v + (size_t)l->k * (size_t)l->n, *Mv = l->Mv + (size_t)l->k * (size_t)l->n;
    carom_mass_times(l->s->ev->mass, x, Mv);
    const double length = sqrt(fmax(0, carom_modes_dot(x, Mv, l->n)));
    if (!(length > 0)) return 0;
    for (int i = 0; i < l->n; i++) {
        v[i] = x[i] / length;
        Mv[i] /= length;
    }
    l->k++;
    return length;
}

static bool solve_small(lanczos *l)
{
    const size_t k = (size_t)l->k;
    memset(l->T, 0, k * k * sizeof *l->T);
    for (size_t i = 0; i < k; i++) {
        l->T[i * k + i] = l->a[i];
        if (i + 1 < k) l->T[(i + 1) * k + i] = l->T[i * k + i + 1] = l->b[i];
    }
    return carom_eigen_symmetric(l->k, l->T, l->theta);
}

// takes over what has converged, largest theta first; returns how many
static int lock(lanczos *l, double last)
{
    int n = 0;
    for (int i = l->k - 1; i >= 0 && l->theta[i] > 0 && l->n_locked < l->room; i--) {
        const double *c = l->T + (size_t)i * (size_t)l->k;
        if (fabs(last * c[l->k - 1]) > CONVERGED * l->theta[i]) break;
        double *x = l->locked + (size_t)l->n_locked * (size_t)l->n;
        memset(x, 0, sizeof *x * (size_t)l->n);
        for (int j = 0; j < l->k; j++)
            for (int m = 0; m < l->n; m++)
                x[m] += c[j] * l->v[(size_t)j * (size_t)l->n + (size_t)m];
        carom_mass_times(l->s->ev->mass, x, l->Mlocked + (size_t)l->n_locked * (size_t)l->n);
        l->value[l->n_locked++] = l->shift + 1 / l->theta[i];
        n++;
        if (n == l->wanted + 4) break;
    }
    return n;
}

// one start; returns how many modes it has found, lowest first
static int run(lanczos *l, int start)
{
    double last = 0;
    l->k = 0;
    for (int i = 0; i < l->n; i++) l->x[i] = sin(1 + (1.7 + start) * i + 0.3 * i * i);
    carom_mass_times(l->s->ev->mass, l->x, l->y);
    apply(l, l->y, l->x); // keeps the rows
    if (!(add_vector(l, l->x) > 0)) return 0;
    while (true) {
        const double *Mv = l->Mv + (size_t)(l->k - 1) * (size_t)l->n;
        apply(l, Mv, l->x);
        const double size = sqrt(carom_modes_dot(l->x, l->x, l->n));
        l->a[l->k - 1] = carom_modes_dot(Mv, l->x, l->n);
        if (l->k == l->most || l->k + l->n_locked >= l->s->found->n_free) break;
        last = add_vector(l, l->x);
        if (!(last > 1e-14 * size)) {
            last = 0;
            break;
        }
        l->b[l->k - 2] = last;
    }
    if (l->k + l->n_locked >= l->s->found->n_free) last = 0; // all there is
    return solve_small(l) ? lock(l, last) : 0;
}

// is the matrix symmetric? x'Ay = y'Ax for two vectors of no shape
static bool is_symmetric(lanczos *l, bool is_stiffness)
{
    double xAy = 0, yAx = 0, size = 0;
    double *p = l->v, *q = l->v + l->n, *r = l->Mv, *scratch = l->Mv + l->n;
    for (int i = 0; i < l->n; i++) {
        const double m = sqrt(carom_mass_entry(l->s->ev->mass, i, i));
        p[i] = sin(1 + 1.3 * i) / m;
        q[i] = cos(2 + 2.9 * i) / m;
    }
    for (int pass = 0; pass < 2; pass++) {
        const double *from = pass ? q : p, *to = pass ? p : q;
        if (is_stiffness)
            carom_modes_stiffness(l->s, from, r, scratch);
        else
            carom_modes_times(&l->s->ev->derivatives.df_du, from, r);
        *(pass ? &xAy : &yAx) = carom_modes_dot(to, r, l->n);
        for (int i = 0; i < l->n; i++) size += fabs(to[i] * r[i]);
    }
    return fabs(xAy - yAx) <= SYMMETRIC * size;
}

static int by_value(const void *a, const void *b)
{
    const double x = **(const double *const *)a, y = **(const double *const *)b;
    return (x > y) - (x < y);
}

// the lowest of what is locked, in order
static carom_status keep_lowest(lanczos *l, carom_error *error)
{
    carom_modes *f = l->s->found;
    const double **order = malloc(sizeof *order * (size_t)(l->n_locked + 1));
    f->n_basis = l->n_locked < l->wanted ? l->n_locked : l->wanted;
    f->basis = malloc(sizeof(double) * ((size_t)f->n_basis * (size_t)l->n + 1));
    if (order && f->basis) {
        for (int i = 0; i < l->n_locked; i++) order[i] = l->value + i;
        qsort(order, (size_t)l->n_locked, sizeof *order, by_value);
        for (int i = 0; i < f->n_basis; i++)
            memcpy(f->basis + (size_t)i * (size_t)l->n,
                   l->locked + (size_t)(order[i] - l->value) * (size_t)l->n,
                   sizeof(double) * (size_t)l->n);
    }
    const bool is_made = order && f->basis;
    free(order);
    return is_made ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

static double wanted_value(const lanczos *l)
{
    double low = -INFINITY;
    if (l->n_locked < l->wanted) return INFINITY;
    for (int i = 0; i < l->wanted; i++) { // the next larger one
        double next = INFINITY;
        int same = 0;
        for (int k = 0; k < l->n_locked; k++) {
            if (l->value[k] > low && l->value[k] < next) next = l->value[k];
        }
        for (int k = 0; k < l->n_locked; k++) same += l->value[k] == next;
        low = next;
        i += same - 1;
    }
    return low;
}

static carom_status search(lanczos *l, carom_error *error)
{
    if (!is_symmetric(l, true) || !is_symmetric(l, false))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "stiffness or damping are not symmetric (gyroscopes, followers, "
                          "circulation): up to %d velocities can be done, this model has %d",
                          CAROM_MODES_GENERAL, l->n);
    CAROM_TRY(factor(l, error));
    for (int start = 0; start < MOST_STARTS; start++) {
        const double before = wanted_value(l);
        const int first = l->n_locked, n = run(l, start);
        bool has_lower = n == 0 && start == 0;
        for (int i = first; i < l->n_locked; i++) has_lower |= l->value[i] < before;
        if (start > 0 && !has_lower) break;
        if (l->n_locked + l->wanted + 4 > l->room || l->n_locked >= l->s->found->n_free) break;
    }
    if (l->n_locked == 0)
        return carom_fail(error, CAROM_NOT_CONVERGED, "no mode converged in %d vectors", l->most);
    return keep_lowest(l, error);
}

carom_status carom_modes_lowest(carom_modes_search *s, int most, carom_error *error)
{
    lanczos l = {.s = s, .n = s->size.nu, .wanted = most};
    for (int r = 0; r < s->size.n_row; r++) l.n_held += s->found->is_held[r];
    s->found->n_free = l.n - l.n_held;
    if (l.wanted > s->found->n_free) l.wanted = s->found->n_free;
    l.most = 3 * l.wanted + SPARE < s->found->n_free ? 3 * l.wanted + SPARE : s->found->n_free;
    l.room = 6 * (l.wanted + 4);
    if (s->found->n_free < 1) return CAROM_OK;
    carom_status status =
        take_memory(&l) ? search(&l, error) : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    carom_linear_free(l.S);
    free(l.v);
    return status;
}
