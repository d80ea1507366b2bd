// SPDX-License-Identifier: Apache-2.0
// Text files with comma-separated values; see the header. When the run ends, the side file gets its
// name first: a part without a side file can still be continued.
#include "output/textfile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NUMBER_BYTES = 26 }; // with its comma

static void put_bytes(carom_textfile *file, const char *text, size_t n)
{
    carom_partfile_put(&file->output->part, text, n);
}

void carom_textfile_text(carom_textfile *file, const char *text)
{
    put_bytes(file, text, strlen(text));
}

void carom_textfile_name(carom_textfile *file, const char *name)
{
    char csv[CAROM_SIDE_NAME];
    carom_textfile_text(file, carom_csv_name(name, csv, sizeof csv));
}

void carom_textfile_number(carom_textfile *file, double value)
{
    char text[40];
    if (isnan(value)) {
        put_bytes(file, "nan", 3);
    } else if (value == 0) { // frequent, and printing is slow
        carom_textfile_text(file, signbit(value) ? "-0" : "0");
    } else if (isinf(value)) {
        carom_textfile_text(file, value > 0 ? "inf" : "-inf");
    } else {
        const int n = snprintf(text, sizeof text, "%.17g", value);
        // the caller's locale may have a decimal comma
        char *comma = n > 0 ? memchr(text, ',', (size_t)n) : NULL;
        if (comma) *comma = '.';
        put_bytes(file, text, n > 0 ? (size_t)n : 0);
    }
}

carom_status carom_textfile_line(carom_textfile *file, double t, carom_error *error)
{
    put_bytes(file, "\n", 1);
    file->t = t;
    return carom_output_end_record(file->output, error);
}

static carom_status write_side(const carom_output *output, const char *status, const char *cut_off,
                               const char *warnings, carom_error *error)
{
    const carom_textfile *file = output->self;
    const carom_side side = {.head = &output->head,
                             .column = file->column,
                             .n_column = file->n_column,
                             .run = output->run,
                             .status = status,
                             .cut_off = cut_off,
                             .warnings = warnings};
    return carom_side_write(output->part.name, &side, error);
}

static carom_status renamed(carom_output *output, carom_error *error)
{
    return write_side(output, "running", NULL, NULL, error);
}

static carom_status move_to_target(const carom_output *output, carom_error *error)
{
    const char *side = carom_side_path(output->arena, output->part.name);
    const char *target = carom_side_path(output->arena, output->path);
    if (!side || !target) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    errno = 0;
    return rename(side, target) == 0 && rename(output->part.name, output->path) == 0
               ? CAROM_OK
               : carom_output_fail(output, error);
}

static carom_status finish(carom_output *output, const carom_closing *closing, carom_error *error)
{
    const carom_textfile *file = output->self;
    char why[1200];
    snprintf(why, sizeof why, "the run was cut off after t = %.9g%s%.1024s", file->t,
             output->reason ? ": " : "", output->reason ? output->reason : "");
    CAROM_TRY(write_side(output, closing->is_whole ? "whole" : "partial",
                         closing->is_whole ? NULL : why,
                         closing->audit ? closing->audit->warnings : NULL, error));
    return move_to_target(output, error);
}

carom_status carom_textfile_open(carom_output *output, carom_textfile *file,
                                 const carom_column *column, int n, carom_error *error)
{
    *file = (carom_textfile){.output = output, .column = column, .n_column = n};
    output->finish = finish;
    output->renamed = renamed;
    CAROM_TRY(carom_side_check(output->path, column, n, error));
    CAROM_TRY(carom_output_make_part(output, NUMBER_BYTES * (size_t)n, error));
    for (int i = 0; i < n; i++) {
        if (i > 0) put_bytes(file, ",", 1);
        carom_textfile_name(file, column[i].name);
    }
    CAROM_TRY(carom_textfile_line(file, 0, error));
    return strcmp(output->ending, "part") == 0 ? renamed(output, error) : CAROM_OK;
}
