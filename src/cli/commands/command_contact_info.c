// SPDX-License-Identifier: Apache-2.0
// carom contact info: what is in contact problem files.
#include "commands/command_contact.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <math.h>
#include <string.h>

static void print(const char *path, const carom_contact_file *file, const carom_problem_facts *f)
{
    const double n = file->problem.n_row;
    printf("file           %s\n", CAROM_PLAIN(path));
    printf("kind           %s%s\n", carom_file_kind_name(file->kind),
           file->is_hdf5 ? " (FCLIB HDF5)" : "");
    printf("contacts       %d", file->n_contact);
    if (file->dimension > 0) printf(", dimension %d", file->dimension);
    printf("\nrows           %d (%d of constraints)\n", file->problem.n_row,
           file->problem.n_row - (file->dimension ? file->dimension * file->n_contact : 0));
    if (file->n_velocity > 0) printf("velocities     %d\n", file->n_velocity);
    printf("storage        %s\n", carom_file_storage_name(file->storage));
    printf("entries        %ld (%.3g %%)\n", f->n_entry,
           n > 0 ? 100 * (double)f->n_entry / (n * n) : 0);
    printf("symmetric      %s (%.3g)\n", f->asymmetry <= 1e-12 ? "yes" : "no", f->asymmetry);
    if (file->dimension != 1) printf("friction       %g to %g\n", f->mu_low, f->mu_high);
    printf("largest entry  %.6g\n|q|            %.6g\n", f->largest, f->norm_b);
    if (f->n_disc > 0) printf("discs          %d\n", f->n_disc);
    if (f->n_lower > 0) printf("lower bounds   %d\n", f->n_lower);
    if (f->n_dead > 0) printf("dead rows      %d\n", f->n_dead);
    if (f->rank >= 0) printf("rank           %d\ncondition      %.3g\n", f->rank, f->condition);
}

static void put_facts(carom_json *json, const char *path, const carom_contact_file *file,
                      const carom_problem_facts *f)
{
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "file", path);
    carom_json_text(json, "kind", carom_file_kind_name(file->kind));
    carom_json_switch(json, "hdf5", file->is_hdf5);
    carom_json_count(json, "contacts", file->n_contact);
    carom_json_count(json, "dimension", file->dimension);
    carom_json_count(json, "rows", file->problem.n_row);
    carom_json_count(json, "velocities", file->n_velocity);
    carom_json_text(json, "storage", carom_file_storage_name(file->storage));
    carom_json_count(json, "entries", f->n_entry);
    carom_json_number(json, "asymmetry", f->asymmetry);
    carom_json_number(json, "mu_low", f->mu_low);
    carom_json_number(json, "mu_high", f->mu_high);
    carom_json_number(json, "largest", f->largest);
    carom_json_number(json, "norm_q", f->norm_b);
    carom_json_count(json, "discs", f->n_disc);
    carom_json_count(json, "lower_bounds", f->n_lower);
    carom_json_count(json, "dead_rows", f->n_dead);
    carom_json_count(json, "rank", f->rank);
    carom_json_number(json, "condition", f->condition);
    carom_json_end(json);
}

// returns the exit code of one file
static int show(const char *path, const carom_contact_reading *how, carom_json *json, bool prints)
{
    carom_contact_file *file = carom_contact_open(path, how);
    carom_problem_facts facts;
    carom_error error = {0};
    int code = CAROM_EXIT_USAGE;
    if (!file) return code;
    if (carom_problem_look(&file->problem, &facts, &error) != CAROM_OK) {
        carom_message_error("%s", error.message);
        code = CAROM_EXIT_AUDIT;
    } else {
        if (prints) print(path, file, &facts);
        if (json) put_facts(json, path, file, &facts);
        code = CAROM_EXIT_DONE;
    }
    carom_contact_file_free(file);
    return code;
}

int carom_contact_info_files(const carom_arguments *arguments, int n, const char *const *path)
{
    carom_contact_reading how;
    carom_json json;
    const char *to = carom_arguments_value(arguments, "json");
    const bool prints = !carom_arguments_value(arguments, "quiet") && !(to && strcmp(to, "-") == 0);
    if (n == 0) carom_message_error("carom contact info: give at least one file");
    if (n == 0 || !carom_contact_reading_of(arguments, &how)) return CAROM_EXIT_USAGE;
    if (to && !carom_json_open(&json, to)) return CAROM_EXIT_USAGE;
    if (to) carom_json_begin(&json, NULL, '{');
    if (to) carom_json_begin(&json, "problems", '[');
    int code = CAROM_EXIT_DONE;
    for (int i = 0; i < n; i++) {
        if (prints && i > 0) putchar('\n');
        const int own = show(path[i], &how, to ? &json : NULL, prints);
        if (own > code) code = own;
    }
    if (to) carom_json_end(&json);
    if (to) carom_json_end(&json);
    if (to && !carom_json_close(&json)) code = CAROM_EXIT_USAGE;
    return code;
}
