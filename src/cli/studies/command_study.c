// SPDX-License-Identifier: Apache-2.0
// carom study: does what a study file says, in the words of the command that it names; and looks
// after stores: status, export, failed, merge.
#include "guess.h"
#include "studies/scan_job.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <carom/study.h>

#include <stdlib.h>
#include <string.h>

// ---- a study file ----

static const carom_command *const commands[] = {
    &carom_command_sweep, &carom_command_poincare, &carom_command_bif,
    &carom_command_frf,   &carom_command_orbit,    &carom_command_sensitivity,
    &carom_command_lyap,  &carom_command_continue, &carom_command_basin};
enum { N_COMMAND = sizeof commands / sizeof *commands };

static const carom_command *find_command(carom_text what, carom_error *error)
{
    for (int i = 0; i < N_COMMAND; i++)
        if (strcmp(commands[i]->name, what.text) == 0) return commands[i];
    carom_fail_at(error, what.place, CAROM_BAD_INPUT,
                  "no study '%s': there are sweep, poincare, bif, frf, orbit, sensitivity, lyap, "
                  "continue and basin",
                  what.text);
    return NULL;
}

static const carom_argument *find_row(const carom_command *command, const char *name)
{
    for (const carom_argument *row = command->argument; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

// "study.yaml:9:12", as long as the arguments live
static char *make_label(carom_place place)
{
    const size_t room = strlen(place.file ? place.file : "") + 40;
    char *label = malloc(room);
    if (label)
        snprintf(label, room, "%s:%d:%d", place.file ? place.file : "", place.line, place.column);
    return label;
}

static carom_status give(carom_arguments *to, const carom_command *command, carom_setting option,
                         carom_error *error)
{
    const carom_argument *row = find_row(command, option.name.text);
    if (!row) {
        carom_guess guess = carom_guess_start(option.name.text, strlen(option.name.text));
        for (row = command->argument; row->name; row++) carom_guess_show(&guess, row->name);
        const char *meant = carom_guess_name(&guess);
        return carom_fail_at(error, option.name.place, CAROM_BAD_INPUT, "%s has no '%s'%s%s%s",
                             command->name, option.name.text, meant ? " (did you mean '" : "",
                             meant ? meant : "", meant ? "'?)" : "");
    }
    if (!row->is_repeated && carom_arguments_value(to, row->name))
        return carom_fail_at(error, option.name.place, CAROM_BAD_INPUT, "'%s' is given twice",
                             row->name);
    const char *value = option.value.text;
    const bool is_off = !row->value && strcmp(value, "false") == 0;
    if (!row->value && !is_off && strcmp(value, "true") != 0)
        return carom_fail_at(error, option.value.place, CAROM_BAD_INPUT,
                             "'%s' is true or false, not '%s'", row->name, value);
    if (is_off) return CAROM_OK;
    char *label = make_label(option.value.place);
    if (!label) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    to->given[to->n_given++] = (carom_given){row, row->value ? value : NULL, label};
    return CAROM_OK;
}

// what the file says, then what the command line says of the work
static carom_status make_arguments(const carom_study_file *file, const carom_command *command,
                                   const carom_arguments *line, carom_arguments *to,
                                   carom_error *error)
{
    const int n = carom_study_file_n(file);
    *to = (carom_arguments){.command = command->name, .row = command->argument};
    to->given = calloc((size_t)(n + line->n_given) + 1, sizeof *to->given);
    to->word = calloc(1, sizeof *to->word);
    if (!to->given || !to->word) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    to->word[to->n_word++] = carom_study_file_model(file).text;
    for (int i = 0; i < n; i++)
        CAROM_TRY(give(to, command, carom_study_file_option(file, i), error));
    for (int i = 0; i < line->n_given; i++) {
        const carom_argument *row = find_row(command, line->given[i].argument->name);
        if (!row) row = line->given[i].argument; // --limit
        to->given[to->n_given++] = (carom_given){row, line->given[i].value, NULL};
    }
    return CAROM_OK;
}

static int run_file(const carom_arguments *line, const char *path)
{
    carom_error error = {0};
    (void)carom_company_find(); // who speaks is settled first
    carom_study_file *file = NULL;
    carom_arguments arguments = {0};
    const carom_command *command = NULL;
    int code = CAROM_EXIT_USAGE;
    if (carom_study_file_read(path, NULL, &file, &error) == CAROM_OK)
        command = find_command(carom_study_file_what(file), &error);
    if (command && make_arguments(file, command, line, &arguments, &error) == CAROM_OK)
        code = command->run(&arguments);
    if (error.message[0]) carom_message_error("%s", error.message);
    for (int i = 0; i < arguments.n_given; i++) free((void *)arguments.given[i].label);
    carom_arguments_free(&arguments);
    carom_study_file_free(file);
    return code;
}

// ---- stores ----

static int fail_with(const carom_error *error)
{
    carom_message_error("%s", error->message);
    return error->status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
}

static int show_status(const carom_scan *scan, const char *path)
{
    const carom_scan_count count = carom_scan_counted(scan);
    printf("%s: %ld of %ld runs done, %ld failed, %ld rows of %d columns\n", CAROM_PLAIN(path),
           count.done, count.units, count.failed, carom_scan_n_row(scan),
           carom_scan_n_column(scan));
    fputs(carom_scan_hysteresis(scan), stdout);
    fputs(carom_scan_findings(scan), stdout);
    return CAROM_EXIT_DONE;
}

static int show_failed(const carom_scan *scan)
{
    const char *text;
    for (int i = 0; (text = carom_scan_failure(scan, i)); i++) puts(CAROM_PLAIN(text));
    return CAROM_EXIT_DONE;
}

static bool write_to_stdout(void *self, const char *text, size_t length)
{
    (void)self;
    return fwrite(text, 1, length, stdout) == length;
}

static int export_all(const carom_scan *scan, const carom_arguments *arguments)
{
    const carom_text_sink out = {.write = write_to_stdout};
    int position = 0, n = 0;
    const char *path;
    while ((path = carom_arguments_next(arguments, "output", &position))) {
        carom_error error = {0};
        n++;
        if (carom_scan_export(scan, path, &error) != CAROM_OK) return fail_with(&error);
    }
    return n > 0 || carom_scan_csv(scan, out, NULL) == CAROM_OK ? CAROM_EXIT_DONE
                                                                : CAROM_EXIT_AUDIT;
}

static int merge(const carom_arguments *arguments)
{
    carom_error error = {0};
    const char *to = carom_arguments_value(arguments, "output");
    if (!to || arguments->n_word < 2) {
        carom_message_error("carom study merge: say what to put together, and -o STORE.caromdb");
        return CAROM_EXIT_USAGE;
    }
    return carom_scan_merge(to, arguments->word + 1, arguments->n_word - 1, &error) == CAROM_OK
               ? CAROM_EXIT_DONE
               : fail_with(&error);
}

static int look_after_store(const carom_arguments *arguments, const char *what)
{
    carom_error error = {0};
    carom_scan *scan = NULL;
    if (arguments->n_word != 2) {
        carom_message_error("carom study %s: say which store", what);
        return CAROM_EXIT_USAGE;
    }
    if (carom_scan_read(arguments->word[1], &scan, &error) != CAROM_OK) return fail_with(&error);
    const int code = strcmp(what, "status") == 0   ? show_status(scan, arguments->word[1])
                     : strcmp(what, "failed") == 0 ? show_failed(scan)
                                                   : export_all(scan, arguments);
    carom_scan_free(scan);
    return code;
}

static int study(const carom_arguments *arguments)
{
    const char *what = arguments->n_word > 0 ? arguments->word[0] : NULL;
    if (!what) {
        carom_message_error("carom study: no study file given; see 'carom study --help'");
        return CAROM_EXIT_USAGE;
    }
    if (strcmp(what, "merge") == 0) return merge(arguments);
    if (strcmp(what, "status") == 0 || strcmp(what, "failed") == 0 || strcmp(what, "export") == 0)
        return look_after_store(arguments, what);
    if (arguments->n_word == 1) return run_file(arguments, what);
    carom_message_error("carom study: one study at a time, but '%s' is given too",
                        arguments->word[1]);
    return CAROM_EXIT_USAGE;
}

static const carom_argument rows[] = {
    CAROM_SCAN_WORK_ROWS,
    {0},
};

const carom_command carom_command_study = {
    .name = "study",
    .usage = "STUDY.yaml [options]\n"
             "status|failed STORE\n"
             "export STORE [-o FILE]\n"
             "merge STORE... -o STORE",
    .brief = "do what a study file says; look after stores",
    .about =
        "A study file is a sweep, bif, orbit, ... with all its options (--write-study of\n"
        "these writes one). A store keeps what is done: status tells how far it is, failed lists\n"
        "the runs that failed, export writes the table again, merge puts parts together.\n"
        "\n"
        "exit code: 0 done, 1 a run failed or the study was stopped, 2 wrong usage or file.",
    .argument = rows,
    .run = study,
};
