// SPDX-License-Identifier: Apache-2.0
// Measures of a whole run: what its audit, counts and times say. The cost is processor
// time for each step, in seconds; done is 1 for a run that reached its end, 0 for one
// that was refused or stopped.
#include "analysis/gauge.h"

#include <math.h>

#define FROM(what, expression)                                                                     \
    double carom_gauge_##what(const carom_gauge_run *run)                                          \
    {                                                                                              \
        return (double)(expression);                                                               \
    }

FROM(min_gap, run->audit.min_gap)
FROM(max_drift, run->audit.max_drift)
FROM(residual, run->audit.residual)
FROM(energy_start, run->audit.energy_start)
FROM(energy_end, run->audit.energy_end)
FROM(impact_loss, run->audit.impact_loss)
FROM(friction_loss, run->audit.friction_loss)
FROM(energy_error, run->audit.energy_error)
FROM(steps, run->counts.steps)
FROM(impact_steps, run->counts.impact_steps)
FROM(contact_steps, run->counts.contact_steps)
FROM(unconverged, run->counts.unconverged)
FROM(ambiguous, run->counts.ambiguous)
FROM(rejected, run->counts.rejected)
FROM(evaluations, run->counts.evaluations)
FROM(cost, run->counts.steps > 0 ? run->times.stepping / (double)run->counts.steps : NAN)
FROM(done, run->is_done)
