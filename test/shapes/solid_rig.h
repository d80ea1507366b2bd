// SPDX-License-Identifier: Apache-2.0
// Shapes of space for tests, from what a file would give.
#ifndef CAROM_TEST_SOLID_RIG_H
#define CAROM_TEST_SOLID_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/scene.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((unused)) static const carom_placement origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
__attribute__((unused)) static const double zero[3] = {0};
__attribute__((unused)) static const double pi = 3.14159265358979323846;
static carom_arena *arena;

static inline carom_shape *make(carom_shape_given given)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    given.dim = 3;
    if (given.place.R[0] == 0 && given.place.R[1] == 0 && given.place.R[2] == 0)
        given.place = origin;
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_OK) fail_msg("%s", error.message);
    return shape;
}

static inline carom_shape *make_wheel(double r0, double r1, double length, double rounding)
{
    return make((carom_shape_given){.kind = r0 == r1 ? "cylinder" : "cone",
                                    .radius = {r0, r0 == r1 ? 0 : r1},
                                    .length = length,
                                    .normal = {0, 0, 2},
                                    .rounding = rounding});
}

static inline int set_up(void **state)
{
    (void)state;
    arena = carom_arena_new();
    return arena ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    carom_arena_free(arena);
    return 0;
}

#endif
