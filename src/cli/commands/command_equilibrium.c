// SPDX-License-Identifier: Apache-2.0
// carom equilibrium: a position in which the model rests, and the forces that hold it there.
#include "job.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"
#include "written.h"

#include <carom/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rest {
    carom_job job;
    carom_equilibrium found;
    carom_sizes size;
} rest;

// along slip k; the rows of an ellipse are measured as its first slip
static double friction_along(const rest *r, const carom_contact_facts *facts, int k)
{
    return r->found.la[facts->row + k] * (k == 2 && facts->ratio > 0 ? facts->ratio : 1);
}

static double friction_of(const rest *r, const carom_contact_facts *facts)
{
    double sum = 0;
    for (int k = 1; k <= facts->n_slip; k++) sum = hypot(sum, friction_along(r, facts, k));
    return sum;
}

// of a contact
static const char *state_of(const rest *r, const carom_contact_facts *facts, int contact)
{
    const double N = r->found.la[facts->row], mu = r->found.friction[contact];
    if (!(N > 0)) return "open";
    if (facts->n_slip == 0 || mu == 0) return "closed";
    double used = 0;
    for (int k = 1; k <= facts->n_slip; k++) used = hypot(used, r->found.la[facts->row + k]);
    return used < mu * N * (1 - 1e-9) ? "sticks" : "at its limit";
}

static const char *verdict_of(const carom_equilibrium *found)
{
    if (isnan(found->softest)) return "not known";
    if (found->n_free == 0) return "held in all directions";
    return found->softest > 0 ? "stable" : found->softest < 0 ? "unstable" : "neutral";
}

static void print_positions(const rest *r)
{
    const carom_model *model = r->job.model;
    const double *start = carom_model_start_q(model);
    printf("\n%-20s %18s %18s\n", "coordinate", "start", "at rest");
    for (int i = 0; i < r->size.nq; i++)
        printf("%-20s %18.10g %18.10g\n", CAROM_PLAIN(carom_model_coordinate_name(model, i)),
               start[i], r->found.q[i]);
}

static void print_forces(const rest *r)
{
    const carom_model *model = r->job.model;
    if (r->size.n_constraint > 0) printf("\n%-20s %18s\n", "constraint", "force");
    for (int i = 0; i < r->size.n_constraint; i++)
        printf("%-20s %18.10g\n", CAROM_PLAIN(carom_model_constraint_name(model, i)),
               r->found.la[i]);
    if (r->size.n_contact > 0)
        printf("\n%-20s %14s %18s %18s  %s\n", "contact", "gap", "normal", "friction", "state");
    for (int i = 0; i < r->size.n_contact; i++) {
        const carom_contact_facts *facts = carom_model_contact(model, i);
        printf("%-20s %14.6g %18.10g %18.10g  %s\n", CAROM_PLAIN(facts->name), r->found.gap[i],
               r->found.la[facts->row], friction_of(r, facts), state_of(r, facts, i));
    }
}

static void print_rest(const rest *r)
{
    const carom_equilibrium *found = &r->found;
    printf("model          %s\n", CAROM_PLAIN(carom_model_name(r->job.model)));
    carom_job_print_assembled(&r->job);
    printf("rest           found in %d passes, a share of %.3g of the forces is left\n",
           found->passes, found->residual);
    printf("stability      %s", verdict_of(found));
    if (found->n_free > 0)
        printf(" (softest of %d free directions: %.6g 1/s2)", found->n_free, found->softest);
    putchar('\n');
    print_positions(r);
    print_forces(r);
}

static void put_contacts(const rest *r, carom_json *json)
{
    carom_json_begin(json, "contacts", '{');
    for (int i = 0; i < r->size.n_contact; i++) {
        const carom_contact_facts *facts = carom_model_contact(r->job.model, i);
        carom_json_begin(json, facts->name, '{');
        carom_json_number(json, "gap", r->found.gap[i]);
        carom_json_number(json, "normal", r->found.la[facts->row]);
        carom_json_begin(json, "friction", '[');
        for (int k = 1; k <= facts->n_slip; k++)
            carom_json_number(json, NULL, friction_along(r, facts, k));
        carom_json_end(json);
        carom_json_text(json, "state", state_of(r, facts, i));
        carom_json_end(json);
    }
    carom_json_end(json);
}

static bool write_json(const rest *r, const char *path)
{
    carom_json json;
    const carom_model *model = r->job.model;
    if (!path) return true;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "model", carom_model_name(model));
    carom_json_text(&json, "version", carom_version());
    carom_json_count(&json, "passes", r->found.passes);
    carom_json_number(&json, "residual", r->found.residual);
    carom_json_text(&json, "stability", verdict_of(&r->found));
    carom_json_number(&json, "softest", r->found.softest);
    carom_json_count(&json, "free", r->found.n_free);
    carom_json_begin(&json, "q", '{');
    for (int i = 0; i < r->size.nq; i++)
        carom_json_number(&json, carom_model_coordinate_name(model, i), r->found.q[i]);
    carom_json_end(&json);
    carom_json_begin(&json, "constraints", '{');
    for (int i = 0; i < r->size.n_constraint; i++)
        carom_json_number(&json, carom_model_constraint_name(model, i), r->found.la[i]);
    carom_json_end(&json);
    put_contacts(r, &json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

// names may hold anything: 'it''s'
static void put_quoted(FILE *file, const char *name)
{
    fputc('\'', file);
    for (; *name; name++) {
        if (*name == '\'') fputc('\'', file);
        fputc(*name, file);
    }
    fputs("'", file);
}

// the start of a run from rest, for --start-file
static bool write_start(const rest *r, const char *path)
{
    const carom_model *model = r->job.model;
    char *text = NULL;
    size_t size = 0;
    if (!path) return true;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        fputs("# a rest found by carom equilibrium, for carom run MODEL --start-file\n", file);
        for (int i = 0; i < r->size.nq; i++) {
            put_quoted(file, carom_model_coordinate_name(model, i));
            fprintf(file, ": %.17g\n", r->found.q[i]);
        }
        for (int i = 0; i < r->size.nu; i++) {
            put_quoted(file, carom_model_velocity_name(model, i));
            fputs(": 0\n", file);
        }
    }
    const bool is_made = file && fclose(file) == 0 && text;
    if (!is_made) carom_message_error("memory ran out");
    const bool is_good = is_made && carom_written_whole(path, text);
    free(text);
    return is_good;
}

// files that would overwrite each other or cannot be written are said before the work
static bool paths_are_good(const rest *r, const char *start, const char *json)
{
    const char *const path[] = {start, json};
    for (int i = 0; i < 2; i++) {
        if (!path[i] || (i == 1 && strcmp(path[i], "-") == 0)) continue;
        if (carom_paths_are_same(path[i], r->job.path) ||
            (i == 1 && start && carom_paths_are_same(start, json))) {
            carom_message_error("carom equilibrium: '%s' is given twice", path[i]);
            return false;
        }
        if (!carom_paths_is_writable(path[i])) return false;
    }
    return true;
}

static int find_rest(rest *r, const carom_arguments *arguments)
{
    carom_error error = {0};
    const char *start = carom_arguments_value(arguments, "output");
    const char *json = carom_arguments_value(arguments, "json");
    if (!paths_are_good(r, start, json)) return CAROM_EXIT_USAGE;
    r->size = carom_model_sizes(r->job.model);
    const carom_status status = carom_equilibrium_find(r->job.model, &r->found, &error);
    if (status != CAROM_OK) {
        carom_message_error("%s: %s", r->job.path, error.message);
        return status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
    }
    const bool is_quiet = carom_arguments_value(arguments, "quiet") != NULL;
    if (!is_quiet && !(json && strcmp(json, "-") == 0)) print_rest(r);
    const bool is_written = write_json(r, json);
    return write_start(r, start) && is_written ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}

static int equilibrium(const carom_arguments *arguments)
{
    rest r = {0};
    int code = carom_job_open(&r.job, arguments);
    if (code == 0) code = find_rest(&r, arguments);
    carom_equilibrium_free(&r.found);
    carom_job_close(&r.job);
    return code;
}

static const carom_argument rows[] = {
    {"output", 'o', "FILE", false, "write the rest as start values, for carom run --start-file"},
    {"json", 0, "FILE|-", false, "write positions and forces as JSON"},
    CAROM_JOB_MODEL_ROWS,
    {"quiet", 'q', NULL, false, "print nothing"},
    {0},
};

const carom_command carom_command_equilibrium = {
    .name = "equilibrium",
    .usage = "MODEL.yaml [-o START.yaml] [options]",
    .brief = "find a position of rest",
    .about = "Finds a position in which the model rests at t = 0, from its start, and prints it "
             "with the\n"
             "forces of constraints and contacts. Velocities of the start do not count; friction "
             "holds what\n"
             "it can. The stability is that of the directions that nothing holds.\n"
             "\n"
             "exit code: 0 found, 1 there is no rest or none was found, 2 wrong usage or model.",
    .argument = rows,
    .run = equilibrium,
};
