// SPDX-License-Identifier: Apache-2.0
// The solver object: memory, options, and one solve. Every solve goes the same way:
//
//     0. where a part of an impulse is given (lower), the problem of what comes on top of it
//     1. closed form, where there is one (closed.h)
//     2. small problems:   a scaled dense copy (reduce.h), bilateral rows eliminated where the
//                          solver wants that; the solver; where its answer fails the check, its
//                          second and last choice
//        large problems:   the solver's first choice on the problem as it is (sparse, without
//                          friction); else a scaled copy by block rows (blocked_matrix.h), and the
//                          solver
//     3. the residual, computed here from the caller's problem and the answer alone
//
// What no solver can solve is said to have no solution only where that is proven (jam.h).
#include "base/arena.h"
#include "base/need.h"
#include "base/options.h"
#include "base/text.h"
#include "contact/problem/blocked_matrix.h"
#include "contact/problem/jam.h"
#include "contact/problem/reduce.h"
#include "contact/small/closed.h"
#include "contact/solver.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct carom_contact_solver {
    carom_arena *arena;
    const carom_solver *method;
    int max_row;
    int dense_limit; ///< rows up to which scaled copies fit
    carom_scaled whole;
    carom_reduced reduced;
    carom_blocked blocked; ///< larger problems
    carom_block_lu lu;
    carom_symmetric symmetric;
    carom_body_space bodies; ///< larger problems that are given as factors
    double *work, *first, option[CAROM_MOST_OPTIONS];
    int *index;
    carom_block *raised_block; ///< (max_row) the problem without given parts of impulses,
    double *raised_b, *raise;  ///< (max_row) and what they do
    carom_contact_witness witness;
    double seconds; ///< of processor time that large problems have taken
};

static const carom_solver *const table[] = {
#define X(name) &carom_solver_##name,
#include "contact/solvers/solvers_table.h"
#undef X
};

static const double REFINED = 1e-14; // a tolerance just above rounding
enum { N_SECOND = 300 };             // most Newton steps of a second try
enum { N_SOLVER = sizeof table / sizeof *table };

int carom_solver_count(void)
{
    return N_SOLVER;
}

const carom_solver_facts *carom_solver_at(int i)
{
    return i >= 0 && i < N_SOLVER ? &table[i]->facts : NULL;
}

static carom_status find_solver(const char *name, const carom_solver **solver, carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(name);
    char hint[128];
    for (int i = 0; i < N_SOLVER; i++) {
        carom_nearest_try(&nearest, table[i]->facts.name);
        if (strcmp(table[i]->facts.name, name) != 0) continue;
        *solver = table[i];
        return CAROM_OK;
    }
    return carom_fail(error, CAROM_BAD_INPUT,
                      "unknown solver '%s'%s; `carom list solvers` shows all", name,
                      carom_nearest_hint(&nearest, hint, sizeof hint));
}

static bool take_memory(carom_contact_solver *solver)
{
    const int n = solver->max_row;
    carom_arena *arena = solver->arena;
    solver->dense_limit = n < CAROM_DENSE_LIMIT ? n : CAROM_DENSE_LIMIT;
    const carom_solver *method = solver->method, *last = method->last;
    const size_t work[2] = {method->n_work(n), last ? last->n_work(n) : 0};
    const size_t index[2] = {method->n_index(n), last ? last->n_index(n) : 0};
    solver->work = CAROM_TAKE(arena, double, work[0] > work[1] ? work[0] : work[1]);
    solver->index = CAROM_TAKE(arena, int, index[0] > index[1] ? index[0] : index[1]);
    solver->first = CAROM_TAKE(arena, double, n);
    solver->raised_block = CAROM_TAKE(arena, carom_block, n);
    solver->raised_b = CAROM_TAKE(arena, double, n);
    solver->raise = CAROM_TAKE(arena, double, n);
    const int m = solver->dense_limit;
    if (method->takes_symmetric && !carom_symmetric_reserve(&solver->symmetric, m, m * m))
        return false;
    return solver->work && solver->index && solver->first && solver->raised_block &&
           solver->raised_b && solver->raise &&
           carom_scaled_take(arena, solver->dense_limit, &solver->whole) &&
           carom_reduced_take(arena, solver->dense_limit, &solver->reduced);
}

carom_status carom_contact_solver_new(const char *name, const carom_setting *setting, int n_setting,
                                      int max_row, carom_contact_solver **solver,
                                      carom_error *error)
{
    const carom_solver *method = NULL;
    double option[CAROM_MOST_OPTIONS] = {0};
    char owner[64];
    CAROM_NEED(error, solver);
    *solver = NULL;
    CAROM_NEED_ARRAY(error, setting, n_setting);
    CAROM_NEED_THAT(error, max_row >= 0 && max_row < INT_MAX / 2, "max_row is %d", max_row);
    CAROM_TRY(find_solver(name ? name : "auto", &method, error));
    snprintf(owner, sizeof owner, "solver %s", method->facts.name);
    carom_options_default(method->facts.option, option);
    for (int i = 0; i < n_setting; i++)
        CAROM_TRY(carom_options_set(method->facts.option, owner, &setting[i], option, error));
    carom_arena *arena = carom_arena_new();
    carom_contact_solver *made = arena ? CAROM_TAKE(arena, carom_contact_solver, 1) : NULL;
    if (made) {
        made->arena = arena;
        made->method = method;
        made->max_row = max_row;
        memcpy(made->option, option, sizeof option);
    }
    if (!made || !take_memory(made)) {
        if (made) carom_symmetric_free(&made->symmetric);
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for solver %s with %d rows",
                          method->facts.name, max_row);
    }
    *solver = made;
    return CAROM_OK;
}

carom_status carom_contact_solver_like(const carom_contact_solver *other, int max_row,
                                       carom_contact_solver **solver, carom_error *error)
{
    CAROM_TRY(carom_contact_solver_new(other->method->facts.name, NULL, 0, max_row, solver, error));
    memcpy((*solver)->option, other->option, sizeof other->option);
    (*solver)->witness = other->witness;
    (*solver)->bodies.form.team = other->bodies.form.team;
    (*solver)->bodies.lu.most = other->bodies.lu.most;
    return CAROM_OK;
}

void carom_solver_default(const carom_solver *solver, double tolerance,
                          double option[CAROM_MOST_OPTIONS])
{
    carom_options_default(solver->facts.option, option);
    option[CAROM_OPTION_TOLERANCE] = tolerance;
}

bool carom_solver_tune(const carom_solver *solver, const char *name, double value,
                       double option[CAROM_MOST_OPTIONS])
{
    const carom_option *rows = solver->facts.option;
    for (int i = 0; name && rows[i].name; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        option[i] = value;
        return true;
    }
    return false;
}

void carom_solver_go_on(const carom_solver *other, carom_attempt *attempt, int n_step)
{
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    double option[CAROM_MOST_OPTIONS];
    carom_attempt more = *attempt;
    if (n_step < 1 || attempt->residual <= tolerance) return;
    carom_solver_default(other, tolerance, option);
    more.option = option;
    more.limit = n_step;
    if (other->solve(&more) != CAROM_OK) return;
    attempt->iterations = more.iterations;
    attempt->residual = more.residual;
}

const carom_solver_facts *carom_contact_solver_facts(const carom_contact_solver *solver)
{
    return &solver->method->facts;
}

carom_body_space *carom_contact_solver_bodies(carom_contact_solver *solver)
{
    return &solver->bodies;
}

double carom_contact_solver_seconds(const carom_contact_solver *solver)
{
    return solver->seconds;
}

double carom_contact_solver_goal(const carom_contact_solver *solver)
{
    const double asked = solver->option[CAROM_OPTION_TOLERANCE];
    return asked > CAROM_CONTACT_TOLERANCE ? asked : CAROM_CONTACT_TOLERANCE;
}

void carom_contact_solver_free(carom_contact_solver *solver)
{
    if (!solver) return;
    carom_blocked_free(&solver->blocked);
    carom_block_lu_free(&solver->lu);
    carom_symmetric_free(&solver->symmetric);
    carom_body_form_free(&solver->bodies.form);
    carom_sweeps_free(&solver->bodies.sweeps);
    carom_body_lu_free(&solver->bodies.lu);
    carom_body_blend_close(&solver->bodies.blend);
    carom_arena_free(solver->arena);
}

void carom_contact_solver_show(carom_contact_solver *solver, carom_contact_witness witness)
{
    solver->witness = witness;
}

// notes how good an answer is; true where it will do
static inline bool judge(const carom_contact_solver *solver, double residual,
                         carom_contact_info *info)
{
    info->residual = residual;
    info->is_converged = residual <= carom_contact_solver_goal(solver);
    return residual <= solver->option[CAROM_OPTION_TOLERANCE];
}

// checks the answer against the caller's problem
static bool check_answer(const carom_contact_solver *solver, const carom_problem *problem,
                         const double *P, carom_contact_info *info)
{
    return judge(solver, carom_residual_formed(problem, P), info);
}

// the closed form, checked against its problem: most problems of a step, without a call
static inline __attribute__((always_inline)) bool solves_closed(const carom_contact_solver *solver,
                                                                const carom_problem *problem,
                                                                double *P, carom_contact_info *info)
{
    double room[CAROM_CLOSED_ROWS];
    const double *xi = carom_contact_closed(problem, P, room);
    return xi && judge(solver, carom_residual_at(problem, P, xi), info);
}

// a guess that is not finite counts as 0
static bool is_finite(const carom_problem *problem, double *P)
{
    for (int i = 0; i < problem->n_row; i++)
        if (!isfinite(P[i])) P[i] = 0;
    return carom_problem_is_finite(problem);
}

// the options of a method that goes on where the asked one has not done: it takes over what it
// has by the same name
static void hand_on_options(const carom_contact_solver *solver, const carom_solver *method,
                            double option[CAROM_MOST_OPTIONS])
{
    const carom_solver *asked = solver->method;
    carom_solver_default(method, solver->option[CAROM_OPTION_TOLERANCE], option);
    for (int i = 0; asked->facts.option[i].name; i++)
        carom_solver_tune(method, asked->facts.option[i].name, solver->option[i], option);
    if (method == asked->second)
        carom_solver_tune(method, asked->second_tuning.name, asked->second_tuning.value, option);
}

static carom_status run_method(carom_contact_solver *solver, const carom_solver *method,
                               const carom_problem *problem, double *P, carom_contact_info *info,
                               carom_error *error)
{
    info->solver = "closed form";
    if (method->tries_closed && solves_closed(solver, problem, P, info)) return CAROM_OK;
    double handed_on[CAROM_MOST_OPTIONS];
    const bool is_asked = method == solver->method;
    if (!is_asked) hand_on_options(solver, method, handed_on);
    carom_attempt attempt = {.problem = problem,
                             .P = P,
                             .option = is_asked ? solver->option : handed_on,
                             .work = solver->work,
                             .index = solver->index,
                             .solver = method->facts.name,
                             .residual = INFINITY,
                             .lu = &solver->lu,
                             .symmetric = &solver->symmetric,
                             .limit = is_asked ? 0 : N_SECOND,
                             .error = error};
    const carom_status status = method->solve(&attempt);
    info->iterations += attempt.iterations;
    if (attempt.has_certificate) info->outcome = CAROM_CONTACT_NO_SOLUTION;
    info->solver = attempt.solver;
    return status;
}

// on the scaled copy, with bilateral rows eliminated where the method wants that
static carom_status run_small(carom_contact_solver *solver, const carom_solver *method, double *P,
                              carom_contact_info *info, carom_error *error)
{
    carom_scaled *whole = &solver->whole;
    if (method->eliminates && carom_reduced_is_needed(&whole->problem)) {
        carom_reduced *reduced = &solver->reduced;
        carom_reduced_fill(whole, reduced);
        CAROM_TRY(
            run_method(solver, method, &reduced->contact.problem, reduced->contact.P, info, error));
        carom_reduced_answer(reduced, whole);
    } else {
        CAROM_TRY(run_method(solver, method, &whole->problem, whole->P, info, error));
    }
    carom_scaled_answer(whole, P);
    return CAROM_OK;
}

// another method from the answer so far; the better of the two stays
static carom_status run_other(carom_contact_solver *solver, const carom_solver *method,
                              const carom_problem *problem, double *P, carom_contact_info *info,
                              carom_error *error)
{
    const size_t size = sizeof *P * (size_t)problem->n_row;
    const carom_contact_info before = *info;
    memcpy(solver->first, P, size);
    CAROM_TRY(run_small(solver, method, P, info, error));
    check_answer(solver, problem, P, info);
    if (info->residual < before.residual) return CAROM_OK;
    memcpy(P, solver->first, size);
    info->residual = before.residual;
    info->is_converged = before.is_converged;
    info->solver = before.solver;
    return CAROM_OK;
}

// on a scaled copy by block rows
static carom_status run_large(carom_contact_solver *solver, const carom_solver *method,
                              const carom_problem *problem, double *P, carom_contact_info *info,
                              carom_error *error)
{
    if (!carom_blocked_fill(&solver->blocked, problem, P))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for a contact problem of %d rows",
                          problem->n_row);
    CAROM_TRY(run_method(solver, method, &solver->blocked.problem, solver->blocked.P, info, error));
    carom_blocked_answer(&solver->blocked, P);
    check_answer(solver, problem, P, info);
    return CAROM_OK;
}

// whether some contact has friction, or there are discs
static bool any_friction(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (block->is_bilateral ? block->is_limited : block->dim > 1 && block->mu > 0) return true;
    }
    return false;
}

static bool is_large(const carom_contact_solver *solver, const carom_problem *problem)
{
    const int sparse =
        solver->dense_limit < CAROM_SPARSE_LIMIT ? solver->dense_limit : CAROM_SPARSE_LIMIT;
    return problem->n_row > (problem->G.dense ? solver->dense_limit : sparse);
}

// the method's first choice, on the caller's problem: no copy is made
static bool solves_at_once(carom_contact_solver *solver, const carom_problem *problem, double *P,
                           carom_contact_info *info)
{
    const carom_solver *first = solver->method->first;
    const size_t size = sizeof *P * (size_t)problem->n_row;
    if (!first || !carom_matrix_is_sparse(&problem->G) || carom_problem_has_friction(problem) ||
        carom_problem_has_discs(problem))
        return false;
    double option[CAROM_MOST_OPTIONS];
    carom_solver_default(first, solver->option[CAROM_OPTION_TOLERANCE], option);
    memcpy(solver->first, P, size);
    carom_attempt attempt = {.problem = problem,
                             .P = P,
                             .option = option,
                             .work = solver->work,
                             .index = solver->index,
                             .symmetric = &solver->symmetric};
    const carom_status status = first->solve(&attempt);
    info->iterations += attempt.iterations;
    info->solver = attempt.solver;
    if (status == CAROM_OK && check_answer(solver, problem, P, info)) return true;
    memcpy(P, solver->first, size);
    return false;
}

bool carom_contact_takes_factors(const carom_contact_solver *solver, int n)
{
    return solver->method->in_bodies && n > CAROM_SPARSE_LIMIT;
}

// in the velocities of bodies, where the problem is given as factors and discs have radii of their
// own: no copy is made. False where the method has nothing to say of it
static bool solves_in_bodies(carom_contact_solver *solver, const carom_problem *problem, double *P,
                             carom_contact_info *info, carom_error *error)
{
    const carom_solver *method = solver->method;
    if (!method->in_bodies || carom_problem_has_loaded(problem) ||
        carom_body_form_fill(&solver->bodies.form, problem))
        return false;
    carom_attempt attempt = {.problem = problem,
                             .P = P,
                             .option = solver->option,
                             .work = solver->work,
                             .index = solver->index,
                             .solver = method->facts.name,
                             .residual = INFINITY,
                             .lu = &solver->lu,
                             .symmetric = &solver->symmetric,
                             .bodies = &solver->bodies,
                             .error = error};
    solver->bodies.lu.is_refused = false;
    const carom_status status = method->in_bodies(&attempt);
    info->iterations += attempt.iterations;
    info->solver = attempt.solver;
    const bool is_final = attempt.is_final || method->in_bodies == method->solve;
    return status == CAROM_OK && (check_answer(solver, problem, P, info) || is_final);
}

// large problems of factors, sparse, or dense
static carom_status solve_large(carom_contact_solver *solver, const carom_problem *problem,
                                double *P, carom_contact_info *info, carom_error *error)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    const double start = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    const bool is_solved = solves_at_once(solver, problem, P, info) ||
                           solves_in_bodies(solver, problem, P, info, error);
    const carom_status status =
        is_solved ? CAROM_OK : run_large(solver, solver->method, problem, P, info, error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    solver->seconds += (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - start;
    return status;
}

static carom_status solve_checked(carom_contact_solver *solver, const carom_problem *problem,
                                  double *P, carom_contact_info *info, carom_error *error)
{
    if (is_large(solver, problem)) return solve_large(solver, problem, P, info, error);
    carom_scaled_fill(problem, P, &solver->whole);
    CAROM_TRY(run_small(solver, solver->method, P, info, error));
    check_answer(solver, problem, P, info);
    const carom_solver *second = solver->method->second, *last = solver->method->last;
    // the last one's room is enough for the certificate
    if (!info->is_converged && last && any_friction(problem) &&
        carom_jam_is_proven(&solver->whole.problem, solver->work, solver->index)) {
        info->outcome = CAROM_CONTACT_NO_SOLUTION;
        return CAROM_OK;
    }
    if (!info->is_converged && second)
        CAROM_TRY(run_other(solver, second, problem, P, info, error));
    if (info->is_converged || !last) return CAROM_OK;
    if (!last->facts.takes_friction && any_friction(problem)) return CAROM_OK;
    return run_other(solver, last, problem, P, info, error);
}

// what has no closed form, or is not finite
static __attribute__((noinline)) carom_status solve_openly(carom_contact_solver *solver,
                                                           const carom_problem *problem, double *P,
                                                           carom_contact_info *info,
                                                           carom_error *error)
{
    if (!is_finite(problem, P)) {
        *info = (carom_contact_info){
            .is_converged = false, .residual = INFINITY, .solver = solver->method->facts.name};
        return CAROM_OK;
    }
    return solve_checked(solver, problem, P, info, error);
}

static inline __attribute__((always_inline)) carom_status solve_finite(carom_contact_solver *solver,
                                                                       const carom_problem *problem,
                                                                       double *P,
                                                                       carom_contact_info *info,
                                                                       carom_error *error)
{
    if (solver->method->tries_closed && solves_closed(solver, problem, P, info)) return CAROM_OK;
    return solve_openly(solver, problem, P, info, error);
}

// where a part of an impulse is given: what comes on top of it, checked against the caller's
// problem
static __attribute__((noinline)) carom_status solve_raised(carom_contact_solver *solver,
                                                           const carom_problem *problem, double *P,
                                                           carom_contact_info *info,
                                                           carom_error *error)
{
    for (int i = 0; i < problem->n_row; i++)
        if (!isfinite(P[i])) P[i] = 0;
    const carom_problem raised =
        carom_problem_raise(problem, solver->raised_block, solver->raised_b, solver->raise, P);
    const carom_status status = solve_finite(solver, &raised, P, info, error);
    carom_problem_lower(problem, P);
    if (status == CAROM_OK && info->residual < INFINITY) check_answer(solver, problem, P, info);
    return status;
}

carom_status carom_contact_solve_formed(carom_contact_solver *solver, const carom_problem *problem,
                                        double *P, carom_contact_info *info, carom_error *error)
{
    *info = (carom_contact_info){.is_converged = true, .solver = "closed form"};
    if (problem->n_row == 0) return CAROM_OK;
    const carom_contact_witness *witness = &solver->witness;
    if (witness->asked) CAROM_TRY(witness->asked(witness->self, problem->n_row, P, error));
    const carom_status status = carom_problem_has_lower(problem)
                                    ? solve_raised(solver, problem, P, info, error)
                                    : solve_finite(solver, problem, P, info, error);
    const bool has_none = !info->is_converged && (info->outcome == CAROM_CONTACT_NO_SOLUTION ||
                                                  carom_problem_has_dead_row(problem));
    info->outcome = info->is_converged ? CAROM_CONTACT_SOLVED
                    : has_none         ? CAROM_CONTACT_NO_SOLUTION
                                       : CAROM_CONTACT_BEST_FOUND;
    if (witness->solved && status == CAROM_OK)
        return witness->solved(witness->self, problem, info, error);
    return status;
}

carom_status carom_contact_solve(carom_contact_solver *solver, const carom_problem *problem,
                                 double *P, carom_contact_info *info, carom_error *error)
{
    CAROM_NEED(error, solver);
    CAROM_NEED(error, problem);
    CAROM_NEED_THAT(error, P || problem->n_row == 0, "P is NULL");
    CAROM_NEED(error, info);
    *info = (carom_contact_info){.is_converged = true, .solver = "closed form"};
    CAROM_TRY(carom_problem_check(problem, solver->max_row, error));
    return carom_contact_solve_formed(solver, problem, P, info, error);
}

bool carom_contact_is_idle(const carom_contact_solver *solver, const carom_problem *problem)
{
    return solver->method->tries_closed && !solver->witness.asked &&
           carom_contact_nothing_closes(problem) && !carom_problem_has_lower(problem);
}

// one more solve from P with this method and tolerance; the better of the two
// answers by err_rel stays
static carom_status refine_by(carom_contact_solver *solver, const carom_solver *method,
                              double tolerance, const carom_problem *problem, double *P,
                              carom_contact_info *info)
{
    const size_t size = sizeof *P * (size_t)problem->n_row;
    const double kept = solver->option[CAROM_OPTION_TOLERANCE];
    double before, after;
    carom_contact_info found = {0};
    carom_contact_errors(problem, P, &before, NULL);
    memcpy(solver->first, P, size);
    solver->option[CAROM_OPTION_TOLERANCE] = tolerance;
    if (!is_large(solver, problem)) carom_scaled_fill(problem, P, &solver->whole);
    const carom_status status = is_large(solver, problem)
                                    ? run_large(solver, method, problem, P, &found, NULL)
                                    : run_small(solver, method, P, &found, NULL);
    solver->option[CAROM_OPTION_TOLERANCE] = kept;
    carom_contact_errors(problem, P, &after, NULL);
    info->iterations += found.iterations;
    if (status != CAROM_OK || !(after < before)) memcpy(P, solver->first, size);
    return status;
}

// by the second method; where that has not gained much, by the first once more
static carom_status refine_asked(carom_contact_solver *solver, const carom_problem *problem,
                                 double *P, carom_contact_info *info)
{
    const carom_solver *second = solver->method->second;
    double before, after;
    carom_contact_errors(problem, P, &before, NULL);
    if (second) CAROM_TRY(refine_by(solver, second, 0, problem, P, info));
    carom_contact_errors(problem, P, &after, NULL);
    if (after < 0.1 * before) return CAROM_OK;
    return refine_by(solver, solver->method, REFINED, problem, P, info);
}

carom_status carom_contact_refine(carom_contact_solver *solver, const carom_problem *problem,
                                  double *P, carom_contact_info *info, carom_error *error)
{
    CAROM_NEED(error, solver);
    CAROM_NEED(error, problem);
    CAROM_NEED_THAT(error, P || problem->n_row == 0, "P is NULL");
    CAROM_NEED(error, info);
    CAROM_TRY(carom_problem_check(problem, solver->max_row, error));
    if (problem->n_row == 0 || !is_finite(problem, P)) return CAROM_OK;
    const bool is_raised = carom_problem_has_lower(problem);
    const carom_problem asked = is_raised ? carom_problem_raise(problem, solver->raised_block,
                                                                solver->raised_b, solver->raise, P)
                                          : *problem;
    const carom_status status = refine_asked(solver, &asked, P, info);
    if (is_raised) carom_problem_lower(problem, P);
    if (status == CAROM_OK) check_answer(solver, problem, P, info);
    return status;
}
