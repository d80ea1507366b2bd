// SPDX-License-Identifier: Apache-2.0
// Random shapes, each with the same body for the exact reference, and random poses: any, or turned
// by multiples of a right angle, and shifted so that two bodies nearly or just touch.
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "shapes/exact.h"
#include "shapes/shape.h"

#include <stdint.h>
#include <string.h>

static inline double scene_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static inline double scene_between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * scene_random(seed);
}

static inline int scene_choice(uint64_t *seed, int n)
{
    return (int)(scene_random(seed) * n);
}

/// Any rotation, or with is_aligned one of the right angles.
static inline void scene_rotation(uint64_t *seed, int is_aligned, double *R)
{
    if (is_aligned) {
        static const int order[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
        const int *o = order[scene_choice(seed, 3)];
        const double s = scene_random(seed) < 0.5 ? -1 : 1, t = scene_random(seed) < 0.5 ? -1 : 1;
        memset(R, 0, 9 * sizeof *R);
        R[o[0]] = s;
        R[3 + o[1]] = t;
        R[6 + o[2]] = s * t;
        return;
    }
    long double p[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        p[k] = scene_between(seed, -1, 1);
        sum += p[k] * p[k];
    }
    const long double s = 2 / sum, w = p[0], x = p[1], y = p[2], z = p[3];
    const long double M[9] = {
        1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
        s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
    for (int k = 0; k < 9; k++) R[k] = (double)M[k];
}

/// Turned on by 1e-2 .. 1e-16 about an axis: faces and edges that lie on each other but for that.
static inline void scene_tilt(uint64_t *seed, double *R)
{
    const int i = scene_choice(seed, 3), j = (i + 1) % 3;
    const long double angle = powl(10, -scene_between(seed, 2, 16));
    for (int k = 0; k < 3; k++) {
        const long double x = R[3 * i + k], y = R[3 * j + k];
        R[3 * i + k] = (double)(cosl(angle) * x - sinl(angle) * y);
        R[3 * j + k] = (double)(sinl(angle) * x + cosl(angle) * y);
    }
}

static inline void scene_place(exact_body *body, const carom_placement *at)
{
    for (int i = 0; i < body->n_point; i++) {
        real p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = at->r[k];
            for (int l = 0; l < 3; l++) p[k] += (real)at->R[3 * k + l] * body->point[i][l];
        }
        for (int k = 0; k < 3; k++) body->point[i][k] = p[k];
    }
}

static inline void scene_box(const double *size, double rounding, exact_body *body)
{
    static const int quad[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                   {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    exact_clear(body);
    body->n_point = 8;
    body->radius = rounding;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            body->point[i][k] = (i >> k & 1 ? 1 : -1) * (0.5L * size[k] - rounding);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            if (!(i >> k & 1)) {
                body->segment[body->n_segment][0] = i;
                body->segment[body->n_segment++][1] = i | 1 << k;
            }
    for (int k = 0; k < 3; k++) { // the first three edges, one of each pair of faces
        body->normal[body->n_normal++] = 4 * k;
        body->along[body->n_along++] = k;
    }
    for (int f = 0; f < 6; f++)
        for (int h = 0; h < 2; h++) {
            int *t = body->triangle[body->n_triangle++];
            t[0] = quad[f][0];
            t[1] = quad[f][1 + h];
            t[2] = quad[f][2 + h];
        }
}

/// All pairs and triples of a body's points.
static inline void scene_all_parts(exact_body *body)
{
    for (int i = 0; i < body->n_point; i++)
        for (int j = i + 1; j < body->n_point; j++) {
            body->segment[body->n_segment][0] = i;
            body->segment[body->n_segment++][1] = j;
            for (int k = j + 1; k < body->n_point; k++) {
                int *t = body->triangle[body->n_triangle++];
                t[0] = i;
                t[1] = j;
                t[2] = k;
            }
        }
}

/// A prism of 32 sides with its corners on rims about z, as cylinders and cones are for most.
static inline void scene_prism(const double *rim, double length, exact_body *body)
{
    enum { N = 32 };
    exact_clear(body);
    body->n_point = 2 * N;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N; i++) {
            const double angle = 2 * acos(-1) * i / N;
            real *p = body->point[N * k + i];
            p[0] = rim[k] * cos(angle);
            p[1] = rim[k] * sin(angle);
            p[2] = (k ? 0.5 : -0.5) * length;
        }
    body->normal[body->n_normal++] = 4 * 2 + 2; // a cap; sides and rims opposite are parallel
    const bool is_cone = rim[0] != rim[1];
    for (int i = 0; i < (is_cone ? N : N / 2); i++) body->normal[body->n_normal++] = 4 * i;
    for (int i = 0; i < N / 2; i++) body->along[body->n_along++] = 3 * i;
    for (int i = 0; i < (is_cone ? N : 1); i++) body->along[body->n_along++] = 3 * i + 2;
    for (int i = 0; i < N; i++) {
        const int next = (i + 1) % N;
        const int segment[3][2] = {{i, next}, {N + i, N + next}, {i, N + i}};
        const int triangle[4][3] = {
            {i, next, N + i}, {next, N + next, N + i}, {0, i, next}, {N, N + i, N + next}};
        memcpy(body->segment[body->n_segment], segment, sizeof segment);
        memcpy(body->triangle[body->n_triangle], triangle, sizeof triangle);
        body->n_segment += 3;
        body->n_triangle += 4;
    }
}

#endif
