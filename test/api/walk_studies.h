// SPDX-License-Identifier: Apache-2.0
// Studies, their files and stores, for walk_values.h.
#ifndef CAROM_TEST_WALK_STUDIES_H
#define CAROM_TEST_WALK_STUDIES_H

#include "api/walk_rig.h"

// a sweep of the parameter of walk_live_model
static inline carom_scan_texts *walk_scan_texts(void)
{
    static carom_setting vary;
    static carom_text take;
    static carom_scan_texts texts;
    vary = (carom_setting){rig_text("name"), rig_text("[1, 2]")};
    take = rig_text("steps");
    texts = (carom_scan_texts){
        .what = rig_text("sweep"), .vary = &vary, .n_vary = 1, .take = &take, .n_take = 1};
    return &texts;
}

static inline carom_scan *walk_scan(walk_rig *r)
{
    if (!r->scan)
        rig_ok(
            carom_scan_new(walk_builder(r), walk_options(), walk_scan_texts(), &r->scan, &r->error),
            &r->error);
    return r->scan;
}

static inline carom_scan *walk_scanned(walk_rig *r)
{
    static const carom_scan_work work = {.n_thread = 1};
    rig_ok(carom_scan_run(walk_scan(r), &work, &r->error), &r->error);
    return r->scan;
}

static inline carom_scan *walk_take_scan(walk_rig *r)
{
    carom_scan *scan = walk_scan(r);
    r->scan = NULL;
    return scan;
}

static inline const char *walk_study_text(void)
{
    walk_write("study.yaml", "carom-study: 1\nmodel: a.yaml\ndo: bif\nskip: 1\n");
    return walk_path("study.yaml");
}

static inline carom_study_file *walk_study_file(walk_rig *r)
{
    if (!r->study_file)
        rig_ok(carom_study_file_read(walk_study_text(), NULL, &r->study_file, &r->error),
               &r->error);
    return r->study_file;
}

static inline carom_study_file *walk_take_study_file(walk_rig *r)
{
    carom_study_file *file = walk_study_file(r);
    r->study_file = NULL;
    return file;
}

// a store of the scan
static inline const char *walk_store(walk_rig *r)
{
    const char *path = walk_path("scan.caromdb");
    const carom_scan_work work = {.n_thread = 1, .store = path, .is_fresh = true};
    rig_ok(carom_scan_run(walk_scan(r), &work, &r->error), &r->error);
    carom_scan_free(walk_take_scan(r));
    return path;
}

static inline carom_modes *walk_modes(walk_rig *r)
{
    if (!r->modes.mode) rig_ok(carom_modes_find(walk_model(r), 0, &r->modes, &r->error), &r->error);
    return &r->modes;
}

static inline carom_state_space *walk_space(walk_rig *r)
{
    if (!r->space.A)
        rig_ok(carom_state_space_make(walk_model(r), walk_modes(r), NULL, 0, &r->space, &r->error),
               &r->error);
    return &r->space;
}

// a fit that is refused, as its parameter is not there: memory is not what is asked here
static inline carom_fit *walk_fit(walk_rig *r)
{
    static const double t = 0, value = 0, sigma = 1;
    static carom_text name = {.text = "x"};
    static carom_fit_axis axis = {.name = {.text = "none"}, .start = 1, .low = 0, .high = 2};
    r->fit = (carom_fit){.axis = &axis, .n_axis = 1, .data = {1, 1, &t, &value, &name, &sigma}};
    return &r->fit;
}

#endif
