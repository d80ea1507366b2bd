// SPDX-License-Identifier: Apache-2.0
// carom run: from a model file to an audited motion. Whatever ends a run early (a number that is
// not finite, a full disk, Ctrl-C), all that was recorded is kept and marked as partial, and the
// checkpoint is written; after a kill -9 the run goes on from its last checkpoint (--resume).
#include "result.h"
#include "saving.h"
#include "terminal/heading.h"
#include "terminal/message.h"
#include "terminal/progress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_seconds = 60; // between checkpoints

typedef struct session {
    const carom_arguments *arguments;
    const char *rows, *events, *json, *restart; // paths, NULL = not wanted
    bool is_resumed;                            // restart is the checkpoint of --resume
    const char *saved;                          // --save-contact
    carom_saving saving;                        // --checkpoint
    carom_job job;
    carom_sim *sim;
    carom_output *output[2]; // rows, events
    const char *reason;      // why the run was cut off, or NULL
} session;

static int fail_with(const carom_error *error, int code)
{
    carom_message_error("%s", error->message);
    return error->status == CAROM_NO_MEMORY ? CAROM_EXIT_AUDIT : code;
}

// beside a CSV file stands another one
static const char *name_side(const char *path, bool is_csv, char side[CAROM_PATH_ROOM])
{
    if (!path || !is_csv) return NULL;
    snprintf(side, CAROM_PATH_ROOM, "%s.json", path);
    return side;
}

// no result may replace the model, the state it starts from or another result
static bool paths_are_good(const session *s)
{
    const char *const json = s->json && strcmp(s->json, "-") != 0 ? s->json : NULL;
    char side[2][CAROM_PATH_ROOM];
    const char *const path[] = {s->rows,
                                s->events,
                                json,
                                s->saving.path,
                                name_side(s->rows, s->rows && strstr(s->rows, ".csv"), side[0]),
                                name_side(s->events, true, side[1]),
                                s->restart,
                                s->job.path};
    static const char *const option[] = {"-o",           "--events",        "--json",
                                         "--checkpoint", "the notes of -o", "the notes of --events",
                                         "--restart",    "the model"};
    enum { WRITTEN = 6, ALL = 8, CHECKPOINT = 3, RESTART = 6 };
    for (int i = 0; i < WRITTEN; i++) {
        for (int k = i + 1; path[i] && k < ALL; k++) {
            const bool may_be_same = i == CHECKPOINT && k == RESTART; // read before it is written
            if (!path[k] || may_be_same || !carom_paths_are_same(path[i], path[k])) continue;
            carom_message_error("carom run: %s and %s are one file, '%s'", option[i], option[k],
                                path[i]);
            return false;
        }
        if (path[i] && !carom_paths_is_writable(path[i])) return false;
    }
    return true;
}

static carom_status read_recording(session *s, carom_error *error)
{
    carom_sim_options *o = &s->job.options;
    const char *every = carom_arguments_value(s->arguments, "every");
    if (every) {
        char *end;
        errno = 0;
        const long n = strtol(every, &end, 10);
        if (errno || end == every || *end || n < 1 || n > 1000000000)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "--every: must be a whole number from 1 to 1000000000, not '%s'",
                              every);
        o->every = (int)n;
    }
    return carom_job_number(&s->job, "output-step", (carom_bound){0, true}, &o->output_step, error);
}

// penetration at the start is an error where a limit says so
static carom_status check_start(session *s, carom_error *error)
{
    carom_audit audit;
    const double limit = s->job.limits.penetration;
    if (s->restart || !isfinite(limit)) return CAROM_OK;
    CAROM_TRY(carom_sim_audit(s->sim, &audit, NULL, error));
    if (-audit.min_gap <= limit) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s: penetration %.6g m of contact '%s' at the start is above "
                      "--max-penetration %g (change the start values, with --start NAME=VALUE)",
                      s->job.path, -audit.min_gap, audit.min_gap_at, limit);
}

static carom_status read_threads(session *s, carom_error *error)
{
    const char *text = carom_arguments_value(s->arguments, "threads");
    char *end = NULL;
    const long n = text ? strtol(text, &end, 10) : 1;
    if (text && (!*text || *end || n < 1 || n > CAROM_MOST_THREADS))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--threads: must be a whole number from 1 to %d, not '%s'",
                          CAROM_MOST_THREADS, text);
    s->job.options.n_thread = (int)n;
    return CAROM_OK;
}

static carom_status make_sim(session *s, carom_error *error)
{
    CAROM_TRY(carom_job_plan(&s->job, NULL, CAROM_PLAN_WHOLE, error));
    CAROM_TRY(read_threads(s, error));
    CAROM_TRY(read_recording(s, error));
    s->job.options.save_contact = s->saved;
    // a run that goes on does not start here, and a limit of the user's own is looked at below
    if (s->restart || isfinite(s->job.limits.penetration)) s->job.options.allow_penetration = true;
    CAROM_TRY(carom_job_simulation(&s->job, &s->sim, error));
    const char *why;
    carom_sim_native(s->sim, &why);
    carom_job_tell_native(&s->job, why);
    CAROM_TRY(check_start(s, error));
    if (s->is_resumed) return carom_sim_resume(s->sim, s->restart, error);
    return s->restart ? carom_sim_restart(s->sim, s->restart, error) : CAROM_OK;
}

// what a run that was killed has left, and this one does not go on with
static void tell_left(session *s)
{
    for (int i = 0; i < 2; i++) {
        const char *left = s->output[i] ? carom_output_left(s->output[i]) : NULL;
        if (left)
            carom_job_warn(&s->job,
                           "'%s' is left of a run that was killed; 'carom plot' and the like "
                           "read it, --resume goes on with it",
                           left);
    }
}

static carom_status open_outputs(session *s, carom_error *error)
{
    carom_heading heading;
    carom_status status = CAROM_OK;
    if (!carom_heading_make(&heading, &s->job, s->sim))
        status = carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    else if (s->rows)
        status = carom_output_continue(s->rows, s->sim, &heading.head, s->is_resumed, &s->output[0],
                                       error);
    carom_heading_free(&heading);
    CAROM_TRY(status);
    if (s->events)
        CAROM_TRY(
            carom_output_continue_events(s->events, s->sim, s->is_resumed, &s->output[1], error));
    tell_left(s);
    for (int i = 0; i < 2; i++)
        if (s->output[i])
            CAROM_TRY(carom_sim_add_recorder(s->sim, carom_output_recorder(s->output[i]), error));
    return CAROM_OK;
}

static bool close_outputs(session *s, const carom_result *result)
{
    bool is_good = true;
    const bool is_whole = result && result->run == CAROM_OK;
    for (int i = 0; i < 2; i++) {
        carom_error error = {0};
        if (!s->output[i]) continue;
        carom_output_reason(s->output[i], s->reason);
        if (carom_output_close(s->output[i], result ? &result->audit : NULL,
                               result ? &result->counts : NULL, is_whole, &error) != CAROM_OK) {
            carom_message_error("%s", error.message);
            is_good = false;
        }
        s->output[i] = NULL;
    }
    return is_good;
}

static bool write_json(const session *s, const carom_result *result)
{
    carom_json json;
    if (!s->json) return true;
    if (!carom_json_open(&json, s->json)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_result_json(result, &json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

static void print_summary(const session *s, const carom_result *result)
{
    const bool json_is_there = s->json && strcmp(s->json, "-") == 0;
    if (carom_arguments_value(s->arguments, "quiet") || json_is_there) return;
    carom_result_print(result);
    const char *part = result->run == CAROM_OK ? "" : " (partial)";
    if (s->rows) printf("results        %s%s\n", s->rows, part);
    if (s->events) printf("event log      %s%s\n", s->events, part);
    if (s->json) printf("json           %s\n", s->json);
    if (s->saving.path) printf("checkpoint     %s\n", s->saving.path);
    if (s->saved) printf("contact saves  %ld in %s\n", carom_sim_saved(s->sim), s->saved);
}

// all that a run leaves behind; returns the exit code
static int finish_run(session *s, carom_status run)
{
    carom_result result;
    if (!carom_result_take(&result, &s->job, s->sim, run)) {
        close_outputs(s, NULL);
        return CAROM_EXIT_AUDIT;
    }
    // first: should closing fail, --resume can do it again
    bool is_good = carom_saving_write(&s->saving);
    is_good = close_outputs(s, &result) && is_good;
    is_good = write_json(s, &result) && is_good;
    print_summary(s, &result);
    carom_result_complain(&result, &s->job, "");
    if (!carom_result_is_good(&result)) is_good = false;
    carom_result_free(&result);
    return is_good ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}

static int perform_run(session *s)
{
    carom_error error = {0};
    carom_progress progress;
    carom_progress_start(&progress, carom_model_name(s->job.model),
                         carom_arguments_value(s->arguments, "quiet") != NULL);
    carom_sim_set_watch(s->sim, carom_saving_watch(&s->saving, carom_progress_watch(&progress)));
    const carom_status run = carom_sim_run(s->sim, &error);
    carom_progress_clear(&progress);
    if (run == CAROM_STOPPED)
        carom_message_error("stopped by a signal at t = %.17g s%s%s", carom_sim_state(s->sim)->t,
                            s->saving.path ? "; continue with --restart " : "",
                            s->saving.path ? s->saving.path : "");
    else if (run != CAROM_OK)
        carom_message_error("%s", error.message);
    if (run != CAROM_OK) s->reason = run == CAROM_STOPPED ? "stopped by a signal" : error.message;
    const int code = finish_run(s, run);
    s->reason = NULL; // error ends here
    carom_progress_end(&progress);
    return code;
}

static int prepare(session *s)
{
    carom_error error = {0};
    int code = carom_job_open(&s->job, s->arguments);
    if (code) return code;
    if (!paths_are_good(s) || !carom_saving_open(&s->saving)) return CAROM_EXIT_USAGE;
    const carom_text wish = carom_modelfile_run(s->job.file)->save_contact;
    if (wish.text && !s->saved)
        carom_message_note("%s:%d: save_contact is a wish of the file; problems are written with "
                           "--save-contact '%s'",
                           s->job.path, wish.place.line, wish.text);
    if (make_sim(s, &error) != CAROM_OK) return fail_with(&error, CAROM_EXIT_USAGE);
    carom_job_warn_of_model(&s->job);
    if (open_outputs(s, &error) != CAROM_OK) // names are good by now: a disk that is full
        return fail_with(&error, error.status == CAROM_IO ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE);
    s->saving.sim = s->sim;
    s->saving.output = s->output;
    return 0;
}

// --checkpoint, --checkpoint-every, --restart, --resume; false: said
static bool read_saving(session *s)
{
    const char *every = carom_arguments_value(s->arguments, "checkpoint-every");
    s->restart = carom_arguments_value(s->arguments, "restart");
    s->saving.path = carom_arguments_value(s->arguments, "checkpoint");
    s->is_resumed = carom_arguments_value(s->arguments, "resume") != NULL;
    s->saving.every = default_seconds;
    if ((s->is_resumed || every) && !s->saving.path) {
        carom_message_error("carom run: %s needs --checkpoint FILE",
                            s->is_resumed ? "--resume" : "--checkpoint-every");
        return false;
    }
    if (s->is_resumed) s->restart = s->saving.path;
    if (!every) return true;
    char *end;
    s->saving.every = strtod(every, &end);
    if (end != every && !*end && s->saving.every >= 0 && isfinite(s->saving.every)) return true;
    carom_message_error("--checkpoint-every: must be a number of seconds from 0, not '%s'", every);
    return false;
}

static int run(const carom_arguments *arguments)
{
    session s = {.arguments = arguments};
    if (carom_arguments_clash(arguments, "every", "output-step") ||
        carom_arguments_clash(arguments, "restart", "resume") || !read_saving(&s))
        return CAROM_EXIT_USAGE;
    s.rows = carom_arguments_value(arguments, "output");
    s.events = carom_arguments_value(arguments, "events");
    s.json = carom_arguments_value(arguments, "json");
    s.saved = carom_arguments_value(arguments, "save-contact");
    int code = prepare(&s);
    if (code == 0)
        code = perform_run(&s);
    else
        close_outputs(&s, NULL);
    carom_saving_close(&s.saving);
    carom_sim_free(s.sim);
    carom_job_close(&s.job);
    return code;
}

static const carom_argument rows[] = {
    {"scheme", 0, "S", false, "time integrator ('carom list schemes')"},
    CAROM_JOB_RUN_ROWS,
    {"threads", 0, "N", false,
     "threads that share each step of a model with many contacts; the same numbers"},
    CAROM_JOB_MODEL_ROWS,
    {"output", 'o', "FILE", false, "write the motion to FILE.csv or FILE.h5"},
    {"events", 0, "FILE", false,
     "write the event log (impact, open, close, stick, slip, ...) as CSV"},
    {"every", 0, "N", false, "record every N-th step"},
    {"output-step", 0, "DT", false, "record on a uniform grid [s]"},
    {"json", 0, "FILE|-", false, "write the end state and the audit as JSON"},
    {"checkpoint", 0, "FILE", false, "write the state now and then and at the end, to go on from"},
    {"checkpoint-every", 0, "SECONDS", false, "so often, in wall time; 60 unless given"},
    {"restart", 0, "FILE", false, "continue from a checkpoint, bit for bit, and the run's files"},
    {"resume", 0, NULL, false,
     "go on after a kill: from --checkpoint and what is left of the files"},
    {"save-contact", 0, "FOLDER[:HOW]", false,
     "write contact problems: all, :every=N, :struggled[=ITERATIONS]"},
    CAROM_JOB_START_ROWS,
    CAROM_JOB_LIMIT_ROWS,
    CAROM_JOB_STRICT_ROWS,
    {"quiet", 'q', NULL, false, "no progress bar, no summary"},
    {0},
};

const carom_command carom_command_run = {
    .name = "run",
    .usage = "MODEL.yaml [options]",
    .brief = "run a model",
    .about = "Runs a model from t = 0 to the end and audits the motion. MODEL is a file, or the "
             "name of a\n"
             "model in 'carom list models'. What is given here goes before the file's run section. "
             "H, TOL,\n"
             "T, DT, X and each VALUE of --set and --start may be an expression of parameters: "
             "2*pi/omega.\n"
             "\n"
             "exit code: 0 done and within the limits, 1 unconverged, outside a limit, unstable,\n"
             "stopped, or with --strict a warning, 2 wrong usage or model.",
    .argument = rows,
    .run = run,
};
