// SPDX-License-Identifier: Apache-2.0
// Small motions about a rest, x = B y in the directions B that held rows leave free:
//
//     B'MB = I,   y'' + B'DB y' + B'KB y = 0,   K = -(df/dq + d(W'la)/dq),   D = -df/du
//
// Without damping and with a symmetric stiffness the squares of the frequencies are eigenvalues of
// B'KB; else the eigenvalues are those of [0 I; -B'KB -B'DB].
#include "analysis/modes/modes.h"

#include "base/need.h"
#include "math/eigen/eigen.h"
#include "model/laws/coefficients.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_ROWS };
static const double PUSHES = 1e-9; // of the largest force
static const double SYMMETRIC = 1e-9, NOTHING = 1e-14;
static const double ROUNDING = 1e-7; // of eigenvalues that stand twice, of the largest

double carom_modes_dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void carom_modes_times(const carom_sparse *block, const double *x, double *y)
{
    for (int i = 0; i < block->n_row; i++) {
        y[i] = 0;
        for (int k = block->start[i]; k < block->start[i + 1]; k++)
            y[i] += block->value[k] * x[block->index[k]];
    }
}

void carom_modes_stiffness(const carom_modes_search *s, const double *x, double *y, double *scratch)
{
    carom_modes_times(&s->ev->derivatives.df_dq, x, y);
    carom_modes_times(&s->ev->derivatives.dWP_dq, x, scratch);
    for (int i = 0; i < s->size.nu; i++) y[i] = -y[i] - scratch[i];
}

// ---- the rest ----

static carom_status refuse_slide(const carom_contact_facts *facts, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT,
                      "contact '%s' is at the limit of its friction in this rest: what slides has "
                      "no modes (more friction, or another rest with --start)",
                      facts->name);
}

static carom_status find_held(carom_modes_search *s, carom_error *error)
{
    const carom_equilibrium *rest = &s->found->rest;
    unsigned char *held = s->found->is_held;
    double largest = 0;
    for (int r = 0; r < s->size.n_row; r++) largest = fmax(largest, fabs(rest->la[r]));
    for (int r = 0; r < s->size.n_constraint; r++) held[r] = 1;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const double N = rest->la[facts->row];
        double friction = 0;
        held[facts->row] = N > PUSHES * largest;
        for (int k = 1; k <= facts->n_slip; k++)
            friction = hypot(friction, rest->la[facts->row + k]);
        if (!held[facts->row] || facts->mu == 0) continue;
        if (!(friction < facts->mu * N * (1 - PUSHES))) return refuse_slide(facts, error);
        for (int k = 1; k <= facts->n_slip; k++) held[facts->row + k] = 1;
    }
    for (int r = 0; r < s->size.n_row; r++)
        if (held[r] && s->ev->rows.w0[r] != 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a row that is held moves with time (a moving obstacle or a driven "
                              "constraint): a rest of the model that stands still has modes");
    return CAROM_OK;
}

static carom_status look(carom_modes_search *s, carom_error *error)
{
    static const unsigned mask = MASK;
    double *still = calloc((size_t)s->size.nu + 1, sizeof *still);
    s->found->is_held = calloc((size_t)s->size.n_row + 1, 1);
    if (!still || !s->found->is_held) {
        free(still);
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    }
    const carom_point from = {.q = s->found->rest.q, .u = still};
    const carom_point at = {.q = s->found->rest.q, .u = still, .P = s->found->rest.la};
    carom_status status = carom_plan_new(s->model, &mask, 1, &s->plan, error);
    if (status == CAROM_OK && !(s->ev = carom_plan_eval(s->plan)))
        status = carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (status == CAROM_OK) status = carom_plan_refresh(s->plan, &from, 0, NULL, error);
    if (status == CAROM_OK) status = carom_model_eval(s->plan, &at, MASK, s->ev, error);
    if (status == CAROM_OK) status = carom_plan_rest_coefficients(s->plan, at.q, error);
    free(still);
    return status == CAROM_OK ? find_held(s, error) : status;
}

// ---- reduced matrices and their eigenvalues ----

static carom_status reduce(carom_modes_search *s, carom_error *error)
{
    carom_modes *f = s->found;
    const size_t m = (size_t)f->n_basis, n = (size_t)f->nu;
    double *x = calloc(2 * n + 1, sizeof *x);
    f->stiffness = calloc(m * m + 1, sizeof(double));
    f->damping = calloc(m * m + 1, sizeof(double));
    const bool is_made = x && f->stiffness && f->damping;
    for (size_t j = 0; is_made && j < m; j++) {
        carom_modes_stiffness(s, f->basis + j * n, x, x + n);
        for (size_t i = 0; i < m; i++)
            f->stiffness[i * m + j] = carom_modes_dot(f->basis + i * n, x, f->nu);
        carom_modes_times(&s->ev->derivatives.df_du, f->basis + j * n, x);
        for (size_t i = 0; i < m; i++)
            f->damping[i * m + j] = -carom_modes_dot(f->basis + i * n, x, f->nu);
    }
    free(x);
    return is_made ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

static double largest_of(const double *a, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// an upper bound of what w^2 may be made of: what is less than its rounding is nothing
static double stiffness_scale(const carom_modes_search *s)
{
    double most = 0;
    for (int part = 0; part < 2; part++) {
        const carom_sparse *b = part ? &s->ev->derivatives.dWP_dq : &s->ev->derivatives.df_dq;
        for (int i = 0; i < b->n_row; i++)
            for (int k = b->start[i]; k < b->start[i + 1]; k++)
                most =
                    fmax(most, fabs(b->value[k]) /
                                   sqrt(carom_mass_entry(s->ev->mass, i, i) *
                                        carom_mass_entry(s->ev->mass, b->index[k], b->index[k])));
    }
    return most;
}

static bool is_conservative(const carom_modes *f, double K)
{
    const size_t m = (size_t)f->n_basis;
    const double D = largest_of(f->damping, m * m);
    if (D > NOTHING * sqrt(K)) return false;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++)
            if (fabs(f->stiffness[i * m + j] - f->stiffness[j * m + i]) > SYMMETRIC * K)
                return false;
    return true;
}

static void add_mode(carom_modes *f, double re, double im, bool is_rigid)
{
    const double size = hypot(re, im);
    f->mode[f->n++] = (carom_eigenmode){.re = re,
                                        .im = im,
                                        .frequency = im > 0 ? size : 0,
                                        .damping = im > 0 && re != 0 ? -re / size : 0,
                                        .is_rigid = is_rigid};
}

// shape of the mode added last: x = B y, the largest part 1
static void add_shape(carom_modes *f, const double *re, const double *im, size_t stride)
{
    const size_t n = (size_t)f->nu;
    double *to = f->shape + (size_t)(f->n - 1) * 2 * n, size = 0;
    size_t first = 0;
    for (size_t j = 0; j < (size_t)f->n_basis; j++)
        for (size_t i = 0; i < n; i++) {
            to[i] += re[j * stride] * f->basis[j * n + i];
            if (im) to[n + i] += im[j * stride] * f->basis[j * n + i];
        }
    for (size_t i = 0; i < n; i++) {
        const double length = hypot(to[i], to[n + i]);
        if (length > size * (1 + 1e-9)) {
            size = length;
            first = i;
        }
    }
    const double a = to[first], b = to[n + first], square = a * a + b * b;
    for (size_t i = 0; i < n && square > 0; i++) {
        const double x = to[i], y = to[n + i];
        to[i] = (x * a + y * b) / square;
        to[n + i] = (y * a - x * b) / square;
    }
}

static bool take_modes(carom_modes *f, size_t many)
{
    f->mode = calloc(many + 1, sizeof *f->mode);
    f->shape = calloc(many * 2 * (size_t)f->nu + 1, sizeof *f->shape);
    return f->mode && f->shape;
}

static bool find_symmetric(carom_modes *f, double scale)
{
    const size_t m = (size_t)f->n_basis;
    double *a = malloc((m * m + m + 1) * sizeof *a), *value = a ? a + m * m : NULL;
    if (a) memcpy(a, f->stiffness, m * m * sizeof *a);
    const bool is_good = a && take_modes(f, 2 * m) && carom_eigen_symmetric(f->n_basis, a, value);
    for (size_t i = 0; is_good && i < m; i++) {
        const bool is_rigid = fabs(value[i]) <= NOTHING * scale || value[i] == 0;
        const double w = is_rigid ? 0 : sqrt(fabs(value[i]));
        add_mode(f, value[i] < 0 ? w : 0, value[i] < 0 ? 0 : w, is_rigid);
        add_shape(f, a + i * m, NULL, 1);
        if (is_rigid || value[i] > 0) continue;
        add_mode(f, -w, 0, false); // falls away, and comes back along the same line
        add_shape(f, a + i * m, NULL, 1);
    }
    free(a);
    return is_good;
}

static void fill_first_order(const carom_modes *f, double *a)
{
    const size_t m = (size_t)f->n_basis, n = 2 * m;
    for (size_t i = 0; i < m; i++) {
        a[i * n + m + i] = 1;
        for (size_t j = 0; j < m; j++) {
            a[(m + i) * n + j] = -f->stiffness[i * m + j];
            a[(m + i) * n + m + j] = -f->damping[i * m + j];
        }
    }
}

static bool find_general(carom_modes *f)
{
    int n_zero = 0;
    const size_t m = (size_t)f->n_basis, n = 2 * m;
    double *a = calloc(2 * n * n + 2 * n + 1, sizeof *a);
    double *v = a ? a + n * n : NULL, *re = a ? v + n * n : NULL, *im = a ? re + n : NULL;
    if (a) fill_first_order(f, a);
    const bool is_good = a && take_modes(f, n) && carom_eigen_general((int)n, a, re, im, v);
    double largest = 0;
    for (size_t i = 0; is_good && i < n; i++) largest = fmax(largest, hypot(re[i], im[i]));
    for (size_t i = 0; is_good && i < n; i++) {
        if (im[i] < 0) continue;
        const bool is_zero = hypot(re[i], im[i]) <= ROUNDING * largest;
        n_zero += is_zero ? 1 + (im[i] > 0) : 0;
        if (is_zero && im[i] == 0 && n_zero % 2 == 0) continue; // it stands twice
        add_mode(f, is_zero ? 0 : re[i], is_zero ? 0 : im[i], is_zero);
        add_shape(f, v + i, im[i] > 0 ? v + i + 1 : NULL, n);
    }
    free(a);
    return is_good;
}

static double size_of(const carom_eigenmode *mode)
{
    return hypot(mode->re, mode->im);
}

static carom_status sort_modes(carom_modes *f, carom_error *error)
{
    const size_t bytes = 2 * (size_t)f->nu * sizeof(double);
    double *kept = malloc(bytes + 1);
    if (!kept) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    for (int i = 1; i < f->n; i++)
        for (int j = i; j > 0 && size_of(&f->mode[j]) < size_of(&f->mode[j - 1]); j--) {
            const carom_eigenmode mode = f->mode[j];
            char *a = (char *)f->shape + (size_t)j * bytes, *b = a - bytes;
            f->mode[j] = f->mode[j - 1];
            f->mode[j - 1] = mode;
            memcpy(kept, a, bytes);
            memcpy(a, b, bytes);
            memcpy(b, kept, bytes);
        }
    free(kept);
    return CAROM_OK;
}

static carom_status find_eigenvalues(carom_modes_search *s, carom_error *error)
{
    carom_modes *f = s->found;
    const double scale = stiffness_scale(s);
    const bool is_simple = is_conservative(f, scale);
    if (!is_simple && f->n_basis > CAROM_MODES_GENERAL)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "all modes of a model with damping can be found up to %d free "
                          "directions, here there are %d (--modes N for the lowest N)",
                          CAROM_MODES_GENERAL, f->n_basis);
    if (!(is_simple ? find_symmetric(f, scale) : find_general(f)))
        return carom_fail(error, CAROM_NOT_CONVERGED, "the eigenvalues were not found");
    return sort_modes(f, error);
}

static carom_status find(carom_modes_search *s, int most, carom_error *error)
{
    CAROM_TRY(carom_equilibrium_find(s->model, &s->found->rest, error));
    CAROM_TRY(look(s, error));
    s->found->is_partial =
        s->size.nu > CAROM_MODES_DENSE || (most > 0 && s->size.nu > CAROM_MODES_GENERAL);
    if (s->found->is_partial)
        CAROM_TRY(carom_modes_lowest(s, most > 0 ? most : CAROM_MODES_USUAL, error));
    else
        CAROM_TRY(carom_modes_all(s, error));
    CAROM_TRY(reduce(s, error));
    CAROM_TRY(find_eigenvalues(s, error));
    if (most > 0 && s->found->n > most) s->found->n = most;
    return CAROM_OK;
}

carom_status carom_modes_find(const carom_model *model, int most, carom_modes *modes,
                              carom_error *error)
{
    CAROM_NEED(error, modes);
    *modes = (carom_modes){0};
    CAROM_NEED(error, model);
    CAROM_NEED_THAT(error, most >= 0, "most is %d", most);
    carom_modes_search s = {.model = model, .size = carom_model_sizes(model), .found = modes};
    modes->nu = s.size.nu;
    const carom_status status = find(&s, most, error);
    carom_plan_free(s.plan);
    if (status != CAROM_OK) carom_modes_free(modes);
    return status;
}

void carom_modes_free(carom_modes *modes)
{
    if (!modes) return;
    carom_equilibrium_free(&modes->rest);
    free(modes->is_held);
    free(modes->mode);
    free(modes->shape);
    free(modes->basis);
    free(modes->stiffness);
    free(modes->damping);
    *modes = (carom_modes){0};
}
