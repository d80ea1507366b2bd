// SPDX-License-Identifier: Apache-2.0
// Models for tests: from texts in the format of model files, from the shipped files, and answers at
// random states.
#ifndef CAROM_TEST_MODEL_RIG_H
#define CAROM_TEST_MODEL_RIG_H

// cmocka wants these before it
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline carom_text text_of(const char *text)
{
    return (carom_text){.text = text};
}

static inline void must(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK) fail_msg("%s", error->message);
}

static inline carom_modelfile *file_from_text(const char *text)
{
    carom_error error = {0};
    carom_modelfile *file;
    must(carom_modelfile_read_text(text, strlen(text), "model.yaml", &file, &error), &error);
    return file;
}

static inline carom_modelfile *shipped_file(const char *name)
{
    carom_error error = {0};
    carom_modelfile *file;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    const carom_access access = {.parts = CAROM_SOURCE_DIR "/parts"};
    must(carom_modelfile_read_with(path, &access, &file, &error), &error);
    return file;
}

/// Makes the model of a file and frees the file.
static inline carom_model *finish_file(carom_modelfile *file)
{
    carom_error error = {0};
    carom_model *model;
    must(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

static inline carom_model *model_from_text(const char *text)
{
    return finish_file(file_from_text(text));
}

/// A shipped model with one parameter changed (name NULL: none).
static inline carom_model *shipped_model(const char *name, const char *parameter, const char *value)
{
    carom_error error = {0};
    carom_modelfile *file = shipped_file(name);
    if (parameter)
        must(carom_builder_set(carom_modelfile_builder(file), text_of(parameter), text_of(value),
                               &error),
             &error);
    return finish_file(file);
}

static inline carom_sim *sim_of(const carom_model *model, const char *scheme, double step,
                                double end)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.end = end;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static inline void run_to_end(carom_sim *sim)
{
    carom_error error = {0};
    must(carom_sim_run(sim, &error), &error);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
}

/// |value - expected| <= tolerance, or the test ends and says what and by how much not.
static inline void near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g is not %.17g, off by %.3g, allowed %.3g", what, value, expected,
                 fabs(value - expected), tolerance);
}

/// Uniform in -1 .. 1, the same in every run (xorshift64*).
static inline double random_number(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (double)(int64_t)(*seed * 2685821657736338717u) / 9223372036854775808.0;
}

static inline double sparse_entry(const carom_sparse *matrix, int r, int c)
{
    for (int k = matrix->start[r]; k < matrix->start[r + 1]; k++)
        if (matrix->index[k] == c) return matrix->value[k];
    return 0;
}

static inline double largest_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

#endif
