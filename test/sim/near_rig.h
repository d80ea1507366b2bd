// SPDX-License-Identifier: Apache-2.0
// Models with shapes from text, for tests of contacts that come and go.
#ifndef CAROM_TEST_NEAR_RIG_H
#define CAROM_TEST_NEAR_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static inline void near_must(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK) fail_msg("%s", error->message);
}

static inline carom_model *near_model(const char *text)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    near_must(carom_modelfile_read_text(text, strlen(text), "text", &file, &error), &error);
    near_must(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

static inline carom_sim *near_sim(const carom_model *model, const char *scheme, double h,
                                  double end)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = h;
    options.end = end;
    near_must(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static inline void near_run(carom_sim *sim)
{
    carom_error error = {0};
    near_must(carom_sim_run(sim, &error), &error);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
}

/// Three disks that fall on each other, and a half plane.
#define NEAR_DISKS(friction, detection)                                                             \
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nbodies:\n"                                        \
    "  a: {mass: 1, inertia: 0.005, at: [0, 0.11], shape: {disk: [0, 0], radius: 0.1}}\n"           \
    "  b: {mass: 2, inertia: 0.006, at: [0.05, 0.35], shape: {disk: [0.01, 0.02], radius: 0.08}}\n" \
    "  c: {mass: 1, inertia: 0.005, at: [-0.03, 0.6], spin: 5, shape: {disk: [0, 0], radius: "      \
    "0.1}}\n"                                                                                       \
    "  ground: {shape: {half_plane: [0, 0], normal: [0.1, 1]}}\n"                                   \
    "materials: [{between: [default, default], restitution: 0.5" friction "}]\n" detection

/// The same in space, with centres of mass that are not those of the balls.
#define NEAR_BALLS(friction, detection)                                                            \
    "carom: 1\ngravity: [0, 0, -9.81]\nbodies:\n"                                                  \
    "  a: {mass: 1, inertia: [4e-3, 5e-3, 6e-3], at: [0, 0, 0.11],\n"                              \
    "      shape: {sphere: [0, 0, 0.01], radius: 0.1}}\n"                                          \
    "  b: {mass: 2, inertia: [4e-3, 5e-3, 6e-3], at: [0.05, 0.01, 0.35], centre: [0.01, 0, 0],\n"  \
    "      shape: {sphere: [0, 0, 0], radius: 0.08}}\n"                                            \
    "  c: {mass: 1, inertia: [4e-3, 5e-3, 6e-3], at: [-0.03, 0.02, 0.6], spin: [1, 2, 3],\n"       \
    "      shape: {sphere: [0, 0, 0], radius: 0.1}}\n"                                             \
    "  ground: {shape: {plane: [0, 0, 0], normal: [0.1, 0, 1]}}\n"                                 \
    "materials: [{between: [default, default], restitution: 0.5" friction "}]\n" detection

#endif
