// SPDX-License-Identifier: Apache-2.0
// Narrow bands against the equations themselves: all widths that have loops of their own and some
// that have not, in shuffled orders, symmetric or not, whole or in parts.
#include "math/band/band_order.h"
#include "math/band/narrow.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 160, ENTRIES = MOST * 41 };

typedef struct matrix {
    int n, start[MOST + 1], index[ENTRIES];
    double value[ENTRIES];
} matrix;

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

static void shuffle(int n, int *order, uint64_t *seed)
{
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int k = (int)((random_number(seed) + 0.5) * (i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

// entry of the ordered matrix: symmetric and dominant, or with a small diagonal and large others
static double entry_of(int row, int column, bool is_symmetric)
{
    const int low = row < column ? row : column, high = row + column - low;
    const int i = is_symmetric ? low : row, j = is_symmetric ? high : column;
    const double mixed = sin(12.9898 * i + 78.233 * j + 1) * 43758.5453;
    return mixed - floor(mixed) - 0.5 + (is_symmetric && row == column ? 40 : 0);
}

// a band of this width in parts of so many rows, by columns, in the order given
static void fill(matrix *m, int n, int width, int part, const int *order, bool is_symmetric)
{
    int place[MOST], used = 0;
    for (int i = 0; i < n; i++) place[order[i]] = i;
    m->n = n;
    for (int j = 0; j < n; j++) {
        m->start[j] = used;
        for (int i = 0; i < n; i++) {
            const int row = place[i], column = place[j];
            if (abs(row - column) > width || row / part != column / part) continue;
            m->index[used] = i;
            m->value[used++] = entry_of(row, column, is_symmetric);
        }
    }
    m->start[n] = used;
}

// largest row of |A x - b| over |A| |x| + |b|
static double residual(const matrix *m, const double *x, const double *b)
{
    double rest[MOST], size[MOST], worst = 0;
    for (int i = 0; i < m->n; i++) {
        rest[i] = -b[i];
        size[i] = fabs(b[i]);
    }
    for (int j = 0; j < m->n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            rest[m->index[k]] += m->value[k] * x[j];
            size[m->index[k]] += fabs(m->value[k] * x[j]);
        }
    for (int i = 0; i < m->n; i++) worst = fmax(worst, fabs(rest[i]) / size[i]);
    return worst;
}

static carom_narrow *analyse(carom_arena *arena, const matrix *m)
{
    carom_narrow *band = carom_narrow_new(arena, m->n, m->start, m->index, false);
    assert_non_null(band);
    return band;
}

static void check_solution(const carom_narrow *band, const matrix *m, double most, uint64_t *seed)
{
    double x[MOST], b[MOST];
    for (int i = 0; i < m->n; i++) x[i] = b[i] = random_number(seed);
    carom_narrow_solve(band, x);
    assert_true(residual(m, x, b) <= most);
}

static const int widths[] = {1, 2, 3, 4, 5, 7, 11, 20};
static const int sizes[] = {1, 2, 3, 4, 5, 12, 13, 61, MOST};

static void check_all(bool is_symmetric, double most)
{
    uint64_t seed = 3;
    static matrix m;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int part = 7; part <= 1000; part *= 12) {
                carom_arena *arena = carom_arena_new();
                int order[MOST];
                const int n = sizes[s], width = widths[w];
                shuffle(n, order, &seed);
                fill(&m, n, width, part, order, is_symmetric);
                carom_narrow *band = analyse(arena, &m);
                assert_true(carom_narrow_width(band) <= 2 * width);
                assert_int_equal(carom_narrow_factor(band, m.value), -1);
                if (n > 1) assert_int_equal(carom_narrow_is_symmetric(band), is_symmetric);
                check_solution(band, &m, most, &seed);
                carom_arena_free(arena);
            }
}

static void symmetric_bands_of_all_widths_solve_their_equations(void **state)
{
    (void)state;
    check_all(true, 64 * DBL_EPSILON);
}

// small diagonals: rows must be exchanged
static void general_bands_of_all_widths_solve_their_equations(void **state)
{
    (void)state;
    check_all(false, 1e-11);
}

// an order that is a band is kept; a shuffled chain is found again
static void the_order_of_a_chain_is_found(void **state)
{
    (void)state;
    static matrix m;
    uint64_t seed = 9;
    int order[MOST], place[MOST];
    for (int i = 0; i < MOST; i++) order[i] = i;
    fill(&m, MOST, 1, MOST, order, true);
    assert_int_equal(carom_band_order(MOST, m.start, m.index, 64, place), 1);
    for (int i = 0; i < MOST; i++) assert_int_equal(place[i], i);
    shuffle(MOST, order, &seed);
    fill(&m, MOST, 1, MOST, order, true);
    assert_int_equal(carom_band_order(MOST, m.start, m.index, 64, place), 1);
    // a ring is a band of 2
    for (int k = 0; k < 2; k++) {
        const int from = order[k ? 0 : MOST - 1], to = order[k ? MOST - 1 : 0];
        for (int e = m.start[MOST]; e > m.start[from + 1]; e--) m.index[e] = m.index[e - 1];
        m.index[m.start[from + 1]] = to;
        for (int j = from + 1; j <= MOST; j++) m.start[j]++;
    }
    assert_int_equal(carom_band_order(MOST, m.start, m.index, 64, place), 2);
}

// one unknown that all others depend on, and a square grid of many unknowns, are no bands
static void what_is_not_narrow_is_refused(void **state)
{
    (void)state;
    enum { SIDE = 150, N = SIDE * SIDE };
    carom_arena *arena = carom_arena_new();
    static matrix m;
    int used = 0;
    for (int j = 0; j < MOST; j++) {
        m.start[j] = used;
        for (int i = 0; i < MOST; i++)
            if (i == j || i == 0 || j == 0) m.index[used++] = i;
    }
    m.start[MOST] = used;
    assert_null(carom_narrow_new(arena, MOST, m.start, m.index, false));
    int *start = calloc(N + 1, sizeof *start), *index = calloc(5 * N, sizeof *index);
    used = 0;
    for (int j = 0; j < N; j++) {
        const int near[] = {j - SIDE, j % SIDE ? j - 1 : -1, j, j % SIDE < SIDE - 1 ? j + 1 : -1,
                            j + SIDE};
        for (int k = 0; k < 5; k++)
            if (near[k] >= 0 && near[k] < N) index[used++] = near[k];
        start[j + 1] = used;
    }
    assert_null(carom_narrow_new(arena, N, start, index, false));
    free(start);
    free(index);
    carom_arena_free(arena);
}

// two entries that differ by rounding are one number; two that differ by more are not
static void rounding_does_not_make_a_matrix_general(void **state)
{
    (void)state;
    static matrix m;
    int order[MOST];
    uint64_t seed = 4;
    carom_arena *arena = carom_arena_new();
    for (int i = 0; i < MOST; i++) order[i] = i;
    fill(&m, MOST, 2, MOST, order, true);
    carom_narrow *band = analyse(arena, &m);
    m.value[1] *= 1 + 2 * DBL_EPSILON;
    assert_int_equal(carom_narrow_factor(band, m.value), -1);
    assert_true(carom_narrow_is_symmetric(band));
    m.value[1] *= 1.001;
    assert_int_equal(carom_narrow_factor(band, m.value), -1);
    assert_false(carom_narrow_is_symmetric(band));
    check_solution(band, &m, 64 * DBL_EPSILON, &seed);
    carom_arena_free(arena);
}

// symmetric and indefinite: rows must be exchanged; singular: the unknown is named
static void pivots_that_cannot_be_used_are_noticed(void **state)
{
    (void)state;
    static matrix m;
    int order[MOST];
    uint64_t seed = 12;
    carom_arena *arena = carom_arena_new();
    shuffle(MOST, order, &seed);
    fill(&m, MOST, 1, MOST, order, true);
    carom_narrow *band = analyse(arena, &m);
    for (int j = 0; j < MOST; j++)
        for (int k = m.start[j]; k < m.start[j + 1]; k++)
            m.value[k] = m.index[k] == j ? 0 : 1; // its inverse has entries of size 1
    assert_int_equal(carom_narrow_factor_symmetric(band, m.value) >= 0, true);
    assert_int_equal(carom_narrow_factor(band, m.value), -1);
    assert_false(carom_narrow_is_symmetric(band));
    check_solution(band, &m, 1e-13, &seed);
    const int alone = order[50];
    for (int j = 0; j < MOST; j++)
        for (int k = m.start[j]; k < m.start[j + 1]; k++)
            m.value[k] = j == alone || m.index[k] == alone ? 0 : m.index[k] == j ? 2 : -0.5;
    assert_int_equal(carom_narrow_factor(band, m.value), alone);
    m.value[m.start[alone]] = NAN;
    assert_true(carom_narrow_factor(band, m.value) >= 0);
    carom_arena_free(arena);
}

// few entries on the right side: the parts that they belong to, and nothing else
static void a_sparse_right_side_touches_its_parts_only(void **state)
{
    (void)state;
    enum { N = 60, PART = 20 };
    static matrix m;
    uint64_t seed = 21;
    for (int round = 0; round < 2; round++) {
        carom_arena *arena = carom_arena_new();
        int order[MOST], touched[N];
        double x[N] = {0}, whole[N] = {0};
        shuffle(N, order, &seed);
        fill(&m, N, 3, PART, order, round == 0);
        carom_narrow *band = analyse(arena, &m);
        assert_int_equal(carom_narrow_factor(band, m.value), -1);
        const int index[] = {order[3], order[8], order[45], order[3]};
        const double value[] = {1, -2, 0.5, 0.25};
        const int n = carom_narrow_reach(band, 4, index, value, x, touched);
        assert_int_equal(n, 2 * PART);
        for (int k = 0; k < 4; k++) whole[index[k]] += value[k];
        carom_narrow_solve(band, whole);
        for (int i = 0; i < N; i++) assert_true(x[i] == whole[i]);
        for (int i = PART; i < 2 * PART; i++) assert_true(x[order[i]] == 0);
        carom_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_bands_of_all_widths_solve_their_equations),
        cmocka_unit_test(general_bands_of_all_widths_solve_their_equations),
        cmocka_unit_test(the_order_of_a_chain_is_found),
        cmocka_unit_test(what_is_not_narrow_is_refused),
        cmocka_unit_test(rounding_does_not_make_a_matrix_general),
        cmocka_unit_test(pivots_that_cannot_be_used_are_noticed),
        cmocka_unit_test(a_sparse_right_side_touches_its_parts_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
