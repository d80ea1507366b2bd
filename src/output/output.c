// SPDX-License-Identifier: Apache-2.0
// Output files: the format comes from the ending of the name. A file is written beside its target,
// under the lock of the target's name, and gets that name when it is closed, so that a file under
// its own name is never half written.
//
// A run that continues copies what is there of it (replay.c) to a file "<path>.<process>.copy",
// which takes the place of the old part when all of it is there: whenever the process is killed,
// one of the two is whole, and under the lock everything else is known to be left over.
#define _XOPEN_SOURCE 700 // realpath
#include "output/output.h"

#include "base/files/beside.h"
#include "base/need.h"
#include "base/text.h"
#include "output/results.h"
#include "sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL_BYTES = 1 << 20 };

#ifdef CAROM_HAS_HDF5
static const char endings[] = ".csv, .h5 or .hdf5";
#else
static const char endings[] = ".csv or .journal (this carom was built without HDF5)";
#endif

carom_status carom_output_fail(const carom_output *output, carom_error *error)
{
    const char *reason = errno ? strerror(errno) : "the write failed";
    if (!output->part.name)
        return carom_fail(error, CAROM_IO, "cannot write '%s': %s", output->path, reason);
    return carom_fail(error, CAROM_IO, "cannot write '%s': %s (what was written is in '%s')",
                      output->path, reason, output->part.name);
}

carom_status carom_output_make_part(carom_output *output, size_t record, carom_error *error)
{
    errno = 0;
    return carom_partfile_open(&output->part, output->path, output->ending, record)
               ? CAROM_OK
               : carom_output_fail(output, error);
}

carom_status carom_output_end_record(carom_output *output, carom_error *error)
{
    if (carom_partfile_end(&output->part)) return CAROM_OK;
    errno = output->part.failure;
    return carom_output_fail(output, error);
}

// better now than after a long run
static carom_status check_target(const char *path, carom_error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode)) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "cannot write '%s': it is %s", path,
                      S_ISDIR(facts.st_mode) ? "a folder" : "not a plain file");
}

static void release_output(carom_output *output)
{
    carom_plan_free(output->poses);
    carom_partfile_forget(&output->part);
    carom_filelock_release(&output->lock);
    carom_arena_free(output->arena);
}

// an output without a format yet, that holds the lock of its target
static carom_status make_output(const char *path, const carom_sim *sim, carom_output **output,
                                carom_error *error)
{
    *output = NULL;
    CAROM_TRY(check_target(path, error));
    carom_arena *arena = carom_arena_new();
    carom_output *made = arena ? CAROM_TAKE(arena, carom_output, 1) : NULL;
    // a link stays, and what it points to is written
    char *target = realpath(path, NULL);
    if (made) {
        *made = (carom_output){.arena = arena, .ending = "part", .part = {.descriptor = -1}};
        made->path = carom_arena_string(arena, target ? target : path);
        made->run = carom_arena_string(arena, sim->identity.run_name);
    }
    free(target);
    if (!made || !made->path || !made->run) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    }
    const carom_status status = carom_filelock_take(&made->lock, made->path, error);
    if (status == CAROM_OK)
        *output = made;
    else
        carom_arena_free(arena);
    return status;
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

/// What is to be written; head = NULL: events.
typedef struct {
    const carom_output_head *head;
    bool is_csv;
} wish;

static carom_status open_format(carom_output *output, const carom_sim *sim, wish wanted,
                                carom_error *error)
{
    const carom_output_head own = {.model = carom_model_name(sim->model),
                                   .scheme = carom_sim_scheme(sim),
                                   .solver = carom_sim_solver(sim),
                                   .version = carom_version(),
                                   .step = sim->choice.step,
                                   .end = sim->choice.end};
    CAROM_TRY(copy_head(output, wanted.head ? wanted.head : &own, error));
    output->holds_rows = wanted.head != NULL;
    output->holds_events = !wanted.head || !wanted.is_csv;
    if (!wanted.head) return carom_events_csv_open(output, sim, error);
    if (!wanted.is_csv) return carom_journal_open(output, sim, wanted.head, error);
    return carom_csv_open(output, sim, error);
}

// the side file first: alone it is of no use
static void remove_part(const carom_output *output, const char *name)
{
    const char *side = carom_arena_format(output->arena, "%s.json", name);
    if (side) (void)unlink(side);
    (void)unlink(name);
}

// what a process that was killed while it copied left, is not needed by anybody
static bool remove_copy(void *self, const char *name)
{
    (void)self;
    (void)unlink(name);
    return true;
}

// whether a part holds nothing but a head, and perhaps not even that
static bool is_empty(const char *name)
{
    struct stat facts;
    carom_results *results;
    carom_error error = {0};
    if (stat(name, &facts) != 0 || facts.st_size > SMALL_BYTES) return false;
    if (facts.st_size == 0) return true;
    if (carom_results_open_own(name, &results, &error) != CAROM_OK) return false;
    const bool is = results->n_row == 0 && results->n_event == 0;
    carom_results_free(results);
    return is;
}

// a part without rows is not needed either; of the others the newest is told
static bool look_at_part(void *self, const char *name)
{
    carom_output *output = self;
    if (is_empty(name))
        remove_part(output, name);
    else if (!output->left)
        output->left = carom_arena_string(output->arena, name);
    return true;
}

static carom_status look_around(carom_output *output, carom_error *error)
{
    if (carom_beside_each(output->path, "copy", remove_copy, NULL) &&
        carom_beside_each(output->path, "part", look_at_part, output))
        return CAROM_OK;
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static carom_status fill_anew(carom_output *output, carom_sim *sim, bool *is_found,
                              carom_error *error)
{
    CAROM_TRY(carom_replay(output, sim, is_found, error));
    if (!carom_partfile_rename(&output->part, output->source, output->path, "part"))
        return carom_output_fail(output, error);
    output->ending = "part";
    return output->renamed ? output->renamed(output, error) : CAROM_OK;
}

static carom_status refuse_resume(const carom_output *output, const carom_sim *sim,
                                  carom_error *error)
{
    const bool is_other = sim->choice.every != sim->recording.was_every ||
                          sim->choice.output_step != sim->recording.was_output_step;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "cannot continue '%s': it does not hold what this run had written up to "
                      "t = %.9g%s (give another name, or move the file away, to write only what "
                      "comes after)",
                      output->path, sim->now.t,
                      is_other ? "; that was written with another --every or --output-step" : "");
}

// what was not found may be missing, if the run had not come to it, or if the user wants the rest
// only; a file that is something else is not replaced
static carom_status check_found(const carom_output *output, const carom_sim *sim,
                                bool must_be_there, carom_error *error)
{
    const carom_stream *rows = &sim->recording.sent_rows, *events = &sim->recording.sent_events;
    const bool had_any =
        (output->holds_rows && rows->count > 0) || (output->holds_events && events->count > 0);
    const bool has_hole =
        (output->holds_rows && rows->has_hole) || (output->holds_events && events->has_hole);
    struct stat facts;
    const bool has_target = stat(output->path, &facts) == 0;
    if (has_target && (had_any || has_hole || !must_be_there))
        return refuse_resume(output, sim, error);
    if (!must_be_there || !had_any) return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "there is neither '%s' nor a part of it with what the run that is resumed had written up "
        "to t = %.9g (give the name it had, or none)",
        output->path, sim->now.t);
}

// all files that hold rows (or events) go on, or all start anew: a later restart could not tell
static carom_status agree_on_rows(carom_output *output, carom_sim *sim, bool is_found,
                                  carom_error *error)
{
    bool *const goes_on[] = {&sim->recording.continues_rows, &sim->recording.continues_events};
    bool *const is_new[] = {&sim->recording.has_new_rows, &sim->recording.has_new_events};
    const bool holds[] = {output->holds_rows, output->holds_events};
    const carom_stream *const sent[] = {&sim->recording.sent_rows, &sim->recording.sent_events};
    static const char *const what[] = {"rows", "events"};
    for (int i = 0; i < 2; i++) {
        if (!holds[i]) continue;
        const bool had_none = sent[i]->count == 0 && !sent[i]->has_hole; // both are the same then
        *(is_found || had_none ? goes_on[i] : is_new[i]) = true;
        if (*goes_on[i] && *is_new[i])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "cannot continue '%s': its %s go on in one file and start in another "
                              "(give all files of the run that was cut off, or none)",
                              output->path, what[i]);
    }
    return CAROM_OK;
}

// is_continued: carom_sim_restart has set the state; must_be_there: an old file is asked for
static carom_status start(carom_output *output, carom_sim *sim, wish wanted, bool must_be_there,
                          carom_error *error)
{
    bool is_found = false;
    CAROM_TRY(look_around(output, error));
    output->ending = "copy";
    CAROM_TRY(open_format(output, sim, wanted, error));
    CAROM_TRY(fill_anew(output, sim, &is_found, error));
    if (is_found && output->left && output->source) output->left = NULL;
    if (!is_found) CAROM_TRY(check_found(output, sim, must_be_there, error));
    return agree_on_rows(output, sim, is_found, error);
}

// closes what could not be opened
static carom_status keep_or_close(carom_status status, carom_output **output)
{
    if (status == CAROM_OK) return CAROM_OK;
    if ((*output)->part.name) remove_part(*output, (*output)->part.name);
    release_output(*output);
    *output = NULL;
    return status;
}

static carom_status read_wish(const char *path, const carom_output_head *head, wish *wanted,
                              carom_error *error)
{
    *wanted = (wish){.head = head, .is_csv = carom_text_ends(path, ".csv")};
    bool is_known = wanted->is_csv;
#ifdef CAROM_HAS_HDF5
    is_known |= carom_text_ends(path, ".h5") || carom_text_ends(path, ".hdf5");
#else
    is_known |= carom_text_ends(path, ".journal");
#endif
    if (is_known) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "output '%s' has no known ending; it must end with %s", path, endings);
}

static carom_status open_new(const char *path, const carom_sim *sim, wish wanted,
                             carom_output **output, carom_error *error)
{
    CAROM_TRY(make_output(path, sim, output, error));
    carom_status status = look_around(*output, error);
    if (status == CAROM_OK) status = open_format(*output, sim, wanted, error);
    return keep_or_close(status, output);
}

static carom_status open_old(const char *path, carom_sim *sim, wish wanted, bool must_be_there,
                             carom_output **output, carom_error *error)
{
    if (!sim->recording.is_restarted) return open_new(path, sim, wanted, output, error);
    CAROM_TRY(make_output(path, sim, output, error));
    return keep_or_close(start(*output, sim, wanted, must_be_there, error), output);
}

carom_status carom_output_open(const char *path, const carom_sim *sim,
                               const carom_output_head *head, carom_output **output,
                               carom_error *error)
{
    wish wanted;
    CAROM_NEED(error, output);
    *output = NULL;
    CAROM_NEED(error, path);
    CAROM_NEED(error, sim);
    CAROM_NEED(error, head);
    CAROM_TRY(read_wish(path, head, &wanted, error));
    CAROM_TRY(carom_sim_check_rows(sim, error)); // before a file is touched
    return open_new(path, sim, wanted, output, error);
}

carom_status carom_output_open_events(const char *path, const carom_sim *sim, carom_output **output,
                                      carom_error *error)
{
    CAROM_NEED(error, output);
    *output = NULL;
    CAROM_NEED(error, path);
    CAROM_NEED(error, sim);
    return open_new(path, sim, (wish){.is_csv = true}, output, error);
}

carom_status carom_output_continue(const char *path, carom_sim *sim, const carom_output_head *head,
                                   bool must_be_there, carom_output **output, carom_error *error)
{
    wish wanted;
    CAROM_NEED(error, output);
    *output = NULL;
    CAROM_NEED(error, path);
    CAROM_NEED(error, sim);
    CAROM_NEED(error, head);
    CAROM_TRY(read_wish(path, head, &wanted, error));
    CAROM_TRY(carom_sim_check_rows(sim, error)); // before a file is touched
    return open_old(path, sim, wanted, must_be_there, output, error);
}

carom_status carom_output_continue_events(const char *path, carom_sim *sim, bool must_be_there,
                                          carom_output **output, carom_error *error)
{
    CAROM_NEED(error, output);
    *output = NULL;
    CAROM_NEED(error, path);
    CAROM_NEED(error, sim);
    return open_old(path, sim, (wish){.is_csv = true}, must_be_there, output, error);
}

carom_recorder carom_output_recorder(carom_output *output)
{
    return output ? output->recorder : (carom_recorder){0};
}

void carom_output_reason(carom_output *output, const char *why)
{
    if (output && why && *why) output->reason = carom_arena_string(output->arena, why);
}

const char *carom_output_left(const carom_output *output)
{
    return output ? output->left : NULL;
}

carom_status carom_output_sync(carom_output *output, carom_error *error)
{
    CAROM_NEED(error, output);
    return carom_partfile_sync(&output->part) ? CAROM_OK : carom_output_fail(output, error);
}

carom_status carom_output_close(carom_output *output, const carom_audit *audit,
                                const carom_counts *counts, bool is_whole, carom_error *error)
{
    if (!output) return CAROM_OK;
    const carom_closing closing = {.audit = audit, .counts = counts, .is_whole = is_whole};
    errno = 0;
    carom_status status = carom_partfile_close(&output->part, !output->is_journal)
                              ? CAROM_OK
                              : carom_output_fail(output, error);
    if (status == CAROM_OK) status = output->finish(output, &closing, error);
    if (status == CAROM_OK) carom_beside_sync(output->path);
    release_output(output);
    return status;
}
