// SPDX-License-Identifier: Apache-2.0
// Models of the tests of studies, and tables that the command has written.
#ifndef CAROM_TEST_STUDY_RIG_H
#define CAROM_TEST_STUDY_RIG_H

#include "cli/shell.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// x'' + 2 zeta x' + x = A cos(w t), a stop at x = d
static const char study_oscillator[] =
    "carom: 1\n"
    "name: impact oscillator\n"
    "parameters: {zeta: 0.05, w: 1.7, A: 1.2, d: 1, e: 0.7, T: 2*pi/w}\n"
    "coordinates: {x: {start: 0}}\n"
    "kinetic: 0.5*der(x)^2\n"
    "potential: 0.5*x^2\n"
    "forces: [{coordinate: x, force: A*cos(w*t) - 2*zeta*der(x)}]\n"
    "contacts: [{name: stop, gap: d - x, restitution: e}]\n"
    "run: {scheme: event_driven, tolerance: 1e-9, end: 100}\n";

// a ball that falls from a height onto a floor
static const char study_ball[] = "carom: 1\n"
                                 "name: ball\n"
                                 "parameters: {e: 0.5, g: 10, height: 5, last: 2.5}\n"
                                 "coordinates: {y: {start: height}}\n"
                                 "kinetic: 0.5*der(y)^2\n"
                                 "potential: g*y\n"
                                 "contacts: [{name: floor, gap: y, restitution: e}]\n"
                                 "run: {scheme: event_driven, tolerance: 1e-9, end: last}\n";

enum { STUDY_ROWS = 4000, STUDY_COLUMNS = 40 };
/// A table of numbers from a CSV text.
typedef struct study_table {
    char name[STUDY_COLUMNS][64];
    double value[STUDY_ROWS][STUDY_COLUMNS];
    int n, n_column;
} study_table;

static inline int study_start(void **state)
{
    if (shell_start(state) != 0) return -1;
    shell_write(*state, "osc.yaml", study_oscillator);
    shell_write(*state, "ball.yaml", study_ball);
    return 0;
}

static inline const study_table *study_read(const char *text)
{
    static study_table t;
    char line[4096];
    t.n = t.n_column = 0;
    memset(t.value, 0, sizeof t.value);
    for (int row = -1; *text && row < STUDY_ROWS - 1; row++) {
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        text += n + (text[n] != 0);
        int k = 0;
        char *saved = NULL;
        for (char *cell = strtok_r(line, ",", &saved); cell; cell = strtok_r(NULL, ",", &saved)) {
            if (row < 0)
                snprintf(t.name[k++], sizeof t.name[0], "%s", cell);
            else
                t.value[row][k++] = strtod(cell, NULL);
        }
        if (row < 0) t.n_column = k;
        t.n = row + 1;
    }
    return &t;
}

static inline double study_value(const study_table *t, int row, const char *column)
{
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->name[k], column) == 0 && row < t->n) return t->value[row][k];
    fail_msg("no '%s' in row %d of %d", column, row, t->n);
    return NAN;
}

static inline void study_near(double is, double should, double tolerance)
{
    if (!(fabs(is - should) <= tolerance)) fail_msg("%.15g is not %.15g", is, should);
}

/// Runs the command, which must end with this code.
#define STUDY_RUN(s, code, ...)                                                                    \
    do {                                                                                           \
        const int study_got = shell_run((s), __VA_ARGS__);                                         \
        if (study_got != (code)) fail_msg("exit %d: %s", study_got, (s)->err);                     \
    } while (0)

#endif
