// SPDX-License-Identifier: Apache-2.0
// carom list: what there is to choose from. Everything shown comes from the tables and the model
// files.
#include "access.h"
#include "arguments.h"
#include "paths.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <carom/bodies.h>
#include <carom/modelfile.h>
#include <carom/reproduce.h>
#include <carom/shapes.h>
#include <carom/sim.h>

#include <math.h>
#include <string.h>

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static void print_options(const carom_option *row, const char *prefix)
{
    for (; row && row->name; row++) {
        char about[160] = "";
        if (row->kind == CAROM_CHOICE)
            snprintf(about, sizeof about, "%s", row->choices);
        else if (row->kind == CAROM_SWITCH)
            snprintf(about, sizeof about, "%s", row->fallback != 0 ? "true" : "false");
        else
            snprintf(about, sizeof about, "%g, from %g to %g", row->fallback, row->low, row->high);
        printf("      --option %s%s (%s): %s\n", prefix, row->name, about, row->help);
    }
}

// the word with this index in "a|b|c"
static void put_choice(carom_json *json, const char *choices, int index)
{
    char word[64];
    for (; index > 0 && strchr(choices, '|'); index--) choices = strchr(choices, '|') + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(choices, "|"), choices);
    carom_json_text(json, "default", word);
}

static void put_options(carom_json *json, const carom_option *row)
{
    static const char *const kind[] = {"real", "integer", "switch", "choice"};
    carom_json_begin(json, "options", '[');
    for (; row && row->name; row++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", row->name);
        carom_json_text(json, "kind", kind[row->kind]);
        if (row->kind == CAROM_CHOICE) {
            put_choice(json, row->choices, (int)row->fallback);
            carom_json_text(json, "choices", row->choices);
        } else if (row->kind == CAROM_SWITCH) {
            carom_json_switch(json, "default", row->fallback != 0);
        } else {
            carom_json_number(json, "default", row->fallback);
            carom_json_number(json, "low", row->low);
            carom_json_number(json, "high", row->high);
        }
        carom_json_text(json, "help", row->help);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void list_schemes(void)
{
    printf("%-28s %-8s %-13s %-9s %-10s %-9s %s\n", "scheme", "order", "level", "friction",
           "bilateral", "implicit", "cost");
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *s = carom_scheme_at(i);
        char order[32], cost[32] = "-";
        if (s->has_contact)
            snprintf(order, sizeof order, "%d/%d", s->order_free, s->order_contact);
        else
            snprintf(order, sizeof order, "%d/-", s->order_free);
        if (s->cost > 0) snprintf(cost, sizeof cost, "%.1f", s->cost);
        printf("%-28s %-8s %-13s %-9s %-10s %-9s %s\n", s->name, order, s->level ? s->level : "-",
               yes_no(s->has_friction), yes_no(s->has_bilateral), yes_no(s->is_implicit), cost);
        printf("    %s\n", s->about);
        print_options(s->option, "");
    }
    puts("\norder: in free flight / with contact. level: where gaps and constraints are kept (what "
         "is kept on\n"
         "velocity level drifts). cost: time per step on the slider-crank over that of "
         "moreau_midpoint.");
}

static void put_schemes(carom_json *json)
{
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *s = carom_scheme_at(i);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", s->name);
        carom_json_text(json, "about", s->about);
        carom_json_text(json, "reference", s->reference);
        carom_json_count(json, "order_free", s->order_free);
        carom_json_count(json, "order_contact", s->order_contact);
        carom_json_text(json, "level", s->level);
        carom_json_number(json, "cost", s->cost > 0 ? s->cost : NAN);
        carom_json_switch(json, "friction", s->has_friction);
        carom_json_switch(json, "bilateral", s->has_bilateral);
        carom_json_switch(json, "contact", s->has_contact);
        carom_json_switch(json, "implicit", s->is_implicit);
        carom_json_switch(json, "adaptive", s->is_adaptive);
        carom_json_switch(json, "auto_step", s->can_vary_step);
        put_options(json, s->option);
        carom_json_end(json);
    }
}

static void list_solvers(void)
{
    printf("%-14s %-9s %-10s %-6s %s\n", "solver", "friction", "bilateral", "discs", "rows");
    for (int i = 0; i < carom_solver_count(); i++) {
        const carom_solver_facts *s = carom_solver_at(i);
        char most[32] = "any";
        if (s->max_row > 0) snprintf(most, sizeof most, "up to %d", s->max_row);
        printf("%-14s %-9s %-10s %-6s %s\n    %s\n", s->name, yes_no(s->takes_friction),
               yes_no(s->takes_bilateral),
               s->takes_loaded  ? "yes"
               : s->takes_discs ? "given"
                                : "no",
               most, s->about);
        print_options(s->option, "solver.");
    }
}

static void put_solvers(carom_json *json)
{
    for (int i = 0; i < carom_solver_count(); i++) {
        const carom_solver_facts *s = carom_solver_at(i);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", s->name);
        carom_json_text(json, "about", s->about);
        carom_json_switch(json, "friction", s->takes_friction);
        carom_json_switch(json, "bilateral", s->takes_bilateral);
        carom_json_switch(json, "discs", s->takes_discs);
        carom_json_switch(json, "loaded_discs", s->takes_loaded);
        carom_json_count(json, "max_row", s->max_row);
        put_options(json, s->option);
        carom_json_end(json);
    }
}

/// What a listing goes to, and what the files it reads may ask for.
typedef struct listing {
    carom_json *json; // NULL = a table of text
    carom_granted granted;
} listing;

static void show_model(void *self, const char *name, const char *path)
{
    const listing *to = self;
    carom_json *json = to->json;
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    if (carom_modelfile_read_with(path, &to->granted.access, &file, &error) == CAROM_OK)
        (void)carom_builder_finish(carom_modelfile_builder(file), &model, &error);
    const char *about = model ? carom_model_about(model) : error.message;
    const char *source = model ? carom_model_source(model) : NULL;
    if (json) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", name);
        carom_json_text(json, "path", path);
        carom_json_text(json, model ? "about" : "error", about);
        if (model) carom_json_text(json, "source", source);
        carom_json_end(json);
    } else {
        printf("%-24s %s%s\n", CAROM_PLAIN(name), model ? "" : "not valid: ", CAROM_PLAIN(about));
    }
    carom_model_free(model);
    carom_modelfile_free(file);
}

static void list_models(listing *to)
{
    carom_paths_each_model(show_model, to);
}

static void show_paper(void *self, const char *name, const char *path)
{
    carom_json *json = ((const listing *)self)->json;
    carom_error error = {0};
    carom_paper *paper = NULL;
    (void)carom_paper_read(path, &paper, &error);
    const char *title = paper ? carom_paper_title(paper) : error.message;
    const int n_claim = paper ? carom_paper_n_claim(paper) : 0;
    if (json) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", name);
        carom_json_text(json, "path", path);
        carom_json_text(json, paper ? "title" : "error", title);
        carom_json_count(json, "claims", n_claim);
        carom_json_end(json);
    } else {
        printf("%-12s %3d claims  %s%s\n", CAROM_PLAIN(name), n_claim,
               paper ? "" : "not valid: ", CAROM_PLAIN(title));
    }
    carom_paper_free(paper);
}

static void list_papers(listing *to)
{
    carom_paths_each_paper(NULL, show_paper, to);
}

// what a measure needs besides its run
static const char *needs(const carom_measure_facts *m)
{
    if (m->needs_time) return "column, time";
    if (m->needs_limit) return "column, limit";
    if (m->takes_many) return "columns";
    return m->needs_column ? "column" : "";
}

static void list_measures(void)
{
    printf("%-14s %-14s %s\n", "take", "needs", "what it is");
    for (int i = 0; i < carom_measure_count(); i++) {
        const carom_measure_facts *m = carom_measure_at(i);
        printf("%-14s %-14s %s\n", m->name, needs(m), m->about);
    }
    printf("%-14s %-14s %s\n", "error, order", "scheme, step", "of one run of a study");
}

static void put_measures(carom_json *json)
{
    for (int i = 0; i < carom_measure_count(); i++) {
        const carom_measure_facts *m = carom_measure_at(i);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", m->name);
        carom_json_text(json, "needs", needs(m));
        carom_json_text(json, "about", m->about);
        carom_json_end(json);
    }
}

static void list_limits(void)
{
    printf("%-16s %10s  %s\n", "limit", "default", "what it bounds (--limit NAME=N, or NAME=none)");
    for (int i = 0; i < carom_limit_count(); i++) {
        const carom_limit_facts f = carom_limit_at(i);
        printf("%-16s %10.10g  %s\n", f.name, f.fallback, f.about);
    }
}

static void put_limits(carom_json *json)
{
    for (int i = 0; i < carom_limit_count(); i++) {
        const carom_limit_facts f = carom_limit_at(i);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", f.name);
        carom_json_number(json, "default", f.fallback);
        carom_json_text(json, "about", f.about);
        carom_json_end(json);
    }
}

typedef const carom_fitting_facts *fitting_at(int i);

static void list_fittings(fitting_at *at)
{
    for (int i = 0; at(i); i++) {
        printf("%-14s %s\n    {%s}\n", at(i)->name, at(i)->about, at(i)->example);
        for (const carom_word_facts *word = at(i)->word; word->key; word++)
            printf("      %-28s %s\n", word->example, word->about);
    }
}

static void put_fittings(carom_json *json, fitting_at *at)
{
    for (int i = 0; at(i); i++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", at(i)->name);
        carom_json_text(json, "about", at(i)->about);
        carom_json_text(json, "example", at(i)->example);
        carom_json_begin(json, "words", '[');
        for (const carom_word_facts *word = at(i)->word; word->key; word++) {
            carom_json_begin(json, NULL, '{');
            carom_json_text(json, "name", word->key);
            carom_json_text(json, "example", word->example);
            carom_json_text(json, "about", word->about);
            carom_json_end(json);
        }
        carom_json_end(json);
        carom_json_end(json);
    }
}

static void list_joints(void)
{
    list_fittings(carom_joint_at);
}

static void put_joints(carom_json *json)
{
    put_fittings(json, carom_joint_at);
}

static void list_elements(void)
{
    list_fittings(carom_element_at);
}

static void put_elements(carom_json *json)
{
    put_fittings(json, carom_element_at);
}

static void list_shapes(void)
{
    list_fittings(carom_shape_at);
}

static void put_shapes(carom_json *json)
{
    put_fittings(json, carom_shape_at);
}

typedef struct kind {
    const char *name;
    void (*print)(void);           // from the tables of the library
    void (*put)(carom_json *json); // the same as JSON
    void (*files)(listing *to);    // from files, as either
} kind;

static const kind kinds[] = {
    {"schemes", list_schemes, put_schemes, NULL},
    {"solvers", list_solvers, put_solvers, NULL},
    {"models", NULL, NULL, list_models},
    {"papers", NULL, NULL, list_papers},
    {"measures", list_measures, put_measures, NULL},
    {"limits", list_limits, put_limits, NULL},
    {"joints", list_joints, put_joints, NULL},
    {"elements", list_elements, put_elements, NULL},
    {"shapes", list_shapes, put_shapes, NULL},
};
enum { N_KIND = sizeof kinds / sizeof kinds[0] };

static void show_json(const kind *found, listing *to)
{
    carom_json json;
    carom_json_open(&json, "-");
    carom_json_begin(&json, NULL, '[');
    to->json = &json;
    if (found->files)
        found->files(to);
    else
        found->put(&json);
    carom_json_end(&json);
    carom_json_close(&json);
}

static int list(const carom_arguments *arguments)
{
    const kind *found = NULL;
    for (int i = 0; i < N_KIND && arguments->n_word == 1; i++)
        if (strcmp(arguments->word[0], kinds[i].name) == 0) found = &kinds[i];
    if (!found) {
        carom_message_error("carom list: say what to list: schemes, solvers, models, papers, "
                            "measures, limits, joints, elements or shapes%s%s%s",
                            arguments->n_word ? " (not '" : "",
                            arguments->n_word ? arguments->word[arguments->n_word - 1] : "",
                            arguments->n_word ? "')" : "");
        return CAROM_EXIT_USAGE;
    }
    listing to = {0};
    const bool is_good = carom_granted_read(&to.granted, arguments);
    if (is_good && carom_arguments_value(arguments, "json"))
        show_json(found, &to);
    else if (is_good && found->files)
        found->files(&to);
    else if (is_good)
        found->print();
    carom_granted_free(&to.granted);
    return is_good ? CAROM_EXIT_DONE : CAROM_EXIT_USAGE;
}

static const carom_argument rows[] = {
    {"json", 0, NULL, false, "print JSON"},
    {0},
};

const carom_command carom_command_list = {
    .name = "list",
    .usage = "schemes|solvers|models|papers|measures|limits|joints|elements|shapes [--json]",
    .brief = "list schemes, contact solvers, models, papers or limits",
    .about =
        "Lists the time integrators or contact solvers with their options, or the models found in\n"
        "the folders of $CAROM_MODELS, in ./models and beside the command; the papers that 'carom\n"
        "reproduce' runs ($CAROM_PAPERS, ./papers, beside the command), and what their claims can\n"
        "measure; what files may ask for (limits); and the joints, force elements and shapes of bodies.",
    .argument = rows,
    .run = list,
};
