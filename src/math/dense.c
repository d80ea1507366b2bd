// SPDX-License-Identifier: Apache-2.0
// Square dense systems A X = B: LU with row pivoting (larger ones by panels, those of long chains
// inside their band), and for singular A the minimum norm by Householder QR with column pivoting:
//
//     A Q = H [R1 R2; 0 0],  N = R1^-1 R2,  x = Q (x1 - N y, y) with the shortest y
#include "math/dense.h"

#include "math/blocked.h"
#include "math/shortest.h"

#include <math.h>
#include <string.h>

enum { OWN_LIMIT = 24, BAND_FROM = 8, OWN_BAND = 4 };

static double largest_entry(int n, const double *A)
{
    double largest = 0;
    for (int i = 0; i < n * n; i++) largest = fabs(A[i]) > largest ? fabs(A[i]) : largest;
    return largest;
}

static void swap_rows(int n, int first, int last, double *A, int i, int k)
{
    for (int j = first; j <= last; j++) {
        const double kept = A[j * n + i];
        A[j * n + i] = A[j * n + k];
        A[j * n + k] = kept;
    }
}

bool carom_band_is_narrow(int n, carom_band band)
{
    return OWN_BAND * (2 * band.below + band.above) < n;
}

static carom_band band_of(int n, const double *A)
{
    carom_band it = {0, 0};
    for (int j = 0; j < n; j++) {
        const double *column = A + j * n;
        int first = 0, last = n - 1;
        while (first < j - it.above && column[first] == 0) first++;
        while (last > j + it.below && column[last] == 0) last--;
        if (j - first > it.above) it.above = j - first;
        if (last - j > it.below) it.below = last - j;
    }
    return it;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// with the rows swapped there are below + above entries right of the diagonal
bool carom_band_factor(int n, carom_band it, double smallest, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        const int low = least(n - 1, k + it.below), far = least(n - 1, k + it.below + it.above);
        int best = k;
        for (int i = k + 1; i <= low; i++)
            if (fabs(A[k * n + i]) > fabs(A[k * n + best])) best = i;
        if (!(fabs(A[k * n + best]) > smallest)) return false;
        pivot[k] = best;
        if (best != k) swap_rows(n, k, far, A, k, best);
        const double inverse = 1 / A[k * n + k];
        for (int i = k + 1; i <= low; i++) A[k * n + i] *= inverse;
        for (int j = k + 1; j <= far; j++)
            for (int i = k + 1; i <= low; i++) A[j * n + i] -= A[k * n + i] * A[j * n + k];
    }
    return true;
}

void carom_band_solve(int n, carom_band it, const double *A, const int *pivot, double *b)
{
    const int right = least(n - 1, it.below + it.above);
    for (int k = 0; k < n; k++) {
        const double kept = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = kept;
        for (int i = k + 1; i <= least(n - 1, k + it.below); i++) b[i] -= A[k * n + i] * b[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= A[k * n + k];
        for (int i = k > right ? k - right : 0; i < k; i++) b[i] -= A[k * n + i] * b[k];
    }
}

static bool solve_two(const double *A, int n_rhs, double *B, double smallest)
{
    const double det = A[0] * A[3] - A[1] * A[2];
    const double pivot = fabs(A[0]) > fabs(A[1]) ? fabs(A[0]) : fabs(A[1]);
    if (!(pivot > smallest && fabs(det) > smallest * pivot)) return false;
    for (int j = 0; j < n_rhs; j++) {
        const double x = B[2 * j], y = B[2 * j + 1];
        B[2 * j] = (A[3] * x - A[2] * y) / det;
        B[2 * j + 1] = (A[0] * y - A[1] * x) / det;
    }
    return true;
}

bool carom_dense_lu(int n, double *A, int n_rhs, double *B, int *pivot)
{
    const double smallest = CAROM_SMALLEST_PIVOT * largest_entry(n, A);
    if (n == 2) return solve_two(A, n_rhs, B, smallest);
    if (!(smallest < INFINITY)) return false;
    const carom_band full = {n - 1, n - 1}, it = n < BAND_FROM ? full : band_of(n, A);
    if (n <= OWN_LIMIT || carom_band_is_narrow(n, it)) {
        if (!carom_band_factor(n, it, smallest, A, pivot)) return false;
        for (int j = 0; j < n_rhs; j++) carom_band_solve(n, it, A, pivot, B + j * n);
        return true;
    }
    if (carom_blocked_lu(n, A, pivot) >= 0) return false;
    for (int i = 0; i < n; i++)
        if (!(fabs(A[i * n + i]) > smallest)) return false;
    for (int j = 0; j < n_rhs; j++) carom_blocked_lu_solve(n, A, pivot, B + j * n);
    return true;
}

// applies I - beta v v' (v below row k of column a, leading 1 understood in v[k]) to the column x
static void reflect(int n, int k, const double *v, double beta, double *x)
{
    double sum = 0;
    for (int i = k; i < n; i++) sum += v[i] * x[i];
    for (int i = k; i < n; i++) x[i] -= beta * sum * v[i];
}

static int longest_column(int n, int k, const double *A)
{
    int best = k;
    double length = -1;
    for (int j = k; j < n; j++) {
        double sum = 0;
        for (int i = k; i < n; i++) sum += A[j * n + i] * A[j * n + i];
        if (sum > length) {
            length = sum;
            best = j;
        }
    }
    return best;
}

// A X = B, pivots up to a share of the largest entry of A count as 0
typedef struct least_system {
    int n, n_rhs;
    double *A, *B, share;
} least_system;

// R in the upper part of A, B becomes H'B; returns the rank. v is scratch (n).
static int pivoted_qr(const least_system *it, double *v, int *pivot)
{
    const int n = it->n, n_rhs = it->n_rhs;
    double *A = it->A, *B = it->B;
    const double smallest = it->share * largest_entry(n, A);
    for (int j = 0; j < n; j++) pivot[j] = j;
    for (int k = 0; k < n; k++) {
        const int best = longest_column(n, k, A);
        for (int i = 0; i < n && best != k; i++) {
            const double kept = A[k * n + i];
            A[k * n + i] = A[best * n + i];
            A[best * n + i] = kept;
        }
        const int index = pivot[k];
        pivot[k] = pivot[best];
        pivot[best] = index;
        double length = 0;
        for (int i = k; i < n; i++) length += A[k * n + i] * A[k * n + i];
        length = sqrt(length);
        if (!(length > smallest)) return k;
        memcpy(v + k, A + k * n + k, sizeof *v * (size_t)(n - k));
        v[k] += v[k] > 0 ? length : -length;
        const double beta = 1 / (length * fabs(v[k]));
        for (int j = k; j < n; j++) reflect(n, k, v, beta, A + j * n);
        for (int j = 0; j < n_rhs; j++) reflect(n, k, v, beta, B + j * n);
    }
    return n;
}

// x (rank) = R1^-1 x
static void back_substitute(int n, int rank, const double *R, double *x)
{
    for (int k = rank - 1; k >= 0; k--) {
        x[k] /= R[k * n + k];
        for (int i = 0; i < k; i++) x[i] -= R[k * n + i] * x[k];
    }
}

static int solve_least(const least_system *it, double *work, int *pivot)
{
    const int n = it->n, n_rhs = it->n_rhs;
    double *A = it->A, *B = it->B, *v = work, *x = work + n, *C = work + 2 * n;
    const int rank = pivoted_qr(it, v, pivot), m = n - rank;
    double *N = A + (size_t)rank * (size_t)n;
    for (int j = 0; j < m; j++) back_substitute(n, rank, A, N + j * n);
    const carom_free_columns columns = {rank, m, n, N};
    carom_shortest_factor(&columns, C);
    for (int j = 0; j < n_rhs; j++) {
        memcpy(x, B + j * n, sizeof *x * (size_t)n);
        back_substitute(n, rank, A, x);
        carom_shortest_make(&columns, C, x);
        for (int i = 0; i < n; i++) B[j * n + pivot[i]] = x[i];
    }
    return rank;
}

int carom_dense_least(int n, double *A, int n_rhs, double *B, double *work, int *pivot)
{
    const least_system it = {n, n_rhs, A, B, CAROM_SMALLEST_PIVOT * (n > 4 ? n : 4)};
    return solve_least(&it, work, pivot);
}

int carom_dense_least_above(double share, int n, double *A, double *b, double *work, int *pivot)
{
    const least_system it = {n, 1, A, b, share};
    return solve_least(&it, work, pivot);
}

double carom_dense_weakest(int n, int rank, const double *factors)
{
    double least = INFINITY, most = 0;
    if (n == 2 && rank == 2) { // solved without factors
        const double first = fmax(fabs(factors[0]), fabs(factors[1]));
        return fabs(factors[0] * factors[3] - factors[1] * factors[2]) / (first * first);
    }
    for (size_t k = 0; k < (size_t)rank; k++) {
        const double size = fabs(factors[k * (size_t)n + k]);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return most > 0 ? least / most : 1;
}

size_t carom_dense_room(int n, int n_rhs)
{
    const size_t m = (size_t)n;
    return 2 * m * m + 2 * m + m * (size_t)n_rhs;
}

int carom_dense_solve(int n, const double *A, int n_rhs, double *B, double *work, int *pivot)
{
    const size_t size = (size_t)n * (size_t)n, room = (size_t)n * (size_t)n_rhs;
    double *copy = work, *kept = work + size, *rest = kept + room;
    if (n == 0) return 0;
    memcpy(copy, A, sizeof *A * size);
    memcpy(kept, B, sizeof *B * room);
    if (carom_dense_lu(n, copy, n_rhs, B, pivot)) return n;
    memcpy(copy, A, sizeof *A * size);
    memcpy(B, kept, sizeof *B * room);
    return carom_dense_least(n, copy, n_rhs, B, rest, pivot);
}
