// SPDX-License-Identifier: Apache-2.0
// Memory that is taken piece by piece and given back all at once.
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void pieces_are_zero_aligned_and_apart(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    unsigned char *piece[400];
    for (int i = 0; i < 400; i++) {
        // sizes from nothing to more than a chunk
        const size_t size = (size_t)(i * i % 9001);
        piece[i] = carom_arena_take(arena, size);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(piece[i][k], 0);
        memset(piece[i], i % 251 + 1, size);
    }
    for (int i = 0; i < 400; i++)
        for (size_t k = 0; k < (size_t)(i * i % 9001); k++)
            assert_int_equal(piece[i][k], i % 251 + 1);
    carom_arena_free(arena);
}

static void impossible_sizes_give_null_and_leave_the_arena_usable(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    assert_null(carom_arena_take(arena, SIZE_MAX));
    assert_non_null(CAROM_TAKE(arena, double, 3));
    assert_non_null(CAROM_TAKE(arena, double, 0));
    assert_non_null(CAROM_TAKE(arena, double, -5));
    carom_arena_free(arena);
    carom_arena_free(NULL);
}

static void texts_are_copied_and_formatted(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    char text[] = "slider";
    char *part = carom_arena_copy(arena, text, 3), *whole = carom_arena_string(arena, text);
    text[0] = 'g';
    assert_string_equal(part, "sli");
    assert_string_equal(whole, "slider");
    assert_null(carom_arena_string(arena, NULL));
    assert_null(carom_arena_copy(arena, NULL, 4));
    assert_string_equal(carom_arena_format(arena, "%s[%d]", "x", 12), "x[12]");
    // longer than the first chunk
    char *wide = carom_arena_format(arena, "%9000d|", 7);
    assert_int_equal(strlen(wide), 9001);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zero_aligned_and_apart),
        cmocka_unit_test(impossible_sizes_give_null_and_leave_the_arena_usable),
        cmocka_unit_test(texts_are_copied_and_formatted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
