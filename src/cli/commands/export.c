// SPDX-License-Identifier: Apache-2.0
// carom export: the model as one C file for other programs.
#include "job.h"
#include "terminal/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path)
{
    carom_message_error("cannot write '%s': %s", path, errno ? strerror(errno) : "write error");
    return false;
}

// whole or not at all; links and devices are written in place, so that they stay what they are
static bool write_file(const char *path, const char *text)
{
    char part[CAROM_PATH_ROOM + 32];
    struct stat facts;
    if (strlen(path) >= CAROM_PATH_ROOM) {
        errno = ENAMETOOLONG;
        return complain(path);
    }
    const bool is_plain = lstat(path, &facts) != 0 || S_ISREG(facts.st_mode);
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    errno = 0;
    FILE *file = is_plain ? carom_paths_create(part) : fopen(path, "w");
    if (!file) return complain(path);
    const bool is_put = fputs(text, file) >= 0, is_closed = fclose(file) == 0;
    if (is_put && is_closed && (!is_plain || rename(part, path) == 0)) return true;
    complain(path);
    if (is_plain) remove(part);
    return false;
}

static int export(const carom_arguments *arguments)
{
    carom_job job;
    carom_error error = {0};
    char *text = NULL;
    const char *path = carom_arguments_value(arguments, "output");
    int code = carom_job_open(&job, arguments);
    const bool is_file = path && strcmp(path, "-") != 0;
    if (code == 0 && is_file && carom_paths_are_same(path, job.path)) {
        carom_message_error("carom export: -o and the model are one file, '%s'", path);
        code = CAROM_EXIT_USAGE;
    }
    if (code == 0 && is_file && !carom_paths_is_writable(path)) code = CAROM_EXIT_USAGE;
    if (code == 0 && carom_model_to_c(job.model, &text, &error) != CAROM_OK) {
        carom_message_error("%s: %s", job.path, error.message);
        code = error.status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
    }
    if (code == 0 && is_file && !write_file(path, text)) code = CAROM_EXIT_AUDIT;
    if (code == 0 && !is_file) fputs(text, stdout);
    free(text);
    carom_job_close(&job);
    return code;
}

static const carom_argument rows[] = {
    {"output", 'o', "FILE|-", false, "write to FILE.c instead of standard output"},
    CAROM_JOB_MODEL_ROWS,
    {0},
};

const carom_command carom_command_export = {
    .name = "export",
    .usage = "MODEL.yaml [-o FILE.c] [options]",
    .brief = "write a model as C",
    .about = "Writes the model as one C file that needs the standard library only: functions for "
             "mass,\n"
             "forces, gaps, rows, their derivatives and the energies, with sizes, sparsity "
             "patterns,\n"
             "start values and contact laws. The head of the file explains them.",
    .argument = rows,
    .run = export,
};
