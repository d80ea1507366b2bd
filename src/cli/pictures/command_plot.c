// SPDX-License-Identifier: Apache-2.0
// carom plot: columns of one or more runs as a figure. Columns with different units get panels of
// their own; with several runs a column keeps its colour and each run has its stroke.
#include "access.h"
#include "arguments.h"
#include "guess.h"
#include "paths.h"
#include "terminal/message.h"

#include <carom/output.h>
#include <carom/plot.h>

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 16, MOST_SERIES = 256, MOST_PANELS = 12, TEXT_ROOM = 256, NAME_ROOM = 600 };

/// One run: its file and the columns read from it.
typedef struct run_data {
    carom_results *results;
    char name[TEXT_ROOM];    // in the legend
    int column[MOST_SERIES]; // x first, then those to be drawn
    int n_column;
    double *value[MOST_SERIES]; // (n_row) each
    long n_filled;
} run_data;

typedef struct panel {
    const char *unit, *group;
    char label[TEXT_ROOM];
    const char *only; // the name of its first column
    bool is_single;   // all its curves are of that column
    carom_series series[MOST_SERIES];
    int n;
} panel;

typedef struct session {
    const carom_arguments *arguments;
    run_data *run; // (n_run)
    int n_run;
    panel *panels; // (MOST_PANELS)
    int n_panel;
    char (*name)[NAME_ROOM]; // of the series
    int n_name;
} session;

static int out_of_memory(void)
{
    carom_message_error("memory ran out");
    return CAROM_EXIT_AUDIT;
}

static int complain(const carom_error *error)
{
    carom_message_error("%s", error->message);
    return error->status == CAROM_NO_MEMORY ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE;
}

static bool has_column(const run_data *run, int column)
{
    for (int i = 1; i < run->n_column; i++)
        if (run->column[i] == column) return true;
    return false;
}

static int unknown_column(const run_data *run, const char *wanted)
{
    const char *path = carom_results_path(run->results);
    carom_guess guess = carom_guess_start(wanted, strlen(wanted));
    char some[400] = "";
    size_t used = 0;
    for (int i = 0; i < carom_results_n_column(run->results); i++) {
        const char *name = carom_results_column(run->results, i)->name;
        carom_guess_show(&guess, name);
        if (used + strlen(name) + 8 < sizeof some)
            used += (size_t)snprintf(some + used, sizeof some - used, "%s%s", i ? ", " : "", name);
        else if (used > 0 && some[used - 1] != '.')
            used += (size_t)snprintf(some + used, sizeof some - used, "...");
    }
    const char *meant = carom_guess_name(&guess);
    if (meant)
        carom_message_error("%s: no column '%s' (did you mean '%s'?)", path, wanted, meant);
    else
        carom_message_error("%s: no column '%s'; there are %s", path, wanted, some);
    return CAROM_EXIT_USAGE;
}

// in either spelling; a name may itself hold brackets: x[1]
static bool is_meant(const char *pattern, const char *name)
{
    char csv[NAME_ROOM], wanted[NAME_ROOM];
    carom_csv_name(name, csv, sizeof csv);
    if (strcmp(pattern, name) == 0 ||
        strcmp(carom_csv_name(pattern, wanted, sizeof wanted), csv) == 0)
        return true;
    return fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, csv, 0) == 0;
}

// adds the columns that match one pattern
static int add_pattern(run_data *run, const char *pattern)
{
    bool is_found = false;
    for (int i = 0; i < carom_results_n_column(run->results); i++) {
        const char *name = carom_results_column(run->results, i)->name;
        if (!is_meant(pattern, name)) continue;
        is_found = true;
        if (has_column(run, i)) continue;
        if (run->n_column == MOST_SERIES) {
            carom_message_error("carom plot: more than %d columns match; name fewer",
                                MOST_SERIES - 1);
            return CAROM_EXIT_USAGE;
        }
        run->column[run->n_column++] = i;
    }
    return is_found ? 0 : unknown_column(run, pattern);
}

// patterns with commas between them
static int add_patterns(run_data *run, const char *text)
{
    while (*text) {
        char pattern[TEXT_ROOM];
        const size_t length = strcspn(text, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, text);
        const int code = length > 0 ? add_pattern(run, pattern) : 0;
        if (code) return code;
        text += length + (text[length] == ',');
    }
    return 0;
}

// without --columns: the coordinates
static int add_coordinates(run_data *run)
{
    for (int i = 0; i < carom_results_n_column(run->results); i++)
        if (strcmp(carom_results_column(run->results, i)->group, "q") == 0 &&
            run->n_column < MOST_SERIES)
            run->column[run->n_column++] = i;
    if (run->n_column > 1) return 0;
    carom_message_error("%s: say which columns to draw, as in --columns 'gap_*'",
                        carom_results_path(run->results));
    return CAROM_EXIT_USAGE;
}

static int choose_columns(const session *s, run_data *run)
{
    const char *x = carom_arguments_value(s->arguments, "x"), *text;
    if (carom_results_n_row(run->results) < 1) {
        carom_message_error("%s: holds no rows", carom_results_path(run->results));
        return CAROM_EXIT_USAGE;
    }
    run->column[0] = carom_results_find(run->results, x ? x : "t");
    run->n_column = 1;
    if (run->column[0] < 0 && x) return unknown_column(run, x);
    if (run->column[0] < 0) run->column[0] = 0;
    if (!carom_arguments_value(s->arguments, "columns")) return add_coordinates(run);
    int position = 0, code = 0;
    while (!code && (text = carom_arguments_next(s->arguments, "columns", &position)))
        code = add_patterns(run, text);
    return code;
}

static carom_status take_rows(void *self, const double *value, long n, carom_error *error)
{
    run_data *run = self;
    (void)error;
    for (long r = 0; r < n; r++)
        for (int i = 0; i < run->n_column; i++)
            run->value[i][run->n_filled + r] = value[r * run->n_column + i];
    run->n_filled += n;
    return CAROM_OK;
}

static int read_columns(run_data *run)
{
    carom_error error = {0};
    const size_t room = sizeof(double) * (size_t)carom_results_n_row(run->results);
    for (int i = 0; i < run->n_column; i++)
        if (!(run->value[i] = malloc(room))) return out_of_memory();
    const carom_rows_visitor visitor = {run, take_rows};
    if (carom_results_visit(run->results, run->column, run->n_column, visitor, &error) != CAROM_OK)
        return complain(&error);
    return 0;
}

// the file's name without folder and ending
static void name_run(run_data *run, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    snprintf(run->name, sizeof run->name, "%.*s", dot ? (int)(dot - base) : (int)strlen(base),
             base);
}

static int open_runs(session *s)
{
    const int n = s->arguments->n_word;
    if (n < 1 || n > MOST_RUNS) {
        carom_message_error(n < 1 ? "carom plot: no results given; see 'carom plot --help'"
                                  : "carom plot: at most 16 runs");
        return CAROM_EXIT_USAGE;
    }
    carom_limits limits;
    if (!carom_limits_read(&limits, s->arguments)) return CAROM_EXIT_USAGE;
    s->run = calloc((size_t)n, sizeof *s->run);
    if (!s->run) return out_of_memory();
    for (s->n_run = 0; s->n_run < n;) {
        carom_error error = {0};
        run_data *run = &s->run[s->n_run];
        const char *path = s->arguments->word[s->n_run];
        if (carom_results_open_with(path, &limits, &run->results, &error) != CAROM_OK)
            return complain(&error);
        s->n_run++;
        name_run(run, path);
        carom_message_cut_off(path, carom_results_cut_off(run->results));
        int code = choose_columns(s, run);
        if (!code) code = read_columns(run);
        if (code) return code;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(s->run[i].name, s->run[k].name) == 0)
                snprintf(s->run[i].name, sizeof s->run[i].name, "%s", s->arguments->word[i]);
    return 0;
}

// what the group of a column is called on an axis
static const char *group_label(const char *group)
{
    static const char *const word[][2] = {{"q", "coordinate"},         {"u", "rate"},
                                          {"energy", "energy"},        {"gap", "gap"},
                                          {"rate", "gap rate"},        {"P", "impulse"},
                                          {"la", "contact force"},     {"slip", "slip rate"},
                                          {"PT", "friction impulse"},  {"laT", "friction force"},
                                          {"drift", "constraint"},     {"PC", "constraint impulse"},
                                          {"laC", "constraint force"}, {"PJ", "impulse on a body"},
                                          {"laJ", "force on a body"}};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(word[i][0], group) == 0) return word[i][1];
    return "";
}

// the panel for a column: one for each unit, and without a unit for each group
static panel *find_panel(session *s, const carom_column *column)
{
    for (int i = 0; i < s->n_panel; i++) {
        const bool is_same = strcmp(s->panels[i].unit, column->unit) == 0 &&
                             (*column->unit || strcmp(s->panels[i].group, column->group) == 0);
        if (is_same) return &s->panels[i];
    }
    if (s->n_panel == MOST_PANELS) return NULL;
    panel *made = &s->panels[s->n_panel++];
    made->unit = column->unit;
    made->group = column->group;
    return made;
}

// "gap", or where columns of several kinds share a unit "gap rate, slip rate"; a single one by name
static void add_label(panel *p, const carom_column *column)
{
    if (!p->only) p->only = column->name;
    p->is_single = (p->n == 0 || p->is_single) && strcmp(p->only, column->name) == 0;
    const char *word = group_label(column->group);
    const size_t used = strlen(p->label);
    if (!*word || strstr(p->label, word) || used + strlen(word) + 3 > sizeof p->label) return;
    snprintf(p->label + used, sizeof p->label - used, "%s%s", used ? ", " : "", word);
}

static bool has_points(const session *s)
{
    return carom_arguments_value(s->arguments, "points") != NULL;
}

static int add_series(session *s, const run_data *run, int i, bool is_only)
{
    const carom_column *column = carom_results_column(run->results, run->column[i]);
    const int r = (int)(run - s->run);
    panel *p = find_panel(s, column);
    if (!p || p->n == MOST_SERIES) {
        carom_message_error("carom plot: too many curves for one figure; name fewer columns");
        return CAROM_EXIT_USAGE;
    }
    char *name = s->name[s->n_name++];
    snprintf(name, NAME_ROOM, "%.250s%s%.250s", is_only && s->n_run > 1 ? "" : column->name,
             s->n_run > 1 && !is_only ? ", " : "", s->n_run > 1 ? run->name : "");
    add_label(p, column);
    static const carom_stroke strokes[] = {CAROM_STROKE_LINE, CAROM_STROKE_DASHED,
                                           CAROM_STROKE_DOTTED};
    p->series[p->n++] = (carom_series){.name = name,
                                       .x = run->value[0],
                                       .y = run->value[i],
                                       .n = run->n_filled,
                                       .stroke = has_points(s) ? CAROM_STROKE_POINTS
                                                 : is_only     ? CAROM_STROKE_LINE
                                                               : strokes[r % 3],
                                       .colour = is_only ? r + 1 : i};
    return 0;
}

static int make_panels(session *s)
{
    int total = 0, code = 0;
    for (int r = 0; r < s->n_run; r++) total += s->run[r].n_column;
    s->panels = calloc(MOST_PANELS, sizeof *s->panels);
    s->name = calloc((size_t)total, sizeof *s->name);
    if (!s->panels || !s->name) return out_of_memory();
    for (int r = 0; r < s->n_run; r++)
        for (int i = 1; !code && i < s->run[r].n_column; i++)
            code = add_series(s, &s->run[r], i, s->run[r].n_column == 2);
    return code;
}

// "A:B" or "WxH"
static bool read_pair(const session *s, const char *option, char between, double pair[2])
{
    const char *text = carom_arguments_value(s->arguments, option);
    if (!text) return true;
    char *middle, *end;
    pair[0] = strtod(text, &middle);
    pair[1] = *middle == between ? strtod(middle + 1, &end) : NAN;
    if (middle != text && *middle == between && end != middle + 1 && !*end && pair[0] >= -1e300 &&
        (between == 'x' ? pair[0] >= 200 && pair[1] >= 60 : pair[0] < pair[1]) &&
        pair[0] <= (between == 'x' ? 10000 : 1e300) && pair[1] <= (between == 'x' ? 10000 : 1e300))
        return true;
    if (between == 'x')
        carom_message_error("--%s: must be WIDTHxHEIGHT of a panel in pixels, from 200x60 to "
                            "10000x10000, not '%s'",
                            option, text);
    else
        carom_message_error("--%s: must be A:B with numbers A < B, not '%s'", option, text);
    return false;
}

static int draw(session *s)
{
    carom_error error = {0};
    carom_plot plot[MOST_PANELS] = {0};
    double range[2] = {0, 0}, y_range[2] = {0, 0}, size[2] = {0, 0};
    if (!read_pair(s, "range", ':', range) || !read_pair(s, "y-range", ':', y_range) ||
        !read_pair(s, "size", 'x', size))
        return CAROM_EXIT_USAGE;
    const char *path = carom_arguments_value(s->arguments, "output");
    if (!path) path = "plot.svg";
    const carom_column *x = carom_results_column(s->run[0].results, s->run[0].column[0]);
    const bool is_time = strcmp(x->name, "t") == 0;
    for (int i = 0; i < s->n_panel; i++) {
        plot[i].x = (carom_axis){.label = is_time ? "time" : x->name,
                                 .unit = is_time && !*x->unit ? "s" : x->unit,
                                 .low = range[0],
                                 .high = range[1]};
        plot[i].y =
            (carom_axis){.label = s->panels[i].is_single ? s->panels[i].only : s->panels[i].label,
                         .unit = s->panels[i].unit,
                         .is_log = carom_arguments_value(s->arguments, "log") != NULL,
                         .low = y_range[0],
                         .high = y_range[1]};
        plot[i].series = s->panels[i].series;
        plot[i].n_series = s->panels[i].n;
        plot[i].is_equal = carom_arguments_value(s->arguments, "equal") != NULL;
    }
    const carom_figure figure = {.title = carom_arguments_value(s->arguments, "title"),
                                 .panel = plot,
                                 .n_panel = s->n_panel,
                                 .width = size[0],
                                 .panel_height = size[1]};
    if (carom_figure_write(&figure, path, &error) != CAROM_OK) {
        const int code = complain(&error);
        return error.status == CAROM_IO ? CAROM_EXIT_AUDIT : code; // a disk that is full
    }
    if (!carom_arguments_value(s->arguments, "quiet")) printf("figure         %s\n", path);
    return CAROM_EXIT_DONE;
}

// the figure must not replace what it is made from
static bool path_is_good(const carom_arguments *arguments)
{
    const char *path = carom_arguments_value(arguments, "output");
    for (int i = 0; path && i < arguments->n_word; i++)
        if (carom_paths_are_same(path, arguments->word[i])) {
            carom_message_error("carom plot: -o and the results are one file, '%s'", path);
            return false;
        }
    return true;
}

static int run(const carom_arguments *arguments)
{
    session s = {.arguments = arguments};
    if (!path_is_good(arguments)) return CAROM_EXIT_USAGE;
    int code = open_runs(&s);
    if (!code) code = make_panels(&s);
    if (!code) code = draw(&s);
    for (int r = 0; s.run && r < s.n_run; r++) {
        for (int i = 0; i < s.run[r].n_column; i++) free(s.run[r].value[i]);
        carom_results_free(s.run[r].results);
    }
    free(s.run);
    free(s.panels);
    free(s.name);
    return code;
}

static const carom_argument rows[] = {
    {"columns", 'c', "NAMES", true, "columns to draw: names or patterns, with commas: 'gap_*,x'"},
    {"output", 'o', "FILE", false, "write FILE.svg, FILE.pdf or FILE.png (plot.svg)"},
    {"x", 'x', "NAME", false, "column for the horizontal axis (t)"},
    {"range", 0, "A:B", false, "part of the horizontal axis"},
    {"y-range", 0, "A:B", false, "part of the vertical axis"},
    {"points", 0, NULL, false, "rows as points, not as lines"},
    {"equal", 0, NULL, false, "one unit as long on both axes, for paths and sections"},
    {"log", 0, NULL, false, "logarithmic vertical axis"},
    {"title", 0, "TEXT", false, "title above the figure"},
    {"size", 0, "WxH", false, "width of the figure and height of a panel [px] (720x400)"},
    {"quiet", 'q', NULL, false, "say nothing but errors"},
    {0},
};

const carom_command carom_command_plot = {
    .name = "plot",
    .usage = "RUN.h5|RUN.csv ... --columns NAMES [-o FILE.svg|FILE.png] [options]",
    .brief = "draw columns of runs as SVG or PNG",
    .about = "Draws columns of what 'carom run -o' wrote, without a browser. Several runs are laid "
             "over each\n"
             "other; columns with different units get panels of their own. Without --columns the\n"
             "coordinates are drawn. Numbers that are not finite leave gaps.",
    .argument = rows,
    .run = run,
};
