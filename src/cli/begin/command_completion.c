// SPDX-License-Identifier: Apache-2.0
// carom completion: what makes a shell complete commands, options, and names of schemes, solvers
// and models. All of it comes from the tables of the commands, so that none can be forgotten:
//
//     commands_table.h           names of commands
//     usage                      words: schemes|solvers|..., info FILE...; MODEL.yaml: a model
//     rows of options            --name, -x, and by the name of the value what may stand behind it
//
// Models are asked for when they are completed, by 'carom completion models'.
#include "arguments.h"
#include "paths.h"
#include "terminal/message.h"

#include <carom/contact.h>
#include <carom/sim.h>

#include <ctype.h>
#include <string.h>

static const carom_command *const commands[] = {
#define X(name) &carom_command_##name,
#include "commands_table.h"
#undef X
};
enum { N_COMMAND = sizeof commands / sizeof commands[0] };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void print_schemes(const char *between)
{
    for (int i = 0; i < carom_scheme_count(); i++)
        printf("%s%s", i ? between : "", carom_scheme_at(i)->name);
}

static void print_solvers(const char *between)
{
    for (int i = 0; i < carom_solver_count(); i++)
        printf("%s%s", i ? between : "", carom_solver_at(i)->name);
}

// the words that may stand behind the command itself: those in small letters that begin its usages
static void print_words(const carom_command *command, const char *between)
{
    int n = 0;
    for (const char *line = command->usage; *line;) {
        for (const char *c = line; islower((unsigned char)*c);) {
            const size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyz");
            printf("%s%.*s", n++ ? between : "", (int)length, c);
            c += length + (c[length] == '|');
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

// what stands behind an option
typedef enum meant { NOTHING, FILES, FOLDERS, SCHEMES, SOLVERS } meant;
static meant meaning(const carom_argument *row)
{
    if (strcmp(row->name, "scheme") == 0 || strcmp(row->name, "schemes") == 0) return SCHEMES;
    if (strcmp(row->name, "solver") == 0) return SOLVERS;
    if (begins(row->value, "FOLDER")) return FOLDERS;
    return begins(row->value, "FILE") || strcmp(row->name, "output") == 0 ? FILES : NOTHING;
}

// ---- bash ----

typedef void print_row(const carom_argument *row);

// the command's own options, then those that every command has
static void each_option(const carom_command *command, print_row *print)
{
    for (const carom_argument *row = command->argument; row->name; row++) print(row);
    for (const carom_argument *row = carom_arguments_shared(); row->name; row++) print(row);
}

static void print_bash_option(const carom_argument *row)
{
    printf(" --%s", row->name);
    if (row->letter) printf(" -%c", row->letter);
}

static void print_bash_options(const carom_command *command)
{
    printf("        options='");
    each_option(command, print_bash_option);
    printf("'\n        words='");
    print_words(command, " ");
    printf("'\n        models=%d\n", strstr(command->usage, "MODEL") != NULL);
}

static void print_bash_value(const carom_argument *row)
{
    static const char *const reply[] = {[NOTHING] = ":",
                                        [FILES] = "_carom_files",
                                        [FOLDERS] = "_carom_folders",
                                        [SCHEMES] = "_carom_words \"$schemes\"",
                                        [SOLVERS] = "_carom_words \"$solvers\""};
    if (!row->value) return;
    printf("        --%s", row->name);
    if (row->letter) printf(" | -%c", row->letter);
    printf(") %s; return ;;\n", reply[meaning(row)]);
}

static void print_bash_values(const carom_command *command)
{
    printf("        case $before in\n");
    each_option(command, print_bash_value);
    printf("        esac\n");
}

// the part that is the same for all commands
static void print_bash_end(void)
{
    puts("    *) return ;;\n"
         "    esac\n"
         "    case $current in\n"
         "    -*) _carom_words \"$options\" ;;\n"
         "    *)\n"
         "        if [ -n \"$words\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
         "            _carom_words \"$words\"\n"
         "            return\n"
         "        fi\n"
         "        _carom_files\n"
         "        [ \"$models\" = 0 ] ||\n"
         "            COMPREPLY+=($(compgen -W \"$(\"${COMP_WORDS[0]}\" completion models "
         "2>/dev/null)\" -- \"$current\"))\n"
         "        ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _carom carom");
}

static void print_bash_start(void)
{
    printf("# bash completion of carom %s, made by 'carom completion bash'\n", carom_version());
    puts("_carom_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$current\")); }\n"
         "_carom_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "
         "\"$current\")); }\n"
         "_carom_folders() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "
         "\"$current\")); }\n"
         "_carom()\n"
         "{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local options words models schemes solvers\n"
         "    COMPREPLY=()");
    printf("    schemes='");
    print_schemes(" ");
    printf("'\n    solvers='");
    print_solvers(" ");
}

static void print_commands(void)
{
    for (int i = 0; i < N_COMMAND; i++) printf(" %s", commands[i]->name);
}

static void print_bash(void)
{
    print_bash_start();
    printf(
        "'\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _carom_words 'help --help --version");
    print_commands();
    printf("'\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < N_COMMAND; i++) {
        printf("    %s)\n", commands[i]->name);
        print_bash_options(commands[i]);
        print_bash_values(commands[i]);
        puts("        ;;");
    }
    printf("    help)\n        options='' models=0 words='");
    print_commands();
    puts("' ;;");
    print_bash_end();
}

// ---- zsh ----

// a text inside of '...[text]...'
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_value(const carom_argument *row)
{
    printf(":");
    print_zsh_text(row->value);
    printf(":");
    switch (meaning(row)) {
    case FILES:
        printf("_files");
        break;
    case FOLDERS:
        printf("_files -/");
        break;
    case SCHEMES:
        printf("("), print_schemes(" "), printf(")");
        break;
    case SOLVERS:
        printf("("), print_solvers(" "), printf(")");
        break;
    case NOTHING:
        printf(" ");
        break;
    }
}

static void print_zsh_option(const carom_argument *row, const char *lead, const char *name)
{
    printf(" \\\n            '%s%s%s[", row->is_repeated ? "*" : "", lead, name);
    print_zsh_text(row->help);
    printf("]");
    if (row->value) print_zsh_value(row);
    printf("'");
}

static void print_zsh_row(const carom_argument *row)
{
    const char letter[2] = {row->letter, 0};
    print_zsh_option(row, "--", row->name);
    if (row->letter) print_zsh_option(row, "-", letter);
}

static void print_zsh_command(const carom_command *command)
{
    printf("        %s) _arguments -S", command->name);
    each_option(command, print_zsh_row);
    if (islower((unsigned char)command->usage[0])) {
        printf(" \\\n            '1:what:(");
        print_words(command, " ");
        printf(")'");
    }
    const bool is_model = strstr(command->usage, "MODEL") != NULL;
    printf(" \\\n            '*:%s:%s' ;;\n", is_model ? "model" : "file",
           is_model ? "_carom_models" : "_files");
}

static void print_zsh(void)
{
    printf("#compdef carom\n# zsh completion of carom %s, made by 'carom completion zsh'\n",
           carom_version());
    puts("_carom_models() {\n"
         "    local -a names\n"
         "    names=(${(f)\"$(_call_program models $service completion models 2>/dev/null)\"})\n"
         "    _alternative 'models:model:compadd -a names' 'files:file:_files'\n"
         "}\n"
         "_carom() {\n"
         "    local -a commands\n"
         "    commands=(");
    for (int i = 0; i < N_COMMAND; i++) {
        printf("        '%s:", commands[i]->name);
        print_zsh_text(commands[i]->brief);
        printf("'\n");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $words[1] in");
    for (int i = 0; i < N_COMMAND; i++) print_zsh_command(commands[i]);
    puts("        help) _describe command commands ;;\n"
         "    esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _carom ]; then _carom \"$@\"; else compdef _carom carom; fi");
}

static void print_name(void *self, const char *name, const char *path)
{
    (void)self, (void)path;
    puts(name);
}

static int completion(const carom_arguments *arguments)
{
    const char *word = arguments->n_word == 1 ? arguments->word[0] : "";
    if (strcmp(word, "bash") == 0)
        print_bash();
    else if (strcmp(word, "zsh") == 0)
        print_zsh();
    else if (strcmp(word, "models") == 0)
        carom_paths_each_model(print_name, NULL);
    else {
        carom_message_error("carom completion: say for which shell: bash or zsh; or models, for "
                            "the names of models");
        return CAROM_EXIT_USAGE;
    }
    return CAROM_EXIT_DONE;
}

static const carom_argument rows[] = {{0}};

const carom_command carom_command_completion = {
    .name = "completion",
    .usage = "bash|zsh|models",
    .brief = "what makes a shell complete commands, options and names",
    .about =
        "Prints a script for the shell. For one session: source <(carom completion bash). 'make "
        "install' and\n"
        "packages put it where the shells look for it.",
    .argument = rows,
    .run = completion,
};
