// SPDX-License-Identifier: Apache-2.0
// carom bif: bifurcation diagrams.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS,
    {"match", 0, "X", false, "how near points are the same, as a share of their size; 1e-6"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_FOLLOW_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_bif = {
    .name = "bif",
    .usage = "MODEL.yaml --vary NAME=VALUES --section SECTION [options]",
    .brief = "bifurcation diagram by simulation, both ways",
    .about =
        "For each value of the first axis: the points of a section that are left after a while, those that\n"
        "are distinct, and how many that are (the period; 0 = more than 32). Each value starts where\n"
        "the one before has ended, unless --restart. With --both values at which the way up and the\n"
        "way down differ are listed.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
