// SPDX-License-Identifier: Apache-2.0
// The highest frequency of a model at its start: the largest w with K x = w^2 M x, K the symmetric
// part of -df/dq, rows left out (they can only make it smaller). By the method of Lanczos in the
// inner product of M, each vector made perpendicular to all before:
//
//     r = M^-1 K v_j - a_j v_j - b_j v_j-1,   a_j = v_j'K v_j,   b_j+1 = sqrt(r'M r),   v_j+1 = r/b
//
// whose tridiagonal matrix (a, b) has the largest w^2 among its eigenvalues, soon and from below.
// Damping is that of this mode, 2 z w = x'C x / x'M x with C = -df/du.
#include "base/need.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { MOST_VECTORS = 80, LEAST_VECTORS = 8 };
static const double SETTLED = 1e-6; // change of w^2 from one vector to the next, of it

typedef struct search {
    const carom_eval *ev;
    int n, k;
    double *v, *Mv; // (MOST_VECTORS n) the vectors, and M times them
    double *r, *Mr;
    double a[MOST_VECTORS], b[MOST_VECTORS + 1];
} search;

// y = -(A + A')/2 x
static void times_symmetric(const carom_sparse *A, int n, const double *x, double *y)
{
    memset(y, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            y[i] -= 0.5 * A->value[k] * x[A->index[k]];
            y[A->index[k]] -= 0.5 * A->value[k] * x[i];
        }
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// the next vector from r; false where nothing is left of it
static bool add_vector(search *s)
{
    const size_t n = (size_t)s->n;
    for (int pass = 0; pass < 2; pass++) {
        carom_mass_times(s->ev->mass, s->r, s->Mr);
        for (int j = 0; j < s->k; j++) {
            const double part = dot(s->v + (size_t)j * n, s->Mr, s->n);
            for (int i = 0; i < s->n; i++) s->r[i] -= part * s->v[(size_t)j * n + (size_t)i];
        }
    }
    carom_mass_times(s->ev->mass, s->r, s->Mr);
    const double size = sqrt(fmax(dot(s->r, s->Mr, s->n), 0));
    s->b[s->k] = size;
    if (!(size > 1e-12 * (s->k > 0 ? fabs(s->a[s->k - 1]) + s->b[s->k - 1] : 0)) || size == 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        s->v[(size_t)s->k * n + i] = s->r[i] / size;
        s->Mv[(size_t)s->k * n + i] = s->Mr[i] / size;
    }
    s->k++;
    return true;
}

// how many eigenvalues of the tridiagonal matrix are above x (Sturm)
static int count_above(const search *s, double x)
{
    int count = 0;
    double d = 1;
    for (int j = 0; j < s->k; j++) {
        d = s->a[j] - x - (j > 0 ? s->b[j] * s->b[j] / d : 0);
        if (d == 0) d = 1e-300;
        count += d > 0;
    }
    return count;
}

static double largest_value(const search *s)
{
    double low = INFINITY, high = -INFINITY;
    for (int j = 0; j < s->k; j++) {
        const double reach = (j > 0 ? s->b[j] : 0) + (j + 1 < s->k ? s->b[j + 1] : 0);
        low = fmin(low, s->a[j] - reach);
        high = fmax(high, s->a[j] + reach);
    }
    for (int i = 0; i < 100 && high - low > 1e-14 * fabs(high); i++) {
        const double middle = 0.5 * (low + high);
        if (count_above(s, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// its mode into r: the recurrence of the tridiagonal matrix from its last row up, which grows
// towards where a mode of the highest frequency is large
static void find_mode(search *s, double value)
{
    double c[MOST_VECTORS] = {0};
    c[s->k - 1] = 1;
    for (int j = s->k - 1; j > 0; j--) {
        const double next = j + 1 < s->k ? s->b[j + 1] * c[j + 1] : 0;
        c[j - 1] = ((value - s->a[j]) * c[j] - next) / s->b[j];
        const double size = fabs(c[j - 1]) > 1 ? fabs(c[j - 1]) : 1;
        for (int i = j - 1; i < s->k; i++) c[i] /= size;
    }
    memset(s->r, 0, sizeof(double) * (size_t)s->n);
    for (int j = 0; j < s->k; j++)
        for (int i = 0; i < s->n; i++) s->r[i] += c[j] * s->v[(size_t)j * (size_t)s->n + (size_t)i];
}

static double search_value(search *s)
{
    double value = 0, before = INFINITY;
    for (int i = 0; i < s->n; i++) s->r[i] = sin(1 + 1.7 * i + 0.3 * i * i); // no mode's own shape
    while (s->k < MOST_VECTORS && s->k < s->n && add_vector(s)) {
        const double *v = s->v + (size_t)(s->k - 1) * (size_t)s->n;
        times_symmetric(&s->ev->derivatives.df_dq, s->n, v, s->r);
        s->a[s->k - 1] = dot(v, s->r, s->n);
        carom_mass_solve(s->ev->mass, s->r);
        value = largest_value(s);
        if (s->k >= LEAST_VECTORS && fabs(value - before) <= SETTLED * fabs(value)) break;
        before = value;
    }
    return value;
}

static carom_status look_at_start(const carom_model *model, carom_plan **plan, carom_eval **ev,
                                  carom_error *error)
{
    static const unsigned mask = CAROM_MASS | CAROM_FORCES | CAROM_D_FORCES;
    const carom_point at = {.q = carom_model_start_q(model), .u = carom_model_start_u(model)};
    CAROM_TRY(carom_plan_new(model, &mask, 1, plan, error));
    *ev = carom_plan_eval(*plan);
    if (!*ev) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out at the highest frequency");
    return carom_model_eval(*plan, &at, mask, *ev, error);
}

static carom_status find_in(search *s, carom_arena *arena, carom_stiffest *found,
                            carom_error *error)
{
    const int most = s->n < MOST_VECTORS ? s->n : MOST_VECTORS;
    s->v = carom_arena_take(arena, sizeof(double) * (size_t)most * (size_t)s->n);
    s->Mv = carom_arena_take(arena, sizeof(double) * (size_t)most * (size_t)s->n);
    s->r = CAROM_TAKE(arena, double, s->n);
    s->Mr = CAROM_TAKE(arena, double, s->n);
    if (!s->v || !s->Mv || !s->r || !s->Mr)
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out at the highest frequency");
    const double value = search_value(s);
    *found = (carom_stiffest){.frequency = sqrt(fmax(value, 0))};
    if (!(value > 0) || s->k < 1) return CAROM_OK;
    find_mode(s, value);
    carom_mass_times(s->ev->mass, s->r, s->Mr);
    const double inertia = dot(s->r, s->Mr, s->n);
    times_symmetric(&s->ev->derivatives.df_du, s->n, s->r, s->Mr);
    found->damping = dot(s->r, s->Mr, s->n) / (2 * found->frequency * inertia);
    return CAROM_OK;
}

carom_status carom_model_stiffest(const carom_model *model, carom_stiffest *found,
                                  carom_error *error)
{
    CAROM_NEED(error, found);
    *found = (carom_stiffest){0};
    CAROM_NEED(error, model);
    carom_plan *plan = NULL;
    carom_eval *ev = NULL;
    carom_arena *arena = carom_arena_new();
    carom_status status = arena ? look_at_start(model, &plan, &ev, error)
                                : carom_fail(error, CAROM_NO_MEMORY, "not enough memory");
    if (status == CAROM_OK) {
        search s = {.ev = ev, .n = model->size.nu};
        status = find_in(&s, arena, found, error);
    }
    carom_plan_free(plan);
    carom_arena_free(arena);
    return status;
}

// of x'' + 2 z w x' + w^2 x = 0, stepped with the damping of the velocity before the step:
//     w h <= bound (sqrt(z^2 + 1) - z)
double carom_stiffest_step(const carom_stiffest *stiffest, double bound)
{
    if (!stiffest) return NAN;
    if (!(stiffest->frequency > 0)) return INFINITY;
    const double z = fmax(stiffest->damping, 0);
    return bound / ((sqrt(z * z + 1) + z) * stiffest->frequency);
}

bool carom_model_is_elastic(const carom_model *model)
{
    return model && model->energies.is_elastic;
}
