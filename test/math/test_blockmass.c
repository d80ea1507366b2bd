// SPDX-License-Identifier: Apache-2.0
// Block-structured mass matrices against naive dense elimination on random patterns.
#include "math/blockmass.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef struct sample {
    int n;
    double *full; // by rows (n*n)
    int *start, *index;
    carom_arena *arena;
    carom_mass *mass;
} sample;

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// couples i and j; the diagonal is set afterwards, so that rows stay dominant: condition number at
// most ~ 3
static void couple(sample *s, int i, int j, double value)
{
    s->full[i * s->n + j] = value;
    s->full[j * s->n + i] = value;
}

static void copy_values(sample *s)
{
    double *value = carom_mass_values(s->mass);
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            value[k] = s->full[i * s->n + s->index[k]];
}

static void finish(sample *s)
{
    int used = 0;
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++) sum += j == i ? 0 : fabs(s->full[i * s->n + j]);
        s->full[i * s->n + i] = 2 * sum + 0.1 * (1 + i % 7);
        for (int j = 0; j < s->n; j++)
            if (s->full[i * s->n + j] != 0) s->index[used++] = j;
        s->start[i + 1] = used;
    }
    s->mass = carom_mass_new(s->arena, s->n, s->start, s->index);
    assert_non_null(s->mass);
    copy_values(s);
}

static sample start_sample(int n)
{
    const size_t size = (size_t)n;
    sample s = {.n = n, .arena = carom_arena_new()};
    s.full = calloc(size * size, sizeof(double));
    s.start = calloc(size + 1, sizeof(int));
    s.index = calloc(size * size, sizeof(int));
    assert_true(s.full && s.start && s.index && s.arena);
    return s;
}

static void drop(sample *s)
{
    carom_arena_free(s->arena);
    free(s->full);
    free(s->start);
    free(s->index);
}

// largest |M x - b| over max |b|; rows are dominant, so that a backward stable solve
// leaves about n roundings
static double solve_residual(const sample *s, uint64_t *seed)
{
    double *b = malloc(sizeof(double) * (size_t)s->n), *x = malloc(sizeof(double) * (size_t)s->n);
    assert_true(b && x);
    for (int i = 0; i < s->n; i++) x[i] = b[i] = random_number(seed);
    carom_mass_solve(s->mass, x);
    double worst = 0;
    for (int i = 0; i < s->n; i++) {
        double r = -b[i];
        for (int j = 0; j < s->n; j++) r += s->full[i * s->n + j] * x[j];
        worst = fmax(worst, fabs(r) / 0.5);
    }
    free(b);
    free(x);
    return worst;
}

static void couple_at_random(sample *s, int n_pair, uint64_t *seed)
{
    for (int k = 0; k < n_pair; k++) {
        const int i = (int)((random_number(seed) + 0.5) * s->n),
                  j = (int)((random_number(seed) + 0.5) * s->n);
        if (i != j) couple(s, i, j, random_number(seed));
    }
}

static void solution_satisfies_the_equations_on_random_patterns(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        const int n = 1 + round % 90;
        sample s = start_sample(n);
        couple_at_random(&s, (round * 7) % (2 * n), &seed);
        finish(&s);
        assert_int_equal(carom_mass_factor(s.mass), -1);
        assert_true(solve_residual(&s, &seed) < 16 * n * DBL_EPSILON);
        drop(&s);
    }
}

static void full_blocks_of_every_size_are_solved(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n <= 80; n++) {
        sample s = start_sample(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) couple(&s, i, j, random_number(&seed));
        finish(&s);
        assert_int_equal(carom_mass_factor(s.mass), -1);
        assert_true(solve_residual(&s, &seed) < 16 * n * DBL_EPSILON);
        drop(&s);
    }
}

static void blocks_are_the_connected_parts(void **state)
{
    (void)state;
    sample s = start_sample(9);
    couple(&s, 0, 4, 1);
    couple(&s, 4, 8, 1);
    couple(&s, 2, 3, 1);
    finish(&s);
    const int *member;
    assert_int_equal(carom_mass_n_entry(s.mass), 9 + 2 * 3);
    assert_int_equal(carom_mass_block_of(s.mass, 8, &member), 3);
    assert_int_equal(member[0], 0);
    assert_int_equal(member[1], 4);
    assert_int_equal(member[2], 8);
    assert_int_equal(carom_mass_block_of(s.mass, 2, &member), 2);
    assert_int_equal(member[1], 3);
    assert_int_equal(carom_mass_block_of(s.mass, 7, &member), 1);
    assert_int_equal(member[0], 7);
    drop(&s);
}

static void product_and_entries_are_those_of_the_full_matrix(void **state)
{
    (void)state;
    uint64_t seed = 3;
    sample s = start_sample(12);
    couple_at_random(&s, 15, &seed);
    finish(&s);
    double x[12], y[12];
    for (int i = 0; i < 12; i++) x[i] = random_number(&seed);
    carom_mass_times(s.mass, x, y);
    for (int i = 0; i < 12; i++) {
        double sum = 0, size = 0;
        for (int j = 0; j < 12; j++) {
            assert_true(carom_mass_entry(s.mass, i, j) == s.full[i * 12 + j]);
            sum += s.full[i * 12 + j] * x[j];
            size += fabs(s.full[i * 12 + j] * x[j]);
        }
        assert_true(fabs(sum - y[i]) <= 12 * DBL_EPSILON * size);
    }
    drop(&s);
}

static void sparse_solve_touches_only_its_blocks_and_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int round = 0; round < 50; round++) {
        enum { N = 40 };
        sample s = start_sample(N);
        couple_at_random(&s, 25, &seed);
        finish(&s);
        assert_int_equal(carom_mass_factor(s.mass), -1);
        const int index[3] = {round % N, (3 * round + 1) % N, round % N};
        const double value[3] = {1.5, -2, 0.25};
        double x[N] = {0}, y[N] = {0};
        int touched[N], is_touched[N] = {0};
        const int n = carom_mass_solve_sparse(s.mass, 3, index, value, x, touched);
        for (int k = 0; k < 3; k++) y[index[k]] += value[k];
        carom_mass_solve(s.mass, y);
        for (int i = 0; i < n; i++) is_touched[touched[i]]++;
        for (int i = 0; i < N; i++) {
            assert_true(x[i] == y[i]);
            assert_true(is_touched[i] == 1 || (is_touched[i] == 0 && x[i] == 0));
        }
        drop(&s);
    }
}

// sizes that reach the closed forms, small and blocked loops and the sparse factorisation
static const int sizes[] = {1, 2, 3, 7, 40, 300};

// a chain 0-1-2-...: one block, sparse when long
static sample chain(int n)
{
    sample s = start_sample(n);
    for (int i = 1; i < n; i++) couple(&s, i - 1, i, -1);
    finish(&s);
    return s;
}

static void row_without_mass_is_named(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        for (int bad = 0; bad < n; bad += 1 + n / 5) {
            sample s = chain(n);
            assert_int_equal(carom_mass_factor(s.mass), -1);
            // cut the row off, so that the blame cannot fall on a neighbour
            for (int j = 0; j < n; j++) s.full[bad * n + j] = s.full[j * n + bad] = 0;
            copy_values(&s);
            assert_int_equal(carom_mass_factor(s.mass), bad);
            s.full[bad * n + bad] = -1;
            copy_values(&s);
            assert_int_equal(carom_mass_factor(s.mass), bad);
            s.full[bad * n + bad] = NAN;
            copy_values(&s);
            assert_int_equal(carom_mass_factor(s.mass), bad);
            s.full[bad * n + bad] = 1;
            copy_values(&s);
            assert_int_equal(carom_mass_factor(s.mass), -1);
            drop(&s);
        }
    }
}

static void singular_block_is_refused_although_rounding_leaves_a_pivot(void **state)
{
    (void)state;
    // M = v v' has rank one; 0.1 and 0.3 are not exact, so the second pivot is a rounding, of
    // either sign
    const double v[3] = {0.1, 0.3, 0.7};
    const int start[] = {0, 3, 6, 9}, index[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    carom_arena *arena = carom_arena_new();
    carom_mass *mass = carom_mass_new(arena, 3, start, index);
    for (int i = 0; i < 9; i++) carom_mass_values(mass)[i] = v[i / 3] * v[i % 3];
    assert_int_equal(carom_mass_factor(mass), 1);
    carom_arena_free(arena);
}

static void values_may_live_elsewhere(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    double value[] = {2, 1, 1, 2}, x[] = {3, 3};
    carom_arena *arena = carom_arena_new();
    carom_mass *mass = carom_mass_new(arena, 2, start, index);
    carom_mass_use_values(mass, value);
    assert_int_equal(carom_mass_factor(mass), -1);
    carom_mass_solve(mass, x);
    assert_true(fabs(x[0] - 1) < 4 * DBL_EPSILON && fabs(x[1] - 1) < 4 * DBL_EPSILON);
    carom_arena_free(arena);
}

static carom_mass *long_chain(carom_arena *arena, int n)
{
    int *start = calloc((size_t)n + 1, sizeof(int)), *index = calloc(3 * (size_t)n, sizeof(int));
    assert_true(start && index);
    int used = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n) index[used++] = j;
        start[i + 1] = used;
    }
    carom_mass *mass = carom_mass_new(arena, n, start, index);
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            carom_mass_values(mass)[k] = index[k] == i ? 4 : 1;
    free(start);
    free(index);
    return mass;
}

// the least of some tries, per row [s]
static double factor_time(int n)
{
    carom_arena *arena = carom_arena_new();
    carom_mass *mass = long_chain(arena, n);
    double best = INFINITY;
    for (int k = 0; k < 20; k++) {
        const clock_t from = clock();
        for (int i = 0; i < 64000 / n; i++) assert_int_equal(carom_mass_factor(mass), -1);
        best = fmin(best, (double)(clock() - from) / CLOCKS_PER_SEC / 64000);
    }
    carom_arena_free(arena);
    return best;
}

static void time_of_a_chain_grows_with_its_length_only(void **state)
{
    (void)state;
    // dense work would make the longer one 64 times slower per row; caches may cost a little
    assert_true(factor_time(8000) < 8 * factor_time(1000));
}

static void empty_matrix_is_allowed(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    carom_mass *mass = carom_mass_new(arena, 0, (const int[]){0}, NULL);
    assert_non_null(mass);
    assert_int_equal(carom_mass_factor(mass), -1);
    carom_mass_solve(mass, NULL);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_satisfies_the_equations_on_random_patterns),
        cmocka_unit_test(full_blocks_of_every_size_are_solved),
        cmocka_unit_test(blocks_are_the_connected_parts),
        cmocka_unit_test(product_and_entries_are_those_of_the_full_matrix),
        cmocka_unit_test(sparse_solve_touches_only_its_blocks_and_gives_the_same_bits),
        cmocka_unit_test(row_without_mass_is_named),
        cmocka_unit_test(singular_block_is_refused_although_rounding_leaves_a_pivot),
        cmocka_unit_test(values_may_live_elsewhere),
        cmocka_unit_test(time_of_a_chain_grows_with_its_length_only),
        cmocka_unit_test(empty_matrix_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
