// SPDX-License-Identifier: Apache-2.0
// carom basin: basins of attraction.
#include "studies/scan_job.h"

static const carom_argument rows[] = {
    {"section", 0, "SECTION", false, "period=2*pi/w, event=stop:impact:before, cross=x-0.1:up"},
    {"match", 0, "X", false, "how near a point is to an attractor's, of the range; 1e-3"},
    {"most", 0, "N", false, "points that a start may take to settle; 2000"},
    {"show", 0, "COLUMN", true, "what points are told apart by; the state unless given"},
    {"within", 0, "T", false, "longest time between two events or crossings [s]"},
    {"random", 0, "N", false, "N random starts between the ends of each axis, instead of a grid"},
    {"latin", 0, "N", false, "N starts, one in each N-th of every axis"},
    {"sobol", 0, "N", false, "the first N points of Sobol's sequence"},
    {"seed", 0, "N", false, "of random starts; 1 unless given"},
    CAROM_SCAN_ROWS,
    CAROM_SCAN_MODEL_ROWS,
    {0},
};

const carom_command carom_command_basin = {
    .name = "basin",
    .usage = "MODEL.yaml --vary x=A:B:N --vary 'der(x)=A:B:N' --section SECTION [options]",
    .brief = "basins of attraction: where each start ends",
    .about =
        "Follows each start from point to point of a section until it is clear which attractor it ends on:\n"
        "a cycle of up to 16 points, or rest. A first look at 64 starts finds attractors, which are sorted\n"
        "by period, impacts and first point and numbered from 1; then a start is recognised as soon as\n"
        "three of its points follow one. Label 0 did not settle within --most points (chaos too), -1 went\n"
        "far away. Pictures are a cell for each start.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or model.",
    .argument = rows,
    .run = carom_scan_job,
};
