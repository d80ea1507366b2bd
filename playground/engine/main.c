// SPDX-License-Identifier: Apache-2.0
// The command as the page has it: `run`, the very one, into a journal, and `report`, whose page has
// nothing around its data (page.c). Files are those of emscripten, in memory.
#include "arguments.h"
#include "terminal/message.h"

#include <carom/report.h>

#include <stdlib.h>
#include <string.h>

static int complain(const carom_error *error)
{
    carom_message_error("%s", error->message);
    return CAROM_EXIT_USAGE;
}

static int report(const char *journal, const char *path)
{
    carom_error error = {0};
    carom_results *run;
    const carom_access access = {.parts = "/parts"};
    carom_report_options options = carom_report_default();
    options.access = &access;
    options.most_points /= 4;
    options.most_frames /= 2;
    if (carom_results_open(journal, &run, &error) != CAROM_OK) return complain(&error);
    const carom_status status = carom_report_write(&run, 1, &options, path, NULL, &error);
    carom_results_free(run);
    return status == CAROM_OK ? CAROM_EXIT_DONE : complain(&error);
}

static int run(int argc, char **argv)
{
    carom_arguments arguments;
    setenv("CAROM_PARTS", "/parts", 1);
    int code = carom_arguments_read(&carom_command_run, argc, argv, &arguments);
    if (code == 0) code = carom_command_run.run(&arguments);
    carom_arguments_free(&arguments);
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "report") == 0) return report(argv[2], argv[3]);
    if (argc > 1 && strcmp(argv[1], "run") == 0) return run(argc - 2, argv + 2);
    carom_message_error("the page has 'run' and 'report' only");
    return CAROM_EXIT_USAGE;
}
