// SPDX-License-Identifier: Apache-2.0
// carom contact solve: solves contact problem files, and says in both scalings how well.
#include "commands/command_contact.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SETTING = 32, TEXT_ROOM = 128 };

typedef struct session {
    const char *solver;
    double tolerance;
    carom_contact_reading how;
    carom_setting setting[MAX_SETTING];
    char name[MAX_SETTING][TEXT_ROOM]; // of the settings
    int n_setting;
    carom_json *json; // NULL = not wanted
    bool prints;
    int n, n_solved;
    double seconds;
} session;

typedef struct outcome {
    const char *file, *solver, *status;
    int contacts, dimension, iterations;
    double time, err_rel, err_max;
} outcome;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void put_outcome(carom_json *json, const outcome *o)
{
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "file", o->file);
    carom_json_count(json, "contacts", o->contacts);
    carom_json_count(json, "dimension", o->dimension);
    carom_json_text(json, "solver", o->solver);
    carom_json_text(json, "status", o->status);
    carom_json_count(json, "iterations", o->iterations);
    carom_json_number(json, "time", o->time);
    carom_json_number(json, "err_rel", o->err_rel);
    carom_json_number(json, "err_max", o->err_max);
    carom_json_end(json);
}

static void print(const session *s, const outcome *o)
{
    const char *slash = strrchr(o->file, '/');
    if (s->n == 0)
        printf("%-42s %8s %3s %-14s %-11s %10s %11s %9s %9s\n", "file", "contacts", "dim", "solver",
               "status", "iterations", "time [s]", "err_rel", "err_max");
    printf("%-42s %8d %3d %-14s %-11s %10d %11.4g %9.2g %9.2g\n",
           CAROM_PLAIN(slash ? slash + 1 : o->file), o->contacts, o->dimension, o->solver,
           o->status, o->iterations, o->time, o->err_rel, o->err_max);
}

// solves one problem; false: said on stderr
static bool solve(const session *s, const carom_contact_file *file, double *P, outcome *o)
{
    const carom_problem *problem = &file->problem;
    carom_contact_solver *solver = NULL;
    carom_contact_info info = {0};
    carom_error error = {0};
    carom_status status = carom_contact_solver_new(s->solver, s->setting, s->n_setting,
                                                   problem->n_row, &solver, &error);
    const double start = now();
    if (status == CAROM_OK) status = carom_contact_solve(solver, problem, P, &info, &error);
    carom_contact_errors(problem, P, &o->err_rel, &o->err_max);
    // the files' measures depend on units and may ask for more digits than the solver's own
    if (status == CAROM_OK && info.is_converged &&
        !(o->err_rel <= s->tolerance && o->err_max <= s->tolerance))
        status = carom_contact_refine(solver, problem, P, &info, &error);
    o->time = now() - start;
    carom_contact_solver_free(solver);
    if (status != CAROM_OK) {
        carom_message_error("%s: %s", o->file, error.message);
        return false;
    }
    carom_contact_errors(problem, P, &o->err_rel, &o->err_max);
    const bool is_solved = o->err_rel <= s->tolerance && o->err_max <= s->tolerance;
    const bool has_none = info.outcome == CAROM_CONTACT_NO_SOLUTION;
    o->status = is_solved ? "solved" : has_none ? "no solution" : "best found";
    o->solver = info.solver;
    o->iterations = info.iterations;
    return true;
}

// returns the exit code of one file
static int solve_file(session *s, const char *path)
{
    outcome o = {.file = path};
    carom_contact_file *file = carom_contact_open(path, &s->how);
    if (!file) return CAROM_EXIT_USAGE;
    o.contacts = file->n_contact;
    o.dimension = file->dimension;
    double *P = calloc((size_t)file->problem.n_row + 1, sizeof *P);
    if (P && file->guess) memcpy(P, file->guess, sizeof *P * (size_t)file->problem.n_row);
    if (!P) carom_message_error("memory ran out");
    const bool is_done = P && solve(s, file, P, &o);
    free(P);
    carom_contact_file_free(file);
    if (!is_done) return CAROM_EXIT_USAGE;
    if (s->prints) print(s, &o);
    if (s->json) put_outcome(s->json, &o);
    s->n++;
    s->seconds += o.time;
    const bool is_solved = strcmp(o.status, "solved") == 0;
    s->n_solved += is_solved;
    return is_solved ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}

static bool read_options(session *s, const carom_arguments *arguments)
{
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(arguments, "option", &position)) != NULL) {
        const char *equals = strchr(text, '=');
        const size_t n = equals ? (size_t)(equals - text) : 0;
        if (n == 0 || n >= TEXT_ROOM || s->n_setting == MAX_SETTING) {
            carom_message_error("carom contact solve: --option is NAME=VALUE, not '%s'", text);
            return false;
        }
        char *name = s->name[s->n_setting];
        memcpy(name, text, n);
        name[n] = 0;
        const carom_place place = {.file = "--option"};
        s->setting[s->n_setting++] = (carom_setting){{name, place}, {equals + 1, place}};
    }
    return true;
}

static bool read_arguments(session *s, const carom_arguments *arguments)
{
    const char *tolerance = carom_arguments_value(arguments, "tol");
    char *end = NULL;
    s->tolerance = 1e-8;
    s->solver = carom_arguments_value(arguments, "solver");
    if (!s->solver) s->solver = "auto";
    if (tolerance) s->tolerance = strtod(tolerance, &end);
    if (tolerance && (end == tolerance || *end || !(s->tolerance >= 0))) {
        carom_message_error("carom contact solve: --tol must be a number from 0, not '%s'",
                            tolerance);
        return false;
    }
    return carom_contact_reading_of(arguments, &s->how) && read_options(s, arguments);
}

// a solver that does not exist is said once, not for each file
static bool solver_is_there(const session *s)
{
    carom_contact_solver *solver = NULL;
    carom_error error = {0};
    const carom_status status =
        carom_contact_solver_new(s->solver, s->setting, s->n_setting, 1, &solver, &error);
    carom_contact_solver_free(solver);
    if (status != CAROM_OK) carom_message_error("%s", error.message);
    return status == CAROM_OK;
}

int carom_contact_solve_files(const carom_arguments *arguments, int n, const char *const *path)
{
    session s = {0};
    carom_json json;
    const char *to = carom_arguments_value(arguments, "json");
    s.prints = !carom_arguments_value(arguments, "quiet") && !(to && strcmp(to, "-") == 0);
    if (n == 0) carom_message_error("carom contact solve: give at least one file");
    if (n == 0 || !read_arguments(&s, arguments) || !solver_is_there(&s)) return CAROM_EXIT_USAGE;
    if (to && !carom_json_open(&json, to)) return CAROM_EXIT_USAGE;
    s.json = to ? &json : NULL;
    if (to) carom_json_begin(&json, NULL, '{');
    if (to) carom_json_begin(&json, "problems", '[');
    int code = CAROM_EXIT_DONE;
    for (int i = 0; i < n; i++) {
        const int own = solve_file(&s, path[i]);
        if (own > code) code = own;
    }
    if (s.prints && s.n > 1)
        printf("%d of %d solved to %g in both scalings, %.4g s\n", s.n_solved, s.n, s.tolerance,
               s.seconds);
    if (to) carom_json_end(&json);
    if (to) carom_json_end(&json);
    if (to && !carom_json_close(&json)) code = CAROM_EXIT_USAGE;
    return code;
}
