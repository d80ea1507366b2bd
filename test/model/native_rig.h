// SPDX-License-Identifier: Apache-2.0
// Compiled models on the test bench: a cache folder of its own, a compiler or a skipped test, and
// random points around a model's start.
#ifndef TEST_MODEL_NATIVE_RIG_H
#define TEST_MODEL_NATIVE_RIG_H

#include "model/model_rig.h"

#include "model/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NATIVE_ALL = (1 << CAROM_N_FLAG) - 1, NATIVE_POINTS = 4 };

static char native_folder[128];

static inline int native_start(void **state)
{
    (void)state;
    strcpy(native_folder, "/tmp/carom-native-XXXXXX");
    if (!mkdtemp(native_folder)) return -1;
    return setenv("XDG_CACHE_HOME", native_folder, 1);
}

static inline int native_end(void **state)
{
    char line[512];
    (void)state;
    snprintf(line, sizeof line, "chmod -R u+rwx %s; rm -rf %s", native_folder, native_folder);
    return system(line);
}

static inline void native_need_compiler(void)
{
    if (system("${CC:-cc} --version >/dev/null 2>&1") == 0) return;
    print_message("no compiler (CC or cc): compiled models are not tested\n");
    skip();
}

/// A point near the start of a model; numbers from a fixed sequence.
typedef struct native_point {
    carom_point at;
    double *numbers;
} native_point;

static inline native_point native_draw(const carom_model *model, unsigned *seed)
{
    const carom_sizes n = carom_model_sizes(model);
    double *x = calloc((size_t)(n.nq + 2 * n.nu + n.n_row + 1), sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < n.nq + 2 * n.nu + n.n_row; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        x[i] = 2 * (*seed / 4294967296.0) - 1;
    }
    for (int i = 0; i < n.nq; i++) x[i] = carom_model_start_q(model)[i] + 0.05 * x[i];
    double *u = x + n.nq;
    for (int i = 0; i < n.nu; i++) u[i] += carom_model_start_u(model)[i];
    return (native_point){{.t = 0.1, .q = x, .u = u, .a = u + n.nu, .P = u + 2 * n.nu}, x};
}

/// Bit for bit the same, not-a-number included.
static inline void native_same(double a, double b, const char *what, int i)
{
    if (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b))) return;
    fail_msg("%s, number %d: %.17g and %.17g", what, i, a, b);
}

#endif
