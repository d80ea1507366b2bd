// SPDX-License-Identifier: Apache-2.0
// carom sweep: measures of many runs.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    {"take", 0, "MEASURE", true, "largest x, events stop, at x 2.1 ... ('carom list measures')"},
    {"output-step", 0, "DT", false, "measures see the motion at such times, not at steps [s]"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_FOLLOW_ROWS,
    {"random", 0, "N", false, "N random samples between the ends of each axis, instead of a grid"},
    {"latin", 0, "N", false, "N samples, one in each N-th of every axis"},
    {"sobol", 0, "N", false, "the first N points of Sobol's sequence"},
    {"seed", 0, "N", false, "of the samples; 1 unless given"},
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_sweep = {
    .name = "sweep",
    .usage = "MODEL.yaml --vary NAME=VALUES --take MEASURE [options]",
    .brief = "measure many runs with other parameters and starts",
    .about =
        "Runs a model once for each combination of values, and takes measures of each run: one row\n"
        "each. Without -o and --json the table goes to standard output. Runs are shared among\n"
        "threads; the results do not depend on how many there are.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
