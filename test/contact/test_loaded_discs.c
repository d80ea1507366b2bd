// SPDX-License-Identifier: Apache-2.0
// Discs of contacts, whose radius follows the push: rolling and spinning friction. Closed forms of
// a ball, the laws asked once more in the test's own words, every solver that takes them on random
// problems with a known answer, long chains, files, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "carom/contact_file.h"
#include "contact/random_problem.h"
#include "samples.h"

enum { N_NAME = 7, N_PROBLEM = SAMPLES(50) };
static const char *const names[N_NAME] = {"auto", "newton",   "prox",     "nsgs",
                                          "admm", "anderson", "enumerate"};
static carom_contact_solver *solvers[N_NAME];
static known_problem k;

static int make_solvers(void **state)
{
    (void)state;
    for (int i = 0; i < N_NAME; i++)
        if (carom_contact_solver_new(names[i], NULL, 0, MAX_ROWS, &solvers[i], NULL) != CAROM_OK)
            return 1;
    return 0;
}

static int free_solvers(void **state)
{
    (void)state;
    for (int i = 0; i < N_NAME; i++) carom_contact_solver_free(solvers[i]);
    return 0;
}

static double solve_by(int i, const carom_problem *problem, double *P)
{
    carom_contact_info info;
    carom_error error = {0};
    const carom_status status = carom_contact_solve(solvers[i], problem, P, &info, &error);
    return status == CAROM_OK && info.is_converged ? info.residual : INFINITY;
}

static carom_block disc_of(const carom_block *before, int dim, double mu)
{
    return (carom_block){.first = before->first + before->dim,
                         .dim = dim,
                         .is_bilateral = true,
                         .is_limited = true,
                         .mu = mu,
                         .of = before->dim + before->of};
}

// the laws in words: what is wrong with P, in absolute numbers
static double broken_laws(const carom_problem *p, const double *P)
{
    double worst = 0, N = 0;
    for (int m = 0; m < p->n_block; m++) {
        const carom_block *block = &p->block[m];
        double xi[3] = {0}, length = 0, slip = 0, along = 0, reach = 0;
        const bool is_disc = block->is_limited, is_contact = !block->is_bilateral;
        const int head = is_contact ? 1 : 0;
        for (int i = 0; i < block->dim; i++) {
            xi[i] = p->b[block->first + i];
            for (int j = 0; j < p->n_row; j++)
                xi[i] += p->G.dense[j * p->n_row + block->first + i] * P[j];
            if (!is_disc && !is_contact) worst = fmax(worst, fabs(xi[i]));
        }
        if (is_contact) {
            N = P[block->first] - block->lower;
            worst = fmax(worst, fmax(-N, fmax(-xi[0], fabs(N * xi[0]))));
            reach = block->mu * fmax(N, 0);
        } else if (is_disc) {
            reach = block->radius + (block->of > 0 ? block->mu * fmax(N, 0) : 0);
        }
        for (int i = head; i < block->dim && (is_contact || is_disc); i++) {
            length = hypot(length, P[block->first + i]);
            slip = hypot(slip, xi[i]);
            along += P[block->first + i] * xi[i];
        }
        // inside the disc, and where it slips all of it against the slip
        if (is_contact || is_disc)
            worst = fmax(worst, fmax(length - reach, fabs(along + reach * slip)));
    }
    return worst;
}

// a ball of mass 1 and radius 1, I = 2/5, lands with v, slides with u and turns with w about the
// axis across: rows normal, slip u - w, roll w. Rolling friction takes up to l N from the turning.
static void a_ball_that_lands_turns_less_by_the_length(void **state)
{
    (void)state;
    const double I = 0.4, mu = 0.3, length = 0.05;
    // gamma_T = u + w (w turns the lowest point along u), roll = w
    double G[9] = {1, 0, 0, 0, 1 + 1 / I, 1 / I, 0, 1 / I, 1 / I}, b[3];
    carom_block block[2] = {{.dim = 2, .mu = mu}};
    block[1] = disc_of(&block[0], 1, length);
    const carom_problem problem = {3, 2, block, {.n = 3, .dense = G}, b};
    for (int m = 0; m < 40; m++) {
        const double v = 1, u = 0.5 * (m % 8 - 3.5), w = 0.4 * (m / 8 - 2);
        b[0] = -v;
        b[1] = u + w;
        b[2] = w;
        for (int i = 0; i < N_NAME; i++) {
            double P[3] = {0};
            assert_true(solve_by(i, &problem, P) <= 1e-9);
            assert_true(broken_laws(&problem, P) <= 1e-9);
            assert_true(fabs(P[0] - v) <= 1e-10);
        }
    }
    // pure rolling that goes on: P_T and P_R oppose each other, du = -l N / (1 + I)
    b[0] = -1;
    b[1] = 0;
    b[2] = 3;
    for (int i = 0; i < N_NAME; i++) {
        double P[3] = {0};
        assert_true(solve_by(i, &problem, P) <= 1e-9);
        assert_true(fabs(P[2] + length) <= 1e-10);
        assert_true(fabs(P[1] - length / (1 + I)) <= 1e-9);
    }
    // and slow rolling is stopped
    b[2] = 0.5 * length / (1 + I);
    for (int i = 0; i < N_NAME; i++) {
        double P[3] = {0};
        assert_true(solve_by(i, &problem, P) <= 1e-9);
        assert_true(fabs(P[2]) < length && fabs(b[2] + G[5] * P[1] + G[8] * P[2]) <= 1e-9);
    }
}

typedef struct loaded_recipe {
    recipe recipe; // contacts alone; dim 0 = 1, 2, 3 in turn
    bool has_lower;
    double radius;
} loaded_recipe;

// stick, slip or the edge between; xi against P
static void draw_loaded(random_state *r, const carom_block *block, double reach, double *P,
                        double *xi)
{
    const double kind = draw(r), part = fabs(draw(r));
    double t[3];
    draw_direction(r, block->dim, t);
    for (int i = 0; i < block->dim; i++) {
        P[i] = reach * t[i] * (kind < 0 && kind > -0.8 ? part : 1);
        xi[i] = kind > 0.1 || reach == 0 ? -part * t[i] : 0;
    }
}

// contacts with a rolling disc each and, in space, a spinning one; then bilateral rows in between
static void make_loaded(random_state *r, const loaded_recipe *c)
{
    const hardship none = {0};
    int n = 0, n_block = 0;
    for (int i = 0; i < c->recipe.n_contact; i++) {
        const int dim = contact_dim(&c->recipe, i);
        carom_block *contact = &k.block[n_block++];
        *contact = (carom_block){.first = n, .dim = dim, .mu = dim > 1 ? c->recipe.mu : 0};
        draw_contact(r, contact, k.P + n, k.xi + n);
        const double push = k.P[n];
        if (c->has_lower && i % 2 == 0) k.P[n] += contact->lower = draw(r);
        n += dim;
        for (int d = 0; d < (dim == 3 ? 2 : 1); d++) {
            carom_block *disc = &k.block[n_block];
            *disc = disc_of(disc - 1, dim == 3 && d == 0 ? 2 : 1, 0.1 + fabs(draw(r)));
            disc->radius = i % 3 == 2 ? c->radius : 0;
            draw_loaded(r, disc, disc->radius + disc->mu * push, k.P + n, k.xi + n);
            n += k.block[n_block++].dim;
        }
        if (i >= c->recipe.n_bilateral) continue;
        k.block[n_block++] = (carom_block){.first = n, .dim = 2, .is_bilateral = true};
        for (int d = 0; d < 2; d++, n++) {
            k.P[n] = draw(r);
            k.xi[n] = 0;
        }
    }
    draw_matrix(r, &c->recipe, &none, n, k.G);
    for (int i = 0; i < n; i++) {
        k.b[i] = k.xi[i];
        for (int j = 0; j < n; j++) k.b[i] -= k.G[j * n + i] * k.P[j];
    }
    k.problem = (carom_problem){n, n_block, k.block, {.n = n, .dense = k.G}, k.b};
}

typedef struct expectation {
    const char *what;
    loaded_recipe recipe;
    int least[N_NAME]; // successes of 100, -1 = refused
} expectation;

static const expectation expected[] = {
    {"one contact", {{1, 0, 2, 6, 0.3, 1, 0}, false, 0}, {100, 95, 100, 95, 100, 95, 100}},
    {"three in the plane", {{3, 0, 2, 14, 0.3, 1, 0}, false, 0}, {100, 95, 100, 90, 100, 90, 100}},
    {"without friction", {{3, 0, 1, 12, 0, 1, 0}, false, 0.2}, {100, 95, 100, 90, 100, 90, 100}},
    {"given parts", {{3, 0, 2, 14, 0.3, 1, 0}, true, 0.3}, {100, 95, 100, 90, 100, 90, 100}},
    {"constraints", {{3, 3, 2, 22, 0.4, 1, 0}, false, 0}, {100, 90, 100, 90, 100, 90, 100}},
    {"in space", {{5, 2, 3, 40, 0.4, 1, 0}, false, 0}, {100, 90, 100, 80, 100, 80, -1}},
    {"all dimensions", {{6, 2, 0, 40, 0.4, 1, 0}, true, 0.1}, {100, 90, 100, 80, 100, 80, -1}},
    {"unsymmetric", {{5, 2, 3, 40, 0.4, 1, 0.05}, false, 0}, {100, 90, 100, 80, 100, 80, -1}},
    {"redundant", {{5, 0, 3, 16, 0.4, 1, 0}, false, 0}, {100, 80, 95, 60, 95, 80, -1}},
};

static void every_solver_that_takes_them_keeps_its_rate(void **state)
{
    (void)state;
    random_state r = {20261119};
    bool is_good = true;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        int n_solved[N_NAME] = {0};
        for (int m = 0; m < N_PROBLEM; m++) {
            make_loaded(&r, &expected[e].recipe);
            assert_true(carom_contact_residual(&k.problem, k.P) <= 1e-12);
            assert_true(broken_laws(&k.problem, k.P) <= 1e-12);
            for (int i = 0; i < N_NAME; i++) {
                double P[MAX_ROWS] = {0};
                if (!(solve_by(i, &k.problem, P) <= 1e-9)) continue;
                n_solved[i]++;
                assert_true(broken_laws(&k.problem, P) <= 1e-6);
            }
        }
        print_message("%-20s", expected[e].what);
        for (int i = 0; i < N_NAME; i++) {
            const int rate = 100 * n_solved[i] / N_PROBLEM, least = expected[e].least[i];
            print_message(" %s %d", names[i], rate);
            is_good = is_good && (least < 0 ? rate == 0 : rate >= least);
        }
        print_message("\n");
    }
    assert_true(is_good || !DRAWS_ALL);
}

// the residual sees each broken law, and units do not matter to it
static void the_residual_sees_a_push_beyond_the_length(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 2}, b[2] = {-1, 3}, P[2] = {1, -0.1};
    carom_block block[2] = {{.dim = 1}};
    block[1] = disc_of(&block[0], 1, 0.1);
    const carom_problem problem = {2, 2, block, {.n = 2, .dense = G}, b};
    assert_true(carom_contact_residual(&problem, P) <= 1e-15);
    assert_true(carom_contact_cone_violation(&problem, P) <= 1e-16);
    P[1] = -0.12;
    const double seen = carom_contact_residual(&problem, P);
    assert_true(seen > 1e-3);
    assert_true(fabs(carom_contact_cone_violation(&problem, P) - 0.02) <= 1e-15);
    // lengths in millimetres: the row of rolling in other units, G, b, P and mu with it
    G[3] *= 1e6;
    b[1] *= 1e3;
    P[1] *= 1e-3;
    block[1].mu *= 1e-3;
    assert_true(fabs(carom_contact_residual(&problem, P) - seen) <= 1e-14);
    double err_rel;
    P[1] = -0.1e-3;
    carom_contact_errors(&problem, P, &err_rel, NULL);
    assert_true(err_rel <= 1e-15);
}

// squeezed between two walls: a disc of one of them that pushes both apart may be an answer, one
// that reaches nothing is not
static void a_certificate_counts_what_loaded_discs_can_do(void **state)
{
    (void)state;
    double G[9] = {1, -1, 0, -1, 1, 0, 0, 0, 1}, b[3] = {-1, -1, 0}, P[3] = {0, 0, 0};
    carom_block block[3] = {{.dim = 1}, {.first = 1, .dim = 1}};
    block[2] = disc_of(&block[1], 1, 0.5);
    const carom_problem problem = {3, 3, block, {.n = 3, .dense = G}, b};
    carom_contact_info info;
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_OK);
    assert_int_equal(info.outcome, CAROM_CONTACT_NO_SOLUTION);
    G[6] = G[7] = 4;
    b[2] = -100;
    P[0] = P[1] = P[2] = 0;
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_OK);
    assert_true(info.is_converged && broken_laws(&problem, P) <= 1e-9);
}

static void they_stand_behind_their_contact_and_some_solvers_refuse_them(void **state)
{
    (void)state;
    static const char *const without[] = {"interior_point", "lemke", "pivot", "active_set"};
    double G[4] = {1, 0, 0, 1}, b[2] = {-1, -1}, P[2] = {0};
    carom_block block[2] = {{.dim = 1}};
    block[1] = disc_of(&block[0], 1, 0.1);
    const carom_problem problem = {2, 2, block, {.n = 2, .dense = G}, b};
    carom_contact_info info;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        carom_contact_solver *solver = NULL;
        carom_error error = {0};
        assert_int_equal(carom_contact_solver_new(without[i], NULL, 0, 2, &solver, NULL), CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &problem, P, &info, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, without[i]));
        assert_non_null(strstr(error.message, "discs"));
        carom_contact_solver_free(solver);
    }
    block[1].of = 2;
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_BUG);
    block[1].of = 1;
    block[1].mu = NAN;
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_BAD_INPUT);
    block[1].mu = 0.1;
    block[0] = (carom_block){.dim = 1, .is_bilateral = true, .is_limited = true, .radius = 1};
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_BUG);
}

static void files_hold_them(void **state)
{
    (void)state;
    const loaded_recipe c = {{3, 1, 3, 30, 0.4, 1, 0}, true, 0.2};
    const carom_file_form any = {CAROM_FILE_ANY, CAROM_STORAGE_ANY};
    const char *path = "test_loaded_discs.dat";
    random_state r = {3};
    carom_contact_file *file = NULL;
    carom_error error = {0};
    make_loaded(&r, &c);
    assert_int_equal(carom_contact_problem_write(&k.problem, NULL, any, path, &error), CAROM_OK);
    assert_int_equal(carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error), CAROM_OK);
    remove(path);
    for (int i = 0; i < k.problem.n_block; i++) {
        const carom_block *is = &file->problem.block[i], *was = &k.block[i];
        assert_true(is->of == was->of && is->mu == was->mu && is->radius == was->radius);
    }
    assert_true(carom_contact_residual(&file->problem, k.P) <= 1e-12);
    carom_contact_file_free(file);
}

// a long row of bodies: a contact between neighbours, with its two discs, in a sparse matrix
enum { N_BODY = 60, FREEDOM = 6, N_CHAIN = 3 * N_BODY, N_CHAIN_ROW = 6 * N_BODY };

typedef struct chain {
    carom_problem problem;
    carom_block block[N_CHAIN];
    double W[N_CHAIN_ROW][2 * FREEDOM], b[N_CHAIN_ROW], P[N_CHAIN_ROW], xi[N_CHAIN_ROW];
    int start[N_CHAIN_ROW + 1], index[N_CHAIN_ROW * 20];
    double value[N_CHAIN_ROW * 20];
} chain;

static double chain_entry(const chain *c, int i, int j)
{
    const int apart = FREEDOM * (j / 6 - i / 6);
    double sum = i == j ? 0.1 : 0;
    for (int m = 0; m < 2 * FREEDOM; m++)
        if (m - apart >= 0 && m - apart < 2 * FREEDOM) sum += c->W[i][m] * c->W[j][m - apart];
    return sum;
}

static void draw_chain(random_state *r, chain *c)
{
    for (int i = 0, n = 0; i < N_BODY; i++, n += 6) {
        carom_block *block = c->block + (ptrdiff_t)3 * i;
        block[0] = (carom_block){.first = n, .dim = 3, .mu = 0.3};
        block[1] = disc_of(&block[0], 2, 0.2);
        block[2] = disc_of(&block[1], 1, 0.1);
        draw_contact(r, block, c->P + n, c->xi + n);
        draw_loaded(r, &block[1], 0.2 * c->P[n], c->P + n + 3, c->xi + n + 3);
        draw_loaded(r, &block[2], 0.1 * c->P[n], c->P + n + 5, c->xi + n + 5);
        // rolling and spinning turn bodies, the push does not: no entry of G couples them
        for (int d = 0; d < 6; d++)
            for (int m = 0; m < 2 * FREEDOM; m++) {
                const bool is_turn = m % FREEDOM >= 3;
                c->W[n + d][m] = (d == 0 && is_turn) || (d >= 3 && !is_turn) ? 0 : draw(r);
            }
    }
    int at = 0;
    for (int i = 0; i < N_CHAIN_ROW; i++) {
        c->start[i] = at;
        c->b[i] = c->xi[i];
        for (int j = 0; j < N_CHAIN_ROW; j++) {
            const double g = chain_entry(c, i, j);
            if (g == 0) continue;
            c->index[at] = j;
            c->value[at++] = g;
            c->b[i] -= g * c->P[j];
        }
    }
    c->start[N_CHAIN_ROW] = at;
    c->problem =
        (carom_problem){N_CHAIN_ROW,
                        N_CHAIN,
                        c->block,
                        {.n = N_CHAIN_ROW, .start = c->start, .index = c->index, .value = c->value},
                        c->b};
}

static void long_sparse_chains_are_solved(void **state)
{
    (void)state;
    static chain c;
    random_state r = {5};
    for (int i = 0; i < 4; i++) { // auto, newton, prox, nsgs
        carom_contact_solver *solver = NULL;
        int n_solved = 0;
        assert_int_equal(carom_contact_solver_new(names[i], NULL, 0, N_CHAIN_ROW, &solver, NULL),
                         CAROM_OK);
        for (int m = 0; m < SAMPLES(10); m++) {
            static double P[N_CHAIN_ROW];
            carom_contact_info info;
            memset(P, 0, sizeof P);
            draw_chain(&r, &c);
            assert_true(carom_contact_residual(&c.problem, c.P) <= 1e-12);
            assert_int_equal(carom_contact_solve(solver, &c.problem, P, &info, NULL), CAROM_OK);
            n_solved += info.is_converged && info.residual <= 1e-9;
        }
        print_message("%s: %d of %d\n", names[i], n_solved, SAMPLES(10));
        if (i == 0 || i == 2) assert_int_equal(n_solved, SAMPLES(10));
        carom_contact_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_that_lands_turns_less_by_the_length),
        cmocka_unit_test(every_solver_that_takes_them_keeps_its_rate),
        cmocka_unit_test(the_residual_sees_a_push_beyond_the_length),
        cmocka_unit_test(a_certificate_counts_what_loaded_discs_can_do),
        cmocka_unit_test(they_stand_behind_their_contact_and_some_solvers_refuse_them),
        cmocka_unit_test(files_hold_them),
        cmocka_unit_test(long_sparse_chains_are_solved),
    };
    return cmocka_run_group_tests(tests, make_solvers, free_solvers);
}
