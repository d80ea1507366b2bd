// SPDX-License-Identifier: Apache-2.0
// The tree of boxes finds what a look at all boxes finds, each once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/bvh.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static carom_box draw_box(int dim, double extent)
{
    carom_box box = {{0}, {0}};
    for (int k = 0; k < dim; k++) {
        box.lower[k] = draw() < 0.1 ? 0.5 : draw(); // some are aligned
        box.upper[k] = box.lower[k] + extent * draw();
    }
    return box;
}

static void count(void *context, int number)
{
    ((int *)context)[number]++;
}

static void finds_what_a_look_at_all_finds(void **state)
{
    (void)state;
    enum { MOST = 700 };
    static carom_box box[MOST];
    static int found[MOST];
    static const int sizes[] = {0, 1, 2, 4, 5, 9, 100, MOST};
    for (int s = 0; s < 16; s++) {
        const int n = sizes[s / 2], dim = 2 + s % 2;
        for (int i = 0; i < n; i++) box[i] = i % 7 == 3 ? box[i - 1] : draw_box(dim, 0.2);
        carom_arena *arena = carom_arena_new();
        const carom_bvh *bvh = carom_bvh_new(arena, box, n);
        int total = 0;
        for (int ask = 0; ask < 300; ask++) {
            const carom_box one = draw_box(dim, ask % 3 ? 0.1 : 0);
            memset(found, 0, sizeof found);
            carom_bvh_visit(bvh, &one, count, found);
            for (int i = 0; i < n; i++)
                assert_int_equal(found[i], carom_box_overlaps(box + i, &one));
            for (int i = 0; i < n; i++) total += found[i];
        }
        if (n > 4) assert_true(total > 0);
        carom_arena_free(arena);
    }
}

static void the_box_around_all_is_the_smallest(void **state)
{
    (void)state;
    const carom_box box[2] = {{{0, 1, 0}, {2, 3, 0}}, {{-1, 2, 0}, {0, 5, 0}}};
    carom_arena *arena = carom_arena_new();
    const carom_box all = carom_bvh_all(carom_bvh_new(arena, box, 2));
    assert_true(all.lower[0] == -1 && all.lower[1] == 1 && all.upper[0] == 2 && all.upper[1] == 5);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_look_at_all_finds),
        cmocka_unit_test(the_box_around_all_is_the_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
