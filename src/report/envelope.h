// SPDX-License-Identifier: Apache-2.0
// The columns of a run as points: single rows, or the lowest and highest value of a bucket.
#ifndef CAROM_REPORT_ENVELOPE_H
#define CAROM_REPORT_ENVELOPE_H

#include "report/buckets.h"

typedef struct carom_envelope {
    int n_column;
    long room, n_point;
    double *t;      ///< (n_point)
    float *value;   ///< (n_column x room) by columns; over their offset
    double *offset; ///< (n_column) what is to be added to values
    // the bucket at hand
    long n_in;
    double t_first, t_last;
    double *low, *high;        ///< (n_column) nan where nothing was finite
    unsigned char *high_first; ///< (n_column) the highest came before the lowest
} carom_envelope;

carom_status carom_envelope_new(carom_envelope *envelope, int n_column, long n_point,
                                carom_error *error);
void carom_envelope_free(carom_envelope *envelope);
/// One row: its time and (n_column) values; is_start begins a bucket.
void carom_envelope_add(carom_envelope *envelope, double t, const double *value, bool is_start);
/// Ends the last bucket.
void carom_envelope_finish(carom_envelope *envelope);

#endif
