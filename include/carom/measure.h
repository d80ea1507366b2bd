// SPDX-License-Identifier: Apache-2.0
// Measures: one number from a run, taken while it runs. `carom reproduce` and papers/*.yaml are
// made of them.
#ifndef CAROM_MEASURE_H
#define CAROM_MEASURE_H

#include "carom/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to measure. Only what the kind uses needs to be given.
typedef struct carom_measure {
    const char *take;    ///< name of the kind in the table of measures
    const char *column;  ///< column of the output, or a pattern with * (gap_*)
    const char *contact; ///< of events: its name; NULL = any
    const char *event; ///< of events: impact, open, close, stick, slip, accumulated; NULL = impact
    double from, to;   ///< [s] only rows and events between them; take carom_measure_default()
    double time;       ///< [s]
    double limit;      ///< value to pass
    int number;        ///< which event, from 1
} carom_measure;
/// Nothing chosen, the whole run.
CAROM_API carom_measure carom_measure_default(void);

/// One kind of measure, for lists and messages.
typedef struct carom_measure_facts {
    const char *name;
    const char *about; ///< one line
    bool needs_column, needs_time, needs_limit;
    bool takes_many; ///< a pattern may stand for several columns
    bool is_cost;    ///< processor time: runs that are measured so must run alone
} carom_measure_facts;
CAROM_API int carom_measure_count(void);
CAROM_API const carom_measure_facts *carom_measure_at(int i);
CAROM_API const carom_measure_facts *carom_measure_find(const char *name);

/// Several measures of one simulation.
typedef struct carom_probe carom_probe;
/// Adds itself to sim as a recorder. The measures must outlive the probe. Unknown kinds,
/// columns and contacts are CAROM_BAD_INPUT, with the way out; *bad (may be NULL) is
/// then the measure's index.
CAROM_API carom_status carom_probe_new(carom_sim *sim, const carom_measure *measure, int n,
                                       carom_probe **probe, int *bad, carom_error *error);
/// Forgets the run: for a simulation that starts again.
CAROM_API void carom_probe_reset(carom_probe *probe);
CAROM_API void carom_probe_free(carom_probe *probe);
/// To be called once for each run, after it and before sim is freed: reads audit, counts and times.
/// is_done says whether the run reached its end.
CAROM_API void carom_probe_finish(carom_probe *probe, bool is_done);
/// The number; not-a-number where there is none (no such event, column never below the limit).
CAROM_API double carom_probe_value(const carom_probe *probe, int i);

#ifdef __cplusplus
}
#endif
#endif
