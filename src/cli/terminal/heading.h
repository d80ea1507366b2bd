// SPDX-License-Identifier: Apache-2.0
// The head of result files: all that is needed to know, and to make again, what was run.
#ifndef CAROM_CLI_HEADING_H
#define CAROM_CLI_HEADING_H

#include "job.h"

#include <carom/output.h>

typedef struct carom_heading {
    carom_output_head head; ///< texts belong to the job and to this
    char path[CAROM_PATH_ROOM];
    char *changes, *options;
} carom_heading;

/// false: memory ran out.
bool carom_heading_make(carom_heading *heading, const carom_job *job, const carom_sim *sim);
void carom_heading_free(carom_heading *heading);

#endif
