// SPDX-License-Identifier: Apache-2.0
// Solutions that are kept for right sides that come again, and columns that are found together.
#include "math/sparse/colouring.h"
#include "math/sparse/recall.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 50 };

static void what_is_asked_for_twice_is_kept(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    carom_recall *recall = carom_recall_new(arena, N);
    const int index[] = {3, 7}, other[] = {3, 8};
    const double value[] = {1, -2}, changed[] = {1, -2.5};
    double x[N];
    for (int i = 0; i < N; i++) x[i] = i;
    assert_null(carom_recall_find(recall, 2, index, value));
    carom_recall_keep(recall, 2, index, value, x); // noted
    assert_null(carom_recall_find(recall, 2, index, value));
    carom_recall_keep(recall, 2, index, value, x); // kept
    const double *known = carom_recall_find(recall, 2, index, value);
    assert_non_null(known);
    assert_memory_equal(known, x, sizeof x);
    assert_null(carom_recall_find(recall, 2, other, value));
    assert_null(carom_recall_find(recall, 2, index, changed));
    assert_null(carom_recall_find(recall, 1, index, value));
    carom_recall_forget(recall);
    assert_null(carom_recall_find(recall, 2, index, value));
    carom_arena_free(arena);
}

// more right sides than there is room for: the first ones stay; none at all without memory
static void a_full_memory_keeps_what_it_has(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    carom_recall *recall = carom_recall_new(arena, N);
    const double value = 1;
    double x[N] = {0};
    int n_known = 0, many[40];
    double values[40] = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < N; i++) carom_recall_keep(recall, 1, &i, &value, x);
    for (int i = 0; i < N; i++) n_known += carom_recall_find(recall, 1, &i, &value) != NULL;
    assert_true(n_known > 0 && n_known < N);
    for (int i = 0; i < 40; i++) many[i] = i;
    carom_recall_forget(recall);
    for (int round = 0; round < 2; round++) carom_recall_keep(recall, 40, many, values, x);
    assert_null(carom_recall_find(recall, 40, many, values));
    carom_recall_forget(NULL);
    carom_recall_keep(NULL, 1, many, values, x);
    assert_null(carom_recall_find(NULL, 1, many, values));
    carom_arena_free(arena);
}

// no row has two columns of one colour; a chain needs three, an arrow as many as it has columns
static void rows_see_each_colour_once(void **state)
{
    (void)state;
    int start[N + 1], index[3 * N], colour[N], used = 0;
    for (int i = 0; i < N; i++) {
        start[i] = used;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) index[used++] = j;
    }
    start[N] = used;
    assert_int_equal(carom_pattern_colour(N, N, start, index, colour), 3);
    for (int i = 0; i < N; i++)
        for (int k = start[i]; k + 1 < start[i + 1]; k++)
            assert_int_not_equal(colour[index[k]], colour[index[k + 1]]);
    const int whole[] = {0, N, N + 1};
    for (int j = 0; j < N; j++) index[j] = j;
    index[N] = 4;
    assert_int_equal(carom_pattern_colour(2, N, whole, index, colour), N);
    const int none[] = {0, 0};
    assert_int_equal(carom_pattern_colour(1, N, none, NULL, colour), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_twice_is_kept),
        cmocka_unit_test(a_full_memory_keeps_what_it_has),
        cmocka_unit_test(rows_see_each_colour_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
