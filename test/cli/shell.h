// SPDX-License-Identifier: Apache-2.0
// Runs the command carom as a user would, in a folder of its own, and keeps what it said.
#ifndef CAROM_TEST_CLI_SHELL_H
#define CAROM_TEST_CLI_SHELL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHELL_ROOM = 1 << 16 };

/// What a command left: exit code, standard output, standard error.
typedef struct shell {
    char folder[64];
    int code;
    char out[SHELL_ROOM];
    char err[SHELL_ROOM];
} shell;

static inline void shell_read(const shell *s, const char *name, char text[SHELL_ROOM])
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, SHELL_ROOM - 1, file) : 0;
    text[n] = 0;
    if (file) fclose(file);
}

static inline void shell_write(const shell *s, const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fputs(text, file);
    fclose(file);
}

static inline bool shell_has(const shell *s, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    return access(path, F_OK) == 0;
}

/// Runs a line of shell in the folder; "$CAROM" stands for the command.
__attribute__((format(printf, 2, 3))) static inline int shell_run(shell *s, const char *format, ...)
{
    char line[4096], all[8192];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    snprintf(all, sizeof all, "cd %s && CAROM='%s' && { %s ; } >out.txt 2>err.txt </dev/null",
             s->folder, CAROM_COMMAND, line);
    const int status = system(all);
    s->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    shell_read(s, "out.txt", s->out);
    shell_read(s, "err.txt", s->err);
    return s->code;
}

/// Lines in a text.
static inline int shell_lines(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static const char shell_ball[] = "carom: 1\n"
                                 "name: ball\n"
                                 "about: A ball falls on the floor.\n"
                                 "parameters: {m: 1, gravity: 9.81, e: 0.5, height: 1}\n"
                                 "coordinates:\n"
                                 "  y: {start: height}\n"
                                 "kinetic: m/2*der(y)^2\n"
                                 "potential: m*gravity*y\n"
                                 "contacts:\n"
                                 "  - {name: floor, gap: y, restitution: e}\n"
                                 "run: {scheme: moreau_midpoint, step: 1e-3, end: 0.5}\n";

static const char shell_block[] = "carom: 1\n"
                                  "name: block\n"
                                  "parameters: {m: 2, gravity: 9.81, mu: 0.3}\n"
                                  "coordinates:\n"
                                  "  x: {start: 0, rate: 1}\n"
                                  "  y: {start: 0}\n"
                                  "kinetic: m/2*(der(x)^2 + der(y)^2)\n"
                                  "potential: m*gravity*y\n"
                                  "contacts:\n"
                                  "  - {name: floor, gap: y, slip: x, friction: mu}\n"
                                  "run: {scheme: moreau_jean, theta: 0.6, step: 1e-3, end: 0.5}\n";

static const char shell_pendulum[] = "carom: 1\n"
                                     "name: pendulum\n"
                                     "parameters: {m: 1, l: 1, gravity: 9.81}\n"
                                     "coordinates:\n"
                                     "  x: {start: l}\n"
                                     "  y: {start: 0}\n"
                                     "kinetic: m/2*(der(x)^2 + der(y)^2)\n"
                                     "potential: m*gravity*y\n"
                                     "constraints:\n"
                                     "  - {name: rod, equation: x^2 + y^2 - l^2}\n"
                                     "contacts:\n"
                                     "  - {name: wall, gap: x + 1/2, restitution: 0.7}\n";

// runs away: x grows by a factor in every step until it is infinite
static const char shell_runaway[] = "carom: 1\n"
                                    "name: runaway\n"
                                    "coordinates:\n"
                                    "  x: {start: 1}\n"
                                    "kinetic: der(x)^2/2\n"
                                    "forces:\n"
                                    "  - {coordinate: x, force: 1e60*x}\n"
                                    "run: {scheme: moreau_midpoint, step: 0.01, end: 1}\n";

/// A folder with models; what a group of tests starts with and ends with.
static inline int shell_start(void **state)
{
    shell *s = calloc(1, sizeof *s);
    if (!s) return -1;
    strcpy(s->folder, "/tmp/carom-cli-XXXXXX");
    if (!mkdtemp(s->folder)) return -1;
    unsetenv("CAROM_MODELS");
    unsetenv("NO_COLOR");
    shell_write(s, "ball.yaml", shell_ball);
    shell_write(s, "block.yaml", shell_block);
    shell_write(s, "pendulum.yaml", shell_pendulum);
    shell_write(s, "runaway.yaml", shell_runaway);
    *state = s;
    return 0;
}

static inline int shell_end(void **state)
{
    char line[128];
    shell *s = *state;
    snprintf(line, sizeof line, "rm -rf %s", s->folder);
    const int code = system(line);
    free(s);
    return code;
}

#endif
