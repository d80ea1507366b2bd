// SPDX-License-Identifier: Apache-2.0
// Subspace iteration (K. J. Bathe), for few low frequencies of large sparse matrices:
//
//     Y := (K + s M)^-1 M X,    k = Y'K Y,  m = Y'M Y,    k z = w^2 m z,    X := Y Z
//
// The shift s > 0 makes bodies that move freely regular; it follows the lowest frequencies down, so
// that they are far from the others as seen from -s. The small problem is solved by Jacobi's
// rotations.
#include "model/elastic/elastic_modes.h"

#include "math/sparse/ldl.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 80, PASSES_PER_SHIFT = 4, MOST_VECTORS = 64, SPARE = 8 };
static const double SETTLED = 1e-11;

typedef struct subspace {
    const carom_sparse *M, *K;
    carom_arena *scratch;
    carom_ldl *ldl;
    int n, p;
    double shift, *shifted; // K + s M, in the pattern of both
    int *start, *index;
    double *X, *Y, *MY, *KY; // (p n)
    double k[MOST_VECTORS * MOST_VECTORS], m[MOST_VECTORS * MOST_VECTORS];
    double value[MOST_VECTORS];
} subspace;

static void times(const carom_sparse *A, const double *x, double *y)
{
    for (int i = 0; i < A->n_row; i++) {
        double sum = 0;
        for (int k = A->start[i]; k < A->start[i + 1]; k++) sum += A->value[k] * x[A->index[k]];
        y[i] = sum;
    }
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// ---- K + s M ----

// the columns of row i of both
static int merge_row(const subspace *s, int i, int *index, double *value)
{
    const carom_sparse *K = s->K, *M = s->M;
    int n = 0, a = K->start[i], b = M->start[i];
    while (a < K->start[i + 1] || b < M->start[i + 1]) {
        const int ka = a < K->start[i + 1] ? K->index[a] : s->n;
        const int kb = b < M->start[i + 1] ? M->index[b] : s->n;
        const int column = ka < kb ? ka : kb;
        double sum = 0;
        if (ka == column) sum += K->value[a++];
        if (kb == column) sum += s->shift * M->value[b++];
        if (index) index[n] = column;
        if (value) value[n] = sum;
        n++;
    }
    return n;
}

static bool make_pattern(subspace *s)
{
    s->start = CAROM_TAKE(s->scratch, int, s->n + 1);
    if (!s->start) return false;
    for (int i = 0; i < s->n; i++) s->start[i + 1] = s->start[i] + merge_row(s, i, NULL, NULL);
    s->index = CAROM_TAKE(s->scratch, int, s->start[s->n]);
    s->shifted = CAROM_TAKE(s->scratch, double, s->start[s->n]);
    if (!s->index || !s->shifted) return false;
    for (int i = 0; i < s->n; i++) merge_row(s, i, s->index + s->start[i], NULL);
    s->ldl = carom_ldl_new(s->scratch, s->n, s->start, s->index);
    return s->ldl != NULL;
}

static int factor(subspace *s, double shift)
{
    s->shift = shift;
    for (int i = 0; i < s->n; i++) merge_row(s, i, NULL, s->shifted + s->start[i]);
    return carom_ldl_factor(s->ldl, s->shifted);
}

// ---- the small problem ----

// m = L L' in place (lower); false where it is not positive
static bool root_of(double *m, int p)
{
    for (int j = 0; j < p; j++)
        for (int i = j; i < p; i++) {
            double sum = m[i * p + j];
            for (int k = 0; k < j; k++) sum -= m[i * p + k] * m[j * p + k];
            if (i == j && !(sum > 0)) return false;
            m[i * p + j] = i == j ? sqrt(sum) : sum / m[j * p + j];
        }
    return true;
}

// k := L^-1 k L^-T
static void scale_by_root(double *k, const double *L, int p)
{
    for (int side = 0; side < 2; side++) {
        for (int c = 0; c < p; c++)
            for (int i = 0; i < p; i++) {
                double sum = k[i * p + c];
                for (int j = 0; j < i; j++) sum -= L[i * p + j] * k[j * p + c];
                k[i * p + c] = sum / L[i * p + i];
            }
        for (int i = 0; i < p; i++)
            for (int j = 0; j < i; j++) {
                const double swapped = k[i * p + j];
                k[i * p + j] = k[j * p + i];
                k[j * p + i] = swapped;
            }
    }
}

static void rotate(double *k, double *z, int p, int a, int b)
{
    const double off = k[a * p + b];
    if (fabs(off) <= 1e-300) return;
    const double theta = (k[b * p + b] - k[a * p + a]) / (2 * off);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int i = 0; i < p; i++) {
        const double x = k[i * p + a], y = k[i * p + b];
        k[i * p + a] = c * x - s * y;
        k[i * p + b] = s * x + c * y;
    }
    for (int i = 0; i < p; i++) {
        const double x = k[a * p + i], y = k[b * p + i];
        k[a * p + i] = c * x - s * y;
        k[b * p + i] = s * x + c * y;
        const double u = z[i * p + a], v = z[i * p + b];
        z[i * p + a] = c * u - s * v;
        z[i * p + b] = s * u + c * v;
    }
}

// eigenvectors into z (columns), values on the diagonal of k
static void diagonalise(double *k, double *z, int p)
{
    memset(z, 0, sizeof(double) * (size_t)p * (size_t)p);
    for (int i = 0; i < p; i++) z[i * p + i] = 1;
    for (int sweep = 0; sweep < 40; sweep++) {
        double off = 0, all = 0;
        for (int i = 0; i < p; i++)
            for (int j = 0; j < p; j++) {
                all += k[i * p + j] * k[i * p + j];
                off += i != j ? k[i * p + j] * k[i * p + j] : 0;
            }
        if (!(off > 1e-30 * all)) return;
        for (int a = 0; a < p; a++)
            for (int b = a + 1; b < p; b++) rotate(k, z, p, a, b);
    }
}

// z := L^-T z, columns in increasing order of the values
static void order(subspace *s, const double *k, const double *L, double *z)
{
    const int p = s->p;
    for (int c = 0; c < p; c++)
        for (int i = p - 1; i >= 0; i--) {
            double sum = z[i * p + c];
            for (int j = i + 1; j < p; j++) sum -= L[j * p + i] * z[j * p + c];
            z[i * p + c] = sum / L[i * p + i];
        }
    for (int i = 0; i < p; i++) s->value[i] = k[i * p + i];
    for (int a = 0; a < p; a++)
        for (int b = a + 1; b < p; b++) {
            if (s->value[b] >= s->value[a]) continue;
            const double value = s->value[a];
            s->value[a] = s->value[b];
            s->value[b] = value;
            for (int i = 0; i < p; i++) {
                const double swapped = z[i * p + a];
                z[i * p + a] = z[i * p + b];
                z[i * p + b] = swapped;
            }
        }
}

// ---- passes ----

static bool take_pass(subspace *s)
{
    const int n = s->n, p = s->p;
    double z[MOST_VECTORS * MOST_VECTORS];
    for (int a = 0; a < p; a++) {
        double *y = s->Y + (size_t)a * (size_t)n;
        times(s->M, s->X + (size_t)a * (size_t)n, y);
        carom_ldl_solve(s->ldl, y);
        const double size = sqrt(dot(y, y, n));
        for (int i = 0; i < n && size > 0; i++) y[i] /= size;
        times(s->M, y, s->MY + (size_t)a * (size_t)n);
        times(s->K, y, s->KY + (size_t)a * (size_t)n);
    }
    for (int a = 0; a < p; a++)
        for (int b = 0; b <= a; b++) {
            const double *y = s->Y + (size_t)b * (size_t)n;
            s->k[a * p + b] = s->k[b * p + a] = dot(y, s->KY + (size_t)a * (size_t)n, n);
            s->m[a * p + b] = s->m[b * p + a] = dot(y, s->MY + (size_t)a * (size_t)n, n);
        }
    if (!root_of(s->m, p)) return false;
    scale_by_root(s->k, s->m, p);
    diagonalise(s->k, z, p);
    order(s, s->k, s->m, z);
    memset(s->X, 0, sizeof(double) * (size_t)p * (size_t)n);
    for (int c = 0; c < p; c++)
        for (int a = 0; a < p; a++) {
            const double *y = s->Y + (size_t)a * (size_t)n, share = z[a * p + c];
            double *x = s->X + (size_t)c * (size_t)n;
            for (int i = 0; i < n; i++) x[i] += share * y[i];
        }
    return true;
}

static bool begin(subspace *s)
{
    const size_t size = sizeof(double) * (size_t)s->p * (size_t)s->n;
    s->X = carom_arena_take(s->scratch, size);
    s->Y = carom_arena_take(s->scratch, size);
    s->MY = carom_arena_take(s->scratch, size);
    s->KY = carom_arena_take(s->scratch, size);
    if (!s->X || !s->Y || !s->MY || !s->KY || !make_pattern(s)) return false;
    // no mode's own shape, and no two alike
    for (int a = 0; a < s->p; a++)
        for (int i = 0; i < s->n; i++)
            s->X[(size_t)a * (size_t)s->n + (size_t)i] =
                sin(1 + 1.7 * i * (a + 1) + 0.3 * a) + (i % s->p == a);
    return true;
}

static double stiffest(const subspace *s)
{
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        double k = 0, m = 0;
        for (int j = s->K->start[i]; j < s->K->start[i + 1]; j++)
            if (s->K->index[j] == i) k = s->K->value[j];
        for (int j = s->M->start[i]; j < s->M->start[i + 1]; j++)
            if (s->M->index[j] == i) m = s->M->value[j];
        if (m > 0) most = fmax(most, k / m);
    }
    return most > 0 ? most : 1;
}

static carom_status iterate(subspace *s, int wanted, int *bad)
{
    double before[MOST_VECTORS], change = INFINITY;
    const double most = stiffest(s);
    double shift = 1e-6 * most;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        if (pass % PASSES_PER_SHIFT == 0) {
            if (pass > 0) shift = fmax(0.1 * fabs(s->value[wanted - 1]), 1e-14 * most);
            if (s->shift == 0 || shift < 0.5 * s->shift) {
                if ((*bad = factor(s, shift)) >= 0) return CAROM_BAD_INPUT;
                change = INFINITY;
            }
        }
        memcpy(before, s->value, sizeof before);
        if (!take_pass(s)) return CAROM_NOT_CONVERGED;
        change = 0;
        for (int i = 0; i < wanted; i++)
            change = fmax(change, fabs(s->value[i] - before[i]) / (fabs(s->value[i]) + s->shift));
        if (pass > PASSES_PER_SHIFT && change < SETTLED) return CAROM_OK;
    }
    return change < 1e-6 ? CAROM_OK : CAROM_NOT_CONVERGED;
}

carom_status carom_elastic_modes_find(const carom_sparse *M, const carom_sparse *K, int wanted,
                                      carom_arena *arena, carom_elastic_modes *modes, int *bad)
{
    const int n = M->n_row;
    carom_status status = CAROM_NO_MEMORY;
    *modes = (carom_elastic_modes){0};
    *bad = -1;
    if (wanted > MOST_VECTORS - SPARE) wanted = MOST_VECTORS - SPARE;
    if (wanted > n) wanted = n;
    carom_arena *scratch = carom_arena_new();
    subspace *s = scratch ? CAROM_TAKE(scratch, subspace, 1) : NULL;
    if (s) {
        *s = (subspace){.M = M, .K = K, .scratch = scratch, .n = n, .p = wanted + SPARE};
        if (s->p > n) s->p = n;
        if (begin(s)) status = iterate(s, wanted, bad);
    }
    if (status == CAROM_OK) {
        modes->value = CAROM_TAKE(arena, double, wanted);
        modes->shape = carom_arena_take(arena, sizeof(double) * (size_t)wanted * (size_t)n + 1);
        modes->n = wanted;
        if (!modes->value || !modes->shape) status = CAROM_NO_MEMORY;
    }
    if (status == CAROM_OK) {
        memcpy(modes->value, s->value, sizeof(double) * (size_t)wanted);
        memcpy(modes->shape, s->X, sizeof(double) * (size_t)wanted * (size_t)n);
    }
    carom_arena_free(scratch);
    return status;
}
