// SPDX-License-Identifier: Apache-2.0
// A table of measurements, read for carom fit.
#ifndef CAROM_CLI_FIT_DATA_H
#define CAROM_CLI_FIT_DATA_H

#include "job.h"

#include <carom/study.h>

typedef struct carom_fit_table {
    carom_fit_data data;
    double *t, *value, *sigma;
    carom_text *name;
} carom_fit_table;

/// Reads what --data, --use and --sigma say.
carom_status carom_fit_table_read(carom_fit_table *table, carom_job *job, carom_error *error);
void carom_fit_table_free(carom_fit_table *table);

/// The value of a parameter of the model; NAN where there is none of this name.
double carom_job_parameter(const carom_job *job, const char *name);

#endif
