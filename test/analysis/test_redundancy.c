// SPDX-License-Identifier: Apache-2.0
// Which constraint rows are implied by others: doubled rows, sums of rows, mechanisms with more
// links than they need, and rows that only look alike.
#include "model/model_rig.h"

static carom_redundancy find(const char *text)
{
    carom_error error = {0};
    carom_redundancy found;
    carom_model *model = model_from_text(text);
    must(carom_redundancy_find(model, &found, &error), &error);
    assert_true(found.is_known);
    assert_int_equal(found.n_row, carom_model_sizes(model).n_constraint);
    assert_int_equal(found.n_group, found.n_row - found.rank);
    carom_model_free(model);
    return found;
}

#define SPATIAL(rows)                                                                              \
    "carom: 1\n"                                                                                   \
    "coordinates: {x: {start: 1}, y: {}, z: {}}\n"                                                 \
    "kinetic: (der(x)^2 + 1e4*der(y)^2 + 1e-4*der(z)^2)/2\n"                                       \
    "constraints:\n" rows

static void doubled_rows_are_found(void **state)
{
    (void)state;
    carom_redundancy found = find(SPATIAL("  - {name: rod, equation: (x^2 + y^2 - 1)/2}\n"
                                          "  - {name: plane, equation: z}\n"
                                          "  - {name: plane3, equation: 3*z}\n"
                                          "  - {name: both, equation: (x^2 + y^2 - 1)/2 + z}\n"));
    assert_int_equal(found.rank, 2);
    // plane3 with plane; the sum with both
    bool has_pair = false, has_three = false;
    for (int g = 0; g < 2; g++) {
        const int n = found.start[g + 1] - found.start[g], *row = found.row + found.start[g];
        if (n == 2) has_pair = row[0] + row[1] == 3 && row[0] * row[1] == 2;
        if (n == 3) has_three = true;
    }
    assert_true(has_pair && has_three);
    carom_redundancy_free(&found);
    assert_null(found.row);
}

// three links carry what two carry; the group has no row of the pendulum beside them
static void a_parallelogram_with_three_links_has_one_row_too_many(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\n"
                               "space: plane\n"
                               "bodies:\n"
                               "  l1: {mass: 1, inertia: 0.1, at: [0, -0.5]}\n"
                               "  l2: {mass: 1, inertia: 0.1, at: [1, -0.5]}\n"
                               "  l3: {mass: 1, inertia: 0.1, at: [2, -0.5]}\n"
                               "  bar: {mass: 2, inertia: 0.5, at: [1, -1]}\n"
                               "  bob: {mass: 1, inertia: 0.1, at: [5, -1]}\n"
                               "joints:\n"
                               "  a1: {revolute: [ground, l1], at: [0, 0]}\n"
                               "  a2: {revolute: [ground, l2], at: [1, 0]}\n"
                               "  a3: {revolute: [ground, l3], at: [2, 0]}\n"
                               "  b1: {revolute: [l1, bar], at: [0, -1]}\n"
                               "  b2: {revolute: [l2, bar], at: [1, -1]}\n"
                               "  b3: {revolute: [l3, bar], at: [2, -1]}\n"
                               "  alone: {revolute: [ground, bob], at: [5, 0]}\n";
    carom_redundancy found = find(text);
    assert_int_equal(found.n_row, 14);
    assert_int_equal(found.rank, 13);
    for (int k = 0; k < found.start[1]; k++) assert_true(found.row[k] < 12);
    assert_true(found.start[1] >= 6); // y of all six pins at least
    carom_redundancy_free(&found);
}

// 1e-6 apart is not the same
static void rows_that_are_nearly_parallel_are_independent(void **state)
{
    (void)state;
    carom_redundancy found = find(SPATIAL("  - {name: a, equation: z}\n"
                                          "  - {name: b, equation: z + 1e-6*(x - 1)}\n"));
    assert_int_equal(found.rank, 2);
    carom_redundancy_free(&found);
    found = find(SPATIAL("  - {name: a, equation: z}\n"
                         "  - {name: b, equation: z + 1e-16*(x - 1)}\n"));
    assert_int_equal(found.rank, 1);
    assert_int_equal(found.row[0] + found.row[1], 1);
    carom_redundancy_free(&found);
}

static void a_model_without_constraints_has_none(void **state)
{
    (void)state;
    carom_redundancy found = find("carom: 1\ncoordinates: {x: {}}\nkinetic: der(x)^2/2\n");
    assert_int_equal(found.n_group, 0);
    carom_redundancy_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubled_rows_are_found),
        cmocka_unit_test(a_parallelogram_with_three_links_has_one_row_too_many),
        cmocka_unit_test(rows_that_are_nearly_parallel_are_independent),
        cmocka_unit_test(a_model_without_constraints_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
