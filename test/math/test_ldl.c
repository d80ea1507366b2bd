// SPDX-License-Identifier: Apache-2.0
// Sparse factors L D L' against products, and matrices that are not positive definite, or only to
// rounding: the row is told.
#include "math/sparse/ldl.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 60 };

/// A chain: n rows, 2 (or what is given) on the diagonal, -1 beside it.
typedef struct chain {
    int start[N + 1], index[3 * N];
    double value[3 * N];
} chain;

static void make_chain(chain *c, const double *diagonal)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        c->start[i] = n;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            c->index[n] = j;
            c->value[n++] = j == i ? diagonal[i] : -1;
        }
    }
    c->start[N] = n;
}

static void a_chain_is_solved(void **state)
{
    (void)state;
    static chain c;
    double diagonal[N], x[N], b[N];
    carom_arena *arena = carom_arena_new();
    for (int i = 0; i < N; i++) diagonal[i] = 2.1 + 0.1 * sin(i);
    make_chain(&c, diagonal);
    for (int i = 0; i < N; i++) x[i] = cos(3. * i);
    for (int i = 0; i < N; i++)
        b[i] = diagonal[i] * x[i] - (i > 0 ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0);
    carom_ldl *ldl = carom_ldl_new(arena, N, c.start, c.index);
    assert_non_null(ldl);
    assert_int_equal(carom_ldl_entries(ldl), 3 * N - 2);
    assert_int_equal(carom_ldl_factor(ldl, c.value), -1);
    carom_ldl_solve(ldl, b);
    for (int i = 0; i < N; i++) assert_true(fabs(b[i] - x[i]) < 1e-11);
    carom_arena_free(arena);
}

// 1 at both ends: a chain that can move as a whole. What rounding leaves of the last pivot is none
static void a_chain_that_is_free_has_no_pivot(void **state)
{
    (void)state;
    static chain c;
    static const double more[] = {0, DBL_EPSILON, 1e-14, -0.1};
    carom_arena *arena = carom_arena_new();
    for (int k = 0; k < 4; k++) {
        double diagonal[N];
        for (int i = 0; i < N; i++) diagonal[i] = i == 0 || i == N - 1 ? 1 : 2;
        diagonal[k == 3 ? N / 2 : N - 1] += more[k];
        make_chain(&c, diagonal);
        carom_ldl *ldl = carom_ldl_new(arena, N, c.start, c.index);
        const int row = carom_ldl_factor(ldl, c.value);
        assert_true(k == 2 ? row == -1 : row >= 0 && row < N);
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_solved),
        cmocka_unit_test(a_chain_that_is_free_has_no_pivot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
