// SPDX-License-Identifier: Apache-2.0
// The system's compiler, started with a list of arguments and without a shell. Contraction is off
// and errno is not set, as in the library itself, so that native code rounds as the tape does; pow
// stays a call (clang makes exp2 of 2^x, which rounds otherwise), and a -ffast-math of CC is
// undone.
#include "expr/native_compile.h"

#include "expr/native_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { OWN_WORDS = 16 };

carom_status carom_compiler_choose(carom_compiler *c, carom_error *error)
{
    static const char *const option[] = {
        "-std=c17",       "-fPIC",           "-shared",           "-w",
        "-fno-fast-math", "-fno-math-errno", "-ffp-contract=off", "-fno-builtin-pow",
    };
    const char *given = getenv("CC");
    if (!given || strspn(given, " \t") == strlen(given)) given = "cc";
    *c = (carom_compiler){.n_word = 0};
    if (strlen(given) >= sizeof c->text)
        return carom_fail(error, CAROM_IO, "the text of CC is too long for a compiler");
    strcpy(c->text, given);
    for (char *at = c->text; *at;) {
        at += strspn(at, " \t");
        if (!*at) break;
        if (c->n_word == CAROM_COMPILER_WORDS - OWN_WORDS)
            return carom_fail(error, CAROM_IO, "CC has more than %d words", c->n_word);
        c->word[c->n_word++] = at;
        at += strcspn(at, " \t");
        if (*at) *at++ = 0;
    }
    c->word[c->n_word++] = "-O3"; // for functions of a few hundred operations not slower than -O1
    for (size_t i = 0; i < sizeof option / sizeof option[0]; i++) c->word[c->n_word++] = option[i];
    return CAROM_OK;
}

// the first line of the log that speaks of an error, or the first
static void read_log(const char *path, char *line, size_t room)
{
    char next[256] = "";
    line[0] = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(next, sizeof next, file)) {
        next[strcspn(next, "\n")] = 0;
        const bool is_error = strstr(next, "error") != NULL;
        if (is_error || !line[0]) snprintf(line, room, "%.199s", next);
        if (is_error) break;
    }
    if (file) fclose(file);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
}

static int start(const char *const *word, const char *log, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // posix_spawnp does not change the words it is given
    if (!failed)
        failed = posix_spawnp(child, word[0], &actions, NULL, (char *const *)word, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

carom_status carom_compiler_run(const carom_compiler *c, const char *folder, carom_error *error)
{
    char source[CAROM_NATIVE_PATH], object[CAROM_NATIVE_PATH], log[CAROM_NATIVE_PATH], line[200];
    const char *word[CAROM_COMPILER_WORDS] = {NULL};
    int n = 0, state = 0;
    pid_t child;
    snprintf(source, sizeof source, "%s/model.c", folder);
    snprintf(object, sizeof object, "%s/model.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    for (; n < c->n_word; n++) word[n] = c->word[n];
    word[n++] = "-o";
    word[n++] = object;
    word[n++] = source;
    word[n++] = "-lm";
    const int failed = start(word, log, &child);
    if (failed == ENOENT)
        return carom_fail(error, CAROM_IO,
                          "there is no compiler '%s' (install one, or name one with CC)", word[0]);
    if (failed)
        return carom_fail(error, CAROM_IO, "the compiler '%s' does not start: %s", word[0],
                          strerror(failed));
    pid_t done;
    do done = waitpid(child, &state, 0);
    while (done < 0 && errno == EINTR);
    // where the caller ignores its children, the file tells how it went
    if (done < 0 && errno == ECHILD) return CAROM_OK;
    if (done == child && WIFEXITED(state) && WEXITSTATUS(state) == 0) return CAROM_OK;
    read_log(log, line, sizeof line);
    return carom_fail(error, CAROM_IO, "the compiler '%s' failed%s%s", word[0], line[0] ? ": " : "",
                      line);
}
