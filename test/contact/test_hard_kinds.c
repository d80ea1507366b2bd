// SPDX-License-Identifier: Apache-2.0
// Every contact solver on hundreds of random problems of hard kinds (hard_kinds.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/hard_kinds.h"

static void solvers_keep_their_rates_on_hard_problems(void **state)
{
    (void)state;
    sweep(20261118, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_keep_their_rates_on_hard_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
