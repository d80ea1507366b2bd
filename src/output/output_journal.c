// SPDX-License-Identifier: Apache-2.0
// Writes the journal of a run, and makes the HDF5 file from it at the end. A carom without HDF5
// leaves the journal (FILE.journal).
#include "output/output_journal.h"

#include "base/files/beside.h"
#include "output/output.h"
#include "sim/sim.h"

#ifdef CAROM_HAS_HDF5
#include "output/hdf5/hdf5.h"
#include "output/hdf5/hdf5_bodies.h"
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_word(carom_partfile *file, uint64_t word)
{
    carom_partfile_put(file, &word, sizeof word);
}

static void put_number(carom_partfile *file, double value)
{
    carom_partfile_put(file, &value, sizeof value);
}

static void put_text(carom_partfile *file, const char *text)
{
    const size_t n = text ? strlen(text) : 0;
    put_word(file, n);
    carom_partfile_put(file, text, n);
}

static size_t text_bytes(const char *text)
{
    return sizeof(uint64_t) + (text ? strlen(text) : 0);
}

enum { N_HEAD_TEXT = 9 };
static void list_texts(const carom_sim *sim, const carom_output_head *head,
                       const char *text[N_HEAD_TEXT])
{
    const char *const all[N_HEAD_TEXT] = {sim->identity.run_name, head->version, head->model,
                                          head->scheme,           head->solver,  head->model_path,
                                          head->model_text,       head->changes, head->options};
    memcpy(text, all, sizeof all);
}

static size_t head_bytes(const carom_sim *sim, const carom_output_head *head)
{
    const char *text[N_HEAD_TEXT];
    size_t n = 4 * sizeof(uint64_t); // step, end, counts of columns and contacts
    list_texts(sim, head, text);
    for (int i = 0; i < N_HEAD_TEXT; i++) n += text_bytes(text[i]);
    for (int i = 0; i < sim->rows.n_column; i++)
        n += text_bytes(sim->rows.column[i].name) + text_bytes(sim->rows.column[i].unit) +
             text_bytes(sim->rows.column[i].group);
    for (int i = 0; i < sim->size.n_contact; i++)
        n += text_bytes(carom_model_contact(sim->model, i)->name);
    return n;
}

static void write_head(carom_partfile *file, const carom_sim *sim, const carom_output_head *head)
{
    const char *text[N_HEAD_TEXT];
    carom_partfile_put(file, carom_journal_magic, 8);
    put_word(file, carom_journal_order);
    put_word(file, head_bytes(sim, head));
    list_texts(sim, head, text);
    for (int i = 0; i < N_HEAD_TEXT; i++) put_text(file, text[i]);
    put_number(file, head->step);
    put_number(file, head->end);
    put_word(file, (uint64_t)sim->rows.n_column);
    for (int i = 0; i < sim->rows.n_column; i++) {
        put_text(file, sim->rows.column[i].name);
        put_text(file, sim->rows.column[i].unit);
        put_text(file, sim->rows.column[i].group);
    }
    put_word(file, (uint64_t)sim->size.n_contact);
    for (int i = 0; i < sim->size.n_contact; i++)
        put_text(file, carom_model_contact(sim->model, i)->name);
}

static carom_status write_row(void *self, const double *value, int n, carom_error *error)
{
    carom_output *output = self;
    put_word(&output->part, CAROM_JOURNAL_ROW);
    carom_partfile_put(&output->part, value, sizeof *value * (size_t)n);
    return carom_output_end_record(output, error);
}

static carom_status write_event(void *self, const carom_event *event, carom_error *error)
{
    carom_output *output = self;
    double number[CAROM_EVENT_NUMBERS];
    carom_event_numbers(event, number);
    put_word(&output->part, CAROM_JOURNAL_EVENT);
    carom_partfile_put(&output->part, number, sizeof number);
    return carom_output_end_record(output, error);
}

static carom_status write_line(void *self, const carom_contact_line *line, carom_error *error)
{
    carom_output *output = self;
    double number[CAROM_LINE_NUMBERS];
    carom_line_numbers(line, number);
    put_word(&output->part, CAROM_JOURNAL_LINE);
    carom_partfile_put(&output->part, number, sizeof number);
    return carom_output_end_record(output, error);
}

#ifdef CAROM_HAS_HDF5
static carom_status finish(carom_output *output, const carom_closing *closing, carom_error *error)
{
    char *made = NULL;
    const int descriptor = carom_beside_create(output->path, "copy", &made);
    if (descriptor < 0) return carom_output_fail(output, error);
    close(descriptor);
    carom_status status = carom_hdf5_make(output, closing, made, error);
    if (status == CAROM_OK && rename(made, output->path) != 0)
        status = carom_output_fail(output, error);
    if (status != CAROM_OK) (void)unlink(made);
    if (status == CAROM_OK) (void)unlink(output->part.name);
    free(made);
    return status;
}
#else
// the journal itself is the result
static carom_status finish(carom_output *output, const carom_closing *closing, carom_error *error)
{
    (void)closing;
    return rename(output->part.name, output->path) == 0 ? CAROM_OK
                                                        : carom_output_fail(output, error);
}
#endif

carom_status carom_journal_open(carom_output *output, const carom_sim *sim,
                                const carom_output_head *head, carom_error *error)
{
    const int most =
        sim->rows.n_column > CAROM_LINE_NUMBERS ? sim->rows.n_column : CAROM_LINE_NUMBERS;
    output->recorder = (carom_recorder){
        .self = output, .row = write_row, .event = write_event, .contact = write_line};
    output->finish = finish;
    output->is_journal = true;
#ifdef CAROM_HAS_HDF5
    CAROM_TRY(carom_hdf5_pose_plan(sim, &output->poses, error));
#endif
    CAROM_TRY(carom_output_make_part(output, sizeof(double) * (size_t)(most + 1), error));
    write_head(&output->part, sim, head);
    return carom_output_end_record(output, error);
}
