// SPDX-License-Identifier: Apache-2.0
// Measures what an impact gives back, at the start of a model: each contact alone is made to close,
// with the constraints b of the model held and its friction, and its law acts,
//
//     G = S_cc - S_cb S_bb^+ S_bc,   S = W M^-1 W'        what the contact sees of the model
//     gamma- = -speed G n/(n'G n)                         a push along the normal closes it
//     gamma+ = gamma- + G P                               by the law
//
// Each law promises another e:
//
//     newton                 -gamma_N+/gamma_N-           of the rates
//     poisson, sequential    (P_N - C)/C                  of the impulses, C with e = 0; more where
//                                                         friction presses on
//     stronge                sqrt((W - W_c)/-W_c)         of the work of the normal force
//
// The work is that of an integration of its own along the normal impulse, from 0 to P_N, with
// friction against the slip of each moment; what sticks goes to and fro about rest.
#include "carom/analysis.h"

#include "base/need.h"
#include "dynamics/law.h"
#include "dynamics/laws/laws.h"
#include "math/gram.h"
#include "model/laws/coefficients.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200000, ROWS = CAROM_POINT_ROWS };
static const unsigned MASK = CAROM_MASS | CAROM_GAPS | CAROM_ROWS;

typedef struct experiment {
    const carom_eval *eval;
    carom_plan *plan;
    int n_bilateral;  // constraints
    double *S, *X;    // (n^2), (b rows)
    double *x, *work; // (nu), (carom_gram_room)
    int *pivot;       // (b)
    struct carom_collision_room *room;
    carom_contact_solver *solver;
    carom_error *error;
} experiment;

// one contact
typedef struct hit {
    const carom_contact_facts *facts;
    int dim;
    double G[ROWS * ROWS], before[ROWS], after[ROWS], P[ROWS];
} hit;

static void fill_products(experiment *it, const carom_contact_facts *facts, int n)
{
    const carom_sparse *W = &it->eval->rows.W;
    const int nu = carom_model_sizes(it->eval->model).nu, b = it->n_bilateral;
    for (int j = 0; j < n; j++) {
        const int r = j < b ? j : facts->row + j - b;
        memset(it->x, 0, sizeof(double) * (size_t)nu);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) it->x[W->index[k]] += W->value[k];
        carom_mass_solve(it->eval->mass, it->x);
        for (int i = 0; i < n; i++) {
            const int row = i < b ? i : facts->row + i - b;
            double sum = 0;
            for (int k = W->start[row]; k < W->start[row + 1]; k++)
                sum += W->value[k] * it->x[W->index[k]];
            it->S[j * n + i] = sum;
        }
    }
}

// G of the contact with all constraints held; false where they cannot be
static bool eliminate_constraints(experiment *it, hit *of)
{
    const int b = it->n_bilateral, n = b + of->dim;
    const carom_gram gram = {.n = b, .lda = n, .A = it->S, .work = it->work, .pivot = it->pivot};
    fill_products(it, of->facts, n);
    for (int j = 0; j < of->dim; j++)
        memcpy(it->X + j * b, it->S + (b + j) * n, sizeof(double) * (size_t)b);
    if (b > 0 && carom_gram_solve(&gram, of->dim, it->X) < 0) return false;
    for (int j = 0; j < of->dim; j++)
        for (int i = 0; i < of->dim; i++) {
            double sum = it->S[(b + j) * n + b + i];
            for (int k = 0; k < b; k++) sum -= it->S[(b + i) * n + k] * it->X[j * b + k];
            of->G[j * of->dim + i] = sum;
        }
    // what the constraints lock leaves rounding
    return of->G[0] > 1e-12 * it->S[b * n + b];
}

// the impact by these facts
static carom_status collide(experiment *it, hit *of, const carom_contact_facts *facts)
{
    const carom_block block = {.dim = of->dim, .mu = of->dim > 1 ? carom_law_friction(facts) : 0};
    carom_collision c = {.n_row = of->dim,
                         .n_block = 1,
                         .block = &block,
                         .facts = &facts,
                         .G = of->G,
                         .rate = of->after,
                         .P = of->P,
                         .solver = it->solver,
                         .room = it->room,
                         .error = it->error,
                         .is_converged = true};
    memcpy(of->after, of->before, sizeof of->after);
    memset(of->P, 0, sizeof of->P);
    CAROM_TRY(carom_collide(&c));
    return c.is_converged ? CAROM_OK
                          : carom_fail(it->error, CAROM_NOT_CONVERGED,
                                       "the impact of contact '%s' has not converged", facts->name);
}

// share of the work of the normal force that comes back on the way to its impulse
static double work_back(const hit *of)
{
    const double mu = carom_law_friction(of->facts), step = of->P[0] / STEPS;
    double y[ROWS], work = 0, least = 0;
    memcpy(y, of->before, sizeof y);
    for (int k = 0; k < STEPS; k++) {
        const double slip = of->dim > 2 ? hypot(y[1], y[2]) : of->dim > 1 ? fabs(y[1]) : 0;
        double push[ROWS] = {1, 0, 0}, before = y[0];
        for (int i = 1; i < of->dim && slip > 0; i++) push[i] = -mu * y[i] / slip;
        for (int i = 0; i < of->dim; i++)
            for (int j = 0; j < of->dim; j++) y[i] += of->G[j * of->dim + i] * push[j] * step;
        work += step * (before + y[0]) / 2;
        least = fmin(least, work);
    }
    return least < 0 ? (work - least) / -least : NAN;
}

static carom_status measure_law(experiment *it, hit *of, double *measured)
{
    carom_contact_facts dead = *of->facts;
    CAROM_TRY(collide(it, of, of->facts));
    const double pushed = of->P[0];
    if (of->facts->law == CAROM_LAW_NEWTON) *measured = -of->after[0] / of->before[0];
    if (of->facts->law == CAROM_LAW_STRONGE) *measured = sqrt(fmax(0, work_back(of)));
    if (of->facts->law != CAROM_LAW_POISSON && of->facts->law != CAROM_LAW_SEQUENTIAL)
        return CAROM_OK;
    dead.e = 0;
    CAROM_TRY(collide(it, of, &dead));
    *measured = of->P[0] > 0 ? (pushed - of->P[0]) / of->P[0] : NAN;
    return CAROM_OK;
}

static carom_status measure_one(experiment *it, int contact, carom_restitution *found)
{
    hit of = {.facts = carom_plan_contact(it->plan, contact)};
    const carom_contact_facts *facts = of.facts;
    double *rate = carom_plan_law_rates(it->plan);
    of.dim = carom_law_is_rough(facts) || facts->e_t > 0 ? 1 + facts->n_slip : 1;
    *found = (carom_restitution){facts->e, facts->mu, NAN};
    const bool is_closing =
        isfinite(it->eval->gaps.value[contact]) && eliminate_constraints(it, &of);
    for (int i = 0; i < of.dim && is_closing; i++)
        of.before[i] = -CAROM_ARRIVAL_SPEED * of.G[i] / of.G[0];
    if (rate) {
        rate[facts->row] = CAROM_ARRIVAL_SPEED;
        if (facts->n_slip > 0)
            rate[facts->row + 1] = is_closing ? hypot(of.before[1], of.before[2]) : 0;
        CAROM_TRY(
            carom_plan_find_coefficients(it->plan, 0, carom_plan_start_q(it->plan), it->error));
        found->e = facts->e;
        found->mu = facts->mu;
    }
    return is_closing && carom_law_of(facts->law) ? measure_law(it, &of, &found->measured)
                                                  : CAROM_OK;
}

static carom_status prepare(experiment *it, const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    const size_t b = (size_t)size.n_constraint, n = b + ROWS;
    CAROM_TRY(carom_plan_new(model, &MASK, 1, &it->plan, it->error));
    carom_eval *eval = carom_plan_eval(it->plan);
    it->n_bilateral = size.n_constraint;
    it->S = calloc(n * n + ROWS * b + (size_t)size.nu + carom_gram_room(size.n_constraint) + 1,
                   sizeof(double));
    it->pivot = calloc(b + 1, sizeof(int));
    if (!eval || !it->S || !it->pivot || !carom_collision_reserve(&it->room, 2 * ROWS))
        return carom_fail(it->error, CAROM_NO_MEMORY, "memory ran out");
    it->X = it->S + n * n;
    it->x = it->X + ROWS * b;
    it->work = it->x + size.nu;
    it->eval = eval;
    const carom_point start = {.q = carom_plan_start_q(it->plan),
                               .u = carom_plan_start_u(it->plan)};
    CAROM_TRY(carom_plan_refresh(it->plan, &start, 0, NULL, it->error));
    CAROM_TRY(carom_model_eval(it->plan, &start, MASK, eval, it->error));
    return carom_contact_solver_new("auto", NULL, 0, 2 * ROWS, &it->solver, it->error);
}

carom_status carom_restitution_measure(const carom_model *model, carom_restitution *found,
                                       carom_error *error)
{
    CAROM_NEED(error, model);
    const carom_sizes size = carom_model_sizes(model);
    CAROM_NEED_ARRAY(error, found, size.n_contact - size.n_disc);
    experiment it = {.error = error};
    carom_status status = prepare(&it, model);
    for (int c = 0; status == CAROM_OK && c < size.n_contact - size.n_disc; c++)
        status = measure_one(&it, c, &found[c]);
    carom_contact_solver_free(it.solver);
    carom_collision_room_free(it.room);
    carom_plan_free(it.plan);
    free(it.S);
    free(it.pivot);
    return status;
}
