// SPDX-License-Identifier: Apache-2.0
// Problems in the velocities of their bodies: the form is that of the problem, sweeps and
// factorisations find what the solvers of the matrix find.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_scene.h"
#include "contact/solver.h"

enum { N_TRY = 12 };

// 3 plain, in the plane, with rods, with discs, with all and full masses
static scene_recipe recipe_of(int i)
{
    return (scene_recipe){.across = 4 + i % 3,
                          .high = 4 + i % 2,
                          .in_plane = i % 4 == 1,
                          .has_rods = i % 3 == 2,
                          .has_discs = i % 4 > 1,
                          .has_dense_mass = i % 5 > 2,
                          .mu = i % 6 == 5 ? 0 : 0.3,
                          .heavy = i % 2 ? 1 : 10};
}

// S G S p of the problem by its matrix
static void product_by_rows(const scene *s, const carom_body_form *form, const double *p, double *x)
{
    double P[SCENE_ROWS], xi[SCENE_ROWS];
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < form->piece[k].dim; i++)
            P[form->piece[k].first + i] = form->s[k * form->dim + i] * p[k * form->dim + i];
    carom_matrix_product(&s->sparse.G, P, xi);
    for (int k = 0; k < form->n_piece; k++)
        for (int i = 0; i < form->piece[k].dim; i++)
            x[k * form->dim + i] = form->s[k * form->dim + i] * xi[form->piece[k].first + i];
}

static void the_form_is_the_problem(void **state)
{
    (void)state;
    static scene s;
    random_state r = {11};
    carom_body_form form = {0};
    for (int m = 0; m < N_TRY; m++) {
        const scene_recipe c = recipe_of(m);
        double d[SCENE_ROWS], p[SCENE_ROWS], x[SCENE_ROWS], y[SCENE_ROWS], P[SCENE_ROWS];
        make_scene(&s, &c, &r);
        for (int i = 0; i < s.problem.n_row; i++) d[i] = 0.1 * (i % 3);
        if (m % 2) s.factors.diagonal = d;
        if (m % 2) close_scene(&s);
        if (m % 2) multiply_out(&s);
        assert_null(carom_body_form_fill(&form, &s.problem));
        assert_int_equal(form.width, c.in_plane ? 3 : 6);
        for (int i = 0; i < s.problem.n_row; i++) P[i] = draw(&r);
        carom_body_form_guess(&form, P);
        memcpy(p, form.P, sizeof *p * (size_t)(form.n_piece * form.dim));
        carom_body_form_push(&form, p, form.v);
        carom_body_form_rates(&form, form.v, p, false, x);
        product_by_rows(&s, &form, p, y);
        for (int k = 0; k < form.n_piece; k++)
            for (int i = 0; i < form.piece[k].dim; i++)
                if (!(fabs(x[k * form.dim + i] - y[k * form.dim + i]) < 1e-12))
                    fail_msg("try %d row %d: %g, not %g, diff %g", m, i, x[k * form.dim + i],
                             y[k * form.dim + i], x[k * form.dim + i] - y[k * form.dim + i]);
        carom_body_form_rates(&form, form.v, p, true, x);
        const double one = carom_contact_residual(&s.sparse, P);
        assert_true(fabs(carom_body_form_residual(&form, p, x) / one - 1) < 1e-11);
        carom_body_form_answer(&form, y);
        for (int i = 0; i < s.problem.n_row; i++) assert_true(fabs(y[i] - P[i]) < 1e-14);
        close_scene(&s);
    }
    carom_body_form_free(&form);
}

static void pieces_of_a_colour_share_no_body(void **state)
{
    (void)state;
    static scene s;
    random_state r = {12};
    carom_body_form form = {0};
    for (int m = 0; m < N_TRY; m++) {
        const scene_recipe c = recipe_of(m);
        make_scene(&s, &c, &r);
        assert_null(carom_body_form_fill(&form, &s.problem));
        assert_true(form.n_body <= 2 * s.n_body && !form.last_is_mixed);
        assert_int_equal(form.colour[form.n_colour], form.n_piece);
        for (int colour = 0; colour < form.n_colour; colour++) {
            int owner[SCENE_BODIES * 6] = {0};
            for (int k = form.colour[colour]; k < form.colour[colour + 1]; k++)
                for (int t = form.piece[k].part; t < form.piece[k + 1].part; t++)
                    assert_int_equal(owner[form.body[t]]++, 0);
        }
        close_scene(&s);
    }
    carom_body_form_free(&form);
}

// S, and the blocks of R and C by rows; R NULL: the identity
typedef struct mixture {
    const double *scale, *R, *C;
} mixture;

// y - (R S^-1 G S^-1 + C) x in row i, relative to what was added up
static double rest_of_row(const mixture *m, const double *Gx, const carom_block *block, int i,
                          const double *x, double y)
{
    const double *R = m->R, *C = m->C, *scale = m->scale;
    const bool is_equality = carom_block_is_equality(block);
    double rest = y, size = fabs(y);
    for (int k = 0; k < block->dim; k++) {
        const int row = block->first + k;
        const double r = is_equality ? row == i : R ? R[3 * i + k] : row == i;
        const double c = is_equality ? (row == i ? C[3 * i] : 0) : C[3 * i + k];
        rest -= r * Gx[row] / scale[row] + c * x[row];
        size += fabs(r * Gx[row] / scale[row]) + fabs(c * x[row]);
    }
    return rest / size;
}

// numbers that are exact: I + J' D J = [2 1 1; 1 2 1; 1 1 2] for one body
static void blocks_of_whole_numbers_are_exact(void **state)
{
    (void)state;
    int part_body[] = {0}, colour[] = {0, 1};
    carom_piece piece[] = {{.dim = 2, .part = 0}, {.part = 1}};
    double J[] = {1, 1, 1, 0, 0, 0}, v[] = {4, 5, 3};
    const double D[] = {1, 0, 0, 1};
    const carom_body_form form = {.n_piece = 1,
                                  .n_part = 1,
                                  .n_body = 1,
                                  .n_row = 2,
                                  .dim = 2,
                                  .width = 3,
                                  .piece = piece,
                                  .n_colour = 1,
                                  .colour = colour,
                                  .body = part_body,
                                  .J = J};
    carom_body_lu lu = {0};
    assert_true(carom_body_lu_factor(&lu, &form, D));
    carom_body_lu_solve(&lu, v);
    const double expected[] = {1, 2, 0};
    for (int i = 0; i < 3; i++) assert_true(fabs(v[i] - expected[i]) < 1e-15);
    carom_body_lu_free(&lu);
}

static void systems_of_contacts_are_solved_by_bodies(void **state)
{
    (void)state;
    static scene s;
    static double R[3 * SCENE_ROWS], C[3 * SCENE_ROWS];
    random_state r = {16};
    carom_body_form form = {0};
    carom_body_lu lu = {0};
    carom_body_blend blend = {0};
    for (int m = 0; m < 2 * N_TRY; m++) {
        const scene_recipe c = recipe_of(m / 2); // each pattern twice: one analysis
        double scale[SCENE_ROWS], x[SCENE_ROWS], y[SCENE_ROWS], p[SCENE_ROWS], Gx[SCENE_ROWS];
        make_scene(&s, &c, &r);
        const int n = s.problem.n_row;
        const double *const mix = m % 3 ? R : NULL;
        assert_null(carom_body_form_fill(&form, &s.problem));
        for (int i = 0; i < n; i++) scale[i] = ldexp(1, i % 3 - 1);
        assert_true(carom_body_blend_open(&blend, &form, &lu, scale));
        for (int i = 0; i < 3 * n; i++) R[i] = 0.2 * draw(&r);
        for (int i = 0; i < 3 * n; i++) C[i] = 0.1 * draw(&r);
        for (int k = 0; k < s.problem.n_block; k++)
            for (int i = 0; i < s.block[k].dim; i++) {
                const int at = 3 * (s.block[k].first + i) + i;
                R[at] = 1;
                C[at] = m % 2 ? 1e-5 : 2;
            }
        for (int i = 0; i < 3 * n && m % 2; i++)
            if (C[i] != 1e-5) C[i] *= 1e-5;
        for (int i = 0; i < n; i++) x[i] = y[i] = draw(&r);
        assert_true(carom_body_blend_factor(&blend, mix, C));
        carom_body_blend_solve(&blend, x);
        for (int i = 0; i < n; i++) p[i] = x[i] / scale[i];
        carom_matrix_product(&s.sparse.G, p, Gx);
        for (int k = 0; k < s.problem.n_block; k++)
            for (int i = s.block[k].first; i < s.block[k].first + s.block[k].dim; i++) {
                const double rest =
                    rest_of_row(&(mixture){scale, mix, C}, Gx, &s.block[k], i, x, y[i]);
                if (!(fabs(rest) < 1e-9)) fail_msg("try %d row %d: %g is left", m, i, rest);
            }
        close_scene(&s);
    }
    carom_body_blend_close(&blend);
    carom_body_lu_free(&lu);
    carom_body_form_free(&form);
}

// rates of two answers agree; impulses need not be unique
static void expect_same_rates(const scene *s, const double *P, const double *Q, double tolerance)
{
    double x[SCENE_ROWS], y[SCENE_ROWS], size = 0;
    carom_problem_rates(&s->sparse, P, x);
    carom_problem_rates(&s->sparse, Q, y);
    for (int i = 0; i < s->problem.n_row; i++) size = carom_larger(size, fabs(s->b[i]));
    for (int i = 0; i < s->problem.n_row; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance * size)) fail_msg("row %d: %g and %g", i, x[i], y[i]);
}

static double solve_by(const char *name, const carom_problem *problem, double *P, const char **by)
{
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    const carom_setting most = {{.text = "iterations"}, {.text = "200000"}};
    const int n = strcmp(name, "sweeps") == 0;
    for (int i = 0; i < problem->n_row; i++) P[i] = 0;
    assert_int_equal(carom_contact_solver_new(name, &most, n, problem->n_row, &solver, NULL), 0);
    assert_int_equal(carom_contact_solve(solver, problem, P, &info, NULL), 0);
    *by = info.solver;
    carom_contact_solver_free(solver);
    return carom_contact_residual(problem, P);
}

static void bodies_and_matrix_have_one_answer(void **state)
{
    (void)state;
    static const char *const name[] = {"sweeps", "auto", "interior_point", "prox"};
    static scene s;
    random_state r = {13};
    for (int m = 0; m < 2 * N_TRY; m++) {
        const scene_recipe c = recipe_of(m);
        double P[SCENE_ROWS], Q[SCENE_ROWS];
        const char *by;
        make_scene(&s, &c, &r);
        assert_true(solve_by("prox", &s.sparse, Q, &by) < 1e-11);
        for (int i = 0; i < 4; i++) {
            const double residual = solve_by(name[i], &s.problem, P, &by);
            if (!(residual <= 1e-11)) fail_msg("try %d: %s leaves %g", m, by, residual);
            if (i != 1) assert_string_equal(by, name[i]);
            expect_same_rates(&s, P, Q, 1e-9);
        }
        close_scene(&s);
    }
}

// a tolerance ends the sweeps, and what is reported is what was reached
static void few_digits_take_few_sweeps(void **state)
{
    (void)state;
    static scene s;
    random_state r = {14};
    const scene_recipe c = recipe_of(0);
    const carom_setting loose = {{.text = "tolerance"}, {.text = "1e-3"}};
    int iterations[2];
    make_scene(&s, &c, &r);
    for (int i = 0; i < 2; i++) {
        carom_contact_solver *solver = NULL;
        carom_contact_info info;
        double P[SCENE_ROWS] = {0};
        assert_int_equal(
            carom_contact_solver_new("auto", &loose, i, s.problem.n_row, &solver, NULL), 0);
        assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), 0);
        iterations[i] = info.iterations;
        assert_true(info.residual == carom_contact_residual(&s.problem, P));
        if (i == 1) assert_true(info.residual <= 1e-3 && info.residual > 1e-9);
        assert_true(info.is_converged); // to what was asked
        if (i == 1) assert_string_equal(info.solver, "sweeps");
        carom_contact_solver_free(solver);
    }
    assert_true(iterations[1] < iterations[0]);
    close_scene(&s);
}

// factors that are too large are not made: sweeps go on without, and their size is told
static void factors_have_a_limit(void **state)
{
    (void)state;
    static scene s;
    random_state r = {16};
    const scene_recipe c = recipe_of(0);
    make_scene(&s, &c, &r);
    for (int i = 0; i < 3; i++) {
        carom_contact_solver *solver = NULL;
        carom_contact_info info;
        double P[SCENE_ROWS] = {0};
        assert_int_equal(
            carom_contact_solver_new("interior_point", NULL, 0, s.problem.n_row, &solver, NULL), 0);
        carom_body_lu *lu = &carom_contact_solver_bodies(solver)->lu;
        const double least = 2.0 * 36 * sizeof(double);
        lu->most = i == 0 ? 0 : i == 1 ? 1e9 : least;
        assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), 0);
        if (i < 2) assert_true(info.is_converged && lu->refused == 0);
        if (i < 2) assert_true(carom_body_lu_size(lu) * sizeof(double) > least);
        if (i == 2) assert_true(lu->is_refused && lu->refused > least && !lu->l);
        carom_contact_solver_free(solver);
    }
    close_scene(&s);
}

static void what_has_no_bodies_is_refused(void **state)
{
    (void)state;
    static scene s;
    random_state r = {15};
    const scene_recipe c = recipe_of(0);
    carom_body_form form = {0};
    make_scene(&s, &c, &r);
    assert_non_null(strstr(carom_body_form_fill(&form, &s.sparse), "factors"));
    s.inverse[0] = -1;
    assert_non_null(strstr(carom_body_form_fill(&form, &s.problem), "positive definite"));
    double large[49] = {0};
    for (int i = 0; i < 7; i++) large[8 * i] = 1;
    const int row[2] = {0, 7}, at = 0;
    carom_factors seven = s.factors;
    seven.mass_row = (int[]){row[0], row[1]};
    seven.inverse_at = (int[]){at};
    seven.inverse = large;
    seven.n_mass = 1;
    seven.n_column = 7;
    carom_problem problem = s.problem;
    problem.n_row = problem.n_block = problem.G.n = 0;
    problem.G.factors = &seven;
    assert_non_null(strstr(carom_body_form_fill(&form, &problem), "six velocities"));
    carom_body_form_free(&form);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_is_the_problem),
        cmocka_unit_test(pieces_of_a_colour_share_no_body),
        cmocka_unit_test(blocks_of_whole_numbers_are_exact),
        cmocka_unit_test(systems_of_contacts_are_solved_by_bodies),
        cmocka_unit_test(bodies_and_matrix_have_one_answer),
        cmocka_unit_test(few_digits_take_few_sweeps),
        cmocka_unit_test(factors_have_a_limit),
        cmocka_unit_test(what_has_no_bodies_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
