// SPDX-License-Identifier: Apache-2.0
// Mass of a body from its shapes. Where two shapes overlap, their matter counts twice.
//
//     m = sum m_i,   c = sum m_i c_i/m,   J = sum (J_i + m_i (d.d 1 - d d')),   d = c_i - c
//
// What rounding leaves of a centre in the origin, or of axes that are principal, is 0: then nothing
// of it is in the equations.
#include "model/matter/matter.h"

#include <math.h>

static const double ROUNDING = 1e-14;

static void clear_rounding(carom_shape_mass *sum, double reach)
{
    const double most = sum->inertia[0] + sum->inertia[1] + sum->inertia[2];
    for (int k = 0; k < 3; k++) {
        if (fabs(sum->centre[k]) < ROUNDING * reach) sum->centre[k] = 0;
        if (fabs(sum->inertia[3 + k]) < ROUNDING * most) sum->inertia[3 + k] = 0;
    }
}

static void add_shape(const carom_shape_mass *part, const double *c, double *inertia)
{
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double d[3], square = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = part->centre[i] - c[i];
        square += d[i] * d[i];
    }
    for (int k = 0; k < 6; k++) {
        const int i = entry[k][0], j = entry[k][1];
        inertia[k] += part->inertia[k] + part->mass * ((i == j ? square : 0) - d[i] * d[j]);
    }
}

carom_status carom_matter_weigh(carom_making *making, const carom_body *body, int first,
                                carom_shape_mass *sum)
{
    const carom_matter *matter = making->bodies->matter;
    carom_shape_mass part;
    double reach = 0;
    *sum = (carom_shape_mass){0};
    for (int i = first; i < matter->solid.n; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        if (!carom_shape_weigh(solid->shape, 1, &part))
            return carom_fail_at(making->error, solid->place, CAROM_BAD_INPUT,
                                 "a %s has no mass, so that of '%.60s' does not follow from its "
                                 "shapes (give mass and inertia)",
                                 solid->kind, body->name);
        sum->mass += part.mass;
        reach = fmax(reach, carom_shape_reach(solid->shape));
        for (int k = 0; k < 3; k++) sum->centre[k] += part.mass * part.centre[k];
    }
    for (int k = 0; k < 3; k++) sum->centre[k] /= sum->mass;
    for (int i = first; i < matter->solid.n; i++) {
        carom_shape_weigh(matter->solid.item[i].shape, 1, &part);
        add_shape(&part, sum->centre, sum->inertia);
    }
    clear_rounding(sum, reach);
    return CAROM_OK;
}
