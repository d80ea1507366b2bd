// SPDX-License-Identifier: Apache-2.0
// Any texts as what the command's --set, --start, --option, --limit and --save-contact take,
// one in each line behind its word: they change a model and its run, or are refused with
// a message. For libFuzzer.
#define _DEFAULT_SOURCE // strsep
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 8 };
static const char *const source =
    "carom: 1\nparameters: {m: 1, n: 2, g: 9.81*m}\ncoordinates: {\"x[i]\": {for: {i: 1..n}, "
    "start: i}}\n"
    "kinetic: {for: {i: 1..n}, term: \"m*der(x[i])^2/2\"}\npotential: {for: {i: 1..n}, term: "
    "\"g*x[i]\"}\n"
    "contacts: [{name: \"c[i]\", for: {i: 1..n}, gap: \"x[i]\", restitution: 0.5}]\n";

typedef struct wishes {
    carom_builder *builder;
    carom_limits limits;
    carom_setting setting[MOST];
    int n_setting;
    carom_sim_options options;
} wishes;

static void check(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK && (error->status != status || !error->message[0])) abort();
}

// "set NAME=VALUE" and its like; the line is cut in place
static void take_line(wishes *w, char *line)
{
    char *space = strchr(line, ' '), *equals = space ? strchr(space, '=') : NULL;
    carom_error error = {0};
    carom_save_choice choice;
    if (!space) return;
    *space = 0;
    if (strcmp(line, "save") == 0)
        check(carom_save_choice_read(space + 1, &choice, &error), &error);
    if (strcmp(line, "scheme") == 0) w->options.scheme = space + 1;
    if (strcmp(line, "solver") == 0) w->options.solver = space + 1;
    if (!equals) return;
    *equals = 0;
    const carom_text name = {space + 1, {"--set", 1, 1}}, value = {equals + 1, {"--set", 1, 1}};
    if (strcmp(line, "set") == 0) check(carom_builder_set(w->builder, name, value, &error), &error);
    if (strcmp(line, "start") == 0)
        check(carom_builder_start(w->builder, name, value, &error), &error);
    if (strcmp(line, "limit") == 0)
        check(carom_limits_set(&w->limits, name.text, value.text, &error), &error);
    if (strcmp(line, "option") == 0 && w->n_setting < MOST)
        w->setting[w->n_setting++] = (carom_setting){name, value};
}

static void run(wishes *w)
{
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_error error = {0}, again = {0};
    // what takes long belongs to other targets
    if (!(w->limits.members < 100)) w->limits.members = 100;
    if (!(w->limits.nodes < 1e4)) w->limits.nodes = 1e4;
    if (!(w->limits.seconds < 1)) w->limits.seconds = 1;
    carom_builder_limit(w->builder, &w->limits);
    check(carom_builder_finish(w->builder, &model, &error), &error);
    w->options.setting = w->setting;
    w->options.n_setting = w->n_setting;
    if (model) check(carom_sim_new(model, &w->options, &sim, &again), &again);
    for (int i = 0; sim && i < 2 && !carom_sim_is_done(sim); i++)
        if (carom_sim_step(sim, NULL) != CAROM_OK) break;
    carom_model_free(model);
    carom_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_modelfile *file = NULL;
    wishes w = {.limits = carom_limits_default(), .options = carom_sim_default()};
    w.options.step = 1e-2;
    w.options.end = 0.1;
    char *text = malloc(size + 1), *rest = text;
    if (!text ||
        carom_modelfile_read_text(source, strlen(source), "m.yaml", &file, NULL) != CAROM_OK)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    w.builder = carom_modelfile_builder(file);
    for (char *line; (line = strsep(&rest, "\n"));) take_line(&w, line);
    run(&w);
    carom_modelfile_free(file);
    free(text);
    return 0;
}
