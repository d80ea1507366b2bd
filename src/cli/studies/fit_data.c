// SPDX-License-Identifier: Apache-2.0
// Measurements from a table: the column t, and of the others those that --use names, or that the
// model's output has. Cells that are no number are not measured.
#include "studies/fit_data.h"

#include <carom/output.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

double carom_job_parameter(const carom_job *job, const char *name)
{
    double value;
    const carom_text text = {.text = name};
    const carom_status status =
        carom_builder_number(carom_modelfile_builder(job->file), text, &value, NULL);
    return status == CAROM_OK ? value : NAN;
}

typedef struct reading {
    carom_fit_table *table;
    carom_job *job;
    carom_results *results;
    int *column; ///< (1 + n_column) of the file, the first is t
    long at;
} reading;

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

static carom_status add_column(reading *r, carom_text name, carom_error *error)
{
    carom_fit_data *d = &r->table->data;
    const int found = carom_results_find(r->results, name.text);
    if (found < 0)
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT, "'%s' has no column '%s'",
                             carom_results_path(r->results), name.text);
    char *kept = strdup(name.text); // it may be the file's
    if (!kept) return no_memory(error);
    r->column[1 + d->n_column] = found;
    r->table->name[d->n_column++] = (carom_text){kept, name.place};
    return CAROM_OK;
}

// those that a simulation of the model has too
static carom_status add_known(reading *r, carom_error *error)
{
    carom_sim *sim = NULL;
    carom_sim_options options = r->job->options;
    if (!(options.end > 0)) options.end = 1;
    CAROM_TRY(carom_sim_new(r->job->model, &options, &sim, error));
    carom_status status = CAROM_OK;
    for (int i = 0; i < carom_results_n_column(r->results) && status == CAROM_OK; i++) {
        const char *name = carom_results_column(r->results, i)->name;
        char a[256], b[256];
        carom_csv_name(name, a, sizeof a);
        bool is_known = false;
        for (int k = 1; k < carom_sim_n_column(sim); k++)
            is_known |= strcmp(carom_csv_name(carom_sim_column(sim, k)->name, b, sizeof b), a) == 0;
        if (is_known && i != r->column[0])
            status = add_column(r, carom_job_text(r->job, "data", name), error);
    }
    carom_sim_free(sim);
    return status;
}

static carom_status choose_columns(reading *r, carom_error *error)
{
    int position = 0;
    const char *text;
    r->column[0] = carom_results_find(r->results, "t");
    if (r->column[0] < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' has no column 't', the times of the rows",
                          carom_results_path(r->results));
    while ((text = carom_arguments_next(r->job->arguments, "use", &position)))
        CAROM_TRY(add_column(r, carom_job_text(r->job, "use", text), error));
    if (r->table->data.n_column == 0) CAROM_TRY(add_known(r, error));
    if (r->table->data.n_column > 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "'%s' has no column that the model has (x, der_x, ...; records count too)",
                      carom_results_path(r->results));
}

static carom_status read_sigmas(reading *r, carom_error *error)
{
    const carom_fit_data *d = &r->table->data;
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(r->job->arguments, "sigma", &position))) {
        carom_setting setting;
        int column = -1;
        CAROM_TRY(carom_job_setting(r->job, "sigma", text, &setting, error));
        for (int c = 0; c < d->n_column; c++)
            if (strcmp(r->table->name[c].text, setting.name.text) == 0) column = c;
        if (column < 0)
            return carom_fail_at(error, setting.name.place, CAROM_BAD_INPUT,
                                 "'%s' is no column that is fitted to", setting.name.text);
        CAROM_TRY(carom_builder_number(carom_modelfile_builder(r->job->file), setting.value,
                                       &r->table->sigma[column], error));
        if (!(r->table->sigma[column] > 0))
            return carom_fail_at(error, setting.value.place, CAROM_BAD_INPUT,
                                 "a standard deviation must be above 0, not %s",
                                 setting.value.text);
    }
    return CAROM_OK;
}

static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    reading *r = self;
    const int n_column = r->table->data.n_column;
    (void)error;
    for (long i = 0; i < n; i++, r->at++) {
        const double *row = value + i * (1 + n_column);
        r->table->t[r->at] = row[0];
        memcpy(r->table->value + r->at * n_column, row + 1, sizeof *row * (size_t)n_column);
    }
    return CAROM_OK;
}

static carom_status read_table(reading *r, carom_error *error)
{
    carom_fit_table *t = r->table;
    const size_t n = (size_t)carom_results_n_row(r->results),
                 most = (size_t)carom_results_n_column(r->results) + 1;
    t->name = calloc(most, sizeof *t->name);
    t->sigma = calloc(most, sizeof *t->sigma);
    r->column = calloc(most + 1, sizeof *r->column);
    if (!t->name || !t->sigma || !r->column) return no_memory(error);
    CAROM_TRY(choose_columns(r, error));
    CAROM_TRY(read_sigmas(r, error));
    t->t = malloc(sizeof *t->t * (n + 1));
    t->value = malloc(sizeof *t->value * (n * (size_t)t->data.n_column + 1));
    if (!t->t || !t->value) return no_memory(error);
    const carom_rows_visitor visitor = {r, take_rows};
    CAROM_TRY(carom_results_visit(r->results, r->column, 1 + t->data.n_column, visitor, error));
    t->data.n = (long)n;
    t->data.t = t->t;
    t->data.value = t->value;
    t->data.name = t->name;
    t->data.sigma = t->sigma;
    return CAROM_OK;
}

carom_status carom_fit_table_read(carom_fit_table *table, carom_job *job, carom_error *error)
{
    reading r = {.table = table, .job = job};
    const char *path = carom_arguments_value(job->arguments, "data");
    if (!path)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "say what was measured: --data FILE.csv, with a column t");
    carom_status status = carom_results_open(path, &r.results, error);
    if (status == CAROM_OK) status = read_table(&r, error);
    carom_results_free(r.results);
    free(r.column);
    return status;
}

void carom_fit_table_free(carom_fit_table *table)
{
    free(table->t);
    free(table->value);
    free(table->sigma);
    for (int c = 0; c < table->data.n_column; c++) free((char *)table->name[c].text);
    free(table->name);
    *table = (carom_fit_table){0};
}
