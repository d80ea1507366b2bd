// SPDX-License-Identifier: Apache-2.0
// Dense factors by panels: the bits of the simple loops, and the same verdicts on bad matrices.
#include "math/blocked.h"
#include "math/small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 70 };

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// one entry in three is zero: whole panels meet columns that they do not touch
static void fill(int n, double *a, uint64_t *seed)
{
    for (int i = 0; i < n * n; i++) {
        const double x = random_number(seed);
        a[i] = fabs(x) < 1.0 / 6 ? 0 : x;
    }
}

static bool is_same(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}

static void lu_has_the_bits_of_the_simple_loops(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int n = 1; n <= MOST; n++) {
        double a[MOST * MOST], b[MOST * MOST], r[MOST], x[MOST], y[MOST];
        int swap_a[MOST], swap_b[MOST];
        fill(n, a, &seed);
        for (int i = 0; i < n; i++) a[i * n + (i + n / 3) % n] += 2; // regular, pivots move
        memcpy(b, a, sizeof a);
        assert_int_equal(carom_small_lu(n, a, swap_a, r), -1);
        assert_int_equal(carom_blocked_lu(n, b, swap_b), -1);
        assert_true(is_same((size_t)(n * n), a, b));
        assert_memory_equal(swap_a, swap_b, sizeof(int) * (size_t)n);
        for (int i = 0; i < n; i++) x[i] = y[i] = random_number(&seed);
        carom_small_lu_solve(n, a, swap_a, r, x);
        carom_blocked_lu_solve(n, b, swap_b, y);
        assert_true(is_same((size_t)n, x, y));
    }
}

static void cholesky_has_the_bits_of_the_simple_loops(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 1; n <= MOST; n++) {
        double a[MOST * MOST], b[MOST * MOST], r[MOST], s[MOST];
        fill(n, a, &seed);
        for (int i = 0; i < n; i++) a[i * n + i] = n;
        memcpy(b, a, sizeof a);
        assert_int_equal(carom_small_cholesky(n, a, r), -1);
        assert_int_equal(carom_blocked_cholesky(n, b, s), -1);
        assert_true(is_same((size_t)(n * n), a, b));
        assert_true(is_same((size_t)n, r, s));
    }
}

static void the_first_bad_pivot_is_named(void **state)
{
    (void)state;
    const double bad[] = {0, NAN, INFINITY};
    for (int n = 1; n <= 40; n++)
        for (int k = 0; k < n; k++)
            for (int v = 0; v < 3; v++) {
                double a[40 * 40] = {0}, r[40];
                int swap[40];
                for (int i = 0; i < n; i++) a[i * n + i] = i == k ? bad[v] : 1 + i;
                double b[40 * 40];
                memcpy(b, a, sizeof a);
                assert_int_equal(carom_blocked_lu(n, a, swap), k);
                assert_int_equal(carom_blocked_cholesky(n, b, r), k);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_has_the_bits_of_the_simple_loops),
        cmocka_unit_test(cholesky_has_the_bits_of_the_simple_loops),
        cmocka_unit_test(the_first_bad_pivot_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
