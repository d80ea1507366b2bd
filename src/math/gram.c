// SPDX-License-Identifier: Apache-2.0
// Symmetric systems without negative eigenvalues, by Gauss' elimination, large diagonal entries
// first. Where only noise is left, the rows that remain are sums of those before:
//
//     Q'A Q = [L1; L2] D [L1' L2'],   N = L1'^-1 L2',   A Z = 0 for Z = Q [-N; I]
//     b <- b - Z (Z'Z)^-1 Z'b                       what contradicts itself is left out
//     x1 = L1'^-1 D^-1 L1^-1 b1,   x = Q (x1 - N y, y) with the shortest y (math/shortest.h)
//
// The same answers as those of math/dense.h, at an eighth of the work: one half is symmetry, and
// neither a failed LU nor reflections are needed.
#include "math/gram.h"

#include "math/dense.h"
#include "math/shortest.h"

#include <string.h>

// Symmetric but for rounding: both halves of A are computed apart.
static const double SYMMETRIC = 1e-13;
// A diagonal entry that is this share of the largest may go first where it stands.
static const double LARGE = 0.1;

// the lower half of A into L, its diagonal into d; false where A is not symmetric or not finite
static bool copy_half(const carom_gram *gram, double largest, double *L, double *d)
{
    const double allowed = SYMMETRIC * largest;
    const int n = gram->n, lda = gram->lda;
    for (int j = 0; j < n; j++) {
        const double *column = gram->A + j * lda, *row = gram->A + j;
        for (int i = j; i < n; i++) {
            L[j * n + i] = column[i];
            if (!(fabs(column[i] - row[i * lda]) <= allowed)) return false;
        }
        d[j] = column[j];
    }
    return true;
}

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

// rows and columns k < b of the lower half change places
static void swap_both(int n, double *L, int k, int b)
{
    for (int j = 0; j < k; j++) swap(&L[j * n + k], &L[j * n + b]);
    for (int i = k + 1; i < b; i++) swap(&L[k * n + i], &L[i * n + b]);
    for (int i = b + 1; i < n; i++) swap(&L[k * n + i], &L[b * n + i]);
    swap(&L[k * n + k], &L[b * n + b]);
}

// column k of L is known: what it leaves of the columns behind, and of d; returns the largest d
static double eliminate(int n, int k, double *L, double *d)
{
    double *l = L + k * n, most = 0;
    const double inverse = 1 / d[k];
    for (int j = k + 1; j < n; j++) {
        const double factor = l[j] * inverse;
        if (factor != 0) { // 0: joints of other bodies
            double *column = L + j * n;
            for (int i = j; i < n; i++) column[i] -= factor * l[i];
            d[j] = column[j];
        }
        if (d[j] > most) most = d[j];
    }
    for (int i = k + 1; i < n; i++) l[i] *= inverse;
    return most;
}

// whether all that is left is noise
static bool is_spent(int n, int k, const double *L, double smallest)
{
    for (int j = k; j < n; j++)
        for (int i = j; i < n; i++)
            if (!(fabs(L[j * n + i]) <= smallest)) return false;
    return true;
}

// the lower half := L; returns the rank, -1 where an eigenvalue is below 0
static int factorise(int n, double *L, double *d, double most, int *pivot)
{
    const double smallest = CAROM_SMALLEST_PIVOT * most;
    for (int i = 0; i < n; i++) pivot[i] = i;
    for (int k = 0; k < n; k++) {
        if (!(most > smallest)) return is_spent(n, k, L, smallest) ? k : -1;
        int best = k;
        if (d[k] < LARGE * most)
            while (d[best] < most) best++;
        if (best != k) {
            const int index = pivot[k];
            swap_both(n, L, k, best);
            swap(&d[k], &d[best]);
            pivot[k] = pivot[best];
            pivot[best] = index;
        }
        most = eliminate(n, k, L, d);
    }
    return n;
}

// x (rank) := L1'^-1 x
static void solve_above(int n, int rank, const double *L, double *x)
{
    for (int k = rank - 1; k >= 0; k--) {
        const double *l = L + k * n;
        double sum = x[k];
        for (int i = k + 1; i < rank; i++) sum -= l[i] * x[i];
        x[k] = sum;
    }
}

// x (rank) := A11^-1 x
static void solve_regular(int n, int rank, const double *L, const double *d, double *x)
{
    for (int k = 0; k < rank; k++) {
        const double *l = L + k * n, xk = x[k];
        for (int i = k + 1; i < rank; i++) x[i] -= l[i] * xk;
    }
    for (int k = 0; k < rank; k++) x[k] /= d[k];
    solve_above(n, rank, L, x);
}

// x (n), by pivots: what of it lies along Z goes
static void leave_contradiction(const carom_free_columns *it, const double *C, double *x, double *y)
{
    for (int i = 0; i < it->m; i++) y[i] = -x[it->rank + i];
    carom_shortest_part(it, C, x, y); // (Z'Z)^-1 (N'b1 - b2)
    carom_shortest_take(it, y, x);
}

size_t carom_gram_room(int n)
{
    const size_t m = (size_t)n;
    return 3 * m * m + 3 * m;
}

int carom_gram_solve(const carom_gram *gram, int n_rhs, double *B)
{
    const int n = gram->n, *pivot = gram->pivot;
    const size_t size = (size_t)n * (size_t)n;
    double *L = gram->work, *N = L + size, *C = N + size, *d = C + size, *x = d + n, *y = x + n;
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double diagonal = gram->A[i * gram->lda + i];
        if (diagonal > most) most = diagonal;
    }
    if (!copy_half(gram, most, L, d)) return -1;
    const int rank = factorise(n, L, d, most, gram->pivot), m = n - rank;
    if (rank < 0) return -1;
    const carom_free_columns it = {rank, m, n, N};
    for (int j = 0; j < m; j++) {
        for (int k = 0; k < rank; k++) N[j * n + k] = L[k * n + rank + j];
        solve_above(n, rank, L, N + j * n);
    }
    if (m > 0) carom_shortest_factor(&it, C);
    for (int j = 0; j < n_rhs; j++) {
        double *b = B + j * n;
        for (int i = 0; i < n; i++) x[i] = b[pivot[i]];
        if (m > 0) leave_contradiction(&it, C, x, y);
        solve_regular(n, rank, L, d, x);
        if (m > 0) carom_shortest_make(&it, C, x);
        for (int i = 0; i < n; i++) b[pivot[i]] = x[i];
    }
    return rank;
}
