// SPDX-License-Identifier: Apache-2.0
// Output files: the format comes from the ending of the name. A file is written as "<path>.part"
// and gets its name when it is closed, so that a file under its own name is never half written.
#define _XOPEN_SOURCE 700 // realpath
#include "output/output.h"

#include "base/text.h"
#include "output/sidefile.h"
#include "sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef CAROM_HAS_HDF5
static const char endings[] = ".csv, .h5 or .hdf5";
#else
static const char endings[] = ".csv (this carom was built without HDF5)";
#endif

carom_status carom_output_fail(const carom_output *output, carom_error *error)
{
    const char *reason = errno ? strerror(errno) : "the write failed";
    return carom_fail(error, CAROM_IO, "cannot write '%s': %s", output->path, reason);
}

// an output without a format yet
static carom_status make(const char *path, carom_output **output, carom_error *error)
{
    carom_arena *arena = carom_arena_new();
    carom_output *made = arena ? CAROM_TAKE(arena, carom_output, 1) : NULL;
    // a link stays, and what it points to is written
    char *target = realpath(path, NULL);
    if (made) {
        made->arena = arena;
        made->path = carom_arena_string(arena, target ? target : path);
        made->part = carom_arena_format(arena, "%s.part", target ? target : path);
    }
    free(target);
    *output = NULL;
    if (!made || !made->path || !made->part) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    }
    // better now than after a long run
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_IO, "cannot write '%s': it is %s", path,
                          S_ISDIR(facts.st_mode) ? "a folder" : "not a plain file");
    }
    errno = 0;
    *output = made;
    return CAROM_OK;
}

// the head as far as CSV files need it
static carom_status copy_head(carom_output *output, const carom_output_head *head,
                              carom_error *error)
{
    const char *const from[] = {head->model, head->scheme, head->solver, head->version};
    const char **const to[] = {&output->head.model, &output->head.scheme, &output->head.solver,
                               &output->head.version};
    for (int i = 0; i < 4; i++) {
        *to[i] = carom_arena_string(output->arena, from[i] ? from[i] : "");
        if (!*to[i]) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    }
    output->head.step = head->step;
    output->head.end = head->end;
    return CAROM_OK;
}

static carom_status keep(carom_status status, carom_output **output)
{
    if (status == CAROM_OK) return CAROM_OK;
    carom_arena_free((*output)->arena);
    *output = NULL;
    return status;
}

carom_status carom_output_open(const char *path, const carom_sim *sim,
                               const carom_output_head *head, carom_output **output,
                               carom_error *error)
{
    const bool is_csv = carom_text_ends(path, ".csv");
    bool is_known = is_csv;
    *output = NULL;
#ifdef CAROM_HAS_HDF5
    is_known |= carom_text_ends(path, ".h5") || carom_text_ends(path, ".hdf5");
#endif
    if (!is_known)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "output '%s' has no known ending; it must end with %s", path, endings);
    CAROM_TRY(carom_sim_check_rows(sim, error)); // before a file is touched
    CAROM_TRY(make(path, output, error));
#ifdef CAROM_HAS_HDF5
    if (!is_csv) return keep(carom_hdf5_open(*output, sim, head, error), output);
#endif
    carom_status status = copy_head(*output, head, error);
    if (status == CAROM_OK) status = carom_csv_open(*output, sim, error);
    return keep(status, output);
}

carom_status carom_output_open_events(const char *path, const carom_sim *sim, carom_output **output,
                                      carom_error *error)
{
    const carom_output_head head = {.model = carom_model_name(sim->model),
                                    .scheme = carom_sim_scheme(sim),
                                    .solver = carom_sim_solver(sim),
                                    .version = carom_version(),
                                    .step = sim->step,
                                    .end = sim->end};
    CAROM_TRY(make(path, output, error));
    carom_status status = copy_head(*output, &head, error);
    if (status == CAROM_OK) status = carom_events_csv_open(*output, sim, error);
    return keep(status, output);
}

void carom_output_reason(carom_output *output, const char *why)
{
    if (output && why && *why) output->reason = carom_arena_string(output->arena, why);
}

carom_recorder carom_output_recorder(carom_output *output)
{
    return output->recorder;
}

static carom_status move_side(const carom_output *output, carom_error *error)
{
    const char *target = carom_side_path(output->arena, output->path);
    if (!target) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    return rename(output->side, target) == 0 ? CAROM_OK : carom_output_fail(output, error);
}

carom_status carom_output_close(carom_output *output, const carom_audit *audit,
                                const carom_counts *counts, bool is_whole, carom_error *error)
{
    if (!output) return CAROM_OK;
    const carom_closing closing = {.audit = audit, .counts = counts, .is_whole = is_whole};
    errno = 0;
    carom_status status = output->finish(output, &closing, error);
    if (status == CAROM_OK && rename(output->part, output->path) != 0)
        status = carom_output_fail(output, error);
    if (status == CAROM_OK && output->side) status = move_side(output, error);
    carom_arena_free(output->arena);
    return status;
}
