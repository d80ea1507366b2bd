// SPDX-License-Identifier: Apache-2.0
// carom converge: one model with several schemes and steps, measured against a reference. A scheme
// that refuses the model says why; the others go on.
#include "commands/command_accuracy.h"
#include "job.h"
#include "studies/precision_figure.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#include <carom/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCHEMES = 32, MOST_STEPS = 32, NAME_ROOM = 64, TEXT_ROOM = 160 };
static const double FINEST_TOLERANCE = 1e-12;

typedef struct session {
    carom_job job;
    const char *scheme[MOST_SCHEMES];
    int n_scheme;
    double step[MOST_STEPS];
    int n_step;
    double tolerance[MOST_STEPS];
    int n_tolerance;
    double accuracy; // 0 = not asked for
    carom_study study;
    char reference[TEXT_ROOM]; // as shown: "S:H", "S:tolerance=TOL" or "exact"
} session;

static const char *const norms[] = {"end", "path", "graph", "table"};

// a piece of "a,b,c"; returns the rest, NULL = that was the last
static const char *cut_piece(const char *text, char piece[TEXT_ROOM])
{
    const size_t length = strcspn(text, ",");
    snprintf(piece, TEXT_ROOM, "%.*s", (int)(length < TEXT_ROOM ? length : TEXT_ROOM - 1), text);
    return text[length] ? text + length + 1 : NULL;
}

static carom_status find_scheme(const char *name, const char *label, const char **found,
                                carom_error *error)
{
    const carom_scheme *scheme;
    const carom_text named = {name, {.file = label}};
    CAROM_TRY(carom_job_scheme(named, &scheme, error));
    *found = scheme->name;
    return CAROM_OK;
}

static carom_status read_schemes(session *s, carom_error *error)
{
    const char *text = carom_arguments_value(s->job.arguments, "schemes");
    char piece[TEXT_ROOM];
    if (!text)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "carom converge: say which schemes: --schemes A,B,...");
    while (text) {
        text = cut_piece(text, piece);
        if (s->n_scheme == MOST_SCHEMES)
            return carom_fail(error, CAROM_BAD_INPUT, "--schemes: at most %d at a time",
                              MOST_SCHEMES);
        CAROM_TRY(find_scheme(piece, "--schemes", &s->scheme[s->n_scheme], error));
        s->n_scheme++;
    }
    return CAROM_OK;
}

static carom_status read_number(session *s, const char *text, const char *label, double *value,
                                carom_error *error)
{
    const carom_place place = {.file = label};
    CAROM_TRY(carom_builder_number(carom_modelfile_builder(s->job.file), (carom_text){text, place},
                                   value, error));
    if (isfinite(*value) && *value > 0) return CAROM_OK;
    return carom_fail_at(error, place, CAROM_BAD_INPUT, "must be a number above 0, not %s", text);
}

// "a,b,c" given to an option, if it is
static carom_status read_numbers(session *s, const char *option, double *value, int *n,
                                 carom_error *error)
{
    const char *text = carom_arguments_value(s->job.arguments, option);
    char piece[TEXT_ROOM], label[NAME_ROOM];
    snprintf(label, sizeof label, "--%s", option);
    while (text) {
        text = cut_piece(text, piece);
        if (*n == MOST_STEPS)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: at most %d at a time", label,
                              MOST_STEPS);
        CAROM_TRY(read_number(s, piece, label, &value[*n], error));
        (*n)++;
    }
    return CAROM_OK;
}

static carom_status read_steps(session *s, carom_error *error)
{
    int n = 0;
    CAROM_TRY(read_numbers(s, "steps", s->step, &s->n_step, error));
    CAROM_TRY(read_numbers(s, "tolerances", s->tolerance, &s->n_tolerance, error));
    CAROM_TRY(read_numbers(s, "accuracy", &s->accuracy, &n, error));
    if (s->n_step + s->n_tolerance > 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "carom converge: say which steps: --steps 1e-3,1e-4,... (for schemes with a "
                      "tolerance: --tolerances 1e-4,1e-6,...)");
}

// whether a tolerance alone says how the scheme steps
static bool has_tolerance(const char *scheme)
{
    const carom_scheme *found = carom_scheme_find(scheme);
    return found->is_adaptive && !found->keeps_step;
}

static carom_status read_norm(session *s, carom_error *error)
{
    const char *text = carom_arguments_value(s->job.arguments, "norm");
    s->study.norm = CAROM_NORM_PATH;
    if (!text) return CAROM_OK;
    for (int i = 0; i < 4; i++) {
        if (strcmp(text, norms[i]) != 0) continue;
        s->study.norm = (carom_norm)i;
        return CAROM_OK;
    }
    return carom_fail(error, CAROM_BAD_INPUT, "--norm: must be end, path, graph or table, not '%s'",
                      text);
}

// how a run goes: a step, or a tolerance
typedef struct pace {
    double step, tolerance;
} pace;

// the options of one run; the settings then belong to it
static carom_status plan_run(session *s, const char *scheme, pace is, carom_study_run *run,
                             carom_error *error)
{
    CAROM_TRY(carom_job_plan(&s->job, scheme, CAROM_PLAN_STUDY, error));
    if (s->job.options.end == 0)
        return carom_fail_at(error, (carom_place){.file = s->job.path}, CAROM_BAD_INPUT,
                             "no end time: give --end T, or end: in the run section");
    run->options = s->job.options;
    run->options.step = is.step;
    run->options.tolerance = is.tolerance;
    run->options.is_auto_step = is.tolerance > 0 && !has_tolerance(scheme);
    s->job.options.setting = NULL;
    return CAROM_OK;
}

// a tenth of the smallest step; or, where only tolerances are given, a hundredth of the smallest
static pace usual_pace(const session *s)
{
    pace usual = {.step = INFINITY, .tolerance = INFINITY};
    for (int i = 0; i < s->n_step; i++) usual.step = fmin(usual.step, s->step[i] / 10);
    for (int i = 0; i < s->n_tolerance; i++)
        usual.tolerance = fmin(usual.tolerance, s->tolerance[i] / 100);
    const bool is_step = s->n_step > 0 && !(s->n_tolerance > 0 && has_tolerance(s->scheme[0]));
    if (is_step) return (pace){.step = usual.step};
    return (pace){.tolerance = fmax(usual.tolerance, FINEST_TOLERANCE)};
}

// "S:H", "S:tolerance=TOL", or "S" for a scheme with a tolerance
static carom_status read_reference(session *s, const char *text, const char **scheme, pace *is,
                                   carom_error *error)
{
    static const char key[] = "tolerance=";
    const size_t length = strcspn(text, ":");
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "%.*s", (int)(length < NAME_ROOM ? length : NAME_ROOM - 1), text);
    const char *number = text[length] ? text + length + 1 : NULL;
    *is = (pace){0};
    if (!number && !carom_scheme_find(name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--reference: write SCHEME:STEP, as in tdg_velocity:1e-7, "
                          "SCHEME:tolerance=TOL, event_driven, or exact, not '%s'",
                          text);
    CAROM_TRY(find_scheme(name, "--reference", scheme, error));
    if (!number && has_tolerance(*scheme)) {
        is->tolerance = FINEST_TOLERANCE;
        return CAROM_OK;
    }
    if (!number)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--reference: scheme %s needs a step: write %s:STEP", *scheme, *scheme);
    const bool is_tolerance = strncmp(number, key, sizeof key - 1) == 0;
    if (is_tolerance) number += sizeof key - 1;
    return read_number(s, number, "--reference", is_tolerance ? &is->tolerance : &is->step, error);
}

// what --reference says, "exact" too; else the first scheme
static carom_status plan_reference(session *s, carom_error *error)
{
    const char *text = carom_arguments_value(s->job.arguments, "reference");
    const char *scheme = s->scheme[0];
    pace is = usual_pace(s);
    if (text && strcmp(text, "exact") == 0) {
        s->study.is_exact = true;
        snprintf(s->reference, sizeof s->reference, "exact");
        return CAROM_OK;
    }
    if (text) CAROM_TRY(read_reference(s, text, &scheme, &is, error));
    snprintf(s->reference, sizeof s->reference, "%s:%s%.12g", scheme,
             is.step > 0 ? "" : "tolerance=", is.step > 0 ? is.step : is.tolerance);
    return plan_run(s, scheme, is, &s->study.reference, error);
}

// schemes with a tolerance take the tolerances, the others the steps; where only one of both is
// given, all take it
static carom_status plan_scheme(session *s, const char *scheme, carom_error *error)
{
    const bool by_tolerance = s->n_step == 0 || (s->n_tolerance > 0 && has_tolerance(scheme));
    const int n = by_tolerance ? s->n_tolerance : s->n_step;
    for (int k = 0; k < n; k++) {
        const pace is =
            by_tolerance ? (pace){.tolerance = s->tolerance[k]} : (pace){.step = s->step[k]};
        CAROM_TRY(plan_run(s, scheme, is, &s->study.run[s->study.n_run], error));
        s->study.n_run++;
    }
    return CAROM_OK;
}

// an option must be known to one of the schemes, the reference or the solver
static carom_status check_options(session *s, carom_error *error)
{
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(s->job.arguments, "option", &position))) {
        carom_setting setting;
        CAROM_TRY(carom_job_setting(&s->job, "option", text, &setting, error));
        bool is_known = strncmp(setting.name.text, "solver.", 7) == 0;
        for (int i = -1; i < s->study.n_run && !is_known; i++) {
            const carom_study_run *run = i < 0 ? &s->study.reference : &s->study.run[i];
            const char *name = run->options.scheme;
            is_known =
                name && carom_job_option_row(carom_scheme_find(name)->option, setting.name.text);
        }
        if (!is_known)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "--option %s: no scheme of these has this option; 'carom list "
                              "schemes' shows all",
                              setting.name.text);
    }
    return CAROM_OK;
}

static carom_status plan(session *s, carom_error *error)
{
    CAROM_TRY(read_schemes(s, error));
    CAROM_TRY(read_steps(s, error));
    CAROM_TRY(read_norm(s, error));
    CAROM_TRY(plan_reference(s, error));
    const int most = s->n_scheme * (s->n_step + s->n_tolerance);
    s->study.run = calloc((size_t)most, sizeof *s->study.run);
    if (!s->study.run) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    for (int i = 0; i < s->n_scheme; i++) CAROM_TRY(plan_scheme(s, s->scheme[i], error));
    return check_options(s, error);
}

static const char *word(const carom_study_run *run)
{
    if (run->failure.status != CAROM_OK) return run->counts.steps > 0 ? "stopped" : "refused";
    return run->counts.unconverged > 0 ? "unconverged" : "done";
}

static void print_table(const session *s)
{
    const carom_study *study = &s->study;
    printf("model %s, end %g s, norm %s\n", CAROM_PLAIN(carom_model_name(s->job.model)),
           study->run[0].options.end, norms[study->norm]);
    printf("reference %s", CAROM_PLAIN(s->reference));
    if (!study->is_exact)
        printf(" (%ld steps, %.3g s)", study->reference.counts.steps, study->reference.seconds);
    printf("\n\n%-28s %10s %12s %7s %10s %12s %10s %9s  %s\n", "scheme", "step", "error", "order",
           "steps", "evaluations", "time [s]", "us/step", "status");
    for (int i = 0; i < study->n_run; i++) {
        const carom_study_run *run = &study->run[i];
        const double steps = (double)run->counts.steps;
        char order[32] = "-", error[32] = "-", size[32], evaluations[32] = "-";
        if (run->counts.evaluations > 0)
            snprintf(evaluations, sizeof evaluations, "%ld", run->counts.evaluations);
        if (run->options.step > 0)
            snprintf(size, sizeof size, "%g", run->options.step);
        else
            snprintf(size, sizeof size, "tol %g", run->options.tolerance);
        if (isfinite(run->order)) snprintf(order, sizeof order, "%.2f", run->order);
        if (!isnan(run->error)) snprintf(error, sizeof error, "%.4g", run->error);
        printf("%-28s %10s %12s %7s %10ld %12s %10.3g %9.3g  %s\n", run->options.scheme, size,
               error, order, run->counts.steps, evaluations, run->seconds,
               steps > 0 ? 1e6 * run->seconds / steps : 0, word(run));
    }
    if (s->accuracy > 0) carom_accuracy_print(study, s->scheme, s->n_scheme, s->accuracy);
}

static void put_run(carom_json *json, const carom_study_run *run)
{
    carom_json_text(json, "scheme", run->options.scheme);
    carom_json_number(json, "step", run->options.step > 0 ? run->options.step : NAN);
    carom_json_number(json, "tolerance", run->options.tolerance > 0 ? run->options.tolerance : NAN);
    carom_json_number(json, "error", run->error);
    carom_json_number(json, "order", run->order);
    carom_json_count(json, "steps", run->counts.steps);
    carom_json_count(json, "solver_iterations", run->counts.solver_iterations);
    carom_json_count(json, "evaluations", run->counts.evaluations);
    carom_json_number(json, "time", run->seconds);
    carom_json_text(json, "status", word(run));
    if (run->failure.status != CAROM_OK) carom_json_text(json, "message", run->failure.message);
}

static bool write_json(const session *s, const char *path)
{
    carom_json json;
    const carom_study *study = &s->study;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "model", carom_model_name(s->job.model));
    carom_json_text(&json, "version", carom_version());
    carom_json_text(&json, "reference", s->reference);
    if (!study->is_exact) {
        carom_json_count(&json, "reference_steps", study->reference.counts.steps);
        carom_json_number(&json, "reference_time", study->reference.seconds);
    }
    carom_json_text(&json, "norm", norms[study->norm]);
    carom_json_number(&json, "end", study->run[0].options.end);
    carom_json_begin(&json, "runs", '[');
    for (int i = 0; i < study->n_run; i++) {
        carom_json_begin(&json, NULL, '{');
        put_run(&json, &study->run[i]);
        carom_json_end(&json);
    }
    carom_json_end(&json);
    if (s->accuracy > 0) carom_accuracy_json(study, s->scheme, s->n_scheme, s->accuracy, &json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

static int conclude_study(session *s)
{
    int n_refused = 0, n_bad = s->study.reference.counts.unconverged > 0;
    if (n_bad) carom_message_error("the reference has steps that did not converge");
    for (int i = 0; i < s->study.n_run; i++) {
        const carom_study_run *run = &s->study.run[i];
        const char *what = word(run);
        n_refused += strcmp(what, "refused") == 0;
        n_bad += strcmp(what, "stopped") == 0 || strcmp(what, "unconverged") == 0;
        if (run->failure.status == CAROM_OK) continue;
        const bool is_step = run->options.step > 0;
        carom_job_warn(&s->job, "%s, %s %g: %s", run->options.scheme,
                       is_step ? "step" : "tolerance",
                       is_step ? run->options.step : run->options.tolerance, run->failure.message);
    }
    if (n_refused < s->study.n_run) return n_bad ? CAROM_EXIT_AUDIT : CAROM_EXIT_DONE;
    carom_message_error("carom converge: no run was possible");
    return CAROM_EXIT_USAGE;
}

// what is wrong with the figure's name is said before the work
static bool figure_is_good(const session *s)
{
    const char *path = carom_arguments_value(s->job.arguments, "output");
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path) return true;
    if (!dot ||
        (strcmp(dot, ".svg") != 0 && strcmp(dot, ".pdf") != 0 && strcmp(dot, ".png") != 0)) {
        carom_message_error("carom converge: -o %s: must end with .svg, .pdf or .png", path);
        return false;
    }
    return carom_paths_is_writable(path);
}

static bool draw_study(const session *s, const char *path)
{
    carom_error error = {0};
    const bool is_drawn =
        carom_precision_draw(&s->study, s->scheme, s->n_scheme, carom_model_name(s->job.model),
                             path, &error) == CAROM_OK;
    if (!is_drawn) carom_message_error("%s", error.message);
    return is_drawn;
}

static int perform_study(session *s)
{
    const carom_arguments *arguments = s->job.arguments;
    const char *json = carom_arguments_value(arguments, "json");
    const bool is_quiet = carom_arguments_value(arguments, "quiet") != NULL;
    carom_error error = {0};
    carom_progress progress;
    if (!figure_is_good(s)) return CAROM_EXIT_USAGE;
    carom_status status = plan(s, &error);
    if (status == CAROM_OK) {
        carom_progress_start(&progress, carom_model_name(s->job.model), is_quiet);
        s->study.watch = carom_progress_watch(&progress);
        status = carom_converge(s->job.model, &s->study, &error);
        carom_progress_end(&progress);
    }
    carom_job_tell_native(&s->job, s->study.not_native);
    if (status != CAROM_OK) {
        carom_message_error("%s", error.message);
        return status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
    }
    if (!is_quiet && !(json && strcmp(json, "-") == 0)) print_table(s);
    int code = conclude_study(s);
    if (json && !write_json(s, json) && code == 0) code = CAROM_EXIT_AUDIT;
    const char *figure = carom_arguments_value(arguments, "output");
    if (figure && code != CAROM_EXIT_USAGE && !draw_study(s, figure)) code = CAROM_EXIT_AUDIT;
    return carom_job_strict_code(&s->job, code);
}

static int converge(const carom_arguments *arguments)
{
    session s = {0};
    int code = carom_job_open(&s.job, arguments);
    if (code == 0) code = perform_study(&s);
    for (int i = 0; i < s.study.n_run; i++) free((void *)s.study.run[i].options.setting);
    free((void *)s.study.reference.options.setting);
    free(s.study.run);
    carom_job_close(&s.job);
    return code;
}

static const carom_argument rows[] = {
    {"schemes", 0, "A,B,...", false, "the schemes to run"},
    {"steps", 0, "H,H,...", false, "the time steps to run each with [s]"},
    {"tolerances", 0, "TOL,TOL,...", false, "tolerances, for schemes that take one"},
    {"reference", 0, "S:H|exact", false,
     "scheme and step (S:tolerance=TOL) of the reference, or its closed form"},
    {"accuracy", 0, "X", false, "what an error of X costs each scheme"},
    {"norm", 0, "NORM", false, "end, path, graph or table (path)"},
    {"end", 0, "T", false, "end time [s]"},
    {"solver", 0, "S", false, "contact solver ('carom list solvers')"},
    {"option", 0, "NAME=VALUE", true, "option of the schemes that have it, or solver.NAME=VALUE"},
    {"native", 0, NULL, false, "compile the model with the system's C compiler ($CC or cc)"},
    CAROM_JOB_MODEL_ROWS,
    CAROM_JOB_START_ROWS,
    CAROM_JOB_STRICT_ROWS,
    {"json", 0, "FILE|-", false, "write the study as JSON"},
    {"output", 'o', "FILE", false, "errors over processor time: FILE.svg, .pdf or .png"},
    {"quiet", 'q', NULL, false, "no progress bar, no table"},
    {0},
};

const carom_command carom_command_converge = {
    .name = "converge",
    .usage = "MODEL.yaml --schemes A,B,... --steps H,H,... [options]",
    .brief = "measure errors and orders of schemes over their steps",
    .about =
        "Runs a model with each scheme and step, and prints the distance from a reference, the\n"
        "order observed between one step and the next, and the time it took. Schemes with a\n"
        "tolerance take --tolerances, the others --steps; alone, either is for all. The reference\n"
        "is the first scheme at a tenth of the smallest step, unless --reference says otherwise:\n"
        "'event_driven' is a run of that scheme at tolerance 1e-12, 'exact' are the model's "
        "record\n"
        "entries exact_NAME, expressions of t for the coordinate NAME. Evaluations are those of\n"
        "forces, rows and their derivatives and linear systems, where a scheme counts them.\n"
        "\n"
        "norms: end    largest difference of a coordinate at the end\n"
        "       path   the same over all steps of the run\n"
        "       graph  distance of the curves (t, q, u), relative, for velocities that jump\n"
        "       table  spectral norm of the differences, with a row for every step of the run\n"
        "\n"
        "exit code: 0 done; 1 some run is unconverged or stopped; 2 wrong usage, or no run was\n"
        "possible.",
    .argument = rows,
    .run = converge,
};
