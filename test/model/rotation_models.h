// SPDX-License-Identifier: Apache-2.0
// Models with rotations: tops by texts, and one with something of everything.
#ifndef CAROM_TEST_ROTATION_MODELS_H
#define CAROM_TEST_ROTATION_MODELS_H

#include "model/model_rig.h"

/// A rotation with its start; NULL = absent.
typedef struct rotation_text {
    const char *name;
    const char *quaternion[4], *spin[3];
} rotation_text;

static inline void add_rotation(carom_builder *builder, const rotation_text *rotation)
{
    carom_error error = {0};
    carom_text quaternion[4], spin[3];
    for (int i = 0; i < 4; i++) quaternion[i] = text_of(rotation->quaternion[i]);
    for (int i = 0; i < 3; i++) spin[i] = text_of(rotation->spin[i]);
    must(carom_builder_rotation(builder, text_of(rotation->name), NULL, quaternion, spin, &error),
         &error);
}

/// Rotating masses that are coupled with each other and with coordinates, driven in time, with
/// rows of all kinds.
static const char mixed_rotations[] =
    "carom: 1\n"
    "parameters: {m: 2, l: 0.4}\n"
    "coordinates:\n"
    "  x: {start: 0.3, rate: 0.2}\n"
    "  y: {start: -0.1}\n"
    "  z: {start: 0.5, rate: -0.4}\n"
    "define:\n"
    "  tip_x: x + l*a.R11 + 0.1*a.R12 - 0.2*b.R13\n"
    "  tip_y: y + l*a.R21 + 0.1*a.R22 - 0.2*b.R23\n"
    "  tip_z: z + l*a.R31 + 0.1*a.R32 - 0.2*b.R33\n"
    "kinetic:\n"
    "  - m/2*(der(x)^2 + der(y)^2 + der(z)^2)\n"
    "  - (0.3*a.wx^2 + 0.5*a.wy^2 + 0.7*a.wz^2)/2 + 0.1*a.wx*a.wy\n"
    "  - (0.2*b.wx^2 + 0.1*b.wy^2 + 0.25*b.wz^2)/2\n"
    "  - 0.3/2*(der(tip_x)^2 + der(tip_y)^2 + (der(tip_z) + sin(t)*a.R13)^2)\n"
    "potential: 9.81*m*z + 3*tip_x*tip_y^2 + 2*a.R11*b.R32 + t*b.R21\n"
    "forces:\n"
    "  - {coordinate: a.wz, force: -0.2*a.wz*b.R11 + x}\n"
    "  - {coordinate: y, force: -0.3*der(tip_z)}\n"
    "  - {at: [tip_x, tip_y, tip_z], force: [sin(t), b.wx, -2*a.R22]}\n"
    "constraints:\n"
    "  - {name: ball, equation: 'a.R31*b.R11 + a.R32*b.R21 + a.R33*b.R31'}\n"
    "contacts:\n"
    "  - {name: floor, gap: tip_z + 2, slip: [tip_x, tip_y*tip_z], friction: 0.3}\n"
    "  - {name: wall, gap: 3 - x*b.R22 + 0.1*sin(t)*a.R12, slip_rate: [a.wx + b.R33*b.wz],\n"
    "     friction: 0.1}\n"
    "record: {axis: a.R33, spin: 'a.R31*a.wx + a.R32*a.wy + a.R33*a.wz'}\n";

static inline carom_model *mixed_model(void)
{
    static const rotation_text rotation[] = {{"a", {"2", "0"}, {"1", "0.5", "0.3"}},
                                             {"b", {"1"}, {"0.3", "-0.5", "2"}}};
    carom_modelfile *file = file_from_text(mixed_rotations);
    for (int i = 0; i < 2; i++) add_rotation(carom_modelfile_builder(file), &rotation[i]);
    return finish_file(file);
}

#endif
