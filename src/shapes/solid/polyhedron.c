// SPDX-License-Identifier: Apache-2.0
// A body between triangles as a sum of tetrahedra (o, p, q, r), exactly. From o:
//
//     V = p.(q x r)/6,   integral of x = V/4 (p + q + r),
//     integral of x_i x_j = V/20 (p_i p_j + q_i q_j + r_i r_j + s_i s_j),   s = p + q + r
#include "shapes/solid/polyhedron.h"

#include "math/vec3.h"

static const int first_index[6] = {0, 1, 2, 0, 0, 1}, second_index[6] = {0, 1, 2, 1, 2, 2};

void carom_polyhedron_add(carom_polyhedron *body, const double *p, const double *q, const double *r)
{
    double a[3], b[3], c[3], s[3];
    carom_vec3_subtract(p, body->origin, a);
    carom_vec3_subtract(q, body->origin, b);
    carom_vec3_subtract(r, body->origin, c);
    const double volume = carom_vec3_triple(a, b, c) / 6;
    body->volume += volume;
    for (int k = 0; k < 3; k++) {
        s[k] = a[k] + b[k] + c[k];
        body->first[k] += volume / 4 * s[k];
    }
    for (int k = 0; k < 6; k++) {
        const int i = first_index[k], j = second_index[k];
        body->second[k] += volume / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
}

void carom_polyhedron_weigh(const carom_polyhedron *body, carom_shape *shape)
{
    carom_shape_mass *mass = &shape->mass_1;
    double centre[3], about[6];
    for (int k = 0; k < 3; k++) {
        centre[k] = body->first[k] / body->volume;
        mass->centre[k] = body->origin[k] + centre[k];
    }
    for (int k = 0; k < 6; k++)
        about[k] =
            body->second[k] - body->volume * centre[first_index[k]] * centre[second_index[k]];
    mass->mass = body->volume;
    mass->inertia[0] = about[1] + about[2];
    mass->inertia[1] = about[0] + about[2];
    mass->inertia[2] = about[0] + about[1];
    for (int k = 3; k < 6; k++) mass->inertia[k] = -about[k];
    shape->is_heavy = true;
}
