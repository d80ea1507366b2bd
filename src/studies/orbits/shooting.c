// SPDX-License-Identifier: Apache-2.0
// Periodic orbits by shooting: a state x0 on the tangents B with Psi(x0) = x0 + s, s the shifts of
// coordinates; what is free is not among the tangents,
//
//     (M - I) y = -B'(Psi(x0) - x0 - s),     x0 := x0 + B y
//
// A step is halved while the events between two points change or the residual grows; where halving
// does not help the new events are accepted. The multipliers are the eigenvalues of M. Of a section
// by an event or a crossing the direction of the flow is among them, as a 0.
//
//     dx0/dp = B (I - M)^-1 B'(Z_p - c) + c,    dT/dp = dt_p + dt_x dx0/dp
#include "studies/orbits/map.h"

#include "math/dense.h"
#include "math/spectrum/eigenvalues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 30, MOST_HALVINGS = 10 };
static const double fine = 1e-12;     // of the size of the state: the residual is rounding
static const double undecided = 1e-6; // of a multiplier from the unit circle

typedef struct newton {
    carom_map *map;
    const carom_scan_tangent *asked;
    double *A, *b, *x, *r;   // (n n), (n), (2 nu), (2 nu)
    double *best_q, *best_u; // start of the pass
    double *shift;           // (n_shift)
    int *pivot;
    double residual;
} newton;

carom_orbit *carom_orbit_new(const carom_map *map, carom_error *error)
{
    carom_orbit *o = calloc(1, sizeof *o);
    const size_t n = (size_t)map->n + 1;
    if (o) {
        o->real = calloc(n, sizeof(double));
        o->imaginary = calloc(n, sizeof(double));
        o->x_by = calloc(n * (size_t)(map->n_by + 1), sizeof(double));
        o->period_by = calloc((size_t)map->n_by + 1, sizeof(double));
        o->shift = calloc((size_t)map->w->scan->tangent.n_shift + 1, sizeof(double));
        if (o->real && o->imaginary && o->x_by && o->period_by && o->shift) return o;
    }
    carom_orbit_free(o);
    (void)carom_scan_no_memory(error);
    return NULL;
}

void carom_orbit_free(carom_orbit *o)
{
    if (!o) return;
    free(o->real);
    free(o->imaginary);
    free(o->x_by);
    free(o->period_by);
    free(o->shift);
    free(o);
}

static bool take_all(newton *w)
{
    const size_t n = (size_t)w->map->n + 1;
    w->A = calloc(n * n, sizeof(double));
    w->b = calloc(n * (size_t)(w->map->n_by + 1), sizeof(double));
    w->x = calloc(n, sizeof(double));
    w->r = calloc(n, sizeof(double));
    w->best_q = calloc((size_t)w->map->nq + 1, sizeof(double));
    w->best_u = calloc(n, sizeof(double));
    w->pivot = calloc(n, sizeof(int));
    return w->A && w->b && w->x && w->r && w->best_q && w->best_u && w->pivot;
}

static void give_back(newton *w)
{
    free(w->A);
    free(w->b);
    free(w->x);
    free(w->r);
    free(w->best_q);
    free(w->best_u);
    free(w->pivot);
}

// r = Psi(x0) - x0 - s, and its size in units of the state's
static void find_residual(newton *w)
{
    const carom_map *m = w->map;
    double most = 0, size_q = 0, size_u = 0;
    carom_map_difference(m, w->r);
    for (int i = 0; i < w->asked->n_shift; i++) {
        const carom_scan_shift *s = &w->asked->shift[i];
        if (s->is_free) w->shift[i] = w->r[s->velocity];
        w->r[s->velocity] -= s->is_free ? w->r[s->velocity] : s->by;
    }
    for (int i = 0; i < m->nq; i++) size_q = fmax(size_q, fmax(fabs(m->q0[i]), fabs(m->q1[i])));
    for (int i = 0; i < m->nu; i++) size_u = fmax(size_u, fmax(fabs(m->u0[i]), fabs(m->u1[i])));
    for (int i = 0; i < m->n; i++) {
        const double size = i < m->nu ? size_q : size_u;
        most = fmax(most, size > 0 ? fabs(w->r[i]) / size : 0);
    }
    w->residual = most;
}

static carom_status run(newton *w, carom_error *error)
{
    CAROM_TRY(carom_map_run(w->map, error));
    find_residual(w);
    return CAROM_OK;
}

// sign times (M - I)
static void fill_matrix(newton *w, double sign)
{
    const carom_map *m = w->map;
    for (int j = 0; j < m->d; j++)
        for (int i = 0; i < m->d; i++)
            w->A[j * m->d + i] = sign * (m->M[j * m->d + i] - (i == j ? 1 : 0));
}

static carom_status refuse_singular(const newton *w, carom_error *error)
{
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "a multiplier is 1 (residual %.3g): a fold or a branch is near, or a "
                      "coordinate that nothing depends on (--shift NAME=free); use continue",
                      w->residual);
}

// x = B y
static carom_status find_step(newton *w, carom_error *error)
{
    const carom_map *m = w->map;
    fill_matrix(w, 1);
    memset(w->b, 0, sizeof(double) * (size_t)m->d);
    for (int i = 0; i < m->d; i++)
        for (int k = 0; k < m->n; k++) w->b[i] -= m->B[i * m->n + k] * w->r[k];
    if (!carom_dense_lu(m->d, w->A, 1, w->b, w->pivot)) return refuse_singular(w, error);
    memset(w->x, 0, sizeof(double) * (size_t)m->n);
    for (int i = 0; i < m->d; i++)
        for (int k = 0; k < m->n; k++) w->x[k] += m->B[i * m->n + k] * w->b[i];
    return CAROM_OK;
}

static void restore(newton *w)
{
    memcpy(w->map->q0, w->best_q, sizeof(double) * (size_t)w->map->nq);
    memcpy(w->map->u0, w->best_u, sizeof(double) * (size_t)w->map->nu);
}

static carom_status refuse_step(const newton *w, const char *why, carom_error *error)
{
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "no orbit near the start: residual %.2g, and Newton's method leads to where "
                      "the motion fails (%s); try --skip 500 or another --start",
                      w->residual, why);
}

// the best of steps that were halved: one that keeps the events and makes the residual smaller,
// else the one with the smallest residual
static carom_status take_step(newton *w, carom_error *error)
{
    carom_map *m = w->map;
    const double before = w->residual;
    const unsigned long long word = m->word;
    memcpy(w->best_q, m->q0, sizeof(double) * (size_t)m->nq);
    memcpy(w->best_u, m->u0, sizeof(double) * (size_t)m->nu);
    double factor = 1, best = 0, least = INFINITY;
    carom_error why = {0};
    for (int k = 0; k <= MOST_HALVINGS; k++, factor /= 2) {
        restore(w);
        carom_map_move(m, w->x, factor);
        const carom_status status = run(w, &why);
        if (status == CAROM_NO_MEMORY) return carom_fail(error, status, "%s", why.message);
        if (status != CAROM_OK) continue;
        if (m->word == word && w->residual < before) return CAROM_OK;
        if (w->residual < least) {
            least = w->residual;
            best = factor;
        }
    }
    restore(w);
    if (best == 0) return refuse_step(w, why.message, error);
    carom_map_move(m, w->x, best);
    return run(w, error);
}

carom_status carom_orbit_multiply(carom_map *m, carom_orbit *o, carom_error *error)
{
    double most = 0;
    memcpy(m->unit, m->M, sizeof(double) * (size_t)m->d * (size_t)m->d);
    if (!carom_eigenvalues(m->d, m->unit, o->real, o->imaginary))
        return carom_fail(error, CAROM_NOT_CONVERGED, "the multipliers were not found");
    o->d = m->d;
    for (int i = 0; i < m->d; i++) most = fmax(most, hypot(o->real[i], o->imaginary[i]));
    o->stable = most < 1 - undecided ? 1 : most > 1 + undecided ? 0 : -1;
    return CAROM_OK;
}

// how the orbit changes with parameters
static carom_status find_derivatives(newton *w, carom_orbit *o, carom_error *error)
{
    carom_map *m = w->map;
    for (int j = 0; j < m->n_by; j++) {
        const double *z = m->Z + (m->n + j) * m->n, *c = m->C + j * m->n;
        double *x = o->x_by + j * m->n;
        fill_matrix(w, -1);
        memset(w->b, 0, sizeof(double) * (size_t)m->d);
        for (int i = 0; i < m->d; i++)
            for (int k = 0; k < m->n; k++) w->b[i] += m->B[i * m->n + k] * (z[k] - c[k]);
        if (!carom_dense_lu(m->d, w->A, 1, w->b, w->pivot)) return refuse_singular(w, error);
        memcpy(x, c, sizeof(double) * (size_t)m->n);
        for (int i = 0; i < m->d; i++)
            for (int k = 0; k < m->n; k++) x[k] += m->B[i * m->n + k] * w->b[i];
        o->period_by[j] = m->dt[m->n + j];
        for (int k = 0; k < m->n; k++)
            for (int i = 0; i < m->d; i++)
                o->period_by[j] += m->dt[k] * m->B[i * m->n + k] * w->b[i];
    }
    return CAROM_OK;
}

static carom_status refuse_orbit(const newton *w, double first, carom_error *error)
{
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "no orbit near the start: residual %.2g -> %.2g in %d iterations, %ld events "
                      "between two points; try --skip 500, another --start, or --times %d",
                      first, w->residual, MOST_PASSES, w->map->events, 2 * w->map->times);
}

static carom_status iterate(newton *w, carom_orbit *o, carom_error *error)
{
    CAROM_TRY(run(w, error));
    const double first = w->residual, good = 100 * fmax(w->map->w->scan->run.tolerance, 1e-13);
    double last = INFINITY;
    for (o->passes = 0;; o->passes++) {
        const bool is_still = o->passes > 1 && w->residual <= good && w->residual >= 0.25 * last;
        if (w->residual <= fine || is_still) return CAROM_OK;
        if (o->passes == MOST_PASSES) return refuse_orbit(w, first, error);
        last = w->residual;
        CAROM_TRY(find_step(w, error));
        CAROM_TRY(take_step(w, error));
    }
}

carom_status carom_orbit_find(carom_map *map, carom_orbit *o, carom_error *error)
{
    newton w = {.map = map, .asked = &map->w->scan->tangent, .shift = o->shift};
    carom_status status = take_all(&w) ? CAROM_OK : carom_scan_no_memory(error);
    if (status == CAROM_OK) status = iterate(&w, o, error);
    if (status == CAROM_OK) status = carom_orbit_multiply(map, o, error);
    if (status == CAROM_OK && map->n_by > 0) status = find_derivatives(&w, o, error);
    o->period = map->t1;
    o->residual = w.residual;
    give_back(&w);
    return status;
}
