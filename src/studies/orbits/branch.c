// SPDX-License-Identifier: Apache-2.0
// Pseudo-arclength: the next point z = (x, p) of a branch is the one at the distance ds along the
// tangent t, in units of the scales of state and parameter,
//
//     [ M - I     F_p  ] [ y  ]   [ -B'(Psi(x) - x - s) ]       F_p = B'(Z_p - c)
//     [ t_x'B    t_p   ] [ dp ] = [ ds - t.(z - z_0)    ]       dx = B y + c dp
#include "studies/orbits/branch.h"

#include "math/dense.h"
#include "math/eigen/eigenvalues.h"
#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 10 };
static const double good = 1e-11; // residual, of the scales

const char *carom_special_word(carom_special special)
{
    static const char *const word[] = {
        "",           "fold",          "doubling", "torus",
        "branch",     "grazing",       "stopped",  "stop-touch",
        "slip-touch", "release-touch", "corner",   "impact on the section (choose another phase)"};
    return word[special];
}

// ---- memory ----

bool carom_branch_take_point(carom_branch_point *it, const carom_map *m)
{
    const size_t n = (size_t)m->n + 2;
    it->q = calloc((size_t)m->nq + 1, sizeof(double));
    it->u = calloc(n, sizeof(double));
    it->tangent = calloc(n, sizeof(double));
    it->real = calloc(n, sizeof(double));
    it->imaginary = calloc(n, sizeof(double));
    return it->q && it->u && it->tangent && it->real && it->imaginary;
}

void carom_branch_free_point(carom_branch_point *it)
{
    free(it->q);
    free(it->u);
    free(it->tangent);
    free(it->real);
    free(it->imaginary);
}

void carom_branch_copy_point(const carom_branch *b, const carom_branch_point *from,
                             carom_branch_point *to)
{
    const size_t n = sizeof(double) * (size_t)b->map->n;
    carom_branch_point kept = *to;
    *to = *from;
    to->q = memcpy(kept.q, from->q, sizeof(double) * (size_t)b->map->nq);
    to->u = memcpy(kept.u, from->u, n / 2);
    to->tangent = memcpy(kept.tangent, from->tangent, n + sizeof(double));
    to->real = memcpy(kept.real, from->real, n);
    to->imaginary = memcpy(kept.imaginary, from->imaginary, n);
}

carom_status carom_branch_new(carom_worker *w, carom_branch **branch, carom_error *error)
{
    carom_branch *b = *branch = calloc(1, sizeof *b);
    if (!b) return carom_scan_no_memory(error);
    CAROM_TRY(carom_map_new(w, &b->map, error));
    b->orbit = carom_orbit_new(b->map, error);
    const size_t n = (size_t)b->map->n + 2;
    b->A = calloc(n * n, sizeof(double));
    b->b = calloc(2 * n, sizeof(double));
    b->x = calloc(n, sizeof(double));
    b->pivot = calloc(n, sizeof(int));
    const bool is_taken =
        b->orbit && b->A && b->b && b->x && b->pivot &&
        (b->direction = calloc(n, sizeof(double))) != NULL &&
        carom_branch_take_point(&b->doubled, b->map) && carom_branch_take_point(&b->now, b->map) &&
        carom_branch_take_point(&b->next, b->map) && carom_branch_take_point(&b->found, b->map) &&
        carom_branch_take_point(&b->aside, b->map);
    return is_taken ? CAROM_OK : carom_scan_no_memory(error);
}

void carom_branch_free(carom_branch *b)
{
    if (!b) return;
    carom_orbit_free(b->orbit);
    carom_map_free(b->map);
    carom_branch_free_point(&b->now);
    carom_branch_free_point(&b->next);
    carom_branch_free_point(&b->found);
    carom_branch_free_point(&b->doubled);
    carom_branch_free_point(&b->aside);
    free(b->direction);
    free(b->A);
    free(b->b);
    free(b->x);
    free(b->pivot);
    free(b);
}

// ---- the system of a point ----

// a.b in units of the scales; a and b (n + 1)
double carom_branch_metric(const carom_branch *b, const double *v, const double *w)
{
    const int n = b->map->n;
    double sum = v[n] * w[n] / (b->scale_p * b->scale_p);
    for (int i = 0; i < n; i++) sum += v[i] * w[i] / (b->scale_x * b->scale_x);
    return sum;
}

// rows of the map, then that of a direction (n + 1)
static void fill_system(carom_branch *b, const double *direction)
{
    const carom_map *m = b->map;
    const int d = m->d, n = d + 1;
    const double *z = m->Z + m->n * m->n, *c = m->C;
    for (int j = 0; j < d; j++) {
        double along = 0;
        for (int i = 0; i < d; i++) b->A[j * n + i] = m->M[j * d + i] - (i == j ? 1 : 0);
        for (int k = 0; k < m->n; k++) along += direction[k] * m->B[j * m->n + k];
        b->A[j * n + d] = along / (b->scale_x * b->scale_x);
    }
    double last = direction[m->n] / (b->scale_p * b->scale_p);
    for (int k = 0; k < m->n; k++) last += direction[k] * c[k] / (b->scale_x * b->scale_x);
    for (int i = 0; i < d; i++) {
        b->A[d * n + i] = 0;
        for (int k = 0; k < m->n; k++) b->A[d * n + i] += m->B[i * m->n + k] * (z[k] - c[k]);
    }
    b->A[d * n + d] = last;
}

// (x, p) from the unknowns (y, dp)
static void spread(const carom_branch *b, const double *y, double *z)
{
    const carom_map *m = b->map;
    for (int k = 0; k < m->n; k++) z[k] = m->C[k] * y[m->d];
    for (int i = 0; i < m->d; i++)
        for (int k = 0; k < m->n; k++) z[k] += m->B[i * m->n + k] * y[i];
    z[m->n] = y[m->d];
}

static double determinant(int n, double *A)
{
    double det = 1;
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j; i < n; i++)
            if (fabs(A[j * n + i]) > fabs(A[j * n + best])) best = i;
        if (!(fabs(A[j * n + best]) > 0)) return 0;
        if (best != j) det = -det;
        for (int k = j; k < n; k++) {
            const double swapped = A[k * n + best];
            A[k * n + best] = A[k * n + j];
            A[k * n + j] = swapped;
        }
        det *= A[j * n + j];
        for (int i = j + 1; i < n; i++) {
            const double factor = A[j * n + i] / A[j * n + j];
            for (int k = j; k < n; k++) A[k * n + i] -= factor * A[k * n + j];
        }
    }
    return det;
}

// direction along the branch, on the side of a guide
static carom_status find_tangent(carom_branch *b, const double *guide, double *tangent,
                                 carom_error *error)
{
    const int n = b->map->d + 1;
    fill_system(b, guide);
    memset(b->b, 0, sizeof(double) * (size_t)n);
    b->b[n - 1] = 1;
    if (!carom_dense_lu(n, b->A, 1, b->b, b->pivot))
        return carom_fail(error, CAROM_NOT_CONVERGED, "the branch has no direction here");
    spread(b, b->b, tangent);
    const double size = sqrt(carom_branch_metric(b, tangent, tangent));
    for (int i = 0; i <= b->map->n; i++) tangent[i] /= size;
    return CAROM_OK;
}

// r = Psi(x) - x - s into x (n); its size in units of the scale
static double find_residual(carom_branch *b)
{
    const carom_scan_tangent *asked = &b->map->w->scan->tangent;
    double most = 0;
    carom_map_difference(b->map, b->x);
    for (int i = 0; i < asked->n_shift; i++) {
        const carom_scan_shift *s = &asked->shift[i];
        b->x[s->velocity] -= s->is_free ? b->x[s->velocity] : s->by;
    }
    for (int i = 0; i < b->map->n; i++) most = fmax(most, fabs(b->x[i]) / b->scale_x);
    return most;
}

// ---- points ----

static void take_tests(carom_branch *b, carom_branch_point *it)
{
    const int d = it->d;
    double re = 1, im = 0;
    it->torus = 1;
    for (int i = 0; i < d; i++) {
        const double a = it->real[i] + 1, c = it->imaginary[i], was = re;
        re = was * a - im * c;
        im = was * c + im * a;
    }
    it->doubling = re;
    re = 1;
    im = 0;
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++) {
            const double a = it->real[i] * it->real[j] - it->imaginary[i] * it->imaginary[j] - 1,
                         c = it->real[i] * it->imaginary[j] + it->imaginary[i] * it->real[j];
            const double was = re;
            re = was * a - im * c;
            im = was * c + im * a;
        }
    it->torus = d > 1 ? re : 1;
    it->fold = it->tangent[b->map->n];
    fill_system(b, it->tangent);
    it->crossing = determinant(d + 1, b->A);
}

// the map's last run is this point
carom_status carom_branch_take_map(carom_branch *b, const double *guide, carom_branch_point *it,
                                   carom_error *error)
{
    carom_map *m = b->map;
    const carom_tangent *t = m->w->sim->until.tangent;
    memcpy(it->q, m->q0, sizeof(double) * (size_t)m->nq);
    memcpy(it->u, m->u0, sizeof(double) * (size_t)m->nu);
    it->p = m->along.value;
    it->period = m->t1;
    it->speed = t->least_speed;
    it->gap = t->least_gap;
    it->impacts = m->impacts;
    it->word = m->word;
    it->first_impact = m->w->first_impact - m->t0;
    it->last_impact = m->w->last_impact - m->t0;
    it->n_mark = m->w->n_mark;
    memcpy(it->mark, m->w->mark, sizeof it->mark);
    it->special = CAROM_ORDINARY;
    CAROM_TRY(carom_orbit_multiply(m, b->orbit, error));
    it->d = m->d;
    it->stable = b->orbit->stable;
    memcpy(it->real, b->orbit->real, sizeof(double) * (size_t)m->n);
    memcpy(it->imaginary, b->orbit->imaginary, sizeof(double) * (size_t)m->n);
    CAROM_TRY(find_tangent(b, guide, it->tangent, error));
    take_tests(b, it);
    return CAROM_OK;
}

static void go_to(carom_branch *b, const carom_branch_point *from, const double *direction,
                  double ds)
{
    carom_map *m = b->map;
    memcpy(m->q0, from->q, sizeof(double) * (size_t)m->nq);
    memcpy(m->u0, from->u, sizeof(double) * (size_t)m->nu);
    carom_map_move(m, direction, ds);
    m->along.value = from->p + ds * direction[m->n];
}

// how far the map's start is from a point along a direction
static double travelled(carom_branch *b, const carom_branch_point *from, const double *direction)
{
    carom_map *m = b->map;
    double *z = b->b;
    carom_model_difference(m->w->scan->model, from->q, m->q0, z);
    for (int i = 0; i < m->nu; i++) z[m->nu + i] = m->u0[i] - from->u[i];
    z[m->n] = m->along.value - from->p;
    return carom_branch_metric(b, z, direction);
}

// Newton's method from the map's start, which keeps its distance ds along direction from a point
static carom_status correct(carom_branch *b, const carom_branch_point *from,
                            const double *direction, double ds, carom_error *error)
{
    carom_map *m = b->map;
    double last = INFINITY;
    for (b->passes = 0; b->passes < MOST_PASSES; b->passes++) {
        CAROM_TRY(carom_map_run(m, error));
        const double residual = find_residual(b), behind = ds - travelled(b, from, direction);
        const bool is_still = b->passes > 1 && residual < 1e-8 && residual > 0.25 * last;
        if ((residual <= good || is_still) && fabs(behind) <= 1e-9) return CAROM_OK;
        if (b->passes > 2 && residual > 4 * last) break;
        last = residual;
        const int n = m->d + 1;
        fill_system(b, direction);
        memset(b->b, 0, sizeof(double) * (size_t)n);
        for (int i = 0; i < m->d; i++)
            for (int k = 0; k < m->n; k++) b->b[i] -= m->B[i * m->n + k] * b->x[k];
        b->b[m->d] = behind;
        if (!carom_dense_lu(n, b->A, 1, b->b, b->pivot)) break;
        spread(b, b->b, b->x);
        carom_map_move(m, b->x, 1);
        m->along.value += b->x[m->n];
    }
    return carom_fail(error, CAROM_NOT_CONVERGED, "Newton's method does not find the next point");
}

// the point at ds along direction from another
carom_status carom_branch_find_point(carom_branch *b, const carom_branch_point *from,
                                     const double *direction, double ds, carom_branch_point *to,
                                     carom_error *error)
{
    go_to(b, from, direction, ds);
    CAROM_TRY(correct(b, from, direction, ds, error));
    CAROM_TRY(carom_branch_take_map(b, direction, to, error));
    to->s = from->s + ds;
    return CAROM_OK;
}

void carom_branch_find_scales(carom_branch *b)
{
    const carom_map *m = b->map;
    const carom_scan_axis *along = &m->w->scan->tangent.along;
    for (int i = 0; i < m->nq; i++) b->scale_x = fmax(b->scale_x, fabs(m->q0[i]));
    for (int i = 0; i < m->nu; i++) b->scale_x = fmax(b->scale_x, fabs(m->u0[i]));
    if (!(b->scale_x > 0)) b->scale_x = 1;
    b->scale_p = fmax(fabs(m->along.value), 0.1 * (along->high - along->low));
}
