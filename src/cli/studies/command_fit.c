// SPDX-License-Identifier: Apache-2.0
// carom fit: parameters fitted to a measurement.
#include "job.h"
#include "studies/fit_data.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "terminal/progress.h"
#include "written.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_job {
    carom_job job;
    carom_fit fit;
    carom_fit_table table;
} fit_job;

// ---- what is asked ----

static carom_status read_number(fit_job *f, carom_text text, const char *from, size_t n,
                                double *value, carom_error *error)
{
    char piece[200];
    snprintf(piece, sizeof piece, "%.*s", (int)n, from);
    const carom_text part = {piece, text.place};
    return carom_builder_number(carom_modelfile_builder(f->job.file), part, value, error);
}

// NAME, NAME=START, NAME=LOW:HIGH, NAME=LOW:START:HIGH
static carom_status read_axis(fit_job *f, const char *text, carom_fit_axis *axis,
                              carom_error *error)
{
    double number[3];
    int n = 0;
    *axis = (carom_fit_axis){.start = NAN, .low = -INFINITY, .high = INFINITY};
    if (!strchr(text, '=')) {
        axis->name = carom_job_text(&f->job, "fit", text);
        return CAROM_OK;
    }
    carom_setting setting;
    CAROM_TRY(carom_job_setting(&f->job, "fit", text, &setting, error));
    axis->name = setting.name;
    for (const char *at = setting.value.text; at;) {
        const char *colon = strchr(at, ':');
        if (n == 3)
            return carom_fail_at(error, setting.value.place, CAROM_BAD_INPUT,
                                 "write NAME=START, NAME=LOW:HIGH or NAME=LOW:START:HIGH, not '%s'",
                                 text);
        CAROM_TRY(read_number(f, setting.value, at, colon ? (size_t)(colon - at) : strlen(at),
                              &number[n++], error));
        at = colon ? colon + 1 : NULL;
    }
    if (n != 2) axis->start = number[n / 2];
    if (n == 1) return CAROM_OK;
    axis->low = number[0];
    axis->high = number[n - 1];
    const double usual = carom_job_parameter(&f->job, axis->name.text);
    if (n == 2 && !(usual >= axis->low && usual <= axis->high))
        axis->start = 0.5 * (axis->low + axis->high);
    return CAROM_OK;
}

static carom_status read_axes(fit_job *f, carom_error *error)
{
    int position = 0;
    const char *text;
    f->fit.axis = calloc((size_t)f->job.arguments->n_given + 1, sizeof *f->fit.axis);
    if (!f->fit.axis) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    while ((text = carom_arguments_next(f->job.arguments, "fit", &position)))
        CAROM_TRY(read_axis(f, text, &f->fit.axis[f->fit.n_axis++], error));
    if (f->fit.n_axis > 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "say what to fit: --fit k, --fit e=0.5:0.9, --fit 'der(x)=-1'");
}

static carom_status prepare(fit_job *f, carom_error *error)
{
    CAROM_TRY(carom_job_plan(&f->job, NULL, CAROM_PLAN_PART, error));
    const carom_sim_options *o = &f->job.options;
    if (!carom_scheme_find(o->scheme)->is_adaptive && o->step == 0 && !o->is_auto_step)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: no time step: scheme %s needs one; give --step H, or take --scheme "
                          "event_driven",
                          f->job.path, o->scheme);
    CAROM_TRY(read_axes(f, error));
    CAROM_TRY(carom_fit_table_read(&f->table, &f->job, error));
    f->fit.data = f->table.data;
    f->fit.method = carom_arguments_value(f->job.arguments, "method");
    double most = 0;
    CAROM_TRY(carom_job_number(&f->job, "most", (carom_bound){1, false}, &most, error));
    f->fit.most = most < 1e9 ? (int)most : 1000000000;
    return CAROM_OK;
}

// ---- what was found ----

static void print_axes(const carom_fit *fit)
{
    printf("\n%-20s %18s %14s\n", "fitted", "value", "error");
    for (int k = 0; k < fit->n_axis; k++) {
        const carom_fit_axis *a = &fit->axis[k];
        printf("%-20s %18.10g ", CAROM_PLAIN(a->name.text), a->value);
        if (a->is_at_bound)
            printf("%14s  it stands at its bound\n", "-");
        else if (isfinite(a->error))
            printf("%14.3g\n", a->error);
        else
            printf("%14s  the data do not determine it\n", "-");
    }
    for (int k = 0; k < fit->n_axis; k++)
        for (int j = 0; j < k; j++)
            if (fabs(fit->correlation[k * fit->n_axis + j]) > 0.9)
                printf("%s and %s are correlated, %.4f\n", CAROM_PLAIN(fit->axis[j].name.text),
                       CAROM_PLAIN(fit->axis[k].name.text), fit->correlation[k * fit->n_axis + j]);
}

static void print_fit(const fit_job *f)
{
    const carom_fit *fit = &f->fit;
    printf("model     %s\n", CAROM_PLAIN(carom_model_name(f->job.model)));
    printf("data      %ld numbers in %d columns, %ld times\n", fit->n_point, fit->data.n_column,
           fit->data.n);
    printf("search    %d passes, %ld runs%s\n", fit->passes, fit->n_run,
           fit->has_converged ? "" : ", not converged");
    printf("chi2      %.6g\n", fit->chi2);
    print_axes(fit);
    printf("\n%-20s %18s %18s\n", "residuals", "rms", "largest");
    for (int c = 0; c < fit->data.n_column; c++)
        printf("%-20s %18.6g %18.6g\n", CAROM_PLAIN(fit->data.name[c].text), fit->rms[c],
               fit->largest[c]);
    fputs("\nfor a run  ", stdout);
    for (int k = 0; k < fit->n_axis; k++) {
        const bool is_parameter = !isnan(carom_job_parameter(&f->job, fit->axis[k].name.text));
        printf(" --%s '%s=%.17g'", is_parameter ? "set" : "start",
               CAROM_PLAIN(fit->axis[k].name.text), fit->axis[k].value);
    }
    putchar('\n');
}

static bool write_csv(const fit_job *f, const char *path)
{
    static const char *const kind[] = {"measured", "fitted", "residual"};
    const carom_fit_data *d = &f->fit.data;
    carom_written written;
    if (!carom_written_open(&written, path)) return false;
    fputs("t", written.file);
    for (int c = 0; c < d->n_column; c++)
        for (int i = 0; i < 3; i++)
            fprintf(written.file, ",%s_%s", CAROM_PLAIN(d->name[c].text), kind[i]);
    for (long i = 0; i < d->n; i++) {
        fprintf(written.file, "\n%.17g", d->t[i]);
        for (int c = 0; c < d->n_column; c++) {
            const double y = d->value[i * d->n_column + c], x = f->fit.fitted[i * d->n_column + c];
            fprintf(written.file, ",%.17g,%.17g,%.17g", y, x, x - y);
        }
    }
    fputc('\n', written.file);
    return carom_written_close(&written);
}

static void put_axes(const carom_fit *fit, carom_json *json)
{
    carom_json_begin(json, "fitted", '{');
    for (int k = 0; k < fit->n_axis; k++) {
        carom_json_begin(json, fit->axis[k].name.text, '{');
        carom_json_number(json, "value", fit->axis[k].value);
        carom_json_number(json, "error", fit->axis[k].error);
        carom_json_switch(json, "at_bound", fit->axis[k].is_at_bound);
        carom_json_begin(json, "correlation", '[');
        for (int j = 0; j < fit->n_axis; j++)
            carom_json_number(json, NULL, fit->correlation[k * fit->n_axis + j]);
        carom_json_end(json);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static bool write_json(const fit_job *f, const char *path)
{
    carom_json json;
    if (!path) return true;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "model", carom_model_name(f->job.model));
    carom_json_text(&json, "version", carom_version());
    carom_json_switch(&json, "converged", f->fit.has_converged);
    carom_json_count(&json, "passes", f->fit.passes);
    carom_json_count(&json, "runs", f->fit.n_run);
    carom_json_count(&json, "points", f->fit.n_point);
    carom_json_number(&json, "chi2", f->fit.chi2);
    put_axes(&f->fit, &json);
    carom_json_begin(&json, "residuals", '{');
    for (int c = 0; c < f->fit.data.n_column; c++) {
        carom_json_begin(&json, f->fit.data.name[c].text, '{');
        carom_json_number(&json, "rms", f->fit.rms[c]);
        carom_json_number(&json, "largest", f->fit.largest[c]);
        carom_json_end(&json);
    }
    carom_json_end(&json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

// ---- the command ----

static int fail_with(const carom_error *error)
{
    carom_message_error("%s", error->message);
    const bool is_work = error->status == CAROM_NO_MEMORY || error->status == CAROM_NOT_CONVERGED ||
                         error->status == CAROM_STOPPED;
    return is_work ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE;
}

static bool paths_are_good(const fit_job *f)
{
    static const char *const option[] = {"output", "json"};
    const char *data = carom_arguments_value(f->job.arguments, "data");
    for (int i = 0; i < 2; i++) {
        const char *path = carom_arguments_value(f->job.arguments, option[i]);
        if (!path || strcmp(path, "-") == 0) continue;
        if (carom_paths_are_same(path, f->job.path) || (data && carom_paths_are_same(path, data))) {
            carom_message_error("carom fit: '%s' is what is read", path);
            return false;
        }
        if (!carom_paths_is_writable(path)) return false;
    }
    return true;
}

static int work(fit_job *f)
{
    carom_error error = {0};
    const carom_arguments *a = f->job.arguments;
    const char *output = carom_arguments_value(a, "output"),
               *json = carom_arguments_value(a, "json");
    const bool is_quiet = carom_arguments_value(a, "quiet") != NULL;
    if (prepare(f, &error) != CAROM_OK) return fail_with(&error);
    if (!paths_are_good(f)) return CAROM_EXIT_USAGE;
    carom_progress progress;
    carom_progress_start(&progress, "fit", is_quiet);
    progress.n_run = 1;
    f->fit.watch = carom_progress_watch(&progress);
    const carom_status status =
        carom_fit_run(carom_modelfile_builder(f->job.file), &f->job.options, &f->fit, &error);
    carom_progress_end(&progress);
    if (status != CAROM_OK) return fail_with(&error);
    if (!is_quiet && !(json && strcmp(json, "-") == 0)) print_fit(f);
    const bool is_written = !output || write_csv(f, output);
    if (!write_json(f, json) || !is_written) return CAROM_EXIT_AUDIT;
    if (!f->fit.has_converged) carom_message_error("the search has not converged");
    return f->fit.has_converged ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}

static int fit(const carom_arguments *arguments)
{
    fit_job f = {0};
    int code = carom_job_open(&f.job, arguments);
    if (code == 0) code = work(&f);
    carom_fit_free(&f.fit);
    carom_fit_table_free(&f.table);
    free(f.fit.axis);
    carom_job_close(&f.job);
    return code;
}

static const carom_argument rows[] = {
    {"data", 0, "FILE", false, "what was measured: .csv (or .h5) with a column t"},
    {"fit", 0, "NAME[=RANGE]", true,
     "a parameter, start or rate: NAME, =START, =LOW:HIGH, =LOW:START:HIGH"},
    {"use", 0, "COLUMN", true, "columns that count; all that the model has unless given"},
    {"sigma", 0, "COLUMN=S", true, "standard deviation of a measurement"},
    {"method", 0, "M", false, "lm, or bobyqa, sbplx, neldermead, direct first (NLopt)"},
    {"most", 0, "N", false, "runs that NLopt may make; 1000"},
    {"output", 'o', "FILE.csv", false, "write measured and fitted columns and residuals"},
    {"json", 0, "FILE|-", false, "write what was found as JSON"},
    {"scheme", 0, "S", false, "time integrator ('carom list schemes')"},
    CAROM_JOB_RUN_ROWS,
    CAROM_JOB_MODEL_ROWS,
    CAROM_JOB_START_ROWS,
    {"quiet", 'q', NULL, false, "print nothing"},
    {0},
};

const carom_command carom_command_fit = {
    .name = "fit",
    .usage = "MODEL.yaml --data MEASURED.csv --fit NAME[=LOW:HIGH] [options]",
    .brief = "parameters fitted to a measurement, with their errors",
    .about =
        "Finds the values with which the run is nearest to what was measured, by least squares (Levenberg,\n"
        "Marquardt). Columns of the file that the model has count, each over its --sigma, or its spread.\n"
        "Errors are standard errors; without --sigma what is left over says how good the data are. Least\n"
        "squares go downhill: where the start is far off, let --method bobyqa (or direct, which looks\n"
        "everywhere between the bounds) search first.\n"
        "\n"
        "exit code: 0 done, 1 not converged or stopped, 2 wrong usage, model or data.",
    .argument = rows,
    .run = fit,
};
