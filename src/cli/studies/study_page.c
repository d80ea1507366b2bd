// SPDX-License-Identifier: Apache-2.0
// The page of a study. Some units, evenly over all, are run once more as 'carom run' would: from
// the state that they ended with (values that follow each other), which is on their attractor, for
// as many periods as it has; else from their start. Of orbits and branches some rows are run, from
// their own state, for two rounds. These runs go into a page of 'carom report', whose head is the
// picture of the study, where each point knows its run.
#define _DEFAULT_SOURCE // mkdtemp
#include "studies/study_page.h"

#include "terminal/message.h"

#include <carom/report.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ORBITS = 32, TEXT_ROOM = 300, PERIOD_ROOM = 240, MOST_PERIODS = 40 };

// rows that are orbits: where their period and their state stand, behind the axes
typedef struct orbit_columns {
    const char *kind;
    int along, period, state; // along: the parameter's, -1 = it is an axis
    int stable;
} orbit_columns;
static const orbit_columns orbit_kinds[] = {{"continue", 0, 3, 9, 4}, {"orbit", -1, 0, 6, 4}};

// what a run shows: a unit, or one of its rows that is an orbit
typedef struct shown {
    const carom_scan_unit *unit;
    const double *row;   // NULL: the unit itself
    const double *state; // positions and velocities, or NULL
} shown;

typedef struct page_job {
    const carom_job *job;
    const carom_scan *scan;
    const orbit_columns *orbit; // NULL: units are shown
    char folder[CAROM_PATH_ROOM];
    long unit[MOST_ORBITS]; // of each run; of orbits its row
    carom_results *run[MOST_ORBITS];
    int n_run;
    char period[PERIOD_ROOM]; // expression of the section's period, or ""
    double *x, *y;            // (n) points
    int *of, *group;
    long n;
} page_job;

typedef struct run_line {
    carom_arguments arguments;
    char (*text)[TEXT_ROOM]; // values of its own
    int n_text;
} run_line;

static const char *kind_of(const page_job *p)
{
    return p->job->arguments->command;
}

static bool is_kind(const page_job *p, const char *name)
{
    return strcmp(kind_of(p), name) == 0;
}

static const orbit_columns *find_orbit_kind(const char *kind)
{
    for (size_t i = 0; i < sizeof orbit_kinds / sizeof *orbit_kinds; i++)
        if (strcmp(kind, orbit_kinds[i].kind) == 0) return &orbit_kinds[i];
    return NULL;
}

const char *carom_study_page_refusal(const carom_job *job)
{
    const char *section = carom_arguments_value(job->arguments, "section");
    const bool is_followed =
        strcmp(job->arguments->command, "bif") == 0 || strcmp(job->arguments->command, "frf") == 0;
    const bool is_orbit = find_orbit_kind(job->arguments->command) != NULL;
    const bool has_period = section && strncmp(section, "period=", 7) == 0;
    const carom_sizes size = carom_model_sizes(job->model);
    if (strcmp(job->arguments->command, "poincare") == 0)
        return "a section has no page: bif, frf, sweep and basin have";
    if (strcmp(job->arguments->command, "sensitivity") == 0)
        return "derivatives have no page (.csv, .json, .h5)";
    if ((is_followed && !has_period) ||
        ((is_followed || is_orbit) && has_period && strchr(section, ',')))
        return "a page needs a section period=T without a phase, so that motions can start there";
    if ((is_followed || is_orbit) && size.nq != size.nu)
        return "a page cannot start motions of models with rotations from a state";
    return NULL;
}

// ---- one run ----

static const carom_argument *find_row(const char *name)
{
    for (const carom_argument *row = carom_command_run.argument; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

static void give(run_line *line, const char *option, const char *format, const char *name,
                 double value)
{
    char *text = line->text[line->n_text++];
    snprintf(text, TEXT_ROOM, format, name, value);
    line->arguments.given[line->arguments.n_given++] = (carom_given){find_row(option), text, NULL};
}

// what the study was told of the model and its runs
static void give_options(run_line *line, const page_job *p, bool has_state)
{
    static const char *const others[] = {"output", "json", "quiet", "strict", "end", "output-step"};
    for (int i = 0; i < p->job->arguments->n_given; i++) {
        const carom_given *given = &p->job->arguments->given[i];
        const char *name = given->argument->name;
        const carom_argument *row = find_row(name);
        bool is_taken = row != NULL && !(has_state && strncmp(name, "start", 5) == 0);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            is_taken &= strcmp(name, others[k]) != 0;
        if (is_taken)
            line->arguments.given[line->arguments.n_given++] =
                (carom_given){row, given->value, NULL};
    }
}

static bool is_parameter(const page_job *p, const char *name)
{
    double value;
    const carom_text text = {.text = name};
    return carom_builder_number(carom_modelfile_builder(p->job->file), text, &value, NULL) ==
           CAROM_OK;
}

static void give_values(run_line *line, const page_job *p, const shown *it)
{
    const int n_axis = carom_scan_n_axis(p->scan);
    const int n = n_axis + (it->row && p->orbit->along == 0);
    for (int k = 0; k < n; k++) { // the parameter of a branch stands behind the axes
        const char *name = carom_scan_column(p->scan, k);
        const bool is_set = is_parameter(p, name);
        const double *row = it->row ? it->row : it->unit->row;
        if (is_set || !it->state) give(line, is_set ? "set" : "start", "%s=%.17g", name, row[k]);
    }
    const carom_sizes size = carom_model_sizes(p->job->model);
    for (int i = 0; it->state && i < size.nq; i++)
        give(line, "start", "%s=%.17g", carom_model_coordinate_name(p->job->model, i),
             it->state[i]);
    for (int i = 0; it->state && i < size.nu; i++)
        give(line, "start", "%s=%.17g", carom_model_velocity_name(p->job->model, i),
             it->state[size.nq + i]);
}

// how many periods are shown
static double periods_of(const page_job *p, const carom_scan_unit *unit)
{
    const int n_axis = carom_scan_n_axis(p->scan);
    if (is_kind(p, "frf")) return 3;
    if (is_kind(p, "bif")) return unit->row[n_axis + 1] > 0 ? fmax(2, unit->row[n_axis + 1]) : 12;
    return fmin(MOST_PERIODS, fmax(4, unit->row[n_axis + 1]));
}

static void give_times(run_line *line, const page_job *p, const shown *it)
{
    const char *end = carom_arguments_value(p->job->arguments, "end");
    if (it->row) {
        const double period = it->row[carom_scan_n_axis(p->scan) + p->orbit->period];
        give(line, "end", "%s%.17g", "", 2 * period);
        give(line, "output-step", "%s%.17g", "", period / 100);
    } else if (p->period[0]) {
        char *text = line->text[line->n_text++];
        snprintf(text, TEXT_ROOM, "%g*(%.200s)", periods_of(p, it->unit), p->period);
        line->arguments.given[line->arguments.n_given++] =
            (carom_given){find_row("end"), text, NULL};
        give(line, "output-step", "(%s)/%.0f", p->period, 100);
    } else if (end) {
        line->arguments.given[line->arguments.n_given++] =
            (carom_given){find_row("end"), end, NULL};
    }
}

// a file whose name says what the run is, "w = 2.6"; it stays open when it is removed
static void name_run(const page_job *p, const shown *it, char *path, size_t room)
{
    const double *row = it->row ? it->row : it->unit->row;
    const int n = carom_scan_n_axis(p->scan) + (it->row && p->orbit->along == 0);
    const size_t start = (size_t)snprintf(path, room, "%s/", p->folder);
    size_t used = start;
    for (int k = 0; k < n && k < 3; k++)
        used += (size_t)snprintf(path + used, room - used, "%s%.60s = %.5g", k ? ", " : "",
                                 carom_scan_column(p->scan, k), row[k]);
    for (char *c = path + start; *c; c++)
        if (*c == '/') *c = '_';
    snprintf(path + used, room - used, "%s.h5", used == start ? "run" : "");
}

static bool make_run(page_job *p, const shown *it)
{
    const carom_sizes size = carom_model_sizes(p->job->model);
    const size_t room = (size_t)(p->job->arguments->n_given + size.nq + size.nu) +
                        (size_t)carom_scan_n_axis(p->scan) + 9;
    const char *word = p->job->path;
    run_line line = {.text = calloc(room, TEXT_ROOM)};
    line.arguments = (carom_arguments){.command = "run",
                                       .row = carom_command_run.argument,
                                       .given = calloc(room, sizeof(carom_given)),
                                       .word = &word,
                                       .n_word = 1};
    char path[CAROM_PATH_ROOM + TEXT_ROOM];
    name_run(p, it, path, sizeof path);
    bool is_made = line.text && line.arguments.given;
    if (is_made) {
        give_options(&line, p, it->state != NULL);
        give_values(&line, p, it);
        give_times(&line, p, it);
        line.arguments.given[line.arguments.n_given++] =
            (carom_given){find_row("output"), path, NULL};
        line.arguments.given[line.arguments.n_given++] =
            (carom_given){find_row("quiet"), NULL, NULL};
        is_made = carom_command_run.run(&line.arguments) != CAROM_EXIT_USAGE &&
                  carom_results_open(path, &p->run[p->n_run], NULL) == CAROM_OK;
        unlink(path);
    }
    free(line.text);
    free(line.arguments.given);
    return is_made;
}

// rows of orbits, evenly over all; the number of a run is that of its row
static void make_orbits(page_job *p)
{
    const int n_axis = carom_scan_n_axis(p->scan);
    const long units = carom_scan_counted(p->scan).units, rows = carom_scan_n_row(p->scan);
    const long every = rows > MOST_ORBITS ? (rows + MOST_ORBITS - 1) / MOST_ORBITS : 1;
    long number = 0;
    for (long u = 0; u < units; u++) {
        carom_scan_unit unit;
        if (carom_scan_unit_at(p->scan, u, &unit) != CAROM_OK || unit.has_failed) continue;
        for (int i = 0; i < unit.n_row; i++, number++) {
            const double *row = unit.row + (size_t)i * (size_t)carom_scan_n_column(p->scan);
            const shown it = {&unit, row, row + n_axis + p->orbit->state};
            if (number % every == 0 && p->n_run < MOST_ORBITS && make_run(p, &it))
                p->unit[p->n_run++] = number;
        }
    }
}

static void make_runs(page_job *p)
{
    if (p->orbit) {
        make_orbits(p);
        return;
    }
    const long n = carom_scan_counted(p->scan).units;
    const long wanted = n < MOST_ORBITS ? n : MOST_ORBITS;
    for (long i = 0; i < wanted; i++) {
        const long at = wanted > 1 ? i * (n - 1) / (wanted - 1) : 0;
        carom_scan_unit unit;
        if (carom_scan_unit_at(p->scan, at, &unit) != CAROM_OK || unit.has_failed || unit.n_row < 1)
            continue;
        const shown it = {&unit, NULL, unit.state ? unit.state + 1 : NULL};
        if (make_run(p, &it)) p->unit[p->n_run++] = at;
    }
}

// ---- points ----

// of a branch the parameter that it goes along
static int x_column(const page_job *p)
{
    return p->orbit && p->orbit->along == 0 ? carom_scan_n_axis(p->scan) : 0;
}

// the column drawn upwards, behind the axes and what the kind puts first
static int y_column(const page_job *p)
{
    const int n_axis = carom_scan_n_axis(p->scan);
    if (p->orbit) return n_axis + p->orbit->state;
    if (is_kind(p, "bif")) return n_axis + 3;
    if (is_kind(p, "frf")) return n_axis + 2;
    if (is_kind(p, "basin")) return n_axis > 1 ? 1 : n_axis;
    const char *first = carom_scan_column(p->scan, n_axis);
    return n_axis + (first && strcmp(first, "branch") == 0);
}

static int group_of(const page_job *p, const double *row)
{
    const int n_axis = carom_scan_n_axis(p->scan);
    if (p->orbit) return row[n_axis + p->orbit->stable] != 1;
    if (is_kind(p, "bif") || is_kind(p, "frf")) return row[n_axis] < 0;
    if (is_kind(p, "basin")) return row[n_axis] > 0 ? (int)row[n_axis] - 1 : 7;
    return 0;
}

static bool take_points(page_job *p)
{
    const long units = carom_scan_counted(p->scan).units, rows = carom_scan_n_row(p->scan);
    const int column = y_column(p);
    p->x = malloc(sizeof *p->x * (size_t)(rows + 1));
    p->y = malloc(sizeof *p->y * (size_t)(rows + 1));
    p->of = malloc(sizeof *p->of * (size_t)(rows + 1));
    p->group = malloc(sizeof *p->group * (size_t)(rows + 1));
    if (!p->x || !p->y || !p->of || !p->group) return false;
    int next = 0;
    for (long u = 0; u < units; u++) {
        carom_scan_unit unit;
        if (carom_scan_unit_at(p->scan, u, &unit) != CAROM_OK || unit.has_failed) continue;
        for (int i = 0; i < unit.n_row; i++, p->n++) {
            const long number = p->orbit ? p->n : u;
            while (next < p->n_run && p->unit[next] < number) next++;
            const int run = next < p->n_run && p->unit[next] == number ? next : -1;
            const double *row = unit.row + (size_t)i * (size_t)carom_scan_n_column(p->scan);
            p->x[p->n] = row[x_column(p)];
            p->y[p->n] = row[column];
            p->of[p->n] = run;
            p->group[p->n] = group_of(p, row);
        }
    }
    return true;
}

static bool write_page(page_job *p, const char *path)
{
    carom_error error = {0};
    if (!take_points(p)) {
        carom_message_error("memory ran out");
        return false;
    }
    const carom_report_map map = {.title = kind_of(p),
                                  .x_label = carom_scan_column(p->scan, x_column(p)),
                                  .y_label = carom_scan_column(p->scan, y_column(p)),
                                  .x = p->x,
                                  .y = p->y,
                                  .run = p->of,
                                  .group = p->group,
                                  .n = p->n};
    carom_report_options options = carom_report_default();
    options.access = &p->job->granted.access;
    options.map = &map;
    const bool is_written =
        carom_report_write(p->run, p->n_run, &options, path, NULL, &error) == CAROM_OK;
    if (!is_written) carom_message_error("%s", error.message);
    return is_written;
}

// the expression in "period=EXPRESSION"
static void read_period(page_job *p)
{
    const char *section = carom_arguments_value(p->job->arguments, "section");
    if (section && strncmp(section, "period=", 7) == 0)
        snprintf(p->period, sizeof p->period, "%.*s", (int)strcspn(section + 7, ","), section + 7);
}

bool carom_study_page(const carom_job *job, const carom_scan *scan, const char *path)
{
    page_job p = {.job = job, .scan = scan, .orbit = find_orbit_kind(job->arguments->command)};
    const char *place = getenv("TMPDIR");
    snprintf(p.folder, sizeof p.folder, "%s/carom-page-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(p.folder)) {
        carom_message_error("'%s' cannot be made, in which motions are kept for a while", p.folder);
        return false;
    }
    read_period(&p);
    make_runs(&p);
    bool is_good = p.n_run > 0;
    if (!is_good) carom_message_error("%s: no motion of this study could be run again", path);
    is_good = is_good && write_page(&p, path);
    for (int i = 0; i < p.n_run; i++) carom_results_free(p.run[i]);
    rmdir(p.folder);
    free(p.x);
    free(p.y);
    free(p.of);
    free(p.group);
    return is_good;
}
