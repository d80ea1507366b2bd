// SPDX-License-Identifier: Apache-2.0
// What stands in for SuiteSparse where carom is built without it (CAROM_SPARSE=OFF), against
// products: LU with its parts and sparse right sides, L D L', some rows of a symmetric matrix. The
// files are taken into this program, so that any build tests them; the linker then leaves those of
// the library.
#include "contact/newton/symmetric_dense.c"
#include "math/instead/ldl_dense.c"
#include "math/instead/sparse_lu_dense.c"

#include "math/sparse/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 40, MOST = CAROM_MOST_DENSE };

/// By columns; about every third entry.
typedef struct sparse {
    int n, start[MOST + 1], index[MOST * MOST];
    double value[MOST * MOST];
} sparse;

static double next_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

// the diagonal is that of the shift; others come and go, some rows are very small
static void make(sparse *A, int n, double diagonal, unsigned seed)
{
    int used = 0;
    A->n = n;
    for (int j = 0; j < n; j++) {
        A->start[j] = used;
        for (int i = 0; i < n; i++) {
            const double x = next_number(&seed), scale = i % 7 == 3 ? 1e-6 : 1;
            if (i != j && next_number(&seed) > -0.3) continue;
            A->index[used] = i;
            A->value[used++] = scale * (i == j ? diagonal + x : x);
        }
    }
    A->start[n] = used;
}

static void multiply(const sparse *A, const double *x, double *y, bool is_transposed)
{
    for (int i = 0; i < A->n; i++) y[i] = 0;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            y[is_transposed ? j : A->index[k]] += A->value[k] * x[is_transposed ? A->index[k] : j];
}

static void lu_solves_both_ways(void **state)
{
    (void)state;
    static sparse A;
    for (unsigned seed = 1; seed <= 20; seed++) {
        double x[MOST], b[MOST];
        carom_sparse_lu lu = {0};
        const int n = seed % 4 == 0 ? MOST : N;
        make(&A, n, seed % 2 ? 0 : 3, seed);
        assert_int_equal(carom_sparse_lu_analyse(&lu, n, A.start, A.index), CAROM_OK);
        assert_int_equal(carom_sparse_lu_factor(&lu, A.start, A.index, A.value), CAROM_OK);
        for (int way = 0; way < 2; way++) {
            double largest = 0;
            for (int i = 0; i < n; i++) x[i] = sin(3. * i + seed);
            carom_sparse_lu_solve(&lu, x, way == 1);
            multiply(&A, x, b, way == 1);
            for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
            for (int i = 0; i < n; i++)
                assert_true(fabs(b[i] - sin(3. * i + seed)) < 1e-13 * (1 + n * largest));
        }
        carom_sparse_lu_free(&lu);
    }
}

static void what_is_singular_or_too_large_is_told(void **state)
{
    (void)state;
    static sparse A;
    carom_sparse_lu lu = {0};
    make(&A, N, 3, 5);
    for (int k = 0; k < A.start[N]; k++) A.value[k] *= A.index[k] != 11; // a row of zeros
    assert_int_equal(carom_sparse_lu_analyse(&lu, N, A.start, A.index), CAROM_OK);
    assert_int_equal(carom_sparse_lu_factor(&lu, A.start, A.index, A.value), CAROM_NOT_CONVERGED);
    for (int k = 0; k < A.start[N]; k++) A.value[k] = 1;
    for (int j = 0; j < N; j++) A.start[j + 1] = A.start[j] + 1; // all in few rows: two are equal
    for (int j = 0; j < N; j++) A.index[j] = j / 2;
    assert_int_equal(carom_sparse_lu_factor(&lu, A.start, A.index, A.value), CAROM_NOT_CONVERGED);
    assert_int_equal(carom_sparse_lu_analyse(&lu, MOST + 1, A.start, A.index), CAROM_NO_MEMORY);
    carom_sparse_lu_free(&lu);
}

// reach.c of the library works on these factors
static void sparse_right_sides_are_solved(void **state)
{
    (void)state;
    static sparse A;
    const int index[2] = {4, 17};
    const double value[2] = {2, -1};
    double x[N] = {0}, b[N];
    int touched[N];
    carom_sparse_lu lu = {0};
    carom_reach reach = {0};
    make(&A, N, 3, 9);
    assert_int_equal(carom_sparse_lu_analyse(&lu, N, A.start, A.index), CAROM_OK);
    assert_int_equal(carom_sparse_lu_factor(&lu, A.start, A.index, A.value), CAROM_OK);
    assert_true(carom_reach_take(&reach, &lu));
    assert_true(carom_reach_solve(&reach, 2, index, value, x, touched) > 0);
    multiply(&A, x, b, false);
    for (int i = 0; i < N; i++) assert_true(fabs(b[i] - (i == 4 ? 2 : i == 17 ? -1 : 0)) < 1e-9);
    carom_reach_free(&reach);
    carom_sparse_lu_free(&lu);
}

// A + A' with a diagonal that makes it positive
static void make_symmetric(sparse *S, int n, unsigned seed)
{
    static double full[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double x = next_number(&seed);
            full[i][j] = full[j][i] = i == j ? n + x : (next_number(&seed) > -0.3 ? 0 : x);
        }
    S->n = n;
    S->start[0] = 0;
    for (int j = 0; j < n; j++) {
        int used = S->start[j];
        for (int i = 0; i < n; i++)
            if (full[i][j] != 0) {
                S->index[used] = i;
                S->value[used++] = full[i][j];
            }
        S->start[j + 1] = used;
    }
}

static void ldl_solves_and_tells_the_row(void **state)
{
    (void)state;
    static sparse S;
    for (int n = 1; n <= MOST; n += 31) {
        double x[MOST], b[MOST];
        carom_arena *arena = carom_arena_new();
        make_symmetric(&S, n, (unsigned)n);
        carom_ldl *ldl = carom_ldl_new(arena, n, S.start, S.index);
        assert_non_null(ldl);
        assert_int_equal(carom_ldl_factor(ldl, S.value), -1);
        for (int i = 0; i < n; i++) x[i] = cos(2. * i);
        multiply(&S, x, b, false);
        carom_ldl_solve(ldl, b);
        for (int i = 0; i < n; i++) assert_true(fabs(b[i] - x[i]) < 1e-12);
        for (int k = S.start[n / 2]; k < S.start[n / 2 + 1]; k++)
            if (S.index[k] == n / 2) S.value[k] = -1;
        assert_int_equal(carom_ldl_factor(ldl, S.value), n / 2);
        carom_arena_free(arena);
    }
    assert_null(carom_ldl_new(NULL, MOST + 1, S.start, S.index));
}

static void some_rows_are_solved_and_the_others_stay(void **state)
{
    (void)state;
    static sparse S;
    int is_in[N];
    double x[N], b[N], y[N];
    make_symmetric(&S, N, 77);
    carom_symmetric s = {0};
    assert_true(carom_symmetric_reserve(&s, N, N * N));
    s.n = N;
    memcpy(s.start, S.start, sizeof(int) * (N + 1));
    memcpy(s.index, S.index, sizeof(int) * (size_t)S.start[N]);
    memcpy(s.value, S.value, sizeof(double) * (size_t)S.start[N]);
    assert_true(carom_symmetric_analyse(&s));
    for (int i = 0; i < N; i++) {
        is_in[i] = i % 3 != 1;
        x[i] = is_in[i] ? sin(5. * i) : 0;
    }
    multiply(&S, x, b, false);
    for (int i = 0; i < N; i++) y[i] = is_in[i] ? b[i] : 42;
    assert_true(carom_symmetric_solve(&s, is_in, y));
    for (int i = 0; i < N; i++) assert_true(is_in[i] ? fabs(y[i] - x[i]) < 1e-12 : y[i] == 42);
    for (int k = S.start[6]; k < S.start[7]; k++)
        if (S.index[k] == 6) s.value[k] = 0;
    assert_false(carom_symmetric_solve(&s, is_in, y));
    s.n = MOST + 1;
    assert_false(carom_symmetric_analyse(&s));
    carom_symmetric_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_both_ways),
        cmocka_unit_test(what_is_singular_or_too_large_is_told),
        cmocka_unit_test(sparse_right_sides_are_solved),
        cmocka_unit_test(ldl_solves_and_tells_the_row),
        cmocka_unit_test(some_rows_are_solved_and_the_others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
