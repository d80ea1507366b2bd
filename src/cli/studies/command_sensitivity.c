// SPDX-License-Identifier: Apache-2.0
// carom sensitivity: derivatives of measures.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    {"by", 0, "NAME", true, "a parameter, start or start rate to differentiate by"},
    {"take", 0, "MEASURE", true, "'at x 2.1', 'last x', 'event_time stop 5', 'event_after stop 5'"},
    {"difference", 0, NULL, false,
     "from two runs beside it alone, also where there is no derivative"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_sensitivity = {
    .name = "sensitivity",
    .usage = "MODEL.yaml --by NAME --take MEASURE [options]",
    .brief = "how results change with parameters and starts, exactly",
    .about =
        "Derivatives of measures by parameters, through impacts, friction and constraints, and beside each\n"
        "one what two runs next to it say. Where both differ by more than 1e-4 the run has failed.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
