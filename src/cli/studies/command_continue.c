// SPDX-License-Identifier: Apache-2.0
// carom continue: branches of periodic orbits.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS,
    {"times", 0, "N", false, "points of the section that the orbit has; 1"},
    {"shift", 0, "LIST", false, "what comes again elsewhere: 'th1=2*pi, y=free'"},
    {"arc", 0, "X", false, "first step along the branch, as a share of state and parameter; 0.02"},
    {"switch", 0, "N", false, "also the branch of twice the period behind the N-th doubling"},
    {"max", 0, "N", false, "most points each way; 500"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_continue = {
    .name = "continue",
    .usage = "MODEL.yaml --vary NAME=A:B --section SECTION [options]",
    .brief = "branch of periodic orbits along a parameter, with its special points",
    .about =
        "Finds a periodic orbit as carom orbit does, and follows it along a parameter between two ends, up\n"
        "and then down, around folds, stable or not. Folds, doublings, tori and places where the orbit\n"
        "grazes a contact are located. More of --vary give one branch for each value.\n"
        "\n"
        "exit code: 0 done, 1 none was found or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
