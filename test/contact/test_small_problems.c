// SPDX-License-Identifier: Apache-2.0
// Small problems have exact answers by formulas and modes. They are asked alone here, without the
// solvers behind them that would mend what they get wrong; the laws are looked at one by one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "contact/small/closed.h"
#include "contact/small/direct.h"
#include "contact/small/local.h"
#include "contact/small/mode.h"

static known_problem k;

// length of the tangential part of x
static double along(const double *x, int dim)
{
    return dim == 1 ? 0 : dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

// by how much of their terms the laws are broken
static double broken(const carom_problem *p, const double *P)
{
    double xi[MAX_ROWS], size[MAX_ROWS], worst = 0;
    for (int i = 0; i < p->n_row; i++) {
        xi[i] = p->b[i];
        size[i] = fabs(p->b[i]);
        for (int j = 0; j < p->n_row; j++) {
            const double term = p->G.dense[j * p->n_row + i] * P[j];
            xi[i] += term;
            size[i] += fabs(term);
        }
    }
    for (int n = 0; n < p->n_block; n++) {
        const carom_block *block = &p->block[n];
        const double *own = P + block->first, *rate = xi + block->first;
        double terms = 0;
        for (int i = 0; i < block->dim; i++) terms += size[block->first + i];
        if (block->is_bilateral) {
            for (int i = 0; i < block->dim; i++) worst = fmax(worst, fabs(rate[i]) / terms);
            continue;
        }
        const double push = along(own, block->dim), slip = along(rate, block->dim);
        worst = fmax(worst, -rate[0] / terms);
        if (own[0] > 0) worst = fmax(worst, rate[0] / terms);
        if (!(own[0] >= 0)) return INFINITY;
        if (push > block->mu * own[0] * (1 + 1e-12)) return INFINITY;
        if (!(slip > 1e-11 * terms) || !(own[0] > 0) || block->dim == 1) continue;
        // it slips: friction is at its limit, and against it
        if (block->mu > 0 && push < block->mu * own[0] * (1 - 1e-9)) return INFINITY;
        for (int i = 1; i < block->dim && block->mu > 0; i++)
            worst = fmax(worst, fabs(own[i] / push + rate[i] / slip) * slip / terms);
    }
    return worst;
}

static void a_few_contacts_in_the_plane_are_solved_directly(void **state)
{
    (void)state;
    random_state r = {41};
    for (int m = 0; m < 4000; m++) {
        const recipe c = {.n_contact = 1 + m % 4,
                          .dim = m % 3 == 2 ? 2 : 1 + m / 4 % 2,
                          .n_freedom = 8 + m % 5,
                          .mu = 0.4,
                          .mass_ratio = 4,
                          .asymmetry = m % 2 ? 0.05 : 0};
        double P[8], xi[8];
        make_known(&r, &c, &k);
        for (int i = 0; i < 8; i++) P[i] = xi[i] = NAN;
        // all modes are tried for one or two, or without friction; else the guess must be right
        const bool is_known = m % 5 == 0 || (c.dim == 2 && c.n_contact > 2);
        for (int i = 0; i < k.problem.n_row; i++) P[i] = is_known ? k.P[i] : 0;
        if (carom_contact_nothing_closes(&k.problem)) continue;
        if (!carom_direct_solve(&k.problem, P, xi)) fail_msg("problem %d is not solved", m);
        const double worst = broken(&k.problem, P);
        if (!(worst <= 1e-11)) fail_msg("problem %d: %g", m, worst);
        for (int i = 0; i < k.problem.n_row; i++) { // the rates are told as well
            double rate = k.b[i], size = fabs(k.b[i]);
            for (int j = 0; j < k.problem.n_row; j++) {
                rate += k.G[j * k.problem.n_row + i] * P[j];
                size += fabs(k.G[j * k.problem.n_row + i] * P[j]);
            }
            assert_true(fabs(rate - xi[i]) <= 1e-14 * size);
        }
    }
}

// many are not asked; others are not theirs
static void what_is_not_small_is_left_alone(void **state)
{
    (void)state;
    random_state r = {43};
    const recipe wide = {.n_contact = 5, .dim = 2, .n_freedom = 12, .mu = 0.3, .mass_ratio = 1},
                 space = {.n_contact = 2, .dim = 3, .n_freedom = 12, .mu = 0.3, .mass_ratio = 1},
                 held = {.n_contact = 2,
                         .n_bilateral = 1,
                         .dim = 1,
                         .n_freedom = 12,
                         .mu = 0.3,
                         .mass_ratio = 1},
                 slippery = {.n_contact = 2, .dim = 2, .n_freedom = 12, .mass_ratio = 1};
    const recipe *const other[] = {&wide, &space, &held, &slippery};
    for (int i = 0; i < 4; i++) {
        double P[MAX_ROWS] = {0}, xi[MAX_ROWS];
        make_known(&r, other[i], &k);
        assert_false(carom_direct_solve(&k.problem, P, xi));
    }
}

// Painleve's rod (test_unique.c) that comes at the floor: lifting off has fewer closed contacts
static void of_several_answers_the_one_with_fewest_contacts_is_taken(void **state)
{
    (void)state;
    // two of them; one rises (and could be caught), the other falls on a smooth floor
    double G[9] = {1.6, -1.2, 0, -1.2, 3.4, 0, 0, 0, 2}, b[3] = {0.01, -1, -4}, P[3] = {0}, xi[3];
    carom_block block[2] = {{.dim = 2, .mu = 1.5}, {.first = 2, .dim = 1, .id = 1}};
    const carom_problem problem = {3, 2, block, {.n = 3, .dense = G}, b};
    assert_true(carom_direct_solve(&problem, P, xi));
    assert_true(P[0] == 0 && P[1] == 0 && fabs(P[2] - 2) < 1e-15);
    assert_true(xi[0] == 0.01 && xi[1] == -1 && fabs(xi[2]) < 1e-15);
}

static void one_contact_alone_is_solved_exactly(void **state)
{
    (void)state;
    random_state r = {47};
    for (int m = 0; m < 3000; m++) {
        const recipe c = {.n_contact = 1,
                          .dim = 1 + m % 3,
                          .n_freedom = 4 + m % 3,
                          .mu = m % 7 ? 0.6 : 0,
                          .mass_ratio = 4,
                          .asymmetry = m % 2 ? 0.05 : 0};
        double P[3] = {0, 0.1, -0.2};
        make_known(&r, &c, &k);
        if (!carom_local_solve(c.dim, k.G, k.b, k.block[0].mu, P))
            fail_msg("problem %d is not solved", m);
        const double worst = broken(&k.problem, P);
        if (!(worst <= 1e-11)) fail_msg("problem %d: %g", m, worst);
        for (int i = 0; i < 3 && k.b[0] >= 0; i++) assert_true(i >= c.dim || P[i] == 0);
    }
}

// a mass that is thrown: what the contact cannot hold has no answer, and P stays
static void one_contact_without_answer_is_refused(void **state)
{
    (void)state;
    const double nothing[9] = {0}, pull[1] = {-1}, q[3] = {-1, 1, 0};
    for (int dim = 1; dim <= 3; dim++) {
        double P[3] = {5, 6, 7};
        assert_false(carom_local_solve(dim, nothing, q, 0.5, P));
        assert_true(P[0] == 5 && P[1] == 6 && P[2] == 7);
    }
    double P[1] = {5};
    assert_false(carom_local_solve(1, pull, q, 0, P));
}

static void problems_with_an_answer_on_one_line(void **state)
{
    (void)state;
    random_state r = {53};
    for (int m = 0; m < 2000; m++) {
        const int kind = m % 3; // two contacts without friction, one bilateral row, all are open
        const recipe c = {.n_contact = kind == 1 ? 0 : 2,
                          .n_bilateral = kind == 1,
                          .dim = kind == 2 ? 2 : 1,
                          .n_freedom = 4,
                          .mu = 0.3,
                          .mass_ratio = 100,
                          .asymmetry = m % 2 ? 0.05 : 0};
        double P[4] = {NAN, NAN, NAN, NAN}, room[4];
        make_known(&r, &c, &k);
        // units: nothing here knows how large a rate or a mass is
        const double mass = ldexp(1, m % 41 - 20);
        for (int i = 0; i < 16; i++) k.G[i] *= mass;
        for (int i = 0; i < 2 && kind == 2; i++) k.b[2 * i] = fabs(k.b[2 * i]);
        const double *xi = carom_contact_closed(&k.problem, P, room);
        if (!xi) fail_msg("problem %d has no answer", m);
        const double worst = broken(&k.problem, P);
        if (!(worst <= 1e-11)) fail_msg("problem %d: %g", m, worst);
        for (int i = 0; i < 4 && kind == 2; i++) assert_true(P[i] == 0 && xi[i] == k.b[i]);
    }
    // two contacts that are one: det = 0, and another
    double G[4] = {1, 1, 1, 1}, b[2] = {-1, -2}, P[2] = {0}, room[2];
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    const carom_problem twice = {2, 2, block, {.n = 2, .dense = G}, b};
    assert_non_null(carom_contact_closed(&twice, P, room));
    assert_true(P[0] == 0 && P[1] == 2);
    b[0] = -2;
    b[1] = -1;
    assert_non_null(carom_contact_closed(&twice, P, room));
    assert_true(P[0] == 2 && P[1] == 0);
}

// the modes of a known answer give its impulses back
static void modes_are_read_and_solved(void **state)
{
    (void)state;
    static double work[4 * MAX_ROWS * MAX_ROWS];
    static int index[4 * MAX_ROWS];
    random_state r = {59};
    for (int m = 0; m < 1500; m++) {
        const recipe c = {.n_contact = 1 + m % 8,
                          .dim = 1 + m % 2,
                          .n_freedom = 20,
                          .mu = 0.5,
                          .mass_ratio = 3,
                          .asymmetry = m % 3 ? 0 : 0.05};
        double P[MAX_ROWS] = {0};
        make_known(&r, &c, &k);
        assert_true(carom_modes_work(k.problem.n_row) <= sizeof work / sizeof *work);
        carom_modes modes = carom_modes_cut(&k.problem, work, index);
        carom_modes_guess(&modes, k.P);
        if (!carom_modes_solve(&modes, m % 2, P)) fail_msg("problem %d", m);
        for (int i = 0; i < k.problem.n_row; i++)
            if (!(fabs(P[i] - k.P[i]) <= 1e-10)) fail_msg("problem %d, row %d: %g", m, i, P[i]);
    }
}

// a direction of slip without friction has no impulse at all, whoever solves
static void directions_without_friction_have_no_impulse(void **state)
{
    (void)state;
    static const char *const solver[] = {"auto", "nsgs",           "newton",   "pivot",
                                         "admm", "interior_point", "anderson", "prox"};
    random_state r = {61};
    for (int m = 0; m < 200; m++) {
        const recipe c = {
            .n_contact = 2 + m / 8 % 5, .dim = 2 + m / 8 % 2, .n_freedom = 20, .mass_ratio = 2};
        double P[MAX_ROWS] = {0};
        carom_contact_solver *it;
        carom_contact_info info;
        make_known(&r, &c, &k);
        const int n = k.problem.n_row;
        assert_int_equal(carom_contact_solver_new(solver[m % 8], NULL, 0, n, &it, NULL), CAROM_OK);
        if (carom_contact_solve(it, &k.problem, P, &info, NULL) != CAROM_OK)
            fail_msg("%s refuses", solver[m % 8]);
        carom_contact_solver_free(it);
        if (!info.is_converged) fail_msg("%s: problem %d", solver[m % 8], m);
        for (int i = 0; i < n; i++)
            if (i % c.dim && P[i] != 0) fail_msg("%s: %g", solver[m % 8], P[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_contacts_in_the_plane_are_solved_directly),
        cmocka_unit_test(what_is_not_small_is_left_alone),
        cmocka_unit_test(of_several_answers_the_one_with_fewest_contacts_is_taken),
        cmocka_unit_test(one_contact_alone_is_solved_exactly),
        cmocka_unit_test(one_contact_without_answer_is_refused),
        cmocka_unit_test(problems_with_an_answer_on_one_line),
        cmocka_unit_test(modes_are_read_and_solved),
        cmocka_unit_test(directions_without_friction_have_no_impulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
