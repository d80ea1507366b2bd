// SPDX-License-Identifier: Apache-2.0
// Events as CSV: one line for each, with the contact (spelled like a column) and the kind as words.
#include "output/textfile.h"

#include "sim/sim.h"

typedef struct {
    carom_textfile text; // first: carom_output.self is a text file for textfile.c
    const carom_model *model;
} events_file;

static carom_status write_event(void *self, const carom_event *event, carom_error *error)
{
    carom_output *output = self;
    events_file *file = output->self;
    const double value[] = {event->rate_before, event->rate_after, event->P, event->energy_lost};
    carom_textfile_number(&file->text, event->t);
    carom_textfile_text(&file->text, ",");
    carom_textfile_name(&file->text, carom_model_contact(file->model, event->contact)->name);
    carom_textfile_text(&file->text, ",");
    carom_textfile_text(&file->text, carom_event_word(event->kind));
    for (int i = 0; i < 4; i++) {
        carom_textfile_text(&file->text, ",");
        carom_textfile_number(&file->text, value[i]);
    }
    return carom_textfile_line(&file->text, event->t, error);
}

carom_status carom_events_csv_open(carom_output *output, const carom_sim *sim, carom_error *error)
{
    static const carom_column column[] = {{"t", "s", "t"},           {"contact", "", ""},
                                          {"kind", "", ""},          {"rate_before", "m/s", ""},
                                          {"rate_after", "m/s", ""}, {"P", "N s", ""},
                                          {"energy_lost", "J", ""}};
    events_file *file = CAROM_TAKE(output->arena, events_file, 1);
    if (!file) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    CAROM_TRY(
        carom_side_check(output->path, sim->rows.column, sim->rows.n_column, error)); // of contacts
    file->model = sim->model;
    output->self = &file->text;
    output->recorder = (carom_recorder){.self = output, .event = write_event};
    return carom_textfile_open(output, &file->text, column, sizeof column / sizeof *column, error);
}
