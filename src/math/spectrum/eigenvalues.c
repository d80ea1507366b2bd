// SPDX-License-Identifier: Apache-2.0
// Eigenvalues by orthogonal similarity: rows and columns are scaled to like size (powers of two,
// which round nothing), A becomes Hessenberg by reflections, and double steps of the QR iteration
// with the shifts s1, s2 = eigenvalues of the last 2x2 block,
//
//     H := Q' H Q,     Q from the first column of (H - s1)(H - s2)
//
// in real numbers, as s1 + s2 and s1 s2 are real, until subdiagonal entries vanish and blocks of 1
// and 2 rows are left.
//
// J. G. F. Francis, The QR transformation, 1961; G. H. Golub, C. F. Van Loan, Matrix Computations.
#include "math/spectrum/eigenvalues.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 60, EXCEPTIONAL = 10 };

typedef struct square {
    int n;
    double *a;
} square;

static double *at(square m, int i, int j)
{
    return &m.a[(long)j * m.n + i];
}

// ---- scaling ----

// the power of two that brings the row and the column of i to like size; 1 = they are
static double scale_for(square m, int i)
{
    double row = 0, column = 0, factor = 1;
    for (int j = 0; j < m.n; j++) {
        if (j == i) continue;
        row += fabs(*at(m, i, j));
        column += fabs(*at(m, j, i));
    }
    if (!(row > 0) || !(column > 0)) return 1;
    const double sum = row + column;
    for (; column < row / 2 && factor < 0x1p60; column *= 4) factor *= 2;
    for (; column >= row * 2 && factor > 0x1p-60; column /= 4) factor /= 2;
    return (column + row) / factor < 0.95 * sum ? factor : 1;
}

static void balance(square m)
{
    bool is_done = false;
    for (int sweep = 0; sweep < 20 && !is_done; sweep++) {
        is_done = true;
        for (int i = 0; i < m.n; i++) {
            const double factor = scale_for(m, i);
            if (factor == 1) continue;
            is_done = false;
            for (int j = 0; j < m.n; j++) *at(m, i, j) /= factor;
            for (int j = 0; j < m.n; j++) *at(m, j, i) *= factor;
        }
    }
}

// ---- reflections ----

// v with (1 - v v') x = (+-|x|, 0, ...), |v|^2 = 2; false where x is such already
static bool reflector(int n, const double *x, double *v)
{
    double size = 0, rest = 0, largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    for (int i = 1; i < n; i++) rest = fmax(rest, fabs(x[i]));
    if (!(rest > 0)) return false;
    for (int i = 0; i < n; i++) {
        v[i] = x[i] / largest;
        size += v[i] * v[i];
    }
    size = sqrt(size);
    const double first = v[0] < 0 ? v[0] - size : v[0] + size;
    const double norm = sqrt(size * fabs(first)); // v'v = 2 size |first| before it is scaled
    v[0] = first;
    for (int i = 0; i < n; i++) v[i] /= norm;
    return true;
}

// rows first .. first + k - 1 of columns from .. to: := (1 - v v') times them
static void reflect_rows(square m, int first, int k, const double *v, int from, int to)
{
    for (int j = from; j <= to; j++) {
        double sum = 0;
        for (int i = 0; i < k; i++) sum += v[i] * *at(m, first + i, j);
        for (int i = 0; i < k; i++) *at(m, first + i, j) -= sum * v[i];
    }
}

static void reflect_columns(square m, int first, int k, const double *v, int from, int to)
{
    for (int i = from; i <= to; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) sum += v[j] * *at(m, i, first + j);
        for (int j = 0; j < k; j++) *at(m, i, first + j) -= sum * v[j];
    }
}

// zeros below the subdiagonal; v (n) is scratch
static void make_hessenberg(square m, double *v)
{
    for (int j = 0; j + 2 < m.n; j++) {
        const int k = m.n - j - 1;
        if (!reflector(k, at(m, j + 1, j), v)) continue;
        reflect_rows(m, j + 1, k, v, j, m.n - 1);
        reflect_columns(m, j + 1, k, v, 0, m.n - 1);
        for (int i = j + 2; i < m.n; i++) *at(m, i, j) = 0;
    }
}

// ---- the iteration ----

static bool is_negligible(square m, int i)
{
    double size = fabs(*at(m, i, i)) + fabs(*at(m, i - 1, i - 1));
    if (!(size > 0)) size = 1e-300;
    return fabs(*at(m, i, i - 1)) <= DBL_EPSILON * size;
}

// eigenvalues of rows p, p + 1
static void solve_block(square m, int p, double *real, double *imaginary)
{
    const double a = *at(m, p, p), b = *at(m, p, p + 1), c = *at(m, p + 1, p),
                 d = *at(m, p + 1, p + 1);
    const double half = (a - d) / 2, square_of = half * half + b * c;
    if (square_of < 0) {
        real[p] = real[p + 1] = (a + d) / 2;
        imaginary[p] = sqrt(-square_of);
        imaginary[p + 1] = -imaginary[p];
        return;
    }
    const double root = half < 0 ? half - sqrt(square_of) : half + sqrt(square_of);
    real[p] = d + root;
    real[p + 1] = root != 0 ? d - b * c / root : d;
    imaginary[p] = imaginary[p + 1] = 0;
}

// one double step on the block low .. high
static void double_step(square m, int low, int high, bool is_exceptional)
{
    const double *corner = at(m, high - 1, high - 1);
    double trace = corner[0] + *at(m, high, high);
    double product = corner[0] * *at(m, high, high) - corner[1] * *at(m, high - 1, high);
    if (is_exceptional) { // shifts that break a cycle
        const double s = fabs(*at(m, high, high - 1)) + fabs(*at(m, high - 1, high - 2));
        trace = 1.5 * s;
        product = s * s;
    }
    const double h11 = *at(m, low, low), h21 = *at(m, low + 1, low), h12 = *at(m, low, low + 1),
                 h22 = *at(m, low + 1, low + 1), h32 = *at(m, low + 2, low + 1);
    double x[3] = {h11 * h11 + h12 * h21 - trace * h11 + product, h21 * (h11 + h22 - trace),
                   h21 * h32},
           v[3];
    for (int k = low; k < high; k++) {
        const int n = k + 2 <= high ? 3 : 2;
        if (reflector(n, x, v)) {
            const int left = k > low ? k - 1 : low, bottom = k + 3 < high ? k + 3 : high;
            reflect_rows(m, k, n, v, left, high);
            reflect_columns(m, k, n, v, low, bottom);
        }
        if (k > low)
            for (int i = k + 1; i < k + n; i++) *at(m, i, k - 1) = 0;
        for (int i = 0; i < 3; i++) x[i] = k + 1 + i <= high ? *at(m, k + 1 + i, k) : 0;
    }
}

// the iteration on a Hessenberg matrix
static bool iterate(square m, double *real, double *imaginary)
{
    int high = m.n - 1, sweeps = 0;
    while (high >= 0) {
        int low = high;
        while (low > 0 && !is_negligible(m, low)) low--;
        if (low > 0) *at(m, low, low - 1) = 0;
        if (low == high) {
            real[high] = *at(m, high, high);
            imaginary[high] = 0;
            high--;
            sweeps = 0;
        } else if (low == high - 1) {
            solve_block(m, low, real, imaginary);
            high -= 2;
            sweeps = 0;
        } else {
            if (++sweeps > MOST_SWEEPS) return false;
            double_step(m, low, high, sweeps % EXCEPTIONAL == 0);
        }
    }
    return true;
}

static void sort(int n, double *real, double *imaginary)
{
    for (int i = 1; i < n; i++) {
        const double re = real[i], im = imaginary[i], size = hypot(re, im);
        int j = i;
        // members of a pair have the same modulus and keep their order
        for (; j > 0 && hypot(real[j - 1], imaginary[j - 1]) < size; j--) {
            real[j] = real[j - 1];
            imaginary[j] = imaginary[j - 1];
        }
        real[j] = re;
        imaginary[j] = im;
    }
}

bool carom_eigenvalues(int n, double *A, double *real, double *imaginary)
{
    const square m = {n, A};
    double sum = 0;
    for (long i = 0; i < (long)n * n; i++) sum += 0 * A[i];
    if (sum != 0) return false;
    balance(m);
    make_hessenberg(m, real);
    if (!iterate(m, real, imaginary)) return false;
    sort(n, real, imaginary);
    return true;
}

void carom_eigenvector(int n, const double *A, double value, double *v, double *work, int *pivot)
{
    double size = 0;
    for (long i = 0; i < (long)n * n; i++) size = fmax(size, fabs(A[i]));
    // a little beside the eigenvalue: the system is solvable, and its solution is the vector
    const double shift = value + 1e-10 * fmax(size, DBL_MIN);
    for (int i = 0; i < n; i++) v[i] = 1 + 0.1 * (i % 7);
    for (int pass = 0; pass < 4; pass++) {
        memcpy(work, A, sizeof *A * (size_t)n * (size_t)n);
        for (int i = 0; i < n; i++) work[(long)i * n + i] -= shift;
        double norm = 0, most = 0;
        if (!carom_dense_lu(n, work, 1, v, pivot)) return;
        for (int i = 0; i < n; i++) most = fabs(v[i]) > fabs(most) ? v[i] : most;
        for (int i = 0; i < n; i++) v[i] /= most;
        for (int i = 0; i < n; i++) norm += v[i] * v[i];
        for (int i = 0; i < n; i++) v[i] /= sqrt(norm);
    }
}
