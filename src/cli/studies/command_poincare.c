// SPDX-License-Identifier: Apache-2.0
// carom poincare: points of a section.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS,
    CAROM_SCAN_ROWS,
    {"restart", 0, NULL, false, "each value starts from the model's start, as it does anyway"},
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_poincare = {
    .name = "poincare",
    .usage = "MODEL.yaml --section SECTION [options]",
    .brief = "points where a motion passes a section",
    .about =
        "Runs a model and takes its columns once in each period, at each event of a contact, or where an\n"
        "expression goes through zero.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
