// SPDX-License-Identifier: Apache-2.0
// carom reproduce: runs what the papers' claims need and says which hold.
#include "access.h"
#include "arguments.h"
#include "commands/command_reproduce_table.h"
#include "guess.h"
#include "paths.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/progress.h"

#include <carom/reproduce.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PAPERS = 256, NAME_ROOM = 256 };

typedef struct listed {
    char name[NAME_ROOM];
    char path[CAROM_PATH_ROOM];
} listed;

typedef struct session {
    const carom_arguments *arguments;
    listed *file; // all there are
    int n_file;
    carom_paper *paper[MOST_PAPERS];
    int n;
    bool is_quick;
    carom_granted granted;
} session;

// ---- which papers ----

static void list_paper(void *self, const char *name, const char *path)
{
    session *s = self;
    if (s->n_file == MOST_PAPERS) return;
    listed *file = &s->file[s->n_file++];
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(file->path, sizeof file->path, "%s", path);
}

static bool open_paper(session *s, const char *path)
{
    carom_error error = {0};
    if (s->n == MOST_PAPERS) {
        carom_message_error("carom reproduce: at most %d papers at a time", MOST_PAPERS);
        return false;
    }
    if (carom_paper_read(path, &s->paper[s->n], &error) == CAROM_OK) {
        s->n++;
        return true;
    }
    carom_message_error("%s", error.message);
    return false;
}

// a path, or the name of a listed paper
static bool open_named(session *s, const char *word)
{
    const size_t length = strlen(word);
    if (strchr(word, '/') || (length > 5 && strcmp(word + length - 5, ".yaml") == 0))
        return open_paper(s, word);
    carom_guess guess = carom_guess_start(word, length);
    for (int i = 0; i < s->n_file; i++) {
        if (strcmp(s->file[i].name, word) == 0) return open_paper(s, s->file[i].path);
        carom_guess_show(&guess, s->file[i].name);
    }
    const char *meant = carom_guess_name(&guess);
    carom_message_error("%s: there is no such paper%s%s%s; 'carom list papers' shows all", word,
                        meant ? " (did you mean '" : "", meant ? meant : "", meant ? "'?)" : "");
    return false;
}

static bool open_papers(session *s)
{
    const char *folder = carom_arguments_value(s->arguments, "papers");
    s->file = calloc(MOST_PAPERS, sizeof *s->file);
    if (!s->file || !carom_paths_each_paper(folder, list_paper, s)) {
        carom_message_error("carom reproduce: memory ran out");
        return false;
    }
    for (int i = 0; i < s->arguments->n_word; i++)
        if (!open_named(s, s->arguments->word[i])) return false;
    if (s->arguments->n_word > 0) return true;
    for (int i = 0; i < s->n_file; i++)
        if (!open_paper(s, s->file[i].path)) return false;
    if (s->n > 0) return true;
    carom_message_error("%s: no papers there; --papers DIR says where they are",
                        folder ? folder : "carom reproduce");
    return false;
}

typedef struct wanted {
    const char *name;
    char *path;
    size_t room;
    bool is_found;
} wanted;

static void compare_name(void *self, const char *name, const char *path)
{
    wanted *w = self;
    if (w->is_found || strcmp(name, w->name) != 0) return;
    w->is_found = snprintf(w->path, w->room, "%s", path) < (int)w->room;
}

static bool find_model(void *self, const char *name, char *path, size_t room)
{
    wanted w = {name, path, room, false};
    (void)self;
    return carom_paths_each_model(compare_name, &w) && w.is_found;
}

// ---- results ----

static bool write_json(const session *s, const char *path)
{
    carom_json json;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_begin(&json, "papers", '[');
    for (int p = 0; p < s->n; p++) {
        carom_json_begin(&json, NULL, '{');
        carom_json_text(&json, "paper", carom_paper_name(s->paper[p]));
        carom_json_begin(&json, "claims", '[');
        for (int i = 0; i < carom_paper_n_claim(s->paper[p]); i++) {
            const carom_claim *claim = carom_paper_claim(s->paper[p], i);
            if (claim->verdict == CAROM_VERDICT_MISSING) continue;
            carom_json_begin(&json, NULL, '{');
            carom_json_text(&json, "id", claim->id);
            carom_json_text(&json, "claim", claim->claim);
            carom_json_text(&json, "published", claim->published);
            carom_json_text(&json, "obtained", claim->obtained);
            carom_json_text(&json, "verdict", carom_verdict_text(claim->verdict));
            carom_json_text(&json, "reason", claim->reason);
            carom_json_end(&json);
        }
        carom_json_end(&json);
        carom_json_end(&json);
    }
    carom_json_end(&json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

static bool name_page(const session *s, int p, const char *folder, char path[CAROM_PATH_ROOM])
{
    const char *name = carom_paper_name(s->paper[p]);
    if (snprintf(path, CAROM_PATH_ROOM, "%s/%s.html", folder, name) < CAROM_PATH_ROOM) return true;
    carom_message_error("-o: the path of the folder is too long");
    return false;
}

// asked before the runs, which may take minutes: folder and json may be NULL
static bool results_are_writable(const session *s, const char *folder, const char *json)
{
    char path[CAROM_PATH_ROOM];
    if (json && strcmp(json, "-") != 0 && !carom_paths_is_writable(json)) return false;
    if (!folder) return true;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        carom_message_error("%s: cannot be made: %s", folder, strerror(errno));
        return false;
    }
    for (int p = 0; p < s->n; p++)
        if (!name_page(s, p, folder, path) || !carom_paths_is_writable(path)) return false;
    return true;
}

static bool write_pages(const session *s, const char *folder)
{
    for (int p = 0; p < s->n; p++) {
        char path[CAROM_PATH_ROOM];
        carom_error error = {0};
        if (!name_page(s, p, folder, path)) return false;
        if (carom_paper_write_page(s->paper[p], path, &error) == CAROM_OK) continue;
        carom_message_error("%s", error.message);
        return false;
    }
    return true;
}

static int count_unexpected(const session *s)
{
    int n = 0;
    for (int p = 0; p < s->n; p++)
        for (int i = 0; i < carom_paper_n_claim(s->paper[p]); i++) {
            const carom_claim *claim = carom_paper_claim(s->paper[p], i);
            if (carom_claim_is_expected(claim)) continue;
            n++;
            carom_message_error("%s, %s: %s (expected: %s)", carom_paper_name(s->paper[p]),
                                claim->id, carom_verdict_text(claim->verdict),
                                carom_verdict_text(claim->expected));
        }
    return n;
}

// ---- the command ----

static bool read_threads(const carom_arguments *arguments, int *n)
{
    const char *text = carom_arguments_value(arguments, "jobs");
    char *end = NULL;
    *n = 0;
    if (!text) return true;
    const long value = strtol(text, &end, 10);
    if (*text && !*end && value >= 1 && value <= 64) {
        *n = (int)value;
        return true;
    }
    carom_message_error("--jobs: must be a whole number from 1 to 64, not '%s'", text);
    return false;
}

static carom_status run_papers(session *s, bool is_quiet, int n_thread, carom_error *error)
{
    carom_progress progress;
    carom_progress_start(&progress, "reproduce", is_quiet);
    progress.n_run = carom_reproduce_count(s->paper, s->n, s->is_quick);
    const carom_reproduce_options options = {.is_quick = s->is_quick,
                                             .n_thread = n_thread,
                                             .find_model = find_model,
                                             .access = &s->granted.access,
                                             .watch = carom_progress_watch(&progress)};
    const carom_status status = carom_reproduce(s->paper, s->n, &options, error);
    carom_progress_end(&progress);
    return status;
}

static int perform_papers(session *s)
{
    const char *json = carom_arguments_value(s->arguments, "json");
    const char *folder = carom_arguments_value(s->arguments, "output");
    const bool is_quiet = carom_arguments_value(s->arguments, "quiet") != NULL;
    int n_thread;
    carom_error error = {0};
    if (!read_threads(s->arguments, &n_thread) || !open_papers(s) ||
        !results_are_writable(s, folder, json))
        return CAROM_EXIT_USAGE;
    const carom_status status = run_papers(s, is_quiet, n_thread, &error);
    if (status != CAROM_OK) {
        carom_message_error("%s", error.message);
        return status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
    }
    if (!is_quiet && !(json && strcmp(json, "-") == 0)) carom_reproduce_table(s->paper, s->n);
    int code = count_unexpected(s) > 0 ? CAROM_EXIT_AUDIT : CAROM_EXIT_DONE;
    if (folder && !write_pages(s, folder)) code = CAROM_EXIT_AUDIT;
    if (json && !write_json(s, json)) code = CAROM_EXIT_AUDIT;
    return code;
}

static int reproduce(const carom_arguments *arguments)
{
    session s = {.arguments = arguments};
    s.is_quick = carom_arguments_value(arguments, "quick") != NULL;
    int code = CAROM_EXIT_USAGE;
    if (carom_granted_read(&s.granted, arguments)) code = perform_papers(&s);
    carom_granted_free(&s.granted);
    for (int i = 0; i < s.n; i++) carom_paper_free(s.paper[i]);
    free(s.file);
    return code;
}

static const carom_argument rows[] = {
    {"quick", 0, NULL, false, "without the claims that are marked slow"},
    {"output", 'o', "FOLDER", false, "write one page for each paper, with its figures"},
    {"json", 0, "FILE|-", false, "write claims and verdicts as JSON"},
    {"papers", 0, "FOLDER", false, "where the files of claims are"},
    {"jobs", 'j', "N", false, "runs at a time (one for each core)"},
    CAROM_ACCESS_ROWS,
    {"quiet", 'q', NULL, false, "no progress bar, no table"},
    {0},
};

const carom_command carom_command_reproduce = {
    .name = "reproduce",
    .usage = "[PAPER ...] [options]",
    .brief = "run the claims of papers and say which hold",
    .about =
        "Runs every table, figure and claim of the papers (all, or those named: 000, or the path\n"
        "of a .yaml file) and prints what was published, what is obtained, and the verdict:\n"
        "  reproduced                      what was published holds\n"
        "  differs, with the known reason  it does not, and the numbers are those that a correct\n"
        "                                  implementation obtains\n"
        "  differs                         neither\n"
        "\n"
        "exit code: 0 every verdict is the expected one; 1 some is not, or a run or a write "
        "failed;\n"
        "2 wrong usage, a wrong file, or results that cannot be written there.",
    .argument = rows,
    .run = reproduce,
};
