// SPDX-License-Identifier: Apache-2.0
// Interior point method for friction as it is: De Saxce's term follows the iterates instead of an
// outer loop. With x = S P / s_b, y = S^-1 u~ / s_b, S = sigma (mu, 1, 1), both in the same cone L:
//
//     y = S^-1 G S^-1 x + S^-1 b / s_b + phi(y_T) e_0,    x o y = tau e,    tau -> 0
//     phi = sqrt(|y_T|^2 + eps^2) - eps                   -> |y_T|;  eps = tau, then 10 tau, then 0
//
// Newton with Nesterov-Todd scaling W and Mehrotra's predictor and corrector; eliminating dy leaves
// (S^-1 G S^-1 + (I - e_0 phi') W^2) dx = rhs. Contacts without friction are cones of dimension 1,
// bilateral rows have no cone. A disc is a cone with one coordinate more, x = (radius, P), whose
// first does not move: dx_0 = 0, and dy_0 follows when dx is known (those of contacts, whose radius
// moves, are refused). Close to the end Newton on the
// laws themselves gives the last digits; where the path ends too early, proximal steps go on
// (solvers/prox.c). In the velocities of bodies (contact/bodies) G gets a small shift in each step,
// without which impulses that cancel leave no digits; it spoils no fixed point.
//
// S. Mehrotra, On the implementation of a primal-dual interior point method, 1992.
// V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, Second-order cone programming for frictional
// contact mechanics using interior point algorithm, 2024.
#include "contact/newton/barrier.h"
#include "contact/newton/polish.h"
#include "contact/problem/cone_form.h"
#include "contact/solver.h"
#include "math/cone.h"

#include <string.h>

enum { PATIENCE = 12, N_MANNER = 3 };
enum { BOLD, CAREFUL, SHARP }; // manners: smoothing by tau; by ten, no corrector; none
enum { N_ROW_VECTOR = 4, N_CONE_VECTOR = 6, N_COORDINATE = 4 };
static const double POLISH_BELOW = 1e-6, SHIFT = 1e-11;
static const double BODY_SHIFT = 1e-7; // of G's diagonal: where its factors are those of the bodies
static const double ROOM = 1e-4, BODY_ROOM = 1e-2; // least distance of a guess from the border

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, PROXIMAL };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 100, 1, 1e6, NULL, "most Newton steps"},
    [PROXIMAL] = {"proximal", CAROM_INTEGER, 1000, 0, 1e9, NULL,
                  "most Newton steps of the proximal iteration at the end, 0 = none"},
    {0},
};

typedef struct interior {
    const carom_problem *problem;
    carom_blend blend;
    carom_polish polish;
    double *s, *res, *best, *P;      // (n_row)
    double *x, *y, *dx, *dy, *z, *l; // (n_row + n_block) rows, then the first coordinates of discs
    double *C;                       // (3 n_row) rows of the blocks
    carom_scaling *W;                // (n_block)
    double size;                     // s_b
    double tau, eps;                 // mean of x o y, smoothing
    double residual;                 // of best
    double lowest;                   // residual of this run
    int since;                       // steps without a clearly lower one
    int manner;                      // of this run
    bool in_bodies;
} interior;

static size_t scaling_room(int max_row)
{
    return (sizeof(carom_scaling) / sizeof(double) + 1) * (size_t)max_row;
}

static size_t n_work(int max_row)
{
    const size_t own = (N_ROW_VECTOR + 2 * N_CONE_VECTOR + 3) * (size_t)max_row +
                       scaling_room(max_row) + carom_polish_work(max_row) +
                       carom_blend_work(max_row);
    const size_t after = carom_solver_prox.n_work(max_row); // in the same memory
    return own > after ? own : after;
}

static size_t n_index(int max_row)
{
    const size_t own = carom_blend_index(max_row), after = carom_solver_prox.n_index(max_row);
    return own > after ? own : after;
}

static bool cut(interior *a, const carom_attempt *attempt)
{
    const int n_row = attempt->problem->n_row;
    const size_t n = (size_t)n_row;
    const size_t m = n + (size_t)attempt->problem->n_block;
    double **const row[N_ROW_VECTOR] = {&a->s, &a->res, &a->best, &a->P};
    double **const cone[N_CONE_VECTOR] = {&a->x, &a->y, &a->dx, &a->dy, &a->z, &a->l};
    double *work = attempt->work;
    *a = (interior){.problem = attempt->problem, .residual = INFINITY};
    for (int i = 0; i < N_ROW_VECTOR; i++, work += n) *row[i] = work;
    for (int i = 0; i < N_CONE_VECTOR; i++, work += m) *cone[i] = work;
    // rows without a cone: never written, but carried along
    memset(a->y, 0, sizeof *a->y * m);
    memset(a->dy, 0, sizeof *a->dy * m);
    a->C = work;
    a->W = (carom_scaling *)(void *)(work + 3 * n);
    work += 3 * n + scaling_room(n_row);
    a->size = carom_cone_scaling(attempt->problem, false, a->s);
    carom_body_space *bodies = attempt->bodies;
    a->in_bodies = bodies;
    const bool is_open = bodies
                             ? carom_blend_open_bodies(&a->blend, a->problem, a->s, &bodies->form,
                                                       &bodies->lu, attempt->index)
                             : carom_blend_open(&a->blend, a->problem, a->s,
                                                work + carom_polish_work(n_row), attempt->index);
    a->polish = carom_polish_cut(&a->blend, work);
    return is_open;
}

// coordinates of the cone of a block: one more than rows for a disc, none where nothing can move
static int cone_dim(const carom_block *block)
{
    if (!carom_block_is_disc(block)) return carom_cone_dim(block);
    return block->radius > 0 ? block->dim + 1 : 0;
}

// the coordinates of block k in v, and back
static void gather(const interior *a, int k, const double *v, double *out)
{
    const carom_block *block = &a->problem->block[k];
    const int is_disc = carom_block_is_disc(block), dim = cone_dim(block);
    if (is_disc) out[0] = v[a->problem->n_row + k];
    for (int i = is_disc; i < dim; i++) out[i] = v[block->first + i - is_disc];
}

static void scatter(const interior *a, int k, const double *in, double *v)
{
    const carom_block *block = &a->problem->block[k];
    const int is_disc = carom_block_is_disc(block), dim = cone_dim(block);
    if (is_disc) v[a->problem->n_row + k] = in[0];
    for (int i = is_disc; i < dim; i++) v[block->first + i - is_disc] = in[i];
}

// moves v into the cone with some room
static void push_inside(int dim, double room, double *v)
{
    const double lack = carom_cone_length(dim - 1, v + 1) + room - v[0];
    if (lack > 0) v[0] += lack;
}

// a disc: the guess drawn in, or its middle, with x_0 y_0 about room^2
static void start_disc(interior *a, int k, double room)
{
    const carom_block *block = &a->problem->block[k];
    const int first = block->first, dim = block->dim, head = a->problem->n_row + k;
    const double radius = block->radius * a->s[first] / a->size;
    double *x = a->x + first, *y = a->y + first;
    const bool is_cold = room == 1 || !(radius > 0);
    carom_cone_disc((1 - 0.5 * room) * radius, dim, x);
    for (int i = 0; i < dim && is_cold; i++) x[i] = y[i] = 0;
    a->x[head] = radius;
    a->y[head] = radius > 0 ? carom_cone_length(dim, y) + room * room / radius : 0;
}

// from a guess: not closer to the border than the guess is wrong; without one: the axis
static void start(interior *a, const double *P, bool is_warm)
{
    const int n = a->problem->n_row;
    const double worst = carom_residual_formed(a->problem, P);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(P[i]);
    const double least = a->in_bodies ? BODY_ROOM : ROOM;
    const double room = is_warm && sum > 0 && worst < 1 ? carom_larger(worst, least) : 1;
    for (int i = 0; i < n; i++) a->x[i] = P[i] * a->s[i] / a->size;
    carom_blend_product(&a->blend, a->x, a->y);
    for (int k = 0; k < a->problem->n_block; k++) {
        const carom_block *block = &a->problem->block[k];
        const int first = block->first, dim = carom_cone_dim(block);
        double *x = a->x + first, *y = a->y + first;
        for (int i = 0; i < block->dim; i++) {
            y[i] += a->problem->b[first + i] / (a->s[first + i] * a->size);
            if (carom_block_is_equality(block) || (dim > 0 && i >= dim)) y[i] = 0;
            if (dim > 0 && (i >= dim || room == 1)) x[i] = y[i] = 0;
        }
        if (carom_block_is_disc(block)) start_disc(a, k, room);
        if (dim == 0) continue;
        if (room < 1) y[0] += carom_cone_length(dim - 1, y + 1);
        push_inside(dim, room, x);
        push_inside(dim, room, y);
    }
}

static void keep_best(interior *a, const double *P)
{
    const double residual = carom_residual_formed(a->problem, P);
    a->since++;
    if (residual < 0.7 * a->lowest) {
        a->since = 0;
        a->lowest = residual;
    }
    if (!(residual < a->residual)) return;
    a->residual = residual;
    memcpy(a->best, P, sizeof *P * (size_t)a->problem->n_row);
}

// tau, the scaling and the residual of the linear equation at (x, y)
static void evaluate_point(interior *a)
{
    const carom_problem *problem = a->problem;
    int n_cone = 0;
    a->tau = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const int dim = cone_dim(&problem->block[k]);
        double x[N_COORDINATE] = {0}, y[N_COORDINATE] = {0}, l[N_COORDINATE];
        if (dim == 0) continue;
        gather(a, k, a->x, x);
        gather(a, k, a->y, y);
        a->W[k] = carom_barrier_scaling(dim, x, y);
        carom_barrier_scale(&a->W[k], x, l);
        scatter(a, k, l, a->l);
        for (int i = 0; i < dim; i++) a->tau += x[i] * y[i];
        n_cone++;
    }
    a->tau /= n_cone > 0 ? n_cone : 1;
    a->eps = a->manner == BOLD ? a->tau : a->manner == CAREFUL ? 10 * a->tau : 0;
    carom_blend_product(&a->blend, a->x, a->res);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int first = block->first, dim = carom_cone_dim(block);
        for (int i = first; i < first + block->dim; i++)
            a->res[i] += problem->b[i] / (a->s[i] * a->size) - a->y[i];
        if (dim < 2) continue;
        const double t = carom_cone_length(dim - 1, a->y + first + 1);
        a->res[first] += hypot(t, a->eps) - a->eps;
    }
}

// B = I - e_0 phi', applied to a vector of block k; a disc has no De Saxce's term
static void multiply_B(const interior *a, int k, double *v)
{
    const carom_block *block = &a->problem->block[k];
    const double *y = a->y + block->first;
    const int dim = carom_cone_dim(block);
    if (dim < 2) return;
    const double t = hypot(carom_cone_length(dim - 1, y + 1), a->eps);
    for (int i = 1; i < dim && t > 0; i++) v[0] -= y[i] / t * v[i];
}

// B W^2 of a block, without the first coordinate of a disc, into C
static void set_block(interior *a, int k)
{
    const carom_block *block = &a->problem->block[k];
    const int head = carom_block_is_disc(block), dim = cone_dim(block);
    double *C = a->C + 3 * (size_t)block->first;
    for (int j = head; j < dim; j++) {
        double e[N_COORDINATE] = {0, 0, 0, 0}, out[N_COORDINATE];
        e[j] = 1;
        carom_barrier_scale(&a->W[k], e, out);
        carom_barrier_scale(&a->W[k], out, out);
        multiply_B(a, k, out);
        for (int i = head; i < dim; i++) C[3 * (i - head) + j - head] = out[i];
    }
}

static bool factor(interior *a)
{
    const carom_problem *problem = a->problem;
    memset(a->C, 0, 3 * sizeof(double) * (size_t)problem->n_row);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const bool is_equality = carom_block_is_equality(block);
        const int first = block->first;
        const int moving = cone_dim(block) - (cone_dim(block) > 0 && block->is_bilateral);
        for (int i = 0; i < block->dim && is_equality; i++) a->C[3 * (first + i)] = SHIFT;
        // rows of slip without friction, and of discs without a radius: a large diagonal holds them
        for (int i = moving; i < block->dim && !is_equality; i++) a->C[3 * (first + i) + i] = 1e20;
        set_block(a, k);
        for (int i = 0; i < moving && a->in_bodies; i++) a->C[3 * (first + i) + i] += BODY_SHIFT;
    }
    return carom_blend_factor(&a->blend, NULL, a->C);
}

// z = W (l \ r): what x o y still lacks, for r = target e - l o l - dx o dy
static void aim_at(interior *a, double target, bool corrects)
{
    for (int k = 0; k < a->problem->n_block; k++) {
        const int dim = cone_dim(&a->problem->block[k]);
        double r[N_COORDINATE], c[N_COORDINATE], p[N_COORDINATE], q[N_COORDINATE], l[N_COORDINATE];
        if (dim == 0) continue;
        gather(a, k, a->l, l);
        carom_barrier_multiply(dim, l, l, r);
        for (int i = 0; i < dim; i++) r[i] = (i == 0 ? target : 0) - r[i];
        if (corrects) {
            gather(a, k, a->dx, c);
            carom_barrier_scale(&a->W[k], c, p);
            gather(a, k, a->dy, c);
            carom_barrier_unscale(&a->W[k], c, q);
            carom_barrier_multiply(dim, p, q, c);
            for (int i = 0; i < dim; i++) r[i] -= c[i];
        }
        carom_barrier_divide(dim, l, r, r);
        carom_barrier_scale(&a->W[k], r, r);
        scatter(a, k, r, a->z);
    }
}

// dy = z - W^2 dx of block k; returns how far one can go along the step there
static double finish_step(interior *a, int k)
{
    const int dim = cone_dim(&a->problem->block[k]);
    double v[N_COORDINATE], z[N_COORDINATE], x[N_COORDINATE], dx[N_COORDINATE];
    if (carom_block_is_disc(&a->problem->block[k])) a->dx[a->problem->n_row + k] = 0;
    gather(a, k, a->dx, dx);
    gather(a, k, a->z, z);
    carom_barrier_scale(&a->W[k], dx, v);
    carom_barrier_scale(&a->W[k], v, v);
    for (int i = 0; i < dim; i++) z[i] -= v[i];
    scatter(a, k, z, a->dy);
    gather(a, k, a->x, x);
    const double rx = carom_barrier_reach(dim, x, dx);
    gather(a, k, a->y, x);
    const double ry = carom_barrier_reach(dim, x, z);
    return rx < ry ? rx : ry;
}

// the step (dx, dy) for the aim; returns how far one can go along it
static double find_step(interior *a)
{
    const carom_problem *problem = a->problem;
    double reach = INFINITY;
    for (int i = 0; i < problem->n_row; i++) a->dx[i] = -a->res[i];
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int head = carom_block_is_disc(block), dim = cone_dim(block);
        double v[N_COORDINATE];
        if (dim == 0) continue;
        gather(a, k, a->z, v);
        multiply_B(a, k, v);
        for (int i = head; i < dim; i++) a->dx[block->first + i - head] += v[i];
    }
    carom_blend_solve(&a->blend, a->dx);
    for (int k = 0; k < problem->n_block; k++) {
        if (cone_dim(&problem->block[k]) == 0) continue;
        const double here = finish_step(a, k);
        reach = here < reach ? here : reach;
    }
    return reach;
}

static double cap_step(double reach)
{
    return 0.99 * reach < 1 ? 0.99 * reach : 1;
}

// Mehrotra's sigma from the predictor: how much of tau is left after it
static double centring(const interior *a, double reach)
{
    const double f = reach < 1 ? reach : 1;
    double sum = 0;
    int n_cone = 0;
    for (int k = 0; k < a->problem->n_block; k++) {
        const int dim = cone_dim(&a->problem->block[k]);
        double x[N_COORDINATE], y[N_COORDINATE], dx[N_COORDINATE], dy[N_COORDINATE];
        if (dim == 0) continue;
        gather(a, k, a->x, x);
        gather(a, k, a->y, y);
        gather(a, k, a->dx, dx);
        gather(a, k, a->dy, dy);
        n_cone++;
        for (int i = 0; i < dim; i++) sum += (x[i] + f * dx[i]) * (y[i] + f * dy[i]);
    }
    const double left = n_cone > 0 ? sum / n_cone / a->tau : 0;
    const double sigma = left * left * left;
    return sigma < 1e-8 || !(left > 0) ? 1e-8 : sigma < 1 ? sigma : 1;
}

// one step; false where it leads nowhere
static bool advance_point(interior *a)
{
    evaluate_point(a);
    if (!(a->tau >= 0 && a->tau < INFINITY) || !factor(a)) return false;
    aim_at(a, 0, false);
    const double sigma = centring(a, find_step(a));
    const double least = a->manner == BOLD ? 0 : 0.1;
    aim_at(a, (sigma > least ? sigma : least) * a->tau, a->manner != CAREFUL);
    double f = cap_step(find_step(a));
    // short steps: stay in the middle instead
    for (int i = 0; i < 3 && f < 0.2; i++) {
        aim_at(a, (i == 0 ? 0.5 : i == 1 ? 0.9 : 1.0) * a->tau, false);
        f = cap_step(find_step(a));
    }
    if (!(f > 1e-8)) return false;
    for (int i = 0; i < a->problem->n_row; i++) {
        a->x[i] += f * a->dx[i];
        a->y[i] += f * a->dy[i];
        a->P[i] = a->x[i] * a->size / a->s[i];
    }
    for (int k = 0; k < a->problem->n_block; k++) // the first coordinates of discs
        if (cone_dim(&a->problem->block[k]) > 0 && a->problem->block[k].is_bilateral)
            a->y[a->problem->n_row + k] += f * a->dy[a->problem->n_row + k];
    return true;
}

// goes down the path from the guess, or anew from the axis where a bolder way has failed
static void follow_path(interior *a, carom_attempt *attempt, bool is_first)
{
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    const int n_iteration = (int)attempt->option[ITERATIONS];
    double polished = POLISH_BELOW;
    a->since = 0;
    a->lowest = INFINITY;
    start(a, attempt->P, is_first);
    for (int i = 0; i < n_iteration && a->residual > tolerance && a->since < PATIENCE; i++) {
        attempt->iterations++;
        if (!advance_point(a)) break;
        keep_best(a, a->P);
        if (!(a->residual < polished)) continue;
        polished = 1e-2 * a->residual;
        a->residual = carom_polish_run(&a->polish, a->best, a->residual, tolerance, a->P);
    }
    if (a->residual > tolerance)
        a->residual = carom_polish_run(&a->polish, a->best, a->residual, tolerance, a->P);
}

static carom_status interior_point_solve(carom_attempt *attempt)
{
    interior a;
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    const size_t size = sizeof *attempt->P * (size_t)attempt->problem->n_row;
    attempt->solver = "interior_point";
    if (carom_problem_has_loaded(attempt->problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver interior_point takes discs of a given radius, not of rolling and "
                          "spinning friction; use auto");
    if (!cut(&a, attempt)) {
        carom_blend_close(&a.blend);
        return carom_fail(attempt->error, CAROM_NO_MEMORY, "no memory for %d contact rows",
                          attempt->problem->n_row);
    }
    keep_best(&a, attempt->P);
    for (int i = 0; i < N_MANNER && a.residual > tolerance; i++) {
        static const int manner[2][N_MANNER] = {{BOLD, CAREFUL, SHARP}, {SHARP, SHARP, BOLD}};
        a.manner = manner[a.in_bodies][i];
        follow_path(&a, attempt, i == 0);
    }
    carom_blend_close(&a.blend);
    memcpy(attempt->P, a.best, size);
    attempt->residual = a.residual;
    carom_solver_go_on(&carom_solver_prox, attempt, (int)attempt->option[PROXIMAL]);
    return CAROM_OK;
}

const carom_solver carom_solver_interior_point = {
    .facts = {"interior_point", "interior points of the friction cones, any size, any friction",
              true, true, true, false, 0, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .in_bodies = interior_point_solve,
    .solve = interior_point_solve,
};
