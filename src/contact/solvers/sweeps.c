// SPDX-License-Identifier: Apache-2.0
// Sweeps over contacts on the velocities of their bodies (contact/bodies/sweep.h): the cheap mode
// for many bodies. A sweep costs the same for each contact, however many there are; digits come
// slowly, so that one stops at a tolerance such as 1e-3 and is told what was reached. Problems that
// are given by a matrix have no bodies: nsgs sweeps over their rows.
#include "contact/bodies/sweep.h"
#include "contact/solver.h"

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, MOMENTUM };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 2000, 1, 1e9, NULL, "most sweeps"},
    [MOMENTUM] = {"momentum", CAROM_INTEGER, 1, 0, 1, NULL, "1 = accelerated sweeps, 0 = plain"},
    {0},
};

static size_t n_work(int max_row)
{
    return carom_solver_nsgs.n_work(max_row);
}

static size_t n_index(int max_row)
{
    return carom_solver_nsgs.n_index(max_row);
}

static carom_status sweep_rows(carom_attempt *attempt)
{
    double option[CAROM_MOST_OPTIONS];
    carom_attempt more = *attempt;
    carom_solver_default(&carom_solver_nsgs, attempt->option[CAROM_OPTION_TOLERANCE], option);
    carom_solver_tune(&carom_solver_nsgs, "iterations", attempt->option[ITERATIONS], option);
    carom_solver_tune(&carom_solver_nsgs, "momentum", attempt->option[MOMENTUM], option);
    more.option = option;
    const carom_status status = carom_solver_nsgs.solve(&more);
    attempt->iterations = more.iterations;
    attempt->residual = more.residual;
    return status;
}

static carom_status sweeps_solve(carom_attempt *attempt)
{
    attempt->solver = "sweeps";
    if (!attempt->bodies) return sweep_rows(attempt);
    carom_body_form *form = &attempt->bodies->form;
    const carom_sweep_order order = {.most = (int)attempt->option[ITERATIONS],
                                     .tolerance = attempt->option[CAROM_OPTION_TOLERANCE],
                                     .accelerates = attempt->option[MOMENTUM] > 0};
    carom_body_form_guess(form, attempt->P);
    attempt->residual =
        carom_sweeps_run(&attempt->bodies->sweeps, form, order, &attempt->iterations);
    carom_body_form_answer(form, attempt->P);
    return CAROM_OK;
}

const carom_solver carom_solver_sweeps = {
    .facts = {"sweeps",
              "Gauss-Seidel on the velocities of bodies, accelerated: many bodies, few digits",
              true, true, true, true, 0, rows},
    .in_bodies = sweeps_solve,
    .n_work = n_work,
    .n_index = n_index,
    .solve = sweeps_solve,
};
