// SPDX-License-Identifier: Apache-2.0
// A solver forgets: what it answers depends on the problem and the guess alone, to the last bit,
// not on the problems it had before. Runs that are begun again, resumed or swept by threads stand
// on this.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_scene.h"

#include <string.h>

enum { N_SCENE = 6 };

static scene_recipe recipe_of(int i)
{
    return (scene_recipe){.across = 3 + i % 3,
                          .high = 3,
                          .in_plane = i % 2,
                          .has_rods = i % 3 != 0,
                          .has_discs = i % 2 == 0,
                          .mu = 0.3 + 0.1 * i,
                          .heavy = 10};
}

static void solve_into(carom_contact_solver *solver, const carom_problem *problem, double *P)
{
    carom_contact_info info;
    memset(P, 0, sizeof *P * (size_t)problem->n_row);
    assert_int_equal(carom_contact_solve(solver, problem, P, &info, NULL), CAROM_OK);
}

// each problem by a fresh solver, then by one that has had all the others
static void compare_fresh_and_used(const char *name, scene *all, bool as_factors)
{
    const carom_setting few = {{.text = "iterations"}, {.text = "200"}};
    carom_contact_solver *used = NULL;
    static double P[SCENE_ROWS], Q[SCENE_ROWS];
    assert_int_equal(carom_contact_solver_new(name, &few, 1, SCENE_ROWS, &used, NULL), CAROM_OK);
    for (int k = 0; k < 2 * N_SCENE; k++) {
        const scene *s = &all[(k * 5 + k / N_SCENE) % N_SCENE];
        const carom_problem *problem = as_factors ? &s->problem : &s->sparse;
        carom_contact_solver *fresh = NULL;
        assert_int_equal(carom_contact_solver_new(name, &few, 1, SCENE_ROWS, &fresh, NULL),
                         CAROM_OK);
        solve_into(fresh, problem, P);
        solve_into(used, problem, Q);
        if (memcmp(P, Q, sizeof *P * (size_t)problem->n_row) != 0)
            fail_msg("%s answers otherwise after other problems (%s, step %d)", name,
                     as_factors ? "factors" : "rows", k);
        carom_contact_solver_free(fresh);
    }
    carom_contact_solver_free(used);
}

static void a_solver_forgets(void **state)
{
    (void)state;
    static scene all[N_SCENE];
    static const char *const name[] = {"auto",   "interior_point", "prox", "newton",
                                       "sweeps", "admm",           "nsgs", "anderson"};
    random_state r = {31};
    for (int i = 0; i < N_SCENE; i++) {
        const scene_recipe c = recipe_of(i);
        make_scene(&all[i], &c, &r);
    }
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        compare_fresh_and_used(name[i], all, true);
        compare_fresh_and_used(name[i], all, false);
    }
    for (int i = 0; i < N_SCENE; i++) close_scene(&all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_solver_forgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
