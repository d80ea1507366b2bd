// SPDX-License-Identifier: Apache-2.0
// Tries solvers one after the other until the residual is small, each from the best answer so far.
// Cheap and exact ones come first, those that nearly always succeed last:
//
//     before   closed forms; active_set for large problems without friction (solve.c)
//     1        enumerate           few contacts: up to 4, or 2 with friction
//     2        newton              small problems
//              nsgs with momentum  very large ones
//              admm, briefly       large ones with crowded bodies and a poor guess
//              prox, admm, briefly large ones in the plane
//     3        prox
//     4        lemke               small problems without friction
//     5        enumerate           up to 10 contacts, or 6 with friction
//              here a small problem that is proven to be jammed is given up (jam.h)
//     6        prox, other starts  small problems with friction; large ones do this after step 9
//     7        admm
//     8        interior_point      not with rolling and spinning friction
//     9        prox, for longer
//     10       nsgs and prox       in rounds, longer and more relaxed each time
//     after    prox, then pivot (no friction) on the whole problem, where solve.c finds the answer
//              wanting
//
// The work is bounded: every solver spends from one account, in Newton steps (an iteration of admm
// or a sweep costs a part of one), and what is left bounds the next one. No clock is read. The best
// answer by residual is kept; whether it will do is decided outside, from the caller's problem.
#include "contact/problem/jam.h"
#include "contact/problem/problem.h"
#include "contact/solver.h"

#include <limits.h>
#include <string.h>

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, RELAXATION, EFFORT };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 3000, 1, 1e9, NULL,
                    "most Gauss-Seidel sweeps of a fallback round"},
    [RELAXATION] = {"relaxation", CAROM_REAL, 1, 0.05, 1.95, NULL,
                    "relaxation of the first Gauss-Seidel round"},
    [EFFORT] = {"effort", CAROM_INTEGER, 3000, 1, 1e9, NULL,
                "most Newton steps before the best found must do; fewer above 1000 rows"},
    {0},
};

static const double FEW = 1e-5;  // tolerances from here on ask for few digits
static const double FAR = 1e-6;  // from an answer: the next solver starts afresh
static const double POOR = 1e-2; // a guess that says little
#define ADMM_COST 0.1            // in Newton steps
#define SWEEP_COST 0.05
#define ROW_SWEEP_COST 0.01 // of a very large problem
#define INTERIOR_COST 2
enum {
    CROWDED = 18,     // contacts that share a body with one, on the mean
    N_FIRST = 50,     // Newton steps before another solver has a short try
    N_BRIEF = 40,     // iterations of admm in a short try
    N_LARGE = 1000,   // rows from which on the effort shrinks as steps grow dearer
    DENSE_FACTOR = 8, // a step of a small problem costs little
    N_ROUND = 4,
    N_NEWTON = 40,
    N_SHORT = 40,
    N_LONG = 300,
    N_INTERIOR = 100,
    N_ADMM = 400,
    N_START = 30,
    N_PROXIMAL = 1000,
    N_SWEEP = 30,
    N_HUGE = 4000,  // rows from which on thousands of sweeps are cheaper than a few factors
    N_WARM = 200,   // sweeps of bodies before anything is factorised
    N_CHEAP = 4000, // the same where few digits are asked for
    N_PATH = 30,    // interior points in the velocities of bodies: they arrive early or not at all
    N_MANY = 4000   // sweeps where they have not, or none are tried before
};

typedef struct ladder {
    carom_attempt *attempt;
    double *best, *guess; // (n_row)
    double residual;
    double left; // Newton steps
    int n_contact, n_friction, n_space;
    bool is_dense, is_small; // small: dense, and contacts only
} ladder;

/// A solver, when it is tried, and what it may spend.
typedef struct rung {
    const carom_solver *solver;
    bool (*when)(const ladder *l); // NULL = always
    double iterations;             // most of its own
    double cost;                   // of an iteration, in Newton steps; 0 = next to none
    double steps; // most Newton steps: of prox (0 = any), or of the proximal steps at the end
    carom_tuning tuning; // one more of its options
    bool starts_afresh;  // from the guess, where the best answer so far is far from one
    bool is_direct;      // its answer is right to rounding or wrong: what is merely good goes on
    bool (*climb)(ladder *l); // instead of a solver: many tries; true where the search is over
} rung;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// the solvers of the ladder
static const carom_solver *const solvers[] = {
    &carom_solver_active_set, &carom_solver_enumerate, &carom_solver_newton,
    &carom_solver_prox,       &carom_solver_lemke,     &carom_solver_interior_point,
    &carom_solver_admm,       &carom_solver_nsgs};
enum { N_SOLVER = sizeof solvers / sizeof *solvers };

static int dense_rows(int max_row)
{
    return max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
}

static size_t n_work(int max_row)
{
    size_t room = 0;
    for (int i = 0; i < N_SOLVER; i++) room = larger(room, solvers[i]->n_work(max_row));
    room = larger(room, carom_jam_work(dense_rows(max_row)));
    return 2 * (size_t)max_row + room;
}

static size_t n_index(int max_row)
{
    size_t room = 0;
    for (int i = 0; i < N_SOLVER; i++) room = larger(room, solvers[i]->n_index(max_row));
    return larger(room, carom_jam_index(dense_rows(max_row)));
}

static ladder survey_problem(carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    ladder l = {.attempt = attempt, .best = attempt->work, .residual = INFINITY};
    l.guess = attempt->work + problem->n_row;
    l.is_dense = problem->G.dense;
    l.left = attempt->option[EFFORT];
    if (l.is_dense) l.left *= DENSE_FACTOR;
    if (problem->n_row > N_LARGE) l.left *= (double)N_LARGE / problem->n_row;
    l.is_small = problem->G.dense && problem->n_row <= CAROM_DENSE_LIMIT;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        // a disc counts as a contact with friction that has no normal
        const bool is_disc = carom_block_is_disc(block), is_contact = !block->is_bilateral;
        l.n_contact += is_contact || is_disc;
        l.n_friction += (is_contact && block->dim > 1) || is_disc;
        l.n_space += (is_contact && block->dim > 2) || (is_disc && block->dim > 1);
        l.is_small = l.is_small && (is_contact || is_disc);
    }
    return l;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// runs one solver from the best answer so far; true where the search is over
static bool try_rung(ladder *l, const rung *r)
{
    carom_attempt *top = l->attempt;
    const size_t size = sizeof *top->P * (size_t)top->problem->n_row;
    const double steps = l->left < 1 ? 0 : l->left;
    const double most = r->cost > 0 ? smaller(r->iterations, steps / r->cost) : r->iterations;
    const double tolerance = top->option[CAROM_OPTION_TOLERANCE];
    double option[CAROM_MOST_OPTIONS];
    carom_attempt attempt = *top;
    if (steps == 0 && r->cost > 0) return true;
    carom_solver_default(r->solver, tolerance, option);
    carom_solver_tune(r->solver, "iterations", most, option);
    carom_solver_tune(r->solver, "proximal", smaller(r->steps, steps), option);
    carom_solver_tune(r->solver, r->tuning.name, r->tuning.value, option);
    attempt.option = option;
    attempt.work = top->work + 2 * (size_t)top->problem->n_row;
    attempt.iterations = 0;
    attempt.limit = (int)smaller(r->steps > 0 ? r->steps : INT_MAX, steps);
    const carom_status status = r->solver->solve(&attempt);
    top->iterations += attempt.iterations;
    // iterations come first, proximal steps after them
    const double n = smaller(attempt.iterations, most);
    l->left -= r->cost * n + (attempt.iterations - n);
    if (status == CAROM_OK && attempt.residual < l->residual) {
        l->residual = attempt.residual;
        top->solver = attempt.solver;
        memcpy(l->best, top->P, size);
    } else {
        memcpy(top->P, l->best, size);
    }
    return l->residual <= tolerance;
}

// whether an answer counts as one (carom_contact_solver_goal) with a digit to spare: more is not
// worth another solver
static bool is_good(const ladder *l)
{
    const double tolerance = l->attempt->option[CAROM_OPTION_TOLERANCE];
    const double spare = 0.1 * CAROM_CONTACT_TOLERANCE, goal = carom_larger(tolerance, spare);
    return l->residual <= smaller(1e2 * tolerance, goal);
}

// a number in (0, 1), the same in every run
static double scatter(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return ((*state >> 8) + 0.5) / 16777216.0;
}

// the start of a fresh try: the guess, nothing, every contact pressed hard, or
// anything in the cones
static void start_from(ladder *l, int kind)
{
    const carom_problem *problem = l->attempt->problem;
    unsigned state = (unsigned)kind;
    double *P = l->attempt->P, largest = 0;
    for (int i = 0; i < problem->n_row; i++) {
        largest = carom_larger(largest, fabs(problem->b[i]));
        P[i] = kind == 0 ? l->guess[i] : 0;
    }
    for (int k = 0; k < problem->n_block && kind >= 2; k++) {
        const carom_block *block = &problem->block[k];
        double *p = P + block->first;
        if (block->is_bilateral) continue;
        p[0] = 10 * largest * (kind == 2 ? 1 : scatter(&state));
        for (int i = 1; i < block->dim && kind > 2; i++)
            p[i] = block->mu * p[0] * (2 * scatter(&state) - 1);
    }
}

static bool fits_enumeration(const ladder *l, int n_contact, int n_friction)
{
    return l->is_small && l->n_space == 0 &&
           l->n_contact <= (l->n_friction > 0 ? n_friction : n_contact);
}

static bool has_few(const ladder *l)
{
    return fits_enumeration(l, 4, 2);
}

static bool has_some(const ladder *l)
{
    return fits_enumeration(l, 10, 6);
}

static bool is_dense(const ladder *l)
{
    return l->is_dense;
}

static bool has_given_discs(const ladder *l)
{
    return !carom_problem_has_loaded(l->attempt->problem);
}

static bool is_large(const ladder *l)
{
    return !l->is_dense;
}

static bool is_huge(const ladder *l)
{
    return !l->is_dense && l->attempt->problem->n_row > N_HUGE;
}

static bool is_large_in_plane(const ladder *l)
{
    return !l->is_dense && l->n_space == 0;
}

// whether many contacts share a body with each one (G has more rows than its bodies have freedoms)
// and the guess says little
static bool is_crowded(const ladder *l)
{
    const carom_block_rows *B = l->attempt->problem->G.blocks;
    return !l->is_dense && B && B->start[B->n_block] > CROWDED * B->n_block &&
           carom_residual_formed(l->attempt->problem, l->guess) > POOR;
}

static bool is_small_smooth(const ladder *l)
{
    return l->is_small && l->n_friction == 0;
}

static bool is_dense_rough(const ladder *l)
{
    return l->is_dense && l->n_friction > 0;
}

// prox from other starts with other first shifts: friction need not be monotone
static bool climb_again(ladder *l)
{
    static const double shift[] = {1, 1e-4, 0.1, 1e-3, 10, 1e-5};
    const int n = l->is_dense ? N_START : 6;
    for (int i = 0; i < n; i++) {
        const rung prox = {&carom_solver_prox, .iterations = N_SHORT, .cost = 1,
                           .tuning = {"shift", shift[i % 6]}};
        start_from(l, i < 6 ? 2 - i % 3 : i);
        if (try_rung(l, &prox) || is_good(l)) return true;
    }
    return false;
}

// no use in going on; the certificate is for the caller, from the whole problem
static bool is_jammed(ladder *l)
{
    const carom_attempt *top = l->attempt;
    double *work = top->work + 2 * (size_t)top->problem->n_row;
    return carom_jam_is_proven(top->problem, work, top->index);
}

// sweeps and prox in rounds, longer and more relaxed each time
static bool climb_in_rounds(ladder *l)
{
    const double *option = l->attempt->option;
    const rung prox = {&carom_solver_prox, .iterations = N_LONG, .cost = 1};
    double relaxation = option[RELAXATION], sweeps = N_SWEEP;
    for (int round = 0; round < N_ROUND && !is_good(l); round++) {
        const rung nsgs = {&carom_solver_nsgs, .iterations = smaller(sweeps, option[ITERATIONS]),
                           .cost = SWEEP_COST, .tuning = {"relaxation", relaxation}};
        if (try_rung(l, &nsgs) || try_rung(l, &prox)) return true;
        sweeps *= 5;
        relaxation *= 0.85;
    }
    return false;
}

// clang-format off
static const rung rungs[] = {
    // solver                                  when               iterations   cost  Newton steps
    {.solver = &carom_solver_enumerate,        has_few,           1e9,         SWEEP_COST,
     .is_direct = true},
    {.solver = &carom_solver_newton,           is_dense,          N_NEWTON,    1},
    {.solver = &carom_solver_nsgs,             is_huge,           N_MANY,      ROW_SWEEP_COST,
     .tuning = {"momentum", 1}},
    {.solver = &carom_solver_admm,             is_crowded,        N_BRIEF,     ADMM_COST},
    {.solver = &carom_solver_prox,             is_large_in_plane, N_LONG,      1,    N_FIRST,
     .starts_afresh = true},
    {.solver = &carom_solver_admm,             is_large_in_plane, 3 * N_BRIEF, ADMM_COST,
     .starts_afresh = true},
    {.solver = &carom_solver_prox,             NULL,              N_LONG,      1,
     .starts_afresh = true},
    {.solver = &carom_solver_lemke,            is_small_smooth,   10000,       SWEEP_COST,
     .is_direct = true},
    {.solver = &carom_solver_enumerate,        has_some,          1e9,         SWEEP_COST,
     .is_direct = true},
    {.climb = is_jammed,       .when = is_dense},
    {.climb = climb_again,     .when = is_dense_rough},
    {.solver = &carom_solver_admm,             NULL,              N_ADMM,      ADMM_COST, N_PROXIMAL,
     .starts_afresh = true},
    {.solver = &carom_solver_interior_point,   has_given_discs,   N_INTERIOR,  INTERIOR_COST, N_PROXIMAL},
    {.solver = &carom_solver_prox,             NULL,              N_LONG,      1},
    {.climb = climb_again,     .when = is_large},
    {.climb = climb_in_rounds},
};
// clang-format on

// in the velocities of bodies, for many digits, and for few. A sweep costs a hundredth of the
// factors and less, the larger the problem the less: nothing is left out for its sake
enum { N_BODY_RUNG = 4 };
static const rung body_rungs[2][N_BODY_RUNG] = {
    {{.solver = &carom_solver_sweeps, .iterations = N_WARM},
     {.solver = &carom_solver_interior_point, .iterations = N_PATH, .cost = INTERIOR_COST},
     {.solver = &carom_solver_sweeps, .iterations = N_MANY},
     {.solver = &carom_solver_prox, .iterations = N_LONG, .cost = 1}},
    {{.solver = &carom_solver_sweeps, .iterations = N_CHEAP},
     {.solver = &carom_solver_interior_point, .iterations = N_PATH, .cost = INTERIOR_COST},
     {.solver = &carom_solver_sweeps, .iterations = N_MANY},
     {.solver = &carom_solver_prox, .iterations = N_LONG, .cost = 1}},
};

static void climb_ladder(ladder *l)
{
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        const rung *r = &rungs[i];
        if (r->when && !r->when(l)) continue;
        if (r->starts_afresh && l->residual > FAR && !is_huge(l)) start_from(l, 0);
        if (r->climb ? r->climb(l) : try_rung(l, r)) return;
        if (r->solver && !r->is_direct && is_good(l)) return;
    }
}

static carom_status auto_solve(carom_attempt *attempt)
{
    ladder l = survey_problem(attempt);
    memcpy(l.best, attempt->P, sizeof *l.best * (size_t)attempt->problem->n_row);
    memcpy(l.guess, attempt->P, sizeof *l.best * (size_t)attempt->problem->n_row);
    climb_ladder(&l);
    memcpy(attempt->P, l.best, sizeof *l.best * (size_t)attempt->problem->n_row);
    attempt->residual = l.residual;
    return CAROM_OK;
}

// problems that are given as factors: sweeps, which end the search where few digits are asked for,
// and the same solvers in the velocities of bodies
static carom_status auto_in_bodies(carom_attempt *attempt)
{
    ladder l = survey_problem(attempt);
    const size_t size = sizeof *l.best * (size_t)attempt->problem->n_row;
    memcpy(l.best, attempt->P, size);
    memcpy(l.guess, attempt->P, size);
    const rung *asked = body_rungs[attempt->option[CAROM_OPTION_TOLERANCE] >= FEW];
    for (size_t i = 0; i < N_BODY_RUNG; i++)
        if (try_rung(&l, &asked[i]) || (i > 0 && is_good(&l))) break;
    memcpy(attempt->P, l.best, size);
    attempt->residual = l.residual;
    attempt->is_final = attempt->problem->n_row > N_LARGE;
    return CAROM_OK;
}

const carom_solver carom_solver_auto = {
    .facts = {"auto",
              "closed forms, enumerate, newton, prox, interior_point, ...: what solves it first",
              true, true, true, true, 0, rows},
    .eliminates = true,
    .tries_closed = true,
    .first = &carom_solver_active_set,
    .second = &carom_solver_prox,
    .second_tuning = {"shift", 1},
    .last = &carom_solver_pivot,
    .in_bodies = auto_in_bodies,
    .n_work = n_work,
    .n_index = n_index,
    .solve = auto_solve,
};
