// SPDX-License-Identifier: Apache-2.0
// carom compare: one model run with several schemes, or two result files column by column.
#include "commands/command_compare.h"

#include "job.h"
#include "terminal/message.h"

static int compare(const carom_arguments *arguments)
{
    const bool has_schemes = carom_arguments_value(arguments, "schemes") != NULL;
    if (has_schemes && carom_arguments_clash(arguments, "schemes", "tol")) return CAROM_EXIT_USAGE;
    if (!has_schemes && carom_arguments_value(arguments, "reference")) {
        carom_message_error("carom compare: --reference goes with --schemes");
        return CAROM_EXIT_USAGE;
    }
    if (has_schemes) return carom_compare_schemes(arguments);
    if (arguments->n_word == 2) return carom_compare_files(arguments);
    carom_message_error("carom compare: give a model and --schemes a,b,c, or two CSV files; see "
                        "'carom compare --help'");
    return CAROM_EXIT_USAGE;
}

static const carom_argument rows[] = {
    {"schemes", 0, "A,B,...", false, "the schemes to run, or 'all'"},
    {"reference", 0, "S", false, "scheme from which the others' end states are measured"},
    CAROM_JOB_RUN_ROWS,
    CAROM_JOB_MODEL_ROWS,
    CAROM_JOB_START_ROWS,
    CAROM_JOB_LIMIT_ROWS,
    CAROM_JOB_STRICT_ROWS,
    {"tol", 0, "X", false, "two files: largest difference that counts as the same (0)"},
    {"json", 0, "FILE|-", false, "write the comparison as JSON"},
    {"quiet", 'q', NULL, false, "no progress bar, no table"},
    {0},
};

const carom_command carom_command_compare = {
    .name = "compare",
    .usage = "MODEL.yaml --schemes A,B,... [options]\nA.csv B.csv [--tol X]",
    .brief = "compare schemes on a model, or two result files",
    .about =
        "With --schemes: runs one model with each scheme and prints one table: end state, energy,\n"
        "smallest gap, audit and time per step. A scheme that refuses the model says why; the "
        "others\n"
        "go on. An --option goes to the schemes that have it. With --reference event_driven "
        "(say),\n"
        "the table shows how far each end state is from that of this scheme.\n"
        "With two CSV files: the largest difference of each column, by name.\n"
        "\n"
        "exit code: 0 done, or same within --tol; 1 some run is unconverged, outside a limit or\n"
        "stopped, or the files differ; 2 wrong usage, no scheme takes the model, or a file cannot\n"
        "be read.",
    .argument = rows,
    .run = compare,
};
