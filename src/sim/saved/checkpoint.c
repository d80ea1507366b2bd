// SPDX-License-Identifier: Apache-2.0
// Checkpoints: all that the continuation depends on, so that a restart gives the same bits as a run
// that never stopped. Little-endian, numbers as 8 bytes:
//
//     "CAROMCP1", version, length of the file
//     identity texts                               what run this is (identity.c)
//     state, ledger, tracks, sums                  where it has got to
//     checksum (FNV-1a)
//
// Written beside the target, synced and renamed, then its folder is synced. A file that is cut
// short, damaged or of another run is refused before anything changes. One routine (pass_*)
// describes the layout for measuring, writing and reading.
#define _XOPEN_SOURCE 700 // realpath
#include "base/files/beside.h"
#include "base/files/plainfile.h"
#include "base/need.h"
#include "contact/files/save.h"
#include "sim/auto/auto_step.h"
#include "sim/saved/content.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// another run's may be longer, and is told what is different
enum { HEAD_BYTES = 24, SUM_BYTES = 8, FORMAT = 7, SPARE_BYTES = 1 << 24 };
static const char magic[9] = "CAROMCP1";

/// Goes through a file front to back; without data it only measures.
typedef struct {
    unsigned char *data;
    size_t size, at;
    bool is_reading, is_short;
} tape;

static void pass_bytes(tape *file, void *bytes, size_t n)
{
    if (file->data && n > file->size - file->at) {
        file->is_short = true;
        return;
    }
    if (file->data && file->is_reading) memcpy(bytes, file->data + file->at, n);
    if (file->data && !file->is_reading) memcpy(file->data + file->at, bytes, n);
    file->at += n;
}

static void pass_word(tape *file, uint64_t *word)
{
    unsigned char byte[8];
    for (int i = 0; i < 8; i++) byte[i] = (unsigned char)(*word >> (8 * i));
    pass_bytes(file, byte, sizeof byte);
    if (!file->is_reading || file->is_short) return;
    *word = 0;
    for (int i = 0; i < 8; i++) *word |= (uint64_t)byte[i] << (8 * i);
}

static void pass_double(tape *file, double *value)
{
    uint64_t word;
    memcpy(&word, value, sizeof word);
    pass_word(file, &word);
    memcpy(value, &word, sizeof word);
}

static void pass_doubles(tape *file, double *value, int n)
{
    for (int i = 0; i < n; i++) pass_double(file, &value[i]);
}

static void pass_long(tape *file, long *value)
{
    uint64_t word = (uint64_t)*value;
    pass_word(file, &word);
    *value = (long)word;
}

static void pass_sum(tape *file, carom_sum *sum)
{
    pass_double(file, &sum->sum);
    pass_double(file, &sum->carry);
}

static void pass_stream(tape *file, carom_stream *stream)
{
    pass_long(file, &stream->count);
    pass_long(file, &stream->has_hole);
    pass_word(file, &stream->hash);
}

static void pass_ledger(tape *file, carom_ledger *ledger)
{
    carom_counts *counts = &ledger->counts;
    carom_worst *worst = &ledger->worst;
    long *const whole[] = {&counts->steps,
                           &counts->impact_steps,
                           &counts->contact_steps,
                           &counts->events,
                           &counts->unconverged,
                           &counts->solver_iterations,
                           &ledger->done,
                           &ledger->grid,
                           &ledger->row_step,
                           &ledger->is_pushed,
                           &ledger->had_impulse,
                           &counts->rejected,
                           &counts->evaluations,
                           &counts->energy_rises,
                           &counts->ambiguous,
                           &worst->min_gap_contact,
                           &worst->drift_constraint,
                           &worst->residual_row,
                           &worst->lag_contact,
                           &ledger->look,
                           &ledger->is_cut};
    double *const real[] = {&worst->min_gap,           &worst->max_drift,
                            &worst->residual,          &worst->cone,
                            &ledger->h_next,           &ledger->base,
                            &ledger->impact_by,        &ledger->h_impact,
                            &worst->largest_rise,      &ledger->jolt_scale,
                            &worst->min_gap_time,      &worst->max_drift_time,
                            &worst->residual_time,     &ledger->largest_kinetic,
                            &ledger->lowest_potential, &ledger->off_since,
                            &ledger->runaway_time,     &ledger->runaway_energy,
                            &ledger->deepest_fall,     &worst->lag,
                            &worst->lag_rate,          &worst->lag_time,
                            &ledger->distortion,       &ledger->distortion_time};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) pass_long(file, whole[i]);
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) pass_double(file, real[i]);
    pass_sum(file, &ledger->impact_loss);
    pass_sum(file, &ledger->friction_loss);
    pass_sum(file, &ledger->work);
    pass_stream(file, &ledger->rows);
    pass_stream(file, &ledger->events);
    pass_stream(file, &ledger->lines);
}

static void pass_content(tape *file, const carom_sim *sim, carom_content *is)
{
    const carom_sizes *n = &sim->size;
    pass_double(file, &is->state->t);
    pass_doubles(file, is->state->q, n->nq);
    pass_doubles(file, is->state->u, n->nu);
    pass_doubles(file, is->state->P, n->n_row);
    pass_doubles(file, is->state->la, n->n_row);
    pass_doubles(file, is->state->memory, sim->n_memory);
    pass_bytes(file, is->state->is_active, (size_t)n->n_contact);
    for (int i = 0; is->state->slot && i < n->n_contact; i++) {
        uint64_t key = is->state->slot[i].key;
        pass_word(file, &key);
        is->state->slot[i].key = key;
        pass_long(file, &is->state->slot[i].generation);
    }
    pass_ledger(file, &is->ledger);
    for (int i = 0; i < n->n_contact; i++) {
        pass_double(file, &is->track[i].rate_scale);
        pass_double(file, &is->track[i].slip_scale);
        pass_bytes(file, &is->track[i].is_pushed, 1);
        pass_bytes(file, &is->track[i].grip, 1);
    }
    pass_doubles(file, is->pending, carom_sim_n_pending(sim));
    if (is->control) pass_doubles(file, is->control, sim->control->n_memory);
    pass_double(file, &is->energy_start);
    pass_double(file, &is->rheonomic_start);
    pass_long(file, &is->every);
    pass_double(file, &is->output_step);
    pass_long(file, &is->seen);
    pass_long(file, &is->saved);
}

static uint64_t checksum(const unsigned char *data, size_t n)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++) hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void write_all(tape *file, const carom_sim *sim, size_t size)
{
    uint64_t format = FORMAT, length = size;
    carom_state state = sim->now;
    carom_content is = {.state = &state,
                        .ledger = *sim->ledger,
                        .track = sim->contacts.track,
                        .pending = sim->rows.pending,
                        .control = sim->control ? sim->control->memory : NULL,
                        .energy_start = sim->energy.start,
                        .rheonomic_start = sim->energy.rheonomic_start,
                        .every = sim->choice.every,
                        .output_step = sim->choice.output_step,
                        .seen = sim->choice.saver ? carom_contact_saver_seen(sim->choice.saver) : 0,
                        .saved =
                            sim->choice.saver ? carom_contact_saver_written(sim->choice.saver) : 0};
    char name[8];
    memcpy(name, magic, sizeof name);
    pass_bytes(file, name, sizeof name);
    pass_word(file, &format);
    pass_word(file, &length);
    for (int i = 0; i < sim->identity.n; i++) {
        uint64_t n = strlen(sim->identity.item[i].text);
        pass_word(file, &n);
        char *text = (char *)(uintptr_t)sim->identity.item[i].text;
        pass_bytes(file, text, (size_t)n);
    }
    pass_content(file, sim, &is);
    uint64_t sum = file->data ? checksum(file->data, file->at) : 0;
    pass_word(file, &sum);
}

static carom_status fail_io(carom_error *error, const char *what, const char *path)
{
    return carom_fail(error, CAROM_IO, "cannot %s checkpoint '%s': %s", what, path,
                      strerror(errno));
}

static bool write_bytes(int descriptor, const unsigned char *data, size_t n)
{
    while (n > 0) {
        const ssize_t put = write(descriptor, data, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        data += put;
        n -= (size_t)put;
    }
    return fsync(descriptor) == 0;
}

static carom_status save(const char *path, const tape *file, carom_error *error)
{
    // a device must not be replaced by a file
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return carom_fail(error, CAROM_IO, "cannot write '%s': it is not a plain file", path);
    char *beside;
    const int descriptor = carom_beside_create(path, "part", &beside);
    if (descriptor < 0) return fail_io(error, "write", path);
    bool is_written = write_bytes(descriptor, file->data, file->size);
    const int cause = errno;
    is_written &= close(descriptor) == 0;
    if (!is_written || rename(beside, path) != 0) {
        if (!is_written && cause) errno = cause;
        const carom_status status = fail_io(error, "write", path);
        (void)unlink(beside);
        free(beside);
        return status;
    }
    free(beside);
    carom_beside_sync(path); // the name of a file is safe only when its folder is
    return CAROM_OK;
}

static carom_status write_checkpoint(const carom_sim *sim, const char *path, carom_error *error)
{
    tape measure = {.data = NULL};
    write_all(&measure, sim, 0);
    tape file = {.size = measure.at};
    file.data = malloc(measure.at);
    if (!file.data) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    write_all(&file, sim, measure.at);
    errno = 0;
    const carom_status status = save(path, &file, error);
    free(file.data);
    return status;
}

carom_status carom_sim_checkpoint(const carom_sim *sim, const char *path, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, path);
    char *target = realpath(path, NULL); // a link stays, and what it points to is written
    const carom_status status = write_checkpoint(sim, target ? target : path, error);
    free(target);
    return status;
}

// the whole file in memory, as far as it can be a checkpoint of such a run
static carom_status load(const char *path, size_t most, tape *file, carom_error *error)
{
    struct stat facts;
    // opening a pipe would wait for its writer
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!stream) return fail_io(error, "read", path);
    carom_status status = CAROM_OK;
    if (fstat(fileno(stream), &facts) != 0)
        status = fail_io(error, "read", path);
    else if (!S_ISREG(facts.st_mode))
        status = carom_fail(error, CAROM_BAD_INPUT, "'%s' is not a file", path);
    else if ((uintmax_t)facts.st_size > most)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "'%s' is too long for a checkpoint of this run (%.3g bytes)", path,
                            (double)facts.st_size);
    if (status == CAROM_OK) {
        file->size = (size_t)facts.st_size;
        file->data = malloc(file->size + 1);
        if (!file->data)
            status = carom_fail(error, CAROM_NO_MEMORY, "out of memory");
        else if (fread(file->data, 1, file->size, stream) != file->size)
            status = fail_io(error, "read", path);
    }
    fclose(stream);
    return status;
}

static carom_status check_head(tape *file, const char *path, carom_error *error)
{
    uint64_t format = 0, length = 0;
    char name[8] = "";
    pass_bytes(file, name, sizeof name);
    if (file->is_short || memcmp(name, magic, sizeof name) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' is not a checkpoint of carom", path);
    pass_word(file, &format);
    pass_word(file, &length);
    if (!file->is_short && format != FORMAT)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "checkpoint '%s' has format %llu, this carom reads format %d", path,
                          (unsigned long long)format, FORMAT);
    if (file->is_short || length != file->size || length < HEAD_BYTES + SUM_BYTES)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "checkpoint '%s' is cut short or too long (%zu bytes, it says %llu)",
                          path, file->size, (unsigned long long)length);
    tape end = {
        .data = file->data, .size = file->size, .at = file->size - SUM_BYTES, .is_reading = true};
    uint64_t sum = 0;
    pass_word(&end, &sum);
    if (sum != checksum(file->data, file->size - SUM_BYTES))
        return carom_fail(error, CAROM_BAD_INPUT, "checkpoint '%s' is damaged", path);
    file->size -= SUM_BYTES;
    return CAROM_OK;
}

static carom_status check_identity(tape *file, const carom_sim *sim, const char *path,
                                   carom_error *error)
{
    for (int i = 0; i < sim->identity.n; i++) {
        const carom_identity *mine = &sim->identity.item[i];
        uint64_t n = 0;
        pass_word(file, &n);
        if (file->is_short || n > file->size - file->at)
            return carom_fail(error, CAROM_BAD_INPUT, "checkpoint '%s' is damaged", path);
        const char *text = (const char *)file->data + file->at;
        file->at += (size_t)n;
        if (n == strlen(mine->text) && memcmp(text, mine->text, (size_t)n) == 0) continue;
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "checkpoint '%s' is of another run: its %s is '%.*s', here it is '%.100s'", path,
            mine->label, n > 100 ? 100 : (int)n, text, mine->text);
    }
    return CAROM_OK;
}

static void take_over_recording(carom_sim *sim, const carom_content *is)
{
    const carom_ledger *ledger = &is->ledger;
    sim->recording.sent_rows = ledger->rows;
    sim->recording.sent_events = ledger->events;
    sim->recording.sent_lines = ledger->lines;
    sim->recording.was_every = (int)is->every;
    sim->recording.was_output_step = is->output_step;
    sim->recording.is_restarted = sim->recording.needs_opening = true;
    sim->recording.continues_rows = sim->recording.continues_events = false;
    sim->recording.has_new_rows = sim->recording.has_new_events = false;
    sim->rows.needs_start = ledger->counts.steps == 0 && ledger->rows.count == 0;
}

// takes over what was read into next, next_track and row_P
static carom_status take_over(carom_sim *sim, const carom_content *is, const char *path,
                              carom_error *error)
{
    const carom_ledger old = *sim->ledger;
    const double past = sim->is.has_free_steps ? sim->choice.step : 0; // see grid.c
    if (is->state->t > sim->choice.end + past)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "checkpoint '%s' is at t = %.9g, after the end %.9g; give a later --end",
                          path, is->state->t, sim->choice.end);
    *sim->ledger = is->ledger;
    const carom_status status = carom_sim_plan_grid(sim, error);
    if (status != CAROM_OK) {
        *sim->ledger = old;
        return status;
    }
    const carom_state now = *is->state;
    sim->next = sim->now;
    sim->now = now;
    // the end of a run is met exactly, the points of the grid are not rounded like it
    if (!sim->is.has_free_steps && !carom_sim_is_done(sim))
        sim->now.t = sim->ledger->base + (double)sim->ledger->done * sim->choice.step;
    memcpy(sim->contacts.track, is->track, sizeof(carom_track) * (size_t)sim->size.n_contact);
    memcpy(sim->rows.pending, is->pending, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    sim->rows.has_pending = true;
    sim->rows.last_h = sim->choice.step;
    if (is->control)
        memcpy(sim->control->memory, is->control, sizeof(double) * (size_t)sim->control->n_memory);
    carom_sim_plan_quiet(sim);
    sim->s.residual_seen = sim->ledger->worst.residual;
    sim->energy.start = is->energy_start;
    sim->energy.rheonomic_start = is->rheonomic_start;
    if (sim->choice.saver) carom_saver_continue(sim->choice.saver, is->seen, is->saved);
    take_over_recording(sim, is);
    return carom_sim_begin_slots(sim, 0, error);
}

// reads a checkpoint into what a step makes its new state in; state is a copy of sim->next
static carom_status read_content(carom_sim *sim, const char *path, carom_content *is,
                                 carom_error *error)
{
    tape file = {.is_reading = true}, measure = {.data = NULL};
    write_all(&measure, sim, 0);
    carom_status status = load(path, 2 * measure.at + SPARE_BYTES, &file, error);
    if (status == CAROM_OK) status = check_head(&file, path, error);
    if (status == CAROM_OK) status = check_identity(&file, sim, path, error);
    if (status == CAROM_OK) {
        pass_content(&file, sim, is);
        if (file.is_short || file.at != file.size || !carom_content_can_be(sim, is))
            status = carom_fail(error, CAROM_BAD_INPUT, "checkpoint '%s' is damaged", path);
    }
    free(file.data);
    return status;
}

static carom_content scratch_content(const carom_sim *sim, carom_state *state)
{
    *state = sim->next;
    carom_content is = {.state = state, .track = sim->contacts.next, .pending = sim->rows.P};
    if (sim->control) is.control = sim->control->read;
    return is;
}

carom_status carom_sim_restart(carom_sim *sim, const char *path, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, path);
    carom_state state;
    carom_content is = scratch_content(sim, &state);
    carom_status status = read_content(sim, path, &is, error);
    if (status == CAROM_OK) status = take_over(sim, &is, path, error);
    if (status != CAROM_OK) carom_sim_events_undo(sim);
    return status;
}

/// The farthest checkpoint so far.
typedef struct {
    carom_sim *sim;
    char *path; ///< NULL = none
    long steps;
    bool is_short; ///< memory ran out
} farthest;

static bool consider(void *self, const char *path)
{
    farthest *best = self;
    carom_state state;
    carom_content is = scratch_content(best->sim, &state);
    const carom_status status = read_content(best->sim, path, &is, NULL);
    carom_sim_events_undo(best->sim);
    if (status != CAROM_OK || (best->path && is.ledger.counts.steps <= best->steps)) return true;
    free(best->path);
    best->path = strdup(path);
    best->steps = is.ledger.counts.steps;
    best->is_short = !best->path;
    return !best->is_short;
}

carom_status carom_sim_resume(carom_sim *sim, const char *path, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, path);
    char *target = realpath(path, NULL);
    farthest best = {.sim = sim};
    struct stat facts;
    if (target) consider(&best, target);
    const bool is_seen = carom_beside_each(target ? target : path, "part", consider, &best);
    carom_status status;
    if (best.is_short || !is_seen)
        status = carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    else if (!best.path && stat(path, &facts) != 0)
        status =
            carom_fail(error, CAROM_BAD_INPUT,
                       "there is no checkpoint '%s' to resume from (begin without --resume)", path);
    else // what is wrong with the only one is told
        status = carom_sim_restart(sim, best.path ? best.path : path, error);
    free(best.path);
    free(target);
    return status;
}

static bool remove_leftover(void *self, const char *name)
{
    char head[sizeof magic] = "";
    FILE *file;
    (void)carom_plainfile_open(name, NULL, &file, NULL);
    const size_t n = file ? fread(head, 1, sizeof magic - 1, file) : 0;
    (void)self;
    if (file) fclose(file);
    // a file that another program left under such a name is none of ours
    if (file && memcmp(head, magic, n) == 0) (void)unlink(name);
    return true;
}

void carom_sim_forget_parts(const char *path)
{
    if (!path) return;
    char *target = realpath(path, NULL);
    (void)carom_beside_each(target ? target : path, "part", remove_leftover, NULL);
    free(target);
}
