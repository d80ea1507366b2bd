// SPDX-License-Identifier: Apache-2.0
// Impacts by laws of their own (dynamics/laws). Such a law sees the contacts alone: constraints are
// eliminated,
//
//     S = W M^-1 W' of constraints b and contacts c
//     X = S_bb^+ S_bc,   G = S_cc - S_cb X,   P_b = -X P_c
//
// and what the law answers is applied to the model: M (u+ - u-) = W' P.
#include "contact/solver.h"
#include "dynamics/assembly.h"
#include "dynamics/law.h"
#include "dynamics/laws/laws.h"
#include "hybrid/hybrid.h"
#include "math/gram.h"
#include "model/laws/coefficients.h"

#include <math.h>
#include <string.h>

struct carom_hybrid_laws {
    carom_contact_solver *solver;
    struct carom_collision_room *room;
    carom_block *block;                //< (n_contact)
    const carom_contact_facts **facts; //< (n_contact)
    int *row, *pivot;                  //< (n_row) of the model: constraints first
    double *S, *X, *G;                 //< (n_row^2)
    double *rate, *P;                  //< (n_row) of contacts
    double *x, *work;                  //< (nu), (carom_gram_room)
};

static bool is_plain(const carom_contact_facts *facts)
{
    return facts->law == CAROM_LAW_NEWTON || facts->law == CAROM_LAW_DISC;
}

static carom_status make_solver(carom_hybrid *h, struct carom_hybrid_laws *laws)
{
    const carom_contact_solver *users = carom_contacts_solver(h->s->contacts);
    const int n = 2 * h->s->size.n_row;
    if (carom_contact_solver_facts(users)->takes_discs)
        return carom_contact_solver_like(users, n, &laws->solver, h->s->error);
    return carom_contact_solver_new("auto", NULL, 0, n, &laws->solver, h->s->error);
}

carom_status carom_hybrid_make_laws(carom_hybrid *h)
{
    const carom_sizes n = h->s->size;
    carom_arena *arena = h->flow->arena;
    bool are_plain = true;
    for (int c = 0; c < n.n_contact; c++) are_plain &= is_plain(carom_plan_contact(h->s->plan, c));
    if (are_plain) return CAROM_OK;
    struct carom_hybrid_laws *laws = h->laws = CAROM_TAKE(arena, struct carom_hybrid_laws, 1);
    if (!laws) return carom_fail(h->s->error, CAROM_NO_MEMORY, "out of memory");
    laws->block = CAROM_TAKE(arena, carom_block, n.n_contact);
    laws->facts = CAROM_TAKE(arena, const carom_contact_facts *, n.n_contact);
    laws->row = CAROM_TAKE(arena, int, n.n_row);
    laws->pivot = CAROM_TAKE(arena, int, n.n_row);
    laws->S = CAROM_TAKE(arena, double, n.n_row *n.n_row);
    laws->X = CAROM_TAKE(arena, double, n.n_row *n.n_row);
    laws->G = CAROM_TAKE(arena, double, n.n_row *n.n_row);
    laws->rate = CAROM_TAKE(arena, double, n.n_row);
    laws->P = CAROM_TAKE(arena, double, n.n_row);
    laws->x = CAROM_TAKE(arena, double, n.nu);
    laws->work = CAROM_TAKE(arena, double, (int)carom_gram_room(n.n_constraint));
    const bool is_taken = laws->block && laws->facts && laws->row && laws->pivot && laws->S &&
                          laws->X && laws->G && laws->rate && laws->P && laws->x && laws->work &&
                          carom_collision_reserve(&laws->room, n.n_row);
    if (!is_taken) return carom_fail(h->s->error, CAROM_NO_MEMORY, "out of memory");
    return make_solver(h, laws);
}

void carom_hybrid_free_laws(carom_hybrid *h)
{
    if (!h->laws) return;
    carom_contact_solver_free(h->laws->solver);
    carom_collision_room_free(h->laws->room);
}

bool carom_hybrid_has_laws(const carom_hybrid *h)
{
    for (int c = 0; h->laws && c < h->s->size.n_contact; c++)
        if (h->event.is_in[c] && !is_plain(carom_plan_contact(h->s->plan, c))) return true;
    return false;
}

// constraints, then contacts that touch; a contact without friction has its normal alone
static void choose_rows(carom_hybrid *h, carom_collision *c)
{
    struct carom_hybrid_laws *laws = h->laws;
    const int n_constraint = h->s->size.n_constraint;
    for (int k = 0; k < n_constraint; k++) laws->row[k] = k;
    for (int i = 0; i < h->s->size.n_contact; i++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, i);
        if (!h->event.is_in[i] || facts->law == CAROM_LAW_DISC)
            continue; // no time passes: they bear nothing
        const int dim = carom_law_is_rough(facts) ? 1 + facts->n_slip : 1;
        laws->facts[c->n_block] = facts;
        laws->block[c->n_block++] =
            (carom_block){.first = c->n_row, .dim = dim, .mu = carom_law_friction(facts), .id = i};
        for (int k = 0; k < dim; k++) {
            laws->rate[c->n_row] = h->event.true_minus[facts->row + k];
            laws->P[c->n_row] = 0;
            laws->row[n_constraint + c->n_row++] = facts->row + k;
        }
    }
}

// S = W M^-1 W' of n rows
static void fill_products(carom_hybrid *h, int n)
{
    struct carom_hybrid_laws *laws = h->laws;
    const carom_sparse *W = &h->seen.ev->rows.W;
    for (int j = 0; j < n; j++) {
        memset(laws->x, 0, sizeof *laws->x * (size_t)h->s->size.nu);
        const int r = laws->row[j];
        for (int k = W->start[r]; k < W->start[r + 1]; k++) laws->x[W->index[k]] += W->value[k];
        carom_mass_solve(h->seen.ev->mass, laws->x);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = W->start[laws->row[i]]; k < W->start[laws->row[i] + 1]; k++)
                sum += W->value[k] * laws->x[W->index[k]];
            laws->S[j * n + i] = sum;
        }
    }
}

// G of the contacts with all b constraints held
static carom_status eliminate_constraints(carom_hybrid *h, int b, int m)
{
    struct carom_hybrid_laws *laws = h->laws;
    const int n = b + m;
    for (int j = 0; j < m; j++)
        memcpy(laws->X + j * b, laws->S + (b + j) * n, sizeof *laws->X * (size_t)b);
    const carom_gram gram = {
        .n = b, .lda = n, .A = laws->S, .work = laws->work, .pivot = laws->pivot};
    if (b > 0 && carom_gram_solve(&gram, m, laws->X) < 0)
        return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                          "the constraints cannot be held through an impact at t = %.9g",
                          h->next.t);
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++) {
            double sum = laws->S[(b + j) * n + b + i];
            for (int k = 0; k < b; k++) sum -= laws->S[(b + i) * n + k] * laws->X[j * b + k];
            laws->G[j * m + i] = laws->G[i * m + j] = sum;
        }
    return CAROM_OK;
}

// impulses by rows of the model, and the velocities after them
static void apply_answer(carom_hybrid *h, const carom_collision *c)
{
    struct carom_hybrid_laws *laws = h->laws;
    carom_step *s = h->s;
    const int b = s->size.n_constraint;
    memset(h->event.P, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int j = 0; j < c->n_row; j++) {
        h->event.P[laws->row[b + j]] = c->P[j];
        for (int k = 0; k < b; k++) h->event.P[k] -= laws->X[j * b + k] * c->P[j];
    }
    memset(laws->x, 0, sizeof *laws->x * (size_t)s->size.nu);
    carom_dynamics_push(h->seen.ev, h->event.P, laws->x);
    carom_mass_solve(h->seen.ev->mass, laws->x);
    for (int i = 0; i < s->size.nu; i++) h->next.u[i] += laws->x[i];
    carom_dynamics_rates(h->seen.ev, h->next.u, s->report.rate_after);
    memcpy(s->report.rate_before, h->event.true_minus, sizeof(double) * (size_t)s->size.n_row);
}

// contacts that collide in turn arrive as the others have left them
static carom_status find_restitution(void *self, int k, double speed, double *e)
{
    carom_hybrid *h = self;
    carom_plan *plan = h->s->plan;
    const carom_contact_facts *facts = h->laws->facts[k];
    if (!(facts->varies & CAROM_VARIES_RESTITUTION)) return CAROM_OK;
    carom_plan_law_rates(plan)[facts->row] = speed;
    CAROM_TRY(carom_plan_find_coefficients(plan, h->next.t, h->next.q, h->s->error));
    *e = carom_law_factor(facts, 0);
    return CAROM_OK;
}

carom_status carom_hybrid_collide_by_laws(carom_hybrid *h)
{
    struct carom_hybrid_laws *laws = h->laws;
    carom_step *s = h->s;
    carom_collision c = {.block = laws->block,
                         .facts = laws->facts,
                         .G = laws->G,
                         .rate = laws->rate,
                         .P = laws->P,
                         .restitution = s->plan->coefficients ? find_restitution : NULL,
                         .self = h,
                         .solver = laws->solver,
                         .room = laws->room,
                         .error = s->error,
                         .is_converged = true};
    choose_rows(h, &c);
    fill_products(h, s->size.n_constraint + c.n_row);
    CAROM_TRY(eliminate_constraints(h, s->size.n_constraint, c.n_row));
    CAROM_TRY(carom_collide(&c));
    apply_answer(h, &c);
    s->report.is_converged &= c.is_converged;
    s->report.residual = fmax(s->report.residual, c.residual);
    s->report.has_impact = h->event.has_jump = true;
    return CAROM_OK;
}
