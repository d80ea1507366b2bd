// SPDX-License-Identifier: Apache-2.0
// The system's compiler, started with a list of arguments and without a shell. Contraction
// is off and errno is not set, as in the library itself, so that native code rounds as
// the tape does; pow stays a call (clang makes exp2 of 2^x, which rounds otherwise), and a
// -ffast-math of CC is undone.
#include "expr/program/native_compile.h"

#include "base/files/keeper.h"
#include "expr/program/native_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    // what -O0 makes is slower than the tape; -O1 gains as much as -O3, in no less time
    c->word[c->n_word++] = "-O3";
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

carom_status carom_compiler_run(const carom_compiler *c, const char *folder,
                                const carom_limits *limits, carom_error *error)
{
    char source[CAROM_NATIVE_PATH], object[CAROM_NATIVE_PATH], log[CAROM_NATIVE_PATH], line[200];
    const char *word[CAROM_COMPILER_WORDS] = {NULL};
    const char *const litter[] = {source, object, log, folder, NULL};
    int n = 0;
    snprintf(source, sizeof source, "%s/model.c", folder);
    snprintf(object, sizeof object, "%s/model.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    for (; n < c->n_word; n++) word[n] = c->word[n];
    word[n++] = "-o";
    word[n++] = object;
    word[n++] = source;
    word[n++] = "-lm";
    const carom_kept_command command = {.word = word,
                                        .log = log,
                                        .litter = litter,
                                        .seconds = limits->compile_seconds,
                                        .bytes = limits->bytes};
    const carom_kept_end end = carom_keeper_run(&command);
    if (end == CAROM_KEPT_DONE) return CAROM_OK;
    if (end == CAROM_KEPT_TOO_LONG)
        return carom_fail(error, CAROM_IO,
                          "the compiler '%s' takes longer than %g s (--limit compile_seconds=N "
                          "allows more)",
                          word[0], limits->compile_seconds);
    if (end == CAROM_KEPT_NOT_STARTED && errno == ENOENT)
        return carom_fail(error, CAROM_IO,
                          "there is no compiler '%s' (install one, or name one with CC)", word[0]);
    if (end == CAROM_KEPT_NOT_STARTED)
        return carom_fail(error, CAROM_IO, "the compiler '%s' does not start: %s", word[0],
                          strerror(errno));
    read_log(log, line, sizeof line);
    return carom_fail(error, CAROM_IO, "the compiler '%s' failed%s%s", word[0], line[0] ? ": " : "",
                      line);
}
