// SPDX-License-Identifier: Apache-2.0
// The broad phase finds all pairs that a look at all pairs finds, in order, and a scene that was
// met once takes no memory when it is met again: this test counts allocations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "count_allocations.h"
#include "shapes/broad.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 600 };

static uint64_t seed = 7;

static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

typedef enum scene_kind {
    ALIKE,     // spheres of like size, close together
    SPREAD,    // sizes over ten powers of two
    ALIGNED,   // cubes side by side: ends touch
    FAR,       // some fly off, to 1e300
    TINY_DUST, // a few large ones in dust of no size
    N_SCENE
} scene_kind;

/// The middle and the side of one box.
static double draw_middle(scene_kind kind, int i)
{
    if (kind == ALIGNED) return floor(8 * draw());
    if (kind == FAR && i % 50 == 7) return pow(10, 300 * draw());
    return (kind == SPREAD ? 40 : 10) * draw();
}

static double draw_side(scene_kind kind, int i)
{
    if (kind == ALIGNED) return 1;
    if (kind == SPREAD) return pow(2, 10 * draw() - 6);
    if (kind == TINY_DUST) return i % 100 == 3 ? 4 : i % 3 ? 0 : 1e-12;
    return 1 + 0.5 * draw();
}

static void draw_scene(scene_kind kind, int dim, double scale, int n, carom_box *box)
{
    for (int i = 0; i < n; i++) {
        memset(box + i, 0, sizeof *box);
        for (int k = 0; k < dim; k++) {
            const double middle = draw_middle(kind, i), side = draw_side(kind, i);
            box[i].lower[k] = scale * (middle - 0.5 * side);
            box[i].upper[k] = scale * (middle + 0.5 * side);
        }
        if (i % 97 == 5) box[i].lower[i % dim] = -INFINITY; // half planes and the like
        if (i % 97 == 6)
            for (int k = 0; k < dim; k++) box[i].upper[k] = -(box[i].lower[k] = -INFINITY);
        if (i % 211 == 8) box[i].lower[0] = NAN;
    }
}

/// Compares with all pairs; returns how many.
static int check(carom_broad *broad, const carom_box *box, const int *group, int n)
{
    const carom_near_pair *pair = NULL;
    const int n_pair = carom_broad_find(broad, box, group, n, &pair);
    int p = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (!carom_box_overlaps(box + i, box + j) || (group && group[i] == group[j])) continue;
            assert_true(p < n_pair);
            assert_int_equal(pair[p].i, i);
            assert_int_equal(pair[p].j, j);
            p++;
        }
    assert_int_equal(p, n_pair);
    return n_pair;
}

static void finds_what_a_look_at_all_pairs_finds(void **state)
{
    (void)state;
    static carom_box box[MOST];
    int group[MOST];
    static const int sizes[] = {0, 1, 2, 9, 60, MOST};
    carom_broad *broad = carom_broad_new();
    for (int i = 0; i < MOST; i++) group[i] = i / 5;
    for (int kind = 0; kind < N_SCENE; kind++)
        for (int s = 0; s < 24; s++) {
            const int n = sizes[s % 6], dim = 2 + s / 6 % 2;
            draw_scene((scene_kind)kind, dim, s < 12 ? 1 : pow(10, 12 * draw() - 6), n, box);
            const int n_pair = check(broad, box, s % 4 ? NULL : group, n);
            assert_true(n < MOST || n_pair > 100);
        }
    carom_broad_free(broad);
}

static void a_scene_met_again_takes_no_memory(void **state)
{
    (void)state;
    static carom_box box[MOST];
    carom_broad *broad = carom_broad_new();
    draw_scene(SPREAD, 3, 1, MOST, box);
    const int n_pair = check(broad, box, NULL, MOST);
    const long before = n_allocation;
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 3; k++) box[i].upper[k] += 1e-9;
    assert_int_equal(check(broad, box, NULL, MOST), n_pair);
    assert_int_equal(n_allocation, before);
    assert_true(before > 0);
    carom_broad_free(broad);
}

// that one box overlaps all others must not make sorting quadratic, nor must dust in one place
static void one_that_overlaps_all_is_as_quick(void **state)
{
    (void)state;
    enum { N = 200000 };
    carom_broad *broad = carom_broad_new();
    carom_box *box = test_calloc(N, sizeof *box);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            box[i].lower[k] = i ? 60 * draw() : 0;
            box[i].upper[k] = i ? box[i].lower[k] : 60;
        }
    const carom_near_pair *pair;
    assert_int_equal(carom_broad_find(broad, box, NULL, N, &pair), N - 1);
    for (int i = 0; i + 1 < N; i++) assert_true(pair[i].i == 0 && pair[i].j == i + 1);
    test_free(box);
    carom_broad_free(broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_look_at_all_pairs_finds),
        cmocka_unit_test(a_scene_met_again_takes_no_memory),
        cmocka_unit_test(one_that_overlaps_all_is_as_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
