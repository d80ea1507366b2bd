// SPDX-License-Identifier: Apache-2.0
// What the commands of studies share: sweep, bif, orbit and the others differ in their options
// and in what the library makes of them.
#ifndef CAROM_CLI_SCAN_JOB_H
#define CAROM_CLI_SCAN_JOB_H

#include "job.h"

#include <carom/study.h>

/// Option rows of all of them.
#define CAROM_SCAN_WORK_ROWS                                                                       \
    {"threads", 0, "N", false, "runs at the same time; as many as processors unless given"},       \
        {"part", 0, "I/N", false, "the I-th of N parts, for job arrays; needs a store"},           \
        {"output", 'o', "FILE", true,                                                              \
         "FILE.csv, .json, .h5, .svg, .pdf, .png, a page: .html, or a store: .caromdb"},           \
        {"fresh", 0, NULL, false, "throw away what the store holds; else it is gone on with"},     \
        {"json", 0, "FILE|-", false, "write all rows as JSON"},                                    \
    {                                                                                              \
        "quiet", 'q', NULL, false, "no progress bar, no summary"                                   \
    }
#define CAROM_SCAN_ROWS                                                                            \
    {"vary", 0, "NAME=VALUES", true, "a parameter, start or start rate: a:b:n, a:b:n:log, [1,2]"}, \
        {"write-study", 0, "FILE|-", false, "write what is asked as a study file, no more"},       \
        CAROM_SCAN_WORK_ROWS
#define CAROM_SCAN_MODEL_ROWS                                                                      \
    {"scheme", 0, "S", false, "time integrator ('carom list schemes')"}, CAROM_JOB_RUN_ROWS,       \
        CAROM_JOB_MODEL_ROWS, CAROM_JOB_START_ROWS, CAROM_JOB_STRICT_ROWS
#define CAROM_SCAN_SECTION_ROWS                                                                    \
    {"section", 0, "SECTION", false, "period=2*pi/w, event=stop:impact:before, cross=x-0.1:up"},   \
        {"skip", 0, "N", false, "points that are left out at first"},                              \
        {"points", 0, "N", false, "points that are taken then"},                                   \
        {"show", 0, "COLUMN", true, "a column of the output"},                                     \
    {                                                                                              \
        "within", 0, "T", false, "longest time between two events or crossings [s]"                \
    }
#define CAROM_SCAN_FOLLOW_ROWS                                                                     \
    {"both", 0, NULL, false, "up the first axis, and down again"},                                 \
        {"down", 0, NULL, false, "down the first axis"},                                           \
        {"follow", 0, NULL, false, "each value starts where the one before has ended"},            \
        {"restart", 0, NULL, false, "each value starts from the model's start"},                   \
    {                                                                                              \
        "chains", 0, "N", false, "pieces of the first axis that are followed at the same time"     \
    }

/// Other processes that the work is shared with. carom has none, carom-mpi those of MPI.
typedef struct carom_company {
    const carom_scan_post *post; ///< NULL = there are none
    bool is_quiet;               ///< another process speaks
    /// Whether all are well; called by all.
    bool (*agree)(bool is_well);
} carom_company;
carom_company carom_company_find(void);

/// Does what was asked of the command: a kind of study. Returns the exit code.
int carom_scan_job(const carom_arguments *arguments);

#endif
