// SPDX-License-Identifier: Apache-2.0
// Stacks of boxes with four contacts on each face, built here from masses and contact rows: many
// more contacts than independent ones, mass ratios of 1000 and more, in each of the four forms of a
// matrix. The impulses carry the weight above them, whatever their distribution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"

#include <math.h>
#include <string.h>

enum { MOST_BOX = 10, MOST = 12 * MOST_BOX, WIDTH = 12 };
static const double GRAVITY_STEP = 0.0981; // g h [m/s]

typedef struct stack {
    int n_box, n;
    double mass[MOST_BOX];
    carom_problem problem;
    carom_block block[4 * MOST_BOX];
    double W[MOST][6 * MOST_BOX], inverse[6 * MOST_BOX], G[MOST * MOST], b[MOST];
    // factors
    carom_factors factors;
    int start[MOST + 1], index[MOST * WIDTH], mass_row[6 * MOST_BOX + 1], at[6 * MOST_BOX];
    double value[MOST * WIDTH], scratch[12 * MOST_BOX];
    // by rows, by block rows
    int row_start[MOST + 1], row_index[MOST * MOST];
    double row_value[MOST * MOST], block_value[MOST * MOST];
    carom_block_rows blocks;
    int first[4 * MOST_BOX + 1], block_start[4 * MOST_BOX + 1],
        block_index[16 * MOST_BOX * MOST_BOX], block_at[16 * MOST_BOX * MOST_BOX];
} stack;

static stack s;
static double P[MOST];

// the rows of one contact at (x, y) on the lower face of a unit box: z, x, y at the point
static void add_push(int row, int box, double sign, double x, double y, double z)
{
    double *N = s.W[row] + 6 * box, *T = s.W[row + 1] + 6 * box, *S = s.W[row + 2] + 6 * box;
    N[2] = sign, N[3] = sign * y, N[4] = -sign * x;
    T[0] = sign, T[4] = sign * z, T[5] = -sign * y;
    S[1] = sign, S[3] = -sign * z, S[5] = sign * x;
}

static void multiply_out(void)
{
    const int m = 6 * s.n_box;
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < s.n; j++) {
            double sum = 0;
            for (int c = 0; c < m; c++) sum += s.W[i][c] * s.inverse[c] * s.W[j][c];
            s.G[j * s.n + i] = sum;
        }
    for (int i = 0; i < s.n; i++) {
        s.b[i] = 0;
        for (int box = 0; box < s.n_box; box++) s.b[i] -= s.W[i][6 * box + 2] * GRAVITY_STEP;
    }
}

// unit cubes on the ground; the last has ratio times the mass of the others
static void make_stack(int n_box, double ratio, double mu)
{
    memset(&s, 0, sizeof s);
    s.n_box = n_box;
    s.n = 12 * n_box;
    for (int box = 0; box < n_box; box++) {
        s.mass[box] = box == n_box - 1 ? ratio : 1;
        for (int c = 0; c < 6; c++) s.inverse[6 * box + c] = (c < 3 ? 1 : 6) / s.mass[box];
        for (int k = 0; k < 4; k++) {
            const int contact = 4 * box + k;
            const double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5;
            s.block[contact] =
                (carom_block){.first = 3 * contact, .dim = 3, .mu = mu, .id = contact};
            add_push(3 * contact, box, 1, x, y, -0.5);
            if (box > 0) add_push(3 * contact, box - 1, -1, x, y, 0.5);
        }
    }
    multiply_out();
    s.problem = (carom_problem){s.n, 4 * n_box, s.block, {.n = s.n, .dense = s.G}, s.b};
}

static void to_factors(void)
{
    int p = 0;
    for (int i = 0; i < s.n; i++) {
        s.start[i] = p;
        for (int c = 0; c < 6 * s.n_box; c++)
            if (s.W[i][c] != 0) s.index[p] = c, s.value[p++] = s.W[i][c];
    }
    s.start[s.n] = p;
    for (int c = 0; c <= 6 * s.n_box; c++) s.mass_row[c] = c;
    for (int c = 0; c < 6 * s.n_box; c++) s.at[c] = c;
    s.factors = (carom_factors){.n_column = 6 * s.n_box,
                                .start = s.start,
                                .index = s.index,
                                .value = s.value,
                                .n_mass = 6 * s.n_box,
                                .mass_row = s.mass_row,
                                .inverse = s.inverse,
                                .inverse_at = s.at,
                                .scratch = s.scratch};
    s.problem.G = (carom_matrix){.n = s.n, .factors = &s.factors};
}

static void to_rows(void)
{
    int p = 0;
    for (int i = 0; i < s.n; i++) {
        s.row_start[i] = p;
        for (int j = 0; j < s.n; j++)
            if (s.G[j * s.n + i] != 0 || i == j)
                s.row_index[p] = j, s.row_value[p++] = s.G[j * s.n + i];
    }
    s.row_start[s.n] = p;
    s.problem.G =
        (carom_matrix){.n = s.n, .start = s.row_start, .index = s.row_index, .value = s.row_value};
}

static void to_blocks(void)
{
    const int n = 4 * s.n_box;
    int p = 0;
    for (int k = 0; k < n; k++) {
        s.first[k] = 3 * k;
        s.block_start[k] = p;
        for (int c = 0; c < n; c++, p++) {
            s.block_index[p] = c;
            s.block_at[p] = 9 * p;
            for (int e = 0; e < 9; e++)
                s.block_value[9 * p + e] = s.G[(3 * c + e / 3) * s.n + 3 * k + e % 3];
        }
    }
    s.first[n] = s.n;
    s.block_start[n] = p;
    s.blocks =
        (carom_block_rows){n, s.first, s.block_start, s.block_index, s.block_value, s.block_at};
    s.problem.G = (carom_matrix){.n = s.n, .blocks = &s.blocks};
}

static void choose_form(int form)
{
    if (form == 1) to_rows();
    if (form == 2) to_blocks();
    if (form == 3) to_factors();
}

static carom_contact_info solve_stack(const char *name)
{
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    memset(P, 0, sizeof P);
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, s.n, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    return info;
}

// each face carries the weight above it
static void assert_weight_is_carried(double residual)
{
    double above = 0, total = 0;
    for (int box = 0; box < s.n_box; box++) total += s.mass[box] * GRAVITY_STEP;
    for (int box = s.n_box - 1; box >= 0; box--) {
        double sum = 0;
        above += s.mass[box] * GRAVITY_STEP;
        for (int k = 0; k < 4; k++) sum += P[3 * (4 * box + k)];
        // rates wrong by residual * 1e3 * max|b| (0.1), times 10 for levers and roots of diag G,
        // add up from box to box and change momenta by the mass they move
        const double moved = total / GRAVITY_STEP;
        assert_true(fabs(sum - above) <= 1e3 * s.n_box * fmax(residual, 1e-14) * moved);
    }
}

static void ten_boxes_are_held_in_all_four_forms(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        make_stack(10, 1, 0.5);
        choose_form(form);
        const carom_contact_info info = solve_stack("auto");
        assert_true(info.residual <= 1e-10 && info.outcome == CAROM_CONTACT_SOLVED);
        assert_weight_is_carried(info.residual);
    }
}

static void heavy_boxes_on_light_ones_are_held(void **state)
{
    (void)state;
    const double ratio[] = {1e3, 1e6};
    const char *const names[] = {"auto", "prox"};
    for (int m = 0; m < 16; m++) {
        make_stack(m / 8 ? 10 : 5, ratio[m / 4 % 2], 0.5);
        choose_form(m % 2 ? 1 : 3);
        const carom_contact_info info = solve_stack(names[m / 2 % 2]);
        print_message("%d boxes, %g: %s, residual %.1e\n", s.n_box, ratio[m / 4 % 2], info.solver,
                      info.residual);
        assert_true(info.residual <= 1e-10);
        assert_weight_is_carried(info.residual);
    }
}

// the measures of files against their definition, at an answer and beside it
static void errors_are_those_of_the_definition(void **state)
{
    (void)state;
    double err_rel, err_max;
    make_stack(1, 1, 0.5);
    solve_stack("auto");
    carom_contact_errors(&s.problem, P, &err_rel, &err_max);
    assert_true(err_rel <= 1e-12 && err_max <= 1e-12);
    // without impulses xi = b = (-v, 0, 0) four times: P - proj(P - u~) = -(v, 0, 0)
    memset(P, 0, sizeof P);
    carom_contact_errors(&s.problem, P, &err_rel, &err_max);
    assert_true(fabs(err_rel - 1) < 1e-14 && fabs(err_max - 1) < 1e-14);
}

static void refining_never_makes_an_answer_worse(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        carom_contact_solver *solver = NULL;
        carom_contact_info info = {0};
        double before, after;
        make_stack(6, 1e3, 0.3);
        choose_form(form);
        const carom_setting rough = {{"tolerance", {0}}, {"1e-5", {0}}};
        memset(P, 0, sizeof P);
        assert_int_equal(carom_contact_solver_new("auto", &rough, 1, s.n, &solver, NULL), CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
        carom_contact_errors(&s.problem, P, &before, NULL);
        assert_int_equal(carom_contact_refine(solver, &s.problem, P, &info, NULL), CAROM_OK);
        carom_contact_errors(&s.problem, P, &after, NULL);
        carom_contact_solver_free(solver);
        assert_true(after <= before && info.residual <= 1e-11);
    }
}

static void a_good_guess_makes_a_solve_cheap(void **state)
{
    (void)state;
    carom_contact_solver *solver = NULL;
    carom_contact_info cold, warm;
    make_stack(10, 1, 0.5);
    choose_form(1);
    memset(P, 0, sizeof P);
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, s.n, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &s.problem, P, &cold, NULL), CAROM_OK);
    for (int i = 0; i < s.n; i++) s.b[i] *= 1.001;
    assert_int_equal(carom_contact_solve(solver, &s.problem, P, &warm, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(warm.is_converged && warm.iterations <= cold.iterations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_boxes_are_held_in_all_four_forms),
        cmocka_unit_test(heavy_boxes_on_light_ones_are_held),
        cmocka_unit_test(errors_are_those_of_the_definition),
        cmocka_unit_test(refining_never_makes_an_answer_worse),
        cmocka_unit_test(a_good_guess_makes_a_solve_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
