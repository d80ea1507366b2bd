// SPDX-License-Identifier: Apache-2.0
// The command `carom`: a table of subcommands.
#include "arguments.h"
#include "guess.h"
#include "terminal/message.h"

#include <carom/base.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const carom_command *const commands[] = {
#define X(name) &carom_command_##name,
#include "commands_table.h"
#undef X
};
enum { N_COMMAND = sizeof commands / sizeof commands[0], WIDTH = 76 };

static void print_usage(FILE *file)
{
    fprintf(file, "usage: carom COMMAND ...\n\n");
    for (int i = 0; i < N_COMMAND; i++)
        fprintf(file, "  carom %-11s %s\n", commands[i]->name, commands[i]->brief);
    fprintf(file, "\n'carom COMMAND --help' explains a command, 'carom --version' says which "
                  "carom this is.\n");
}

// what fits beside other things on a terminal
static void print_names(FILE *file)
{
    size_t used = WIDTH;
    fprintf(file, "usage: carom COMMAND ...\n");
    for (int i = 0; i < N_COMMAND; i++) {
        const size_t n = strlen(commands[i]->name) + 2;
        fprintf(file, used + n > WIDTH ? "\n  %s" : "  %s", commands[i]->name);
        used = used + n > WIDTH ? n : used + n;
    }
    fprintf(file, "\n\n'carom --help' says what they do, 'carom COMMAND --help' explains one.\n");
}

static const carom_command *find(const char *name)
{
    carom_guess guess = carom_guess_start(name, strlen(name));
    for (int i = 0; i < N_COMMAND; i++) {
        if (strcmp(name, commands[i]->name) == 0) return commands[i];
        carom_guess_show(&guess, commands[i]->name);
    }
    const char *meant = carom_guess_name(&guess);
    carom_message_error("carom: unknown command '%s'%s%s%s; see 'carom --help'", name,
                        meant ? " (did you mean '" : "", meant ? meant : "", meant ? "'?)" : "");
    return NULL;
}

static int help(int argc, char **argv)
{
    if (argc < 1) {
        printf("Carom simulates mechanical systems that hit, stick, slip and separate.\n\n");
        print_usage(stdout);
        return CAROM_EXIT_DONE;
    }
    const carom_command *command = find(argv[0]);
    if (!command) return CAROM_EXIT_USAGE;
    carom_command_help(command, stdout);
    return CAROM_EXIT_DONE;
}

static int start(const carom_command *command, int argc, char **argv)
{
    carom_arguments arguments;
    int code = carom_arguments_read(command, argc, argv, &arguments);
    if (code == 0 && arguments.wants_help)
        carom_command_help(command, stdout);
    else if (code == 0)
        code = command->run(&arguments);
    carom_arguments_free(&arguments);
    return code;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_names(stderr);
        return CAROM_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("carom %s\n", carom_version());
        return CAROM_EXIT_DONE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return help(argc - 2, argv + 2);
    const carom_command *command = find(word);
    return command ? start(command, argc - 2, argv + 2) : CAROM_EXIT_USAGE;
}

// a standard stream that the caller closed must not become the number of a result file
static void keep_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            return;
}

// whether standard output is a pipe whose reader has seen enough (head): that needs no message
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int main(int argc, char **argv)
{
    keep_streams();
    signal(SIGPIPE, SIG_IGN); // a reader that went away is a write error
    signal(SIGXFSZ, SIG_IGN); // and so is a file that may not grow
    int code = dispatch(argc, argv);
    errno = 0;
    const bool had_error = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || had_error) {
        if (!reader_left())
            carom_message_error("standard output: cannot be written: %s",
                                errno ? strerror(errno) : "write error");
        if (code == CAROM_EXIT_DONE) code = CAROM_EXIT_AUDIT;
    }
    return code;
}
