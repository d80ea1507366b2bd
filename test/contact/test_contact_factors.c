// SPDX-License-Identifier: Apache-2.0
// Linear systems of contact problems: what is solved is multiplied again, with matrices put
// together here entry by entry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/matrix_forms.h"
#include "contact/newton/blend.h"
#include "contact/newton/block_lu.h"
#include "contact/newton/symmetric.h"

enum { N_TRY = 40 };

// A x = y up to rounding
static void expect_product(double A[N][N], const double *x, const double *y)
{
    for (int i = 0; i < N; i++) {
        double sum = 0, size = fabs(y[i]);
        for (int j = 0; j < N; j++) {
            sum += A[i][j] * x[j];
            size += fabs(A[i][j] * x[j]);
        }
        if (!(fabs(sum - y[i]) <= 1e-11 * size)) fail_msg("row %d: %g, not %g", i, sum, y[i]);
    }
}

static int block_of_row(const forms *f, int i)
{
    int k = 0;
    while (f->block_row[k + 1] <= i) k++;
    return k;
}

// R S^-1 G S^-1 + C; R = NULL is the identity
static void blend_by_hand(const forms *f, const double *s, const double *R, const double *C,
                          double A[N][N])
{
    for (int i = 0; i < N; i++) {
        const carom_block *block = &f->block[block_of_row(f, i)];
        for (int j = 0; j < N; j++) {
            A[i][j] = R && !block->is_bilateral ? 0 : f->G[i][j] / s[i] / s[j];
            for (int k = 0; k < block->dim && R && !block->is_bilateral; k++)
                A[i][j] += R[3 * i + k] * f->G[block->first + k][j] / s[block->first + k] / s[j];
        }
        if (block->is_bilateral) A[i][i] += C[3 * i];
        for (int k = 0; k < block->dim && !block->is_bilateral; k++)
            A[i][block->first + k] += C[3 * i + k];
    }
}

// two solves with one analysis: the second factors are those of the second matrix
static void check_blend(const forms *f, int form, random_state *r)
{
    double s[N], R[3 * N], C[3 * N], A[N][N], y[N], x[N], *work = NULL;
    int *index = calloc(carom_blend_index(N), sizeof(int));
    work = calloc(carom_blend_work(N), sizeof(double));
    carom_blend blend = {0};
    for (int i = 0; i < N; i++) s[i] = ldexp(1, i % 5 - 2);
    assert_true(carom_blend_open(&blend, &f->problem[form], s, work, index));
    for (int pass = 0; pass < 4; pass++) {
        const bool is_once = pass >= 2, has_R = pass == 1;
        for (int i = 0; i < 3 * N; i++) {
            R[i] = draw(r);
            C[i] = is_once ? 0 : draw(r);
        }
        for (int i = 0; i < N; i++) {
            const carom_block *block = &f->block[block_of_row(f, i)];
            C[3 * i + (block->is_bilateral ? 0 : i - block->first)] = 20 + i;
            y[i] = x[i] = draw(r);
        }
        blend_by_hand(f, s, has_R ? R : NULL, C, A);
        assert_true(is_once ? carom_blend_factor_once(&blend, C)
                            : carom_blend_factor(&blend, has_R ? R : NULL, C));
        carom_blend_solve(&blend, x);
        expect_product(A, x, y);
    }
    memset(C, 0, sizeof C);
    blend_by_hand(f, s, NULL, C, A);
    carom_blend_product(&blend, x, y);
    expect_product(A, x, y);
    carom_blend_close(&blend);
    free(work);
    free(index);
}

static void blends_of_all_forms_are_solved(void **state)
{
    (void)state;
    static forms f;
    random_state r = {15};
    for (int m = 0; m < N_TRY; m++) {
        make_forms(&f, &r, true, m % 4 > 0); // some are indefinite
        for (int form = 0; form < FORMS; form++) check_blend(&f, form, &r);
    }
}

// where the diagonal takes away what the matrix has there is nothing to solve
static void singular_blends_are_refused(void **state)
{
    (void)state;
    static forms f;
    static double work[N * N + 2 * N], C[3 * N], s[N];
    static int index[2 * N];
    random_state r = {16};
    make_forms(&f, &r, false, false); // has rows of zeros
    for (int i = 0; i < N; i++) s[i] = 1;
    for (int form = 0; form < FORMS; form++) {
        carom_blend blend = {0};
        assert_true(carom_blend_open(&blend, &f.problem[form], s, work, index));
        assert_false(carom_blend_factor(&blend, NULL, C));
        assert_false(carom_blend_factor_once(&blend, C));
        carom_blend_close(&blend);
    }
}

static void rows_of_a_symmetric_matrix_are_solved(void **state)
{
    (void)state;
    static forms f;
    random_state r = {21};
    carom_symmetric s = {0};
    assert_true(carom_symmetric_reserve(&s, 1, 1)); // grows
    for (int m = 0; m < 4 * N_TRY; m++) {
        if (m % 4 == 0) make_forms(&f, &r, true, true);
        double A[N][N] = {{0}}, x[N], y[N], d[N];
        int is_in[N];
        if (!carom_symmetric_fill(&s, &f.problem[1 + m % 3])) fail_msg("try %d", m);
        for (int i = 0; i < N; i++) {
            is_in[i] = draw(&r) > -0.4;
            x[i] = y[i] = draw(&r);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = is_in[i] && is_in[j] ? f.G[i][j] : is_in[i] || is_in[j] ? 0 : i == j;
        assert_true(carom_symmetric_solve(&s, is_in, x));
        expect_product(A, x, y);
        for (int i = 0; i < N; i++) assert_true(is_in[i] || x[i] == y[i]);
        carom_symmetric_product(&s, x, y);
        expect_product(f.G, x, y);
        carom_symmetric_diagonal(&s, d);
        for (int i = 0; i < N; i++) assert_true(d[i] == f.G[i][i]);
    }
    // a matrix that is not positive definite, and one that is not symmetric
    int all[N];
    double x[N] = {0};
    for (int i = 0; i < N; i++) all[i] = 1;
    make_forms(&f, &r, true, true);
    for (int i = 0; i < N; i++)
        for (int p = f.row_start[i]; p < f.row_start[i + 1]; p++)
            if (f.row_index[p] == i) f.row_value[p] = 1e-3; // others in the row are 1 or more
    assert_true(carom_symmetric_fill(&s, &f.problem[ROWS]));
    assert_false(carom_symmetric_solve(&s, all, x));
    make_forms(&f, &r, true, true);
    int p = f.row_start[N - 1];
    assert_true(f.row_index[p] < N - 1);
    f.row_value[p] += 1;
    assert_false(carom_symmetric_fill(&s, &f.problem[ROWS]));
    carom_symmetric_free(&s);
}

// F' step = -F, with F' from the rows of the natural map
static void block_steps_are_newton_steps(void **state)
{
    (void)state;
    static forms f;
    static double work[16 * N];
    random_state r = {27};
    carom_block_lu lu = {0};
    for (int m = 0; m < 6 * N_TRY; m++) {
        double A[N][N] = {{0}}, P[N], step[N], y[N];
        if (m % 3 == 0) make_forms(&f, &r, true, true);
        assert_true(carom_natural_work(N) <= sizeof work / sizeof *work);
        carom_natural natural = carom_natural_cut(&f.problem[BLOCKS], work);
        natural.kind = (carom_natural_kind)(m % 3);
        for (int i = 0; i < N; i++) P[i] = draw(&r) > 0.3 ? draw(&r) : fabs(draw(&r));
        carom_natural_at(&natural, P);
        for (int i = 0; i < N; i++) {
            const carom_natural_row *row = &natural.row[i];
            y[i] = -natural.F[i];
            if (row->is_identity) A[i][i] = 1;
            for (int k = 0; k < row->dim && !row->is_identity; k++) {
                A[i][row->first + k] += row->own[k];
                for (int j = 0; j < N; j++) A[i][j] += row->rate[k] * f.G[row->first + k][j];
            }
        }
        if (!carom_block_lu_step(&lu, &natural, step)) fail_msg("try %d is refused", m);
        expect_product(A, step, y);
    }
    carom_block_lu_free(&lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_of_all_forms_are_solved),
        cmocka_unit_test(singular_blends_are_refused),
        cmocka_unit_test(rows_of_a_symmetric_matrix_are_solved),
        cmocka_unit_test(block_steps_are_newton_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
