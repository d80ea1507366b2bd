// SPDX-License-Identifier: Apache-2.0
// A model file and how to run it, put together from the file and the command line;
// the command line wins.
#ifndef CAROM_CLI_JOB_H
#define CAROM_CLI_JOB_H

#include "access.h"
#include "arguments.h"
#include "paths.h"

#include <carom/modelfile.h>

/// Option rows that several subcommands share.
#define CAROM_JOB_MODEL_ROWS                                                                       \
    CAROM_ACCESS_ROWS,                                                                             \
        {"set", 0, "NAME=VALUE", true, "change a parameter, and all that depends on it"},          \
        {"start-file", 0, "FILE", false, "start values from a file ('carom equilibrium -o')"},     \
    {                                                                                              \
        "start", 0, "NAME=VALUE", true, "start value (x=0.1) or start rate (der_x=-1)"             \
    }
#define CAROM_JOB_START_ROWS                                                                       \
    {"allow-penetration", 0, NULL, false, "start also where a contact is deep to begin with"},     \
    {                                                                                              \
        "allow-unstable", 0, NULL, false,                                                          \
            "run explicit schemes also with steps too long for beams"                              \
    }
#define CAROM_JOB_STRICT_ROWS                                                                      \
    {                                                                                              \
        "strict", 0, NULL, false, "every warning makes the exit code 1"                            \
    }
#define CAROM_JOB_RUN_ROWS                                                                         \
    {"solver", 0, "S", false, "contact solver ('carom list solvers')"},                            \
        {"step", 0, "H", false, "time step [s], or 'auto': as the tolerance allows"},              \
        {"tolerance", 0, "TOL", false, "relative tolerance, for adaptive steps and --step auto"},  \
        {"end", 0, "T", false, "end time [s]"},                                                    \
        {"native", 0, NULL, false, "compile the model with the system's C compiler ($CC or cc)"},  \
    {                                                                                              \
        "option", 0, "NAME=VALUE", true, "option of the scheme; of the solver: solver.NAME=VALUE"  \
    }
#define CAROM_JOB_LIMIT_ROWS                                                                       \
    {"max-penetration", 0, "X", false, "limit on the depth of any contact [m]"},                   \
        {"max-drift", 0, "X", false, "limit on the violation of any constraint"},                  \
    {                                                                                              \
        "max-energy-error", 0, "X", false, "limit on the numerical energy error [J]"               \
    }

/// Audit limits; infinity = off.
typedef struct carom_audit_limits {
    double penetration, drift, energy_error;
} carom_audit_limits;

typedef struct carom_kept carom_kept; ///< texts and settings that live as long as the job

typedef struct carom_job {
    const carom_arguments *arguments;
    char path[CAROM_PATH_ROOM]; ///< of the model file
    carom_modelfile *file;
    carom_model *model;
    carom_sim_options options; ///< made by carom_job_plan
    carom_audit_limits limits;
    carom_granted granted; ///< what the file may do
    double seconds;        ///< processor time to read the file and derive the model
    bool has_told_native;  ///< said once why the model is not compiled
    bool has_told_wish;    ///< said once that the file asks for more than the user
    int n_warning;         ///< said so far
    carom_kept *kept;
} carom_job;

/// Reads the model named by the first word, with --set and --start. Returns the exit code; errors
/// are said.
int carom_job_open(carom_job *job, const carom_arguments *arguments);
void carom_job_close(carom_job *job);

/// How strict carom_job_plan is.
typedef enum carom_plan_kind {
    CAROM_PLAN_WHOLE, ///< all that a run needs must be there
    CAROM_PLAN_PART,  ///< step and end may be missing (0)
    CAROM_PLAN_MANY,  ///< the scheme is one of several: --option goes to those that have it
    CAROM_PLAN_STUDY  ///< as MANY; step and tolerance are the caller's, whatever the file says
} carom_plan_kind;
/// Fills job->options. scheme (NULL: from --scheme, or the file) as named by the user.
carom_status carom_job_plan(carom_job *job, const char *scheme, carom_plan_kind kind,
                            carom_error *error);

/// A simulation of job->model with job->options; says on a terminal that it compiles.
carom_status carom_job_new_sim(const carom_job *job, carom_sim **sim, carom_error *error);
/// The same. A refusal names the model file, or the option.
carom_status carom_job_simulation(const carom_job *job, carom_sim **sim, carom_error *error);

/// Says a warning, and counts it for --strict.
void carom_job_warn(carom_job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The warnings of the model, said once, before it runs.
void carom_job_warn_of_model(carom_job *job);
/// The exit code with --strict: 1 instead of 0 where something was warned of.
int carom_job_strict_code(const carom_job *job, int code);

/// Prints what assembling has changed of the start, where there is anything to be said.
void carom_job_print_assembled(const carom_job *job);

/// Says once why the model was not compiled, where that was asked for; why is "" where it was.
void carom_job_tell_native(carom_job *job, const char *why);

/// The expression given to an option, which must be at least low (not: equal, with is_open);
/// fallback if not given.
typedef struct carom_bound {
    double low;
    bool is_open;
} carom_bound;
carom_status carom_job_number(carom_job *job, const char *option, carom_bound bound, double *value,
                              carom_error *error);

/// Splits "NAME=VALUE" given to an option; texts live as long as the job, places
/// say "--option NAME".
carom_status carom_job_setting(carom_job *job, const char *option, const char *text,
                               carom_setting *setting, carom_error *error);

/// What was given to an option, with a place that says where; lives as long as the job.
carom_text carom_job_text(carom_job *job, const char *option, const char *text);

/// The row called name, or NULL; rows may be NULL.
const carom_option *carom_job_option_row(const carom_option *rows, const char *name);
/// The solver called name, or NULL.
const carom_solver_facts *carom_job_solver(const char *name);
/// Whether --step and --tolerance clash (said): both are right with --step auto only.
bool carom_job_steps_clash(const carom_arguments *arguments);
/// Whether a setting is one of step control (atol, min_step, ..., atol.NAME).
bool carom_job_is_control(const char *name);
/// The scheme called by text, or an error that names the nearest.
carom_status carom_job_scheme(carom_text text, const carom_scheme **scheme, carom_error *error);

#endif
