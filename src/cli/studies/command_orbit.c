// SPDX-License-Identifier: Apache-2.0
// carom orbit: periodic orbits.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    CAROM_SCAN_SECTION_ROWS,
    {"times", 0, "N", false, "points of the section that the orbit has; 1"},
    {"shift", 0, "LIST", false, "what comes again elsewhere: 'th1=2*pi, y=free'"},
    {"by", 0, "NAME", true, "also the derivative by a parameter"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_orbit = {
    .name = "orbit",
    .usage = "MODEL.yaml --section SECTION [options]",
    .brief = "periodic orbit, stable or not, with its multipliers",
    .about =
        "Lets the motion settle for --skip points of a section (50), then finds the orbit next to it by\n"
        "Newton's method with exact derivatives, through impacts, friction and constraints. With\n"
        "--vary one orbit for each value.\n"
        "\n"
        "exit code: 0 done, 1 none was found or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
