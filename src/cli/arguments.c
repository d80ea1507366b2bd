// SPDX-License-Identifier: Apache-2.0
// The command line of one subcommand. Forms taken: --name value, --name=value, -o value, -ovalue;
// "--" ends the options. An option that is not in the table is an error that names the nearest one.
#include "arguments.h"

#include "guess.h"
#include "terminal/message.h"

#include <stdlib.h>
#include <string.h>

// what every command takes, because every one reads files
static const carom_argument shared_row[] = {
    {"limit", 0, "NAME=N|none", true, "what a file may ask for ('carom list limits')"},
    {"help", 'h', NULL, false, "this text"},
    {0},
};
const carom_argument *carom_arguments_shared(void)
{
    return shared_row;
}
static const carom_argument *const help_row = &shared_row[1];

static const carom_argument *find_in(const carom_argument *row, const char *name, size_t length)
{
    for (; row->name; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    return NULL;
}

static const carom_argument *find_long(const carom_argument *row, const char *name, size_t length)
{
    const carom_argument *own = find_in(row, name, length);
    return own ? own : find_in(shared_row, name, length);
}

static const carom_argument *find_letter(const carom_argument *row, char letter)
{
    if (letter == help_row->letter) return help_row;
    for (; row->name; row++)
        if (row->letter == letter) return row;
    return NULL;
}

static int refuse_unknown(const carom_arguments *a, const char *text, size_t length)
{
    carom_guess guess = carom_guess_start(text, length);
    for (const carom_argument *row = a->row; row->name; row++) carom_guess_show(&guess, row->name);
    for (const carom_argument *row = shared_row; row->name; row++)
        carom_guess_show(&guess, row->name);
    const char *name = carom_guess_name(&guess);
    carom_message_error("carom %s: unknown option '--%.*s'%s%s%s; see 'carom %s --help'",
                        a->command, (int)length, text, name ? " (did you mean '--" : "",
                        name ? name : "", name ? "'?)" : "", a->command);
    return CAROM_EXIT_USAGE;
}

static int take_value(carom_arguments *a, const carom_argument *row, const char *value)
{
    if (row == help_row) {
        a->wants_help = true;
        return 0;
    }
    if (!row->is_repeated && carom_arguments_value(a, row->name)) {
        carom_message_error("carom %s: --%s is given twice", a->command, row->name);
        return CAROM_EXIT_USAGE;
    }
    a->given[a->n_given++] = (carom_given){row, value, NULL};
    return 0;
}

// the word after an option is its value, unless it is itself an option
static const char *following(const carom_arguments *a, const char *next)
{
    if (!next) return NULL;
    if (strncmp(next, "--", 2) != 0) return next;
    const char *equals = strchr(next, '=');
    const size_t length = equals ? (size_t)(equals - next - 2) : strlen(next + 2);
    return find_long(a->row, next + 2, length) ? NULL : next;
}

static int missing(const carom_arguments *a, const carom_argument *row)
{
    carom_message_error("carom %s: --%s needs a value: --%s %s", a->command, row->name, row->name,
                        row->value);
    return CAROM_EXIT_USAGE;
}

// reads one option at argv[*i], and its value; *i moves on where the value was the next word
static int read_option(carom_arguments *a, char **argv, int *i)
{
    const char *text = argv[*i];
    const carom_argument *row;
    const char *value = NULL;
    if (text[1] == '-') {
        value = strchr(text, '=');
        const size_t length = value ? (size_t)(value - text - 2) : strlen(text + 2);
        row = find_long(a->row, text + 2, length);
        if (!row) return refuse_unknown(a, text + 2, length);
        if (value) value++;
    } else {
        row = find_letter(a->row, text[1]);
        if (!row) {
            carom_message_error("carom %s: unknown option '-%c'; see 'carom %s --help'", a->command,
                                text[1], a->command);
            return CAROM_EXIT_USAGE;
        }
        if (text[2]) value = text + 2;
    }
    if (!row->value && value) {
        carom_message_error("carom %s: --%s takes no value", a->command, row->name);
        return CAROM_EXIT_USAGE;
    }
    if (row->value && !value) {
        value = following(a, argv[*i + 1]);
        if (!value) return missing(a, row);
        ++*i;
    }
    return take_value(a, row, value);
}

int carom_arguments_read(const carom_command *command, int argc, char **argv,
                         carom_arguments *arguments)
{
    const size_t room = (size_t)argc + 1;
    *arguments = (carom_arguments){.command = command->name, .row = command->argument};
    arguments->given = calloc(room, sizeof *arguments->given);
    arguments->word = calloc(room, sizeof *arguments->word);
    if (!arguments->given || !arguments->word) {
        carom_message_error("memory ran out");
        return CAROM_EXIT_AUDIT;
    }
    bool has_ended = false;
    for (int i = 0; i < argc; i++) {
        const bool is_option = !has_ended && argv[i][0] == '-' && argv[i][1];
        if (is_option && strcmp(argv[i], "--") == 0) {
            has_ended = true;
        } else if (is_option) {
            const int code = read_option(arguments, argv, &i);
            if (code) return code;
        } else {
            arguments->word[arguments->n_word++] = argv[i];
        }
    }
    return 0;
}

void carom_arguments_free(carom_arguments *arguments)
{
    free(arguments->given);
    free((void *)arguments->word);
    *arguments = (carom_arguments){0};
}

const char *carom_arguments_next(const carom_arguments *arguments, const char *name, int *position)
{
    while (*position < arguments->n_given) {
        const carom_given *given = &arguments->given[(*position)++];
        if (strcmp(given->argument->name, name) == 0)
            return given->value ? given->value : given->argument->name;
    }
    return NULL;
}

const char *carom_arguments_value(const carom_arguments *arguments, const char *name)
{
    int position = 0;
    return carom_arguments_next(arguments, name, &position);
}

const char *carom_arguments_label(const carom_arguments *arguments, const char *name,
                                  const char *value)
{
    for (int i = 0; i < arguments->n_given; i++) {
        const carom_given *given = &arguments->given[i];
        const bool is_it = given->value ? given->value == value : given->argument->name == value;
        if (is_it && strcmp(given->argument->name, name) == 0) return given->label;
    }
    return NULL;
}

bool carom_arguments_clash(const carom_arguments *arguments, const char *one, const char *other)
{
    if (!carom_arguments_value(arguments, one) || !carom_arguments_value(arguments, other))
        return false;
    carom_message_error("carom %s: give --%s or --%s, not both", arguments->command, one, other);
    return true;
}

static void print_row(const carom_argument *row, FILE *file)
{
    char left[64];
    const char letter[] = {'-', row->letter, ',', ' ', 0};
    snprintf(left, sizeof left, "%s--%s%s%s", row->letter ? letter : "    ", row->name,
             row->value ? " " : "", row->value ? row->value : "");
    fprintf(file, "  %-30s %s\n", left, row->help);
}

void carom_command_help(const carom_command *command, FILE *file)
{
    const char *lead = "usage:";
    for (const char *line = command->usage; line;) {
        const char *end = strchr(line, '\n');
        fprintf(file, "%s carom %s %.*s\n", lead, command->name,
                end ? (int)(end - line) : (int)strlen(line), line);
        lead = "      ";
        line = end ? end + 1 : NULL;
    }
    fprintf(file, "\n%s\n\noptions:\n", command->about);
    for (const carom_argument *row = command->argument; row->name; row++) print_row(row, file);
    for (const carom_argument *row = shared_row; row->name; row++) print_row(row, file);
}
