// SPDX-License-Identifier: Apache-2.0
// Contact problems of laws, and contacts that collide in turn.
#include "base/grow.h"
#include "dynamics/laws/collision_room.h"
#include "dynamics/laws/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 100000 };
static const double SLOW = 1e-13; // of the fastest rate: closes no more
static const double EQUAL = 1e-12;

static const carom_impact_law *const law[] = {
#define X(name, NUMBER) &carom_impact_law_##name,
    CAROM_LAWS(X)
#undef X
};
enum { N_LAW = sizeof law / sizeof *law };

const carom_impact_law *carom_law_of(int number)
{
    for (int i = 0; i < N_LAW; i++)
        if (law[i]->number == number) return law[i];
    return NULL;
}

bool carom_collision_reserve(struct carom_collision_room **room, int n)
{
    if (!*room && !(*room = calloc(1, sizeof **room))) return false;
    struct carom_collision_room *r = *room;
    if (n <= r->room) return true;
    const size_t twice = 2 * (size_t)n;
    if (!carom_grow(&r->G, sizeof(double), twice * twice) ||
        !carom_grow(&r->b, sizeof(double), twice) || !carom_grow(&r->Q, sizeof(double), twice) ||
        !carom_grow(&r->given, sizeof(double), (size_t)n) ||
        !carom_grow(&r->block, sizeof(carom_block), twice) ||
        !carom_grow(&r->row, sizeof(int), twice))
        return false;
    r->room = n;
    return true;
}

void carom_collision_room_free(struct carom_collision_room *room)
{
    if (!room) return;
    free(room->G);
    free(room->b);
    free(room->Q);
    free(room->given);
    free(room->block);
    free(room->row);
    free(room);
}

void carom_collision_push(carom_collision *c, int row, double Q)
{
    c->P[row] += Q;
    for (int i = 0; i < c->n_row; i++) c->rate[i] += c->G[i * c->n_row + row] * Q;
}

void carom_hit_push(carom_hit *hit, int row, double Q)
{
    for (int i = 0; i < hit->dim; i++) hit->rate[i] += hit->G[i * hit->dim + row] * Q;
}

// ---- contact problems ----

// solves, and says what came of it
static carom_status solve(carom_collision *c, carom_problem *p, double *Q)
{
    carom_contact_info info;
    memset(Q, 0, sizeof *Q * (size_t)p->n_row);
    CAROM_TRY(carom_contact_solve(c->solver, p, Q, &info, c->error));
    c->is_converged &= info.is_converged;
    c->residual = fmax(c->residual, info.residual);
    return CAROM_OK;
}

// a disc for the friction of a given push, on the tangents of a contact
static void add_disc(carom_problem *p, const carom_block *of, double given, int *row)
{
    if (!(given > 0) || of->dim < 2 || !(of->mu > 0)) return;
    p->block[p->n_block++] = (carom_block){.first = p->n_row,
                                           .dim = of->dim - 1,
                                           .is_bilateral = true,
                                           .is_limited = true,
                                           .radius = of->mu * given,
                                           .id = of->id};
    for (int k = 1; k < of->dim; k++) row[p->n_row++] = of->first + k;
}

static void fill_problem(carom_problem *p, int n, const double *G, const double *rate,
                         const double *aim, const int *row)
{
    p->G.n = p->n_row;
    for (int j = 0; j < p->n_row; j++) {
        for (int i = 0; i < p->n_row; i++) p->G.dense[j * p->n_row + i] = G[row[j] * n + row[i]];
        p->b[j] = rate[row[j]] + (aim ? aim[row[j]] : 0);
    }
}

carom_status carom_collision_solve(carom_collision *c, const double *aim, const double *given)
{
    struct carom_collision_room *r = c->room;
    carom_problem p = {.block = r->block, .b = r->b, .G.dense = r->G};
    for (int k = 0; k < c->n_block; k++) {
        p.block[p.n_block++] = c->block[k];
        for (int i = 0; i < c->block[k].dim; i++) r->row[p.n_row++] = c->block[k].first + i;
    }
    for (int k = 0; given && k < c->n_block; k++) add_disc(&p, &c->block[k], given[k], r->row);
    fill_problem(&p, c->n_row, c->G, c->rate, aim, r->row);
    CAROM_TRY(solve(c, &p, r->Q));
    for (int i = 0; i < p.n_row; i++)
        if (r->Q[i] != 0) carom_collision_push(c, r->row[i], r->Q[i]);
    return CAROM_OK;
}

carom_status carom_hit_solve(carom_collision *c, carom_hit *hit, const double *aim, double given,
                             double *Q)
{
    enum { MOST = 2 * CAROM_POINT_ROWS - 1 };
    double G[MOST * MOST], b[MOST], answer[MOST];
    int row[MOST] = {0, 1, 2};
    carom_block block[2] = {{.dim = hit->dim, .mu = hit->dim > 1 ? hit->mu : 0}};
    carom_problem p = {.n_row = hit->dim, .n_block = 1, .block = block, .b = b, .G.dense = G};
    add_disc(&p, &block[0], given, row);
    fill_problem(&p, hit->dim, hit->G, hit->rate, aim, row);
    CAROM_TRY(solve(c, &p, answer));
    for (int i = 0; i < p.n_row; i++) {
        Q[row[i]] += answer[i];
        carom_hit_push(hit, row[i], answer[i]);
    }
    return CAROM_OK;
}

// ---- in turn ----

// the contact that closes fastest, -1 = none
static int find_fastest(const carom_collision *c, double slow)
{
    int fastest = -1;
    double most = slow;
    for (int k = 0; k < c->n_block; k++) {
        const double closing = -c->rate[c->block[k].first];
        if (!(closing > most * (1 + EQUAL))) continue;
        most = closing;
        fastest = k;
    }
    return fastest;
}

static carom_status hit_one(carom_collision *c, int k)
{
    const carom_block *block = &c->block[k];
    const carom_contact_facts *facts = c->facts[k];
    carom_hit hit = {.dim = block->dim, .mu = block->mu, .e = facts->e, .e_t = facts->e_t};
    double Q[CAROM_POINT_ROWS] = {0};
    for (int i = 0; i < hit.dim; i++) {
        hit.rate[i] = c->rate[block->first + i];
        for (int j = 0; j < hit.dim; j++)
            hit.G[i * hit.dim + j] = c->G[(block->first + i) * c->n_row + block->first + j];
    }
    if (!(hit.G[0] > 0))
        return carom_fail(c->error, CAROM_NOT_CONVERGED,
                          "contact '%s' cannot open: constraints hold it where it closes",
                          facts->name);
    if (c->restitution) CAROM_TRY(c->restitution(c->self, k, -hit.rate[0], &hit.e));
    CAROM_TRY(carom_law_of(facts->law)->one(c, &hit, Q));
    for (int i = 0; i < hit.dim; i++) carom_collision_push(c, block->first + i, Q[i]);
    return CAROM_OK;
}

static double fastest_rate(const carom_collision *c)
{
    double most = 0;
    for (int i = 0; i < c->n_row; i++) most = fmax(most, fabs(c->rate[i]));
    return most;
}

static carom_status collide_in_turn(carom_collision *c)
{
    const double slow = SLOW * fastest_rate(c);
    int last = -1, before = -1;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        const int k = find_fastest(c, slow);
        // what is left is rounding: together, without restitution
        if (k < 0) return carom_collision_solve(c, NULL, NULL);
        CAROM_TRY(hit_one(c, k));
        before = last;
        last = k;
    }
    return carom_fail(
        c->error, CAROM_NOT_CONVERGED,
        "impacts in turn do not end: '%s' and '%s' hit again and again (a restitution "
        "below 1, or law: poisson)",
        c->facts[last]->name, c->facts[before]->name);
}

// the law by which all contacts collide together; NULL: in turn. Where nothing comes back Newton's
// is Poisson's
static const carom_impact_law *find_common(const carom_collision *c)
{
    const carom_impact_law *common = NULL;
    for (int k = 0; k < c->n_block; k++) {
        const carom_contact_facts *facts = c->facts[k];
        const bool is_dead = facts->law == CAROM_LAW_NEWTON && facts->e == 0 && facts->e_t == 0;
        const carom_impact_law *own =
            is_dead ? &carom_impact_law_poisson : carom_law_of(facts->law);
        if (!own->all || (common && common != own)) return NULL;
        common = own;
    }
    return common;
}

carom_status carom_collide(carom_collision *c)
{
    const carom_impact_law *common = find_common(c);
    return common ? common->all(c) : collide_in_turn(c);
}
