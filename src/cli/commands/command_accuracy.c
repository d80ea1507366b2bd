// SPDX-License-Identifier: Apache-2.0
// Work at equal accuracy. Between two neighbouring runs of a scheme whose errors lie on both sides
// of the one asked for, steps, evaluations and time are interpolated on logarithmic scales: error
// and work go with powers of the step.
#include "commands/command_accuracy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double between(double a, double b, double share)
{
    return a > 0 && b > 0 ? exp(log(a) + share * (log(b) - log(a))) : NAN;
}

carom_cost carom_accuracy_cost(const carom_study *study, const char *scheme, double error)
{
    const carom_study_run *before = NULL;
    for (int i = 0; i < study->n_run; i++) {
        const carom_study_run *run = &study->run[i];
        if (strcmp(run->options.scheme, scheme) != 0 || !run->is_done || !(run->error > 0))
            continue;
        const bool is_bracket = before && (before->error - error) * (run->error - error) <= 0;
        if (is_bracket && run->error != before->error) {
            const double share = log(error / before->error) / log(run->error / before->error);
            const carom_counts *a = &before->counts, *b = &run->counts;
            return (carom_cost){
                between((double)a->steps, (double)b->steps, share),
                between((double)a->evaluations, (double)b->evaluations, share),
                between(before->seconds, run->seconds, share),
            };
        }
        before = run;
    }
    return (carom_cost){NAN, NAN, NAN};
}

static void print_number(double x, int width)
{
    if (isnan(x))
        printf(" %*s", width, "-");
    else
        printf(" %*.4g", width, x);
}

void carom_accuracy_print(const carom_study *study, const char *const *scheme, int n, double error)
{
    const carom_cost first = carom_accuracy_cost(study, scheme[0], error);
    printf("\n%-28s %10s %12s %10s %12s\n", "at equal accuracy", "steps", "evaluations", "time [s]",
           "evaluations");
    printf("error %-22.4g %10s %12s %10s %12s\n", error, "", "", "", "to the first");
    for (int i = 0; i < n; i++) {
        const carom_cost cost = carom_accuracy_cost(study, scheme[i], error);
        printf("%-28s", scheme[i]);
        print_number(cost.steps, 10);
        print_number(cost.evaluations, 12);
        print_number(cost.seconds, 10);
        print_number(cost.evaluations / first.evaluations, 12);
        printf("%s\n", isnan(cost.steps) ? "  (its errors do not enclose this one)" : "");
    }
}

void carom_accuracy_json(const carom_study *study, const char *const *scheme, int n, double error,
                         carom_json *json)
{
    carom_json_begin(json, "at_accuracy", '{');
    carom_json_number(json, "error", error);
    for (int i = 0; i < n; i++) {
        const carom_cost cost = carom_accuracy_cost(study, scheme[i], error);
        carom_json_begin(json, scheme[i], '{');
        carom_json_number(json, "steps", cost.steps);
        carom_json_number(json, "evaluations", cost.evaluations);
        carom_json_number(json, "time", cost.seconds);
        carom_json_end(json);
    }
    carom_json_end(json);
}
