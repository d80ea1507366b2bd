// SPDX-License-Identifier: Apache-2.0
// Rows as CSV: a head of lines that start with '#' (version, model, scheme, solver, step, end,
// units), the names of the columns, then numbers with 17 digits.
#include "output/textfile.h"

#include "base/text.h"

static carom_status write_row(void *self, const double *value, int n, carom_error *error)
{
    carom_output *output = self;
    carom_textfile *file = output->self;
    for (int i = 0; i < n; i++) {
        if (i > 0) carom_textfile_text(file, ",");
        carom_textfile_number(file, value[i]);
    }
    return carom_textfile_line(output, file, n > 0 ? value[0] : 0, error);
}

static carom_status finish(carom_output *output, const carom_closing *closing, carom_error *error)
{
    return carom_textfile_close(output, output->self, closing->is_whole, error);
}

static void write_head(carom_textfile *file, const carom_sim *sim, const carom_output_head *head)
{
    char number[40];
    carom_textfile_note(file, "carom", head->version);
    carom_textfile_note(file, "model", head->model);
    carom_textfile_note(file, "scheme", head->scheme);
    carom_textfile_note(file, "solver", head->solver);
    carom_textfile_note(file, "step", carom_number_text(head->step, number, sizeof number));
    carom_textfile_note(file, "end", carom_number_text(head->end, number, sizeof number));
    carom_textfile_text(file, "# units: ");
    for (int i = 0; i < carom_sim_n_column(sim); i++) {
        if (i > 0) carom_textfile_text(file, ",");
        carom_textfile_text(file, carom_sim_column(sim, i)->unit);
    }
    carom_textfile_text(file, "\n");
    for (int i = 0; i < carom_sim_n_column(sim); i++) {
        if (i > 0) carom_textfile_text(file, ",");
        carom_textfile_name(file, carom_sim_column(sim, i)->name);
    }
}

carom_status carom_csv_open(carom_output *output, const carom_sim *sim,
                            const carom_output_head *head, carom_error *error)
{
    carom_textfile *file = CAROM_TAKE(output->arena, carom_textfile, 1);
    if (!file) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    CAROM_TRY(carom_textfile_open(output, file, error));
    output->self = file;
    output->recorder = (carom_recorder){.self = output, .row = write_row};
    output->finish = finish;
    write_head(file, sim, head);
    const carom_status status = carom_textfile_line(output, file, 0, error);
    if (status != CAROM_OK) fclose(file->stream);
    return status;
}
