// SPDX-License-Identifier: Apache-2.0
// How a job is run: scheme, solver, step, end and options, from the file's run section and the
// command line. Where the command line names another scheme (or solver) than the file, those
// options of the file that the other one has are kept and the rest is left out; what the command
// line itself says must always be known.
#include "guess.h"
#include "job.h"
#include "terminal/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char solver_prefix[] = "solver.";
enum { PREFIX_LENGTH = sizeof solver_prefix - 1 };

const carom_option *carom_job_option_row(const carom_option *rows, const char *name)
{
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0) return rows;
    return NULL;
}

const carom_solver_facts *carom_job_solver(const char *name)
{
    for (int i = 0; i < carom_solver_count(); i++)
        if (strcmp(carom_solver_at(i)->name, name) == 0) return carom_solver_at(i);
    return NULL;
}

static carom_status refuse_unknown(carom_text text, const char *kind, const carom_guess *guess,
                                   carom_error *error)
{
    const char *meant = carom_guess_name(guess);
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "unknown %s '%s'%s%s%s; 'carom list %ss' shows all", kind, text.text,
                         meant ? " (did you mean '" : "", meant ? meant : "", meant ? "'?)" : "",
                         kind);
}

carom_status carom_job_scheme(carom_text text, const carom_scheme **scheme, carom_error *error)
{
    *scheme = carom_scheme_find(text.text);
    if (*scheme) return CAROM_OK;
    carom_guess guess = carom_guess_start(text.text, strlen(text.text));
    for (int i = 0; i < carom_scheme_count(); i++)
        carom_guess_show(&guess, carom_scheme_at(i)->name);
    return refuse_unknown(text, "scheme", &guess, error);
}

static carom_status find_solver(carom_text text, const carom_solver_facts **solver,
                                carom_error *error)
{
    *solver = carom_job_solver(text.text);
    if (*solver || strcmp(text.text, "auto") == 0) return CAROM_OK;
    carom_guess guess = carom_guess_start(text.text, strlen(text.text));
    for (int i = 0; i < carom_solver_count(); i++)
        carom_guess_show(&guess, carom_solver_at(i)->name);
    return refuse_unknown(text, "solver", &guess, error);
}

// what decides which options count
typedef struct choice {
    const carom_scheme *scheme;
    const carom_solver_facts *solver; // NULL = auto without a row of its own
    bool other_scheme, other_solver;  // than the file's
    bool is_auto, was_auto;           // step control: here, in the file
} choice;

static bool is_auto_text(const char *text)
{
    return text && strcmp(text, "auto") == 0;
}

bool carom_job_steps_clash(const carom_arguments *arguments)
{
    return !is_auto_text(carom_arguments_value(arguments, "step")) &&
           carom_arguments_clash(arguments, "step", "tolerance");
}

bool carom_job_is_control(const char *name)
{
    return strncmp(name, "atol.", 5) == 0 || carom_job_option_row(carom_auto_step_options(), name);
}

static bool has_option(const choice *c, const char *name)
{
    if (c->is_auto && carom_job_is_control(name)) return true;
    if (strncmp(name, solver_prefix, PREFIX_LENGTH) != 0)
        return carom_job_option_row(c->scheme->option, name) != NULL;
    return c->solver && carom_job_option_row(c->solver->option, name + PREFIX_LENGTH);
}

static bool is_kept(const choice *c, const char *name)
{
    const bool is_of_solver = strncmp(name, solver_prefix, PREFIX_LENGTH) == 0;
    const bool is_put_aside = c->was_auto && !c->is_auto && carom_job_is_control(name);
    const bool has_changed = is_of_solver ? c->other_solver : c->other_scheme || is_put_aside;
    return !has_changed || has_option(c, name);
}

static bool is_given(const carom_setting *setting, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(setting[i].name.text, name) == 0) return true;
    return false;
}

static carom_status collect_settings(carom_job *job, const choice *c, carom_plan_kind kind,
                                     carom_error *error)
{
    const carom_run_texts *run = carom_modelfile_run(job->file);
    const int room = run->n_setting + job->arguments->n_given + 1;
    carom_setting *setting = calloc((size_t)room, sizeof *setting);
    if (!setting) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    free((void *)job->options.setting);
    job->options.setting = setting;
    int n = 0, position = 0;
    const char *text;
    while ((text = carom_arguments_next(job->arguments, "option", &position))) {
        CAROM_TRY(carom_job_setting(job, "option", text, &setting[n], error));
        const bool is_one = kind == CAROM_PLAN_WHOLE || kind == CAROM_PLAN_PART;
        if (is_one || has_option(c, setting[n].name.text)) n++;
    }
    const int n_given = n;
    for (int i = 0; i < run->n_setting; i++) {
        const char *name = run->setting[i].name.text;
        if (is_kept(c, name) && !is_given(setting, n_given, name)) setting[n++] = run->setting[i];
    }
    job->options.n_setting = n;
    return CAROM_OK;
}

static carom_text given_text(const carom_job *job, const char *option, const char *label)
{
    const char *text = carom_arguments_value(job->arguments, option);
    return (carom_text){text, {.file = label}};
}

static carom_status choose_named(carom_job *job, const char *named, choice *c, carom_error *error)
{
    static const char usual[] = "moreau_midpoint";
    const carom_run_texts *run = carom_modelfile_run(job->file);
    carom_text scheme = given_text(job, "scheme", "--scheme");
    if (named) scheme = (carom_text){named, {.file = "--schemes"}};
    if (!scheme.text) scheme = run->scheme;
    if (!scheme.text) scheme.text = usual;
    carom_text solver = given_text(job, "solver", "--solver");
    if (!solver.text) solver = run->solver;
    if (!solver.text) solver.text = "auto";
    CAROM_TRY(carom_job_scheme(scheme, &c->scheme, error));
    CAROM_TRY(find_solver(solver, &c->solver, error));
    c->other_scheme = strcmp(run->scheme.text ? run->scheme.text : usual, scheme.text) != 0;
    c->other_solver = strcmp(run->solver.text ? run->solver.text : "auto", solver.text) != 0;
    job->options.scheme = c->scheme->name;
    job->options.solver = solver.text;
    return CAROM_OK;
}

// a positive number of the file's run section
static carom_status file_number(carom_job *job, carom_text text, const char *what, double *value,
                                carom_error *error)
{
    if (!text.text) return CAROM_OK;
    CAROM_TRY(carom_builder_number(carom_modelfile_builder(job->file), text, value, error));
    if (isfinite(*value) && *value > 0) return CAROM_OK;
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "%s must be a number above 0, not %s (= %g)", what, text.text, *value);
}

// --step and --tolerance each put aside what the file says about both, but a tolerance alone leaves
// step control on. Together the step bounds those that the tolerance chooses.
static carom_status choose_steps(carom_job *job, choice *c, carom_error *error)
{
    const carom_run_texts *run = carom_modelfile_run(job->file);
    const carom_bound positive = {0, true};
    carom_sim_options *o = &job->options;
    const char *step = carom_arguments_value(job->arguments, "step");
    const char *tolerance = carom_arguments_value(job->arguments, "tolerance");
    c->is_auto = o->is_auto_step = is_auto_text(step) || (!step && c->was_auto);
    if (!step && !tolerance && !c->was_auto)
        CAROM_TRY(file_number(job, run->step, "step", &o->step, error));
    if (!tolerance && (!step || c->is_auto))
        CAROM_TRY(file_number(job, run->tolerance, "tolerance", &o->tolerance, error));
    if (!c->is_auto) CAROM_TRY(carom_job_number(job, "step", positive, &o->step, error));
    return carom_job_number(job, "tolerance", positive, &o->tolerance, error);
}

static carom_status choose_times(carom_job *job, choice *c, carom_plan_kind kind,
                                 carom_error *error)
{
    const carom_run_texts *run = carom_modelfile_run(job->file);
    const carom_bound positive = {0, true};
    carom_sim_options *o = &job->options;
    o->step = o->tolerance = o->end = 0;
    c->was_auto = is_auto_text(run->step.text);
    if (kind != CAROM_PLAN_STUDY) CAROM_TRY(choose_steps(job, c, error));
    if (!carom_arguments_value(job->arguments, "end"))
        CAROM_TRY(file_number(job, run->end, "end", &o->end, error));
    return carom_job_number(job, "end", positive, &o->end, error);
}

static carom_status check_whole(const carom_job *job, const carom_scheme *scheme,
                                carom_error *error)
{
    const carom_sim_options *o = &job->options;
    const carom_place place = {.file = job->path};
    if (!scheme->is_adaptive && o->step == 0 && !o->is_auto_step)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "no time step: scheme %s needs one; give --step H%s, or step: in the "
                             "run section",
                             scheme->name, scheme->can_vary_step ? " or --step auto" : "");
    if (o->step == 0 && o->tolerance == 0 && !o->is_auto_step)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "neither step nor tolerance: give --tolerance TOL or --step H, or one "
                             "of them in the run section");
    if (o->end == 0)
        return carom_fail_at(error, place, CAROM_BAD_INPUT,
                             "no end time: give --end T, or end: in the run section");
    return CAROM_OK;
}

// a file's wish to be compiled counts where the user has agreed to it
static carom_status choose_native(carom_job *job, carom_error *error)
{
    const carom_text text = carom_modelfile_run(job->file)->native;
    const bool is_true = text.text && strcmp(text.text, "true") == 0;
    if (text.text && !is_true && strcmp(text.text, "false") != 0)
        return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                             "native is true or false, not '%s'", text.text);
    const char *always = getenv("CAROM_NATIVE");
    const bool is_allowed = always && strcmp(always, "1") == 0;
    const bool is_asked = carom_arguments_value(job->arguments, "native") != NULL;
    job->options.is_native = is_asked || (is_true && is_allowed);
    if (is_true && !job->options.is_native && !job->has_told_wish)
        carom_message_note("%s:%d: native: true is a wish of the file; the model is compiled with "
                           "--native, or where CAROM_NATIVE=1 is set",
                           job->path, text.place.line);
    job->has_told_wish = true;
    return CAROM_OK;
}

carom_status carom_job_plan(carom_job *job, const char *scheme, carom_plan_kind kind,
                            carom_error *error)
{
    choice c = {0};
    const carom_setting *old = job->options.setting;
    job->options = carom_sim_default();
    job->options.setting = old;
    job->options.limits = &job->granted.limits;
    CAROM_TRY(choose_named(job, scheme, &c, error));
    CAROM_TRY(choose_times(job, &c, kind, error));
    CAROM_TRY(collect_settings(job, &c, kind, error));
    CAROM_TRY(choose_native(job, error));
    job->options.allow_penetration = carom_modelfile_run(job->file)->allow_penetration ||
                                     carom_arguments_value(job->arguments, "allow-penetration");
    job->options.allow_unstable = carom_modelfile_run(job->file)->allow_unstable ||
                                  carom_arguments_value(job->arguments, "allow-unstable");
    const bool is_whole = kind == CAROM_PLAN_WHOLE || kind == CAROM_PLAN_MANY;
    return is_whole ? check_whole(job, c.scheme, error) : CAROM_OK;
}
