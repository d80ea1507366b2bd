// SPDX-License-Identifier: Apache-2.0
// Shipped models with live parameters, and the same ones made anew with other values.
#ifndef CAROM_TEST_LIVE_RIG_H
#define CAROM_TEST_LIVE_RIG_H

#include "carom/carom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LIVE_MOST = 96 };

// values of parameters; those that are not named keep theirs
typedef struct live_values {
    carom_parameter item[LIVE_MOST];
    int n;
} live_values;

static inline carom_text live_text(const char *text)
{
    return (carom_text){.text = text};
}

static inline carom_modelfile *live_read(const char *name)
{
    char path[512];
    carom_error error = {0};
    carom_modelfile *file = NULL;
    const carom_access access = {.parts = CAROM_SOURCE_DIR "/parts"};
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    if (carom_modelfile_read_with(path, &access, &file, &error) != CAROM_OK)
        fail_msg("%s: %s", name, error.message);
    return file;
}

// a shipped model with other values, live or not; NULL where it is refused
static inline carom_model *live_make(const char *name, const live_values *values, bool is_live,
                                     carom_error *error)
{
    carom_modelfile *file = live_read(name);
    carom_builder *builder = carom_modelfile_builder(file);
    carom_model *model = NULL;
    if (is_live) assert_int_equal(carom_builder_live(builder, (carom_text){0}, error), CAROM_OK);
    for (int i = 0; values && i < values->n; i++) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", values->item[i].value);
        assert_int_equal(
            carom_builder_set(builder, live_text(values->item[i].name), live_text(number), error),
            CAROM_OK);
    }
    (void)carom_builder_finish(builder, &model, error);
    carom_modelfile_free(file);
    return model;
}

// a model from its text with parameters that are live: a name, "" = all, NULL = none
static inline carom_model *live_from_text(const char *text, const char *name, carom_error *error)
{
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    if (carom_modelfile_read_text(text, strlen(text), "live.yaml", &file, error) != CAROM_OK)
        fail_msg("%s", error->message);
    carom_builder *builder = carom_modelfile_builder(file);
    if (name)
        assert_int_equal(
            carom_builder_live(builder, name[0] ? live_text(name) : (carom_text){0}, error),
            CAROM_OK);
    (void)carom_builder_finish(builder, &model, error);
    carom_modelfile_free(file);
    return model;
}

// a number of the run section, or what is given instead
static inline double live_number(const char *name, bool is_end, double otherwise)
{
    carom_modelfile *file = live_read(name);
    const carom_run_texts *run = carom_modelfile_run(file);
    const carom_text text = is_end ? run->end : run->step;
    double value = otherwise;
    if (text.text) (void)carom_builder_number(carom_modelfile_builder(file), text, &value, NULL);
    carom_modelfile_free(file);
    return value;
}

// from -1 to 1
static inline double live_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static inline live_values live_draw(const carom_model *model, double share, unsigned *seed)
{
    live_values values = {.n = carom_model_n_live(model)};
    assert_true(values.n <= LIVE_MOST);
    for (int i = 0; i < values.n; i++) {
        values.item[i] = carom_model_live(model, i);
        values.item[i].value *= 1 + share * live_random(seed);
    }
    return values;
}

#endif
