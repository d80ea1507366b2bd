// SPDX-License-Identifier: Apache-2.0
// Kinds of contact problems that are hard on solvers, each with a known answer, and how
// often every solver must find one: contacts of 1, 2 and 3 rows in one problem with joints,
// nearly parallel contacts, copies, rows of zeros, no contacts at all, no friction, very
// much friction, mass ratios.
#ifndef CAROM_TEST_HARD_KINDS_H
#define CAROM_TEST_HARD_KINDS_H

#include "contact/random_problem.h"

enum { N_SOLVER = 12, R = -1, SLOW_EVERY = 4 };

static const char *const hard_names[N_SOLVER] = {"auto",      "prox",   "admm",  "interior_point",
                                                 "newton",    "newton", "nsgs",  "anderson",
                                                 "enumerate", "lemke",  "pivot", "active_set"};
enum { FISCHER = 5, NSGS = 6, ANDERSON = 7 }; // the second newton has Fischer-Burmeister functions

typedef struct hard_kind {
    const char *what;
    recipe recipe;
    hardship hardship;
    int rate[N_SOLVER]; // successes of 100 in the long run; R: every one is refused
} hard_kind;

static const hard_kind hard_kinds[] = {
    {"no contacts, joints",
     {0, 6, 1, 9, 0, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97}},
    {"1, 2 and 3 rows",
     {9, 0, 0, 40, 0.4, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 97, 97, R, R, R, R}},
    {"1, 2 and 3 rows, joints",
     {9, 5, 0, 40, 0.4, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 97, 97, R, R, R, R}},
    {"1, 2 and 3 rows, joints, few freedoms",
     {9, 4, 0, 14, 0.4, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 96, 97, 78, 97, R, R, R, R}},
    {"1, 2 and 3 rows, unsymmetric",
     {9, 5, 0, 40, 0.4, 1, 0.05},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 97, 97, R, R, R, R}},
    {"1, 2 and 3 rows, masses 1e6",
     {9, 5, 0, 40, 0.4, 1e6, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 92, 69, 97, R, R, R, R}},
    {"nearly parallel",
     {8, 0, 1, 12, 0, 1, 0},
     {1e-6, 0, 0},
     {100, 97, 97, 97, 38, 97, 97, 97, 97, 97, 97, 0}},
    {"nearly parallel, plane",
     {6, 0, 2, 16, 0.4, 1, 0},
     {1e-6, 0, 0},
     {100, 97, 97, 97, 53, 95, 62, 74, 97, R, R, R}},
    {"nearly parallel, space",
     {6, 0, 3, 24, 0.4, 1, 0},
     {1e-6, 0, 0},
     {100, 97, 97, 97, 69, 64, 49, 62, R, R, R, R}},
    {"nearly parallel, space, 1e-3",
     {6, 0, 3, 24, 0.4, 1, 0},
     {1e-3, 0, 0},
     {100, 97, 97, 97, 83, 66, 14, 43, 0, R, R, R}},
    {"copies", {8, 0, 1, 12, 0, 1, 0}, {0, 4, 0}, {100, 97, 97, 97, 33, 97, 97, 97, 97, 97, 97, 0}},
    {"copies, plane",
     {6, 0, 2, 16, 0.4, 1, 0},
     {0, 3, 0},
     {100, 97, 97, 97, 16, 97, 97, 97, 97, R, R, R}},
    {"copies, space",
     {6, 0, 3, 24, 0.4, 1, 0},
     {0, 3, 0},
     {100, 97, 97, 97, 16, 97, 97, 95, -1, R, R, R}},
    {"copies, space, masses 1e6",
     {6, 0, 3, 24, 0.4, 1e6, 0},
     {0, 3, 0},
     {100, 97, 97, 97, 4, 94, 61, 42, R, R, R, R}},
    {"rows of zeros",
     {6, 0, 1, 12, 0, 1, 0},
     {0, 0, 2},
     {100, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 11}},
    {"rows of zeros, plane",
     {6, 0, 2, 16, 0.4, 1, 0},
     {0, 0, 2},
     {100, 97, 97, 97, 97, 97, 97, 97, 97, R, R, R}},
    {"rows of zeros, space",
     {6, 0, 3, 24, 0.4, 1, 0},
     {0, 0, 2},
     {100, 97, 97, 97, 97, 97, 97, 97, 0, R, R, R}},
    {"space without friction",
     {8, 0, 3, 30, 0, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, R}},
    {"space without friction, redundant",
     {8, 0, 3, 6, 0, 1, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 97, 80, 97, 97, 97, 97, R}},
    {"plane, friction 100",
     {6, 0, 2, 20, 100, 1, 0},
     {0, 0, 0},
     {100, 96, 96, 90, 82, 27, 74, 11, 97, R, R, R}},
    {"space, friction 100",
     {6, 0, 3, 30, 100, 1, 0},
     {0, 0, 0},
     {100, 96, 95, 91, 85, 40, 74, 3, -1, R, R, R}},
    {"space, masses 1e6",
     {8, 0, 3, 40, 0.4, 1e6, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 92, 36, 97, R, R, R, R}},
    {"space, masses 1e6, joints",
     {8, 5, 3, 40, 0.4, 1e6, 0},
     {0, 0, 0},
     {100, 97, 97, 97, 97, 84, 40, 92, R, R, R, R}},
};
enum { N_HARD = sizeof hard_kinds / sizeof *hard_kinds };

static inline carom_status make_hard_solvers(carom_contact_solver **solver)
{
    const carom_setting fischer = {{"function", {0}}, {"fischer_burmeister", {0}}};
    const carom_setting fewer = {{"iterations", {0}}, {"3000", {0}}};
    for (int i = 0; i < N_SOLVER; i++) {
        const bool is_slow = i == NSGS || i == ANDERSON;
        const carom_setting *setting = i == FISCHER ? &fischer : &fewer;
        const carom_status status = carom_contact_solver_new(
            hard_names[i], setting, i == FISCHER || is_slow, MAX_ROWS, &solver[i], NULL);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

typedef struct tally {
    int n_solved[N_SOLVER], n_tried[N_SOLVER], n_refused[N_SOLVER];
} tally;

static inline void try_one(carom_contact_solver *solver, const carom_problem *problem, tally *t,
                           int i)
{
    double P[MAX_ROWS] = {0};
    carom_contact_info info;
    carom_error error = {0};
    const carom_status status = carom_contact_solve(solver, problem, P, &info, &error);
    t->n_tried[i]++;
    t->n_refused[i] += status != CAROM_OK;
    assert_true(status == CAROM_OK || error.message[0] != 0);
    if (status != CAROM_OK) return;
    t->n_solved[i] += info.is_converged;
    // what is called converged is converged, and there is an answer
    assert_true(info.residual == carom_contact_residual(problem, P));
    assert_true(info.is_converged == (info.residual <= CAROM_CONTACT_TOLERANCE));
    assert_true(info.outcome != CAROM_CONTACT_NO_SOLUTION);
}

static inline void check_rates(const hard_kind *kind, const tally *t)
{
    print_message("%-38s", kind->what);
    for (int i = 0; i < N_SOLVER; i++) print_message(" %4d", 100 * t->n_solved[i] / t->n_tried[i]);
    print_message("\n");
    for (int i = 0; i < N_SOLVER; i++) {
        const double rate = 0.01 * kind->rate[i];
        // four standard deviations of so many tries below the rate, because there are some 270
        // rates to keep; none for auto
        const double spread = 4 * sqrt(fabs(rate) * (1 - rate) * t->n_tried[i]);
        if (kind->rate[i] == R)
            assert_true(t->n_refused[i] > 0); // an open contact may leave few enough
        else
            assert_true(t->n_solved[i] >= rate * t->n_tried[i] - spread - 1e-9);
    }
}

// n problems of every kind for every solver (nsgs and anderson: every fourth)
static inline void sweep(uint64_t seed, int n)
{
    static known_problem k;
    carom_contact_solver *solver[N_SOLVER];
    random_state r = {seed};
    assert_int_equal(make_hard_solvers(solver), CAROM_OK);
    for (int c = 0; c < N_HARD; c++) {
        tally t = {0};
        for (int m = 0; m < n; m++) {
            make_hard(&r, &hard_kinds[c].recipe, &hard_kinds[c].hardship, &k);
            for (int i = 0; i < N_SOLVER; i++)
                if (m % SLOW_EVERY == 0 || (i != NSGS && i != ANDERSON))
                    try_one(solver[i], &k.problem, &t, i);
        }
        check_rates(&hard_kinds[c], &t);
    }
    for (int i = 0; i < N_SOLVER; i++) carom_contact_solver_free(solver[i]);
}

#endif
