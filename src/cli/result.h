// SPDX-License-Identifier: Apache-2.0
// What a run came to: its status word, state, audit, counts and times, as JSON and as a table for
// people.
#ifndef CAROM_CLI_RESULT_H
#define CAROM_CLI_RESULT_H

#include "job.h"
#include "terminal/json.h"

#include <carom/sim.h>

typedef struct carom_result {
    const carom_job *job;
    carom_sim *sim;
    carom_sizes size;
    const char *status; ///< done, unconverged, limits, unstable, warnings (--strict) or stopped
    carom_status run;   ///< of carom_sim_run
    carom_audit audit;  ///< not-a-number where it could not be had
    carom_counts counts;
    carom_times times;
    double *gap; ///< (n_contact)
} carom_result;

/// Takes all from a simulation that ended with status run. false: memory ran out (said).
bool carom_result_take(carom_result *result, const carom_job *job, carom_sim *sim,
                       carom_status run);
void carom_result_free(carom_result *result);

/// Says on stderr, one line each, what the run warns of, which limits are broken and how many steps
/// did not converge. Warnings of the model itself are said before, by carom_job_warn_of_model.
void carom_result_complain(const carom_result *result, carom_job *job, const char *lead);
/// Whether the run did all that was asked of it: done, or held.
bool carom_result_is_good(const carom_result *result);
/// Processor time of a step [microseconds].
double carom_result_step_time(const carom_result *result);

/// The members of the run's object (without its brackets).
void carom_result_json(const carom_result *result, carom_json *json);
/// A short table on stdout.
void carom_result_print(const carom_result *result);

#endif
