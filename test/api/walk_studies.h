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

#endif
