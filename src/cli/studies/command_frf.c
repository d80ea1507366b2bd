// SPDX-License-Identifier: Apache-2.0
// carom frf: frequency responses.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS, {"harmonics", 0, "N", false, "how many; 1 unless given"},
    CAROM_SCAN_ROWS,         CAROM_SCAN_FOLLOW_ROWS,
    CAROM_SCAN_MODEL_ROWS,   {0},
};

const carom_command carom_command_frf = {
    .name = "frf",
    .usage = "MODEL.yaml --vary w=A:B:N --section period=2*pi/w [options]",
    .brief = "frequency response: harmonics of what is left of a motion",
    .about =
        "For each value of the first axis: amplitude and phase of the harmonics of the period, after --skip\n"
        "periods, over --points periods; and mean, root mean square, smallest and largest value. Each\n"
        "value starts where the one before has ended, unless --restart.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
