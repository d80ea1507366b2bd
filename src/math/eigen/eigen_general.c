// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of any real matrix. It is balanced by powers of two, brought to Hessenberg form by
// reflections, and to real Schur form by QR steps with two shifts at once (Francis):
//
//     D^-1 A D = Q H Q',    H = Z T Z',    T block triangular, blocks of 1 and 2
//
// Eigenvectors of T follow by substitution, (T - w I) x = 0, and v = D Q Z x.
// G. H. Golub, C. F. Van Loan, Matrix Computations, sections 7.4 - 7.6.
#include "math/eigen/eigen.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100, MOST_BALANCE = 40 };

typedef struct schur {
    int n;
    double *h, *z; // (n x n); z NULL = eigenvalues alone
    double *re, *im;
    double *scale, *v; // (n)
    double norm;
} schur;

static double *row(const schur *s, int i)
{
    return s->h + (size_t)i * (size_t)s->n;
}

static void scale_index(schur *s, int i, double f)
{
    s->scale[i] *= f;
    for (int j = 0; j < s->n; j++) row(s, i)[j] /= f;
    for (int j = 0; j < s->n; j++) row(s, j)[i] *= f;
}

// rows and columns of about the same size
static void balance(schur *s)
{
    bool is_done = false;
    for (int i = 0; i < s->n; i++) s->scale[i] = 1;
    for (int pass = 0; pass < MOST_BALANCE && !is_done; pass++) {
        is_done = true;
        for (int i = 0; i < s->n; i++) {
            double r = 0, c = 0, f = 1;
            for (int j = 0; j < s->n; j++)
                if (j != i) {
                    r += fabs(row(s, i)[j]);
                    c += fabs(row(s, j)[i]);
                }
            if (r == 0 || c == 0) continue;
            const double sum = c + r;
            for (; c < r / 2; c *= 4) f *= 2;
            for (; c >= r * 2; c /= 4) f /= 2;
            if (f != 1 && (c + r) / f < 0.95 * sum) {
                is_done = false;
                scale_index(s, i, f);
            }
        }
    }
}

// v, |v|^2 = 2, whose reflection I - v v' turns x (n) into a multiple of e_0; false: x is one
static bool make_reflector(const double *x, int n, double *v)
{
    double size = 0, tail = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    if (!(size > 0)) return false;
    for (int i = 0; i < n; i++) v[i] = x[i] / size;
    for (int i = 1; i < n; i++) tail += v[i] * v[i];
    if (tail == 0) return false;
    const double whole = sqrt(v[0] * v[0] + tail);
    v[0] += v[0] > 0 ? whole : -whole;
    const double length = sqrt((v[0] * v[0] + tail) / 2);
    for (int i = 0; i < n; i++) v[i] /= length;
    return true;
}

// rows first .. first + m - 1 of columns from .. n - 1
static void reflect_rows(schur *s, const double *v, int first, int m, int from)
{
    for (int j = from; j < s->n; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++) sum += v[i] * row(s, first + i)[j];
        for (int i = 0; i < m; i++) row(s, first + i)[j] -= sum * v[i];
    }
}

// columns first .. first + m - 1 of rows 0 .. end - 1
static void reflect_columns(double *a, int n, const double *v, int first, int m, int end)
{
    for (int i = 0; i < end; i++) {
        double *at = a + (size_t)i * (size_t)n + first, sum = 0;
        for (int j = 0; j < m; j++) sum += v[j] * at[j];
        for (int j = 0; j < m; j++) at[j] -= sum * v[j];
    }
}

static void reduce(schur *s)
{
    const int n = s->n;
    double *x = s->re; // not needed before the end
    for (int k = 0; k + 2 < n; k++) {
        const int m = n - k - 1;
        for (int i = 0; i < m; i++) x[i] = row(s, k + 1 + i)[k];
        if (!make_reflector(x, m, s->v)) continue;
        reflect_rows(s, s->v, k + 1, m, k);
        reflect_columns(s->h, n, s->v, k + 1, m, n);
        if (s->z) reflect_columns(s->z, n, s->v, k + 1, m, n);
        for (int i = k + 2; i < n; i++) row(s, i)[k] = 0;
    }
}

// the first of the block that ends with hi; what is small beside it becomes 0
static int block_start(const schur *s, int hi)
{
    for (int l = hi; l > 0; l--) {
        double beside = fabs(row(s, l - 1)[l - 1]) + fabs(row(s, l)[l]);
        if (beside == 0) beside = s->norm;
        if (fabs(row(s, l)[l - 1]) > DBL_EPSILON * beside) continue;
        row(s, l)[l - 1] = 0;
        return l;
    }
    return 0;
}

// one sweep of two shifts, whose sum and product are given, through the block lo .. hi
static void sweep(schur *s, int lo, int hi, double sum, double product)
{
    const int n = s->n;
    const double a = row(s, lo)[lo], b = row(s, lo)[lo + 1], c = row(s, lo + 1)[lo];
    double x[3] = {a * a + b * c - sum * a + product, c * (a + row(s, lo + 1)[lo + 1] - sum),
                   hi - lo > 1 ? c * row(s, lo + 2)[lo + 1] : 0};
    for (int k = lo; k < hi; k++) {
        double v[3];
        const int m = k + 2 <= hi ? 3 : 2;
        if (k > lo)
            for (int i = 0; i < m; i++) x[i] = row(s, k + i)[k - 1];
        if (!make_reflector(x, m, v)) continue;
        reflect_rows(s, v, k, m, k > lo ? k - 1 : lo);
        reflect_columns(s->h, n, v, k, m, k + 4 <= hi + 1 ? k + 4 : hi + 1);
        if (s->z) reflect_columns(s->z, n, v, k, m, n);
        for (int i = 1; k > lo && i < m; i++) row(s, k + i)[k - 1] = 0;
    }
}

// a block of two: a pair, or two real eigenvalues, which are then torn apart by a rotation
static void finish_pair(schur *s, int k)
{
    double *p = row(s, k) + k, *q = row(s, k + 1) + k;
    const double half = (p[0] - q[1]) / 2, root = half * half + p[1] * q[0];
    const double middle = (p[0] + q[1]) / 2;
    if (root < 0) {
        s->re[k] = s->re[k + 1] = middle;
        s->im[k] = sqrt(-root);
        s->im[k + 1] = -s->im[k];
        return;
    }
    const double far = half + (half < 0 ? -sqrt(root) : sqrt(root)); // w_1 - q[1]
    const double first = q[1] + far, second = far != 0 ? q[1] - p[1] * q[0] / far : first;
    // (far, q[0]) is the eigenvector of w_1: it becomes the first axis
    const double x[2] = {far, q[0]};
    double v[2];
    if (make_reflector(x, 2, v)) {
        reflect_rows(s, v, k, 2, k);
        reflect_columns(s->h, s->n, v, k, 2, k + 2);
        if (s->z) reflect_columns(s->z, s->n, v, k, 2, s->n);
    }
    row(s, k + 1)[k] = 0;
    s->re[k] = first;
    s->re[k + 1] = second;
    s->im[k] = s->im[k + 1] = 0;
}

static bool find_schur(schur *s)
{
    int steps = 0;
    for (int hi = s->n - 1; hi >= 0;) {
        const int lo = block_start(s, hi);
        if (lo == hi) {
            s->re[hi] = row(s, hi)[hi];
            s->im[hi--] = 0;
            steps = 0;
        } else if (lo + 1 == hi) {
            finish_pair(s, lo);
            hi -= 2;
            steps = 0;
        } else {
            if (steps++ == MOST_STEPS) return false;
            const double *p = row(s, hi - 1) + hi - 1, *q = row(s, hi) + hi - 1;
            double sum = p[0] + q[1], product = p[0] * q[1] - p[1] * q[0];
            if (steps % 10 == 0) { // shifts that run in circles
                const double size = fabs(q[0]) + fabs(row(s, hi - 1)[hi - 2]);
                sum = 1.5 * size;
                product = size * size;
            }
            sweep(s, lo, hi, sum, product);
        }
    }
    return true;
}

// ---- eigenvectors ----

static bool is_pair(const schur *s, int i)
{
    return i > 0 && row(s, i)[i - 1] != 0;
}

// x := solution of rows i (and i - 1, of a pair) of (T - w) x = 0, all below being known
static void substitute(const schur *s, int i, int last, double complex w, double complex *x)
{
    const int m = is_pair(s, i) ? 2 : 1;
    const double least = DBL_EPSILON * s->norm;
    double complex r[2] = {0, 0};
    for (int k = 0; k < m; k++)
        for (int j = i + 1; j <= last; j++) r[k] -= row(s, i - k)[j] * x[j];
    double complex d = row(s, i)[i] - w;
    if (m == 1) {
        if (cabs(d) < least) d = least;
        x[i] = r[0] / d;
        return;
    }
    const double complex a = row(s, i - 1)[i - 1] - w;
    const double b = row(s, i - 1)[i], c = row(s, i)[i - 1];
    double complex det = a * d - b * c;
    if (cabs(det) < least * least) det = least * least;
    x[i - 1] = (r[1] * d - b * r[0]) / det;
    x[i] = (a * r[0] - c * r[1]) / det;
}

// numbers that grow out of range are taken back in time
static void keep_in_range(double complex *x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, cabs(x[i]));
    if (size < 1e100) return;
    for (int i = 0; i < n; i++) x[i] /= size;
}

static void write_vector(const schur *s, const double complex *x, int j, int last, double *vectors)
{
    const size_t n = (size_t)s->n;
    double length = 0;
    for (int i = 0; i < s->n; i++) {
        double complex sum = 0;
        for (int k = 0; k <= last; k++) sum += s->z[(size_t)i * n + (size_t)k] * x[k];
        sum *= s->scale[i];
        length = hypot(length, cabs(sum));
        vectors[(size_t)i * n + (size_t)j] = creal(sum);
        if (s->im[j] > 0) vectors[(size_t)i * n + (size_t)j + 1] = cimag(sum);
    }
    for (size_t i = 0; i < n && length > 0; i++) {
        vectors[i * n + (size_t)j] /= length;
        if (s->im[j] > 0) vectors[i * n + (size_t)j + 1] /= length;
    }
}

static bool find_vectors(const schur *s, double *vectors)
{
    double complex *x = calloc((size_t)s->n + 1, sizeof *x);
    if (!x) return false;
    for (int j = 0; j < s->n; j++) {
        if (s->im[j] < 0) continue;
        const double complex w = s->re[j] + s->im[j] * I;
        const int last = s->im[j] > 0 ? j + 1 : j;
        x[last] = 1;
        if (last > j) x[j] = (w - row(s, last)[last]) / row(s, last)[j];
        for (int i = j - 1; i >= 0; i--) {
            const bool is_second = is_pair(s, i);
            substitute(s, i, last, w, x);
            i -= is_second;
            keep_in_range(x + (i > 0 ? i : 0), last + 1 - (i > 0 ? i : 0));
        }
        write_vector(s, x, j, last, vectors);
    }
    free(x);
    return true;
}

static bool is_finite(int n, const double *a)
{
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(a[i])) return false;
    return true;
}

bool carom_eigen_general(int n, double *a, double *re, double *im, double *vectors)
{
    const size_t size = (size_t)n * (size_t)n;
    if (!is_finite(n, a)) return false;
    double *memory = calloc(2 * (size_t)n + (vectors ? size : 0) + 1, sizeof *memory);
    if (!memory) return false;
    schur s = {n, a, vectors ? memory + 2 * n : NULL, re, im, memory, memory + n, 0};
    for (int i = 0; s.z && i < n; i++) s.z[(size_t)i * (size_t)n + (size_t)i] = 1;
    balance(&s);
    for (size_t i = 0; i < size; i++) s.norm = fmax(s.norm, fabs(a[i]));
    reduce(&s);
    const bool is_good = find_schur(&s) && (!vectors || find_vectors(&s, vectors));
    free(memory);
    return is_good;
}
