// SPDX-License-Identifier: Apache-2.0
// The page of a study.
#ifndef CAROM_CLI_STUDY_PAGE_H
#define CAROM_CLI_STUDY_PAGE_H

#include "job.h"

#include <carom/study.h>

/// Writes one page with the points of a study; a click on one shows the motion behind it. false:
/// said.
bool carom_study_page(const carom_job *job, const carom_scan *scan, const char *path);
/// Why a study with these options has no page; NULL where it has.
const char *carom_study_page_refusal(const carom_job *job);

#endif
