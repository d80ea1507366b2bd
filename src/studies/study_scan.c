// SPDX-License-Identifier: Apache-2.0
// A scan is made: texts are read, what varies becomes a live parameter of the model, periods and
// sections become record entries of it, so that they follow the parameters. One simulation is made
// for a look at columns and contacts; workers make their own.
#include "studies/study_scan.h"

#include "base/need.h"
#include "base/text.h"
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const carom_scan_kind *const kinds[] = {
#define X(name) &carom_scan_kind_##name,
#include "studies/kinds/kinds_table.h"
#undef X
};
enum { N_KIND = sizeof kinds / sizeof *kinds, MOST_SKIP = 1000000000, MOST_HARMONICS = 64 };

int carom_scan_kind_count(void)
{
    return N_KIND;
}

const char *carom_scan_kind_at(int i)
{
    return i >= 0 && i < N_KIND ? kinds[i]->name : NULL;
}

carom_status carom_scan_no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

carom_status carom_scan_whole(carom_text text, const char *what, carom_scan_bounds bounds,
                              long *value, carom_error *error)
{
    double number;
    *value = bounds.usual;
    if (!text.text) return CAROM_OK;
    if (carom_text_number(text.text, &number) && number == floor(number) &&
        number >= (double)bounds.low && number <= (double)bounds.high) {
        *value = (long)number;
        return CAROM_OK;
    }
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "%s must be a whole number from %ld to %ld, not '%s'", what, bounds.low,
                         bounds.high, text.text);
}

carom_status carom_scan_positive(carom_text text, const char *what, double fallback, double *value,
                                 carom_error *error)
{
    *value = fallback;
    if (!text.text) return CAROM_OK;
    if (carom_text_number(text.text, value) && isfinite(*value) && *value > 0) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "%s must be a number above 0, not '%s'", what, text.text);
}

carom_status carom_scan_add_column(carom_scan *scan, carom_error *error, const char *format, ...)
{
    char name[256];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    const char **grown = CAROM_TAKE(scan->arena, const char *, scan->n_column + 1);
    char *kept = carom_arena_string(scan->arena, name);
    if (!grown || !kept) return carom_scan_no_memory(error);
    for (int i = 0; i < scan->n_column; i++) grown[i] = scan->column[i];
    grown[scan->n_column++] = kept;
    scan->column = grown;
    return CAROM_OK;
}

carom_status carom_scan_find_kind(carom_scan *scan, carom_text what, carom_error *error)
{
    char hint[120];
    carom_nearest nearest = carom_nearest_to(what.text);
    for (int i = 0; i < N_KIND; i++) {
        if (strcmp(kinds[i]->name, what.text) == 0) scan->kind = kinds[i];
        carom_nearest_try(&nearest, kinds[i]->name);
    }
    if (scan->kind) return CAROM_OK;
    return carom_fail_at(error, what.place, CAROM_BAD_INPUT,
                         "no study '%s'%s: 'carom --help' lists them", what.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

// ---- record entries of its own ----

static carom_status add_record(carom_builder *builder, const char *name, carom_text value,
                               carom_error *error)
{
    const carom_family none = {0};
    const carom_text named = {.text = name, .place = value.place};
    return carom_builder_record(builder, named, &none, value, error);
}

static carom_status add_records(carom_scan *scan, carom_builder *builder,
                                const carom_scan_texts *texts, carom_error *error)
{
    const carom_section *section = &scan->points.section;
    if (section->kind == CAROM_SECTION_PERIOD)
        CAROM_TRY(add_record(builder, "study_period", section->expression, error));
    if (section->kind == CAROM_SECTION_CROSS)
        CAROM_TRY(add_record(builder, "study_section", section->expression, error));
    if (texts->end.text) CAROM_TRY(add_record(builder, "study_end", texts->end, error));
    if (texts->step.text) CAROM_TRY(add_record(builder, "study_step", texts->step, error));
    return CAROM_OK;
}

static int find_record(const carom_scan *scan, const char *name)
{
    for (int i = 0; i < scan->size.n_record; i++)
        if (strcmp(carom_model_record_name(scan->model, i), name) == 0) return i;
    return -1;
}

// ---- reading ----

static carom_status read_points(carom_scan *scan, const carom_scan_texts *t, carom_error *error)
{
    carom_scan_points *p = &scan->points;
    long skip, n, harmonics;
    CAROM_TRY(carom_scan_whole(t->skip, "skip", (carom_scan_bounds){0, MOST_SKIP, scan->kind->skip},
                               &skip, error));
    CAROM_TRY(carom_scan_whole(t->points, "points",
                               (carom_scan_bounds){1, MOST_SKIP, scan->kind->points}, &n, error));
    CAROM_TRY(carom_scan_whole(t->harmonics, "harmonics", (carom_scan_bounds){1, MOST_HARMONICS, 1},
                               &harmonics, error));
    CAROM_TRY(carom_scan_positive(t->within, "within", scan->run.end > 0 ? scan->run.end : 100,
                                  &p->within, error));
    CAROM_TRY(carom_scan_positive(
        t->match, "match", scan->kind->match > 0 ? scan->kind->match : 1e-6, &p->match, error));
    p->skip = (int)skip;
    p->n = (int)n;
    p->n_harmonic = (int)harmonics;
    CAROM_TRY(
        carom_scan_positive(t->output_step, "the output step", 0, &scan->run.output_step, error));
    if (t->section.text) CAROM_TRY(carom_section_read(scan, t->section, error));
    if (scan->kind->has_section && p->section.kind == CAROM_SECTION_NONE)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s needs a section: period=2*pi/w, event=CONTACT:impact or "
                          "cross=EXPRESSION",
                          scan->kind->name);
    if (scan->kind->has_period && p->section.kind != CAROM_SECTION_PERIOD)
        return carom_fail_at(error, t->section.place, CAROM_BAD_INPUT,
                             "a frequency response needs a period: period=2*pi/w");
    if (!scan->kind->has_section && t->section.text)
        return carom_fail_at(error, t->section.place, CAROM_BAD_INPUT,
                             "a %s has no section (poincare, bif and frf have)", scan->kind->name);
    return CAROM_OK;
}

static carom_status read_texts(carom_scan *scan, carom_builder *builder, const carom_scan_texts *t,
                               carom_error *error)
{
    CAROM_TRY(carom_scan_find_kind(scan, t->what, error));
    CAROM_TRY(read_points(scan, t, error));
    carom_scan_texts rest = *t;
    if (scan->kind->continues) {
        if (t->n_vary == 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a continuation needs what it goes along: --vary A=0.4:2");
        CAROM_TRY(carom_axis_read_ends(scan, builder, &t->vary[0], &scan->tangent.along, error));
        rest.vary++;
        rest.n_vary--;
        t = &rest;
    }
    for (int i = 0; i < t->n_vary; i++)
        CAROM_TRY(carom_axis_read(scan, builder, &t->vary[i], error));
    CAROM_TRY(carom_tangent_read(scan, builder, t, error));
    CAROM_TRY(carom_design_read(scan, t, error));
    if (!scan->kind->has_measures && t->n_take > 0)
        return carom_fail_at(error, t->take[0].place, CAROM_BAD_INPUT,
                             "%s takes no measures, it shows columns (sweep takes them)",
                             scan->kind->name);
    if (scan->kind->has_measures) CAROM_TRY(carom_measures_read(scan, t->take, t->n_take, error));
    return add_records(scan, builder, t, error);
}

// ---- the model, and what is found in it ----

// a run must have some end; that of a unit is set when it starts
static void choose_run(carom_scan *scan)
{
    if (!(scan->run.end > 0) || scan->kind->has_section) scan->run.end = scan->points.within;
    if (scan->points.section.kind == CAROM_SECTION_CROSS) scan->run.section = "study_section";
    scan->run.every = 1;
}

static carom_status look_at_model(carom_scan *scan, const carom_scan_texts *texts,
                                  carom_error *error)
{
    carom_sim *sim = NULL;
    scan->size = carom_model_sizes(scan->model);
    scan->record =
        (carom_scan_records){find_record(scan, "study_section"), find_record(scan, "study_period"),
                             find_record(scan, "study_end"), find_record(scan, "study_step")};
    choose_run(scan);
    CAROM_TRY(carom_section_find(scan, texts->section, error));
    CAROM_TRY(carom_tangent_find(scan, texts, error));
    CAROM_TRY(carom_chains_make(scan, texts, error));
    for (int k = 0; k < scan->design.n_axis; k++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", scan->design.axis[k].name));
    CAROM_TRY(carom_sim_new(scan->model, &scan->run, &sim, error));
    carom_worker worker = {.scan = scan, .sim = sim};
    carom_status status = scan->kind->prepare(scan, texts, sim, error);
    if (status == CAROM_OK && scan->kind->begin) status = scan->kind->begin(&worker, error);
    carom_probe_free(worker.probe);
    if (scan->kind->end) scan->kind->end(&worker);
    free(worker.self);
    carom_sim_free(sim);
    return status;
}

static carom_status make_units(carom_scan *scan, carom_error *error)
{
    scan->unit = calloc((size_t)scan->chains.n_unit, sizeof *scan->unit);
    return scan->unit ? CAROM_OK : carom_scan_no_memory(error);
}

// texts of the caller's options live as long as the scan
static carom_status keep_run(carom_scan *scan, const carom_sim_options *run, carom_error *error)
{
    scan->run = *run;
    scan->run.own_scheme = run->own_scheme;
    scan->run.limits = NULL; // rows are not recorded
    scan->run.save_contact = NULL;
    carom_setting *setting = CAROM_TAKE(scan->arena, carom_setting, run->n_setting);
    if (!setting) return carom_scan_no_memory(error);
    for (int i = 0; i < run->n_setting; i++) {
        setting[i] = run->setting[i];
        setting[i].name.text = carom_arena_string(scan->arena, run->setting[i].name.text);
        setting[i].value.text = carom_arena_string(scan->arena, run->setting[i].value.text);
        const char *file = run->setting[i].name.place.file;
        setting[i].name.place.file = setting[i].value.place.file =
            carom_arena_string(scan->arena, file);
        if (!setting[i].name.text || !setting[i].value.text) return carom_scan_no_memory(error);
    }
    scan->run.setting = setting;
    scan->run.scheme = carom_arena_string(scan->arena, run->scheme);
    scan->run.solver = carom_arena_string(scan->arena, run->solver);
    return CAROM_OK;
}

carom_status carom_scan_new(carom_builder *builder, const carom_sim_options *run,
                            const carom_scan_texts *texts, carom_scan **scan, carom_error *error)
{
    CAROM_NEED(error, scan);
    *scan = NULL;
    CAROM_NEED(error, builder);
    CAROM_NEED(error, run);
    CAROM_NEED(error, texts);
    CAROM_NEED(error, texts->what.text);
    carom_scan *made = calloc(1, sizeof *made);
    if (made) made->arena = carom_arena_new();
    carom_status status = made && made->arena ? CAROM_OK : carom_scan_no_memory(error);
    if (status == CAROM_OK) status = keep_run(made, run, error);
    if (status == CAROM_OK) status = read_texts(made, builder, texts, error);
    if (status == CAROM_OK) status = carom_builder_finish(builder, &made->model, error);
    if (status == CAROM_OK) status = look_at_model(made, texts, error);
    if (status == CAROM_OK) status = make_units(made, error);
    if (status == CAROM_OK)
        *scan = made;
    else
        carom_scan_free(made);
    return status;
}

void carom_scan_free(carom_scan *scan)
{
    if (!scan) return;
    for (long i = 0; scan->unit && i < scan->chains.n_unit; i++) {
        free(scan->unit[i].row);
        free(scan->unit[i].state);
        free(scan->unit[i].message);
    }
    free(scan->unit);
    free(scan->hysteresis);
    free(scan->findings);
    free(scan->class);
    carom_attractors_free(scan->attractors);
    carom_model_free(scan->model);
    carom_arena_free(scan->arena);
    free(scan);
}
