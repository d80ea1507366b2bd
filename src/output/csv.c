// SPDX-License-Identifier: Apache-2.0
// Rows as CSV: a line for each.
#include "output/textfile.h"

#include "sim/sim.h"

static carom_status write_row(void *self, const double *value, int n, carom_error *error)
{
    carom_output *output = self;
    carom_textfile *file = output->self;
    for (int i = 0; i < n; i++) {
        if (i > 0) carom_textfile_text(file, ",");
        carom_textfile_number(file, value[i]);
    }
    return carom_textfile_line(file, n > 0 ? value[0] : 0, error);
}

carom_status carom_csv_open(carom_output *output, const carom_sim *sim, carom_error *error)
{
    carom_textfile *file = CAROM_TAKE(output->arena, carom_textfile, 1);
    if (!file) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    output->self = file;
    output->recorder = (carom_recorder){.self = output, .row = write_row};
    return carom_textfile_open(output, file, sim->rows.column, sim->rows.n_column, error);
}
