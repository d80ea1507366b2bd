// SPDX-License-Identifier: Apache-2.0
// Samples: known answers of the random numbers, strata of the designs, and what each sample depends
// on.
#include "studies/samples.h"
#include "studies/study_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// the first line of the vectors that come with the paper, and one with all bits set
static void philox_gives_the_known_answers(void **state)
{
    (void)state;
    static const uint32_t zero[4] = {0}, ones[4] = {~0u, ~0u, ~0u, ~0u};
    static const uint32_t of_zero[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t of_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t out[4];
    carom_philox(zero, zero, out);
    assert_memory_equal(out, of_zero, sizeof out);
    carom_philox(ones, ones, out);
    assert_memory_equal(out, of_ones, sizeof out);
}

static carom_scan_design make(carom_arena *arena, carom_sampling sampling, long n, int n_axis,
                              unsigned long long seed)
{
    carom_error error = {0};
    carom_scan_design design = {.sampling = sampling, .n = n, .n_axis = n_axis, .seed = seed};
    assert_int_equal(carom_samples_prepare(arena, &design, &error), CAROM_OK);
    return design;
}

// each of n intervals of each axis holds one of the first n points
static void expect_one_in_each(const carom_scan_design *design, long n)
{
    unsigned char *seen = malloc((size_t)n);
    for (int k = 0; k < design->n_axis; k++) {
        memset(seen, 0, (size_t)n);
        for (long i = 0; i < n; i++) {
            const double x = carom_sample(design, i, k);
            assert_true(x >= 0 && x < 1);
            seen[(long)(x * (double)n)]++;
        }
        for (long i = 0; i < n; i++) assert_int_equal(seen[i], 1);
    }
    free(seen);
}

static void latin_samples_meet_every_interval(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    const carom_scan_design design = make(arena, CAROM_SAMPLE_LATIN, 97, 5, 3);
    expect_one_in_each(&design, 97);
    const carom_scan_design other = make(arena, CAROM_SAMPLE_LATIN, 97, 5, 4);
    assert_true(carom_sample(&design, 0, 0) != carom_sample(&other, 0, 0));
    carom_arena_free(arena);
}

static void sobol_points_meet_every_interval(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    const carom_scan_design design = make(arena, CAROM_SAMPLE_SOBOL, 1 << 10, CAROM_SCAN_AXES, 1);
    for (long n = 2; n <= 1 << 10; n *= 2) expect_one_in_each(&design, n);
    // and of the first two axes every box of 2^-a by 2^-b with a + b = 6
    for (int a = 0; a <= 6; a++) {
        unsigned char seen[64] = {0};
        for (long i = 0; i < 64; i++) {
            const int x = (int)(carom_sample(&design, i, 0) * (1 << a));
            const int y = (int)(carom_sample(&design, i, 1) * (1 << (6 - a)));
            seen[(x << (6 - a)) + y]++;
        }
        for (int i = 0; i < 64; i++) assert_int_equal(seen[i], 1);
    }
    carom_arena_free(arena);
}

// more samples leave those that there were as they are; their mean and correlation are as they must
static void random_samples_do_not_depend_on_their_number(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    const carom_scan_design few = make(arena, CAROM_SAMPLE_RANDOM, 10, 2, 7),
                            many = make(arena, CAROM_SAMPLE_RANDOM, 20000, 2, 7),
                            other = make(arena, CAROM_SAMPLE_RANDOM, 10, 2, 8);
    double sum[2] = {0}, product = 0;
    for (long i = 0; i < 10; i++)
        for (int k = 0; k < 2; k++) {
            assert_true(carom_sample(&few, i, k) == carom_sample(&many, i, k));
            assert_true(carom_sample(&few, i, k) != carom_sample(&other, i, k));
        }
    for (long i = 0; i < many.n; i++) {
        const double x = carom_sample(&many, i, 0) - 0.5, y = carom_sample(&many, i, 1) - 0.5;
        sum[0] += x;
        sum[1] += y;
        product += x * y;
    }
    const double n = (double)many.n; // standard deviations: 0.289/sqrt(n) and 0.083/sqrt(n)
    for (int k = 0; k < 2; k++) assert_true(sum[k] / n < 0.008 && sum[k] / n > -0.008);
    assert_true(product / n < 0.0024 && product / n > -0.0024);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(latin_samples_meet_every_interval),
        cmocka_unit_test(sobol_points_meet_every_interval),
        cmocka_unit_test(random_samples_do_not_depend_on_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
