// SPDX-License-Identifier: Apache-2.0
// A measure at work: rows and events go in, one number comes out. A kind of measure is a row of the
// table in measure.c and three small functions.
#ifndef CAROM_ANALYSIS_GAUGE_H
#define CAROM_ANALYSIS_GAUGE_H

#include "carom/measure.h"

enum { CAROM_GAUGE_SUMS = 6 };

typedef struct carom_gauge {
    const carom_measure *asked;
    int contact;                  ///< of events; -1 = any
    carom_event_kind event;       ///< of events
    long n;                       ///< rows or events so far
    double t, v;                  ///< the row before
    double best;                  ///< extreme or result so far
    double sum[CAROM_GAUGE_SUMS]; ///< as the kind needs them
} carom_gauge;

typedef void carom_gauge_row(carom_gauge *g, double t, double v);
typedef void carom_gauge_event(carom_gauge *g, const carom_event *event);
typedef double carom_gauge_value(const carom_gauge *g);

// values: one number of a column
carom_gauge_row carom_gauge_first, carom_gauge_last, carom_gauge_smallest, carom_gauge_largest,
    carom_gauge_size, carom_gauge_at, carom_gauge_mean, carom_gauge_total;
carom_gauge_value carom_gauge_best, carom_gauge_mean_value, carom_gauge_total_value;

// changes: how a column goes up
carom_gauge_row carom_gauge_rise, carom_gauge_climb, carom_gauge_gain, carom_gauge_turns;

// fits: how a column grows with time
carom_gauge_row carom_gauge_line, carom_gauge_power;
carom_gauge_value carom_gauge_slope, carom_gauge_exponent, carom_gauge_straightness;

// waves: how much a column oscillates
carom_gauge_row carom_gauge_rms, carom_gauge_wave;
carom_gauge_value carom_gauge_rms_value, carom_gauge_amplitude, carom_gauge_phase;

// times: when and how long
carom_gauge_row carom_gauge_when_below, carom_gauge_when_above, carom_gauge_last_above,
    carom_gauge_long_below, carom_gauge_long_above;
carom_gauge_value carom_gauge_duration;

// events
carom_gauge_event carom_gauge_count, carom_gauge_event_time, carom_gauge_event_before,
    carom_gauge_event_after, carom_gauge_event_impulse, carom_gauge_event_loss;
carom_gauge_value carom_gauge_count_value;

// the whole run: audit, counts, times
typedef struct carom_gauge_run {
    carom_audit audit;
    carom_counts counts;
    carom_times times;
    bool is_done;
} carom_gauge_run;
typedef double carom_gauge_whole(const carom_gauge_run *run);
carom_gauge_whole carom_gauge_min_gap, carom_gauge_max_drift, carom_gauge_residual,
    carom_gauge_energy_start, carom_gauge_energy_end, carom_gauge_impact_loss,
    carom_gauge_friction_loss, carom_gauge_energy_error, carom_gauge_steps,
    carom_gauge_impact_steps, carom_gauge_contact_steps, carom_gauge_unconverged,
    carom_gauge_ambiguous, carom_gauge_rejected, carom_gauge_evaluations, carom_gauge_cost,
    carom_gauge_done;

#endif
