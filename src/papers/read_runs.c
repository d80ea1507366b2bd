// SPDX-License-Identifier: Apache-2.0
// The runs and studies of a paper: a model, what is set in it, and how it is run. `like` takes over
// an earlier entry, of which only what is given again changes.
#include "papers/paper.h"

#include <string.h>

#include "base/text.h"

// the keys that runs and studies share
// clang-format off
#define SETUP_ROWS                                                                                 \
    {"like", CAROM_FIELD_TEXT, false, "like: another-run"},                                        \
    {"model", CAROM_FIELD_TEXT, false, "model: slider-crank"},                                     \
    {"scheme", CAROM_FIELD_TEXT, false, "scheme: moreau_midpoint"},                                \
    {"solver", CAROM_FIELD_TEXT, false, "solver: newton"},                                         \
    {"step", CAROM_FIELD_TEXT, false, "step: 1e-3"},                                               \
    {"tolerance", CAROM_FIELD_TEXT, false, "tolerance: 1e-6"},                                     \
    {"end", CAROM_FIELD_TEXT, false, "end: 1"},                                                    \
    {"set", CAROM_FIELD_MAPPING, false, "set: {e: 0.5}"},                                          \
    {"start", CAROM_FIELD_MAPPING, false, "start: {x: 1, der(x): 2}"},                             \
    {"options", CAROM_FIELD_MAPPING, false, "options: {theta: 1}"},                                \
    {"output_step", CAROM_FIELD_TEXT, false, "output_step: 0.01"}
enum { LIKE, MODEL, SCHEME, SOLVER, STEP, TOLERANCE, END, SET, START, OPTION, OUTPUT_STEP,
       SCHEMES, STEPS, REFERENCE, NORM };
static const carom_field run_field[] = {SETUP_ROWS, {NULL, CAROM_FIELD_END, false, NULL}};
static const carom_field study_field[] = {
    SETUP_ROWS,
    {"schemes", CAROM_FIELD_LIST, true, "schemes: [tdg_velocity, moreau_midpoint]"},
    {"steps", CAROM_FIELD_LIST, true, "steps: [1e-3, 1e-4]"},
    {"reference", CAROM_FIELD_TEXT, true, "reference: tdg_velocity:1e-6, or exact"},
    {"norm", CAROM_FIELD_TEXT, false, "norm: path"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
// clang-format on

static carom_status add_settings(carom_paper *paper, const carom_node *node, carom_settings *list,
                                 carom_error *error)
{
    if (!node) return CAROM_OK;
    // the list of the entry that this one is like stays as it is
    const carom_settings old = *list;
    *list = (carom_settings){0};
    for (int i = 0; i < old.n; i++) {
        carom_setting *copy = CAROM_LIST_ADD(paper->arena, list);
        if (!copy) return carom_paper_no_memory(error);
        *copy = old.item[i];
    }
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        carom_text value;
        CAROM_TRY(carom_fields_text(entry, "name: value", &value, error));
        carom_setting *setting = CAROM_LIST_ADD(paper->arena, list);
        if (!setting) return carom_paper_no_memory(error);
        *setting = (carom_setting){carom_fields_key(entry), value};
    }
    return CAROM_OK;
}

static carom_status check_scheme(carom_text text, carom_error *error)
{
    if (!text.text || carom_scheme_find(text.text)) return CAROM_OK;
    char hint[120];
    carom_nearest nearest = carom_nearest_to(text.text);
    for (int i = 0; i < carom_scheme_count(); i++)
        carom_nearest_try(&nearest, carom_scheme_at(i)->name);
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "unknown scheme '%.60s'%s; 'carom list schemes' shows all", text.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status read_setup(carom_paper *paper, const carom_node *const *value,
                               carom_setup *setup, carom_error *error)
{
    const struct {
        int field;
        carom_text *text;
    } known[] = {{MODEL, &setup->model},
                 {SCHEME, &setup->scheme},
                 {SOLVER, &setup->solver},
                 {STEP, &setup->step},
                 {TOLERANCE, &setup->tolerance},
                 {END, &setup->end},
                 {OUTPUT_STEP, &setup->output_step}};
    if (value[STEP]) setup->tolerance = (carom_text){0};
    if (value[TOLERANCE]) setup->step = (carom_text){0};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (value[known[i].field])
            CAROM_TRY(carom_fields_text(value[known[i].field], "a value", known[i].text, error));
    CAROM_TRY(check_scheme(setup->scheme, error));
    CAROM_TRY(add_settings(paper, value[SET], &setup->set, error));
    CAROM_TRY(add_settings(paper, value[START], &setup->start, error));
    return add_settings(paper, value[OPTION], &setup->option, error);
}

static carom_status need_text(carom_text text, const carom_node *node, const char *what,
                              const char *example, carom_error *error)
{
    if (text.text) return CAROM_OK;
    return carom_fail_at(error, node->key->place, CAROM_BAD_INPUT, "'%.60s' needs %s (write %s)",
                         node->key->text, what, example);
}

static carom_status read_run(carom_paper *paper, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_setup setup = {0};
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "ball: {model: ..., scheme: ...}", error));
    CAROM_TRY(carom_fields_read(node, "a run", run_field, value, error));
    if (value[LIKE]) {
        carom_text like;
        int index;
        CAROM_TRY(carom_fields_text(value[LIKE], "like: another-run", &like, error));
        CAROM_TRY(carom_paper_find_run(paper, like, &index, error));
        setup = paper->run.item[index].setup;
    }
    CAROM_TRY(read_setup(paper, value, &setup, error));
    CAROM_TRY(need_text(setup.model, node, "a model", "model: slider-crank", error));
    CAROM_TRY(need_text(setup.scheme, node, "a scheme", "scheme: moreau_midpoint", error));
    CAROM_TRY(need_text(setup.end, node, "an end", "end: 1", error));
    CAROM_TRY(need_text(setup.step.text ? setup.step : setup.tolerance, node,
                        "a step or a tolerance", "step: 1e-3", error));
    carom_paper_run *run = CAROM_LIST_ADD(paper->arena, &paper->run);
    if (!run) return carom_paper_no_memory(error);
    *run = (carom_paper_run){.id = carom_fields_key(node), .setup = setup};
    return CAROM_OK;
}

carom_status carom_paper_read_runs(carom_paper *paper, const carom_node *node, carom_error *error)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_run(paper, entry, error));
    return CAROM_OK;
}

// "S:H" or "exact"
static carom_status read_reference(carom_paper *paper, const carom_node *node,
                                   carom_paper_study *study, carom_error *error)
{
    carom_text text;
    CAROM_TRY(carom_fields_text(node, "reference: tdg_velocity:1e-6", &text, error));
    if (strcmp(text.text, "exact") == 0) return CAROM_OK;
    const char *colon = strchr(text.text, ':');
    if (!colon || !colon[1])
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "'%.60s' is no reference (write SCHEME:STEP, as in tdg_velocity:1e-6, "
                             "or exact)",
                             text.text);
    const char *scheme = carom_arena_copy(paper->arena, text.text, (size_t)(colon - text.text));
    if (!scheme) return carom_paper_no_memory(error);
    study->reference_scheme = (carom_text){scheme, text.place};
    study->reference_step = (carom_text){colon + 1, text.place};
    study->reference_step.place.column += (int)(colon + 1 - text.text);
    return check_scheme(study->reference_scheme, error);
}

static carom_status read_norm(const carom_node *node, carom_norm *norm, carom_error *error)
{
    static const char *const word[] = {"end", "path", "graph", "table"};
    *norm = CAROM_NORM_PATH;
    if (!node) return CAROM_OK;
    for (int i = 0; i < 4; i++) {
        if (strcmp(node->text, word[i]) != 0) continue;
        *norm = (carom_norm)i;
        return CAROM_OK;
    }
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                         "norm must be end, path, graph or table, not '%.40s'", node->text);
}

static carom_status read_study(carom_paper *paper, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    CAROM_TRY(
        carom_fields_kind(node, CAROM_NODE_MAPPING, "table: {model: ..., schemes: []}", error));
    CAROM_TRY(carom_fields_read(node, "a study", study_field, value, error));
    carom_paper_study study = {.id = carom_fields_key(node)};
    if (value[LIKE]) {
        carom_text like;
        int index;
        CAROM_TRY(carom_fields_text(value[LIKE], "like: another-study", &like, error));
        CAROM_TRY(carom_paper_find_study(paper, like, &index, error));
        study.setup = paper->study.item[index].setup;
    }
    CAROM_TRY(read_setup(paper, value, &study.setup, error));
    CAROM_TRY(need_text(study.setup.model, node, "a model", "model: slider-crank", error));
    CAROM_TRY(need_text(study.setup.end, node, "an end", "end: 1", error));
    CAROM_TRY(
        carom_fields_texts(value[SCHEMES], CAROM_STUDY_MOST, study.scheme, &study.n_scheme, error));
    CAROM_TRY(carom_fields_texts(value[STEPS], CAROM_STUDY_MOST, study.step, &study.n_step, error));
    for (int i = 0; i < study.n_scheme; i++) CAROM_TRY(check_scheme(study.scheme[i], error));
    CAROM_TRY(read_reference(paper, value[REFERENCE], &study, error));
    CAROM_TRY(read_norm(value[NORM], &study.norm, error));
    carom_paper_study *kept = CAROM_LIST_ADD(paper->arena, &paper->study);
    if (!kept) return carom_paper_no_memory(error);
    *kept = study;
    return CAROM_OK;
}

carom_status carom_paper_read_studies(carom_paper *paper, const carom_node *node,
                                      carom_error *error)
{
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_study(paper, entry, error));
    return CAROM_OK;
}
