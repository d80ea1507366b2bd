// SPDX-License-Identifier: Apache-2.0
// Parameters fitted to a measurement: what is to be found becomes live, a start too; a run stops at
// each time that was measured, and
//
//     chi2 = sum over times and columns of ((model - measured)/sigma)^2
//
// is what the search makes small.
#include "studies/fit/fit.h"

#include "base/files/csv_names.h"
#include "base/need.h"
#include "base/text.h"
#include "model/making/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
}

// ---- runs ----

// the columns at time t: schemes with free steps stop there, of others what lies between is linear
static carom_status look_at(carom_fitting *f, double t, carom_error *error)
{
    carom_stop stop = carom_stop_default();
    carom_reached reached;
    stop.t = t;
    const carom_state *now = carom_sim_state(f->sim);
    if (t > now->t) CAROM_TRY(carom_sim_run_until(f->sim, &stop, &reached, error));
    now = carom_sim_state(f->sim);
    CAROM_TRY(carom_sim_row(f->sim, now, f->seen, error));
    if (now->t <= t) return CAROM_OK;
    const carom_state *before = carom_sim_before(f->sim);
    CAROM_TRY(carom_sim_row(f->sim, before, f->before, error));
    const double x = (t - before->t) / (now->t - before->t);
    for (int i = 0; i < carom_sim_n_column(f->sim); i++)
        f->seen[i] = f->before[i] + x * (f->seen[i] - f->before[i]);
    return CAROM_OK;
}

static carom_status run(carom_fitting *f, const double *value, double *fitted, carom_error *error)
{
    const carom_fit_data *d = &f->fit->data;
    carom_parameter set[CAROM_FIT_AXES];
    for (int k = 0; k < f->fit->n_axis; k++) set[k] = (carom_parameter){f->live[k], value[k]};
    CAROM_TRY(carom_sim_set_parameters(f->sim, set, f->fit->n_axis, error));
    for (long i = 0; i < d->n; i++) {
        CAROM_TRY(look_at(f, d->t[i], error));
        for (int c = 0; c < d->n_column; c++) fitted[i * d->n_column + c] = f->seen[f->column[c]];
    }
    return CAROM_OK;
}

double carom_fit_cost(carom_fitting *f, const double *value, double *fitted)
{
    const carom_fit_data *d = &f->fit->data;
    double sum = 0;
    const carom_watch *watch = &f->fit->watch;
    f->fit->n_run++;
    if (watch->tick && watch->tick(watch->self, 0, 1, f->fit->n_run)) f->is_stopped = true;
    if (f->is_stopped || run(f, value, fitted, &f->why) != CAROM_OK) return INFINITY;
    for (long i = 0; i < d->n * d->n_column; i++) {
        const double r = f->weight[i % d->n_column] * (fitted[i] - d->value[i]);
        if (!isnan(d->value[i])) sum += r * r;
    }
    return isfinite(sum) ? sum : INFINITY;
}

// ---- what is asked ----

static carom_status make_live(carom_fitting *f, carom_builder *builder, int k, carom_error *error)
{
    const carom_text name = f->fit->axis[k].name;
    char live[40], hint[120];
    carom_nearest nearest = carom_nearest_to(name.text);
    for (int i = 0; i < k; i++)
        if (strcmp(f->fit->axis[i].name.text, name.text) == 0)
            return carom_fail_at(error, name.place, CAROM_BAD_INPUT, "'%s' is asked for twice",
                                 name.text);
    f->live[k] = name.text;
    if (carom_builder_has_parameter(builder, name.text))
        return carom_builder_live(builder, name, error);
    if (!carom_builder_may_start(builder, name.text, &nearest))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' is no parameter, start or rate%s", name.text,
                             carom_nearest_hint(&nearest, hint, sizeof hint));
    if (isnan(f->fit->axis[k].start))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "say where the search for the start '%s' begins: %s=VALUE", name.text,
                             name.text);
    snprintf(live, sizeof live, "fit_start_%d", k);
    f->live[k] = carom_arena_string(f->arena, live);
    if (!f->live[k]) return no_memory(error);
    const carom_text parameter = {f->live[k], name.place}, usual = {"0", name.place};
    CAROM_TRY(carom_builder_parameter(builder, parameter, usual, error));
    CAROM_TRY(carom_builder_live(builder, parameter, error));
    return carom_builder_start(builder, name, parameter, error);
}

static carom_status set_start(carom_fitting *f, int k, carom_error *error)
{
    carom_fit_axis *axis = &f->fit->axis[k];
    axis->value = isnan(axis->start) ? carom_sim_parameter(f->sim, f->live[k]) : axis->start;
    if (!(axis->low < axis->high))
        return carom_fail_at(error, axis->name.place, CAROM_BAD_INPUT,
                             "the bounds of '%s' are %g and %g", axis->name.text, axis->low,
                             axis->high);
    if (!(axis->value >= axis->low && axis->value <= axis->high))
        return carom_fail_at(error, axis->name.place, CAROM_BAD_INPUT,
                             "'%s' begins at %g, outside of its bounds %g and %g", axis->name.text,
                             axis->value, axis->low, axis->high);
    const double range = axis->high - axis->low;
    f->scale[k] = isfinite(range) ? range : axis->value != 0 ? fabs(axis->value) : 1;
    return CAROM_OK;
}

static carom_status find_columns(carom_fitting *f, carom_error *error)
{
    const carom_fit_data *d = &f->fit->data;
    for (int c = 0; c < d->n_column; c++) {
        char hint[120];
        carom_nearest nearest = carom_nearest_to(d->name[c].text);
        f->column[c] = -1;
        for (int i = 0; i < carom_sim_n_column(f->sim); i++) {
            const char *known = carom_sim_column(f->sim, i)->name;
            if (strcmp(known, d->name[c].text) == 0 ||
                carom_csv_names_match(known, d->name[c].text))
                f->column[c] = i;
            carom_nearest_try(&nearest, known);
        }
        if (f->column[c] < 0)
            return carom_fail_at(error, d->name[c].place, CAROM_BAD_INPUT,
                                 "no column '%s' in the output of this model%s", d->name[c].text,
                                 carom_nearest_hint(&nearest, hint, sizeof hint));
    }
    return CAROM_OK;
}

// 1/sigma, or 1 over the spread of what was measured
static carom_status set_weights(carom_fitting *f, carom_error *error)
{
    const carom_fit_data *d = &f->fit->data;
    f->fit->n_point = 0;
    for (int c = 0; c < d->n_column; c++) {
        double sum = 0, squares = 0;
        long n = 0;
        for (long i = 0; i < d->n; i++) {
            const double y = d->value[i * d->n_column + c];
            if (isnan(y)) continue;
            n++;
            sum += y;
            squares += y * y;
        }
        const double mean = n > 0 ? sum / (double)n : 0;
        const double spread = n > 0 ? sqrt(fmax(0, squares / (double)n - mean * mean)) : 0;
        f->weight[c] = d->sigma[c] > 0 ? 1 / d->sigma[c] : spread > 0 ? 1 / spread : 1;
        f->fit->n_point += n;
    }
    if (f->fit->n_point > f->fit->n_axis) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%ld measured numbers cannot determine %d parameters",
                      f->fit->n_point, f->fit->n_axis);
}

static carom_status check_data(const carom_fit_data *d, carom_error *error)
{
    if (d->n < 1 || d->n_column < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "there is nothing measured to fit to");
    for (long i = 0; i < d->n; i++)
        if (!(d->t[i] >= 0) || !isfinite(d->t[i]) || (i > 0 && d->t[i] < d->t[i - 1]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "times must rise from 0 on, but row %ld has t = %g", i + 1, d->t[i]);
    return CAROM_OK;
}

static bool take_memory(carom_fitting *f)
{
    const carom_fit_data *d = &f->fit->data;
    const size_t columns = (size_t)d->n_column, n = (size_t)d->n * columns;
    const size_t own = (size_t)carom_sim_n_column(f->sim), axes = (size_t)f->fit->n_axis;
    f->column = CAROM_TAKE(f->arena, int, columns);
    f->weight = CAROM_TAKE(f->arena, double, columns);
    f->seen = CAROM_TAKE(f->arena, double, own);
    f->before = CAROM_TAKE(f->arena, double, own);
    f->tried = CAROM_TAKE(f->arena, double, n);
    f->fit->fitted = calloc(n, sizeof(double));
    f->fit->rms = calloc(columns, sizeof(double));
    f->fit->largest = calloc(columns, sizeof(double));
    f->fit->correlation = calloc(axes * axes, sizeof(double));
    return f->column && f->weight && f->seen && f->before && f->tried && f->fit->fitted &&
           f->fit->rms && f->fit->largest && f->fit->correlation;
}

static carom_status make(carom_fitting *f, carom_builder *builder, const carom_sim_options *options,
                         carom_error *error)
{
    carom_sim_options run_options = *options;
    CAROM_TRY(check_data(&f->fit->data, error));
    for (int k = 0; k < f->fit->n_axis; k++) CAROM_TRY(make_live(f, builder, k, error));
    CAROM_TRY(carom_builder_finish(builder, &f->model, error));
    const double last = f->fit->data.t[f->fit->data.n - 1];
    run_options.end = (last > 0 ? last : 1) * (1 + 1e-9) + 2 * fmax(0, run_options.step);
    run_options.every = 1;
    run_options.limits = NULL;
    CAROM_TRY(carom_sim_new(f->model, &run_options, &f->sim, error));
    if (!take_memory(f)) return no_memory(error);
    f->fitted = f->fit->fitted;
    for (int k = 0; k < f->fit->n_axis; k++) CAROM_TRY(set_start(f, k, error));
    CAROM_TRY(find_columns(f, error));
    return set_weights(f, error);
}

static carom_status search(carom_fitting *f, carom_error *error)
{
    double value[CAROM_FIT_AXES];
    const char *method = f->fit->method;
    for (int k = 0; k < f->fit->n_axis; k++) value[k] = f->fit->axis[k].value;
    if (!isfinite(carom_fit_cost(f, value, f->fitted)))
        return carom_fail(error, CAROM_NOT_CONVERGED,
                          "the run at the start of the search fails: %s", f->why.message);
    if (method && strcmp(method, "lm") != 0) CAROM_TRY(carom_fit_search(f, value, error));
    return carom_fit_squares(f, value, error);
}

carom_status carom_fit_run(carom_builder *builder, const carom_sim_options *options, carom_fit *fit,
                           carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, options);
    CAROM_NEED(error, fit);
    CAROM_NEED_ARRAY(error, fit->axis, fit->n_axis);
    CAROM_NEED(error, fit->data.t);
    CAROM_NEED(error, fit->data.value);
    CAROM_NEED(error, fit->data.name);
    CAROM_NEED(error, fit->data.sigma);
    if (fit->n_axis < 1 || fit->n_axis > CAROM_FIT_AXES)
        return carom_fail(error, CAROM_BAD_INPUT, "from 1 to %d parameters can be fitted, not %d",
                          CAROM_FIT_AXES, fit->n_axis);
    carom_fitting f = {.fit = fit, .arena = carom_arena_new()};
    carom_status status = f.arena ? make(&f, builder, options, error) : no_memory(error);
    if (status == CAROM_OK) status = search(&f, error);
    if (f.is_stopped)
        status = carom_fail(error, CAROM_STOPPED, "stopped after %ld runs", fit->n_run);
    carom_sim_free(f.sim);
    carom_model_free(f.model);
    carom_arena_free(f.arena);
    if (status != CAROM_OK) carom_fit_free(fit);
    return status;
}

void carom_fit_free(carom_fit *fit)
{
    if (!fit) return;
    free(fit->fitted);
    free(fit->rms);
    free(fit->largest);
    free(fit->correlation);
    fit->fitted = fit->rms = fit->largest = fit->correlation = NULL;
}
