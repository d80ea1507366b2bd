// SPDX-License-Identifier: Apache-2.0
// carom compare MODEL --schemes a,b,c: one model, one table. A scheme that refuses the model gives
// its reason in the table; the others go on.
#include "commands/command_compare.h"
#include "job.h"
#include "result.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "terminal/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TOGETHER = 4, CELL = 20, MOST_SCHEMES = 64, MOST_COORDINATES = 24 };

typedef struct trial {
    const carom_scheme *scheme;
    carom_sim *sim;      // NULL = refused
    carom_result result; // where sim
    carom_error error;   // reason of a refusal or of a run that stopped
} trial;

typedef struct comparison {
    carom_job job;
    trial *trial;
    int n;
    const trial *reference; // NULL = not asked for
} comparison;

static int add_scheme(comparison *c, const char *name, size_t length, const char *option)
{
    char text[64];
    carom_error error = {0};
    if (length >= sizeof text) length = sizeof text - 1;
    memcpy(text, name, length);
    text[length] = 0;
    const carom_text named = {text, {.file = option}};
    trial *last = &c->trial[c->n];
    if (c->n == MOST_SCHEMES) {
        carom_message_error("%s: at most %d at a time", option, MOST_SCHEMES);
        return CAROM_EXIT_USAGE;
    }
    if (carom_job_scheme(named, &last->scheme, &error) != CAROM_OK) {
        carom_message_error("%s", error.message);
        return CAROM_EXIT_USAGE;
    }
    c->n++;
    return 0;
}

static int read_schemes(comparison *c, const char *text)
{
    int code = 0;
    if (strcmp(text, "all") == 0) {
        for (int i = 0; i < carom_scheme_count() && code == 0; i++) {
            const char *name = carom_scheme_at(i)->name;
            code = add_scheme(c, name, strlen(name), "--schemes");
        }
        return code;
    }
    while (code == 0) {
        const size_t length = strcspn(text, ",");
        code = add_scheme(c, text, length, "--schemes");
        if (!text[length]) break;
        text += length + 1;
    }
    return code;
}

// --reference S: one of the schemes, or one more
static int read_reference(comparison *c, const char *text)
{
    int code = 0;
    if (!text) return 0;
    for (int k = 0; k < 2 && code == 0; k++) {
        for (int i = 0; i < c->n; i++)
            if (strcmp(c->trial[i].scheme->name, text) == 0) c->reference = &c->trial[i];
        if (c->reference) return 0;
        code = add_scheme(c, text, strlen(text), "--reference");
    }
    return code;
}

// an option must be known to at least one of the schemes, or to the solver
static int check_options(comparison *c)
{
    int position = 0;
    const char *text;
    while ((text = carom_arguments_next(c->job.arguments, "option", &position))) {
        carom_setting setting;
        carom_error error = {0};
        if (carom_job_setting(&c->job, "option", text, &setting, &error) != CAROM_OK) {
            carom_message_error("%s", error.message);
            return CAROM_EXIT_USAGE;
        }
        const char *name = setting.name.text;
        const char *solver = carom_arguments_value(c->job.arguments, "solver");
        const carom_solver_facts *facts = carom_job_solver(solver ? solver : "auto");
        const bool is_of_solver = strncmp(name, "solver.", 7) == 0;
        bool is_known = is_of_solver && facts && carom_job_option_row(facts->option, name + 7);
        is_known |= carom_job_is_control(name);
        for (int i = 0; i < c->n && !is_of_solver; i++)
            if (carom_job_option_row(c->trial[i].scheme->option, name)) is_known = true;
        if (is_known) continue;
        carom_message_error("--option %s: no scheme of these%s has this option; 'carom list "
                            "schemes' shows all",
                            name, is_of_solver ? ", and no solver," : "");
        return CAROM_EXIT_USAGE;
    }
    return 0;
}

// runs one scheme; false = stop everything
static bool run_trial(comparison *c, trial *t)
{
    carom_progress progress;
    if (carom_job_plan(&c->job, t->scheme->name, CAROM_PLAN_MANY, &t->error) != CAROM_OK ||
        carom_job_new_sim(&c->job, &t->sim, &t->error) != CAROM_OK)
        return true;
    const char *why;
    carom_sim_native(t->sim, &why);
    carom_job_tell_native(&c->job, why);
    carom_progress_start(&progress, t->scheme->name,
                         carom_arguments_value(c->job.arguments, "quiet") != NULL);
    carom_sim_set_watch(t->sim, carom_progress_watch(&progress));
    const carom_status run = carom_sim_run(t->sim, &t->error);
    const bool is_told_to_stop = carom_progress_end(&progress) != 0;
    if (!carom_result_take(&t->result, &c->job, t->sim, run)) return false;
    return !is_told_to_stop;
}

// ---- table: a row for each quantity, a column for each scheme ----

typedef double quantity(const trial *t, int i);

static double end_time(const trial *t, int i)
{
    (void)i;
    return carom_sim_state(t->sim)->t;
}

static double position(const trial *t, int i)
{
    return carom_sim_state(t->sim)->q[i];
}

static double rate(const trial *t, int i)
{
    return carom_sim_state(t->sim)->u[i];
}

static double audit_number(const trial *t, int i)
{
    const carom_audit *a = &t->result.audit;
    const double value[] = {a->energy_end, a->min_gap,     a->max_drift,     a->residual,
                            a->work,       a->impact_loss, a->friction_loss, a->energy_error};
    return value[i];
}

static double count(const trial *t, int i)
{
    const carom_counts *n = &t->result.counts;
    return (double)(i == 0 ? n->steps : i == 1 ? n->events : n->unconverged);
}

static double step_time(const trial *t, int i)
{
    (void)i;
    return carom_result_step_time(&t->result);
}

typedef struct columns {
    const trial *const *trial;
    int n;
    const trial *reference; // NULL = none
} columns;

static double largest_difference(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// largest difference of a coordinate, or of a rate, from the reference at the end
static double distance(const trial *t, const trial *reference, bool is_rate)
{
    const carom_state *a = carom_sim_state(t->sim), *b = carom_sim_state(reference->sim);
    const carom_sizes n = t->result.size;
    return is_rate ? largest_difference(a->u, b->u, n.nu) : largest_difference(a->q, b->q, n.nq);
}

static void print_distances(columns c)
{
    for (int k = 0; k < 2; k++) {
        printf("%-20s", k ? "off in rates" : "off the reference");
        for (int i = 0; i < c.n; i++)
            printf(" %*.4g", CELL, distance(c.trial[i], c.reference, k > 0));
        putchar('\n');
    }
}

static void print_row(columns c, const char *name, quantity *value, int i)
{
    printf("%-20s", CAROM_PLAIN(name));
    for (int k = 0; k < c.n; k++) printf(" %*.11g", CELL, value(c.trial[k], i));
    putchar('\n');
}

static void print_words(columns c)
{
    printf("%-20s", "");
    for (int k = 0; k < c.n; k++) printf(" %*s", CELL, c.trial[k]->scheme->name);
    printf("\n%-20s", "status");
    for (int k = 0; k < c.n; k++) printf(" %*s", CELL, c.trial[k]->result.status);
    putchar('\n');
}

static void print_columns(columns c, const carom_model *model)
{
    static const char *const audit[] = {"energy", "smallest gap", "largest drift", "residual",
                                        "work",   "impact loss",  "friction loss", "energy error"};
    static const char *const counts[] = {"steps", "events", "unconverged"};
    const int n = carom_model_sizes(model).nq;
    const int shown = n < MOST_COORDINATES ? n : MOST_COORDINATES;
    print_words(c);
    print_row(c, "t", end_time, 0);
    for (int i = 0; i < shown; i++)
        print_row(c, carom_model_coordinate_name(model, i), position, i);
    for (int i = 0; i < shown && i < carom_model_sizes(model).nu; i++)
        print_row(c, carom_model_velocity_name(model, i), rate, i);
    if (c.reference && c.reference->result.status) print_distances(c);
    if (shown < n) printf("(%d more coordinates: --json shows all)\n", n - shown);
    for (int i = 0; i < 8; i++) print_row(c, audit[i], audit_number, i);
    for (int i = 0; i < 3; i++) print_row(c, counts[i], count, i);
    print_row(c, "us per step", step_time, 0);
}

static void print_table(const comparison *c)
{
    const trial *together[N_TOGETHER];
    int n = 0;
    printf("model %s\n\n", CAROM_PLAIN(carom_model_name(c->job.model)));
    for (int i = 0; i < c->n; i++) {
        if (c->trial[i].result.status) together[n++] = &c->trial[i];
        if (n == 0 || (n < N_TOGETHER && i + 1 < c->n)) continue;
        print_columns((columns){together, n, c->reference}, c->job.model);
        putchar('\n');
        n = 0;
    }
    for (int i = 0; i < c->n; i++)
        if (!c->trial[i].sim && c->trial[i].error.status)
            printf("%s: not run: %s\n", c->trial[i].scheme->name,
                   CAROM_PLAIN(c->trial[i].error.message));
}

static bool write_json(const comparison *c, const char *path)
{
    carom_json json;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "model", carom_model_name(c->job.model));
    carom_json_text(&json, "version", carom_version());
    carom_json_begin(&json, "runs", '[');
    for (int i = 0; i < c->n; i++) {
        const trial *t = &c->trial[i];
        carom_json_begin(&json, NULL, '{');
        if (t->result.status) {
            carom_result_json(&t->result, &json);
            carom_json_number(&json, "us_per_step", carom_result_step_time(&t->result));
            if (c->reference && c->reference->result.status) {
                carom_json_number(&json, "off_reference", distance(t, c->reference, false));
                carom_json_number(&json, "off_in_rates", distance(t, c->reference, true));
            }
        } else {
            carom_json_text(&json, "scheme", t->scheme->name);
            carom_json_text(&json, "status", t->error.status ? "refused" : "stopped");
        }
        if (t->error.status) carom_json_text(&json, "message", t->error.message);
        carom_json_end(&json);
    }
    carom_json_end(&json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

static int conclude_comparison(comparison *c, bool has_table)
{
    int n_run = 0, n_bad = 0;
    for (int i = 0; i < c->n; i++) {
        const trial *t = &c->trial[i];
        char lead[96];
        snprintf(lead, sizeof lead, "%s: ", t->scheme->name);
        if (!t->result.status) {
            if (t->error.status && !has_table)
                carom_job_warn(&c->job, "%s%s", lead, t->error.message);
            continue;
        }
        n_run++;
        n_bad += !carom_result_is_good(&t->result);
        if (t->result.run != CAROM_OK) carom_message_error("%s%s", lead, t->error.message);
        carom_result_complain(&t->result, &c->job, lead);
    }
    if (n_run > 0) return n_bad ? CAROM_EXIT_AUDIT : CAROM_EXIT_DONE;
    carom_message_error("carom compare: none of the schemes takes this model");
    return CAROM_EXIT_USAGE;
}

static int perform_comparison(comparison *c)
{
    const carom_arguments *arguments = c->job.arguments;
    const char *json = carom_arguments_value(arguments, "json");
    int code = read_schemes(c, carom_arguments_value(arguments, "schemes"));
    if (code == 0) code = read_reference(c, carom_arguments_value(arguments, "reference"));
    if (code == 0) code = check_options(c);
    if (code) return code;
    carom_job_warn_of_model(&c->job);
    for (int i = 0; i < c->n; i++)
        if (!run_trial(c, &c->trial[i])) break;
    const bool is_quiet = carom_arguments_value(arguments, "quiet") != NULL;
    const bool has_table = !is_quiet && !(json && strcmp(json, "-") == 0);
    if (has_table) print_table(c);
    code = conclude_comparison(c, has_table);
    if (json && !write_json(c, json) && code == 0) code = CAROM_EXIT_AUDIT;
    return carom_job_strict_code(&c->job, code);
}

int carom_compare_schemes(const carom_arguments *arguments)
{
    comparison c = {0};
    if (carom_job_steps_clash(arguments)) return CAROM_EXIT_USAGE;
    c.trial = calloc(MOST_SCHEMES + 1, sizeof *c.trial);
    int code = CAROM_EXIT_AUDIT;
    if (c.trial) {
        code = carom_job_open(&c.job, arguments);
        if (code == 0) code = perform_comparison(&c);
        for (int i = 0; i < c.n; i++) {
            carom_result_free(&c.trial[i].result);
            carom_sim_free(c.trial[i].sim);
        }
        carom_job_close(&c.job);
    } else {
        carom_message_error("memory ran out");
    }
    free(c.trial);
    return code;
}
