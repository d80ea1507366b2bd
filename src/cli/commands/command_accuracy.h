// SPDX-License-Identifier: Apache-2.0
// What a given accuracy costs each scheme of a study.
#ifndef CAROM_CLI_COMMAND_ACCURACY_H
#define CAROM_CLI_COMMAND_ACCURACY_H

#include "terminal/json.h"

#include <carom/analysis.h>

/// What the runs of a scheme cost at an error that lies between two of theirs; not-a-number where
/// it does not, or where the scheme does not count.
typedef struct carom_cost {
    double steps, evaluations, seconds;
} carom_cost;

carom_cost carom_accuracy_cost(const carom_study *study, const char *scheme, double error);
/// A table on stdout, with the ratio of each scheme's evaluations to those of the first.
void carom_accuracy_print(const carom_study *study, const char *const *scheme, int n, double error);
/// The member "at_accuracy".
void carom_accuracy_json(const carom_study *study, const char *const *scheme, int n, double error,
                         carom_json *json);

#endif
