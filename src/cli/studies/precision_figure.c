// SPDX-License-Identifier: Apache-2.0
// Work and precision: what an error costs each scheme, on logarithmic axes. A run that took less
// time than the clock can tell stands at its resolution; one without an error leaves a gap.
#include "studies/precision_figure.h"

#include <carom/plot.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TICK = 1e-6; // [s] of the clock

carom_status carom_precision_draw(const carom_study *study, const char *const *scheme, int n_scheme,
                                  const char *title, const char *path, carom_error *error)
{
    const size_t n = (size_t)study->n_run;
    double *x = malloc((2 * n + 1) * sizeof *x), *y = x ? x + n : NULL;
    carom_series *series = calloc((size_t)n_scheme + 1, sizeof *series);
    if (!x || !series) {
        free(x);
        free(series);
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    }
    long at = 0;
    for (int s = 0; s < n_scheme; s++) {
        const long first = at;
        for (int i = 0; i < study->n_run; i++) {
            const carom_study_run *run = &study->run[i];
            if (strcmp(run->options.scheme, scheme[s]) != 0) continue;
            x[at] = fmax(run->seconds, TICK);
            y[at++] = run->failure.status == CAROM_OK ? run->error : NAN;
        }
        series[s] = (carom_series){.name = scheme[s],
                                   .x = x + first,
                                   .y = y + first,
                                   .n = at - first,
                                   .stroke = CAROM_STROKE_LINE_POINTS,
                                   .colour = s + 1};
    }
    const carom_plot panel = {.x = {.label = "processor time", .unit = "s", .is_log = true},
                              .y = {.label = "error", .is_log = true},
                              .series = series,
                              .n_series = n_scheme};
    const carom_figure figure = {.title = title, .panel = &panel, .n_panel = 1};
    const carom_status status = carom_figure_write(&figure, path, error);
    free(x);
    free(series);
    return status;
}
