// SPDX-License-Identifier: Apache-2.0
// A file of claims into a paper. Sections are read in the order of the table, whatever their order
// in the file: runs before the figures and claims that name them.
#include "papers/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/text.h"

// clang-format off
static const carom_field section[] = {
    {"carom", CAROM_FIELD_TEXT, true, "carom: 1"},
    {"paper", CAROM_FIELD_TEXT, true, "paper: \"000\""},
    {"title", CAROM_FIELD_TEXT, true, "title: what it is called"},
    {"authors", CAROM_FIELD_TEXT, false, "authors: who wrote it, where and when"},
    {"about", CAROM_FIELD_TEXT, false, "about: what to know"},
    {"runs", CAROM_FIELD_MAPPING, false, "runs: {ball: {model: bouncing-ball, scheme: moreau_jean, step: 1e-3, end: 1}}"},
    {"studies", CAROM_FIELD_MAPPING, false, "studies: {table: {model: slider-crank, schemes: [tdg_velocity], steps: [1e-3, 1e-4], end: 0.1}}"},
    {"figures", CAROM_FIELD_LIST, false, "figures: [{id: fig1, curves: [{run: ball, y: energy}]}]"},
    {"claims", CAROM_FIELD_LIST, true, "claims: [{id: energy, claim: ..., published: ..., measures: [...]}]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};
// clang-format on
enum { VERSION, PAPER, TITLE, AUTHORS, ABOUT, RUNS, STUDIES, FIGURES, CLAIMS };

carom_status carom_paper_no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a paper");
}

const char *carom_paper_prose(const carom_node *node)
{
    return node && node->text ? node->text : "";
}

carom_status carom_paper_number(const carom_node *node, double *value, carom_error *error)
{
    carom_text text;
    CAROM_TRY(carom_fields_text(node, "a number", &text, error));
    carom_builder *builder = carom_builder_new();
    if (!builder) return carom_paper_no_memory(error);
    const carom_status status = carom_builder_number(builder, text, value, error);
    carom_builder_free(builder);
    if (status != CAROM_OK || !isnan(*value)) return status;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT, "'%.60s' is not a number", text.text);
}

static carom_status unknown_id(carom_text id, const char *what, const carom_nearest *nearest,
                               carom_error *error)
{
    char hint[120];
    return carom_fail_at(error, id.place, CAROM_BAD_INPUT, "there is no %s '%.60s' in this paper%s",
                         what, id.text, carom_nearest_hint(nearest, hint, sizeof hint));
}

carom_status carom_paper_find_run(const carom_paper *paper, carom_text id, int *index,
                                  carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(id.text);
    for (*index = 0; *index < paper->run.n; ++*index) {
        const char *name = paper->run.item[*index].id.text;
        if (strcmp(name, id.text) == 0) return CAROM_OK;
        carom_nearest_try(&nearest, name);
    }
    return unknown_id(id, "run", &nearest, error);
}

carom_status carom_paper_find_study(const carom_paper *paper, carom_text id, int *index,
                                    carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(id.text);
    for (*index = 0; *index < paper->study.n; ++*index) {
        const char *name = paper->study.item[*index].id.text;
        if (strcmp(name, id.text) == 0) return CAROM_OK;
        carom_nearest_try(&nearest, name);
    }
    return unknown_id(id, "study", &nearest, error);
}

// the name becomes that of the page
static carom_status check_name(const carom_node *node, carom_error *error)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t n = strlen(node->text);
    if (n <= 64 && strspn(node->text, allowed) == n) return CAROM_OK;
    return carom_fail_at(
        error, node->place, CAROM_BAD_INPUT,
        "the name of a paper has up to 64 letters a-z, digits, - and _, not '%.80s'", node->text);
}

static carom_status read_root(carom_paper *paper, const carom_node *root, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    if (!root || root->is_missing || root->kind != CAROM_NODE_MAPPING)
        return carom_fail_at(error, (carom_place){paper->source.name, 1, 1}, CAROM_BAD_INPUT,
                             "a file of claims consists of keys with values (it starts with "
                             "'carom: 1')");
    CAROM_TRY(carom_fields_read(root, "a paper", section, value, error));
    if (strcmp(value[VERSION]->text, "1") != 0)
        return carom_fail_at(error, value[VERSION]->place, CAROM_BAD_INPUT,
                             "version '%.40s' of the file format is not known (write carom: 1)",
                             value[VERSION]->text);
    CAROM_TRY(check_name(value[PAPER], error));
    paper->name = carom_paper_prose(value[PAPER]);
    paper->title = carom_paper_prose(value[TITLE]);
    paper->authors = carom_paper_prose(value[AUTHORS]);
    paper->about = carom_paper_prose(value[ABOUT]);
    if (value[RUNS]) CAROM_TRY(carom_paper_read_runs(paper, value[RUNS], error));
    if (value[STUDIES]) CAROM_TRY(carom_paper_read_studies(paper, value[STUDIES], error));
    if (value[FIGURES]) CAROM_TRY(carom_paper_read_figures(paper, value[FIGURES], error));
    CAROM_TRY(carom_paper_read_claims(paper, value[CLAIMS], error));
    return carom_paper_check_figures(paper, error);
}

static carom_status start(carom_paper **paper, carom_error *error)
{
    *paper = calloc(1, sizeof **paper);
    if (*paper) (*paper)->arena = carom_arena_new();
    if (*paper && (*paper)->arena) return CAROM_OK;
    carom_paper_free(*paper);
    *paper = NULL;
    return carom_paper_no_memory(error);
}

static carom_status finish(carom_paper **paper, carom_status status, carom_error *error)
{
    const carom_node *root = NULL;
    if (status == CAROM_OK)
        status = carom_document_parse((*paper)->arena, &(*paper)->source, &root, error);
    if (status == CAROM_OK) status = read_root(*paper, root, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_paper_free(*paper);
    *paper = NULL;
    return status;
}

carom_status carom_paper_read(const char *path, carom_paper **paper, carom_error *error)
{
    CAROM_NEED(error, paper);
    *paper = NULL;
    CAROM_NEED(error, path);
    CAROM_TRY(start(paper, error));
    return finish(paper,
                  carom_source_load((*paper)->arena, path, CAROM_SOURCE_MODEL,
                                    carom_limits_or_default(NULL), &(*paper)->source, error),
                  error);
}

carom_status carom_paper_read_text(const char *text, size_t length, const char *name,
                                   carom_paper **paper, carom_error *error)
{
    CAROM_NEED(error, paper);
    *paper = NULL;
    CAROM_NEED(error, text);
    CAROM_TRY(start(paper, error));
    (*paper)->source.name = name;
    return finish(paper,
                  carom_source_copy((*paper)->arena, text, length, carom_limits_or_default(NULL),
                                    &(*paper)->source, error),
                  error);
}

void carom_paper_free(carom_paper *paper)
{
    if (!paper) return;
    for (int i = 0; i < paper->figure.n; i++)
        for (int k = 0; k < paper->figure.item[i].curve.n; k++)
            free(paper->figure.item[i].curve.item[k].point);
    carom_arena_free(paper->arena);
    free(paper);
}

const char *carom_paper_name(const carom_paper *paper)
{
    return paper ? paper->name : NULL;
}

const char *carom_paper_title(const carom_paper *paper)
{
    return paper ? paper->title : NULL;
}

int carom_paper_n_claim(const carom_paper *paper)
{
    return paper ? paper->claim.n : 0;
}

const carom_claim *carom_paper_claim(const carom_paper *paper, int i)
{
    return paper && i >= 0 && i < paper->claim.n ? &paper->claim.item[i].facts : NULL;
}
