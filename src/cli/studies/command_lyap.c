// SPDX-License-Identifier: Apache-2.0
// carom lyap: Lyapunov exponents.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS,
    {"exponents", 0, "K", false, "the K largest; all unless given"},
    {"method", 0, "M", false, "tangent (exact derivatives), or pair (two runs, time stepping)"},
    {"distance", 0, "D", false,
     "of the two runs of a pair; the least that is allowed unless given"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_FOLLOW_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_lyap = {
    .name = "lyap",
    .usage = "MODEL.yaml --section SECTION [options]",
    .brief = "Lyapunov exponents with their errors, through impacts",
    .about =
        "Exponents per second and per point of the section, by exact derivatives of the motion, with the\n"
        "error of each from batches; with all of them the rule for their sum is checked. --method pair\n"
        "gives the largest one with time stepping, where three distances of two runs agree.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
