// SPDX-License-Identifier: Apache-2.0
// One run of a page: read from its file, then written as JSON.
#ifndef CAROM_REPORT_RUN_H
#define CAROM_REPORT_RUN_H

#include "carom/report.h"
#include "report/encode.h"

typedef struct carom_report_run carom_report_run;

/// Reads all that the page shows of a run; options are the share of this run. *run is to be freed
/// also where this fails.
carom_status carom_report_run_read(carom_results *results, const carom_report_options *options,
                                   carom_report_run **run, carom_error *error);
/// Whether there is a drawing in space.
bool carom_report_run_is_space(const carom_report_run *run);
/// Writes it as an object of the list at hand.
carom_status carom_report_run_encode(carom_encoder *encoder, carom_report_run *run,
                                     const carom_report_options *options, carom_report_notes *notes,
                                     carom_error *error);
void carom_report_run_free(carom_report_run *run);

#endif
