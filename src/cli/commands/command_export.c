// SPDX-License-Identifier: Apache-2.0
// carom export: the model as one C file for other programs, or surfaces of a run for ParaView.
#include "command_export_vtk.h"
#include "job.h"
#include "terminal/message.h"
#include "written.h"

#include <stdlib.h>
#include <string.h>

static int export(const carom_arguments *arguments)
{
    carom_job job;
    carom_error error = {0};
    char *text = NULL;
    if (carom_export_wants_vtk(arguments)) return carom_export_vtk(arguments);
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
    if (code == 0 && is_file && !carom_written_whole(path, text)) code = CAROM_EXIT_AUDIT;
    if (code == 0 && !is_file) fputs(text, stdout);
    free(text);
    carom_job_close(&job);
    return code;
}

static const carom_argument rows[] = {
    {"output", 'o', "FILE|-", false, "FILE.c instead of standard output; FILE.vtkhdf, FILE.pvd"},
    {"frames", 0, "N", false, "results: at most N rows, evenly (1000)"},
    {"from", 0, "T", false, "results: from this time on [s]"},
    {"to", 0, "T", false, "results: up to this time [s]"},
    CAROM_JOB_MODEL_ROWS,
    {0},
};

const carom_command carom_command_export = {
    .name = "export",
    .usage = "MODEL.yaml [-o FILE.c] [options]\n"
             "RUN.h5 -o FILE.vtkhdf|FILE.pvd [options]",
    .brief = "write a model as C, or a run for ParaView",
    .about = "Writes the model as one C file that needs the standard library only: functions for "
             "mass,\n"
             "forces, gaps, rows, their derivatives and the energies, with sizes, sparsity "
             "patterns,\n"
             "start values and contact laws. The head of the file explains them.\n\n"
             "Of results: the surfaces of bodies as they move, and contacts that press with their "
             "forces, for\n"
             "ParaView: one .vtkhdf file (5.12 and later), or a .pvd list of .vtp files (all).",
    .argument = rows,
    .run = export,
};
