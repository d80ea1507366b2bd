// SPDX-License-Identifier: Apache-2.0
// Symmetric systems of constraints: the answers of QR with column pivoting, whatever the rank and
// whether the right side fits; what is not of this kind is left to others.
#include "math/dense.h"
#include "math/gram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MOST = 24, ROOM = 4 * MOST * MOST };

static double chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// A = J J' of n rows in rank directions, every third row three times as long; columns lda apart
static void make_gram(int n, int rank, int lda, uint64_t *seed, double *A)
{
    double J[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++)
            J[i][k] = (i + k) % 5 != 4 ? (i % 3 ? 1 : 3) * chance(seed) : 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) sum += J[i][k] * J[j][k];
            A[j * lda + i] = sum;
        }
}

// two right sides, one that fits and one that does not
static void check_rank(int n, int rank, uint64_t *seed)
{
    double A[MOST * MOST], wide[MOST * MOST], B[2 * MOST], X[2 * MOST], work[ROOM];
    int pivot[MOST];
    make_gram(n, rank, n, seed, A);
    const int lda = n < MOST ? n + 1 : n;
    for (int j = 0; j < n; j++) memcpy(wide + j * lda, A + j * n, sizeof *A * (size_t)n);
    for (int i = 0; i < n; i++) {
        B[i] = 0;
        for (int j = 0; j < n; j++) B[i] += A[j * n + i] * (j + 1);
        B[n + i] = chance(seed);
    }
    memcpy(X, B, sizeof X);
    assert_true(carom_gram_room(n) <= ROOM);
    assert_int_equal(carom_gram_solve(&(carom_gram){n, lda, wide, work, pivot}, 2, X), rank);
    assert_int_equal(carom_dense_least(n, A, 2, B, work, pivot), rank);
    double size = 0;
    for (int i = 0; i < 2 * n; i++) size = fmax(size, fabs(B[i]));
    for (int i = 0; i < 2 * n; i++)
        if (!(fabs(X[i] - B[i]) <= 1e-8 * size))
            fail_msg("n %d, rank %d: x%d is %.17g, by QR %.17g", n, rank, i, X[i], B[i]);
}

static void answers_are_those_of_qr(void **state)
{
    (void)state;
    uint64_t seed = 20261118;
    for (int n = 1; n <= MOST; n++)
        for (int rank = n > 5 ? n - 5 : 1; rank <= n; rank++)
            for (int turn = 0; turn < 4; turn++) check_rank(n, rank, &seed);
}

static void nothing_at_all_has_rank_zero(void **state)
{
    (void)state;
    double A[9] = {0}, b[3] = {1, 2, 3}, work[ROOM];
    int pivot[3];
    assert_int_equal(carom_gram_solve(&(carom_gram){3, 3, A, work, pivot}, 1, b), 0);
    for (int i = 0; i < 3; i++) assert_true(b[i] == 0);
}

// what this cannot do it does not touch
static void other_matrices_are_left_alone(void **state)
{
    (void)state;
    static const double other[][9] = {{2, 0.1, 0, 0, 2, 0, 0, 0, 2},  // not symmetric
                                      {2, 0, 0, 0, -1, 0, 0, 0, 2},   // a negative eigenvalue
                                      {0, 1, 0, 1, 0, 0, 0, 0, 0},    // 1 and -1, diagonal 0
                                      {2, NAN, 0, NAN, 2, 0, 0, 0, 2} // not a number
                                      ,
                                      {NAN, 0, 0, 0, 2, 0, 0, 0, 2}};
    for (int k = 0; k < 5; k++) {
        double b[3] = {1, 2, 3}, work[ROOM];
        int pivot[3];
        assert_int_equal(carom_gram_solve(&(carom_gram){3, 3, other[k], work, pivot}, 1, b), -1);
        for (int i = 0; i < 3; i++) assert_true(b[i] == i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_qr),
        cmocka_unit_test(nothing_at_all_has_rank_zero),
        cmocka_unit_test(other_matrices_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
