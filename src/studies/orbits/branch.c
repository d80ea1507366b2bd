// SPDX-License-Identifier: Apache-2.0
// Pseudo-arclength: the next point z = (x, p) of a branch is the one at the distance ds along the
// tangent t, in units of the scales of state and parameter,
//
//     [ M - I     F_p  ] [ y  ]   [ -B'(Psi(x) - x - s) ]       F_p = B'(Z_p - c)
//     [ t_x'B    t_p   ] [ dp ] = [ ds - t.(z - z_0)    ]       dx = B y + c dp
//
// Special points are where a function changes its sign between two points; they are located by
// false position with the corrector inside:
//
//     fold               t_p
//     doubling           det(M + I)
//     torus              product of mu_i mu_j - 1 over pairs
//     another branch     the determinant of the system above
//
// Where an impact loses its speed v, or an open contact its gap g, the orbit grazes. There
// multipliers grow like 1/v, but the parameter is a smooth function of v (or g): it is followed to
// a thousandth and extrapolated to 0.
#include "studies/orbits/branch.h"

#include "math/dense.h"
#include "math/spectrum/eigenvalues.h"
#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 10, MOST_SEARCH = 60, NEAR = 6 };
static const double shortest = 1e-8, longest = 10; // steps, of the first one
static const double good = 1e-11;                  // residual, of the scales
static const double approach = 0.7;                // of the way to where it grazes
static const double close_enough = 1e-3;           // of the speed or gap where the approach began
static const double steepest = 0.94;               // cosine of the angle between two tangents

const char *carom_special_word(carom_special special)
{
    static const char *const word[] = {"",       "fold",    "doubling", "torus",
                                       "branch", "grazing", "stopped"};
    return word[special];
}

// ---- memory ----

static bool take_point(carom_branch_point *it, const carom_map *m)
{
    const size_t n = (size_t)m->n + 2;
    it->q = calloc((size_t)m->nq + 1, sizeof(double));
    it->u = calloc(n, sizeof(double));
    it->tangent = calloc(n, sizeof(double));
    it->real = calloc(n, sizeof(double));
    it->imaginary = calloc(n, sizeof(double));
    return it->q && it->u && it->tangent && it->real && it->imaginary;
}

static void free_point(carom_branch_point *it)
{
    free(it->q);
    free(it->u);
    free(it->tangent);
    free(it->real);
    free(it->imaginary);
}

static void copy_point(const carom_branch *b, const carom_branch_point *from,
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
    const bool is_taken = b->orbit && b->A && b->b && b->x && b->pivot &&
                          take_point(&b->now, b->map) && take_point(&b->next, b->map) &&
                          take_point(&b->found, b->map);
    return is_taken ? CAROM_OK : carom_scan_no_memory(error);
}

void carom_branch_free(carom_branch *b)
{
    if (!b) return;
    carom_orbit_free(b->orbit);
    carom_map_free(b->map);
    free_point(&b->now);
    free_point(&b->next);
    free_point(&b->found);
    free(b->A);
    free(b->b);
    free(b->x);
    free(b->pivot);
    free(b);
}

// ---- the system of a point ----

// a.b in units of the scales; a and b (n + 1)
static double metric(const carom_branch *b, const double *v, const double *w)
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
    const double size = sqrt(metric(b, tangent, tangent));
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
static carom_status take_point_of_map(carom_branch *b, const double *guide, carom_branch_point *it,
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
    return metric(b, z, direction);
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
static carom_status find_point(carom_branch *b, const carom_branch_point *from,
                               const double *direction, double ds, carom_branch_point *to,
                               carom_error *error)
{
    go_to(b, from, direction, ds);
    CAROM_TRY(correct(b, from, direction, ds, error));
    CAROM_TRY(take_point_of_map(b, direction, to, error));
    to->s = from->s + ds;
    return CAROM_OK;
}

// ---- special points ----

static double test_of(const carom_branch_point *it, carom_special special)
{
    return special == CAROM_FOLD       ? it->fold
           : special == CAROM_DOUBLING ? it->doubling
           : special == CAROM_TORUS    ? it->torus
                                       : it->crossing;
}

// a pair of real multipliers with the product 1 is no torus
static bool is_torus(const carom_branch_point *it)
{
    double nearest = INFINITY;
    bool is_complex = false;
    for (int i = 0; i < it->d; i++) {
        const double off = fabs(hypot(it->real[i], it->imaginary[i]) - 1);
        if (off < nearest) {
            nearest = off;
            is_complex = it->imaginary[i] != 0;
        }
    }
    return is_complex && nearest < 1e-4;
}

// false position (Illinois) between now and next, whose distance is ds
static carom_status locate(carom_branch *b, carom_special special, double ds, carom_error *error)
{
    double low = 0, high = ds, f_low = test_of(&b->now, special),
           f_high = test_of(&b->next, special);
    int side = 0;
    for (int k = 0; k < MOST_SEARCH; k++) {
        const double x = (f_low * high - f_high * low) / (f_low - f_high);
        CAROM_TRY(find_point(b, &b->now, b->now.tangent, x, &b->found, error));
        const double f = test_of(&b->found, special);
        if (f == 0 || fabs(high - low) <= 1e-13 * ds || fmin(x - low, high - x) <= 1e-14 * ds)
            break;
        if ((f > 0) == (f_high > 0)) {
            high = x;
            f_high = f;
            if (side == 1) f_low /= 2;
            side = 1;
        } else {
            low = x;
            f_low = f;
            if (side == -1) f_high /= 2;
            side = -1;
        }
    }
    b->found.special = special;
    return CAROM_OK;
}

// what one walk along a branch remembers
typedef struct walk {
    carom_branch *b;
    carom_branch_told *told;
    void *self;
    int way;
    double ds, first;
    double p[NEAR], near[2][NEAR]; // of the last points, the newest first: parameter, speed and gap
    int n;
    double begun[2]; // speed and gap where an approach began; 0 = it has not
} walk;

static carom_status tell_specials(walk *w, double ds, carom_error *error)
{
    carom_branch *b = w->b;
    for (int kind = CAROM_FOLD; kind <= CAROM_CROSSING; kind++) {
        const carom_special special = (carom_special)kind;
        const double from = test_of(&b->now, special), to = test_of(&b->next, special);
        if (!(from * to < 0) || b->now.d != b->next.d) continue;
        if (special == CAROM_CROSSING && b->now.fold * b->next.fold < 0) continue;
        carom_error why = {0};
        if (locate(b, special, ds, &why) != CAROM_OK) continue;
        if (special == CAROM_TORUS && !is_torus(&b->found)) continue;
        CAROM_TRY(w->told(w->self, &b->found, w->way, error));
    }
    return CAROM_OK;
}

// ---- grazing ----

static void remember(walk *w, const carom_branch_point *it)
{
    for (int i = NEAR - 1; i > 0; i--) {
        w->p[i] = w->p[i - 1];
        w->near[0][i] = w->near[0][i - 1];
        w->near[1][i] = w->near[1][i - 1];
    }
    w->p[0] = it->p;
    w->near[0][0] = it->speed;
    w->near[1][0] = it->gap;
    if (w->n < NEAR) w->n++;
}

// how far it is until a speed or a gap is 0, if it goes on so; which: of both
static double distance_to_grazing(const walk *w, double ds, int *which)
{
    double nearest = INFINITY;
    for (int k = 0; k < 2 && w->n > 1; k++) {
        const double now = w->near[k][0], before = w->near[k][1];
        if (!isfinite(now) || !isfinite(before) || !(now < before)) continue;
        const double left = now * ds / (before - now);
        if (left < nearest) {
            nearest = left;
            *which = k;
        }
    }
    return nearest;
}

// p at speed (gap) 0, by the polynomial through the last points
static double extrapolate(const walk *w, int which)
{
    double p[NEAR];
    const double *x = w->near[which];
    int n = 0;
    while (n < w->n && (n == 0 || (isfinite(x[n]) && x[n] > x[n - 1]))) n++;
    memcpy(p, w->p, sizeof p);
    for (int level = 1; level < n; level++)
        for (int i = 0; i + level < n; i++)
            p[i] = (x[i] * p[i + 1] - x[i + level] * p[i]) / (x[i] - x[i + level]);
    return p[0];
}

static carom_status tell_end(walk *w, carom_special special, int which, carom_error *error)
{
    carom_branch *b = w->b;
    copy_point(b, &b->now, &b->found);
    b->found.special = special;
    if (special == CAROM_GRAZING) {
        b->found.p = extrapolate(w, which);
        if (which == 0) b->found.speed = 0;
        if (which == 1) b->found.gap = 0;
    }
    return w->told(w->self, &b->found, w->way, error);
}

// ---- the walk ----

// a shorter step where tangents turn, where the events change, or nothing is found
static carom_status try_step(walk *w, double *ds, bool *is_found, carom_error *error)
{
    carom_branch *b = w->b;
    *is_found = false;
    for (; *ds >= shortest * w->first; *ds /= 2) {
        carom_error why = {0};
        const carom_status status = find_point(b, &b->now, b->now.tangent, *ds, &b->next, &why);
        if (status == CAROM_NO_MEMORY) return carom_fail(error, status, "%s", why.message);
        if (status != CAROM_OK || b->next.word != b->now.word) continue;
        if (metric(b, b->now.tangent, b->next.tangent) < steepest) continue;
        *is_found = true;
        return CAROM_OK;
    }
    return CAROM_OK;
}

// the last point lies at the end of the range
static carom_status end_at(walk *w, double p, carom_error *error)
{
    carom_branch *b = w->b;
    double *direction = calloc((size_t)b->map->n + 1, sizeof *direction);
    if (!direction) return carom_scan_no_memory(error);
    direction[b->map->n] = b->scale_p;
    carom_error why = {0};
    const carom_status status =
        find_point(b, &b->now, direction, (p - b->now.p) / b->scale_p, &b->found, &why);
    free(direction);
    if (status != CAROM_OK || b->found.word != b->now.word) return CAROM_OK;
    return w->told(w->self, &b->found, w->way, error);
}

static carom_status walk_on(walk *w, carom_error *error)
{
    carom_branch *b = w->b;
    const carom_scan_tangent *asked = &b->map->w->scan->tangent;
    int which = 0;
    remember(w, &b->now);
    for (int k = 0; k < asked->most; k++) {
        double ds = w->ds;
        bool is_found;
        CAROM_TRY(try_step(w, &ds, &is_found, error));
        const bool is_near = w->begun[which] > 0;
        if (!is_found) return tell_end(w, is_near ? CAROM_GRAZING : CAROM_BROKEN_OFF, which, error);
        const int passes = b->passes;
        CAROM_TRY(tell_specials(w, ds, error));
        if (b->next.p > asked->along.high || b->next.p < asked->along.low)
            return end_at(w, b->next.p > asked->along.high ? asked->along.high : asked->along.low,
                          error);
        copy_point(b, &b->next, &b->now);
        CAROM_TRY(w->told(w->self, &b->now, w->way, error));
        remember(w, &b->now);
        w->ds = fmin(longest * w->first, ds * fmin(2, fmax(0.5, sqrt(3.5 / (passes + 1)))));
        const double left = distance_to_grazing(w, ds, &which);
        if (!(left < 2 * w->ds)) continue;
        if (!(w->begun[which] > 0)) w->begun[which] = w->near[which][0];
        if (w->near[which][0] <= close_enough * w->begun[which])
            return tell_end(w, CAROM_GRAZING, which, error);
        w->ds = fmin(w->ds, approach * left);
    }
    return CAROM_OK;
}

static void find_scales(carom_branch *b)
{
    const carom_map *m = b->map;
    const carom_scan_axis *along = &m->w->scan->tangent.along;
    for (int i = 0; i < m->nq; i++) b->scale_x = fmax(b->scale_x, fabs(m->q0[i]));
    for (int i = 0; i < m->nu; i++) b->scale_x = fmax(b->scale_x, fabs(m->u0[i]));
    if (!(b->scale_x > 0)) b->scale_x = 1;
    b->scale_p = fmax(fabs(m->along.value), 0.1 * (along->high - along->low));
}

static carom_status walk_both(carom_branch *b, carom_branch_told *told, void *self, bool is_one_way,
                              carom_error *error)
{
    const int n = b->map->n;
    const double first = b->map->w->scan->tangent.step;
    carom_branch_point start = {0};
    if (!take_point(&start, b->map)) {
        free_point(&start);
        return carom_scan_no_memory(error);
    }
    copy_point(b, &b->now, &start);
    carom_status status = told(self, &b->now, 1, error);
    for (int way = 1; way >= (is_one_way ? 1 : -1) && status == CAROM_OK; way -= 2) {
        walk w = {.b = b, .told = told, .self = self, .way = way, .ds = first, .first = first};
        copy_point(b, &start, &b->now);
        for (int i = 0; i <= n; i++) b->now.tangent[i] *= way;
        b->now.fold *= way;
        b->now.crossing *= way;
        status = walk_on(&w, error);
    }
    free_point(&start);
    return status;
}

carom_status carom_branch_follow(carom_branch *b, carom_branch_told *told, void *self,
                                 carom_error *error)
{
    carom_map *m = b->map;
    const carom_scan_axis *along = &m->w->scan->tangent.along;
    m->along = (carom_parameter){along->live, carom_sim_parameter(m->w->sim, along->live)};
    if (m->along.value < along->low || m->along.value > along->high)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the branch starts at %s = %g, which is not between %g and %g (--set)",
                          along->name, m->along.value, along->low, along->high);
    m->w->sim->until.tangent->watches_gaps = true;
    CAROM_TRY(carom_orbit_find(m, b->orbit, error));
    find_scales(b);
    double *up = calloc((size_t)m->n + 1, sizeof *up);
    if (!up) return carom_scan_no_memory(error);
    up[m->n] = b->scale_p;
    const carom_status status = take_point_of_map(b, up, &b->now, error);
    free(up);
    CAROM_TRY(status);
    return walk_both(b, told, self, false, error);
}
