// SPDX-License-Identifier: Apache-2.0
// Discs of given radius and given parts of normal impulses: closed forms, every solver that takes
// them on random problems with a known answer, and a slow reference that shares no code with the
// solvers: projected Gauss-Seidel on the laws as they stand in carom/contact.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "carom/contact_file.h"
#include "contact/random_problem.h"
#include "samples.h"

enum { N_NAME = 8, N_PROBLEM = SAMPLES(50) };
static const char *const names[N_NAME] = {"auto", "newton",         "prox",     "nsgs",
                                          "admm", "interior_point", "anderson", "enumerate"};
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

static void rates(const carom_problem *p, const double *P, double *xi)
{
    for (int i = 0; i < p->n_row; i++) {
        xi[i] = p->b[i];
        for (int j = 0; j < p->n_row; j++) xi[i] += p->G.dense[j * p->n_row + i] * P[j];
    }
}

static void shorten(int dim, double radius, double *y)
{
    double sum = 0;
    for (int i = 0; i < dim; i++) sum += y[i] * y[i];
    for (int i = 0; i < dim && sum > radius * radius; i++) y[i] *= fmax(radius, 0) / sqrt(sum);
}

// the sets of the laws: all, the disc, the normal above its given part and the disc of what is more
static void project(const carom_block *block, double *P)
{
    if (block->is_bilateral && !block->is_limited) return;
    if (block->is_limited) {
        shorten(block->dim, block->radius, P);
        return;
    }
    P[0] = fmax(P[0], block->lower);
    shorten(block->dim - 1, block->mu * (P[0] - block->lower), P + 1);
}

// slow and simple: the impulses of one block go a little against its rates, sweep by sweep
static void find_reference(const carom_problem *p, double *P)
{
    for (int i = 0; i < p->n_row; i++) P[i] = 0;
    for (int sweep = 0; sweep < 8000; sweep++)
        for (int m = 0; m < p->n_block; m++) {
            const carom_block *block = &p->block[m];
            double xi[3], size = 0;
            for (int i = 0; i < block->dim; i++) {
                const int row = block->first + i;
                xi[i] = p->b[row];
                for (int j = 0; j < p->n_row; j++) xi[i] += p->G.dense[j * p->n_row + row] * P[j];
                size += p->G.dense[row * p->n_row + row];
            }
            for (int i = 0; i < block->dim; i++) P[block->first + i] -= xi[i] / size;
            project(block, P + block->first);
        }
}

static double solve_by(int i, const carom_problem *problem, double *P)
{
    carom_contact_info info;
    carom_error error = {0};
    const carom_status status = carom_contact_solve(solvers[i], problem, P, &info, &error);
    return status == CAROM_OK && info.is_converged ? info.residual : INFINITY;
}

// a block of mass 1 on rails with dry friction r, pushed by an impulse p: it sticks up to r and
// slides with p - r above
static void a_dragged_block_sticks_below_the_radius_and_slides_at_it(void **state)
{
    (void)state;
    double G[1] = {2}, b[1]; // mass 1/2
    carom_block block = {.dim = 1, .is_bilateral = true, .is_limited = true, .radius = 0.75};
    const carom_problem problem = {1, 1, &block, {.n = 1, .dense = G}, b};
    for (int m = -20; m <= 20; m++) {
        const double push = 0.1 * m, expected = fmax(fmin(-push, 0.75), -0.75);
        b[0] = 2 * push;
        for (int i = 0; i < N_NAME; i++) {
            double P[1] = {0};
            assert_true(solve_by(i, &problem, P) <= 1e-12);
            assert_true(fabs(P[0] - expected) <= 1e-12);
            assert_true(carom_contact_cone_violation(&problem, P) <= 1e-15);
        }
    }
}

// in the plane of the table: no motion below r, else the impulse is r against the slide, whose
// direction is that of the push because the mass is the same in all directions
static void a_block_on_a_table_slides_along_the_push(void **state)
{
    (void)state;
    double G[4] = {4, 0, 0, 4}, b[2];
    carom_block block = {.dim = 2, .is_bilateral = true, .is_limited = true, .radius = 0.5};
    const carom_problem problem = {2, 1, &block, {.n = 2, .dense = G}, b};
    for (int m = 0; m < 30; m++) {
        const double push = 0.05 * m, angle = 0.7 * m, c = cos(angle), s = sin(angle);
        const double against = fmin(push, 0.5);
        b[0] = 4 * push * c;
        b[1] = 4 * push * s;
        for (int i = 0; i < N_NAME - 1; i++) { // enumerate takes rows one by one
            double P[2] = {0, 0}, xi[2];
            assert_true(solve_by(i, &problem, P) <= 1e-12);
            assert_true(fabs(P[0] + against * c) <= 1e-11 && fabs(P[1] + against * s) <= 1e-11);
            rates(&problem, P, xi);
            assert_true(fabs(hypot(xi[0], xi[1]) - 4 * (push - against)) <= 1e-11);
        }
    }
}

// a glued body (lower = -C) is held up to C, and slides sideways from mu (P_N + C) on
static void glue_holds_up_to_its_strength(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 1}, b[2];
    carom_block block = {.dim = 2, .mu = 0.5, .lower = -2};
    const carom_problem problem = {2, 1, &block, {.n = 2, .dense = G}, b};
    const struct {
        double pull, push, N, T;
    } row[] = {{1, 0.3, -1, -0.3}, {1, 0.9, -1, -0.5}, {3, 0.4, -2, 0}, {-1, 9, 1, -1.5}};
    for (size_t m = 0; m < sizeof row / sizeof *row; m++) {
        b[0] = row[m].pull;
        b[1] = row[m].push;
        for (int i = 0; i < N_NAME; i++) {
            double P[2] = {0, 0};
            assert_true(solve_by(i, &problem, P) <= 1e-12);
            assert_true(fabs(P[0] - row[m].N) <= 1e-12 && fabs(P[1] - row[m].T) <= 1e-12);
        }
    }
}

typedef struct expectation {
    const char *what;
    recipe recipe;
    bounds bounds;
    int least[N_NAME]; // successes of 100, -1 = refused
} expectation;

// the rates of newton, nsgs and anderson are what they are without bounds, too
static const expectation expected[] = {
    {"four discs of one row",
     {0, 0, 1, 6, 0, 1, 0},
     {4, 1, false},
     {100, 100, 100, 90, 100, 100, 90, 100}},
    {"six discs", {0, 0, 1, 20, 0, 1, 0}, {6, 0, false}, {100, 95, 100, 90, 100, 100, 90, -1}},
    {"twelve discs, redundant",
     {0, 0, 1, 8, 0, 1, 0},
     {12, 0, false},
     {100, 90, 100, 75, 100, 100, 95, -1}},
    {"discs and contacts",
     {4, 0, 1, 16, 0, 1, 0},
     {3, 1, false},
     {100, 95, 100, 90, 100, 100, 90, 100}},
    {"given parts alone",
     {4, 0, 1, 8, 0, 1, 0},
     {0, 0, true},
     {100, 95, 100, 95, 100, 100, 90, 100}},
    {"given parts, plane",
     {3, 0, 2, 10, 0.4, 1, 0},
     {0, 0, true},
     {100, 95, 100, 95, 100, 100, 90, 100}},
    {"all in the plane",
     {3, 2, 2, 16, 0.4, 1, 0},
     {2, 1, true},
     {100, 95, 100, 90, 100, 100, 90, 100}},
    {"all in space", {5, 3, 3, 40, 0.4, 1, 0}, {6, 0, true}, {100, 95, 100, 90, 100, 100, 90, -1}},
    {"all of all dimensions",
     {6, 3, 0, 40, 0.5, 1, 0},
     {6, 0, true},
     {100, 95, 100, 90, 100, 100, 90, -1}},
    {"unsymmetric",
     {6, 3, 0, 40, 0.3, 1, 0.05},
     {6, 0, true},
     {100, 95, 100, 90, 100, 100, 90, -1}},
    {"masses 1e6", {6, 3, 0, 40, 0.3, 1e6, 0}, {6, 0, true}, {100, 90, 100, 20, 100, 100, 90, -1}},
    {"redundant", {6, 2, 0, 12, 0.3, 1, 0}, {6, 0, true}, {100, 90, 100, 70, 100, 100, 90, -1}},
    {"one body", {4, 0, 3, 6, 0.3, 1, 0}, {3, 0, true}, {100, 90, 100, 80, 100, 100, 95, -1}},
};

static void every_solver_that_takes_discs_keeps_its_rate(void **state)
{
    (void)state;
    random_state r = {20261118};
    bool is_good = true;
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        int n_solved[N_NAME] = {0};
        for (int m = 0; m < N_PROBLEM; m++) {
            make_bounded(&r, &expected[e].recipe, &expected[e].bounds, &k);
            assert_true(carom_contact_residual(&k.problem, k.P) <= 1e-12);
            for (int i = 0; i < N_NAME; i++) {
                double P[MAX_ROWS] = {0};
                n_solved[i] += solve_by(i, &k.problem, P) <= 1e-9;
            }
        }
        print_message("%-24s", expected[e].what);
        for (int i = 0; i < N_NAME; i++) {
            const int rate = 100 * n_solved[i] / N_PROBLEM, least = expected[e].least[i];
            print_message(" %s %d", names[i], rate);
            is_good = is_good && (least < 0 ? rate == 0 : rate >= least);
        }
        print_message("\n");
    }
    assert_true(is_good || !DRAWS_ALL);
}

// without friction of contacts the rates are unique: those of the slow reference
static void auto_agrees_with_a_slow_reference(void **state)
{
    (void)state;
    static const recipe c[] = {
        {3, 0, 1, 14, 0, 1, 0}, {3, 0, 2, 18, 0.2, 1, 0}, {0, 0, 1, 12, 0, 1, 0}};
    static const bounds limits[] = {{3, 0, true}, {2, 0, true}, {4, 0, false}};
    random_state r = {7};
    for (int m = 0; m < SAMPLES(30); m++) {
        double P[MAX_ROWS] = {0}, slow[MAX_ROWS], xi[MAX_ROWS], reference[MAX_ROWS];
        make_bounded(&r, &c[m % 3], &limits[m % 3], &k);
        assert_true(solve_by(0, &k.problem, P) <= 1e-12);
        find_reference(&k.problem, slow);
        rates(&k.problem, P, xi);
        rates(&k.problem, slow, reference);
        for (int i = 0; i < k.problem.n_row; i++) assert_true(fabs(xi[i] - reference[i]) <= 1e-7);
        assert_true(carom_contact_residual(&k.problem, slow) <= 1e-8);
    }
}

// Poisson's law in the second half of an impact: P_N >= lower with friction mu P_N. A contact whose
// given part has its friction as a disc on the same rows again is that law: the whole tangential
// impulse is that of one disc of radius mu P_N.
static void a_disc_carries_the_friction_of_the_given_part(void **state)
{
    (void)state;
    random_state r = {11};
    const double mu = 0.4;
    for (int m = 0; m < 200; m++) {
        double g[9], w[9], b[4], G[16], P[4] = {0}, xi[4];
        const double lower = fabs(draw(&r));
        for (int i = 0; i < 9; i++) w[i] = draw(&r);
        for (int i = 0; i < 9; i++) {
            g[i] = i % 3 == i / 3 ? 0.5 : 0;
            for (int j = 0; j < 3; j++) g[i] += w[3 * (i / 3) + j] * w[3 * (i % 3) + j];
        }
        // rows N, T, T again: one tangent, twice
        static const int of[3] = {0, 1, 1};
        for (int i = 0; i < 9; i++) G[i] = g[3 * of[i / 3] + of[i % 3]];
        b[0] = draw(&r);
        b[1] = b[2] = 2 * draw(&r);
        carom_block block[2] = {
            {.dim = 2, .mu = mu, .lower = lower},
            {.first = 2, .dim = 1, .is_bilateral = true, .is_limited = true, .radius = mu * lower}};
        const carom_problem problem = {3, 2, block, {.n = 3, .dense = G}, b};
        assert_true(solve_by(0, &problem, P) <= 1e-10);
        rates(&problem, P, xi);
        const double T = P[1] + P[2], limit = mu * P[0], slip = xi[1];
        assert_true(P[0] >= lower - 1e-12 && xi[0] >= -1e-10 && (P[0] - lower) * xi[0] <= 1e-9);
        assert_true(fabs(T) <= limit + 1e-10);
        if (fabs(slip) > 1e-7) assert_true(fabs(T + limit * slip / fabs(slip)) <= 1e-9);
    }
}

// what cannot take discs says so by name; wrong radii and bounds are refused
static void discs_are_refused_by_name_and_wrong_ones_at_all(void **state)
{
    (void)state;
    static const char *const without[] = {"lemke", "pivot", "active_set"};
    double G[1] = {1}, b[1] = {-1}, P[1] = {0};
    carom_block block = {.dim = 1, .is_bilateral = true, .is_limited = true, .radius = 1};
    const carom_problem problem = {1, 1, &block, {.n = 1, .dense = G}, b};
    carom_contact_info info;
    carom_error error = {0};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        carom_contact_solver *solver = NULL;
        error = (carom_error){0};
        assert_int_equal(carom_contact_solver_new(without[i], NULL, 0, 1, &solver, NULL), CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &problem, P, &info, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, without[i]));
        assert_non_null(strstr(error.message, "discs"));
        carom_contact_solver_free(solver);
    }
    static const double wrong[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        block.radius = wrong[i];
        error = (carom_error){0};
        assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, &error),
                         CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "radius"));
    }
    block = (carom_block){.dim = 1, .lower = NAN};
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, &error), CAROM_BAD_INPUT);
    block = (carom_block){.dim = 1, .is_limited = true};
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, &error), CAROM_BUG);
}

// squeezed between two walls: a strong motor keeps the body away, a weak one does not, and only the
// weak one proves that there is no answer
static void a_certificate_counts_what_discs_can_do(void **state)
{
    (void)state;
    double G[9] = {1, -1, -1, -1, 1, 1, -1, 1, 1}, b[3] = {-1, -1, 0};
    carom_block block[3] = {
        {.dim = 1},
        {.first = 1, .dim = 1},
        {.first = 2, .dim = 1, .is_bilateral = true, .is_limited = true, .radius = 5}};
    const carom_problem problem = {3, 3, block, {.n = 3, .dense = G}, b};
    carom_contact_info info;
    double P[3] = {0, 0, 0};
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_OK);
    assert_int_equal(info.outcome, CAROM_CONTACT_NO_SOLUTION);
    G[6] = 1; // a disc that pushes both walls apart: unsymmetric, but an answer
    b[2] = -10;
    P[0] = P[1] = P[2] = 0;
    assert_int_equal(carom_contact_solve(solvers[0], &problem, P, &info, NULL), CAROM_OK);
    assert_true(info.is_converged);
}

static void files_of_kind_mixed_hold_them_and_others_refuse(void **state)
{
    (void)state;
    const recipe c = {3, 2, 2, 20, 0.4, 1, 0};
    const bounds limits = {3, 0, true};
    const char *path = "test_discs.dat";
    random_state r = {3};
    carom_contact_file *file = NULL;
    carom_error error = {0};
    make_bounded(&r, &c, &limits, &k);
    const carom_file_form any = {CAROM_FILE_ANY, CAROM_STORAGE_ANY};
    const carom_file_form mlcp = {CAROM_FILE_MLCP, CAROM_STORAGE_ANY};
    assert_int_equal(carom_contact_problem_write(&k.problem, NULL, any, path, &error), CAROM_OK);
    assert_int_equal(carom_contact_file_read(path, CAROM_FILE_ANY, &file, &error), CAROM_OK);
    remove(path);
    for (int i = 0; i < k.problem.n_block; i++) {
        const carom_block *is = &file->problem.block[i], *was = &k.block[i];
        assert_true(is->is_limited == was->is_limited && is->is_bilateral == was->is_bilateral);
        assert_true(is->radius == was->radius && is->lower == was->lower && is->mu == was->mu);
    }
    carom_contact_file_free(file);
    assert_int_equal(carom_contact_problem_write(&k.problem, NULL, mlcp, path, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "discs"));
}

// a long chain: contact, disc and joint between neighbours in turn
enum { N_BODY = 120, FREEDOM = 3, N_CHAIN = 2 * N_BODY, N_CHAIN_ROW = 3 * N_CHAIN };

typedef struct chain {
    carom_problem problem;
    carom_block block[N_CHAIN];
    double W[N_CHAIN_ROW][FREEDOM * (N_BODY + 1)], b[N_CHAIN_ROW], P[N_CHAIN_ROW], xi[N_CHAIN_ROW];
    int start[N_CHAIN_ROW + 1], index[N_CHAIN_ROW * 40];
    double value[N_CHAIN_ROW * 40];
} chain;

static double chain_entry(const chain *c, int i, int j)
{
    double sum = i == j ? 0.1 : 0;
    for (int m = 0; m < FREEDOM * (N_BODY + 1); m++) sum += c->W[i][m] * c->W[j][m];
    return sum;
}

static void draw_chain(random_state *r, chain *c)
{
    const bounds limits = {0, 0, true};
    known_problem *one = &k;
    int n = 0;
    memset(c->W, 0, sizeof c->W);
    for (int i = 0; i < N_CHAIN; i++) {
        const int body = i / 2, kind = i % 5;
        carom_block *block = &one->block[i % 2 == 0 ? 0 : 1];
        *block = (carom_block){.first = 0, .dim = 1 + i % 3, .mu = 0.3};
        block->is_bilateral = kind == 1 || kind == 3 || kind == 4;
        block->is_limited = kind == 1 || kind == 3;
        if (block->dim == 1 || block->is_bilateral) block->mu = 0;
        draw_answer(r, &limits, i % 2 == 0 ? 0 : 1, one);
        for (int d = 0; d < block->dim; d++, n++) {
            c->P[n] = one->P[d];
            c->xi[n] = one->xi[d];
            for (int m = 0; m < 2 * FREEDOM; m++) c->W[n][FREEDOM * body + m] = draw(r);
        }
        c->block[i] = *block;
        c->block[i].first = n - block->dim;
    }
    c->start[0] = 0;
    for (int i = 0, at = 0; i < n; i++) {
        c->b[i] = c->xi[i];
        for (int j = 0; j < n; j++) {
            const double g = chain_entry(c, i, j);
            if (g == 0) continue;
            c->index[at] = j;
            c->value[at++] = g;
            c->b[i] -= g * c->P[j];
        }
        c->start[i + 1] = at;
    }
    c->problem = (carom_problem){n,
                                 N_CHAIN,
                                 c->block,
                                 {.n = n, .start = c->start, .index = c->index, .value = c->value},
                                 c->b};
}

static void auto_solves_long_sparse_chains(void **state)
{
    (void)state;
    static chain c;
    random_state r = {5};
    carom_contact_solver *solver = NULL;
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, N_CHAIN_ROW, &solver, NULL),
                     CAROM_OK);
    for (int m = 0; m < SAMPLES(10); m++) {
        static double P[N_CHAIN_ROW];
        carom_contact_info info;
        memset(P, 0, sizeof P);
        draw_chain(&r, &c);
        assert_true(c.problem.n_row > 256);
        assert_true(carom_contact_residual(&c.problem, c.P) <= 1e-12);
        assert_int_equal(carom_contact_solve(solver, &c.problem, P, &info, NULL), CAROM_OK);
        assert_true(info.is_converged && info.residual <= 1e-11);
    }
    carom_contact_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dragged_block_sticks_below_the_radius_and_slides_at_it),
        cmocka_unit_test(a_block_on_a_table_slides_along_the_push),
        cmocka_unit_test(glue_holds_up_to_its_strength),
        cmocka_unit_test(every_solver_that_takes_discs_keeps_its_rate),
        cmocka_unit_test(auto_agrees_with_a_slow_reference),
        cmocka_unit_test(a_disc_carries_the_friction_of_the_given_part),
        cmocka_unit_test(discs_are_refused_by_name_and_wrong_ones_at_all),
        cmocka_unit_test(a_certificate_counts_what_discs_can_do),
        cmocka_unit_test(files_of_kind_mixed_hold_them_and_others_refuse),
        cmocka_unit_test(auto_solves_long_sparse_chains),
    };
    return cmocka_run_group_tests(tests, make_solvers, free_solvers);
}
