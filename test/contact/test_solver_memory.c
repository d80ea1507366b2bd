// SPDX-License-Identifier: Apache-2.0
// counts allocations: a solve of a dense problem takes no memory, whatever the solver.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "count_allocations.h"

static void a_dense_solve_takes_no_memory(void **state)
{
    (void)state;
    static known_problem k;
    random_state r = {21};
    const recipe kinds[] = {{3, 2, 1, 4, 0, 1, 0},
                            {5, 3, 2, 6, 0.4, 1e4, 0.1},
                            {12, 4, 3, 20, 0.4, 1, 0},
                            {20, 0, 1, 8, 0, 1, 0}};
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = NULL;
        const long before_new = n_allocation;
        assert_int_equal(
            carom_contact_solver_new(carom_solver_at(i)->name, NULL, 0, MAX_ROWS, &solver, NULL),
            CAROM_OK);
        assert_true(n_allocation > before_new); // the counter counts
        for (int m = 0; m < 40; m++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            make_known(&r, &kinds[m % 4], &k);
            const long before = n_allocation;
            carom_contact_solve(solver, &k.problem, P, &info, NULL);
            assert_int_equal(n_allocation, before);
        }
        carom_contact_solver_free(solver);
    }
}

static void a_solver_for_thousands_of_rows_stays_small(void **state)
{
    (void)state;
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = NULL;
        assert_int_equal(
            carom_contact_solver_new(carom_solver_at(i)->name, NULL, 0, 100000, &solver, NULL),
            CAROM_OK);
        carom_contact_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_solve_takes_no_memory),
        cmocka_unit_test(a_solver_for_thousands_of_rows_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
