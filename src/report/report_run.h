// SPDX-License-Identifier: Apache-2.0
// One run of a page, as JSON.
#ifndef CAROM_REPORT_RUN_H
#define CAROM_REPORT_RUN_H

#include "carom/report.h"
#include "report/encode.h"

/// Writes a run as an object of the list at hand. options are the share of this run.
carom_status carom_report_run(carom_encoder *encoder, carom_results *results,
                              const carom_report_options *options, carom_report_notes *notes,
                              carom_error *error);

#endif
