// SPDX-License-Identifier: Apache-2.0
// Random heaps of balls or disks as contact problems given as factors: balls on a grid with some
// disorder, contacts with neighbours and the ground, rods between some, dry friction on others.
#ifndef CAROM_TEST_BODY_SCENE_H
#define CAROM_TEST_BODY_SCENE_H

#include "contact/problem/problem.h"
#include "contact/random_problem.h"

enum { SCENE_ROWS = 600, SCENE_BLOCKS = 300, SCENE_BODIES = 60, SCENE_ENTRIES = 12 * SCENE_ROWS };

typedef struct scene_recipe {
    int across, high; // balls
    bool in_plane, has_rods, has_discs;
    bool has_dense_mass; // M^-1 has full blocks
    double mu, heavy;    // friction; the mass of every fifth ball
} scene_recipe;

typedef struct scene {
    carom_problem problem; // as factors
    carom_problem sparse;  // the same with G multiplied out
    carom_factors factors;
    carom_block block[SCENE_BLOCKS];
    double b[SCENE_ROWS], value[SCENE_ENTRIES], inverse[36 * SCENE_BODIES];
    double scratch[12 * SCENE_BODIES], u[6 * SCENE_BODIES];
    int start[SCENE_ROWS + 1], index[SCENE_ENTRIES], mass_row[6 * SCENE_BODIES + 1];
    int inverse_at[6 * SCENE_BODIES];
    int sparse_start[SCENE_ROWS + 1], *sparse_index;
    double *sparse_value;
    int n_body, width;
} scene;

static inline void close_scene(scene *s)
{
    free(s->sparse_index);
    free(s->sparse_value);
}

// six or three numbers of one body in a row; zeros are left out
static inline void add_entries(scene *s, int row, int body, const double *w)
{
    int *end = &s->start[row + 1];
    for (int i = 0; i < s->width; i++) {
        if (w[i] == 0) continue;
        s->index[*end] = body * s->width + i;
        s->value[(*end)++] = w[i];
    }
}

// the rate at a point of two bodies along e: arm r on the first, -r on the second (below 0: ground)
static inline void add_row(scene *s, int one, int two, const double r[3], const double e[3],
                           double more)
{
    const double turn[3] = {r[1] * e[2] - r[2] * e[1], r[2] * e[0] - r[0] * e[2],
                            r[0] * e[1] - r[1] * e[0]};
    const double space[2][6] = {{-e[0], -e[1], -e[2], -turn[0], -turn[1], -turn[2]},
                                {e[0], e[1], e[2], -turn[0], -turn[1], -turn[2]}};
    const double plane[2][3] = {{-e[0], -e[2], turn[1]}, {e[0], e[2], turn[1]}};
    carom_problem *p = &s->problem;
    s->start[p->n_row + 1] = s->start[p->n_row];
    for (int i = 0; i < 2; i++)
        if ((i == 0 ? one : two) >= 0)
            add_entries(s, p->n_row, i == 0 ? one : two, s->width == 3 ? plane[i] : space[i]);
    p->b[p->n_row] = more;
    for (int k = s->start[p->n_row]; k < s->start[p->n_row + 1]; k++)
        p->b[p->n_row] += s->value[k] * s->u[s->index[k]];
    p->n_row++;
}

static inline void add_block(scene *s, carom_block block, int dim)
{
    block.dim = dim;
    block.first = s->problem.n_row - dim;
    s->problem.block[s->problem.n_block++] = block;
}

// a contact where the surfaces meet along n, or a rod that keeps the distance
static inline void touch(scene *s, const scene_recipe *c, int one, int two, const double n[3],
                         double more)
{
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double e[3] = {n[0] / size, n[1] / size, n[2] / size};
    const double across[3] = {e[2], 0, -e[0]}, length = sqrt(e[2] * e[2] + e[0] * e[0]);
    const double t[3] = {across[0] / length, 0, across[2] / length};
    const double w[3] = {e[1] * t[2] - e[2] * t[1], e[2] * t[0] - e[0] * t[2],
                         e[0] * t[1] - e[1] * t[0]};
    add_row(s, one, two, e, e, more);
    if (c->has_rods && s->problem.n_block % 7 == 3) {
        add_block(s, (carom_block){.is_bilateral = true}, 1);
        return;
    }
    add_row(s, one, two, e, t, 0);
    if (!c->in_plane) add_row(s, one, two, e, w, 0);
    add_block(s, (carom_block){.mu = c->mu}, c->in_plane ? 2 : 3);
}

// dry friction of the rotation of a body
static inline void brake(scene *s, const scene_recipe *c, int body)
{
    const double r[3] = {0, 0, 0}, zero[3] = {0, 0, 0};
    double w[6] = {0};
    for (int i = 0; i < (c->in_plane ? 1 : 3); i++) {
        for (int k = 0; k < 6; k++) w[k] = k == (c->in_plane ? 2 : 3 + i);
        add_row(s, -1, -1, r, zero, 0.1 * (i + 1));
        add_entries(s, s->problem.n_row - 1, body, w);
    }
    add_block(s, (carom_block){.is_bilateral = true, .is_limited = true, .radius = 0.02},
              c->in_plane ? 1 : 3);
}

static inline void draw_masses(scene *s, const scene_recipe *c, random_state *r)
{
    const int n = s->width;
    s->factors.n_mass = 0;
    for (int body = 0, at = 0; body < s->n_body; body++) {
        const double m = body % 5 == 4 ? c->heavy : 1;
        double root[36] = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                root[j * n + i] = i == j              ? 1 / sqrt(m * (i < n / 2 + n % 2 ? 1 : 0.4))
                                  : c->has_dense_mass ? 0.1 * draw(r) / sqrt(m)
                                                      : 0;
        if (!c->has_dense_mass)
            for (int i = 0; i < n; i++) { // each velocity is a block of its own
                s->mass_row[s->factors.n_mass] = body * n + i;
                s->inverse_at[s->factors.n_mass++] = at;
                s->inverse[at++] = root[i * n + i] * root[i * n + i];
            }
        else {
            s->mass_row[s->factors.n_mass] = body * n;
            s->inverse_at[s->factors.n_mass++] = at;
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++, at++) {
                    s->inverse[at] = 0;
                    for (int k = 0; k < n; k++) s->inverse[at] += root[k * n + i] * root[k * n + j];
                }
        }
        for (int i = 0; i < n; i++) s->u[body * n + i] = 0.3 * draw(r) - (i == n / 2 + n % 2 - 1);
    }
    s->mass_row[s->factors.n_mass] = s->n_body * n;
}

static inline void multiply_out(scene *s)
{
    const int n = s->problem.n_row;
    s->sparse_index = malloc(sizeof(int) * (size_t)(n * n));
    s->sparse_value = malloc(sizeof(double) * (size_t)(n * n));
    s->sparse_start[0] = 0;
    for (int i = 0, at = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double x = carom_matrix_at(&s->problem.G, i, j);
            if (x == 0 && i != j) continue;
            s->sparse_index[at] = j;
            s->sparse_value[at++] = x;
        }
        s->sparse_start[i + 1] = at;
    }
    s->sparse = s->problem;
    s->sparse.G = (carom_matrix){
        .n = n, .start = s->sparse_start, .index = s->sparse_index, .value = s->sparse_value};
}

static inline void make_scene(scene *s, const scene_recipe *c, random_state *r)
{
    *s = (scene){.n_body = c->across * c->high, .width = c->in_plane ? 3 : 6};
    carom_factors *f = &s->factors;
    *f = (carom_factors){.n_column = s->n_body * s->width,
                         .start = s->start,
                         .index = s->index,
                         .value = s->value,
                         .mass_row = s->mass_row,
                         .inverse = s->inverse,
                         .inverse_at = s->inverse_at,
                         .scratch = s->scratch};
    s->problem = (carom_problem){.block = s->block, .b = s->b, .G.factors = f};
    draw_masses(s, c, r);
    for (int k = 0; k < c->high; k++)
        for (int i = 0; i < c->across; i++) {
            const int body = k * c->across + i;
            const double wild = c->in_plane ? 0 : 0.3;
            const double up[3] = {0.3 * draw(r), wild * draw(r), 1};
            const double aside[3] = {1, wild * draw(r), 0.3 * draw(r)};
            touch(s, c, k > 0 ? body - c->across : -1, body, up, 0);
            if (i > 0) touch(s, c, body - 1, body, aside, 0.1 * draw(r));
            if (k > 0 && i > 0) {
                const double slanted[3] = {0.7, wild * draw(r), 0.7};
                touch(s, c, body - c->across - 1, body, slanted, 0.3 + 0.3 * draw(r));
            }
            if (c->has_discs && body % 4 == 1) brake(s, c, body);
        }
    s->problem.G.n = s->problem.n_row;
    multiply_out(s);
}

#endif
