// SPDX-License-Identifier: Apache-2.0
// The command line of one subcommand: options are rows of a table, read and explained from the same
// rows.
#ifndef CAROM_CLI_ARGUMENTS_H
#define CAROM_CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stdio.h>

/// What the command returns to the shell.
enum { CAROM_EXIT_DONE = 0, CAROM_EXIT_AUDIT = 1, CAROM_EXIT_USAGE = 2 };

/// One option. A table ends with a row whose name is NULL.
typedef struct carom_argument {
    const char *name;  ///< long form without its dashes
    char letter;       ///< short form, 0 = none
    const char *value; ///< what the help calls its value; NULL = a switch
    bool is_repeated;  ///< may be given more than once
    const char *help;  ///< one sentence
} carom_argument;

typedef struct carom_given {
    const carom_argument *argument;
    const char *value; ///< NULL for a switch
    const char *label; ///< where it stands in a file; NULL = on the command line
} carom_given;

/// What was given; all texts are borrowed from argv.
typedef struct carom_arguments {
    const char *command;
    const carom_argument *row;
    carom_given *given;
    int n_given;
    const char **word; ///< what is not an option
    int n_word;
    bool wants_help;
} carom_arguments;

/// One subcommand: one file, one line in the table of main.c.
typedef struct carom_command {
    const char *name;
    const char *usage; ///< one or more lines, each without "carom NAME "
    const char *brief; ///< half a line
    const char *about; ///< paragraphs below the usage
    const carom_argument *argument;
    int (*run)(const carom_arguments *arguments); ///< returns the exit code
} carom_command;

#define X(name) extern const carom_command carom_command_##name;
#include "commands_table.h"
#undef X

/// Reads argv (without the subcommand's name). Says what is wrong and returns
/// CAROM_EXIT_USAGE, or 0.
int carom_arguments_read(const carom_command *command, int argc, char **argv,
                         carom_arguments *arguments);
void carom_arguments_free(carom_arguments *arguments);

/// The value given to an option (of a switch: its name), or NULL.
const char *carom_arguments_value(const carom_arguments *arguments, const char *name);
/// The next value of a repeated option, from *position on (0 at first), or NULL.
const char *carom_arguments_next(const carom_arguments *arguments, const char *name, int *position);
/// Where such a value (of a switch: its name) stands in a file; NULL = on the command line.
const char *carom_arguments_label(const carom_arguments *arguments, const char *name,
                                  const char *value);
/// Says so and returns true where both options were given.
bool carom_arguments_clash(const carom_arguments *arguments, const char *one, const char *other);
/// The options that every command has.
const carom_argument *carom_arguments_shared(void);
/// Usage, about and all options.
void carom_command_help(const carom_command *command, FILE *file);

#endif
