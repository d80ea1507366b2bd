// SPDX-License-Identifier: Apache-2.0
// Random contact problems with a known answer: P and xi are drawn from complementary cones, then
// b = xi - G P with G = W' M^-1 W, so that redundancy, mass ratio and asymmetry are under control.
#ifndef CAROM_TEST_RANDOM_PROBLEM_H
#define CAROM_TEST_RANDOM_PROBLEM_H

#include "carom/contact.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 96, MAX_BLOCKS = 40 };

typedef struct random_state {
    uint64_t s;
} random_state;

typedef struct recipe {
    int n_contact, n_bilateral, dim; // dim of the contacts; 0 = 1, 2 and 3 in turn
    int n_freedom;                   // columns of W live here: fewer than rows = redundant
    double mu, mass_ratio, asymmetry;
} recipe;

// rows that are hard on solvers; the contacts have one dimension, and there is no bilateral group
typedef struct hardship {
    double angle; // not 0: every second contact is nearly parallel to the one before it
    int n_copy;   // the last so many contacts are copies of the first ones
    int n_dead;   // the first so many contacts have rows of zeros
} hardship;

// what limits impulses besides the laws of contact
typedef struct bounds {
    int n_disc, dim; // discs, one after each of the first contacts; dim 0 = 1, 2 and 3 in turn
    bool has_lower;  // every second contact has a part of its normal impulse given, of either sign
} bounds;

typedef struct known_problem {
    carom_problem problem;
    carom_block block[MAX_BLOCKS];
    double G[MAX_ROWS * MAX_ROWS], b[MAX_ROWS], P[MAX_ROWS], xi[MAX_ROWS];
} known_problem;

// uniform in (-1, 1), xorshift
static inline double draw(random_state *r)
{
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return (double)(r->s >> 11) / 4503599627370496.0 - 1.0;
}

// how many rows contact i has
static inline int contact_dim(const recipe *c, int i)
{
    return c->dim > 0 ? c->dim : 1 + i % 3;
}

static inline void spoil_rows(const recipe *c, const hardship *h, int n, double *W)
{
    const int m = c->n_freedom, size = c->dim * m;
    for (int i = 1; i < c->n_contact && h->angle > 0; i += 2)
        for (int j = 0; j < size; j++)
            W[i * size + j] = W[(i - 1) * size + j] + h->angle * W[i * size + j];
    for (int j = 0; j < h->n_copy * size; j++) W[(n - h->n_copy * c->dim) * m + j] = W[j];
    for (int j = 0; j < h->n_dead * size; j++) W[j] = 0;
}

static inline void draw_matrix(random_state *r, const recipe *c, const hardship *h, int n,
                               double *G)
{
    static double W[MAX_ROWS * MAX_ROWS], inverse[MAX_ROWS];
    const int m = c->n_freedom;
    for (int i = 0; i < n * m; i++) W[i] = draw(r);
    spoil_rows(c, h, n, W);
    for (int k = 0; k < m; k++) inverse[k] = pow(c->mass_ratio, 0.5 * draw(r));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += W[i * m + k] * inverse[k] * W[j * m + k];
            G[j * n + i] = sum;
        }
    // asymmetry keeps the range where it is: G (I + small)
    if (c->asymmetry == 0) return;
    static double copy[MAX_ROWS * MAX_ROWS];
    memcpy(copy, G, sizeof *G * (size_t)(n * n));
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double small = c->asymmetry * draw(r) / n;
            for (int i = 0; i < n; i++) G[j * n + i] += copy[k * n + i] * small;
        }
}

// one contact: open, sticking or slipping; a fifth of them degenerate (both P and xi 0)
static inline void draw_contact(random_state *r, const carom_block *block, double *P, double *xi)
{
    const double kind = draw(r), angle = 3.141592653589793 * draw(r), part = fabs(draw(r));
    const double t[2] = {block->dim == 3 ? cos(angle) : (angle > 0 ? 1 : -1), sin(angle)};
    for (int i = 0; i < block->dim; i++) P[i] = xi[i] = 0;
    if (kind < -0.4) {
        xi[0] = kind < -0.9 ? 0 : fabs(draw(r));
        for (int i = 1; i < block->dim; i++) xi[i] = draw(r);
        return;
    }
    P[0] = fabs(draw(r)) + 1e-3;
    const bool slips = kind > 0.3;
    for (int i = 1; i < block->dim; i++) P[i] = block->mu * P[0] * t[i - 1] * (slips ? 1 : part);
    for (int i = 1; i < block->dim && (slips || block->mu == 0); i++) xi[i] = -part * t[i - 1];
}

// a unit vector
static inline void draw_direction(random_state *r, int dim, double *t)
{
    double length = 0;
    while (length < 0.1) {
        double sum = 0;
        for (int i = 0; i < dim; i++) {
            t[i] = draw(r);
            sum += t[i] * t[i];
        }
        length = sqrt(sum);
    }
    for (int i = 0; i < dim; i++) t[i] /= length;
}

// one disc: sticking, slipping, or on the edge between; some have radius 0
static inline void draw_disc(random_state *r, carom_block *block, double *P, double *xi)
{
    const double kind = draw(r), part = fabs(draw(r));
    double t[3];
    draw_direction(r, block->dim, t);
    block->radius = kind < -0.9 ? 0 : fabs(draw(r)) + 1e-3;
    for (int i = 0; i < block->dim; i++) {
        P[i] = block->radius * t[i] * (kind < 0 && kind > -0.8 ? part : 1);
        xi[i] = kind > 0.1 || kind < -0.9 ? -part * t[i] : 0;
    }
}

static inline void draw_answer(random_state *r, const bounds *limits, int i, known_problem *k)
{
    carom_block *block = &k->block[i];
    double *P = k->P + block->first, *xi = k->xi + block->first;
    if (block->is_limited) draw_disc(r, block, P, xi);
    if (!block->is_bilateral) draw_contact(r, block, P, xi);
    for (int j = 0; block->is_bilateral && !block->is_limited && j < block->dim; j++) {
        P[j] = draw(r);
        xi[j] = 0;
    }
    if (block->is_bilateral || !limits->has_lower || i % 2 == 1) return;
    block->lower = 2 * draw(r);
    P[0] += block->lower;
}

static inline int list_blocks(const recipe *c, const bounds *limits, known_problem *k)
{
    int n = 0, n_block = 0, n_disc = 0;
    for (int i = 0; i < c->n_contact + (c->n_bilateral > 0) || n_disc < limits->n_disc; i++) {
        // the bilateral group stands in the middle
        const bool is_bilateral = c->n_bilateral > 0 && i == c->n_contact / 2;
        const bool is_in = i < c->n_contact + (c->n_bilateral > 0);
        k->block[n_block] = (carom_block){
            .first = n, .dim = is_bilateral ? c->n_bilateral : contact_dim(c, i), .id = i};
        k->block[n_block].is_bilateral = is_bilateral;
        k->block[n_block].mu = is_bilateral || k->block[n_block].dim == 1 ? 0 : c->mu;
        if (is_in) n += k->block[n_block++].dim;
        if (n_disc == limits->n_disc) continue;
        const int dim = limits->dim > 0 ? limits->dim : 1 + n_disc % 3;
        n_disc++;
        k->block[n_block++] =
            (carom_block){.first = n, .dim = dim, .is_bilateral = true, .is_limited = true};
        n += dim;
    }
    k->problem = (carom_problem){n, n_block, k->block, {.n = n, .dense = k->G}, k->b};
    return n;
}

static inline void make_any(random_state *r, const recipe *c, const hardship *h,
                            const bounds *limits, known_problem *k)
{
    const int n = list_blocks(c, limits, k);
    draw_matrix(r, c, h, n, k->G);
    for (int i = 0; i < k->problem.n_block; i++) draw_answer(r, limits, i, k);
    for (int i = 0; i < n; i++) {
        k->b[i] = k->xi[i];
        for (int j = 0; j < n; j++) k->b[i] -= k->G[j * n + i] * k->P[j];
    }
}

static inline void make_hard(random_state *r, const recipe *c, const hardship *h, known_problem *k)
{
    const bounds none = {0, 0, false};
    make_any(r, c, h, &none, k);
}

// with discs and given parts of impulses
static inline void make_bounded(random_state *r, const recipe *c, const bounds *limits,
                                known_problem *k)
{
    const hardship none = {0, 0, 0};
    make_any(r, c, &none, limits, k);
}

static inline void make_known(random_state *r, const recipe *c, known_problem *k)
{
    const hardship none = {0, 0, 0};
    make_hard(r, c, &none, k);
}

#endif
