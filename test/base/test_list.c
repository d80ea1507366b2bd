// SPDX-License-Identifier: Apache-2.0
// Lists that grow in an arena.
#include "base/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct pair {
    int a;
    double b;
} pair;

static void items_keep_their_values_while_the_list_grows(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    CAROM_LIST(pair) list = {0};
    for (int i = 0; i < 1000; i++) {
        pair *added = CAROM_LIST_ADD(arena, &list);
        assert_non_null(added);
        assert_true(added->a == 0 && added->b == 0);
        *added = (pair){i, 0.5 * i};
        assert_ptr_equal(added, &list.item[i]);
    }
    assert_int_equal(list.n, 1000);
    for (int i = 0; i < 1000; i++) assert_true(list.item[i].a == i && list.item[i].b == 0.5 * i);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_values_while_the_list_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
